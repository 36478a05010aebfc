//! Laws of patches and plans, tried on thousands of inputs.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use hashline_core::patch::{Change, Op, Patch, Spot};
use hashline_core::testing::plan::{self, Before, End, FileState, OpTarget, Settings};
use hashline_core::testing::snapshot::Snapshot;
use hashline_text::{Anchor, Document, LineNumber, Listing, Scheme, Span};

/// What an edit asks for at a line.
#[derive(Clone, Debug)]
enum Wish {
    Set(Vec<String>),
    Delete,
    InsertAfter(Vec<String>),
}

fn wish() -> impl Strategy<Value = Wish> {
    let lines = prop::collection::vec("[a-z{}]{0,6}", 1..3);
    prop_oneof![
        lines.clone().prop_map(Wish::Set),
        Just(Wish::Delete),
        lines.prop_map(Wish::InsertAfter),
    ]
}

/// Text with mixed line endings, many equal lines, and sometimes no final newline.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![Just("}".to_owned()), Just(String::new()), "[a-c]{1,6}"];
    let ending = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    (prop::collection::vec((line, ending), 1..30), any::<bool>()).prop_map(|(lines, open)| {
        let mut text: String =
            lines.iter().flat_map(|(line, ending)| [line.as_str(), ending]).collect();
        if open && lines.last().is_some_and(|(line, _)| !line.is_empty()) {
            let ending = lines.last().map_or(0, |(_, ending)| ending.len());
            text.truncate(text.len() - ending);
        }
        text
    })
}

fn shown(document: &Document) -> Arc<Snapshot> {
    let listing = Listing::new(document, Scheme::Hex2);
    let all = LineNumber::new(document.len()).and_then(|last| Span::lines(LineNumber::FIRST, last));
    Arc::new(Snapshot::of(&listing, all.as_slice()))
}

fn op(change: Change) -> Op {
    Op { path: "f".to_owned(), exact: true, open: false, change }
}

fn run(patch: &Patch, before: &Document, seen: &Document) -> Option<Document> {
    let files = [Before::new("f", FileState::Text(before.clone()), vec![shown(seen)])];
    let targets = vec![OpTarget { file: 0, to: None }; patch.ops.len()];
    let plan = plan::plan(patch, &targets, &files, Settings::default()).ok()?;
    Some(match plan.files.into_iter().next()?.end {
        End::Changed(document) => document,
        _ => before.clone(),
    })
}

fn contents(document: &Document) -> Vec<String> {
    document.lines().map(|line| line.content.to_owned()).collect()
}

proptest! {
    #[test]
    fn edits_of_different_lines_do_what_each_says_in_any_order(
        text in text(),
        wishes in prop::collection::btree_map(any::<Index>().prop_map(|at| at.index(1 << 20)), wish(), 1..8),
        shuffle: u64,
    ) {
        let document = Document::from_text(text);
        let listing = Listing::new(&document, Scheme::Hex2);
        let mut expected: Vec<Vec<String>> = contents(&document).into_iter().map(|line| vec![line]).collect();
        let mut ops = Vec::new();
        let mut used = Vec::new();
        for (at, wish) in wishes {
            let at = at % document.len();
            if used.contains(&at) {
                continue;
            }
            used.push(at);
            let anchor = listing.anchor(LineNumber::at(at)).unwrap();
            let change = match wish {
                Wish::Set(lines) => {
                    expected[at].clone_from(&lines);
                    Change::SetLine { anchor: anchor.into(), lines }
                }
                Wish::Delete => {
                    expected[at].clear();
                    Change::Delete { start: anchor.into(), end: None }
                }
                Wish::InsertAfter(lines) => {
                    expected[at].extend(lines.clone());
                    Change::Insert { at: Spot::After(anchor.into()), lines }
                }
            };
            ops.push(op(change));
        }
        let len = ops.len().max(1);
        ops.rotate_left(usize::try_from(shuffle).unwrap_or_default() % len);
        let after = run(&Patch::new(ops), &document, &document).expect("the anchors are fresh");
        prop_assert_eq!(contents(&after), expected.concat());
    }

    #[test]
    fn a_followed_line_reads_as_it_was_shown(old in text(), new in text(), pick: Index) {
        let (old, new) = (Document::from_text(old), Document::from_text(new));
        let at = LineNumber::at(pick.index(old.len()));
        let anchor = Listing::new(&old, Scheme::Hex2).anchor(at).unwrap();
        let lines = vec!["EDITED".to_owned()];
        let patch = Patch::new(vec![op(Change::SetLine { anchor: anchor.into(), lines })]);
        if let Some(after) = run(&patch, &new, &old) {
            let edited = contents(&after).iter().position(|line| line == "EDITED").unwrap();
            let edited = LineNumber::at(edited);
            prop_assert_eq!(new.content(edited), old.content(at));
            let back = after.splice(Span::line(edited), &[new.content(edited).unwrap()]);
            prop_assert_eq!(back, new, "nothing else has changed");
        }
    }

    #[test]
    fn a_range_is_followed_only_if_all_of_it_is_there(old in text(), new in text(), picks: [Index; 2]) {
        let (old, new) = (Document::from_text(old), Document::from_text(new));
        let mut ends = picks.map(|pick| LineNumber::at(pick.index(old.len())));
        ends.sort_unstable();
        let listing = Listing::new(&old, Scheme::Hex2);
        let [start, end] = ends.map(|line| listing.anchor(line).unwrap());
        let lines = vec!["EDITED".to_owned()];
        let patch = Patch::new(vec![op(Change::ReplaceRange { start: start.into(), end: end.into(), lines })]);
        if let Some(after) = run(&patch, &new, &old) {
            let replaced = ends[1].get() - ends[0].index();
            let mut restored = contents(&after);
            let at = restored.iter().position(|line| line == "EDITED").unwrap();
            restored.splice(at..=at, contents(&old)[ends[0].index()..ends[0].index() + replaced].to_vec());
            prop_assert_eq!(restored, contents(&new));
        }
    }

    #[test]
    fn no_anchor_makes_planning_panic(text in text(), line in 1..40_usize, tag in "[0-9a-f]{2}", lines in prop::collection::vec("[ +a-z0-9:|{}\t]{0,12}", 0..4)) {
        let document = Document::from_text(text);
        let anchor: Anchor = format!("{line}:{tag}").parse().unwrap();
        let all = [
            Change::SetLine { anchor: anchor.clone().into(), lines: lines.clone() },
            Change::Delete { start: anchor.clone().into(), end: Some(anchor.clone().into()) },
            Change::Insert { at: Spot::Before(anchor.into()), lines: vec![lines.join(" ")] },
        ];
        for change in all {
            let patch = Patch::new(vec![Op { path: "f".to_owned(), exact: false, open: false, change }]);
            let state = FileState::Text(document.clone());
            let files = [Before::new("f", state, vec![shown(&document)])];
            let settings = Settings { repairs: hashline_core::Repairs::default(), ..Settings::default() };
            match plan::plan(&patch, &[OpTarget { file: 0, to: None }], &files, settings) {
                Ok(plan) => {
                    for style in hashline_core::report::ReportStyle::ALL {
                        drop(hashline_core::testing::report::applied(&plan, &files, Scheme::Hex2, style));
                    }
                }
                Err(refusals) => drop(hashline_core::report::refused(refusals, 1, &files, Scheme::Hex2)),
            }
        }
    }
}
