//! A result that may be there before JavaScript goes on.
//!
//! Waking JavaScript's thread takes longer than reading a short file. So the thread that asked for something looks
//! for the result for a moment, and what is made by then does not have to be sent to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Where one thread puts a result for another that looks for it, as long as it does.
#[derive(Debug)]
pub(crate) struct Early<T> {
    slot: Mutex<Slot<T>>,
    /// Whether there is a result, for who looks without the lock: a hint, which may be late.
    is_made: AtomicBool,
}

#[derive(Debug)]
enum Slot<T> {
    Empty,
    Made(T),
    /// Nobody looks for it any more.
    Closed,
}

impl<T> Default for Early<T> {
    fn default() -> Self {
        Self { slot: Mutex::new(Slot::Empty), is_made: AtomicBool::new(false) }
    }
}

impl<T> Early<T> {
    /// Puts the result there; gives it back if nobody looks for it any more.
    pub(crate) fn offer(&self, made: T) -> Result<(), T> {
        let mut slot = self.slot();
        if matches!(*slot, Slot::Closed) {
            return Err(made);
        }
        *slot = Slot::Made(made);
        // Who sees the hint takes the lock at once, and does not have to wait for it.
        drop(slot);
        self.is_made.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Looks for the result for at most this long; whoever else has work to do goes first. What is offered later is
    /// given back.
    pub(crate) fn take(&self, patience: Duration) -> Option<T> {
        let since = Instant::now();
        while !self.is_made.load(Ordering::Relaxed) && since.elapsed() < patience {
            thread::yield_now();
        }
        match std::mem::replace(&mut *self.slot(), Slot::Closed) {
            Slot::Made(made) => Some(made),
            Slot::Empty | Slot::Closed => None,
        }
    }

    fn slot(&self) -> MutexGuard<'_, Slot<T>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_taken_once_or_given_back() {
        let early = Early::default();
        assert_eq!(early.offer(1), Ok(()));
        assert_eq!(early.take(Duration::ZERO), Some(1));
        assert_eq!(early.offer(2), Err(2));
        assert_eq!(early.take(Duration::ZERO), None);
    }

    #[test]
    fn a_result_that_comes_later_is_given_back() {
        let early = Early::default();
        assert_eq!(early.take(Duration::ZERO), None);
        assert_eq!(early.offer(1), Err(1));
    }

    #[test]
    fn every_result_is_taken_or_given_back() {
        for _ in 0..1000 {
            let early = Early::default();
            let (taken, offered) = thread::scope(|scope| {
                let offered = scope.spawn(|| early.offer(1));
                (early.take(Duration::from_micros(5)), offered.join().unwrap())
            });
            assert_eq!(taken.is_some(), offered.is_ok());
        }
    }
}
