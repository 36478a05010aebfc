//! The Node.js addon: translates, calls, and decides nothing.

mod anchor;
mod js_text;

use napi_derive::napi;

/// The version of the package this binary was built for.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
