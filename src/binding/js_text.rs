//! JavaScript strings in and out, lone surrogates included.

use napi::bindgen_prelude::{
    FromNapiValue, Result, ToNapiValue, TypeName, ValidateNapiValue, check_status, sys,
};
use std::ptr;

use crate::text::wtf8;

/// A JavaScript string as WTF-8.
pub struct JsText(pub Vec<u8>);

impl TypeName for JsText {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> napi::ValueType {
        napi::ValueType::String
    }
}

impl ValidateNapiValue for JsText {}

impl FromNapiValue for JsText {
    #[expect(unsafe_code, reason = "the trait is how napi-rs reads a value")]
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut len = 0;
        // SAFETY: `env` and `value` are live for the duration of the call that passed them.
        check_status!(unsafe {
            sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut len)
        })?;
        let mut units = vec![0_u16; len + 1];
        // SAFETY: as above, and `units` has room for `len` units and the final NUL.
        check_status!(unsafe {
            sys::napi_get_value_string_utf16(
                env,
                value,
                units.as_mut_ptr(),
                units.len(),
                &raw mut len,
            )
        })?;
        units.truncate(len);
        Ok(Self(wtf8::from_utf16(&units)))
    }
}

impl ToNapiValue for JsText {
    #[expect(unsafe_code, reason = "the trait is how napi-rs writes a value")]
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        let units = wtf8::to_utf16(&text.0);
        let mut value = ptr::null_mut();
        // SAFETY: `env` is live and `units` outlives the call, which copies it.
        check_status!(unsafe {
            sys::napi_create_string_utf16(
                env,
                units.as_ptr(),
                units.len().cast_signed(),
                &raw mut value,
            )
        })?;
        Ok(value)
    }
}
