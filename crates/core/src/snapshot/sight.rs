//! Which lines of a file its reader has seen with their present text.
//!
//! ****Law 1: a line whose present text the reader was not shown is never silently overwritten or
//! deleted.** A line is seen if a look at the file showed it with its present text, or if the
//! reader's own patch wrote it. A look at other lines does not count, however new it is. Looks are
//! compared only by the text of lines, in order; a line that has moved out of order must be shown
//! again.
//!
//! The planner decides what to do about a line that was not seen.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::Snapshot;
use super::diff::{ChangedLines, changed_lines};
use super::file_lines::stamp_of;
use hashline_text::{LineDigest, LineNumber};

/// What the reader knows about the present text of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The line was shown with its present text, or the reader wrote it.
    Seen,
    /// The line was added or changed after a look at the file, and was not shown since.
    Changed,
    /// The line was there at every look, but never shown.
    Never,
}

/// The looks at a file, and the present file.
pub struct Looks<'a> {
    /// The versions of the file that were shown, newest first.
    versions: &'a [Arc<Snapshot>],
    now: &'a [LineDigest],
    stamp: u64,
    /// For each version, which lines differ in the present file.
    changes: Vec<OnceCell<Vec<ChangedLines>>>,
    /// For each stamp, the newest version from which our patch made the version with that stamp.
    by_next_stamp: OnceCell<HashMap<u64, usize>>,
}

impl<'a> Looks<'a> {
    /// `versions` are the versions of the file that were shown, newest first.
    pub fn new(versions: &'a [Arc<Snapshot>], now: &'a [LineDigest]) -> Self {
        let changes = versions.iter().map(|_| OnceCell::new()).collect();
        Self { versions, now, stamp: stamp_of(now), changes, by_next_stamp: OnceCell::new() }
    }

    /// What the reader knows about each of these lines, a zero-based range.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hashline_core::testing::snapshot::{Looks, Sight, Snapshot};
    /// use hashline_text::{Document, Listing, Scheme, Span};
    /// let old = Document::from_text("a\nb\nc\n");
    /// let shown = Snapshot::of(&Listing::new(&old, Scheme::Hex2), &[Span::between(0, 2)]);
    /// let now = Document::from_text("a\nB\nc\n").digests();
    /// let sights = Looks::new(&[Arc::new(shown)], &now).sights(0..3);
    /// assert_eq!(sights, [Sight::Seen, Sight::Changed, Sight::Never]);
    /// ```
    pub fn sights(&self, lines: Range<usize>) -> Vec<Sight> {
        let mut sights = vec![Sight::Never; lines.len()];
        // If the file is the same as at an earlier look, no line has changed since that look.
        let again = self.versions.iter().position(|version| version.stamp() == self.stamp);
        for index in 0..self.versions.len() {
            for (sight, at) in sights.iter_mut().zip(lines.clone()) {
                if *sight == Sight::Seen {
                    continue;
                }
                match self.sight(index, at) {
                    Some(Sight::Changed) if Some(index) < again => {}
                    Some(found) if found != Sight::Never => *sight = found,
                    _ => {}
                }
            }
            if sights.iter().all(|sight| *sight == Sight::Seen) {
                break;
            }
        }
        sights
    }

    /// What one look says about a line; `None` if the look did not reach that line.
    fn sight(&self, index: usize, at: usize) -> Option<Sight> {
        let version = &self.versions[index];
        let old = if version.stamp() == self.stamp {
            at
        } else if let Some(digests) = version.digests() {
            let changes = self.changes[index].get_or_init(|| changed_lines(digests, self.now));
            let above = changes.partition_point(|change| change.new.end <= at);
            if changes.get(above).is_some_and(|change| change.new.start <= at) {
                return Some(Sight::Changed);
            }
            let before = above.checked_sub(1).map(|above| &changes[above]);
            before.map_or(at, |change| change.old.end + (at - change.new.end))
        } else {
            // In a part, lines can only be compared by their numbers.
            let shown = version.digest(LineNumber::at(at))?;
            if shown != self.now[at] {
                let is_as_long = version.len().is_none_or(|len| len == self.now.len());
                return is_as_long.then_some(Sight::Changed);
            }
            at
        };
        Some(if self.is_known(index, old) { Sight::Seen } else { Sight::Never })
    }

    /// Whether the reader knows a line of a version: it was shown in that version, or our patches
    /// wrote it or carried it over from a version in which it was shown.
    fn is_known(&self, mut index: usize, mut at: usize) -> bool {
        // A chain of versions cannot be longer than the list, unless it is a circle.
        for _ in 0..self.versions.len() {
            let version = &self.versions[index];
            if version.shown(LineNumber::at(at)) {
                return true;
            }
            let by_next_stamp = self.by_next_stamp.get_or_init(|| self.by_next_stamp());
            let Some(earlier) = by_next_stamp.get(&version.stamp()) else { return false };
            match self.versions[*earlier].source(version.stamp(), at) {
                None => return false,
                Some(None) => return true,
                Some(Some(source)) => (index, at) = (*earlier, source),
            }
        }
        false
    }

    fn by_next_stamp(&self) -> HashMap<u64, usize> {
        // Of two versions with the same stamp the one inserted later stays, which is the newer
        // version.
        let stamped = self.versions.iter().enumerate().rev();
        stamped.filter_map(|(index, version)| Some((version.next_stamp()?, index))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{Event, Memory};
    use hashline_text::{Document, Listing, Scheme, Span};
    use std::path::Path;

    fn snapshot(text: &str, shown: Range<usize>) -> Snapshot {
        let shown = Span::between(shown.start, shown.end);
        Snapshot::of(&Listing::new(&Document::from_text(text), Scheme::Hex2), &[shown])
    }

    /// One letter for each line: seen, changed or never shown. The looks are oldest first.
    fn sights(looks: &[(&str, Range<usize>)], now: &str) -> String {
        let mut memory = Memory::default();
        for (text, shown) in looks {
            memory.remember(Path::new("f"), snapshot(text, shown.clone()));
        }
        letters(memory.versions(Path::new("f")), now)
    }

    fn letters(versions: &[Arc<Snapshot>], now: &str) -> String {
        let digests = Document::from_text(now).digests();
        let sights = Looks::new(versions, &digests).sights(0..digests.len());
        let letter = |sight: &Sight| match sight {
            Sight::Seen => 's',
            Sight::Changed => 'c',
            Sight::Never => 'n',
        };
        sights.iter().map(letter).collect()
    }

    #[test]
    fn a_line_is_seen_as_long_as_it_has_the_shown_text() {
        assert_eq!(sights(&[("a\nb\nc\n", 0..3)], "a\nB\nc\n"), "scs");
        assert_eq!(sights(&[("a\nb\nc\n", 0..3)], "a\nx\nb\nc\n"), "scss");
        assert_eq!(sights(&[("a\nb\nc\n", 0..2)], "a\nb\nc\n"), "ssn");
    }

    #[test]
    fn a_newer_look_at_other_lines_does_not_count() {
        let looks = [("a\nb\nc\nd\n", 0..4), ("a\nB\nc\nd\n", 0..1), ("a\nB\nc\nd\n", 3..4)];
        assert_eq!(sights(&looks, "a\nB\nc\nd\n"), "scss");
        let looks = [&looks[..], &[("a\nB\nc\nd\n", 1..2)]].concat();
        assert_eq!(sights(&looks, "a\nB\nc\nd\n"), "ssss");
    }

    #[test]
    fn lines_added_since_the_first_look_are_changed() {
        assert_eq!(sights(&[("a\nb\nc\n", 0..1)], "a\nb\nx\nc\n"), "sncn");
    }

    #[test]
    fn a_restored_text_is_seen() {
        let looks = [("a\nb\nc\n", 0..3), ("a\nB\nc\n", 0..1)];
        assert_eq!(sights(&looks, "a\nb\nC\n"), "ssc");
    }

    #[test]
    fn a_file_that_equals_an_earlier_look_has_not_changed_since() {
        assert_eq!(sights(&[("a\nb\n", 0..1), ("a\nB\n", 0..2)], "a\nb\n"), "sn");
    }

    #[test]
    fn lines_that_the_reader_wrote_are_seen_however_long_ago() {
        let mut memory = Memory::default();
        let path = Path::new("f");
        let text = |added: usize| "old\nline\n".repeat(4) + &"new\n".repeat(added);
        memory.remember(path, snapshot(&text(0), 0..2));
        for added in 0..20 {
            let hunk = (Span::after(8 + added), Span::between(8 + added, 9 + added));
            let (before, after) = (snapshot(&text(added), 0..0), snapshot(&text(added + 1), 0..0));
            memory.note(path, Event::edited(before, &[hunk], after));
        }
        let expected = |ending: &str| "ssnnnnnn".to_owned() + &"s".repeat(20) + ending;
        assert_eq!(letters(memory.versions(path), &text(20)), expected(""));
        let since = text(20) + "theirs\n";
        assert_eq!(letters(memory.versions(path), &since), expected("c"));
    }
}
