//! The part of the addon that only the drop-in modules need: it fetches and makes strings without
//! superfluous copies.
//!
//! Rust and JavaScript meet here at the level of Node-API, because the drop-in has to be faster
//! than the JavaScript that it replaces ([ADR
//! 4](../../docs/adr/0004-unsafe-only-at-the-engine-and-the-processor.md)).

mod assembly;
pub(crate) mod js_text;
mod line_hash;
pub(crate) mod new_string;
mod omo;
mod omp;
pub(crate) mod raw;
