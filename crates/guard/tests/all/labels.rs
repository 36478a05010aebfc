//! Compares the guard's verdicts with labelled commands, and prints a table and the differences.
//!
//! `cargo test -p hashline-guard --test all labels -- --nocapture` prints the table. No command of
//! a fixture is ever run.

use std::collections::BTreeMap;

use crate::support::{Labelled, context, fixture, verdict_of};
use hashline_guard::{Access, Verdict};

#[derive(Default)]
struct Row {
    blocked_rightly: usize,
    missed: usize,
    allowed_rightly: usize,
    blocked_wrongly: usize,
}

fn score(name: &str, commands: &[Labelled]) -> (f64, f64, f64) {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut total = Row::default();
    let mut wrong = Vec::new();
    let mut wrong_kind = Vec::new();
    let mut missing_targets = Vec::new();
    for labelled in commands.iter().filter(|labelled| labelled.verdict != "either") {
        let verdict = verdict_of(&labelled.command);
        let blocked = matches!(verdict, Verdict::Block(_));
        let expected = labelled.verdict == "block";
        let count = |row: &mut Row| match (expected, blocked) {
            (true, true) => row.blocked_rightly += 1,
            (true, false) => row.missed += 1,
            (false, false) => row.allowed_rightly += 1,
            (false, true) => row.blocked_wrongly += 1,
        };
        count(&mut total);
        for tag in &labelled.tags {
            count(rows.entry(tag).or_default());
        }
        if blocked != expected {
            let reason = match &verdict {
                Verdict::Block(block) => block.reason().lines().next().unwrap_or("").to_owned(),
                Verdict::Allow => String::new(),
            };
            wrong.push(format!(
                "{} {:?}: expected {}; {reason} ({})",
                labelled.id, labelled.command, labelled.verdict, labelled.why
            ));
        }
        if let Verdict::Block(block) = &verdict
            && expected
        {
            if labelled.kind.as_deref() != Some(block.access.name()) {
                wrong_kind.push(format!(
                    "{} {:?}: expected {:?}, is {:?}",
                    labelled.id, labelled.command, labelled.kind, block.access
                ));
            }
            let named = |target: &String| block.targets.contains(target);
            if !labelled.targets.iter().all(named) {
                missing_targets.push(format!(
                    "{} {:?}: expected {:?}, is {:?}",
                    labelled.id, labelled.command, labelled.targets, block.targets
                ));
            }
        }
    }
    println!("\n{name}: {} commands", commands.len());
    println!("{:<16}{:>9}{:>9}{:>9}{:>13}", "tag", "blocked", "missed", "allowed", "false block");
    for (tag, row) in rows.iter().chain([(&"all", &total)]) {
        println!(
            "{tag:<16}{:>9}{:>9}{:>9}{:>13}",
            row.blocked_rightly, row.missed, row.allowed_rightly, row.blocked_wrongly
        );
    }
    for (title, list) in [
        ("wrong", &wrong),
        ("read taken for write, or the reverse", &wrong_kind),
        ("targets not named", &missing_targets),
    ] {
        println!("{title}: {}", list.len());
        for line in list {
            println!("  {line}");
        }
    }
    let share = |part: usize, other: usize| {
        let number = |n: usize| f64::from(u32::try_from(n).expect("fixtures are small"));
        number(part) / number((part + other).max(1))
    };
    let blocks = total.blocked_rightly;
    (
        share(total.blocked_rightly, total.missed),
        share(total.blocked_wrongly, total.allowed_rightly),
        share(blocks - wrong_kind.len().min(blocks), wrong_kind.len()),
    )
}

#[test]
fn the_labelled_commands_are_judged_as_labelled() {
    let (recall, false_blocks, kinds) = score("commands.json", &fixture("commands.json"));
    assert!(recall >= 0.995, "recall {recall}");
    assert!(false_blocks <= 0.005, "false blocks {false_blocks}");
    assert!(kinds >= 0.98, "kinds {kinds}");
}

#[test]
fn our_own_labelled_commands_are_judged_as_labelled() {
    // Without the recall, because the guard does not follow commands that hide on purpose
    // (`docs/guard.md`, "What the guard cannot see"); the next test limits how many it may miss.
    let (_, false_blocks, kinds) = score("extra.json", &fixture("extra.json"));
    assert!(false_blocks <= 0.005, "false blocks {false_blocks}");
    assert!(kinds >= 0.98, "kinds {kinds}");
}

#[test]
fn at_most_two_in_a_hundred_invented_blocks_are_missed_and_nothing_is_blocked_falsely() {
    let (mut blocks, mut missed) = (0, Vec::new());
    for labelled in ["commands.json", "extra.json", "blind.json"].into_iter().flat_map(fixture) {
        let blocked = matches!(verdict_of(&labelled.command), Verdict::Block(_));
        match labelled.verdict.as_str() {
            "block" => {
                blocks += 1;
                if !blocked {
                    missed.push(labelled.command);
                }
            }
            "allow" => assert!(!blocked, "{}", labelled.command),
            _ => {}
        }
    }
    assert!(missed.len() * 50 <= blocks, "{} of {blocks}: {missed:#?}", missed.len());
}

#[test]
fn commands_labelled_blind_are_judged_as_labelled() {
    let (recall, false_blocks, kinds) = score("blind.json", &fixture("blind.json"));
    assert!(recall >= 0.99, "recall {recall}");
    assert!(false_blocks <= 0.01, "false blocks {false_blocks}");
    assert!(kinds >= 0.98, "kinds {kinds}");
}

#[test]
fn realistic_commands_are_judged_as_labelled_and_most_reads_are_served() {
    judged_and_served("realistic.json");
}

#[test]
fn commands_of_a_writer_who_had_not_seen_the_code_are_judged_and_served() {
    judged_and_served("unseen.json");
}

fn judged_and_served(name: &str) {
    let commands = fixture(name);
    let (recall, false_blocks, kinds) = score(name, &commands);
    let mut served: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for labelled in commands.iter().filter(|labelled| labelled.kind.as_deref() == Some("read")) {
        if let Verdict::Block(block) = verdict_of(&labelled.command) {
            let done = usize::from(block.serve.is_some());
            for name in ["all", labelled.tags[0].as_str()] {
                let count = served.entry(name).or_default();
                *count = (count.0 + done, count.1 + 1);
            }
            if done == 0 {
                println!("  bare: {:?}", labelled.command);
            }
        }
    }
    for (name, (done, all)) in &served {
        println!("{name:<28}{done:>5} of {all:>4} served");
    }
    let (done, all) = served["all"];
    assert!(recall >= 0.97, "recall {recall}");
    assert!(false_blocks <= 0.01, "false blocks {false_blocks}");
    assert!(kinds >= 0.98, "kinds {kinds}");
    assert!(done * 100 >= all * 75, "{done} of {all} reads are served");
}

#[test]
fn a_block_names_its_access_and_target() {
    let Verdict::Block(block) = verdict_of("sed -i 's/a/b/' src/a.ts") else {
        panic!("allowed");
    };
    assert_eq!(block.access, Access::Write);
    assert_eq!(block.targets, ["src/a.ts"]);
    assert!(context().root.ends_with("app"));
}
