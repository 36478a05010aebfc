//! Simple commands: their assignments, their redirections, and which program they run.

use super::{Scratch, Shell, Stdin, Value};
use crate::ast::{Assigned, Assignment, Redirect, RedirectKind, Simple};
use crate::effect::{Access, Cause, Effect, Written};
use crate::pattern::is_pattern;
use crate::policy::{Located, Zone};
use crate::unknown::{ANSWER, HOLE_TEXT, file_texts, is_known, is_unknown};
use crate::word::{base_name, quoted};

/// Where a command's streams go.
pub(super) struct Routes {
    pub(super) stdin: Stdin,
    /// The file to which standard output goes.
    output: Option<String>,
    /// Whether standard output is appended to the file.
    append: bool,
    /// Every file to which any output goes.
    outputs: Vec<String>,
}

/// Variables whose value a program runs as a command.
const PROGRAM_VARIABLES: [&str; 12] = [
    "PAGER", "GIT_PAGER", "MANPAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
    "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "LESSOPEN", "LESSCLOSE", "BROWSER",
];

impl Shell<'_> {
    /// Runs a simple command; `substitution` is true if it is all of a `$(...)`.
    pub(super) fn simple(&mut self, simple: &Simple, stdin: &Stdin, substitution: bool) -> String {
        let mut words = self.fields(&simple.words);
        let Some(name) = words.first() else {
            for assignment in &simple.assignments {
                self.assign(assignment);
            }
            let routes = self.routes(&simple.redirects, stdin);
            let mut printed = String::new();
            if (substitution || self.env.null_command) && routes.stdin != *stdin {
                printed = self.reads_stdin(&routes.stdin, "$(<…)", Cause::Program);
                if printed.is_empty() {
                    printed = ANSWER.to_string();
                }
            }
            self.authored = true;
            return self.deliver(routes, printed);
        };
        let only_redirects = base_name(name) == "exec" && words.len() == 1;
        let routes = self.routes(&simple.redirects, stdin);
        let before = std::mem::take(&mut self.authored);
        if only_redirects {
            // The redirections of a bare `exec` also apply to the commands that follow.
            self.step_number = None;
            let mut shown = self.reads_stdin(&routes.stdin, "exec", Cause::Program);
            for redirect in &simple.redirects {
                if let RedirectKind::Input(word) | RedirectKind::Both(word) = &redirect.kind {
                    let path = self.unsplit(word);
                    shown += &self.reads(&path, "exec", Cause::Program);
                }
            }
            self.shows(&shown);
        }
        // Assignments in front of a command end with it, but they are set while it runs: else the
        // guard would miss `X=cat eval '$X f'`.
        let saved: Vec<_> = simple
            .assignments
            .iter()
            .map(|a| (a.name.clone(), self.env.variables.get(&a.name).cloned()))
            .collect();
        for assignment in simple.assignments.iter().chain(&simple.declarations) {
            self.assign(assignment);
        }
        self.run_program_variables(&simple.assignments);
        let printed = self.invoke(&words, &routes.stdin);
        for (name, value) in saved {
            match value {
                Some(value) => self.env.variables.insert(name, value),
                None => self.env.variables.remove(&name),
            };
        }
        self.env.last_operand = words.pop().unwrap_or_default();
        let printed = self.deliver(routes, printed);
        self.authored |= before;
        printed
    }

    /// `PAGER='cat f' git log`: some variables hold commands that the program will run.
    fn run_program_variables(&mut self, assignments: &[Assignment]) {
        for assignment in assignments {
            if !PROGRAM_VARIABLES.contains(&assignment.name.as_str()) {
                continue;
            }
            if let Some(Value::Text(script)) = self.env.variables.get(&assignment.name).cloned()
                && is_known(&script)
            {
                let script = script.trim_start_matches('|').to_owned();
                let printed = self.in_subshell(|shell| shell.script(&script, &Stdin::Inherited));
                self.shows(&printed);
            }
        }
    }

    fn assign(&mut self, assignment: &Assignment) {
        if let Some(subscript) = &assignment.subscript {
            let text = self.unsplit(subscript);
            self.expand_hidden(&text);
        }
        let old = self.env.variables.get(&assignment.name).cloned();
        let value = match &assignment.value {
            Assigned::List(words) => {
                let mut list = match old {
                    Some(Value::List(list)) if assignment.append => list,
                    _ => Vec::new(),
                };
                list.extend(self.fields(words));
                Value::List(list)
            }
            Assigned::Word(word) => {
                let text = self.unsplit(word);
                match (old, &assignment.subscript) {
                    (Some(Value::List(mut list)), Some(_)) => {
                        list.push(text);
                        Value::List(list)
                    }
                    (None, Some(_)) => Value::List(vec![text]),
                    (Some(Value::Text(before)), None) if assignment.append => {
                        Value::Text(before + &text)
                    }
                    _ => Value::Text(text),
                }
            }
        };
        self.set(&assignment.name, value);
    }

    /// Finds where the redirections of a command lead.
    pub(super) fn routes(&mut self, redirects: &[Redirect], stdin: &Stdin) -> Routes {
        let mut routes =
            Routes { stdin: stdin.clone(), output: None, append: false, outputs: Vec::new() };
        for redirect in redirects {
            match &redirect.kind {
                RedirectKind::Text(word) => {
                    let mut text = word.get().map_or_else(String::new, |word| self.unsplit(word));
                    if !text.ends_with('\n') {
                        text.push('\n');
                    }
                    routes.stdin = Stdin::Text(text);
                }
                RedirectKind::Input(word) | RedirectKind::Both(word) => {
                    let path = self.unsplit(word);
                    let both = matches!(redirect.kind, RedirectKind::Both(_));
                    routes.outputs.extend(both.then(|| path.clone()));
                    routes.stdin = self.input(path);
                }
                RedirectKind::Output(word) | RedirectKind::Append(word) => {
                    let path = self.unsplit(word);
                    if redirect.descriptor.is_none_or(|fd| fd == 1) {
                        routes.output = Some(path.clone());
                        routes.append = matches!(redirect.kind, RedirectKind::Append(_));
                    }
                    routes.outputs.push(path);
                }
                RedirectKind::Duplicate { target, output } => {
                    let path = self.unsplit(target);
                    let descriptor = path
                        .trim_end_matches('-')
                        .chars()
                        .all(|c| c.is_ascii_digit() || is_unknown(c));
                    if *output && !descriptor {
                        routes.output = Some(path.clone());
                        routes.outputs.push(path);
                    } else if !*output && !descriptor {
                        routes.stdin = self.input(path);
                    }
                }
            }
        }
        routes
    }

    fn input(&mut self, path: String) -> Stdin {
        if let Some(text) = self.pipes.get(&path) {
            return Stdin::Text(text.clone());
        }
        match self.locate(&path).zone {
            Zone::Descriptor => Stdin::Inherited,
            Zone::Exempt => match self.known().made_text(&path) {
                Some(text) => Stdin::Text(text),
                None => Stdin::File(path),
            },
            Zone::Protected => Stdin::File(path),
        }
    }

    /// Sends the output of a command where its redirections lead; returns the rest.
    ///
    /// A program's own output may go to a file; text that the command states or selects may not.
    pub(super) fn deliver(&mut self, routes: Routes, printed: String) -> String {
        if routes.outputs.is_empty() {
            return printed;
        }
        let chosen = self.authored || !file_texts(&printed).is_empty();
        for path in &routes.outputs {
            let located = self.through_links(self.locate(path));
            if located.zone == Zone::Exempt && located.path != "/dev/null" {
                let text = if routes.output.as_ref() == Some(path) { &printed } else { HOLE_TEXT };
                let made = if chosen { Scratch::Made(text.to_owned()) } else { Scratch::Output };
                self.scratch.insert(located.path.clone(), made);
            }
            if let (false, Some((of, written))) = (chosen, self.edited.clone()) {
                self.remember_edit(located, of, written);
            } else if chosen {
                let written = if routes.output.as_ref() == Some(path) {
                    Written::text(&printed, routes.append)
                } else {
                    Written::default()
                };
                self.note_written(Access::Write, Some(located), ">", Cause::Redirect, written);
            }
        }
        match routes.output {
            Some(path) => {
                // Output to `/dev/null` is gone; output in a file can be printed later.
                if self.locate(&path).path != "/dev/null" {
                    self.shows(&printed);
                }
                String::new()
            }
            None => printed,
        }
    }

    /// Remembers that the file `to` holds the file `of` with a change; moving it back is a write.
    fn remember_edit(&mut self, to: Located, of: Located, mut written: Written) {
        if self.step_number.is_none() {
            // The edit could not be separated from the rest of the command.
            written = Written::default();
        }
        if of.zone != Zone::Protected {
            return;
        }
        self.scratch.insert(to.path, Scratch::EditOf(of.path.clone(), written.clone()));
        // Nothing is written yet, but the write would include this command.
        self.add(Effect {
            access: Access::Write,
            target: Some(of),
            by: String::new(),
            cause: Cause::Laundering,
            counts: false,
            written,
            step: self.step_number,
        });
    }

    /// Runs a command given by its words.
    pub(crate) fn invoke(&mut self, words: &[String], stdin: &Stdin) -> String {
        if !self.step(1 + words.len() / 2) {
            return String::new();
        }
        let Some((name, operands)) = words.split_first() else {
            return String::new();
        };
        if name == "--" {
            // `time -- cmd`.
            return self.invoke(operands, stdin);
        }
        if let Some(text) = self.env.aliases.get(name).cloned() {
            let saved = self.env.aliases.remove(name);
            let line = operands.iter().fold(text, |line, operand| line + " " + &quoted(operand));
            let out = self.script(&line, stdin);
            if let Some(text) = saved {
                self.env.aliases.entry(name.clone()).or_insert(text);
            }
            return out;
        }
        if let Some(body) = self.env.functions.get(name).cloned() {
            self.called.insert(name.clone());
            let positional = self.env.positional.replace(operands.to_vec());
            let out = self.call(|shell| shell.run(&body, stdin));
            self.env.positional = positional;
            return out;
        }
        let base = base_name(name);
        if self.settings.allowed_programs.iter().any(|allowed| allowed == base || allowed == name) {
            return ANSWER.to_string();
        }
        if !is_known(base) || (is_pattern(base) && base != "[" && base != "[[") {
            return self.note_unknown_name(base, operands);
        }
        if name.contains('/')
            && let Some(text) = self.known().made_text(name)
        {
            return self.run_made_program(&text, operands, stdin);
        }
        self.call(|shell| shell.command(base, name, operands, stdin))
    }

    fn note_unknown_name(&mut self, name: &str, operands: &[String]) -> String {
        // Without operands, as in `$(curl …)`, the whole command is downloaded: that is allowed.
        let named = operands.iter().any(|operand| !operand.starts_with('-'));
        if named || (is_pattern(name) && !operands.is_empty()) {
            self.note(Access::Read, None, "a computed command", Cause::UnknownName);
        }
        ANSWER.to_string()
    }

    /// Runs a scratch file that this command wrote.
    fn run_made_program(&mut self, text: &str, operands: &[String], stdin: &Stdin) -> String {
        let first = text.lines().next().unwrap_or("");
        let interpreter = first.strip_prefix("#!").map(|line| {
            let mut words = line.split_whitespace().map(base_name).filter(|w| !w.starts_with('-'));
            match words.next() {
                Some("env") => words.next().unwrap_or("sh").to_owned(),
                Some(name) => name.to_owned(),
                None => "sh".to_owned(),
            }
        });
        match interpreter.as_deref() {
            Some(name) if !crate::program::is_shell(name) => {
                let words = vec![name.to_owned(), "-".to_owned()];
                self.invoke(&words, &Stdin::Text(text.to_owned()))
            }
            _ => self.in_subshell(|shell| {
                shell.env.positional = Some(operands.to_vec());
                shell.fed_script(text, stdin, false)
            }),
        }
    }
}
