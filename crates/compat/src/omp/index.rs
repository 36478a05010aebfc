//! The lines of a text, by number.

use std::ops::Range;

use super::refusal::OmpRefusal;
use hashline_text::kernel::line_hashes::{self, Folding};
use hashline_text::kernel::{buffers, newlines};

/// A text and where its lines end.
pub(super) struct LineIndex<'a> {
    text: &'a [u8],
    /// [`BEFORE_TEXT`], then the end of each line: its newline, or the end of the text.
    ends: Vec<u32>,
}

/// The end of an imaginary line before the first: adding one wraps to 0, where the text begins.
const BEFORE_TEXT: u32 = u32::MAX;

impl<'a> LineIndex<'a> {
    /// Finds the lines of `text`: always at least one.
    pub(super) fn new(text: &'a [u8]) -> Result<Self, OmpRefusal> {
        let too_long = || OmpRefusal::error(format!("content is too long: {} bytes", text.len()));
        let end = u32::try_from(text.len()).ok().filter(|end| *end < BEFORE_TEXT);
        let end = end.ok_or_else(too_long)?;
        let mut ends = buffers::with_capacity(text.len() / 24 + 128);
        ends.push(BEFORE_TEXT);
        newlines::positions(text, &mut ends);
        ends.push(end);
        Ok(Self { text, ends })
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// The line at an index counted from zero.
    #[inline]
    pub(super) fn line(&self, at: usize) -> &'a [u8] {
        self.join(at..at + 1)
    }

    /// Several lines with the newlines between them; `range` must not be empty.
    #[inline]
    pub(super) fn join(&self, range: Range<usize>) -> &'a [u8] {
        &self.text[self.bytes_of(range)]
    }

    /// The bytes of several lines and the newlines between them; `range` must not be empty.
    #[inline]
    pub(super) fn bytes_of(&self, range: Range<usize>) -> Range<usize> {
        bytes_between(self.ends[range.start], self.ends[range.end])
    }

    /// How many of the lines in `range` differ from the lines that begin at `other`, one by one.
    pub(super) fn count_differing(&self, range: Range<usize>, other: usize) -> usize {
        let lines = range.len();
        let (ours, theirs) =
            (&self.ends[range.start..=range.end], &self.ends[other..=other + lines]);
        let mut differing = 0;
        for start in (0..lines).step_by(BLOCK) {
            let end = lines.min(start + BLOCK);
            let (ours, theirs) = (&ours[start..=end], &theirs[start..=end]);
            // Most lines differ in length, and many lengths are compared at a time.
            let mut alike = same_lengths(ours, theirs);
            differing += end - start - alike.count_ones() as usize;
            while alike != 0 {
                let at = alike.trailing_zeros() as usize;
                alike &= alike - 1;
                let line = |ends: &[u32]| &self.text[bytes_between(ends[at], ends[at + 1])];
                differing += usize::from(differ(line(ours), line(theirs)));
            }
        }
        differing
    }
}

/// How many lines are compared together: as many as a word has bits.
const BLOCK: usize = u64::BITS as usize;

/// A bit for each of up to [`BLOCK`] pairs of lines, set where both have the same length.
#[inline]
fn same_lengths(ours: &[u32], theirs: &[u32]) -> u64 {
    let lengths = |ends: &[u32]| -> [u32; BLOCK] {
        let mut lengths = [0; BLOCK];
        for (length, pair) in lengths.iter_mut().zip(ends.windows(2)) {
            *length = pair[1].wrapping_sub(pair[0]);
        }
        lengths
    };
    let (ours_long, theirs_long) = (lengths(ours), lengths(theirs));
    let alike = ours_long.iter().zip(&theirs_long).zip(1..ours.len());
    alike.fold(0, |bits, ((a, b), at)| bits | u64::from(a == b) << (at - 1))
}

impl Drop for LineIndex<'_> {
    fn drop(&mut self) {
        buffers::give_back(std::mem::take(&mut self.ends));
    }
}

#[inline]
fn bytes_between(before: u32, end: u32) -> Range<usize> {
    before.wrapping_add(1) as usize..end as usize
}

/// Whether two texts of the same length differ. Most differ in their first or last bytes; checking
/// those here is cheaper than a call that compares everything.
#[inline]
fn differ(a: &[u8], b: &[u8]) -> bool {
    match (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        (Some(first), Some(other)) if first != other => true,
        _ => match (a.last_chunk::<8>(), b.last_chunk::<8>()) {
            (Some(last), Some(other)) if last != other => true,
            _ => a != b,
        },
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
    /// Hashes every line, which only a stale reference justifies.
    pub(super) fn of(index: &LineIndex) -> Self {
        let mut holders = [Holder::None; 256];
        let mut at = 0;
        line_hashes::each_hash(index.text, Folding::None, |hash| {
            let holder = &mut holders[usize::from(hash.to_le_bytes()[0])];
            *holder = match holder {
                Holder::None => Holder::Line(at),
                Holder::Line(_) | Holder::Several => Holder::Several,
            };
            at += 1;
        });
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
