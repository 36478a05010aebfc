//! The last versions of many paths, within a limit.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use super::{FileLines, OwnEdit, Snapshot};
use hashline_text::{Digest, Encoding, Span};

/// How many bytes a memory may take by default.
pub(crate) const DEFAULT_BYTES: usize = 64 << 20;

/// How many paths a memory keeps even if its limit is smaller.
pub(crate) const MIN_PATHS: usize = 256;

/// The maximum number of versions of one path. Unless they are small, the limit in bytes is reached
/// first.
pub(crate) const MAX_VERSIONS: usize = 1024;

/// How many versions of one path are kept with all their lines. An older version whose next one our
/// patch made keeps only the lines that were shown.
const WHOLE_VERSIONS: usize = 8;

/// Which lines were shown of which paths; the least recently shown path is forgotten first.
///
/// When there is too little room, the digests of lines that were never shown are forgotten first,
/// then old versions, and only then whole paths, of which `MIN_PATHS` always stay.
///
/// ```
/// use std::path::Path;
/// use hashline_text::{Document, LineNumber, Listing, Scheme, Span};
/// use hashline_core::testing::snapshot::{Memory, Snapshot};
/// let document = Document::from_text("a\n");
/// let listing = Listing::new(&document, Scheme::Hex2);
/// let mut memory = Memory::default();
/// memory.remember(Path::new("f"), Snapshot::of(&listing, &[Span::line(LineNumber::FIRST)]));
/// let anchor = listing.anchor(LineNumber::FIRST).unwrap();
/// assert!(memory.versions(Path::new("f"))[0].recall(&anchor).is_some());
/// assert!(memory.versions(Path::new("g")).is_empty());
/// ```
#[derive(Debug)]
pub struct Memory {
    paths: HashMap<PathBuf, PathHistory>,
    /// For the digest of a file's bytes, a version that may have its lines.
    contents: HashMap<Digest, Weak<Snapshot>>,
    bytes: usize,
    max_bytes: usize,
    /// Whether any version was ever in an encoding other than UTF-8.
    any_encoded: bool,
    /// Counts uses, so that entries can be sorted by their last use.
    uses: u64,
}

#[derive(Debug)]
struct PathHistory {
    /// The versions, newest first; never empty.
    versions: Vec<Arc<Snapshot>>,
    bytes: usize,
    last_use: u64,
}

/// An event that changes what we know about a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Lines of these versions of the file were shown; the newest comes first.
    Shown(Vec<Snapshot>),
    /// These lines, zero-based, no longer count as shown in versions older than the newest.
    Retired(Vec<usize>),
    /// The file was moved to this path, which gets its versions.
    MovedTo(PathBuf),
    /// We no longer know anything about the file.
    Forgotten,
}

impl Event {
    /// Our patch made `after` from `before` by replacing the first span of each pair by the second.
    pub fn edited(mut before: Snapshot, hunks: &[(Span, Span)], after: Snapshot) -> Self {
        // Two versions with the same stamp have the same lines.
        if before.stamp() != after.stamp() {
            before.edit = Some(OwnEdit::new(after.stamp(), hunks));
        }
        Self::Shown(vec![after, before])
    }
}

impl PathHistory {
    /// How many bytes the versions of a path take.
    fn size(path: &Path, versions: &[Arc<Snapshot>]) -> usize {
        let held: usize = versions.iter().map(|version| version.bytes()).sum();
        held + size_of::<Self>() + 2 * path.as_os_str().len()
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(DEFAULT_BYTES)
    }
}

impl Memory {
    /// An empty memory that may take about `max_bytes`.
    pub fn new(max_bytes: usize) -> Self {
        let (paths, contents) = (HashMap::new(), HashMap::new());
        Self { paths, contents, bytes: 0, max_bytes, any_encoded: false, uses: 0 }
    }

    /// Keeps `snapshot` as the newest version of `path`. Lines that an earlier look at the same
    /// version showed still count as shown.
    pub fn remember(&mut self, path: &Path, mut snapshot: Snapshot) {
        let mut newest = Weak::new();
        self.change(path, |versions| {
            if let Some(at) = versions.iter().position(|old| old.is_version_of(&snapshot)) {
                snapshot.merge(&versions.remove(at));
            }
            // This is the present version again, so it has no next version yet.
            snapshot.edit = None;
            versions.insert(0, Arc::new(snapshot));
            let reducible = |old: &&mut Arc<Snapshot>| old.edit.is_some() && !old.is_reduced();
            for old in versions.iter_mut().skip(WHOLE_VERSIONS).filter(reducible) {
                Arc::make_mut(old).reduce();
            }
            keep_newest(versions, MAX_VERSIONS);
            newest = Arc::downgrade(&versions[0]);
        });
        self.note_content(newest);
        self.make_room(path);
    }

    /// Takes over the versions of `path` from another memory, newest first; they count as older
    /// than ours.
    pub fn adopt(&mut self, path: &Path, others: Vec<Arc<Snapshot>>) {
        let mut versions = self.take(path).map_or_else(Vec::new, |entry| entry.versions);
        for other in others {
            match versions.iter_mut().find(|own| own.is_version_of(&other)) {
                Some(own) => Arc::make_mut(own).merge(&other),
                None => versions.push(other),
            }
        }
        if !versions.is_empty() {
            keep_newest(&mut versions, MAX_VERSIONS);
            self.put(path.to_owned(), versions);
            self.make_room(path);
        }
    }

    /// Applies an event of the file at `path`.
    pub fn note(&mut self, path: &Path, event: Event) {
        match event {
            Event::Shown(versions) => {
                for mut version in versions.into_iter().rev() {
                    let edit = version.edit.take();
                    self.remember(path, version);
                    if edit.is_some()
                        && let Some(mut entry) = self.take(path)
                    {
                        Arc::make_mut(&mut entry.versions[0]).edit = edit;
                        self.put(path.to_owned(), entry.versions);
                    }
                }
            }
            Event::Retired(lines) if self.paths.contains_key(path) => {
                let retire = |old: &mut Arc<Snapshot>| Arc::make_mut(old).retire(&lines);
                self.change(path, |versions| versions.iter_mut().skip(1).for_each(retire));
            }
            Event::Retired(_) => {}
            Event::MovedTo(to) => {
                if let Some(entry) = self.take(path) {
                    self.take(&to);
                    self.put(to, entry.versions);
                }
            }
            Event::Forgotten => drop(self.take(path)),
        }
    }

    /// The lines of a file whose bytes have this digest, if a version with all its lines is
    /// remembered; this saves computing them again.
    pub fn lines_of(&self, content: Digest) -> Option<FileLines> {
        let version = self.contents.get(&content)?.upgrade()?;
        version.lines().filter(|lines| lines.content() == Some(content)).cloned()
    }

    fn note_content(&mut self, newest: Weak<Snapshot>) {
        let version = newest.upgrade();
        let lines = version.as_ref().and_then(|version| version.lines());
        let Some(content) = lines.and_then(FileLines::content) else { return };
        // Entries of forgotten versions are removed when there may be many of them.
        if self.contents.len() > 1024 + 2 * self.paths.len() {
            self.contents.retain(|_, version| version.strong_count() > 0);
        }
        self.contents.insert(content, newest);
    }

    /// The versions of `path` that were shown, newest first.
    pub fn versions(&self, path: &Path) -> &[Arc<Snapshot>] {
        self.paths.get(path).map_or(&[], |entry| &entry.versions)
    }

    /// Whether all versions that were ever remembered are UTF-8.
    pub fn is_all_utf8(&self) -> bool {
        !self.any_encoded
    }

    /// The remembered paths, in no particular order.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.paths.keys().map(PathBuf::as_path)
    }

    fn take(&mut self, path: &Path) -> Option<PathHistory> {
        let entry = self.paths.remove(path)?;
        self.bytes -= entry.bytes;
        Some(entry)
    }

    /// Changes the versions of a path, which are empty if it is new.
    fn change(&mut self, path: &Path, change: impl FnOnce(&mut Vec<Arc<Snapshot>>)) {
        let Some(entry) = self.paths.get_mut(path) else {
            let mut versions = Vec::new();
            change(&mut versions);
            return self.put(path.to_owned(), versions);
        };
        change(&mut entry.versions);
        self.any_encoded |= entry.versions[0].encoding() != Encoding::UTF_8;
        self.uses += 1;
        entry.last_use = self.uses;
        self.bytes -= entry.bytes;
        entry.bytes = PathHistory::size(path, &entry.versions);
        self.bytes += entry.bytes;
    }

    fn put(&mut self, path: PathBuf, versions: Vec<Arc<Snapshot>>) {
        self.uses += 1;
        let last_use = self.uses;
        self.put_with_use(path, versions, last_use);
    }

    fn put_with_use(&mut self, path: PathBuf, versions: Vec<Arc<Snapshot>>, last_use: u64) {
        self.any_encoded |= versions.iter().any(|version| version.encoding() != Encoding::UTF_8);
        let bytes = PathHistory::size(&path, &versions);
        self.bytes += bytes;
        let entry = PathHistory { versions, bytes, last_use };
        self.paths.insert(path, entry);
    }

    /// Forgets what is least likely to be needed, but not the path `newest`.
    fn make_room(&mut self, newest: &Path) {
        if self.bytes <= self.max_bytes {
            return;
        }
        // Some room is kept free, so that the next paths need no new sort.
        let enough = self.max_bytes - self.max_bytes / 16;
        let mut by_age: Vec<(u64, PathBuf)> = self
            .paths
            .iter()
            .filter(|(path, _)| path.as_path() != newest)
            .map(|(path, entry)| (entry.last_use, path.clone()))
            .collect();
        by_age.sort_unstable();
        let give_up_versions: fn(&mut Vec<Arc<Snapshot>>) = |versions| keep_newest(versions, 1);
        let give_up_unseen: fn(&mut Vec<Arc<Snapshot>>) = |versions| {
            for version in versions {
                Arc::make_mut(version).reduce();
            }
        };
        for give_up in [give_up_unseen, give_up_versions] {
            for (last_use, path) in &by_age {
                if self.bytes <= enough {
                    return;
                }
                if let Some(mut entry) = self.take(path) {
                    give_up(&mut entry.versions);
                    self.put_with_use(path.clone(), entry.versions, *last_use);
                }
            }
        }
        for (_, path) in by_age {
            if self.bytes <= enough || self.paths.len() <= MIN_PATHS {
                return;
            }
            self.take(&path);
        }
    }
}

/// Forgets all but the newest `count` versions, and notes that there were older ones.
fn keep_newest(versions: &mut Vec<Arc<Snapshot>>, count: usize) {
    if versions.len() > count {
        versions.truncate(count);
        if let Some(oldest) = versions.last_mut() {
            Arc::make_mut(oldest).older_forgotten = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, LineNumber, Listing, Scheme, Span};

    fn line(number: usize) -> LineNumber {
        LineNumber::new(number).unwrap()
    }

    fn show(memory: &mut Memory, path: &str, text: &str, shown: usize) {
        let document = Document::from_text(text);
        let listing = Listing::new(&document, Scheme::Hex2);
        let snapshot = Snapshot::of(&listing, &[Span::line(line(shown))]);
        memory.remember(Path::new(path), snapshot);
    }

    fn shown(memory: &Memory, path: &str, version: usize) -> Vec<usize> {
        let versions = memory.versions(Path::new(path));
        let ranges = versions[version].shown_ranges();
        ranges.flatten().map(|place| place + 1).collect()
    }

    fn bytes_of(text: &str) -> Digest {
        Digest::of(text.as_bytes())
    }

    fn show_content(memory: &mut Memory, path: &str, text: &str) {
        let lines = FileLines::of(bytes_of(text), Document::from_text(text).digests());
        memory.remember(Path::new(path), Snapshot::whole(Scheme::Hex2, lines));
    }

    #[test]
    fn lines_are_found_by_the_bytes_of_their_file_as_long_as_they_are_remembered() {
        let mut memory = Memory::default();
        let digests =
            |memory: &Memory, text| memory.lines_of(bytes_of(text)).map(|l| l.digests().to_vec());
        show_content(&mut memory, "f", "a\nb\n");
        show_content(&mut memory, "f", "c\n");
        for text in ["a\nb\n", "c\n"] {
            assert_eq!(digests(&memory, text), Some(Document::from_text(text).digests()));
        }
        assert_eq!(digests(&memory, "a\nb"), None);
        memory.note(Path::new("f"), Event::Forgotten);
        assert_eq!(digests(&memory, "c\n"), None);
    }

    #[test]
    fn a_reduced_version_is_not_rebuilt_for_a_newer_one() {
        let (mut memory, path) = (Memory::default(), Path::new("f"));
        let version = |number: usize| {
            let document = Document::from_text(format!("{number}\nb\nc\n"));
            let listing = Listing::new(&document, Scheme::Hex2);
            Snapshot::of(&listing, &[Span::line(line(1)), Span::line(line(3))])
        };
        let mut remember_next = |number| {
            let hunk = (Span::line(line(1)), Span::line(line(1)));
            memory.note(path, Event::edited(version(number), &[hunk], version(number + 1)));
            memory.versions(path).to_vec()
        };
        let before = (0..20).map(&mut remember_next).last().unwrap();
        assert!(before[WHOLE_VERSIONS - 1].digests().is_some());
        assert!(before[WHOLE_VERSIONS].digests().is_none());
        let after = remember_next(20);
        for at in WHOLE_VERSIONS..before.len() {
            assert!(Arc::ptr_eq(&before[at], &after[at + 1]), "{at}");
        }
    }

    #[test]
    fn the_index_of_contents_does_not_grow_with_every_version() {
        let mut memory = Memory::default();
        for version in 0..5000 {
            show_content(&mut memory, "f", &format!("{version}\n"));
        }
        assert!(memory.contents.len() <= 1024 + MAX_VERSIONS + 3, "{}", memory.contents.len());
        assert!(memory.lines_of(bytes_of("4999\n")).is_some());
    }

    #[test]
    fn the_same_version_shown_again_is_one_version() {
        let mut memory = Memory::default();
        show(&mut memory, "f", "a\nb\nc\n", 1);
        show(&mut memory, "f", "a\nb\nc\n", 3);
        assert_eq!(memory.versions(Path::new("f")).len(), 1);
        assert_eq!(shown(&memory, "f", 0), [1, 3]);
    }

    #[test]
    fn a_changed_file_is_a_new_version_and_the_newest_comes_first() {
        let mut memory = Memory::default();
        show(&mut memory, "f", "a\nb\n", 1);
        show(&mut memory, "f", "a\nB\n", 2);
        assert_eq!((shown(&memory, "f", 0), shown(&memory, "f", 1)), (vec![2], vec![1]));
        show(&mut memory, "f", "a\nb\n", 2);
        assert_eq!((shown(&memory, "f", 0), shown(&memory, "f", 1)), (vec![1, 2], vec![2]));
    }

    #[test]
    fn a_path_keeps_its_last_versions_and_knows_that_there_were_more() {
        let mut memory = Memory::default();
        for version in 0..20 {
            show(&mut memory, "f", &format!("{version}\n"), 1);
        }
        let oldest = |memory: &Memory| memory.versions(Path::new("f")).last().cloned().unwrap();
        assert_eq!(memory.versions(Path::new("f")).len(), 20);
        assert!(!oldest(&memory).older_forgotten());
        for version in 20..MAX_VERSIONS + 20 {
            show(&mut memory, "f", &format!("{version}\n"), 1);
        }
        assert_eq!(memory.versions(Path::new("f")).len(), MAX_VERSIONS);
        assert!(oldest(&memory).older_forgotten());
    }

    #[test]
    fn a_version_that_our_patch_followed_keeps_what_was_shown() {
        let mut memory = Memory::default();
        let path = Path::new("f");
        let whole =
            |text: &str| Snapshot::of(&Listing::new(&Document::from_text(text), Scheme::Hex2), &[]);
        let text = |lines: usize| "line\n".repeat(1000) + &"new\n".repeat(lines);
        show(&mut memory, "f", &text(0), 7);
        for added in 0..100 {
            let hunk = (Span::after(1000 + added), Span::line(line(1001 + added)));
            memory.note(path, Event::edited(whole(&text(added)), &[hunk], whole(&text(added + 1))));
        }
        let versions = memory.versions(path);
        assert_eq!(versions.len(), 101);
        assert_eq!(shown(&memory, "f", 100), [7], "the first look");
        let known = versions.iter().filter(|version| version.digests().is_some()).count();
        assert_eq!(known, WHOLE_VERSIONS);
        for pair in versions.windows(2) {
            assert_eq!(pair[1].carry(6, 6), Some((pair[0].stamp(), Some(6))));
        }
        assert!(memory.bytes < 200_000, "{}", memory.bytes);
    }

    #[test]
    fn a_version_that_came_back_has_no_next_version() {
        let mut memory = Memory::default();
        let path = Path::new("f");
        let whole =
            |text: &str| Snapshot::of(&Listing::new(&Document::from_text(text), Scheme::Hex2), &[]);
        let hunk = (Span::line(line(1)), Span::line(line(1)));
        memory.note(path, Event::edited(whole("a\n"), &[hunk], whole("b\n")));
        assert!(memory.versions(path)[1].carry(0, 0).is_some());
        show(&mut memory, "f", "a\n", 1);
        assert_eq!(memory.versions(path)[0].carry(0, 0), None);
    }

    #[test]
    fn a_moved_file_keeps_its_versions() {
        let mut memory = Memory::default();
        show(&mut memory, "f", "a\n", 1);
        memory.note(Path::new("f"), Event::MovedTo("g".into()));
        assert!(memory.versions(Path::new("f")).is_empty());
        assert_eq!(memory.versions(Path::new("g")).len(), 1);
        memory.note(Path::new("g"), Event::Forgotten);
        assert_eq!((memory.paths().len(), memory.bytes), (0, 0));
    }

    #[test]
    fn the_bound_holds_and_the_last_shown_stay() {
        let text = "line\n".repeat(1000);
        let mut memory = Memory::new(1 << 18);
        for file in 0..2000 {
            show(&mut memory, &format!("{file}"), &text, 1 + file % 1000);
        }
        assert!(memory.bytes <= 1 << 18, "{}", memory.bytes);
        assert!(memory.paths().len() >= MIN_PATHS);
        assert!(memory.versions(Path::new("1999"))[0].digests().is_some());
        assert!(memory.versions(Path::new("0")).is_empty());
        let kept: usize = memory.paths.values().map(|entry| entry.bytes).sum();
        assert_eq!(kept, memory.bytes);
    }

    #[test]
    fn no_bound_is_so_small_that_256_paths_do_not_fit() {
        let mut memory = Memory::new(0);
        for file in 0..1000 {
            show(&mut memory, &format!("{file}"), "a\nb\n", 2);
        }
        assert_eq!(memory.paths().len(), MIN_PATHS);
        assert_eq!(shown(&memory, "744", 0), [2]);
    }
}
