//! The program `hashline`; what it does is in [`hashline::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    hashline::cli::run()
}
