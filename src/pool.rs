//! Threads for work that must not block JavaScript.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Work, which gives what tells of its end.
type Job = Box<dyn FnOnce() -> Tell + Send>;
type Tell = Box<dyn FnOnce()>;

/// How long a thread that has just worked stays awake for more. A host often reads one file after the
/// other, and waking a thread takes longer than reading a short file.
const AWAKE: Duration = Duration::from_micros(200);

/// Work that takes no longer is short, and its result is waited for: sending it to a thread that sleeps takes longer.
/// Reading a file of a thousand lines is short, also on a busy machine.
pub const SHORT: Duration = Duration::from_micros(100);

/// How long a thread waits for more work before it ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many pools may have a thread that waits as long as the pool is there. A model thinks for longer than
/// [`PATIENCE`] between two calls, and a new thread would have to get ready for each of them; but a process may have
/// thousands of sessions.
const MOST_STANDING: usize = 16;

/// How many pools have such a thread.
static STANDING: AtomicUsize = AtomicUsize::new(0);

/// This many threads may start before anyone asks how many processors there are: on Linux the answer is
/// in a dozen files, and reading them takes longer than a short read.
const UNASKED: usize = 4;

/// How many processors there are.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, NonZero::get));

/// A few threads that start when there is work and end when there is none.
///
/// Node's own pool has four threads that its file system and resolver need too; a long search must
/// not take one of them.
pub struct Pool {
    shared: Arc<Shared>,
    width: Width,
}

/// How many threads a pool may have.
#[derive(Clone, Copy)]
enum Width {
    One,
    /// As many as there are processors, and [`UNASKED`] at least.
    Many,
}

impl Width {
    /// Whether there may be more than this many.
    fn is_above(self, threads: usize) -> bool {
        match self {
            Self::One => threads < 1,
            Self::Many => threads < UNASKED || threads < *PROCESSORS,
        }
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    work: Condvar,
    /// How many jobs there are, for those who look without the lock: a hint, which may be late.
    waiting: AtomicUsize,
    /// Whether the last job took no longer than [`SHORT`].
    was_short: AtomicBool,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Threads that look for work.
    awake: usize,
    /// Threads that run `prepare` before they look for work.
    preparing: usize,
    /// Threads that sleep until there is some.
    asleep: usize,
    threads: usize,
    /// Whether the last thread stays.
    is_standing: bool,
    /// Whether no more work can come.
    is_closed: bool,
}

impl Pool {
    /// A pool that does many jobs at once.
    pub fn parallel() -> Self {
        Self { shared: Arc::default(), width: Width::Many }
    }

    /// A pool that does one job after the other, in the order in which they come.
    pub fn in_order() -> Self {
        Self { shared: Arc::default(), width: Width::One }
    }

    /// Starts a thread before there is work for it, and has it run `prepare` first. Work that comes meanwhile waits
    /// for it: another thread would not be ready sooner. Where too many pools have such a thread, nothing is done.
    pub fn start(&self, prepare: impl FnOnce() + Send + 'static) {
        if STANDING.fetch_add(1, Ordering::Relaxed) >= MOST_STANDING {
            STANDING.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let mut state = self.shared.state();
        state.is_standing = true;
        let shared = Arc::clone(&self.shared);
        let started = start_thread(move || {
            // Whatever becomes of that, the thread is there for the work.
            let _ = catch_unwind(AssertUnwindSafe(prepare));
            let mut state = shared.state();
            state.preparing -= 1;
            shared.serve(state);
        });
        if started {
            state.threads += 1;
            state.preparing += 1;
        }
    }

    /// Runs `work` on a thread, now or when one is free, and then `tell` with what it made. Says whether that is
    /// probably soon: a thread that is awake takes it, and the last work was short.
    ///
    /// The thread counts as free when it tells: who hears of the end may have more to do, and must not
    /// wake another thread for it.
    pub fn run<T: 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        tell: impl FnOnce(T) + Send + 'static,
    ) -> bool {
        let job = move || -> Tell {
            let made = work();
            Box::new(move || tell(made))
        };
        let mut state = self.shared.state();
        state.jobs.push_back(Box::new(job));
        let jobs = state.jobs.len();
        let begins = state.awake >= jobs;
        if begins || state.awake + state.preparing >= jobs {
            // One of them sees it and takes the lock at once, which must be free by then.
            drop(state);
            self.shared.waiting.store(jobs, Ordering::Relaxed);
            return begins && self.shared.was_short.load(Ordering::Relaxed);
        }
        self.shared.waiting.store(jobs, Ordering::Relaxed);
        if state.awake + state.preparing + state.asleep >= jobs {
            self.shared.work.notify_one();
        } else if self.width.is_above(state.threads) {
            state.threads += 1;
            let shared = Arc::clone(&self.shared);
            if !start_thread(move || shared.serve(shared.state())) {
                state.threads -= 1;
                // Without any thread the work is done here, late rather than never.
                if state.threads == 0 {
                    let jobs = std::mem::take(&mut state.jobs);
                    self.shared.waiting.store(0, Ordering::Relaxed);
                    drop(state);
                    for job in jobs {
                        job()();
                    }
                }
            }
        }
        false
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_closed = true;
        if std::mem::take(&mut state.is_standing) {
            STANDING.fetch_sub(1, Ordering::Relaxed);
        }
        self.shared.work.notify_all();
    }
}

/// Starts a thread, and says whether there is one.
fn start_thread(run: impl FnOnce() + Send + 'static) -> bool {
    thread::Builder::new().name("hashline".to_owned()).spawn(run).is_ok()
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for work without going to sleep, for a moment; whoever else has work to do goes first.
    fn look_for_work(&self) {
        let since = Instant::now();
        while self.waiting.load(Ordering::Relaxed) == 0 && since.elapsed() < AWAKE {
            thread::yield_now();
        }
    }

    fn serve<'a>(&'a self, mut state: MutexGuard<'a, State>) {
        loop {
            if let Some(job) = state.jobs.pop_front() {
                self.waiting.store(state.jobs.len(), Ordering::Relaxed);
                drop(state);
                let since = Instant::now();
                let tell = job();
                self.was_short.store(since.elapsed() <= SHORT, Ordering::Relaxed);
                self.state().awake += 1;
                tell();
                self.look_for_work();
                state = self.state();
                state.awake -= 1;
                continue;
            }
            if state.is_closed {
                state.threads -= 1;
                return;
            }
            state.asleep += 1;
            let mut is_over = false;
            if state.is_standing && state.threads == 1 {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                let waited = self.work.wait_timeout(state, PATIENCE);
                let (woken, result) = waited.unwrap_or_else(PoisonError::into_inner);
                (state, is_over) = (woken, result.timed_out());
            }
            state.asleep -= 1;
            let is_last = state.is_standing && state.threads == 1;
            if is_over && state.jobs.is_empty() && !is_last {
                state.threads -= 1;
                return;
            }
        }
    }
}
