//! The program `hashline` in the process of Node.js.
//!
//! The packages on npm have one binary, which holds the addon and the program: two would hold most
//! of their code twice.

use std::ffi::OsString;

use napi_derive::napi;

/// Runs the program and returns its exit code. `start` is the command that starts the program
/// again.
#[napi(catch_unwind, skip_typescript)]
pub fn run_program(start: Vec<String>, arguments: Vec<String>) -> u8 {
    let start: Vec<_> = start.into_iter().map(OsString::from).collect();
    hashline_cli::run_with(&start, arguments.into_iter().map(OsString::from))
}
