//! Merging the output and the state of several commands.

use std::rc::Rc;

use super::{Env, Value};
use crate::ast::Command;
use crate::syntax;
use crate::unknown::{ANSWER, DOWNLOAD, HOLE, file_texts};
use crate::word::{has_word, name_of};

/// Appends the output of a command; unknown parts in a row become one.
pub(super) fn join_output(out: &mut String, printed: String) {
    let only = |c| printed.len() == char::len_utf8(c) && printed.starts_with(c);
    for c in [HOLE, ANSWER, DOWNLOAD] {
        if only(c) && out.ends_with(c) {
            return;
        }
    }
    if out.len() + printed.len() > syntax::MAX_LENGTH {
        *out = file_texts(out) + &file_texts(&printed);
        out.push(HOLE);
    } else if out.is_empty() {
        *out = printed;
    } else {
        out.push_str(&printed);
    }
}

/// The state known after either of two possibilities.
pub(super) fn merged_env(one: Option<Env>, other: &Env) -> Env {
    let Some(mut one) = one else { return other.clone() };
    for (name, value) in &mut one.variables {
        match (other.variables.get(name), &*value) {
            (Some(theirs), ours) if theirs == ours => {}
            (Some(Value::Text(theirs)), Value::Text(ours)) => {
                *value = Value::Text(merged_text(ours, theirs));
            }
            _ => *value = Value::hole(),
        }
    }
    for name in other.variables.keys() {
        one.variables.entry(name.clone()).or_insert_with(Value::hole);
    }
    if one.cwd != other.cwd {
        one.cwd = merged_text(&one.cwd, &other.cwd);
    }
    if one.positional != other.positional {
        one.positional = None;
    }
    for (name, body) in &other.functions {
        one.functions.entry(name.clone()).or_insert(Rc::clone(body));
    }
    for (name, text) in &other.aliases {
        one.aliases.entry(name.clone()).or_insert(text.clone());
    }
    one
}

/// What is known about a text that is one of two: their common prefix, and the file texts in
/// either.
fn merged_text(one: &str, other: &str) -> String {
    let kept = file_texts(one) + &file_texts(other);
    common_prefix(&[one.to_owned(), other.to_owned()]) + &kept
}

/// Whether a command only tests something, so that the command after `&&` may not run.
pub(super) fn is_test(command: &Command) -> bool {
    match command {
        Command::Test(_) => true,
        Command::Simple(simple) => has_word("[ test grep command which type", &name_of(simple)),
        _ => false,
    }
}

/// Whether a command does nothing besides its noted effects: a simple command, or text that is
/// piped.
pub(super) fn is_plain(command: &Command) -> bool {
    let passes_text = |stage: &Command| {
        let Command::Simple(simple) = stage else { return false };
        simple.assignments.is_empty() && has_word("echo printf cat tee", &name_of(simple))
    };
    match command {
        Command::Simple(simple) => simple.assignments.is_empty(),
        Command::Pipeline(stages) => stages.iter().all(passes_text),
        _ => false,
    }
}

/// What is known about a text that is one of many: their common prefix.
pub(super) fn common_prefix(items: &[String]) -> String {
    let mut shared = items.first().cloned().unwrap_or_default();
    for item in items {
        let same = shared
            .char_indices()
            .zip(item.chars())
            .take_while(|((_, a), b)| a == b)
            .map(|((i, a), _)| i + a.len_utf8())
            .last()
            .unwrap_or(0);
        shared.truncate(same);
    }
    shared.push(HOLE);
    shared
}
