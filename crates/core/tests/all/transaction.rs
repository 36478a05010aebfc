//! Transactions on a disk that fails: the tree is wholly old or wholly new, and the report is true.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::faulty::{FaultyDisk, Trouble};
use crate::tree::{Tree, changes, lay_out, tree, without_litter};
use hashline_core::session::Durability;
use hashline_core::testing::transaction::{
    CommitFault, DiskChange, FileAction, Ledger, NotUndone, Receipt, Transaction,
};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Whether the fault leaves something for the next writer to roll back or complete.
pub(crate) fn is_unfinished(fault: &CommitFault) -> bool {
    matches!(fault, CommitFault::Disk { left, .. } if !left.is_empty())
}

/// A workspace and a directory for its journals, in memory if the system has a directory there.
struct Place {
    root: PathBuf,
    home: PathBuf,
    _dir: Workdir,
}

impl Place {
    fn new(name: &str) -> Self {
        let dir = Workdir::in_memory(name);
        let (root, home) = (dir.path().join("root"), dir.path().join("home"));
        fs::create_dir(&root).unwrap();
        Self { root, home, _dir: dir }
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(&self.root, Some(self.home.clone()))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn put(&self, name: &str, content: &str) -> DiskChange {
        let expected = fs::read(self.path(name)).ok();
        let then = FileAction::Put(content.to_owned().into());
        DiskChange { path: self.path(name), expected: expected.map(Into::into), then, like: None }
    }

    fn commit(&self, changes: Vec<DiskChange>) -> Result<Receipt, CommitFault> {
        let ledger = self.ledger();
        let writer = ledger.write(Durability::Fast, &NEVER)?;
        writer.commit(&Transaction::new(changes))
    }

    fn undo(&self) -> Result<(), NotUndone> {
        self.ledger().write(Durability::Fast, &NEVER)?.undo(None, false).map(|_| ())
    }

    /// The files in the ledger with this ending.
    fn kept(&self, ending: &str) -> Vec<PathBuf> {
        let Ok(homes) = fs::read_dir(&self.home) else { return Vec::new() };
        let directories = homes.map(|entry| entry.unwrap().path());
        let files = directories.flat_map(|path| fs::read_dir(path).unwrap());
        let paths = files.map(|entry| entry.unwrap().path());
        paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
    }
}

/// The tree before and after the changes.
fn old_and_new() -> (Tree, Tree) {
    let place = Place::new("both");
    lay_out(&place.root);
    let old = tree(&place.root);
    place.commit(changes(&place.root)).unwrap();
    (old, tree(&place.root))
}

#[test]
fn a_transaction_makes_every_change_and_leaves_nothing_else() {
    let (old, new) = old_and_new();
    let text = |name: &str| new[name].clone().map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(text("change").unwrap().starts_with("new and longer content of change"));
    assert!(text("deep/er/create").is_some());
    assert_eq!(text("linked").as_deref(), Some("short"));
    assert_eq!(text("sub/link").as_deref(), Some("short"), "a hard link is kept");
    assert_eq!(new["moved/away"], old["sub/move"]);
    assert!(text("sub/moved").unwrap().starts_with("new and longer content of moved"));
    let names: Vec<&str> = new.keys().map(String::as_str).collect();
    let expected = [
        "bystander", "change", "deep", "deep/er", "deep/er/create", "linked", "moved",
        "moved/away", "sub", "sub/link", "sub/moved",
    ];
    assert_eq!(names, expected);
}

#[test]
fn whichever_step_fails_the_tree_is_wholly_old_or_wholly_new() {
    let (old, new) = old_and_new();
    let codes = [libc::ENOSPC, libc::EACCES, libc::EIO, libc::EXDEV, libc::EMFILE];
    let mut runs = 0;
    for code in codes {
        for trouble in [Trouble::Once(code), Trouble::Onward(code)] {
            for at in 0.. {
                let place = Place::new("step");
                lay_out(&place.root);
                let changes = changes(&place.root);
                let disk = Arc::new(FaultyDisk::new(at, trouble));
                let ledger = Ledger::with_disk(
                    &place.root,
                    Some(place.home.clone()),
                    Arc::clone(&disk) as _,
                );
                let outcome = ledger
                    .write(Durability::Full, &NEVER)
                    .and_then(|writer| writer.commit(&Transaction::new(changes)));
                check(&place, &outcome, &old, &new, &format!("step {at}, {trouble:?}"));
                runs += 1;
                if disk.steps() <= at {
                    assert!(outcome.is_ok());
                    break;
                }
            }
        }
    }
    assert!(runs > 500, "only {runs} steps were tried");
}

#[test]
fn whichever_step_fails_a_single_file_is_old_or_new() {
    let one = |root: &Path| changes(root).into_iter().take(1).collect::<Vec<_>>();
    let place = Place::new("one");
    lay_out(&place.root);
    let old = tree(&place.root);
    place.commit(one(&place.root)).unwrap();
    let new = tree(&place.root);
    for (durability, exchanges) in
        [(Durability::Full, true), (Durability::Fast, true), (Durability::Full, false)]
    {
        for code in [libc::EIO, libc::ENOSPC, libc::EOPNOTSUPP] {
            for trouble in [Trouble::Once(code), Trouble::Onward(code)] {
                for at in 0.. {
                    let place = Place::new("one-step");
                    lay_out(&place.root);
                    let disk = FaultyDisk::new(at, trouble);
                    let disk = Arc::new(if exchanges { disk } else { disk.without_exchange() });
                    let home = Some(place.home.clone());
                    let ledger = Ledger::with_disk(&place.root, home, Arc::clone(&disk) as _);
                    let outcome = ledger
                        .write(durability, &NEVER)
                        .and_then(|writer| writer.commit(&Transaction::new(one(&place.root))));
                    let what = format!("step {at}, {trouble:?}, {durability:?}, {exchanges}");
                    check(&place, &outcome, &old, &new, &what);
                    if disk.steps() <= at {
                        assert!(outcome.is_ok(), "{what}");
                        break;
                    }
                }
            }
        }
    }
}

fn check(
    place: &Place,
    outcome: &Result<Receipt, CommitFault>,
    old: &Tree,
    new: &Tree,
    what: &str,
) {
    let now = tree(&place.root);
    match outcome {
        Ok(_) => {
            assert_eq!(
                without_litter(&now),
                without_litter(new),
                "{what}: it was reported as done"
            );
        }
        Err(fault) if !is_unfinished(fault) => {
            assert_eq!(without_litter(&now), without_litter(old), "{what}: {fault}");
        }
        Err(_) => {}
    }
    let ledger = place.ledger();
    let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
    let recovery = writer.recovery();
    assert!(
        recovery.left_alone.is_empty() && recovery.unreadable.is_empty(),
        "{what}: {recovery:?}"
    );
    drop(writer);
    let now = tree(&place.root);
    match outcome {
        Ok(_) => assert_eq!(now, *new, "{what}"),
        Err(fault) if !is_unfinished(fault) => assert_eq!(now, *old, "{what}: {fault}"),
        Err(fault) => assert!(now == *old || now == *new, "{what}: {fault}\n{now:#?}"),
    }
    assert!(place.kept(".journal").is_empty() && place.kept(".new").is_empty(), "{what}");
    if now == *new {
        place.undo().unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(tree(&place.root), *old, "{what}: undone");
    }
}

#[test]
fn recovery_that_fails_can_be_tried_again() {
    let (old, new) = old_and_new();
    // The disk fails in the middle of publishing, and then fails again during recovery.
    for at in [60, 64, 68, 72, 76] {
        for again in 0..40 {
            let place = Place::new("again");
            lay_out(&place.root);
            let changes = changes(&place.root);
            let run = |at, trouble: Trouble| {
                let disk = Arc::new(FaultyDisk::new(at, trouble));
                Ledger::with_disk(&place.root, Some(place.home.clone()), disk)
            };
            let broken = run(at, Trouble::Onward(libc::EIO));
            if let Ok(writer) = broken.write(Durability::Full, &NEVER) {
                let _ = writer.commit(&Transaction::new(changes));
            }
            drop(run(again, Trouble::Onward(libc::EIO)).write(Durability::Full, &NEVER));
            drop(place.ledger().write(Durability::Full, &NEVER).unwrap());
            let now = tree(&place.root);
            assert!(now == old || now == new, "{at} {again}: {now:#?}");
        }
    }
}

#[test]
fn a_prepared_transaction_that_is_dropped_leaves_no_trace() {
    let place = Place::new("dropped");
    lay_out(&place.root);
    let old = tree(&place.root);
    let ledger = place.ledger();
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    let prepared = writer.prepare(&Transaction::new(changes(&place.root))).unwrap();
    assert_ne!(tree(&place.root), old, "something is staged");
    drop(prepared);
    assert_eq!(tree(&place.root), old);
    assert!(place.kept(".journal").is_empty());
}

#[test]
fn a_file_changed_since_planning_is_not_touched() {
    let place = Place::new("changed");
    for (name, then) in [
        ("other content", FileAction::Put(b"new".to_vec().into())),
        ("same length!", FileAction::Put(b"new".to_vec().into())),
        ("is back", FileAction::Remove),
    ] {
        place.write("a", "first\n");
        place.write("b", "planned on..");
        let changes = vec![
            place.put("a", "new\n"),
            DiskChange {
                path: place.path("b"),
                expected: Some(b"planned on..".to_vec().into()),
                then,
                like: None,
            },
        ];
        place.write("b", name);
        let fault = place.commit(changes).unwrap_err();
        assert_eq!(fault.code().as_str(), "file_changed", "{fault}");
        assert!(!is_unfinished(&fault));
        assert_eq!((place.read("a"), place.read("b")), ("first\n".into(), name.into()));
    }
    let create = vec![DiskChange {
        path: place.path("b"),
        expected: None,
        then: FileAction::Put(Vec::new().into()),
        like: None,
    }];
    assert_eq!(place.commit(create).unwrap_err().code().as_str(), "file_changed");
}

/// Another program writes to a file just before it is replaced.
#[test]
fn a_change_at_the_last_moment_is_noticed_and_kept() {
    let place = Place::new("moment");
    place.write("a", "first\n");
    place.write("b", "second\n");
    let ledger = place.ledger();
    let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
    let transaction = Transaction::new(vec![place.put("a", "A\n"), place.put("b", "B\n")]);
    let prepared = writer.prepare(&transaction).unwrap();
    place.write("b", "somebody's work\n");
    let fault = prepared.publish().unwrap_err();
    assert_eq!(fault.code().as_str(), "file_changed", "{fault}");
    assert_eq!((place.read("a"), place.read("b")), ("first\n".into(), "somebody's work\n".into()));
    assert_eq!(tree(&place.root).len(), 2);
}

#[test]
fn a_file_changed_after_a_crash_is_left_alone_and_reported() {
    for at in 0..140 {
        let place = Place::new("foreign");
        lay_out(&place.root);
        let changes = changes(&place.root);
        let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
        let ledger = Ledger::with_disk(&place.root, Some(place.home.clone()), disk);
        let Ok(writer) = ledger.write(Durability::Full, &NEVER) else { continue };
        let outcome = writer.commit(&Transaction::new(changes));
        drop(writer);
        place.write("change", "somebody's work\n");
        drop(place.ledger().write(Durability::Full, &NEVER).unwrap());
        assert_eq!(place.read("change"), "somebody's work\n", "step {at}: {outcome:?}");
    }
}

#[test]
fn a_damaged_journal_is_reported_and_left_alone() {
    let place = Place::new("damaged");
    place.write("a", "a\n");
    place.commit(vec![place.put("a", "b\n")]).unwrap();
    let receipt = place.kept(".undo").remove(0);
    let damaged = receipt.with_file_name("dead-1.journal");
    for (damage, bytes) in [
        ("damaged", b"hashline-commit\x03Pxxxxxxxxxxxx".to_vec()),
        ("another version", b"something else entirely".to_vec()),
        ("another version", b"hashline-commit\x02Pxxxxxxxxxxxx".to_vec()),
        ("damaged", b"x".to_vec()),
    ] {
        fs::write(&damaged, &bytes).unwrap();
        let ledger = place.ledger();
        let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
        let (path, why) = &writer.recovery().unreadable[0];
        assert_eq!(*path, damaged);
        assert!(why.to_string().contains(damage), "{why}");
        assert_eq!(fs::read(&damaged).unwrap(), bytes);
    }
    place.commit(vec![place.put("a", "c\n")]).unwrap();
    assert_eq!(place.read("a"), "c\n", "others are not kept from working");
}

#[test]
fn one_writer_at_a_time_and_the_other_is_told_who() {
    let place = Place::new("lock");
    let (one, other) = (place.ledger(), place.ledger());
    let held = one.write(Durability::Fast, &NEVER).unwrap();
    let began = Instant::now();
    let timeout = Duration::from_millis(100);
    let fault = other.lock(Durability::Fast, timeout, &NEVER).unwrap_err();
    assert!(began.elapsed() >= timeout);
    assert_eq!(fault.code().as_str(), "locked");
    // Without the time that follows, because it depends on the clock.
    let holder = format!("another process holds its lock (process {}, for ", std::process::id());
    assert!(fault.to_string().contains(&holder), "{fault}");
    let cancelled = AtomicBool::new(true);
    assert_eq!(other.write(Durability::Fast, &cancelled).unwrap_err().code().as_str(), "aborted");
    drop(held);
    // Wait, because a child process that another test forks holds the lock until it runs its
    // program.
    assert!(other.lock(Durability::Fast, Duration::from_mins(1), &NEVER).is_ok());
}

#[test]
fn patches_are_undone_one_by_one() {
    let place = Place::new("undo");
    let mut trees = vec![tree(&place.root)];
    lay_out(&place.root);
    trees[0] = tree(&place.root);
    place.commit(changes(&place.root)).unwrap();
    for count in 0..25 {
        trees.push(tree(&place.root));
        place.commit(vec![place.put("change", &format!("{count}\n"))]).unwrap();
    }
    for back in (6..26).rev() {
        place.undo().unwrap();
        assert_eq!(tree(&place.root), trees[back], "back to {back}");
    }
    assert!(matches!(place.undo(), Err(NotUndone::Nothing)), "20 are kept");
}

#[test]
fn undo_is_refused_with_what_differs() {
    let place = Place::new("differs");
    place.write("gone", "1\n");
    place.write("other", "1\n");
    place.write("back", "1\n");
    let mut changes =
        vec![place.put("gone", "2\n"), place.put("other", "2\n"), place.put("new", "2\n")];
    changes.push(DiskChange { then: FileAction::Remove, ..place.put("back", "") });
    place.commit(changes).unwrap();
    fs::remove_file(place.path("gone")).unwrap();
    place.write("other", "3\n");
    place.write("back", "3\n");
    let now = tree(&place.root);
    let refused = place.undo().unwrap_err();
    assert!(matches!(refused, NotUndone::Differs(_)), "{refused}");
    let text = refused.to_string();
    for part in ["gone` is gone", "other` has other content now", "back` is there again"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains("new`"));
    assert_eq!(tree(&place.root), now);
    place.write("gone", "2\n");
    place.write("other", "2\n");
    fs::remove_file(place.path("back")).unwrap();
    place.undo().unwrap();
    assert_eq!((place.read("back"), place.read("other")), ("1\n".into(), "1\n".into()));
    assert!(!place.path("new").exists());
}

#[test]
fn directories_gone_with_their_root_are_dropped() {
    let place = Place::new("orphan");
    place.commit(vec![place.put("a", "a\n")]).unwrap();
    assert_eq!(fs::read_dir(&place.home).unwrap().count(), 1);
    fs::remove_dir_all(&place.root).unwrap();
    let other = place.home.parent().unwrap().join("other");
    fs::create_dir(&other).unwrap();
    drop(Ledger::new(&other, Some(place.home.clone())).write(Durability::Fast, &NEVER).unwrap());
    assert_eq!(fs::read_dir(&place.home).unwrap().count(), 1);
}

#[test]
fn a_file_can_only_get_what_its_directory_allows() {
    let place = Place::new("odd");
    place.write("file", "x\n");
    fs::create_dir(place.path("directory")).unwrap();
    let check = |name: &str, part: &str| {
        let change = DiskChange {
            path: place.path(name),
            expected: None,
            then: FileAction::Put(b"y".to_vec().into()),
            like: None,
        };
        let fault = place.commit(vec![change]).unwrap_err();
        assert!(fault.to_string().contains(part), "{fault}");
        assert!(!is_unfinished(&fault));
    };
    check("directory", "it is a directory");
    check("file/below", "is not a directory");
    check(&"n".repeat(256), "File name too long");
    let long = "n".repeat(255);
    place.commit(vec![place.put(&long, "1\n")]).unwrap();
    place.commit(vec![place.put(&long, "2\n")]).unwrap();
    assert_eq!(place.read(&long), "2\n");
    let case = FileAction::MoveTo { to: place.path("FILE"), content: Some(b"X\n".to_vec().into()) };
    place.commit(vec![DiskChange { then: case, ..place.put("file", "") }]).unwrap();
    assert_eq!(place.read("FILE"), "X\n");
    assert!(Path::new(&place.root).read_dir().unwrap().count() == 3);
}
