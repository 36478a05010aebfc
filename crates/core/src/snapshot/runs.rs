//! A list with gaps.

use std::ops::Range;

/// Values for some of the indexes 0, 1, 2, …, kept as runs of consecutive ones.
///
/// Lines are shown in blocks, so a few runs replace one map entry per line. A search shows single
/// lines far apart, so all values are in one list: a list per run would take more memory than the
/// values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runs<T> {
    /// The runs, in order; no two of them touch.
    runs: Vec<Run>,
    /// The values of the first run, then those of the next, and so on.
    values: Vec<T>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    /// The index of its first line.
    start: usize,
    /// Where its values begin in the list of all values; they end where those of the next run
    /// begin.
    values_from: usize,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { runs: Vec::new(), values: Vec::new() }
    }
}

impl<T: Copy> Runs<T> {
    /// The value at an index, if there is one.
    pub(crate) fn get(&self, place: usize) -> Option<T> {
        let (start, values) = self.run_at_or_before(place)?;
        values.get(place - start).copied()
    }

    /// Sets the values of consecutive indexes, replacing earlier values.
    pub(crate) fn insert(&mut self, start: usize, values: &[T]) {
        if start >= self.end() {
            self.push(start, values);
        } else {
            self.merge(&Self {
                runs: vec![Run { start, values_from: 0 }],
                values: values.to_vec(),
            });
        }
    }

    /// Takes over everything from `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        if !self.replace(other) {
            *self = self.joined(other);
        }
    }

    /// The runs in order: where each starts, and its values.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        (0..self.runs.len())
            .map(|index| (self.runs[index].start, &self.values[self.values_of(index)]))
    }

    /// The indexes that have a value, as ranges.
    pub(crate) fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.iter().map(|(start, values)| start..start + values.len())
    }

    /// How many bytes of memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.values[..]) + size_of_val(&self.runs[..])
    }

    /// Where the values of a run are in the list of all values.
    fn values_of(&self, index: usize) -> Range<usize> {
        let end = self.runs.get(index + 1).map_or(self.values.len(), |next| next.values_from);
        self.runs[index].values_from..end
    }

    /// The last run that starts at an index or before it.
    fn run_at_or_before(&self, place: usize) -> Option<(usize, &[T])> {
        let index = self.runs.partition_point(|run| run.start <= place).checked_sub(1)?;
        Some((self.runs[index].start, &self.values[self.values_of(index)]))
    }

    /// The index after the last one with a value.
    fn end(&self) -> usize {
        self.runs.last().map_or(0, |last| last.start + self.values.len() - last.values_from)
    }

    /// Adds values at or after the end.
    fn push(&mut self, start: usize, values: &[T]) {
        if values.is_empty() {
            return;
        }
        if self.runs.is_empty() || self.end() != start {
            self.runs.push(Run { start, values_from: self.values.len() });
        }
        self.values.extend_from_slice(values);
    }

    /// Replaces values by those of `other`, as long as each of its indexes has one here; returns
    /// whether all were replaced.
    fn replace(&mut self, other: &Self) -> bool {
        let mut index = 0;
        for (start, values) in other.iter() {
            while self.runs.get(index + 1).is_some_and(|next| next.start <= start) {
                index += 1;
            }
            let Some(run) = self.runs.get(index).filter(|run| run.start <= start) else {
                return false;
            };
            let from = run.values_from + start - run.start;
            let to = from + values.len();
            if to > self.values_of(index).end {
                return false;
            }
            self.values[from..to].copy_from_slice(values);
        }
        true
    }

    /// The values of both; those of `other` count where both have one.
    fn joined(&self, other: &Self) -> Self {
        let mut joined = Self {
            runs: Vec::with_capacity(self.runs.len() + other.runs.len()),
            values: Vec::with_capacity(self.values.len() + other.values.len()),
        };
        let mut theirs = other.iter().peekable();
        for (start, values) in self.iter() {
            let end = start + values.len();
            let mut at = start.max(joined.end());
            while let Some((their_start, their_values)) = theirs.next_if(|(place, _)| *place < end)
            {
                if at < their_start {
                    joined.push(at, &values[at - start..their_start - start]);
                }
                joined.push(their_start, their_values);
                at = at.max(joined.end());
            }
            if at < end {
                joined.push(at, &values[at - start..]);
            }
        }
        theirs.for_each(|(start, values)| joined.push(start, values));
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn neighbours_become_one_run() {
        let mut runs = Runs::default();
        runs.insert(5, &[5, 6]);
        runs.insert(0, &[0]);
        runs.insert(1, &[1, 2, 3, 4]);
        assert_eq!(runs.iter().collect::<Vec<_>>(), [(0, &[0, 1, 2, 3, 4, 5, 6][..])]);
    }

    fn of(inserts: &[(usize, Vec<u8>)]) -> (Runs<u8>, BTreeMap<usize, u8>) {
        let (mut runs, mut map) = (Runs::default(), BTreeMap::new());
        for (start, values) in inserts {
            runs.insert(*start, values);
            map.extend((*start..).zip(values.iter().copied()));
        }
        (runs, map)
    }

    fn check(runs: &Runs<u8>, map: &BTreeMap<usize, u8>) {
        let found = runs.iter().flat_map(|(start, values)| (start..).zip(values.iter().copied()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), *map);
        assert!((0..80).all(|place| runs.get(place) == map.get(&place).copied()));
        let ranges: Vec<_> = runs.ranges().collect();
        assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start), "{ranges:?}");
        assert!(ranges.iter().all(|range| !range.is_empty()));
    }

    fn inserts() -> impl Strategy<Value = Vec<(usize, Vec<u8>)>> {
        proptest::collection::vec(
            (0..60_usize, proptest::collection::vec(any::<u8>(), 0..12)),
            0..20,
        )
    }

    proptest! {
        #[test]
        fn runs_hold_what_a_map_would(inserts in inserts(), others in inserts()) {
            let (mut runs, mut map) = of(&inserts);
            check(&runs, &map);
            let (other_runs, other_map) = of(&others);
            runs.merge(&other_runs);
            map.extend(other_map);
            check(&runs, &map);
        }
    }
}
