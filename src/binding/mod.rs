//! The Node.js addon: translates, calls, and decides nothing.

mod guard;
mod js_text;

use napi_derive::napi;

use crate::Scheme;
use crate::anchor::scheme::Place;
use crate::text::LineNumber;
use js_text::JsText;

/// The version of the package this binary was built for.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Tags one line.
#[napi]
pub fn tag_line(line: JsText) -> String {
    Scheme::Hex2
        .tag(Place::alone(LineNumber::FIRST, &line.0))
        .to_string()
}
