//! Query languages: a real question is allowed, "everything" is a read.

use super::Call;
use super::args::{Spec, parse};
use crate::effect::Cause;
use crate::known::Known;
use crate::outcome::{Outcome, Surroundings};
use crate::word::has_word;

/// `jq`.
pub(super) fn jq(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let mut operands = Vec::new();
    let mut raw = false;
    let mut filter_given = false;
    let mut words = call.words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--arg" | "--argjson" => {
                words.nth(1);
            }
            "--slurpfile" | "--rawfile" | "--argfile" => {
                words.next();
                if let Some(path) = words.next()
                    && word == "--rawfile"
                {
                    out.read(path);
                }
            }
            "-f" | "--from-file" | "-L" | "--indent" => {
                filter_given |= word != "-L" && word != "--indent";
                words.next();
            }
            "--raw-input" => raw = true,
            "--args" | "--jsonargs" => break,
            "--" => operands.extend(words.by_ref()),
            flags if flags.starts_with("--") => {}
            flags if flags.len() > 1 && flags.starts_with('-') => raw |= flags.contains('R'),
            _ => operands.push(word),
        }
    }
    let filter =
        if filter_given || operands.is_empty() { None } else { Some(operands.remove(0).as_str()) };
    let everything = match filter {
        Some(filter) => is_identity(filter),
        None => !filter_given,
    };
    if raw || everything {
        reads_all(&operands, out);
    }
}

fn reads_all(files: &[&String], out: &mut Outcome) {
    if files.is_empty() {
        out.read_input();
    }
    for path in files {
        out.read(path);
    }
}

/// `yq`, which comes in several dialects, and `dasel`.
pub(super) fn yq(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let parsed = &call.parsed;
    let mut operands: Vec<&String> = parsed.operands.iter().collect();
    if operands.first().is_some_and(|word| {
        has_word("e eval ea eval-all r read select w write put delete d m merge", word)
    }) {
        let verb = operands.remove(0).as_str();
        if matches!(verb, "put" | "delete") {
            if let Some(path) = parsed.value("f file") {
                out.write(path);
            }
            return;
        }
    }
    let in_place = parsed.has("i inplace in-place");
    let with_file = parsed.value("f file").filter(|_| call.name == "dasel");
    if let Some(path) = with_file {
        if operands.first().is_none_or(|filter| is_identity(filter)) {
            out.read(path);
        }
        return;
    }
    let looks_like_file = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word);
        !word.starts_with(['.', '[', '(', '$'])
            && name.contains('.')
            && !word.contains([' ', '|', '('])
    };
    let filter = match operands.first() {
        // One operand: a file if it looks like one, else a filter of standard input.
        Some(first) if operands.len() == 1 && looks_like_file(first) => None,
        Some(_) if parsed.has("from-file") => None,
        Some(_) => Some(operands.remove(0).as_str()),
        None => None,
    };
    if in_place {
        for path in operands {
            out.write(path);
        }
    } else if filter.is_none_or(is_identity) || parsed.has("R raw-input") {
        reads_all(&operands, out);
    }
}

/// `ast-grep` searches, or rewrites with `-U`.
pub(super) fn ast_grep(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    if call.name == "sg" && call.parsed.has("c") {
        // The other `sg` runs a command as a group.
        let parsed = parse(call.words, &Spec::new("c", ""));
        if let Some(script) = parsed.value("c") {
            out.script_in(script, Surroundings::on(call.stdin));
        }
        return;
    }
    let paths: Vec<&String> = call
        .parsed
        .operands
        .iter()
        .filter(|word| !matches!(word.as_str(), "run" | "scan"))
        .collect();
    if call.parsed.has("U update-all") {
        if paths.is_empty() {
            out.write(".");
        }
        for path in paths {
            out.write(path);
        }
    } else if call.parsed.has("p pattern") {
        if paths.is_empty() {
            out.read_by(".", None, Cause::Search);
        }
        for path in paths {
            out.read_by(path, None, Cause::Search);
        }
    }
}

/// Filters that give back what they get, in one form or another.
const IDENTITIES: [&str; 17] = [
    "", ".", "..", "tojson", "tostring", "@json", "@text", "@yaml", "to_yaml", "to_json", "input",
    "inputs", "walk(.", "select(.", "sort_keys(.", "sort_keys(..", ".//empty",
];

/// Whether a filter gives back what it gets. One that is not wholly known asks for something.
fn is_identity(filter: &str) -> bool {
    let plain: String = filter.chars().filter(|c| !c.is_whitespace()).collect();
    plain.split(['|', ',']).all(|stage| {
        let inside = stage.trim_start_matches(['(', '[']);
        let listed = stage.len() > inside.len() && stage.starts_with('[');
        let inside = inside.trim_end_matches(')');
        let inside = if listed { inside.trim_end_matches(']') } else { inside };
        IDENTITIES.contains(&inside)
    })
}
