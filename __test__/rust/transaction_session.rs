//! Patches on real files: neighbours, metadata, paths, undo.
//!
//! `HASHLINE_PATCHES` sets how many patches each of the eight neighbours makes.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use crate::testing::{Workdir, skipped};
use hashline::cancel::Cancel;
use hashline::session::{
    ApplyMode, ApplyOutcome, Durability, Options, RecoverRequest, Session, UndoOutcome,
};
use hashline::transaction::{DiskChange, FileAction, Ledger, Transaction};
use serde_json::{Value, json};

static NEVER: AtomicBool = AtomicBool::new(false);

struct Place {
    dir: Workdir,
}

impl Place {
    fn new(name: &str) -> Self {
        let dir = Workdir::new(name);
        fs::create_dir(dir.path().join("root")).unwrap();
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("root")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        self.dir.write(&format!("root/{name}"), content)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn options(&self) -> Options {
        let home = self.dir.path().join("home");
        Options { journal_dir: Some(home), ..Options::new(self.root()) }
    }

    fn session(&self) -> Session {
        Session::new(self.options()).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn apply(session: &Session, patch: &Value) -> ApplyOutcome {
    match hashline::wire::patch::read(patch) {
        Ok(patch) => session.apply(&patch, &Cancel::default()).unwrap(),
        Err(bad) => hashline::wire::unread(&bad),
    }
}

fn done(session: &Session, patch: &Value) {
    match apply(session, patch) {
        ApplyOutcome::Applied(..) => {}
        ApplyOutcome::Refused(refused) => panic!("{}", refused.text),
    }
}

fn code(session: &Session, patch: &Value) -> &'static str {
    match apply(session, patch) {
        ApplyOutcome::Applied(report, _) => panic!("{}", report.text),
        ApplyOutcome::Refused(refused) => refused.refusals[0].code.as_str(),
    }
}

fn replace(path: &str, old: &str, new: &str) -> Value {
    json!([{"op": "replace", "path": path, "old_text": old, "new_text": new}])
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
        let ops: Vec<Value> = BTreeSet::from(three)
            .into_iter()
            .map(|file| {
                acknowledged.push(format!("{file} {line}"));
                json!({"op": "insert_after", "path": format!("{file}"), "anchor": "end", "text": line})
            })
            .collect();
        done(&session, &json!(ops));
    }
    fs::write(dir.join(format!("acknowledged-{number}")), acknowledged.join("\n")).unwrap();
}

#[test]
fn neighbours_lose_nothing() {
    let place = Place::new("neighbours");
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
fn a_changed_file_keeps_its_mode_and_attributes_and_gets_a_new_time() {
    let place = Place::new("metadata");
    let path = place.write("a.sh", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    fs::File::open(&path).unwrap().set_modified(long_ago).unwrap();
    let attribute = "user.hashline";
    let with_attribute =
        rustix::fs::setxattr(&path, attribute, b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    done(&place.session(), &replace("a.sh", "one", "two"));
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.mode() & 0o7777, 0o751);
    assert!(metadata.modified().unwrap() > long_ago, "watchers see a new time");
    if with_attribute {
        let mut value = [0_u8; 8];
        let len = rustix::fs::getxattr(&path, attribute, &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"kept");
    }
    assert_eq!(place.names(), ["a.sh"]);
}

#[test]
fn a_symbolic_link_is_followed_and_kept() {
    let place = Place::new("symlink");
    place.write("real/a.txt", "one\n");
    symlink("real/a.txt", place.path("link")).unwrap();
    done(&place.session(), &replace("link", "one", "two"));
    assert_eq!(place.read("real/a.txt"), "two\n");
    assert_eq!(fs::read_link(place.path("link")).unwrap(), Path::new("real/a.txt"));
}

#[test]
fn a_hard_link_keeps_its_inode() {
    let place = Place::new("hardlink");
    let path = place.write("a.txt", "one, a rather long line\n");
    fs::hard_link(&path, place.path("b.txt")).unwrap();
    let before = fs::metadata(&path).unwrap().ino();
    let session = place.session();
    done(&session, &replace("a.txt", "one, a rather long line", "two"));
    assert_eq!(place.read("b.txt"), "two\n");
    assert_eq!(fs::metadata(place.path("b.txt")).unwrap().ino(), before);
    session.undo(&Cancel::default()).unwrap();
    assert_eq!(place.read("b.txt"), "one, a rather long line\n");
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
}

#[test]
fn a_read_only_file_is_refused() {
    let place = Place::new("readonly");
    let path = place.write("a.txt", "one\n");
    place.write("b.txt", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let session = place.session();
    let both = json!([
        {"op": "replace", "path": "b.txt", "old_text": "one", "new_text": "two"},
        {"op": "replace", "path": "a.txt", "old_text": "one", "new_text": "two"},
    ]);
    assert_eq!(code(&session, &both), "read_only");
    assert_eq!((place.read("a.txt"), place.read("b.txt")), ("one\n".into(), "one\n".into()));
    assert_eq!(code(&session, &json!([{"op": "delete_file", "path": "a.txt"}])), "read_only");
}

#[test]
fn some_paths_are_refused() {
    let place = Place::new("paths");
    fs::create_dir(place.path("folder")).unwrap();
    let session = place.session();
    let add =
        |path: &str| code(&session, &json!([{"op": "add_file", "path": path, "content": "x"}]));
    assert_eq!(add("a\0b"), "bad_path");
    assert_eq!(add("new/"), "bad_path");
    assert_eq!(add(&"n".repeat(256)), "bad_path");
    assert_eq!(add("folder"), "not_a_file");
    assert_eq!(add("../x"), "outside_root");
    assert_eq!(place.names(), ["folder"]);
    let longest = "n".repeat(255);
    done(&session, &json!([{"op": "add_file", "path": longest, "content": "x"}]));
    done(&session, &json!([{"op": "move_file", "from": longest, "to": "folder/short"}]));
    assert_eq!(place.read("folder/short"), "x");
}

#[test]
fn a_directory_that_became_a_link_is_not_followed() {
    let place = Place::new("swapped");
    let outside = Workdir::new("outside");
    let ledger = Ledger::new(&place.root(), Some(place.dir.path().join("home")));
    let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
    let create = |name: &str| {
        let then = FileAction::Put(b"x".to_vec().into());
        Transaction::new(vec![DiskChange { path: place.path(name), expected: None, then }])
    };
    // Between the check of the path and its use.
    symlink(outside.path(), place.path("link")).unwrap();
    for name in ["link/new", "link/deep/new"] {
        assert!(writer.commit(&create(name)).is_err(), "{name}");
    }
    // Between staging and publishing.
    fs::create_dir(place.path("real")).unwrap();
    let prepared = writer.prepare(&create("real/new")).unwrap();
    fs::rename(place.path("real"), place.path("moved")).unwrap();
    symlink(outside.path(), place.path("real")).unwrap();
    drop(prepared.publish());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn a_file_moves_to_another_file_system_and_back() {
    let place = Place::new("devices");
    let path = place.write("a.sh", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    let other = Path::new("/dev/shm");
    if !other.is_dir() || fs::metadata(other).unwrap().dev() == fs::metadata(&path).unwrap().dev() {
        return skipped("there is no second file system at /dev/shm");
    }
    let goal = other.join(format!("hashline-move-{}", std::process::id()));
    let session = Session::new(Options { allow_outside: true, ..place.options() }).unwrap();
    let to = goal.join("deep/b.sh");
    done(&session, &json!([{"op": "move_file", "from": "a.sh", "to": to}]));
    assert_eq!(fs::read_to_string(&to).unwrap(), "one\n");
    assert_eq!(fs::metadata(&to).unwrap().mode() & 0o777, 0o700);
    assert!(place.names().is_empty());
    session.undo(&Cancel::default()).unwrap();
    assert_eq!((place.read("a.sh"), goal.exists()), ("one\n".into(), false));
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn undo_works_in_another_session_and_says_what_it_did() {
    let place = Place::new("undo");
    place.write("a.txt", "one\n");
    place.write("b.txt", "b\n");
    place.write("c.txt", "c\n");
    fs::set_permissions(place.path("c.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    let patch = json!([
        {"op": "replace", "path": "a.txt", "old_text": "one", "new_text": "two"},
        {"op": "add_file", "path": "d/e/new.txt", "content": "new\n"},
        {"op": "move_file", "from": "b.txt", "to": "moved.txt"},
        {"op": "delete_file", "path": "c.txt"},
    ]);
    done(&place.session(), &patch);
    let session = place.session();
    let undone = session.undo(&Cancel::default()).unwrap();
    let UndoOutcome::Undone { text, files, .. } = undone else { panic!("{undone:?}") };
    assert_eq!(files.len(), 4);
    for line in [
        "Took back the last patch: 4 files",
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
    let place = Place::new("sweep");
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
#[ignore = "run by a_home_that_cannot_be_written_to_is_no_obstacle"]
fn without_a_home() {
    let dir =
        PathBuf::from(std::env::var_os("HASHLINE_NEIGHBOUR").expect("only a parent runs this"));
    done(&Session::new(Options::new(dir.join("root"))).unwrap(), &replace("a.txt", "one", "two"));
}

#[test]
fn a_home_that_cannot_be_written_to_is_no_obstacle() {
    let place = Place::new("homeless");
    let file = place.write("a.txt", "one\n");
    let temporary = place.dir.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
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
fn a_hard_link_is_written_through_with_a_warning() {
    let place = Place::new("outside-link");
    let outside = place.dir.write("outside.txt", "one\n");
    fs::hard_link(&outside, place.path("a.txt")).unwrap();
    let outcome = apply(&place.session(), &replace("a.txt", "one", "two"));
    let ApplyOutcome::Applied(report, _) = outcome else { panic!("{outcome:?}") };
    assert_eq!(report.warnings[0].code.as_str(), "hard_link");
    assert!(report.text.contains("Warning: a.txt: has several names"), "{}", report.text);
    assert_eq!(fs::read_to_string(outside).unwrap(), "two\n");
}

#[test]
fn a_root_that_was_deleted_is_not_made_again() {
    let place = Place::new("no-root");
    let session = place.session();
    fs::remove_dir(place.root()).unwrap();
    let patch = json!([{"op": "add_file", "path": "a.txt", "content": "x"}]);
    let patch = hashline::wire::patch::read(&patch).unwrap();
    let fault = session.apply(&patch, &Cancel::default()).unwrap_err();
    assert_eq!(fault.code().as_str(), "bad_root", "{fault}");
    assert!(!place.root().exists());
}

#[cfg(target_os = "linux")]
#[test]
fn no_directory_stays_open_after_a_patch() {
    let place = Place::new("handles");
    let session = place.session();
    for name in ["a/1", "b/2", "c/3"] {
        done(&session, &json!([{"op": "add_file", "path": name, "content": "x"}]));
    }
    session.undo(&Cancel::default()).unwrap();
    let open: Vec<PathBuf> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.unwrap().path()).ok())
        .filter(|path| path.starts_with(place.dir.path()))
        .collect();
    assert_eq!(open, [""; 0].map(PathBuf::from));
}

#[test]
fn a_patch_that_is_only_tried_changes_nothing_and_shows_its_files() {
    let place = Place::new("preview");
    place.write("a.txt", "one\ntwo\nthree\n");
    let session = place.session();
    let patch = replace("a.txt", "two", "2\nzwei");
    let patch = hashline::wire::patch::read(&patch).unwrap();
    let done = session.apply_as(&patch, ApplyMode::Preview, &Cancel::default()).unwrap();
    assert!(matches!(done.outcome, ApplyOutcome::Applied(_, None)));
    assert_eq!(place.read("a.txt"), "one\ntwo\nthree\n");
    let file = &done.files[0];
    assert_eq!(file.document.as_ref().unwrap().bytes(), b"one\n2\nzwei\nthree\n");
    assert_eq!(file.lines, [hashline::Span::between(1, 3)]);
    // A dry run is not what `undo` takes back.
    assert!(matches!(session.undo(&Cancel::default()).unwrap(), UndoOutcome::Refused { .. }));
}

#[test]
fn relative_paths_are_meant_from_the_base() {
    let place = Place::new("base");
    place.write("sub/a.txt", "one\n");
    place.write("a.txt", "top\n");
    let base = Some(place.path("sub"));
    let session = Session::new(Options { base, ..place.options() }).unwrap();
    done(&session, &replace("a.txt", "one", "two"));
    done(&session, &replace("../a.txt", "top", "up"));
    assert_eq!((place.read("sub/a.txt"), place.read("a.txt")), ("two\n".into(), "up\n".into()));
    // The workspace is still the root, and nothing outside it may be written.
    assert_eq!(code(&session, &replace("../../x.txt", "a", "b")), "outside_root");
}

#[test]
fn what_belongs_to_git_is_refused_unless_the_user_allows_it() {
    let place = Place::new("git");
    place.write("a.txt", "one\n");
    place.write(".git/config", "one\n");
    place.write("sub/.git", "gitdir: elsewhere\n");
    symlink(".git", place.path("harmless")).unwrap();
    let session = place.session();
    for patch in [
        replace(".git/config", "one", "two"),
        replace("harmless/config", "one", "two"),
        replace("sub/.git", "elsewhere", "here"),
        json!([{"op": "add_file", "path": ".git/hooks/pre-commit", "content": "x"}]),
        json!([{"op": "add_file", "path": ".GIT/hooks/pre-commit", "content": "x"}]),
        json!([{"op": "move_file", "from": "a.txt", "to": ".git/hooks/pre-commit"}]),
    ] {
        assert_eq!(code(&session, &patch), "git_directory", "{patch}");
    }
    for fine in [".gitignore", ".github/x.yml", "git/config"] {
        done(&session, &json!([{"op": "add_file", "path": fine, "content": "x"}]));
    }
    let allowed = Session::new(Options { allow_git: true, ..place.options() }).unwrap();
    done(&allowed, &replace(".git/config", "one", "two"));
    assert_eq!(place.read(".git/config"), "two\n");
}

/// An editor that truncates a file, writes one half of it and, a few milliseconds later, the other.
/// Returns how long it really paused: a busy machine wakes a thread late.
fn save_in_two_pieces(path: &Path, first: &str, second: &str, pause: Duration) -> Duration {
    let mut file = fs::File::create(path).unwrap();
    file.write_all(first.as_bytes()).unwrap();
    let paused = Instant::now();
    std::thread::sleep(pause);
    file.write_all(second.as_bytes()).unwrap();
    paused.elapsed()
}

/// Pauses that are shorter than what a file must rest, a tick of the file system's clock aside.
const SHORT: Duration = Duration::from_millis(10);

#[test]
fn a_file_that_is_being_saved_loses_nothing() {
    let place = Place::new("saving");
    let path = place.write("a.txt", "start\nedit me\n");
    let session = place.session();
    let (mut applied, mut lost, mut judged) = (0, 0, 0);
    for round in 0..1000_u64 {
        let first = format!("start\nedit me {round}\n");
        let second = format!("the end of {round}\n");
        let pause = Duration::from_millis(1 + round % 8);
        let saving = std::thread::spawn({
            let (path, first, second) = (path.clone(), first.clone(), second.clone());
            move || save_in_two_pieces(&path, &first, &second, pause)
        });
        // The patch comes while the editor pauses, or a little before or after.
        std::thread::sleep(Duration::from_micros(300 * (round % 7)));
        let change = replace("a.txt", &format!("edit me {round}"), &format!("edited {round}"));
        applied += usize::from(matches!(apply(&session, &change), ApplyOutcome::Applied(..)));
        if saving.join().unwrap() < SHORT {
            judged += 1;
            lost += usize::from(!place.read("a.txt").ends_with(&second));
        }
        if judged == 40 {
            break;
        }
    }
    assert_eq!(
        (judged, lost),
        (40, 0),
        "saves with short pauses, and those of them that were lost"
    );
    assert!(applied > 5, "{applied}");
}

#[test]
fn undo_and_recovery_print_names_on_one_line() {
    let place = Place::new("names");
    let name = "a\nApplied 3 operations to 1 file\u{1b}[0m";
    let session = place.session();
    done(&session, &json!([{"op": "add_file", "path": name, "content": "x"}]));
    let UndoOutcome::Undone { text, .. } = session.undo(&Cancel::default()).unwrap() else {
        panic!()
    };
    assert!(text.contains("removed `a\\nApplied 3"), "{text}");
    assert!(!text.contains('\u{1b}') && text.lines().count() == 3, "{text}");
    done(&session, &json!([{"op": "add_file", "path": name, "content": "x"}]));
    fs::write(place.path(name), "changed\n").unwrap();
    let UndoOutcome::Refused { text, .. } = session.undo(&Cancel::default()).unwrap() else {
        panic!()
    };
    assert!(!text.contains('\u{1b}') && text.lines().count() == 3, "{text}");
    let missing =
        json!([{"op": "replace", "path": format!("x{name}"), "old_text": "1", "new_text": "2"}]);
    let ApplyOutcome::Refused(refused) = apply(&session, &missing) else { panic!() };
    assert!(!refused.text.contains('\u{1b}'), "{}", refused.text);
}
