//! Work on one of Node's threads, and the promise of its result.
//!
//! `js/session.js` handles signals, the order of writers, and how many searches run at a time. Here
//! a call runs to its end and settles its promise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use napi::bindgen_prelude::{
    AsyncTask, Env, Error, External, JsObjectValue, JsValue, Result, Status, Task, ToNapiValue,
    TypeName,
};
use napi_derive::napi;

use hashline_core::cancel::{Cancel, Cancelled};
use hashline_core::session::{CommitFault, Session};

/// A new token by which a caller can cancel calls.
#[napi(skip_typescript, catch_unwind)]
pub fn cancel_token() -> External<Cancel> {
    External::new(Cancel::default())
}

/// Asks the calls that have this token to end.
#[napi(skip_typescript, catch_unwind)]
pub fn request_cancel(token: &External<Cancel>) {
    token.request();
}

/// Why a call has no result.
pub struct NoResult {
    /// The stable name of the error.
    code: &'static str,
    /// The text of the error.
    message: String,
}

/// The code with which Node's own functions report that a signal ended them.
const ABORTED: &str = "ABORT_ERR";

impl From<Cancelled> for NoResult {
    fn from(cancelled: Cancelled) -> Self {
        Self { code: ABORTED, message: cancelled.to_string() }
    }
}

impl From<CommitFault> for NoResult {
    fn from(fault: CommitFault) -> Self {
        let code = match fault {
            CommitFault::Cancelled => ABORTED,
            _ => fault.code().as_str(),
        };
        Self { code, message: fault.to_string() }
    }
}

type Work<T> = Box<dyn FnOnce() -> std::result::Result<T, NoResult> + Send>;

/// One call of a session.
pub struct Call<T> {
    work: Option<Work<T>>,
}

impl<T: Send + 'static> Call<T> {
    /// A promise of the result of `work`.
    pub fn promise<E: Into<NoResult>>(
        session: &Arc<Session>,
        token: Option<&External<Cancel>>,
        work: impl FnOnce(&Session, &Cancel) -> std::result::Result<T, E> + Send + 'static,
    ) -> AsyncTask<Self>
    where
        T: ToNapiValue + TypeName,
    {
        let session = Arc::clone(session);
        let cancel = token.map(|token| Cancel::clone(token)).unwrap_or_default();
        let work = Box::new(move || work(&session, &cancel).map_err(Into::into));
        AsyncTask::new(Self { work: Some(work) })
    }
}

impl<T: Send + ToNapiValue + TypeName + 'static> Task for Call<T> {
    type Output = std::result::Result<T, NoResult>;
    type JsValue = T;

    fn compute(&mut self) -> Result<Self::Output> {
        let work = self.work.take().expect("Node runs a call once");
        catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
            Error::new(Status::GenericFailure, "hashline has a defect: a worker panicked")
        })
    }

    fn resolve(&mut self, env: Env, output: Self::Output) -> Result<T> {
        output.or_else(|NoResult { code, message }| {
            let mut error = env.create_error(Error::from_reason(message))?;
            error.set_named_property("code", code)?;
            Err(Error::from(error.to_unknown()))
        })
    }
}
