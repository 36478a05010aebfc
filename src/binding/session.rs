//! The class `Session`.

use std::sync::Arc;

use napi::bindgen_prelude::{
    Env, FnArgs, Function, JsObjectValue, JsValue, Object, Result, Unknown, ValueType,
};
use napi::threadsafe_function::{ThreadsafeFunctionCallMode, UnknownReturnValue};
use napi_derive::napi;

use super::error::{self, exception};
use super::guard::{Judgement, judgement};
use super::js_text::JsText;
use super::outcome::{GrepOutcome, GrepProgress, ReadOutcome};
use super::pool::Pool;
use super::promise::promise;
use crate::grep::Progress;
use crate::session;
use crate::text::wtf8;
use crate::wire;

/// A workspace in which files are read, searched and edited by line anchors.
///
/// Every line that it shows is tagged `LINE:HASH|content` and remembered as seen.
#[napi]
pub struct Session {
    pub(super) session: Arc<session::Session>,
    pub(super) pool: Pool,
}

#[napi]
impl Session {
    /// Opens a session. Throws if the root is no directory or an option is unknown or wrong; the
    /// error's `code` says which.
    #[napi(constructor, ts_args_type = "options: SessionOptions")]
    pub fn new(env: Env, options: Unknown<'_>) -> error::Result<Self> {
        let options = json(env, options)
            .map_err(|error| exception("bad_option", &error))
            .and_then(|json| {
                let read = wire::parse(&json).and_then(wire::session_options);
                read.map_err(|misshapen| exception(misshapen.code, &misshapen))
            })?;
        let session =
            session::Session::new(options).map_err(|fault| exception(fault.code(), &fault))?;
        Ok(Self { session: Arc::new(session), pool: Pool::default() })
    }

    /// Shows files, every line with its tag.
    #[napi(
        ts_args_type = "request: ReadRequest, signal?: AbortSignal | null",
        ts_return_type = "Promise<ReadOutcome>"
    )]
    pub fn read<'env>(
        &self,
        env: &'env Env,
        request: Unknown<'_>,
        signal: Option<Object<'_>>,
    ) -> Result<Object<'env>> {
        let request = json(*env, request)?;
        let session = Arc::clone(&self.session);
        promise(env, &self.pool, signal, move |cancel| {
            match wire::parse(&request).and_then(wire::read_request) {
                Ok(request) => session.read(&request, cancel).map(ReadOutcome::from),
                Err(misshapen) => Ok(ReadOutcome::from(misshapen)),
            }
        })
    }

    /// Searches files; matching lines and those around them carry their tags.
    #[napi(
        ts_args_type = "request: GrepRequest, signal?: AbortSignal | null, onProgress?: ((progress: GrepProgress) => void) | null",
        ts_return_type = "Promise<GrepOutcome>"
    )]
    pub fn grep<'env>(
        &self,
        env: &'env Env,
        request: Unknown<'_>,
        signal: Option<Object<'_>>,
        on_progress: Option<Function<'_, GrepProgress, UnknownReturnValue>>,
    ) -> Result<Object<'env>> {
        let request = json(*env, request)?;
        let session = Arc::clone(&self.session);
        let tell = match on_progress {
            None => None,
            Some(function) => Some(
                function
                    .build_threadsafe_function()
                    .callee_handled::<false>()
                    .weak::<true>()
                    .max_queue_size::<1>()
                    .build()?,
            ),
        };
        promise(env, &self.pool, signal, move |cancel| {
            let progress = |progress: Progress| {
                if let Some(tell) = &tell {
                    // A host that is busy misses one; the next comes soon.
                    tell.call(progress.into(), ThreadsafeFunctionCallMode::NonBlocking);
                }
            };
            match wire::parse(&request).and_then(wire::grep_request) {
                Ok(request) => session.grep(&request, &progress, cancel).map(GrepOutcome::from),
                Err(misshapen) => Ok(GrepOutcome::from(misshapen)),
            }
        })
    }

    /// Judges a shell command that would run in `cwd`, or in the root; it is never run.
    #[napi(
        catch_unwind,
        ts_args_type = "command: string, options?: { cwd?: string | undefined } | null"
    )]
    pub fn judge(&self, command: JsText, options: Option<JudgeOptions>) -> Judgement {
        let command = wtf8::to_utf8(&command.0);
        let cwd = options.and_then(|options| options.cwd);
        judgement(self.session.judge(&command, cwd.as_deref()), self.session.guard().mode)
    }
}

/// Where a command would run.
#[napi(object)]
pub struct JudgeOptions {
    /// The directory the shell starts in; the root if left out.
    pub cwd: Option<String>,
}

/// A JavaScript value as JSON text; a string is taken as it is if it holds an object.
pub(super) fn json(env: Env, value: Unknown<'_>) -> Result<String> {
    let stringify: Function<'_, FnArgs<(Unknown<'_>,)>, Unknown<'_>> = env
        .get_global()?
        .get_named_property_unchecked::<Object<'_>>("JSON")?
        .get_named_property("stringify")?;
    let text = stringify.call((value,).into())?;
    match text.get_type()? {
        ValueType::String => text.coerce_to_string()?.into_utf8()?.into_owned(),
        // A function or nothing at all.
        _ => Ok("null".to_owned()),
    }
}
