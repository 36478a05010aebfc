//! The program `hashline`, for agents with a shell and for people.
//!
//! Each command translates its options (`options`) into a request, has a
//! [`Session`](hashline_core::session::Session) carry it out, and prints the outcome; it decides
//! nothing about lines or files. Exit codes: 0 done, 1 a hash does not fit (or a command is to be
//! blocked, or nothing was found), 2 anything else. The addon contains the program too, for
//! `npx pi-hash`.

#![forbid(unsafe_code)]

mod apply;
mod doctor;
mod encoded;
mod history;
mod hook;
mod open;
mod options;
mod output;
mod paint;
mod read;
mod search;
mod setup;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::options::{Cli, Command};

use open::OpenedWorkspace;
use output::{Exit, Failure, print_line};
use paint::Paint;

use hashline_core::session::UndoRequest;
use hashline_core::system;
use hashline_text::kernel::vectors;
use hashline_wire::schema;

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let own = std::env::current_exe().map_or_else(|_| "hashline".into(), OsString::from);
    ExitCode::from(run_with(&[own], std::env::args_os().skip(1)))
}

/// Runs the program with these arguments and returns its exit code. `start` is the command that
/// starts the program: its own path, or a JavaScript engine with a script.
///
/// Arguments that cannot be understood, and `--help`, end the process.
pub fn run_with(start: &[OsString], arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = options::parse(std::iter::once("hashline".into()).chain(arguments.clone()));
    let is_long = match &cli.command {
        Command::Read(_) | Command::Diff { .. } | Command::History => true,
        Command::Grep(args) => !args.quiet,
        _ => false,
    };
    if is_long
        && !cli.common.no_pager
        && let Some(code) = paint::through_pager(start, &arguments, cli.common.color)
    {
        return code;
    }
    let exit = command(&cli, start).unwrap_or_else(|failure| {
        eprintln!("hashline: {}", failure.message);
        Exit::Failed
    });
    exit as u8
}

fn command(cli: &Cli, start: &[OsString]) -> Result<Exit, Failure> {
    if let Some(name) = system::variable("HASHLINE_CPU").filter(|name| !name.is_empty()) {
        vectors::choose(&name)
            .map_err(|error| Failure::new("bad_setting", format!("HASHLINE_CPU: {error}")))?;
    }
    let paint = Paint::new(cli.common.color);
    let open = || OpenedWorkspace::new(&cli.common, None);
    match &cli.command {
        Command::Read(args) => read::read(args, paint, open()?),
        Command::Apply(args) => apply::apply(args, &cli.common),
        Command::Grep(args) => search::grep(args, paint, open()?),
        Command::Hash { file } => read::hash(file, open()?),
        Command::Verify { file, anchors } => read::verify(file, anchors, open()?),
        Command::Undo { list: true, .. } | Command::History => history::list(open()?),
        Command::Undo { receipt, others, json, .. } => {
            let request = UndoRequest { receipt: receipt.as_deref(), others: *others };
            history::undo(request, *json, open()?)
        }
        Command::Diff { receipt } => history::diff(receipt.as_deref(), paint, open()?),
        Command::Redo { json } => history::redo(*json, open()?),
        Command::Stats { json } => history::stats(*json, open()?),
        Command::Recover { set_aside, json } => history::recover(*set_aside, *json, open()?),
        Command::Status => Ok(history::status(&cli.common, &open()?)),
        Command::Judge { json, cwd, shell, command } => {
            history::judge(command, cwd.as_deref(), shell, *json, open()?)
        }
        Command::Doctor { simulate } => Ok(doctor::doctor(*simulate, start, &open()?)),
        // All agents send events of the same form.
        Command::Hook { .. } => Ok(hook::answer_event(&cli.common)),
        Command::Setup(how) => setup::setup(*how, start, &cli.common),
        Command::Schema { tool } => {
            let schema = match tool.as_str() {
                "read" => schema::read(),
                "grep" => schema::grep(),
                _ => schema::apply(),
            };
            print_line(&schema.to_string());
            Ok(Exit::Done)
        }
        Command::Completions { shell } => {
            options::print_completions(*shell);
            Ok(Exit::Done)
        }
        Command::Man { directory } => {
            options::write_man_pages(directory)?;
            Ok(Exit::Done)
        }
    }
}
