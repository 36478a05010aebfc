//! After a flush, another session knows what was shown, whatever happened to the files before.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::ops::{append, delete_file, move_file, patch, read, replace};
use hashline_core::cancel::Cancel;
use hashline_core::grep::GrepRequest;
use hashline_core::session::{Durability, Options, Session};
use hashline_testing::Workdir;

const FILES: [&str; 3] = ["a", "b", "c"];

fn open(dir: &Workdir, state: &str) -> Session {
    let mut options = Options::new(dir.path().join("root"));
    options.state_dir = Some(dir.path().join(state));
    options.journal_dir = Some(dir.path().join("home"));
    options.durability = Durability::Fast;
    Session::new(options).unwrap()
}

/// One step of a session or of another program; a session may also refuse it.
fn step(dir: &Workdir, session: &Session, (what, file, line): (u8, usize, usize)) {
    let name = FILES[file];
    let to = FILES[(file + 1) % FILES.len()];
    let op = match what {
        0 => return drop(read(session, name)),
        1 => return drop(read(session, &format!("{name}:{line}-{}", line + 2))),
        2 => {
            let request = GrepRequest { pattern: line.to_string(), ..GrepRequest::default() };
            return drop(session.grep(&request, &|_| {}, &Cancel::default()));
        }
        3 => {
            let text: Vec<_> = (0..line + 5).map(|at| format!("theirs {at} {line}\n")).collect();
            return drop(dir.write(&format!("root/{name}"), text.concat()));
        }
        4 => append(name, &format!("ours {line}")),
        5 => replace(name, &format!("line {line}"), "changed"),
        6 => delete_file(name),
        _ => move_file(name, to),
    };
    drop(session.apply(&patch(op), &Cancel::default()));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn after_a_flush_another_session_knows_what_was_shown(
        steps in prop::collection::vec((0..8_u8, 0..3_usize, 1..9_usize, 0..5_u8), 1..25),
    ) {
        let dir = Workdir::in_memory("memory-law");
        for name in FILES {
            let text: Vec<_> = (0..12).map(|at| format!("line {at} of {name}\n")).collect();
            dir.write(&format!("root/{name}"), text.concat());
        }
        let session = open(&dir, "state");
        for (what, file, line, flush) in steps {
            step(&dir, &session, (what, file, line));
            if flush == 0 {
                session.flush();
            }
        }
        session.flush();
        // Another process has only the saved files.
        copy(&dir.path().join("state/seen"), &dir.path().join("copy/seen"));
        let other = open(&dir, "copy");
        // Another session of this process would not even need the flush.
        let beside = open(&dir, "state");
        for name in FILES {
            let path = dir.path().join("root").join(name);
            let known = session.remembered().versions(&path);
            prop_assert_eq!(&other.remembered().versions(&path), &known);
            prop_assert_eq!(&beside.remembered().versions(&path), &known);
        }
        prop_assert_eq!(read(&other, "a").warnings, Vec::<String>::new());
    }
}
