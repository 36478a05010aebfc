//! What programs do with their operands.
//!
//! [`table`] has the programs as data; the modules beside it hold those that need code. Each is
//! asked with its words after expansion and answers by noting effects on the [`Shell`].

pub mod args;
mod copy;
mod dump;
mod edit;
mod git;
pub mod interpreter;
mod query;
mod run;
mod search;
mod stream;
pub mod table;
mod walk;

use args::{Parsed, Spec, parse};
use table::{Row, Rule, Special};

use super::effect::Cause;
use super::policy::Zone;
use super::shell::{Shell, Stdin, is_stdin};
use super::unknown::{ANSWER, HOLE};

/// Whether a name is a shell's.
pub fn is_shell(name: &str) -> bool {
    table::SHELLS.contains(&name)
}

/// One call of a program.
pub struct Call<'c> {
    /// The base name of the program.
    pub name: &'c str,
    /// Its words, unsorted.
    pub words: &'c [String],
    /// Its words, sorted by the options of its row.
    pub parsed: Parsed,
    /// Its standard input.
    pub stdin: &'c Stdin,
}

const EXTRA: Spec<'static> = Spec::new("", &[]);

impl Shell<'_> {
    /// Runs a builtin or a program.
    pub(super) fn command(
        &mut self,
        base: &str,
        name: &str,
        operands: &[String],
        stdin: &Stdin,
    ) -> String {
        // `/bin/echo` is the program, and does the same.
        if let Some(printed) = self.builtin(base, operands, stdin) {
            return printed;
        }
        let extra = |list: &[String]| list.iter().any(|known| known == base || known == name);
        let row = if extra(&self.settings.extra_readers) {
            Some((EXTRA, Rule::Read))
        } else if extra(&self.settings.extra_writers) {
            Some((EXTRA, Rule::Write(0)))
        } else {
            table::find(base).map(|row: &Row| (row.spec, row.rule))
        };
        let out = match row {
            Some((spec, rule)) => {
                let call =
                    Call { name: base, words: operands, parsed: parse(operands, &spec), stdin };
                self.apply(rule, call)
            }
            None if is_loader(base) => {
                let rest =
                    parse(operands, &Spec::wrapper("", &["library-path", "preload", "argv0"]));
                Some(self.invoke(&rest.rest(), stdin))
            }
            None => self.interpreter(base, operands, stdin),
        };
        out.or_else(|| self.printed(base, operands, stdin)).unwrap_or_else(|| ANSWER.to_string())
    }

    /// Follows a rule; answers with what a wrapped command prints.
    fn apply(&mut self, rule: Rule, call: Call<'_>) -> Option<String> {
        let helps = call.parsed.has(&["help", "version"]);
        match rule {
            Rule::Read if !helps => self.reads_operands(&call, 0),
            Rule::ReadAfter(skip) if !helps => self.reads_operands(&call, skip),
            Rule::Filter => self.reads_stdin(call.stdin, call.name, Cause::Program),
            Rule::ReadOption(options) => {
                // The `-f` of BSD's `date` is a format.
                let paths = call.parsed.values(options);
                for path in paths.filter(|path| !path.contains('%')) {
                    self.reads_path(path, &call);
                }
            }
            Rule::Write(skip) if !helps => self.writes_operands(&call, skip),
            Rule::WriteIf(options, skip) if call.parsed.has(options) => {
                self.writes_operands(&call, skip);
            }
            Rule::Wrap(skip) => {
                let rest = call.parsed.rest();
                return Some(self.invoke(rest.get(skip..).unwrap_or(&[]), call.stdin));
            }
            Rule::WrapAfter(subcommands) => return self.wrapped_subcommand(subcommands, &call),
            Rule::WrapScript => {
                let script = call.parsed.operands.join(" ");
                return Some(self.apart(|shell| shell.script(&script, call.stdin)));
            }
            Rule::EachScript => {
                for script in &call.parsed.operands {
                    self.apart(|shell| shell.script(script, call.stdin));
                }
            }
            Rule::ScriptOption(options) => {
                for script in call.parsed.values(options) {
                    self.apart(|shell| shell.script(script, call.stdin));
                }
            }
            Rule::Special(special) => return self.special(special, call, helps),
            Rule::Read | Rule::ReadAfter(_) | Rule::Write(_) | Rule::WriteIf(..) => {}
        }
        None
    }

    fn special(&mut self, special: Special, call: Call<'_>, helps: bool) -> Option<String> {
        match special {
            // These run other commands, which have options of their own.
            Special::Xargs => return Some(self.xargs(call)),
            Special::Parallel => self.parallel(&call),
            Special::Find => self.find(&call),
            Special::Fd => self.fd(&call),
            Special::Shell => return Some(self.nested_shell(&call)),
            Special::Su => return self.su(call),
            Special::Sudo => return self.sudo(call),
            Special::Env => return Some(self.env(&call)),
            Special::Flock => return Some(self.flock(call)),
            Special::Script => self.typescript(&call),
            Special::Tar => self.tar(&call),
            Special::Make => self.make(&call),
            Special::Debugger => self.debugger(&call),
            Special::Awk => self.awk(&call),
            _ if helps => {}
            Special::Grep | Special::Ripgrep => self.search(special, &call),
            Special::AstGrep => self.ast_grep(&call),
            Special::Sed => self.sed(&call),
            Special::Git => self.git(&call),
            Special::Jq => self.jq(&call),
            Special::Yq => self.yq(&call),
            Special::Sqlite => self.sqlite(&call),
            Special::SqlClient => self.sql_client(&call),
            Special::Dd => self.dd(&call),
            Special::Tee => self.tee(&call),
            Special::Copy => self.copy(&call),
            Special::Link => self.link(&call),
            Special::Diff => self.diff(&call),
            Special::Curl => self.curl(&call),
            Special::OpenSsl => self.openssl(&call),
            Special::Editor => self.editor(&call),
            Special::Patch => self.patch(&call),
            Special::Sort => self.sort(&call),
            Special::Uniq | Special::Xxd => self.uniq(&call),
            Special::Split => self.split_file(&call),
            Special::Tail => self.tail(&call),
            Special::Compressed => self.compressed(&call),
            Special::Compressor => self.compressor(&call),
            Special::Xml => self.xml(&call),
            Special::Socat => self.socat(&call),
        }
        None
    }

    /// Reads every operand after the first few, or standard input if there is none.
    pub(super) fn reads_operands(&mut self, call: &Call<'_>, skip: usize) {
        let files = call.parsed.operands.get(skip..).unwrap_or(&[]);
        if files.is_empty() {
            self.reads_stdin(call.stdin, call.name, Cause::Program);
        }
        for path in files {
            self.reads_path(path, call);
        }
    }

    /// Reads one operand, which may be standard input by another name.
    pub(super) fn reads_path(&mut self, path: &str, call: &Call<'_>) {
        if is_stdin(path) {
            self.reads_stdin(call.stdin, call.name, Cause::Program);
            return;
        }
        let located = self.locate(path);
        if located.zone == Zone::Descriptor {
            if !self.pipes.contains_key(&located.path) {
                self.reads_stdin(call.stdin, call.name, Cause::Program);
            }
            return;
        }
        self.reads(path, call.name, Cause::Program);
    }

    fn writes_operands(&mut self, call: &Call<'_>, skip: usize) {
        for path in call.parsed.operands.get(skip..).unwrap_or(&[]) {
            self.writes(path, call.name, Cause::Program, &HOLE.to_string());
        }
    }

    fn wrapped_subcommand(&mut self, subcommands: &[&str], call: &Call<'_>) -> Option<String> {
        let (first, rest) = call.parsed.operands.split_first()?;
        if !subcommands.contains(&first.as_str()) {
            return None;
        }
        let mut rest = parse(
            rest,
            &Spec::wrapper(
                "np",
                &["name", "prefix", "with", "python", "env", "env-file", "project", "command"],
            ),
        )
        .rest();
        // `direnv exec DIR cmd`, `nvm exec VERSION cmd`, `aws-vault exec PROFILE -- cmd`.
        if matches!(call.name, "direnv" | "nvm" | "aws-vault") && !rest.is_empty() {
            rest.remove(0);
            if rest.first().is_some_and(|word| word == "--") {
                rest.remove(0);
            }
        }
        Some(self.invoke(&rest, call.stdin))
    }
}

/// The dynamic loader runs the program it is given.
fn is_loader(name: &str) -> bool {
    name.starts_with("ld-linux") || name.starts_with("ld-musl") || name == "ld.so"
}
