//! Following lines from one version of a file to another.
//!
//! [`Comparison`] says where lines of an old version are in a new one, or why that is not certain.
//! It works on [`LineDigest`]s alone, so either version may be one whose text is gone. The rules
//! were chosen on real histories; docs/adr/0005 says which, and what each of them costs.

mod indentation;
mod line_map;
mod unambiguous;

use std::cell::OnceCell;
use std::cmp::Reverse;

pub(crate) use indentation::IndentChange;
use line_map::{LineMap, REACH};

use hashline_text::{LineDigest, LineKind};

/// How many lines above and below are compared to distinguish places with the same text.
const SURROUNDINGS: usize = 8;

/// How near lines with partners must be, above and below, to confirm the place of a line whose
/// neighbours have changed.
const BRACKET: usize = 4;

/// How near an end of the file must be to confirm such a line. A file always has ends, whatever was
/// replaced, so an end proves less than a line.
const END_OF_FILE: usize = 2;

/// With this many equal lines above or below, more of them make a place no likelier.
const ENOUGH_EQUAL_LINES: usize = 3;

/// How many short lines that each occur once prove as much as one long line.
const SHORT_LINES: usize = 3;

/// If the white space of a line this near has changed, the exact text alone proves nothing.
const NEAR_LINES: usize = 16;

/// In a file of which only white space has changed, one line in this many may have other words.
const ONLY_RESPACED: usize = 100;

/// Lines that were followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Followed {
    /// The zero-based index of the first line in the new version.
    pub(crate) first: usize,
    /// How the indentation changed on the way, if it did.
    pub(crate) indent: Option<IndentChange>,
}

/// Why lines were not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotFollowed {
    /// A line at an end has changed or is gone, or cannot be distinguished from others like it.
    Changed,
    /// A line between the ends has changed.
    Interior,
    /// Too many lines that read alike were changed to compare them all.
    TooMuch,
}

/// An old and a new version of one file.
pub(crate) struct Comparison<'a> {
    old: &'a [LineDigest],
    new: &'a [LineDigest],
    exact: LineMap<'a>,
    /// The same comparison without white space, made when it is needed.
    canonical: OnceCell<LineMap<'a>>,
}

impl<'a> Comparison<'a> {
    /// Compares two versions.
    pub(crate) fn new(old: &'a [LineDigest], new: &'a [LineDigest]) -> Self {
        let exact = LineMap::between(old, new, |digest| digest.0);
        Self { old, new, exact, canonical: OnceCell::new() }
    }

    /// Where the lines `first..=last` of the old version are.
    pub(crate) fn follow(&self, first: usize, last: usize) -> Result<Followed, NotFollowed> {
        let exact = prove(&self.exact, first, last);
        if !self.is_respaced_near(first, last) {
            return exact.map(|first| Followed { first, indent: None });
        }
        // If the indentation has changed, a line may have the bytes that another line had before; a
        // brace may also have its text. So the text without white space decides about telling
        // lines, and the bytes decide about others, if most lines nearby kept theirs.
        let canonical = prove(self.canonical(), first, last);
        let says_something = (first..=last).any(|at| self.old[at].is_telling());
        if let Ok(exact) = exact
            && canonical != Ok(exact)
            && !says_something
        {
            let is_kept = self.is_mostly_kept_near(first, last);
            let found = Followed { first: exact, indent: None };
            return if is_kept { Ok(found) } else { Err(NotFollowed::Changed) };
        }
        let target = canonical.map_err(|_| exact.err().unwrap_or(NotFollowed::Changed))?;
        // A blank line has no text to recognise it by once its white space has changed.
        let is_blank = first == last && self.old[first].kind() == LineKind::Blank;
        if is_blank && self.old[first] != self.new[target] {
            return Err(NotFollowed::Changed);
        }
        if !self.is_style_certain(first, last, target) {
            return Err(NotFollowed::Changed);
        }
        let indent = IndentChange::around(self, first, last, target);
        if indent.as_ref().is_some_and(|indent| !indent.is_shared()) {
            return Err(NotFollowed::Changed);
        }
        let is_formatted =
            || indent.as_ref().is_none_or(IndentChange::is_formatting) || self.is_only_respaced();
        if exact == Ok(target) || is_formatted() {
            Ok(Followed { first: target, indent })
        } else {
            Err(NotFollowed::Changed)
        }
    }

    /// Whether each of the lines `first..=last` is where it was, and nowhere else in either
    /// version. A blank line or a brace may too easily be another one.
    pub(crate) fn is_unmoved(&self, first: usize, last: usize) -> bool {
        (first..=last).all(|at| {
            let says_something =
                !matches!(self.old[at].kind(), LineKind::Blank | LineKind::Closing);
            says_something && self.exact.only_place(at) == Some(at)
        })
    }

    /// Whether the lines `first..=last`, now at `target`, kept their quotes and last commas, or a
    /// formatter changed these. A formatter also changed them in a line nearby, or the white space
    /// of most lines. Then the line below must be the same as before, because a comma may be there
    /// for a new line; and the line above too, unless each line with other quotes occurs once in
    /// each version.
    fn is_style_certain(&self, first: usize, last: usize, target: usize) -> bool {
        let map = self.canonical();
        let is_other =
            |(old, new): &(usize, usize)| self.old[*old].style() != self.new[*new].style();
        let mut changed = (first..=last).zip(target..).filter(is_other).peekable();
        if changed.peek().is_none() {
            return true;
        }
        let is_beside = |(old, _): &(usize, usize)| !(first..=last).contains(old);
        let is_formatted = self.near(first, last).filter(is_beside).any(|pair| is_other(&pair))
            || !self.is_mostly_kept_near(first, last);
        let place = Place { map, first, last, target, end: target + (last - first) };
        let (above, below) = (place.above().neighbour, place.below().neighbour);
        let is_once = changed.all(|(old, new)| map.only_place(old) == Some(new));
        is_formatted && below && (above || is_once)
    }

    /// Whether most telling lines near these have kept their bytes.
    fn is_mostly_kept_near(&self, first: usize, last: usize) -> bool {
        let telling = self.near(first, last).filter(|(old, _)| self.old[*old].is_telling());
        let (kept, respaced): (Vec<_>, Vec<_>) =
            telling.partition(|(old, new)| self.old[*old] == self.new[*new]);
        kept.len() > respaced.len()
    }

    /// The old index of the line that became this new line, white space aside.
    pub(crate) fn source(&self, new: usize) -> Option<usize> {
        self.exact.source(new).or_else(|| self.canonical().source(new))
    }

    /// The new lines with the text of the old line with this index, the likeliest first: lines that
    /// no other old line became, that lie between the nearest lines that occur once in each
    /// version, and that have the same lines above and below.
    pub(crate) fn likely(&self, old: usize) -> Vec<usize> {
        let same = |key: fn(LineDigest) -> u64| -> Vec<usize> {
            let wanted = key(self.old[old]);
            (0..self.new.len()).filter(|at| key(self.new[*at]) == wanted).collect()
        };
        let mut places = same(|digest| digest.0);
        if places.is_empty() {
            places = same(|digest| digest.canonical().into());
        }
        let above = self.nearest_only((0..old).rev());
        let below = self.nearest_only(old + 1..self.old.len());
        let fit = |place: usize| {
            let (old_lines, new_lines) = (&self.exact.old, &self.exact.new);
            let up = alike(old_lines[..old].iter().rev(), new_lines[..place].iter().rev());
            let down = alike(old_lines[old + 1..].iter(), new_lines[place + 1..].iter());
            (Reverse(up.min(ENOUGH_EQUAL_LINES)), Reverse(down.min(ENOUGH_EQUAL_LINES)))
        };
        places.sort_by_cached_key(|place| {
            let is_taken = self.exact.source(*place).is_some_and(|source| source != old);
            let is_outside = above.is_some_and(|(_, to)| *place <= to)
                || below.is_some_and(|(_, to)| *place >= to);
            let (from, to) = above.or(below).unwrap_or((old, old));
            (is_taken, is_outside, fit(*place), (place + from).abs_diff(to + old))
        });
        places
    }

    /// Where the old line with this index should be, judging by the lines around it, whatever its
    /// text is now.
    pub(crate) fn expected(&self, old: usize) -> usize {
        let above = self.nearest_only((0..=old.min(self.old.len() - 1)).rev());
        let below = self.nearest_only(old + 1..self.old.len());
        let nearest = [above, below].into_iter().flatten().min_by_key(|(at, _)| at.abs_diff(old));
        let (from, to) = nearest.unwrap_or((old, old));
        (to + old).saturating_sub(from).min(self.new.len().saturating_sub(1))
    }

    /// The first of these old lines that occurs once in each version, and where it is now.
    fn nearest_only(&self, lines: impl IntoIterator<Item = usize>) -> Option<(usize, usize)> {
        lines.into_iter().find_map(|at| Some((at, self.exact.only_place(at)?)))
    }

    fn canonical(&self) -> &LineMap<'a> {
        self.canonical.get_or_init(|| {
            LineMap::between(self.old, self.new, |digest| u64::from(digest.canonical()))
        })
    }

    /// Whether almost only white space has changed, and every line is still in its place.
    fn is_only_respaced(&self) -> bool {
        let map = self.canonical();
        let kept = (0..self.old.len()).filter_map(|old| Some((old, map.get(old)?)));
        let respaced = kept.clone().filter(|(old, new)| self.old[*old] != self.new[*new]).count();
        let all = self.old.len() + self.new.len();
        let other = all - 2 * kept.count();
        other * ONLY_RESPACED <= all && other < respaced
    }

    /// Whether one of these lines, or a line near them, kept its text but not its white space.
    fn is_respaced_near(&self, first: usize, last: usize) -> bool {
        self.near(first, last).any(|(old, new)| self.old[old] != self.new[new])
    }

    /// The lines near `first..=last`, these included, with their new indexes, white space aside.
    fn near(&self, first: usize, last: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let around = first.saturating_sub(NEAR_LINES)..(last + 1 + NEAR_LINES).min(self.old.len());
        around.filter_map(|old| Some((old, self.canonical().get(old)?)))
    }
}

/// Where the lines `first..=last` are now, if all of them are still there in a row, with enough of
/// their surroundings to distinguish them from other lines with the same text.
fn prove(map: &LineMap<'_>, first: usize, last: usize) -> Result<usize, NotFollowed> {
    let changed = if map.gave_up(first) { NotFollowed::TooMuch } else { NotFollowed::Changed };
    let target = map.get(first).ok_or(changed)?;
    let above = map.place_by_line_above(first, last);
    let below = map.place_by_line_below(first, last).filter(|_| !map.is_closing(first));
    if let (Some(above), Some(below)) = (above, below)
        && above == below
    {
        return Ok(above);
    }
    let end = target + (last - first);
    if map.get(last) != Some(end) {
        return Err(changed);
    }
    if (first..=last).zip(target..).any(|(old, new)| map.get(old) != Some(new)) {
        return Err(NotFollowed::Interior);
    }
    let place = Place { map, first, last, target, end };
    let is_elsewhere = above.or(below).is_some_and(|place| place != target);
    if !is_elsewhere
        && place.closes_its_block()
        && place.is_confirmed()
        && !place.is_exchanged()
        && !place.is_copied()
        && !place.has_rival()
    {
        Ok(target)
    } else {
        Err(NotFollowed::Changed)
    }
}

/// Old lines and where they seem to be.
struct Place<'m, 'a> {
    map: &'m LineMap<'a>,
    first: usize,
    last: usize,
    target: usize,
    end: usize,
}

/// Which lines on one side of a place are still the same.
#[derive(Clone, Copy)]
struct PlaceSide {
    /// Whether the neighbouring line is the same as before.
    neighbour: bool,
    /// Whether a telling line is the same as before, and every line up to it.
    telling: bool,
}

impl Place<'_, '_> {
    /// Whether enough lines around the place are still the same. A telling line needs one
    /// neighbour; another line needs a telling line and all lines up to it. Instead, lines close by
    /// on both sides are enough. Several lines need no neighbour if one of them is telling.
    fn is_confirmed(&self) -> bool {
        let (above, below) = (self.above(), self.below());
        // A line that opens an entry needs the line below it; lines that each occur often need both
        // neighbours.
        let is_common = |at: usize| self.map.occurrences(at) > 2;
        if self.map.is_opening(self.last) && !below.neighbour
            || self.first < self.last
                && (self.first..=self.last).all(is_common)
                && !(above.neighbour && below.neighbour)
                && self.map.place_by_line_above(self.first, self.last).is_none()
                && self.map.place_by_line_below(self.first, self.last).is_none()
        {
            return false;
        }
        if above.telling || below.telling {
            return true;
        }
        let mut lines = self.first..=self.last;
        if lines.clone().any(|at| self.map.is_telling(at)) {
            let is_one = self.first == self.last;
            return !is_one
                || above.neighbour
                || below.neighbour
                || self.is_enclosed(BRACKET)
                || self.is_bracketed();
        }
        // A blank line is too easily another one.
        lines.all(|at| self.map.is_closing(at)) && self.is_enclosed(REACH)
    }

    /// Whether a line that closes a block still closes the same block: the lines above it are the
    /// same, or the nearest line above with its indentation, which begins the block, is confirmed
    /// as well.
    fn closes_its_block(&self) -> bool {
        let map = self.map;
        if !map.is_closing(self.first) || self.above().telling {
            return true;
        }
        let new_head = (0..self.target).rev().find(|new| map.is_level_with(self.first, *new));
        let old_head = (0..self.first).rev().find(|old| map.is_level_with_old(self.first, *old));
        match (old_head, new_head) {
            (Some(old), Some(new)) => match map.get(old) {
                Some(to) => {
                    let head = Place { map, first: old, last: old, target: to, end: to };
                    to == new && head.is_confirmed()
                }
                None => map.old[old] == map.new[new] || !map.new.contains(&map.old[old]),
            },
            _ => true,
        }
    }

    fn above(&self) -> PlaceSide {
        let steps = self.first.min(self.target).min(REACH);
        let ends_here = self.first == self.target;
        self.side(steps, ends_here, |step| (self.first - step, self.target - step))
    }

    fn below(&self) -> PlaceSide {
        let left = (self.map.old.len() - 1 - self.last, self.map.new.len() - 1 - self.end);
        let steps = left.0.min(left.1).min(REACH);
        let ends_here = left.0 == left.1;
        self.side(steps, ends_here, |step| (self.last + step, self.end + step))
    }

    /// `beside` gives the old and the new line that many steps outwards; `ends_here` says that both
    /// versions end after as many lines, which is as good as a telling line.
    fn side(
        &self,
        steps: usize,
        ends_here: bool,
        beside: impl Fn(usize) -> (usize, usize),
    ) -> PlaceSide {
        let mut short = 0;
        for step in 1..=steps {
            let (old, new) = beside(step);
            if self.map.get(old) != Some(new) {
                return PlaceSide { neighbour: step > 1, telling: false };
            }
            short += usize::from(self.map.is_short_name(old));
            if self.map.is_telling(old) || short == SHORT_LINES {
                return PlaceSide { neighbour: true, telling: true };
            }
        }
        let telling = ends_here && steps < REACH;
        PlaceSide { neighbour: steps > 0 || telling, telling }
    }

    /// Whether telling lines within `reach` above and below are still there, the upper one at the
    /// same distance: then these are not other lines with the same text. A line that closes a block
    /// must still close the same block.
    fn is_enclosed(&self, reach: usize) -> bool {
        let map = self.map;
        let came_along = |old: usize| Some((old, map.get(old).filter(|_| map.is_telling(old))?));
        let above = (self.first.saturating_sub(reach)..self.first).rev().find_map(came_along);
        let end = (self.last + 1 + reach).min(map.old.len());
        let below = (self.last + 1..end).find_map(came_along);
        let (Some(above), Some(below)) = (above, below) else { return false };
        // Above a closing line, the nearest line with its indentation opens the same block or closes
        // the block before.
        let as_deep =
            |new: &usize| map.is_closing(self.first) && map.is_level_with(self.first, *new);
        let head = (above.1 + 1..self.target).rev().find(as_deep);
        self.first - above.0 == self.target - above.1
            && below.1 - self.end <= reach
            && head.is_none_or(|new| map.source(new).is_some())
    }

    /// Whether a single line that occurs once in each version is confirmed by lines close by.
    fn is_bracketed(&self) -> bool {
        let map = self.map;
        if map.only_place(self.first).is_none() {
            return false;
        }
        // The nearest line with a partner, or an end of the file, must be close to the place.
        let confirms = |old_at: &dyn Fn(usize) -> Option<usize>| {
            (1..=BRACKET).find_map(|step| match old_at(step) {
                Some(old) => map.get(old).map(|to| to.abs_diff(self.target) <= BRACKET),
                None => Some(step <= END_OF_FILE),
            })
        };
        let above = confirms(&|step| self.first.checked_sub(step));
        let below = confirms(&|step| Some(self.last + step).filter(|old| *old < map.old.len()));
        above == Some(true) && below == Some(true)
    }

    /// Whether a neighbour that occurred once is elsewhere now, and a line known from elsewhere is
    /// in its place: lines were copied or changed places here, and these may be among them.
    fn is_exchanged(&self) -> bool {
        let map = self.map;
        let is_exchanged = |old: usize, new: usize| {
            let (Some(went), Some(came)) = (map.old.get(old), map.new.get(new)) else {
                return false;
            };
            (map.get(old), map.source(new)) == (None, None)
                && map.occurrences(old) == 1
                && map.new.contains(went)
                && map.old.contains(came)
        };
        is_exchanged(self.first.wrapping_sub(1), self.target.wrapping_sub(1))
            || is_exchanged(self.last + 1, self.end + 1)
    }

    /// Whether the lines, with the lines below up to a telling one, occurred once and now occur
    /// several times: all but one are copies, and it is unknown which.
    fn is_copied(&self) -> bool {
        let (old, new) = (&self.map.old, &self.map.new);
        let end = old.len().min(self.last + 1 + REACH);
        let Some(end) = (self.first..end).find(|at| self.map.is_telling(*at)) else {
            return false;
        };
        let lines = &old[self.first..=end.max(self.last)];
        let count = |all: &[u32]| all.windows(lines.len()).filter(|one| *one == lines).count();
        count(old) == 1 && count(new) > 1
    }

    /// Whether another place has the same text and fits the surroundings as well: one of the two is
    /// a copy of the other, and it is unknown which.
    fn has_rival(&self) -> bool {
        let (old, new) = (&self.map.old, &self.map.new);
        let lines = &old[self.first..=self.last];
        let fit = |place: usize| {
            let above = alike(old[..self.first].iter().rev(), new[..place].iter().rev());
            let below = alike(old[self.last + 1..].iter(), new[place + lines.len()..].iter());
            (above, below)
        };
        let own = fit(self.target);
        let as_good = |rival: usize, own: usize| rival > 0 && rival >= own;
        // A line that closes a block belongs to the lines above it, whatever is below.
        let closes_what_came_along = self.map.is_closing(self.first) && self.above().telling;
        (0..(new.len() + 1).saturating_sub(lines.len())).any(|place| {
            place != self.target
                && new[place] == lines[0]
                && new[place..place + lines.len()] == *lines
                && self.map.source(place).is_none()
                && {
                    let rival = fit(place);
                    let fits_somewhere = as_good(rival.0, own.0) || as_good(rival.1, own.1);
                    if closes_what_came_along {
                        as_good(rival.0, own.0)
                    } else {
                        fits_somewhere && rival.0 + rival.1 >= own.0 + own.1
                    }
                }
        })
    }
}

/// How many lines two runs have in common at their start, at most [`SURROUNDINGS`].
fn alike<'a>(a: impl Iterator<Item = &'a u32>, b: impl Iterator<Item = &'a u32>) -> usize {
    a.zip(b).take(SURROUNDINGS).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests;
