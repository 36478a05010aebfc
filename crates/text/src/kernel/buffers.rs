//! A pool of large buffers.
//!
//! The allocator returns a large buffer to the kernel as soon as it is freed. A new one costs a
//! page fault for every 4 KiB, which takes longer than filling it. So code that makes a large text
//! takes its buffer from this pool and gives it back afterwards. The pool's size is limited, and a
//! buffer that is not given back is simply freed.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Buffers of fewer bytes are not pooled: each thread keeps its largest one, without a lock.
const MIN_POOLED: usize = 32 * 1024;

/// How many bytes the pool holds at most, not counting the buffer that was given back last: about
/// what V8 lets pile up between two garbage collections. So there is room for two texts of 40 MB
/// that take turns. A buffer larger than this is not pooled.
const MAX_POOLED: usize = 64 << 20;

/// An empty buffer with room for `len` items.
pub fn with_capacity<T: BufferItem>(len: usize) -> Vec<T> {
    let found = find::<T>(len).map(|mut buffer| {
        buffer.clear();
        buffer
    });
    found.unwrap_or_else(|| Vec::with_capacity(rounded::<T>(len)))
}

/// A buffer of `len` items with any values: zeros, or those that an earlier user left.
pub fn of_len<T: BufferItem>(len: usize) -> Vec<T> {
    // The kernel hands out zeroed pages when they are first touched, so unused ones cost nothing.
    let mut buffer = find::<T>(len).unwrap_or_else(|| vec![T::default(); rounded::<T>(len)]);
    buffer.resize(len, T::default());
    buffer
}

/// Puts a buffer into the pool.
pub fn give_back<T: BufferItem>(buffer: Vec<T>) {
    if is_pooled::<T>(buffer.capacity()) {
        let dropped = lock().put(buffer);
        // Freeing memory may take the kernel a while, so it happens after the lock is released.
        drop(dropped);
    } else if buffer.capacity() * size_of::<T>() < MIN_POOLED {
        T::keep_small(buffer);
    }
}

/// A type of items that pooled buffers can hold.
pub trait BufferItem: Copy + Default {
    /// The buffers with items of this type in the pool.
    fn kind(spares: &mut Spares) -> &mut VecDeque<Spare<Self>>;

    /// Takes the small buffer that this thread has kept, if any.
    fn take_small() -> Option<Vec<Self>> {
        None
    }

    /// Keeps a small buffer for this thread, unless the one that it has is larger.
    fn keep_small(_: Vec<Self>) {}
}

thread_local! {
    static SMALL: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl BufferItem for u8 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Spare<Self>> {
        &mut spares.bytes
    }

    fn take_small() -> Option<Vec<Self>> {
        SMALL.try_with(Cell::take).ok()
    }

    fn keep_small(buffer: Vec<Self>) {
        // In a thread that is ending, there is no place to keep it.
        let _ = SMALL.try_with(|small| {
            let kept = small.take();
            small.set(if kept.capacity() > buffer.capacity() { kept } else { buffer });
        });
    }
}

impl BufferItem for u16 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Spare<Self>> {
        &mut spares.units
    }
}

impl BufferItem for u32 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Spare<Self>> {
        &mut spares.words
    }
}

/// The pool: for each type of items a queue of buffers, the oldest first.
pub struct Spares {
    bytes: VecDeque<Spare<u8>>,
    units: VecDeque<Spare<u16>>,
    words: VecDeque<Spare<u32>>,
    /// The size of all buffers in bytes.
    kept: usize,
    /// How many buffers were given back so far.
    given: u64,
}

/// A buffer, and its number in the order in which buffers were given back.
pub struct Spare<T> {
    buffer: Vec<T>,
    given: u64,
}

static SPARES: Mutex<Spares> = Mutex::new(Spares::NONE);

fn lock() -> std::sync::MutexGuard<'static, Spares> {
    SPARES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find<T: BufferItem>(len: usize) -> Option<Vec<T>> {
    if is_pooled::<T>(len) {
        lock().take(len)
    } else {
        T::take_small().filter(|buffer| buffer.capacity() >= len)
    }
}

impl Spares {
    const NONE: Self = Self {
        bytes: VecDeque::new(),
        units: VecDeque::new(),
        words: VecDeque::new(),
        kept: 0,
        given: 0,
    };

    /// The smallest buffer with room for `len` items; among equals, the newest. A buffer more than
    /// three times as large is left for others.
    fn take<T: BufferItem>(&mut self, len: usize) -> Option<Vec<T>> {
        let spares = T::kind(self);
        let fitting = spares.iter().map(|spare| spare.buffer.capacity()).enumerate().rev();
        let fitting = fitting.filter(|(_, capacity)| (len..=3 * len).contains(capacity));
        let (at, _) = fitting.min_by_key(|(_, capacity)| *capacity)?;
        let found = spares.remove(at)?.buffer;
        self.kept -= size(&found);
        Some(found)
    }

    /// Adds a buffer and returns the oldest ones, of any type, that no longer fit into the pool.
    fn put<T: BufferItem>(&mut self, buffer: Vec<T>) -> Self {
        let mut dropped = Self::NONE;
        while self.kept > MAX_POOLED {
            let oldest = [self.oldest::<u8>(), self.oldest::<u16>(), self.oldest::<u32>()];
            let oldest = oldest.into_iter().flatten().min();
            self.kept -= dropped.take_over::<u8>(self, oldest)
                + dropped.take_over::<u16>(self, oldest)
                + dropped.take_over::<u32>(self, oldest);
        }
        self.kept += size(&buffer);
        self.given += 1;
        let given = self.given;
        T::kind(self).push_back(Spare { buffer, given });
        dropped
    }

    fn oldest<T: BufferItem>(&mut self) -> Option<u64> {
        T::kind(self).front().map(|spare| spare.given)
    }

    /// Moves the oldest buffer of a type from `other` to this pool, if its number is `given`, and
    /// returns its size in bytes.
    fn take_over<T: BufferItem>(&mut self, other: &mut Self, given: Option<u64>) -> usize {
        let spare = T::kind(other).pop_front_if(|spare| Some(spare.given) == given);
        spare.map_or(0, |spare| {
            let size = size(&spare.buffer);
            T::kind(self).push_back(spare);
            size
        })
    }
}

fn size<T>(buffer: &Vec<T>) -> usize {
    buffer.capacity() * size_of::<T>()
}

/// Whether buffers of this many items are pooled.
fn is_pooled<T>(len: usize) -> bool {
    (MIN_POOLED..=MAX_POOLED).contains(&len.saturating_mul(size_of::<T>()))
}

/// A size a little above `len`, so that the next version of a text, a line longer, still fits.
fn rounded<T>(len: usize) -> usize {
    if is_pooled::<T>(len) { len.next_multiple_of(len.next_power_of_two() / 16) } else { len }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_keeps_its_largest_small_buffer() {
        give_back(Vec::<u8>::with_capacity(100));
        give_back(Vec::<u8>::with_capacity(300));
        give_back(Vec::<u8>::with_capacity(200));
        assert_eq!(with_capacity::<u8>(250).capacity(), 300);
        assert_eq!(with_capacity::<u8>(250).capacity(), 250, "it was taken");
    }

    #[test]
    fn a_buffer_is_used_again_if_it_fits() {
        let mut spares = Spares::NONE;
        spares.put(vec![1_u8; 100_000]);
        spares.put(vec![2_u8; 200_000]);
        spares.put(vec![3_u16; 100_000]);
        assert_eq!(spares.take::<u8>(200_001), None);
        assert_eq!(spares.take::<u8>(50_000).map(|buffer| buffer.len()), Some(100_000));
        assert_eq!(spares.take::<u8>(50_000), None, "the other one is four times as large");
        assert_eq!(spares.take::<u16>(90_000).map(|buffer| buffer[0]), Some(3));
        assert_eq!(spares.kept, 200_000);
    }

    #[test]
    fn the_oldest_buffers_are_dropped_when_the_pool_is_full() {
        let mut spares = Spares::NONE;
        for _ in 0..5 {
            assert!(spares.put(vec![0_u8; MAX_POOLED / 4]).bytes.is_empty());
        }
        assert_eq!(spares.put(vec![0_u8; MAX_POOLED / 2]).bytes.len(), 1, "the oldest goes");
        assert_eq!(spares.kept, MAX_POOLED + MAX_POOLED / 2);
        let dropped = spares.put(vec![0_u16; MAX_POOLED / 4]);
        assert_eq!(dropped.bytes.len(), 2, "the oldest go, of whatever kind");
        assert!(dropped.units.is_empty(), "the newest stays");
        assert_eq!(spares.kept, MAX_POOLED + MAX_POOLED / 2);
    }

    #[test]
    fn two_large_buffers_take_turns() {
        let mut spares = Spares::NONE;
        for dropped in [0, 0, 1, 1] {
            assert_eq!(spares.put(vec![0_u8; MAX_POOLED / 4 * 3]).bytes.len(), dropped);
        }
        assert_eq!(spares.put(vec![0_u32; 10_000]).bytes.len(), 1);
    }

    #[test]
    fn a_buffer_has_the_requested_length() {
        for len in [0, 10, MIN_POOLED, MIN_POOLED + 1, 3 * MIN_POOLED + 7] {
            let mut buffer: Vec<u8> = of_len(len);
            assert_eq!(buffer.len(), len);
            buffer.fill(1);
            give_back(buffer);
            let empty: Vec<u8> = with_capacity(len);
            assert!(empty.is_empty() && empty.capacity() >= len);
        }
    }
}
