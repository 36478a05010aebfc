//! Tags, and the anchors made of them.
//!
//! A [`Scheme`] turns a line into a short [`Tag`]; a [`Listing`] is a document with its tags; an
//! [`Anchor`] is what comes back: a line number, a tag, and perhaps a hint of what the line said. Rows
//! are printed by [`crate::show`]; whether an anchor still fits the file is decided by [`crate::plan`].

pub mod comments;
pub(crate) mod hint;
mod language;
mod listing;
mod parse;
pub(crate) mod print;
pub mod rolling;
pub mod scheme;
mod tag;
mod written;

pub use listing::{Listing, tag_span};
pub(crate) use parse::compact_tag;
pub use parse::{Anchor, NotAnAnchor};
pub use scheme::Scheme;
pub use tag::Tag;
pub use written::WrittenAnchor;
pub(crate) use written::{LIST, bare_anchors};
