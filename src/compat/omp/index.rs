//! The lines of a text, by number.

use std::ops::Range;

use super::format::line_hash;
use super::refusal::Refusal;
use crate::text::lines;

/// A text and where its lines begin.
pub(super) struct LineIndex<'a> {
    text: &'a [u8],
    /// One start per line, and one more: where a line after the last would begin.
    starts: Vec<u32>,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`: always at least one.
    pub(super) fn new(text: &'a [u8]) -> Result<Self, Refusal> {
        let too_long = || Refusal::error(format!("content is too long: {} bytes", text.len()));
        let end = u32::try_from(text.len() + 1).map_err(|_| too_long())?;
        let mut starts = Vec::with_capacity(text.len() / 32 + 2);
        starts.push(0);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "every newline comes before `end`, which fits"
        )]
        starts.extend(lines::newlines(text).map(|at| at as u32 + 1));
        starts.push(end);
        Ok(Self { text, starts })
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The line at an index counted from zero.
    #[inline]
    pub(super) fn line(&self, at: usize) -> &'a [u8] {
        self.join(at..at + 1)
    }

    /// Several lines with the newlines between them; `range` must not be empty.
    #[inline]
    pub(super) fn join(&self, range: Range<usize>) -> &'a [u8] {
        &self.text[self.starts[range.start] as usize..self.starts[range.end] as usize - 1]
    }

    /// The lines of `range`, which is cut to the text.
    pub(super) fn lines(&self, range: Range<usize>) -> impl Iterator<Item = &'a [u8]> + '_ {
        (range.start..range.end.min(self.len())).map(|at| self.line(at))
    }
}

/// For each hash, the only line that has it.
pub(super) struct UniqueHashes([Holder; 256]);

#[derive(Clone, Copy)]
enum Holder {
    None,
    Line(usize),
    Several,
}

impl UniqueHashes {
    /// Hashes every line. Only a stale reference is worth that.
    pub(super) fn of(index: &LineIndex) -> Self {
        let mut holders = [Holder::None; 256];
        for (at, line) in index.lines(0..index.len()).enumerate() {
            let holder = &mut holders[usize::from(line_hash(line))];
            *holder = match holder {
                Holder::None => Holder::Line(at),
                Holder::Line(_) | Holder::Several => Holder::Several,
            };
        }
        Self(holders)
    }

    /// The index of the only line with that hash.
    pub(super) fn find(&self, hash: u8) -> Option<usize> {
        match self.0[usize::from(hash)] {
            Holder::Line(at) => Some(at),
            Holder::None | Holder::Several => None,
        }
    }
}
