//! The settings of a session: their defaults, and checks of their values.

use napi_derive::napi;

/// The default settings as JSON.
#[napi(skip_typescript, catch_unwind)]
pub fn default_settings_json() -> String {
    hashline_wire::default_settings().to_string()
}

/// Why `value` cannot be the setting `name` of a session; `null` if it can.
#[napi(ts_args_type = "name: string, value: unknown")]
pub fn check_setting(name: String, value: String) -> Option<String> {
    let value = hashline_wire::parse(&value).unwrap_or_default();
    hashline_wire::check_setting(&name, value).err().map(|misfit| misfit.to_string())
}
