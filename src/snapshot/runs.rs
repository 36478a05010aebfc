//! A list with holes in it.

use std::ops::Range;

/// Values for some of the places 0, 1, 2, …, kept as runs of neighbours.
///
/// Lines are shown in blocks, so a few runs hold what a map would need an entry per line for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs<T> {
    /// In order, and no two of them touch.
    runs: Vec<Run<T>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Run<T> {
    start: usize,
    values: Vec<T>,
}

impl<T> Run<T> {
    fn end(&self) -> usize {
        self.start + self.values.len()
    }
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { runs: Vec::new() }
    }
}

impl<T: Copy> Runs<T> {
    /// One run that begins at the first place.
    pub fn whole(values: Vec<T>) -> Self {
        let mut whole = Self::default();
        if !values.is_empty() {
            whole.runs.push(Run { start: 0, values });
        }
        whole
    }

    /// The value at a place, if there is one.
    pub fn get(&self, place: usize) -> Option<T> {
        let after = self.runs.partition_point(|run| run.start <= place);
        let run = &self.runs[after.checked_sub(1)?];
        run.values.get(place - run.start).copied()
    }

    /// The values of every place below `len`, if none is missing.
    pub fn all(&self, len: usize) -> Option<&[T]> {
        match &self.runs[..] {
            [] => (len == 0).then_some(&[]),
            [run] => (run.start == 0 && run.values.len() == len).then_some(&run.values),
            _ => None,
        }
    }

    /// Sets the values of consecutive places; what was there is replaced.
    pub fn insert(&mut self, start: usize, values: &[T]) {
        if values.is_empty() {
            return;
        }
        if let Some(last) = self.runs.last_mut()
            && last.end() == start
        {
            return last.values.extend(values);
        }
        let end = start + values.len();
        // The common cases, at the end and inside, need no new run.
        let around = self.runs.partition_point(|run| run.start <= start);
        if let Some(run) = around.checked_sub(1).map(|place| &mut self.runs[place])
            && end <= run.end()
        {
            let at = start - run.start;
            return run.values[at..at + values.len()].copy_from_slice(values);
        }
        let first = self.runs.partition_point(|run| run.end() < start);
        let last = self.runs.partition_point(|run| run.start <= end);
        let mut joined = Run { start, values: Vec::with_capacity(values.len()) };
        if let Some(run) = self.runs[first..last].first().filter(|run| run.start < start) {
            joined.start = run.start;
            joined.values.extend(&run.values[..start - run.start]);
        }
        joined.values.extend(values);
        if let Some(run) = self.runs[first..last].last().filter(|run| run.end() > end) {
            joined.values.extend(&run.values[end - run.start..]);
        }
        self.runs.splice(first..last, [joined]);
    }

    /// Takes over everything from `other`.
    pub fn merge(&mut self, other: &Self) {
        for (start, values) in other.iter() {
            self.insert(start, values);
        }
    }

    /// The runs in order: where each starts, and its values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &[T])> {
        self.runs.iter().map(|run| (run.start, &run.values[..]))
    }

    /// The places that have a value, as ranges.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.runs.iter().map(|run| run.start..run.end())
    }

    /// The memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let values: usize = self.runs.iter().map(|run| run.values.len()).sum();
        values * size_of::<T>() + self.runs.len() * size_of::<Run<T>>()
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
        assert_eq!(runs.all(7), Some(&[0, 1, 2, 3, 4, 5, 6][..]));
        assert_eq!(runs.all(8), None);
    }

    #[test]
    fn nothing_is_all_of_an_empty_file_only() {
        let runs = Runs::<u8>::default();
        assert_eq!((runs.all(0), runs.all(1)), (Some(&[][..]), None));
    }

    proptest! {
        #[test]
        fn runs_hold_what_a_map_would(
            inserts in proptest::collection::vec((0..60_usize, proptest::collection::vec(any::<u8>(), 0..12)), 0..20)
        ) {
            let mut runs = Runs::default();
            let mut map = BTreeMap::new();
            for (start, values) in &inserts {
                runs.insert(*start, values);
                map.extend(values.iter().enumerate().map(|(offset, value)| (start + offset, *value)));
            }
            for place in 0..80 {
                prop_assert_eq!(runs.get(place), map.get(&place).copied());
            }
            let ranges: Vec<_> = runs.ranges().collect();
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
