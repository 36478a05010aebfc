//! Programs that run a command for each of many files.

use super::Call;
use crate::effect::Cause;
use crate::policy::Zone;
use crate::shell::{Shell, Stdin};
use crate::unknown::{HOLE, is_known};

/// How many known items are tried one by one.
const MAX_ITEMS: usize = 16;

impl Shell<'_> {
    /// `xargs`.
    pub(super) fn xargs(&mut self, call: Call<'_>) -> String {
        let list = call.parsed.value(&["a", "arg-file"]).map(str::to_owned);
        match &list {
            Some(path) => self.reads_path(path, &call),
            None => self.reads_stdin(call.stdin, call.name, Cause::Redirect),
        }
        let short = call.parsed.value(&["I"]).map(str::to_owned);
        let long = call.parsed.options.iter().find(|(name, _)| name == "replace" || name == "i");
        let mark =
            short.or(long.map(|(_, value)| value.clone().unwrap_or_else(|| "{}".to_owned())));
        let separators: &[char] = if call.parsed.has(&["0", "null"]) {
            &['\0']
        } else if mark.is_some() || call.parsed.has(&["d", "delimiter"]) {
            &['\n', '\0']
        } else {
            &['\n', ' ', '\t', '\0']
        };
        let items = match (&list, call.stdin) {
            (None, Stdin::Text(text)) => items(text, separators),
            _ => vec![HOLE.to_string()],
        };
        let mut words = call.parsed.rest();
        if words.is_empty() {
            words.push("echo".to_owned());
        }
        let stdin = Stdin::Inherited;
        match mark {
            Some(mark) if !mark.is_empty() => {
                let mut out = String::new();
                for item in items {
                    let filled: Vec<String> =
                        words.iter().map(|word| word.replace(&mark, &item)).collect();
                    out.push_str(&self.apart(|shell| shell.invoke(&filled, &stdin)));
                }
                out
            }
            _ => {
                words.extend(items);
                self.apart(|shell| shell.invoke(&words, &stdin))
            }
        }
    }

    /// GNU `parallel`.
    pub(super) fn parallel(&mut self, call: &Call<'_>) {
        let listed = call.parsed.value(&["a", "arg-file"]).map(str::to_owned);
        if let Some(path) = &listed {
            self.reads_path(path, call);
        }
        let words = &call.parsed.operands;
        let split = words.iter().position(|word| word.starts_with(":::"));
        let (command, rest) = words.split_at(split.unwrap_or(words.len()));
        let mut found: Vec<String> = Vec::new();
        if let Some((kind, given)) = rest.split_first() {
            if kind.starts_with("::::") {
                for path in given {
                    self.reads_path(path, call);
                }
                found.push(HOLE.to_string());
            } else {
                found.extend(given.iter().filter(|word| !word.starts_with(":::")).cloned());
            }
        } else if let (None, Stdin::Text(text)) = (&listed, call.stdin) {
            found = items(text, &['\n', '\0']);
        } else {
            self.reads_stdin(call.stdin, call.name, Cause::Redirect);
            found.push(HOLE.to_string());
        }
        let script = command.join(" ");
        for item in found.iter().take(MAX_ITEMS) {
            let line = if script.is_empty() {
                item.clone()
            } else if script.contains('{') {
                ["{}", "{.}", "{/}", "{//}", "{/.}", "{1}", "{2}"]
                    .iter()
                    .fold(script.clone(), |line, mark| line.replace(mark, item))
            } else {
                format!("{script} {item}")
            };
            self.apart(|shell| shell.script(&line, &Stdin::Inherited));
        }
    }

    /// `find` with actions.
    pub(super) fn find(&mut self, call: &Call<'_>) {
        let words = call.words;
        let expression = words
            .iter()
            .position(|word| {
                (word.starts_with('-') && word.len() > 2) || word == "(" || word == "!"
            })
            .unwrap_or(words.len());
        let starts: Vec<&String> =
            words[..expression].iter().filter(|word| !word.starts_with('-')).collect();
        let found = match starts.as_slice() {
            [] => format!("{}/{HOLE}", self.env.cwd),
            [only] => below(&self.locate(only).path),
            many => {
                let exempt = many.iter().all(|start| self.locate(start).zone == Zone::Exempt);
                if exempt { below(&self.locate(many[0]).path) } else { HOLE.to_string() }
            }
        };
        let mut i = expression;
        while i < words.len() {
            match words[i].as_str() {
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = &words[i + 1..];
                    let end = rest
                        .iter()
                        .position(|word| word == ";" || word == "+")
                        .unwrap_or(rest.len());
                    let command: Vec<String> =
                        rest[..end].iter().map(|word| word.replace("{}", &found)).collect();
                    self.apart(|shell| shell.invoke(&command, &Stdin::Inherited));
                    i += end + 1;
                }
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(path) = words.get(i + 1) {
                        self.writes(path, call.name, Cause::Program, &HOLE.to_string());
                    }
                    i += 1;
                }
                _ => {}
            }
            i += 1;
        }
    }

    /// `fd -x`.
    pub(super) fn fd(&mut self, call: &Call<'_>) {
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
            .map_or_else(|| HOLE.to_string(), |start| below(&self.locate(start).path));
        let rest = &call.words[at + 1..];
        let end = rest.iter().position(|word| word == ";").unwrap_or(rest.len());
        let marks = ["{}", "{.}", "{/}", "{//}", "{/.}"];
        let mut command: Vec<String> = rest[..end]
            .iter()
            .map(|word| marks.iter().fold(word.clone(), |word, mark| word.replace(mark, &place)))
            .collect();
        if command == rest[..end] {
            command.push(place);
        }
        self.apart(|shell| shell.invoke(&command, &Stdin::Inherited));
    }
}

fn below(path: &str) -> String {
    format!("{}/{HOLE}", path.trim_end_matches('/'))
}

/// The words of a list, or one unknown word if any of it is unknown.
fn items(text: &str, separators: &[char]) -> Vec<String> {
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
