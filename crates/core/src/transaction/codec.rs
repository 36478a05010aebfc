//! A journal as bytes: a header that says whether the work is done, a digest, and the record.

use std::io;
use std::path::PathBuf;

use super::journal::{Fingerprint, JournalError, JournalRecord, OldContent, PastChange};
use super::step::DiskStep;
use crate::fs::{Belongings, path_bytes, path_from_bytes};
use hashline_text::Digest;

const MAGIC: &[u8; 15] = b"hashline-commit";
const VERSION: u8 = 3;
/// The offset of the byte that says whether the work is done.
pub(super) const MARK_AT: u64 = 16;
const HEADER: usize = 17;

/// The byte that says whether the work is done.
pub(super) fn mark(is_done: bool) -> u8 {
    if is_done { b'D' } else { b'P' }
}

/// The record as bytes.
pub(super) fn encode(record: &JournalRecord, is_done: bool) -> io::Result<Vec<u8>> {
    let mut out = Encoder(Vec::new());
    out.text(&record.id);
    out.path(&record.root)?;
    out.list(&record.made, Encoder::path)?;
    out.list(&record.unmade, Encoder::path)?;
    out.maybe(record.takes_back.as_ref(), |out, name| {
        out.text(name);
        Ok(())
    })?;
    out.list(&record.changes, Encoder::past)?;
    out.list(&record.steps, |out, (change, step)| {
        out.number(*change as u64);
        out.step(step)
    })?;
    let mut bytes = Vec::with_capacity(HEADER + 8 + out.0.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend([VERSION, mark(is_done)]);
    bytes.extend(Digest::of(&out.0).0.to_le_bytes());
    bytes.append(&mut out.0);
    Ok(bytes)
}

/// Whether the work is done, and the record, of what [`encode`] wrote. What the record says is not checked here.
pub(super) fn decode(bytes: &[u8]) -> Result<(bool, JournalRecord), JournalError> {
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or(JournalError::Damaged)?;
    if header[..15] != *MAGIC || header[15] != VERSION {
        return Err(JournalError::Foreign);
    }
    let marks = [false, true];
    let is_done = marks.into_iter().find(|is_done| mark(*is_done) == header[16]);
    let is_done = is_done.ok_or(JournalError::Damaged)?;
    let (digest, body) = rest.split_first_chunk().ok_or(JournalError::Damaged)?;
    if Digest::of(body).0 != u64::from_le_bytes(*digest) {
        return Err(JournalError::Damaged);
    }
    let record = Decoder(body).record().ok_or(JournalError::Damaged)?;
    Ok((is_done, record))
}

struct Encoder(Vec<u8>);

impl Encoder {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    #[expect(clippy::ptr_arg, reason = "it is called on the items of a list of these")]
    fn path(&mut self, path: &PathBuf) -> io::Result<()> {
        let bytes = path_bytes(path).ok_or(io::ErrorKind::InvalidFilename)?;
        self.bytes(bytes);
        Ok(())
    }

    fn list<T>(
        &mut self,
        items: &[T],
        mut each: impl FnMut(&mut Self, &T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.number(items.len() as u64);
        items.iter().try_for_each(|item| each(self, item))
    }

    fn maybe<T>(
        &mut self,
        item: Option<T>,
        each: impl FnOnce(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.push(u8::from(item.is_some()));
        item.map_or(Ok(()), |item| each(self, item))
    }

    fn print(&mut self, print: Fingerprint) {
        self.number(print.len);
        self.number(print.digest);
    }

    fn past(&mut self, past: &PastChange) -> io::Result<()> {
        self.maybe(past.before.as_ref(), Self::path)?;
        self.maybe(past.after.as_ref(), Self::path)?;
        self.maybe(past.old.as_ref(), |out, old| {
            out.print(old.print);
            out.maybe(old.bytes.as_ref(), |out, bytes| {
                out.bytes(bytes);
                Ok(())
            })
        })?;
        self.maybe(past.new, |out, print| {
            out.print(print);
            Ok(())
        })?;
        self.number(u64::from(past.mode));
        self.maybe(past.belongings.owner, |out, (user, group)| {
            out.number(u64::from(user));
            out.number(u64::from(group));
            Ok(())
        })?;
        self.list(&past.belongings.attributes, |out, (name, value)| {
            out.bytes(name);
            out.bytes(value);
            Ok(())
        })
    }

    fn step(&mut self, step: &DiskStep) -> io::Result<()> {
        match step {
            DiskStep::Replace { path, staged, inode } => {
                self.0.push(0);
                self.path(path)?;
                self.path(staged)?;
                self.number(*inode);
            }
            DiskStep::Create { path, staged } => {
                self.0.push(1);
                self.path(path)?;
                self.path(staged)?;
            }
            DiskStep::Remove { path, kept } => {
                self.0.push(2);
                self.path(path)?;
                self.path(kept)?;
            }
            DiskStep::Move { from, to, through } => {
                self.0.push(3);
                self.path(from)?;
                self.path(to)?;
                self.maybe(through.as_ref(), Self::path)?;
            }
            DiskStep::Rewrite { path, new } => {
                self.0.push(4);
                self.path(path)?;
                self.bytes(new);
            }
        }
        Ok(())
    }
}

struct Decoder<'a>(&'a [u8]);

impl Decoder<'_> {
    fn record(mut self) -> Option<JournalRecord> {
        let record = JournalRecord {
            id: self.text()?,
            root: self.path()?,
            made: self.list(Self::path)?,
            unmade: self.list(Self::path)?,
            takes_back: self.maybe(Self::text)?,
            changes: self.list(Self::past)?,
            steps: self.list(|from| Some((usize::try_from(from.number()?).ok()?, from.step()?)))?,
        };
        let known = record.steps.iter().all(|(change, _)| *change < record.changes.len());
        (known && self.0.is_empty()).then_some(record)
    }

    fn byte(&mut self) -> Option<u8> {
        self.0.split_off_first().copied()
    }

    fn number(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*bytes))
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.number()?).ok()?;
        self.0.split_off(..len).map(<[u8]>::to_vec)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    fn path(&mut self) -> Option<PathBuf> {
        path_from_bytes(&self.bytes()?)
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.number()?;
        (0..len).map(|_| each(self)).collect()
    }

    #[expect(clippy::option_option, reason = "the outer is failure, the inner is what was written")]
    fn maybe<T>(&mut self, each: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.byte()? {
            0 => Some(None),
            1 => Some(Some(each(self)?)),
            _ => None,
        }
    }

    fn print(&mut self) -> Option<Fingerprint> {
        Some(Fingerprint { len: self.number()?, digest: self.number()? })
    }

    fn past(&mut self) -> Option<PastChange> {
        Some(PastChange {
            before: self.maybe(Self::path)?,
            after: self.maybe(Self::path)?,
            old: self.maybe(|from| {
                Some(OldContent {
                    print: from.print()?,
                    bytes: from.maybe(Self::bytes)?.map(Into::into),
                })
            })?,
            new: self.maybe(Self::print)?,
            mode: u32::try_from(self.number()?).ok()?,
            belongings: self.belongings()?,
        })
    }

    fn belongings(&mut self) -> Option<Belongings> {
        let number = |from: &mut Self| u32::try_from(from.number()?).ok();
        Some(Belongings {
            owner: self.maybe(|from| Some((number(from)?, number(from)?)))?,
            attributes: self.list(|from| Some((from.bytes()?, from.bytes()?)))?,
        })
    }

    fn step(&mut self) -> Option<DiskStep> {
        Some(match self.byte()? {
            0 => DiskStep::Replace {
                path: self.path()?,
                staged: self.path()?,
                inode: self.number()?,
            },
            1 => DiskStep::Create { path: self.path()?, staged: self.path()? },
            2 => DiskStep::Remove { path: self.path()?, kept: self.path()? },
            3 => DiskStep::Move {
                from: self.path()?,
                to: self.path()?,
                through: self.maybe(Self::path)?,
            },
            4 => DiskStep::Rewrite { path: self.path()?, new: self.bytes()?.into() },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> JournalRecord {
        let old =
            OldContent { print: Fingerprint::of(b"old"), bytes: Some(b"old".to_vec().into()) };
        let path = |name: &str| PathBuf::from(name);
        JournalRecord {
            id: "1-2".to_owned(),
            root: path("/w"),
            made: vec![path("/w/d")],
            unmade: vec![path("/w/e")],
            takes_back: Some("7.undo".to_owned()),
            changes: vec![PastChange {
                before: Some(path("/w/a")),
                after: None,
                old: Some(old),
                new: Some(Fingerprint::of(b"")),
                mode: 0o644,
                belongings: Belongings {
                    owner: Some((1000, 100)),
                    attributes: vec![(b"user.a".to_vec(), b"1".to_vec())],
                },
            }],
            steps: vec![
                (0, DiskStep::Replace { path: path("a"), staged: path("b"), inode: 7 }),
                (0, DiskStep::Create { path: path("a"), staged: path("b") }),
                (0, DiskStep::Remove { path: path("a"), kept: path("b") }),
                (0, DiskStep::Move { from: path("a"), to: path("b"), through: Some(path("c")) }),
                (0, DiskStep::Rewrite { path: path("a"), new: b"new".to_vec().into() }),
            ],
        }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        for is_done in [false, true] {
            let bytes = encode(&record(), is_done).unwrap();
            assert_eq!(decode(&bytes), Ok((is_done, record())));
        }
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let bytes = encode(&record(), true).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(decode(&damaged).is_err(), "byte {at}");
            assert!(decode(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}
