//! The short report of `Session::apply`: what it shows is enough to go on, and never lands in a
//! file.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use hashline_core::WarningCode;
use hashline_core::cancel::Cancel;
use hashline_core::report::{AppliedReport, ReportStyle};
use hashline_core::session::{ApplyOutcome, Durability, Options, Session};
use hashline_testing::Workdir;
use hashline_text::{Listing, Scheme};

struct Bench {
    dir: Workdir,
    session: Session,
}

impl Bench {
    /// A file whose lines were all shown.
    fn new(lines: &[String]) -> Self {
        let dir = Workdir::in_memory("short");
        dir.write("f.txt", text_of(lines));
        let (report, durability) = (ReportStyle::Short, Durability::Fast);
        let options = Options { report, durability, ..Options::new(dir.path()) };
        let bench = Self { session: Session::new(options).unwrap(), dir };
        let request = hashline_wire::read_request(json!({"path": "f.txt"})).unwrap();
        bench.session.read(&request, &Cancel::default()).unwrap();
        bench
    }

    fn apply(&self, op: Value) -> ApplyOutcome {
        let mut op = op;
        op["path"] = json!("f.txt");
        match hashline_wire::patch::read(&json!([op])) {
            Ok(patch) => self.session.apply(&patch, &Cancel::default()).unwrap(),
            Err(bad) => hashline_wire::unread(&bad),
        }
    }

    fn applied(&self, op: Value) -> AppliedReport {
        match self.apply(op) {
            ApplyOutcome::Applied(report, _) => *report,
            ApplyOutcome::Refused(report) => panic!("{}", report.text),
        }
    }

    fn refused(&self, op: Value) -> String {
        match self.apply(op) {
            ApplyOutcome::Refused(report) => report.text,
            ApplyOutcome::Applied(report, _) => panic!("{}", report.text),
        }
    }

    fn lines(&self) -> Vec<String> {
        self.dir.read("f.txt").unwrap().lines().map(str::to_owned).collect()
    }

    /// The anchor of a line of the current file, counted from 1.
    fn anchor(&self, number: usize) -> String {
        anchor(&self.lines(), number)
    }
}

fn text_of(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn anchor(lines: &[String], number: usize) -> String {
    let document = hashline_text::Document::from_text(text_of(lines));
    let tag = Listing::new(&document, Scheme::Hex2).tags()[number - 1];
    format!("{number}:{tag}")
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("the line with the number {number}")).collect()
}

fn lines(words: &str) -> Vec<String> {
    words.split(' ').map(str::to_owned).collect()
}

/// The report without the tags, which say nothing to a reader of this test.
fn without_tags(report: &AppliedReport) -> String {
    let tagless = |word: &str| match word.split_once(':') {
        Some((number, _)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            format!("{number}:#")
        }
        _ => word.to_owned(),
    };
    let lines = report.text.lines().map(|line| {
        let (anchor, text) = line.split_once('|').unwrap_or((line, ""));
        let anchor: Vec<String> = anchor.split(' ').map(tagless).collect();
        let bar = if line.contains('|') { "|" } else { "" };
        format!("{}{bar}{text}", anchor.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn one_new_line_is_reported_by_its_row_alone() {
    let bench = Bench::new(&numbered(9));
    let report =
        bench.applied(json!({"op": "set_line", "anchor": bench.anchor(4), "text": "four"}));
    let row = format!("+{}|four", bench.anchor(4));
    assert_eq!(report.text, format!("Applied 1 operation to 1 file\nf.txt: +1 -1\n{row}"));
    assert!(report.diff.contains("-4|the line with the number 4\n"), "{}", report.diff);
    assert!(report.diff.contains(" 6:"), "{}", report.diff);
}

#[test]
fn many_lines_are_reported_by_some_tags_and_those_below_by_how_far_they_moved() {
    let bench = Bench::new(&numbered(9));
    let text = numbered(70).join("\n");
    let report =
        bench.applied(json!({"op": "insert_after", "anchor": bench.anchor(4), "text": text}));
    let numbers = "tags: 5:# 14:# 23:# 32:# 41:# 50:# 59:# 68:# 74:#";
    let shift = "lines after 4 moved by +70; their tags are unchanged";
    let expected = format!("Applied 1 operation to 1 file\nf.txt: +70 -0\n{numbers}\n{shift}");
    assert_eq!(without_tags(&report), expected);
    let few = Bench::new(&numbered(9));
    let text = lines("a b c d e").join("\n");
    let report = few.applied(json!({"op": "insert_after", "anchor": few.anchor(9), "text": text}));
    let rows = [10, 14].map(|line| few.anchor(line));
    let tags = [11, 12, 13].map(|line| few.anchor(line)).join(" ");
    let expected = format!(
        "Applied 1 operation to 1 file\nf.txt: +5 -0\n+{}|a\ntags: {tags}\n+{}|e",
        rows[0], rows[1]
    );
    assert_eq!(report.text, expected);
}

#[test]
fn every_shift_is_reported_where_it_begins() {
    let bench = Bench::new(&numbered(40));
    let (a, b, c) = (bench.anchor(3), bench.anchor(20), bench.anchor(30));
    let patch = json!([
        {"op": "insert_after", "path": "f.txt", "anchor": a, "text": "x\ny"},
        {"op": "delete", "path": "f.txt", "anchor": b},
        {"op": "delete", "path": "f.txt", "anchor": c},
    ]);
    let patch = hashline_wire::patch::read(&patch).unwrap();
    let outcome = bench.session.apply(&patch, &Cancel::default()).unwrap();
    let ApplyOutcome::Applied(report, _) = outcome else { panic!() };
    let note = "lines after 3 moved by +2, after 20 by +1, after 30 by 0; their tags are unchanged";
    assert!(report.text.ends_with(note), "{}", report.text);
}

#[test]
fn a_line_that_moved_is_known_by_its_old_number_and_by_its_new_one() {
    for new_number in [false, true] {
        let bench = Bench::new(&numbered(9));
        let old = bench.anchor(7);
        bench.applied(json!({"op": "insert_after", "anchor": bench.anchor(2), "text": "x\ny"}));
        let given = if new_number { bench.anchor(9) } else { old };
        let report = bench.applied(json!({"op": "set_line", "anchor": given, "text": "seven"}));
        assert_eq!(report.warnings, [], "it was shown");
        assert_eq!(bench.lines()[8], "seven");
    }
}

/// Whether the reader knew every line that was removed.
fn is_known(report: &AppliedReport) -> bool {
    let doubts = [WarningCode::UnseenLines, WarningCode::Unverified];
    !report.warnings.iter().any(|warning| doubts.contains(&warning.code))
}

#[test]
fn a_range_over_lines_that_were_written_and_lines_that_moved_needs_no_new_read() {
    let bench = Bench::new(&numbered(20));
    let text = (0..30).map(|at| format!("a new line {at}")).collect::<Vec<_>>().join("\n");
    bench.applied(json!({"op": "insert_after", "anchor": bench.anchor(5), "text": text}));
    let range = |first, last| {
        let (start, end) = (bench.anchor(first), bench.anchor(last));
        json!({"op": "replace_range", "start_anchor": start, "end_anchor": end, "text": "one"})
    };
    // The first and the last new line; the tags of most between were not shown.
    assert!(is_known(&bench.applied(range(6, 35))));
    assert!(is_known(&bench.applied(range(4, 9))));
    assert_eq!(bench.lines().len(), 16);
}

#[test]
fn a_line_of_a_new_file_is_known_to_its_writer() {
    let bench = Bench::new(&numbered(1));
    let content = text_of(&numbered(30));
    bench.applied(json!({"op": "add_file", "content": content, "overwrite": true}));
    let (start, end) = (bench.anchor(1), bench.anchor(30));
    let op = json!({"op": "replace_range", "start_anchor": start, "end_anchor": end, "text": "x"});
    assert!(is_known(&bench.applied(op)));
}

#[test]
fn an_anchor_that_means_one_line_by_its_old_number_and_another_by_its_new_one_is_refused() {
    // Lines 4 and 6 read alike, and two lines come above them.
    let file = lines("aa bb cc }; dd }; ee");
    let bench = Bench::new(&file);
    let (four, six) = (bench.anchor(4), bench.anchor(6));
    bench.applied(json!({"op": "insert_after", "anchor": bench.anchor(1), "text": "x\ny"}));
    let set = |anchor: &str| json!({"op": "set_line", "anchor": anchor, "text": "NEW"});
    let refused = bench.refused(set(&six));
    assert!(refused.contains("may mean two lines"), "{refused}");
    assert!(refused.contains(&format!("\n{}|}};", bench.anchor(6))), "{refused}");
    assert!(refused.contains(&format!("\n{}|}};", bench.anchor(8))), "{refused}");
    // By its old number the first of them means nothing else.
    bench.applied(set(&four));
    assert_eq!(bench.lines(), lines("aa x y bb cc NEW dd }; ee"));
}

#[test]
fn a_list_of_anchors_is_a_range() {
    let bench = Bench::new(&numbered(9));
    let text = lines("a b c d e").join("\n");
    let report =
        bench.applied(json!({"op": "insert_after", "anchor": bench.anchor(2), "text": text}));
    let tags = report.text.lines().find(|line| line.starts_with("tags: ")).unwrap();
    bench.applied(json!({"op": "replace_range", "anchor": tags, "text": "BCD"}));
    assert_eq!(bench.lines()[2..5], lines("a BCD e"));
}

/// A line of a file: few different ones, so that tags repeat.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-c]{1,2}",
        2 => Just("}".to_owned()),
        1 => Just(String::new()),
        2 => "  [a-z]{20,30}",
    ]
}

/// Whether a report names this anchor, and not only a longer one that ends with it.
fn names(report: &AppliedReport, anchor: &str) -> bool {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && c != ':';
    report.text.split(is_other).any(|word| word == anchor)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The law of `hashline_core::show` for everything that a short report prints.
    #[test]
    fn nothing_of_a_short_report_lands_in_a_file(
        file in prop::collection::vec(line(), 3..12),
        new in prop::collection::vec(line(), 0..20),
        (at, target, piece) in (any::<Index>(), any::<Index>(), any::<Index>()),
        (insert, with_text, whole) in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let bench = Bench::new(&file);
        let first = bench.anchor(at.index(file.len()) + 1);
        let op = if insert { "insert_after" } else { "set_line" };
        let outcome = bench.apply(json!({"op": op, "anchor": first, "text": new.join("\n")}));
        let ApplyOutcome::Applied(report, _) = outcome else { return Ok(()) };
        let before = bench.lines();
        prop_assume!(!before.is_empty());
        let printed: Vec<&str> = report.text.lines().collect();
        let piece = piece.index(printed.len());
        let copied = if whole { printed[piece..].join("\n") } else { printed[piece].to_owned() };
        let text = if with_text { format!("some text\n{copied}") } else { copied.clone() };
        let target = target.index(before.len()) + 1;
        let set = json!({"op": "set_line", "anchor": bench.anchor(target), "text": text});
        if let ApplyOutcome::Applied(report, _) = bench.apply(set) {
            let own: Vec<&str> = copied.lines().filter(|line| !line.is_empty()).collect();
            let landed = bench.lines().iter().any(|line| own.contains(&line.as_str()));
            prop_assert!(!landed || !report.warnings.is_empty(), "{text:?}: {}", report.text);
        }
    }

    /// An edit by an anchor of the report, or by the number that follows from it, changes that
    /// line.
    #[test]
    fn an_anchor_that_follows_from_a_short_report_means_its_line_or_is_refused(
        file in prop::collection::vec(line(), 3..12),
        new in prop::collection::vec(line(), 1..20),
        (at, target) in (any::<Index>(), any::<Index>()),
        old_number in any::<bool>(),
    ) {
        let bench = Bench::new(&file);
        let at = at.index(file.len()) + 1;
        let op = json!({"op": "insert_after", "anchor": bench.anchor(at), "text": new.join("\n"), "exact": true});
        let ApplyOutcome::Applied(report, _) = bench.apply(op) else { return Ok(()) };
        let before = bench.lines();
        let moved = before.len() - file.len();
        let target = target.index(before.len()) + 1;
        let is_new = target > at && target <= at + moved;
        let now = bench.anchor(target);
        let given = if is_new {
            if !names(&report, &now) { return Ok(()) }
            now
        } else if old_number {
            anchor(&file, if target > at { target - moved } else { target })
        } else {
            now
        };
        // The report was shown last: an anchor of one of its rows means that row.
        prop_assume!(is_new || !names(&report, &given));
        let set = json!({"op": "set_line", "anchor": given, "text": "CHANGED", "exact": true});
        if let ApplyOutcome::Applied(..) = bench.apply(set) {
            let mut expected = before.clone();
            expected[target - 1] = "CHANGED".to_owned();
            prop_assert_eq!(bench.lines(), expected, "{}\n{}", given, report.text);
        }
    }
}
