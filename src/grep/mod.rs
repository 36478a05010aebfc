//! Searching files, with hits that carry anchors.
//!
//! [`Pattern`] is what is searched for, [`Search`] looks through one file, [`walk`] finds the files,
//! and [`Excerpt`] tags what was found, in the same form as a read, so that a hit can be edited
//! without another look. What is shown of it and remembered is the session's business.

mod excerpt;
mod pattern;
mod search;
pub mod walk;

pub use excerpt::{Excerpt, Line, kept_around};
pub use pattern::{BadPattern, Pattern, Reading};
pub use search::{Around, Extent, Hit, Hits, Search};
