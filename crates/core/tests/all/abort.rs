//! The answer to an abort is true: at whatever step of a patch it comes, the answer matches the
//! disk.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::faulty::FaultyDisk;
use crate::ops::{add_file, delete_file, move_file, replace};
use hashline_core::cancel::Cancel;
use hashline_core::patch::Patch;
use hashline_core::session::{ApplyOutcome, CommitFault, Options, Session, UndoOutcome};
use hashline_testing::Workdir;

/// A workspace for a patch with all kinds of operations.
struct Tree {
    dir: Workdir,
}

impl Tree {
    fn new(name: &str) -> Self {
        let dir = Workdir::new(name);
        for (name, content) in OLD {
            dir.write(&format!("root/{name}"), content);
        }
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn session(&self, disk: FaultyDisk) -> Session {
        let home = self.dir.path().join("home");
        let options = Options { journal_dir: Some(home), ..Options::new(self.root()) };
        Session::with_disk(options, Arc::new(disk)).unwrap()
    }

    /// Every file with its content, including any temporary files that we left.
    fn files(&self) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.root()).unwrap().map(Result::unwrap);
        let mut files: Vec<_> = entries
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

const OLD: [(&str, &str); 3] = [("a", "one\ntwo\n"), ("b", "three\n"), ("c", "four\n")];
const NEW: [(&str, &str); 3] = [("a", "ONE\ntwo\n"), ("d", "three\n"), ("e", "five\n")];

fn owned(files: [(&str, &str); 3]) -> Vec<(String, String)> {
    files.map(|(name, content)| (name.to_owned(), content.to_owned())).to_vec()
}

fn apply(session: &Session, cancel: &Cancel) -> Result<ApplyOutcome, CommitFault> {
    let ops = vec![
        replace("a", "one", "ONE"),
        move_file("b", "d"),
        delete_file("c"),
        add_file("e", "five\n"),
    ];
    session.apply(&Patch::new(ops), cancel)
}

/// How often the abort ended the work, and how often the work was finished before.
#[derive(Default, Debug)]
struct Tally {
    given_up: usize,
    finished: usize,
}

#[test]
fn an_aborted_apply_says_what_is_on_the_disk() {
    let mut tally = Tally::default();
    for at in 0.. {
        let tree = Tree::new("abort-apply");
        let cancel = Cancel::default();
        let session = tree.session(FaultyDisk::aborting(at, &cancel));
        let outcome = apply(&session, &cancel);
        if !cancel.is_requested() {
            assert!(matches!(outcome, Ok(ApplyOutcome::Applied(..))), "all steps were met");
            break;
        }
        match outcome {
            Err(CommitFault::Cancelled) => {
                assert_eq!(tree.files(), owned(OLD), "step {at}: nothing was written");
                tally.given_up += 1;
            }
            Ok(ApplyOutcome::Applied(report, Some(_))) => {
                assert_eq!(tree.files(), owned(NEW), "step {at}: all was written");
                assert!(report.text.contains("before the abort took effect"), "{}", report.text);
                tally.finished += 1;
            }
            other => panic!("step {at}: {other:?}"),
        }
    }
    assert!(tally.given_up > 5 && tally.finished > 5, "{tally:?}");
}

#[test]
fn an_aborted_undo_says_what_is_on_the_disk() {
    let mut tally = Tally::default();
    for at in 0.. {
        let tree = Tree::new("abort-undo");
        apply(
            &tree.session(FaultyDisk::aborting(usize::MAX, &Cancel::default())),
            &Cancel::default(),
        )
        .unwrap();
        let cancel = Cancel::default();
        let session = tree.session(FaultyDisk::aborting(at, &cancel));
        let outcome = session.undo(&cancel);
        if !cancel.is_requested() {
            assert!(matches!(outcome, Ok(UndoOutcome::Undone { .. })), "all steps were met");
            break;
        }
        match outcome {
            Err(CommitFault::Cancelled) => {
                assert_eq!(tree.files(), owned(NEW), "step {at}: nothing was rolled back");
                tally.given_up += 1;
            }
            Ok(UndoOutcome::Undone { text, .. }) => {
                assert_eq!(tree.files(), owned(OLD), "step {at}: all was rolled back");
                assert!(text.contains("before the abort took effect"), "{text}");
                tally.finished += 1;
            }
            other => panic!("step {at}: {other:?}"),
        }
    }
    assert!(tally.given_up > 5 && tally.finished > 5, "{tally:?}");
}

#[test]
fn an_abort_before_the_first_step_writes_nothing() {
    let tree = Tree::new("abort-early");
    let cancel = Cancel::default();
    cancel.request();
    let session = tree.session(FaultyDisk::aborting(usize::MAX, &cancel));
    let fault = apply(&session, &cancel).unwrap_err();
    assert_eq!(fault.code().as_str(), "aborted");
    assert!(fault.to_string().contains("nothing was written"), "{fault}");
    assert_eq!(tree.files(), owned(OLD));
}
