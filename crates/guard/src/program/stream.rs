//! `sed` and `awk`: their operands, and the files their scripts name.

use super::Call;
use crate::code::awk_script::{self, AwkAction};
use crate::code::sed_script::{self, SedAction};
use crate::effect::Cause;
use crate::known::{Known, Stdin, is_stdin};
use crate::outcome::{Outcome, Surroundings};
use crate::unknown::HOLE;

/// `sed`.
pub(super) fn sed(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let mut scripts = Vec::new();
    let mut operands = Vec::new();
    let mut in_place = false;
    let mut from_file = false;
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            operands.extend(words.by_ref().cloned());
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            // Long options may be shortened.
            if !name.is_empty() && "in-place".starts_with(name) {
                in_place = true;
            } else if name.len() > 1 && "expression".starts_with(name) {
                scripts.extend(value.or_else(|| words.next().cloned()));
            } else if name.len() > 1 && "file".starts_with(name) {
                from_file = true;
                if value.is_none() {
                    words.next();
                }
            } else if name.len() > 1 && "line-length".starts_with(name) && value.is_none() {
                words.next();
            }
        } else if word.len() > 1 && word.starts_with('-') {
            for (i, letter) in word.char_indices().skip(1) {
                let attached = word[i + letter.len_utf8()..].to_owned();
                match letter {
                    'i' => {
                        in_place = true;
                        break;
                    }
                    'e' | 'f' | 'l' => {
                        let value = if attached.is_empty() {
                            words.next().cloned()
                        } else {
                            Some(attached)
                        };
                        if letter == 'e' {
                            scripts.extend(value);
                        } else {
                            from_file |= letter == 'f';
                        }
                        break;
                    }
                    _ => {}
                }
            }
        } else {
            operands.push(word.clone());
        }
    }
    // BSD's `sed -i '' script file`.
    if in_place && operands.first().is_some_and(String::is_empty) {
        operands.remove(0);
    }
    if scripts.is_empty() && !from_file && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    sed_scripts(&scripts, out);
    if operands.is_empty() && !in_place {
        out.read_input();
    }
    for path in operands {
        if in_place && !is_stdin(&path) {
            out.write(&path);
        } else {
            out.read(&path);
        }
    }
}

fn sed_scripts(scripts: &[String], out: &mut Outcome) {
    let script = scripts.join("\n");
    for action in sed_script::actions(&script) {
        match action {
            SedAction::Read(path) if is_stdin(&path) => {
                out.read_input();
            }
            SedAction::Read(path) => out.read(&path),
            SedAction::Write(path) => {
                out.write(&path);
            }
            SedAction::Run(script) => {
                out.script_in(&script, Surroundings::fed(&Stdin::Inherited));
            }
        }
    }
}

/// `awk`.
pub(super) fn awk(call: &Call<'_>, known: &Known<'_>, out: &mut Outcome) {
    let parsed = &call.parsed;
    if parsed.has(&["help", "version"]) || (parsed.operands.is_empty() && parsed.has(&["W"])) {
        return;
    }
    let mut operands = &*parsed.operands;
    let mut scripts: Vec<String> = parsed.values(&["e", "source"]).map(str::to_owned).collect();
    let from_file = parsed.has(&["f", "file", "E", "exec"]);
    for path in parsed.values(&["f", "file"]) {
        scripts.extend(known.text_at_or_input(path, call.stdin));
    }
    if scripts.is_empty() && !from_file {
        let Some((script, rest)) = operands.split_first() else {
            return;
        };
        scripts.push(script.clone());
        operands = rest;
    }
    let in_place = parsed.values(&["i", "include"]).any(|library| library.starts_with("inplace"));
    let values: Vec<(&str, &str)> =
        parsed.values(&["v", "assign"]).filter_map(|word| word.split_once('=')).collect();
    for script in &scripts {
        for action in awk_script::actions(script, &values) {
            awk_action(action, out);
        }
    }
    out.summary = !scripts.is_empty()
        && scripts.iter().all(|script| awk_script::is_summary(script))
        && out.actions.is_empty();
    // `name=value` among the files is an assignment.
    let files: Vec<&String> = operands.iter().filter(|word| !is_assignment(word)).collect();
    if files.is_empty() {
        out.read_input();
    }
    for path in files {
        if in_place && !is_stdin(path) {
            out.write(path);
        } else {
            out.read(path);
        }
    }
}

fn awk_action(action: AwkAction, out: &mut Outcome) {
    match action {
        AwkAction::Read(path) if is_stdin(&path) => {
            out.read_input();
        }
        AwkAction::Read(path) => out.read_by(&path, None, Cause::Code),
        AwkAction::Write(path) => {
            out.write_by(&path, None, Cause::Code);
        }
        AwkAction::Run(script) => {
            let stdin = Stdin::Text(HOLE.to_string());
            out.script_in(&script, Surroundings::fed(&stdin));
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
