//! Building the new text from the old one.
//!
//! A [`TextRewrite`] holds the kept ranges of the old text and the new text between them; it
//! borrows nothing. It can write the new text into memory of its own, or over the old text (which
//! is then in the processor's cache, as new memory would not be), or list the pieces for a caller
//! that has the old text as well.

use std::ops::Range;

use hashline_text::kernel::buffers;

/// The runs of kept and of new bytes that, joined by newlines, are the new text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextRewrite {
    runs: Vec<TextRun>,
}

/// A piece of the new text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextRun {
    /// Bytes of the old text.
    Kept(Range<usize>),
    /// The new text.
    New(Vec<u8>),
}

impl TextRun {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(text) => text.len(),
        }
    }

    fn kept_range(&self) -> Option<&Range<usize>> {
        match self {
            Self::Kept(range) => Some(range),
            Self::New(_) => None,
        }
    }
}

impl TextRewrite {
    /// A new text made of these runs; kept runs must be in their old order.
    pub(super) fn new(runs: Vec<TextRun>) -> Self {
        Self { runs }
    }

    /// Whether all added text is ASCII.
    pub fn adds_ascii(&self) -> bool {
        self.runs.iter().all(|run| {
            matches!(run, TextRun::New(text) if text.is_ascii()) || run.kept_range().is_some()
        })
    }

    /// Builds the new text in the memory of the old one, if that is large enough.
    pub fn over(&self, mut old: Vec<u8>) -> Vec<u8> {
        let len = self.len();
        if len > old.capacity() {
            let new = self.beside(&old);
            buffers::give_back(old);
            return new;
        }
        old.resize(len.max(old.len()), 0);
        // Runs that move towards the start are copied first to last, the others last to first.
        // Kept runs stay in order, so none is overwritten before it has moved.
        let kept = || self.placed().filter_map(|(run, to)| Some((run.kept_range()?, to)));
        for (from, to) in kept().filter(|(from, to)| *to < from.start) {
            old.copy_within(from.clone(), to);
        }
        let mut later: Vec<_> = kept().filter(|(from, to)| *to > from.start).collect();
        while let Some((from, to)) = later.pop() {
            old.copy_within(from.clone(), to);
        }
        for (run, to) in self.placed() {
            if let TextRun::New(text) = run {
                old[to..to + text.len()].copy_from_slice(text);
            }
            if let Some(between) = to.checked_sub(1) {
                old[between] = b'\n';
            }
        }
        old.truncate(len);
        old
    }

    /// Builds the new text in memory of its own and leaves the old one alone.
    pub fn beside(&self, old: &[u8]) -> Vec<u8> {
        let mut new = buffers::with_capacity(self.len());
        for (run, to) in self.placed() {
            if to > 0 {
                new.push(b'\n');
            }
            match run {
                TextRun::Kept(range) => new.extend_from_slice(&old[range.clone()]),
                TextRun::New(text) => new.extend_from_slice(text),
            }
        }
        new
    }

    /// The pieces that, put together with nothing between them, are the new text.
    pub fn pieces(self, old: &[u8]) -> Vec<TextRun> {
        let last = self.runs.len().saturating_sub(1);
        let mut pieces = Vec::with_capacity(self.runs.len());
        for (at, mut run) in self.runs.into_iter().enumerate() {
            let mut newline = at < last;
            match &mut run {
                // Usually the old text has that newline right after the run.
                TextRun::Kept(range) if newline && old.get(range.end) == Some(&b'\n') => {
                    range.end += 1;
                    newline = false;
                }
                TextRun::New(text) if newline => {
                    text.push(b'\n');
                    newline = false;
                }
                _ => {}
            }
            pieces.push(run);
            if newline {
                pieces.push(TextRun::New(vec![b'\n']));
            }
        }
        pieces
    }

    fn len(&self) -> usize {
        let newlines = self.runs.len().saturating_sub(1);
        self.runs.iter().map(TextRun::len).sum::<usize>() + newlines
    }

    /// The runs, each with its start in the new text.
    fn placed(&self) -> impl Iterator<Item = (&TextRun, usize)> {
        self.runs.iter().scan(0, |next, run| {
            let place = *next;
            *next += run.len() + 1;
            Some((run, place))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_text_is_the_same_in_old_memory_in_new_memory_and_in_pieces(
            old in "[a-z\n]{0,60}",
            pieces in prop::collection::vec((0..12_usize, 0..12_usize, prop::option::of("[A-Z]{0,9}")), 0..12),
            spare in 0..40_usize,
        ) {
            let old = old.into_bytes();
            let (mut runs, mut at) = (Vec::new(), 0);
            for (skipped, kept, new) in pieces {
                let start = old.len().min(at + skipped);
                at = old.len().min(start + kept);
                runs.push(TextRun::Kept(start..at));
                runs.extend(new.map(|text| TextRun::New(text.into_bytes())));
            }
            let expected: Vec<&[u8]> = runs
                .iter()
                .map(|run| match run {
                    TextRun::Kept(range) => &old[range.clone()],
                    TextRun::New(text) => text,
                })
                .collect();
            let expected = expected.join(&b'\n');
            let rewrite = TextRewrite::new(runs);
            prop_assert_eq!(&rewrite.beside(&old), &expected);
            let pieces = rewrite.clone().pieces(&old);
            let pieces = pieces.iter().map(|piece| match piece {
                TextRun::Kept(range) => &old[range.clone()],
                TextRun::New(text) => text,
            });
            prop_assert_eq!(&pieces.collect::<Vec<_>>().concat(), &expected);
            let mut roomy = Vec::with_capacity(old.len() + spare);
            roomy.extend_from_slice(&old);
            prop_assert_eq!(rewrite.over(roomy), expected);
        }
    }
}
