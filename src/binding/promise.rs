//! Promises for work on other threads that an `AbortSignal` can end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use napi::bindgen_prelude::{
    Env, Error, FnArgs, Function, FunctionRef, JsObjectValue, JsValue, Object, ObjectRef, Result,
    ToNapiValue, Unknown,
};
use napi::{JsDeferred, Status};

use super::pool::Pool;
use crate::cancel::{Cancel, Cancelled};
use crate::session::ApplyFault;

type Settle<T> = Box<dyn FnOnce(Env) -> Result<T>>;
type Listener<'a> = Function<'a, Unknown<'a>, ()>;
type Register<'a> = Function<'a, FnArgs<(&'static str, Listener<'a>)>, ()>;

/// What a signal does to a promise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnAbort {
    /// It is rejected at once, whether or not the work has begun: a read has no effect that could
    /// be lost.
    Reject,
    /// The work is asked to end and settles the promise itself: only it knows what was written.
    Ask,
}

/// Runs `work` on the pool and returns a promise of what it makes.
pub fn promise<'env, T, E>(
    env: &'env Env,
    pool: &Pool,
    signal: Option<Object<'_>>,
    on_abort: OnAbort,
    work: impl FnOnce(&Cancel) -> std::result::Result<T, E> + Send + 'static,
) -> Result<Object<'env>>
where
    T: ToNapiValue + Send + 'static,
    E: Into<NoResult> + Send + 'static,
{
    let (deferred, promise) = env.create_deferred::<T, Settle<T>>()?;
    let cancel = Cancel::default();
    let pending = Pending(Arc::new(Mutex::new(Some(Waiting { deferred, listening: None }))));
    if let Some(signal) = signal {
        let listening = listen(*env, signal, &cancel, &pending, on_abort)?;
        pending.listen(listening);
        if signal.get_named_property::<bool>("aborted")? {
            cancel.request();
            if on_abort == OnAbort::Reject {
                pending.settle(move |env, signal| abort(env, signal, &Cancelled.to_string()));
                return Ok(promise);
            }
        }
    }
    let work = move || catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    pool.run(work, move |done| {
        pending.settle(move |env, signal| match done.map(|done| done.map_err(Into::into)) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(NoResult::Cancelled(message))) => abort(env, signal, &message),
            Ok(Err(NoResult::Fault { code, message })) => Err(fault(env, code, &message)),
            Err(_) => {
                Err(Error::new(Status::GenericFailure, "hashline has a defect: a worker panicked"))
            }
        });
    });
    Ok(promise)
}

/// Why work has no result.
pub enum NoResult {
    /// It was asked to end, and what that means for the files.
    Cancelled(String),
    /// The world got in the way.
    Fault {
        /// The stable name of the error.
        code: &'static str,
        /// A notice for the user.
        message: String,
    },
}

impl From<Cancelled> for NoResult {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled.to_string())
    }
}

impl From<ApplyFault> for NoResult {
    fn from(fault: ApplyFault) -> Self {
        match fault {
            ApplyFault::Cancelled(_) => Self::Cancelled(fault.to_string()),
            ApplyFault::Disk(_) => {
                Self::Fault { code: fault.code().as_str(), message: fault.to_string() }
            }
        }
    }
}

/// A promise that whoever comes first settles: the work or the signal.
struct Pending<T: ToNapiValue>(Arc<Mutex<Option<Waiting<T>>>>);

struct Waiting<T: ToNapiValue> {
    deferred: JsDeferred<T, Settle<T>>,
    listening: Option<Listening>,
}

impl<T: ToNapiValue> Clone for Pending<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ToNapiValue + 'static> Pending<T> {
    fn listen(&self, listening: Listening) {
        if let Some(waiting) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            waiting.listening = Some(listening);
        }
    }

    fn settle(&self, settle: impl FnOnce(Env, Option<&ObjectRef<false>>) -> Result<T> + 'static) {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Waiting { deferred, listening }) = waiting else {
            return;
        };
        deferred.resolve(Box::new(move |env| {
            let settled = settle(env, listening.as_ref().map(|listening| &listening.signal));
            if let Some(listening) = listening {
                listening.end(env)?;
            }
            settled
        }));
    }
}

/// A signal that is listened to. A host may use one signal for many calls, so that each call must
/// take its listener away again.
struct Listening {
    signal: ObjectRef<false>,
    handler: FunctionRef<Unknown<'static>, ()>,
}

impl Listening {
    fn end(self, env: Env) -> Result<()> {
        let signal = self.signal.get_value(&env)?;
        let remove: Register<'_> = signal.get_named_property("removeEventListener")?;
        remove.apply(signal, ("abort", self.handler.borrow_back(&env)?).into())?;
        self.signal.unref(&env)
    }
}

fn listen<T: ToNapiValue + 'static>(
    env: Env,
    signal: Object<'_>,
    cancel: &Cancel,
    pending: &Pending<T>,
    on_abort: OnAbort,
) -> Result<Listening> {
    let (cancel, pending) = (cancel.clone(), pending.clone());
    let handler = env.create_function_from_closure("abort", move |_| {
        cancel.request();
        if on_abort == OnAbort::Reject {
            pending.settle(move |env, signal| abort(env, signal, &Cancelled.to_string()));
        }
        Ok(())
    })?;
    let add: Register<'_> = signal.get_named_property("addEventListener")?;
    let reference = handler.create_ref()?;
    add.apply(signal, ("abort", handler).into())?;
    Ok(Listening { signal: signal.create_ref()?, handler: reference })
}

/// The error that Node's own functions reject with: an `AbortError` with the signal's reason.
fn abort<T>(env: Env, signal: Option<&ObjectRef<false>>, message: &str) -> Result<T> {
    let mut error = env.create_error(Error::new(Status::Cancelled, message.to_owned()))?;
    error.set_named_property("name", "AbortError")?;
    error.set_named_property("code", "ABORT_ERR")?;
    if let Some(signal) = signal {
        let signal = signal.get_value(&env)?;
        error.set_named_property("cause", signal.get_named_property::<Unknown<'_>>("reason")?)?;
    }
    Err(Error::from(error.to_unknown()))
}

/// The error of a promise that the world got in the way of, with its stable `code`.
fn fault(env: Env, code: &str, message: &str) -> Error {
    let made = env.create_error(Error::from_reason(message)).and_then(|mut error| {
        error.set_named_property("code", code)?;
        Ok(Error::from(error.to_unknown()))
    });
    made.unwrap_or_else(|error| error)
}
