//! Workspaces of several directories: the worktrees of a repository, and those that the user names.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

use super::session::{grep, text};
use hashline_core::cancel::Cancel;
use hashline_core::session::{ApplyOutcome, Options, Session, UndoOutcome};
use hashline_guard::{ShellKind, Verdict};
use hashline_testing::Workdir;

/// A repository `main` with a worktree `tree`, as Git writes them, and a directory that belongs to
/// neither.
fn repository() -> (Workdir, PathBuf) {
    let directory = Workdir::new("roots");
    let base = fs::canonicalize(directory.path()).unwrap();
    for (name, content) in
        [("main/a.txt", "one\n"), ("tree/a.txt", "one\n"), ("other/a.txt", "one\n")]
    {
        directory.write(name, content);
    }
    directory.write("main/.git/config", "[core]\n\tbare = false\n");
    link(&directory, &base, "tree");
    (directory, base)
}

fn link(directory: &Workdir, base: &Path, name: &str) {
    let record = format!("main/.git/worktrees/{name}");
    directory.write(&format!("{record}/gitdir"), format!("{}/{name}/.git\n", base.display()));
    directory.write(&format!("{record}/commondir"), "../..\n");
    directory.write(&format!("{name}/.git"), format!("gitdir: {}/{record}\n", base.display()));
}

fn open(base: &Path, root: &str, set: impl FnOnce(&mut Options)) -> Session {
    let mut options = Options::new(base.join(root));
    options.journal_dir = Some(base.join("journals"));
    set(&mut options);
    Session::new(options).unwrap()
}

fn insert(path: &Path) -> Value {
    json!({"op": "insert_after", "path": path.to_str().unwrap(), "anchor": "start", "text": "new"})
}

/// The outcome of a patch: `applied`, or the code of its first refusal.
fn apply(session: &Session, patch: &[Value]) -> &'static str {
    let patch = hashline_wire::patch::read(&json!(patch)).unwrap();
    match session.apply(&patch, &Cancel::default()).unwrap() {
        ApplyOutcome::Applied(..) => "applied",
        ApplyOutcome::Refused(report) => report.refusals[0].code.as_str(),
    }
}

#[test]
fn the_worktrees_of_a_repository_are_one_workspace() {
    let (directory, base) = repository();
    for (root, other) in [("main", "tree"), ("tree", "main")] {
        let session = open(&base, root, |_| {});
        let file = base.join(other).join("a.txt");
        // Paths are relative in the first root, and absolute in others.
        let shown = text(&session, json!({"path": file.to_str().unwrap()}));
        assert!(shown.starts_with(&format!("{} (lines 1-1 of 1)", file.display())), "{shown}");
        let found = grep(&session, json!({"pattern": "one", "path": file.to_str().unwrap()}));
        assert!(found.starts_with(&format!("{} (1 match)", file.display())), "{found}");
        let found = grep(&session, json!({"pattern": "one"}));
        assert!(found.starts_with("a.txt (1 match)") && !found.contains(other), "{found}");
        assert_eq!(apply(&session, &[insert(&file), insert(Path::new("a.txt"))]), "applied");
        assert_eq!(directory.read(&format!("{other}/a.txt")).unwrap(), "new\none\n");
        // The patch took the lock of each root.
        let locks = fs::read_dir(base.join("journals")).unwrap();
        assert_eq!(
            locks.filter(|entry| entry.as_ref().unwrap().path().join("lock").exists()).count(),
            2
        );
        let undone = session.undo(&Cancel::default()).unwrap();
        assert!(matches!(undone, UndoOutcome::Undone { .. }), "{undone:?}");
        assert_eq!(directory.read(&format!("{other}/a.txt")).unwrap(), "one\n");
        // Git's own files stay protected in every root.
        assert_eq!(apply(&session, &[insert(&base.join("main/.git/config"))]), "git_directory");
        assert_eq!(apply(&session, &[insert(&base.join("tree/.git"))]), "git_directory");
        assert_eq!(apply(&session, &[insert(&base.join("other/a.txt"))]), "outside_root");
    }
}

#[test]
fn a_later_worktree_belongs_to_the_workspace_and_a_removed_one_does_not() {
    let (directory, base) = repository();
    let session = open(&base, "main", |_| {});
    assert_eq!(apply(&session, &[insert(&base.join("other/a.txt"))]), "outside_root");
    link(&directory, &base, "other");
    assert_eq!(apply(&session, &[insert(&base.join("other/a.txt"))]), "applied");
    fs::remove_dir_all(base.join("main/.git/worktrees/other")).unwrap();
    assert_eq!(apply(&session, &[insert(&base.join("other/a.txt"))]), "outside_root");
}

#[test]
fn the_user_may_name_other_roots() {
    let (directory, base) = repository();
    let session =
        open(&base, "tree", |options| options.roots = vec!["../other".into(), "/no/where".into()]);
    assert_eq!(apply(&session, &[insert(&base.join("other/a.txt"))]), "applied");
    assert_eq!(apply(&session, &[insert(Path::new("../other/b/../a.txt"))]), "applied");
    directory.write("elsewhere/a.txt", "one\n");
    assert_eq!(apply(&session, &[insert(&base.join("elsewhere/a.txt"))]), "outside_root");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(base.join("elsewhere"), base.join("other/link")).unwrap();
        assert_eq!(apply(&session, &[insert(&base.join("other/link/a.txt"))]), "outside_root");
    }
}

#[test]
fn the_guard_protects_the_files_that_a_patch_may_change() {
    let (directory, base) = repository();
    directory.write("main/image.png", b"\x89PNG\r\n\x1a\n\0\0");
    directory.write("main/latin.c", b"caf\xe9\n");
    directory.write("main/zeros", b"a\0b\n");
    let session = open(&base, "main", |_| {});
    for (path, protected) in [
        ("main/a.txt", true),
        ("main/latin.c", true),
        ("tree/a.txt", true),
        ("main/image.png", false),
        ("main/zeros", false),
        ("main/.git/config", false),
        ("tree/.git", false),
        ("other/a.txt", false),
    ] {
        let path = base.join(path);
        let cat = format!("cat {}", path.display());
        let blocked = matches!(session.judge(&cat, None, ShellKind::Bash), Verdict::Block(_));
        assert_eq!(blocked, protected, "{}", path.display());
        // The guard relies on this law: no patch of a protected file is refused for its path or
        // kind.
        if protected {
            assert_eq!(apply(&session, &[insert(&path)]), "applied", "{}", path.display());
        }
    }
}
