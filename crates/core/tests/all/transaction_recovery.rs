//! Recovery in a workspace that was changed after the crash: it always comes to an end, loses
//! nothing, and writes nothing outside.

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

/// Where a journal says how far the work is.
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

    /// Commits on a disk that answers nothing from step `at` on, which is what a crash leaves.
    /// Gives the receipt if it was not needed that long.
    fn interrupt(&self, at: usize, changes: Vec<DiskChange>) -> Option<Receipt> {
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
        let ledger = Ledger::with_disk(&self.root(), Some(self.home()), Arc::clone(&disk) as _);
        let writer = ledger.write(Durability::Full, &NEVER).ok()?;
        let receipt = writer.commit(&Transaction::new(changes)).ok()?;
        (disk.steps() <= at).then_some(receipt)
    }

    /// What the next writer finds; it must be let in.
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

    /// Whether a journal is in the state that is written so.
    fn has_journal_in(&self, state: u8) -> bool {
        let journals = self.kept(".journal");
        journals.iter().any(|path| fs::read(path).unwrap().get(STATE_AT) == Some(&state))
    }

    /// A patch to another file still works.
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

/// Removes our temporary files below a directory, as `git clean` does, and says how many.
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
fn a_linked_file_that_is_written_and_moved_is_taken_back_from_any_step() {
    let mut taken_back = 0;
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
            taken_back += place.recover(&what).settled;
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
    assert!(taken_back > 3, "{taken_back}");
}

#[test]
fn old_texts_come_back_from_the_journal_when_the_temporary_files_are_gone() {
    let (old, new) = old_and_new();
    let (mut cleaned, mut taken_back) = (0, 0);
    for at in 0..MAX_STEPS {
        let what = format!("step {at}");
        let place = Place::new("cleaned");
        lay_out(&place.root());
        let done = place.interrupt(at, changes(&place.root())).is_some();
        cleaned += clean(&place.root());
        taken_back += place.recover(&what).settled;
        let now = without_litter(&tree(&place.root()));
        assert!(
            now == without_litter(&old) || now == without_litter(&new),
            "{what}: wholly old or wholly new, not {now:#?}"
        );
        if done {
            break;
        }
    }
    assert!(cleaned > 20 && taken_back > 10, "{cleaned} {taken_back}");
}

/// A name, and what it does to a directory; the second is one outside.
type Swap = (&'static str, fn(&Path, &Path));

/// What may happen to a directory after a crash.
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
fn a_directory_that_is_something_else_after_the_crash_stops_nobody() {
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
fn a_sweep_from_elsewhere_takes_nothing_that_a_journal_needs() {
    let (old, new) = old_and_new();
    let mut taken_back = 0;
    for step in (0..MAX_STEPS).step_by(3) {
        let what = format!("step {step}");
        let place = Place::new("elsewhere");
        lay_out(&place.root());
        let status =
            spawn("transaction_kill::dies_at_a_step", place.dir.path(), step).status().unwrap();
        // Another container: it has another home, and the writer is no process of its own.
        let options = Options {
            journal_dir: Some(place.dir.path().join("other-home")),
            ..Options::new(place.root())
        };
        let before = tree(&place.root());
        let outcome =
            Session::new(options).unwrap().recover(RecoverRequest::default(), &Cancel::default());
        assert_eq!(outcome.unwrap().swept, [""; 0], "{what}");
        assert_eq!(tree(&place.root()), before, "{what}");
        taken_back += place.recover(&what).settled;
        let now = tree(&place.root());
        assert!(now == old || now == new, "{what}: {now:#?}");
        if status.success() {
            break;
        }
    }
    assert!(taken_back > 5, "{taken_back}");
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

/// The number of a step in the middle of publishing.
const HALF_WAY: usize = 80;

#[test]
fn a_journal_in_another_home_is_found() {
    let place = Place::new("homes");
    lay_out(&place.root());
    let old = tree(&place.root());
    // The first writer cannot use the best home, the second one can.
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
fn a_journal_in_a_home_that_was_not_there_is_found_by_a_writer_and_by_who_opens_then() {
    let place = Place::new("late-homes");
    lay_out(&place.root());
    let old = tree(&place.root());
    let early = place.ledger();
    assert!(place.interrupt(HALF_WAY, changes(&place.root())).is_none());
    // A reader asks for no home that was not there: it would ask before every read.
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
    // Interrupted when the file outside is new: following the journal would write to it.
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
            // It becomes a receipt before those of later patches.
            let ledger = place.ledger();
            let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
            writer.commit(&Transaction::new(vec![change(&place.path("bystander"))])).unwrap();
            let refused = writer.undo(None, false).unwrap_err().to_string();
            assert!(refused.contains(journals[0].to_str().unwrap()), "step {at}: {refused}");
            made += 1;
        } else {
            place.check_usable(&format!("step {at}"));
        }
        // Whoever may write there may also take it back.
        drop(place.ledger().allow_outside(true).write(Durability::Full, &NEVER).unwrap());
        assert!(place.kept(".journal").is_empty(), "step {at}");
        if done {
            break;
        }
    }
    assert!(planted > 5 && made > 0, "{planted} {made}");
}

#[test]
fn a_receipt_that_names_files_outside_is_not_taken_back() {
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
fn what_the_disk_refuses_can_be_set_aside() {
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
fn what_is_written_to_the_old_file_of_a_patch_that_is_not_made_is_not_lost() {
    let mut taken_back = 0;
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
        taken_back += usize::from(exchanged);
    }
    assert!(taken_back > 1, "{taken_back}");
}

/// What another program does to a file, and how.
type Meddling = (&'static str, fn(&Path));

/// What another program does to a file after a crash.
const MEDDLING: [Meddling; 3] = [
    ("wrote into it", |file| fs::write(file, "theirs\n").unwrap()),
    ("saved it under another name and renamed that", |file| {
        fs::write(file.with_extension("swp"), "theirs\n").unwrap();
        fs::rename(file.with_extension("swp"), file).unwrap();
    }),
    ("removed it", |file| fs::remove_file(file).unwrap()),
];

#[test]
fn what_another_program_does_after_the_crash_stays() {
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
                // A file that is missing while it is being replaced comes back.
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
