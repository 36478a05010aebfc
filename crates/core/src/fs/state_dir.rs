//! Where this user's state is kept, and who may write there.
//!
//! A journal says which files to write, so anyone who could plant one could have us write files.
//! Hence a state directory is used only if no other user can have put anything into it: see
//! [`private_directory`].

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use super::platform::{self, OpenDirectory};

pub(crate) use super::platform::process_lives;

/// The directories in which this program may keep state, best first: the user's own, then shared
/// ones in case that one cannot be used.
pub fn state_homes() -> Vec<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let own = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_STATE_HOME").or_else(|| super::home().map(|home| home.join(".local/state")))
    };
    let mut homes: Vec<PathBuf> = own.into_iter().map(|home| home.join("hashline")).collect();
    // Other users share these directories, so the name contains the user. `/var/tmp` comes before
    // `/tmp` because its files survive a restart, as journals must.
    let shared = format!("hashline-state-{}", platform::user_name());
    let temporary = absolute("TMPDIR").into_iter();
    let lasting = cfg!(unix).then(|| PathBuf::from("/var/tmp")).filter(|path| path.is_dir());
    for parent in temporary.chain(lasting).chain([std::env::temp_dir()]) {
        let home = parent.join(&shared);
        if !homes.contains(&home) {
            homes.push(home);
        }
    }
    homes
}

/// Why a directory cannot hold our state.
#[derive(Debug, thiserror::Error)]
pub enum StateDirError {
    /// The directory is inside the workspace, whose files may come from anywhere.
    #[error("it is inside the workspace")]
    InsideWorkspace,
    /// This part of its path belongs to another user.
    #[error("{0:?} belongs to another user")]
    NotOurs(PathBuf),
    /// Other users may write to this part of its path.
    #[error("{0:?} is writable by other users")]
    WritableByOthers(PathBuf),
    /// This part of its path is a symbolic link or no directory.
    #[error("{0:?} is a link or no directory")]
    NotADirectory(PathBuf),
    /// The disk got in the way.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Makes the directory `home/name`, which only its owner may enter, and returns its canonical path.
///
/// It succeeds only if no other user can have put anything there: every directory above `home`
/// belongs to this user or to the system's owner, and others may write to it only if it is sticky
/// like `/tmp`; `home` and the directory in it belong to this user, nobody else may write to them,
/// and they are not links. A directory inside `workspace` is refused.
pub fn private_directory(
    home: &Path,
    name: &str,
    workspace: &Path,
) -> Result<PathBuf, StateDirError> {
    let invalid = || StateDirError::Io(io::ErrorKind::InvalidInput.into());
    let parent = home.parent().ok_or_else(invalid)?;
    let parent = match super::canonical(parent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_lasting(parent)?;
            super::canonical(parent)?
        }
        found => found?,
    };
    let home = parent.join(home.file_name().ok_or_else(invalid)?);
    if home.starts_with(workspace) {
        return Err(StateDirError::InsideWorkspace);
    }
    for above in parent.ancestors() {
        platform::check_above(above)?;
    }
    let directory = home.join(name);
    for path in [&home, &directory] {
        match check_own(path) {
            Err(StateDirError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                make_lasting(path)?;
                check_own(path)?;
            }
            checked => {
                checked?;
            }
        }
    }
    if !OpenDirectory::open(&directory)?.own_writable() {
        return Err(StateDirError::Io(io::ErrorKind::PermissionDenied.into()));
    }
    Ok(directory)
}

/// The directory `home/name` if it exists and [`private_directory`] accepts it.
pub(crate) fn existing_private_directory(
    home: &Path,
    name: &str,
    workspace: &Path,
) -> Option<PathBuf> {
    let there = home.join(name).symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    if !there {
        return None;
    }
    private_directory(home, name, workspace).ok()
}

/// Whether the path is a directory of this user that only this user may write to.
pub(crate) fn is_own_directory(path: &Path) -> bool {
    check_own(path).is_ok_and(|metadata| !metadata.permissions().readonly())
}

/// Checks that a directory belongs to this user and that nobody else may write to it.
fn check_own(path: &Path) -> Result<Metadata, StateDirError> {
    let metadata = path.symlink_metadata()?;
    if !metadata.is_dir() {
        return Err(StateDirError::NotADirectory(path.to_owned()));
    }
    platform::check_own(path, &metadata)?;
    Ok(metadata)
}

/// Makes a directory and its missing parents, private to this user, and waits until they are on the
/// medium: a journal is of no use if a loss of power removes its directory. If a parent may not be
/// opened or cannot be synced, the directories are used all the same.
fn make_lasting(directory: &Path) -> io::Result<()> {
    let made: Vec<&Path> = directory.ancestors().take_while(|above| !above.exists()).collect();
    make_private(directory)?;
    for parent in made.into_iter().rev().filter_map(Path::parent) {
        let parent = OpenDirectory::open(&super::canonical(parent)?);
        match parent.and_then(|parent| parent.sync()) {
            Err(error)
                if error.kind() == io::ErrorKind::PermissionDenied
                    || super::unsupported(&error) => {}
            synced => synced?,
        }
    }
    Ok(())
}

/// Makes a directory and its missing parents, which only their owner may enter.
pub(super) fn make_private(directory: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// A path as bytes that [`path_from_bytes`] reads; `None` if the platform cannot express it as
/// bytes.
#[cfg_attr(unix, expect(clippy::unnecessary_wraps, reason = "only Unix has bytes for every path"))]
pub(crate) fn path_bytes(path: &Path) -> Option<&[u8]> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    return path.to_str().map(str::as_bytes);
}

/// The path whose [`path_bytes`] these are.
#[cfg_attr(unix, expect(clippy::unnecessary_wraps, reason = "only Unix has bytes for every path"))]
pub(crate) fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    return Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(
        bytes,
    )));
    #[cfg(not(unix))]
    return std::str::from_utf8(bytes).ok().map(PathBuf::from);
}

/// Removes the state directories in `home` whose workspaces are gone.
///
/// Each has a file named `root` with the path of its workspace, and one named `lock`. Directories
/// that are in use or hold any unknown file stay.
pub(crate) fn drop_orphans(home: &Path, root: &str, lock: &str) {
    const MAX_DIRECTORIES: usize = 256;
    for entry in super::entries(home).unwrap_or_default().into_iter().take(MAX_DIRECTORIES) {
        let directory = home.join(entry.name);
        let Ok(bytes) = std::fs::read(directory.join(root)) else { continue };
        if path_from_bytes(&bytes).is_none_or(|root| super::exists(&root)) {
            continue;
        }
        let free =
            std::fs::File::open(directory.join(lock)).is_ok_and(|file| file.try_lock().is_ok());
        let names = super::entries(&directory).unwrap_or_default();
        let known = names.iter().all(|entry| {
            entry.name == root
                || entry.name == lock
                || [".undo", ".redo"]
                    .iter()
                    .any(|kept| entry.name.to_string_lossy().ends_with(kept))
        });
        if free && known {
            let _ = std::fs::remove_dir_all(&directory);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use hashline_testing::{Workdir, skipped};

    struct Scratch(Workdir);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(Workdir::new(name))
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn refused(&self, home: &str) -> Option<StateDirError> {
            private_directory(&self.path(home), "name", &self.path("workspace")).err()
        }
    }

    #[test]
    fn a_directory_that_belongs_to_the_user_is_used() {
        let scratch = Scratch::new("own");
        assert!(scratch.refused("a/b/home").is_none());
        assert!(scratch.refused("a/b/home").is_none(), "a second time, too");
        let mode = fs::metadata(scratch.path("a/b/home/name")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_directory_inside_an_unreadable_one_is_used() {
        let scratch = Scratch::new("unread");
        let above = scratch.0.make("above");
        fs::set_permissions(&above, Permissions::from_mode(0o300)).unwrap();
        if above.read_dir().is_ok() {
            return skipped("root may read every directory");
        }
        let used = [(); 2].map(|()| scratch.refused("above/state/home"));
        fs::set_permissions(&above, Permissions::from_mode(0o700)).unwrap();
        assert!(used.iter().all(Option::is_none), "{used:?}");
    }

    #[test]
    fn a_directory_inside_the_workspace_is_refused() {
        let scratch = Scratch::new("inside");
        let inside = scratch.refused("workspace/.local/home");
        assert!(matches!(inside, Some(StateDirError::InsideWorkspace)), "{inside:?}");
        scratch.0.make("workspace/real");
        symlink(scratch.path("workspace/real"), scratch.path("link")).unwrap();
        let inside = scratch.refused("link/home");
        assert!(matches!(inside, Some(StateDirError::InsideWorkspace)), "{inside:?}");
    }

    #[test]
    fn links_and_directories_that_others_may_write_to_are_refused() {
        let scratch = Scratch::new("others");
        for (home, loosened) in [("a/home", "a"), ("b/home", "b/home"), ("c/home", "c/home/name")] {
            scratch.0.make(&format!("{home}/name"));
            let path = scratch.path(loosened);
            fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
            let refused = scratch.refused(home);
            assert!(
                matches!(&refused, Some(StateDirError::WritableByOthers(found)) if *found == path),
                "{home}: {refused:?}"
            );
        }
        scratch.0.make("elsewhere/name");
        scratch.0.make("d");
        symlink(scratch.path("elsewhere"), scratch.path("d/home")).unwrap();
        let refused = scratch.refused("d/home");
        assert!(matches!(refused, Some(StateDirError::NotADirectory(_))), "{refused:?}");
        scratch.0.make("e/home");
        symlink(scratch.path("elsewhere/name"), scratch.path("e/home/name")).unwrap();
        let refused = scratch.refused("e/home");
        assert!(matches!(refused, Some(StateDirError::NotADirectory(_))), "{refused:?}");
    }

    #[test]
    fn a_directory_of_another_user_is_refused() {
        let scratch = Scratch::new("user");
        scratch.0.make("home/name");
        // Only root can give a directory to another user; otherwise this test is skipped.
        if std::os::unix::fs::chown(scratch.path("home/name"), Some(12345), None).is_err() {
            return skipped("only root can give a directory to another user");
        }
        let refused = scratch.refused("home");
        assert!(matches!(refused, Some(StateDirError::NotOurs(_))), "{refused:?}");
    }
}
