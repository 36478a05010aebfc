//! The lines that a blocked command would have shown, as reads and searches to run instead.
//!
//! A command that reads is taken apart into [`Part`]s in the order in which they would print: the
//! lines of files, labels between them, and commands that touch no file text and are left to the
//! caller. Lines come from files or from a search, and pass the filters that follow them in a pipe.
//!
//! A program that changes lines (`cut`, `sort`, `jq .`, inline code) is not imitated: the lines
//! that it would have read are served whole, and [`Lines::note`] names the program that was not
//! run. A read whose files the command does not name is left out, and the answer says so.

pub(crate) mod pipe;

pub use crate::pattern::is_pattern;

/// What can be run instead of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serve {
    /// The parts, in the order in which the command would have printed them.
    pub parts: Vec<Part>,
}

/// One part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text that the command prints itself.
    Label {
        /// The text.
        text: String,
        /// Whether the text is only printed if the part before printed nothing.
        if_empty: bool,
    },
    /// Lines of files.
    Lines(Lines),
    /// A command that touches no file text, so it can be run.
    Alone(String),
    /// A read that cannot be expressed as a request.
    Skipped(String),
}

/// Lines of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Where the lines come from.
    pub source: Source,
    /// The filters that the lines pass, in order.
    pub filters: Vec<Filter>,
    /// The programs that would have changed the lines and were left out, as spelled in the command.
    pub not_run: Vec<String>,
    /// Whether the command wanted only a part of each line: columns, bytes or matches.
    pub cut: bool,
    /// Whether the lines are only printed if the part before printed nothing.
    pub if_empty: bool,
}

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Lines that are read from files.
    Read(Vec<ReadPath>),
    /// Lines that match a search in files.
    Grep(GrepRequest),
    /// Bytes of files; a text file is shown as lines instead.
    Dump(Vec<ReadPath>),
}

/// One file of a read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadPath {
    /// The file, relative to the workspace if it lies inside; it may be a shell pattern.
    pub path: String,
    /// The number of the first line; a negative one counts from the end: `-5` is the last five.
    pub offset: Option<i64>,
    /// The number of lines; all if absent.
    pub limit: Option<u64>,
}

/// A search, with the options of our grep tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the search")]
pub struct GrepRequest {
    /// The pattern.
    pub pattern: String,
    /// Files and directories; they may be shell patterns.
    pub paths: Vec<String>,
    /// Names of files to search, or with `!` not to search.
    pub globs: Vec<String>,
    /// Types of files to search.
    pub types: Vec<String>,
    /// Whether the pattern is plain text, not a regular expression.
    pub literal: bool,
    /// Whether case matters.
    pub case_sensitive: bool,
    /// Whether to show the lines that do not match.
    pub invert: bool,
    /// Lines of context before a match.
    pub context_before: u64,
    /// Lines of context after a match.
    pub context_after: u64,
    /// The most matches to show of each file.
    pub per_file: Option<u64>,
    /// Whether the command prints names of files in front of lines.
    pub file_names: bool,
    /// Whether the command prints numbers in front of lines.
    pub line_numbers: bool,
    /// Whether hidden files are searched.
    pub hidden: bool,
    /// Whether ignored files are searched.
    pub ignored: bool,
}

/// A step that keeps some of the lines and drops the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// This many lines from the start.
    First(u64),
    /// All but this many lines at the end.
    ButLast(u64),
    /// This many lines at the end.
    Last(u64),
    /// The lines from this one on, counted from 1.
    From(u64),
    /// These ranges of lines, counted from 1; a range without an end goes to the last line.
    Ranges(Vec<(u64, Option<u64>)>),
    /// The lines that hold this many bytes at the start.
    FirstBytes(u64),
    /// The lines that hold this many bytes at the end.
    LastBytes(u64),
    /// The lines inside ranges, or those outside of them.
    Between {
        /// The first line of a range.
        start: Edge,
        /// The last line of a range.
        end: Edge,
        /// Whether a range may be one line, which matches both `start` and `end`, as in `awk`.
        may_be_one: bool,
        /// Whether the lines in the ranges are kept, not dropped.
        keep: bool,
    },
    /// The lines that match a pattern, or those that do not.
    Match {
        /// The pattern.
        pattern: String,
        /// Whether the pattern is plain text.
        literal: bool,
        /// Whether case matters.
        case_sensitive: bool,
        /// Whether matching lines are kept, not dropped.
        keep: bool,
    },
}

/// Where a range of lines starts or ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edge {
    /// The line with this number, counted from 1.
    Line(u64),
    /// The last line of the text.
    Last,
    /// The line that comes this many lines after the start of the range.
    More(u64),
    /// The next line that matches a pattern.
    Match {
        /// The pattern.
        pattern: String,
        /// Whether the pattern is plain text.
        literal: bool,
    },
}

/// The operation that does what a command of sed does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditOp {
    /// Replace lines, as `s` and `c` do.
    Replace,
    /// Delete lines, as `d` does.
    Delete,
    /// Insert text after lines, as `a` does.
    InsertAfter,
    /// Insert text before lines, as `i` does.
    InsertBefore,
}

impl Serve {
    /// The file, if this is a plain read of one file and nothing else.
    pub(crate) fn only_file(&self) -> Option<String> {
        match self.parts.as_slice() {
            [Part::Lines(Lines { source: Source::Read(files), not_run, .. })] => match &files[..] {
                [file] if not_run.is_empty() && !is_pattern(&file.path) => Some(file.path.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Replaces each shell pattern by the files that `expand` finds for it.
    #[must_use]
    pub fn expanded(&self, expand: &impl Fn(&str) -> Vec<String>) -> Self {
        let mut expanded = self.clone();
        for part in &mut expanded.parts {
            if let Part::Lines(Lines { source: Source::Read(paths), .. }) = part {
                let named = |one: &ReadPath| -> Vec<ReadPath> {
                    let names = expand(&one.path).into_iter();
                    names.map(|path| ReadPath { path, ..one.clone() }).collect()
                };
                *paths = paths.iter().flat_map(named).collect();
            }
        }
        expanded
    }

    /// The only lines of a command that is one read and nothing else.
    pub fn only(&self) -> Option<&Lines> {
        match self.parts.as_slice() {
            [Part::Lines(lines)] => Some(lines),
            _ => None,
        }
    }

    /// The lines of all parts.
    pub fn lines(&self) -> impl Iterator<Item = &Lines> {
        self.parts.iter().filter_map(|part| match part {
            Part::Lines(lines) => Some(lines),
            _ => None,
        })
    }

    /// The commands that touch no file text, joined into one; `None` if there are none.
    pub fn rest(&self) -> Option<String> {
        let left = self.parts.iter().filter_map(|part| match part {
            Part::Alone(command) => Some(command.as_str()),
            _ => None,
        });
        let left: Vec<&str> = left.collect();
        (!left.is_empty()).then(|| left.join("; "))
    }
}

impl Lines {
    /// Lines of a source, without filters.
    pub(crate) fn new(source: Source) -> Self {
        Self { source, filters: Vec::new(), not_run: Vec::new(), cut: false, if_empty: false }
    }

    /// How these lines differ from what the command would have printed.
    pub fn note(&self) -> Option<String> {
        let were = match self.not_run.len() {
            0 => return None,
            1 => "was",
            _ => "were",
        };
        let programs: Vec<String> = self.not_run.iter().map(|one| format!("`{one}`")).collect();
        let own = "these are the file's own lines, whole and in their order";
        Some(format!("{} {were} not run: {own}", programs.join(", ")))
    }

    /// The most lines that the command wants.
    pub fn limit(&self) -> Option<u64> {
        let first = self.filters.iter().filter_map(|filter| match filter {
            Filter::First(count) => Some(*count),
            _ => None,
        });
        first.min()
    }
}
