//! The disk operations that make up a transaction.

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
/// of them. Paths are absolute and free of symbolic links: if a directory in one has become a
/// symbolic link since the path was checked, the step fails.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Closes every directory that this keeps open; called when a writer begins and ends.
    fn close_directories(&self) {}

    /// Facts about the file at a path; `None` if there is no file.
    fn look(&self, path: &Path) -> io::Result<Option<Facts>>;

    /// Whether this process may write to a file or directory with these facts.
    fn writable(&self, path: &Path, facts: &Facts) -> io::Result<bool>;

    /// All bytes of a regular file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names in a directory, in no particular order.
    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>>;

    /// Whether [`Disk::sync_directory`] does anything.
    fn syncs_directories(&self) -> bool {
        cfg!(unix)
    }

    /// Makes a directory; its parent must exist.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;

    /// Creates a new file. After an error, part of it may be there.
    fn create(&self, path: &Path, content: &[u8], like: &Like) -> io::Result<File>;

    /// The owner and extended attributes of a file, if the platform provides them.
    fn belongings(&self, path: &Path) -> io::Result<Belongings> {
        let _ = path;
        Ok(Belongings::default())
    }

    /// Overwrites a few bytes of an existing file.
    fn write_at(&self, path: &Path, offset: u64, bytes: &[u8], sync: bool) -> io::Result<()>;

    /// Asks the system to start writing a file to the medium, if it has such a call; [`Disk::sync`]
    /// waits for the end.
    fn begin_sync(&self, file: &File) {
        let _ = file;
    }

    /// Waits until a file's bytes are on the medium.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Overwrites a file in place, then cuts it to the new length.
    fn overwrite(&self, path: &Path, content: &[u8], sync: bool) -> io::Result<()>;

    /// Swaps the names of two files in one step.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;

    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file; it replaces any file with the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file or a directory; fails if the new name is taken.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Waits until a directory and the names in it are on the medium.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// Facts about a file, without reading it; symbolic links are not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// What kind of file it is.
    pub kind: FileKind,
    /// The size of the file in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified: i128,
    /// Its inode number, unique on its device; 0 if the platform has none.
    pub inode: u64,
    /// The number of the device it is on.
    pub device: u64,
    /// How many names (hard links) it has.
    pub links: u64,
    /// The file's Unix permission bits.
    pub mode: u32,
    /// Whether a file that this process creates can have the same owner and group.
    pub ours: bool,
    /// Whether the file is read-only.
    pub read_only: bool,
}

/// The coarsest clock of a common file system: FAT counts in steps of two seconds.
const COARSEST_TICK: Duration = Duration::from_secs(2);

impl Facts {
    /// Whether both describe the same file, perhaps under two names.
    pub fn same_file(&self, other: &Self) -> bool {
        self.inode != 0 && (self.inode, self.device) == (other.inode, other.device)
    }

    /// Whether inode, size and time are the same, so that probably nobody wrote to the file in
    /// between.
    pub fn unchanged(&self, before: &Self) -> bool {
        self.inode == before.inode && self.size == before.size && self.modified == before.modified
    }

    /// Whether the file was changed so recently that another write might not change its time.
    pub fn just_modified(&self) -> bool {
        let now = nanoseconds(SystemTime::now());
        let tick = i128::try_from(COARSEST_TICK.as_nanos()).expect("a few seconds fit");
        self.modified + tick > now
    }
}

/// A time in nanoseconds since 1970, like [`Facts::modified`].
pub(crate) fn nanoseconds(time: SystemTime) -> i128 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i128::try_from(since.as_nanos()).unwrap_or(i128::MAX)
}

/// A file's metadata other than its permissions and times.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Belongings {
    /// The numbers of its owner and its group, if the platform has them.
    pub owner: Option<(u32, u32)>,
    /// Its extended attributes by name, access control lists among them.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What permissions, owner, attributes and times a new file gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Like {
    /// Those of any new file of this user.
    New,
    /// Those of a file that only its owner may read.
    Private,
    /// These permissions, and as far as the system allows, this owner and these attributes.
    Was(u32, Belongings),
    /// Those of another file, without its times unless `times` is set.
    File {
        /// The path of the other file.
        path: PathBuf,
        /// Whether the times are copied too.
        times: bool,
    },
}
