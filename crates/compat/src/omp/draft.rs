//! The text while edits are applied to it.
//!
//! The original holds an array of lines and calls `splice`. A [`LineDraft`] gives the same results
//! without copying: it is a list of pieces, each a run of original lines or a list of new ones.
//! Edits come bottom-up, so the list is in reverse order: its last piece is the text above all
//! edits so far, and an edit that overlaps no other changes only that piece.

use std::borrow::Cow;
use std::ops::Range;

use super::index::LineIndex;
use super::rewrite::{TextRewrite, TextRun};

/// New lines: borrowed from the edit, or made by a heuristic.
pub(super) type NewLines<'a> = Vec<Cow<'a, [u8]>>;

enum LineRun<'a> {
    /// Lines of the original.
    Kept(Range<usize>),
    New(NewLines<'a>),
}

/// A text with some lines replaced.
pub(super) struct LineDraft<'a> {
    original: &'a LineIndex<'a>,
    /// From the bottom of the text to its top; none is empty.
    pieces: Vec<LineRun<'a>>,
    len: usize,
}

impl<'a> LineDraft<'a> {
    /// The original text, with room for this many edits.
    pub(super) fn new(original: &'a LineIndex<'a>, edits: usize) -> Self {
        let mut pieces = Vec::with_capacity(1 + 2 * edits);
        pieces.push(LineRun::Kept(0..original.len()));
        Self { original, pieces, len: original.len() }
    }

    /// The line at an index counted from zero, if there is one.
    pub(super) fn line(&self, at: usize) -> Option<&[u8]> {
        let mut above = 0;
        for piece in self.pieces.iter().rev() {
            if at < above + piece.len() {
                return Some(piece.line(at - above, self.original));
            }
            above += piece.len();
        }
        None
    }

    /// JavaScript's `splice`: replaces `count` lines from `at`, clamping both to the text.
    pub(super) fn splice(&mut self, at: usize, count: usize, new: NewLines<'a>) {
        let above = self.take(at);
        let removed: usize = self.take(count).iter().map(LineRun::len).sum();
        self.len = self.len - removed + new.len();
        if !new.is_empty() {
            self.pieces.push(LineRun::New(new));
        }
        self.pieces.extend(above.into_iter().rev());
    }

    /// How many lines differ from the original's line of the same number, including lines without
    /// a counterpart.
    pub(super) fn changed_lines(&self) -> usize {
        let shared = self.len.min(self.original.len());
        let mut changed = self.len.abs_diff(self.original.len());
        let mut at = 0;
        for piece in self.pieces.iter().rev() {
            let end = shared.min(at + piece.len());
            changed += match piece {
                // A line in its old place cannot differ.
                LineRun::Kept(from) if from.start == at => 0,
                LineRun::Kept(from) => self.original.count_differing(at..end, from.start),
                LineRun::New(lines) => (at..end)
                    .zip(lines)
                    .filter(|(old, line)| self.original.line(*old) != line.as_ref())
                    .count(),
            };
            at += piece.len();
            if at >= shared {
                break;
            }
        }
        changed
    }

    /// How to build the new text, its lines joined with newlines, from the original.
    pub(super) fn rewrite(&self) -> TextRewrite {
        let runs = self.pieces.iter().rev().map(|piece| match piece {
            LineRun::Kept(range) => TextRun::Kept(self.original.bytes_of(range.clone())),
            LineRun::New(lines) => TextRun::New(lines.join(&b'\n')),
        });
        TextRewrite::new(runs.collect())
    }

    /// Takes up to `count` lines off the top, from the top down.
    fn take(&mut self, mut count: usize) -> Vec<LineRun<'a>> {
        let mut taken = Vec::new();
        while count > 0
            && let Some(piece) = self.pieces.pop()
        {
            if piece.len() <= count {
                count -= piece.len();
                taken.push(piece);
            } else {
                let (above, below) = piece.split(count);
                taken.push(above);
                self.pieces.push(below);
                break;
            }
        }
        taken
    }
}

impl LineRun<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(lines) => lines.len(),
        }
    }

    fn line<'s>(&'s self, at: usize, original: &LineIndex<'s>) -> &'s [u8] {
        match self {
            Self::Kept(range) => original.line(range.start + at),
            Self::New(lines) => &lines[at],
        }
    }

    /// Splits before the line at `at`, which must be inside.
    fn split(self, at: usize) -> (Self, Self) {
        match self {
            Self::Kept(Range { start, end }) => {
                (Self::Kept(start..start + at), Self::Kept(start + at..end))
            }
            Self::New(mut lines) => {
                let below = lines.split_off(at);
                (Self::New(lines), Self::New(below))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with an array, which the original uses, for edits in any order.
        #[test]
        fn a_draft_answers_as_an_array_of_lines_would(
            text in "[ab\n]{0,40}",
            splices in prop::collection::vec((0..50_usize, 0..9_usize, prop::collection::vec("[ab]{0,2}", 0..4)), 0..8),
        ) {
            let index = LineIndex::new(text.as_bytes()).unwrap();
            let mut draft = LineDraft::new(&index, splices.len());
            let old: Vec<&str> = text.split('\n').collect();
            let mut array = old.clone();
            for (at, count, new) in &splices {
                let start = array.len().min(*at);
                let end = array.len().min(start + count);
                array.splice(start..end, new.iter().map(String::as_str));
                draft.splice(*at, *count, new.iter().map(|l| Cow::Borrowed(l.as_bytes())).collect());
                for at in 0..=array.len() {
                    prop_assert_eq!(draft.line(at), array.get(at).map(|l| l.as_bytes()));
                }
            }
            let differing = old.iter().zip(&array).filter(|(a, b)| a != b).count();
            prop_assert_eq!(draft.changed_lines(), differing + old.len().abs_diff(array.len()));
            let text = draft.rewrite().beside(text.as_bytes());
            prop_assert_eq!(text, array.join("\n").into_bytes());
        }
    }
}
