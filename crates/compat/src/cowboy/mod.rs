//! Two formats of the cowboy project: an anchor in a comment after each line, and a rolling hash.

pub mod comments;
mod language;
pub mod rolling;
