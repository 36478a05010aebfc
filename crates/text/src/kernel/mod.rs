//! Everything that exists only for speed: lines found, squeezed, hashed and printed many at a time.
//!
//! The loops are written once and compiled for every vector width ([`vectors`]). Each has a plain
//! counterpart that its tests compare it with. The modules import nothing but each other.

pub mod buffers;
mod folding;
pub mod hash;
pub mod line_hashes;
pub mod newlines;
pub mod parallel;
pub mod print;
pub mod search;
mod side_by_side;
mod squeeze;
pub mod utf8;
pub mod vectors;
pub mod whitespace;
mod wide;
pub mod wtf8;
