//! What was shown, in this process and in others.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::fs::{self, OwnBytes, Store};
use crate::snapshot::{self, FileLines, Memory, Snapshot, View, Views};
use hashline_text::{Digest, Span};

/// The directory below the state directory in which snapshots are kept.
const DIRECTORY: &str = "seen";

/// Of how many files a state directory keeps what was shown.
pub fn remembered_files(state_dir: &Path) -> usize {
    fs::entries(&state_dir.join(DIRECTORY)).map_or(0, |entries| entries.len())
}

/// A session's [`Memory`], kept on disk too if there is a state directory.
///
/// Each path has a file of its own there, read when the path is first asked for, so that two
/// processes disturb each other only where they look at the same file. Trouble with the disk costs
/// memory, never work: it becomes a warning.
#[derive(Debug)]
pub struct Remembered {
    state: Mutex<MemoryState>,
}

#[derive(Debug)]
struct MemoryState {
    memory: Memory,
    /// What is in the model's context; never on disk, where no context is.
    views: Views,
    store: Option<Store>,
    /// Whether other agents use the store, too.
    shared: bool,
    /// The files of which other processes were shown something that was taken over.
    from_others: HashSet<PathBuf>,
    warnings: Vec<String>,
}

impl Remembered {
    /// Nothing, or what the state directory holds.
    pub fn new(most_bytes: usize, state_dir: Option<PathBuf>) -> Self {
        let mut state = MemoryState {
            memory: Memory::new(most_bytes),
            views: Views::default(),
            store: None,
            shared: true,
            from_others: HashSet::new(),
            warnings: Vec::new(),
        };
        if let Some(directory) = state_dir {
            match Store::open(directory.join(DIRECTORY)) {
                Ok(store) => state.store = Some(store),
                Err(error) => state.warn(format!("{error}; what was shown is not kept on disk")),
            }
        }
        Self { state: Mutex::new(state) }
    }

    /// Says whether other agents use the state directory, too.
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.state.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).shared = shared;
        self
    }

    /// Keeps `snapshot` as the newest version of the file at `key`, of which its reader was shown
    /// the lines that he asked for.
    pub fn remember_read(&self, key: &Path, snapshot: Snapshot) {
        self.state().remember(key, snapshot, true);
    }

    /// Keeps `snapshot` as the newest version of the file at `key`.
    pub fn remember(&self, key: &Path, snapshot: Snapshot) {
        self.state().remember(key, snapshot, false);
    }

    /// Keeps `after` as the newest version of the file at `key`, made from `before` by a patch of
    /// ours that replaced the first span of each pair by the second.
    pub fn remember_edit(
        &self,
        key: &Path,
        before: Snapshot,
        hunks: &[(Span, Span)],
        after: Snapshot,
    ) {
        let mut state = self.state();
        state.view_edit(key, &before, hunks, &after);
        let kept = state.load(key);
        state.memory.remember_edit(key, before, hunks, after);
        state.save(key, kept);
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

    /// Whether some of what is remembered of the file at `key` may have been shown to another agent.
    pub fn is_shared(&self, key: &Path) -> bool {
        let state = self.state();
        state.shared && state.from_others.contains(key)
    }

    /// Forgets that older versions of the file at `key` than the newest showed these lines, zero-based.
    pub fn retire(&self, key: &Path, lines: &[usize]) {
        let mut state = self.state();
        state.memory.retire(key, lines);
        state.save(key, None);
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
        state.memory.rename(from, to);
        state.save(to, None);
        state.forget(from);
    }

    /// Forgets the file at `key`.
    pub fn forget(&self, key: &Path) {
        let mut state = self.state();
        state.views.take(key);
        state.memory.forget(key);
        state.forget(key);
    }

    /// What went wrong since this was last asked.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.state().warnings)
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        // A panic in between leaves a memory that may have forgotten a path, which is allowed.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl MemoryState {
    fn remember(&mut self, key: &Path, snapshot: Snapshot, read: bool) {
        self.view(key, &snapshot, read);
        let kept = self.load(key);
        self.memory.remember(key, snapshot);
        self.save(key, kept);
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

    /// Takes over what is on disk for `key`, and gives its bytes; this process's own memory counts as newer.
    fn load(&mut self, key: &Path) -> Option<OwnBytes> {
        let store = self.store.as_ref()?;
        let name = snapshot::file_name(key);
        let bytes = match store.load(&name) {
            Ok(bytes) => bytes?,
            Err(error) => {
                self.warn(error.to_string());
                return None;
            }
        };
        let own = self.memory.versions(key).to_vec();
        match snapshot::decode(key, &bytes) {
            Ok(versions) => {
                let known = own.iter().map(|version| &**version);
                if !known.eq(&versions) {
                    self.memory.adopt(key, versions);
                    self.from_others.insert(key.to_owned());
                }
                Some(bytes)
            }
            Err(error) => {
                let key = key.display();
                self.warn(format!("what was shown of `{key}` earlier is lost: {error}"));
                self.forget_file(&name);
                None
            }
        }
    }

    /// Writes what is known of `key` to disk; `kept` is what was there when it was loaded.
    fn save(&mut self, key: &Path, kept: Option<OwnBytes>) {
        let Some(store) = &self.store else {
            return;
        };
        let name = snapshot::file_name(key);
        let bytes = snapshot::encode(key, self.memory.versions(key));
        // Lines that were shown before add nothing, and writing takes longer than reading. What was there is given up
        // first: Windows replaces no file that is mapped.
        let is_kept = kept.is_some_and(|kept| *kept == *bytes);
        if is_kept && store.touch(&name) {
            return;
        }
        if let Err(error) = store.save(&name, &bytes) {
            self.warn(error.to_string());
        }
    }

    fn forget(&mut self, key: &Path) {
        self.forget_file(&snapshot::file_name(key));
    }

    fn forget_file(&mut self, name: &Path) {
        let removed = self.store.as_ref().map(|store| store.remove(name));
        if let Some(Err(error)) = removed {
            self.warn(error.to_string());
        }
    }

    /// Says a thing once.
    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}
