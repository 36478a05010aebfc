//! JavaScript strings as text, lone surrogates included, with as few copies as the engine allows.
//!
//! Most text is ASCII and is copied once: as Latin-1 if JavaScript knows that there is no character
//! beyond, else as UTF-8. Other text is fetched as UTF-16, which engines copy several times faster
//! than they encode UTF-8. [`super::new_string`] makes strings.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::cell::Cell;
use std::ffi::c_char;
use std::ptr;

use napi::bindgen_prelude::{
    Env, FromNapiValue, JsValue, Result, ToNapiValue, TypeName, Unknown, ValidateNapiValue,
    check_status, sys,
};

use crate::dropin::new_string::{Encoded, no_memory};
use hashline_text::kernel::{buffers, wtf8};

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
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        fetch(env, value, None, |_| Vec::new()).map(|(text, _)| Self(text))
    }
}

impl JsText {
    /// The text of a JavaScript string.
    pub fn of(env: Env, value: &Unknown<'_>) -> Result<Self> {
        fetch(env.raw(), value.raw(), None, |_| Vec::new()).map(|(text, _)| Self(text))
    }
}

/// How many bytes a character takes at most.
const MAX_CHARACTER: usize = 4;

/// The largest buffer that [`Characters::release`] keeps.
const MAX_SPARE: usize = 5 << 20;

thread_local! {
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The characters of a JavaScript string.
pub enum Characters {
    /// All of them ASCII.
    Ascii(Vec<u8>),
    /// UTF-16 units; not all of them are ASCII.
    Wide(Vec<u16>),
}

impl Characters {
    /// Fetches a string. `is_wide` says whether it has characters beyond U+00FF, if JavaScript
    /// knows: a wrong `Some(false)` would lose them.
    pub fn of(env: Env, value: &Unknown<'_>, is_wide: Option<bool>) -> Result<Self> {
        let value = value.raw();
        Self::fetch(env.raw(), value, utf16_len(env.raw(), value)?, is_wide, buffers::with_capacity)
    }

    /// Like [`Characters::of`], for a string that is only read: ASCII reuses the memory of the
    /// string that was last [released](Self::release) on this thread.
    ///
    /// The system's allocator would return a buffer of this size to the kernel at once, and the
    /// page faults of the next buffer would cost more than the work on the text.
    pub fn borrowed(env: Env, value: &Unknown<'_>, is_wide: Option<bool>) -> Result<Self> {
        let value = value.raw();
        Self::fetch(env.raw(), value, utf16_len(env.raw(), value)?, is_wide, |_| SPARE.take())
    }

    /// Leaves the memory for the next [borrowed](Self::borrowed) string.
    pub fn release(self) {
        match self {
            Self::Ascii(text) if text.capacity() <= MAX_SPARE => SPARE.set(text),
            other => other.give_back(),
        }
    }

    /// Like [`Characters::of`], but takes memory for ASCII from `spare`, which gets its size in
    /// bytes.
    fn fetch(
        env: sys::napi_env,
        value: sys::napi_value,
        len: usize,
        is_wide: Option<bool>,
        spare: impl FnOnce(usize) -> Vec<u8>,
    ) -> Result<Self> {
        // Node 20 copies Latin-1 unchanged; to encode UTF-8 takes it four times as long.
        if is_wide == Some(false) {
            let text = latin1_from_js(env, value, len, spare(len + 1))?;
            if text.is_ascii() {
                return Ok(Self::Ascii(text));
            }
            let mut units = room(len, buffers::with_capacity(len + 1))?;
            units.extend(text.iter().map(|byte| u16::from(*byte)));
            buffers::give_back(text);
            return Ok(Self::Wide(units));
        }
        if is_wide.is_none() {
            // Every character but ASCII has more bytes than units. The buffer has room for one more
            // character, so if only as many bytes as units came, they are the whole text, and
            // ASCII.
            let most = len + MAX_CHARACTER;
            let text = utf8(env, value, most, spare(most + 1))?;
            if text.len() == len {
                return Ok(Self::Ascii(text));
            }
            buffers::give_back(text);
        }
        utf16(env, value, len).map(Self::Wide)
    }

    /// Leaves the memory for the next string.
    pub fn give_back(self) {
        match self {
            Self::Ascii(text) => buffers::give_back(text),
            Self::Wide(units) => buffers::give_back(units),
        }
    }
}

/// The text of a JavaScript string and whether it is ASCII, for which `spare` gives the memory.
fn fetch(
    env: sys::napi_env,
    value: sys::napi_value,
    is_wide: Option<bool>,
    spare: impl FnOnce(usize) -> Vec<u8>,
) -> Result<(Vec<u8>, bool)> {
    let len = utf16_len(env, value)?;
    match Characters::fetch(env, value, len, is_wide, spare)? {
        Characters::Ascii(text) => Ok((text, true)),
        Characters::Wide(units) => {
            let mut text = room(len + len / 8, buffers::with_capacity(len + len / 8 + 1))?;
            wtf8::from_utf16_into(&units, &mut text);
            buffers::give_back(units);
            Ok((text, false))
        }
    }
}

/// A string that returns to JavaScript; one that came from there has a little room to grow.
pub struct OwnText {
    /// The string as WTF-8.
    pub text: Vec<u8>,
    /// Whether it is known to be ASCII.
    pub ascii: bool,
}

impl OwnText {
    /// The text of a JavaScript string; `is_wide` as for [`Characters::of`].
    pub fn of(env: &Env, value: &Unknown<'_>, is_wide: Option<bool>) -> Result<Self> {
        let room = |len| buffers::with_capacity(len + len / 64 + 64);
        let (text, ascii) = fetch(env.raw(), value.raw(), is_wide, room)?;
        Ok(Self { text, ascii })
    }

    /// Leaves the memory for the next string.
    pub fn give_back(self) {
        buffers::give_back(self.text);
    }
}

impl ToNapiValue for OwnText {
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        let OwnText { text, ascii } = text;
        let encoded = if ascii { Encoded::Latin1(text) } else { JsText(text).encode() };
        // SAFETY: `env` is live, as the caller promises.
        unsafe { Encoded::to_napi_value(env, encoded) }
    }
}

impl ToNapiValue for JsText {
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        // SAFETY: `env` is live, as the caller promises.
        unsafe { Encoded::to_napi_value(env, text.encode()) }
    }
}

impl JsText {
    /// Encodes the text the way engines store it: the slow part, which any thread can do.
    pub fn encode(self) -> Encoded {
        if self.0.is_ascii() {
            Encoded::Latin1(self.0)
        } else if wtf8::is_latin1(&self.0) {
            Encoded::Latin1(wtf8::to_latin1(&self.0))
        } else {
            let mut units = buffers::with_capacity(self.0.len());
            wtf8::to_utf16_into(&self.0, &mut units);
            buffers::give_back(self.0);
            Encoded::Utf16(units)
        }
    }
}

/// The length in UTF-16 units, an error for anything but a string.
fn utf16_len(env: sys::napi_env, value: sys::napi_value) -> Result<usize> {
    let mut len = 0;
    check_status!(
        // SAFETY: `env` and `value` are live for the duration of the call that passed them.
        unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut len) },
        "expected a string"
    )?;
    Ok(len)
}

/// The string as Latin-1, which all of its characters must be.
fn latin1_from_js(
    env: sys::napi_env,
    value: sys::napi_value,
    len: usize,
    spare: Vec<u8>,
) -> Result<Vec<u8>> {
    let mut text = room(len, spare)?;
    let mut written = 0;
    let buffer = text.as_mut_ptr().cast::<c_char>();
    // SAFETY: `buffer` has room for `len` bytes and the NUL that Node-API appends.
    check_status!(unsafe {
        sys::napi_get_value_string_latin1(env, value, buffer, len + 1, &raw mut written)
    })?;
    // SAFETY: Node-API has written `written` bytes, which is at most `len`.
    unsafe { text.set_len(written) };
    Ok(text)
}

/// The first `most` bytes of the string as UTF-8, cut at a character.
fn utf8(
    env: sys::napi_env,
    value: sys::napi_value,
    most: usize,
    spare: Vec<u8>,
) -> Result<Vec<u8>> {
    let mut text = room(most, spare)?;
    let mut written = 0;
    let buffer = text.as_mut_ptr().cast::<c_char>();
    // SAFETY: `buffer` has room for `most` bytes and the NUL that Node-API appends.
    check_status!(unsafe {
        sys::napi_get_value_string_utf8(env, value, buffer, most + 1, &raw mut written)
    })?;
    // SAFETY: Node-API has written `written` bytes, which is at most `most`.
    unsafe { text.set_len(written) };
    Ok(text)
}

/// Writes as many UTF-16 units of the string into `buffer` as fit, and a final NUL. Returns how
/// many.
pub fn start_of(env: Env, value: &Unknown<'_>, buffer: &mut [u16]) -> Result<usize> {
    let mut written = 0;
    let (start, room) = (buffer.as_mut_ptr(), buffer.len());
    // SAFETY: the buffer has `room` units, the final NUL included.
    check_status!(unsafe {
        sys::napi_get_value_string_utf16(env.raw(), value.raw(), start, room, &raw mut written)
    })?;
    Ok(written)
}

/// Room for `len` items and the final NUL, or an exception if there is not enough memory.
fn room<T>(len: usize, mut buffer: Vec<T>) -> Result<Vec<T>> {
    buffer.clear();
    buffer.try_reserve_exact(len + 1).map_err(|_| no_memory(len))?;
    Ok(buffer)
}

fn utf16(env: sys::napi_env, value: sys::napi_value, len: usize) -> Result<Vec<u16>> {
    let mut units: Vec<u16> = room(len, buffers::with_capacity(len + 1))?;
    let mut written = 0;
    // SAFETY: `units` has room for `len` units and the final NUL.
    check_status!(unsafe {
        sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), len + 1, &raw mut written)
    })?;
    // SAFETY: Node-API has written `written` units, which is at most `len`.
    unsafe { units.set_len(written) };
    Ok(units)
}

/// Any value as the result of a function.
pub fn to_unknown<T: ToNapiValue>(env: Env, value: T) -> Result<Unknown<'static>> {
    // SAFETY: `env` is live, and the value is returned to JavaScript before its scope ends.
    unsafe {
        let value = T::to_napi_value(env.raw(), value)?;
        Ok(Unknown::from_raw_unchecked(env.raw(), value))
    }
}
