//! Searching files, with hits that carry anchors.
//!
//! [`Pattern`] is what is searched for, [`Search`] looks through one file, [`Excerpt`] tags what was
//! found, in the same form as a read, so that a hit can be edited without another look, and
//! [`report`] does that for many files within a limit and a budget. What was shown is remembered by
//! the session.

mod excerpt;
mod find;
mod pattern;
mod report;
mod search;
mod walk;

pub use excerpt::{Excerpt, Line, kept_around};
pub use find::Progress;
pub use pattern::{BadPattern, Pattern, Reading};
pub use report::{DEFAULT_FILES, DEFAULT_LIMIT, Report, Request, Setting, Show, report};
pub use search::{Around, Extent, Hit, Hits, Search};
pub use walk::{BadFilter, Filter};
