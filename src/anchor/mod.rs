//! Tags, and the anchors made of them.
//!
//! A [`Scheme`] turns a line into a short [`Tag`]; a [`Listing`] is a document with its tags; an
//! [`Anchor`] is what comes back: a line number, a tag, and perhaps a [`hint`] of what the line
//! said. Printing is the job of `show`; whether an anchor still fits the file is decided later, by the plan.

pub mod comments;
pub mod hint;
mod language;
mod listing;
mod parse;
pub mod print;
pub mod rolling;
pub mod scheme;
mod tag;

pub use listing::{Listing, tag_span};
pub use parse::{Anchor, NotAnAnchor};
pub use scheme::Scheme;
pub use tag::Tag;
