//! Two formats of cowboy: anchors in comments behind each line, and a hash that rolls over lines.

pub mod comments;
mod language;
pub mod rolling;
