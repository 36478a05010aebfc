//! Programs that run scripts or other programs.

use super::Call;
use super::args::{Spec, parse};
use crate::effect::Cause;
use crate::shell::{Shell, Stdin, Value, is_stdin, quoted};
use crate::unknown::{ANSWER, HOLE};

impl Shell<'_> {
    /// `sh`, `bash` and the like.
    pub(super) fn nested_shell(&mut self, call: &Call<'_>) -> String {
        let words = without_plus_options(call.words);
        let parsed = &parse(&words, &Spec::wrapper("oO", &["rcfile", "init-file"]));
        for variable in ["BASH_ENV", "ENV"] {
            if let Some(Value::Text(path)) = self.env.variables.get(variable).cloned() {
                self.runs_file_text(&path, call.stdin);
            }
        }
        if let Some(path) = parsed.value(&["rcfile", "init-file"]) {
            self.runs_file_text(path, call.stdin);
        }
        let operands = parsed.operands.as_slice();
        let verbose =
            parsed.has(&["v", "verbose"]) || parsed.values(&["o"]).any(|name| name == "verbose");
        if parsed.has(&["c", "command", "C", "init-command"]) {
            let attached = parsed.value(&["command", "init-command"]).map(str::to_owned);
            let (script, arguments) = match (attached, operands.split_first()) {
                (Some(script), _) => (script, operands),
                (None, Some((script, rest))) => (script.clone(), rest),
                (None, None) => return String::new(),
            };
            return self.apart(|shell| {
                shell.env.null_command = call.name == "zsh";
                // The first argument is `$0`.
                shell.env.positional = Some(arguments.get(1..).unwrap_or(&[]).to_vec());
                shell.fed_script(&script, call.stdin, false)
            });
        }
        let file = if parsed.has(&["s"]) || matches!(call.name, "at" | "batch") {
            None
        } else {
            operands.first()
        };
        match file {
            Some(path) if !is_stdin(path) => {
                if verbose {
                    self.reads_path(path, call);
                }
                let arguments = operands[1..].to_vec();
                self.apart(|shell| {
                    shell.env.positional = Some(arguments);
                    shell.runs_file_text(path, call.stdin)
                })
            }
            _ => match call.stdin {
                Stdin::Text(text) => self.apart(|shell| {
                    shell.env.positional = Some(operands.to_vec());
                    shell.fed_script(text, &Stdin::Inherited, false)
                }),
                Stdin::File(_) if verbose => {
                    self.reads_stdin(call.stdin, call.name, Cause::Program);
                    ANSWER.to_string()
                }
                _ => ANSWER.to_string(),
            },
        }
    }

    /// Runs the text of a file if this command made it; other files are the user's.
    fn runs_file_text(&mut self, path: &str, stdin: &Stdin) -> String {
        let text = self.pipes.get(path).cloned().or_else(|| self.made_text(path));
        match text {
            Some(text) => self.fed_script(&text, stdin, false),
            None => ANSWER.to_string(),
        }
    }

    /// `su -c` and `runuser`.
    pub(super) fn su(&mut self, call: Call<'_>) -> Option<String> {
        if let Some(script) = call.parsed.value(&["c", "command"]) {
            return Some(self.apart(|shell| shell.fed_script(script, call.stdin, false)));
        }
        if call.name == "runuser" && call.parsed.has(&["u", "user"]) {
            return Some(self.invoke(&call.parsed.rest(), call.stdin));
        }
        match call.stdin {
            Stdin::Text(text) => {
                let text = text.clone();
                Some(self.apart(|shell| shell.fed_script(&text, &Stdin::Inherited, false)))
            }
            _ => None,
        }
    }

    /// `sudo`.
    pub(super) fn sudo(&mut self, call: Call<'_>) -> Option<String> {
        if call.parsed.has(&["e", "edit"]) {
            for path in &call.parsed.operands {
                self.writes(path, "sudo -e", Cause::Program, &HOLE.to_string());
            }
            return None;
        }
        let directory = call.parsed.value(&["D", "chdir"]).map(str::to_owned);
        let words = call.parsed.rest();
        let command = words.iter().position(|word| !is_assignment(word))?;
        Some(self.in_directory(directory, |shell| shell.invoke(&words[command..], call.stdin)))
    }

    /// `env`.
    pub(super) fn env(&mut self, call: &Call<'_>) -> String {
        // What follows `-S` is split into words, and the words after it are added.
        let split = call.words.iter().enumerate().find_map(|(i, word)| {
            let attached = word
                .strip_prefix("--split-string=")
                .or_else(|| word.strip_prefix("-S").filter(|rest| !rest.is_empty()));
            match attached {
                Some(text) => Some((text.to_owned(), i + 1)),
                None if matches!(word.as_str(), "-S" | "--split-string" | "-iS" | "-vS") => {
                    Some((call.words.get(i + 1)?.clone(), i + 2))
                }
                None => None,
            }
        });
        if let Some((text, next)) = split {
            let rest = call.words.get(next..).unwrap_or(&[]);
            let line =
                rest.iter().fold(format!("env {text}"), |line, word| line + " " + &quoted(word));
            return self.apart(|shell| shell.script(&line, call.stdin));
        }
        let directory = call.parsed.value(&["C", "chdir"]).map(str::to_owned);
        let words = &call.parsed.operands;
        let command = words.iter().position(|word| !is_assignment(word)).unwrap_or(words.len());
        let (assigned, rest) = words.split_at(command);
        self.in_directory(directory, |shell| {
            shell.apart(|shell| {
                for (name, value) in assigned.iter().filter_map(|word| word.split_once('=')) {
                    shell.set(name, Value::Text(value.to_owned()));
                }
                shell.invoke(rest, call.stdin)
            })
        })
    }

    fn in_directory(
        &mut self,
        directory: Option<String>,
        run: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let saved = self.env.cwd.clone();
        if let Some(directory) = directory {
            self.env.cwd = self.locate(&directory).path;
        }
        let out = run(self);
        self.env.cwd = saved;
        out
    }

    /// `flock FILE cmd` and `flock FILE -c script`.
    pub(super) fn flock(&mut self, call: Call<'_>) -> String {
        let rest = call.parsed.rest();
        match rest.get(1).map(String::as_str) {
            Some("-c" | "--command") => {
                let script = rest.get(2).cloned().unwrap_or_default();
                self.apart(|shell| shell.script(&script, call.stdin))
            }
            _ => self.invoke(rest.get(1..).unwrap_or(&[]), call.stdin),
        }
    }

    /// `script -c cmd FILE`.
    pub(super) fn typescript(&mut self, call: &Call<'_>) {
        if let Some(script) = call.parsed.value(&["c", "command"]) {
            self.apart(|shell| shell.script(script, call.stdin));
        }
        if call.parsed.has(&["help", "version"]) {
            return;
        }
        let file = call.parsed.operands.first().map(String::as_str);
        let file = file.or(call.parsed.value(&["O", "log-out"])).unwrap_or("typescript");
        self.writes(file, call.name, Cause::Program, &HOLE.to_string());
    }

    /// `tar` options that run programs.
    pub(super) fn tar(&mut self, call: &Call<'_>) {
        let options = ["to-command", "checkpoint-action", "use-compress-program", "I"];
        for value in call.parsed.values(&options) {
            let script = value.strip_prefix("exec=").unwrap_or(value);
            self.apart(|shell| shell.script(script, &Stdin::Inherited));
        }
    }

    /// `make` with a makefile given in the command itself.
    pub(super) fn make(&mut self, call: &Call<'_>) {
        let mut texts: Vec<String> = call.parsed.values(&["eval"]).map(str::to_owned).collect();
        for path in call.parsed.values(&["f", "file", "makefile"]) {
            let text = self.pipes.get(path).cloned().or_else(|| self.made_text(path));
            match (text, call.stdin) {
                (Some(text), _) => texts.push(text),
                (None, Stdin::Text(text)) if is_stdin(path) => texts.push(text.clone()),
                _ => {}
            }
        }
        for text in texts {
            for line in text.lines() {
                let recipe = match line.strip_prefix('\t') {
                    Some(recipe) => recipe,
                    None => match line.split_once(';') {
                        Some((_, recipe)) => recipe,
                        None => continue,
                    },
                };
                let recipe = recipe.trim_start_matches(['@', '-', '+']).replace("$$", "$");
                self.apart(|shell| shell.script(&recipe, &Stdin::Inherited));
            }
            let mut rest = text.as_str();
            while let Some((_, after)) = rest.split_once("$(shell ") {
                let script = after.split(')').next().unwrap_or(after);
                self.apart(|shell| shell.script(script, &Stdin::Inherited));
                rest = after;
            }
        }
    }

    /// `gdb -ex 'shell …'`.
    pub(super) fn debugger(&mut self, call: &Call<'_>) {
        if let Some(at) = call.words.iter().position(|word| word == "--args") {
            self.invoke(&call.words[at + 1..], call.stdin);
            return;
        }
        for command in call.parsed.values(&["ex", "iex", "eval-command", "o", "one-line"]) {
            let command = command.trim();
            let script = ["shell ", "!", "platform shell ", "pipe "]
                .iter()
                .find_map(|verb| command.strip_prefix(verb));
            if let Some(script) = script {
                self.apart(|shell| shell.script(script, &Stdin::Inherited));
            } else if let Some(code) = command.strip_prefix("python ") {
                self.code_text("python", code, call.stdin);
            }
        }
    }
}

/// `bash +x +O extglob script`: options that switch something off.
fn without_plus_options(words: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if !word.starts_with(['-', '+']) {
            out.push(word.clone());
            break;
        }
        if !word.starts_with('+') {
            out.push(word.clone());
            if word.ends_with(['o', 'O']) {
                out.extend(rest.next().cloned());
            }
        } else if word.ends_with(['o', 'O']) {
            rest.next();
        }
    }
    out.extend(rest.cloned());
    out
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
