//! What is asked of JavaScript without napi-rs's wrapper around it.
//!
//! What `#[napi]` generates keeps account, behind a lock, of Rust objects that the arguments might borrow,
//! which takes 80 to 100 ns. That is as long as it takes to hash a line, and a tenth of what it takes to list 50.
//! So the functions for these two are registered by hand.
//!
//! A promise of napi-rs can be settled by any thread, and so each has a threadsafe function of its own, with a
//! handle in the event loop. A [`Deferred`] is settled by the thread that made it; `mailbox.rs` says how a
//! result gets there.

#![expect(unsafe_code, reason = "Node-API is a C interface; each call says why it is sound")]

use std::panic::catch_unwind;
use std::ptr;

use napi::JsError;
use napi::bindgen_prelude::{
    Env, Error, FromNapiValue, JsObjectValue, JsValuesTupleIntoVec, Object, Result, Status,
    ToNapiValue, Unknown, check_status, panic_to_error, sys,
};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;

use crate::dropin::line_hash::LineHash;
use crate::dropin::new_string::forget_exception;
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
    // SAFETY: `env` is live, the name outlives the call, and `callback` has the signature of a callback.
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

/// Has the call end with an exception.
#[cold]
fn throw(env: sys::napi_env, error: Error) -> sys::napi_value {
    // SAFETY: `env` is live.
    unsafe { JsError::from(error).throw_into(env) };
    ptr::null_mut()
}

/// A promise that JavaScript has and that is not settled yet.
pub struct Deferred(sys::napi_deferred);

impl Deferred {
    /// Makes a promise.
    pub fn new(env: &Env) -> Result<(Self, Unknown<'_>)> {
        let (mut deferred, mut promise) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: `env` is live, and Node-API fills both.
        check_status!(unsafe {
            sys::napi_create_promise(env.raw(), &raw mut deferred, &raw mut promise)
        })?;
        // SAFETY: Node-API has just made the value.
        Ok((Self(deferred), unsafe { Unknown::from_raw_unchecked(env.raw(), promise) }))
    }

    /// Settles the promise; one whose value cannot be made is rejected with the reason.
    pub fn settle<T: ToNapiValue>(self, env: Env, outcome: Result<T>) -> Result<()> {
        // SAFETY: `env` is live, here and below.
        match outcome.and_then(|value| unsafe { T::to_napi_value(env.raw(), value) }) {
            Ok(value) => {
                // SAFETY: the deferred is of this environment, because it is neither `Send` nor `Sync`, and is used
                // once, because this consumes it.
                check_status!(unsafe { sys::napi_resolve_deferred(env.raw(), self.0, value) })
            }
            Err(error) => {
                // While there is an exception, Node-API settles nothing.
                forget_exception(env.raw());
                // SAFETY: as above.
                let reason = unsafe { Error::to_napi_value(env.raw(), error) }?;
                // SAFETY: as above.
                check_status!(unsafe { sys::napi_reject_deferred(env.raw(), self.0, reason) })
            }
        }
    }
}

/// Says whether a threadsafe function keeps the process alive.
pub fn keep_alive<T: 'static, A: 'static + JsValuesTupleIntoVec, R: FromNapiValue>(
    env: Env,
    function: &ThreadsafeFunction<T, R, A, Status, false, true>,
    alive: bool,
) -> Result<()> {
    if function.aborted() {
        return Ok(());
    }
    // SAFETY: `env` is live, and the function is not finalized: that would have been done by this thread, which
    // makes it count as aborted.
    check_status!(unsafe {
        if alive {
            sys::napi_ref_threadsafe_function(env.raw(), function.raw())
        } else {
            sys::napi_unref_threadsafe_function(env.raw(), function.raw())
        }
    })
}
