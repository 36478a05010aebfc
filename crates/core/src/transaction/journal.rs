//! The journal: a record written before the first file is touched.
//!
//! A journal says what a transaction is about to do, in enough detail that any process can roll it
//! back or finish it. It is written once; later one byte of it is changed to say that the work is
//! done, and the journal becomes the receipt that `undo` needs.
//!
//! Following a journal means writing to files, so [`JournalRecord::read`] trusts nothing in it:
//! every path must be one that this session may write to, and every temporary name must be one of
//! ours.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::codec::{MARK_AT, decode, encode, mark};
use super::step::DiskStep;
use crate::fs::{Belongings, Disk, Like};
use hashline_text::{Digest, SharedBytes};

/// The ending of a journal's name while work is under way.
pub(super) const ENDING: &str = ".journal";
/// The ending of a journal's name before any file may be touched, and after it is no longer to be
/// followed.
pub(super) const UNFINISHED: &str = ".new";
/// The ending of a journal's name when the work is done and can be undone.
pub(super) const RECEIPT: &str = ".undo";
/// The ending of the name of an undo's journal when the work is done and can be redone.
pub(super) const REDO: &str = ".redo";
/// The ending of the name of a journal that was set aside for a person to look at.
pub(super) const CONFLICT: &str = ".conflict";
/// The ending of the name of a file with the old content of a file that a set-aside journal
/// changed.
pub(super) const BEFORE: &str = ".before";

/// The beginning of the name of every temporary file.
pub(super) const TEMPORARY: &str = ".hashline-";

/// What a transaction does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JournalRecord {
    /// The name of the transaction.
    pub id: String,
    /// The root of the workspace.
    pub root: PathBuf,
    /// The directories to create, outermost first.
    pub new_dirs: Vec<PathBuf>,
    /// The directories to remove afterwards if they are empty, innermost first.
    pub removed_dirs: Vec<PathBuf>,
    /// The file name of the receipt that it undoes or redoes, if it does.
    pub undoes: Option<String>,
    /// The changes as a person sees them.
    pub changes: Vec<PastChange>,
    /// The steps on the disk, each with the index of the change it belongs to.
    pub steps: Vec<(usize, DiskStep)>,
}

/// One change to a file, as a person sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PastChange {
    /// The path of the file before the change; `None` if there was none.
    pub before: Option<PathBuf>,
    /// The path of the file after the change; `None` if it is removed.
    pub after: Option<PathBuf>,
    /// The old content of the file; `None` if there was no file.
    pub old: Option<OldContent>,
    /// The fingerprint of the new content; `None` if the file is removed.
    pub new: Option<Fingerprint>,
    /// The permissions of the file.
    pub mode: u32,
    /// Its other metadata, if it is removed: afterwards there is no file to read that from.
    pub belongings: Belongings,
}

/// The content that a file had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OldContent {
    /// The fingerprint by which it is recognised.
    pub print: Fingerprint,
    /// The content itself, unless it was too large to keep.
    pub bytes: Option<SharedBytes>,
}

/// The length and digest by which a content is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint {
    pub len: u64,
    pub digest: u64,
}

impl Fingerprint {
    /// The fingerprint of some bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self { len: bytes.len() as u64, digest: Digest::of(bytes).0 }
    }
}

impl PastChange {
    /// The path a person would name.
    pub(super) fn path(&self) -> Option<&Path> {
        self.before.as_deref().or(self.after.as_deref())
    }

    /// The old content, if it is known.
    pub(super) fn old_bytes(&self) -> Option<&[u8]> {
        self.old.as_ref()?.bytes.as_deref()
    }

    /// The fingerprint of the old content.
    pub(super) fn old_print(&self) -> Option<Fingerprint> {
        self.old.as_ref().map(|old| old.print)
    }
}

/// Why a journal is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JournalError {
    /// Another version of this program wrote it, or it is for another workspace.
    #[error("it is from another version or for another workspace")]
    Foreign,
    /// Its bytes are not those that were written.
    #[error("it is damaged")]
    Damaged,
    /// The journal names files outside the workspace, which this session may not write to.
    #[error("it names files outside the workspace, where nothing is written")]
    Outside,
    /// The journal names files that this program would never have named.
    #[error("it names files that hashline would not have named")]
    Forged,
}

/// Which files a journal may name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// The root whose journals are read.
    pub root: &'a Path,
    /// All roots of the workspace that `root` belongs to.
    pub roots: &'a [PathBuf],
    /// Whether files outside the workspace may be written.
    pub outside: bool,
}

impl JournalRecord {
    /// Reads a journal or a receipt, and whether its work is done. Checks that every file it names
    /// is allowed.
    pub(super) fn read(bytes: &[u8], bounds: Bounds<'_>) -> Result<(bool, Self), JournalError> {
        let (is_done, record) = decode(bytes)?;
        if record.root != bounds.root {
            return Err(JournalError::Foreign);
        }
        if !is_id(&record.id) || record.undoes.as_deref().is_some_and(|name| !is_receipt(name)) {
            return Err(JournalError::Forged);
        }
        for path in record.paths() {
            bounds.check(path)?;
        }
        for (change, step) in &record.steps {
            // The decoder checked that this index exists.
            let past = &record.changes[*change];
            let known = |path: &Path| {
                past.before.as_deref() == Some(path) || past.after.as_deref() == Some(path)
            };
            let ours = |path: &Path| is_temporary_beside(path, step.target(), &record.id);
            if !step.changed_paths().all(known) || !step.temporary().iter().all(|path| ours(path)) {
                return Err(JournalError::Forged);
            }
        }
        Ok((is_done, record))
    }

    /// Every file and directory that the transaction changes, without temporary ones.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let files = self.changes.iter().flat_map(|past| past.before.iter().chain(&past.after));
        self.new_dirs.iter().chain(&self.removed_dirs).chain(files)
    }

    /// The changed files, each by the path that a person would name.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.changes.iter().filter_map(PastChange::path).map(Path::to_owned).collect()
    }
}

impl Bounds<'_> {
    fn check(&self, path: &Path) -> Result<(), JournalError> {
        let plain = path.is_absolute()
            && path.file_name().is_some()
            && path.components().all(|part| part != Component::ParentDir);
        if !plain {
            return Err(JournalError::Forged);
        }
        let is_inside = |root: &Path| path.starts_with(root) && path != root;
        let inside = is_inside(self.root) || self.roots.iter().any(|root| is_inside(root));
        if inside || self.outside { Ok(()) } else { Err(JournalError::Outside) }
    }
}

/// Whether this is a transaction's name: two hexadecimal numbers joined by a hyphen.
fn is_id(name: &str) -> bool {
    let hex = |part: &str| {
        !part.is_empty() && part.len() <= 40 && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    name.split_once('-').is_some_and(|(process, time)| hex(process) && hex(time))
}

/// Whether this is the file name of a receipt, for undo or redo.
fn is_receipt(name: &str) -> bool {
    name.strip_suffix(RECEIPT).or(name.strip_suffix(REDO)).is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a path is a temporary file of the transaction `id`, in the directory of `target`.
fn is_temporary_beside(path: &Path, target: &Path, id: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| {
        let rest = name.strip_prefix(TEMPORARY)?.strip_prefix(id)?.strip_prefix('-')?;
        rest.strip_suffix(".tmp").or_else(|| rest.strip_suffix(".old"))
    });
    path.parent() == target.parent() && number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// A journal on the disk.
#[derive(Debug)]
pub(super) struct Journal {
    /// Where the journal is.
    pub path: PathBuf,
}

impl Journal {
    /// Writes a record down under the name of a journal that has not begun. With `sync`, it is on
    /// the medium when this returns, so that no temporary file can outlive its journal.
    pub(super) fn create(
        disk: &dyn Disk,
        directory: &Path,
        record: &JournalRecord,
        sync: bool,
    ) -> io::Result<Self> {
        let bytes = encode(record, false)?;
        let path = directory.join(format!("{}{UNFINISHED}", record.id));
        let created = disk.create(&path, &bytes, &Like::Private);
        let written = match created {
            Ok(file) if sync => disk.sync(&file),
            created => created.map(drop),
        };
        if written.is_err() {
            // Only the first error is reported; the next writer removes anything this leaves.
            let _ = disk.remove(&path);
        }
        written.map(|()| Self { path })
    }

    /// Gives it the name of a journal whose steps may have been performed. That survives a loss of
    /// power only once its directory is synced.
    pub(super) fn begin(&mut self, disk: &dyn Disk) -> io::Result<()> {
        let path = self.path.with_extension(&ENDING[1..]);
        let begun = disk.rename(&self.path, &path);
        // Even if it failed, the disk may have renamed the file.
        self.path = path;
        begun
    }

    /// Replaces a receipt by another record; a crash leaves one or the other.
    pub(super) fn replace(
        disk: &dyn Disk,
        receipt: &Path,
        record: &JournalRecord,
        sync: bool,
    ) -> io::Result<()> {
        let bytes = encode(record, true)?;
        let unfinished = receipt.with_extension(&UNFINISHED[1..]);
        disk.create(&unfinished, &bytes, &Like::Private).and_then(|file| {
            if sync {
                disk.sync(&file)?;
            }
            disk.rename(&unfinished, receipt)
        })
    }

    /// Writes down whether the work is done.
    pub(super) fn mark(&self, disk: &dyn Disk, is_done: bool, sync: bool) -> io::Result<()> {
        disk.write_at(&self.path, MARK_AT, &[mark(is_done)], sync)
    }
}

/// Removes journals or receipts that are not to be followed any more.
///
/// On a file system without a journal, a loss of power can bring back the name of a removed file,
/// leading to some other file. So with `sync` each journal first gets a name that is never
/// followed.
pub(super) fn retire(disk: &dyn Disk, journals: &[&Path], sync: bool) -> io::Result<()> {
    let retired: Vec<_> =
        journals.iter().map(|path| path.with_extension(&UNFINISHED[1..])).collect();
    for (journal, retired) in journals.iter().zip(&retired) {
        match if sync { disk.rename(journal, retired) } else { disk.remove(journal) } {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let directory = retired.first().and_then(|path| path.parent()).filter(|_| sync);
    // The next writer removes anything that remains.
    if directory.is_none_or(|directory| disk.sync_directory(directory).is_ok()) {
        for path in &retired {
            let _ = disk.remove(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        PathBuf::from(name)
    }

    /// A journal as we write it.
    fn honest() -> JournalRecord {
        let temporary = |number| path(&format!("/w/d/.hashline-1f-5a0-{number}"));
        JournalRecord {
            id: "1f-5a0".to_owned(),
            root: path("/w"),
            new_dirs: vec![path("/w/d")],
            removed_dirs: Vec::new(),
            undoes: Some("00000007.undo".to_owned()),
            changes: vec![PastChange {
                before: Some(path("/w/d/a")),
                after: Some(path("/w/d/a")),
                old: None,
                new: None,
                mode: 0o644,
                belongings: Belongings::default(),
            }],
            steps: vec![(
                0,
                DiskStep::Replace { path: path("/w/d/a"), staged: temporary("1.tmp"), inode: 7 },
            )],
        }
    }

    fn read(record: &JournalRecord, outside: bool) -> Result<(), JournalError> {
        let bounds = Bounds { root: Path::new("/w"), roots: &[], outside };
        JournalRecord::read(&encode(record, false).unwrap(), bounds).map(|_| ())
    }

    #[test]
    fn a_journal_may_name_only_files_of_the_workspace() {
        use JournalError::{Foreign, Forged, Outside};
        type Forgery = fn(&mut JournalRecord);
        assert_eq!(read(&honest(), false), Ok(()));
        let check = |name: &str, forge: Forgery, expected: JournalError| {
            let mut record = honest();
            forge(&mut record);
            assert_eq!(read(&record, false), Err(expected), "{name}");
        };
        check("another workspace", |record| record.root = path("/v"), Foreign);
        check("a directory outside", |record| record.new_dirs = vec![path("/etc/cron.d")], Outside);
        check("the workspace itself", |record| record.removed_dirs = vec![path("/w")], Outside);
        check("a file outside", |record| record.changes[0].after = Some(path("/etc/x")), Outside);
        check("dots", |record| record.changes[0].before = Some(path("/w/../etc/x")), Forged);
        check("a relative path", |record| record.new_dirs = vec![path("d")], Forged);
        check("an id with a path", |record| record.id = "../1f-5a0".to_owned(), Forged);
        let receipt: Forgery = |record| record.undoes = Some("../../x".to_owned());
        check("a receipt elsewhere", receipt, Forged);
        let step = |record: &mut JournalRecord, staged: &str, target: &str| {
            record.steps[0].1 = DiskStep::Create { path: path(target), staged: path(staged) };
        };
        for (staged, target) in [
            ("/w/d/a", "/w/d/a"),
            ("/w/secret", "/w/d/a"),
            ("/w/.hashline-1f-5a0-1.tmp", "/w/d/a"),
            ("/w/d/.hashline-1f-5a1-1.tmp", "/w/d/a"),
            ("/w/d/.hashline-1f-5a0-x.tmp", "/w/d/a"),
            ("/w/d/.hashline-1f-5a0-1.tmp", "/w/d/b"),
        ] {
            let mut record = honest();
            step(&mut record, staged, target);
            assert_eq!(read(&record, false), Err(Forged), "{staged} {target}");
        }
    }

    #[test]
    fn files_outside_are_written_if_the_reader_allows_it() {
        let mut record = honest();
        record.new_dirs = vec![path("/elsewhere/d")];
        assert_eq!(read(&record, false), Err(JournalError::Outside));
        assert_eq!(read(&record, true), Ok(()));
        record.new_dirs = vec![path("/elsewhere/../d")];
        assert_eq!(read(&record, true), Err(JournalError::Forged));
    }
}
