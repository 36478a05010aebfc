//! Doing the same to many files at once, so that the disk is not waited for once for each.
//!
//! A file system with a journal commits what several threads wait for together. One that tells the medium
//! which blocks are free again (`discard`) lets a thread that removes a file wait for the answer.

use std::panic::resume_unwind;
use std::thread;

/// How many threads wait at once.
const MOST_THREADS: usize = 8;

/// Does `work` to every item and gives the results in the order of the items. Another thread is used
/// for every `share` of them, because starting one takes as long as a short wait.
pub(super) fn at_once<T: Sync, R: Send>(
    items: &[T],
    share: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let part = share.max(items.len().div_ceil(MOST_THREADS));
    let work = &work;
    let all = move |part: &[T]| part.iter().map(work).collect::<Vec<R>>();
    let Some((first, others)) = items.split_at_checked(part).filter(|(_, rest)| !rest.is_empty())
    else {
        return all(items);
    };
    thread::scope(|scope| {
        let started: Vec<_> = others
            .chunks(part)
            .map(|part| {
                let thread = thread::Builder::new().spawn_scoped(scope, move || all(part));
                // Without another thread, this one does it.
                thread.map_err(|_| all(part))
            })
            .collect();
        let mut results = all(first);
        for thread in started {
            results.extend(match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(done) => done,
            });
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_whatever_their_number() {
        for count in [0, 1, 2, 7, 8, 9, 100, 1000] {
            for share in [1, 4, 1000] {
                let items: Vec<usize> = (0..count).collect();
                let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
                assert_eq!(at_once(&items, share, |item| 2 * item), doubled, "{count}, {share}");
            }
        }
    }
}
