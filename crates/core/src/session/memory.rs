//! What was shown, in this process and in others.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::keeper::{self, Keeper};
use super::stats::CountedAnswer;
use crate::snapshot::{Event, FileLines, Memory, Note, Snapshot, View, Views};
use hashline_text::{Digest, Span};

/// The directory below the state directory in which what was shown is saved.
const DIRECTORY: &str = "seen";

/// Of how many files a state directory keeps what was shown.
pub fn remembered_files(state_dir: &Path) -> usize {
    keeper::noted_files(&state_dir.join(DIRECTORY))
}

/// A session's [`Memory`], saved if there is a state directory.
///
/// What happens here is noted for others after the answer; what others noted of a path is taken over when
/// its versions are asked for.
#[derive(Debug)]
pub struct SessionMemory {
    state: Mutex<MemoryState>,
}

#[derive(Debug)]
struct MemoryState {
    memory: Memory,
    /// What is in the model's context; never on disk, where no context is.
    views: Views,
    keeper: Option<Arc<Keeper>>,
    /// Marks this session's notes among other sessions' notes.
    writer: u64,
    /// Whether other agents use the state directory, too.
    shared: bool,
    /// How many notes of others were taken over, by file.
    adopted: HashMap<PathBuf, usize>,
    /// The files of which other readers were shown another version.
    from_others: HashSet<PathBuf>,
    warnings: Vec<String>,
}

impl SessionMemory {
    /// Nothing, or what the state directory holds; `shared` is whether other agents use that, too.
    pub fn new(max_bytes: usize, state_dir: Option<PathBuf>, shared: bool) -> Self {
        let mut warnings = Vec::new();
        let keeper = state_dir.and_then(|directory| {
            let keeper = Keeper::of(&directory.join(DIRECTORY));
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
                adopted: HashMap::new(),
                from_others: HashSet::new(),
                warnings,
            }),
        }
    }

    /// Saves what was shown so far.
    pub fn flush(&self) {
        let keeper = self.state().keeper.clone();
        keeper.inspect(|keeper| keeper.save());
    }

    /// Has counts added to the log in a directory, if there is a state directory.
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

    /// The same; `read` is whether the reader asked for these lines.
    pub fn remember_look(&self, key: &Path, snapshot: Snapshot, read: bool) {
        let mut state = self.state();
        state.view(key, &snapshot, read);
        state.note(key, Event::Shown(vec![snapshot]));
    }

    /// Keeps `after` as the newest version of the file at `key`: our patch replaced in `before` the
    /// first span of each pair by the second.
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

    /// What the model has before it of the file at `key`, and the lines of a file that has these
    /// bytes, if this process remembers such a one.
    pub fn known(
        &self,
        key: &Path,
        content: Option<Digest>,
    ) -> (Option<Arc<View>>, Option<FileLines>) {
        let state = self.state();
        (state.views.get(key), content.and_then(|content| state.memory.lines_of(content)))
    }

    /// The model's context begins anew: nothing counts as before it any more. Anchors stay known.
    pub fn new_context(&self) {
        self.state().views.clear();
    }

    /// Takes what other processes showed of the file at `key` for what is in the model's context.
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

    /// Whether no version is remembered in this process that was not UTF-8.
    pub fn is_all_utf8(&self) -> bool {
        self.state().memory.is_all_utf8()
    }

    /// The version of the file at `key` that this process remembers as its newest.
    pub fn newest(&self, key: &Path) -> Option<Arc<Snapshot>> {
        self.state().memory.versions(key).first().cloned()
    }

    /// Whether some of what is remembered of the file at `key` may have been shown to another agent.
    pub fn is_shared(&self, key: &Path) -> bool {
        let state = self.state();
        state.shared && state.from_others.contains(key)
    }

    /// Forgets that older versions of the file at `key` than the newest showed these lines, zero-based.
    pub fn retire(&self, key: &Path, lines: &[usize]) {
        self.state().note(key, Event::Retired(lines.to_vec()));
    }

    /// The lines of a file that has these bytes, if this process remembers such a one.
    pub fn lines_of(&self, content: Digest) -> Option<FileLines> {
        self.state().memory.lines_of(content)
    }

    /// The file that was shown in this process, if it is only one.
    pub fn only_path(&self) -> Option<PathBuf> {
        let state = self.state();
        let mut paths = state.memory.paths();
        match (paths.next(), paths.next()) {
            (Some(path), None) => Some(path.to_owned()),
            _ => None,
        }
    }

    /// Lets `to` have the versions of `from`, whose file was moved there.
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

    /// What went wrong since this was last asked.
    pub fn take_warnings(&self) -> Vec<String> {
        let mut state = self.state();
        let mut warnings = std::mem::take(&mut state.warnings);
        warnings.extend(state.keeper.iter().flat_map(|keeper| keeper.take_warnings()));
        warnings
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        // A panic in between leaves a memory that may have forgotten a path, which is allowed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SessionMemory {
    fn drop(&mut self) {
        self.flush();
    }
}

impl MemoryState {
    /// Does what happened to the file at `key`, and has it saved if it adds anything.
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

    /// Notes in the view of `key` what was shown of this version. Without a view there is one only
    /// if the file was read: who asks for changes then has something to compare them with.
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

    /// Notes in the view of `key` what a patch did. A file that the patch made is known whole.
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

    /// Takes over what others noted of `key`; what this session knows counts as newer.
    fn load(&mut self, key: &Path) {
        let Some(keeper) = &self.keeper else { return };
        let own = self.memory.versions(key);
        // What was given up for lack of room is on disk.
        let known = (!own.is_empty()).then(|| self.adopted.get(key).copied().unwrap_or(0));
        let Some((versions, others)) = keeper.versions(key, self.writer, known) else { return };
        self.adopted.insert(key.to_owned(), others);
        if own != versions {
            if others > 0 {
                self.from_others.insert(key.to_owned());
            }
            self.memory.adopt(key, versions);
        }
    }
}
