//! A kill, or an error, at every system call that touches the disk.
//!
//! `strace` counts the calls of a process that applies a patch, undoes one, adopts changes by a
//! formatter, or recovers, in one root and in two. Then the process runs again for each call, and
//! is killed or gets an error at just that call, or at that call and all later ones of its name. In
//! other runs writes are cut short and interrupted. The tree must be wholly old or wholly new, with
//! nothing left over and nothing that keeps the next patch from working. `HASHLINE_CRASH=all` tries
//! every call (`npm run test:crash`), otherwise a part.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use crate::faulty::{FaultyDisk, Trouble};
use crate::tree::{Tree, changes, lay_out, tree};
use hashline_core::cancel::Cancel;
use hashline_core::patch::Patch;
use hashline_core::session::Durability;
use hashline_core::session::{
    ApplyOutcome, CommitFault, Options, RecoverRequest, Session, UndoOutcome, UndoRefusalCode,
};
use hashline_core::testing::transaction::{Ledger, Transaction};
use hashline_testing::{Workdir, skipped};

use crate::ops::{self, add_file, delete_file, move_file, replace};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The usual run tries one call in this many.
const STRIDE: usize = 11;

/// The calls that read from the disk or write to it.
const CALLS: [&str; 37] = [
    "access", "close", "faccessat", "faccessat2", "fadvise64", "fchmod", "fchown", "fdatasync",
    "fgetxattr", "flistxattr", "flock", "fremovexattr", "fsetxattr", "fstat", "fsync", "ftruncate",
    "getdents64", "link", "linkat", "lseek", "mkdir", "mkdirat", "newfstatat", "open", "openat",
    "openat2", "pread64", "pwrite64", "read", "readlink", "rename", "renameat", "renameat2",
    "statx", "unlink", "unlinkat", "write",
];

/// Errors that happen once.
const ERRORS: [&str; 3] = ["EIO", "ENOSPC", "EACCES"];

/// Errors that persist: a full quota, a disk that has become read-only, a server that is gone.
const LASTING: [&str; 6] = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EPERM", "ESTALE"];

/// The most bytes that a short write writes.
const SHORT: [&str; 4] = ["1", "7", "100", "4095"];

/// The process looks for these files before and after the work, to mark its calls in the trace.
const BEGIN: &str = "/hashline-test-begins";
const END: &str = "/hashline-test-ends";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Apply,
    Undo,
    Recover,
    /// Cleans up after a patch that was made.
    RecoverDone,
    /// The same with a patch of one file.
    ApplyOne,
    UndoOne,
    RecoverOne,
    /// The same with a patch of files in two roots; the writer in the other root recovers.
    ApplyRoots,
    UndoRoots,
    RecoverRoots,
    /// Adds a formatter's change of a file to its patch.
    Adopt,
}

const WORKS: [Work; 11] = [
    Work::Apply,
    Work::Undo,
    Work::Recover,
    Work::RecoverDone,
    Work::ApplyOne,
    Work::UndoOne,
    Work::RecoverOne,
    Work::ApplyRoots,
    Work::UndoRoots,
    Work::RecoverRoots,
    Work::Adopt,
];

impl Work {
    fn is_one(self) -> bool {
        matches!(self, Self::ApplyOne | Self::UndoOne | Self::RecoverOne)
    }

    fn is_undo(self) -> bool {
        matches!(self, Self::Undo | Self::UndoOne | Self::UndoRoots)
    }

    fn is_recovery(self) -> bool {
        matches!(self, Self::Recover | Self::RecoverDone | Self::RecoverOne | Self::RecoverRoots)
    }

    fn is_in_roots(self) -> bool {
        matches!(self, Self::ApplyRoots | Self::UndoRoots | Self::RecoverRoots)
    }

    fn lay_out(self, dir: &Path) {
        lay_out(&dir.join("root"));
        if self.is_in_roots() {
            lay_out(&dir.join("beside"));
        }
    }

    /// A patch of five files: written, created, written in place, moved, deleted; or of one; or of
    /// files in two roots. Two of them are staged, so that one thread does everything.
    fn patch(self, dir: &Path) -> Patch {
        let beside = |name: &str| dir.join("beside").join(name).display().to_string();
        let all = if self.is_in_roots() {
            vec![
                replace("linked", "old content", "new"),
                replace(&beside("change"), "old", "new and longer"),
                add_file(&beside("deep/er/create"), "created\n"),
                move_file("sub/move", &beside("moved/away")),
                delete_file(&beside("remove")),
            ]
        } else {
            vec![
                replace("change", "old", "new and longer"),
                add_file("deep/er/create", "created\n"),
                replace("linked", "old content", "new"),
                move_file("sub/move", "moved/away"),
                delete_file("remove"),
            ]
        };
        Patch::new(all.into_iter().take(if self.is_one() { 1 } else { usize::MAX }).collect())
    }
}

/// The trees of both roots, if there are two.
fn trees(dir: &Path) -> Tree {
    let mut trees = tree(&dir.join("root"));
    if dir.join("beside").exists() {
        let beside = tree(&dir.join("beside")).into_iter();
        trees.extend(beside.map(|(name, content)| (format!("../beside/{name}"), content)));
    }
    trees
}

/// A step at which a disk fails for good, in the middle of publishing.
const HALF_WAY: usize = 78;

/// The first step at which such a failure leaves the only file of a patch new, but the patch not
/// made.
static EXCHANGED: LazyLock<usize> = LazyLock::new(|| {
    first_step(Work::RecoverOne, |made, old, now| !made && now.get("change") != old.get("change"))
});

/// The first step at which such a failure leaves a patch made, but not cleaned up.
static MADE: LazyLock<usize> =
    LazyLock::new(|| first_step(Work::RecoverDone, |made, _, now| made && has_litter(now)));

/// The first step at which such a failure leaves a file of the second root new, but the patch not
/// made.
static BESIDE: LazyLock<usize> = LazyLock::new(|| {
    let name = "../beside/change";
    first_step(Work::RecoverRoots, |made, old, now| !made && now.get(name) != old.get(name))
});

fn has_litter(tree: &Tree) -> bool {
    tree.keys().any(|name| name.contains(".hashline-"))
}

/// The first step at which a disk that fails for good leaves a state for which `is_left` holds. It
/// gets whether the patch was made, the tree before, and the tree that is left.
fn first_step(work: Work, is_left: impl Fn(bool, &Tree, &Tree) -> bool) -> usize {
    let steps = 0..400;
    let found = steps.into_iter().find(|at| {
        let dir = Workdir::in_memory("syscalls-steps");
        work.lay_out(dir.path());
        let old = trees(dir.path());
        let made = interrupt(dir.path(), *at, work);
        is_left(made, &old, &trees(dir.path()))
    });
    found.expect("there is such a step")
}

/// Makes a patch on a disk that fails for good at step `at`; returns whether it was made.
fn interrupt(dir: &Path, at: usize, work: Work) -> bool {
    let disk = Arc::new(FaultyDisk::new(at, Trouble::Onward(libc::EIO)));
    if work.is_in_roots() {
        let session = Session::with_disk(options(dir, ["root", "beside"]), disk).unwrap();
        let applied = session.apply(&work.patch(dir), &Cancel::default());
        return matches!(applied, Ok(ApplyOutcome::Applied(..)));
    }
    let root = dir.join("root");
    let size = if work.is_one() { 1 } else { usize::MAX };
    let changes = changes(&root).into_iter().take(size).collect();
    let ledger = Ledger::with_disk(&root, Some(dir.join("home")), disk);
    ledger
        .write(Durability::Full, &NEVER)
        .is_ok_and(|writer| writer.commit(&Transaction::new(changes)).is_ok())
}

/// The call at which a victim is disturbed: the `count`th of its name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Point {
    call: String,
    count: usize,
}

fn options(dir: &Path, [root, other]: [&str; 2]) -> Options {
    let roots = Vec::from_iter(dir.join("beside").exists().then(|| dir.join(other)));
    let journal_dir = Some(dir.join("home"));
    Options { journal_dir, roots, ..Options::new(dir.join(root)) }
}

fn session(dir: &Path) -> Session {
    Session::new(options(dir, ["root", "beside"])).unwrap()
}

/// Applies the patch; `Err` has the reason of a failure, and whether the patch may be half done.
fn apply(dir: &Path, work: Work) -> Result<(), (String, bool)> {
    match session(dir).apply(&work.patch(dir), &Cancel::default()) {
        Ok(ApplyOutcome::Applied(..)) => Ok(()),
        Ok(ApplyOutcome::Refused(refused)) => Err((refused.text, false)),
        Err(fault) => Err(described(&fault)),
    }
}

/// The name of the only patch that can be undone.
fn receipt(dir: &Path) -> String {
    let [patch] = session(dir).history(&Cancel::default()).unwrap().try_into().unwrap();
    patch.receipt
}

/// Another program changes a file of the patch.
fn format(dir: &Path) {
    fs::write(dir.join("root/change"), "formatted\n").unwrap();
}

fn undo(dir: &Path) -> Result<(), (String, bool)> {
    match session(dir).undo(&Cancel::default()) {
        Ok(UndoOutcome::Undone { .. }) => Ok(()),
        Ok(UndoOutcome::Refused { text, .. }) => Err((text, false)),
        Err(fault) => Err(described(&fault)),
    }
}

fn described(fault: &CommitFault) -> (String, bool) {
    (fault.to_string(), super::transaction::is_unfinished(fault))
}

#[test]
#[ignore = "the victim of the tests below"]
fn works_until_something_happens() {
    let dir = PathBuf::from(std::env::var_os("HASHLINE_VICTIM").expect("only a parent runs this"));
    let name = std::env::var("HASHLINE_ARGUMENT").unwrap();
    let work = WORKS.into_iter().find(|work| format!("{work:?}") == name).unwrap();
    let adopted = (work == Work::Adopt).then(|| receipt(&dir));
    let _ = fs::metadata(BEGIN);
    let never = Cancel::default();
    let outcome = if let Some(receipt) = adopted {
        session(&dir).adopt(&receipt, &never).map(|_| ()).map_err(|fault| described(&fault))
    } else if work.is_undo() {
        undo(&dir)
    } else if work.is_recovery() {
        let roots =
            if work == Work::RecoverRoots { ["beside", "root"] } else { ["root", "beside"] };
        let session = Session::new(options(&dir, roots)).unwrap();
        let recovered = session.recover(RecoverRequest::default(), &never);
        recovered.map(|_| ()).map_err(|fault| described(&fault))
    } else {
        apply(&dir, work)
    };
    let _ = fs::metadata(END);
    let told = match outcome {
        Ok(()) => "done".to_owned(),
        Err((text, true)) => format!("unfinished {text}"),
        Err((text, false)) => format!("refused {text}"),
    };
    fs::write(dir.join("outcome"), told).unwrap();
}

/// A directory in which a work can begin, the tree before the work and the one after its success.
struct Stage {
    dir: Workdir,
    before: Tree,
    after: Tree,
}

impl Stage {
    fn new(work: Work) -> Self {
        let dir = Workdir::in_memory("syscalls");
        work.lay_out(dir.path());
        let old = trees(dir.path());
        if work.is_recovery() {
            let at = match work {
                Work::RecoverOne => *EXCHANGED,
                Work::RecoverDone => *MADE,
                Work::RecoverRoots => *BESIDE,
                _ => HALF_WAY,
            };
            let made = interrupt(dir.path(), at, work);
            let mut new = trees(dir.path());
            assert!(has_litter(&new), "something is left to do");
            new.retain(|name, _| !name.contains(".hashline-"));
            let end = if made { new } else { old };
            return Self { dir, before: end.clone(), after: end }.age();
        }
        if work == Work::Adopt {
            apply(dir.path(), work).unwrap();
            format(dir.path());
            let now = trees(dir.path());
            return Self { dir, before: now.clone(), after: now }.age();
        }
        let other = Workdir::in_memory("syscalls-new");
        work.lay_out(other.path());
        apply(other.path(), work).unwrap();
        let new = trees(other.path());
        if work.is_undo() {
            apply(dir.path(), work).unwrap();
            return Self { dir, before: new, after: old }.age();
        }
        Self { dir, before: old, after: new }.age()
    }

    /// Backdates every file. How often a file is read depends on whether it was just written, and
    /// the calls must be the same in every run.
    fn age(self) -> Self {
        let long_ago = SystemTime::now() - Duration::from_hours(1);
        for (name, content) in trees(self.dir.path()) {
            if content.is_some() {
                let file = fs::File::open(self.dir.path().join("root").join(name)).unwrap();
                file.set_modified(long_ago).unwrap();
            }
        }
        self
    }

    /// The command that runs the work under strace.
    fn victim(&self, work: Work, strace: &[String]) -> Command {
        let mut command = Command::new("strace");
        command
            .args(["-f", "-o"])
            .arg(self.dir.path().join("strace"))
            .args(strace)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "transaction_syscalls::works_until_something_happens"])
            .args(["--ignored", "--nocapture", "--test-threads=1"])
            .env("HASHLINE_VICTIM", self.dir.path())
            .env("HASHLINE_ARGUMENT", format!("{work:?}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Every call of the work, in order.
    fn points(&self, work: Work) -> Vec<Point> {
        let trace = format!("trace={}", CALLS.map(|call| format!("?{call}")).join(","));
        let status = self.victim(work, &["-e".to_owned(), trace]).status().unwrap();
        assert!(status.success(), "{work:?} under strace");
        let log = fs::read_to_string(self.dir.path().join("strace")).unwrap();
        let (mut counts, mut points) = (BTreeMap::<(&str, &str), usize>::new(), Vec::new());
        let mut begun = None;
        for line in log.lines() {
            // `1234  openat(AT_FDCWD, "/etc/x", O_RDONLY) = 3`
            let Some((head, _)) = line.split_once('(') else { continue };
            let mut words = head.split_whitespace();
            let (Some(thread), Some(name)) = (words.next(), words.next()) else { continue };
            // strace counts the calls of each thread separately.
            let count = counts.entry((thread, name)).or_default();
            *count += 1;
            if line.contains(BEGIN) {
                begun = Some(thread);
            } else if line.contains(END) {
                break;
            } else if begun.is_some() {
                // Only one thread may work, or the calls would differ from run to run.
                assert_eq!(begun, Some(thread), "{work:?}: {line}");
                points.push(Point { call: name.to_owned(), count: *count });
            }
        }
        points
    }

    /// Says what is wrong with the state that the victim left, if anything.
    fn wrong(&self, work: Work, killed: bool) -> Option<String> {
        let dir = self.dir.path();
        let outcome = fs::read_to_string(dir.join("outcome")).unwrap_or_default();
        let recovered = match session(dir).recover(RecoverRequest::default(), &Cancel::default()) {
            Ok(recovered) => recovered,
            Err(fault) => return Some(format!("bricked: {fault}")),
        };
        if !recovered.left_alone.is_empty() || !recovered.unreadable.is_empty() {
            return Some(format!("left alone: {}", recovered.text));
        }
        let again = session(dir).recover(RecoverRequest::default(), &Cancel::default());
        if !again.as_ref().is_ok_and(hashline_core::session::RecoverOutcome::is_clean) {
            return Some(format!("not clean the second time: {again:?}"));
        }
        let now = trees(dir);
        let (is_before, is_after) = (now == self.before, now == self.after);
        let believable = match outcome.split(' ').next().unwrap_or_default() {
            "done" => is_after,
            "refused" => is_before,
            _ => is_before || is_after,
        };
        if !believable {
            return Some(format!("{outcome:?}, but torn or not so: {:?}", now.keys()));
        }
        if killed && !outcome.is_empty() {
            return Some(format!("it was not killed: {outcome}"));
        }
        let journals = fs::read_dir(dir.join("home")).map_or(0, |homes| {
            let files = homes.flat_map(|home| fs::read_dir(home.unwrap().path()).unwrap());
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            names.filter(|name| [".journal", ".new"].iter().any(|end| name.ends_with(end))).count()
        });
        if journals > 0 {
            return Some("a journal is left over".to_owned());
        }
        if work == Work::Adopt
            && let Some(wrong) = self.wrong_after_adopt(&outcome)
        {
            return Some(wrong);
        }
        let next = ops::patch(add_file("next", "still usable\n"));
        match session(dir).apply(&next, &Cancel::default()) {
            Ok(ApplyOutcome::Applied(..)) => None,
            other => Some(format!("the next patch fails: {other:?}")),
        }
    }
}

impl Stage {
    /// Checks that the receipt is wholly old or new: an undo undoes the patch with the formatter's
    /// change, or is refused.
    fn wrong_after_adopt(&self, outcome: &str) -> Option<String> {
        let dir = self.dir.path();
        let original = Workdir::in_memory("syscalls-original");
        Work::Adopt.lay_out(original.path());
        match session(dir).undo(&Cancel::default()) {
            Ok(UndoOutcome::Undone { .. }) if trees(dir) == trees(original.path()) => None,
            Ok(UndoOutcome::Refused { code: UndoRefusalCode::FileChanged, .. })
                if outcome != "done" && trees(dir) == self.before =>
            {
                None
            }
            other => Some(format!("{outcome:?}, then {other:?}")),
        }
    }
}

/// Whether this process may trace others.
fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    traced.is_ok_and(|output| output.status.success())
}

/// Tries every [`STRIDE`]th point of a work, or all, with the injection `how`, and adds the results
/// to `table`. With `lasts`, the injection is repeated at every later call of the same name.
fn try_points(work: Work, how: &str, lasts: bool, offset: usize, table: &mut Table) {
    let all = is_all();
    let points = Stage::new(work).points(work);
    assert!(points.len() > 60, "{work:?}: only {} calls", points.len());
    let stride = if all { 1 } else { STRIDE };
    for point in points.iter().skip(if all { 0 } else { offset }).step_by(stride) {
        let stage = Stage::new(work);
        // Not tried: the standard library aborts a process that cannot close a directory.
        if lasts && point.call == "close" {
            continue;
        }
        let onward = if lasts { "+" } else { "" };
        let inject = format!("inject={}:{how}:when={}{onward}", point.call, point.count);
        let trace = format!("trace={}", point.call);
        let arguments = ["-e", &trace, "-e", &inject].map(str::to_owned);
        let status = stage.victim(work, &arguments).status().unwrap();
        let killed = status.signal() == Some(libc::SIGKILL) || status.code() == Some(128 + 9);
        let row = table.rows.entry((format!("{work:?}"), how.to_owned())).or_default();
        row.0 += 1;
        if how.starts_with("signal") && !killed {
            table.wrong.push(format!("{work:?}, {point:?}: it was not killed: {status}"));
            continue;
        }
        if let Some(wrong) = stage.wrong(work, killed) {
            row.1 += 1;
            table.wrong.push(format!("{work:?}, {how} at {} {}: {wrong}", point.call, point.count));
        }
    }
}

/// Whether every point is tried.
fn is_all() -> bool {
    std::env::var("HASHLINE_CRASH").is_ok_and(|which| which == "all")
}

/// How many points were tried for each work and injection, and how many left a wrong state.
#[derive(Default)]
struct Table {
    rows: BTreeMap<(String, String), (usize, usize)>,
    wrong: Vec<String>,
}

impl Table {
    fn check(self) {
        for ((work, how), (tried, wrong)) in &self.rows {
            println!("| {work} | {how} | {tried} | {wrong} |");
        }
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

#[test]
fn a_kill_at_any_system_call_leaves_all_or_nothing() {
    if !can_trace() {
        return skipped("strace is not here or may not trace");
    }
    let mut table = Table::default();
    for work in WORKS {
        try_points(work, "signal=KILL", false, 0, &mut table);
    }
    table.check();
}

#[test]
fn an_error_of_any_system_call_leaves_all_or_nothing() {
    if !can_trace() {
        return skipped("strace is not here or may not trace");
    }
    let mut table = Table::default();
    for work in WORKS {
        for (at, error) in ERRORS.iter().enumerate() {
            try_points(work, &format!("error={error}"), false, 3 * at + 1, &mut table);
        }
    }
    table.check();
}

#[test]
fn an_error_that_lasts_leaves_all_or_nothing() {
    if !can_trace() {
        return skipped("strace is not here or may not trace");
    }
    let mut table = Table::default();
    for (at, work) in WORKS.into_iter().enumerate() {
        // The usual run tries one error for each work, not always the same.
        let errors = if is_all() { LASTING.to_vec() } else { vec![LASTING[at % LASTING.len()]] };
        for error in errors {
            try_points(work, &format!("error={error}"), true, at, &mut table);
        }
    }
    table.check();
}

#[test]
fn short_and_interrupted_writes_are_continued() {
    let dir = Workdir::new("short");
    let library = dir.path().join("short.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/short_writes.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl");
    if !compiler.status().is_ok_and(|status| status.success()) {
        return skipped("there is no C compiler");
    }
    let mut wrong = Vec::new();
    for work in WORKS {
        for most in SHORT {
            let stage = Stage::new(work);
            let mut victim = Command::new(std::env::current_exe().unwrap());
            let status = victim
                .args(["--exact", "transaction_syscalls::works_until_something_happens"])
                .args(["--ignored", "--nocapture", "--test-threads=1"])
                .env("HASHLINE_VICTIM", stage.dir.path())
                .env("HASHLINE_ARGUMENT", format!("{work:?}"))
                .env("LD_PRELOAD", &library)
                .env("HASHLINE_SHORT", most)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            let done = fs::read_to_string(stage.dir.path().join("outcome")).unwrap_or_default();
            if !status.unwrap().success() || done != "done" {
                wrong.push(format!("{work:?}, {most}: {done}"));
            }
            wrong.extend(stage.wrong(work, false).map(|what| format!("{work:?}, {most}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
