//! The disk operations that a transaction consists of.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::FileKind;

/// Every operation that a transaction performs on the disk.
///
/// Each call is one step that happens or fails; a transaction is safe because it is safe after any
/// of them. Paths are absolute and free of symbolic links, and they are used as they are: a
/// directory that has become a symbolic link since the path was checked is an error, never followed.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Closes every directory that is held open; called when work begins and when it ends.
    fn close_directories(&self) {}

    /// The file at a path; `None` if there is none.
    fn look(&self, path: &Path) -> io::Result<Option<Facts>>;

    /// Whether this process may write to the file or directory of which these are the facts.
    fn writable(&self, path: &Path, facts: &Facts) -> io::Result<bool>;

    /// All bytes of a regular file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names in a directory, in no order.
    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>>;

    /// Whether [`Disk::sync_directory`] waits for anything.
    fn syncs_directories(&self) -> bool {
        cfg!(unix)
    }

    /// Makes a directory in one that exists.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;

    /// Makes a file that was not there. After an error there may be a part of it.
    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File>;

    /// What a file has besides its content, where the platform says.
    fn belongings(&self, path: &Path) -> io::Result<Belongings> {
        let _ = path;
        Ok(Belongings::default())
    }

    /// Writes a few bytes over others in a file that exists.
    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()>;

    /// Asks the system to begin with what [`Disk::sync`] waits for, where it can be asked.
    fn begin_sync(&self, file: &File) {
        let _ = file;
    }

    /// Waits until a file's bytes are on the medium.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Writes over a file from its beginning and cuts it to the new length last.
    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()>;

    /// Swaps the names of two files in one step.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;

    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name; a file that has that name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file or a directory another name, which no file may have.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until a directory and the names in it are on the medium.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// Facts about a file, without reading it; symbolic links are not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified: i128,
    /// Its number, unique on its device; 0 where the platform does not say.
    pub inode: u64,
    /// The device it is on.
    pub device: u64,
    /// How many names it has.
    pub links: u64,
    /// Its permissions, as Unix has them.
    pub mode: u32,
    /// Whether a file made by this process would have the same owner and group, or could be given them.
    pub ours: bool,
    /// Whether it is read-only.
    pub read_only: bool,
}

/// The coarsest clock of a file system in common use: FAT counts in steps of two seconds.
const COARSEST_TICK: Duration = Duration::from_secs(2);

impl Facts {
    /// Whether both are the same file under two names.
    pub fn same_file(&self, other: &Self) -> bool {
        self.inode != 0 && (self.inode, self.device) == (other.inode, other.device)
    }

    /// Whether nothing was written to the file in between, as far as size and time show.
    pub fn unchanged(&self, before: &Self) -> bool {
        self.inode == before.inode && self.size == before.size && self.modified == before.modified
    }

    /// Whether the file was changed so lately that another write need not show in its time.
    pub fn just_modified(&self) -> bool {
        let now = nanoseconds(SystemTime::now());
        let tick = i128::try_from(COARSEST_TICK.as_nanos()).expect("a few seconds fit");
        self.modified + tick > now
    }
}

/// A time in nanoseconds since 1970, as [`Facts::modified`] counts.
pub(crate) fn nanoseconds(time: SystemTime) -> i128 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i128::try_from(since.as_nanos()).unwrap_or(i128::MAX)
}

/// What a file has besides its content, its permissions and its times.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Belongings {
    /// The numbers of its owner and its group, where the platform has them.
    pub owner: Option<(u32, u32)>,
    /// Its extended attributes by name, access control lists among them.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The attributes that a new file gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Like {
    /// Any file of this user.
    New,
    /// A file that only its owner may read.
    Private,
    /// A file with these permissions, and the owner and attributes that another had, as far as that is
    /// allowed.
    Was(u32, Belongings),
    /// Another file: its permissions, owner and attributes, and its times too if `times`.
    File {
        /// The other file.
        path: PathBuf,
        /// Whether the times are copied.
        times: bool,
    },
}
