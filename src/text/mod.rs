//! Text as it lies on disk and as it arrives from JavaScript.
//!
//! [`Document`] takes a file's bytes apart into lines and puts them together again without losing
//! one; [`wtf8`] carries JavaScript strings, lone surrogates included; [`whitespace`] knows which
//! characters JavaScript calls white space; [`hash`] is the only door to xxHash. Nothing here knows
//! what an anchor is: that question begins in [`crate::anchor`].

#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod buffers;
pub mod category;
pub mod document;
pub mod hash;
pub mod line_digest;
pub mod line_hashes;
pub mod newlines;
pub mod parallel;
pub mod search;
mod shared;
pub mod span;
pub mod strip_ascii;
pub mod utf8;
pub mod whitespace;
pub mod wtf8;

pub use document::{Document, Ending, Line, NotText, Splice};
pub use hash::Digest;
pub use line_digest::{Indent, LineDigest, LineKind};
pub use shared::SharedBytes;
pub use span::{LineNumber, Span};
