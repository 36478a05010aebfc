//! A request that is not a patch.

use hashline_core::RefusalCode;

/// The request is not a patch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("patch{}: {reason}; the right shape: {shape}", place(*op, field.as_deref()))]
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

/// The operation and the field, as a path below `patch`.
fn place(op: Option<usize>, field: Option<&str>) -> String {
    let op = op.map_or_else(String::new, |op| format!("[{op}]"));
    op + &field.map_or_else(String::new, |field| format!(".{field}"))
}
