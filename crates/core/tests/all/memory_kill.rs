//! Processes are killed while they save what they showed: the memory they leave can be read, and if
//! something is missing, an anchor is unknown, never wrong.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::ops::{patch, read, set_line};
use crate::transaction_kill::{kills, role, spawn, was_killed};
use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Durability, Options, Session};
use hashline_testing::Workdir;
use hashline_text::{LineDigest, LineNumber, Scheme, TagInput};

const LINES: usize = 300;

fn open(dir: &std::path::Path) -> Session {
    let mut options = Options::new(dir.join("root"));
    options.state_dir = Some(dir.join("state"));
    options.journal_dir = Some(dir.join("home"));
    options.durability = Durability::Fast;
    Session::new(options).unwrap()
}

/// Each version has one more line at its top.
fn content(version: usize) -> Vec<String> {
    let above = (0..version).rev().map(|at| format!("above {at}"));
    above.chain((0..LINES).map(|at| format!("line {at}"))).collect()
}

fn text(version: usize) -> String {
    content(version).join("\n") + "\n"
}

#[test]
#[ignore = "the victim of what_a_killed_process_saved_is_readable_and_never_wrong"]
fn shows_until_killed() {
    let (dir, process) = role();
    let (session, name) = (open(&dir), format!("own-{process}"));
    println!("\nstarted");
    for version in 0.. {
        let written = dir.join(&name);
        std::fs::write(&written, text(version % 40)).unwrap();
        std::fs::rename(&written, dir.join("root").join(&name)).unwrap();
        read(&session, &format!("{name}:{}-{}", 1 + version % 50, 200 + version % 100));
        read(&session, "shared");
        if version % 3 == 0 {
            session.flush();
            println!("saved");
        }
    }
}

#[test]
fn what_a_killed_process_saved_is_readable_and_never_wrong() {
    let dir = Workdir::new("memory-kill");
    dir.write("root/shared", text(0));
    let (mut seed, mut known, mut followed) = (7_u64, 0, 0);
    let mut random = |below: u64| -> usize {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((seed >> 33) % below).unwrap()
    };
    for round in 0..kills() / 5 {
        // One process still works while the other is killed.
        let mut victims = [0, 1].map(|process| {
            let mut command = spawn("memory_kill::shows_until_killed", dir.path(), process);
            command.stdout(Stdio::piped()).spawn().unwrap()
        });
        // Wait until both work, and the first to be killed has saved several times.
        for (victim, times) in victims.iter_mut().zip([random(14), 0]) {
            let said = BufReader::new(victim.stdout.as_mut().unwrap()).lines();
            let steps =
                said.map_while(Result::ok).filter(|line| line == "started" || line == "saved");
            steps.take(1 + times).for_each(drop);
        }
        for victim in &mut victims {
            std::thread::sleep(Duration::from_micros(random(20_000) as u64));
            victim.kill().unwrap();
            assert!(was_killed(victim.wait().unwrap()), "it works until it is killed");
        }
        let session = open(dir.path());
        for name in ["own-0", "own-1"] {
            let versions = session.remembered().versions(&dir.path().join("root").join(name));
            known += versions.len();
            for version in &versions {
                let len = version.len().unwrap();
                let lines = content(len.saturating_sub(LINES));
                assert_eq!(lines.len(), len, "a file that was there");
                for (at, line) in lines.iter().enumerate() {
                    let number = LineNumber::at(at);
                    let is = |line: &str| {
                        let digest = LineDigest::of(line.as_bytes());
                        version.digest(number).is_none_or(|known| known == digest)
                    };
                    // Earlier rounds have changed a line to `HERE`.
                    assert!(is(line) || is("HERE"), "{line}");
                }
            }
            // An anchor of any version changes its own line, wherever that is now, or no line.
            let (then, now) = (random(40), 40 + random(10));
            let line = content(then).iter().position(|line| line == "line 100").unwrap();
            let tag = |text: &str| {
                Scheme::default().tag(TagInput::alone(LineNumber::at(line), text.as_bytes()))
            };
            // Several lines have the same two hex digits: the anchor means any of them that was at
            // this number.
            let meant = |text: &String| {
                tag(text) == tag("line 100")
                    && (0..50).any(|version| content(version)[line] == *text)
            };
            let anchor = format!("{}:{}", line + 1, tag("line 100").as_str());
            let path = dir.write(&format!("root/{name}"), text(now));
            let op = patch(set_line(name, &anchor, "HERE"));
            let done = session.apply(&op, &Cancel::default()).unwrap();
            let after = std::fs::read_to_string(path).unwrap();
            let gone: BTreeSet<_> = content(now).into_iter().collect();
            let gone: Vec<_> =
                gone.into_iter().filter(|line| !after.lines().any(|kept| kept == line)).collect();
            if let ApplyOutcome::Applied(..) = done {
                followed += 1;
                assert!(gone.len() == 1 && meant(&gone[0]), "round {round}: {gone:?}");
            } else {
                assert_eq!(gone, [""; 0], "round {round}");
            }
        }
        assert_eq!(read(&session, "shared").warnings, [""; 0], "round {round}");
    }
    assert!(known > 0 && followed > 0, "{known} versions known, {followed} anchors followed");
}
