//! Power cuts on any correct file system: operations that were not synced may or may not have
//! reached the medium.
//!
//! The power-loss rig (`__test__/powerloss`) cuts the power of real file systems, which needs root
//! and FUSE. Here [`Disk`] records the operations of a transaction; a model then makes every state
//! of the medium after a cut at any of them: everything that was synced, and any part of the rest,
//! in order. Each state is laid out in a directory and recovered.
//!
//! A name can be on the medium before its content. Then a new file is empty, or full of zeros, or,
//! if the file system has no journal and its inode belonged to another file or directory, it is
//! that one; so is a new directory. In the same way a name whose removal was not synced can lead to
//! bytes that another program has written since.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::medium::{Kind, Medium, Operation, RecordingDisk, dice, roll, synced, with_bytes};
use crate::tree::{Tree, changes, lay_out, tree, without_litter};
use hashline_core::session::Durability;
use hashline_core::testing::transaction::{DiskChange, FileAction, Ledger, Transaction};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

/// With at most this many operations that were not synced, every subset of them is tried, otherwise
/// [`SAMPLES`] of them.
const ALL_SUBSETS: usize = 5;
const SAMPLES: usize = 24;

/// Checks every state after a cut at any operation; returns how many there were.
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
        let (sure, whole) = (synced(done, litter == Litter::Forbidden), with_bytes(done));
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
                    // The first sample keeps all of them, the second none.
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

/// Whether a temporary file may be left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Litter {
    /// It may: names reach the medium in any order, so a temporary file can exist without its
    /// journal.
    Allowed,
    /// It may not: syncing a new file also puts its name on the medium, as on Linux.
    Forbidden,
}

/// All kinds of file systems, and whether they may leave a temporary file after a patch of one
/// file.
const ALL: [(Kind, Litter); 4] = [
    (Kind::Journalling, Litter::Allowed),
    (Kind::Journalling, Litter::Forbidden),
    (Kind::Plain, Litter::Allowed),
    (Kind::Plain, Litter::Forbidden),
];

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
    let unended = |name: &String| [".new", ".journal"].iter().any(|end| name.ends_with(end));
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
    for how in ALL {
        let states = apply_and_undo("orders-single", one, how);
        assert!(states > 50, "{states}");
    }
}

#[test]
fn whatever_reached_the_medium_two_patches_of_one_file_are_there_in_order() {
    for how in ALL {
        let Recorded { dir, root, disk, ledger, old, start } = recorded("orders-two");
        let mut trees = vec![old];
        for text in ["first", "second", "third"] {
            let path = root.join("change");
            let expected = Some(fs::read(&path).unwrap().into());
            let then = FileAction::Put(text.as_bytes().to_vec().into());
            let change = DiskChange { path, expected, then, like: None };
            let writer = ledger.write(Durability::Full, &NEVER).unwrap();
            writer.commit(&Transaction::new(vec![change])).unwrap();
            disk.note(Operation::Acknowledged);
            trees.push(tree(&root));
        }
        let trees: Vec<&Tree> = trees.iter().collect();
        try_all(&dir, &disk.taken(), &start, &trees, how);
    }
}

#[test]
fn a_fast_writer_after_a_full_one_leaves_no_torn_state() {
    let Recorded { dir, root, disk, ledger, old, start } = recorded("orders-mixed");
    let one = changes(&root).into_iter().take(1).collect();
    ledger.write(Durability::Full, &NEVER).unwrap().commit(&Transaction::new(one)).unwrap();
    disk.note(Operation::Acknowledged);
    let new = tree(&root);
    drop(ledger.write(Durability::Fast, &NEVER).unwrap());
    let how = (Kind::Journalling, Litter::Forbidden);
    try_all(&dir, &disk.taken(), &start, &[&old, &new], how);
}

/// If an older receipt reached the medium after a newer one, undo could take the older patch for
/// the last.
#[test]
fn receipts_reach_the_medium_in_the_order_of_their_patches() {
    let Recorded { dir, root, disk, ledger, .. } = recorded("orders-receipts");
    for _ in 0..2 {
        let one = changes(&root).into_iter().take(1).map(|change| DiskChange {
            expected: fs::read(&change.path).ok().map(Into::into),
            then: FileAction::Put(format!("{} more", disk.taken().len()).into()),
            ..change
        });
        let patch = Transaction::new(one.collect());
        ledger.write(Durability::Full, &NEVER).unwrap().commit(&patch).unwrap();
    }
    let mut homes = fs::read_dir(dir.path().join("home")).unwrap();
    let state = homes.next().unwrap().unwrap().path();
    let check = |operations: &[Operation]| {
        let receipts: Vec<usize> =
            (0..operations.len()).filter(|at| receipt(&operations[*at]).is_some()).collect();
        let [first, second] = receipts[..] else { panic!("two receipts: {operations:?}") };
        let synced =
            |one: &Operation| matches!(one, Operation::SyncDirectory(path) if *path == state);
        assert!(operations[first..second].iter().any(synced), "{:?}", &operations[first..]);
    };
    let operations = disk.taken();
    check(&operations);
    for (journal, receipt) in operations.iter().filter_map(receipt) {
        fs::rename(receipt, journal).unwrap();
    }
    drop(ledger.write(Durability::Full, &NEVER).unwrap());
    check(&disk.taken()[operations.len()..]);
}

/// If the operation renames a journal to a receipt: both paths.
fn receipt(operation: &Operation) -> Option<(&Path, &Path)> {
    match operation {
        Operation::Rename(journal, to) if to.extension().is_some_and(|end| end == "undo") => {
            Some((journal, to))
        }
        _ => None,
    }
}

/// On a file system without a journal, a removed name can come back and lead to another file. A
/// rollback would take that file for the old one.
#[test]
fn a_journal_is_marked_made_on_the_medium_before_its_old_file_is_removed() {
    let Recorded { dir: _dir, root, disk, ledger, .. } = recorded("orders-recovered");
    let one: Vec<DiskChange> = changes(&root).into_iter().take(1).collect();
    let file = one[0].path.clone();
    // A fast writer does not sync, so on the medium its journal may still say that the patch is not
    // made.
    ledger.write(Durability::Fast, &NEVER).unwrap().commit(&Transaction::new(one)).unwrap();
    let operations = disk.taken();
    let (journal, receipt) = operations.iter().find_map(receipt).expect("a receipt");
    fs::rename(receipt, journal).unwrap();
    let id = journal.file_stem().unwrap().to_str().unwrap();
    let staged = file.with_file_name(format!(".hashline-{id}-1.tmp"));
    fs::write(&staged, "the old file").unwrap();
    drop(ledger.write(Durability::Full, &NEVER).unwrap());
    let recovery = &disk.taken()[operations.len()..];
    let at = |wanted: &dyn Fn(&Operation) -> bool| recovery.iter().position(wanted);
    let marked = at(&|one| matches!(one, Operation::Overwrite(path, _) if path == journal));
    let synced = at(&|one| matches!(one, Operation::SyncFile(path) if path == journal));
    let removed = at(&|one| matches!(one, Operation::Remove(path) if *path == staged));
    assert!(marked.is_some() && marked < synced && synced < removed, "{recovery:?}");
}

/// Checks every state that an apply and an undo can leave; returns how many there were.
fn apply_and_undo(name: &str, changes: fn(&Path) -> Vec<DiskChange>, how: (Kind, Litter)) -> usize {
    let Recorded { dir, root, disk, ledger, old, start } = recorded(name);
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    writer.commit(&Transaction::new(changes(&root))).unwrap();
    disk.note(Operation::Acknowledged);
    let applied = disk.taken();
    let new = tree(&root);
    let middle = Medium::of(dir.path());
    writer.undo(None, false).unwrap();
    drop(writer);
    disk.note(Operation::Acknowledged);
    let undone = disk.taken().split_off(applied.len());
    let states = try_all(&dir, &applied, &start, &[&old, &new], how)
        + try_all(&dir, &undone, &middle, &[&new, &old], how);
    let operations = applied.len() + undone.len();
    println!("{name}, {:?}: {operations} operations, {states} states", how.0);
    states
}

/// A workspace, its content before any work, and a ledger whose operations are recorded.
struct Recorded {
    dir: Workdir,
    root: PathBuf,
    disk: Arc<RecordingDisk>,
    ledger: Ledger,
    old: Tree,
    start: Medium,
}

fn recorded(name: &str) -> Recorded {
    let dir = Workdir::in_memory(name);
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    lay_out(&root);
    drop(Ledger::new(&root, Some(home.clone())).write(Durability::Fast, &NEVER).unwrap());
    let (old, start) = (tree(&root), Medium::of(dir.path()));
    let disk = Arc::new(RecordingDisk::default());
    let ledger = Ledger::with_disk(&root, Some(home), Arc::clone(&disk) as _);
    Recorded { dir, root, disk, ledger, old, start }
}
