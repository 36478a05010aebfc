//! The effects of a patch on paths, links and the metadata of files.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use crate::ops::{add_file, delete_file, move_file, replace};
use crate::transaction_session::{WrittenRoot, apply, code, done};
use hashline_core::cancel::Cancel;
use hashline_core::patch::Patch;
use hashline_core::session::{ApplyOutcome, Durability, Options, Session, UndoOutcome};
use hashline_core::testing::transaction::{DiskChange, FileAction, Ledger, Transaction};
use hashline_testing::{Workdir, skipped};

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn a_changed_file_keeps_its_mode_and_attributes_and_gets_a_new_time() {
    let place = WrittenRoot::new("metadata");
    let path = place.write("a.sh", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    fs::File::open(&path).unwrap().set_modified(long_ago).unwrap();
    let attribute = "user.hashline";
    let with_attribute =
        rustix::fs::setxattr(&path, attribute, b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    done(&place.session(), [replace("a.sh", "one", "two")]);
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
fn a_changed_file_gets_no_rights_that_it_did_not_have() {
    use rustix::fs::{XattrFlags, getxattr, removexattr, setxattr};
    const RIGHTS: &str = "system.posix_acl_access";
    let place = WrittenRoot::new("rights");
    let path = place.write("a.txt", "one\n");
    // An access control list, version 2: the owner, user 12345, the group, the mask and others have
    // all rights.
    let mut inherited = vec![2, 0, 0, 0];
    for (tag, id) in [(1, u32::MAX), (2, 12345), (4, u32::MAX), (16, u32::MAX), (32, u32::MAX)] {
        inherited.extend([tag, 0, 7, 0]);
        inherited.extend(u32::to_le_bytes(id));
    }
    let given = setxattr(place.root(), "system.posix_acl_default", &inherited, XattrFlags::empty());
    if given.is_err() {
        return skipped("there are no access control lists here");
    }
    let session = place.session();
    for (old, new) in [("one", "two"), ("two", "three")] {
        let _ = removexattr(&path, RIGHTS);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        done(&session, [replace("a.txt", old, new)]);
        assert!(getxattr(&path, RIGHTS, &mut [0_u8; 256][..]).is_err(), "user 12345 may read it");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o640);
    }
}

#[test]
fn a_file_keeps_a_group_that_its_owner_is_not_in() {
    const USER: u32 = 12345;
    const GROUP: u32 = 23456;
    let place = WrittenRoot::new("group");
    let path = place.write("a.txt", "one\n");
    let home = place.dir.path().join("state");
    fs::create_dir(&home).unwrap();
    for path in [place.dir.path(), &place.root(), &home, &path] {
        if chown(path, Some(USER), Some(USER)).is_err() {
            return skipped("only root can give a file to another user");
        }
    }
    chown(&path, None, Some(GROUP)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "transaction_session::without_a_home", "--ignored"])
        .env("HASHLINE_NEIGHBOUR", place.dir.path())
        .env("XDG_STATE_HOME", &home)
        .stdout(Stdio::null())
        .uid(USER)
        .gid(USER)
        .status();
    let Ok(status) = status else { return skipped("another user cannot run this test") };
    assert!(status.success());
    assert_eq!(place.read("a.txt"), "two\n");
    assert_eq!(fs::metadata(&path).unwrap().gid(), GROUP);
}

#[test]
fn a_symbolic_link_is_followed_and_kept() {
    let place = WrittenRoot::new("symlink");
    place.write("real/a.txt", "one\n");
    symlink("real/a.txt", place.path("link")).unwrap();
    done(&place.session(), [replace("link", "one", "two")]);
    assert_eq!(place.read("real/a.txt"), "two\n");
    assert_eq!(fs::read_link(place.path("link")).unwrap(), Path::new("real/a.txt"));
}

#[test]
fn a_hard_link_keeps_its_inode() {
    let place = WrittenRoot::new("hardlink");
    let path = place.write("a.txt", "one, a rather long line\n");
    fs::hard_link(&path, place.path("b.txt")).unwrap();
    let before = fs::metadata(&path).unwrap().ino();
    let session = place.session();
    done(&session, [replace("a.txt", "one, a rather long line", "two")]);
    assert_eq!(place.read("b.txt"), "two\n");
    assert_eq!(fs::metadata(place.path("b.txt")).unwrap().ino(), before);
    session.undo(&Cancel::default()).unwrap();
    assert_eq!(place.read("b.txt"), "one, a rather long line\n");
    assert_eq!(fs::metadata(&path).unwrap().ino(), before);
}

#[test]
fn a_read_only_file_is_refused() {
    let place = WrittenRoot::new("readonly");
    let path = place.write("a.txt", "one\n");
    place.write("b.txt", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let session = place.session();
    let both = [replace("b.txt", "one", "two"), replace("a.txt", "one", "two")];
    assert_eq!(code(&session, both), "read_only");
    assert_eq!((place.read("a.txt"), place.read("b.txt")), ("one\n".into(), "one\n".into()));
    assert_eq!(code(&session, [delete_file("a.txt")]), "read_only");
}

#[test]
fn some_paths_are_refused() {
    let place = WrittenRoot::new("paths");
    fs::create_dir(place.path("folder")).unwrap();
    let session = place.session();
    let add = |path: &str| code(&session, [add_file(path, "x")]);
    assert_eq!(add("a\0b"), "bad_path");
    assert_eq!(add("new/"), "bad_path");
    assert_eq!(add(&"n".repeat(256)), "bad_path");
    assert_eq!(add("folder"), "not_a_file");
    assert_eq!(add("../x"), "outside_root");
    assert_eq!(place.names(), ["folder"]);
    let longest = "n".repeat(255);
    done(&session, [add_file(&longest, "x")]);
    done(&session, [move_file(&longest, "folder/short")]);
    assert_eq!(place.read("folder/short"), "x");
}

#[test]
fn a_directory_that_became_a_link_is_not_followed() {
    let place = WrittenRoot::new("swapped");
    let outside = Workdir::new("outside");
    let ledger = Ledger::new(&place.root(), Some(place.dir.path().join("home")));
    let writer = ledger.write(Durability::Fast, &NEVER).unwrap();
    let create = |name: &str| {
        let then = FileAction::Put(b"x".to_vec().into());
        Transaction::new(vec![DiskChange {
            path: place.path(name),
            expected: None,
            then,
            like: None,
        }])
    };
    // The link appears between the check of the path and its use.
    symlink(outside.path(), place.path("link")).unwrap();
    for name in ["link/new", "link/deep/new"] {
        assert!(writer.commit(&create(name)).is_err(), "{name}");
    }
    // The link appears between staging and publishing.
    fs::create_dir(place.path("real")).unwrap();
    let prepared = writer.prepare(&create("real/new")).unwrap();
    fs::rename(place.path("real"), place.path("moved")).unwrap();
    symlink(outside.path(), place.path("real")).unwrap();
    drop(prepared.publish());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn a_file_moves_to_another_file_system_and_back() {
    let place = WrittenRoot::new("devices");
    let path = place.write("a.sh", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    let other = Path::new("/dev/shm");
    if !other.is_dir() || fs::metadata(other).unwrap().dev() == fs::metadata(&path).unwrap().dev() {
        return skipped("there is no second file system at /dev/shm");
    }
    let goal = other.join(format!("hashline-move-{}", std::process::id()));
    let session = Session::new(Options { allow_outside: true, ..place.options() }).unwrap();
    let to = goal.join("deep/b.sh");
    done(&session, [move_file("a.sh", to.to_str().unwrap())]);
    assert_eq!(fs::read_to_string(&to).unwrap(), "one\n");
    assert_eq!(fs::metadata(&to).unwrap().mode() & 0o777, 0o700);
    assert!(place.names().is_empty());
    session.undo(&Cancel::default()).unwrap();
    assert_eq!((place.read("a.sh"), goal.exists()), ("one\n".into(), false));
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn a_hard_link_is_written_through_with_a_warning() {
    let place = WrittenRoot::new("outside-link");
    let outside = place.dir.write("outside.txt", "one\n");
    fs::hard_link(&outside, place.path("a.txt")).unwrap();
    let outcome = apply(&place.session(), [replace("a.txt", "one", "two")]);
    let ApplyOutcome::Applied(report, _) = outcome else { panic!("{outcome:?}") };
    assert_eq!(report.warnings[0].code.as_str(), "hard_link");
    assert!(report.text.contains("Warning: a.txt: has several names"), "{}", report.text);
    assert_eq!(fs::read_to_string(outside).unwrap(), "two\n");
}

#[test]
fn a_root_that_was_deleted_is_not_made_again() {
    let place = WrittenRoot::new("no-root");
    let session = place.session();
    fs::remove_dir(place.root()).unwrap();
    let patch = Patch::new(vec![add_file("a.txt", "x")]);
    let fault = session.apply(&patch, &Cancel::default()).unwrap_err();
    assert_eq!(fault.code().as_str(), "bad_root", "{fault}");
    assert!(!place.root().exists());
}

#[cfg(target_os = "linux")]
#[test]
fn no_directory_stays_open_after_a_patch() {
    let place = WrittenRoot::new("handles");
    let session = place.session();
    for name in ["a/1", "b/2", "c/3"] {
        done(&session, [add_file(name, "x")]);
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
fn what_belongs_to_git_is_refused_unless_the_user_allows_it() {
    let place = WrittenRoot::new("git");
    place.write("a.txt", "one\n");
    place.write(".git/config", "one\n");
    place.write("sub/.git", "gitdir: elsewhere\n");
    symlink(".git", place.path("harmless")).unwrap();
    let session = place.session();
    for op in [
        replace(".git/config", "one", "two"),
        replace("harmless/config", "one", "two"),
        replace("sub/.git", "elsewhere", "here"),
        add_file(".git/hooks/pre-commit", "x"),
        add_file(".GIT/hooks/pre-commit", "x"),
        move_file("a.txt", ".git/hooks/pre-commit"),
    ] {
        assert_eq!(code(&session, [op.clone()]), "git_directory", "{op:?}");
    }
    for fine in [".gitignore", ".github/x.yml", "git/config"] {
        done(&session, [add_file(fine, "x")]);
    }
    let allowed = Session::new(Options { allow_git: true, ..place.options() }).unwrap();
    done(&allowed, [replace(".git/config", "one", "two")]);
    assert_eq!(place.read(".git/config"), "two\n");
}

#[test]
fn relative_paths_start_at_the_base() {
    let place = WrittenRoot::new("base");
    place.write("sub/a.txt", "one\n");
    place.write("a.txt", "top\n");
    let base = Some(place.path("sub"));
    let session = Session::new(Options { base, ..place.options() }).unwrap();
    done(&session, [replace("a.txt", "one", "two")]);
    done(&session, [replace("../a.txt", "top", "up")]);
    assert_eq!((place.read("sub/a.txt"), place.read("a.txt")), ("two\n".into(), "up\n".into()));
    // The workspace is still the root, and nothing outside it may be written.
    assert_eq!(code(&session, [replace("../../x.txt", "a", "b")]), "outside_root");
}

#[test]
fn a_removed_file_gets_its_owner_and_attributes_back() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let place = WrittenRoot::new("belongings");
    let path = place.write("gone.txt", "text\n");
    let attribute = "user.hashline";
    let with_attribute = setxattr(&path, attribute, b"kept", XattrFlags::empty()).is_ok();
    // Changes the group too, if this user may.
    let _ = chown(&path, None, Some(12345));
    let group = fs::metadata(&path).unwrap().gid();
    let session = place.session();
    done(&session, [delete_file("gone.txt")]);
    assert!(!path.exists());
    let undone = session.undo(&Cancel::default()).unwrap();
    let UndoOutcome::Undone { text, .. } = undone else { panic!("{undone:?}") };
    assert!(!text.contains("but not"), "{text}");
    assert_eq!(fs::metadata(&path).unwrap().gid(), group);
    if with_attribute {
        let mut value = [0_u8; 8];
        let len = getxattr(&path, attribute, &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"kept");
    }
}
