//! The behaviour cases, run against the planner alone. `__test__/apply.test.mjs` runs the same
//! files through the built addon.

use std::collections::BTreeMap;
use std::path::Path;

use crate::cases::Case;
use hashline_core::patch::Change;
use hashline_core::report::{self, ReportStyle};
use hashline_core::testing::plan::{self, Before, End, FileState, OpTarget, Settings};
use hashline_core::testing::snapshot::{Memory, Snapshot};
use hashline_text::{Document, Listing, Scheme, Span};

type Files = BTreeMap<String, String>;

/// The result of a case: the files afterwards or the codes of the refusals, and the report.
struct Outcome {
    files: Result<Files, Vec<String>>,
    text: String,
}

fn settings(case: &Case) -> Settings {
    let mut settings = Settings::default();
    if let Some(text) = &case.settings {
        let json: serde_json::Value = serde_json::from_str(text).expect("settings are JSON");
        if let Some(name) = json["relocation"].as_str() {
            settings.relocation = name.parse().expect("the setting exists");
        }
        settings.repairs = hashline_wire::repairs(&json["repairs"]).expect("the repairs exist");
    }
    settings
}

fn remember(memory: &mut Memory, path: &str, text: &str) {
    let document = Document::from_text(text);
    let listing = Listing::new(&document, Scheme::Hex2);
    let all = hashline_text::LineNumber::new(document.len())
        .and_then(|last| Span::lines(hashline_text::LineNumber::FIRST, last));
    memory.remember(Path::new(path), Snapshot::of(&listing, all.as_slice()));
}

fn run(case: &Case) -> Outcome {
    let patch = match hashline_wire::patch::read_text(&case.patch) {
        Ok(patch) => patch,
        Err(error) => {
            return Outcome {
                files: Err(vec![error.code.as_str().to_owned()]),
                text: error.to_string(),
            };
        }
    };
    let shape = hashline_wire::call::in_one_shape(&patch);
    assert_eq!(hashline_wire::patch::read(&shape).as_ref(), Ok(&patch), "{shape}");
    let mut memory = Memory::new(1 << 20);
    for (path, text) in &case.before {
        if !case.unread.contains(path) {
            remember(&mut memory, path, case.shown.get(path).unwrap_or(text));
        }
    }
    let mut files: Vec<Before> = Vec::new();
    let mut place = |path: &str| {
        if let Some(at) = files.iter().position(|file| file.path == path) {
            return at;
        }
        let state = case
            .before
            .get(path)
            .map_or(FileState::Missing, |text| FileState::Text(Document::from_text(text.clone())));
        files.push(Before::new(path, state, memory.versions(Path::new(path)).to_vec()));
        files.len() - 1
    };
    let targets: Vec<OpTarget> = patch
        .ops
        .iter()
        .map(|op| OpTarget {
            file: place(&op.path),
            to: match &op.change {
                Change::MoveFile { to } => Some(place(to)),
                Change::Transfer { to, .. } => Some(place(to.as_ref().unwrap_or(&op.path))),
                _ => None,
            },
        })
        .collect();
    match plan::plan(&patch, &targets, &files, settings(case)) {
        Err(refusals) => Outcome {
            files: Err(refusals.iter().map(|refusal| refusal.code.as_str().to_owned()).collect()),
            text: report::refused(refusals, patch.ops.len(), &files, Scheme::Hex2).text,
        },
        Ok(plan) => {
            let mut after: Files = case.before.clone();
            let text = |document: &Document| String::from_utf8(document.bytes().to_vec()).unwrap();
            let mut arrived = Vec::new();
            for file in &plan.files {
                let name = &files[file.file].path;
                match &file.end {
                    End::Kept => {}
                    End::Changed(document) => {
                        after.insert(name.clone(), text(document));
                    }
                    End::Created(content) => {
                        after.insert(name.clone(), content.text().to_owned());
                    }
                    End::Deleted => {
                        after.remove(name);
                    }
                    End::Moved { to, after: document } => {
                        let old = after.remove(name).expect("a moved file was there");
                        arrived
                            .push((files[*to].path.clone(), document.as_ref().map_or(old, text)));
                    }
                }
            }
            after.extend(arrived);
            Outcome {
                files: Ok(after),
                text: hashline_core::testing::report::applied(
                    &plan,
                    &files,
                    Scheme::Hex2,
                    ReportStyle::Full,
                )
                .text,
            }
        }
    }
}

#[test]
fn every_case_has_its_expected_result() {
    let mut wrong = Vec::new();
    let cases = crate::cases::load();
    for case in &cases {
        let outcome = run(case);
        let mut expected = case.before.clone();
        for (path, text) in &case.after {
            match text {
                Some(text) => expected.insert(path.clone(), text.clone()),
                None => expected.remove(path),
            };
        }
        let expected = case.refusal.clone().map_or(Ok(expected), Err);
        if outcome.files != expected {
            wrong.push(format!(
                "{}\n  expected {expected:?}\n  found    {:?}\n{}",
                case.name, outcome.files, outcome.text
            ));
        }
        for line in &case.report {
            if !outcome.text.lines().any(|found| found == line) {
                wrong
                    .push(format!("{}\n  the report lacks {line:?}:\n{}", case.name, outcome.text));
            }
        }
        let first = outcome.text.lines().next().unwrap_or_default();
        let bounded = outcome.text.lines().count() <= 200
            && outcome.text.lines().all(|line| line.chars().count() <= 400);
        if !bounded || (expected.is_ok() && !first.starts_with("Applied ")) {
            wrong.push(format!("{}: the report is not in its form:\n{}", case.name, outcome.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n\n"));
}
