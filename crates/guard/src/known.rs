//! The state of the shell that the judgement of a program needs.

use std::collections::BTreeMap;

use crate::effect::Written;
use crate::policy::{Located, Policy, Zone};
use crate::settings::GuardSettings;
use crate::unknown::HOLE;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// A single text.
    Text(String),
    /// An array.
    List(Vec<String>),
}

impl Value {
    /// An unknown text.
    pub(crate) fn hole() -> Self {
        Self::Text(HOLE.to_string())
    }

    /// The text, or the elements of the array.
    pub(crate) fn texts(&self) -> &[String] {
        match self {
            Self::Text(text) => std::slice::from_ref(text),
            Self::List(list) => list,
        }
    }
}

/// Where standard input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stdin {
    /// The standard input of the shell itself; never a file of the workspace.
    Inherited,
    /// A file, by redirection.
    File(String),
    /// A here-document, a here-string or a pipe from a text tool, as far as its text is known.
    Text(String),
    /// A pipe from a program that prints its own output.
    Program(String),
}

impl Stdin {
    /// The text from a pipe or a here-document.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Program(text) => Some(text),
            Self::Inherited | Self::File(_) => None,
        }
    }
}

/// Whether a path names standard input.
pub(crate) fn is_stdin(path: &str) -> bool {
    matches!(path, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// What a scratch file holds that a command of the session made.
#[derive(Debug, Clone)]
pub(crate) enum Scratch {
    /// Text that the command wrote to it, as far as known.
    Made(String),
    /// A program's own output.
    Output,
    /// A copy of the file at this protected path.
    CopyOf(String),
    /// A link to this protected path.
    LinkTo(String),
    /// The file at this protected path with a change, made by a query.
    EditOf(String, Written),
}

/// The state of the shell when a program starts.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(crate) policy: &'k Policy<'k>,
    pub(crate) settings: &'k GuardSettings,
    /// The working directory.
    pub(crate) cwd: &'k str,
    pub(crate) variables: &'k BTreeMap<String, Value>,
    pub(crate) scratch: &'k BTreeMap<String, Scratch>,
    /// The output of process substitutions, by the paths that stand for them.
    pub(crate) pipes: &'k BTreeMap<String, String>,
}

impl Known<'_> {
    /// Resolves a path from the working directory.
    pub(crate) fn locate(&self, path: &str) -> Located {
        self.policy.locate(path, self.cwd)
    }

    /// The protected path that a scratch path is a copy of, or lies in a copy of.
    pub(crate) fn copied_from(&self, located: &Located) -> Option<String> {
        if self.scratch.is_empty() || located.zone != Zone::Exempt {
            return None;
        }
        let mut path = located.path.as_str();
        loop {
            if let Some(Scratch::CopyOf(original) | Scratch::LinkTo(original)) =
                self.scratch.get(path)
            {
                return Some(format!("{original}{}", &located.path[path.len()..]));
            }
            path = &path[..path.rfind('/').filter(|&i| i > 0)?];
        }
    }

    /// The text at a path, if a process substitution or the same command put it there.
    pub(crate) fn text_at(&self, path: &str) -> Option<String> {
        self.pipes.get(path).cloned().or_else(|| self.made_text(path))
    }

    /// Like [`Known::text_at`], but a path that names standard input gives its text.
    pub(crate) fn text_at_or_input(&self, path: &str, stdin: &Stdin) -> Option<String> {
        let input = if is_stdin(path) { stdin.text().map(str::to_owned) } else { None };
        self.text_at(path).or(input)
    }

    /// The text of a variable that the command has set.
    pub(crate) fn text_variable(&self, name: &str) -> Option<String> {
        match self.variables.get(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// The text that the command wrote to a scratch file.
    pub(crate) fn made_text(&self, path: &str) -> Option<String> {
        if self.scratch.is_empty() {
            return None;
        }
        match self.scratch.get(&self.locate(path).path) {
            Some(Scratch::Made(text)) => Some(text.clone()),
            _ => None,
        }
    }
}
