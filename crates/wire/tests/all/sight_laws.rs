//! Law 1: lines that the model was not shown in their current form are never silently overwritten
//! or deleted.
//!
//! Random reads, searches, patches, repeats and restarts, while another program writes into the
//! file. Every line that the other program writes has a word of its own, so that a lost line can be
//! named.

use std::collections::HashSet;
use std::fs::File;
use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use serde_json::{Value, json};

use hashline_core::Unseen;
use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Durability, GrepOutcome, Options, Session};
use hashline_testing::{Workdir, size};

/// One thing that happens; the numbers are taken modulo what there is to choose from.
#[derive(Clone, Copy, Debug)]
enum Step {
    ReadAll,
    Read {
        at: usize,
        count: usize,
    },
    Grep {
        at: usize,
        context: usize,
    },
    /// The other program changes a line.
    Change {
        at: usize,
    },
    /// The other program writes new lines.
    Write {
        at: usize,
        count: usize,
    },
    /// The other program deletes lines.
    Cut {
        at: usize,
        count: usize,
    },
    /// The other program indents every line anew.
    Indent,
    Range {
        from: usize,
        to: usize,
        delete: bool,
        new: usize,
    },
    SetLine {
        at: usize,
    },
    Replace {
        at: usize,
    },
    DeleteFile,
    Overwrite,
    MoveOnto,
    Again,
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let at = || any::<usize>();
    let few = || 1..6_usize;
    prop_oneof![
        1 => Just(Step::ReadAll),
        3 => (at(), 1..12_usize).prop_map(|(at, count)| Step::Read { at, count }),
        2 => (at(), 0..4_usize).prop_map(|(at, context)| Step::Grep { at, context }),
        4 => at().prop_map(|at| Step::Change { at }),
        2 => (at(), few()).prop_map(|(at, count)| Step::Write { at, count }),
        1 => (at(), few()).prop_map(|(at, count)| Step::Cut { at, count }),
        1 => Just(Step::Indent),
        6 => (at(), at(), any::<bool>(), 0..3_usize)
            .prop_map(|(from, to, delete, new)| Step::Range { from, to, delete, new }),
        2 => at().prop_map(|at| Step::SetLine { at }),
        1 => at().prop_map(|at| Step::Replace { at }),
        1 => Just(Step::DeleteFile),
        1 => Just(Step::Overwrite),
        1 => Just(Step::MoveOnto),
        4 => Just(Step::Again),
        2 => Just(Step::Restart),
    ]
}

/// A file, who writes to it, and what the model was shown.
struct World {
    // The first to be dropped: it saves what it noted.
    session: Session,
    dir: Workdir,
    unseen: Unseen,
    name: String,
    /// Every word of the answers.
    shown: HashSet<String>,
    /// The anchors in the answers, in order.
    anchors: Vec<String>,
    last: Option<Value>,
    words: usize,
    applied: usize,
    refused: usize,
}

impl World {
    fn new(lines: usize, unseen: Unseen) -> Self {
        let dir = Workdir::in_memory("sight");
        dir.write("ws/source.txt", "moved\n");
        let session = open(&dir, unseen);
        let mut world = Self {
            dir,
            session,
            unseen,
            name: String::new(),
            shown: HashSet::new(),
            anchors: Vec::new(),
            last: None,
            words: 0,
            applied: 0,
            refused: 0,
        };
        world.begin(lines);
        world
    }

    /// A new file, of which the model is shown something first.
    fn begin(&mut self, lines: usize) {
        self.words += 1;
        self.name = format!("f{}.txt", self.words);
        let line = |at: usize| match at % 7 {
            3 => "}".to_owned(),
            5 => String::new(),
            _ => format!("line{at} of the file"),
        };
        self.put(&(0..lines).map(line).collect::<Vec<_>>());
        self.anchors.clear();
        self.last = None;
        self.read(json!({ "path": self.name, "offset": 1, "limit": 3 }));
    }

    fn place(&self) -> String {
        format!("ws/{}", self.name)
    }

    fn lines(&self) -> Vec<String> {
        let text = self.dir.read(&self.place()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Writes the file as the other program does, with a time in the past.
    fn put(&mut self, lines: &[String]) {
        let text = lines.join("\n") + "\n";
        let path = self.dir.write(&self.place(), text);
        self.words += 1;
        let then = SystemTime::now() - Duration::from_secs(100_000 - self.words as u64);
        File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }

    fn word(&mut self) -> String {
        self.words += 1;
        format!("other{}word", self.words)
    }

    /// Remembers the words and anchors of an answer.
    fn remember(&mut self, text: &str) {
        self.shown.extend(words(text).map(str::to_owned));
        for line in text.lines() {
            let row = line.trim_start_matches(['+', ' ', '>']);
            if let Some((anchor, _)) = row.split_once('|')
                && anchor.split_once(':').is_some_and(|(number, _)| number.parse::<usize>().is_ok())
            {
                self.anchors.push(anchor.to_owned());
            }
        }
    }

    fn read(&mut self, request: Value) {
        let request = hashline_wire::read_request(request).unwrap();
        let text = self.session.read(&request, &Cancel::default()).unwrap().text;
        self.remember(&text);
    }

    fn grep(&mut self, pattern: &str, context: usize) {
        let request = json!({ "pattern": pattern, "path": self.name, "context": context });
        let request = hashline_wire::grep_request(request).unwrap();
        let found = self.session.grep(&request, &|_| {}, &Cancel::default()).unwrap();
        if let GrepOutcome::Found { text, .. } = found {
            self.remember(&text);
        }
    }

    /// Sends a patch; every line that it removes must have been in an answer.
    fn apply(&mut self, patch: Value) -> Result<(), TestCaseError> {
        let before = self.dir.read(&self.place()).unwrap_or_default();
        let read = hashline_wire::patch::read(&patch).unwrap();
        let outcome = self.session.apply(&read, &Cancel::default()).unwrap();
        self.last = Some(patch);
        let after = self.dir.read(&self.place()).unwrap_or_default();
        let left: HashSet<&str> = words(&after).collect();
        let gone = words(&before).find(|word| !left.contains(word) && !self.shown.contains(*word));
        prop_assert!(gone.is_none(), "{gone:?} was never shown: {:?}\n{before}", self.last);
        match outcome {
            ApplyOutcome::Applied(report, _) => {
                self.applied += 1;
                self.remember(&report.text);
            }
            ApplyOutcome::Refused(report) => {
                self.refused += 1;
                prop_assert_eq!(&before, &after);
                self.remember(&report.text);
            }
        }
        Ok(())
    }

    fn anchor(&self, at: usize) -> String {
        // The newest anchors are likelier.
        let newest = self.anchors.len().min(60);
        let from = if at.is_multiple_of(3) { self.anchors.len() } else { newest };
        self.anchors[self.anchors.len() - 1 - at % from].clone()
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        let path = self.name.clone();
        let mut lines = self.lines();
        let place = |at: usize, lines: &[String]| at % (lines.len() + 1);
        match step {
            Step::ReadAll => self.read(json!({ "path": path })),
            Step::Read { at, count } => {
                let offset = place(at, &lines).max(1);
                self.read(json!({ "path": path, "offset": offset, "limit": count }));
            }
            Step::Grep { at, context } => {
                let wanted = lines.get(place(at, &lines)).and_then(|line| line.split(' ').next());
                let pattern = wanted.filter(|word| !word.is_empty()).unwrap_or("line").to_owned();
                self.grep(&pattern.replace('}', "line"), context);
            }
            Step::Change { at } if !lines.is_empty() => {
                let at = at % lines.len();
                lines[at] = format!("{} changed", self.word());
                self.put(&lines);
            }
            Step::Write { at, count } => {
                let at = place(at, &lines);
                let new: Vec<String> = (0..count).map(|_| self.word()).collect();
                lines.splice(at..at, new);
                self.put(&lines);
            }
            Step::Cut { at, count } => {
                let at = place(at, &lines);
                lines.drain(at..(at + count).min(lines.len()));
                self.put(&lines);
            }
            Step::Indent => {
                for line in lines.iter_mut().filter(|line| !line.is_empty()) {
                    line.insert_str(0, "  ");
                }
                self.put(&lines);
            }
            Step::Range { from, to, delete, new } => {
                let number = |anchor: &str| anchor.split(':').next().unwrap().parse::<usize>().unwrap();
                let mut ends = [self.anchor(from), self.anchor(to)];
                ends.sort_by_key(|anchor| number(anchor));
                let [start, end] = ends;
                let text = "mine\n".repeat(new);
                let op = if delete || new == 0 {
                    json!({ "op": "delete", "path": path, "start_anchor": start, "end_anchor": end })
                } else {
                    json!({ "op": "replace_range", "path": path, "start_anchor": start, "end_anchor": end, "text": text })
                };
                self.apply(json!([op]))?;
            }
            Step::SetLine { at } => {
                let anchor = self.anchor(at);
                self.apply(json!([{ "op": "set_line", "path": path, "anchor": anchor, "text": "my line" }]))?;
            }
            Step::Replace { at } => {
                let known = lines.iter().filter(|line| words(line).any(|word| self.shown.contains(word)));
                let known: Vec<&String> = known.collect();
                if let Some(old) = known.get(at % known.len().max(1)) {
                    let op = json!({ "op": "replace", "path": path, "old_text": old, "new_text": "my text" });
                    self.apply(json!([op]))?;
                }
            }
            Step::DeleteFile => self.apply(json!([{ "op": "delete_file", "path": path }]))?,
            Step::Overwrite => self.apply(
                json!([{ "op": "add_file", "path": path, "content": "all new\n", "overwrite": true }]),
            )?,
            Step::MoveOnto => {
                self.dir.write("ws/source.txt", "moved\n");
                let away = json!({ "op": "delete_file", "path": path });
                self.apply(json!([{ "op": "move_file", "path": "source.txt", "to": path }, away]))?;
            }
            Step::Again => {
                if let Some(last) = self.last.clone() {
                    self.apply(last)?;
                }
            }
            Step::Restart => self.session = open(&self.dir, self.unseen),
            Step::Change { .. } => {}
        }
        // A file that is deleted or entirely new is not the one that was shown.
        if self.lines().len() < 4 {
            self.begin(40);
        }
        Ok(())
    }
}

fn open(dir: &Workdir, unseen: Unseen) -> Session {
    let mut options = Options::new(dir.path().join("ws"));
    options.state_dir = Some(dir.path().join("state"));
    options.journal_dir = Some(dir.path().join("journal"));
    options.durability = Durability::Fast;
    options.unseen = unseen;
    Session::new(options).unwrap()
}

/// The words that the other program wrote.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.ends_with("word"))
}

fn law(lines: usize, unseen: Unseen, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut world = World::new(lines, unseen);
    for step in steps {
        world.step(*step)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: u32::try_from(size(400, 2)).unwrap(),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_that_another_program_wrote_is_lost_unseen(
        lines in 5..90_usize,
        steps in prop::collection::vec(step(), 1..60),
    ) {
        law(lines, Unseen::Refuse, &steps)?;
    }

    #[test]
    fn nor_if_lines_that_were_never_shown_only_warn(
        lines in 5..90_usize,
        steps in prop::collection::vec(step(), 1..60),
    ) {
        law(lines, Unseen::Warn, &steps)?;
    }
}
