//! What programs do with their operands.
//!
//! [`table`] has the programs as data; the modules beside it hold those that need code. Each is a
//! function from a [`Call`] to an [`Outcome`]; none changes the shell's state.

pub(crate) mod args;
pub(crate) mod awk;
pub(crate) mod change;
mod copy;
mod dump;
mod edit;
mod git;
pub(crate) mod grep;
pub(crate) mod interpreter;
mod query;
pub(crate) mod reader;
mod run;
pub(crate) mod sed;
pub(crate) mod table;
mod walk;

use crate::outcome::Outcome;
use args::{Parsed, first, options, parse};
use table::Rule;

use crate::known::{Known, Stdin};

/// Whether this is the name of a shell.
pub(crate) fn is_shell(name: &str) -> bool {
    crate::word::has_word(table::SHELLS, name)
}

/// Whether a program runs code of a language other than the shell's.
pub(crate) fn is_interpreter(name: &str) -> bool {
    table::find(name).is_none() && interpreter::is_interpreter(name)
}

/// One call of a program.
pub(crate) struct Call<'c> {
    /// The base name of the program.
    pub(crate) name: &'c str,
    /// The words after the program's name.
    pub(crate) words: &'c [String],
    /// The same words, divided into options and operands by the program's row in the table.
    pub(crate) parsed: Parsed<'c>,
    /// The program's standard input.
    pub(crate) stdin: &'c Stdin,
    /// The state of the shell when the program starts.
    pub(crate) known: Known<'c>,
}

/// A program that needs code: a function that notes what a call does.
pub(crate) type Program = fn(&Call<'_>, &mut Outcome);

/// What a program does; `None` if the program is unknown.
pub(crate) fn outcome(
    base: &str,
    name: &str,
    operands: &[String],
    stdin: &Stdin,
    known: Known<'_>,
) -> Option<Outcome> {
    let extra = |list: &[String]| list.iter().any(|extra| extra == base || extra == name);
    let mut call = Call { name: base, words: operands, parsed: Parsed::default(), stdin, known };
    let (spec, rule) = if extra(&known.settings.extra_readers) {
        (options("", ""), Rule::Read)
    } else if extra(&known.settings.extra_writers) {
        (options("", ""), Rule::Write(0))
    } else if let Some(row) = table::find(base) {
        (row.spec, row.rule)
    } else if is_loader(base) {
        (first("", "library-path preload argv0"), Rule::Wrap(0))
    } else {
        return interpreter::interpreter(&call);
    };
    call.parsed = parse(operands, &spec);
    Some(apply(rule, &call))
}

/// Notes what a call does by the rule of its row.
fn apply(rule: Rule, call: &Call<'_>) -> Outcome {
    let mut out = Outcome::default();
    let helps = call.parsed.has("help version");
    match rule {
        Rule::Read if !helps => reads_operands(call, 0, &mut out),
        Rule::ReadAfter(skip) if !helps => reads_operands(call, skip, &mut out),
        Rule::ReadUnless(options) if !helps && !call.parsed.has(options) => {
            reads_operands(call, 0, &mut out);
        }
        Rule::Filter => out.read_input(),
        Rule::ReadOption(options) => {
            // The `-f` of BSD's `date` is a format.
            out.read_all(call.parsed.values(options).filter(|path| !path.contains('%')));
        }
        Rule::Write(skip) if !helps => out.write_all(operands_after(call, skip)),
        Rule::WriteIf(options, skip) if call.parsed.has(options) => {
            out.write_all(operands_after(call, skip));
        }
        Rule::Wrap(skip) => out.run(operands_after(call, skip), call.stdin),
        Rule::WrapAfter(subcommands) => run::wrapped_subcommand(subcommands, call, &mut out),
        Rule::WrapScript => {
            out.scripts_on([&*call.parsed.operands.join(" ")], call.stdin);
        }
        Rule::EachScript => {
            out.scripts_on(call.parsed.operands.iter().map(String::as_str), call.stdin);
        }
        Rule::ScriptOption(options) => {
            let values = call.parsed.values(options);
            let scripts = values.map(|value| value.strip_prefix("exec=").unwrap_or(value));
            out.scripts_on(scripts, call.stdin);
        }
        // `--help` may belong to the command that these programs run.
        Rule::Runs(program) => program(call, &mut out),
        Rule::Does(program) if !helps => program(call, &mut out),
        _ => {}
    }
    out
}

/// Reads every operand after the first few, or standard input if there is none.
fn reads_operands(call: &Call<'_>, skip: usize, out: &mut Outcome) {
    out.read_or_input(operands_after(call, skip));
}

fn operands_after<'c>(call: &'c Call<'_>, skip: usize) -> &'c [String] {
    call.parsed.operands.get(skip..).unwrap_or(&[])
}

/// Whether a program is the dynamic loader, which runs the program named by its operand.
fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so"
}
