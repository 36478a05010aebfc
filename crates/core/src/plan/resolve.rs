//! Finding the line an anchor means.
//!
//! A reader's anchor may be minutes old. [`Finder`] compares what the reader was shown with the
//! file as it is now and returns the line, or the reason why no line is certain; it never picks the
//! likelier of two. `history` follows lines from version to version.

use std::ops::Range;
use std::sync::Arc;

use super::follow::{IndentChange, NotFollowed};
use super::history::{Arrival, History};
use super::{Now, Relocation};
use crate::show::without_cut_note;
use crate::snapshot::{Looks, Sight, Snapshot};
use hashline_text::{Anchor, LineDigest, LineNumber, Span, Tag, hint, line_digest};

/// How many lines above and below its old number a line is searched for by its tag.
const WINDOW: usize = 100;

/// A line or a range of lines in the present file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LocatedLines {
    /// Zero-based index of the first line.
    pub first: usize,
    /// Zero-based index of the last line.
    pub last: usize,
    /// Whether what was shown proves that these lines are meant; otherwise only the tag says so.
    pub verified: bool,
    /// How the indentation of the lines has changed since they were shown, step by step.
    pub(super) indents: Vec<IndentChange>,
}

/// Why an anchor means no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lost {
    /// The line that was shown has changed or is gone, or cannot be distinguished from others like
    /// it.
    Changed,
    /// The line that was shown has moved, and lines that have moved are not followed.
    Moved,
    /// The anchor was shown for a line that has moved, and the reader knows that by now another
    /// line has this number and tag.
    Ambiguous,
    /// The text behind the anchor is not the line's text.
    Hint,
    /// The line was shown with another tag.
    OtherTag,
    /// The line was never shown, and it has another tag.
    NeverShown,
    /// No look that is still remembered shows this anchor, but older looks were forgotten.
    Forgotten,
    /// Nothing of this file was shown, and the tag is not found near the line, or found twice.
    NotFound,
    /// A line inside the range has changed since it was shown.
    Interior,
    /// The end comes before the start.
    Reversed,
    /// The file has changed in too many lines that read alike to compare them all.
    TooMuch,
    /// The indentation of the lines has changed so unevenly that a text cannot be adapted to it.
    Indentation,
}

impl From<NotFollowed> for Lost {
    fn from(reason: NotFollowed) -> Self {
        match reason {
            NotFollowed::Changed => Self::Changed,
            NotFollowed::Interior => Self::Interior,
            NotFollowed::TooMuch => Self::TooMuch,
        }
    }
}

/// Everything known about one file that helps to find a line.
pub(super) struct Finder<'a> {
    now: &'a Now<'a>,
    versions: &'a [Arc<Snapshot>],
    history: History<'a>,
    looks: Looks<'a>,
    relocation: Relocation,
    /// Whether our reports said how far lines have moved.
    shifts_reported: bool,
}

impl<'a> Finder<'a> {
    /// `versions` are what was shown of the file, newest first.
    pub(super) fn new(
        now: &'a Now<'a>,
        versions: &'a [Arc<Snapshot>],
        relocation: Relocation,
    ) -> Self {
        let history = History::new(versions, &now.digests);
        let looks = Looks::new(versions, &now.digests);
        Self { now, versions, history, looks, relocation, shifts_reported: false }
    }

    /// Sets whether our reports said how far lines have moved, so that the reader may use new
    /// numbers.
    #[must_use]
    pub(super) fn with_shifts_reported(self, shifts_reported: bool) -> Self {
        Self { shifts_reported, ..self }
    }

    /// The line an anchor means.
    pub(super) fn line(&self, anchor: &Anchor) -> Result<LocatedLines, Lost> {
        let found = match self.shown(&[anchor]) {
            Some(Ok(arrival)) => {
                if self.is_ambiguous(&arrival, &[anchor]) {
                    return Err(Lost::Ambiguous);
                }
                LocatedLines::verified(arrival, 1)
            }
            Some(Err(lost)) => self.nearby(anchor).ok_or(lost)?,
            None => self.unknown(anchor)?,
        };
        self.check_hint(anchor, found.first, found.verified)?;
        Ok(found)
    }

    /// The lines from one anchor to another.
    pub(super) fn range(&self, start: &Anchor, end: &Anchor) -> Result<LocatedLines, Lost> {
        let found = if start.line == end.line {
            let first = self.line(start)?;
            let last = self.line(end)?;
            if first.first != last.first {
                return Err(Lost::Changed);
            }
            LocatedLines { verified: first.verified && last.verified, ..first }
        } else {
            match self.shown(&[start, end]) {
                Some(arrival) => {
                    let len = (end.line.get() + 1).checked_sub(start.line.get());
                    let arrival = arrival?;
                    if self.is_ambiguous(&arrival, &[start, end]) {
                        return Err(Lost::Ambiguous);
                    }
                    LocatedLines::verified(arrival, len.ok_or(Lost::Reversed)?)
                }
                None => self.mixed_range(start, end)?,
            }
        };
        self.check_hint(start, found.first, found.verified)?;
        self.check_hint(end, found.last, found.verified)?;
        Ok(found)
    }

    /// What the reader knows of the lines from one anchor to another, which were found at `found`.
    ///
    /// A look that shows both anchors and leads to these lines proves the lines that it shows,
    /// white space aside. For the other lines every look counts.
    pub(super) fn sights(&self, ends: [&Anchor; 2], found: &LocatedLines) -> Vec<Sight> {
        let first = ends[0].line.index();
        let follows = |index: &usize| {
            let arrival = self.follow(*index, first, ends[1].line.index());
            arrival.is_ok_and(|arrival| arrival.first == found.first)
        };
        let proofs: Vec<usize> = self.showing(&ends).filter(follows).collect();
        let shown = |at: usize| {
            let line = LineNumber::at(first + (at - found.first));
            proofs.iter().any(|index| self.versions[*index].shown(line))
        };
        let lines = found.first..found.last + 1;
        if lines.clone().all(shown) {
            return vec![Sight::Seen; lines.len()];
        }
        let by_text = self.looks.sights(lines.clone());
        // A line found by its tag alone may have moved: its text proves that it was shown.
        let is_line_shown = |index: usize| {
            let was = self.versions[index].digest(ends[0].line);
            found.first == found.last && was == Some(self.now.digests[found.first])
        };
        if self.showing(&ends).any(is_line_shown) {
            return vec![Sight::Seen];
        }
        let sight = |(at, sight)| if shown(at) { Sight::Seen } else { sight };
        lines.zip(by_text).map(sight).collect()
    }

    /// What the reader knows of these lines, judging by their text.
    pub(super) fn sights_of(&self, lines: Range<usize>) -> Vec<Sight> {
        self.looks.sights(lines)
    }

    /// The lines of `found` for which it matters which look the anchors come from: a look that
    /// shows both anchors shows another text there. All of them, if such a look leads elsewhere.
    pub(super) fn disputed(&self, ends: [&Anchor; 2], found: &LocatedLines) -> Vec<usize> {
        let (first, last) = (ends[0].line.index(), ends[1].line.index());
        let leads_elsewhere = |index: usize| {
            let arrival = self.follow(index, first, last);
            first != last && arrival.is_ok_and(|arrival| arrival.first != found.first)
        };
        let looks: Vec<(&Snapshot, bool)> = self
            .showing(&ends)
            .map(|index| (&*self.versions[index], leads_elsewhere(index)))
            .collect();
        let is_disputed = |at: &usize| {
            let line = LineNumber::at(first + (at - found.first));
            looks.iter().any(|(look, leads_elsewhere)| {
                // The tags of the ends fit, so the ends may differ in white space.
                let is_end = *at == found.first || *at == found.last;
                let now = self.now.digests[*at];
                let differs = || {
                    let was = look.digest(line);
                    was != Some(now) && !(is_end && was.is_some_and(|was| is_respaced(was, now)))
                };
                *leads_elsewhere || look.shown(line) && differs()
            })
        };
        (found.first..=found.last).filter(is_disputed).collect()
    }

    /// The looks that show all of these anchors, newest first.
    fn showing(&self, anchors: &[&Anchor]) -> impl Iterator<Item = usize> {
        let shows = |version: &Snapshot| anchors.iter().all(|one| version.recall(one).is_some());
        (0..self.versions.len()).filter(move |index| shows(&self.versions[*index]))
    }

    /// Where every line is now that some look showed under `anchor`, if it can be followed.
    pub(super) fn places(&self, anchor: &Anchor) -> impl Iterator<Item = usize> {
        let line = anchor.line.index();
        let shows = move |index: &usize| self.versions[*index].recall(anchor).is_some();
        let looks = (0..self.versions.len()).filter(shows);
        let follow = move |index| Some(self.follow(index, line, line).ok()?.first);
        looks.filter_map(follow)
    }

    /// How many lines the file has.
    pub(super) fn line_count(&self) -> usize {
        self.now.digests.len()
    }

    /// The text of a line of the present file.
    pub(super) fn content(&self, at: usize) -> &str {
        self.now.content(at)
    }

    /// The tag of a line of the present file.
    pub(super) fn tag(&self, at: usize) -> Tag {
        self.now.tag(at)
    }

    /// Whether the last look showed the present file.
    pub(super) fn is_known_as_it_is(&self) -> bool {
        !self.versions.is_empty() && self.history.is_current(0)
    }

    /// Whether any look has shown a line with this number.
    pub(super) fn was_shown(&self, line: LineNumber) -> bool {
        self.versions.iter().any(|version| version.shown(line))
    }

    /// Where the line shown under `anchor` may be now, the likeliest place first, for a refusal to
    /// show.
    pub(super) fn likely(&self, anchor: &Anchor) -> Vec<usize> {
        let at = anchor.line.index();
        let shows = |index: &usize| self.versions[*index].recall(anchor).is_some();
        let Some(index) = (0..self.versions.len()).find(shows) else {
            let mut places: Vec<usize> = self.tagged_nearby(anchor).collect();
            places.sort_by_key(|place| place.abs_diff(at));
            return places;
        };
        let (index, at) = self.history.carried_on(index, at);
        if let Some(comparison) = self.history.comparison(index) {
            return comparison.likely(at);
        }
        let digest = self.versions[index].digest(LineNumber::at(at));
        let mut places: Vec<usize> = (0..self.now.digests.len())
            .filter(|place| Some(self.now.digests[*place]) == digest)
            .collect();
        places.sort_by_key(|place| place.abs_diff(at));
        places
    }

    /// Whether some look has shown a line under this very anchor.
    pub(super) fn is_known(&self, anchor: &Anchor) -> bool {
        self.versions.iter().any(|version| version.recall(anchor).is_some())
    }

    /// Where the line shown under `anchor` should be, judging by the lines around it, whatever its
    /// text is now.
    pub(super) fn expected(&self, anchor: &Anchor) -> usize {
        let shows = |index: &usize| self.versions[*index].recall(anchor).is_some();
        let version = (0..self.versions.len()).find(shows);
        let at = anchor.line.index();
        let expected = version.map_or(at, |index| {
            let (index, at) = self.history.carried_on(index, at);
            self.history.comparison(index).map_or(at, |comparison| comparison.expected(at))
        });
        expected.min(self.now.digests.len().saturating_sub(1))
    }

    /// Whether the anchors were shown for lines that have moved, but the reader knows that by now
    /// other lines have these anchors.
    fn is_ambiguous(&self, arrival: &Arrival, anchors: &[&Anchor]) -> bool {
        self.shifts_reported
            && arrival.first != anchors[0].line.index()
            && anchors.iter().all(|anchor| self.reader_knows(anchor))
    }

    /// Whether the reader knows that the line of this number now has this tag: the line was shown
    /// so, or it was shown elsewhere and our reports said how far it has moved since.
    fn reader_knows(&self, anchor: &Anchor) -> bool {
        let at = anchor.line.index();
        let tagged = |version: &Snapshot, line| version.tag(line) == Some(anchor.tag);
        let shown = |index: usize| {
            self.history.is_current(index) && tagged(&self.versions[index], anchor.line)
        };
        at < self.now.digests.len()
            && self.now.tag(at) == anchor.tag
            && ((0..self.versions.len()).any(shown) || self.history.is_carried(at, tagged))
    }

    /// Follows anchors that some version shows; `None` if no version shows them all.
    ///
    /// The newest look counts. An older look that shows the same anchors must not lead elsewhere,
    /// unless the newest look shows the present file: then the reader has seen these very lines
    /// last.
    fn shown(&self, anchors: &[&Anchor]) -> Option<Result<Arrival, Lost>> {
        let (first, last) = (anchors[0].line.index(), anchors[anchors.len() - 1].line.index());
        let mut answer: Option<Result<Arrival, Lost>> = None;
        for (index, version) in self.versions.iter().enumerate() {
            if anchors.iter().any(|anchor| version.recall(anchor).is_none()) {
                continue;
            }
            if first > last {
                return Some(Err(Lost::Reversed));
            }
            let arrival = self.follow(index, first, last);
            match (&answer, &arrival) {
                (None, Ok(_)) if self.history.is_current(index) => return Some(arrival),
                (None, _) => answer = Some(arrival),
                (Some(Ok(newer)), Ok(older)) if newer.first != older.first => {
                    return Some(Err(Lost::Changed));
                }
                _ => {}
            }
        }
        answer
    }

    /// Where the lines `first..=last` of an old version are now.
    fn follow(&self, index: usize, first: usize, last: usize) -> Result<Arrival, Lost> {
        let arrival = self.history.follow(index, first, last)?;
        if self.relocation == Relocation::Off && arrival.first != first {
            return Err(Lost::Moved);
        }
        Ok(arrival)
    }

    /// Finds the line for an anchor that no version shows.
    ///
    /// If its tag fits the line with its number, that line is meant. The tag is searched for nearby
    /// only if our memory was lost: where we remember the file, an anchor that we never showed is a
    /// slip, and the only other line with that tag is as likely wrong as right.
    fn unknown(&self, anchor: &Anchor) -> Result<LocatedLines, Lost> {
        let at = anchor.line.index();
        if at < self.now.digests.len() && self.now.tag(at) == anchor.tag {
            let verified = self.reader_knows(anchor);
            return Ok(LocatedLines { verified, ..LocatedLines::unverified(at) });
        }
        let is_telling_hint = anchor.hint.as_deref().is_some_and(is_telling);
        if self.relocation == Relocation::Auto
            && (self.versions.is_empty() || is_telling_hint)
            && let Some(found) = self.only_tagged_nearby(anchor)
        {
            return Ok(found);
        }
        if let Some(found) = self.nearby(anchor) {
            return Ok(found);
        }
        Err(if self.versions.is_empty() {
            Lost::NotFound
        } else if self.versions.iter().any(|version| version.older_forgotten()) {
            Lost::Forgotten
        } else if self.was_shown(anchor.line) {
            Lost::OtherTag
        } else {
            Lost::NeverShown
        })
    }

    /// The only line nearby with the tag, if the setting allows the search whatever was shown.
    fn nearby(&self, anchor: &Anchor) -> Option<LocatedLines> {
        let allowed = self.relocation == Relocation::Nearby;
        allowed.then(|| self.only_tagged_nearby(anchor)).flatten()
    }

    fn only_tagged_nearby(&self, anchor: &Anchor) -> Option<LocatedLines> {
        let mut places = self.tagged_nearby(anchor);
        match (places.next(), places.next()) {
            (Some(place), None) => Some(LocatedLines::unverified(place)),
            _ => None,
        }
    }

    fn tagged_nearby(&self, anchor: &Anchor) -> impl Iterator<Item = usize> {
        self.window(anchor).filter(|at| self.now.tag(*at) == anchor.tag)
    }

    /// Finds a range whose two ends no single version shows.
    fn mixed_range(&self, start: &Anchor, end: &Anchor) -> Result<LocatedLines, Lost> {
        let (first, last) = (self.line(start)?, self.line(end)?);
        if first.first > last.first {
            return Err(Lost::Reversed);
        }
        // If the ends themselves are not proven, the range must at least have kept its size.
        let verified = first.verified && last.verified;
        let current = self.is_known_as_it_is();
        let size = end.line.get().checked_sub(start.line.get());
        let kept = size == Some(last.first - first.first) && (current || self.versions.is_empty());
        if (verified || kept) && first.indents == last.indents {
            return Ok(LocatedLines { last: last.first, verified, ..first });
        }
        Err(Lost::Interior)
    }

    /// Whether the reader has seen the line that is now at `at`.
    pub(super) fn has_seen(&self, at: usize) -> bool {
        self.looks.sights(at..at + 1) == [Sight::Seen]
    }

    fn window(&self, anchor: &Anchor) -> impl Iterator<Item = usize> + use<'_> {
        let at = anchor.line.index();
        at.saturating_sub(WINDOW)..(at + WINDOW + 1).min(self.now.digests.len())
    }

    /// Checks that the line agrees with the text behind the anchor. If the anchor is proven, the
    /// beginning of the line is enough.
    fn check_hint(&self, anchor: &Anchor, at: usize, verified: bool) -> Result<(), Lost> {
        let Some(text) = anchor.hint.as_deref() else { return Ok(()) };
        let (text, content) = (without_cut_note(text), self.now.content(at));
        let cut_short = || verified && is_telling(text) && hint::begins(text, content);
        if hint::agrees(text, content) || cut_short() { Ok(()) } else { Err(Lost::Hint) }
    }
}

impl LocatedLines {
    /// The lines as a span.
    pub(super) fn span(&self) -> Span {
        Span::between(self.first, self.last + 1)
    }

    fn verified(arrival: Arrival, len: usize) -> Self {
        let Arrival { first, indents } = arrival;
        Self { first, last: first + len - 1, verified: true, indents }
    }

    fn unverified(at: usize) -> Self {
        Self { first: at, last: at, verified: false, indents: Vec::new() }
    }
}

/// Whether two lines differ in white space at most.
fn is_respaced(one: LineDigest, other: LineDigest) -> bool {
    one.canonical() == other.canonical()
}

/// Whether a line says enough to be distinguished from others: `}` and `);` do not.
pub(super) fn is_telling(content: &str) -> bool {
    line_digest::is_telling(content.as_bytes())
}
