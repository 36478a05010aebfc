//! What several commands leave behind together.

use std::rc::Rc;

use super::super::ast::{Atom, Command};
use super::super::syntax;
use super::super::unknown::{ANSWER, DOWNLOAD, HOLE};
use super::{Env, Value, simple};

/// Adds what a command printed; several unknown stretches in a row say no more than one.
pub(super) fn join_output(out: &mut String, printed: &str) {
    let only = |c| printed.len() == char::len_utf8(c) && printed.starts_with(c);
    for c in [HOLE, ANSWER, DOWNLOAD] {
        if only(c) && out.ends_with(c) {
            return;
        }
    }
    if out.len() + printed.len() > syntax::MAX_LENGTH {
        HOLE.encode_utf8(&mut [0; 4]).clone_into(out);
        return;
    }
    out.push_str(printed);
}

pub(super) fn merged(mut one: Env, other: &Env) -> Env {
    let hole = || Value::Text(HOLE.to_string());
    for (name, value) in &mut one.variables {
        if other.variables.get(name) != Some(value) {
            *value = hole();
        }
    }
    for name in other.variables.keys() {
        one.variables.entry(name.clone()).or_insert_with(hole);
    }
    if one.cwd != other.cwd {
        one.cwd = HOLE.to_string();
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

/// What is known about each of many words: the beginning they share.
pub(super) fn common(items: &[String]) -> String {
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

/// Whether a compound command prints text of its own, by `echo`, `printf` or `cat`.
pub(super) fn prints_own_words(command: &Command) -> bool {
    match command {
        Command::Simple(simple) => simple.words.first().is_none_or(|word| {
            let name: String = word
                .iter()
                .map(|atom| match atom {
                    Atom::Char(c, _) => *c,
                    _ => HOLE,
                })
                .collect();
            simple::is_talk(&name)
        }),
        Command::Sequence(commands) | Command::Pipeline(commands) => {
            commands.is_empty() || commands.iter().any(prints_own_words)
        }
        Command::Background(inner) | Command::Subshell(inner) | Command::Redirected(inner, _) => {
            prints_own_words(inner)
        }
        Command::Branches { first, arms, .. } => first.iter().chain(arms).any(prints_own_words),
        Command::For { body, .. } => prints_own_words(body),
        Command::Function { .. } | Command::Test(_) | Command::Arithmetic(_) => false,
    }
}
