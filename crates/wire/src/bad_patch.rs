//! A request that is not a patch.

use std::fmt;

use hashline_core::RefusalCode;

/// The request is not a patch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadPatch {
    /// Which operation, counted from 0; `None` if it is the request as a whole.
    pub op: Option<usize>,
    /// Which field of it.
    pub field: Option<String>,
    /// Why it is wrong.
    pub reason: String,
    /// The right shape.
    pub shape: String,
    /// The stable name of the error.
    pub code: RefusalCode,
}

impl fmt::Display for BadPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.op {
            Some(op) => write!(f, "patch[{op}]")?,
            None => write!(f, "patch")?,
        }
        if let Some(field) = &self.field {
            write!(f, ".{field}")?;
        }
        write!(f, ": {}; the right shape: {}", self.reason, self.shape)
    }
}

impl std::error::Error for BadPatch {}
