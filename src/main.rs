//! The program `hashline`: for now it shows files with their tags.

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use hashline::Scheme;
use hashline::cancel::Cancel;
use hashline::read::{FileRequest, ReadRequest};
use hashline::session::{Options, Session};

const HELP: &str = "\
hashline: line anchors for coding agents

usage: hashline read [--scheme NAME] PATH...

Shows files, directories or ranges (`src/main.rs:10-20`) with the tag of every line.
Schemes: hex2 (default), base26, context, omp, cid, fnv1a.
";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match run(&args) {
        Ok(text) => match io::stdout().write_all(text.as_bytes()) {
            // Whoever reads us has seen enough: `hashline read f | head`.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error.to_string()),
            _ => ExitCode::SUCCESS,
        },
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("hashline: {message}");
    ExitCode::from(2)
}

/// What the program prints, or why it cannot.
fn run(args: &[String]) -> Result<String, String> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] | ["help" | "--help" | "-h"] => Ok(HELP.to_owned()),
        ["version" | "--version" | "-V"] => Ok(format!("hashline {}\n", env!("CARGO_PKG_VERSION"))),
        ["read", "--scheme", name, paths @ ..] if !paths.is_empty() => {
            read(name.parse().map_err(|error| format!("{error}"))?, paths)
        }
        ["read", paths @ ..] if !paths.is_empty() => read(Scheme::default(), paths),
        ["read", ..] => Err("name a path to read; `hashline help` shows how".to_owned()),
        [other, ..] => Err(format!("unknown command `{other}`; `hashline help` lists them")),
    }
}

fn read(scheme: Scheme, paths: &[&str]) -> Result<String, String> {
    let root = env::current_dir().map_err(|error| format!("cannot find the directory: {error}"))?;
    let session = Session::new(Options { scheme, ..Options::new(root) });
    let session = session.map_err(|fault| fault.to_string())?;
    let file = |path: &&str| FileRequest { path: (*path).to_owned(), ..FileRequest::default() };
    let request = ReadRequest { files: paths.iter().map(file).collect(), ..ReadRequest::default() };
    let outcome =
        session.read(&request, &Cancel::default()).map_err(|cancelled| cancelled.to_string())?;
    if outcome.files.iter().all(|file| file.refusal.is_some()) {
        return Err(outcome.text.trim_end().trim_start_matches("error: ").to_owned());
    }
    Ok(outcome.text + "\n")
}
