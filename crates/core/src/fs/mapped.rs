//! Files of our own, mapped into memory instead of copied.
//!
//! Only for journals and undo copies: this program writes them, in a directory that
//! only its user can enter, and replaces them by renaming. A file of the workspace is never mapped:
//! if another program cuts it short, touching the missing part kills the whole host by SIGBUS.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use super::disk::OwnBytes;

/// Smaller files are read: setting up a map costs more than copying them.
const MIN_MAPPED: u64 = 256 << 10;

/// A file of our own in memory.
#[derive(Debug)]
pub struct Mapped(memmap2::Mmap);

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// All bytes of an open file that only this program writes.
pub(super) fn own_bytes(file: &mut File) -> io::Result<OwnBytes> {
    let len = file.metadata()?.len();
    if len >= MIN_MAPPED {
        #[expect(
            unsafe_code,
            reason = "mapping a file is only safe while no program truncates it"
        )]
        // SAFETY: the file is one of our own. This program never cuts such a file short: it
        // replaces it by renaming, which leaves the mapped file as it is. The one byte that is
        // written in place, the state of a journal, is written by the holder of the workspace's
        // lock, who is also the only one to read journals.
        return unsafe { memmap2::Mmap::map(&*file) }.map(|map| OwnBytes::Mapped(Mapped(map)));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
    file.read_to_end(&mut bytes)?;
    Ok(OwnBytes::Read(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_is_mapped_and_a_small_one_read() {
        let path = std::env::temp_dir().join(format!("hashline-mapped-{}", std::process::id()));
        for (len, mapped) in [(0, false), (10, false), (MIN_MAPPED, true)] {
            let content: Vec<u8> = (0..len).map(|at| at.to_le_bytes()[0]).collect();
            std::fs::write(&path, &content).unwrap();
            let bytes = own_bytes(&mut File::open(&path).unwrap()).unwrap();
            assert_eq!(matches!(bytes, OwnBytes::Mapped(_)), mapped, "{len}");
            assert_eq!(*bytes, *content);
        }
        std::fs::remove_file(path).unwrap();
    }
}
