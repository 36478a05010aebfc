//! Finding the line an anchor means.
//!
//! A reader's anchor may be minutes old. [`Finder`] compares what the reader was shown with the file
//! as it is now and answers with the line, or with the reason why there is no certain answer; it
//! never picks the likelier of two. The proof asked for, and what it costs to ask for less, is
//! in docs/benchmarks.md.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::diff::LineMap;
use super::{Now, Relocation};
use crate::anchor::{Anchor, hint};
use crate::show::without_cut_note;
use crate::snapshot::{Snapshot, stamp_of};
use crate::text::{LineDigest, LineNumber};

/// How far from its old place a line is looked for by its tag.
const WINDOW: usize = 100;

/// How many lines on each side must have come along where only a part of the old file is known.
const PART_CONTEXT: usize = 3;

/// How many lines above and below are compared to tell a line from others that read the same.
const SURROUNDINGS: usize = 8;

/// Fewer letters and digits than this, and a line says nothing about where it stands.
const TELLING: usize = 4;

/// A line or a range of lines in the file as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocatedLines {
    /// Zero-based index of the first line.
    pub first: usize,
    /// Zero-based index of the last line.
    pub last: usize,
    /// Whether what was shown proves it; otherwise only the tag does.
    pub verified: bool,
}

/// Why an anchor means no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// The line that was shown has changed or is gone, or cannot be told from others like it.
    Changed,
    /// The text behind the anchor is not what the line says.
    Hint,
    /// The line was shown with another tag.
    OtherTag,
    /// The line was never shown, and its tag is another.
    NeverShown,
    /// No look that is still remembered shows the line so, but there were others.
    Forgotten,
    /// Nothing of this file was shown, and the tag is not found near the line, or found twice.
    NotFound,
    /// A line inside the range has changed since it was shown.
    Interior,
    /// The end comes before the start.
    Reversed,
}

/// Everything known about one file that helps to find a line.
pub struct Finder<'a> {
    now: &'a Now<'a>,
    versions: &'a [Arc<Snapshot>],
    maps: Vec<OnceCell<LineMap>>,
    relocation: Relocation,
    /// The stamp of the file as it is.
    stamp: u64,
}

impl<'a> Finder<'a> {
    /// `versions` are what was shown of the file, newest first.
    pub fn new(now: &'a Now<'a>, versions: &'a [Arc<Snapshot>], relocation: Relocation) -> Self {
        let maps = versions.iter().map(|_| OnceCell::new()).collect();
        Self { now, versions, maps, relocation, stamp: stamp_of(&now.digests) }
    }

    /// The line an anchor means.
    pub fn line(&self, anchor: &Anchor) -> Result<LocatedLines, Lost> {
        let found = match self.shown(&[anchor]) {
            Some(place) => LocatedLines::verified(place?, 1),
            None => self.unknown(anchor)?,
        };
        self.check_hint(anchor, found.first)?;
        Ok(found)
    }

    /// The lines from one anchor to another.
    pub fn range(&self, start: &Anchor, end: &Anchor) -> Result<LocatedLines, Lost> {
        let found = if start.line == end.line {
            let first = self.line(start)?;
            let last = self.line(end)?;
            if first.first != last.first {
                return Err(Lost::Changed);
            }
            LocatedLines { verified: first.verified && last.verified, ..first }
        } else {
            match self.shown(&[start, end]) {
                Some(place) => {
                    let len = (end.line.get() + 1).checked_sub(start.line.get());
                    LocatedLines::verified(place?, len.ok_or(Lost::Reversed)?)
                }
                None => self.mixed_range(start, end)?,
            }
        };
        self.check_hint(start, found.first)?;
        self.check_hint(end, found.last)?;
        Ok(found)
    }

    /// How many lines between two anchors were never shown, if one look shows both.
    pub fn unseen(&self, start: &Anchor, end: &Anchor) -> usize {
        let both = |version: &&Arc<Snapshot>| {
            version.recall(start).is_some() && version.recall(end).is_some()
        };
        let Some(version) = self.versions.iter().find(both) else { return 0 };
        let between = start.line.get()..end.line.index();
        between.filter(|at| !version.shown(LineNumber::at(*at))).count()
    }

    /// Every line that some look at the file showed under `anchor`, where it can be followed.
    pub fn places(&self, anchor: &Anchor) -> impl Iterator<Item = usize> {
        let line = anchor.line.index();
        let shows = move |index: &usize| self.versions[*index].recall(anchor).is_some();
        let looks = (0..self.versions.len()).filter(shows);
        looks.filter_map(move |index| self.follow(index, line, line).ok())
    }

    /// Where the line shown under `anchor` may be now, the nearest first, for a reader who asks again.
    pub fn likely(&self, anchor: &Anchor) -> Vec<usize> {
        let digest = self.versions.iter().find_map(|version| version.recall(anchor));
        let mut places: Vec<usize> = match digest {
            Some(digest) => {
                (0..self.now.digests.len()).filter(|at| self.now.digests[*at] == digest).collect()
            }
            None => self.window(anchor).filter(|at| self.now.tag(*at) == anchor.tag).collect(),
        };
        places.sort_by_key(|at| at.abs_diff(anchor.line.index()));
        places
    }

    /// Follows anchors that some version shows; `None` if no version shows them all.
    ///
    /// The newest look counts. An older one that shows the same anchors must not lead elsewhere,
    /// unless the newest is the file as it is: then the reader has seen these very lines last.
    fn shown(&self, anchors: &[&Anchor]) -> Option<Result<usize, Lost>> {
        let (first, last) = (anchors[0].line.index(), anchors[anchors.len() - 1].line.index());
        let mut answer = None;
        for (index, version) in self.versions.iter().enumerate() {
            if anchors.iter().any(|anchor| version.recall(anchor).is_none()) {
                continue;
            }
            if first > last {
                return Some(Err(Lost::Reversed));
            }
            let place = self.follow(index, first, last);
            match (answer, place) {
                (None, Ok(_)) if self.is_current(version) => return Some(place),
                (None, _) => answer = Some(place),
                (Some(Ok(newer)), Ok(older)) if newer != older => return Some(Err(Lost::Changed)),
                _ => {}
            }
        }
        answer
    }

    fn is_current(&self, version: &Snapshot) -> bool {
        version.stamp() == self.stamp
    }

    /// Where the lines `first..=last` of an old version begin now.
    fn follow(&self, index: usize, first: usize, last: usize) -> Result<usize, Lost> {
        let (index, carried) = self.carried(index, first, last)?;
        let (asked, first, last) = (first, carried, carried + (last - first));
        let version = &self.versions[index];
        if self.is_current(version) {
            return self.allowed(asked, first);
        }
        let target = match version.digests() {
            Some(old) => {
                let map = self.maps[index].get_or_init(|| LineMap::between(old, &self.now.digests));
                match self.mapped(map, old, first, last) {
                    Err(Lost::Changed) => self.moved(old, first, last)?,
                    found => found?,
                }
            }
            None => self.refound(version, first, last)?,
        };
        self.allowed(asked, target)
    }

    /// Follows lines through the patches of ours that came after a version, which is exact. Gives
    /// the version where the chain ends, and the first line there.
    fn carried(&self, index: usize, first: usize, last: usize) -> Result<(usize, usize), Lost> {
        let (mut index, mut at) = (index, first);
        // A chain cannot be longer than the list, unless it runs in a circle.
        for _ in 0..self.versions.len() {
            let version = &self.versions[index];
            if self.is_current(version) {
                break;
            }
            let Some((to, carried)) = version.carry(at, at + (last - first)) else { break };
            let Some(next) = self.versions.iter().position(|next| next.stamp() == to) else {
                break;
            };
            (index, at) = (next, carried.ok_or(Lost::Changed)?);
        }
        Ok((index, at))
    }

    fn allowed(&self, asked: usize, target: usize) -> Result<usize, Lost> {
        if self.relocation == Relocation::Off && target != asked {
            return Err(Lost::Changed);
        }
        Ok(target)
    }

    /// Follows lines by diff. Every line must have come along, side by side, and so must enough of
    /// the neighbourhood to tell them from other lines that read the same.
    fn mapped(
        &self,
        map: &LineMap,
        old: &[LineDigest],
        first: usize,
        last: usize,
    ) -> Result<usize, Lost> {
        let target = map.get(first).ok_or(Lost::Changed)?;
        let end = target + (last - first);
        if map.get(last) != Some(end) {
            return Err(Lost::Changed);
        }
        if (first..=last).zip(target..).any(|(old, new)| map.get(old) != Some(new)) {
            return Err(Lost::Interior);
        }
        let new_len = self.now.digests.len();
        let before = match (first.checked_sub(1), target.checked_sub(1)) {
            (Some(old), Some(new)) => map.get(old) == Some(new),
            (None, None) => true,
            _ => false,
        };
        let after = match (last + 1 < old.len(), end + 1 < new_len) {
            (true, true) => map.get(last + 1) == Some(end + 1),
            (false, false) => true,
            _ => false,
        };
        let certain = self.is_certain(target, end, before, after);
        if certain && !self.has_rival(map, old, first, last, target) {
            Ok(target)
        } else {
            Err(Lost::Changed)
        }
    }

    /// Follows lines that were moved past others, which no diff can: a line among them that says
    /// something must occur once in each version, none of them may have been copied or deleted
    /// elsewhere, and a neighbour must have come along.
    fn moved(&self, old: &[LineDigest], first: usize, last: usize) -> Result<usize, Lost> {
        let new = &self.now.digests;
        let mut counts: HashMap<LineDigest, (usize, usize, usize)> =
            old[first..=last].iter().map(|digest| (*digest, (0, 0, 0))).collect();
        for digest in old {
            counts.entry(*digest).and_modify(|(before, _, _)| *before += 1);
        }
        for (at, digest) in new.iter().enumerate() {
            counts.entry(*digest).and_modify(|(_, after, place)| {
                *after += 1;
                *place = at;
            });
        }
        let mut found = None;
        for at in first..=last {
            let (before, after, place) = counts[&old[at]];
            if after == 0 {
                return Err(Lost::Changed);
            }
            if is_telling(self.now.content(place)) {
                if before != after {
                    return Err(Lost::Changed);
                }
                if before == 1 {
                    found = found.or(Some((at - first, place)));
                }
            }
        }
        let (offset, place) = found.ok_or(Lost::Changed)?;
        let target = place.checked_sub(offset).ok_or(Lost::Changed)?;
        let lines = &old[first..=last];
        if new.get(target..target + lines.len()) != Some(lines) {
            return Err(Lost::Interior);
        }
        let above = alike(old[..first].iter().rev(), new[..target].iter().rev());
        let below = alike(old[last + 1..].iter(), new[target + lines.len()..].iter());
        let end = target + lines.len() - 1;
        if above + below > 0 && self.is_certain(target, end, above > 0, below > 0) {
            Ok(target)
        } else {
            Err(Lost::Changed)
        }
    }

    /// Whether enough of the neighbourhood has come along to the lines `target..=end`. A blank line
    /// or a brace at an end needs the neighbour beyond it; a line that says something needs any.
    fn is_certain(&self, target: usize, end: usize, before: bool, after: bool) -> bool {
        let telling = |at: usize| is_telling(self.now.content(at));
        (before || telling(target))
            && (after || telling(end))
            && (before || after || (target < end && (target..=end).any(telling)))
    }

    /// Whether another place reads like the old lines and, on one side, fits their surroundings as
    /// well as `target` does: one of the two is a copy of the other, and nobody can say which.
    fn has_rival(
        &self,
        map: &LineMap,
        old: &[LineDigest],
        first: usize,
        last: usize,
        target: usize,
    ) -> bool {
        let new = &self.now.digests;
        let lines = &old[first..=last];
        let fit = |place: usize| {
            let above = alike(old[..first].iter().rev(), new[..place].iter().rev());
            let below = alike(old[last + 1..].iter(), new[place + lines.len()..].iter());
            (above, below)
        };
        let (above, below) = fit(target);
        (0..(new.len() + 1).saturating_sub(lines.len())).any(|place| {
            place != target
                && new[place] == lines[0]
                && map.source(place).is_none()
                && new[place..place + lines.len()] == *lines
                && {
                    let (rival_above, rival_below) = fit(place);
                    let as_good = |rival: usize, own: usize| rival > 0 && rival >= own;
                    as_good(rival_above, above) || as_good(rival_below, below)
                }
        })
    }

    /// Follows lines of which only the surroundings are known: they and a few lines around them
    /// must be found exactly once.
    fn refound(&self, version: &Snapshot, first: usize, last: usize) -> Result<usize, Lost> {
        let known = |at: usize| version.digest(LineNumber::at(at));
        let mut from = first;
        while from > 0 && first - from < PART_CONTEXT && known(from - 1).is_some() {
            from -= 1;
        }
        let mut to = last;
        while to - last < PART_CONTEXT && known(to + 1).is_some() {
            to += 1;
        }
        let wanted: Option<Vec<_>> = (from..=to).map(known).collect();
        let wanted = wanted.ok_or(Lost::Interior)?;
        let mut places = self
            .now
            .digests
            .windows(wanted.len())
            .enumerate()
            .filter(|(_, window)| *window == wanted)
            .map(|(at, _)| at + (first - from));
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            // The same lines at the same numbers in a file of the same length: nothing has moved.
            (Some(_), Some(_))
                if version.len() == Some(self.now.digests.len())
                    && self.now.digests.get(from..=to) == Some(&wanted[..]) =>
            {
                Ok(first)
            }
            _ => Err(Lost::Changed),
        }
    }

    /// An anchor that no version shows.
    ///
    /// If its tag fits the line it names, it is taken at its word. Looking around for the tag
    /// is for a memory that was lost: where we remember the file, an anchor we never showed is a
    /// slip, and the only other line with that tag is as likely wrong as right.
    fn unknown(&self, anchor: &Anchor) -> Result<LocatedLines, Lost> {
        let at = anchor.line.index();
        if at < self.now.digests.len() && self.now.tag(at) == anchor.tag {
            return Ok(LocatedLines::unverified(at));
        }
        let told = anchor.hint.as_deref().is_some_and(is_telling);
        if self.relocation == Relocation::Prd && (self.versions.is_empty() || told) {
            let mut places = self.window(anchor).filter(|at| self.now.tag(*at) == anchor.tag);
            if let (Some(place), None) = (places.next(), places.next()) {
                return Ok(LocatedLines::unverified(place));
            }
        }
        Err(if self.versions.is_empty() {
            Lost::NotFound
        } else if self.versions.iter().any(|version| version.older_forgotten()) {
            Lost::Forgotten
        } else if self.versions.iter().any(|version| version.shown(anchor.line)) {
            Lost::OtherTag
        } else {
            Lost::NeverShown
        })
    }

    /// A range whose ends no single version shows.
    fn mixed_range(&self, start: &Anchor, end: &Anchor) -> Result<LocatedLines, Lost> {
        let (first, last) = (self.line(start)?, self.line(end)?);
        if first.first > last.first {
            return Err(Lost::Reversed);
        }
        // Without one look at all of it, every line between the ends must have been seen as it is;
        // if the ends themselves are not proven, the range must at least have kept its size.
        let verified = first.verified && last.verified;
        let current = self.versions.first().is_some_and(|version| self.is_current(version));
        let size = end.line.get().checked_sub(start.line.get());
        let trusted = if verified {
            (first.first..=last.first).all(|at| self.has_seen(at))
        } else {
            size == Some(last.first - first.first) && (current || self.versions.is_empty())
        };
        if trusted {
            return Ok(LocatedLines { first: first.first, last: last.first, verified });
        }
        Err(Lost::Interior)
    }

    /// Whether the reader was shown the line that is now at `at`, here or where it stood before.
    fn has_seen(&self, at: usize) -> bool {
        self.versions.iter().enumerate().any(|(index, version)| {
            let source = if self.is_current(version) {
                Some(at)
            } else {
                version.digests().and_then(|old| {
                    let map = || LineMap::between(old, &self.now.digests);
                    self.maps[index].get_or_init(map).source(at)
                })
            };
            source.is_some_and(|source| version.shown(LineNumber::at(source)))
        })
    }

    fn window(&self, anchor: &Anchor) -> impl Iterator<Item = usize> + use<'_> {
        let at = anchor.line.index();
        at.saturating_sub(WINDOW)..(at + WINDOW + 1).min(self.now.digests.len())
    }

    fn check_hint(&self, anchor: &Anchor, at: usize) -> Result<(), Lost> {
        match &anchor.hint {
            Some(text) if !hint::agrees(without_cut_note(text), self.now.content(at)) => {
                Err(Lost::Hint)
            }
            _ => Ok(()),
        }
    }
}

impl LocatedLines {
    fn verified(first: usize, len: usize) -> Self {
        Self { first, last: first + len - 1, verified: true }
    }

    fn unverified(at: usize) -> Self {
        Self { first: at, last: at, verified: false }
    }
}

/// How many lines two runs have in common at their start, up to a few.
fn alike<'a>(
    a: impl Iterator<Item = &'a LineDigest>,
    b: impl Iterator<Item = &'a LineDigest>,
) -> usize {
    a.zip(b).take(SURROUNDINGS).take_while(|(a, b)| a == b).count()
}

/// Whether a line says enough to be told from others: `}` and `);` do not.
pub fn is_telling(content: &str) -> bool {
    content.chars().filter(|c| c.is_alphanumeric()).nth(TELLING - 1).is_some()
}
