//! Texts that are made of the program's own description: completions, man pages, schemas.

use std::io;
use std::path::Path;

use clap::CommandFactory;

use super::args::{Cli, SchemaTool};
use super::output::{Exit, Failure, print_line};
use crate::fs;
use crate::wire::schema;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Exit {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "hashline", &mut bytes);
    // A closed pipe is no failure.
    let _ = io::Write::write_all(&mut io::stdout().lock(), &bytes);
    Exit::Done
}

/// Writes a man page for the program and one for each command.
pub(crate) fn man(directory: &Path) -> Result<Exit, Failure> {
    for (name, page) in pages()? {
        fs::write_plain(&directory.join(name), &page)?;
    }
    Ok(Exit::Done)
}

/// The man pages, by file name.
fn pages() -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = vec![("hashline.1".to_owned(), page(program.clone())?)];
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("hashline-{}", command.get_name());
        pages.push((format!("{name}.1"), page(command.clone().display_name(name))?));
    }
    Ok(pages)
}

fn page(command: clap::Command) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A date would make every build of the page another one.
    clap_mangen::Man::new(command).date("").render(&mut bytes)?;
    Ok(bytes)
}

/// Prints the schema of a tool.
pub(crate) fn print_schema(tool: SchemaTool) -> Exit {
    let schema = match tool {
        SchemaTool::Read => schema::read(),
        SchemaTool::Grep => schema::grep(),
        SchemaTool::Apply => schema::apply(),
    };
    print_line(&schema.to_string());
    Exit::Done
}
