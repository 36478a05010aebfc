//! Performing the actions of programs: only here does a program change the shell.

use super::{Scratch, Shell, Stdin, Value, join_output};
use crate::effect::{Access, Cause};
use crate::known::is_stdin;
use crate::outcome::{Action, Outcome, Surroundings};
use crate::policy::Zone;
use crate::powershell;
use crate::program::{self, table};
use crate::settings::ShellKind;
use crate::unknown::{ANSWER, file_texts};

impl Shell<'_> {
    /// Runs a builtin or a program; returns its output.
    pub(super) fn command(
        &mut self,
        base: &str,
        name: &str,
        operands: &[String],
        stdin: &Stdin,
    ) -> String {
        self.authored |= table::is_text_tool(base);
        // `/bin/echo` is not the builtin, but does the same.
        if let Some(printed) = self.builtin(base, operands, stdin) {
            return printed;
        }
        let Some(mut outcome) = program::outcome(base, name, operands, stdin, self.known()) else {
            let printed = self.printed(base, operands, stdin);
            return printed.unwrap_or_else(|| ANSWER.to_string());
        };
        self.authored |= outcome.authored;
        if let Some((path, written)) = outcome.edited.take() {
            self.edited = Some((self.locate(&path), written));
        }
        let summary = outcome.summary;
        let (effects, searched) = (self.effects.len(), outcome.searched.take());
        let (shown, run) = self.perform(outcome, base, stdin);
        if self.searched.is_none() && self.effects.len() > effects {
            self.searched = searched;
        }
        let mut printed = match run {
            Some(printed) => printed,
            None => self.printed(base, operands, stdin).unwrap_or_else(|| ANSWER.to_string()),
        };
        if summary {
            return ANSWER.to_string();
        }
        join_output(&mut printed, shown);
        printed
    }

    /// Performs the actions; returns the file texts that they print, and the output of the scripts
    /// and commands that they run, if any.
    fn perform(&mut self, outcome: Outcome, name: &str, stdin: &Stdin) -> (String, Option<String>) {
        let mut shown = String::new();
        let mut run: Option<String> = None;
        let by = outcome.by.as_deref().unwrap_or(name);
        let cause = if outcome.searches { Cause::Search } else { Cause::Program };
        for action in outcome.actions {
            if !self.step(1) {
                break;
            }
            match action {
                Action::Read(path) => shown += &self.reads_operand(&path, by, cause, stdin),
                Action::ReadInput => shown += &self.reads_stdin(stdin, by, cause),
                Action::ShowInput => {
                    let text = self.reads_stdin(stdin, by, cause);
                    self.shows(&text);
                }
                Action::Write(path, written) => self.writes(&path, by, written),
                Action::Unclear(access, cause) => self.note(access, None, by, cause),
                Action::Launder(to) => self.note(Access::Write, Some(to), by, Cause::Laundering),
                Action::Keep(path, scratch) => {
                    self.scratch.insert(path, scratch);
                }
                Action::Print(text) => shown += &text,
                Action::PrintVariables => shown += &self.variable_texts(),
                Action::Script(text, surroundings) => {
                    let printed = self.within(&surroundings, true, |shell, place| {
                        if place.shell == ShellKind::PowerShell {
                            shell.parsed_script(powershell::parse(&text), &place.stdin)
                        } else if place.fed {
                            shell.fed_script(&text, &place.stdin, false)
                        } else {
                            shell.script(&text, &place.stdin)
                        }
                    });
                    join_output(run.get_or_insert_default(), printed);
                }
                Action::Run(words, surroundings) => {
                    let printed = self.within(&surroundings, false, |shell, place| {
                        shell.invoke(&words, &place.stdin)
                    });
                    join_output(run.get_or_insert_default(), printed);
                }
            }
        }
        (shown, run)
    }

    /// Calls `run` with the surroundings, in a subshell if they differ or if `apart` is true.
    fn within(
        &mut self,
        surroundings: &Surroundings,
        apart: bool,
        run: impl FnOnce(&mut Self, &Surroundings) -> String,
    ) -> String {
        let plain = surroundings.cwd.is_none()
            && surroundings.variables.is_empty()
            && surroundings.positional.is_none();
        if plain && !apart {
            return run(self, surroundings);
        }
        self.in_subshell(|shell| {
            if let Some(cwd) = &surroundings.cwd {
                shell.env.cwd.clone_from(cwd);
            }
            for (name, value) in &surroundings.variables {
                shell.set(name, Value::Text(value.clone()));
            }
            if surroundings.positional.is_some() {
                shell.env.positional.clone_from(&surroundings.positional);
                shell.env.null_command = surroundings.null_command;
            }
            run(shell, surroundings)
        })
    }

    /// Reads the file named by an operand, which may be standard input.
    fn reads_operand(&mut self, path: &str, by: &str, cause: Cause, stdin: &Stdin) -> String {
        if is_stdin(path) {
            return self.reads_stdin(stdin, by, cause);
        }
        let located = self.locate(path);
        if located.zone == Zone::Descriptor {
            return match self.pipes.get(&located.path) {
                Some(text) => file_texts(text),
                None => self.reads_stdin(stdin, by, cause),
            };
        }
        // A scratch file may hold text of a protected file.
        let kept = match self.scratch.get(&located.path) {
            Some(Scratch::Made(text)) => file_texts(text),
            _ => String::new(),
        };
        let read = self.reads_located(located, by, cause);
        if kept.is_empty() { read } else { kept + &read }
    }

    /// The file texts that variables hold.
    pub(super) fn variable_texts(&self) -> String {
        self.env.variables.values().flat_map(Value::texts).map(|text| file_texts(text)).collect()
    }
}
