//! Text as it is on disk and as it arrives from JavaScript.
//!
//! [`Document`] splits a file's bytes into lines and joins them again without losing one; [`wtf8`]
//! carries JavaScript strings, lone surrogates included. Inside, `whitespace` knows which characters
//! JavaScript calls white space, `folding` which characters count as equal, `squeeze` takes the white space out, `hash`, `line_hashes` and `line_digest` hash lines, `search` and `newlines` find
//! things in bytes. Nothing here knows what an anchor is: that is [`crate::anchor`].

pub(crate) mod buffers;
pub(crate) mod category;
pub(crate) mod document;
mod folding;
pub(crate) mod hash;
pub(crate) mod line_digest;
pub(crate) mod line_hashes;
pub(crate) mod newlines;
pub(crate) mod parallel;
pub(crate) mod search;
mod shared;
mod side_by_side;
mod span;
mod squeeze;
mod style;
pub(crate) mod utf8;
pub(crate) mod vectors;
pub(crate) mod whitespace;
mod wide;
pub mod wtf8;

pub use document::{Document, Ending, Line, NotText, Splice};
pub use hash::Digest;
pub use line_digest::{Indent, LineDigest, LineKind};
pub use shared::SharedBytes;
pub use span::{LineNumber, Span};
