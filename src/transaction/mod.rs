//! Writing what was planned.
//!
//! [`commit`] takes every change of one patch and makes them all. Before the first is made, each
//! file is compared with what the plan was made from; if a later one fails, the earlier ones are
//! undone. It does not survive a crash in between.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::fs;
use crate::fs::write;

/// One change to the disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What must be there before: its bytes, or `None` for no file.
    pub expected: Option<Vec<u8>>,
    /// What is to happen.
    pub then: Then,
}

/// What is to happen to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// It gets this content, and is made if it is not there.
    Put(Vec<u8>),
    /// It goes.
    Remove,
    /// It gets another name, where no file is, and perhaps another content.
    MoveTo {
        /// The new name.
        to: PathBuf,
        /// The new content, if it changes.
        content: Option<Vec<u8>>,
    },
}

/// The facts of what landed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// A name for this commit, unique within the process.
    pub id: String,
    /// The files that were written, moved or removed.
    pub paths: Vec<PathBuf>,
}

/// The disk got in the way.
#[derive(Debug)]
pub struct Fault {
    /// What was being done.
    pub doing: &'static str,
    /// To which file.
    pub path: PathBuf,
    /// How many files the patch names.
    pub files: usize,
    /// Files that could not be put back as they were.
    pub left: Vec<PathBuf>,
    /// Why.
    pub source: io::Error,
}

impl Fault {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        if self.left.is_empty() { "write_failed" } else { "undo_failed" }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: {}", self.doing, self.path.display(), self.source)?;
        if self.left.is_empty() {
            return write!(f, "; none of the {} files were changed", self.files);
        }
        let left: Vec<_> = self.left.iter().map(|path| path.display().to_string()).collect();
        write!(f, "; not put back: {}", left.join(", "))
    }
}

impl std::error::Error for Fault {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Makes all changes or none.
///
/// A file that is not what was expected is a fault of kind [`io::ErrorKind::ResourceBusy`]: somebody
/// wrote to it since it was read.
pub fn commit(changes: &[Change]) -> Result<Receipt, Fault> {
    let fault = |doing, path: &Path, source| Fault {
        doing,
        path: path.to_owned(),
        files: changes.len(),
        left: Vec::new(),
        source,
    };
    for change in changes {
        check(change).map_err(|error| fault("write", &change.path, error))?;
    }
    for (done, change) in changes.iter().enumerate() {
        if let Err(source) = make(change) {
            let left = changes[..done].iter().rev().filter(|change| undo(change).is_err());
            return Err(Fault {
                left: left.map(|change| change.path.clone()).collect(),
                ..fault(change.then.doing(), &change.path, source)
            });
        }
    }
    Ok(Receipt { id: next_id(), paths: changes.iter().map(|change| change.path.clone()).collect() })
}

impl Then {
    fn doing(&self) -> &'static str {
        match self {
            Self::Put(_) => "write",
            Self::Remove => "remove",
            Self::MoveTo { .. } => "move",
        }
    }
}

fn check(change: &Change) -> io::Result<()> {
    let same = match (&change.expected, fs::exists(&change.path)) {
        (None, there) => !there,
        (Some(_), false) => false,
        (Some(expected), true) => read(&change.path)? == *expected,
    };
    if !same {
        return Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "it was changed by somebody else in the meantime",
        ));
    }
    if change.expected.is_some() && write::is_read_only(&change.path) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    match &change.then {
        Then::MoveTo { to, .. } if fs::exists(to) => Err(io::ErrorKind::AlreadyExists.into()),
        _ => Ok(()),
    }
}

fn make(change: &Change) -> io::Result<()> {
    match &change.then {
        Then::Put(content) => write::put(&change.path, content),
        Then::Remove => write::remove(&change.path),
        Then::MoveTo { to, content } => {
            write::rename(&change.path, to)?;
            match content {
                Some(content) => write::put(to, content),
                None => Ok(()),
            }
        }
    }
}

fn undo(change: &Change) -> io::Result<()> {
    if let Then::MoveTo { to, .. } = &change.then {
        write::rename(to, &change.path)?;
    }
    match &change.expected {
        Some(old) => write::put(&change.path, old),
        None => write::remove(&change.path),
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let never = std::sync::atomic::AtomicBool::new(false);
    fs::contents(path, usize::MAX, &never)
}

fn next_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
