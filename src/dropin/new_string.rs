//! Making JavaScript strings: a large one is not copied but handed over, and its memory is reused
//! after JavaScript has collected it.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::ffi::{c_char, c_void};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use napi::bindgen_prelude::{Error, Result, Status, ToNapiValue, sys};
use napi_derive::napi;

use hashline_text::kernel::buffers;

/// A string, encoded the way engines store it.
pub enum Encoded {
    /// One byte a character.
    Latin1(Vec<u8>),
    /// UTF-16 units.
    Utf16(Vec<u16>),
}

impl ToNapiValue for Encoded {
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        match text {
            Self::Latin1(text) => latin1_to_js(env, text),
            Self::Utf16(units) => utf16_to_js(env, units),
        }
    }
}

/// How many characters a string of this engine can have; V8's limit until JavaScript sets another.
static MAX_CHARACTERS: AtomicUsize = AtomicUsize::new((1 << 29) - 24);

/// Sets how many characters a string of this engine can have.
#[napi(skip_typescript, catch_unwind)]
pub fn set_longest_string(characters: f64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a length, and the cast saturates"
    )]
    MAX_CHARACTERS.store(characters as usize, Ordering::Relaxed);
}

/// Refuses a result with more characters than a string can have.
pub fn check_len(characters: usize) -> Result<()> {
    if characters <= MAX_CHARACTERS.load(Ordering::Relaxed) {
        return Ok(());
    }
    let text =
        format!("the result has {characters} characters, more than a JavaScript string can hold");
    Err(Error::new(Status::GenericFailure, text))
}

/// The error if there is not enough memory for that many characters.
pub fn no_memory(characters: usize) -> Error {
    Error::new(Status::GenericFailure, format!("no memory for {characters} characters"))
}

/// Below this size a copy is cheaper than bookkeeping for the garbage collector. The value suits
/// Node, until JavaScript sets another.
static EXTERNAL_FROM: AtomicUsize = AtomicUsize::new(64 * 1024);

/// Sets from how many bytes on a string is handed over instead of copied.
#[napi(skip_typescript, catch_unwind)]
pub fn set_external_from(bytes: u32) {
    EXTERNAL_FROM.store(bytes as usize, Ordering::Relaxed);
}

/// Set once the engine has shown that it has no external strings (Node before 20.4).
static NO_EXTERNAL: AtomicBool = AtomicBool::new(false);

/// Makes a JavaScript string of bytes that are one character each.
fn latin1_to_js(env: sys::napi_env, text: Vec<u8>) -> Result<sys::napi_value> {
    let len = text.len();
    hand_over(env, text, len, latin1)
}

/// Makes a JavaScript string of the first `len` bytes of `buffer`, one character each.
pub fn narrow_to_js(env: sys::napi_env, buffer: Vec<u16>, len: usize) -> Result<sys::napi_value> {
    assert!(len <= buffer.len() * 2, "the characters lie in the buffer");
    hand_over(env, buffer, len, latin1)
}

/// Makes a JavaScript string of UTF-16 units.
pub fn utf16_to_js(env: sys::napi_env, units: Vec<u16>) -> Result<sys::napi_value> {
    let len = units.len();
    hand_over(env, units, len, wide)
}

/// Makes a string of `len` characters at an address: with a hint, the engine takes over the memory;
/// without one, it copies the characters.
type Make = unsafe fn(
    sys::napi_env,
    *mut c_void,
    isize,
    sys::node_api_basic_finalize,
    *mut c_void,
    *mut sys::napi_value,
) -> sys::napi_status;

/// Makes a JavaScript string of a buffer, without a copy if it is large.
fn hand_over<T: buffers::BufferItem>(
    env: sys::napi_env,
    mut buffer: Vec<T>,
    len: usize,
    make: Make,
) -> Result<sys::napi_value> {
    check_len(len)?;
    let mut value = ptr::null_mut();
    let size = len.cast_signed();
    let large = buffer.len() * size_of::<T>() >= EXTERNAL_FROM.load(Ordering::Relaxed);
    if large && !NO_EXTERNAL.load(Ordering::Relaxed) {
        let capacity = buffer.capacity();
        let (data, hint) = leak(buffer);
        // SAFETY: `data` holds `len` characters and stays allocated until `free` gives it back,
        // which the engine calls once: when the string dies, or at once if it made a copy.
        let status = unsafe { make(env, data.cast(), size, Some(free::<T>), hint, &raw mut value) };
        if status == sys::Status::napi_ok {
            account::<T>(env, capacity, 1);
            return Ok(value);
        }
        forget_exception(env);
        // SAFETY: the length was checked above, so this engine has no external strings, or allows
        // no call at this time: it finds out either before it reads the memory.
        buffer = unsafe { reclaim::<T>(hint) };
    }
    let data = buffer.as_mut_ptr().cast();
    // SAFETY: `data` holds `len` characters, and without a hint they are copied.
    let status = unsafe { make(env, data, size, None, ptr::null_mut(), &raw mut value) };
    if status == sys::Status::napi_ok {
        // A copy was possible where handing over was not, so this engine has no external strings.
        // Not `fetch_or`: it would wait for every byte of the copy to reach memory.
        if large {
            NO_EXTERNAL.store(true, Ordering::Relaxed);
        }
        buffers::give_back(buffer);
        return Ok(value);
    }
    forget_exception(env);
    Err(no_memory(len))
}

unsafe fn latin1(
    env: sys::napi_env,
    data: *mut c_void,
    len: isize,
    free: sys::node_api_basic_finalize,
    hint: *mut c_void,
    value: *mut sys::napi_value,
) -> sys::napi_status {
    let data = data.cast::<c_char>();
    // SAFETY: the caller vouches for the arguments.
    unsafe {
        if hint.is_null() {
            return sys::napi_create_string_latin1(env, data, len, value);
        }
        let mut copied = false;
        let copied = &raw mut copied;
        sys::node_api_create_external_string_latin1(env, data, len, free, hint, value, copied)
    }
}

unsafe fn wide(
    env: sys::napi_env,
    data: *mut c_void,
    len: isize,
    free: sys::node_api_basic_finalize,
    hint: *mut c_void,
    value: *mut sys::napi_value,
) -> sys::napi_status {
    let data = data.cast::<u16>();
    // SAFETY: the caller vouches for the arguments.
    unsafe {
        if hint.is_null() {
            return sys::napi_create_string_utf16(env, data, len, value);
        }
        let mut copied = false;
        let copied = &raw mut copied;
        sys::node_api_create_external_string_utf16(env, data, len, free, hint, value, copied)
    }
}

/// Clears the exception that a failed call may have left, so that JavaScript gets ours.
pub fn forget_exception(env: sys::napi_env) {
    let mut pending = ptr::null_mut();
    // SAFETY: `env` is live.
    unsafe { sys::napi_get_and_clear_last_exception(env, &raw mut pending) };
}

/// How to free a buffer that JavaScript holds.
struct Leaked<T> {
    data: *mut T,
    len: usize,
    capacity: usize,
}

fn leak<T>(buffer: Vec<T>) -> (*mut T, *mut c_void) {
    let mut buffer = ManuallyDrop::new(buffer);
    let (data, len, capacity) = (buffer.as_mut_ptr(), buffer.len(), buffer.capacity());
    let hint = Box::into_raw(Box::new(Leaked { data, len, capacity }));
    (data, hint.cast())
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

/// Tells the garbage collector that strings hold more memory than it sees, or less again. Otherwise
/// gigabytes of strings would pile up before it runs.
fn account<T>(env: sys::napi_env, capacity: usize, sign: i64) {
    let bytes = i64::try_from(capacity * size_of::<T>()).unwrap_or(i64::MAX);
    let mut total = 0;
    // A string that dies with its environment is freed without an `env`.
    if !env.is_null() {
        // SAFETY: `env` is live. No status calls for an action.
        unsafe { sys::napi_adjust_external_memory(env, sign * bytes, &raw mut total) };
    }
}

unsafe extern "C" fn free<T: buffers::BufferItem>(
    env: sys::node_api_basic_env,
    _data: *mut c_void,
    hint: *mut c_void,
) {
    // SAFETY: the engine passes back the hint it was given, once.
    let buffer = unsafe { reclaim::<T>(hint) };
    account::<T>(env.cast(), buffer.capacity(), -1);
    buffers::give_back(buffer);
}
