//! A journal as bytes: a header that says whether the work is done, a digest, and the record.

use std::io;
use std::path::PathBuf;

use super::journal::{Fingerprint, JournalError, JournalRecord, OldContent, PastChange};
use super::step::DiskStep;
use crate::coded::{Coded, fields_in_order, put_bytes, take_bytes};
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

/// The record as bytes; an error if one of its paths cannot be expressed as bytes.
pub(super) fn encode(record: &JournalRecord, is_done: bool) -> io::Result<Vec<u8>> {
    if std::iter::once(&record.root).chain(record.paths()).any(|path| path_bytes(path).is_none()) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let mut body = Vec::new();
    record.put(&mut body);
    let mut bytes = Vec::with_capacity(HEADER + 8 + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend([VERSION, mark(is_done)]);
    bytes.extend(Digest::of(&body).0.to_le_bytes());
    bytes.append(&mut body);
    Ok(bytes)
}

/// Reads what [`encode`] wrote: whether the work is done, and the record. Whether the record may be
/// followed is not checked here.
pub(super) fn decode(bytes: &[u8]) -> Result<(bool, JournalRecord), JournalError> {
    let (header, rest) = bytes.split_at_checked(HEADER).ok_or(JournalError::Damaged)?;
    if header[..15] != *MAGIC || header[15] != VERSION {
        return Err(JournalError::Foreign);
    }
    let marks = [false, true];
    let is_done = marks.into_iter().find(|is_done| mark(*is_done) == header[16]);
    let is_done = is_done.ok_or(JournalError::Damaged)?;
    let (digest, mut body) = rest.split_first_chunk().ok_or(JournalError::Damaged)?;
    if Digest::of(body).0 != u64::from_le_bytes(*digest) {
        return Err(JournalError::Damaged);
    }
    let record = JournalRecord::take(&mut body).ok_or(JournalError::Damaged)?;
    let known = record.steps.iter().all(|(change, _)| *change < record.changes.len());
    if known && body.is_empty() { Ok((is_done, record)) } else { Err(JournalError::Damaged) }
}

fields_in_order! {
    JournalRecord { id, root, new_dirs, removed_dirs, undoes, changes, steps }
    PastChange { before, after, old, new, mode, belongings }
    OldContent { print, bytes }
    Fingerprint { len, digest }
    Belongings { owner, attributes }
}

/// A step is written as a byte for its kind, then its fields in this order.
macro_rules! steps_by_byte {
    ($($byte:literal = $step:ident { $($field:ident),* })*) => {
        impl Coded for DiskStep {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$step { $($field),* } => {
                        out.push($byte);
                        $($field.put(out);)*
                    })*
                }
            }

            fn take(from: &mut &[u8]) -> Option<Self> {
                Some(match u8::take(from)? {
                    $($byte => Self::$step { $($field: Coded::take(from)?),* },)*
                    _ => return None,
                })
            }
        }
    };
}

steps_by_byte! {
    0 = Replace { path, staged, inode }
    1 = Create { path, staged }
    2 = Remove { path, kept }
    3 = Move { from, to, through }
    4 = Rewrite { path, new }
}

impl Coded for PathBuf {
    fn put(&self, out: &mut Vec<u8>) {
        put_bytes(path_bytes(self).unwrap_or_default(), out);
    }

    fn take(from: &mut &[u8]) -> Option<Self> {
        path_from_bytes(take_bytes(from)?)
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
            new_dirs: vec![path("/w/d")],
            removed_dirs: vec![path("/w/e")],
            undoes: Some("7.undo".to_owned()),
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
