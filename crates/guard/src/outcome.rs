//! What a program does, as data.
//!
//! A program is a function from its call to an [`Outcome`], a list of actions. The function changes
//! nothing; only [`crate::shell`] performs the actions.

use crate::effect::{Access, Cause, Written};
use crate::known::{Scratch, Stdin, is_stdin};
use crate::pattern::Matching;
use crate::policy::Located;
use crate::settings::ShellKind;

/// One thing that a program does.
#[derive(Debug)]
pub(crate) enum Action {
    /// Prints a file; its path may name standard input.
    Read(String),
    /// Prints standard input.
    ReadInput,
    /// Prints standard input, but not on standard output.
    ShowInput,
    /// Writes a file.
    Write(String, Written),
    /// Reads or writes files that the command does not name.
    Unclear(Access, Cause),
    /// Moves text from scratch space to a protected file.
    Launder(Located),
    /// Remembers what a scratch file holds.
    Keep(String, Scratch),
    /// Runs a shell script.
    Script(String, Surroundings),
    /// Runs a command given by its words.
    Run(Vec<String>, Surroundings),
    /// Prints this text.
    Print(String),
    /// Prints the variables of the shell.
    PrintVariables,
}

/// The state in which a script or command starts, where it differs from that of the shell.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub(crate) stdin: Stdin,
    pub(crate) cwd: Option<String>,
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) positional: Option<Vec<String>>,
    /// Whether a redirection without a command prints, as in zsh.
    pub(crate) null_command: bool,
    /// Whether the script comes from other text (input, a string in code), and may be unknown.
    pub(crate) fed: bool,
    /// The language of the script.
    pub(crate) shell: ShellKind,
}

impl Surroundings {
    /// The state of the shell, with this standard input.
    pub(crate) fn on(stdin: &Stdin) -> Self {
        Self {
            stdin: stdin.clone(),
            cwd: None,
            variables: Vec::new(),
            positional: None,
            null_command: false,
            fed: false,
            shell: ShellKind::Bash,
        }
    }

    /// Like [`Surroundings::on`], for a script that may be unknown.
    pub(crate) fn fed(stdin: &Stdin) -> Self {
        Self { fed: true, ..Self::on(stdin) }
    }
}

/// Everything that one call of a program does.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) actions: Vec<Action>,
    /// The program that performs the actions, if it is not the one called.
    pub(crate) by: Option<String>,
    /// Whether the program searches the files that it reads.
    pub(crate) searches: bool,
    /// Whether the output is computed from the text that was read and does not show it.
    pub(crate) summary: bool,
    /// The pattern that is searched for, if it is known.
    pub(crate) searched: Option<Matching>,
    /// Whether the command itself states the output, as inline code does.
    pub(crate) authored: bool,
    /// The file that is printed with a change, and the change.
    pub(crate) edited: Option<(String, Written)>,
}

impl Outcome {
    /// Prints a file.
    pub(crate) fn read(&mut self, path: &str) {
        self.actions.push(Action::Read(path.to_owned()));
    }

    /// Prints files.
    pub(crate) fn read_all(&mut self, paths: impl IntoIterator<Item = impl AsRef<str>>) {
        paths.into_iter().for_each(|path| self.read(path.as_ref()));
    }

    /// Prints files, or standard input if there are none.
    pub(crate) fn read_or_input(&mut self, paths: &[impl AsRef<str>]) {
        if paths.is_empty() {
            self.read_input();
        }
        self.read_all(paths);
    }

    /// Prints files, or changes them in place.
    pub(crate) fn read_or_edit(&mut self, paths: &[String], in_place: bool, written: &Written) {
        for path in paths {
            if in_place && !is_stdin(path) {
                self.write_known(path, written.clone());
            } else {
                self.read(path);
            }
        }
    }

    /// Prints standard input.
    pub(crate) fn read_input(&mut self) {
        self.actions.push(Action::ReadInput);
    }

    /// Writes a file.
    pub(crate) fn write(&mut self, path: &str) {
        self.write_known(path, Written::default());
    }

    /// Writes files.
    pub(crate) fn write_all(&mut self, paths: impl IntoIterator<Item = impl AsRef<str>>) {
        paths.into_iter().for_each(|path| self.write(path.as_ref()));
    }

    /// Writes a file, with what is known of the change.
    pub(crate) fn write_known(&mut self, path: &str, written: Written) {
        self.actions.push(Action::Write(path.to_owned(), written));
    }

    /// Runs a script that inherits standard input.
    pub(crate) fn script(&mut self, script: &str) {
        self.script_in(script, Surroundings::on(&Stdin::Inherited));
    }

    /// Runs a script.
    pub(crate) fn script_in(&mut self, script: &str, surroundings: Surroundings) {
        self.actions.push(Action::Script(script.to_owned(), surroundings));
    }

    /// Runs scripts with this standard input.
    pub(crate) fn scripts_on<'s>(
        &mut self,
        scripts: impl IntoIterator<Item = &'s str>,
        stdin: &Stdin,
    ) {
        scripts.into_iter().for_each(|script| self.script_in(script, Surroundings::on(stdin)));
    }

    /// Runs a command.
    pub(crate) fn run(&mut self, words: &[String], stdin: &Stdin) {
        self.run_in(words, Surroundings::on(stdin));
    }

    /// Runs a command in these surroundings.
    pub(crate) fn run_in(&mut self, words: &[String], surroundings: Surroundings) {
        self.actions.push(Action::Run(words.to_vec(), surroundings));
    }
}
