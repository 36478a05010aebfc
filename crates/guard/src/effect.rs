//! What a command would touch.

use super::policy::{Located, Zone};

/// Whether a file is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Its text is printed.
    Read,
    /// Its text is changed.
    Write,
}

impl Access {
    /// Its name in verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// Why we think so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A program that prints or edits its operands.
    Program,
    /// A program that searches its operands.
    Search,
    /// A redirection.
    Redirect,
    /// Code in another language.
    Code,
    /// The name of the command cannot be told.
    UnknownName,
    /// A shell is fed something that cannot be told.
    UnknownScript,
    /// Text went through scratch space.
    Laundering,
}

/// One file that a command would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Read or written.
    pub access: Access,
    /// The place, `None` where it cannot be told.
    pub target: Option<Located>,
    /// The program or construct that does it, for the reason.
    pub by: String,
    /// Why.
    pub cause: Cause,
}

impl Effect {
    /// Whether the policy minds.
    pub fn is_protected(&self) -> bool {
        self.target.as_ref().is_none_or(|located| located.zone == Zone::Protected)
    }
}
