//! What a command would touch.

use crate::policy::{Located, Zone};
use crate::syntax::Unparsed;

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
pub(crate) enum Cause {
    /// A program that prints or edits its operands.
    Program,
    /// A program that searches its operands.
    Search,
    /// A redirection.
    Redirect,
    /// Code in another language.
    Code,
    /// The name of the command is not known.
    UnknownName,
    /// A shell is fed something that is not known.
    UnknownScript,
    /// Text went through scratch space.
    Laundering,
    /// The command was not understood.
    Unparsed(Unparsed),
}

/// One file that a command would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Read or written.
    pub(crate) access: Access,
    /// The place, `None` where it is not known.
    pub(crate) target: Option<Located>,
    /// The program or construct that does it, for the reason.
    pub(crate) by: String,
    /// Why.
    pub(crate) cause: Cause,
    /// Whether it counts: text that is read counts once it is printed.
    pub(crate) counts: bool,
}

impl Effect {
    /// Whether the policy minds.
    pub(crate) fn is_protected(&self) -> bool {
        self.counts && self.target.as_ref().is_none_or(|located| located.zone == Zone::Protected)
    }
}
