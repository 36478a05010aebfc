//! Searching files, with hits that carry anchors.
//!
//! `Pattern` is what is searched for, `Search` looks through one file, `GrepLines` tags what was
//! found, in the same form as a read, so that a hit can be edited without another look, and
//! `report` does that for many files within a limit and a budget. What was shown is remembered by
//! the session.

mod find;
mod found;
mod pattern;
mod report;
mod search;
mod walk;

pub(crate) use find::GrepSetting;
pub use find::Progress;
pub(crate) use found::{GrepLines, kept_around};
pub(crate) use pattern::Pattern;
pub use pattern::{BadPattern, PatternProblem, Reading, literal};
pub use report::{DEFAULT_FILES, DEFAULT_LIMIT, GrepRequest, GrepShow};
pub(crate) use report::{files_with_match, report};
pub use search::ContextLines;
pub(crate) use search::{Search, SearchExtent};
pub use walk::BadFilter;
pub(crate) use walk::{Filter, matching};

/// Where a pattern matches, for an edge that marks it.
#[derive(Debug)]
pub struct Marker(Pattern);

impl Marker {
    /// A marker of what this pattern matches; `None` if it is no pattern.
    pub fn new(pattern: &str, reading: Reading) -> Option<Self> {
        Pattern::new(pattern, reading).ok().map(Self)
    }

    /// The matches in a line, as ranges of bytes.
    pub fn matches(&self, line: &str) -> Vec<std::ops::Range<usize>> {
        self.0.matches(line)
    }
}

/// The stable names of the reasons why a search cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GrepRefusalCode {
    /// The pattern cannot be understood.
    BadPattern,
    /// A glob cannot be understood.
    BadGlob,
    /// An unknown file type.
    BadType,
    /// None of the paths exists.
    NotFound,
}

impl GrepRefusalCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
