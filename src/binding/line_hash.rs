//! One line's hash for JavaScript, with nothing in between.
//!
//! A tag costs fewer nanoseconds than the conversions napi-rs generates around a function, so this
//! one is registered by hand: the string goes into a buffer on the stack and a number comes back.
//! The strings of the 256 tags stay on the JavaScript side.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::panic::catch_unwind;
use std::ptr;

use napi::Env;
use napi::bindgen_prelude::{FromNapiValue, JsObjectValue, Object, Result, check_status, sys};
use napi_derive::napi;

use super::js_text::{self, JsText};
use crate::text::line_hashes::{Folding, line_hash};

/// Longer lines take the general path.
const ON_STACK: usize = 1024;
/// The largest scratch buffer that is kept from one call to the next.
const KEPT: usize = 64 * 1024;

/// Adds `lineHash(line)` to the addon: the byte that oh-my-pi's tag of `line` stands for.
#[napi(module_exports)]
pub fn register(mut exports: Object<'_>, env: Env) -> Result<()> {
    let name = "lineHash";
    let mut function = ptr::null_mut();
    // SAFETY: `env` is live, the name outlives the call, and `call` has the signature of a callback.
    check_status!(unsafe {
        sys::napi_create_function(
            env.raw(),
            name.as_ptr().cast::<c_char>(),
            name.len().cast_signed(),
            Some(call),
            ptr::null_mut(),
            &raw mut function,
        )
    })?;
    // SAFETY: Node-API has just made the value.
    let function = unsafe { napi::Unknown::from_raw_unchecked(env.raw(), function) };
    exports.set_named_property(name, function)
}

/// Answers `undefined` for anything but a string, and where there is no memory for one; the
/// JavaScript side turns that into an error.
unsafe extern "C" fn call(env: sys::napi_env, info: sys::napi_callback_info) -> sys::napi_value {
    catch_unwind(|| tag_byte(env, info)).ok().flatten().unwrap_or(ptr::null_mut())
}

fn tag_byte(env: sys::napi_env, info: sys::napi_callback_info) -> Option<sys::napi_value> {
    let mut argument = ptr::null_mut();
    let mut count = 1;
    // SAFETY: there is room for the one argument that `count` promises.
    let status = unsafe {
        sys::napi_get_cb_info(
            env,
            info,
            &raw mut count,
            &raw mut argument,
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    if status != sys::Status::napi_ok {
        return None;
    }
    let mut buffer = [MaybeUninit::<u8>::uninit(); ON_STACK];
    let mut len = 0;
    // SAFETY: the buffer has `ON_STACK` bytes, the final NUL included.
    let status = unsafe {
        sys::napi_get_value_string_utf8(
            env,
            argument,
            buffer.as_mut_ptr().cast::<c_char>(),
            ON_STACK,
            &raw mut len,
        )
    };
    if status != sys::Status::napi_ok {
        return None;
    }
    // SAFETY: Node-API has written `len` bytes.
    let line = unsafe { buffer[..len].assume_init_ref() };
    // A character that does not fit is left out whole, so a text that was cut may end 3 bytes early;
    // and the engine may have replaced a lone surrogate, which only the general path can see.
    let whole = len + 4 < ON_STACK && (line.is_ascii() || !js_text::may_hide_surrogates(line));
    let hash = SCRATCH.with_borrow_mut(|scratch| {
        if whole {
            return Some(line_hash(line, Folding::None, scratch));
        }
        // SAFETY: `argument` is live and a string.
        let line = unsafe { JsText::from_napi_value(env, argument) }.ok()?;
        let hash = line_hash(&line.0, Folding::None, scratch);
        if scratch.capacity() > KEPT {
            *scratch = Vec::new();
        }
        Some(hash)
    })?;
    let mut value = ptr::null_mut();
    // SAFETY: `env` is live.
    let status = unsafe { sys::napi_create_uint32(env, hash & 0xff, &raw mut value) };
    (status == sys::Status::napi_ok).then_some(value)
}

thread_local! {
    static SCRATCH: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
}
