//! Programs that run scripts or other programs.

use super::Call;
use super::args::{first, parse};
use super::interpreter::language;
use super::query::package_keys;
use super::table;
use crate::known::{Stdin, is_stdin};
use crate::outcome::{Action, Outcome, Surroundings};
use crate::word::{assigned, has_word, is_assignment, quoted};

/// Follows the script that is given to `sh`, `bash` or another shell.
pub(super) fn nested_shell(call: &Call<'_>, out: &mut Outcome) {
    let words = without_plus_options(call.words);
    let parsed = &parse(&words, &first("oO", "rcfile init-file"));
    for variable in ["BASH_ENV", "ENV"] {
        if let Some(path) = call.known.text_variable(variable) {
            run_file_text(&path, None, call, out);
        }
    }
    if let Some(path) = parsed.value("rcfile init-file") {
        run_file_text(path, None, call, out);
    }
    let operands = &*parsed.operands;
    let verbose = parsed.has("v verbose") || parsed.values("o").any(|name| name == "verbose");
    if parsed.has("c command C init-command") {
        let attached = parsed.value("command init-command").map(str::to_owned);
        let (script, arguments) = match (attached, operands.split_first()) {
            (Some(script), _) => (script, operands),
            (None, Some((script, rest))) => (script.clone(), rest),
            (None, None) => return,
        };
        let surroundings = Surroundings {
            null_command: call.name == "zsh",
            // The first argument is `$0`.
            positional: Some(arguments.get(1..).unwrap_or(&[]).to_vec()),
            ..Surroundings::fed(call.stdin)
        };
        out.script_in(&script, surroundings);
        return;
    }
    let from_input = parsed.has("s") || matches!(call.name, "at" | "batch");
    match operands.split_first() {
        Some((path, arguments)) if !from_input && !is_stdin(path) => {
            if verbose {
                out.read(path);
            }
            run_file_text(path, Some(arguments), call, out);
        }
        _ => match call.stdin.text() {
            Some(text) => {
                let positional = Some(operands.to_vec());
                let surroundings =
                    Surroundings { positional, ..Surroundings::fed(&Stdin::Inherited) };
                out.script_in(text, surroundings);
            }
            None if verbose => out.read_input(),
            None => {}
        },
    }
}

/// Runs the text of a file that this command wrote; any other file is not followed.
fn run_file_text(path: &str, arguments: Option<&[String]>, call: &Call<'_>, out: &mut Outcome) {
    if let Some(text) = call.known.text_at(path) {
        let positional = arguments.map(<[String]>::to_vec);
        out.script_in(&text, Surroundings { positional, ..Surroundings::fed(call.stdin) });
    }
}

/// Follows the command of `su -c` and `runuser`.
pub(super) fn su(call: &Call<'_>, out: &mut Outcome) {
    if let Some(script) = call.parsed.value("c command") {
        out.script_in(script, Surroundings::fed(call.stdin));
    } else if call.name == "runuser" && call.parsed.has("u user") {
        out.run(&call.parsed.operands, call.stdin);
    } else if let Some(text) = call.stdin.text() {
        out.script_in(text, Surroundings::fed(&Stdin::Inherited));
    }
}

pub(super) fn sudo(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.has("e edit") {
        out.by = Some("sudo -e".to_owned());
        return out.write_all(&*call.parsed.operands);
    }
    let words = &call.parsed.operands;
    let Some(command) = words.iter().position(|word| !is_assignment(word)) else { return };
    let cwd = call.parsed.value("D chdir").map(|path| call.known.locate(path).path);
    out.run_in(&words[command..], Surroundings { cwd, ..Surroundings::on(call.stdin) });
}

pub(super) fn env(call: &Call<'_>, out: &mut Outcome) {
    // `env -S TEXT WORDS`: the text is split into words, and the words are added.
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
        let line = rest.iter().fold(format!("env {text}"), |line, word| line + " " + &quoted(word));
        return out.scripts_on([&*line], call.stdin);
    }
    let words = &call.parsed.operands;
    let command = words.iter().position(|word| !is_assignment(word)).unwrap_or(words.len());
    let (variables, rest) = words.split_at(command);
    let surroundings = Surroundings {
        cwd: call.parsed.value("C chdir").map(|path| call.known.locate(path).path),
        variables: variables.iter().filter_map(|word| assigned(word)).collect(),
        ..Surroundings::on(call.stdin)
    };
    if rest.is_empty() {
        out.actions.push(Action::PrintVariables);
    } else {
        out.run_in(rest, surroundings);
    }
}

/// Follows the command in `flock FILE cmd` and `flock FILE -c script`.
pub(super) fn flock(call: &Call<'_>, out: &mut Outcome) {
    let words = &call.parsed.operands;
    match words.get(1).map(String::as_str) {
        Some("-c" | "--command") => {
            out.scripts_on(words.get(2).map(String::as_str), call.stdin);
        }
        _ => out.run(words.get(1..).unwrap_or(&[]), call.stdin),
    }
}

/// Follows the command in `script -c cmd FILE`, and notes the file.
pub(super) fn typescript(call: &Call<'_>, out: &mut Outcome) {
    out.scripts_on(call.parsed.value("c command"), call.stdin);
    if call.parsed.has("help version") {
        return;
    }
    let file = call.parsed.operands.first().map(String::as_str);
    let file = file.or(call.parsed.value("O log-out")).unwrap_or("typescript");
    out.write(file);
}

/// Follows a command after a subcommand: `poetry run cmd`, `direnv exec DIR cmd`.
pub(super) fn wrapped_subcommand(subcommands: &str, call: &Call<'_>, out: &mut Outcome) {
    let Some((verb, rest)) = call.parsed.operands.split_first() else { return };
    if call.name == "pnpm" && verb == "pkg" {
        return package_keys(rest, call.parsed.value("dir").unwrap_or("."), out);
    }
    if !has_word(subcommands, verb) {
        return;
    }
    let long = "name prefix with python env env-file project command";
    let parsed = parse(rest, &first("np", long));
    let mut rest = &*parsed.operands;
    // `direnv exec DIR cmd`, `nvm exec VERSION cmd`, `aws-vault exec PROFILE -- cmd`.
    if matches!(call.name, "direnv" | "nvm" | "aws-vault") && !rest.is_empty() {
        rest = &rest[1..];
        if rest.first().is_some_and(|word| word == "--") {
            rest = &rest[1..];
        }
    }
    out.run(rest, call.stdin);
}

/// Follows `npx tsx -e CODE`, `npm exec -- prettier f` and `npx -c SCRIPT`, but only packages
/// named like an interpreter or a formatter.
pub(super) fn package_runner(call: &Call<'_>, out: &mut Outcome) {
    out.scripts_on(call.parsed.values("c call"), call.stdin);
    let mut words = &*call.parsed.operands;
    if call.name == "npm" {
        match words.split_first() {
            Some((verb, rest)) if matches!(verb.as_str(), "exec" | "x") => words = rest,
            Some((verb, words)) if verb == "pkg" => {
                return package_keys(words, call.parsed.value("prefix C").unwrap_or("."), out);
            }
            _ => return,
        }
        out.scripts_on(parse(words, &first("c", "call")).values("c call"), call.stdin);
    }
    let options = words.iter().take_while(|word| word.starts_with('-')).count();
    let words = &words[options..];
    let named = |name: &String| {
        let package = name.split('@').next().unwrap_or(name);
        language(package).is_some()
            || table::FORMATTERS.iter().flat_map(table::Row::names).any(|name| name == package)
    };
    if words.first().is_some_and(named) {
        out.run(words, call.stdin);
    }
}

/// Follows `tmux send-keys 'cat f' Enter`: the terminal runs what is typed into it.
pub(super) fn terminal(call: &Call<'_>, out: &mut Outcome) {
    let operands = &call.parsed.operands;
    let typed: String = if call.name == "screen" {
        // `screen -S name -X stuff 'cat f\n'`.
        let at = operands.iter().position(|word| word == "stuff");
        at.and_then(|at| operands.get(at + 1)).cloned().unwrap_or_default()
    } else {
        let Some((verb, keys)) = operands.split_first() else { return };
        match verb.as_str() {
            "send-keys" | "send" => keys.iter().map(|key| typed_key(key)).collect(),
            "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw"
            | "respawn-pane" | "respawn-window" | "run-shell" | "run" | "display-popup" => {
                keys.join(" ")
            }
            _ => return,
        }
    };
    out.script(typed.trim_end_matches("\\n"));
}

/// The text that a key of `tmux send-keys` types.
fn typed_key(key: &str) -> &str {
    match key {
        "Enter" | "C-m" | "C-j" | "KPEnter" => "\n",
        "Space" => " ",
        "Tab" | "Escape" | "C-c" | "C-d" | "C-l" | "C-u" | "C-a" | "C-e" | "C-z" | "q" | "Up"
        | "Down" => "",
        text => text,
    }
}

/// Removes options that switch something off: `bash +x +O extglob script`.
fn without_plus_options(words: &[String]) -> Vec<String> {
    let mut out = words.to_vec();
    let mut at = 0;
    while let Some(word) = out.get(at).filter(|word| word.starts_with(['-', '+'])) {
        let length = if word.ends_with(['o', 'O']) { 2 } else { 1 };
        if word.starts_with('+') {
            out.drain(at..out.len().min(at + length));
        } else {
            at += length;
        }
    }
    out
}
