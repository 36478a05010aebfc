//! Why an edit was not made.

use super::mismatch::OmpMismatch;

/// The three refusals of the original, which it throws.
#[derive(Clone, PartialEq, Debug)]
pub enum OmpRefusal {
    /// `Error` with this message: WTF-8, because it may quote what the caller wrote.
    Error(Vec<u8>),
    /// `HashlineMismatchError`: lines that changed since the reader saw them, in the order found.
    Mismatch(Vec<OmpMismatch>),
    /// `TypeError` with this message: a value of the wrong type for an edit.
    Type(String),
}

impl OmpRefusal {
    /// The name of the exception that JavaScript sees.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Error(_) => "Error",
            Self::Mismatch(_) => "HashlineMismatchError",
            Self::Type(_) => "TypeError",
        }
    }

    /// A refusal whose message quotes none of the caller's text.
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into().into_bytes())
    }
}
