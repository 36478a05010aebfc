//! Computes the table of figures in `docs/guard-tables.md` from the labelled commands; a test fails
//! if the page has other figures.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p hashline-guard --test all figures` updates the page. No
//! command of a fixture is ever run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use crate::support::{Labelled, fixture, verdict_of};
use hashline_guard::Verdict;

const SETS: [&str; 5] =
    ["commands.json", "extra.json", "blind.json", "realistic.json", "unseen.json"];
const BEGIN: &str = "<!-- figures: written by crates/guard/tests/all/figures.rs -->\n";
const END: &str = "<!-- end of figures -->\n";

/// A count, and the total of which it is a part.
#[derive(Default, Clone, Copy)]
struct Share {
    part: usize,
    whole: usize,
}

impl Share {
    fn count(&mut self, is_part: bool) {
        self.part += usize::from(is_part);
        self.whole += 1;
    }

    /// `12 of 13 (92.3 %)`, or a dash if the total is 0.
    fn show(self) -> String {
        let Self { part, whole } = self;
        if whole == 0 {
            return "–".to_owned();
        }
        let tenths = part * 1000 / whole;
        format!("{part} of {whole} ({}.{} %)", tenths / 10, tenths % 10)
    }
}

/// The figures of a family of commands, or of a whole set.
#[derive(Default, Clone, Copy)]
struct Figures {
    /// Blocked commands, of those that should be blocked.
    recall: Share,
    /// Blocked commands, of those that should be allowed.
    false_blocks: Share,
    /// Blocked reads that are answered with lines.
    served: Share,
}

impl Figures {
    fn count(&mut self, labelled: &Labelled, verdict: &Verdict) {
        let blocked = matches!(verdict, Verdict::Block(_));
        if labelled.verdict == "allow" {
            return self.false_blocks.count(blocked);
        }
        self.recall.count(blocked);
        if let Verdict::Block(block) = verdict
            && labelled.kind.as_deref() == Some("read")
        {
            self.served.count(block.serve.is_some());
        }
    }

    fn row(&self, name: &str) -> String {
        let [recall, false_blocks, served] =
            [self.recall, self.false_blocks, self.served].map(Share::show);
        let name = name.replace('|', "\\|");
        format!("| {name} | {recall} | {false_blocks} | {served} |\n")
    }
}

/// A set's figures, by family and as a whole, and the commands whose verdict differs from the
/// label.
#[derive(Default)]
struct Measured {
    families: BTreeMap<String, Figures>,
    total: Figures,
    wrong: Vec<String>,
}

fn measured(commands: &[Labelled]) -> Measured {
    let mut measured = Measured::default();
    for labelled in commands.iter().filter(|labelled| labelled.verdict != "either") {
        let verdict = verdict_of(&labelled.command);
        // The first tag is the family; the others say how hard a command is.
        let family = measured.families.entry(labelled.tags[0].clone()).or_default();
        family.count(labelled, &verdict);
        measured.total.count(labelled, &verdict);
        if matches!(verdict, Verdict::Block(_)) != (labelled.verdict == "block") {
            let command = labelled.command.replace('\n', "\\n");
            let word = if labelled.verdict == "block" { "missed" } else { "blocked falsely" };
            measured.wrong.push(item(&format!("{}, {word}:", labelled.id), &command));
        }
    }
    measured
}

/// An item of a list within the 120 columns of a document: a long command becomes a block.
fn item(name: &str, command: &str) -> String {
    let line = format!("- {name} `` {command} ``\n");
    if line.chars().count() <= 120 { line } else { format!("- {name}\n\n      {command}\n\n") }
}

fn table(first_column: &str, rows: impl Iterator<Item = String>) -> String {
    let head =
        format!("| {first_column} | blocked of what should be | false blocks | reads served |\n");
    head + "|---|---|---|---|\n" + &rows.collect::<String>()
}

/// The text to write between [`BEGIN`] and [`END`].
fn section() -> String {
    let sets = SETS.map(|name| (name, measured(&fixture(name))));
    let mut text = table("set", sets.iter().map(|(name, set)| set.total.row(name)));
    let wrong: String = sets.iter().flat_map(|(_, set)| set.wrong.iter().cloned()).collect();
    let wrong = if wrong.is_empty() { "None.\n".to_owned() } else { wrong };
    write!(text, "\nJudged otherwise than labelled:\n\n{wrong}").expect("a string takes all");
    for (name, set) in &sets {
        let families = table("family", set.families.iter().map(|(family, row)| row.row(family)));
        let summary = format!("<summary>{name} by family</summary>");
        write!(text, "\n<details>{summary}\n\n{families}\n</details>\n")
            .expect("a string takes all");
    }
    text
}

#[test]
fn the_figures_in_the_docs_are_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guard-tables.md");
    let page = fs::read_to_string(path).expect("the page is part of the repository");
    let (before, rest) = page.split_once(BEGIN).expect("the page has the first mark");
    let (written, after) = rest.split_once(END).expect("the page has the last mark");
    let today = format!("\n{}\n", section());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(path, [before, BEGIN, &today, END, after].concat())
            .expect("the page is writable");
        return;
    }
    assert!(written == today, "run this test with UPDATE_SNAPSHOTS=1 and read what changed");
}
