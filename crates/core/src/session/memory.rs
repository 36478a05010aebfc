//! Which lines were shown, by this process and by others.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::keeper::{self, Keeper};
use super::stats::CountedAnswer;
use crate::snapshot::{Event, FileLines, Memory, Note, Snapshot, View, Views};
use hashline_text::{Digest, Span};

/// The directory in the state directory that records which lines were shown.
const NOTES_DIRECTORY: &str = "seen";

/// For how many files a state directory records which lines were shown.
pub fn remembered_files(state_dir: &Path) -> usize {
    keeper::noted_files(&state_dir.join(NOTES_DIRECTORY))
}

/// A session's [`Memory`], saved if there is a state directory.
///
/// Events here are saved as notes for other sessions after the answer; their notes on a path are
/// taken over when its versions are asked for.
#[derive(Debug)]
pub struct SessionMemory {
    state: Mutex<MemoryState>,
}

#[derive(Debug)]
struct MemoryState {
    memory: Memory,
    /// What is in the model's context; never saved, because a saved context means nothing to
    /// others.
    views: Views,
    keeper: Option<Arc<Keeper>>,
    /// Marks this session's notes among other sessions' notes.
    writer: u64,
    /// Whether other agents use the state directory, too.
    shared: bool,
    /// How many notes of other sessions were taken over, by file.
    adopted_notes: HashMap<PathBuf, usize>,
    /// The files of which another session showed a version that this one had not shown.
    from_others: HashSet<PathBuf>,
    warnings: Vec<String>,
}

impl SessionMemory {
    /// An empty memory, with access to the notes in the state directory; `shared` says whether
    /// other agents use that directory too.
    pub fn new(max_bytes: usize, state_dir: Option<PathBuf>, shared: bool) -> Self {
        let mut warnings = Vec::new();
        let keeper = state_dir.and_then(|directory| {
            let keeper = Keeper::of(&directory.join(NOTES_DIRECTORY));
            let lost = |error| warnings.push(format!("{error}; anchors are not saved on disk"));
            keeper.map_err(lost).ok()
        });
        Self {
            state: Mutex::new(MemoryState {
                memory: Memory::new(max_bytes),
                views: Views::default(),
                keeper,
                writer: RandomState::new().hash_one(0) | 1,
                shared,
                adopted_notes: HashMap::new(),
                from_others: HashSet::new(),
                warnings,
            }),
        }
    }

    /// Saves all notes made so far.
    pub fn flush(&self) {
        let keeper = self.state().keeper.clone();
        keeper.inspect(|keeper| keeper.save());
    }

    /// Adds counts to the log in a directory, if there is a state directory.
    pub(super) fn count(&self, directory: &Path, answer: CountedAnswer) {
        let state = self.state();
        if let Some(keeper) = &state.keeper {
            keeper.count(directory, answer);
        }
    }

    /// Keeps `snapshot` as the newest version of the file at `key`.
    pub fn remember(&self, key: &Path, snapshot: Snapshot) {
        self.remember_look(key, snapshot, false);
    }

    /// Like [`Self::remember`]; `read` says whether the reader asked for these lines.
    pub fn remember_look(&self, key: &Path, snapshot: Snapshot, read: bool) {
        let mut state = self.state();
        state.view(key, &snapshot, read);
        state.note(key, Event::Shown(vec![snapshot]));
    }

    /// Keeps `after` as the newest version of the file at `key`, which our patch made from `before`
    /// by replacing the first span of each pair by the second.
    pub fn remember_edit(
        &self,
        key: &Path,
        before: Snapshot,
        hunks: &[(Span, Span)],
        after: Snapshot,
    ) {
        let mut state = self.state();
        state.view_edit(key, &before, hunks, &after);
        state.note(key, Event::edited(before, hunks, after));
    }

    /// The part of the file at `key` in the model's context, and the lines of a file with this
    /// digest, if this process remembers one.
    pub fn known(
        &self,
        key: &Path,
        content: Option<Digest>,
    ) -> (Option<Arc<View>>, Option<FileLines>) {
        let state = self.state();
        (state.views.get(key), content.and_then(|content| state.memory.lines_of(content)))
    }

    /// The model's context begins anew: no line counts as being in it any more. Anchors remain
    /// valid.
    pub fn new_context(&self) {
        self.state().views.clear();
    }

    /// Counts the lines of the file at `key` that other processes showed as being in the model's
    /// context.
    pub fn resume_view(&self, key: &Path) {
        let mut state = self.state();
        state.load(key);
        for version in state.memory.versions(key).to_vec().iter().rev() {
            state.view(key, version, true);
        }
    }

    /// The versions of the file at `key` that were shown, newest first.
    pub fn versions(&self, key: &Path) -> Vec<Arc<Snapshot>> {
        let mut state = self.state();
        state.load(key);
        state.memory.versions(key).to_vec()
    }

    /// Whether all versions that this process remembers are UTF-8.
    pub fn is_all_utf8(&self) -> bool {
        self.state().memory.is_all_utf8()
    }

    /// The version of the file at `key` that this process remembers as its newest.
    pub fn newest(&self, key: &Path) -> Option<Arc<Snapshot>> {
        self.state().memory.versions(key).first().cloned()
    }

    /// Whether some remembered lines of the file at `key` may have been shown to another agent
    /// instead of this one.
    pub fn is_shared(&self, key: &Path) -> bool {
        let state = self.state();
        state.shared && state.from_others.contains(key)
    }

    /// Forgets that these lines, zero-based, were shown in versions of the file at `key` older than
    /// the newest.
    pub fn retire(&self, key: &Path, lines: &[usize]) {
        self.state().note(key, Event::Retired(lines.to_vec()));
    }

    /// The lines of a file with this digest, if this process remembers one.
    pub fn lines_of(&self, content: Digest) -> Option<FileLines> {
        self.state().memory.lines_of(content)
    }

    /// The only file that this process has shown; `None` if it has shown several or none.
    pub fn only_path(&self) -> Option<PathBuf> {
        let state = self.state();
        let mut paths = state.memory.paths();
        match (paths.next(), paths.next()) {
            (Some(path), None) => Some(path.to_owned()),
            _ => None,
        }
    }

    /// Gives `to` the versions of `from`, whose file was moved there.
    pub fn rename(&self, from: &Path, to: &Path) {
        let mut state = self.state();
        state.load(from);
        state.views.rename(from, to);
        if state.from_others.remove(from) {
            state.from_others.insert(to.to_owned());
        }
        state.note(from, Event::MovedTo(to.to_owned()));
    }

    /// Forgets the file at `key`.
    pub fn forget(&self, key: &Path) {
        let mut state = self.state();
        state.views.take(key);
        state.note(key, Event::Forgotten);
    }

    /// The warnings since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        let mut state = self.state();
        let mut warnings = std::mem::take(&mut state.warnings);
        warnings.extend(state.keeper.iter().flat_map(|keeper| keeper.take_warnings()));
        warnings
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        // After a panic, the memory may have forgotten a path, which is allowed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SessionMemory {
    fn drop(&mut self) {
        self.flush();
    }
}

impl MemoryState {
    /// Applies an event to the memory of the file at `key`, and saves it if it changed anything.
    fn note(&mut self, key: &Path, event: Event) {
        let Some(keeper) = &self.keeper else { return self.memory.note(key, event) };
        let newest = |memory: &Memory| memory.versions(key).first().cloned();
        let before = newest(&self.memory);
        self.memory.note(key, event.clone());
        let is_look = matches!(&event, Event::Shown(versions) if versions.len() == 1);
        if !is_look || before != newest(&self.memory) {
            keeper.note(Note::new(self.writer, key, event));
        }
    }

    /// Notes in the view of `key` which lines of this version were shown. A new view is made only
    /// if the file was read: a later request for changes is then compared with it.
    fn view(&mut self, key: &Path, shown: &Snapshot, read: bool) {
        let Some(lines) = shown.lines() else { return };
        let mut view = match self.views.take(key) {
            Some(view) => view,
            None if read => Arc::new(View::new(lines)),
            None => return,
        };
        if !view.is_unchanged(lines, 0..lines.digests().len()) {
            let view = Arc::make_mut(&mut view);
            view.update(lines);
            shown.shown_ranges().for_each(|range| view.show(range));
        }
        self.views.put(key, view);
    }

    /// Notes in the view of `key` what a patch changed. The model knows every line of a file that
    /// the patch created.
    fn view_edit(
        &mut self,
        key: &Path,
        before: &Snapshot,
        hunks: &[(Span, Span)],
        after: &Snapshot,
    ) {
        let (Some(old), Some(new)) = (before.lines(), after.lines()) else { return };
        let mut view = match self.views.take(key) {
            Some(view) => view,
            None if old.digests().is_empty() => Arc::new(View::new(old)),
            None => return,
        };
        let changed = Arc::make_mut(&mut view);
        changed.update(old);
        changed.edit(hunks, new);
        after.shown_ranges().for_each(|range| changed.show(range));
        self.views.put(key, view);
    }

    /// Takes over the notes of other sessions on `key`; what this session knows counts as newer.
    fn load(&mut self, key: &Path) {
        let Some(keeper) = &self.keeper else { return };
        let own = self.memory.versions(key);
        // If our versions were dropped for lack of room, read them from the disk again.
        let known = (!own.is_empty()).then(|| self.adopted_notes.get(key).copied().unwrap_or(0));
        let Some((versions, others)) = keeper.versions(key, self.writer, known) else { return };
        self.adopted_notes.insert(key.to_owned(), others);
        if own != versions {
            if others > 0 {
                self.from_others.insert(key.to_owned());
            }
            self.memory.adopt(key, versions);
        }
    }
}
