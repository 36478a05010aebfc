//! Tests of the whole crate: crashes, laws, memory.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

#[cfg(unix)]
mod faulty;
#[cfg(unix)]
mod medium;
mod ops;
#[cfg(unix)]
mod tree;

#[cfg(unix)]
mod abort;
mod apply_laws;
mod long_memory;
#[cfg(unix)]
mod memory_kill;
mod memory_laws;
mod session_memory;
mod shown_laws;
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
#[cfg(target_os = "linux")]
mod transaction_syscalls;
