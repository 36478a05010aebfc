//! Notebooks: a read leaves the outputs of the cells out, and what it left out counts as not shown.

use serde_json::{Value, json};

use super::session::{contents, open, open_with, read, text};
use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Session};
use hashline_testing::Workdir;

/// A notebook of 21 lines, of which 6 to 9 and 17 are outputs.
const NOTEBOOK: &str = r#"{
 "cells": [
  {
   "cell_type": "code",
   "outputs": [
    {
     "data": {"image/png": "iVBORw0KGgo="},
     "output_type": "display_data"
    }
   ],
   "source": [
    "plot(x)\n"
   ]
  },
  {
   "outputs": [
    "3"
   ],
   "source": ["1 + 2"]
  }
 ]}
"#;

fn notebook() -> Workdir {
    let directory = Workdir::new("notebook");
    directory.write("a.ipynb", NOTEBOOK);
    directory
}

/// The numbers of the tagged lines.
fn numbers(text: &str) -> Vec<usize> {
    text.lines().filter_map(|row| row.split_once(':')?.0.parse().ok()).collect()
}

/// The refusals of a patch of one operation.
fn apply(session: &Session, mut op: Value) -> Vec<&'static str> {
    op["path"] = json!("a.ipynb");
    let patch = hashline_wire::patch::read(&json!([op])).unwrap();
    match session.apply(&patch, &Cancel::default()).unwrap() {
        ApplyOutcome::Applied(..) => Vec::new(),
        ApplyOutcome::Refused(report) => {
            report.refusals.iter().map(|one| one.code.as_str()).collect()
        }
    }
}

fn anchor(text: &str, line: usize) -> &str {
    let row = text.lines().find(|row| row.starts_with(&format!("{line}:"))).unwrap();
    row.split_once('|').unwrap().0
}

#[test]
fn outputs_are_left_out_and_a_note_says_so() {
    let directory = notebook();
    let session = open(&directory);
    let outcome = read(&session, json!({"path": "a.ipynb"}));
    let (header, rows) = outcome.text.split_once('\n').unwrap();
    assert_eq!(header, "a.ipynb (lines 1-21 of 21)");
    let shown = [1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21];
    assert_eq!(numbers(rows), shown);
    let lines: Vec<&str> = NOTEBOOK.lines().collect();
    assert_eq!(contents(rows), shown.map(|number| lines[number - 1]));
    assert_eq!(rows.lines().filter(|row| *row == "...").count(), 2);
    let note = "\n[outputs left out: 5 lines, 99 bytes; to see one, read from a line inside it]";
    assert!(rows.ends_with(note), "{rows}");
    assert!(!outcome.truncated);
    assert_eq!((outcome.files[0].lines, outcome.files[0].total), (Some((1, 21)), Some(21)));
    let again = text(&session, json!({"path": "a.ipynb"}));
    assert!(again.starts_with("a.ipynb (lines 1-21 of 21, unchanged since shown)\n"), "{again}");
}

#[test]
fn a_range_that_begins_in_an_output_shows_it() {
    let directory = notebook();
    let session = open(&directory);
    let rows = |request: Value| numbers(&text(&session, request));
    assert_eq!(rows(json!({"path": "a.ipynb:7-8"})), [7, 8]);
    assert_eq!(rows(json!({"path": "a.ipynb", "offset": 17, "limit": 1})), [17]);
    assert_eq!(
        rows(json!({"path": "a.ipynb", "offset": 9})),
        [9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21]
    );
    assert_eq!(rows(json!({"path": "a.ipynb:4-8"})), [4, 5]);
}

#[test]
fn a_read_that_goes_on_skips_outputs() {
    let directory = notebook();
    let session = open_with(&directory, |options| options.budget.lines = 5);
    let first = text(&session, json!({"path": "a.ipynb"}));
    assert_eq!(numbers(&first), [1, 2, 3, 4, 5]);
    assert!(first.contains("[outputs left out: 4 lines, "), "{first}");
    assert!(first.ends_with("[12 more lines: read again with offset 10]"), "{first}");
    let second = text(&session, json!({"path": "a.ipynb", "offset": 10}));
    assert_eq!(numbers(&second), [10, 11, 12, 13, 14]);
    assert!(!second.contains("outputs"), "{second}");
    let third = text(&session, json!({"path": "a.ipynb", "offset": 15}));
    assert_eq!(numbers(&third), [15, 16, 18, 19, 20]);
    let limited = text(&session, json!({"path": "a.ipynb", "offset": 4, "limit": 3}));
    assert_eq!(numbers(&limited), [4, 5]);
    assert!(limited.ends_with("[12 more lines: read again with offset 10]"), "{limited}");
}

#[test]
fn outputs_that_were_left_out_are_not_overwritten_unseen() {
    let directory = notebook();
    let session = open(&directory);
    let shown = text(&session, json!({"path": "a.ipynb"}));
    let outputs = json!({
        "op": "replace_range", "start_anchor": anchor(&shown, 5), "end_anchor": anchor(&shown, 10),
        "text": "   \"outputs\": [],",
    });
    assert_eq!(apply(&session, outputs.clone()), ["unseen_lines"]);
    assert_eq!(directory.read("a.ipynb").unwrap(), NOTEBOOK);
    let source =
        json!({"op": "set_line", "anchor": anchor(&shown, 12), "text": "    \"plot(y)\\n\""});
    assert!(apply(&session, source).is_empty());
    text(&session, json!({"path": "a.ipynb:6-9"}));
    assert!(apply(&session, outputs).is_empty());
    assert!(
        directory
            .read("a.ipynb")
            .unwrap()
            .contains("\"outputs\": [],\n   \"source\": [\n    \"plot(y)")
    );
}

#[test]
fn a_file_of_another_kind_and_a_notebook_in_one_line_are_shown_whole() {
    let directory = notebook();
    directory.write("a.json", NOTEBOOK);
    directory.write("b.ipynb", NOTEBOOK.replace('\n', ""));
    let session = open(&directory);
    assert_eq!(numbers(&text(&session, json!({"path": "a.json"}))).len(), 21);
    assert_eq!(contents(&text(&session, json!({"path": "b.ipynb"}))), [NOTEBOOK.replace('\n', "")]);
}

#[test]
fn a_large_notebook_is_read_like_a_small_one() {
    let directory = Workdir::new("notebook");
    let image = format!("    \"{}\",\n", "A".repeat(1 << 20)).repeat(11);
    directory.write("a.ipynb", NOTEBOOK.replace("    {\n", &format!("    {{\n{image}")));
    let session = open(&directory);
    let shown = text(&session, json!({"path": "a.ipynb"}));
    assert_eq!(numbers(&shown)[4..6], [5, 21]);
    assert!(shown.contains("[outputs left out: 16 lines, 11.0 MB;"), "{shown}");
    let source =
        json!({"op": "set_line", "anchor": anchor(&shown, 23), "text": "    \"plot(y)\\n\""});
    assert!(apply(&session, source).is_empty());
}
