//! The types that cross a boundary as JSON, and the only module that knows serde.

mod fields;
pub mod omo;
pub mod omp;
pub mod patch;
mod requests;
pub mod schema;
mod wtf8_json;

pub use fields::Misshapen;
pub use requests::{grep_request, parse, read_request, session_options};
pub use wtf8_json::Malformed;
