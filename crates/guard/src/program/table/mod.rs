//! The programs the guard knows, as data.
//!
//! A row names programs that behave alike, the options that take a value (so that the value is not
//! taken for a file), and a [`Rule`]. To teach the guard a new pager or wrapper, add its name to a
//! row or a row to a table. Programs that are not here are left alone.

mod readers;
mod wrappers;
mod writers;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::Program;
use super::args::{Spec, first, long, options};
use crate::effect::Access;

pub(crate) use readers::{FORMATTERS, LANGUAGES, READERS, SEARCHERS, TOOLS};
pub(crate) use wrappers::{SHELLS, WRAPPERS};
pub(crate) use writers::{COPIERS, WRITERS};

/// What the programs of a row do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// Print their operands, or standard input if there are none.
    Read,
    /// Print their operands after this many, which are not files.
    ReadAfter(usize),
    /// Print their operands, unless one of these options is given.
    ReadUnless(&'static str),
    /// Print standard input only.
    Filter,
    /// Print the file named by one of these options, and no other.
    ReadOption(&'static str),
    /// Write to their operands after this many, which are not files.
    Write(usize),
    /// Write only if one of these options is given; see [`Rule::Write`].
    WriteIf(&'static str, usize),
    /// Run the rest of their words as a command, after this many operands.
    Wrap(usize),
    /// Run a command after a subcommand of this name.
    WrapAfter(&'static str),
    /// Join their operands to a shell script.
    WrapScript,
    /// Run each operand as a shell script.
    EachScript,
    /// Run the value of one of these options as a shell script.
    ScriptOption(&'static str),
    /// Do what this function notes, unless help is asked for.
    Does(Program),
    /// Do what this function notes; even `--help` may belong to a command that they run.
    Runs(Program),
}

/// One row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The names of the programs, separated by blanks.
    names: &'static str,
    /// The options of the programs.
    pub(crate) spec: Spec<'static>,
    /// What the programs do.
    pub(crate) rule: Rule,
}

impl Row {
    /// The names of the programs.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.split(' ')
    }
}

/// Rows: names, options, rule.
macro_rules! rows {
    ($($names:tt $spec:expr => $rule:expr;)*) => {
        &[$(Row { names: $names, spec: $spec, rule: $rule },)*]
    };
}
use rows;

/// Rows by name; searching every table for every word would be measurably slow.
static BY_NAME: LazyLock<HashMap<&str, &Row>> = LazyLock::new(|| {
    let rows = [READERS, TOOLS, SEARCHERS, LANGUAGES, FORMATTERS, WRITERS, COPIERS, WRAPPERS];
    let named = rows.into_iter().flatten();
    named.flat_map(|row| row.names().map(move |name| (name, row))).collect()
});

/// Stream editors, which are in the same table as query languages.
const STREAM_EDITORS: [&str; 7] = ["sed", "gsed", "ssed", "awk", "gawk", "mawk", "nawk"];

/// Programs that read or write text with almost any operands. Programs that only report facts, or
/// only copy files, are not here.
static TOUCHING: LazyLock<HashMap<&str, Access>> = LazyLock::new(|| {
    let named = |rows: &'static [Row], access: Access| {
        let rows = rows.iter().filter(|row| !matches!(row.rule, Rule::ReadOption(_)));
        rows.flat_map(Row::names).map(move |name| (name, access))
    };
    let read = Access::Read;
    named(READERS, read)
        .chain(named(TOOLS, read).filter(|(name, _)| !matches!(*name, "curl" | "wget" | "aria2c")))
        .chain(named(SEARCHERS, read))
        .chain(STREAM_EDITORS.map(|name| (name, read)))
        .chain([("jq", read), ("yq", read)])
        .chain(named(WRITERS, Access::Write))
        .collect()
});

/// Programs whose output is text that the command itself states or selects: redirecting it into a
/// file is an edit.
static TEXT_TOOLS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let own = ["echo", "printf", "print", ":", "true", "false", "exec", "test", "[", "read", "let"];
    let rows = READERS.iter().chain(SEARCHERS).flat_map(Row::names);
    rows.chain(STREAM_EDITORS).chain(own).collect()
});

/// Finds the row of a program.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    BY_NAME.get(name).copied()
}

/// Whether a program is known to read or to write text of files.
pub(crate) fn touches_text(name: &str) -> Option<Access> {
    TOUCHING.get(name).copied()
}

/// Whether a program prints text that the command itself states or selects.
pub(crate) fn is_text_tool(name: &str) -> bool {
    TEXT_TOOLS.contains(name)
}

#[cfg(test)]
mod tests {
    use super::{READERS, Row, Rule, SEARCHERS, WRAPPERS};
    use crate::{Context, GuardSettings, Verdict, judge};

    fn is_blocked(command: &str) -> bool {
        let context = Context {
            root: "/home/dev/app".to_owned(),
            cwd: "/home/dev/app".to_owned(),
            home: "/home/dev".to_owned(),
            ..Context::default()
        };
        matches!(judge(command, &context, &GuardSettings::default()), Verdict::Block(_))
    }

    /// The readers whose first operand is a file.
    fn readers() -> Vec<&'static str> {
        let plain = READERS.iter().filter(|row| matches!(row.rule, Rule::Read));
        plain.flat_map(Row::names).collect()
    }

    #[test]
    fn every_reader_is_blocked_only_on_a_protected_file() {
        for name in readers() {
            assert!(is_blocked(&format!("{name} notes.txt")), "{name}");
            assert!(is_blocked(&format!("{name} < notes.txt")), "{name} <");
            assert!(is_blocked(&format!("ls | xargs {name}")), "xargs {name}");
            assert!(!is_blocked(&format!("{name} /tmp/notes.txt")), "{name} /tmp");
            assert!(!is_blocked(&format!("ls | {name}")), "| {name}");
            assert!(!is_blocked(&format!("{name} --help")), "{name} --help");
            assert!(!is_blocked(&format!("echo {name} notes.txt")), "echo {name}");
        }
        for name in SEARCHERS.iter().take(2).flat_map(Row::names) {
            assert!(is_blocked(&format!("{name} x notes.txt")), "{name}");
            assert!(!is_blocked(&format!("{name} -l x notes.txt")), "{name} -l");
            assert!(!is_blocked(&format!("ls | {name} x")), "| {name}");
        }
    }

    #[test]
    fn quoting_any_letter_of_a_name_changes_nothing() {
        for name in readers() {
            for (i, letter) in name.char_indices() {
                let (before, after) = (&name[..i], &name[i + letter.len_utf8()..]);
                let code = u32::from(letter);
                for spelling in [
                    format!("{before}\\{letter}{after}"),
                    format!("{before}'{letter}'{after}"),
                    format!("{before}\"{letter}\"{after}"),
                    format!("{before}$'\\x{code:x}'{after}"),
                    format!("{before}$(echo {letter}){after}"),
                    format!("{before}{letter}''{after}"),
                ] {
                    assert!(is_blocked(&format!("{spelling} notes.txt")), "{spelling}");
                }
            }
        }
    }

    #[test]
    fn every_wrapped_command_is_judged() {
        for row in WRAPPERS {
            let Rule::Wrap(skip) = row.rule else { continue };
            for name in row.names() {
                let skipped = "5 ".repeat(skip);
                assert!(is_blocked(&format!("{name} {skipped}cat notes.txt")), "{name}");
                assert!(is_blocked(&format!("{name} {skipped}sed -i s/a/b/ notes.txt")), "{name}");
                assert!(!is_blocked(&format!("{name} {skipped}npm test")), "{name}");
            }
        }
    }
}
