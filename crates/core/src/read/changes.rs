//! Showing only what has changed in a file since it was shown.

use std::ops::Range;

use super::body::Body;
use super::{LinesWanted, SinceShown};
use crate::show::{self, Budget, GAP, Mark, Part, Row};
use crate::snapshot::{FileLines, Snapshot, View};
use hashline_text::{Document, Encoding, LineNumber, Scheme, Span, tag_span};

/// Lines shown on each side of a change.
const CONTEXT: usize = 2;

/// What has changed in a file, row by row.
pub(super) struct Changes {
    /// The lines of the file as it is now.
    lines: FileLines,
    rows: Vec<ChangeRow>,
    /// How many of the rows are within the lines that were asked for.
    wanted: usize,
    /// How many lines of the whole file are new; `gone` counts the removed ones.
    added: usize,
    gone: usize,
}

/// One printed row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ChangeRow {
    /// A line of the file, zero-based, and whether it is new.
    Line { at: usize, is_new: bool },
    /// `count` lines were removed before this one.
    Gone { at: usize, count: usize },
    /// Lines are left out before this one.
    Gap { at: usize },
}

impl ChangeRow {
    fn at(self) -> usize {
        match self {
            Self::Line { at, .. } | Self::Gone { at, .. } | Self::Gap { at } => at,
        }
    }

    fn line(self) -> Option<usize> {
        match self {
            Self::Line { at, .. } => Some(at),
            Self::Gone { .. } | Self::Gap { .. } => None,
        }
    }
}

impl Changes {
    /// What has changed for a model with this view, in a file that has these lines now.
    pub(super) fn since(view: &View, lines: FileLines, wanted: LinesWanted) -> Self {
        let mut view = view.clone();
        view.update(&lines);
        let new: Vec<usize> = view.changed().collect();
        let total = lines.digests().len();
        let range = wanted.resolve(total);
        let mut rows = rows(&new, view.gone(), total);
        rows.retain(|row| row.at() >= range.start);
        // A gap lies between two shown lines.
        if matches!(rows.first(), Some(ChangeRow::Gap { .. })) {
            rows.remove(0);
        }
        let is_cut = wanted.limit.is_some();
        let wanted = rows.iter().take_while(|row| !is_cut || row.at() < range.end).count();
        let gone = view.gone().iter().map(|(_, count)| count).sum();
        Self { lines, rows, wanted, added: new.len(), gone }
    }

    /// The rows that are wanted, as many of them as may fit.
    pub(super) fn print(
        &self,
        document: &Document,
        scheme: Scheme,
        room: Budget,
        part: Part,
    ) -> Body {
        let mut body = Body::default();
        for row in self.rows[..self.wanted].iter().take(room.lines) {
            if body.len() > room.bytes {
                break;
            }
            body.line(|out| match *row {
                ChangeRow::Gap { .. } => out.push_str(GAP),
                ChangeRow::Gone { count, .. } => out.push_str(&show::lines_gone(count)),
                ChangeRow::Line { at, is_new } => {
                    let tag = tag_span(document, Span::between(at, at + 1), 0, scheme)[0];
                    let number = LineNumber::at(at);
                    let content = document.content(number).unwrap_or_default();
                    let mark = if is_new { Mark::Added } else { Mark::None };
                    Row { mark, ..Row::new(number, tag, content) }.push_part(out, scheme, part);
                }
            });
        }
        body
    }

    pub(super) fn header(&self, name: &str, encoding: Encoding) -> String {
        show::changes_header(name, self.lines.digests().len(), encoding, self.added, self.gone)
    }

    /// How to see what comes after the first `shown` rows.
    pub(super) fn footer(&self, shown: usize) -> Option<String> {
        let rest = &self.rows[shown..];
        let lines = rest.iter().filter(|row| row.line().is_some()).count();
        Some(show::read_on(lines.max(1), "line", rest.first()?.at() + 1))
    }

    /// The first and the last line among the first `shown` rows.
    pub(super) fn ends(&self, shown: usize) -> Option<(usize, usize)> {
        let lines = || self.rows[..shown].iter().filter_map(|row| row.line());
        Some((lines().next()? + 1, lines().next_back()? + 1))
    }

    pub(super) fn since_shown(&self) -> SinceShown {
        if self.added + self.gone == 0 { SinceShown::Unchanged } else { SinceShown::Changed }
    }

    /// What to remember if the first `shown` rows were shown.
    pub(super) fn remember(self, document: &Document, scheme: Scheme, shown: usize) -> Snapshot {
        let mut snapshot = Snapshot::whole(scheme, self.lines).in_encoding(document.encoding());
        for at in self.rows[..shown].iter().filter_map(|row| row.line()) {
            let tags = tag_span(document, Span::between(at, at + 1), 0, scheme);
            snapshot.show(LineNumber::at(at), &tags);
        }
        snapshot
    }
}

/// The rows to show of a file of `total` lines: new lines, places where lines are gone, and the
/// lines around both.
fn rows(new: &[usize], gone: &[(usize, usize)], total: usize) -> Vec<ChangeRow> {
    let mut news = new.iter().copied().peekable();
    let mut losses = gone.iter().copied().peekable();
    let mut rows = Vec::new();
    let mut shown = 0;
    for range in around(new, gone, total) {
        if range.start > shown {
            rows.push(ChangeRow::Gap { at: range.start });
        }
        shown = range.end;
        for at in range {
            if let Some((_, count)) = losses.next_if(|(place, _)| *place == at) {
                rows.push(ChangeRow::Gone { at, count });
            }
            let is_new = news.next_if_eq(&at).is_some();
            rows.push(ChangeRow::Line { at, is_new });
        }
        // Lines removed at the end of the file have no line below them.
        if let Some((at, count)) = losses.next_if(|(place, _)| *place == shown && shown == total) {
            rows.push(ChangeRow::Gone { at, count });
        }
    }
    rows
}

/// The lines to show, as ranges that do not touch.
fn around(new: &[usize], gone: &[(usize, usize)], total: usize) -> Vec<Range<usize>> {
    let changed = new.iter().map(|at| *at..*at + 1);
    let lost = gone.iter().map(|(at, _)| *at..*at);
    let mut places: Vec<Range<usize>> = changed
        .chain(lost)
        .map(|place| place.start.saturating_sub(CONTEXT)..(place.end + CONTEXT).min(total))
        .collect();
    places.sort_unstable_by_key(|place| place.start);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for place in places {
        match groups.last_mut() {
            Some(group) if place.start <= group.end => group.end = group.end.max(place.end),
            _ => groups.push(place),
        }
    }
    groups
}
