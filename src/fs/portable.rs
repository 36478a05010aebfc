//! Files by name in a directory, on platforms where a directory is only a path.
//!
//! Before each use the path is compared with what it leads to, so that a directory that has become
//! a link is noticed. Between the comparison and the use there is a gap, which cannot be closed on
//! such a platform.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::disk::Facts;
use super::{Like, kind_of};

/// Opens files that a walk finds, one directory after the other.
#[derive(Default, Debug)]
pub struct SiblingOpener;

impl SiblingOpener {
    /// Opens a file that a walk has just found to be regular, as [`super::open_walked`] does.
    #[expect(clippy::unused_self, reason = "elsewhere the directory is remembered")]
    pub fn open(&mut self, path: &Path) -> io::Result<File> {
        super::open_walked(path)
    }
}

/// A directory by its path.
#[derive(Debug)]
pub struct OpenDirectory(PathBuf);

impl OpenDirectory {
    /// Opens a directory by its absolute path.
    pub fn open(path: &Path) -> io::Result<Self> {
        let directory = Self(path.to_owned());
        directory.check()?;
        Ok(directory)
    }

    fn check(&self) -> io::Result<()> {
        if super::canonical(&self.0)? == self.0 {
            return Ok(());
        }
        Err(io::Error::new(io::ErrorKind::NotADirectory, "the directory has become a link"))
    }

    fn path_of(&self, name: &OsStr) -> io::Result<PathBuf> {
        self.check()?;
        Ok(self.0.join(name))
    }

    /// What is at a name.
    pub fn look(&self, name: &OsStr) -> io::Result<Option<Facts>> {
        match self.path_of(name)?.symlink_metadata() {
            Ok(metadata) => Ok(Some(facts(&metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether this process may write to what is at a name.
    pub fn writable(&self, name: &OsStr) -> bool {
        self.look(name).is_ok_and(|facts| facts.is_none_or(|facts| !facts.read_only))
    }

    /// Whether this process may make files here.
    pub fn own_writable(&self) -> bool {
        true
    }

    /// Opens a file for reading.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.path_of(name)?)
    }

    /// Opens a file for writing, as it is.
    pub fn open_to_write(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().write(true).open(self.path_of(name)?)
    }

    /// Makes a file that was not there.
    pub fn create(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        File::create_new(self.path_of(name)?)
    }

    /// Makes a directory.
    pub fn make_directory(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.path_of(name)?)
    }

    /// Removes an empty directory.
    pub fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.path_of(name)?)
    }

    /// Removes a file.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path_of(name)?)
    }

    /// Gives a file a second name.
    pub fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::hard_link(self.path_of(name)?, to.path_of(new)?)
    }

    /// Gives a file another name.
    pub fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fs::rename(self.path_of(name)?, to.path_of(new)?)
    }

    /// Swapping the names of two files cannot be done here.
    pub fn exchange(&self, _name: &OsStr, _to: &Self, _other: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Gives a file a name that no file has.
    pub fn rename_new(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        if to.look(new)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(name, to, new)
    }

    /// The names in this directory.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        self.0.read_dir()?.map(|entry| entry.map(|entry| entry.file_name())).collect()
    }

    /// Directories cannot be synced here.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives `file` the permissions of `other`.
pub fn copy_metadata(file: &File, other: &File) -> io::Result<()> {
    file.set_permissions(other.metadata()?.permissions())
}

/// There are no such permissions here.
pub fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// There are no such permissions here.
pub fn mode_of(_like: &Like) -> u32 {
    0
}

/// Unknown here, so that no file of another process is ever taken for a leftover.
pub fn process_lives(_id: u32) -> bool {
    true
}

/// A word for this user that no other user has.
pub fn user_name() -> String {
    let home = super::home().unwrap_or_default();
    home.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Whether other users can have put something into a directory; `Safe` is all this platform says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(dead_code, reason = "only Unix tells owners apart")]
pub enum Trust {
    /// They cannot.
    Safe,
    /// It belongs to another user.
    NotOurs,
    /// They may write to it.
    WritableByOthers,
}

/// Access control lists guard the user's directories here.
pub fn trust_above(_directory: &Path) -> io::Result<Trust> {
    Ok(Trust::Safe)
}

/// Access control lists guard the user's directories here.
pub fn trust_own(_metadata: &Metadata) -> Trust {
    Trust::Safe
}

fn facts(metadata: &Metadata) -> Facts {
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Facts {
        kind: kind_of(metadata.file_type()),
        size: metadata.len(),
        modified: since.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(0)),
        inode: 0,
        device: 0,
        links: 1,
        mode: 0,
        ours: true,
        read_only: metadata.permissions().readonly(),
    }
}
