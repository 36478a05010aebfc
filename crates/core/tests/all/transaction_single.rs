//! A patch of one file: the exchange of two names makes it, whatever happens before or after.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::faulty::{FaultyDisk, Trouble};
use crate::tree::tree;
use hashline_core::transaction::{
    CommitFault, DiskChange, Durability, FileAction, Ledger, Transaction,
};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

const OLD: &str = "old content\n";
const NEW: &str = "new and longer content\n";

/// No test commits with more steps than this.
const MOST_STEPS: usize = 80;

/// A workspace with one file, and a directory for its journals.
struct Place {
    dir: Workdir,
}

impl Place {
    fn new(name: &str) -> Self {
        let dir = Workdir::in_memory(name);
        fs::create_dir(dir.path().join("root")).unwrap();
        fs::write(dir.path().join("root/file"), OLD).unwrap();
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn file(&self) -> PathBuf {
        self.root().join("file")
    }

    fn text(&self) -> Option<String> {
        fs::read_to_string(self.file()).ok()
    }

    fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(&self.root(), Some(self.home()))
    }

    /// The ledger on a disk with trouble.
    fn troubled(&self, disk: &Arc<FaultyDisk>) -> Ledger {
        Ledger::with_disk(&self.root(), Some(self.home()), Arc::clone(disk) as _)
    }

    /// Gives the file the new content on a disk with trouble.
    fn commit(&self, disk: &Arc<FaultyDisk>, durability: Durability) -> Result<(), CommitFault> {
        let ledger = self.troubled(disk);
        let writer = ledger.write(durability, &NEVER)?;
        writer.commit(&Transaction::new(vec![self.put("file", NEW)])).map(|_| ())
    }

    fn put(&self, name: &str, content: &str) -> DiskChange {
        let expected = fs::read(self.root().join(name)).ok();
        let then = FileAction::Put(content.to_owned().into());
        DiskChange { path: self.root().join(name), expected: expected.map(Into::into), then }
    }

    /// Lets the next writer in; it must find nothing that it cannot settle.
    fn recover(&self, what: &str) {
        let ledger = self.ledger();
        let writer = ledger
            .write(Durability::Fast, &NEVER)
            .unwrap_or_else(|fault| panic!("{what}: {fault}"));
        let recovery = writer.recovery();
        assert!(recovery.unreadable.is_empty(), "{what}: {recovery:?}");
    }

    /// The files in the ledger with one of these endings.
    fn kept(&self, endings: &[&str]) -> Vec<PathBuf> {
        let Ok(homes) = fs::read_dir(self.home()) else { return Vec::new() };
        let files = homes.flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        let paths = files.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| endings.iter().any(|end| path.to_string_lossy().ends_with(end)))
            .collect()
    }

    fn undo(&self) {
        self.ledger().write(Durability::Fast, &NEVER).unwrap().undo(None).unwrap();
    }
}

/// Names of journals that are under way.
const PENDING: &[&str] = &[".journal", ".new", ".single"];

#[test]
fn whichever_step_fails_the_file_is_old_or_new_and_the_report_is_true() {
    let mut runs = 0;
    for (durability, without_exchange) in
        [(Durability::Full, false), (Durability::Fast, false), (Durability::Full, true)]
    {
        for code in [libc::EIO, libc::ENOSPC, libc::EOPNOTSUPP] {
            for trouble in [Trouble::Once(code), Trouble::Onward(code)] {
                for at in 0..=MOST_STEPS {
                    let what =
                        format!("step {at}, {trouble:?}, {durability:?}, {without_exchange}");
                    let place = Place::new("single-step");
                    let disk = FaultyDisk::new(at, trouble);
                    let disk = if without_exchange { disk.without_exchange() } else { disk };
                    let disk = Arc::new(disk);
                    let outcome = place.commit(&disk, durability);
                    place.recover(&what);
                    let now = place.text();
                    match &outcome {
                        Ok(()) => assert_eq!(now.as_deref(), Some(NEW), "{what}"),
                        Err(fault) if !fault.is_unfinished() => {
                            assert_eq!(now.as_deref(), Some(OLD), "{what}: {fault}");
                        }
                        Err(_) => {
                            assert!([Some(OLD), Some(NEW)].contains(&now.as_deref()), "{what}");
                        }
                    }
                    assert_eq!(tree(&place.root()).len(), 1, "{what}: nothing is left over");
                    assert_eq!(place.kept(PENDING), [""; 0].map(PathBuf::from), "{what}");
                    if now.as_deref() == Some(NEW) {
                        place.undo();
                        assert_eq!(place.text().as_deref(), Some(OLD), "{what}: undone");
                    }
                    runs += 1;
                    if disk.steps() <= at {
                        assert!(outcome.is_ok(), "{what}");
                        break;
                    }
                    assert!(at < MOST_STEPS, "{what}: there are more steps");
                }
            }
        }
    }
    assert!(runs > 300, "{runs}");
}

/// What another program does to the file after a crash, and what must be there in the end; `None`
/// is what was there before or what the patch made.
type Meddling = (&'static str, fn(&Path), Option<Option<&'static str>>);

const MEDDLING: [Meddling; 5] = [
    ("wrote into it", |file| fs::write(file, "theirs\n").unwrap(), Some(Some("theirs\n"))),
    (
        "saved it under another name and renamed that",
        |file| {
            fs::write(file.with_extension("swp"), "theirs\n").unwrap();
            fs::rename(file.with_extension("swp"), file).unwrap();
        },
        Some(Some("theirs\n")),
    ),
    ("removed it", |file| fs::remove_file(file).unwrap(), Some(None)),
    ("removed our temporary files", |file| clean(file.parent().unwrap()), None),
    ("did nothing", |_| {}, None),
];

fn clean(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with(".hashline-") {
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn what_another_program_does_after_the_crash_stays() {
    for (name, meddle, expected) in MEDDLING {
        let mut interrupted = 0;
        for at in 0..=MOST_STEPS {
            let what = format!("{name}, step {at}");
            let place = Place::new("single-meddling");
            let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
            let outcome = place.commit(&disk, Durability::Full);
            interrupted += usize::from(!place.kept(PENDING).is_empty());
            meddle(&place.file());
            place.recover(&what);
            let now = place.text();
            match expected {
                Some(expected) => assert_eq!(now.as_deref(), expected, "{what}"),
                None => {
                    assert!([Some(OLD), Some(NEW)].contains(&now.as_deref()), "{what}: {now:?}");
                }
            }
            assert_eq!(place.kept(PENDING), [""; 0].map(PathBuf::from), "{what}");
            place.recover("again");
            if outcome.is_ok() && disk.steps() <= at {
                break;
            }
        }
        assert!(interrupted > 5, "{name}: {interrupted}");
    }
}

#[test]
fn what_is_written_to_the_old_file_before_the_crash_is_recovered_is_not_lost() {
    let mut taken_back = 0;
    for at in 0..=MOST_STEPS {
        let place = Place::new("single-late");
        let mut open = OpenOptions::new().append(true).open(place.file()).unwrap();
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
        let outcome = place.commit(&disk, Durability::Full);
        if outcome.is_ok() {
            break;
        }
        let exchanged = place.text().as_deref() == Some(NEW);
        open.write_all(b"and a line more\n").unwrap();
        place.recover(&format!("step {at}"));
        let text = place.text().unwrap();
        assert_eq!(text, format!("{OLD}and a line more\n"), "step {at}");
        taken_back += usize::from(exchanged);
    }
    assert!(taken_back > 1, "{taken_back}");
}

/// Makes the patch, and forgets what does not wait for the medium: that the journal is done and, with
/// `old_file`, that the old file is gone.
fn lose_names(place: &Place, old_file: bool) {
    let disk = Arc::new(FaultyDisk::new(usize::MAX, Trouble::Abort));
    place.commit(&disk, Durability::Full).unwrap();
    let done = place.kept(&[".done"]).remove(0);
    let id = done.file_stem().unwrap().to_str().unwrap().to_owned();
    fs::rename(&done, done.with_extension("single")).unwrap();
    if old_file {
        fs::write(place.root().join(format!(".hashline-{id}-1.tmp")), OLD).unwrap();
    }
}

#[test]
fn a_patch_that_was_reported_is_not_said_to_be_taken_back() {
    for (name, meddle, text) in MEDDLING {
        for old_file in [true, false] {
            let what = format!("{name}, old file {old_file}");
            let place = Place::new("single-reported");
            lose_names(&place, old_file);
            meddle(&place.file());
            let ledger = place.ledger();
            let writer = ledger.write(Durability::Full, &NEVER).unwrap();
            let recovery = writer.recovery();
            assert!(recovery.undone.is_empty(), "{what}: {recovery:?}");
            assert_eq!(place.text().as_deref(), text.unwrap_or(Some(NEW)), "{what}");
            let left = tree(&place.root()).len();
            assert_eq!(left, usize::from(text != Some(None)), "{what}: nothing is left over");
            // What was there before is kept, one way or the other.
            assert_eq!(place.kept(&[".undo", ".before"]).len(), 1, "{what}: {recovery:?}");
        }
    }
}

#[test]
fn an_old_file_beside_the_journal_tells_that_the_patch_was_made() {
    let place = Place::new("single-old-beside");
    lose_names(&place, false);
    let journal = place.kept(&[".single"]).remove(0);
    fs::write(journal.with_extension("old"), OLD).unwrap();
    fs::remove_file(place.file()).unwrap();
    fs::write(place.file(), "saved by an editor\n").unwrap();
    let ledger = place.ledger();
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    let recovery = writer.recovery();
    assert_eq!(recovery.finished.len(), 1, "{recovery:?}");
    assert_eq!(place.text().as_deref(), Some("saved by an editor\n"));
    assert_eq!(place.kept(&[".undo"]).len(), 1, "{recovery:?}");
    assert_eq!(place.kept(&[".old", ".conflict", ".before"]), [""; 0].map(PathBuf::from));
}

#[test]
fn a_journal_that_was_being_written_is_dropped() {
    let place = Place::new("single-torn");
    let disk = Arc::new(FaultyDisk::new(usize::MAX, Trouble::Abort));
    place.commit(&disk, Durability::Full).unwrap();
    let whole = fs::read(&place.kept(&[".done"])[0]).unwrap();
    place.recover("the receipt");
    let directory = place.kept(&[".undo"])[0].parent().unwrap().to_owned();
    let torn = |len: usize| [&whole[..len], &vec![0; whole.len() - len]].concat();
    for bytes in
        [vec![], vec![0; 4096], whole[..9].to_vec(), whole[..whole.len() - 1].to_vec(), torn(40)]
    {
        fs::write(directory.join("1f-66067caf891c00.single"), bytes).unwrap();
        place.recover("torn");
        assert_eq!(place.kept(PENDING), [""; 0].map(PathBuf::from));
        assert_eq!(place.text().as_deref(), Some(NEW));
    }
}

#[test]
fn patches_are_taken_back_in_order_whatever_their_size() {
    let place = Place::new("single-order");
    fs::write(place.root().join("other"), OLD).unwrap();
    let commit = |writer: &hashline_core::transaction::Writer<'_>, text: &str, both: bool| {
        let mut changes = vec![place.put("file", text)];
        if both {
            changes.push(place.put("other", text));
        }
        writer.commit(&Transaction::new(changes)).unwrap();
    };
    let ledger = place.ledger();
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    commit(&writer, "1\n", false);
    commit(&writer, "2\n", true);
    commit(&writer, "3\n", false);
    commit(&writer, "4\n", false);
    assert_eq!(writer.history().unwrap().len(), 4);
    drop(writer);
    let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
    commit(&writer, "5\n", false);
    drop(writer);
    for text in ["4\n", "3\n", "2\n", "1\n", OLD] {
        place.undo();
        assert_eq!(place.text().as_deref(), Some(text));
    }
    assert_eq!(fs::read_to_string(place.root().join("other")).unwrap(), OLD);
}

#[test]
fn whichever_step_fails_undo_never_takes_back_an_older_patch_than_the_last() {
    for trouble in [Trouble::Once(libc::EIO), Trouble::Onward(libc::EIO)] {
        for at in 0..=MOST_STEPS {
            let place = Place::new("single-undo");
            fs::write(place.root().join("other"), OLD).unwrap();
            for name in ["other", "file"] {
                let ledger = place.ledger();
                let writer = ledger.write(Durability::Full, &NEVER).unwrap();
                writer.commit(&Transaction::new(vec![place.put(name, NEW)])).unwrap();
            }
            let disk = Arc::new(FaultyDisk::new(at, trouble));
            let ledger = place.troubled(&disk);
            let undone = ledger
                .write(Durability::Full, &NEVER)
                .is_ok_and(|writer| writer.undo(None).is_ok());
            let what = format!("step {at}, {trouble:?}, undone: {undone}");
            let earlier = fs::read_to_string(place.root().join("other")).unwrap();
            assert_eq!(earlier, NEW, "{what}");
            let expected: &[&str] = if undone { &[OLD] } else { &[OLD, NEW] };
            assert!(expected.contains(&place.text().unwrap().as_str()), "{what}");
            if disk.steps() <= at {
                assert!(undone, "{what}");
                break;
            }
            assert!(at < MOST_STEPS, "{what}: there are more steps");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_patch_that_cannot_be_filed_is_no_obstacle_to_others_and_can_be_set_aside() {
    let place = Place::new("single-unfiled");
    let commit = |name: &str| {
        let ledger = place.ledger();
        let writer = ledger.write(Durability::Full, &NEVER).unwrap();
        writer.commit(&Transaction::new(vec![place.put(name, NEW)])).unwrap();
    };
    commit("file");
    // A directory in the place of the old file cannot be removed like one.
    let done = place.kept(&[".done"]).remove(0);
    let id = done.file_stem().unwrap().to_string_lossy().into_owned();
    let staged = place.root().join(format!(".hashline-{id}-1.tmp"));
    fs::create_dir_all(staged.join("full")).unwrap();

    fs::write(place.root().join("other"), OLD).unwrap();
    commit("other");
    let ledger = place.ledger();
    let undone = ledger.write(Durability::Full, &NEVER).unwrap().undo(None);
    assert!(undone.is_err(), "{undone:?}");
    drop(ledger.set_aside(Durability::Full, &NEVER).unwrap());
    place.undo();
    assert_eq!(fs::read_to_string(place.root().join("other")).unwrap(), OLD);
    assert_eq!(place.text().as_deref(), Some(NEW));
}
