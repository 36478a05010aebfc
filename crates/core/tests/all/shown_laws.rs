//! The law of `hashline_core::show`: a call may send printed text back in any field. Then it means
//! the file text that it showed, or the call is refused, or the report warns.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;

use hashline_core::patch::{Change, Op, Patch, Spot};
use hashline_core::show::{Mark, Row};
use hashline_core::testing::plan::{self, Before, End, FileState, OpTarget, Settings};
use hashline_core::testing::show::{lines_header, read_on};
use hashline_core::testing::snapshot::Snapshot;
use hashline_core::{Repair, Repairs};
use hashline_text::{Anchor, Document, LineNumber, Listing, Scheme, Tag, TagInput, WrittenAnchor};

/// The form in which a printed row is copied.
#[derive(Clone, Copy, Debug)]
enum Copied {
    Whole(Mark),
    Pointed,
    TagOnly,
    Numbered(char),
    /// Only the text that was shown, without number and tag.
    Text,
}

/// The field of a call that gets the text.
#[derive(Clone, Copy, Debug)]
enum Field {
    SetLine,
    Range,
    Insert,
    NewText,
    AddFile,
}

/// One call with copies of printed rows.
#[derive(Clone, Debug)]
struct Call {
    lines: Vec<String>,
    scheme: Scheme,
    /// The lines that are copied, zero-based, both included.
    copied: (usize, usize),
    /// The lines that are replaced, zero-based, both included.
    target: (usize, usize),
    forms: Vec<Copied>,
    /// Which of the copied lines are edited.
    edited: Vec<bool>,
    header: bool,
    footer: bool,
    field: Field,
}

fn call() -> impl Strategy<Value = Call> {
    let line = prop_oneof![
        8 => "[a-d]{1,3}",
        4 => "  [a-z]{3,9}\\(\\);",
        2 => Just(String::new()),
        2 => Just("}".to_owned()),
        1 => "\u{1b}\\[[0-3]m[a-c]{2}",
        1 => "[a-c]\\\\x1b[a-c]",
        1 => "a\rb",
        1 => "[0-9]{1,2}:[0-9]{2}\\|[a-c]{2}",
        1 => "[0-9]{1,2}: [a-c]{2}",
        1 => "[0-9a-f]{2}\\|[a-c]{2}",
        1 => Just("x".repeat(2500)),
        1 => Just("...".to_owned()),
    ];
    let form = prop_oneof![
        4 => select(vec![Mark::None, Mark::Added, Mark::Kept]).prop_map(Copied::Whole),
        1 => Just(Copied::Pointed),
        3 => Just(Copied::TagOnly),
        3 => select(vec!['|', ':']).prop_map(Copied::Numbered),
        2 => Just(Copied::Text),
    ];
    let field =
        select(vec![Field::SetLine, Field::Range, Field::Insert, Field::NewText, Field::AddFile]);
    (
        prop::collection::vec(line, 2..9),
        select(Scheme::ALL.to_vec()),
        (any::<prop::sample::Index>(), 0..3_usize),
        (any::<prop::sample::Index>(), 0..3_usize),
        (form, prop::bool::weighted(0.8)),
        prop::collection::vec(prop::bool::weighted(0.3), 3),
        (prop::bool::weighted(0.2), prop::bool::weighted(0.2)),
        (field, prop::bool::weighted(0.5)),
    )
        .prop_map(
            |(lines, scheme, copied, target, (form, same), edited, ends, (field, there))| {
                let range = |(at, more): (prop::sample::Index, usize)| {
                    let first = at.index(lines.len());
                    (first, (first + more).min(lines.len() - 1))
                };
                let target = range(target);
                // Half of the calls copy lines to their own place.
                let copied = if there { target } else { range(copied) };
                let forms = vec![if same { form } else { Copied::Whole(Mark::None) }; 3];
                let (header, footer) = ends;
                Call { lines, scheme, copied, target, forms, edited, header, footer, field }
            },
        )
}

impl Call {
    fn tag(&self, index: usize) -> Tag {
        let at = |index: usize| self.lines.get(index).map_or(&b""[..], |line| line.as_bytes());
        self.scheme.tag(TagInput {
            number: LineNumber::at(index),
            before: index.checked_sub(1).map_or(&[][..], at),
            content: at(index),
            after: at(index + 1),
        })
    }

    /// The copied lines as the call sends them, and the file lines that they mean.
    fn text(&self) -> (Vec<String>, Vec<String>) {
        let (mut sent, mut meant) = (Vec::new(), Vec::new());
        if self.header {
            sent.push(lines_header("file.txt", 0, self.lines.len(), self.lines.len()));
        }
        for (at, index) in (self.copied.0..=self.copied.1).enumerate() {
            let number = LineNumber::at(index);
            let mut row = String::new();
            Row::new(number, self.tag(index), &self.lines[index]).push(&mut row, self.scheme);
            let (anchor, shown) = row.split_once('|').expect("a row has a bar");
            let edit = if self.edited[at] { "EDIT" } else { "" };
            sent.push(match self.forms[at] {
                Copied::Whole(mark) => format!("{mark}{row}{edit}"),
                Copied::Pointed => format!(">>> {anchor}|{shown}{edit}"),
                Copied::TagOnly => format!("{}|{shown}{edit}", self.tag(index)),
                Copied::Numbered(separator) => format!("{number}{separator}{shown}{edit}"),
                Copied::Text => format!("{shown}{edit}"),
            });
            meant.push(format!("{}{edit}", self.lines[index]));
        }
        if self.footer {
            sent.push(read_on(3, "line", 9));
        }
        (sent, meant)
    }

    /// Whether the text equals file text, so that nobody can tell that it was printed.
    fn is_plain(&self, sent: &[String]) -> bool {
        sent == self.text().1
    }
}

/// Plans the call; returns the text that the file would have, and whether the report warns; `None`
/// if the call is refused.
fn run(call: &Call, change: Change, path: &str) -> Option<(String, bool)> {
    let document = Document::from_text(text_of(&call.lines));
    let listing = Listing::new(&document, call.scheme);
    let snapshot = Arc::new(Snapshot::of(&listing, &[document.span()]));
    let new = matches!(change, Change::AddFile { .. });
    let state = if new { FileState::Missing } else { FileState::Text(document) };
    let versions = if new { Vec::new() } else { vec![snapshot] };
    let files = [Before::new(path, state, versions)];
    plan_of(
        call,
        &Patch::new(vec![Op { path: path.to_owned(), exact: false, open: false, change }]),
        &files,
    )
}

/// Plans a patch of one operation.
fn plan_of(call: &Call, asked: &Patch, files: &[Before; 1]) -> Option<(String, bool)> {
    // Other repairs would change the text for other reasons.
    let mut repairs = Repairs::NONE;
    repairs.set(Repair::StripPrefix, true);
    let settings = Settings { scheme: call.scheme, repairs, ..Settings::default() };
    let targets = [OpTarget { file: 0, to: None }];
    let plan = plan::plan(asked, &targets, files, settings).ok()?;
    let after = match &plan.files[0].end {
        End::Changed(after) => str::from_utf8(after.bytes()).unwrap().to_owned(),
        End::Created(after) => after.text().to_owned(),
        _ => text_of(&call.lines),
    };
    Some((after, !plan.warnings.is_empty()))
}

fn text_of(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn printed_text_in_a_call_means_the_file_text_it_showed(call in call()) {
        let (sent, meant) = call.text();
        let (first, last) = call.target;
        let anchor = |index: usize| -> WrittenAnchor {
            Anchor::new(LineNumber::at(index), call.tag(index)).into()
        };
        let mut after = call.lines.clone();
        let (change, expected) = match call.field {
            Field::SetLine => {
                after.splice(first..=first, meant.clone());
                (Change::SetLine { anchor: anchor(first), lines: sent.clone() }, text_of(&after))
            }
            Field::Range => {
                after.splice(first..=last, meant.clone());
                let (start, end) = (anchor(first), anchor(last));
                (Change::ReplaceRange { start, end, lines: sent.clone() }, text_of(&after))
            }
            Field::Insert => {
                after.splice((first + 1)..=first, meant.clone());
                let at = Spot::After(anchor(first));
                (Change::Insert { at, lines: sent.clone() }, text_of(&after))
            }
            Field::NewText => {
                after.splice(first..=last, meant.clone());
                let old = call.lines[first..=last].join("\n");
                let new = sent.join("\n");
                (Change::Replace { old, new, all: false, within: None }, text_of(&after))
            }
            Field::AddFile => {
                let content = text_of(&sent);
                (Change::AddFile { content, overwrite: false }, text_of(&meant))
            }
        };
        // In a new file, copied text without number and tag looks like any other.
        let bare = matches!(call.field, Field::AddFile)
            && matches!(call.forms[0], Copied::Text);
        let path = if matches!(call.field, Field::AddFile) { "new.txt" } else { "file.txt" };
        if let Some((written, warned)) = run(&call, change, path) {
            prop_assert!(
                written == expected || warned || bare || call.is_plain(&sent),
                "\nsent {:?}\nmeant {:?}\nwritten {:?}", sent, meant, written
            );
        }
    }

    #[test]
    fn printed_old_text_is_found_or_refused(call in call()) {
        let call = Call { edited: vec![false; 3], ..call };
        let (sent, _) = call.text();
        let (first, last) = call.copied;
        let mut after = call.lines.clone();
        after.splice(first..=last, ["NEW".to_owned()]);
        let (old, new) = (sent.join("\n"), "NEW".to_owned());
        let change = Change::Replace { old, new, all: false, within: None };
        if let Some((written, warned)) = run(&call, change, "file.txt") {
            // Text that occurs literally in the file is file text, whatever it looks like.
            let literal = text_of(&call.lines).contains(&sent.join("\n"));
            prop_assert!(
                written == text_of(&after) || warned || literal,
                "\nsent {:?}\nwritten {:?}", sent, written
            );
        }
    }

    #[test]
    fn a_printed_row_as_an_anchor_means_its_lines_or_is_refused(call in call()) {
        let call = Call { edited: vec![false; 3], ..call };
        let (sent, _) = call.text();
        let (first, last) = call.copied;
        let Ok((start, end)) = WrittenAnchor::rows(&sent.join("\n")) else { return Ok(()) };
        let lines = vec!["NEW".to_owned()];
        let change = Change::ReplaceRange { start, end, lines };
        let asked = Patch::new(vec![Op { path: "file.txt".to_owned(), exact: false, open: false, change }]);
        let document = Document::from_text(text_of(&call.lines));
        let listing = Listing::new(&document, call.scheme);
        let versions = vec![Arc::new(Snapshot::of(&listing, &[document.span()]))];
        let state = FileState::Text(document);
        let file = Before::new("file.txt", state, versions);
        if let Some((written, warned)) = plan_of(&call, &asked, &[file]) {
            let mut after = call.lines.clone();
            after.splice(first..=last, ["NEW".to_owned()]);
            prop_assert!(
                written == text_of(&after) || warned,
                "\nsent {:?}\nwritten {:?}", sent, written
            );
        }
    }
}
