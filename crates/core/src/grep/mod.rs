//! Searching files, with hits that carry anchors.
//!
//! `Pattern` is what is searched for, `Search` looks through one file, `GrepLines` tags the lines
//! it found like a read does, so that a hit can be edited without reading the file, and `report`
//! does all this for many files within a limit and a budget. The session remembers what was shown.

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

/// Finds where a pattern matches, for a program that highlights the matches.
#[derive(Debug)]
pub struct Marker(Pattern);

impl Marker {
    /// A marker for what this pattern matches; `None` if the pattern is invalid.
    pub fn new(pattern: &str, reading: Reading) -> Option<Self> {
        Pattern::new(pattern, reading).ok().map(Self)
    }

    /// The matches in a line, as ranges of bytes.
    pub fn matches(&self, line: &str) -> Vec<std::ops::Range<usize>> {
        self.0.matches(line)
    }
}

/// The stable names of the reasons why a search is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GrepRefusalCode {
    /// The pattern cannot be understood.
    BadPattern,
    /// A glob cannot be understood.
    BadGlob,
    /// A file type is unknown.
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
