//! A way to tell work under way that nobody wants its result any more.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that can be set from any thread; long work looks at it often and gives up.
///
/// ```
/// use hashline::stop::Stop;
/// let stop = Stop::default();
/// let other = stop.clone();
/// assert!(stop.check().is_ok());
/// other.set();
/// assert!(stop.check().is_err());
/// ```
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the work to end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Err` if the work was asked to end.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_set() { Err(Stopped) } else { Ok(()) }
    }

    /// The flag itself, for code that knows nothing of us.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

/// The work was asked to end before it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl Stopped {
    /// The stable name of this error.
    pub fn code(self) -> &'static str {
        "aborted"
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the operation was aborted")
    }
}

impl std::error::Error for Stopped {}
