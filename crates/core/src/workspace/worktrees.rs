//! The worktrees of the repository that a directory belongs to, read from Git's own files.
//!
//! No files unpacked from an archive can add a directory: a worktree counts only if its `.git` file
//! and the repository's record of it name each other, and no symbolic link is followed to find that
//! out.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::fs;

/// A file of Git with more bytes than this is not read.
const MAX_BYTES: usize = 64 << 10;

/// The top directories of the other worktrees of the repository that contains `root`, a canonical
/// path.
pub(super) fn others(root: &Path) -> Vec<PathBuf> {
    let Some((own, common)) = repository(root) else { return Vec::new() };
    let records = common.join("worktrees");
    let Ok(entries) = fs::entries(&records) else { return Vec::new() };
    let mut tops: Vec<PathBuf> =
        entries.iter().filter_map(|record| worktree(&records.join(&record.name))).collect();
    // The repository's main work tree, unless it is bare.
    let config = read_git_file(&common.join("config")).unwrap_or_default().replace([' ', '\t'], "");
    if common.ends_with(".git") && !config.contains("bare=true") {
        tops.extend(common.parent().map(Path::to_owned));
    }
    tops.retain(|top| *top != own);
    tops
}

/// The top directory of the worktree that contains `root`, and the Git directory that all worktrees
/// share.
fn repository(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let top = root.ancestors().find(|directory| fs::exists(&directory.join(".git")))?;
    let git = top.join(".git");
    if fs::canonical(&git).ok()? != git {
        return None;
    }
    if fs::stat(&git).ok()?.kind == fs::FileKind::Directory {
        return Some((top.to_owned(), git));
    }
    let record = canonical_target(top, read_git_file(&git)?.strip_prefix("gitdir:")?)?;
    let common = canonical_target(&record, &read_git_file(&record.join("commondir"))?)?;
    let is_record = record.parent()? == common.join("worktrees");
    (is_record && worktree(&record)? == top).then(|| (top.to_owned(), common))
}

/// The top directory of the worktree that a record of the repository names, if that names the
/// record too.
fn worktree(record: &Path) -> Option<PathBuf> {
    let git = record.join(read_git_file(&record.join("gitdir"))?.trim_end());
    let top = fs::canonical(git.parent()?).ok()?;
    let back = canonical_target(&top, read_git_file(&top.join(".git"))?.strip_prefix("gitdir:")?)?;
    (git.ends_with(".git") && back == record).then_some(top)
}

/// The canonical form of a path that one of Git's files contains.
fn canonical_target(from: &Path, name: &str) -> Option<PathBuf> {
    fs::canonical(&from.join(name.trim())).ok()
}

fn read_git_file(file: &Path) -> Option<String> {
    // A symbolic link may lead into another repository.
    (fs::canonical(file).ok()? == *file).then_some(())?;
    String::from_utf8(fs::contents(file, MAX_BYTES, &AtomicBool::new(false)).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_testing::Workdir;

    /// A repository with two worktrees beside it, as Git writes them.
    fn repository() -> (Workdir, PathBuf) {
        let directory = Workdir::new("worktrees");
        let base = fs::canonical(directory.path()).unwrap();
        directory.write("main/.git/config", "[core]\n\tbare = false\n");
        for name in ["one", "two"] {
            link(&directory, &base, name);
        }
        (directory, base)
    }

    fn link(directory: &Workdir, base: &Path, name: &str) {
        let record = format!("main/.git/worktrees/{name}");
        let write = |path: String, text: String| drop(directory.write(&path, text));
        write(format!("{record}/gitdir"), format!("{}/{name}/.git\n", base.display()));
        write(format!("{record}/commondir"), "../..\n".to_owned());
        write(format!("{name}/.git"), format!("gitdir: {}/{record}\n", base.display()));
    }

    #[track_caller]
    fn check(base: &Path, root: &str, wanted: &[&str]) {
        let mut found = others(&base.join(root));
        found.sort();
        let wanted: Vec<PathBuf> = wanted.iter().map(|name| base.join(name)).collect();
        assert_eq!(found, wanted, "{root}");
    }

    #[test]
    fn the_worktrees_of_a_repository_know_each_other() {
        let (directory, base) = repository();
        directory.write("one/deep/er/f", "");
        check(&base, "main", &["one", "two"]);
        check(&base, "one", &["main", "two"]);
        check(&base, "one/deep/er", &["main", "two"]);
        // A bare repository has only linked worktrees.
        directory.write("main/.git/config", "[core]\n\tbare = true\n");
        check(&base, "two", &["one"]);
        // A new worktree is found, and a removed one no longer is.
        link(&directory, &base, "three");
        std::fs::remove_dir_all(base.join("one")).unwrap();
        check(&base, "two", &["three"]);
    }

    #[test]
    fn what_a_worktree_does_not_confirm_is_none() {
        let (directory, base) = repository();
        // An archive that names a worktree of another repository, or claims to be one.
        directory.write("evil/.git/worktrees/x/gitdir", format!("{}/one/.git\n", base.display()));
        check(&base, "evil", &[]);
        let record = base.join("main/.git/worktrees/one");
        directory.write("evil2/.git", format!("gitdir: {}\n", record.display()));
        check(&base, "evil2", &[]);
        // ... or has a record of its own that names another repository.
        directory.write("evil3/.git", "gitdir: r/worktrees/x\n");
        directory.write("evil3/r/worktrees/x/gitdir", format!("{}/evil3/.git\n", base.display()));
        directory.write("evil3/r/worktrees/x/commondir", format!("{}/main/.git", base.display()));
        check(&base, "evil3", &[]);
        // A submodule is not a worktree.
        directory.write("main/sub/.git", "gitdir: ../.git/modules/sub\n");
        directory.write("main/.git/modules/sub/HEAD", "");
        check(&base, "main/sub", &[]);
        check(&base, ".", &[]);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_another_repository_add_nothing() {
        let (directory, base) = repository();
        let link = |from: &str, to: &str| {
            std::os::unix::fs::symlink(base.join(from), base.join(to)).unwrap();
        };
        directory.make("evil");
        link("main/.git", "evil/.git");
        check(&base, "evil", &[]);
        directory.make("evil2/.git");
        link("main/.git/worktrees", "evil2/.git/worktrees");
        check(&base, "evil2", &[]);
        directory.make("evil3/.git/worktrees");
        link("main/.git/worktrees/one", "evil3/.git/worktrees/one");
        check(&base, "evil3", &[]);
    }
}
