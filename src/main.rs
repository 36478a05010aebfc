//! The program `hashline`: reads a file and prints it with its tags.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
