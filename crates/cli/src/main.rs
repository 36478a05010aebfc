//! The program `hashline`, which [`hashline_cli`] implements.

use std::process::ExitCode;

fn main() -> ExitCode {
    hashline_cli::run()
}
