//! Promises for work on other threads that an `AbortSignal` can end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use napi::Status;
use napi::bindgen_prelude::{
    Env, Error, FnArgs, Function, FunctionRef, JsObjectValue, JsValue, Object, ObjectRef, Result,
    ToNapiValue, Unknown,
};

use super::mailbox::{Mailbox, Promises};
use super::pool::{Pool, SHORT};
use crate::dropin::new_string::forget_exception;
use crate::dropin::raw::Deferred;
use crate::early::Early;
use hashline_core::cancel::{Cancel, Cancelled};
use hashline_core::session::ApplyFault;

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
    (pool, mailbox): (&Pool, &Mailbox),
    signal: Option<Object<'_>>,
    on_abort: OnAbort,
    work: impl FnOnce(&Cancel) -> std::result::Result<T, E> + Send + 'static,
) -> Result<Unknown<'env>>
where
    T: ToNapiValue + Send + 'static,
    E: Into<NoResult> + Send + 'static,
{
    let cancel = Cancel::default();
    let number = mailbox.number();
    let mut listening = None;
    let mut aborted = false;
    if let Some(signal) = signal {
        let on_signal =
            OnSignal { cancel: cancel.clone(), promises: mailbox.promises(), number, on_abort };
        listening = Some(listen(*env, signal, on_signal)?);
        aborted = signal.get_named_property::<bool>("aborted")?;
    }
    let (deferred, promise) = Deferred::new(env)?;
    let waiting = Waiting { deferred, listening };
    if aborted {
        cancel.request();
        if on_abort == OnAbort::Reject {
            waiting.abort(*env)?;
            return Ok(promise);
        }
    }
    let handle = mailbox.wait(*env, number, waiting)?;
    let promises = mailbox.promises();
    let early = promises.may_be_early().then(|| Arc::new(Early::default()));
    let offered = early.clone();
    let work = move || catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    let is_soon = pool.run(work, move |done| {
        let late = match offered {
            Some(early) => early.offer(done),
            None => Err(done),
        };
        if let Err(done) = late {
            handle.send(move |env, waiting| waiting.end(env, done));
        }
    });
    let patience = if is_soon { SHORT } else { Duration::ZERO };
    if let Some(done) = early.and_then(|early| early.take(patience))
        && let Some(waiting) = promises.take_early(*env, number)
    {
        waiting.end(*env, done)?;
    }
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
pub struct Waiting {
    deferred: Deferred,
    listening: Option<Listening>,
}

impl Waiting {
    /// Settles it with how the work ended, or with the panic that ended it.
    fn end<T: ToNapiValue, E: Into<NoResult>>(
        self,
        env: Env,
        done: thread::Result<std::result::Result<T, E>>,
    ) -> Result<()> {
        self.settle(env, |signal| match done.map(|done| done.map_err(Into::into)) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(NoResult::Cancelled(message))) => abort(env, signal, &message),
            Ok(Err(NoResult::Fault { code, message })) => Err(fault(env, code, &message)),
            Err(_) => {
                let defect = "hashline has a defect: a worker panicked";
                Err(Error::new(Status::GenericFailure, defect))
            }
        })
    }

    /// Settles it with what `settle` makes of the signal.
    fn settle<T: ToNapiValue>(
        self,
        env: Env,
        settle: impl FnOnce(Option<&ObjectRef<false>>) -> Result<T>,
    ) -> Result<()> {
        let Self { deferred, listening } = self;
        let outcome = settle(listening.as_ref().map(|listening| &listening.signal));
        let settled = deferred.settle(env, outcome);
        // A signal that does not let its listener go must not cost the caller the outcome.
        if listening.is_some_and(|listening| listening.end(env).is_err()) {
            forget_exception(env.raw());
        }
        settled
    }

    /// Rejects it, because of the signal.
    fn abort(self, env: Env) -> Result<()> {
        self.settle::<()>(env, |signal| abort(env, signal, &Cancelled.to_string()))
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

/// What a signal ends.
struct OnSignal {
    cancel: Cancel,
    promises: Rc<Promises>,
    number: u64,
    on_abort: OnAbort,
}

fn listen(env: Env, signal: Object<'_>, on_signal: OnSignal) -> Result<Listening> {
    let handler = env.create_function_from_closure("abort", move |call| {
        let OnSignal { cancel, promises, number, on_abort } = &on_signal;
        cancel.request();
        if *on_abort == OnAbort::Reject
            && let Some(waiting) = promises.take(*call.env, *number)
        {
            waiting.abort(*call.env)?;
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
