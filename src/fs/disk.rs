//! What a disk can be told.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::FileKind;

/// The door to the disk for writing.
///
/// Each call is one step that happens or fails; a transaction is safe because it is safe after any
/// of them. Paths are absolute and free of symbolic links, and they are used as they are: a
/// directory that has become a symbolic link since the path was checked is an error, never followed.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Forgets what was learnt about directories; called when work begins.
    fn begin(&self) {}

    /// What stands at a path; `None` if nothing does.
    fn look(&self, path: &Path) -> io::Result<Option<Facts>>;

    /// Whether this process may write to the file or directory.
    fn writable(&self, path: &Path) -> io::Result<bool>;

    /// All bytes of a regular file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names in a directory, in no order.
    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>>;

    /// Makes a directory in one that exists.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;

    /// Makes a file that was not there. After an error there may be a part of it.
    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File>;

    /// Writes into a file that [`Disk::create`] made.
    fn write_at(&self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Waits until a file's bytes are on the medium.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Writes over a file from its beginning and cuts it to the new length last.
    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()>;

    /// Lets two files change names, at once.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;

    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name; a file that has it is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name, which no file may have.
    fn place(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until the names in a directory are on the medium.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// What is known of a file without reading it; symbolic links are not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds.
    pub modified: i128,
    /// What tells it from other files of its device; 0 where the platform does not say.
    pub inode: u64,
    /// The device it is on.
    pub device: u64,
    /// How many names it has.
    pub links: u64,
    /// Its permissions, as Unix has them.
    pub mode: u32,
    /// Whether a file made by this process would have the same owner, or could be given it.
    pub ours: bool,
    /// Whether nobody may write to it.
    pub read_only: bool,
}

impl Facts {
    /// Whether both are the same file under two names.
    pub fn same_file(&self, other: &Self) -> bool {
        self.inode != 0 && (self.inode, self.device) == (other.inode, other.device)
    }

    /// Whether nothing was written to the file in between, as far as can be told from outside.
    pub fn unchanged(&self, before: &Self) -> bool {
        self.inode == before.inode && self.size == before.size && self.modified == before.modified
    }
}

/// What a new file is to be like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Like {
    /// Any file of this user.
    New,
    /// A file that only its owner may read.
    Private,
    /// A file with these permissions.
    Mode(u32),
    /// Another file: its permissions, owner and attributes, and its times too if so wished.
    File {
        /// The other file.
        path: PathBuf,
        /// Whether the times are kept.
        times: bool,
    },
}
