//! JavaScript strings in and out, lone surrogates included, with as few copies as the engine allows.
//!
//! In: most text is ASCII, and for ASCII one UTF-8 copy is all it takes. Only text in which the
//! engine may have replaced a lone surrogate is read a second time, as UTF-16. Out: from 64 KiB on
//! the string is not copied but handed over, to be freed when JavaScript collects it.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::ffi::{c_char, c_void};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use napi::bindgen_prelude::{
    FromNapiValue, Result, ToNapiValue, TypeName, ValidateNapiValue, check_status, sys,
};

use crate::text::{lines, wtf8};

/// Below this size a copy is cheaper than bookkeeping for the garbage collector.
const EXTERNAL_FROM: usize = 64 * 1024;
/// What the engine writes for a lone surrogate, and for a real U+FFFD.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

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
        let len = utf16_len(env, value)?;
        let text = utf8(env, value, len)?;
        if text.len() == len {
            // As many bytes as units: nothing but ASCII, or text that did not fit.
            if text.is_ascii() {
                return Ok(Self(text));
            }
        }
        drop(text);
        let text = utf8(env, value, len * 3)?;
        Ok(Self(if may_hide_surrogates(&text) {
            wtf8::from_utf16(&utf16(env, value, len)?)
        } else {
            text
        }))
    }
}

impl ToNapiValue for JsText {
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        if text.0.is_ascii() {
            latin1_to_js(env, text.0)
        } else if wtf8::is_latin1(&text.0) {
            latin1_to_js(env, wtf8::to_latin1(&text.0))
        } else {
            utf16_to_js(env, wtf8::to_utf16(&text.0))
        }
    }
}

/// Whether some of this UTF-8 may stand for lone surrogates that the engine could not encode.
pub fn may_hide_surrogates(text: &[u8]) -> bool {
    lines::find_all(REPLACEMENT, text).next().is_some()
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

/// The first `most` bytes of the string as UTF-8, cut at a character.
fn utf8(env: sys::napi_env, value: sys::napi_value, most: usize) -> Result<Vec<u8>> {
    let mut text: Vec<u8> = Vec::with_capacity(most + 1);
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

fn utf16(env: sys::napi_env, value: sys::napi_value, len: usize) -> Result<Vec<u16>> {
    let mut units: Vec<u16> = Vec::with_capacity(len + 1);
    let mut written = 0;
    // SAFETY: `units` has room for `len` units and the final NUL.
    check_status!(unsafe {
        sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr(), len + 1, &raw mut written)
    })?;
    // SAFETY: Node-API has written `written` units, which is at most `len`.
    unsafe { units.set_len(written) };
    Ok(units)
}

/// Set once the engine has shown that it has no external strings (Node before 20.4).
static NO_EXTERNAL: AtomicBool = AtomicBool::new(false);

fn hand_over(len: usize) -> bool {
    len >= EXTERNAL_FROM && !NO_EXTERNAL.load(Ordering::Relaxed)
}

/// Makes a JavaScript string of bytes that are one character each.
pub fn latin1_to_js(env: sys::napi_env, text: Vec<u8>) -> Result<sys::napi_value> {
    let mut value = ptr::null_mut();
    if hand_over(text.len()) {
        let (data, len, hint) = leak(text);
        let mut copied = false;
        // SAFETY: `data` stays allocated until `free` gives it back, which the engine calls once:
        // when the string dies, or at once if it made a copy.
        let status = unsafe {
            sys::node_api_create_external_string_latin1(
                env,
                data.cast::<c_char>(),
                len.cast_signed(),
                Some(free::<u8>),
                hint,
                &raw mut value,
                &raw mut copied,
            )
        };
        if status == sys::Status::napi_ok {
            return Ok(value);
        }
        NO_EXTERNAL.store(true, Ordering::Relaxed);
        // SAFETY: the call failed, so the engine has not taken the memory.
        let text = unsafe { reclaim::<u8>(hint) };
        return latin1_to_js(env, text);
    }
    // SAFETY: the call copies `text.len()` bytes.
    check_status!(unsafe {
        sys::napi_create_string_latin1(
            env,
            text.as_ptr().cast::<c_char>(),
            text.len().cast_signed(),
            &raw mut value,
        )
    })?;
    Ok(value)
}

/// Makes a JavaScript string of UTF-16 units.
pub fn utf16_to_js(env: sys::napi_env, units: Vec<u16>) -> Result<sys::napi_value> {
    let mut value = ptr::null_mut();
    if hand_over(units.len() * 2) {
        let (data, len, hint) = leak(units);
        let mut copied = false;
        // SAFETY: as in `latin1_to_js`.
        let status = unsafe {
            sys::node_api_create_external_string_utf16(
                env,
                data,
                len.cast_signed(),
                Some(free::<u16>),
                hint,
                &raw mut value,
                &raw mut copied,
            )
        };
        if status == sys::Status::napi_ok {
            return Ok(value);
        }
        NO_EXTERNAL.store(true, Ordering::Relaxed);
        // SAFETY: the call failed, so the engine has not taken the memory.
        let units = unsafe { reclaim::<u16>(hint) };
        return utf16_to_js(env, units);
    }
    // SAFETY: the call copies `units.len()` units.
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

/// What is needed to free a buffer that JavaScript holds.
struct Leaked<T> {
    data: *mut T,
    len: usize,
    capacity: usize,
}

fn leak<T>(buffer: Vec<T>) -> (*mut T, usize, *mut c_void) {
    let mut buffer = ManuallyDrop::new(buffer);
    let (data, len, capacity) = (buffer.as_mut_ptr(), buffer.len(), buffer.capacity());
    let hint = Box::into_raw(Box::new(Leaked { data, len, capacity }));
    (data, len, hint.cast())
}

/// # Safety
///
/// `hint` comes from `leak::<T>` and is used once.
unsafe fn reclaim<T>(hint: *mut c_void) -> Vec<T> {
    // SAFETY: by the contract above, the box and the parts of the `Vec` are those that `leak` took.
    unsafe {
        let leaked = Box::from_raw(hint.cast::<Leaked<T>>());
        Vec::from_raw_parts(leaked.data, leaked.len, leaked.capacity)
    }
}

unsafe extern "C" fn free<T>(_env: sys::node_api_basic_env, _data: *mut c_void, hint: *mut c_void) {
    // SAFETY: the engine passes back the hint it was given, once.
    drop(unsafe { reclaim::<T>(hint) });
}
