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
mod omo;
mod omp;
mod pool;
mod promise;
mod session;
mod settings;

use napi_derive::napi;

/// The version of the package this binary was built for.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
