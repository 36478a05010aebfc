//! `Session::apply` on real files.

use serde_json::{Value, json};

use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Options, Session};
use hashline_testing::Workdir;

fn session(dir: &Workdir) -> Session {
    Session::new(Options::new(dir.path())).unwrap()
}

fn show(session: &Session, path: &str) -> String {
    let request = hashline_wire::read_request(json!({"path": path})).unwrap();
    session.read(&request, &Cancel::default()).unwrap().text
}

fn anchor(shown: &str, line: usize) -> String {
    let start = format!("{line}:");
    let found = shown.lines().find(|text| text.starts_with(&start)).expect("the line was shown");
    found.split_once('|').unwrap().0.to_owned()
}

fn apply(session: &Session, patch: &Value) -> ApplyOutcome {
    match hashline_wire::patch::read(patch) {
        Ok(patch) => session.apply(&patch, &Cancel::default()).unwrap(),
        Err(bad) => hashline_wire::unread(&bad),
    }
}

fn text(outcome: &ApplyOutcome) -> &str {
    match outcome {
        ApplyOutcome::Applied(report, _) => &report.text,
        ApplyOutcome::Refused(report) => &report.text,
    }
}

fn codes(outcome: &ApplyOutcome) -> Vec<&'static str> {
    match outcome {
        ApplyOutcome::Applied(..) => Vec::new(),
        ApplyOutcome::Refused(report) => {
            report.refusals.iter().map(|fact| fact.code.as_str()).collect()
        }
    }
}

#[test]
fn the_lines_of_a_report_count_as_seen() {
    let dir = Workdir::new("apply");
    dir.write("a.txt", "one\ntwo\nthree\n");
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    let outcome = apply(
        &session,
        &json!([{"op": "insert_after", "path": "a.txt", "anchor": anchor(&shown, 1), "text": "new line"}]),
    );
    let fresh = text(&outcome).lines().find_map(|line| line.strip_prefix('+')).unwrap().to_owned();
    let (fresh, _) = fresh.split_once('|').unwrap();
    let next = json!([{"op": "set_line", "path": "a.txt", "anchor": fresh, "text": "newer line"}]);
    let outcome = apply(&session, &next);
    let ApplyOutcome::Applied(report, Some(_)) = &outcome else { panic!("{}", text(&outcome)) };
    assert_eq!(report.warnings, [], "it was shown, so it is verified");
    assert_eq!(dir.read("a.txt").unwrap(), "one\nnewer line\ntwo\nthree\n");
}

#[test]
fn an_old_anchor_is_followed_through_our_own_edits() {
    let dir = Workdir::new("apply");
    dir.write("a.txt", "first line\nsecond line\nthird line\nfourth line\n");
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    let insert =
        json!([{"op": "insert_before", "path": "a.txt", "anchor": "start", "text": "a\nb\nc"}]);
    apply(&session, &insert);
    let set =
        json!([{"op": "set_line", "path": "a.txt", "anchor": anchor(&shown, 3), "text": "3"}]);
    let outcome = apply(&session, &set);
    let ApplyOutcome::Applied(report, _) = &outcome else { panic!("{}", text(&outcome)) };
    assert_eq!((report.relocations[0].anchor.line.get(), report.relocations[0].to.get()), (3, 6));
    assert!(report.relocations[0].verified);
    assert_eq!(dir.read("a.txt").unwrap(), "a\nb\nc\nfirst line\nsecond line\n3\nfourth line\n");
}

#[test]
fn a_refusal_counts_as_a_read() {
    let dir = Workdir::new("apply");
    dir.write("a.txt", "one\ntwo\nthree\n");
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    dir.write("a.txt", "one\n2\nthree\n");
    let set = |anchor: String| json!([{"op": "set_line", "path": "a.txt", "anchor": anchor, "text": "TWO"}]);
    let outcome = apply(&session, &set(anchor(&shown, 2)));
    assert_eq!(codes(&outcome), ["stale_anchor"]);
    assert!(text(&outcome).starts_with("REJECTED: nothing was written\n"), "{}", text(&outcome));
    let outcome = apply(&session, &set(anchor(text(&outcome), 2)));
    let ApplyOutcome::Applied(report, _) = &outcome else { panic!("{}", text(&outcome)) };
    assert_eq!(report.warnings, []);
    assert_eq!(dir.read("a.txt").unwrap(), "one\nTWO\nthree\n");
}

#[test]
fn a_range_across_two_reads_must_have_been_seen_unchanged() {
    let dir = Workdir::new("apply");
    dir.write(
        "a.txt",
        "begin here\nsecond line\nthird line\nfourth line\nfifth line\nfinish here\n",
    );
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    // Another program changes the third line, and the reader sees only the end of the file again.
    dir.write(
        "a.txt",
        "begin here\nsecond line\nTHIRD LINE\nfourth line\nfifth line\nfinish now\n",
    );
    let request = hashline_wire::read_request(json!({"path": "a.txt", "offset": 6})).unwrap();
    let again = session.read(&request, &Cancel::default()).unwrap().text;
    let replace = |end: usize| {
        let end = if end == 6 { anchor(&again, 6) } else { anchor(&shown, end) };
        json!([{"op": "replace_range", "path": "a.txt", "start_anchor": anchor(&shown, 1), "end_anchor": end, "text": "x"}])
    };
    assert_eq!(codes(&apply(&session, &replace(6))), ["stale_range"]);
    show(&session, "a.txt");
    assert!(codes(&apply(&session, &replace(6))).is_empty(), "now all of it was seen");
    assert_eq!(dir.read("a.txt").unwrap(), "x\n");
}

#[test]
fn the_third_identical_patch_without_effect_is_refused() {
    let dir = Workdir::new("apply");
    dir.write("a.txt", "one\ntwo\n");
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    let noop =
        json!([{"op": "set_line", "path": "a.txt", "anchor": anchor(&shown, 1), "text": "one"}]);
    for _ in 0..2 {
        let outcome = apply(&session, &noop);
        assert!(text(&outcome).starts_with("Applied 1 operation to 0 files"), "{}", text(&outcome));
        assert!(matches!(outcome, ApplyOutcome::Applied(_, None)));
    }
    assert_eq!(codes(&apply(&session, &noop)), ["repeated_noop"]);
    let other =
        json!([{"op": "set_line", "path": "a.txt", "anchor": anchor(&shown, 2), "text": "2"}]);
    apply(&session, &other);
    assert!(codes(&apply(&session, &noop)).is_empty(), "another patch came in between");
}

#[test]
fn nothing_is_written_outside_the_root() {
    let dir = Workdir::new("apply");
    let outside = Workdir::new("apply");
    outside.write("x.txt", "x\n");
    let session = session(&dir);
    for path in [
        "../x.txt".to_owned(),
        outside.path().join("x.txt").to_string_lossy().into_owned(),
        "a/../../x.txt".to_owned(),
    ] {
        let add = json!([{"op": "add_file", "path": path, "content": "y\n", "overwrite": true}]);
        assert_eq!(codes(&apply(&session, &add)), ["outside_root"], "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        let add = json!([{"op": "add_file", "path": "link/new.txt", "content": "y\n"}]);
        assert_eq!(codes(&apply(&session, &add)), ["outside_root"]);
    }
    assert_eq!(outside.read("x.txt").unwrap(), "x\n");
    assert_eq!(outside.read("new.txt"), None);
}

#[test]
fn two_spellings_of_a_path_are_one_file() {
    let dir = Workdir::new("apply");
    dir.write("sub/a.txt", "one\ntwo\n");
    let session = session(&dir);
    let shown = show(&session, "sub/a.txt");
    let absolute = dir.path().join("sub/a.txt").to_string_lossy().into_owned();
    let outcome = apply(
        &session,
        &json!([
            {"op": "set_line", "path": "./sub/../sub/a.txt", "anchor": anchor(&shown, 1), "text": "1"},
            {"op": "set_line", "path": absolute, "anchor": anchor(&shown, 2), "text": "2"},
        ]),
    );
    assert!(codes(&outcome).is_empty(), "{}", text(&outcome));
    assert_eq!(dir.read("sub/a.txt").unwrap(), "1\n2\n");
}

#[test]
fn files_can_be_moved_swapped_and_deleted() {
    let dir = Workdir::new("apply");
    dir.write("a.txt", "A\n");
    dir.write("b.txt", "B\n");
    dir.write("c.txt", "C\n");
    let session = session(&dir);
    let outcome = apply(
        &session,
        &json!([
            {"op": "move_file", "from": "a.txt", "to": "b.txt"},
            {"op": "move_file", "from": "b.txt", "to": "a.txt"},
            {"op": "move_file", "from": "c.txt", "to": "deep/er/c.txt"},
        ]),
    );
    assert!(codes(&outcome).is_empty(), "{}", text(&outcome));
    assert_eq!(dir.read("a.txt").unwrap(), "B\n");
    assert_eq!(dir.read("b.txt").unwrap(), "A\n");
    assert_eq!(dir.read("deep/er/c.txt").unwrap(), "C\n");
    assert_eq!(dir.read("c.txt"), None);
}

#[test]
fn a_notebook_stays_json() {
    let dir = Workdir::new("apply");
    dir.write("a.ipynb", "{\n \"cells\": [\n  \"x = 1\"\n ]\n}\n");
    dir.write("b.ipynb", "{\n no JSON\n}\n");
    let options = hashline_wire::session_options(json!({"root": dir.path().to_str().unwrap()}));
    let session = Session::new(options.unwrap()).unwrap();
    let shown = show(&session, "a.ipynb");
    let set = |path: &str, anchor: &str, text: &str| {
        let patch = json!([{"op": "set_line", "path": path, "anchor": anchor, "text": text}]);
        codes(&apply(&session, &patch))
    };
    assert_eq!(set("a.ipynb", &anchor(&shown, 3), "  print(\"x\")"), ["malformed"]);
    assert_eq!(dir.read("a.ipynb").unwrap().lines().nth(2), Some("  \"x = 1\""));
    assert!(set("a.ipynb", &anchor(&shown, 3), "  \"print()\"").is_empty());
    // A file that was not JSON before need not become JSON.
    let shown = show(&session, "b.ipynb");
    assert!(set("b.ipynb", &anchor(&shown, 2), " still none").is_empty());
}

#[test]
fn a_binary_file_can_be_moved_but_not_edited() {
    let dir = Workdir::new("apply");
    std::fs::write(dir.path().join("a.bin"), b"\xff\x00\xfe").unwrap();
    let session = session(&dir);
    let set = json!([{"op": "set_line", "path": "a.bin", "anchor": "1:ab", "text": "x"}]);
    assert_eq!(codes(&apply(&session, &set)), ["not_text"]);
    apply(&session, &json!([{"op": "move_file", "from": "a.bin", "to": "b.bin"}]));
    assert_eq!(std::fs::read(dir.path().join("b.bin")).unwrap(), b"\xff\x00\xfe");
    let set = json!([{"op": "set_line", "path": ".", "anchor": "1:ab", "text": "x"}]);
    assert_eq!(codes(&apply(&session, &set)), ["not_a_file"]);
}

#[test]
fn a_misspelled_path_is_answered_with_the_nearest() {
    let dir = Workdir::new("apply");
    dir.write("cart.ts", "one\n");
    let set = json!([{"op": "set_line", "path": "crat.ts", "anchor": "1:ab", "text": "x"}]);
    let outcome = apply(&session(&dir), &set);
    assert_eq!(codes(&outcome), ["file_missing"]);
    assert!(text(&outcome).contains("did you mean `cart.ts`?"), "{}", text(&outcome));
}

#[test]
fn a_request_that_is_not_a_patch_is_refused_with_the_shape() {
    let session = session(&Workdir::new("apply"));
    let outcome = apply(&session, &json!({"patch": [{"op": "set_line", "path": "a"}]}));
    assert_eq!(codes(&outcome), ["bad_patch"]);
    assert!(
        text(&outcome)
            .contains("patch[0].anchor: it is missing; the right shape: {\"op\": \"set_line\"")
    );
}

#[test]
fn a_report_stays_within_its_bounds() {
    let dir = Workdir::new("apply");
    let long = "x".repeat(1000);
    let lines: Vec<String> = (0..2000).map(|at| format!("{at} {long}")).collect();
    dir.write("a.txt", &(lines.join("\n") + "\n"));
    let session = session(&dir);
    let mut ops: Vec<Value> = Vec::new();
    for at in (0..1000).step_by(3) {
        ops.push(json!({"op": "replace", "path": "a.txt", "old_text": format!("\n{at} "), "new_text": format!("\nedited {at} ")}));
    }
    ops.remove(0);
    for patch in
        [json!(ops), json!([{"op": "add_file", "path": "b.txt", "content": lines.join("\n")}])]
    {
        let outcome = apply(&session, &patch);
        assert!(codes(&outcome).is_empty(), "{}", text(&outcome));
        assert!(text(&outcome).lines().count() <= 200);
        assert!(text(&outcome).lines().all(|line| line.chars().count() <= 400));
    }
    let stale: Vec<Value> = (1..300)
        .map(|at| json!({"op": "set_line", "path": "a.txt", "anchor": format!("{}:zz", at * 5), "text": "x"}))
        .collect();
    let outcome = apply(&session, &json!(stale));
    assert!(text(&outcome).lines().count() <= 200);
    assert!(text(&outcome).contains("more lines left out"));
}

#[test]
fn a_misread_tag_that_another_line_has_is_answered_with_the_named_line() {
    let dir = Workdir::new("misread");
    let lines: Vec<String> = (1..=60).map(|at| format!("call({at}, \"number {at}\");")).collect();
    dir.write("a.txt", &(lines.join("\n") + "\n"));
    let session = session(&dir);
    let shown = show(&session, "a.txt");
    let tag = |line: usize| anchor(&shown, line).split_once(':').unwrap().1.to_owned();
    // The model misreads both ends, as the tags of two other lines that are close to each other.
    let (start, end) = (format!("10:{}", tag(45)), format!("12:{}", tag(46)));
    let delete =
        json!([{"op": "delete", "path": "a.txt", "start_anchor": start, "end_anchor": end}]);
    let outcome = apply(&session, &delete);
    assert_eq!(codes(&outcome), ["stale_anchor"]);
    for line in 10..=12 {
        assert!(text(&outcome).contains(&anchor(&shown, line)), "{}", text(&outcome));
    }
}
