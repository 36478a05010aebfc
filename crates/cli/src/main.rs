//! The program `hashline`; what it does is in [`hashline_cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    hashline_cli::run()
}
