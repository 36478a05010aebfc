//! Patches through a session: concurrent processes, undo, homes, previews, files that are being
//! saved.
//!
//! `HASHLINE_PATCHES` sets how many patches each of the eight concurrent processes makes.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use hashline_core::cancel::Cancel;
use hashline_core::patch::{Op, Patch};
use hashline_core::session::{
    ApplyMode, ApplyOutcome, Durability, Options, RecoverRequest, Session, UndoOutcome,
};
use hashline_testing::Workdir;

use crate::ops::{add_file, append, delete_file, move_file, replace};

pub(crate) struct WrittenRoot {
    pub(crate) dir: Workdir,
}

impl WrittenRoot {
    pub(crate) fn new(name: &str) -> Self {
        let dir = Workdir::new(name);
        fs::create_dir(dir.path().join("root")).unwrap();
        Self { dir }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        self.dir.write(&format!("root/{name}"), content)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn options(&self) -> Options {
        let home = self.dir.path().join("home");
        Options { journal_dir: Some(home), ..Options::new(self.root()) }
    }

    pub(crate) fn session(&self) -> Session {
        Session::new(self.options()).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

pub(crate) fn apply(session: &Session, ops: impl Into<Vec<Op>>) -> ApplyOutcome {
    session.apply(&Patch::new(ops.into()), &Cancel::default()).unwrap()
}

pub(crate) fn done(session: &Session, ops: impl Into<Vec<Op>>) {
    match apply(session, ops) {
        ApplyOutcome::Applied(..) => {}
        ApplyOutcome::Refused(refused) => panic!("{}", refused.text),
    }
}

pub(crate) fn code(session: &Session, ops: impl Into<Vec<Op>>) -> &'static str {
    match apply(session, ops) {
        ApplyOutcome::Applied(report, _) => panic!("{}", report.text),
        ApplyOutcome::Refused(refused) => refused.refusals[0].code.as_str(),
    }
}

#[test]
fn without_undo_no_old_content_stays_outside_the_workspace() {
    let place = WrittenRoot::new("no_undo");
    place.write("a", "old secret\n");
    let session = Session::new(Options { undo: false, ..place.options() }).unwrap();
    let ApplyOutcome::Applied(_, receipt) = apply(&session, [append("a", "new")]) else {
        panic!("it is applied")
    };
    assert_eq!((place.read("a").as_str(), receipt), ("old secret\nnew\n", None));
    assert_eq!(session.history(&Cancel::default()).unwrap(), []);
    let home = place.dir.path().join("home");
    let files = walk(&home);
    assert!(!files.is_empty(), "the lock is there");
    for file in files {
        assert!(
            !fs::read(&file).unwrap().windows(10).any(|part| part == b"old secret"),
            "{file:?}"
        );
    }
}

fn walk(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

const NEIGHBOURS: usize = 8;
const FILES: usize = 10;

fn patches() -> usize {
    std::env::var("HASHLINE_PATCHES").ok().and_then(|count| count.parse().ok()).unwrap_or(15)
}

#[test]
#[ignore = "one of the eight of neighbours_lose_nothing"]
fn a_neighbour() {
    let dir =
        PathBuf::from(std::env::var_os("HASHLINE_NEIGHBOUR").expect("only a parent runs this"));
    let number: usize = std::env::var("HASHLINE_ARGUMENT").unwrap().parse().unwrap();
    let options = Options {
        journal_dir: Some(dir.join("home")),
        durability: Durability::Fast,
        ..Options::new(dir.join("root"))
    };
    let session = Session::new(options).unwrap();
    let mut acknowledged = Vec::new();
    for count in 0..patches() {
        let line = format!("{number}-{count}");
        let three = [count % FILES, (count + number) % FILES, (count * 7 + 3) % FILES];
        let ops: Vec<Op> = BTreeSet::from(three)
            .into_iter()
            .map(|file| {
                acknowledged.push(format!("{file} {line}"));
                append(&file.to_string(), &line)
            })
            .collect();
        done(&session, ops);
    }
    fs::write(dir.join(format!("acknowledged-{number}")), acknowledged.join("\n")).unwrap();
}

#[test]
fn neighbours_lose_nothing() {
    let place = WrittenRoot::new("neighbours");
    for file in 0..FILES {
        place.write(&file.to_string(), "first line\n");
    }
    let mut running = Vec::new();
    for number in 0..NEIGHBOURS {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "transaction_session::a_neighbour", "--ignored"])
            .env("HASHLINE_NEIGHBOUR", place.dir.path())
            .env("HASHLINE_ARGUMENT", number.to_string())
            .stdout(Stdio::null())
            .spawn();
        running.push(child.unwrap());
    }
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let mut expected: Vec<Vec<String>> = vec![vec!["first line".to_owned()]; FILES];
    for number in 0..NEIGHBOURS {
        let path = place.dir.path().join(format!("acknowledged-{number}"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let (file, line) = line.split_once(' ').unwrap();
            expected[file.parse::<usize>().unwrap()].push(line.to_owned());
        }
    }
    for (file, mut lines) in expected.into_iter().enumerate() {
        let text = place.read(&file.to_string());
        let mut found: Vec<String> = text.lines().map(str::to_owned).collect();
        found.sort();
        lines.sort();
        assert_eq!(found, lines, "file {file}");
    }
    assert_eq!(place.names().len(), FILES, "nothing is left over");
}

#[test]
fn undo_works_in_another_session_and_says_what_it_did() {
    let place = WrittenRoot::new("undo");
    place.write("a.txt", "one\n");
    place.write("b.txt", "b\n");
    place.write("c.txt", "c\n");
    fs::set_permissions(place.path("c.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    let ops = [
        replace("a.txt", "one", "two"),
        add_file("d/e/new.txt", "new\n"),
        move_file("b.txt", "moved.txt"),
        delete_file("c.txt"),
    ];
    done(&place.session(), ops);
    let session = place.session();
    let undone = session.undo(&Cancel::default()).unwrap();
    let UndoOutcome::Undone { text, files, .. } = undone else { panic!("{undone:?}") };
    assert_eq!(files.len(), 4);
    for line in [
        "Undid the last patch: 4 files",
        "  restored `a.txt`",
        "  removed `d/e/new.txt`",
        "  moved `moved.txt` back to `b.txt`",
        "  restored `c.txt`",
    ] {
        assert!(text.lines().any(|other| other == line), "{text}");
    }
    assert_eq!(place.names(), ["a.txt", "b.txt", "c.txt"]);
    assert_eq!(fs::metadata(place.path("c.txt")).unwrap().mode() & 0o777, 0o640);
    let UndoOutcome::Refused { code, .. } = session.undo(&Cancel::default()).unwrap() else {
        panic!()
    };
    assert_eq!(code.as_str(), "nothing_to_undo");
}

#[test]
fn temporary_files_of_the_dead_are_swept_and_others_are_not() {
    let place = WrittenRoot::new("sweep");
    let day = Duration::from_hours(24);
    let began = SystemTime::now() - 3 * day;
    let micros = began.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
    let name = |process: u32, end: &str| format!(".hashline-{process:x}-{micros:013x}0-{end}");
    let dead = 0x7fff_fff0;
    let (lost, young, before) =
        (format!("d/{}", name(dead, "1.tmp")), name(dead, "2.tmp"), name(dead, "3.tmp"));
    let (living, kept) = (name(std::process::id(), "1.tmp"), name(dead, "4.old"));
    for (name, modified) in [
        (&lost, began + day),
        (&young, SystemTime::now()),
        (&before, began - day),
        (&living, began + day),
        (&kept, began + day),
        (&"a.tmp".to_owned(), began + day),
    ] {
        let path = place.write(name, "x");
        fs::File::open(path).unwrap().set_modified(modified).unwrap();
    }
    let outcome = place
        .session()
        .recover(RecoverRequest { sweep: false, ..RecoverRequest::default() }, &Cancel::default())
        .unwrap();
    assert_eq!(outcome.text, "nothing to recover");
    let outcome = place.session().recover(RecoverRequest::default(), &Cancel::default()).unwrap();
    assert_eq!(outcome.swept, [lost]);
    assert_eq!(outcome.text, "removed 1 temporary file of dead processes");
    let left = [&living, &kept, &young, &before, "a.tmp", "d"];
    let left: BTreeSet<String> = left.into_iter().map(str::to_owned).collect();
    assert_eq!(place.names().into_iter().collect::<BTreeSet<_>>(), left);
    assert_eq!(
        place.session().recover(RecoverRequest::default(), &Cancel::default()).unwrap().text,
        "nothing to recover"
    );
}

#[test]
#[ignore = "run by a_patch_works_without_a_writable_home"]
fn without_a_home() {
    let dir =
        PathBuf::from(std::env::var_os("HASHLINE_NEIGHBOUR").expect("only a parent runs this"));
    done(&Session::new(Options::new(dir.join("root"))).unwrap(), [replace("a.txt", "one", "two")]);
}

#[test]
fn a_patch_works_without_a_writable_home() {
    let place = WrittenRoot::new("homeless");
    let file = place.write("a.txt", "one\n");
    let temporary = place.dir.make("tmp");
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "transaction_session::without_a_home", "--ignored"])
        .env("HASHLINE_NEIGHBOUR", place.dir.path())
        .env("XDG_STATE_HOME", file.join("no directory"))
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    assert_eq!(place.read("a.txt"), "two\n");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1, "the journals went there");
}

#[test]
fn a_preview_changes_nothing_and_returns_its_files() {
    let place = WrittenRoot::new("preview");
    place.write("a.txt", "one\ntwo\nthree\n");
    let session = place.session();
    let patch = Patch::new(vec![replace("a.txt", "two", "2\nzwei")]);
    let done = session.apply_as(&patch, ApplyMode::Preview, &Cancel::default()).unwrap();
    assert!(matches!(done.outcome, ApplyOutcome::Applied(_, None)));
    assert_eq!(place.read("a.txt"), "one\ntwo\nthree\n");
    let file = &done.files[0];
    assert_eq!(file.document.as_ref().unwrap().bytes(), b"one\n2\nzwei\nthree\n");
    assert_eq!(file.lines, [hashline_text::Span::between(1, 3)]);
    // `undo` does not count a preview as a patch.
    assert!(matches!(session.undo(&Cancel::default()).unwrap(), UndoOutcome::Refused { .. }));
}

/// Saves a file as an editor that truncates it, writes one half and, a few milliseconds later, the
/// other. Returns whether the other half came before the file counts as at rest; on a busy machine
/// it may not.
fn save_in_two_pieces(path: &Path, first: &str, second: &str, pause: Duration) -> bool {
    let mut file = fs::File::create(path).unwrap();
    file.write_all(first.as_bytes()).unwrap();
    let written = file.metadata().unwrap().modified().unwrap();
    std::thread::sleep(pause);
    file.write_all(second.as_bytes()).unwrap();
    SystemTime::now() < written + AT_REST
}

/// How long a file must be unchanged before it is edited; `fs` has the same time.
const AT_REST: Duration = Duration::from_millis(16);

#[test]
fn a_file_that_is_being_saved_loses_nothing() {
    let place = WrittenRoot::new("saving");
    let path = place.write("a.txt", "start\nedit me\n");
    let session = place.session();
    let (mut applied, mut judged) = (0, 0);
    for round in 0_u64.. {
        let first = format!("start\nedit me {round}\n");
        let second = format!("the end of {round}\n");
        let pause = Duration::from_millis(1 + round % 8);
        let saving = std::thread::spawn({
            let (path, first, second) = (path.clone(), first.clone(), second.clone());
            move || save_in_two_pieces(&path, &first, &second, pause)
        });
        // The patch comes during the pause, or a little before or after.
        std::thread::sleep(Duration::from_micros(300 * (round % 7)));
        let change = replace("a.txt", &format!("edit me {round}"), &format!("edited {round}"));
        applied += usize::from(matches!(apply(&session, [change]), ApplyOutcome::Applied(..)));
        if saving.join().unwrap() {
            judged += 1;
            assert!(place.read("a.txt").ends_with(&second), "round {round} lost its end");
        }
        // Repeated until enough rounds could be judged, however busy the machine is.
        if judged >= 40 && applied > 5 {
            break;
        }
    }
}

#[test]
fn undo_and_recovery_print_names_on_one_line() {
    let place = WrittenRoot::new("names");
    let name = "a\nApplied 3 operations to 1 file\u{1b}[0m";
    let session = place.session();
    done(&session, [add_file(name, "x")]);
    let UndoOutcome::Undone { text, .. } = session.undo(&Cancel::default()).unwrap() else {
        panic!()
    };
    assert!(text.contains("removed `a\\nApplied 3"), "{text}");
    assert!(!text.contains('\u{1b}') && text.lines().count() == 3, "{text}");
    done(&session, [add_file(name, "x")]);
    fs::write(place.path(name), "changed\n").unwrap();
    let UndoOutcome::Refused { text, .. } = session.undo(&Cancel::default()).unwrap() else {
        panic!()
    };
    assert!(!text.contains('\u{1b}') && text.lines().count() == 3, "{text}");
    let missing = replace(&format!("x{name}"), "1", "2");
    let ApplyOutcome::Refused(refused) = apply(&session, [missing]) else { panic!() };
    assert!(!refused.text.contains('\u{1b}'), "{}", refused.text);
}
