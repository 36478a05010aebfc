//! Getting a thread ready for its first read.
//!
//! The first read of a thread takes several times as long as a later one: its heap is empty, and the code that it runs
//! is not in memory or at least in no cache. A host has time for that before its model asks for anything.

use std::hint::black_box;
use std::path::PathBuf;

use super::Session;
use super::memory::Remembered;
use crate::read::{self, KnownFile, LinesWanted, Loaded, LoadedLines, PathContent};
use hashline_text::{Digest, Document};

/// As many lines as are often read at once.
const LINES: usize = 500;

/// A line of about the usual length.
const LINE: &str = "    let shown = lines.take(most); // 0\n";

impl Session {
    /// Runs what a read runs, over lines that are nobody's. It touches no disk and changes nothing.
    pub fn warm_up(&self) {
        let document = Document::from_text(LINE.repeat(LINES));
        let known = KnownFile { digest: Some(Digest::of(document.bytes())), lines: None };
        let text =
            LoadedLines { total: document.len(), document, before: 0, whole: true, stamp: 0 };
        let loaded = Loaded {
            name: String::new(),
            path: PathBuf::new(),
            key: PathBuf::new(),
            wanted: LinesWanted::default(),
            changes: false,
            view: None,
            known,
            content: Ok(PathContent::Text(text)),
        };
        let assembled = read::assemble(vec![loaded], self.scheme, self.budget, &[]);
        let remembered = Remembered::new(usize::MAX, None);
        for seen in assembled.seen {
            remembered.remember_read(&seen.key, seen.snapshot);
        }
        black_box((assembled.text, remembered));
    }
}

#[cfg(test)]
mod tests {
    use crate::session::{Options, Session};

    #[test]
    fn a_warm_up_leaves_nothing_behind() {
        let session = Session::new(Options::new(std::env::temp_dir())).unwrap();
        session.warm_up();
        assert_eq!(session.remembered().only_path(), None);
        assert!(session.remembered().take_warnings().is_empty());
    }
}
