//! The versions of a file that were shown, and the way from each of them to the present file.
//!
//! A line is followed from version to version, because small changes are easier to follow than
//! their sum; where a step gives no answer, the version is compared with the present file at once.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::follow::{Comparison, IndentChange, NotFollowed};
use crate::snapshot::{Snapshot, stamp_of};
use hashline_text::{LineDigest, LineNumber};

/// How many lines on each side must be found too, if only a part of the old file is known.
const PART_CONTEXT: usize = 3;

/// What was shown of a file, and the present file.
pub(super) struct History<'a> {
    /// The versions that were shown, newest first.
    versions: &'a [Arc<Snapshot>],
    now: &'a [LineDigest],
    /// The stamp of the present file.
    stamp: u64,
    /// The comparison of each version with the present file.
    comparisons: Vec<OnceCell<Comparison<'a>>>,
    /// The comparison of each version with the next one that is known whole.
    steps: Vec<OnceCell<Comparison<'a>>>,
    /// For each stamp, the newest version that has it.
    by_stamp: OnceCell<HashMap<u64, usize>>,
    /// For each stamp, the newest version that our patch turned into the version with this stamp.
    by_next: OnceCell<HashMap<u64, usize>>,
    /// Where our own patches have carried lines: a cache, since many chains of versions end alike.
    carried: RefCell<HashMap<VersionLines, Result<VersionLines, NotFollowed>>>,
}

/// Lines of a version: the version's index, the first and the last line.
type VersionLines = (usize, usize, usize);

/// Where lines are now.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Arrival {
    /// The zero-based index that the first line has now.
    pub(super) first: usize,
    /// How the indentation of the lines changed, step by step.
    pub(super) indents: Vec<IndentChange>,
}

impl<'a> History<'a> {
    pub(super) fn new(versions: &'a [Arc<Snapshot>], now: &'a [LineDigest]) -> Self {
        let cells = || versions.iter().map(|_| OnceCell::new()).collect();
        Self {
            versions,
            now,
            stamp: stamp_of(now),
            comparisons: cells(),
            steps: cells(),
            by_stamp: OnceCell::new(),
            by_next: OnceCell::new(),
            carried: RefCell::default(),
        }
    }

    /// Whether a version is the present file.
    pub(super) fn is_current(&self, index: usize) -> bool {
        self.versions[index].stamp() == self.stamp
    }

    /// Where the lines `first..=last` of a version are now.
    pub(super) fn follow(
        &self,
        index: usize,
        first: usize,
        last: usize,
    ) -> Result<Arrival, NotFollowed> {
        self.follow_changes(index, first, last).or_else(|lost| {
            let way = self.comparison(index).ok_or(lost)?;
            if way.is_unmoved(first, last) {
                return Ok(Arrival { first, indents: Vec::new() });
            }
            Err(lost)
        })
    }

    fn follow_changes(
        &self,
        index: usize,
        first: usize,
        last: usize,
    ) -> Result<Arrival, NotFollowed> {
        let (index, first, last) = self.carried(index, first, last)?;
        if self.is_current(index) {
            return Ok(Arrival { first, indents: Vec::new() });
        }
        if self.versions[index].digests().is_none() {
            let first = self.find_again(index, first, last)?;
            return Ok(Arrival { first, indents: Vec::new() });
        }
        let mut last_seen = None;
        if self.next_whole(index).is_some() {
            match self.step_by_step(index, first, last) {
                Ok(arrival) => return Ok(arrival),
                Err(seen) => last_seen = Some(seen),
            }
        }
        let way = self.comparison(index).ok_or(NotFollowed::Changed)?;
        let followed = way.follow(first, last)?;
        if last_seen.is_some_and(|seen| self.was_elsewhere(seen, followed.first)) {
            return Err(NotFollowed::Changed);
        }
        Ok(Arrival { first: followed.first, indents: followed.indent.into_iter().collect() })
    }

    /// Whether the line now at `target` was already a line of its own in the version that had the
    /// followed line last.
    fn was_elsewhere(&self, (version, line): (usize, usize), target: usize) -> bool {
        let is_whole = |index: &usize| self.versions[*index].digests().is_some();
        let mut steps = (0..=version).filter(is_whole);
        let source = steps.try_fold(target, |at, index| self.step(index).source(at));
        source.is_some_and(|source| source != line)
    }

    /// Follows a line through our own patches: the newest version they lead to, and the line there.
    pub(super) fn carried_on(&self, index: usize, at: usize) -> (usize, usize) {
        self.carried(index, at, at).map_or((index, at), |(index, first, _)| (index, first))
    }

    /// Follows lines through our own patches after a version, which is exact. Returns the version
    /// where the chain of patches ends, and the lines there.
    fn carried(
        &self,
        index: usize,
        first: usize,
        last: usize,
    ) -> Result<VersionLines, NotFollowed> {
        let mut passed = Vec::new();
        let mut lines = (index, first, last);
        // A chain cannot be longer than the list, unless it runs in a circle.
        while passed.len() < self.versions.len() {
            let known = self.carried.borrow().get(&lines).copied();
            let end = known.or_else(|| match self.next_carried(lines) {
                None => Some(Ok(lines)),
                Some(Err(error)) => Some(Err(error)),
                Some(Ok(next)) => {
                    passed.push(std::mem::replace(&mut lines, next));
                    None
                }
            });
            if let Some(end) = end {
                let passed = passed.into_iter().map(|lines| (lines, end));
                self.carried.borrow_mut().extend(passed);
                return end;
            }
        }
        Ok(lines)
    }

    /// Where our patch right after a version has carried these lines; `None` if there was no such
    /// patch or the version it made is not known.
    fn next_carried(
        &self,
        (index, first, last): VersionLines,
    ) -> Option<Result<VersionLines, NotFollowed>> {
        if self.is_current(index) {
            return None;
        }
        let (to, carried) = self.versions[index].carry(first, last)?;
        let next = *self
            .by_stamp
            .get_or_init(|| newest(self.versions, |one| Some(one.stamp())))
            .get(&to)?;
        Some(match carried {
            Some(carried) => Ok((next, carried, carried + (last - first))),
            None => Err(NotFollowed::Changed),
        })
    }

    /// Whether only our own patches have carried line `at` of the present file from a line that was
    /// shown, as `shown` says.
    pub(super) fn is_carried(
        &self,
        at: usize,
        shown: impl Fn(&Snapshot, LineNumber) -> bool,
    ) -> bool {
        self.origins(self.stamp, at).any(|(version, line)| shown(version, line))
    }

    /// Where line `at` of a version was before each of our own patches, the latest patch first.
    fn origins(&self, stamp: u64, at: usize) -> impl Iterator<Item = (&Snapshot, LineNumber)> {
        let mut next = Some((stamp, at));
        let step = move || {
            let (stamp, at) = next.take()?;
            let by_next = self.by_next.get_or_init(|| newest(self.versions, Snapshot::next_stamp));
            let version = &self.versions[*by_next.get(&stamp)?];
            let at = version.source(stamp, at)??;
            next = Some((version.stamp(), at));
            Some((&**version, LineNumber::at(at)))
        };
        // A chain cannot be longer than the list, unless it runs in a circle.
        std::iter::from_fn(step).take(self.versions.len())
    }

    /// The comparison of a version with the present file, if the version is known whole.
    pub(super) fn comparison(&self, index: usize) -> Option<&Comparison<'a>> {
        let old = self.versions[index].digests()?;
        Some(self.comparisons[index].get_or_init(|| Comparison::new(old, self.now)))
    }

    /// Follows lines through every version that is known whole. If they are lost on the way,
    /// returns the version that had them last, and their first line there.
    fn step_by_step(
        &self,
        index: usize,
        first: usize,
        last: usize,
    ) -> Result<Arrival, (usize, usize)> {
        let mut here = index;
        let mut arrival = Arrival { first, indents: Vec::new() };
        while !self.is_current(here) {
            let lines = (arrival.first, arrival.first + (last - first));
            let gone_at = (here, arrival.first);
            let followed = self.step(here).follow(lines.0, lines.1).map_err(|_| gone_at)?;
            arrival.first = followed.first;
            arrival.indents.extend(followed.indent);
            match self.next_whole(here) {
                Some(next) => here = next,
                None => break,
            }
        }
        Ok(arrival)
    }

    /// The comparison of a version that is known whole with the next one, or with the present file.
    fn step(&self, index: usize) -> &Comparison<'a> {
        let known = |index: usize| self.versions[index].digests().unwrap_or_default();
        let new = self.next_whole(index).map_or(self.now, known);
        self.steps[index].get_or_init(|| Comparison::new(known(index), new))
    }

    /// The next newer version that is known whole.
    fn next_whole(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|newer| self.versions[*newer].digests().is_some())
    }

    /// Follows lines of a version that is known only in part: they and a few lines around them must
    /// occur exactly once.
    fn find_again(&self, index: usize, first: usize, last: usize) -> Result<usize, NotFollowed> {
        let version = &self.versions[index];
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
        let wanted = wanted.ok_or(NotFollowed::Interior)?;
        let mut places = self
            .now
            .windows(wanted.len())
            .enumerate()
            .filter(|(_, window)| *window == wanted)
            .map(|(at, _)| at + (first - from));
        match (places.next(), places.next()) {
            (Some(place), None) => Ok(place),
            // The same lines at the same numbers in a file of the same length: nothing has moved.
            (Some(_), Some(_))
                if version.len() == Some(self.now.len())
                    && self.now.get(from..=to) == Some(&wanted[..]) =>
            {
                Ok(first)
            }
            _ => Err(NotFollowed::Changed),
        }
    }
}

/// The index of the newest version for each stamp.
fn newest(
    versions: &[Arc<Snapshot>],
    stamp: impl Fn(&Snapshot) -> Option<u64>,
) -> HashMap<u64, usize> {
    // Of two versions with one stamp the one inserted later stays: the newer one, thanks to `rev`.
    let stamped = versions.iter().enumerate().rev();
    stamped.filter_map(|(index, version)| Some((stamp(version)?, index))).collect()
}
