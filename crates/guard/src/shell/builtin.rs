//! The builtins of the shell.

use super::{Shell, Stdin, Value, common_prefix};
use crate::effect::{Cause, Written};
use crate::program::args::{first, options, parse};
use crate::unknown::{ANSWER, HOLE, is_known};
use crate::word::assigned;

impl Shell<'_> {
    /// Runs a builtin; `None` if the name is not one.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        operands: &[String],
        stdin: &Stdin,
    ) -> Option<String> {
        let nothing = Some(String::new());
        match name {
            ":" | "true" | "false" | "exit" | "return" | "break" | "continue" | "wait"
            | "umask" | "jobs" | "kill" | "ulimit" | "shopt" | "enable" | "times" | "logout" => {
                nothing
            }
            "cd" | "chdir" => {
                let to = operands.iter().find(|o| !o.starts_with('-') || *o == "-");
                self.cd(to.map(String::as_str));
                nothing
            }
            "pushd" => {
                self.env.directories.push(self.env.cwd.clone());
                if let Some(to) = operands.iter().find(|o| !o.starts_with('-')) {
                    self.cd(Some(to));
                }
                nothing
            }
            "popd" => {
                self.env.cwd = self.env.directories.pop().unwrap_or_else(|| HOLE.to_string());
                nothing
            }
            "history" => {
                let path = operands.iter().find(|o| !o.starts_with('-'));
                match (operands.first().map(String::as_str), path) {
                    (Some("-r" | "-n"), Some(path)) => {
                        return Some(self.reads(path, name, Cause::Program));
                    }
                    (Some("-w" | "-a"), Some(path)) => {
                        self.writes(path, name, Written::default());
                    }
                    _ => {}
                }
                Some(ANSWER.to_string())
            }
            _ => self.runs_text(name, operands, stdin).or_else(|| self.sets(name, operands, stdin)),
        }
    }

    /// Builtins that run a command or a script.
    fn runs_text(&mut self, name: &str, operands: &[String], stdin: &Stdin) -> Option<String> {
        match name {
            "eval" => {
                let rest = operands.strip_prefix(&["--".to_owned()]).unwrap_or(operands);
                Some(self.fed_script(&rest.join(" "), stdin, true))
            }
            "source" | "." => Some(self.source(operands, stdin)),
            "exec" => {
                let parsed = parse(operands, &first("a", ""));
                Some(self.invoke(&parsed.operands, stdin))
            }
            "command" => {
                let parsed = parse(operands, &first("", ""));
                if parsed.has("v V") {
                    return Some(parsed.operands.first().cloned().unwrap_or_default() + "\n");
                }
                Some(self.invoke(&parsed.operands, stdin))
            }
            "builtin" => Some(self.invoke(operands, stdin)),
            "trap" => {
                let script = operands.iter().find(|o| !o.starts_with('-')).cloned();
                if let Some(script) = script.filter(|_| operands.len() > 1) {
                    let printed = self
                        .in_subshell(|shell| shell.fed_script(&script, &Stdin::Inherited, false));
                    self.shows(&printed);
                }
                Some(String::new())
            }
            _ => None,
        }
    }

    /// Builtins that change names, variables and positional parameters, or test them.
    fn sets(&mut self, name: &str, operands: &[String], stdin: &Stdin) -> Option<String> {
        match name {
            "alias" => {
                self.env.aliases.extend(operands.iter().filter_map(|operand| assigned(operand)));
            }
            "unalias" => self.env.aliases.retain(|name, _| !operands.contains(name)),
            "set" => {
                if operands.is_empty() {
                    return Some(self.variable_texts());
                }
                self.set_positional(operands);
            }
            "shift" => {
                let count = operands.first().and_then(|n| n.parse().ok()).unwrap_or(1);
                if let Some(list) = &mut self.env.positional {
                    list.drain(..count.min(list.len()));
                }
            }
            "read" => self.read(operands, stdin),
            "mapfile" | "readarray" => self.mapfile(operands, stdin),
            "declare" | "typeset" | "local" | "export" | "readonly" => {
                if operands.iter().any(|o| o.starts_with("-p")) {
                    return Some(self.variable_texts());
                }
                self.declare(operands);
            }
            "printf" if operands.first().is_some_and(|o| o.starts_with("-v")) => {
                self.printf_into(operands);
            }
            "let" => {
                for operand in operands {
                    self.arithmetic(operand);
                }
            }
            "test" | "[" | "unset" => {
                for operand in operands {
                    self.expand_hidden(operand);
                    if name == "unset" {
                        self.env.variables.remove(operand);
                    }
                }
            }
            _ => return None,
        }
        Some(String::new())
    }

    fn cd(&mut self, to: Option<&str>) {
        let here = self.env.cwd.clone();
        self.env.cwd = match to {
            None => self.context.home.clone(),
            Some("-") => self.previous_directory(),
            Some(path) => {
                let located = self.locate(path);
                match self.known().copied_from(&located) {
                    Some(original) => original,
                    None => located.path,
                }
            }
        };
        self.env.previous = Some(here);
    }

    /// The directory to which `cd -` goes.
    pub(super) fn previous_directory(&self) -> String {
        self.env.previous.clone().unwrap_or_else(|| HOLE.to_string())
    }

    fn source(&mut self, operands: &[String], stdin: &Stdin) -> String {
        let Some((path, arguments)) = operands.split_first() else {
            return String::new();
        };
        let Some(text) = self.known().text_at_or_input(path, stdin) else {
            return ANSWER.to_string();
        };
        let saved = self.env.positional.clone();
        if !arguments.is_empty() {
            self.env.positional = Some(arguments.to_vec());
        }
        let out = self.fed_script(&text, stdin, true);
        self.env.positional = saved;
        out
    }

    fn set_positional(&mut self, operands: &[String]) {
        let mut rest = operands;
        while let Some((first, others)) = rest.split_first() {
            if first == "--" {
                self.env.positional = Some(others.to_vec());
                return;
            }
            if !first.starts_with(['-', '+']) || first.len() < 2 {
                self.env.positional = Some(rest.to_vec());
                return;
            }
            rest = if first.ends_with('o') { others.get(1..).unwrap_or(&[]) } else { others };
        }
    }

    fn read(&mut self, operands: &[String], stdin: &Stdin) {
        let given = self.given_by(stdin, "read");
        let parsed = parse(operands, &options("adinNptu", ""));
        let lines: Vec<String> =
            stdin.text().into_iter().flat_map(str::lines).map(str::to_owned).collect();
        let line = match lines.as_slice() {
            [] | [_, ..] if !given.is_empty() => given,
            [] => HOLE.to_string(),
            [line] => line.clone(),
            lines if lines.iter().any(|line| line.contains(HOLE)) => common_prefix(lines),
            // Each round of a loop reads another line; one stands for all, best a protected path.
            lines => match lines.iter().find(|line| self.looks_protected(line)) {
                Some(line) => line.clone(),
                None => lines[0].clone(),
            },
        };
        if let Some(array) = parsed.value("a") {
            let list = line.split_whitespace().map(str::to_owned).collect();
            self.set(array, Value::List(list));
        }
        let separators = self.separators().to_owned();
        let mut rest = line.as_str();
        for (i, name) in parsed.operands.iter().enumerate() {
            self.expand_hidden(name);
            let value = if i + 1 == parsed.operands.len() {
                rest
            } else {
                let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
                let (first, others) = rest.split_at(end);
                rest = others.trim_start_matches(|c| separators.contains(c));
                first
            };
            // If the line is unknown, so is every variable, not only the first.
            let value = if is_known(&line) { value } else { line.as_str() };
            self.set(name, Value::Text(value.to_owned()));
        }
        if parsed.operands.is_empty() {
            self.set("REPLY", Value::Text(line));
        }
    }

    /// The file text that `read` or `mapfile` reads. From a redirected file, it counts as read at
    /// once; from a pipe, only when it is printed.
    fn given_by(&mut self, stdin: &Stdin, by: &str) -> String {
        let given = self.reads_stdin(stdin, by, Cause::Program);
        if matches!(stdin, Stdin::File(_)) {
            self.shows(&given);
        }
        given
    }

    fn looks_protected(&self, path: &str) -> bool {
        self.locate(path).zone == super::Zone::Protected
    }

    fn mapfile(&mut self, operands: &[String], stdin: &Stdin) {
        let given = self.given_by(stdin, "mapfile");
        let parsed = parse(operands, &options("dnOsuCc", ""));
        if let Some(script) = parsed.value("C") {
            let script = script.to_owned();
            self.in_subshell(|shell| shell.script(&script, &Stdin::Inherited));
        }
        let name = parsed.operands.first().map_or("MAPFILE", String::as_str);
        let lines = match stdin.text() {
            _ if !given.is_empty() => vec![given],
            Some(text) => text.lines().map(str::to_owned).collect(),
            None => vec![HOLE.to_string()],
        };
        self.set(name, Value::List(lines));
    }

    fn declare(&mut self, operands: &[String]) {
        for operand in operands {
            self.expand_hidden(operand);
            if let Some((name, text)) = assigned(operand) {
                self.set(&name, Value::Text(text));
            }
        }
    }

    fn printf_into(&mut self, operands: &[String]) {
        let (name, rest) = match operands[0].strip_prefix("-v") {
            Some("") => match operands.get(1) {
                Some(name) => (name.clone(), &operands[2..]),
                None => return,
            },
            Some(name) => (name.to_owned(), &operands[1..]),
            None => return,
        };
        self.expand_hidden(&name);
        let text = self.printf(rest);
        self.set(&name, Value::Text(text));
    }
}
