//! The program as a process.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

#[cfg(unix)]
mod cli;
#[cfg(unix)]
mod cli_processes;
