//! A loss of power on any file system that keeps its promises: every order in which operations that
//! were not synced can reach the medium.
//!
//! The power-loss rig (`__test__/powerloss`) cuts the power of real file systems, which needs root
//! and FUSE. Here the operations of a transaction are recorded as they go through [`Disk`]; a model
//! then makes what could be on the medium after a cut at any of them: everything that was synced,
//! and any part of the rest, in order. Each state is laid out in a directory and recovered.
//!
//! A name can be on the medium before what it leads to. Then a new file is empty, or full of zeros, or,
//! where its number was another's before and the file system has no journal, it is that other file or
//! directory; and so is a new directory. In the same way a name whose removal was not synced can lead to
//! what another program wrote since.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

use crate::testing::Workdir;
use crate::tree::{Tree, changes, lay_out, tree, without_litter};
use hashline::fs::{Disk, Facts, Like, OwnBytes, RealDisk};
use hashline::transaction::{DiskChange, Durability, FileAction, Ledger, Transaction};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Where fewer operations than this are open, every subset of them is tried, otherwise a sample.
const ALL_SUBSETS: usize = 5;
const SAMPLES: usize = 24;

/// One operation that the medium may or may not have.
#[derive(Clone, Debug)]
enum Operation {
    MakeDirectory(PathBuf),
    RemoveDirectory(PathBuf),
    /// A new file with this content; its bytes are open until the file is synced.
    Create(PathBuf, Vec<u8>),
    /// The file's bytes are this from now on.
    Overwrite(PathBuf, Vec<u8>),
    Exchange(PathBuf, PathBuf),
    Link(PathBuf, PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    /// The bytes of the file that had this name are on the medium.
    SyncFile(PathBuf),
    /// The names in the directory are on the medium.
    SyncDirectory(PathBuf),
    /// The transaction was reported as made.
    Acknowledged,
}

/// The real disk, which records the calls.
#[derive(Debug, Default)]
struct RecordingDisk {
    inner: RealDisk,
    operations: Mutex<Vec<Operation>>,
    /// The name under which each file was created, by its number.
    created: Mutex<HashMap<u64, PathBuf>>,
    /// Files that have no name yet, by their number.
    nameless: Mutex<HashMap<u64, Nameless>>,
    /// What kind of file system it is.
    kind: Kind,
}

/// What a file system keeps of what was not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Kind {
    /// It has a journal, and files without a name.
    #[default]
    Journalling,
    /// It has neither. Until a removal is on the medium, the place of the removed file may have been given
    /// to another.
    Plain,
}

#[derive(Debug)]
struct Nameless {
    content: Vec<u8>,
    synced: bool,
}

impl RecordingDisk {
    fn note(&self, operation: Operation) {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner).push(operation);
    }

    fn taken(&self) -> Vec<Operation> {
        self.operations.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Disk for RecordingDisk {
    fn close_directories(&self) {
        self.inner.close_directories();
    }

    fn look(&self, path: &Path) -> io::Result<Option<Facts>> {
        self.inner.look(path)
    }

    fn writable(&self, path: &Path) -> io::Result<bool> {
        self.inner.writable(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.inner.read(path)
    }

    fn read_own(&self, path: &Path) -> io::Result<OwnBytes> {
        self.inner.read_own(path)
    }

    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        self.inner.names(directory)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        self.inner.make_directory(path)?;
        self.note(Operation::MakeDirectory(path.to_owned()));
        Ok(())
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.inner.remove_directory(path)?;
        self.note(Operation::RemoveDirectory(path.to_owned()));
        Ok(())
    }

    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        let file = self.inner.create(path, content, like)?;
        let number = file.metadata()?.ino();
        let mut created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        created.insert(number, path.to_owned());
        self.note(Operation::Create(path.to_owned(), content.to_vec()));
        Ok(file)
    }

    fn create_nameless(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File> {
        if self.kind == Kind::Plain {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let file = self.inner.create_nameless(path, content, like)?;
        let number = file.metadata()?.ino();
        let mut nameless = self.nameless.lock().unwrap_or_else(PoisonError::into_inner);
        nameless.insert(number, Nameless { content: content.to_vec(), synced: false });
        Ok(file)
    }

    fn name(&self, file: &File, path: &Path) -> io::Result<()> {
        self.inner.name(file, path)?;
        let number = file.metadata()?.ino();
        let mut nameless = self.nameless.lock().unwrap_or_else(PoisonError::into_inner);
        let Nameless { content, synced } = nameless.remove(&number).expect("it had no name");
        // To the model it is a new file, whose bytes may be there already.
        self.note(Operation::Create(path.to_owned(), content));
        if synced {
            self.note(Operation::SyncFile(path.to_owned()));
        }
        Ok(())
    }

    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()> {
        self.inner.write_at(path, offset, bytes, false)?;
        self.note(Operation::Overwrite(path.to_owned(), self.inner.read(path)?));
        if sync {
            self.note(Operation::SyncFile(path.to_owned()));
        }
        Ok(())
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        let number = file.metadata()?.ino();
        let mut nameless = self.nameless.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = nameless.get_mut(&number) {
            file.synced = true;
            return Ok(());
        }
        let created = self.created.lock().unwrap_or_else(PoisonError::into_inner);
        let path = created.get(&number).expect("only new files are synced by their handle");
        self.note(Operation::SyncFile(path.clone()));
        Ok(())
    }

    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()> {
        self.inner.overwrite(path, content, false)?;
        self.note(Operation::Overwrite(path.to_owned(), content.to_vec()));
        if sync {
            self.note(Operation::SyncFile(path.to_owned()));
        }
        Ok(())
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.inner.exchange(one, other)?;
        self.note(Operation::Exchange(one.to_owned(), other.to_owned()));
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.link(from, to)?;
        self.note(Operation::Link(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename(from, to)?;
        self.note(Operation::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.inner.rename_new(from, to)?;
        self.note(Operation::Rename(from.to_owned(), to.to_owned()));
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.inner.remove(path)?;
        self.note(Operation::Remove(path.to_owned()));
        Ok(())
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.note(Operation::SyncDirectory(path.to_owned()));
        Ok(())
    }
}

/// A file system as a value: names and the files behind them.
#[derive(Clone, Default)]
struct Medium {
    names: BTreeMap<PathBuf, Option<usize>>,
    files: Vec<Vec<u8>>,
}

impl Medium {
    /// What is below a directory now.
    fn of(directory: &Path) -> Self {
        let mut medium = Self::default();
        let mut known = HashMap::new();
        medium.take(directory, &mut known);
        medium
    }

    fn take(&mut self, directory: &Path, known: &mut HashMap<u64, usize>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let metadata = path.symlink_metadata().unwrap();
            if metadata.is_dir() {
                self.names.insert(path.clone(), None);
                self.take(&path, known);
                continue;
            }
            let file = *known.entry(metadata.ino()).or_insert_with(|| {
                self.files.push(fs::read(&path).unwrap());
                self.files.len() - 1
            });
            self.names.insert(path, Some(file));
        }
    }

    /// Does an operation, if what it needs is there.
    fn perform(&mut self, operation: &Operation) {
        match operation {
            Operation::MakeDirectory(path) => {
                if path.parent().is_some_and(|parent| self.has_directory(parent)) {
                    self.names.entry(path.clone()).or_insert(None);
                }
            }
            Operation::RemoveDirectory(path) => {
                let empty = !self.names.keys().any(|name| name != path && name.starts_with(path));
                if empty {
                    self.names.remove(path);
                }
            }
            Operation::Create(path, content) => {
                if path.parent().is_some_and(|parent| self.has_directory(parent)) {
                    self.files.push(content.clone());
                    self.names.insert(path.clone(), Some(self.files.len() - 1));
                }
            }
            Operation::Overwrite(path, content) => {
                if let Some(Some(file)) = self.names.get(path) {
                    self.files[*file].clone_from(content);
                }
            }
            Operation::Exchange(one, other) => {
                if let (Some(first), Some(second)) = (self.file(one), self.file(other)) {
                    self.names.insert(one.clone(), Some(second));
                    self.names.insert(other.clone(), Some(first));
                }
            }
            Operation::Link(from, to) => {
                if let Some(file) = self.file(from) {
                    self.names.insert(to.clone(), Some(file));
                }
            }
            Operation::Rename(from, to) => {
                let fits = to.parent().is_some_and(|parent| self.has_directory(parent));
                if let Some(what) = self.names.get(from).copied().filter(|_| fits) {
                    let below = |name: &PathBuf| name != from && name.starts_with(from);
                    // What is in a directory goes with it; no directory of ours has anything in it then.
                    assert!(!self.names.keys().any(below), "{} is not empty", from.display());
                    self.names.remove(from);
                    self.names.insert(to.clone(), what);
                }
            }
            Operation::Remove(path) => {
                if self.file(path).is_some() {
                    self.names.remove(path);
                }
            }
            Operation::SyncFile(_) | Operation::SyncDirectory(_) | Operation::Acknowledged => {}
        }
    }

    /// The bytes of some file that is there or was.
    fn another(&self, seed: &mut u64) -> Vec<u8> {
        self.files[roll(seed, self.files.len())].clone()
    }

    /// Gives the place of a file that was removed to another, if no other name leads to the file.
    fn reuse(&mut self, path: &Path, seed: &mut u64) {
        let Some(file) = self.file(path) else { return };
        if self.names.values().filter(|other| **other == Some(file)).count() == 1 {
            self.files[file] = self.another(seed);
        }
    }

    fn file(&self, path: &Path) -> Option<usize> {
        self.names.get(path).copied().flatten()
    }

    fn has_directory(&self, path: &Path) -> bool {
        if let Some(file) = self.names.get(path) {
            return file.is_none();
        }
        // What is above the workspace was there all the time.
        !self.names.keys().next().is_some_and(|first| path.starts_with(first.parent().unwrap()))
            || self.names.keys().any(|name| name.parent() == Some(path))
    }

    /// Makes a directory hold just this.
    fn lay_out(&self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
        let mut first = HashMap::new();
        for (path, file) in &self.names {
            let Some(file) = file else {
                fs::create_dir_all(path).unwrap();
                std::os::unix::fs::PermissionsExt::set_mode(
                    &mut fs::metadata(path).unwrap().permissions(),
                    0o700,
                );
                continue;
            };
            if let Some(known) = first.get(file) {
                fs::hard_link(known, path).unwrap();
            } else {
                fs::write(path, &self.files[*file]).unwrap();
                first.insert(*file, path.clone());
            }
        }
    }
}

/// Which of the first `count` operations are on the medium for sure.
fn synced(operations: &[Operation]) -> BTreeSet<usize> {
    let mut sure = BTreeSet::new();
    for (at, operation) in operations.iter().enumerate() {
        let before = operations[..at].iter().enumerate();
        match operation {
            Operation::SyncDirectory(directory) => {
                let is_here = |path: &PathBuf| path.parent() == Some(directory);
                sure.extend(before.filter_map(|(at, other)| {
                    let here = match other {
                        Operation::MakeDirectory(path)
                        | Operation::RemoveDirectory(path)
                        | Operation::Create(path, _)
                        | Operation::Remove(path) => is_here(path),
                        Operation::Exchange(one, other)
                        | Operation::Link(one, other)
                        | Operation::Rename(one, other) => is_here(one) || is_here(other),
                        _ => false,
                    };
                    here.then_some(at)
                }));
            }
            Operation::SyncFile(synced) => {
                sure.extend(before.filter_map(|(at, other)| {
                    matches!(other, Operation::Overwrite(path, _) if path == synced).then_some(at)
                }));
            }
            _ => {}
        }
    }
    sure
}

/// The files whose bytes are on the medium, and the directories that are themselves there, by the operation
/// that made them.
fn with_bytes(operations: &[Operation]) -> BTreeSet<usize> {
    let mut whole = BTreeSet::new();
    for (at, operation) in operations.iter().enumerate() {
        let made = match operation {
            Operation::SyncFile(synced) => operations[..at]
                .iter()
                .rposition(|other| matches!(other, Operation::Create(path, _) if path == synced)),
            Operation::SyncDirectory(synced) => operations[..at].iter().rposition(
                |other| matches!(other, Operation::MakeDirectory(path) if path == synced),
            ),
            _ => None,
        };
        whole.extend(made);
    }
    whole
}

/// Numbers that look random and are the same in every run.
fn dice(seed: &mut u64) -> bool {
    roll(seed, 2) == 1
}

/// A number below `sides`.
fn roll(seed: &mut u64, sides: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*seed >> 33).unwrap() % sides
}

/// Tries every state after a cut at any operation; gives how many there were.
fn try_all(
    dir: &Workdir,
    operations: &[Operation],
    start: &Medium,
    trees: &[&Tree],
    (kind, litter): (Kind, Litter),
) -> usize {
    let (mut states, mut seed) = (0, 1);
    for cut in 0..=operations.len() {
        let done = &operations[..cut];
        let (sure, whole) = (synced(done), with_bytes(done));
        let is_open = |at: &usize| {
            let sync = matches!(
                done[*at],
                Operation::SyncFile(_) | Operation::SyncDirectory(_) | Operation::Acknowledged
            );
            !sync && !sure.contains(at)
        };
        let open: Vec<usize> = (0..cut).filter(is_open).collect();
        let acknowledged = done.iter().filter(|one| matches!(one, Operation::Acknowledged)).count();
        let all = open.len() <= ALL_SUBSETS;
        for sample in 0..if all { 1 << open.len() } else { SAMPLES } {
            let mut medium = start.clone();
            for (at, operation) in done.iter().enumerate() {
                let place = open.iter().position(|other| *other == at);
                let kept = match place {
                    None => true,
                    Some(place) if all => sample >> place & 1 == 1,
                    // The first samples lose all and nothing.
                    Some(_) => sample == 0 || (sample > 1 && dice(&mut seed)),
                };
                match operation {
                    Operation::Create(path, content) if kept && !whole.contains(&at) => {
                        let lost = match roll(&mut seed, 4) {
                            0 => Vec::new(),
                            1 => vec![0; content.len()],
                            2 => medium.another(&mut seed),
                            _ => {
                                medium.perform(&Operation::MakeDirectory(path.clone()));
                                let within = path.join(".hashline-1f-5a0-3.old");
                                medium.perform(&Operation::Create(within, Vec::new()));
                                continue;
                            }
                        };
                        medium.perform(&Operation::Create(path.clone(), lost));
                    }
                    Operation::MakeDirectory(path)
                        if kept && !whole.contains(&at) && dice(&mut seed) =>
                    {
                        let lost = medium.another(&mut seed);
                        medium.perform(&Operation::Create(path.clone(), lost));
                    }
                    Operation::Remove(path) if !kept && kind == Kind::Plain && dice(&mut seed) => {
                        medium.reuse(path, &mut seed);
                    }
                    _ if kept => medium.perform(operation),
                    _ => {}
                }
            }
            medium.lay_out(dir.path());
            check(
                dir,
                acknowledged,
                trees,
                litter,
                &format!("cut at {cut} of {}, sample {sample}", operations.len()),
            );
            states += 1;
        }
    }
    states
}

/// What may be left beside the files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Litter {
    /// Names may be removed in any order, so that a temporary file can outlive its journal.
    Allowed,
    Forbidden,
}

fn check(dir: &Workdir, acknowledged: usize, trees: &[&Tree], litter: Litter, what: &str) {
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    let ledger = Ledger::new(&root, Some(home.clone()));
    let writer =
        ledger.write(Durability::Fast, &NEVER).unwrap_or_else(|fault| panic!("{what}: {fault}"));
    let recovery = writer.recovery();
    assert!(
        recovery.left_alone.is_empty() && recovery.unreadable.is_empty(),
        "{what}: {recovery:?}"
    );
    drop(writer);
    let unended =
        |name: &String| [".new", ".old", ".single", ".done"].iter().any(|end| name.ends_with(end));
    let state: Vec<String> = tree(&home).into_keys().filter(unended).collect();
    assert!(state.is_empty(), "{what}: {state:?}");
    let seen = |tree: &Tree| match litter {
        Litter::Allowed => without_litter(tree),
        Litter::Forbidden => tree.clone(),
    };
    let now = seen(&tree(&root));
    let found = trees.iter().rposition(|tree| now == seen(tree));
    assert!(found.is_some(), "{what}: torn: {now:#?}");
    assert!(found >= Some(acknowledged), "{what}: an acknowledged patch is lost");
}

#[test]
fn whatever_reached_the_medium_a_patch_is_there_or_not() {
    for kind in [Kind::Journalling, Kind::Plain] {
        let states = apply_and_undo("orders", changes, (kind, Litter::Allowed));
        assert!(states > 500, "{states}");
    }
}

#[test]
fn whatever_reached_the_medium_one_file_is_old_or_new_and_alone() {
    let one = |root: &Path| changes(root).into_iter().take(1).collect();
    for kind in [Kind::Journalling, Kind::Plain] {
        let states = apply_and_undo("orders-single", one, (kind, Litter::Forbidden));
        assert!(states > 50, "{states}");
    }
}

#[test]
fn whatever_reached_the_medium_two_patches_of_one_file_are_there_in_order() {
    for kind in [Kind::Journalling, Kind::Plain] {
        let Recorded { dir, root, disk, ledger, old, start } = recorded("orders-two", kind);
        let mut trees = vec![old];
        for text in ["first", "second", "third"] {
            let path = root.join("change");
            let expected = Some(fs::read(&path).unwrap().into());
            let then = FileAction::Put(text.as_bytes().to_vec().into());
            let change = DiskChange { path, expected, then };
            let writer = ledger.write(Durability::Full, &NEVER).unwrap();
            writer.commit(&Transaction::new(vec![change])).unwrap();
            disk.note(Operation::Acknowledged);
            trees.push(tree(&root));
        }
        let trees: Vec<&Tree> = trees.iter().collect();
        try_all(&dir, &disk.taken(), &start, &trees, (kind, Litter::Forbidden));
    }
}

#[test]
fn a_writer_that_waits_for_nothing_leaves_nothing_of_one_that_did() {
    let Recorded { dir, root, disk, ledger, old, start } =
        recorded("orders-mixed", Kind::Journalling);
    let one = changes(&root).into_iter().take(1).collect();
    ledger.write(Durability::Full, &NEVER).unwrap().commit(&Transaction::new(one)).unwrap();
    disk.note(Operation::Acknowledged);
    let new = tree(&root);
    drop(ledger.write(Durability::Fast, &NEVER).unwrap());
    let how = (Kind::Journalling, Litter::Forbidden);
    try_all(&dir, &disk.taken(), &start, &[&old, &new], how);
}

/// The receipt of a patch is made after the next one, in the same directory, has synced everything. If a
/// third writer made the receipt of that one at once, only the later of the two might reach the medium.
#[test]
fn receipts_reach_the_medium_in_the_order_of_their_patches() {
    let Recorded { dir, root, disk, ledger, .. } = recorded("orders-receipts", Kind::Journalling);
    for _ in 0..2 {
        let one = changes(&root).into_iter().take(1).map(|change| DiskChange {
            expected: fs::read(&change.path).ok().map(Into::into),
            then: FileAction::Put(format!("{} more", disk.taken().len()).into()),
            ..change
        });
        let patch = Transaction::new(one.collect());
        ledger.write(Durability::Full, &NEVER).unwrap().commit(&patch).unwrap();
    }
    drop(ledger.write(Durability::Full, &NEVER).unwrap());
    let mut homes = fs::read_dir(dir.path().join("home")).unwrap();
    let state = homes.next().unwrap().unwrap().path();
    let operations = disk.taken();
    let is_receipt = |one: &Operation| matches!(one, Operation::Rename(_, to) if to.extension().is_some_and(|end| end == "undo"));
    let receipts: Vec<usize> =
        (0..operations.len()).filter(|at| is_receipt(&operations[*at])).collect();
    let [first, second] = receipts[..] else { panic!("two receipts: {operations:?}") };
    let synced = |one: &Operation| matches!(one, Operation::SyncDirectory(path) if *path == state);
    assert!(operations[first..second].iter().any(synced), "{:?}", &operations[first..]);
}

/// Without a journal of the file system, a removed name can come back and lead to another file. A journal
/// that is still followed would take that one for the old file.
#[test]
fn a_recovered_patch_of_one_file_is_marked_as_done_before_its_old_file_is_removed() {
    let Recorded { dir, root, disk, ledger, .. } = recorded("orders-recovered", Kind::Plain);
    let one: Vec<DiskChange> = changes(&root).into_iter().take(1).collect();
    let file = one[0].path.clone();
    ledger.write(Durability::Full, &NEVER).unwrap().commit(&Transaction::new(one)).unwrap();
    let mut homes = fs::read_dir(dir.path().join("home")).unwrap();
    let state = homes.next().unwrap().unwrap().path();
    // As if neither the end of the journal nor the move of the old file had reached the medium.
    let names = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().path());
    let done = names.into_iter().find(|path| path.extension().is_some_and(|end| end == "done"));
    let done = done.expect("the patch left its journal");
    let id = done.file_stem().unwrap().to_str().unwrap();
    let staged = file.with_file_name(format!(".hashline-{id}-1.tmp"));
    fs::rename(done.with_extension("old"), &staged).unwrap();
    fs::rename(&done, done.with_extension("single")).unwrap();
    let before = disk.taken().len();
    drop(ledger.write(Durability::Full, &NEVER).unwrap());
    let recovery = disk.taken().split_off(before);
    let at = |wanted: &dyn Fn(&Operation) -> bool| recovery.iter().position(wanted);
    let removed = at(&|one| matches!(one, Operation::Remove(path) if *path == staged));
    let marked = at(&|one| matches!(one, Operation::Rename(_, to) if *to == done));
    let synced = at(&|one| matches!(one, Operation::SyncDirectory(path) if *path == state));
    assert!(marked.is_some() && marked < synced && synced < removed, "{recovery:?}");
}

/// Tries every state that an apply and an undo can leave; gives how many there were.
fn apply_and_undo(name: &str, changes: fn(&Path) -> Vec<DiskChange>, how: (Kind, Litter)) -> usize {
    let Recorded { dir, root, disk, ledger, old, start } = recorded(name, how.0);
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    writer.commit(&Transaction::new(changes(&root))).unwrap();
    disk.note(Operation::Acknowledged);
    let applied = disk.taken();
    let new = tree(&root);
    let middle = Medium::of(dir.path());
    writer.undo(None).unwrap();
    drop(writer);
    disk.note(Operation::Acknowledged);
    let undone = disk.taken().split_off(applied.len());
    let states = try_all(&dir, &applied, &start, &[&old, &new], how)
        + try_all(&dir, &undone, &middle, &[&new, &old], how);
    let operations = applied.len() + undone.len();
    println!("{name}, {:?}: {operations} operations, {states} states", how.0);
    states
}

/// A workspace, what it is before any work, and a ledger whose operations are written down.
struct Recorded {
    dir: Workdir,
    root: PathBuf,
    disk: Arc<RecordingDisk>,
    ledger: Ledger,
    old: Tree,
    start: Medium,
}

fn recorded(name: &str, kind: Kind) -> Recorded {
    let dir = Workdir::in_memory(name);
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    lay_out(&root);
    drop(Ledger::new(&root, Some(home.clone())).write(Durability::Fast, &NEVER).unwrap());
    let (old, start) = (tree(&root), Medium::of(dir.path()));
    let disk = Arc::new(RecordingDisk { kind, ..RecordingDisk::default() });
    let ledger = Ledger::with_disk(&root, Some(home), Arc::clone(&disk) as _);
    Recorded { dir, root, disk, ledger, old, start }
}
