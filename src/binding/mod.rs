//! The Node.js addon: translates, calls, and decides nothing.

#![expect(clippy::needless_pass_by_value, reason = "napi-rs hands arguments over by value")]
#![expect(unreachable_pub, reason = "napi-derive exports what is `pub`")]

mod anchor;
mod assembly;
mod error;
mod guard;
mod js_text;
mod line_hash;
mod listing;
mod mailbox;
mod new_string;
mod omo;
mod omp;
mod pool;
#[cfg(feature = "cli")]
mod program;
mod promise;
mod raw;
mod session;
mod settings;

use napi::{Error, Result};
use napi_derive::napi;

use crate::text::vectors;

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

/// Has the process use the vector instructions of this name.
#[napi(skip_typescript, catch_unwind)]
pub fn set_cpu_path(name: String) -> Result<()> {
    vectors::choose(&name).map_err(|error| Error::from_reason(format!("HASHLINE_CPU: {error}")))
}
