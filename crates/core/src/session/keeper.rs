//! Saves which lines were shown, after the answer.
//!
//! Sessions of one process that have the same state directory share a [`Keeper`]. They hand it
//! notes; a thread writes them a moment later, many at once, so that no answer waits for the disk.
//! Before the notes of other sessions are read, all waiting notes are written. Errors of the disk
//! only lose notes and become warnings; no work fails.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use super::stats::{self, CountedAnswer};
use crate::fs::{CONTENT, Log, LogError, OpenLog};
use crate::snapshot::{self, DEFAULT_BYTES, Index, Note, Snapshot};

/// How long after the first note of a burst all its notes are saved; counting from the last one, a
/// stream of reads could delay that forever.
const BURST_DELAY: Duration = Duration::from_millis(5);

/// How long the thread waits for more notes before it ends.
const IDLE: Duration = Duration::from_mins(1);

/// The keepers of this process, one for each directory.
static KEEPERS: Mutex<Vec<Weak<Keeper>>> = Mutex::new(Vec::new());

#[derive(Debug)]
pub(super) struct Keeper {
    log: Log,
    queue: Mutex<Queue>,
    /// Wakes the thread when there are notes.
    wake: Condvar,
    /// Held while the log is written or read.
    saved: Mutex<Saved>,
}

#[derive(Default, Debug)]
struct Queue {
    notes: Vec<Note>,
    /// Counts, and the directories of the logs that they are for.
    counted: Vec<(PathBuf, CountedAnswer)>,
    warnings: Vec<String>,
    has_thread: bool,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.counted.is_empty()
    }
}

/// The part of the log that we have read.
#[derive(Default, Debug)]
struct Saved {
    generation: u64,
    end: u64,
    index: Index,
}

/// Saves all notes made so far, in every state directory.
pub fn save_all() {
    let keepers: Vec<_> = lock(&KEEPERS).iter().filter_map(Weak::upgrade).collect();
    for keeper in keepers {
        keeper.save();
    }
}

impl Keeper {
    /// The keeper for a directory, which is created if it is missing.
    pub(super) fn of(directory: &Path) -> Result<Arc<Self>, LogError> {
        let log = Log::new(directory)?;
        let mut keepers = lock(&KEEPERS);
        keepers.retain(|keeper| keeper.strong_count() > 0);
        let same = |keeper: &Arc<Self>| keeper.log.directory() == log.directory();
        if let Some(keeper) = keepers.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(keeper);
        }
        let keeper = Arc::new(Self {
            log,
            queue: Mutex::default(),
            wake: Condvar::new(),
            saved: Mutex::default(),
        });
        keepers.push(Arc::downgrade(&keeper));
        Ok(keeper)
    }

    /// Queues a note to be saved soon.
    pub(super) fn note(self: &Arc<Self>, note: Note) {
        self.enqueue(|queue| queue.notes.push(note));
    }

    /// Queues the counts of an answer for the log in a directory.
    pub(super) fn count(self: &Arc<Self>, directory: &Path, answer: CountedAnswer) {
        self.enqueue(|queue| queue.counted.push((directory.to_owned(), answer)));
    }

    fn enqueue(self: &Arc<Self>, push: impl FnOnce(&mut Queue)) {
        let mut queue = lock(&self.queue);
        let was_empty = queue.is_empty();
        push(&mut queue);
        if queue.has_thread {
            // The thread waits only while the queue is empty.
            if was_empty {
                self.wake.notify_one();
            }
            return;
        }
        let keeper = Arc::clone(self);
        let thread = thread::Builder::new().name("hashline-keeper".to_owned());
        // Without a thread, notes are saved when the session ends or on request.
        queue.has_thread = thread.spawn(move || keeper.run()).is_ok();
    }

    fn run(&self) {
        loop {
            thread::sleep(BURST_DELAY);
            self.save();
            let waiting =
                self.wake.wait_timeout_while(lock(&self.queue), IDLE, |queue| queue.is_empty());
            let (mut queue, _) = waiting.unwrap_or_else(PoisonError::into_inner);
            if queue.is_empty() {
                queue.has_thread = false;
                return;
            }
        }
    }

    /// Saves all notes and counts made so far.
    pub(super) fn save(&self) {
        drop(self.save_notes());
        let counted = std::mem::take(&mut lock(&self.queue).counted);
        for same in counted.chunk_by(|one, next| one.0 == next.0) {
            stats::keep(&same[0].0, same.iter().map(|(_, answer)| answer.clone()).collect());
        }
    }

    fn save_notes(&self) -> MutexGuard<'_, Saved> {
        let saved = lock(&self.saved);
        let notes = std::mem::take(&mut lock(&self.queue).notes);
        if !notes.is_empty()
            && let Err(error) = self.log.append(&snapshot::encode(&notes), &compact)
        {
            self.warn(&error);
        }
        saved
    }

    /// The versions of the file at `path` that all sessions saved, newest first, and how many notes
    /// sessions other than `writer` made. `None` if there are no notes, or if others have made
    /// exactly `known`.
    pub(super) fn versions(
        &self,
        path: &Path,
        writer: u64,
        known: Option<usize>,
    ) -> Option<(Vec<Arc<Snapshot>>, usize)> {
        let mut saved = self.save_notes();
        let read = self.log.open().and_then(|log| {
            let Some(mut log) = log else { return Ok(None) };
            saved.catch_up(&mut log)?;
            let events = saved.index.events(path);
            let others = events.iter().filter(|event| event.writer != writer).count();
            if events.is_empty() || known == Some(others) {
                return Ok(None);
            }
            let events: Result<Vec<_>, _> =
                events.iter().map(|event| log.read(event.bytes.clone())).collect();
            let events = events.map_err(|_| LogError::Damaged("it is cut short"))?;
            let versions = snapshot::replay(events.iter().map(Vec::as_slice));
            Ok(Some((versions.map_err(|unfit| LogError::Damaged(unfit.reason))?, others)))
        });
        read.unwrap_or_else(|error| {
            self.warn(&error);
            if matches!(error, LogError::Damaged(_)) {
                *saved = Saved::default();
                if let Err(error) = self.log.compact(&compact) {
                    self.warn(&error);
                }
            }
            None
        })
    }

    fn warn(&self, error: &LogError) {
        let warning = match error {
            LogError::Disk { .. } => error.to_string(),
            LogError::Damaged(reason) => {
                let directory = self.log.directory().display();
                format!(
                    "some saved anchors cannot be used: {reason} (in `{directory}`); read the files again"
                )
            }
        };
        let warnings = &mut lock(&self.queue).warnings;
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// The warnings since the last call.
    pub(super) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.queue).warnings)
    }
}

impl Saved {
    /// Reads everything that was appended since the last time.
    fn catch_up(&mut self, log: &mut OpenLog) -> Result<(), LogError> {
        if (self.generation, self.end.min(log.end)) != (log.generation, self.end) {
            *self = Self { generation: log.generation, end: CONTENT, index: Index::default() };
        }
        let bytes = log.read(self.end..log.end);
        let bytes = bytes.map_err(|_| LogError::Damaged("it is cut short"))?;
        let added = self.index.add(&bytes, self.end);
        self.end = log.end;
        added.map_err(|unreadable| LogError::Damaged(unreadable.reason))
    }
}

/// For how many files the log in this directory has notes.
pub(super) fn noted_files(directory: &Path) -> usize {
    let mut saved = Saved::default();
    let log = Log::new(directory).and_then(|log| log.open());
    if let Ok(Some(mut log)) = log {
        let _ = saved.catch_up(&mut log);
    }
    saved.index.paths()
}

fn compact(content: &[u8]) -> Vec<u8> {
    snapshot::compact(content, DEFAULT_BYTES)
}

/// Locks a mutex even after a panic: at worst a note is lost, which is allowed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
