//! The lines that a blocked command was after, as requests that can be carried out instead of it.
//!
//! A command that reads is taken apart into [`Part`]s in the order in which they would print: the
//! lines of files, labels between them, and commands that touch no file text and are left to the
//! caller. Lines come from files or from a search, and pass the filters that follow them in a pipe.
//!
//! A program that changes lines (`cut`, `sort`, `jq .`, inline code) is not imitated: the lines that
//! it would have read are served whole, and [`Lines::note`] names what was not run. A read whose
//! files the command does not name is left out, and the answer says so.

pub(crate) mod pipe;

pub use crate::pattern::is_pattern;

/// What can be done instead of a command.
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
        /// Whether it is only printed where the part before printed nothing.
        if_empty: bool,
    },
    /// Lines of files.
    Lines(Lines),
    /// A command that touches no file text: it can be run alone.
    Alone(String),
    /// A read that cannot be expressed.
    Skipped(String),
}

/// Lines of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Where they come from.
    pub source: Source,
    /// What is done to them, in order.
    pub filters: Vec<Filter>,
    /// The programs that would have changed these lines and were left out, as they were spelled.
    pub not_run: Vec<String>,
    /// Whether the command wanted a part of each line: columns, bytes or what matches.
    pub cut: bool,
    /// Whether they are only printed where the part before printed nothing.
    pub if_empty: bool,
}

/// Where lines come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Lines of files.
    Read(Vec<ReadPath>),
    /// Matches in files.
    Grep(GrepRequest),
    /// Bytes of files, which are worth showing only where they are no text.
    Dump(Vec<ReadPath>),
}

/// One file of a read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadPath {
    /// The file, relative to the workspace where it lies inside; it may be a shell pattern.
    pub path: String,
    /// The first line; negative counts from the end, so `-5` is the last five lines.
    pub offset: Option<i64>,
    /// How many lines.
    pub limit: Option<u64>,
}

/// A search.
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
    /// Whether the pattern is plain text.
    pub literal: bool,
    /// Whether case matters.
    pub case_sensitive: bool,
    /// Whether the lines without a match are wanted.
    pub invert: bool,
    /// Lines of context before a match.
    pub context_before: u64,
    /// Lines of context after a match.
    pub context_after: u64,
    /// How many matches of each file.
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

/// What is done to lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// The first lines.
    First(u64),
    /// All but the last lines.
    ButLast(u64),
    /// The last lines.
    Last(u64),
    /// From this line on, counted from 1.
    From(u64),
    /// These lines, counted from 1; without an end up to the last.
    Ranges(Vec<(u64, Option<u64>)>),
    /// The lines that hold the first bytes.
    FirstBytes(u64),
    /// The lines that hold the last bytes.
    LastBytes(u64),
    /// Stretches of lines, or what lies outside of them.
    Between {
        /// The first line of a range.
        start: Edge,
        /// The last line of a range.
        end: Edge,
        /// Whether the first line may be the last one as well, as in `awk`.
        may_be_one: bool,
        /// Whether the ranges are kept, not dropped.
        keep: bool,
    },
    /// Lines that match, or do not.
    Match {
        /// The pattern.
        pattern: String,
        /// Whether it is plain text.
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
    /// At this line, counted from 1.
    Line(u64),
    /// At the last line.
    Last,
    /// This many lines after the start.
    More(u64),
    /// At a line that matches.
    Match {
        /// The pattern.
        pattern: String,
        /// Whether it is plain text.
        literal: bool,
    },
}

/// The operation that does what a command of sed does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditOp {
    /// `s` and `c`.
    Replace,
    /// `d`.
    Delete,
    /// `a`.
    InsertAfter,
    /// `i`.
    InsertBefore,
}

impl Serve {
    /// The file, if these are lines of one file as they are, and nothing else.
    pub(crate) fn only_file(&self) -> Option<String> {
        match self.parts.as_slice() {
            [Part::Lines(Lines { source: Source::Read(files), not_run, .. })] => match &files[..] {
                [file] if not_run.is_empty() && !is_pattern(&file.path) => Some(file.path.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same with the files that shell patterns stand for.
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

    /// What is left of the command when the reads are taken out, ready to be sent.
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
    /// Lines as they come from their source.
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

    /// How many lines are wanted at most.
    pub fn limit(&self) -> Option<u64> {
        let first = self.filters.iter().filter_map(|filter| match filter {
            Filter::First(count) => Some(*count),
            _ => None,
        });
        first.min()
    }
}
