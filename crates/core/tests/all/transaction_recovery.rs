//! Recovery in a workspace that was changed after the crash: it always ends, loses nothing, and
//! writes nothing outside.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::faulty::{FaultyDisk, Trouble};
use crate::transaction_kill::spawn;
use crate::tree::{Tree, changes, lay_out, tree, without_litter};
use hashline_core::cancel::Cancel;
use hashline_core::session::Durability;
use hashline_core::session::{Options, RecoverRequest, Session};
use hashline_core::testing::transaction::{
    DiskChange, FileAction, JournalError, Ledger, NotUndone, Receipt, Recovery, Transaction,
    journal_problem,
};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The offset of the byte in a journal that tells how far the patch is.
const STATE_AT: usize = 16;

/// No test commits with more steps than this.
const MAX_STEPS: usize = 200;

/// A workspace, and a directory for its journals.
struct Place {
    dir: Workdir,
}

impl Place {
    fn new(name: &str) -> Self {
        let dir = Workdir::new(name);
        fs::create_dir(dir.path().join("root")).unwrap();
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(&self.root(), Some(self.home()))
    }

    /// Commits on a disk that fails from step `at` on, as after a crash. Returns the receipt if the
    /// commit ended before that step.
    fn interrupt(&self, at: usize, changes: Vec<DiskChange>) -> Option<Receipt> {
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
        let ledger = Ledger::with_disk(&self.root(), Some(self.home()), Arc::clone(&disk) as _);
        let writer = ledger.write(Durability::Full, &NEVER).ok()?;
        let receipt = writer.commit(&Transaction::new(changes)).ok()?;
        (disk.steps() <= at).then_some(receipt)
    }

    /// Opens the next writer, which must succeed, and returns what it found.
    fn recover(&self, what: &str) -> Found {
        let ledger = self.ledger();
        let writer = ledger
            .write(Durability::Fast, &NEVER)
            .unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let Recovery { undone, finished, .. } = writer.recovery();
        Found { settled: undone.len() + finished.len() }
    }

    /// The files in the ledger with this ending.
    fn kept(&self, ending: &str) -> Vec<PathBuf> {
        let Ok(homes) = fs::read_dir(self.home()) else { return Vec::new() };
        let files = homes.flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        let paths = files.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
    }

    /// Whether there is a journal in this state.
    fn has_journal_in(&self, state: u8) -> bool {
        let journals = self.kept(".journal");
        journals.iter().any(|path| fs::read(path).unwrap().get(STATE_AT) == Some(&state))
    }

    /// Checks that a patch to another file still works.
    fn check_usable(&self, what: &str) {
        let change = DiskChange {
            path: self.path("bystander"),
            expected: Some(fs::read(self.path("bystander")).unwrap().into()),
            then: FileAction::Put(b"still usable\n".to_vec().into()),
            like: None,
        };
        let ledger = self.ledger();
        let writer = ledger
            .write(Durability::Fast, &NEVER)
            .unwrap_or_else(|fault| panic!("{what}: {fault}"));
        writer.commit(&Transaction::new(vec![change])).unwrap();
        writer.undo(None, false).unwrap();
    }
}

struct Found {
    settled: usize,
}

/// Removes our temporary files below a directory, as `git clean` does, and returns how many.
fn clean(directory: &Path) -> usize {
    let mut removed = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            removed += clean(&path);
        } else if path.file_name().unwrap().to_string_lossy().starts_with(".hashline-") {
            fs::remove_file(path).unwrap();
            removed += 1;
        }
    }
    removed
}

fn old_and_new() -> (Tree, Tree) {
    let place = Place::new("both");
    lay_out(&place.root());
    let old = tree(&place.root());
    assert!(place.interrupt(usize::MAX, changes(&place.root())).is_some());
    (old, tree(&place.root()))
}

#[test]
fn a_linked_file_that_is_written_and_moved_is_rolled_back_from_any_step() {
    let mut settled = 0;
    for trouble in [Trouble::Once(libc::EIO), Trouble::Onward(libc::EIO)] {
        for at in 0..MAX_STEPS {
            let what = format!("step {at}, {trouble:?}");
            let place = Place::new("linked-move");
            lay_out(&place.root());
            let old = tree(&place.root());
            let change = DiskChange {
                path: place.path("linked"),
                expected: Some(fs::read(place.path("linked")).unwrap().into()),
                like: None,
                then: FileAction::MoveTo {
                    to: place.path("sub/renamed"),
                    content: Some(b"new\n".to_vec().into()),
                },
            };
            let disk = Arc::new(FaultyDisk::new(at, trouble));
            let ledger =
                Ledger::with_disk(&place.root(), Some(place.home()), Arc::clone(&disk) as _);
            let done = ledger
                .write(Durability::Full, &NEVER)
                .and_then(|writer| writer.commit(&Transaction::new(vec![change])))
                .is_ok();
            settled += place.recover(&what).settled;
            let now = tree(&place.root());
            if now == old {
                assert!(!done, "{what}: it was reported as done");
            } else {
                assert_eq!(now["sub/renamed"].as_deref(), Some(&b"new\n"[..]), "{what}");
                assert_eq!(now["sub/link"].as_deref(), Some(&b"new\n"[..]), "{what}");
                assert_eq!(now.len(), old.len(), "{what}");
            }
            assert!(place.kept(".journal").is_empty(), "{what}");
            place.check_usable(&what);
            if disk.steps() <= at {
                break;
            }
        }
    }
    assert!(settled > 3, "{settled}");
}

#[test]
fn old_texts_come_back_from_the_journal_when_the_temporary_files_are_gone() {
    let (old, new) = old_and_new();
    let (mut cleaned, mut settled) = (0, 0);
    for at in 0..MAX_STEPS {
        let what = format!("step {at}");
        let place = Place::new("cleaned");
        lay_out(&place.root());
        let done = place.interrupt(at, changes(&place.root())).is_some();
        cleaned += clean(&place.root());
        settled += place.recover(&what).settled;
        let now = without_litter(&tree(&place.root()));
        assert!(
            now == without_litter(&old) || now == without_litter(&new),
            "{what}: wholly old or wholly new, not {now:#?}"
        );
        if done {
            break;
        }
    }
    assert!(cleaned > 20 && settled > 10, "{cleaned} {settled}");
}

/// A description, and a function that changes a directory; its second argument is a directory
/// outside.
type Swap = (&'static str, fn(&Path, &Path));

/// The ways in which a directory is replaced after a crash.
const SWAPS: [Swap; 4] = [
    ("a link to a directory outside", |directory, outside| {
        fs::rename(directory, directory.with_extension("away")).unwrap();
        symlink(outside, directory).unwrap();
    }),
    ("a link to nothing", |directory, _| {
        fs::rename(directory, directory.with_extension("away")).unwrap();
        symlink("nowhere", directory).unwrap();
    }),
    ("a file", |directory, _| {
        fs::rename(directory, directory.with_extension("away")).unwrap();
        fs::write(directory, "now a file\n").unwrap();
    }),
    ("gone", |directory, _| fs::remove_dir_all(directory).unwrap()),
];

#[test]
fn a_directory_that_was_replaced_after_the_crash_stops_no_writer() {
    for (name, swap) in SWAPS {
        let mut conflicts = 0;
        for at in 0..MAX_STEPS {
            let what = format!("{name}, step {at}");
            let place = Place::new("swapped");
            let outside = Workdir::new("outside");
            lay_out(&place.root());
            let done = place.interrupt(at, changes(&place.root())).is_some();
            swap(&place.path("sub"), outside.path());
            place.recover(&what);
            conflicts += place.kept(".conflict").len();
            assert!(place.kept(".journal").is_empty(), "{what}");
            place.check_usable(&what);
            assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0, "{what}");
            if done {
                break;
            }
        }
        assert!(conflicts > 0, "{name}");
    }
}

#[test]
fn a_sweep_with_another_home_removes_nothing_that_a_journal_needs() {
    let (old, new) = old_and_new();
    let mut settled = 0;
    for step in (0..MAX_STEPS).step_by(3) {
        let what = format!("step {step}");
        let place = Place::new("elsewhere");
        lay_out(&place.root());
        let status =
            spawn("transaction_kill::dies_at_a_step", place.dir.path(), step).status().unwrap();
        // As in another container, with another home, where the writer's process does not exist.
        let options = Options {
            journal_dir: Some(place.dir.path().join("other-home")),
            ..Options::new(place.root())
        };
        let before = tree(&place.root());
        let outcome =
            Session::new(options).unwrap().recover(RecoverRequest::default(), &Cancel::default());
        assert_eq!(outcome.unwrap().swept, [""; 0], "{what}");
        assert_eq!(tree(&place.root()), before, "{what}");
        settled += place.recover(&what).settled;
        let now = tree(&place.root());
        assert!(now == old || now == new, "{what}: {now:#?}");
        if status.success() {
            break;
        }
    }
    assert!(settled > 5, "{settled}");
}

#[test]
fn a_damaged_journal_keeps_its_temporary_files() {
    let mut damaged = 0;
    for step in (0..MAX_STEPS).step_by(3) {
        let place = Place::new("damaged");
        lay_out(&place.root());
        let status =
            spawn("transaction_kill::dies_at_a_step", place.dir.path(), step).status().unwrap();
        for journal in place.kept(".journal") {
            let mut bytes = fs::read(&journal).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(&journal, bytes).unwrap();
            damaged += 1;
        }
        let before = tree(&place.root());
        let options = Options { journal_dir: Some(place.home()), ..Options::new(place.root()) };
        Session::new(options)
            .unwrap()
            .recover(RecoverRequest::default(), &Cancel::default())
            .unwrap();
        let after = tree(&place.root());
        if !place.kept(".journal").is_empty() {
            assert_eq!(after, before, "step {step}");
        }
        if status.success() {
            break;
        }
    }
    assert!(damaged > 5, "{damaged}");
}

/// The index of a step in the middle of publishing.
const HALF_WAY: usize = 80;

#[test]
fn a_journal_in_another_home_is_found() {
    let place = Place::new("homes");
    lay_out(&place.root());
    let old = tree(&place.root());
    // The first writer cannot use the first home, the second writer can.
    let (best, other) = (place.dir.path().join("best"), place.dir.path().join("other"));
    let ledger = |homes: &[&PathBuf], disk: Arc<dyn hashline_core::testing::fs::Disk>| {
        Ledger::with_homes(&place.root(), homes.iter().copied().cloned().collect(), disk)
    };
    fs::write(&best, "in the way").unwrap();
    let disk = Arc::new(FaultyDisk::new(HALF_WAY, Trouble::Onward(libc::EIO)));
    let broken = ledger(&[&best, &other], disk);
    let writer = broken.write(Durability::Full, &NEVER).unwrap();
    assert!(writer.commit(&Transaction::new(changes(&place.root()))).is_err());
    drop(writer);
    assert_ne!(tree(&place.root()), old);
    fs::remove_file(&best).unwrap();
    let whole = ledger(&[&best, &other], Arc::new(hashline_core::testing::fs::RealDisk::default()));
    assert!(whole.pending());
    let writer = whole.write(Durability::Full, &NEVER).unwrap();
    assert_eq!(writer.recovery().undone.len(), 1);
    assert_eq!(tree(&place.root()), old);
    let second = ledger(&[&other], Arc::new(hashline_core::testing::fs::RealDisk::default()));
    let fault = second.lock(Durability::Full, Duration::ZERO, &NEVER).unwrap_err();
    assert_eq!(fault.code().as_str(), "locked", "a writer with the other home waits");
}

#[test]
fn a_journal_in_a_home_made_later_is_found_by_writers_and_new_ledgers() {
    let place = Place::new("late-homes");
    lay_out(&place.root());
    let old = tree(&place.root());
    let early = place.ledger();
    assert!(place.interrupt(HALF_WAY, changes(&place.root())).is_none());
    // `pending` does not look for new homes, because readers call it before every read.
    assert!(!early.pending());
    assert!(place.ledger().pending());
    let writer = early.write(Durability::Full, &NEVER).unwrap();
    assert_eq!(writer.recovery().undone.len(), 1);
    assert_eq!(tree(&place.root()), old);
    drop(writer);
    fs::write(place.kept("lock").remove(0).with_file_name("1f-66067caf891c00.journal"), "")
        .unwrap();
    assert!(early.pending());
}

#[test]
fn a_journal_that_names_files_outside_is_not_followed() {
    let place = Place::new("outside");
    lay_out(&place.root());
    let outside = place.dir.write("precious", "old\n");
    let change = |path: &Path| DiskChange {
        path: path.to_owned(),
        expected: Some(fs::read(path).unwrap().into()),
        like: None,
        then: FileAction::Put(b"new\n".to_vec().into()),
    };
    // If the patch was interrupted after it wrote the file outside, following the journal would
    // write there, too.
    let (mut planted, mut made) = (0, 0);
    for at in 0..MAX_STEPS {
        fs::write(&outside, "old\n").unwrap();
        let done = place.interrupt(at, vec![change(&outside)]).is_some();
        let is_whole = |path: &PathBuf| {
            let bytes = fs::read(path).unwrap();
            journal_problem(&bytes, &place.root()) == Some(JournalError::Outside)
        };
        let journals: Vec<PathBuf> = place.kept(".journal").into_iter().filter(is_whole).collect();
        planted += journals.len();
        let before = fs::read(&outside).unwrap();
        let options = Options { journal_dir: Some(place.home()), ..Options::new(place.root()) };
        let session = Session::new(options).unwrap();
        let outcome = session.recover(RecoverRequest::default(), &Cancel::default()).unwrap();
        assert_eq!(outcome.unreadable.len(), journals.len(), "step {at}: {}", outcome.text);
        assert_eq!(fs::read(&outside).unwrap(), before, "step {at}");
        if place.has_journal_in(b'D') {
            // This journal must become a receipt before that of the next patch.
            let ledger = place.ledger();
            let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
            writer.commit(&Transaction::new(vec![change(&place.path("bystander"))])).unwrap();
            let refused = writer.undo(None, false).unwrap_err().to_string();
            assert!(refused.contains(journals[0].to_str().unwrap()), "step {at}: {refused}");
            made += 1;
        } else {
            place.check_usable(&format!("step {at}"));
        }
        // A writer that may write outside may also settle the journal.
        drop(place.ledger().allow_outside(true).write(Durability::Full, &NEVER).unwrap());
        assert!(place.kept(".journal").is_empty(), "step {at}");
        if done {
            break;
        }
    }
    assert!(planted > 5 && made > 0, "{planted} {made}");
}

#[test]
fn a_receipt_that_names_files_outside_is_not_undone() {
    let place = Place::new("outside-undo");
    lay_out(&place.root());
    let outside = place.dir.write("precious", "old\n");
    let change = DiskChange {
        path: outside.clone(),
        expected: Some(b"old\n".to_vec().into()),
        like: None,
        then: FileAction::Put(b"new\n".to_vec().into()),
    };
    assert!(place.interrupt(usize::MAX, vec![change]).is_some());
    let undo = |allowed| {
        let ledger = place.ledger().allow_outside(allowed);
        let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
        writer.undo(None, false)
    };
    assert!(matches!(undo(false), Err(NotUndone::Unreadable(..))));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "new\n");
    undo(true).unwrap();
    assert_eq!(fs::read_to_string(&outside).unwrap(), "old\n");
}

#[test]
fn a_journal_that_the_disk_keeps_recovery_from_settling_can_be_set_aside() {
    let (mut set_aside, mut saved) = (0, 0);
    for at in 0..60 {
        let what = format!("step {at}");
        let place = Place::new("aside");
        lay_out(&place.root());
        assert!(place.interrupt(HALF_WAY, changes(&place.root())).is_none());
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Once(libc::EACCES)));
        let ledger = Ledger::with_disk(&place.root(), Some(place.home()), disk);
        let writer = ledger.set_aside(Durability::Fast, &NEVER).unwrap();
        let recovery = writer.recovery();
        for journal in &recovery.set_aside {
            assert!(journal.exists(), "{what}: {journal:?}");
            set_aside += 1;
        }
        for kept in recovery.left_alone.iter().filter_map(|one| one.kept.as_ref()) {
            assert!(fs::read_to_string(kept).unwrap().starts_with("old content"), "{kept:?}");
            saved += 1;
        }
        drop(writer);
        place.check_usable(&what);
        assert!(place.kept(".journal").is_empty(), "{what}");
    }
    assert!(set_aside > 5 && saved > 5, "{set_aside} {saved}");
}

#[test]
fn a_journal_that_lost_its_bytes_with_the_power_is_dropped() {
    let place = Place::new("zeros");
    lay_out(&place.root());
    let old = tree(&place.root());
    place.recover("to make the directory");
    let directory = fs::read_dir(place.home()).unwrap().next().unwrap().unwrap().path();
    for bytes in [vec![], vec![0; 20_504]] {
        fs::write(directory.join("1f-66067caf891c00.journal"), bytes).unwrap();
        assert_eq!(place.recover("zeros").settled, 0);
        assert!(place.kept(".journal").is_empty());
        assert_eq!(tree(&place.root()), old);
    }
}

#[test]
fn a_journal_that_was_being_written_is_dropped() {
    let place = Place::new("torn");
    lay_out(&place.root());
    assert!(place.interrupt(usize::MAX, changes(&place.root())).is_some());
    let new = tree(&place.root());
    let receipt = place.kept(".undo").remove(0);
    let whole = fs::read(&receipt).unwrap();
    let torn = |len: usize| [&whole[..len], &vec![0; whole.len() - len]].concat();
    for bytes in [vec![], vec![0; 4096], whole[..9].to_vec(), torn(40), whole.clone()] {
        fs::write(receipt.with_file_name("1f-66067caf891c00.new"), bytes).unwrap();
        assert_eq!(place.recover("torn").settled, 0);
        assert!(place.kept(".new").is_empty());
        assert_eq!(tree(&place.root()), new);
    }
}

#[test]
fn a_late_write_to_the_old_file_of_an_unfinished_patch_is_not_lost() {
    let mut rolled_back = 0;
    for at in 0..MAX_STEPS {
        let place = Place::new("late");
        lay_out(&place.root());
        let file = place.path("change");
        let old = fs::read_to_string(&file).unwrap();
        let mut open = fs::OpenOptions::new().append(true).open(&file).unwrap();
        let changes = changes(&place.root()).into_iter().take(1).collect();
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
        let ledger = Ledger::with_disk(&place.root(), Some(place.home()), disk);
        let made = ledger
            .write(Durability::Full, &NEVER)
            .and_then(|writer| writer.commit(&Transaction::new(changes)));
        if made.is_ok() || place.has_journal_in(b'D') {
            break;
        }
        let exchanged = fs::read_to_string(&file).unwrap() != old;
        open.write_all(b"and a line more\n").unwrap();
        place.recover(&format!("step {at}"));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, format!("{old}and a line more\n"), "step {at}");
        rolled_back += usize::from(exchanged);
    }
    assert!(rolled_back > 1, "{rolled_back}");
}

/// A description, and a function that changes a file as another program would.
type Meddling = (&'static str, fn(&Path));

/// The ways in which another program changes a file after a crash.
const MEDDLING: [Meddling; 3] = [
    ("wrote into it", |file| fs::write(file, "theirs\n").unwrap()),
    ("saved it under another name and renamed that", |file| {
        fs::write(file.with_extension("swp"), "theirs\n").unwrap();
        fs::rename(file.with_extension("swp"), file).unwrap();
    }),
    ("removed it", |file| fs::remove_file(file).unwrap()),
];

#[test]
fn changes_by_another_program_after_the_crash_are_kept() {
    for (name, meddle) in MEDDLING {
        let mut interrupted = 0;
        for at in 0..MAX_STEPS {
            let what = format!("{name}, step {at}");
            let place = Place::new("meddling");
            lay_out(&place.root());
            let file = place.path("change");
            let old = fs::read(&file).unwrap();
            let changes = changes(&place.root()).into_iter().take(1).collect();
            let done = place.interrupt(at, changes).is_some();
            let publishing = place.has_journal_in(b'P');
            interrupted += place.kept(".journal").len();
            meddle(&file);
            place.recover(&what);
            let now = fs::read(&file).ok();
            if file.exists() && name == "removed it" {
                // If a file is missing while a patch replaces it, recovery restores it.
                assert!(publishing && now == Some(old), "{what}");
            } else {
                assert_eq!(now.is_some(), name != "removed it", "{what}");
                assert!(now.is_none_or(|now| now == b"theirs\n"), "{what}");
            }
            assert!(place.kept(".journal").is_empty(), "{what}");
            place.check_usable(&what);
            if done {
                break;
            }
        }
        assert!(interrupted > 5, "{name}: {interrupted}");
    }
}
