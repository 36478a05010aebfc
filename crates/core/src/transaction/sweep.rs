//! Removing temporary files that no journal names.
//!
//! Such files remain only if their journal was lost, for example by a loss of power with
//! [`Durability::Fast`]. After an exchange of names the *old* text has the temporary name, so a
//! file is removed only if nobody can still need it.
//!
//! [`Durability::Fast`]: super::Durability::Fast

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::journal::TEMPORARY;
use crate::fs::{Disk, Facts, FileKind, nanoseconds, process_lives};

/// A file must be this old before it is removed, because we cannot see whether a writer in another
/// container still runs.
const MIN_AGE: Duration = Duration::from_hours(24);

/// At most so many directory entries are visited.
const MAX_NAMES: usize = 100_000;

/// Removes abandoned temporary files below `root`, and returns their paths.
///
/// `journals` are the transactions that have a journal, in whatever state.
pub(super) fn sweep(disk: &dyn Disk, root: &Path, journals: &HashSet<String>) -> Vec<PathBuf> {
    let now = nanoseconds(SystemTime::now());
    let mut swept = Vec::new();
    let mut ahead = vec![root.to_owned()];
    let mut seen = 0;
    while let Some(directory) = ahead.pop() {
        for name in disk.names(&directory).unwrap_or_default() {
            seen += 1;
            if seen > MAX_NAMES {
                return swept;
            }
            let path = directory.join(&name);
            let Ok(Some(facts)) = disk.look(&path) else { continue };
            if let Some(file) = name.to_str().and_then(StagedName::read) {
                if file.is_abandoned(&facts, now, journals) && disk.remove(&path).is_ok() {
                    swept.push(path);
                }
            } else if name != ".git" && name != "node_modules" && facts.kind == FileKind::Directory
            {
                ahead.push(path);
            }
        }
    }
    swept
}

/// The parts of a staged file's name.
#[derive(Clone, PartialEq, Eq, Debug)]
struct StagedName {
    /// The name of the transaction.
    id: String,
    /// The process that staged it.
    process: u32,
    /// When the transaction began, in nanoseconds since 1970.
    time: i128,
}

impl StagedName {
    /// Reads `.hashline-<process>-<time><count>-<number>.tmp`. A file that is kept for rolling back
    /// has another ending and is never removed, because it may be the only copy.
    fn read(name: &str) -> Option<Self> {
        /// How many hexadecimal digits the time in microseconds has.
        const TIME_DIGITS: usize = 13;
        let (id, number) = name.strip_prefix(TEMPORARY)?.strip_suffix(".tmp")?.rsplit_once('-')?;
        let (process, time) = id.split_once('-')?;
        number.parse::<usize>().ok()?;
        let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hex(process) || !hex(time) {
            return None;
        }
        let microseconds = i128::from_str_radix(time.get(..TIME_DIGITS)?, 16).ok()?;
        Some(Self {
            id: id.to_owned(),
            process: u32::from_str_radix(process, 16).ok()?,
            time: microseconds * 1000,
        })
    }

    /// Whether nobody can need a file with this name any more.
    fn is_abandoned(&self, facts: &Facts, now: i128, journals: &HashSet<String>) -> bool {
        let age = i128::try_from(MIN_AGE.as_nanos()).unwrap_or(i128::MAX);
        facts.kind == FileKind::File
            && !journals.contains(&self.id)
            // A file changed before the transaction began holds the old text, not the staged one.
            && facts.modified >= self.time
            && now - facts.modified >= age
            && !process_lives(self.process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i128 = 24 * 60 * 60 * 1_000_000_000;

    #[test]
    fn the_name_of_a_staged_file_says_which_process_made_it() {
        let read = StagedName::read(".hashline-1f-66067caf891c00-3.tmp").unwrap();
        assert_eq!((read.id.as_str(), read.process), ("1f-66067caf891c00", 31));
        assert_eq!(read.time, 0x0006_6067_caf8_91c0 * 1000);
        for other in [
            ".hashline-1f-66067caf891c00-3.old",
            ".hashline-x-66067caf891c00-1.tmp",
            ".hashline-1f-66067caf891c00-x.tmp",
            ".hashline-1f-5a0-3.tmp",
            ".hashline-1.tmp",
            "a.tmp",
        ] {
            assert_eq!(StagedName::read(other), None, "{other}");
        }
    }

    #[test]
    fn only_files_that_nobody_can_need_are_abandoned() {
        let began: i128 = 1_700_000_000_000_000_000;
        let dead = 0x7fff_fff0;
        let name = StagedName { id: "7ffffff0-1".to_owned(), process: dead, time: began };
        let file = |modified| Facts {
            kind: FileKind::File,
            size: 1,
            modified,
            inode: 1,
            device: 1,
            links: 1,
            mode: 0o644,
            ours: true,
            read_only: false,
        };
        let none = HashSet::new();
        let late = began + 3 * DAY;
        assert!(name.is_abandoned(&file(began + 1), late, &none));
        assert!(!name.is_abandoned(&file(began - 1), late, &none), "it is the old text");
        assert!(!name.is_abandoned(&file(began + 1), began + DAY / 2, &none), "it is young");
        assert!(!name.is_abandoned(&file(late - DAY / 2), late, &none), "it was written to lately");
        let known = HashSet::from([name.id.clone()]);
        assert!(!name.is_abandoned(&file(began + 1), late, &known), "a journal knows it");
        let living = StagedName { process: std::process::id(), ..name.clone() };
        assert!(!living.is_abandoned(&file(began + 1), late, &none), "its process lives");
        let link = Facts { kind: FileKind::Directory, ..file(began + 1) };
        assert!(!name.is_abandoned(&link, late, &none), "it is no file");
    }
}
