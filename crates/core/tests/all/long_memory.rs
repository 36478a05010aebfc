//! A session remembers what it showed for long: the anchors of one read serve many edits.

use hashline_core::cancel::Cancel;
use hashline_core::patch::Op;
use hashline_core::session::{ApplyOutcome, Durability, Options, Session};
use hashline_testing::Workdir;

use crate::ops::{self, insert_after, set_line};

const LINES: usize = 400;

fn content(line: usize) -> String {
    // Equal lines among distinct ones, as in real files.
    match line % 5 {
        0 => "}".to_owned(),
        1 => String::new(),
        _ => format!("    let value_{line} = {line};"),
    }
}

fn file() -> String {
    (1..=LINES).map(|line| content(line) + "\n").collect()
}

fn open(dir: &Workdir, state: bool) -> Session {
    let mut options = Options::new(dir.path().join("root"));
    options.durability = Durability::Fast;
    options.journal_dir = Some(dir.path().join("home"));
    options.state_dir = state.then(|| dir.path().join("state"));
    Session::new(options).unwrap()
}

fn anchors(session: &Session) -> Vec<String> {
    let text = ops::read(session, "f").text;
    let rows = text.lines().filter(|row| row.starts_with(|c: char| c.is_ascii_digit()));
    rows.filter_map(|row| Some(row.split_once('|')?.0.to_owned())).collect()
}

fn apply(session: &Session, op: Op) {
    match session.apply(&ops::patch(op), &Cancel::default()).unwrap() {
        ApplyOutcome::Applied(..) => {}
        ApplyOutcome::Refused(refused) => panic!("{}", refused.text),
    }
}

/// The text of the file after an `insert` below each of `lines`.
fn inserted(lines: &[usize]) -> String {
    let mut text = String::new();
    for line in 1..=LINES {
        text += &content(line);
        text.push('\n');
        if lines.contains(&line) {
            text.extend(["below ", &line.to_string(), "\n"]);
        }
    }
    text
}

fn insert(anchors: &[String], line: usize) -> Op {
    let op = insert_after("f", &anchors[line - 1], &format!("below {line}"));
    Op { exact: true, ..op }
}

#[test]
fn two_hundred_edits_from_one_read_all_land() {
    for state in [false, true] {
        let dir = Workdir::new("long-memory");
        dir.write("root/f", file());
        let session = open(&dir, state);
        let anchors = anchors(&session);
        // From the middle outwards, so that numbers shift on both sides. If the memory is on disk,
        // every other edit has a session of its own.
        let lines: Vec<usize> =
            (0..200).map(|at| if at % 2 == 0 { 200 - at / 2 } else { 201 + at / 2 }).collect();
        for line in &lines {
            if state && line % 2 == 0 {
                apply(&open(&dir, true), insert(&anchors, *line));
            } else {
                apply(&session, insert(&anchors, *line));
            }
        }
        assert_eq!(dir.read("root/f").unwrap(), inserted(&lines), "state: {state}");
    }
}

#[test]
fn fifty_applies_at_once_all_land() {
    let dir = Workdir::new("at-once");
    dir.write("root/f", file());
    let session = open(&dir, false);
    let anchors = anchors(&session);
    let lines: Vec<usize> = (1..=50).map(|at| at * 8).collect();
    std::thread::scope(|scope| {
        for line in &lines {
            let (session, anchors) = (&session, &anchors);
            scope.spawn(move || apply(session, insert(anchors, *line)));
        }
    });
    assert_eq!(dir.read("root/f").unwrap(), inserted(&lines));
}

#[test]
fn a_line_that_our_patch_replaced_is_not_followed() {
    let dir = Workdir::new("replaced");
    dir.write("root/f", file());
    let session = open(&dir, false);
    let anchors = anchors(&session);
    apply(&session, set_line("f", &anchors[11], "new"));
    for line in [300, 301, 302] {
        apply(&session, insert(&anchors, line));
    }
    let patch = ops::patch(set_line("f", &anchors[11], "newer"));
    let outcome = session.apply(&patch, &Cancel::default()).unwrap();
    let ApplyOutcome::Refused(refused) = outcome else { panic!("{outcome:?}") };
    let reason = &refused.refusals[0].reason;
    assert!(reason.contains("is stale") && !reason.contains("never shown"), "{reason}");
}
