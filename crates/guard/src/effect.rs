//! What a command would touch.

use crate::instead::TextChange;
use crate::policy::{Located, Zone};
use crate::serve::EditOp;
use crate::serve::pipe::Stage;
use crate::syntax::Unparsed;

/// Whether a file is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// The file's text is printed.
    Read,
    /// The file's text is changed.
    Write,
}

impl Access {
    /// The name in verdicts: `read` or `write`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// Why a command is thought to touch a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A program or inline code prints or edits files.
    Program,
    /// A program searches the files named by its operands.
    Search,
    /// A redirection writes the file.
    Redirect,
    /// The name of the program is computed.
    UnknownName,
    /// A shell runs a script that the command does not show.
    UnknownScript,
    /// A scratch copy of the file is printed, or text from scratch space is moved to it.
    Laundering,
    /// The command could not be parsed.
    Unparsed(Unparsed),
}

/// One file that a command would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    /// Whether the file is read or written.
    pub(crate) access: Access,
    /// The file; `None` if it is not known.
    pub(crate) target: Option<Located>,
    /// The program or construct that touches the file, for the reason shown.
    pub(crate) by: String,
    /// Why the command is thought to touch the file.
    pub(crate) cause: Cause,
    /// Whether the effect counts: a read counts only once its text is printed.
    pub(crate) counts: bool,
    /// The change to the file, as far as it is known.
    pub(crate) written: Written,
    /// The number of the script's command that has this effect; `None` if a command nested in it
    /// has the effect, or several commands together.
    pub(crate) step: Option<usize>,
}

/// A change to a file, as far as a command shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// The changes of known texts, in order; empty if they are not known.
    pub(crate) changes: Vec<TextChange>,
    /// The operations on lines, each with the stages that choose its lines.
    pub(crate) edits: Vec<(EditOp, Vec<Stage>)>,
}

impl Written {
    /// The change that makes this text the file's content, or appends it.
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
    /// Whether the effect counts and its file is protected or not known.
    pub(crate) fn is_protected(&self) -> bool {
        self.counts && self.target.as_ref().is_none_or(|located| located.zone == Zone::Protected)
    }
}
