//! The lines of one file that a search found, with their tags.

use super::Pattern;
use super::search::{ContextLines, Hit, SearchHits};
use crate::show::{Budget, GAP, MAX_CHARACTERS, Part, Row};
use crate::snapshot::Snapshot;
use hashline_text::{LineDigest, LineNumber, Scheme, Tag, TagInput};

/// How many bytes a line's number, tag and newline usually take at most.
const PREFIX_BYTES: usize = 12;

/// A line with all that is needed to show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GrepLine<'a> {
    /// The line's number.
    pub number: LineNumber,
    /// The line's tag.
    pub tag: Tag,
    /// The line's text.
    pub content: &'a str,
    /// Whether the line itself matches; otherwise it is near a match.
    pub matches: bool,
}

/// What a search found in one file, tagged.
#[derive(Clone, Debug)]
pub(crate) struct GrepLines {
    scheme: Scheme,
    matches: usize,
    lines: Vec<Hit>,
    tags: Vec<Tag>,
    /// The text of the lines.
    text: String,
}

/// How many lines the search must keep around a match so that the lines `around` it can be tagged.
///
/// A scheme whose tags depend on a line's neighbours needs one more line on either side.
pub(crate) fn kept_around(scheme: Scheme, around: ContextLines) -> ContextLines {
    let more = usize::from(scheme == Scheme::Context);
    ContextLines { before: around.before + more, after: around.after + more }
}

impl GrepLines {
    /// Tags what a search found; `None` if a line is not UTF-8.
    ///
    /// The search has kept the lines that [`kept_around`] asked for; those beyond `around` are
    /// dropped here.
    pub(crate) fn new(scheme: Scheme, hits: SearchHits, around: ContextLines) -> Option<Self> {
        let matches = hits.matches;
        let (mut lines, text) = hits.into_hits_and_text()?;
        let mut tags = tag_hits(scheme, &lines, &text);
        if scheme == Scheme::Context {
            let near = near_a_match(&lines, around);
            let mut kept = near.iter();
            lines.retain(|_| *kept.next().unwrap_or(&false));
            let mut kept = near.iter();
            tags.retain(|_| *kept.next().unwrap_or(&false));
        }
        Some(Self { scheme, matches, lines, tags, text })
    }

    /// How many lines match in the whole file.
    pub(crate) fn matches(&self) -> usize {
        self.matches
    }

    /// How many of the lines that are left match.
    pub(crate) fn matches_left(&self) -> usize {
        self.lines.iter().filter(|hit| hit.matches).count()
    }

    /// The lines, in order.
    pub(crate) fn lines(&self) -> impl ExactSizeIterator<Item = GrepLine<'_>> {
        self.lines.iter().zip(&self.tags).map(|(hit, tag)| GrepLine {
            number: hit.number,
            tag: *tag,
            content: hit.content(&self.text),
            matches: hit.matches,
        })
    }

    /// Drops the lines before `first`.
    pub(crate) fn start_at(&mut self, first: LineNumber) {
        let before = self.lines.partition_point(|hit| hit.number < first);
        self.lines.drain(..before);
        self.tags.drain(..before);
    }

    /// Drops the lines after the first `most` matches and the lines `around` them.
    pub(crate) fn truncate(&mut self, most: usize, around: ContextLines) {
        self.truncate_lines(kept_len(&self.lines, |hit| (hit.number, hit.matches), most, around));
    }

    /// Drops all but the first `count` lines.
    pub(crate) fn truncate_lines(&mut self, count: usize) {
        self.lines.truncate(count);
        self.tags.truncate(count);
    }

    /// Appends the lines, each with a newline before it, as long as they fit into `room`, and tells
    /// `ended` where each ends. Gaps are marked if `gaps` is set.
    pub(crate) fn print(
        &self,
        out: &mut String,
        pattern: &Pattern,
        gaps: bool,
        room: Budget,
        mut ended: impl FnMut(usize),
    ) {
        let most = out.len().saturating_add(room.bytes);
        out.reserve((self.text.len() + self.lines.len() * PREFIX_BYTES).min(room.bytes));
        let mut last = None;
        for line in self.lines().take(room.lines) {
            let before = out.len();
            if gaps && last.is_some_and(|last| last + 1 != line.number.get()) {
                out.push('\n');
                out.push_str(GAP);
            }
            out.push('\n');
            let long = line.content.len() > MAX_CHARACTERS;
            let found = (long && line.matches).then(|| pattern.find(line.content.as_bytes()));
            let part = found.flatten().map_or(Part::Start, |found| Part::Around(found.start));
            Row::new(line.number, line.tag, line.content).push_part(out, self.scheme, part);
            if out.len() > most {
                return out.truncate(before);
            }
            ended(out.len());
            last = Some(line.number.get());
        }
    }

    /// Notes in `snapshot` that the lines were shown.
    pub(crate) fn shown_in(&self, snapshot: &mut Snapshot) {
        let digests = self.digests_for(snapshot);
        show_in(snapshot, &self.lines, |hit| hit.number, &self.tags, &digests);
    }

    /// Prints the lines that fit into `room` like [`GrepLines::print`], and returns with them the
    /// memory that is then free.
    pub(super) fn into_printed(
        self,
        pattern: &Pattern,
        gaps: bool,
        room: Budget,
        snapshot: &Snapshot,
    ) -> (PrintedLines, SearchHits) {
        let mut rows = Vec::with_capacity(self.lines.len().min(room.lines));
        let mut body = String::new();
        self.print(&mut body, pattern, gaps, room, |end| {
            let Hit { number, matches, .. } = self.lines[rows.len()];
            rows.push(GrepRow { number, matches, end });
        });
        let digests = self.digests_for(snapshot);
        let (kept, tags) = (self.matches_left(), self.tags);
        let printed = PrintedLines { kept, rows, tags, digests, body };
        (printed, SearchHits::empty(self.lines, self.text.into_bytes()))
    }

    /// The digests of the lines, unless the snapshot knows them.
    fn digests_for(&self, snapshot: &Snapshot) -> Vec<LineDigest> {
        if snapshot.digests().is_some() {
            return Vec::new();
        }
        let mut scratch = Vec::new();
        let digest =
            |hit: &Hit| LineDigest::of_many(hit.content(&self.text).as_bytes(), &mut scratch);
        self.lines.iter().map(digest).collect()
    }
}

/// What a search found in one file, printed before it is known how much of it is shown.
#[derive(Debug)]
pub(super) struct PrintedLines {
    /// How many matches the search kept; more than are printed if there is no room for them.
    kept: usize,
    rows: Vec<GrepRow>,
    tags: Vec<Tag>,
    /// The digests of the lines, unless the snapshot knows them.
    digests: Vec<LineDigest>,
    body: String,
}

#[derive(Debug)]
struct GrepRow {
    number: LineNumber,
    matches: bool,
    /// Where in the body the row ends.
    end: usize,
}

impl PrintedLines {
    /// How many matches the search kept.
    pub(super) fn kept(&self) -> usize {
        self.kept
    }

    /// How many of the lines that are left match.
    pub(super) fn matches_left(&self) -> usize {
        self.rows.iter().filter(|row| row.matches).count()
    }

    /// How many rows are left.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The lines that are left, each with a newline before it.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// The printed lines alone.
    pub(super) fn into_body(self) -> String {
        self.body
    }

    /// Drops the lines after the first `most` matches and the lines `around` them.
    pub(super) fn truncate(&mut self, most: usize, around: ContextLines) {
        self.truncate_lines(kept_len(&self.rows, |row| (row.number, row.matches), most, around));
    }

    /// Drops the lines that do not fit into `room`, but not the first `least`.
    pub(super) fn cut(&mut self, room: Budget, least: usize) {
        let fitting = self.rows.partition_point(|row| row.end <= room.bytes);
        self.truncate_lines(fitting.min(room.lines).max(least));
    }

    fn truncate_lines(&mut self, count: usize) {
        self.rows.truncate(count);
        self.body.truncate(self.rows.last().map_or(0, |row| row.end));
    }

    /// Notes in `snapshot` that the lines were shown.
    pub(super) fn shown_in(&self, snapshot: &mut Snapshot) {
        show_in(snapshot, &self.rows, |row| row.number, &self.tags, &self.digests);
    }
}

/// How many lines to keep for the first `most` matches and the lines `around` them. `of` gives a
/// line's number and whether it matches.
fn kept_len<T>(
    lines: &[T],
    of: impl Fn(&T) -> (LineNumber, bool),
    most: usize,
    around: ContextLines,
) -> usize {
    let Some(place) = most.checked_sub(1) else { return 0 };
    let matching = lines.iter().enumerate().filter(|(_, line)| of(line).1);
    let Some((last, line)) = matching.into_iter().nth(place) else { return lines.len() };
    let reach = of(line).0.get() + around.after;
    let near = |line: &&T| matches!(of(line), (number, false) if number.get() <= reach);
    last + 1 + lines[last + 1..].iter().take_while(near).count()
}

/// Notes in `snapshot` that lines were shown, and their digests if any are given.
fn show_in<T>(
    snapshot: &mut Snapshot,
    lines: &[T],
    number: impl Fn(&T) -> LineNumber,
    tags: &[Tag],
    digests: &[LineDigest],
) {
    let mut start = 0;
    for together in lines.chunk_by(|one, next| number(one).get() + 1 == number(next).get()) {
        let end = start + together.len();
        let first = number(&together[0]);
        if !digests.is_empty() {
            snapshot.learn(first, &digests[start..end]);
        }
        snapshot.show(first, &tags[start..end]);
        start = end;
    }
}

fn tag_hits(scheme: Scheme, lines: &[Hit], text: &str) -> Vec<Tag> {
    let mut scratch = Vec::new();
    let content = |hit: &Hit| hit.content(text).as_bytes();
    let neighbour = |place: Option<usize>, number: usize| {
        let hit = place.and_then(|place| lines.get(place));
        hit.filter(|hit| hit.number.get() == number).map_or(&[][..], content)
    };
    let tag = |(place, hit): (usize, &Hit)| {
        let number = hit.number.get();
        let input = TagInput {
            number: hit.number,
            before: neighbour(place.checked_sub(1), number - 1),
            content: content(hit),
            after: neighbour(Some(place + 1), number + 1),
        };
        scheme.tag_with(input, &mut scratch)
    };
    lines.iter().enumerate().map(tag).collect()
}

/// For each line, whether it matches or is within `around` of a match.
fn near_a_match(lines: &[Hit], around: ContextLines) -> Vec<bool> {
    let mut near = vec![false; lines.len()];
    let mut reach = 0;
    for (place, hit) in lines.iter().enumerate() {
        if hit.matches {
            reach = hit.number.get() + around.after;
        }
        near[place] = hit.number.get() <= reach;
    }
    let mut reach = usize::MAX;
    for (place, hit) in lines.iter().enumerate().rev() {
        if hit.matches {
            reach = hit.number.get().saturating_sub(around.before);
        }
        near[place] |= hit.number.get() >= reach;
    }
    near
}
