//! What is left to do when a commit returns: nobody sees it, and nothing depends on it.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::faulty::{FaultyDisk, Trouble};
use crate::testing::Workdir;
use crate::tree::{Tree, changes, lay_out, tree};
use hashline::fs::{Disk, RealDisk};
use hashline::transaction::{DiskChange, Durability, FileAction, Ledger, Transaction};

static NEVER: AtomicBool = AtomicBool::new(false);

/// No commit of these tests makes more steps than this.
const MOST_STEPS: usize = 400;

struct Place {
    dir: Workdir,
    /// How many files are patched.
    size: usize,
    old: Tree,
}

impl Place {
    fn new(size: usize) -> Self {
        let dir = Workdir::in_memory("chores");
        lay_out(&dir.path().join("root"));
        let old = tree(&dir.path().join("root"));
        Self { dir, size, old }
    }

    /// One of every kind that matters: a patch of one file and of several, synced and not.
    fn kinds() -> impl Iterator<Item = (usize, Durability)> {
        [1, usize::MAX].into_iter().flat_map(|size| {
            [Durability::Full, Durability::Fast].map(|durability| (size, durability))
        })
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn tree(&self) -> Tree {
        tree(&self.root())
    }

    fn ledger(&self, disk: Arc<dyn Disk>) -> Ledger {
        Ledger::with_disk(&self.root(), Some(self.dir.path().join("home")), disk)
    }

    fn patch(&self) -> Transaction {
        Transaction::new(changes(&self.root()).into_iter().take(self.size).collect())
    }

    /// The files beside the journals that a later writer has to look at.
    fn unfinished(&self) -> Vec<PathBuf> {
        let homes = fs::read_dir(self.dir.path().join("home")).unwrap();
        let files = homes.flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        let paths = files.map(|entry| entry.unwrap().path());
        let ended = |path: &PathBuf| {
            path.extension().is_some_and(|ending| ending == "undo")
                || ["lock", "root"].iter().any(|name| path.ends_with(name))
        };
        paths.filter(|path| !ended(path)).collect()
    }
}

#[test]
fn nothing_of_ours_is_beside_the_files_when_a_commit_returns() {
    for (size, durability) in Place::kinds() {
        let place = Place::new(size);
        let ledger = place.ledger(Arc::new(RealDisk::default()));
        let writer = ledger.write(durability, &NEVER).unwrap();
        writer.commit(&place.patch()).unwrap();
        let new = place.tree();
        let ours: Vec<&String> = new.keys().filter(|name| name.contains(".hashline-")).collect();
        assert!(ours.is_empty(), "{durability:?}: {ours:?}");
        drop(writer.into_chores());
        assert_eq!(place.tree(), new, "{durability:?}");
    }
}

#[test]
fn whichever_chore_fails_the_patch_stays_and_can_be_taken_back() {
    for (size, durability) in Place::kinds() {
        for trouble in [Trouble::Once(libc::EIO), Trouble::Onward(libc::EIO)] {
            let mut at = {
                let place = Place::new(size);
                let disk = Arc::new(FaultyDisk::new(usize::MAX, trouble));
                let ledger = place.ledger(Arc::clone(&disk) as _);
                let writer = ledger.write(durability, &NEVER).unwrap();
                writer.commit(&place.patch()).unwrap();
                disk.steps()
            };
            loop {
                let what = format!("step {at}, {trouble:?}, {durability:?}, {size} files at most");
                let place = Place::new(size);
                let disk = Arc::new(FaultyDisk::new(at, trouble));
                let ledger = place.ledger(Arc::clone(&disk) as _);
                let writer = ledger.write(durability, &NEVER).unwrap();
                writer.commit(&place.patch()).unwrap();
                let new = place.tree();
                drop(writer.into_chores());
                assert_eq!(place.tree(), new, "{what}");

                let whole = place.ledger(Arc::new(RealDisk::default()));
                let writer = whole.write(Durability::Full, &NEVER).unwrap();
                assert_eq!(writer.history().unwrap().len(), 1, "{what}");
                assert_eq!(place.tree(), new, "{what}");
                writer.undo(None).unwrap_or_else(|refused| panic!("{what}: {refused}"));
                drop(writer);
                drop(whole.write(Durability::Fast, &NEVER).unwrap());
                assert_eq!(place.tree(), place.old, "{what}");
                assert!(place.unfinished().is_empty(), "{what}: {:?}", place.unfinished());
                if disk.steps() <= at {
                    break;
                }
                at += 1;
                assert!(at < MOST_STEPS, "{what}: there are more steps");
            }
        }
    }
}

/// A patch must not become a receipt before an earlier one, or `undo` would begin with the wrong one.
#[test]
fn a_patch_waits_until_the_one_before_can_be_made_a_receipt() {
    let place = Place::new(1);
    let put = |names: &[&str], text: &str| {
        let change = |name: &&str| DiskChange {
            path: place.root().join(name),
            expected: fs::read(place.root().join(name)).ok().map(Into::into),
            then: FileAction::Put(text.as_bytes().to_vec().into()),
        };
        let ledger = place.ledger(Arc::new(RealDisk::default()));
        let writer = ledger.write(Durability::Full, &NEVER).unwrap();
        writer.commit(&Transaction::new(names.iter().map(change).collect())).unwrap();
    };
    for name in ["one", "two", "three"] {
        fs::write(place.root().join(name), "0").unwrap();
    }
    let texts =
        || ["one", "two", "three"].map(|name| fs::read_to_string(place.root().join(name)).unwrap());
    put(&["one"], "1");
    // A directory that is not empty cannot be removed, so that the first journal has to stay.
    let left = place.unfinished();
    let done = left.iter().find(|path| path.extension().is_some_and(|end| end == "done")).unwrap();
    let id = done.file_stem().unwrap().to_str().unwrap();
    let obstacle = place.root().join(format!(".hashline-{id}-1.tmp"));
    fs::create_dir_all(obstacle.join("full")).unwrap();
    put(&["two", "three"], "2");
    fs::remove_dir_all(&obstacle).unwrap();

    let undo = || {
        let ledger = place.ledger(Arc::new(RealDisk::default()));
        ledger.write(Durability::Full, &NEVER).unwrap().undo(None).unwrap();
    };
    assert_eq!(texts(), ["1", "2", "2"]);
    undo();
    assert_eq!(texts(), ["1", "0", "0"]);
    undo();
    assert_eq!(texts(), ["0", "0", "0"]);
}
