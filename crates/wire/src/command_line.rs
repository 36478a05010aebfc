//! Calls of the tools as commands of the program, for agents that have nothing but a shell.
//!
//! The guard proposes calls and names files from the workspace's root; a command names them from where
//! it runs, and quotes them.

use serde_json::{Deserializer, Value};

use hashline_core::session::ShellAnswer;
use hashline_guard::{Block, TextChange, Verdict};

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

/// A verdict with commands in the place of calls.
pub fn verdict(verdict: Verdict, name: Name<'_>) -> Verdict {
    match verdict {
        Verdict::Allow => Verdict::Allow,
        Verdict::Block(block) => Verdict::Block(reworded(&block, name)),
    }
}

/// An answer with commands in the place of calls.
pub fn answer(answer: ShellAnswer, name: Name<'_>) -> ShellAnswer {
    match answer {
        ShellAnswer::Allow => ShellAnswer::Allow,
        ShellAnswer::Nudge(block) => ShellAnswer::Nudge(reworded(&block, name)),
        ShellAnswer::Refuse { block: old, text, served } => {
            let block = reworded(&old, name);
            let text = reworded_text(&text, &old, &block);
            ShellAnswer::Refuse { block, text, served }
        }
    }
}

fn reworded(block: &Block, name: Name<'_>) -> Block {
    let instead = commands(block, name);
    let reason = block
        .reason
        .replacen(&block.instead, &instead, 1)
        // The program prints long lines whole.
        .replace("; `columns` shows a long line from that column on", "")
        .replace(
            "use read, grep and apply_hash",
            "use `hashline read`, `hashline grep` and `hashline apply`",
        )
        .replace("hint: use hashline apply", "hint: use\n\nhashline apply");
    Block { reason, instead, ..block.clone() }
}

/// The text of an answer, which has the reason at its start or in a note at its end.
fn reworded_text(text: &str, old: &Block, new: &Block) -> String {
    let note = |block: &Block| block.reason.replace("\nhint: ", "; ");
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
fn commands(block: &Block, name: Name<'_>) -> String {
    let text = &block.instead;
    let Some((tool, rest)) = text.split_once(' ') else { return text.clone() };
    let Some((call, tail)) = leading_json(rest) else { return text.clone() };
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
        _ => text.clone(),
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
    use hashline_guard::{Access, Conversion};

    fn block(instead: &str, convert: Option<Conversion>) -> Block {
        let reason = format!("`x` does it\nhint: use {instead}");
        let (access, instead) = (Access::Write, instead.to_owned());
        Block { access, targets: Vec::new(), reason, instead, serve: None, convert }
    }

    #[test]
    fn a_call_becomes_the_command_that_does_the_same() {
        let check = |call: &str, expected: &str| {
            let name = |path: &str| format!("../{path}");
            assert_eq!(reworded(&block(call, None), &name).instead, expected);
        };
        check(r#"read {"path":"a.txt"}"#, "`hashline read ../a.txt`");
        check(r#"read {"path":"a b","offset":5,"limit":3}"#, "`hashline read '../a b:5-7'`");
        check(r#"read {"paths":["a",{"path":"b","limit":3}]}"#, "`hashline read ../a ../b:1-3`");
        check(
            r#"grep {"pattern":"-x y","paths":["src"],"glob":["*.c"],"literal":true,"contextAfter":2,"limit":9}"#,
            "`hashline grep -F -A 2 -m 9 -g '*.c' -- '-x y' ../src`",
        );
        check(
            r#"apply_hash {"patch":[{"op":"x","path":"a"}]}, or {"op":"y","path":"a"} for a new file"#,
            "hashline apply << 'EOF'\n{\"patch\":[{\"op\":\"x\",\"path\":\"../a\"}]}\nEOF\nor {\"op\":\"y\",\"path\":\"../a\"} for a new file",
        );
        check("a simpler command, one step at a time", "a simpler command, one step at a time");
    }

    #[test]
    fn a_text_that_another_process_does_not_know_is_spelled_out() {
        let change = TextChange::Whole { path: "a".to_owned(), text: "it's\n".to_owned() };
        let convert = Conversion { changes: vec![change], rest: None };
        let call = r#"apply_hash {"patch":[{"op":"add_file","path":"a","content":"kept 1"}]}"#;
        let block = reworded(&block(call, Some(convert)), &str::to_owned);
        assert!(block.instead.contains(r#""content":"it's\n""#), "{}", block.instead);
        assert!(block.reason.contains("hint: use\n\nhashline apply << 'EOF'\n"));
    }

    #[test]
    fn only_the_reason_of_an_answer_is_reworded() {
        let old = block(r#"read {"path":"a"}"#, None);
        let new = reworded(&old, &str::to_owned);
        let row = r#"1:56|read {"path":"a"}"#;
        let note = old.reason.replace("\nhint: ", "; ");
        let answer = reworded_text(&format!("{row}\n\n[answered by read: {note}]"), &old, &new);
        let expected = "[answered by hashline read: `x` does it; use `hashline read a`]";
        assert_eq!(answer, format!("{row}\n\n{expected}"));
        let answer = reworded_text(&format!("{}\n\n{row}", old.reason), &old, &new);
        assert_eq!(answer, format!("{}\n\n{row}", new.reason));
    }
}
