//! Everything that exists only for speed: finding, stripping, hashing and printing many lines at a
//! time.
//!
//! The loops are written once and compiled for every set of vector instructions ([`vectors`]).
//! Tests compare each with a plain counterpart. These modules import only each other.

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
