//! What the guard remembers from one command of a session to the next.
//!
//! When a later command runs, prints or moves a scratch file, the file is judged by what an earlier
//! command put into it. The texts of blocked writes are kept too, so that a patch can give a short
//! name instead of repeating them. Both are limited; a forgotten scratch file is judged like any
//! other process's file.

use std::collections::{BTreeMap, VecDeque};

use crate::known::Scratch;
use crate::unknown::is_known;

/// The most scratch files that are remembered.
const MAX_FILES: usize = 256;
/// The most text of scratch files that is kept, in bytes.
const MAX_SCRATCH_BYTES: usize = 256 << 10;
/// The most texts of blocked writes that are kept.
const MAX_TEXTS: usize = 16;
/// The most text of blocked writes that is kept, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The beginning of the name of a kept text.
const NAME_PREFIX: &str = "@blocked:";

/// Scratch files and blocked texts of earlier commands.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    scratch: BTreeMap<String, Scratch>,
    texts: VecDeque<(usize, String)>,
    kept: usize,
}

impl Memory {
    /// The text with a name such as `@blocked:1`; `None` if this is no such name, or if the text
    /// is no longer kept.
    ///
    /// ```
    /// use hashline_guard::Memory;
    /// assert!(Memory::is_name("@blocked:12"));
    /// assert_eq!(Memory::default().text("@blocked:12"), None);
    /// ```
    pub fn text(&self, name: &str) -> Option<&str> {
        let number: usize = name.strip_prefix(NAME_PREFIX)?.parse().ok()?;
        self.texts.iter().find(|(kept, _)| *kept == number).map(|(_, text)| text.as_str())
    }

    /// Whether a text consists of such a name, kept or not.
    pub fn is_name(text: &str) -> bool {
        text.strip_prefix(NAME_PREFIX)
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    }

    /// Keeps a text and returns its name.
    pub(crate) fn keep(&mut self, text: &str) -> String {
        self.kept += 1;
        self.texts.push_back((self.kept, text.to_owned()));
        while self.texts.len() > MAX_TEXTS
            || self.texts.iter().map(|(_, text)| text.len()).sum::<usize>() > MAX_TEXT_BYTES
        {
            self.texts.pop_front();
        }
        format!("{NAME_PREFIX}{}", self.kept)
    }

    /// The scratch files that are remembered.
    pub(crate) fn scratch(&self) -> BTreeMap<String, Scratch> {
        self.scratch.clone()
    }

    /// Remembers the scratch files that a command leaves behind.
    pub(crate) fn keep_scratch(&mut self, scratch: BTreeMap<String, Scratch>) {
        // A file made by a query may lie in the workspace, where other tools may change it.
        let lasts = |kept: &Scratch| !matches!(kept, Scratch::EditOf(..));
        let known = scratch.into_iter().filter(|(path, kept)| is_known(path) && lasts(kept));
        self.scratch = known.collect();
        let size = |scratch: &Scratch| match scratch {
            Scratch::Made(text) => text.len(),
            _ => 64,
        };
        while self.scratch.len() > MAX_FILES
            || self.scratch.values().map(size).sum::<usize>() > MAX_SCRATCH_BYTES
        {
            let largest = self.scratch.iter().max_by_key(|(_, scratch)| size(scratch));
            let Some(path) = largest.map(|(path, _)| path.clone()) else { return };
            self.scratch.remove(&path);
        }
    }
}
