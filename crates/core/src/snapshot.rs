//! A record of the lines that the model was shown.
//!
//! An anchor can be trusted only if we know which text it was given for. A [`Snapshot`] keeps that
//! for one version of one file: the tags of the lines that were shown, and the digests of those
//! lines or, if the whole file was read, of all lines, so that a later version can be compared line
//! by line. The [`Memory`] keeps the last versions of many paths within a limit. [`Looks`] say
//! which lines of a file the reader has seen with their present text. A `View` says which lines of
//! a file are in the model's context now, and which have changed since.
//!
//! Nothing here reads a file or judges an anchor: the session remembers, the plan decides.

pub(crate) mod diff;
mod encode;
mod file_lines;
mod memory;
mod own_edit;
mod runs;
mod sight;
mod view;

pub use encode::{Index, Note, compact, encode, replay};
pub(crate) use file_lines::{FileLines, stamp_of};
pub(crate) use memory::DEFAULT_BYTES;
pub use memory::{Event, Memory};
pub(crate) use own_edit::OwnEdit;
pub(crate) use runs::Runs;
pub use sight::{Looks, Sight};
pub(crate) use view::{View, Views};

use std::ops::Range;

use hashline_text::{Anchor, Encoding, LineDigest, LineNumber, Listing, Scheme, Span, Tag};

/// The lines of one version of one file that we know, and which of them were shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    scheme: Scheme,
    encoding: Encoding,
    known: Known,
    tags: Runs<Tag>,
    /// How our patch made the next version from this one, if one did.
    edit: Option<OwnEdit>,
    /// Whether older versions of the file were shown but are forgotten.
    older_forgotten: bool,
}

/// The lines of the version whose digests are known.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// All lines.
    Whole(FileLines),
    /// Some lines; the stamp tells this version from others.
    Part { stamp: u64, len: Option<usize>, digests: Runs<LineDigest> },
}

impl Snapshot {
    /// A file whose lines are all known, none of them shown yet.
    pub fn whole(scheme: Scheme, lines: impl Into<FileLines>) -> Self {
        Self::empty(scheme, Known::Whole(lines.into()))
    }

    /// A file too large to be known whole, none of its lines shown yet.
    ///
    /// Two parts with the same `stamp` count as the same version. `len` is the number of lines, if
    /// the end of the file was reached.
    pub fn part(scheme: Scheme, stamp: u64, len: Option<usize>) -> Self {
        Self::empty(scheme, Known::Part { stamp, len, digests: Runs::default() })
    }

    fn empty(scheme: Scheme, known: Known) -> Self {
        let encoding = Encoding::UTF_8;
        Self { scheme, encoding, known, tags: Runs::default(), edit: None, older_forgotten: false }
    }

    /// Sets the encoding of the file.
    #[must_use]
    pub fn in_encoding(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// The snapshot of a listed document after these lines were shown.
    ///
    /// ```
    /// use hashline_text::{Document, LineNumber, Listing, Scheme, Span};
    /// use hashline_core::testing::snapshot::Snapshot;
    /// let document = Document::from_text("a\nb\n");
    /// let listing = Listing::new(&document, Scheme::Hex2);
    /// let second = LineNumber::new(2).unwrap();
    /// let snapshot = Snapshot::of(&listing, &[Span::line(second)]);
    /// assert!(snapshot.shown(second) && !snapshot.shown(LineNumber::FIRST));
    /// assert_eq!(snapshot.digests().map(<[_]>::len), Some(2));
    /// ```
    pub fn of(listing: &Listing<'_>, shown: &[Span]) -> Self {
        let document = listing.document();
        let mut snapshot =
            Self::whole(listing.scheme(), document.digests()).in_encoding(document.encoding());
        for span in shown.iter().filter(|span| !span.is_empty()) {
            let tags = &listing.tags()[span.start()..span.end()];
            snapshot.show(LineNumber::at(span.start()), tags);
        }
        snapshot
    }

    /// Adds the digests of consecutive lines, unless all are known already.
    pub fn learn(&mut self, first: LineNumber, lines: &[LineDigest]) {
        if let Known::Part { digests, .. } = &mut self.known {
            digests.insert(first.index(), lines);
        }
    }

    /// Notes that consecutive lines were shown with these tags; their digests must be known.
    pub fn show(&mut self, first: LineNumber, tags: &[Tag]) {
        self.tags.insert(first.index(), tags);
    }

    /// Forgets that these lines, zero-based, were shown.
    fn retire(&mut self, lines: &[usize]) {
        let mut kept = Runs::default();
        for (start, tags) in self.tags.iter() {
            for (at, tag) in (start..).zip(tags).filter(|(at, _)| !lines.contains(at)) {
                kept.insert(at, &[*tag]);
            }
        }
        self.tags = kept;
    }

    /// The scheme of the tags.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The encoding of the file.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The number of lines the file had; `None` if its end was not reached.
    pub fn len(&self) -> Option<usize> {
        match &self.known {
            Known::Whole(lines) => Some(lines.digests().len()),
            Known::Part { len, .. } => *len,
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

    /// The digest of the line, if it is known, even if the line was not shown.
    pub fn digest(&self, line: LineNumber) -> Option<LineDigest> {
        match &self.known {
            Known::Whole(lines) => lines.digests().get(line.index()).copied(),
            Known::Part { digests, .. } => digests.get(line.index()),
        }
    }

    /// The digests of all lines, if the file was read whole.
    pub fn digests(&self) -> Option<&[LineDigest]> {
        self.lines().map(FileLines::digests)
    }

    /// All lines, if the file was read whole.
    pub fn lines(&self) -> Option<&FileLines> {
        match &self.known {
            Known::Whole(lines) => Some(lines),
            Known::Part { .. } => None,
        }
    }

    /// The digest of the line that was shown with this anchor; `None` if no line was.
    pub fn recall(&self, anchor: &Anchor) -> Option<LineDigest> {
        if self.tag(anchor.line)? == anchor.tag { self.digest(anchor.line) } else { None }
    }

    /// The lines that were shown, as ranges of a zero-based list.
    pub fn shown_ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        self.tags.ranges()
    }

    /// Where the lines `first..=last`, zero-based, are in the next version, if our patch made that:
    /// the stamp of that version, and the number of the first line in it, or `None` if the patch
    /// changed any of them.
    pub fn carry(&self, first: usize, last: usize) -> Option<(u64, Option<usize>)> {
        self.edit.as_ref().map(|edit| (edit.to, edit.carry(first, last)))
    }

    /// The stamp of the version that our patch made from this one, if it did.
    pub fn next_stamp(&self) -> Option<u64> {
        self.edit.as_ref().map(|edit| edit.to)
    }

    /// Which line of this version, zero-based, became line `at` of the version `next`, if our patch
    /// made `next` from this one. The inner `None` means that the patch added the line.
    pub fn source(&self, next: u64, at: usize) -> Option<Option<usize>> {
        let edit = self.edit.as_ref().filter(|edit| edit.to == next)?;
        Some(edit.source(at))
    }

    /// A number that tells this version from others.
    pub fn stamp(&self) -> u64 {
        match &self.known {
            Known::Whole(lines) => lines.stamp(),
            Known::Part { stamp, .. } => *stamp,
        }
    }

    /// Whether older versions of the file were shown but are forgotten.
    pub fn older_forgotten(&self) -> bool {
        self.older_forgotten
    }

    /// Whether both are snapshots of the same version, so that they can be merged.
    fn is_version_of(&self, other: &Self) -> bool {
        self.scheme == other.scheme
            && self.encoding == other.encoding
            && self.stamp() == other.stamp()
            && match (&self.known, &other.known) {
                (Known::Whole(lines), Known::Whole(others)) => lines == others,
                _ => true,
            }
    }

    /// Takes over everything from `other`, a snapshot of the same version.
    fn merge(&mut self, other: &Self) {
        match (&mut self.known, &other.known) {
            (Known::Whole(_), _) => {}
            (known, Known::Whole(_)) => *known = other.known.clone(),
            (Known::Part { digests, .. }, Known::Part { digests: others, .. }) => {
                digests.merge(others);
            }
        }
        self.tags.merge(&other.tags);
        self.edit = self.edit.take().or_else(|| other.edit.clone());
        self.older_forgotten |= other.older_forgotten;
    }

    /// Forgets the digests of lines that were not shown, and keeps only the version's stamp
    /// instead.
    fn reduce(&mut self) {
        let mut digests = Runs::default();
        for range in self.tags.ranges() {
            let known = range.clone().map(|at| self.digest(LineNumber::at(at)));
            let known: Option<Vec<_>> = known.collect();
            digests.insert(range.start, &known.unwrap_or_default());
        }
        self.known = Known::Part { stamp: self.stamp(), len: self.len(), digests };
    }

    /// Whether only shown lines are known, so that reducing would change nothing.
    fn is_reduced(&self) -> bool {
        match &self.known {
            Known::Whole(_) => false,
            Known::Part { digests, .. } => digests.ranges().eq(self.tags.ranges()),
        }
    }

    /// How many bytes of memory the snapshot takes.
    fn bytes(&self) -> usize {
        let edit = self.edit.as_ref().map_or(0, OwnEdit::bytes);
        let known = match &self.known {
            Known::Whole(lines) => size_of_val(lines.digests()),
            Known::Part { digests, .. } => digests.bytes(),
        };
        size_of::<Self>() + known + self.tags.bytes() + edit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::Document;

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
