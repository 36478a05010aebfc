//! The types that cross a boundary as JSON, and the only module that knows serde.

pub mod omo;
pub mod omp;
pub mod schema;
mod wtf8_json;

pub use wtf8_json::Malformed;
