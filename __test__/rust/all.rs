//! Every integration test in one program: it is linked once.
//!
//! The modules in the first group are what tests share; each of the others holds tests of one subject.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

mod cases;
#[cfg(unix)]
mod faulty;
#[cfg(unix)]
mod medium;
mod testing;
#[cfg(unix)]
mod tree;
mod vectors;

#[cfg(unix)]
mod abort;
mod apply_cases;
mod apply_laws;
mod apply_session;
mod architecture;
#[cfg(all(unix, feature = "cli"))]
mod cli;
#[cfg(all(unix, feature = "cli"))]
mod cli_processes;
mod long_memory;
mod omo;
mod omp;
mod omp_laws;
mod robust;
mod schema;
mod schemes;
mod session;
mod session_answer;
mod session_changes;
mod session_grep;
mod session_memory;
#[cfg(unix)]
mod session_serve;
mod short_report;
mod shown_laws;
mod sight;
mod sight_laws;
#[cfg(unix)]
mod transaction;
#[cfg(unix)]
mod transaction_files;
#[cfg(unix)]
mod transaction_kill;
#[cfg(unix)]
mod transaction_orders;
#[cfg(unix)]
mod transaction_receipts;
#[cfg(unix)]
mod transaction_recovery;
#[cfg(unix)]
mod transaction_session;
#[cfg(unix)]
mod transaction_single;
#[cfg(target_os = "linux")]
mod transaction_syscalls;
