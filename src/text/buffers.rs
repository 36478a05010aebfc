//! Large buffers that serve again.
//!
//! The system's allocator gives a buffer of this size back to the kernel as soon as it is freed. The
//! next one comes with a page fault for every 4 KiB, and those cost more than filling it. So whoever
//! makes a large text asks here, and whoever has done with one leaves it here. How much is kept is
//! limited, and a buffer that nobody brings back is simply freed.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Below this many bytes the allocator needs no kernel.
const LARGE: usize = 32 * 1024;

/// How many bytes are kept at most: V8 lets about as many pile up between two collections.
const MOST: usize = 64 << 20;

/// An empty buffer with room for `len` items.
pub(crate) fn with_capacity<T: BufferItem>(len: usize) -> Vec<T> {
    let found = find::<T>(len).map(|mut buffer| {
        buffer.clear();
        buffer
    });
    found.unwrap_or_else(|| Vec::with_capacity(rounded::<T>(len)))
}

/// A buffer of `len` items that say nothing: zeros, or what an earlier user left.
pub(crate) fn of_len<T: BufferItem>(len: usize) -> Vec<T> {
    // Zeros come from the kernel untouched, so what is not needed of them costs nothing.
    let mut buffer = find::<T>(len).unwrap_or_else(|| vec![T::default(); rounded::<T>(len)]);
    buffer.resize(len, T::default());
    buffer
}

/// Leaves a buffer for the next one who needs one.
pub(crate) fn give_back<T: BufferItem>(buffer: Vec<T>) {
    if is_kept::<T>(buffer.capacity()) {
        let dropped = lock().put(buffer);
        // Freeing may take the kernel a while; by now nobody waits for that.
        drop(dropped);
    }
}

/// What buffers hold.
pub(crate) trait BufferItem: Copy + Default {
    /// The buffers of this kind among the `spares`.
    fn kind(spares: &mut Spares) -> &mut VecDeque<Vec<Self>>;
}

impl BufferItem for u8 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Vec<Self>> {
        &mut spares.bytes
    }
}

impl BufferItem for u16 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Vec<Self>> {
        &mut spares.units
    }
}

impl BufferItem for u32 {
    fn kind(spares: &mut Spares) -> &mut VecDeque<Vec<Self>> {
        &mut spares.words
    }
}

/// Buffers that wait for use, each kind from the one that has waited longest.
pub(crate) struct Spares {
    bytes: VecDeque<Vec<u8>>,
    units: VecDeque<Vec<u16>>,
    words: VecDeque<Vec<u32>>,
    /// The size of them all.
    kept: usize,
}

static SPARES: Mutex<Spares> = Mutex::new(Spares::NONE);

fn lock() -> std::sync::MutexGuard<'static, Spares> {
    SPARES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn find<T: BufferItem>(len: usize) -> Option<Vec<T>> {
    if is_kept::<T>(len) { lock().take(len) } else { None }
}

impl Spares {
    const NONE: Self =
        Self { bytes: VecDeque::new(), units: VecDeque::new(), words: VecDeque::new(), kept: 0 };

    /// The buffer that fits best, the one last used among equals, unless most of it would lie idle.
    fn take<T: BufferItem>(&mut self, len: usize) -> Option<Vec<T>> {
        let spares = T::kind(self);
        let fitting = spares.iter().map(Vec::capacity).enumerate().rev();
        let fitting = fitting.filter(|(_, capacity)| (len..=3 * len).contains(capacity));
        let (at, _) = fitting.min_by_key(|(_, capacity)| *capacity)?;
        let found = spares.remove(at)?;
        self.kept -= size(&found);
        Some(found)
    }

    /// Keeps a buffer and returns those for which there is no more room.
    fn put<T: BufferItem>(&mut self, buffer: Vec<T>) -> Vec<Vec<T>> {
        let mut dropped = Vec::new();
        self.kept += size(&buffer);
        T::kind(self).push_back(buffer);
        while self.kept > MOST
            && let Some(oldest) = T::kind(self).pop_front()
        {
            self.kept -= size(&oldest);
            dropped.push(oldest);
        }
        dropped
    }
}

fn size<T>(buffer: &Vec<T>) -> usize {
    buffer.capacity() * size_of::<T>()
}

/// Whether buffers of this many items are worth keeping.
fn is_kept<T>(len: usize) -> bool {
    (LARGE..=MOST).contains(&len.saturating_mul(size_of::<T>()))
}

/// A size a little above `len`, so that the next text, a line longer, still fits.
fn rounded<T>(len: usize) -> usize {
    if is_kept::<T>(len) { len.next_multiple_of(len.next_power_of_two() / 16) } else { len }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_serves_again_where_it_fits() {
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
    fn no_more_is_kept_than_there_is_room_for() {
        let mut spares = Spares::NONE;
        for _ in 0..3 {
            assert!(spares.put(vec![0_u8; MOST / 4]).is_empty());
        }
        assert_eq!(spares.put(vec![0_u8; MOST / 2]).len(), 1, "the oldest goes");
        assert_eq!(spares.kept, MOST);
        assert_eq!(spares.put(vec![0_u16; MOST / 2]).len(), 1, "it is the only one of its kind");
        assert_eq!(spares.kept, MOST);
    }

    #[test]
    fn what_is_taken_has_the_length_that_was_asked_for() {
        for len in [0, 10, LARGE, LARGE + 1, 3 * LARGE + 7] {
            let mut buffer: Vec<u8> = of_len(len);
            assert_eq!(buffer.len(), len);
            buffer.fill(1);
            give_back(buffer);
            let empty: Vec<u8> = with_capacity(len);
            assert!(empty.is_empty() && empty.capacity() >= len);
        }
    }
}
