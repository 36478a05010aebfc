//! The versions of one path as bytes, so that another process can know them too.
//!
//! The form is ours alone: a magic word with a version, the path, the snapshots newest first, and a
//! checksum over all of it. Whatever does not check is refused as a whole: half a memory would be
//! worse than none. Where the bytes are kept is not decided here.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FileLines, Known, OwnEdit, Runs, Snapshot};
use hashline_text::{Digest, LineDigest, Scheme, Tag};

/// Changes whenever the form does.
const MAGIC: &[u8; 8] = b"hashl\0s4";

/// The bytes are not what [`encode`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnreadableSnapshot {
    /// What is wrong with them.
    pub reason: &'static str,
}

impl fmt::Display for UnreadableSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason)
    }
}

impl std::error::Error for UnreadableSnapshot {}

/// Writes the versions of `path`, newest first.
pub fn encode(path: &Path, versions: &[Arc<Snapshot>]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let name = path.as_os_str().as_encoded_bytes();
    put(&mut out, name.len() as u64);
    out.extend(name);
    put(&mut out, versions.len() as u64);
    for version in versions {
        put_snapshot(&mut out, version);
    }
    let checksum = Digest::of(&out);
    put(&mut out, checksum.0);
    out
}

/// Reads what [`encode`] wrote for `path`.
pub fn decode(path: &Path, bytes: &[u8]) -> Result<Vec<Snapshot>, UnreadableSnapshot> {
    let fail = |reason| UnreadableSnapshot { reason };
    let (body, checksum) = bytes.split_last_chunk::<8>().ok_or(fail("it is cut short"))?;
    if !body.starts_with(MAGIC) {
        return Err(fail("it was written by another version of hashline"));
    }
    if Digest::of(body).0 != u64::from_le_bytes(*checksum) {
        return Err(fail("its checksum does not fit"));
    }
    let mut reader = SnapshotReader(&body[MAGIC.len()..]);
    reader.versions(path).ok_or(fail("its parts do not fit together"))
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_snapshot(out: &mut Vec<u8>, snapshot: &Snapshot) {
    let scheme = Scheme::ALL.iter().position(|one| *one == snapshot.scheme);
    put(out, scheme.expect("ALL holds every scheme") as u64);
    put_option(out, snapshot.lines().is_none().then(|| snapshot.stamp()));
    put_option(out, snapshot.len().map(|len| len as u64));
    match &snapshot.known {
        Known::Whole(lines) => put_runs(out, [(0, lines.digests())].into_iter()),
        Known::Part { digests, .. } => put_runs(out, digests.iter()),
    }
    put(out, snapshot.tags.iter().len() as u64);
    for (start, tags) in snapshot.tags.iter() {
        put(out, start as u64);
        put(out, tags.len() as u64);
        for tag in tags {
            let mut padded = [0; 4];
            padded[..tag.as_bytes().len()].copy_from_slice(tag.as_bytes());
            out.extend(padded);
        }
    }
    out.push(u8::from(snapshot.older_forgotten));
    put_option(out, snapshot.edit.as_ref().map(|edit| edit.to));
    let hunks = snapshot.edit.as_ref().map_or(&[][..], |edit| &edit.hunks);
    put(out, hunks.len() as u64);
    for (old, new) in hunks {
        for place in [old.start, old.end, new.start, new.end] {
            put(out, place as u64);
        }
    }
}

fn put_runs<'a>(out: &mut Vec<u8>, runs: impl ExactSizeIterator<Item = (usize, &'a [LineDigest])>) {
    put(out, runs.len() as u64);
    for (start, digests) in runs {
        put(out, start as u64);
        put(out, digests.len() as u64);
        out.extend(digests.iter().flat_map(|digest| digest.0.to_le_bytes()));
    }
}

fn put_option(out: &mut Vec<u8>, number: Option<u64>) {
    out.push(u8::from(number.is_some()));
    put(out, number.unwrap_or_default());
}

/// What is left to read. Every step is `None` where the bytes do not make sense.
struct SnapshotReader<'a>(&'a [u8]);

impl SnapshotReader<'_> {
    fn versions(&mut self, path: &Path) -> Option<Vec<Snapshot>> {
        let name = self.size()?;
        let name = self.take(name)?;
        if name != path.as_os_str().as_encoded_bytes() {
            return None;
        }
        let count = self.size()?;
        let versions: Option<Vec<_>> = (0..count).map(|_| self.snapshot()).collect();
        self.0.is_empty().then_some(versions).flatten()
    }

    fn snapshot(&mut self) -> Option<Snapshot> {
        let scheme = *Scheme::ALL.get(self.size()?)?;
        let (partial, stamp) = self.option()?;
        let (ended, len) = self.option()?;
        let len = usize::try_from(len).ok()?;
        let mut digests = Runs::default();
        for _ in 0..self.size()? {
            let (start, count) = (self.size()?, self.size()?);
            let bytes = self.take(count.checked_mul(8)?)?;
            let (chunks, _) = bytes.as_chunks::<8>();
            let run: Vec<_> = chunks.iter().map(|c| LineDigest(u64::from_le_bytes(*c))).collect();
            digests.insert(start, &run);
        }
        let mut tags = Runs::default();
        for _ in 0..self.size()? {
            let (start, count) = (self.size()?, self.size()?);
            let bytes = self.take(count.checked_mul(4)?)?;
            let run: Option<Vec<_>> = bytes.chunks(4).map(tag).collect();
            tags.insert(start, &run?);
        }
        let known = if partial {
            Known::Part { stamp, len: ended.then_some(len), digests }
        } else {
            Known::Whole(FileLines::from(digests.all(len)?.to_vec()))
        };
        let older_forgotten = *self.take(1)?.first()? == 1;
        let edit = self.edit()?;
        Some(Snapshot { scheme, known, tags, edit, older_forgotten })
    }

    #[expect(clippy::option_option, reason = "the outer is failure, the inner is what was written")]
    fn edit(&mut self) -> Option<Option<OwnEdit>> {
        let (edited, to) = self.option()?;
        let mut hunks = Vec::new();
        let mut done = 0;
        for _ in 0..self.size()? {
            let (old, new) = (self.size()?..self.size()?, self.size()?..self.size()?);
            // Hunks are in order and no range is reversed, or following them would go astray.
            if old.start < done || old.start > old.end || new.start > new.end {
                return None;
            }
            done = old.end;
            hunks.push((old, new));
        }
        Some(edited.then_some(OwnEdit { to, hunks }))
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let (taken, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*taken))
    }

    fn size(&mut self) -> Option<usize> {
        // No place in a file is above 2^32, so that sums of two cannot overflow.
        let number = self.number()?;
        u32::try_from(number).ok().map(|number| number as usize)
    }

    /// Whether there is a number, and the number.
    fn option(&mut self) -> Option<(bool, u64)> {
        let present = *self.take(1)?.first()?;
        Some((present == 1, self.number()?))
    }
}

fn tag(padded: &[u8]) -> Option<Tag> {
    Tag::new(str::from_utf8(padded).ok()?.trim_end_matches('\0'))
}

/// A name for the file that holds the versions of `path`; different paths may share one.
pub(crate) fn file_name(path: &Path) -> PathBuf {
    let digest = Digest::of(path.as_os_str().as_encoded_bytes());
    PathBuf::from(format!("{:016x}.seen", digest.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, LineNumber, Listing, Span};

    fn versions() -> Vec<Arc<Snapshot>> {
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
        all.chain([part, edited, Snapshot::whole(Scheme::Cid, Vec::new())]).map(Arc::new).collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let path = Path::new("src/a b.rs");
        let versions = versions();
        let read = decode(path, &encode(path, &versions)).unwrap();
        assert!(read.iter().eq(versions.iter().map(|version| &**version)));
        assert_eq!(decode(path, &encode(path, &[])), Ok(Vec::new()));
    }

    #[test]
    fn no_damage_goes_unnoticed() {
        let path = Path::new("f");
        let bytes = encode(path, &versions());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x20;
            assert!(decode(path, &damaged).is_err(), "byte {at}");
            assert!(decode(path, &bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(decode(Path::new("g"), &bytes).is_err(), "another path");
    }

    #[test]
    fn a_lie_with_a_good_checksum_is_refused_too() {
        let path = Path::new("f");
        let good = encode(path, &versions());
        for at in MAGIC.len()..good.len() - 8 {
            let mut lie = good[..good.len() - 8].to_vec();
            lie[at] = 0xff;
            let checksum = Digest::of(&lie);
            put(&mut lie, checksum.0);
            // It may say something else, but it must not panic or take all memory.
            let _ = decode(path, &lie);
        }
    }
}
