//! Editors and patches.

use super::Call;
use super::git::applies_patch;
use crate::code::{Language, scan};
use crate::known::Known;
use crate::outcome::Outcome;
use crate::unknown::HOLE;

/// An editor with files: it writes, unless its script shows that it only prints.
pub(super) fn editor(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let mut scripts: Vec<String> =
        call.parsed.values("c cmd eval execute f funcall").map(str::to_owned).collect();
    let mut files = Vec::new();
    for operand in call.parsed.operands.iter() {
        match operand.strip_prefix('+') {
            // `+5` and `+/text` only say where to start.
            Some(place) if is_place(place) => {}
            Some(script) => scripts.push(script.to_owned()),
            _ => files.push(operand.clone()),
        }
    }
    // `ex -sc 'x'` and `vim -es`: the letter before `c` takes no value there.
    if let Some(text) = call.stdin.text() {
        scripts.push(text.to_owned());
    }
    for script in &scripts {
        editor_script(script, call, out);
    }
    let only_prints = !scripts.is_empty()
        && matches!(
            call.name,
            "ed" | "red" | "ex" | "vi" | "vim" | "nvim" | "gvim" | "rvim" | "emacs"
        )
        && !scripts.iter().any(|script| saves(script));
    for path in files {
        if only_prints || matches!(call.name, "vimdiff" | "nvimdiff") || call.parsed.has("R") {
            out.read(&path);
        } else if path != "-" {
            out.write(&path);
        }
    }
}

/// What the commands of a script do besides editing the files named.
fn editor_script(script: &str, call: &Call<'_>, out: &mut Outcome) {
    let lisp = matches!(call.name, "emacs" | "emacsclient");
    if lisp {
        scan(Language::Lisp, "emacs", script, call.stdin, out);
        return;
    }
    for command in script.lines().flat_map(|line| line.split('|')) {
        let command = command.trim().trim_start_matches(':');
        let (verb, rest) = command.split_once([' ', '!']).unwrap_or((command, ""));
        let verb = verb.trim_start_matches(|c: char| "%0123456789,.$+-".contains(c));
        let rest = rest.trim();
        if command.starts_with('!') || (verb.is_empty() && command.contains('!')) {
            let shell_command = command.split_once('!').map_or("", |(_, rest)| rest);
            out.script(shell_command);
        } else if matches!(verb, "w" | "write" | "saveas" | "wq" | "x" | "W") && !rest.is_empty() {
            out.write(rest.trim_start_matches("> "));
        } else if matches!(verb, "e" | "edit" | "r" | "read" | "tabe" | "sp" | "vs" | "view" | "n")
            && !rest.is_empty()
        {
            match rest.strip_prefix('!') {
                Some(script) => {
                    out.script(script);
                }
                None => out.read(rest),
            }
        }
    }
}

/// `patch`.
pub(super) fn patch(call: &Call<'_>, known: &Known<'_>, out: &mut Outcome) {
    if call.parsed.has("dry-run C check") {
        return;
    }
    match call.parsed.value("o output").or(call.parsed.operands.first().map(String::as_str)) {
        Some(path) => out.write(path),
        None => {
            // `-d DIR` works there.
            match call.parsed.value("d directory") {
                Some(directory) => {
                    let path = format!("{directory}/{HOLE}");
                    out.write(&path);
                }
                None => applies_patch(known, out),
            }
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
