//! Working on many files at once, instead of waiting for the disk once per file.
//!
//! A file system with a journal commits together whatever several threads wait for. Mounted with
//! `discard`, it tells the medium which blocks are free, and a thread that removes a file waits for
//! the answer.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The size of a thread's stack. Little of it is used, and glibc keeps up to 40 MB of stacks for
/// later threads, so stacks of this size can be reused.
const STACK_SIZE: usize = 256 << 10;

/// Calls `work` on every item, on up to `threads` threads including this one, and returns the
/// results in the order of the items.
///
/// A thread that finishes an item takes the next one, and no thread is started once all items are
/// taken: if the work is fast, the first threads do everything.
pub(super) fn at_once<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let (next, work) = (&AtomicUsize::new(0), &work);
    let take = move || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let mut started = Vec::new();
        let others = threads.min(items.len()).saturating_sub(1);
        while started.len() < others && next.load(Ordering::Relaxed) < items.len() {
            // If no other thread can be started, the existing ones do all the work.
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            let Ok(thread) = builder.spawn_scoped(scope, take) else { break };
            started.push(thread);
        }
        let mut done = take();
        for thread in started {
            done.extend(thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Condvar, Mutex};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items_whatever_their_number() {
        for count in [0, 1, 2, 7, 8, 9, 100, 1000] {
            for threads in [0, 1, 4, 64] {
                let items: Vec<usize> = (0..count).collect();
                let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
                assert_eq!(
                    at_once(&items, threads, |item| 2 * item),
                    doubled,
                    "{count}, {threads}"
                );
            }
        }
    }

    #[test]
    fn every_thread_waits_with_an_item_of_its_own() {
        let (waiting, all) = (Mutex::new(0), Condvar::new());
        let met = at_once(&[(); 64], 64, |()| {
            let mut waiting = waiting.lock().unwrap();
            *waiting += 1;
            all.notify_all();
            let few = |waiting: &mut i32| *waiting < 64;
            !all.wait_timeout_while(waiting, Duration::from_mins(10), few).unwrap().1.timed_out()
        });
        assert_eq!(met, [true; 64]);
    }
}
