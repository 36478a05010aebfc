//! The Node.js addon: translates between JavaScript and the crates, and decides nothing.
//!
//! `session` is what an extension or a program uses; `anchor`, `listing`, `guard` and
//! `settings` are single functions. Only the drop-in modules need `dropin`, which exists for their
//! speed: whoever reads the product can skip it.

#![expect(clippy::needless_pass_by_value, reason = "napi-rs hands arguments over by value")]
#![cfg_attr(test, allow(dead_code, reason = "napi-derive exports nothing to a test"))]
#![expect(unreachable_pub, reason = "napi-derive exports what is `pub`")]

mod session;

mod anchor;
mod guard;
mod listing;
mod program;
mod settings;

mod error;
mod task;

mod dropin;

use napi::{Error, Result};
use napi_derive::napi;

use hashline_text::kernel::vectors;
/// The version of the package this binary was built for.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The name of the vector instructions in use.
#[napi(skip_typescript, catch_unwind)]
pub fn cpu_path() -> &'static str {
    vectors::chosen_name()
}

/// Makes the process use the vector instructions of this name.
#[napi(skip_typescript, catch_unwind)]
pub fn set_cpu_path(name: String) -> Result<()> {
    vectors::choose(&name).map_err(|error| Error::from_reason(format!("HASHLINE_CPU: {error}")))
}
