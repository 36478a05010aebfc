//! No patch removes a line that was not shown in its current form: sessions on real files.

use serde_json::{Value, json};

use hashline_core::Unseen;
use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Options, Session};
use hashline_testing::Workdir;

/// A file of numbered lines, and a session that reads and patches it.
struct Desk {
    dir: Workdir,
    session: Session,
    options: Options,
}

impl Desk {
    fn new(lines: usize) -> Self {
        Self::with(lines, |_| {})
    }

    fn with(lines: usize, set: impl FnOnce(&mut Options)) -> Self {
        let dir = Workdir::in_memory("sight");
        dir.write("ws/f.txt", numbered(lines));
        let mut options = Options::new(dir.path().join("ws"));
        options.state_dir = Some(dir.path().join("state"));
        options.journal_dir = Some(dir.path().join("journal"));
        set(&mut options);
        Self { session: Session::new(options.clone()).unwrap(), dir, options }
    }

    /// Another process with the same memory.
    fn restart(&mut self) {
        self.session = Session::new(self.options.clone()).unwrap();
    }

    /// Reads lines from `first` on, counted from 1.
    fn read(&self, first: usize, count: usize) -> String {
        let request = json!({ "path": "f.txt", "offset": first, "limit": count });
        let request = hashline_wire::read_request(request).unwrap();
        self.session.read(&request, &Cancel::default()).unwrap().text
    }

    /// Another program changes a line.
    fn change(&self, line: usize) {
        let text = self.text().replace(&format!("line {line}\n"), &format!("THEIR line {line}\n"));
        self.dir.write("ws/f.txt", text);
    }

    fn text(&self) -> String {
        self.dir.read("ws/f.txt").unwrap_or_default()
    }

    fn apply(&self, op: &Value) -> ApplyOutcome {
        let mut op = op.clone();
        op["path"] = json!("f.txt");
        let patch = hashline_wire::patch::read(&json!([op])).unwrap();
        self.session.apply(&patch, &Cancel::default()).unwrap()
    }

    /// The code and the text of a refusal; nothing was written.
    #[track_caller]
    fn refused(&self, op: &Value) -> (&'static str, String) {
        let before = self.text();
        let outcome = self.apply(op);
        assert_eq!(self.text(), before);
        match outcome {
            ApplyOutcome::Refused(report) => (report.refusals[0].code.as_str(), report.text),
            ApplyOutcome::Applied(report, _) => panic!("{}", report.text),
        }
    }

    #[track_caller]
    fn applied(&self, op: &Value) -> String {
        match self.apply(op) {
            ApplyOutcome::Applied(report, Some(_)) => report.text,
            ApplyOutcome::Applied(report, None) => panic!("{}", report.text),
            ApplyOutcome::Refused(report) => panic!("{}", report.text),
        }
    }
}

fn numbered(lines: usize) -> String {
    let lines: Vec<String> = (1..=lines).map(|number| format!("line {number}")).collect();
    lines.join("\n") + "\n"
}

fn anchor(shown: &str, line: usize) -> String {
    let start = format!("{line}:");
    let found = shown.lines().find(|text| text.starts_with(&start)).expect("the line was shown");
    found.split_once('|').unwrap().0.to_owned()
}

fn replace(shown: &str, first: usize, last: usize) -> Value {
    json!({ "op": "replace_range", "start_anchor": anchor(shown, first), "end_anchor": anchor(shown, last), "text": "new" })
}

fn delete(shown: &str, first: usize, last: usize) -> Value {
    json!({ "op": "delete", "start_anchor": anchor(shown, first), "end_anchor": anchor(shown, last) })
}

#[test]
fn a_line_that_changed_far_from_the_ends_is_named_and_shown() {
    let desk = Desk::new(200);
    let shown = desk.read(1, 200);
    desk.change(100);
    let (code, text) = desk.refused(&replace(&shown, 10, 190));
    assert_eq!(code, "stale_range");
    assert!(text.contains("line 100 changed"), "{text}");
    assert!(text.contains("|THEIR line 100\n"), "{text}");
    assert!(text.contains("send the patch again if it is right"), "{text}");
    assert!(!text.contains("The text of"), "an anchor that fits is not elsewhere: {text}");
    assert!(text.lines().count() < 30, "{text}");
    // Now everything was shown in its current form.
    desk.applied(&replace(&shown, 10, 190));
}

#[test]
fn changed_lines_that_do_not_fit_into_a_refusal_must_be_read() {
    let desk = Desk::new(400);
    let shown = desk.read(1, 400);
    (50..=349).for_each(|line| desk.change(line));
    let (code, text) = desk.refused(&replace(&shown, 10, 390));
    assert_eq!(code, "stale_range");
    assert!(
        text.contains("lines 50 to 349 changed; read lines 50 to 349 first (offset 50)"),
        "{text}"
    );
    desk.read(50, 300);
    desk.applied(&replace(&shown, 10, 390));
}

#[test]
fn a_newer_read_of_the_ends_does_not_count_for_the_lines_between() {
    for (lines, op) in [(200, replace as fn(&str, usize, usize) -> Value), (22, delete)] {
        for restart in [false, true] {
            let mut desk = Desk::new(lines);
            let shown = desk.read(1, lines);
            desk.change(lines / 2);
            desk.read(1, 3);
            desk.read(lines - 3, 3);
            if restart {
                desk.restart();
            }
            let (code, text) = desk.refused(&op(&shown, 2, lines - 2));
            assert_eq!(code, "stale_range");
            assert!(text.contains(&format!("|THEIR line {}\n", lines / 2)), "{text}");
            desk.applied(&op(&shown, 2, lines - 2));
        }
    }
}

#[test]
fn lines_that_do_not_fit_into_a_refusal_do_not_count_as_seen() {
    let desk = Desk::new(400);
    let shown = desk.read(1, 400);
    for line in 10..390 {
        desk.change(line);
    }
    let op = replace(&shown, 5, 395);
    for _ in 0..2 {
        let (_, text) = desk.refused(&op);
        assert!(!text.contains("THEIR line 380") && text.lines().count() <= 200, "{text}");
    }
    desk.read(1, 400);
    desk.applied(&op);
}

#[test]
fn lines_that_were_never_shown_are_shown_first() {
    let desk = Desk::new(60);
    let (first, last) = (desk.read(1, 5), desk.read(50, 5));
    let op = replace(&(first + "\n" + &last), 3, 52);
    let (code, text) = desk.refused(&op);
    assert_eq!(code, "unseen_lines");
    assert!(text.contains("lines 6 to 49 were never shown"), "{text}");
    assert!(text.contains("|line 30\n"), "{text}");
    desk.applied(&op);
}

#[test]
fn too_many_lines_that_were_never_shown_are_read_first() {
    let desk = Desk::new(900);
    let (first, last) = (desk.read(1, 5), desk.read(895, 5));
    let op = replace(&(first + "\n" + &last), 3, 897);
    for _ in 0..2 {
        let (code, text) = desk.refused(&op);
        assert_eq!(code, "unseen_lines");
        assert!(text.contains("read lines 6 to 894 first (offset 6)"), "{text}");
        assert!(!text.contains("|line 30\n"), "{text}");
    }
    desk.read(6, 889);
    desk.applied(&op);
}

#[test]
fn lines_that_were_never_shown_only_warn_where_that_is_set() {
    let desk = Desk::with(60, |options| options.unseen = Unseen::Warn);
    let (first, last) = (desk.read(1, 5), desk.read(50, 5));
    let shown = first + "\n" + &last;
    let text = desk.applied(&delete(&shown, 3, 52));
    assert!(text.contains("44 of the lines that patch[0] took away were never shown"), "{text}");
    let desk = Desk::with(60, |options| options.unseen = Unseen::Warn);
    let shown = desk.read(1, 60);
    desk.change(30);
    desk.read(1, 3);
    desk.read(58, 3);
    assert_eq!(desk.refused(&delete(&shown, 2, 59)).0, "stale_range", "it was shown otherwise");
}

#[test]
fn a_file_that_changed_since_it_was_shown_is_not_removed() {
    let delete = json!({ "op": "delete_file" });
    let overwrite = json!({ "op": "add_file", "content": "x\n", "overwrite": true });
    for op in [&delete, &overwrite] {
        let desk = Desk::new(50);
        desk.read(1, 50);
        desk.change(20);
        let (code, text) = desk.refused(op);
        assert_eq!(code, "file_changed");
        assert!(text.contains("line 20 changed"), "{text}");
        assert!(text.contains("|THEIR line 20\n"), "{text}");
        desk.applied(op);
        let desk = Desk::new(50);
        assert!(desk.applied(op).contains("was never shown"));
        let desk = Desk::new(50);
        desk.read(1, 50);
        assert!(!desk.applied(op).contains("shown"), "nothing is to be said");
    }
}

#[test]
fn a_file_is_not_moved_over_one_that_changed() {
    let desk = Desk::new(50);
    desk.dir.write("ws/g.txt", "other\n");
    desk.read(1, 50);
    desk.change(20);
    let patch = json!([{ "op": "move_file", "path": "g.txt", "to": "f.txt" }, { "op": "delete_file", "path": "f.txt" }]);
    let patch = hashline_wire::patch::read(&patch).unwrap();
    for expected in [false, true] {
        let outcome = desk.session.apply(&patch, &Cancel::default()).unwrap();
        assert_eq!(matches!(outcome, ApplyOutcome::Applied(..)), expected);
    }
}

#[test]
fn text_that_a_patch_quotes_need_not_have_been_shown() {
    let desk = Desk::new(50);
    desk.read(1, 3);
    desk.change(20);
    let op = json!({ "op": "replace", "old_text": "THEIR line 20", "new_text": "mine" });
    desk.applied(&op);
}

#[test]
fn a_line_that_was_truncated_counts_as_shown() {
    let desk = Desk::new(3);
    let long = "x".repeat(20_000);
    desk.dir.write("ws/f.txt", format!("first\n{long}\nlast\n"));
    let shown = desk.read(1, 3);
    assert!(shown.len() < 10_000);
    desk.applied(&delete(&shown, 1, 3));
}

#[test]
fn the_reader_knows_what_its_own_patch_wrote() {
    let mut desk = Desk::new(60);
    let shown = desk.read(1, 60);
    let report = desk.applied(&replace(&shown, 20, 20));
    desk.applied(&json!({ "op": "insert_after", "anchor": anchor(&shown, 30), "text": "mine" }));
    desk.restart();
    let end = anchor(&desk.read(40, 1), 40);
    let start = anchor(&shown, 10);
    assert!(report.contains("new"));
    desk.applied(&json!({ "op": "delete", "start_anchor": start, "end_anchor": end }));
}

#[test]
fn lines_shown_in_two_versions_to_two_agents_are_shown_once_more() {
    let mut desk = Desk::new(60);
    let shown = desk.read(1, 60);
    desk.change(20);
    // The other agent reads, with the same memory.
    desk.restart();
    desk.read(1, 60);
    desk.restart();
    let op = replace(&shown, 10, 30);
    let (code, text) = desk.refused(&op);
    assert_eq!(code, "stale_range");
    assert!(text.contains("more than one version") && text.contains("|THEIR line 20\n"), "{text}");
    desk.restart();
    desk.applied(&op);
}

#[test]
fn an_agent_with_a_memory_of_its_own_is_not_asked_twice() {
    let mut desk = Desk::with(60, |options| options.shared_memory = false);
    let shown = desk.read(1, 60);
    desk.change(20);
    desk.restart();
    desk.read(1, 60);
    desk.restart();
    desk.applied(&replace(&shown, 10, 30));
}

#[test]
fn one_process_is_one_reader() {
    let desk = Desk::new(60);
    let shown = desk.read(1, 60);
    desk.change(20);
    desk.read(1, 60);
    desk.applied(&replace(&shown, 10, 30));
}
