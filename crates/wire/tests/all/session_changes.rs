//! Reading only what has changed since a file was shown.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Options, ReadOutcome, Session};
use hashline_core::show::{Budget, Printed, read_back};
use hashline_testing::Workdir;

fn open(directory: &Workdir) -> Session {
    Session::new(Options::new(directory.path())).unwrap()
}

fn read(session: &Session, request: Value) -> ReadOutcome {
    let request = hashline_wire::read_request(request).unwrap();
    session.read(&request, &Cancel::default()).unwrap()
}

fn text(session: &Session, request: Value) -> String {
    read(session, request).text
}

fn changes(session: &Session) -> String {
    text(session, json!({"path": "f", "changes": true}))
}

fn apply(session: &Session, operations: &Value) -> bool {
    let patch = hashline_wire::patch::read(&json!({ "patch": operations })).unwrap();
    let outcome = session.apply(&patch, &Cancel::default()).unwrap();
    matches!(outcome, ApplyOutcome::Applied { .. })
}

fn lines(count: usize) -> String {
    let line = |number: usize| format!("line {number}\n");
    (1..=count).map(line).collect::<Vec<_>>().concat()
}

/// A row without its tag.
fn without_tag(row: &str) -> String {
    match row.split_once(':').zip(row.split_once('|')) {
        Some(((number, _), (_, content))) => format!("{number}|{content}"),
        None => row.to_owned(),
    }
}

#[test]
fn only_what_changed_is_shown_with_anchors_and_a_little_around_it() {
    let directory = Workdir::new("changes");
    let path = directory.write("f", lines(30));
    let session = open(&directory);
    read(&session, json!({"path": "f"}));
    let now = lines(30).replace("line 5\n", "five\nand a half\n").replace("line 20\n", "");
    fs::write(&path, now).unwrap();
    let shown = changes(&session);
    let (header, rows) = shown.split_once('\n').unwrap();
    assert_eq!(header, "f (30 lines, +2 -2 since shown)");
    let expected = [
        "3|line 3", "4|line 4", "-... 1 gone", "+5|five", "+6|and a half", "7|line 6", "8|line 7",
        "...", "19|line 18", "20|line 19", "-... 1 gone", "21|line 21", "22|line 22",
    ];
    assert_eq!(rows.lines().map(without_tag).collect::<Vec<_>>(), expected);
    assert_eq!(changes(&session), "f (30 lines, unchanged since shown)");
    let anchor = rows.lines().nth(4).unwrap().split('|').next().unwrap();
    let edit = json!([{"op": "set_line", "path": "f", "anchor": anchor, "text": "x"}]);
    assert!(apply(&session, &edit));
    assert!(fs::read_to_string(&path).unwrap().contains("five\nx\nline 6\n"));
}

#[test]
fn an_unchanged_file_is_called_so_and_its_lines_are_shown_anyway() {
    let directory = Workdir::new("changes");
    let path = directory.write("f", "a\nb\nc\n");
    let session = open(&directory);
    assert_eq!(text(&session, json!({"path": "f"})), "f (lines 1-3 of 3)\n1:56|a\n2:bf|b\n3:1b|c");
    let again = text(&session, json!({"path": "f"}));
    assert_eq!(again, "f (lines 1-3 of 3, unchanged since shown)\n1:56|a\n2:bf|b\n3:1b|c");
    assert_eq!(changes(&session), "f (3 lines, unchanged since shown)");
    fs::write(&path, "a\nb\nC\n").unwrap();
    let part = text(&session, json!({"path": "f", "limit": 2}));
    assert!(part.starts_with("f (lines 1-2 of 3)\n"), "the file has changed: {part}");
}

#[test]
fn lines_that_were_not_shown_are_not_called_unchanged() {
    let directory = Workdir::new("changes");
    directory.write("f", "a\nb\nc\n");
    let session = open(&directory);
    read(&session, json!({"path": "f", "limit": 2}));
    let rest = text(&session, json!({"path": "f", "offset": 2}));
    assert!(rest.starts_with("f (lines 2-3 of 3)\n"), "{rest}");
    let all = text(&session, json!({"path": "f"}));
    assert!(all.starts_with("f (lines 1-3 of 3, unchanged since shown)\n"), "{all}");
}

#[test]
fn without_an_earlier_read_all_lines_are_shown_and_the_header_says_so() {
    let directory = Workdir::new("changes");
    directory.write("f", "a\nb\n");
    let session = open(&directory);
    assert_eq!(changes(&session), "f (lines 1-2 of 2, not shown before)\n1:56|a\n2:bf|b");
    assert_eq!(changes(&session), "f (2 lines, unchanged since shown)");
}

#[test]
fn a_new_context_knows_nothing_but_its_anchors() {
    let directory = Workdir::new("changes");
    directory.write("f", "a\nb\n");
    let session = open(&directory);
    read(&session, json!({"path": "f"}));
    session.new_context();
    let all = text(&session, json!({"path": "f"}));
    assert!(all.starts_with("f (lines 1-2 of 2)\n"), "{all}");
    session.new_context();
    assert!(changes(&session).starts_with("f (lines 1-2 of 2, not shown before)\n"));
    session.new_context();
    fs::write(directory.path().join("f"), "new\na\nb\n").unwrap();
    let moved = json!([{"op": "set_line", "path": "f", "anchor": "2:bf", "text": "B"}]);
    assert!(apply(&session, &moved), "the anchor is followed by memory");
    assert_eq!(fs::read_to_string(directory.path().join("f")).unwrap(), "new\na\nB\n");
}

#[test]
fn lines_that_the_model_wrote_itself_are_not_changes() {
    let directory = Workdir::new("changes");
    let path = directory.write("f", "a\nb\nc\n");
    let session = open(&directory);
    read(&session, json!({"path": "f"}));
    assert!(apply(
        &session,
        &json!([
            {"op": "set_line", "path": "f", "anchor": "2:bf", "text": "x\ny"},
            {"op": "delete", "path": "f", "anchor": "3:1b"},
        ])
    ));
    assert_eq!(changes(&session), "f (3 lines, unchanged since shown)");
    fs::write(&path, "0\na\nx\ny\n").unwrap();
    assert!(changes(&session).starts_with("f (4 lines, +1 -0 since shown)\n+1:"));
    assert!(apply(&session, &json!([{"op": "add_file", "path": "g", "content": "new\n"}])));
    let made = text(&session, json!({"path": "g", "changes": true}));
    assert_eq!(made, "g (1 line, unchanged since shown)");
}

#[test]
fn a_search_hides_no_change() {
    let directory = Workdir::new("changes");
    let path = directory.write("f", "a\nb\nc\nd\ne\n");
    let session = open(&directory);
    read(&session, json!({"path": "f"}));
    fs::write(&path, "a\nb\nc\nd\nE\n").unwrap();
    read(&session, json!({"path": "f", "search": "a"}));
    let shown = changes(&session);
    assert!(shown.starts_with("f (5 lines, +1 -1 since shown)\n"), "{shown}");
    assert!(shown.ends_with("|E"), "{shown}");
}

#[test]
fn a_large_change_is_shown_in_pieces() {
    let directory = Workdir::new("changes");
    let path = directory.write("f", lines(50));
    let mut options = Options::new(directory.path());
    options.budget = Budget { lines: 20, ..Budget::default() };
    let session = Session::new(options).unwrap();
    for offset in [1, 21, 41] {
        read(&session, json!({"path": "f", "offset": offset}));
    }
    fs::write(&path, lines(50).replace("line", "row")).unwrap();
    let first = read(&session, json!({"path": "f", "changes": true}));
    assert!(first.truncated);
    assert!(first.text.ends_with(": read again with offset 20]"), "{}", first.text);
    let next = text(&session, json!({"path": "f", "changes": true, "offset": 20}));
    assert!(next.contains("\n+20:"), "{next}");
    let last = changes(&session);
    assert!(last.contains("|row 50") && !last.contains("|row 30\n"), "{last}");
    assert!(changes(&session).contains("unchanged since shown"));
}

#[test]
fn the_lines_of_a_moved_file_still_count_as_shown() {
    let directory = Workdir::new("changes");
    directory.write("f", "a\nb\n");
    let session = open(&directory);
    read(&session, json!({"path": "f"}));
    assert!(apply(&session, &json!([{"op": "move_file", "from": "f", "to": "g"}])));
    let moved = text(&session, json!({"path": "g", "changes": true}));
    assert_eq!(moved, "g (2 lines, unchanged since shown)");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// A reader who puts the shown changes into the old text gets the current file.
    #[test]
    fn the_shown_text_with_the_shown_changes_is_the_file(
        versions in prop::collection::vec(prop::collection::vec("[a-e]{1}", 0..12), 2..5),
        most in 6..30_usize,
    ) {
        let directory = Workdir::new("changes");
        let file = |lines: &[String]| lines.iter().map(|line| line.clone() + "\n").collect::<String>();
        let path = directory.write("f", format!("start\n{}", file(&versions[0])));
        let mut options = Options::new(directory.path());
        options.budget = Budget { lines: most, ..Budget::default() };
        let session = Session::new(options).unwrap();
        read(&session, json!({"path": "f", "limit": most}));
        for version in &versions[1..] {
            let now = format!("start\n{}", file(version));
            fs::write(&path, &now).unwrap();
            let mut rounds = 0;
            loop {
                let shown = changes(&session);
                for line in shown.lines() {
                    prop_assert!(read_back(line).is_some(), "not one of ours: {}", line);
                    if let Some(Printed::Row(row)) = read_back(line) {
                        let at = row.number.unwrap().index();
                        prop_assert_eq!(now.lines().nth(at), Some(row.content));
                    }
                }
                if shown.contains("unchanged since shown") {
                    break;
                }
                rounds += 1;
                prop_assert!(rounds < 60, "{}", shown);
            }
        }
    }
}
