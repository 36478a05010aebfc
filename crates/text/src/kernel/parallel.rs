//! Using all processors for one text; the only module that uses `rayon`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

use rayon::prelude::*;

use crate::kernel::search;

/// For fewer items than this, waking another thread is not worth it.
const MIN_PARALLEL: usize = 256;

/// How many processors this process may use. The number is kept, because finding it out reads a
/// dozen files.
pub fn processors() -> usize {
    static COUNT: LazyLock<usize> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
    *COUNT
}

/// Cuts `text` at newlines into about as many parts as there are processors.
///
/// The newline at a cut belongs to neither part: joining the parts with newlines restores the text.
pub(crate) fn split_at_lines(text: &[u8]) -> Vec<&[u8]> {
    let size = text.len() / rayon::current_num_threads().max(1) + 1;
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > size {
        let Some(newline) = search::find_byte(b'\n', &rest[size..]) else { break };
        parts.push(&rest[..size + newline]);
        rest = &rest[size + newline + 1..];
    }
    parts.push(rest);
    parts
}

/// Calls `work` on every part, on all processors, and keeps the order. A single part is handled on
/// this thread.
pub fn map<T: Sync, R: Send>(parts: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    match parts {
        [part] => vec![work(part)],
        _ => parts.par_iter().map(work).collect(),
    }
}

/// Calls `work` on every item that `next` returns; `next` is called only on this thread.
///
/// An item goes to another processor if one is free; otherwise this thread handles it, so that
/// there are never more items in work than processors.
pub fn pipeline<T: Send>(mut next: impl FnMut() -> Option<T>, work: impl Fn(T) + Sync + Send) {
    let others = rayon::current_num_threads().saturating_sub(1);
    let busy = AtomicUsize::new(0);
    let (work, busy) = (&work, &busy);
    rayon::in_place_scope(|scope| {
        while let Some(item) = next() {
            if busy.load(Ordering::Relaxed) >= others {
                work(item);
                continue;
            }
            busy.fetch_add(1, Ordering::Relaxed);
            scope.spawn(move |_| {
                work(item);
                busy.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
}

/// Calls `work` on every item, on all processors, and keeps the order. A single item is handled on
/// this thread.
pub fn map_into<T: Send, R: Send>(
    mut items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    if items.len() > 1 {
        return items.into_par_iter().map(work).collect();
    }
    items.pop().map(work).into_iter().collect()
}

/// Runs both closures at once, `there` on another thread; with fewer than `MIN_PARALLEL` items, one
/// after the other.
pub fn both<T: Send>(items: usize, there: impl FnOnce() -> T + Send, here: impl FnOnce()) -> T {
    if items < MIN_PARALLEL {
        here();
        return there();
    }
    let mut made = None;
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| made = Some(there()));
        here();
    });
    made.expect("the scope waits for it")
}

/// Like [`map_into`], but `work` also gets tools, which are made once per thread and used again.
pub fn map_with<T: Send, K: Default + Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(&mut K, T) -> R + Sync + Send,
) -> Vec<R> {
    let idle = Mutex::new(Vec::new());
    map_into(items, |item| {
        let tools: Option<K> = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tools = tools.unwrap_or_default();
        let made = work(&mut tools, item);
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
        made
    })
}
