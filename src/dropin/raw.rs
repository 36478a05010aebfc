//! Functions for JavaScript without napi-rs's wrapper.
//!
//! The code that `#[napi]` generates tracks, behind a lock, the Rust objects that the arguments
//! might borrow. That takes 80 to 100 ns: as long as hashing a line, and a tenth of listing 50
//! lines. So we register the functions for these two by hand.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::panic::catch_unwind;
use std::ptr;

use napi::JsError;
use napi::bindgen_prelude::{
    Env, Error, FromNapiValue, JsObjectValue, Object, Result, ToNapiValue, Unknown, check_status,
    panic_to_error, sys,
};
use napi_derive::napi;

use crate::dropin::line_hash::LineHash;
use crate::dropin::omp::OmpFormat;

/// A function that takes `N` arguments.
pub trait RawFunction<const N: usize> {
    /// What JavaScript calls it.
    const NAME: &'static str;

    /// What it returns.
    type Output: ToNapiValue;

    /// Does its work. An error becomes an exception, and so does a panic.
    fn call(arguments: &Arguments<N>) -> Result<Self::Output>;
}

/// Adds every [`RawFunction`] to the addon.
#[napi(module_exports)]
pub fn register(mut exports: Object<'_>, env: Env) -> Result<()> {
    add::<LineHash, _>(&mut exports, env)?;
    add::<OmpFormat, _>(&mut exports, env)
}

/// The arguments of a call; one that was left out is `undefined`.
pub struct Arguments<const N: usize> {
    /// The environment of the call.
    pub env: Env,
    values: [sys::napi_value; N],
}

impl<const N: usize> Arguments<N> {
    /// The argument at an index, whatever it is.
    pub fn value(&self, at: usize) -> Unknown<'_> {
        // SAFETY: `env` and the value are live until the call returns, and `self` is gone by then.
        unsafe { Unknown::from_raw_unchecked(self.env.raw(), self.values[at]) }
    }

    /// The argument at an index, which must be a number.
    pub fn number(&self, at: usize) -> Result<f64> {
        // SAFETY: `env` and the value are live until the call returns.
        unsafe { f64::from_napi_value(self.env.raw(), self.values[at]) }
    }

    /// The argument at an index, which must be a boolean or left out.
    pub fn flag(&self, at: usize) -> Result<Option<bool>> {
        // SAFETY: `env` and the value are live until the call returns.
        unsafe { Option::from_napi_value(self.env.raw(), self.values[at]) }
    }
}

fn add<F: RawFunction<N>, const N: usize>(exports: &mut Object<'_>, env: Env) -> Result<()> {
    let mut function = ptr::null_mut();
    // SAFETY: `env` is live, the name outlives the call, and `callback` has the signature of a
    // callback.
    check_status!(unsafe {
        sys::napi_create_function(
            env.raw(),
            F::NAME.as_ptr().cast(),
            F::NAME.len().cast_signed(),
            Some(callback::<F, N>),
            ptr::null_mut(),
            &raw mut function,
        )
    })?;
    // SAFETY: Node-API has just made the value.
    let function = unsafe { Unknown::from_raw_unchecked(env.raw(), function) };
    exports.set_named_property(F::NAME, function)
}

unsafe extern "C" fn callback<F: RawFunction<N>, const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    catch_unwind(|| answer::<F, N>(env, info).unwrap_or_else(|error| throw(env, error)))
        .unwrap_or_else(|panic| throw(env, panic_to_error(panic)))
}

fn answer<F: RawFunction<N>, const N: usize>(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> Result<sys::napi_value> {
    let mut values = [ptr::null_mut(); N];
    let mut count = N;
    // SAFETY: there is room for as many arguments as `count` says.
    check_status!(unsafe {
        sys::napi_get_cb_info(
            env,
            info,
            &raw mut count,
            values.as_mut_ptr(),
            ptr::null_mut(),
            ptr::null_mut(),
        )
    })?;
    let output = F::call(&Arguments { env: Env::from_raw(env), values })?;
    // SAFETY: `env` is live.
    unsafe { F::Output::to_napi_value(env, output) }
}

/// Ends the call with an exception.
#[cold]
fn throw(env: sys::napi_env, error: Error) -> sys::napi_value {
    // SAFETY: `env` is live.
    unsafe { JsError::from(error).throw_into(env) };
    ptr::null_mut()
}
