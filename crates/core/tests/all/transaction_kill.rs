//! Processes are killed while they write: the tree they leave is wholly old or wholly new.
//!
//! The victims run this test program. `HASHLINE_KILLS` sets how many there are.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::faulty::{FaultyDisk, Trouble};
use crate::tree::{changes, lay_out, tree};
use hashline_core::session::Durability;
use hashline_core::testing::transaction::{DiskChange, FileAction, Ledger, Transaction};
use hashline_testing::Workdir;

static NEVER: AtomicBool = AtomicBool::new(false);

/// How many processes the usual run kills.
const KILLS: usize = 50;

pub(crate) fn kills() -> usize {
    std::env::var("HASHLINE_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(KILLS)
}

/// A command that runs one of the ignored tests in a process of its own.
pub(crate) fn spawn(role: &str, dir: &Path, argument: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", role, "--ignored", "--nocapture"])
        .env("HASHLINE_VICTIM", dir)
        .env("HASHLINE_ARGUMENT", argument.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

pub(crate) fn role() -> (PathBuf, usize) {
    let dir = std::env::var_os("HASHLINE_VICTIM").expect("only a parent runs this");
    let argument = std::env::var("HASHLINE_ARGUMENT").unwrap().parse().unwrap();
    (PathBuf::from(dir), argument)
}

pub(crate) fn was_killed(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(libc::SIGKILL)
}

#[test]
#[ignore = "the victim of a_process_killed_at_any_step"]
fn dies_at_a_step() {
    let (dir, step) = role();
    let root = dir.join("root");
    let disk = Arc::new(FaultyDisk::new(step, Trouble::Death));
    let ledger = Ledger::with_disk(&root, Some(dir.join("home")), disk);
    let writer = ledger.write(Durability::Full, &NEVER).unwrap();
    writer.commit(&Transaction::new(changes(&root))).unwrap();
}

#[test]
fn a_process_killed_at_any_step_leaves_all_or_nothing() {
    let dir = Workdir::new("kill-step");
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    let (mut killed, mut step, mut turns) = (0, 0, [0, 0]);
    // Tries every step, or in the usual run every fourth.
    let stride = if kills() > KILLS { 1 } else { 4 };
    loop {
        let _ = fs::remove_dir_all(&root);
        let _ = fs::remove_dir_all(&home);
        lay_out(&root);
        let old = tree(&root);
        let status = spawn("transaction_kill::dies_at_a_step", dir.path(), step).status().unwrap();
        drop(Ledger::new(&root, Some(home.clone())).write(Durability::Fast, &NEVER).unwrap());
        let now = tree(&root);
        if !was_killed(status) {
            assert!(status.success());
            break;
        }
        killed += 1;
        let is_old = now == old;
        turns[usize::from(is_old)] += 1;
        let names: Vec<&str> = now.keys().map(String::as_str).collect();
        let is_new = names.contains(&"deep/er/create") && !names.contains(&"remove");
        assert!(is_old || is_new, "step {step}: {names:?}");
        assert!(names.iter().all(|name| !name.contains(".hashline")), "step {step}: {names:?}");
        if !is_old {
            let undo = Ledger::new(&root, Some(home.clone()));
            undo.write(Durability::Fast, &NEVER).unwrap().undo(None, false).unwrap();
            assert_eq!(tree(&root), old, "step {step}: what is new is all new");
        }
        step += stride;
    }
    assert!(killed >= 10, "{killed}");
    assert!(turns[0] > 0 && turns[1] > 0, "some were finished, some undone: {turns:?}");
}

/// How many files there are; each patch writes the same number into all of them.
const FILES: usize = 6;

#[test]
#[ignore = "the victim of a_process_killed_at_any_moment"]
fn writes_until_killed() {
    let (dir, fast) = role();
    let root = dir.join("root");
    let durability = if fast == 1 { Durability::Fast } else { Durability::Full };
    let ledger = Ledger::new(&root, Some(dir.join("home")));
    println!("\nstarted");
    loop {
        let writer = ledger.write(durability, &NEVER).unwrap();
        let next = number(&root) + 1;
        let change = |at: usize| {
            let path = root.join(format!("{at}"));
            DiskChange {
                expected: Some(fs::read(&path).unwrap().into()),
                then: FileAction::Put(content(next, at).into()),
                path,
                like: None,
            }
        };
        let mut changes: Vec<DiskChange> = (0..FILES).map(change).collect();
        let (here, there) = (root.join("here/file"), root.join("there/file"));
        let (from, to) = if here.exists() { (here, there) } else { (there, here) };
        changes.push(DiskChange {
            expected: Some(fs::read(&from).unwrap().into()),
            path: from,
            like: None,
            then: FileAction::MoveTo {
                to,
                content: next.is_multiple_of(3).then(|| content(next, 9).into()),
            },
        });
        writer.commit(&Transaction::new(changes)).unwrap();
        drop(writer);
        println!("written");
    }
}

fn content(number: usize, file: usize) -> Vec<u8> {
    format!("{number}\n{}\n", "x".repeat(number % 97 * (file + 1))).into_bytes()
}

fn number(root: &Path) -> usize {
    fs::read_to_string(root.join("0")).unwrap().lines().next().unwrap().parse().unwrap()
}

#[test]
fn a_process_killed_at_any_moment_leaves_all_or_nothing() {
    let dir = Workdir::new("kill-moment");
    let (root, home) = (dir.path().join("root"), dir.path().join("home"));
    fs::create_dir_all(root.join("here")).unwrap();
    for at in 0..FILES {
        fs::write(root.join(format!("{at}")), content(0, at)).unwrap();
    }
    fs::hard_link(root.join("5"), root.join("link")).unwrap();
    fs::write(root.join("here/file"), "moves\n").unwrap();
    let (mut last, mut seed, mut found) = (0, 7_u64, 0);
    for round in 0..kills() {
        let mut victim = spawn("transaction_kill::writes_until_killed", dir.path(), round % 2)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // The victim is killed during its first patch, or after the test has waited for one to
        // three of them.
        let said = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut steps = said.filter(|line| line == "started" || line == "written");
        steps.by_ref().take(1 + round / 2 % 4).for_each(drop);
        std::thread::sleep(Duration::from_micros((seed >> 33) % 20_000));
        victim.kill().unwrap();
        assert!(was_killed(victim.wait().unwrap()), "it works until it is killed");
        let ledger = Ledger::new(&root, Some(home.clone()));
        let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
        let recovery = writer.recovery();
        assert!(recovery.left_alone.is_empty() && recovery.unreadable.is_empty(), "{recovery:?}");
        found += recovery.undone.len() + recovery.finished.len();
        let now = number(&root);
        assert!(now >= last, "what was acknowledged stays");
        last = now;
        for at in 0..FILES {
            let bytes = fs::read(root.join(format!("{at}"))).unwrap();
            assert_eq!(bytes, content(now, at), "round {round}, file {at}");
        }
        assert_eq!(fs::read(root.join("link")).unwrap(), content(now, 5));
        let there = [root.join("here/file"), root.join("there/file")];
        assert_eq!(there.iter().filter(|path| path.exists()).count(), 1);
        let names = tree(&root).into_keys().filter(|name| name.contains(".hashline"));
        assert_eq!(names.collect::<Vec<_>>(), [""; 0], "round {round}");
    }
    assert!(last > 0);
    println!("{} kills, {last} patches, {found} of them settled afterwards", kills());
}
