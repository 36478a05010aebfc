//! Texts generated from the program's description of its options: completions, man pages, schemas.

use std::io;
use std::path::Path;

use crate::options::{SchemaTool, Shell};

use super::VERSION;
use super::output::{Exit, Failure, print_line};
use hashline_core::system;
use hashline_wire::schema;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Exit {
    let script = crate::options::completions(VERSION, shell);
    // A closed pipe is no failure.
    let _ = io::Write::write_all(&mut io::stdout().lock(), &script);
    Exit::Done
}

/// Writes a man page for the program and one for each command.
pub(crate) fn man(directory: &Path) -> Result<Exit, Failure> {
    for (name, page) in crate::options::man_pages(VERSION)? {
        system::write_plain(&directory.join(name), &page)?;
    }
    Ok(Exit::Done)
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
