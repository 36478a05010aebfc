//! Editors and patches.

use super::Call;
use crate::effect::{Access, Cause};
use crate::shell::{Shell, Stdin};
use crate::unknown::HOLE;

impl Shell<'_> {
    /// An editor with files: it writes, unless its script shows that it only prints.
    pub(super) fn editor(&mut self, call: &Call<'_>) {
        let mut scripts: Vec<String> = call
            .parsed
            .values(&["c", "cmd", "eval", "execute", "f", "funcall"])
            .map(str::to_owned)
            .collect();
        let mut files = Vec::new();
        for operand in &call.parsed.operands {
            match operand.strip_prefix('+') {
                // `+5` and `+/text` only say where to start.
                Some(place) if is_place(place) => {}
                Some(script) => scripts.push(script.to_owned()),
                _ => files.push(operand.clone()),
            }
        }
        // `ex -sc 'x'` and `vim -es`: the letter before `c` takes no value there.
        if let Stdin::Text(text) = call.stdin {
            scripts.push(text.clone());
        }
        for script in &scripts {
            self.editor_script(script, call);
        }
        let only_prints = !scripts.is_empty()
            && matches!(
                call.name,
                "ed" | "red" | "ex" | "vi" | "vim" | "nvim" | "gvim" | "rvim" | "emacs"
            )
            && !scripts.iter().any(|script| saves(script));
        for path in files {
            if only_prints || matches!(call.name, "vimdiff" | "nvimdiff") || call.parsed.has(&["R"])
            {
                self.reads_path(&path, call);
            } else if path != "-" {
                self.writes(&path, call.name, Cause::Program, &HOLE.to_string());
            }
        }
    }

    /// What the commands of a script do besides editing the files named.
    fn editor_script(&mut self, script: &str, call: &Call<'_>) {
        let lisp = matches!(call.name, "emacs" | "emacsclient");
        if lisp {
            self.code_text("emacs", script, call.stdin);
            return;
        }
        for command in script.lines().flat_map(|line| line.split('|')) {
            let command = command.trim().trim_start_matches(':');
            let (verb, rest) = command.split_once([' ', '!']).unwrap_or((command, ""));
            let verb = verb.trim_start_matches(|c: char| "%0123456789,.$+-".contains(c));
            let rest = rest.trim();
            if command.starts_with('!') || (verb.is_empty() && command.contains('!')) {
                let shell_command = command.split_once('!').map_or("", |(_, rest)| rest);
                self.apart(|shell| shell.script(shell_command, &Stdin::Inherited));
            } else if matches!(verb, "w" | "write" | "saveas" | "wq" | "x" | "W")
                && !rest.is_empty()
            {
                self.writes(
                    rest.trim_start_matches("> "),
                    call.name,
                    Cause::Program,
                    &HOLE.to_string(),
                );
            } else if matches!(
                verb,
                "e" | "edit" | "r" | "read" | "tabe" | "sp" | "vs" | "view" | "n"
            ) && !rest.is_empty()
            {
                match rest.strip_prefix('!') {
                    Some(script) => {
                        self.apart(|shell| shell.script(script, &Stdin::Inherited));
                    }
                    None => self.reads(rest, call.name, Cause::Program),
                }
            }
        }
    }

    /// `patch`.
    pub(super) fn patch(&mut self, call: &Call<'_>) {
        if call.parsed.has(&["dry-run", "C", "check"]) {
            return;
        }
        match call.parsed.value(&["o", "output"]).or(call
            .parsed
            .operands
            .first()
            .map(String::as_str))
        {
            Some(path) => self.writes(path, call.name, Cause::Program, &HOLE.to_string()),
            None => {
                // `-d DIR` works there.
                match call.parsed.value(&["d", "directory"]) {
                    Some(directory) => {
                        let path = format!("{directory}/{HOLE}");
                        self.writes(&path, call.name, Cause::Program, &HOLE.to_string());
                    }
                    None => self.applies_patch(call.name),
                }
            }
        }
    }

    /// Notes that a patch changes files below the working directory.
    pub(super) fn applies_patch(&mut self, name: &str) {
        let here = self.locate(&format!("./{HOLE}"));
        if here.zone == crate::policy::Zone::Protected {
            self.note(Access::Write, None, name, Cause::Program);
        }
    }
}

/// Whether what follows `+` is a line number or a search, not a command.
fn is_place(text: &str) -> bool {
    text.is_empty() || text.starts_with('/') || text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether an editor's script saves.
fn saves(script: &str) -> bool {
    script
        .lines()
        .flat_map(|line| line.split('|'))
        .map(|command| command.trim().trim_start_matches(|c: char| ":%0123456789,.$+-".contains(c)))
        .any(|command| {
            let verb: String = command.chars().take_while(char::is_ascii_alphabetic).collect();
            matches!(
                verb.as_str(),
                "w" | "wq"
                    | "wqa"
                    | "wa"
                    | "x"
                    | "xa"
                    | "xit"
                    | "W"
                    | "write"
                    | "update"
                    | "up"
                    | "ZZ"
                    | "saveas"
                    | "exit"
            ) || command.contains("save-buffer")
                || command.contains("write-")
                || command.contains("ZZ")
        })
}
