//! Which new line each old line became, if there is only one candidate.
//!
//! Lines that occur once in each version, and keep their order, divide both into sections. Inside a
//! section two lines are a pair if every longest common subsequence pairs them
//! ([`super::unambiguous`]); a run of such pairs is then continued downwards over the lines that
//! close its block. A section is compared when one of its lines is asked for, and all sections
//! together within a fixed number of steps, so that no two files take long.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::unambiguous::{cells, unambiguous_pairs};
use hashline_text::{LineDigest, LineKind};

/// The most comparisons for one section.
const MAX_CELLS: usize = 1_000_000;

/// The most comparisons for all sections of two versions.
const MAX_STEPS: usize = 4_000_000;

/// How many lines above a line the telling line may be that it belongs to.
pub(super) const REACH: usize = 8;

/// Two versions of a file, line by line, and which lines belong together.
pub(super) struct LineMap<'a> {
    digests: &'a [LineDigest],
    new_digests: &'a [LineDigest],
    /// The lines of each version as numbers, equal for equal lines.
    pub(super) old: Vec<u32>,
    pub(super) new: Vec<u32>,
    counts: Vec<Occurrences>,
    /// The sections in order; after each one but the last follows a pair of lines that occur once.
    sections: Vec<Section>,
    steps_left: Cell<usize>,
}

/// How often a line occurs in each version.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    old: u32,
    new: u32,
    /// The index of its last occurrence in the new version.
    place: usize,
}

/// The lines between two pairs of lines that occur once in each version.
struct Section {
    old: Range<usize>,
    new: Range<usize>,
    certain: OnceCell<Pairs>,
    continued: OnceCell<Pairs>,
}

/// The pairs of a section, as indexes counted from its start.
#[derive(Clone)]
struct Pairs {
    to: Vec<Option<usize>>,
    from: Vec<Option<usize>>,
    /// Whether there were too many lines to compare.
    given_up: bool,
}

impl<'a> LineMap<'a> {
    /// Compares two versions. Lines with the same `key` are equal.
    pub(super) fn between(
        old: &'a [LineDigest],
        new: &'a [LineDigest],
        key: fn(LineDigest) -> u64,
    ) -> Self {
        let mut names: HashMap<u64, u32, BuildHasherDefault<KeyHasher>> = HashMap::default();
        let mut number = |digest: &LineDigest| {
            let next = u32::try_from(names.len()).expect("a file has fewer than 2^32 lines");
            *names.entry(key(*digest)).or_insert(next)
        };
        let (digests, new_digests) = (old, new);
        let old: Vec<u32> = old.iter().map(&mut number).collect();
        let new: Vec<u32> = new.iter().map(&mut number).collect();
        let mut counts = vec![Occurrences::default(); names.len()];
        for line in &old {
            counts[*line as usize].old += 1;
        }
        for (place, line) in new.iter().enumerate() {
            let count = &mut counts[*line as usize];
            count.new += 1;
            count.place = place;
        }
        let mut map = Self {
            digests,
            new_digests,
            old,
            new,
            counts,
            sections: Vec::new(),
            steps_left: Cell::new(MAX_STEPS),
        };
        map.divide();
        map
    }

    /// The new index of the line with this old index.
    pub(super) fn get(&self, old: usize) -> Option<usize> {
        self.look_up(old, Self::continued)
    }

    /// The old index of the line that became this new line.
    pub(super) fn source(&self, new: usize) -> Option<usize> {
        let section = self.sections.get(self.sections.partition_point(|one| one.new.end < new))?;
        if new == section.new.end {
            return (section.old.end < self.old.len()).then_some(section.old.end);
        }
        let from = self.continued(section).from[new - section.new.start];
        from.map(|from| section.old.start + from)
    }

    /// Whether the line with this old index was not compared because there were too many.
    pub(super) fn gave_up(&self, old: usize) -> bool {
        let section = self.section_of(old);
        section.is_some_and(|section| old < section.old.end && self.certain(section).given_up)
    }

    /// Whether the line with this old index opens an entry and occurs more than once.
    pub(super) fn is_opening(&self, old: usize) -> bool {
        self.digests[old].opens() && self.occurrences(old) > 1
    }

    /// How often the line with this old index occurs in the old version.
    pub(super) fn occurrences(&self, old: usize) -> u32 {
        self.counts[self.old[old] as usize].old
    }

    /// Whether the line with this old index only closes what is above it.
    pub(super) fn is_closing(&self, old: usize) -> bool {
        self.digests[old].kind() == LineKind::Closing
    }

    /// Whether a new line is indented like an old one.
    pub(super) fn is_level_with(&self, old: usize, new: usize) -> bool {
        let new = self.new_digests[new];
        new.kind() != LineKind::Blank && new.indent() == self.digests[old].indent()
    }

    /// Whether two old lines have the same indentation.
    pub(super) fn is_level_with_old(&self, old: usize, other: usize) -> bool {
        let other = self.digests[other];
        other.kind() != LineKind::Blank && other.indent() == self.digests[old].indent()
    }

    /// Whether the line with this old index has enough text to distinguish it from others.
    pub(super) fn is_telling(&self, old: usize) -> bool {
        self.digests[old].is_telling()
    }
    /// Whether the line with this old index is short, and its text occurs once in each version.
    pub(super) fn is_short_name(&self, old: usize) -> bool {
        self.digests[old].kind() == LineKind::Terse && self.only_place(old).is_some()
    }

    /// The new index of the line with this old index, if its text occurs once in each version.
    pub(super) fn only_place(&self, old: usize) -> Option<usize> {
        let count = self.counts[self.old[old] as usize];
        (count.old == 1 && count.new == 1).then_some(count.place)
    }

    /// Where the lines `first..=last` are, judging by the nearest line above that occurs once in
    /// each version; `None` if a line between the two has changed.
    pub(super) fn place_by_line_above(&self, first: usize, last: usize) -> Option<usize> {
        let only = |step: &usize| Some((*step, self.only_place(first - step)?));
        let (step, place) = (1..=REACH.min(first)).find_map(|step| only(&step))?;
        let lines = &self.old[first - step..=last];
        let there = self.new.get(place..place + lines.len());
        (there == Some(lines)).then_some(place + step)
    }

    /// Like [`LineMap::place_by_line_above`], but judging by the nearest line below.
    pub(super) fn place_by_line_below(&self, first: usize, last: usize) -> Option<usize> {
        let only = |step: &usize| Some((*step, self.only_place(last + step)?));
        let most = REACH.min(self.old.len() - 1 - last);
        let (step, place) = (1..=most).find_map(|step| only(&step))?;
        let lines = &self.old[first..=last + step];
        let start = (place + 1).checked_sub(lines.len())?;
        (self.new[start..=place] == *lines).then_some(start)
    }

    /// Divides the versions into sections, at the lines that occur once in each version and are in
    /// every longest sequence of such lines that keeps its order.
    fn divide(&mut self) {
        let once = |at: usize| Some((at, self.only_place(at)?));
        let pairs: Vec<(usize, usize)> = (0..self.old.len()).filter_map(once).collect();
        let ranks = rising_ranks(pairs.iter().map(|pair| pair.1));
        let mut ranks_from_end = rising_ranks(pairs.iter().rev().map(|pair| usize::MAX - pair.1));
        ranks_from_end.reverse();
        let longest = ranks.iter().copied().max().unwrap_or_default();
        let is_in_one = |at: usize| ranks[at] + ranks_from_end[at] == longest + 1;
        let mut rivals = vec![0_u32; longest + 1];
        for at in (0..pairs.len()).filter(|at| is_in_one(*at)) {
            rivals[ranks[at]] += 1;
        }
        let is_in_all = |at: &usize| is_in_one(*at) && rivals[ranks[*at]] == 1;
        let ends = (0..pairs.len()).filter(is_in_all).map(|at| pairs[at]);
        let (mut old_from, mut new_from) = (0, 0);
        let mut sections = Vec::new();
        for (old, new) in ends.chain([(self.old.len(), self.new.len())]) {
            sections.push(Section {
                old: old_from..old,
                new: new_from..new,
                certain: OnceCell::new(),
                continued: OnceCell::new(),
            });
            (old_from, new_from) = (old + 1, new + 1);
        }
        self.sections = sections;
    }

    fn section_of(&self, old: usize) -> Option<&Section> {
        self.sections.get(self.sections.partition_point(|one| one.old.end < old))
    }

    fn look_up<'s>(
        &'s self,
        old: usize,
        pairs: fn(&'s Self, &'s Section) -> &'s Pairs,
    ) -> Option<usize> {
        let section = self.section_of(old)?;
        if old == section.old.end {
            return (old < self.old.len()).then_some(section.new.end);
        }
        let to = pairs(self, section).to[old - section.old.start];
        to.map(|to| section.new.start + to)
    }

    /// The pairs that are in every longest common subsequence of the section.
    fn certain<'s>(&'s self, section: &'s Section) -> &'s Pairs {
        section.certain.get_or_init(|| {
            let (old, new) = (&self.old[section.old.clone()], &self.new[section.new.clone()]);
            let most = self.steps_left.get().min(MAX_CELLS);
            let steps = if old == new { Some(0) } else { cells(old.len(), new.len()) };
            match steps.filter(|steps| *steps <= most) {
                Some(steps) => {
                    self.steps_left.set(self.steps_left.get() - steps);
                    Pairs::new(unambiguous_pairs(old, new), new.len())
                }
                None => Pairs { given_up: true, ..Pairs::new(vec![None; old.len()], new.len()) },
            }
        })
    }

    /// The certain pairs, and the pairs that continue a run of them downwards.
    ///
    /// A block that is still there has kept its closing lines and the blank lines below it, even if
    /// another block that ends alike was inserted or deleted after it. If one was, the number of
    /// such lines has changed. This does not hold upwards: lines above a block may belong to
    /// another block.
    fn continued<'s>(&'s self, section: &'s Section) -> &'s Pairs {
        section.continued.get_or_init(|| {
            let mut pairs = self.certain(section).clone();
            // How many lines above this one the nearest telling line of its run is.
            let mut depth = self.depth_above(section);
            for at in 0..pairs.to.len() {
                let above = match at.checked_sub(1) {
                    Some(above) => pairs.to[above].map(|to| to + 1),
                    None => (section.old.start > 0).then_some(0),
                };
                let digest = self.digests[section.old.start + at];
                if pairs.to[at].is_some() {
                    let runs_on = pairs.to[at] == above;
                    depth = if digest.is_telling() {
                        Some(0)
                    } else {
                        depth.filter(|_| runs_on).map(|depth| depth + 1)
                    };
                    continue;
                }
                let came = self.counts[self.old[section.old.start + at] as usize];
                let next = above.filter(|to| {
                    matches!(digest.kind(), LineKind::Closing | LineKind::Blank)
                        && came.new != came.old
                        && depth.is_some_and(|depth| depth < REACH)
                        && self.new_digests.get(section.new.start + to) == Some(&digest)
                        && pairs.from.get(*to) == Some(&None)
                        && !self.is_from_elsewhere(section, &pairs, at + 1, to + 1)
                });
                if let Some(to) = next {
                    pairs.to[at] = Some(to);
                    pairs.from[to] = Some(at);
                }
                depth = next.and(depth).map(|depth| depth + 1);
            }
            pairs
        })
    }

    /// Whether a new line without a partner differs from the old line beside it, but was elsewhere
    /// in the file before: then lines were copied or changed places here.
    fn is_from_elsewhere(&self, section: &Section, pairs: &Pairs, old: usize, new: usize) -> bool {
        let (at, old) = (section.new.start + new, self.old.get(section.old.start + old));
        pairs.from.get(new) == Some(&None)
            && old != Some(&self.new[at])
            && self.counts[self.new[at] as usize].old > 0
            && self.new_digests[at].kind() != LineKind::Blank
    }

    /// How far above the last line before the section the nearest telling line of its run is.
    fn depth_above(&self, section: &Section) -> Option<usize> {
        let (old, new) = (section.old.start.checked_sub(1)?, section.new.start.checked_sub(1)?);
        (0..REACH.min(old + 1).min(new + 1))
            .take_while(|up| self.look_up(old - up, Self::certain) == Some(new - up))
            .find(|up| self.digests[old - up].is_telling())
    }
}

impl Pairs {
    fn new(to: Vec<Option<usize>>, new_len: usize) -> Self {
        let mut from = vec![None; new_len];
        for (at, to) in to.iter().enumerate().filter_map(|(at, to)| Some((at, (*to)?))) {
            from[to] = Some(at);
        }
        Self { to, from, given_up: false }
    }
}

/// For each value, the length of the longest increasing sequence that ends with it.
fn rising_ranks(values: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut lowest_ends: Vec<usize> = Vec::new();
    values
        .map(|value| {
            let rank = lowest_ends.partition_point(|end| *end < value);
            match lowest_ends.get_mut(rank) {
                Some(end) => *end = value,
                None => lowest_ends.push(value),
            }
            rank + 1
        })
        .collect()
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        let _: [u8; 0] = bytes.try_into().expect("only `write_u64` is called");
    }

    fn write_u64(&mut self, key: u64) {
        // Spreads the bits of short keys over the upper ones, which the table looks at too.
        self.0 = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digests(text: &str) -> Vec<LineDigest> {
        text.split_whitespace().map(|line| LineDigest::of(line.as_bytes())).collect()
    }

    /// Compares two texts in which each word stands for a line.
    fn check(old: &str, new: &str, expected: &[Option<usize>]) {
        let (old, new) = (digests(old), digests(new));
        let map = LineMap::between(&old, &new, |digest| digest.0);
        let found: Vec<_> = (0..old.len()).map(|at| map.get(at)).collect();
        assert_eq!(found, expected);
        for (at, to) in found.iter().enumerate().filter_map(|(at, to)| Some((at, (*to)?))) {
            assert_eq!(map.source(to), Some(at));
        }
    }

    #[test]
    fn a_line_that_occurs_once_is_followed_wherever_it_goes_in_order() {
        check("alpha beta gamma", "new alpha gamma", &[Some(1), None, Some(2)]);
    }

    #[test]
    fn of_two_lines_that_changed_places_neither_is_followed() {
        check("alpha beta", "beta alpha", &[None, None]);
    }

    #[test]
    fn a_block_keeps_the_brace_that_closes_it_when_another_is_put_behind() {
        check("alpha{ } omega", "alpha{ } beta{ } omega", &[Some(0), Some(1), Some(4)]);
    }

    #[test]
    fn a_brace_that_opens_is_not_taken_from_the_block_that_follows() {
        check("alpha { omega }", "alpha { beta } { omega }", &[Some(0), None, Some(5), Some(6)]);
    }

    #[test]
    fn too_many_equal_lines_are_not_compared() {
        let [old, new] = ["a b ", "b a "].map(|two| digests(&two.repeat(2000)));
        let map = LineMap::between(&old, &new, |digest| digest.0);
        assert!(map.gave_up(7) && map.get(7).is_none());
    }

    proptest! {
        #[test]
        fn a_mapped_line_keeps_its_text_and_its_order(old in "[a-c} ]{0,30}", new in "[a-c} ]{0,30}") {
            let [old, new] = [old, new].map(|text| -> Vec<LineDigest> {
                text.bytes().map(|byte| LineDigest::of(&[byte; 5])).collect()
            });
            let map = LineMap::between(&old, &new, |digest| digest.0);
            let mut last = None;
            for (at, line) in old.iter().enumerate() {
                if let Some(target) = map.get(at) {
                    prop_assert_eq!(*line, new[target]);
                    prop_assert!(last < Some(target));
                    last = Some(target);
                }
            }
        }
    }
}
