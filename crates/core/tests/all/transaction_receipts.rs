//! The order in which journals become receipts, even if the disk fails meanwhile.
//!
//! `undo` begins with the last receipt, which must belong to the last patch.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::faulty::{FaultyDisk, Trouble};
use hashline_core::session::Durability;
use hashline_core::testing::fs::{Disk, RealDisk};
use hashline_core::testing::transaction::{DiskChange, FileAction, Ledger, Transaction, Writer};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

/// No test makes more steps than this.
const MAX_STEPS: usize = 400;

const NAMES: [&str; 3] = ["one", "two", "three"];

/// A workspace with three files with the text `0`.
struct Place {
    dir: Workdir,
}

impl Place {
    fn new() -> Self {
        let dir = Workdir::in_memory("receipts");
        fs::create_dir(dir.path().join("root")).unwrap();
        let place = Self { dir };
        for name in NAMES {
            fs::write(place.root().join(name), "0").unwrap();
        }
        place
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn ledger(&self, disk: Arc<dyn Disk>) -> Ledger {
        Ledger::with_disk(&self.root(), Some(self.dir.path().join("home")), disk)
    }

    fn texts(&self) -> [String; 3] {
        NAMES.map(|name| fs::read_to_string(self.root().join(name)).unwrap())
    }

    fn patch(&self, names: &[&str], text: &str) -> Transaction {
        let change = |name: &&str| DiskChange {
            path: self.root().join(name),
            expected: fs::read(self.root().join(name)).ok().map(Into::into),
            then: FileAction::Put(text.as_bytes().to_vec().into()),
            like: None,
        };
        Transaction::new(names.iter().map(change).collect())
    }

    /// Writes a text into files, with a new ledger, as another process would.
    fn put(&self, names: &[&str], text: &str, durability: Durability) {
        self.with_writer(durability, |writer| {
            writer.commit(&self.patch(names, text)).unwrap();
        });
    }

    fn undo(&self) {
        self.with_writer(Durability::Full, |writer| {
            writer.undo(None, false).unwrap_or_else(|refused| panic!("{refused}"));
        });
    }

    fn with_writer(&self, durability: Durability, work: impl FnOnce(&Writer<'_>)) {
        let ledger = self.ledger(Arc::new(RealDisk::default()));
        work(&ledger.write(durability, &NEVER).unwrap());
    }

    /// The only file in the ledger with this ending.
    fn kept(&self, ending: &str) -> PathBuf {
        let homes = fs::read_dir(self.dir.path().join("home")).unwrap();
        let files = homes.flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        let names: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        let has_ending = |path: &&PathBuf| path.extension().is_some_and(|end| end == ending);
        let [kept] = names.iter().filter(has_ending).collect::<Vec<_>>()[..] else {
            panic!("{names:?}")
        };
        kept.clone()
    }

    /// Keeps the patch that left a journal from ending: in place of its temporary file there is a
    /// directory that is not empty and cannot be removed. Returns that directory.
    fn obstruct(&self) -> PathBuf {
        let journal = self.kept("journal");
        let id = journal.file_stem().unwrap().to_str().unwrap();
        let obstacle = self.root().join(format!(".hashline-{id}-1.tmp"));
        let _ = fs::remove_file(&obstacle);
        fs::create_dir_all(obstacle.join("full")).unwrap();
        obstacle
    }

    /// Writes a text into a file by a patch whose old file cannot be removed.
    fn put_and_leave(&self, name: &str, text: &str) -> PathBuf {
        self.with_writer(Durability::Full, |writer| {
            let id = writer.commit(&self.patch(&[name], text)).unwrap().id;
            let receipt = self.kept("undo");
            fs::rename(&receipt, receipt.with_file_name(format!("{id}.journal"))).unwrap();
        });
        self.obstruct()
    }
}

#[test]
fn a_patch_waits_until_the_one_before_can_be_made_a_receipt() {
    for later in [&["two"][..], &["two", "three"]] {
        let place = Place::new();
        let obstacle = place.put_and_leave("one", "1");
        place.put(later, "2", Durability::Full);
        fs::remove_dir_all(&obstacle).unwrap();

        place.undo();
        assert_eq!(place.texts(), ["1", "0", "0"], "{later:?}");
        place.undo();
        assert_eq!(place.texts(), ["0", "0", "0"], "{later:?}");
    }
}

#[test]
fn a_patch_of_several_files_that_was_interrupted_at_its_end_is_undone_in_its_turn() {
    for durability in [Durability::Full, Durability::Fast] {
        let mut interrupted = 0;
        for at in 0..MAX_STEPS {
            let place = Place::new();
            let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
            let ledger = place.ledger(Arc::clone(&disk) as _);
            let made = ledger
                .write(durability, &NEVER)
                .is_ok_and(|writer| writer.commit(&place.patch(&["one", "two"], "1")).is_ok());
            if disk.steps() <= at {
                assert!(made);
                break;
            }
            if !made {
                continue;
            }
            interrupted += 1;
            // Keep the patch from ending until a later patch is made.
            let obstacle = place.obstruct();
            place.put(&["three"], "2", durability);
            fs::remove_dir_all(&obstacle).unwrap();

            place.undo();
            assert_eq!(place.texts(), ["1", "1", "0"], "step {at}, {durability:?}");
            place.undo();
            assert_eq!(place.texts(), ["0", "0", "0"], "step {at}, {durability:?}");
        }
        assert!(interrupted > 0, "{durability:?}");
    }
}

#[test]
fn undo_says_which_leftover_is_in_its_way_and_works_when_that_is_given_up() {
    let place = Place::new();
    let obstacle = place.put_and_leave("one", "1");
    place.put(&["two", "three"], "2", Durability::Full);
    place.with_writer(Durability::Full, |writer| {
        let refused = writer.undo(None, false).unwrap_err().to_string();
        assert!(refused.contains(obstacle.to_str().unwrap()), "{refused}");
        assert!(refused.contains("--set-aside"), "{refused}");
    });
    let ledger = place.ledger(Arc::new(RealDisk::default()));
    drop(ledger.set_aside(Durability::Full, &NEVER).unwrap());
    place.undo();
    assert_eq!(place.texts(), ["1", "0", "0"]);
    place.undo();
    assert_eq!(place.texts(), ["0", "0", "0"]);
}

#[test]
fn a_later_writer_removes_what_a_patch_left_outside_the_workspace() {
    let mut left = 0;
    for at in 0..MAX_STEPS {
        let place = Place::new();
        let outside = place.dir.write("outside", "0");
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Once(libc::EIO)));
        let patch = place.patch(&["one", outside.to_str().unwrap()], "1");
        let open = |disk| place.ledger(disk).allow_outside(true);
        let made = open(Arc::clone(&disk) as _)
            .write(Durability::Full, &NEVER)
            .is_ok_and(|writer| writer.commit(&patch).is_ok());
        let litter = || {
            let names = [place.root(), place.dir.path().to_owned()];
            let names = names.iter().flat_map(|directory| fs::read_dir(directory).unwrap());
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.filter(|name| name.starts_with(".hashline-")).count()
        };
        if made && litter() > 0 {
            left += 1;
            // This writer may not touch the file outside.
            drop(place.ledger(Arc::new(RealDisk::default())).write(Durability::Full, &NEVER));
            drop(open(Arc::new(RealDisk::default())).write(Durability::Full, &NEVER).unwrap());
            assert_eq!(litter(), 0, "step {at}");
        }
        if disk.steps() <= at {
            break;
        }
    }
    assert!(left > 0);
}

#[test]
fn whichever_step_at_the_end_of_a_patch_fails_the_same_writer_undoes_that_patch() {
    for names in [&["one"][..], &["one", "two"]] {
        for durability in [Durability::Full, Durability::Fast] {
            for at in 0..MAX_STEPS {
                let place = Place::new();
                place.put(&["three"], "9", durability);
                let disk = Arc::new(FaultyDisk::new(at, Trouble::Once(libc::EIO)));
                let ledger = place.ledger(Arc::clone(&disk) as _);
                let Ok(writer) = ledger.write(durability, &NEVER) else { continue };
                let made = writer.commit(&place.patch(names, "1")).is_ok();
                let over = disk.steps() <= at;
                let what = format!("step {at}, {durability:?}, {names:?}");
                if made {
                    // The first attempt may fail; neither may undo another patch.
                    let undone =
                        writer.undo(None, false).is_ok() || writer.undo(None, false).is_ok();
                    assert!(undone, "{what}");
                    assert_eq!(place.texts(), ["0", "0", "9"], "{what}");
                }
                if over {
                    assert!(made, "{what}");
                    break;
                }
            }
        }
    }
}

#[test]
fn patches_are_undone_in_order_whatever_their_size() {
    let place = Place::new();
    place.with_writer(Durability::Full, |writer| {
        for (names, text) in
            [(&["one"][..], "1"), (&["one", "two"], "2"), (&["one"], "3"), (&["one"], "4")]
        {
            writer.commit(&place.patch(names, text)).unwrap();
        }
        assert_eq!(writer.history().unwrap().len(), 4);
    });
    place.put(&["one"], "5", Durability::Fast);
    for texts in [["4", "2"], ["3", "2"], ["2", "2"], ["1", "0"], ["0", "0"]] {
        place.undo();
        assert_eq!(place.texts()[..2], texts);
    }
}

#[test]
fn whichever_step_fails_undo_never_undoes_an_older_patch_than_the_last() {
    for trouble in [Trouble::Once(libc::EIO), Trouble::Onward(libc::EIO)] {
        for at in 0..MAX_STEPS {
            let place = Place::new();
            place.put(&["one"], "1", Durability::Full);
            place.put(&["two"], "1", Durability::Full);
            let disk = Arc::new(FaultyDisk::new(at, trouble));
            let ledger = place.ledger(Arc::clone(&disk) as _);
            let undone = ledger
                .write(Durability::Full, &NEVER)
                .is_ok_and(|writer| writer.undo(None, false).is_ok());
            let what = format!("step {at}, {trouble:?}, undone: {undone}");
            let [one, two, _] = place.texts();
            assert_eq!(one, "1", "{what}");
            assert!(two == "0" || (two == "1" && !undone), "{what}");
            if disk.steps() <= at {
                assert!(undone, "{what}");
                break;
            }
        }
    }
}

#[test]
fn the_next_writer_removes_old_files_that_could_not_be_removed() {
    let place = Place::new();
    let names: Vec<String> = (0..60).map(|number| format!("{number}.txt")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let all_are = |text: &str| {
        for name in &names {
            assert_eq!(fs::read_to_string(place.root().join(name)).unwrap(), text, "{name}");
        }
    };
    place.put(&names, "0", Durability::Fast);
    let counting = Arc::new(FaultyDisk::new(usize::MAX, Trouble::Once(libc::EIO)));
    let ledger = place.ledger(Arc::<FaultyDisk>::clone(&counting));
    ledger.write(Durability::Full, &NEVER).unwrap().commit(&place.patch(&names, "1")).unwrap();
    let steps = counting.steps();
    // Most of the last steps are removals by several threads.
    for (round, back) in (6..126).step_by(8).enumerate() {
        for trouble in [Trouble::Once(libc::EIO), Trouble::Onward(libc::EIO)] {
            let text = format!("{round} {trouble:?}");
            let ledger = place.ledger(Arc::new(FaultyDisk::new(steps - back, trouble)));
            let writer = ledger.write(Durability::Full, &NEVER).unwrap();
            writer.commit(&place.patch(&names, &text)).unwrap();
            drop(writer);
            all_are(&text);
            place.undo();
            place.with_writer(Durability::Full, |writer| assert!(writer.recovery().is_empty()));
            let temporary =
                |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(".hashline");
            let left = fs::read_dir(place.root()).unwrap().map(|entry| entry.unwrap().file_name());
            assert_eq!(
                left.filter(|name| temporary(name)).count(),
                0,
                "{back} steps before the end"
            );
            all_are("1");
        }
    }
}

#[test]
fn receipts_hold_at_most_64_mb_even_when_small_ones_follow_large_ones() {
    let place = Place::new();
    // Two large receipts leave room for only a few small ones.
    let [large, small] =
        [33_200_000, 60_000].map(|size| "a line of ordinary length\n".repeat(size / 26));
    let large = (0..6).map(|number| format!("{number}{large}"));
    for text in large.chain((0..18).map(|number| format!("{number}{small}"))) {
        place.put(&["one"], &text, Durability::Fast);
        place.with_writer(Durability::Fast, |writer| {
            let sizes: Vec<u64> = writer.history().unwrap().iter().map(|past| past.size).collect();
            assert!(!sizes.is_empty());
            // The newest receipt is kept, whatever its size.
            assert!(sizes[1..].iter().sum::<u64>() <= 64 << 20, "{sizes:?}");
        });
    }
}
