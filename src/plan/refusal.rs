//! Why a patch was not planned, told to the one who must ask again.

use std::fmt;

use crate::anchor::Anchor;

/// One reason why nothing may be written.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// The operation, counted from 0; `None` if the patch as a whole is meant.
    pub op: Option<usize>,
    /// The stable name of the reason.
    pub code: &'static str,
    /// The file, as the caller spelled it; empty if no file is concerned.
    pub path: String,
    /// The anchor that does not fit.
    pub anchor: Option<Anchor>,
    /// What we saw, and the next move.
    pub reason: String,
    /// Zero-based lines of the file that the reader should see now.
    pub look_at: Vec<usize>,
    /// Where the line that was meant seems to be, zero-based.
    pub moved_to: Vec<usize>,
}

impl Refusal {
    /// A refusal that concerns no line.
    pub fn new(op: usize, code: &'static str, path: &str, reason: impl Into<String>) -> Self {
        Self {
            op: Some(op),
            code,
            path: path.to_owned(),
            anchor: None,
            reason: reason.into(),
            look_at: Vec::new(),
            moved_to: Vec::new(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
