//! Tags, and the anchors made of them.
//!
//! A [`Scheme`] turns a line into a short [`Tag`]; a [`Listing`] is a document with its tags; an
//! [`Anchor`] is how a model names a line: its number, its tag, and perhaps a hint of its text.

mod block;
pub mod hint;
mod listing;
mod parse;
mod scheme;
mod tag;
mod written;

pub use block::{Learn, RowBlock, block};
pub use listing::{Listing, tag_span};
pub use parse::{Anchor, NotAnAnchor, compact_tag};
pub use scheme::{CID_LETTERS, Scheme, TagInput, UnknownScheme, cid_tag};
pub use tag::Tag;
pub use written::{LIST, WrittenAnchor, bare_anchors};
