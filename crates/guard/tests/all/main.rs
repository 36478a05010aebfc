//! Every integration test of the guard, as one binary.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

mod architecture;
mod figures;
mod labels;
mod laws;
mod memory;
mod powershell;
mod robust;
#[cfg(unix)]
mod serve;
mod support;
mod windows;
