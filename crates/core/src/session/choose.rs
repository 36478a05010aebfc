//! Choosing lines as `head`, `grep` and `sed` would.

use crate::grep::{Pattern, Reading};
use crate::show;
use hashline_guard::serve::{Edge, Filter, Source};
use hashline_text::{Document, LineNumber};

/// A chosen line: the index of its file in a list, and its number, or 0 for a separator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) file: usize,
    pub(super) number: usize,
}

/// A file that is processed line by line.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) document: Document,
}

/// The rows that pass a filter; `None` if its pattern cannot be compiled.
pub(super) fn apply_filter(
    mut rows: Vec<Chosen>,
    filter: &Filter,
    files: &[Opened],
    source: &Source,
) -> Option<Vec<Chosen>> {
    let total = rows.len();
    match filter {
        Filter::First(most) => rows.truncate(count(*most)),
        Filter::ButLast(left) => rows.truncate(total.saturating_sub(count(*left))),
        Filter::Last(most) => rows = rows.split_off(total.saturating_sub(count(*most))),
        Filter::From(first) => rows = rows.split_off(count(*first).saturating_sub(1).min(total)),
        Filter::Ranges(ranges) => {
            let mut place = 0;
            rows.retain(|_| {
                place += 1;
                ranges.iter().any(|(first, last)| {
                    count(*first) <= place && last.is_none_or(|last| place <= count(last))
                })
            });
        }
        Filter::FirstBytes(most) => {
            let lengths = rows.iter().map(|row| printed_row(*row, files, source).len() + 1);
            let holding = lines_for_bytes(lengths, *most);
            rows.truncate(holding);
        }
        Filter::LastBytes(most) => {
            let lengths = rows.iter().rev().map(|row| printed_row(*row, files, source).len() + 1);
            let holding = lines_for_bytes(lengths, *most);
            rows = rows.split_off(total - holding);
        }
        Filter::Between { start, end, may_be_one, keep } => {
            let mut between = Between::new(start, end, *may_be_one, total)?;
            rows.retain(|row| between.is_in_range(&printed_row(*row, files, source)) == *keep);
        }
        Filter::Match { pattern, literal, case_sensitive, keep } => {
            let pattern = compile(pattern, *literal, *case_sensitive)?;
            rows.retain(|row| {
                pattern.find(printed_row(*row, files, source).as_bytes()).is_some() == *keep
            });
        }
    }
    Some(rows)
}

fn compile(pattern: &str, literal: bool, case_sensitive: bool) -> Option<Pattern> {
    Pattern::new(pattern, Reading { literal, case_sensitive, ..Reading::default() }).ok()
}

/// How many lines it takes to reach this many bytes.
fn lines_for_bytes(lengths: impl Iterator<Item = usize>, bytes: u64) -> usize {
    let mut left = count(bytes);
    let mut lines = 0;
    for length in lengths {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(length);
        lines += 1;
    }
    lines
}

/// Finds ranges of lines as `sed` and `awk` do, one line after another.
struct Between {
    start: Bound,
    end: Bound,
    may_be_one: bool,
    total: usize,
    place: usize,
    /// The line at which the current range began; `None` outside a range.
    inside: Option<usize>,
}

/// One end of a range, with its pattern compiled.
enum Bound {
    At(Edge),
    Match(Pattern),
}

impl Between {
    fn new(start: &Edge, end: &Edge, may_be_one: bool, total: usize) -> Option<Self> {
        let side = |edge: &Edge| match edge {
            Edge::Match { pattern, literal } => compile(pattern, *literal, true).map(Bound::Match),
            other => Some(Bound::At(other.clone())),
        };
        let (start, end) = (side(start)?, side(end)?);
        Some(Self { start, end, may_be_one, total, place: 0, inside: None })
    }

    /// Whether the next line is in a range.
    fn is_in_range(&mut self, line: &str) -> bool {
        self.place += 1;
        let began = match self.inside {
            Some(began) => began,
            None if self.is_at(&self.start, line, self.place) => self.place,
            None => return false,
        };
        let first = began == self.place;
        // An end pattern is tried only after the first line; an end number may already match there.
        let tries_end = !first || self.may_be_one || matches!(self.end, Bound::At(_));
        let ends = tries_end && self.is_end(line, began);
        self.inside = (!ends).then_some(began);
        true
    }

    fn is_end(&self, line: &str, began: usize) -> bool {
        match &self.end {
            // `awk` ends only at that line, `sed` also after it.
            Bound::At(Edge::Line(last)) if !self.may_be_one => self.place >= count(*last),
            other => self.is_at(other, line, began),
        }
    }

    fn is_at(&self, side: &Bound, line: &str, began: usize) -> bool {
        match side {
            Bound::Match(pattern) => pattern.find(line.as_bytes()).is_some(),
            Bound::At(Edge::Line(number)) => self.place == count(*number),
            Bound::At(Edge::Last) => self.place == self.total,
            Bound::At(Edge::More(more)) => self.place >= began.saturating_add(count(*more)),
            Bound::At(Edge::Match { .. }) => false,
        }
    }
}

/// A row as the command would have printed it.
fn printed_row(row: Chosen, files: &[Opened], source: &Source) -> String {
    if row.number == 0 {
        return "--".to_owned();
    }
    let file = &files[row.file];
    let line = content(&file.document, row.number);
    let Source::Grep(request) = source else { return line.to_owned() };
    let mut out = String::new();
    if request.file_names {
        out.push_str(&file.name);
        out.push(':');
    }
    if request.line_numbers {
        show::say(&mut out, format_args!("{}:", row.number));
    }
    out + line
}

pub(super) fn content(document: &Document, number: usize) -> &str {
    let line = LineNumber::new(number).and_then(|number| document.line(number));
    line.map_or("", |line| line.content)
}

/// A number as `usize`, at most `u32::MAX`, which is more lines than any file has.
pub(super) fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).min(u32::MAX as usize)
}
