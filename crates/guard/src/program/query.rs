//! Query languages: a query for a part of a document is allowed, one for all of it is a read.

use super::Call;
use super::args::{options, parse};
use crate::effect::Written;
use crate::outcome::Outcome;
use crate::serve::pipe::Stage;
use crate::serve::{EditOp, Filter};
use crate::word::has_word;

pub(super) fn jq(call: &Call<'_>, out: &mut Outcome) {
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
        out.read_or_input(&operands);
    } else if call.words.iter().any(|word| is_flag(word, 'n', "--null-input")) {
        // `jq -n` prints the text of its filter.
        out.authored = operands.is_empty();
    } else if let ([file], Some(filter)) = (operands.as_slice(), filter) {
        out.edited = Some(((*file).clone(), edits_of_keys(filter.split('|'))));
    }
}

fn is_flag(word: &str, letter: char, long: &str) -> bool {
    word == long || (word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
}

/// Notes that `npm pkg set KEY=VALUE` and `npm pkg delete KEY` change `package.json`.
pub(super) fn package_keys(words: &[String], directory: &str, out: &mut Outcome) {
    if let Some((verb, keys)) = words.split_first()
        && matches!(verb.as_str(), "set" | "delete")
    {
        let keys = keys.iter().filter(|word| !word.starts_with('-')).map(String::as_str);
        out.write_known(&format!("{directory}/package.json"), edits_of_keys(keys));
    }
}

/// The edit of the lines that assignments such as `.a.b = 1` change in a JSON or YAML file: those
/// with one of the last two keys, since the last key may be new.
fn edits_of_keys<'f>(assignments: impl Iterator<Item = &'f str>) -> Written {
    let mut keys: Vec<&str> = Vec::new();
    for assignment in assignments {
        let path = assignment.trim().trim_start_matches("del(");
        let path = &path[..path.find(['=', '+', '-', '/', ')', ',', '(']).unwrap_or(path.len())];
        let path: Vec<&str> =
            path.split(['.', '[', ']', '"']).map(str::trim).filter(|key| !key.is_empty()).collect();
        keys.extend(&path[path.len().saturating_sub(2)..]);
    }
    keys.sort_unstable();
    keys.dedup();
    let plain = |key: &&str| key.chars().all(|c| c.is_alphanumeric() || "_@ ".contains(c));
    if keys.is_empty() || !keys.iter().all(plain) {
        return Written::default();
    }
    let chosen = Filter::Match {
        pattern: format!(r#"(?:^|[\s"'])(?:{})["']?\s*:"#, keys.join("|")),
        literal: false,
        case_sensitive: true,
        keep: true,
    };
    Written { edits: vec![(EditOp::Replace, vec![Stage::Choose(chosen)])], ..Written::default() }
}

/// Notes the files of `yq`, which comes in several dialects, and of `dasel`.
pub(super) fn yq(call: &Call<'_>, out: &mut Outcome) {
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
        // A single operand is a file if it looks like one, else a filter for standard input.
        Some(first) if operands.len() == 1 && looks_like_file(first) => None,
        Some(_) if parsed.has("from-file") => None,
        Some(_) => Some(operands.remove(0).as_str()),
        None => None,
    };
    if in_place {
        for path in operands {
            out.write_known(path, edits_of_keys(filter.unwrap_or_default().split('|')));
        }
    } else if filter.is_none_or(is_identity) || parsed.has("R raw-input") {
        out.read_or_input(&operands);
    } else if let ([file], Some(filter)) = (operands.as_slice(), filter) {
        out.edited = Some(((*file).clone(), edits_of_keys(filter.split('|'))));
    }
}

/// Notes what `ast-grep` searches, or rewrites with `-U`.
pub(super) fn ast_grep(call: &Call<'_>, out: &mut Outcome) {
    if call.name == "sg" && call.parsed.has("c") {
        // Another program named `sg` runs a command as a group.
        return out.scripts_on(parse(call.words, &options("c", "")).value("c"), call.stdin);
    }
    let operands = call.parsed.operands.iter().map(String::as_str);
    let mut paths: Vec<&str> = operands.filter(|word| !has_word("run scan", word)).collect();
    if paths.is_empty() {
        paths.push(".");
    }
    if call.parsed.has("U update-all") {
        out.write_all(paths);
    } else if call.parsed.has("p pattern") {
        out.searches = true;
        out.read_all(paths);
    }
}

/// Filters that print their whole input in some form.
const IDENTITIES: [&str; 17] = [
    "", ".", "..", "tojson", "tostring", "@json", "@text", "@yaml", "to_yaml", "to_json", "input",
    "inputs", "walk(.", "select(.", "sort_keys(.", "sort_keys(..", ".//empty",
];

/// Whether a filter prints its whole input. One that is not fully known counts as a query.
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
