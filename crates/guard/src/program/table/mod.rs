//! The programs the guard knows, as data.
//!
//! A row names programs that behave alike, the options that take a value (so that the value is not
//! taken for a file), and a [`Rule`]. To teach the guard a new pager or wrapper, add its name to a
//! row or a row to a table. Programs that are not here are left alone.

mod languages;
mod readers;
mod wrappers;
mod writers;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::args::Spec;
use crate::effect::Access;

pub use languages::LANGUAGES;
pub use readers::{READERS, SEARCHERS};
pub use wrappers::{SHELLS, WRAPPERS};
pub use writers::WRITERS;

/// What programs of a row do with their operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Print their operands, or standard input if there are none.
    Read,
    /// The same, after this many operands that are not files.
    ReadAfter(usize),
    /// Print standard input only.
    Filter,
    /// Print the value of one of these options; nothing else is read.
    ReadOption(&'static [&'static str]),
    /// Write to their operands, after this many that are not files.
    Write(usize),
    /// Write only if one of these options is given; see [`Rule::Write`].
    WriteIf(&'static [&'static str], usize),
    /// Run the rest of their words as a command, after this many operands.
    Wrap(usize),
    /// Run a command after a subcommand of this name.
    WrapAfter(&'static [&'static str]),
    /// Join their operands to a shell script.
    WrapScript,
    /// Run each operand as a shell script.
    EachScript,
    /// Run the value of one of these options as a shell script.
    ScriptOption(&'static [&'static str]),
    /// Treated in code.
    Special(Special),
}

/// Programs that need more than a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the programs")]
pub enum Special {
    Grep,
    Ripgrep,
    Sed,
    Awk,
    Git,
    Jq,
    Yq,
    Dd,
    Tee,
    Copy,
    Link,
    Diff,
    Curl,
    OpenSsl,
    Find,
    Fd,
    Xargs,
    Parallel,
    Shell,
    Su,
    Sudo,
    Env,
    Script,
    Editor,
    Patch,
    Sort,
    Uniq,
    Split,
    Tail,
    Xxd,
    Compressed,
    Compressor,
    Xml,
    Sqlite,
    SqlClient,
    Tar,
    Make,
    Socat,
    Flock,
    Debugger,
    AstGrep,
}

/// One row.
#[derive(Debug)]
pub struct Row {
    /// Names that go by this row.
    pub names: &'static [&'static str],
    /// Their options.
    pub spec: Spec<'static>,
    /// What they do.
    pub rule: Rule,
}

const fn row(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    rule: Rule,
) -> Row {
    Row { names, spec: Spec::new(short, long), rule }
}

const fn wrap(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    rule: Rule,
) -> Row {
    Row { names, spec: Spec::wrapper(short, long), rule }
}

/// Rows by name; a linear search of every table for every word would show in the timing.
static BY_NAME: LazyLock<HashMap<&str, &Row>> = LazyLock::new(|| {
    let rows = [READERS, SEARCHERS, LANGUAGES, WRITERS, WRAPPERS];
    let named = rows.into_iter().flatten();
    named.flat_map(|row| row.names.iter().map(move |name| (*name, row))).collect()
});

/// Programs known for the text they touch. Those that give facts, or that copy files as they are,
/// touch text only with certain operands.
static TOUCHING: LazyLock<HashMap<&str, Access>> = LazyLock::new(|| {
    let editors = ["sed", "gsed", "awk", "gawk", "mawk", "nawk", "jq", "yq"];
    let named = |rows: &'static [Row], access: Access| {
        let rows = rows.iter().filter(|row| {
            !matches!(
                row.rule,
                Rule::ReadOption(_) | Rule::Special(Special::Copy | Special::Link | Special::Curl)
            )
        });
        rows.flat_map(|row| row.names).map(move |name| (*name, access))
    };
    let read = Access::Read;
    named(READERS, read)
        .chain(named(SEARCHERS, read))
        .chain(editors.map(|name| (name, read)))
        .chain(named(WRITERS, Access::Write))
        .collect()
});

/// Finds the row of a program.
pub fn find(name: &str) -> Option<&'static Row> {
    BY_NAME.get(name).copied()
}

/// What a program is known for doing to the text of files.
pub fn touches_text(name: &str) -> Option<Access> {
    TOUCHING.get(name).copied()
}
