//! Splitting files into lines, and tagging lines.
//!
//! A [`Document`] splits a file's bytes into [`Line`]s and joins them again without losing a byte.
//! A [`Scheme`] turns a line into a short [`Tag`], a [`Listing`] is a document with its tags, and
//! an [`Anchor`] is how a model names a line: its number, its tag, and perhaps a hint of its text.
//!
//! ```
//! use hashline_text::{Document, LineNumber, Listing, Scheme};
//!
//! let poem = Document::from_bytes(b"roses\nviolets\n".to_vec())?;
//! let listing = Listing::new(&poem, Scheme::Hex2);
//! let anchor = listing.anchor(LineNumber::FIRST).expect("the poem has a line");
//! assert_eq!(format!("{}:{}", anchor.line, anchor.tag), "1:a2");
//! # Ok::<(), hashline_text::NotText>(())
//! ```
//!
//! [`kernel`] holds everything that exists only for speed; you can understand the product without
//! it. This crate uses no files and no clock, and does not record which lines were shown:
//! `hashline-core` decides whether an anchor still matches its file.

pub mod kernel;

mod category;
pub mod document;
mod encoding;
pub mod line_digest;
mod shared;
mod span;
mod style;

mod anchor;

pub use anchor::{
    Anchor, CID_LETTERS, LIST, Learn, Listing, NotAnAnchor, RowBlock, Scheme, Tag, TagInput,
    UnknownScheme, WrittenAnchor, bare_anchors, block, cid_tag, compact_tag, hint, tag_span,
};
pub use document::{Document, Ending, Line, NotText, Splice, Unwritable};
pub use encoding::{Encoding, EncodingChoice, HEAD, Undecodable, Unheld, UnknownEncoding};
pub use kernel::hash::Digest;
pub use line_digest::{Indent, LineDigest, LineKind};
pub use shared::SharedBytes;
pub use span::{LineNumber, Span};
