//! What the model was shown.
//!
//! An anchor can be trusted only if we know which text it was given for. A [`Snapshot`] keeps that
//! for one version of one file: the tags of the lines that were shown, and the digests of those
//! lines and, where the file was read whole, of all the others, so that a later version can be
//! compared line by line. The [`Memory`] keeps the last versions of many paths within a bound.
//!
//! Nothing here reads a file or judges an anchor: the session remembers, the plan decides.

mod encode;
mod memory;
mod own_edit;
mod runs;

pub use encode::{UnreadableSnapshot, decode, encode, file_name};
pub use memory::{DEFAULT_BYTES, LEAST_PATHS, MOST_VERSIONS, Memory};
pub use own_edit::OwnEdit;
pub use runs::Runs;

use std::ops::Range;

use crate::anchor::{Anchor, Listing, Scheme, Tag};
use crate::text::{Digest, LineDigest, LineNumber, Span};

/// What is known of one version of one file, and which of its lines were shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    scheme: Scheme,
    extent: Coverage,
    digests: Runs<LineDigest>,
    tags: Runs<Tag>,
    /// The patch of ours that made the next version of this one.
    edit: Option<OwnEdit>,
    /// Whether older versions of the file were shown and are forgotten.
    older_forgotten: bool,
}

/// How much of the version the digests cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coverage {
    /// All of its lines.
    Whole { stamp: u64, len: usize },
    /// Some of its lines; the stamp tells this version from others.
    Part { stamp: u64, len: Option<usize> },
}

impl Snapshot {
    /// A file of which every line is known and none was shown yet.
    pub fn whole(scheme: Scheme, digests: Vec<LineDigest>) -> Self {
        let extent = Coverage::Whole { stamp: stamp_of(&digests), len: digests.len() };
        Self { digests: Runs::whole(digests), ..Self::empty(scheme, extent) }
    }

    /// A file too large to be known whole, and none of whose lines was shown yet.
    ///
    /// Two parts with the same `stamp` are taken for the same version. `len` is the number of lines
    /// if the reader got to the end.
    pub fn part(scheme: Scheme, stamp: u64, len: Option<usize>) -> Self {
        Self::empty(scheme, Coverage::Part { stamp, len })
    }

    fn empty(scheme: Scheme, extent: Coverage) -> Self {
        let (digests, tags) = (Runs::default(), Runs::default());
        Self { scheme, extent, digests, tags, edit: None, older_forgotten: false }
    }

    /// A listed document of which these lines were shown.
    ///
    /// ```
    /// use hashline::{Document, LineNumber, Listing, Scheme, Span};
    /// use hashline::snapshot::Snapshot;
    /// let document = Document::from_text("a\nb\n");
    /// let listing = Listing::new(&document, Scheme::Hex2);
    /// let second = LineNumber::new(2).unwrap();
    /// let snapshot = Snapshot::of(&listing, &[Span::line(second)]);
    /// assert!(snapshot.shown(second) && !snapshot.shown(LineNumber::FIRST));
    /// assert_eq!(snapshot.digests().map(<[_]>::len), Some(2));
    /// ```
    pub fn of(listing: &Listing<'_>, shown: &[Span]) -> Self {
        let mut snapshot = Self::whole(listing.scheme(), listing.document().digests());
        for span in shown.iter().filter(|span| !span.is_empty()) {
            let tags = &listing.tags()[span.start()..span.end()];
            snapshot.show(LineNumber::at(span.start()), tags);
        }
        snapshot
    }

    /// Notes the digests of consecutive lines.
    pub fn learn(&mut self, first: LineNumber, digests: &[LineDigest]) {
        self.digests.insert(first.index(), digests);
    }

    /// Notes that consecutive lines, whose digests are known, were shown with these tags.
    pub fn show(&mut self, first: LineNumber, tags: &[Tag]) {
        self.tags.insert(first.index(), tags);
    }

    /// The scheme of the tags.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The number of lines the file had; `None` if its end was not reached.
    pub fn len(&self) -> Option<usize> {
        match self.extent {
            Coverage::Whole { len, .. } => Some(len),
            Coverage::Part { len, .. } => len,
        }
    }

    /// Whether the file had no line at all.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether the line was shown.
    pub fn shown(&self, line: LineNumber) -> bool {
        self.tag(line).is_some()
    }

    /// The tag the line was shown with; `None` if it was not shown.
    pub fn tag(&self, line: LineNumber) -> Option<Tag> {
        self.tags.get(line.index())
    }

    /// The digest of the line, if it is known. Lines that were not shown may be known too.
    pub fn digest(&self, line: LineNumber) -> Option<LineDigest> {
        self.digests.get(line.index())
    }

    /// The digests of all lines, if the file was read whole.
    pub fn digests(&self) -> Option<&[LineDigest]> {
        match self.extent {
            Coverage::Whole { len, .. } => self.digests.all(len),
            Coverage::Part { .. } => None,
        }
    }

    /// What the line said that was shown under this anchor; `None` if none was.
    pub fn recall(&self, anchor: &Anchor) -> Option<LineDigest> {
        if self.tag(anchor.line)? == anchor.tag { self.digest(anchor.line) } else { None }
    }

    /// The lines that were shown, as ranges of a zero-based list.
    pub fn shown_ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.tags.ranges()
    }

    /// Where the lines `first..=last`, zero-based, are in the next version, if a patch of ours made
    /// it: the stamp of that version, and the first line there. No line is there if the patch
    /// touched one of them.
    pub fn carry(&self, first: usize, last: usize) -> Option<(u64, Option<usize>)> {
        self.edit.as_ref().map(|edit| (edit.to, edit.carry(first, last)))
    }

    /// Which line of this version, zero-based, became line `at` of the version `next`, if a patch of
    /// ours made that one of it. It is `None` inside if the patch brought the line.
    pub fn source(&self, next: u64, at: usize) -> Option<Option<usize>> {
        let edit = self.edit.as_ref().filter(|edit| edit.to == next)?;
        Some(edit.source(at))
    }

    /// What tells this version from others.
    pub fn stamp(&self) -> u64 {
        match self.extent {
            Coverage::Whole { stamp, .. } | Coverage::Part { stamp, .. } => stamp,
        }
    }

    /// Whether older versions of the file were shown and are forgotten.
    pub fn older_forgotten(&self) -> bool {
        self.older_forgotten
    }

    /// Whether both are views of one version, so that what they show can be put together.
    fn is_version_of(&self, other: &Self) -> bool {
        self.scheme == other.scheme
            && self.stamp() == other.stamp()
            && match (self.extent, other.extent) {
                (Coverage::Whole { .. }, Coverage::Whole { .. }) => self.digests == other.digests,
                _ => true,
            }
    }

    /// Takes over what `other`, a view of the same version, knows.
    fn merge(&mut self, other: &Self) {
        match (self.digests(), other.digests()) {
            (None, Some(_)) => (self.extent, self.digests) = (other.extent, other.digests.clone()),
            (None, None) => self.digests.merge(&other.digests),
            (Some(_), _) => {}
        }
        self.tags.merge(&other.tags);
        self.edit = self.edit.take().or_else(|| other.edit.clone());
        self.older_forgotten |= other.older_forgotten;
    }

    /// Forgets the lines that were not shown; the version gets a stamp in their place.
    fn reduce(&mut self) {
        let mut digests = Runs::default();
        for range in self.tags.ranges() {
            let known: Option<Vec<_>> = range.clone().map(|at| self.digests.get(at)).collect();
            digests.insert(range.start, &known.unwrap_or_default());
        }
        if let Coverage::Whole { stamp, len } = self.extent {
            let len = Some(len);
            self.extent = Coverage::Part { stamp, len };
        }
        self.digests = digests;
    }

    /// The memory it takes, in bytes.
    fn bytes(&self) -> usize {
        let edit = self.edit.as_ref().map_or(0, OwnEdit::bytes);
        size_of::<Self>() + self.digests.bytes() + self.tags.bytes() + edit
    }
}

/// The stamp of the version that has these lines.
pub fn stamp_of(lines: &[LineDigest]) -> u64 {
    let bytes: Vec<u8> = lines.iter().flat_map(|line| line.0.to_le_bytes()).collect();
    Digest::of(&bytes).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn line(number: usize) -> LineNumber {
        LineNumber::new(number).unwrap()
    }

    #[test]
    fn an_anchor_is_recalled_only_if_it_was_shown() {
        let document = Document::from_text("a\nb\nc\n");
        let listing = Listing::new(&document, Scheme::Hex2);
        let snapshot = Snapshot::of(&listing, &[Span::line(line(2))]);
        let anchor = |number| listing.anchor(line(number)).unwrap();
        assert_eq!(snapshot.recall(&anchor(2)), Some(LineDigest::of(b"b")));
        assert_eq!(snapshot.recall(&anchor(1)), None);
        let moved = Anchor::new(line(3), anchor(2).tag);
        assert_eq!(snapshot.recall(&moved), None);
        assert_eq!(snapshot.digest(line(3)), Some(LineDigest::of(b"c")));
        assert_eq!(snapshot.digest(line(4)), None);
        assert_eq!(snapshot.len(), Some(3));
    }

    #[test]
    fn a_reduced_snapshot_knows_the_shown_lines_only() {
        let document = Document::from_text("a\nb\nc\n");
        let listing = Listing::new(&document, Scheme::Base26);
        let mut snapshot = Snapshot::of(&listing, &[Span::line(line(2))]);
        let again = snapshot.clone();
        snapshot.reduce();
        assert_eq!(snapshot.digests(), None);
        assert_eq!(snapshot.len(), Some(3));
        assert_eq!(snapshot.digest(line(1)), None);
        assert_eq!(snapshot.recall(&listing.anchor(line(2)).unwrap()), Some(LineDigest::of(b"b")));
        let mut again = again;
        again.reduce();
        assert!(snapshot.is_version_of(&again));
    }
}
