//! Notes on which lines of files were shown, as bytes for other processes.
//!
//! A saved memory is a list of batches, in the order in which they were saved. Each has the length
//! of its notes, their checksum, and the notes. Reading stops at a batch with a wrong checksum.
//! Other modules decide where the bytes are kept.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::{Event, FileLines, Known, Memory, OwnEdit, Runs, Snapshot};
use crate::coded::{Coded, fields_in_order, put_all, put_bytes};
use hashline_text::{Digest, Encoding, LineDigest, Scheme, Tag};

/// An event that changes what we know about one file.
#[derive(Clone, Debug)]
pub struct Note {
    /// The session that noted the event; 0 for several.
    pub writer: u64,
    /// The path of the file, as bytes.
    pub path: Vec<u8>,
    /// The event itself.
    pub event: Event,
}

impl Note {
    /// A note on the file at `path`.
    pub fn new(writer: u64, path: &Path, event: Event) -> Self {
        Self { writer, path: path.as_os_str().as_encoded_bytes().to_vec(), event }
    }
}

/// The bytes are not valid output of [`encode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct UnreadableSnapshot {
    /// What is wrong with the bytes.
    pub reason: &'static str,
}

/// Where a saved memory holds the events of each path.
#[derive(Default, Debug)]
pub struct Index {
    paths: HashMap<Vec<u8>, Vec<SavedEvent>>,
}

/// Where an event is in a saved memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedEvent {
    /// The session that saved it; 0 for several.
    pub writer: u64,
    /// The range of the event's bytes.
    pub bytes: Range<u64>,
}

impl SavedEvent {
    /// The bytes of the event, given all bytes of the saved memory.
    pub fn within<'a>(&self, saved: &'a [u8]) -> &'a [u8] {
        let place = |at: u64| usize::try_from(at).expect("the offset is within a slice");
        &saved[place(self.bytes.start)..place(self.bytes.end)]
    }
}

impl Index {
    /// Adds the batches in `bytes`, which begin at offset `at` of the saved memory, up to the first
    /// unreadable one.
    pub fn add(&mut self, bytes: &[u8], at: u64) -> Result<(), UnreadableSnapshot> {
        let fail = |reason| UnreadableSnapshot { reason };
        let mut rest = bytes;
        while !rest.is_empty() {
            let (len, checksum) = <(usize, u64)>::take(&mut rest).ok_or(fail(CUT_SHORT))?;
            let batch = rest.split_off(..len).ok_or(fail(CUT_SHORT))?;
            if Digest::of(batch).0 != checksum {
                return Err(fail("its checksum does not fit"));
            }
            let end = at + (bytes.len() - rest.len()) as u64;
            self.add_batch(batch, end).ok_or(fail("its parts do not fit together"))?;
        }
        Ok(())
    }

    /// Adds the notes of a batch that ends at `end`.
    fn add_batch(&mut self, batch: &[u8], end: u64) -> Option<()> {
        let mut rest = batch;
        while !rest.is_empty() {
            let len = usize::take(&mut rest)?;
            let mut note = rest.split_off(..len)?;
            let note_end = end - rest.len() as u64;
            let (writer, path) = <(u64, Vec<u8>)>::take(&mut note)?;
            match note.split_first()? {
                (&MOVED, to) => {
                    if let Some(saved) = self.paths.remove(&path) {
                        self.paths.insert(to.to_vec(), saved);
                    }
                }
                (&FORGOTTEN, _) => drop(self.paths.remove(&path)),
                _ => {
                    let bytes = note_end - note.len() as u64..note_end;
                    self.paths.entry(path).or_default().push(SavedEvent { writer, bytes });
                }
            }
        }
        Some(())
    }

    /// The events of the file at `path`, in order.
    pub fn events(&self, path: &Path) -> &[SavedEvent] {
        self.paths.get(path.as_os_str().as_encoded_bytes()).map_or(&[], Vec::as_slice)
    }

    /// How many paths have events.
    pub fn paths(&self) -> usize {
        self.paths.len()
    }
}

const CUT_SHORT: &str = "it is cut short";

const SHOWN: u8 = 0;
const RETIRED: u8 = 1;
const MOVED: u8 = 2;
const FORGOTTEN: u8 = 3;

/// Writes a batch of notes.
pub fn encode(notes: &[Note]) -> Vec<u8> {
    let mut out = vec![0; 2 * size_of::<u64>()];
    for note in notes {
        let mut bytes = Vec::new();
        note.writer.put(&mut bytes);
        put_bytes(&note.path, &mut bytes);
        note.event.put(&mut bytes);
        put_bytes(&bytes, &mut out);
    }
    let (head, notes) = out.split_at_mut(2 * size_of::<u64>());
    head[..8].copy_from_slice(&(notes.len() as u64).to_le_bytes());
    head[8..].copy_from_slice(&Digest::of(notes).0.to_le_bytes());
    out
}

/// The versions of a file that result from these events, newest first.
pub fn replay<'a>(
    events: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<Arc<Snapshot>>, UnreadableSnapshot> {
    let unfit = UnreadableSnapshot { reason: "its parts do not fit together" };
    let (mut memory, path) = (Memory::new(usize::MAX), Path::new(""));
    for event in events {
        let mut rest = event;
        let event = Event::take(&mut rest).filter(|_| rest.is_empty());
        memory.note(path, event.ok_or(unfit)?);
    }
    Ok(memory.versions(path).to_vec())
}

/// Rewrites a saved memory to about `max_bytes` at most: keeps the present versions of the paths
/// that were noted last. Unreadable parts are left out.
pub fn compact(bytes: &[u8], max_bytes: usize) -> Vec<u8> {
    let mut index = Index::default();
    let _ = index.add(bytes, 0);
    let mut paths: Vec<_> = index.paths.into_iter().collect();
    paths.sort_by_key(|(_, events)| Reverse(events.last().map(|event| event.bytes.start)));
    let (mut batches, mut len) = (Vec::new(), 0);
    for (path, events) in paths {
        let each = events.iter().map(|event| event.within(bytes));
        let Ok(versions) = replay(each) else { continue };
        let versions = versions.into_iter().map(Arc::unwrap_or_clone).collect();
        let writer = events[0].writer;
        let writer = if events.iter().all(|event| event.writer == writer) { writer } else { 0 };
        let batch = encode(&[Note { writer, path, event: Event::Shown(versions) }]);
        len += batch.len();
        if len > max_bytes && !batches.is_empty() {
            break;
        }
        batches.push(batch);
    }
    batches.reverse();
    batches.concat()
}

impl Coded for Event {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Shown(versions) => {
                out.push(SHOWN);
                versions.put(out);
            }
            Self::Retired(lines) => {
                out.push(RETIRED);
                lines.put(out);
            }
            // The rest of the event's bytes are the path.
            Self::MovedTo(path) => {
                out.push(MOVED);
                out.extend(path.as_os_str().as_encoded_bytes());
            }
            Self::Forgotten => out.push(FORGOTTEN),
        }
    }

    /// Reads an event that changes a file's versions; the others are read by [`Index::add`].
    fn take(from: &mut &[u8]) -> Option<Self> {
        match u8::take(from)? {
            SHOWN => Vec::take(from).map(Self::Shown),
            RETIRED => Vec::take(from).map(Self::Retired),
            _ => None,
        }
    }
}

fields_in_order! {
    Snapshot { scheme, encoding, known, tags, edit, older_forgotten }
}

impl Coded for Scheme {
    fn put(&self, out: &mut Vec<u8>) {
        let place = Self::ALL.iter().position(|one| one == self);
        place.expect("ALL holds every scheme").put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::ALL.get(usize::take(from)?).copied()
    }
}

impl Coded for Encoding {
    fn put(&self, out: &mut Vec<u8>) {
        self.name().put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        Self::named(&String::take(from)?).ok()
    }
}

impl Coded for Known {
    fn put(&self, out: &mut Vec<u8>) {
        matches!(self, Self::Whole(_)).put(out);
        match self {
            Self::Whole(lines) => put_all(lines.digests(), out),
            Self::Part { stamp, len, digests } => {
                stamp.put(out);
                len.put(out);
                digests.put(out);
            }
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        if bool::take(from)? {
            return Vec::take(from).map(|digests| Self::Whole(FileLines::from(digests)));
        }
        let (stamp, len) = <(u64, Option<usize>)>::take(from)?;
        let digests = Runs::take(from)?;
        Some(Self::Part { stamp, len, digests })
    }
}

impl<T: Coded + Copy> Coded for Runs<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().len().put(out);
        for (start, values) in self.iter() {
            start.put(out);
            put_all(values, out);
        }
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let mut runs = Self::default();
        for _ in 0..usize::take(from)? {
            // Line indexes must be below 2^32, so that the sum of two cannot overflow.
            runs.insert(u32::take(from)? as usize, &Vec::take(from)?);
        }
        Some(runs)
    }
}

impl Coded for LineDigest {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        u64::take(from).map(Self)
    }
}

impl Coded for Tag {
    fn put(&self, out: &mut Vec<u8>) {
        let mut padded = [0; 4];
        padded[..self.as_bytes().len()].copy_from_slice(self.as_bytes());
        out.extend(padded);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (padded, rest) = from.split_first_chunk::<4>()?;
        *from = rest;
        Self::new(str::from_utf8(padded).ok()?.trim_end_matches('\0'))
    }
}

impl Coded for OwnEdit {
    fn put(&self, out: &mut Vec<u8>) {
        self.to.put(out);
        self.hunks.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (to, hunks) = <(u64, Vec<(Range<usize>, Range<usize>)>)>::take(from)?;
        // Hunks must be in order, or lines would be followed to wrong places.
        let in_order = hunks.is_sorted_by(|(one, _), (next, _)| one.end <= next.start);
        in_order.then_some(Self { to, hunks })
    }
}

impl Coded for Range<usize> {
    fn put(&self, out: &mut Vec<u8>) {
        self.start.put(out);
        self.end.put(out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        let (start, end) = <(u32, u32)>::take(from)?;
        (start <= end).then_some(start as usize..end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, LineNumber, Listing, Span};

    fn versions() -> Vec<Snapshot> {
        let document = Document::from_text("a\nb\n\nc\n");
        let all = Scheme::ALL.iter().map(|scheme| {
            let listing = Listing::new(&document, *scheme);
            Snapshot::of(&listing, &[Span::line(LineNumber::FIRST), Span::line(LineNumber::at(3))])
        });
        let mut part = Snapshot::part(Scheme::Hex2, 7, None);
        part.learn(LineNumber::at(1000), &[LineDigest(1), LineDigest(2)]);
        part.show(LineNumber::at(1000), &[Tag::new("a3").unwrap()]);
        let mut edited = Snapshot::whole(Scheme::Hex2, vec![LineDigest(1), LineDigest(2)]);
        edited.edit = Some(OwnEdit { to: 9, hunks: vec![(0..1, 0..3), (2..2, 4..5)] });
        edited.older_forgotten = true;
        let empty = Snapshot::whole(Scheme::Cid, Vec::new());
        [part, edited].into_iter().chain(all).chain([empty]).collect()
    }

    fn note(path: &str, event: Event) -> Note {
        Note::new(5, Path::new(path), event)
    }

    /// What a saved memory knows about `path`.
    fn decode(path: &str, bytes: &[u8]) -> Result<Vec<Snapshot>, UnreadableSnapshot> {
        let mut index = Index::default();
        index.add(bytes, 0)?;
        let events = index.events(Path::new(path)).iter();
        let versions = replay(events.map(|event| event.within(bytes)))?;
        Ok(versions.into_iter().map(Arc::unwrap_or_clone).collect())
    }

    fn line(text: &str) -> Event {
        let document = Document::from_text(text);
        let listing = Listing::new(&document, Scheme::Hex2);
        Event::Shown(vec![Snapshot::of(&listing, &[Span::line(LineNumber::FIRST)])])
    }

    #[test]
    fn encoded_notes_are_read_back() {
        let bytes = encode(&[note("src/a b.rs", Event::Shown(versions()))]);
        assert_eq!(decode("src/a b.rs", &bytes), Ok(versions()));
        assert_eq!(decode("f", &bytes), Ok(Vec::new()), "another path");
        assert_eq!(decode("f", &encode(&[])), Ok(Vec::new()));
    }

    #[test]
    fn later_notes_change_what_earlier_ones_said() {
        let shown = |path| note(path, Event::Shown(versions()));
        let moved = || note("f", Event::MovedTo("g".into()));
        let known = |notes: &[&[Note]], path| {
            let batches: Vec<_> = notes.iter().flat_map(|batch| encode(batch)).collect();
            let known = decode(path, &batches).unwrap();
            assert_eq!(decode(path, &compact(&batches, usize::MAX)).unwrap(), known, "compacted");
            known
        };
        assert_eq!(known(&[&[shown("f")], &[moved()]], "g"), versions());
        assert_eq!(known(&[&[shown("f"), moved()]], "f"), []);
        assert_eq!(known(&[&[shown("f")], &[note("f", Event::Forgotten)]], "f"), []);
        let retired =
            &[note("f", line("a")), note("f", line("b")), note("f", Event::Retired(vec![0]))];
        let versions = known(&[retired], "f");
        assert_eq!([0, 1].map(|at| versions[at].shown(LineNumber::FIRST)), [true, false]);
    }

    #[test]
    fn a_compacted_memory_keeps_what_was_noted_last() {
        let all: Vec<u8> = ["a", "b", "a", "c"]
            .iter()
            .flat_map(|path| encode(&[note(path, line(path))]))
            .collect();
        let two = compact(&all, 2 * encode(&[note("a", line("a"))]).len());
        for (path, kept) in [("a", 1), ("b", 0), ("c", 1)] {
            assert_eq!(decode(path, &two).unwrap().len(), kept, "{path}");
        }
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let bytes = encode(&[note("f", Event::Shown(versions()))]);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x20;
            assert!(decode("f", &damaged).is_err(), "byte {at}");
            assert!(at == 0 || decode("f", &bytes[..at]).is_err(), "cut at {at}");
        }
        let whole = [bytes.clone(), encode(&[note("f", Event::Forgotten)])].concat();
        assert_eq!(decode("f", &compact(&whole[..whole.len() - 1], usize::MAX)), Ok(versions()));
    }

    #[test]
    fn forged_bytes_with_a_good_checksum_do_no_harm() {
        let good = encode(&[note("f", Event::Shown(versions()))]);
        for at in 16..good.len() {
            let mut lie = good.clone();
            lie[at] = 0xff;
            let checksum = Digest::of(&lie[16..]);
            lie[8..16].copy_from_slice(&checksum.0.to_le_bytes());
            // The forged bytes may decode to other events, but must not cause a panic or use up all
            // memory.
            let _ = decode("f", &lie);
            let _ = compact(&lie, usize::MAX);
        }
    }
}
