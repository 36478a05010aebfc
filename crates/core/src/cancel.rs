//! How a caller stops work whose result is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that can be set from any thread; long work checks it often and gives up.
///
/// ```
/// use hashline_core::cancel::Cancel;
/// let cancel = Cancel::default();
/// let other = cancel.clone();
/// assert!(cancel.check().is_ok());
/// other.request();
/// assert!(cancel.check().is_err());
/// ```
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to end.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Err` if the work was asked to end.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_requested() { Err(Cancelled) } else { Ok(()) }
    }

    /// The flag itself, for modules that do not import this type.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// The work was asked to end before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operation was aborted")]
pub struct Cancelled;

impl Cancelled {
    /// The stable name of this error.
    pub fn code(self) -> &'static str {
        "aborted"
    }
}
