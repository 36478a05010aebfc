//! The text of an answer.

use serde::Serialize;

/// Exactly what the model gets: a text that may be long and need not be ASCII.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct ModelText(pub String);

#[cfg(feature = "napi")]
mod javascript {
    #![expect(unsafe_code, reason = "napi declares this method of its trait as unsafe")]

    use hashline_text::kernel::wtf8;
    use napi::bindgen_prelude::{Env, JsValue, Result, ToNapiValue, sys};

    use super::ModelText;

    impl ToNapiValue for ModelText {
        // As Latin-1 or UTF-16, which are what engines store: UTF-8 would be decoded a second time.
        unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
            let env = Env::from_raw(env);
            let text = text.0.as_bytes();
            let string = if text.is_ascii() {
                env.create_string_latin1(text)
            } else if wtf8::is_latin1(text) {
                env.create_string_latin1(wtf8::to_latin1(text))
            } else {
                env.create_string_utf16(wtf8::to_utf16(text))
            };
            string.map(|string| string.raw())
        }
    }
}
