//! Programs that run a command for each of many files.

use super::Call;
use crate::known::Stdin;
use crate::outcome::Outcome;
use crate::policy::Zone;
use crate::unknown::{HOLE, file_texts, is_known};

/// The most items for which a command is judged one by one.
const MAX_ITEMS: usize = 16;

pub(super) fn xargs(call: &Call<'_>, out: &mut Outcome) {
    let list = call.parsed.value("a arg-file");
    match (list, call.stdin) {
        (Some(path), _) => out.read(path),
        (None, Stdin::File(_)) => out.read_input(),
        _ => {}
    }
    let short = call.parsed.value("I");
    let long = call.parsed.options.iter().find(|(name, _)| matches!(*name, "replace" | "i"));
    let mark = short.or(long.map(|(_, value)| value.unwrap_or("{}")));
    let separators: &[char] = if call.parsed.has("0 null") {
        &['\0']
    } else if mark.is_some() || call.parsed.has("d delimiter") {
        &['\n', '\0']
    } else {
        &['\n', ' ', '\t', '\0']
    };
    let items = match (list, call.stdin.text()) {
        (None, Some(text)) => items(text, separators),
        _ => vec![HOLE.to_string()],
    };
    let mut words = call.parsed.operands.to_vec();
    if words.is_empty() {
        words.push("echo".to_owned());
    }
    match mark {
        Some(mark) if !mark.is_empty() => {
            for item in items {
                let filled: Vec<String> =
                    words.iter().map(|word| word.replace(mark, &item)).collect();
                out.run(&filled, &Stdin::Inherited);
            }
        }
        _ => {
            words.extend(items);
            out.run(&words, &Stdin::Inherited);
        }
    }
}

/// Follows the command of GNU `parallel` for each of its inputs.
pub(super) fn parallel(call: &Call<'_>, out: &mut Outcome) {
    let listed = call.parsed.value("a arg-file").map(str::to_owned);
    if let Some(path) = &listed {
        out.read(path);
    }
    let words = &call.parsed.operands;
    let split = words.iter().position(|word| word.starts_with(":::"));
    let (command, rest) = words.split_at(split.unwrap_or(words.len()));
    let mut found: Vec<String> = Vec::new();
    if let Some((kind, given)) = rest.split_first() {
        if kind.starts_with("::::") {
            out.read_all(given);
            found.push(HOLE.to_string());
        } else {
            found.extend(given.iter().filter(|word| !word.starts_with(":::")).cloned());
        }
    } else if let (None, Some(text)) = (&listed, call.stdin.text()) {
        found = items(text, &['\n', '\0']);
    } else {
        out.read_input();
        found.push(HOLE.to_string());
    }
    let script = command.join(" ");
    for item in found.iter().take(MAX_ITEMS) {
        let line = if script.is_empty() {
            item.clone()
        } else if script.contains('{') {
            with_item(&script, item)
        } else {
            format!("{script} {item}")
        };
        out.script(&line);
    }
}

/// Follows the actions of `find`.
pub(super) fn find(call: &Call<'_>, out: &mut Outcome) {
    let words = call.words;
    let expression = words
        .iter()
        .position(|word| (word.starts_with('-') && word.len() > 2) || word == "(" || word == "!")
        .unwrap_or(words.len());
    let starts: Vec<&String> =
        words[..expression].iter().filter(|word| !word.starts_with('-')).collect();
    let found = match starts.as_slice() {
        [] => format!("{}/{HOLE}", call.known.cwd),
        [only] => all_below(&call.known.locate(only).path),
        many => {
            let exempt = many.iter().all(|start| call.known.locate(start).zone == Zone::Exempt);
            if exempt { all_below(&call.known.locate(many[0]).path) } else { HOLE.to_string() }
        }
    };
    let mut i = expression;
    while i < words.len() {
        match words[i].as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let rest = &words[i + 1..];
                let end =
                    rest.iter().position(|word| word == ";" || word == "+").unwrap_or(rest.len());
                let command: Vec<String> =
                    rest[..end].iter().map(|word| word.replace("{}", &found)).collect();
                out.run(&command, &Stdin::Inherited);
                i += end + 1;
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(path) = words.get(i + 1) {
                    out.write(path);
                }
                i += 1;
            }
            _ => {}
        }
        i += 1;
    }
}

/// Follows the command of `fd -x`.
pub(super) fn fd(call: &Call<'_>, out: &mut Outcome) {
    let Some(at) = call
        .words
        .iter()
        .position(|word| matches!(word.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))
    else {
        return;
    };
    let place = call.words[..at]
        .iter()
        .rev()
        .find(|word| word.starts_with('/'))
        .map_or_else(|| HOLE.to_string(), |start| all_below(&call.known.locate(start).path));
    let rest = &call.words[at + 1..];
    let end = rest.iter().position(|word| word == ";").unwrap_or(rest.len());
    let mut command: Vec<String> = rest[..end].iter().map(|word| with_item(word, &place)).collect();
    if command == rest[..end] {
        command.push(place);
    }
    out.run(&command, &Stdin::Inherited);
}

/// Replaces the placeholders of `parallel` and `fd` by an item.
fn with_item(text: &str, item: &str) -> String {
    let marks = ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}"];
    marks.iter().fold(text.to_owned(), |text, mark| text.replace(mark, item))
}

fn all_below(path: &str) -> String {
    format!("{}/{HOLE}", path.trim_end_matches('/'))
}

/// The words of a list, or one unknown word if any of it is unknown.
fn items(text: &str, separators: &[char]) -> Vec<String> {
    let shown = file_texts(text);
    if !shown.is_empty() {
        return vec![shown];
    }
    let words: Vec<String> = text
        .split(separators)
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_matches(['"', '\'']).to_owned())
        .collect();
    if words.iter().all(|word| is_known(word)) && words.len() <= MAX_ITEMS {
        return words;
    }
    if words.len() <= MAX_ITEMS && words.iter().all(|word| word.starts_with('/')) {
        return words;
    }
    vec![HOLE.to_string()]
}
