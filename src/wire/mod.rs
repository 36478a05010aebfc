//! The types that cross a boundary as JSON, and the only module that knows serde.

pub mod omp;
pub mod patch;
