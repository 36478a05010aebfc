//! Every integration test of the guard, as one binary.

mod architecture;
mod labels;
mod laws;
mod robust;
#[cfg(unix)]
mod serve;
mod support;
