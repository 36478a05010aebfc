//! The settings of a session: what holds without one, and what one may be.

use napi::bindgen_prelude::{Env, Result, Unknown};
use napi_derive::napi;

use super::session::json;

/// The settings that hold unless told otherwise, as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn default_settings_json() -> String {
    hashline_wire::default_settings().to_string()
}

/// Why `value` cannot be the setting `name` of a session; nothing if it can.
#[napi(ts_args_type = "name: string, value: unknown")]
pub fn check_setting(env: Env, name: String, value: Unknown<'_>) -> Result<Option<String>> {
    let value = hashline_wire::parse(&json(env, value)?).unwrap_or_default();
    Ok(hashline_wire::check_setting(&name, value).err().map(|misfit| misfit.to_string()))
}
