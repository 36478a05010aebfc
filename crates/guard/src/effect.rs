//! What a command would touch.

use crate::instead::TextChange;
use crate::policy::{Located, Zone};
use crate::serve::EditOp;
use crate::serve::pipe::Stage;
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
    /// A program, or code, that prints or edits files.
    Program,
    /// A program that searches its operands.
    Search,
    /// A redirection that writes.
    Redirect,
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
    /// What is written, as far as that is known.
    pub(crate) written: Written,
    /// The number of the command in the script that does it by itself; `None` if a command inside
    /// of it does, or more than one.
    pub(crate) step: Option<usize>,
}

/// What is written to a file, as far as a command shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// The changes, in order; none if they are not known.
    pub(crate) changes: Vec<TextChange>,
    /// What chooses the lines that change, and the operation that does it to them.
    pub(crate) edits: Vec<(EditOp, Vec<Stage>)>,
}

impl Written {
    /// A text that becomes a file, or is put at its end.
    pub(crate) fn text(text: &str, append: bool) -> Self {
        let (path, text) = (String::new(), text.to_owned());
        let change = if append {
            TextChange::Append { path, text }
        } else {
            TextChange::Whole { path, text }
        };
        Self { changes: vec![change], edits: Vec::new() }
    }
}

impl Effect {
    /// Whether the policy minds.
    pub(crate) fn is_protected(&self) -> bool {
        self.counts && self.target.as_ref().is_none_or(|located| located.zone == Zone::Protected)
    }
}
