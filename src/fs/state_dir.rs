//! Where this user's state is kept, and paths as bytes.

use std::io;
use std::path::{Path, PathBuf};

pub use super::platform::process_lives;

/// The directories in which this program may keep state, best first: the user's own, and the
/// temporary directory for when that cannot be written to.
pub fn state_homes() -> Vec<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let mut homes = Vec::new();
    if cfg!(windows) {
        homes.extend(absolute("LOCALAPPDATA"));
    } else {
        homes.extend(absolute("XDG_STATE_HOME"));
        homes.extend(super::home().map(|home| home.join(".local/state")));
    }
    homes.truncate(1);
    let mut homes: Vec<PathBuf> = homes.into_iter().map(|home| home.join("hashline")).collect();
    // The temporary directory is shared, so that the name says whose it is.
    let user = super::home().unwrap_or_default();
    let user: String = user.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect();
    homes.push(std::env::temp_dir().join(format!("hashline-state-{user}")));
    homes
}

/// Makes a directory, and those above it, that only its owner may look into, and gives its path
/// with symbolic links followed. A directory that cannot be written to is an error.
pub fn private_directory(path: &Path) -> io::Result<PathBuf> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    let path = path.canonicalize()?;
    let directory = super::platform::OpenDirectory::open(&path)?;
    #[cfg(unix)]
    {
        // In a shared directory somebody else may have been first.
        let facts = std::fs::symlink_metadata(&path)?;
        let mode = std::os::unix::fs::PermissionsExt::mode(&facts.permissions());
        let parent =
            path.parent().and_then(|parent| super::platform::OpenDirectory::open(parent).ok());
        let name = path.file_name().unwrap_or_default();
        let owner = parent.and_then(|parent| parent.look(name).ok().flatten());
        if mode & 0o022 != 0 || owner.is_some_and(|facts| !facts.ours) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write to it"));
        }
    }
    if !directory.own_writable() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(path)
}

/// A path as bytes that [`path_from_bytes`] reads; `None` if the platform has no such bytes for it.
pub fn path_bytes(path: &Path) -> Option<&[u8]> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()));
    #[cfg(not(unix))]
    return path.to_str().map(str::as_bytes);
}

/// The path that [`path_bytes`] wrote.
pub fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    return Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(
        bytes,
    )));
    #[cfg(not(unix))]
    return std::str::from_utf8(bytes).ok().map(PathBuf::from);
}

/// Removes directories below `home` whose workspaces are gone.
///
/// Each has a file called `root` with the path of its workspace, and one called `lock`. Those that
/// somebody is using, and those that hold anything unknown, stay.
pub fn drop_orphans(home: &Path, root: &str, lock: &str) {
    const MOST: usize = 256;
    for entry in super::entries(home).unwrap_or_default().into_iter().take(MOST) {
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
                || entry.name.to_string_lossy().ends_with(".undo")
        });
        if free && known {
            let _ = std::fs::remove_dir_all(&directory);
        }
    }
}
