//! Calls of the tools as commands of the program, for agents that have nothing but a shell.
//!
//! The guard proposes calls and names files from the workspace's root; a command names them from where
//! it runs, and quotes them.

use serde_json::{Deserializer, Value};

use hashline_core::session::ShellAnswer;
use hashline_guard::{Block, Mode, TextChange, Verdict};

use crate::outcome::Judgement;

/// A patch longer than this is not repeated in an answer.
pub const MOST_REPEATED: usize = 4000;

/// A word as a shell reads it back.
///
/// ```
/// use hashline_wire::command_line::word;
/// assert_eq!(word("src/cart.js"), "src/cart.js");
/// assert_eq!(word("a $(b).txt"), "'a $(b).txt'");
/// ```
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The command that makes a patch.
pub fn apply(patch: &str) -> String {
    format!("hashline apply << 'EOF'\n{patch}\nEOF")
}

/// How a command names a file that the guard names from the workspace's root.
type Name<'n> = &'n dyn Fn(&str) -> String;

/// A judgement with commands in the place of calls.
pub fn judgement(verdict: Verdict, mode: Mode, name: Name<'_>) -> Judgement {
    let words = match &verdict {
        Verdict::Allow => None,
        Verdict::Block(block) => Some(Words::of(block, name)),
    };
    let mut judgement = Judgement::new(verdict, mode);
    if let (Some(words), Judgement::Block { reason, instead, .. }) = (words, &mut judgement) {
        (*reason, *instead) = (words.reason, words.instead);
    }
    judgement
}

/// What an answer says, with commands in the place of calls; nothing if the command may run as it is.
pub fn said(answer: &ShellAnswer, name: Name<'_>) -> Option<String> {
    match answer {
        ShellAnswer::Allow => None,
        ShellAnswer::Nudge(block) => Some(Words::of(block, name).reason),
        ShellAnswer::Refuse { block, text, .. } => {
            let old = Words { reason: block.reason(), instead: block.instead.to_string() };
            Some(reworded_text(text, &old, &Words::of(block, name)))
        }
    }
}

/// What a block says.
struct Words {
    reason: String,
    instead: String,
}

impl Words {
    fn of(block: &Block, name: Name<'_>) -> Self {
        let old = block.instead.to_string();
        let instead = commands(block, &old, name);
        let reason = block
            .reason()
            .replacen(&old, &instead, 1)
            // The program prints long lines whole.
            .replace("; `columns` shows a long line from that column on", "")
            .replace(
                "use read, grep and apply_hash",
                "use `hashline read`, `hashline grep` and `hashline apply`",
            )
            .replace("hint: use hashline apply", "hint: use\n\nhashline apply");
        Self { reason, instead }
    }
}

/// The text of an answer, which has the reason at its start or in a note at its end.
fn reworded_text(text: &str, old: &Words, new: &Words) -> String {
    let note = |words: &Words| words.reason.replace("\nhint: ", "; ");
    if let Some(rest) = text.strip_prefix(&old.reason) {
        return format!("{}{rest}", new.reason);
    }
    match text.rsplit_once("[answered by ") {
        Some((lines, said)) => {
            let said = said.replacen(&note(old), &note(new), 1);
            format!("{lines}[answered by hashline {said}")
        }
        None => text.to_owned(),
    }
}

/// The commands for the call that a block proposes; what is no call stays as it is.
fn commands(block: &Block, text: &str, name: Name<'_>) -> String {
    let Some((tool, rest)) = text.split_once(' ') else { return text.to_owned() };
    let Some((call, tail)) = leading_json(rest) else { return text.to_owned() };
    match tool {
        "read" => format!("`{}`{tail}", read(&call, name)),
        "grep" => format!("`{}`{tail}", grep(&call, name)),
        "apply_hash" => {
            let mut patch = call;
            let ops = patch.get_mut("patch").and_then(Value::as_array_mut);
            for (number, op) in ops.into_iter().flatten().enumerate() {
                rename(op, name);
                let changes = block.convert.as_ref().map(|convert| &convert.changes);
                if let Some(change) = changes.and_then(|changes| changes.get(number)) {
                    spell_out(op, change);
                }
            }
            let tail = match tail.strip_prefix(", or ").and_then(leading_json) {
                Some((mut op, tail)) => {
                    rename(&mut op, name);
                    format!("or {op}{tail}")
                }
                None => tail.trim_start_matches([',', ' ']).to_owned(),
            };
            let gap = if tail.is_empty() { "" } else { "\n" };
            format!("{}{gap}{tail}", apply(&patch.to_string()))
        }
        _ => text.to_owned(),
    }
}

/// The JSON value that a text starts with, and the rest of the text.
fn leading_json(text: &str) -> Option<(Value, &str)> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok().filter(Value::is_object)?;
    Some((value, &text[values.byte_offset()..]))
}

/// Names the file of an operation from where the command runs.
fn rename(op: &mut Value, name: Name<'_>) {
    if let Some(Value::String(path)) = op.get_mut("path") {
        *path = name(path);
    }
}

/// Puts the text itself where a name stands for it: the next command is another process.
fn spell_out(op: &mut Value, change: &TextChange) {
    let (field, text) = match change {
        TextChange::Whole { text, .. } => ("content", text.as_str()),
        TextChange::Append { text, .. } => ("text", text.trim_end_matches('\n')),
        TextChange::Replace { .. } => return,
    };
    op[field] = Value::from(if text.len() > MOST_REPEATED { "…" } else { text });
}

fn read(call: &Value, name: Name<'_>) -> String {
    let paths = call.get("paths").and_then(Value::as_array);
    let paths: Vec<&Value> = paths.map_or_else(|| vec![call], |paths| paths.iter().collect());
    let mut command = "hashline read".to_owned();
    for path in paths {
        let file = path.as_str().or_else(|| path.get("path")?.as_str()).unwrap_or("…");
        let number = |field| path.get(field).and_then(Value::as_i64);
        let lines = match (number("offset"), number("limit")) {
            (None, None) => String::new(),
            (None, Some(limit)) => format!(":1-{limit}"),
            (Some(offset), None) if offset > 0 => format!(":{offset}-"),
            (Some(offset), Some(limit)) if offset > 0 => {
                format!(":{offset}-{}", offset.saturating_add(limit).saturating_sub(1))
            }
            // The program has no name for the last lines of a file.
            _ => String::new(),
        };
        command = format!("{command} {}", word(&(name(file) + &lines)));
    }
    command
}

fn grep(call: &Value, name: Name<'_>) -> String {
    let mut words = vec!["hashline".to_owned(), "grep".to_owned()];
    let is = |field: &str, wanted: bool| call.get(field) == Some(&Value::Bool(wanted));
    let switches = [
        ("-F", is("literal", true)),
        ("-i", is("caseSensitive", false)),
        ("--hidden", is("hidden", true)),
        ("--no-ignore", is("noIgnore", true)),
    ];
    words.extend(switches.iter().filter(|(_, on)| *on).map(|(switch, _)| (*switch).to_owned()));
    for (field, option) in [("contextBefore", "-B"), ("contextAfter", "-A"), ("limit", "-m")] {
        if let Some(number) = call.get(field).and_then(Value::as_u64) {
            words.push(format!("{option} {number}"));
        }
    }
    let texts = |field: &str| {
        let list = call.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
    };
    for (field, option) in [("glob", "-g"), ("type", "-t")] {
        words.extend(texts(field).map(|text| format!("{option} {}", word(&text))));
    }
    let pattern = call.get("pattern").and_then(Value::as_str).unwrap_or("…");
    if pattern.starts_with('-') {
        words.push("--".to_owned());
    }
    words.push(word(pattern));
    words.extend(texts("paths").map(|path| word(&name(&path))));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_guard::{Context, GuardSettings, judge};

    #[test]
    fn a_call_becomes_the_command_that_does_the_same() {
        let context = Context { root: "/w".into(), cwd: "/w".into(), ..Context::default() };
        for (command, expected) in [
            ("cat a.js", "`hashline read ../a.js`"),
            ("sed -n 5,9p a.js", "`hashline read ../a.js:5-9`"),
            ("head -3 'a b.js'", "`hashline read '../a b.js:1-3'`"),
        ] {
            let Verdict::Block(block) = judge(command, &context, &GuardSettings::default()) else {
                panic!("{command} is allowed")
            };
            let words = Words::of(&block, &|path| format!("../{path}"));
            assert!(words.instead.starts_with(expected), "{command}: {}", words.instead);
            assert!(words.reason.contains(expected), "{}", words.reason);
        }
    }

    #[test]
    fn a_text_that_another_process_does_not_know_is_spelled_out() {
        let context = Context { root: "/w".into(), cwd: "/w".into(), ..Context::default() };
        let command = "echo \"it's\" > a";
        let Verdict::Block(block) = judge(command, &context, &GuardSettings::default()) else {
            panic!("it is allowed")
        };
        let words = Words::of(&block, &str::to_owned);
        assert!(words.instead.contains(r#""content":"it's\n""#), "{}", words.instead);
        assert!(words.reason.contains("hashline apply << 'EOF'\n"), "{}", words.reason);
    }
}
