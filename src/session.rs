//! The class `Session`.

use std::sync::Arc;

use napi::bindgen_prelude::{
    Env, FnArgs, Function, JsObjectValue, JsValue, Object, Result, Unknown, ValueType,
};
use napi::threadsafe_function::{ThreadsafeFunctionCallMode, UnknownReturnValue};
use napi_derive::napi;

use super::error::{self, exception};
use super::mailbox::Mailbox;
use super::pool::Pool;
use super::promise::{OnAbort, promise};
use crate::dropin::js_text::JsText;
use hashline_core::cancel::Cancelled;
use hashline_core::grep::Progress;
use hashline_core::read::HostKind;
use hashline_core::session::{ApplyFault, RecoverRequest, Session, ShellCall};
use hashline_text::kernel::wtf8;
use hashline_wire::outcome::{
    ApplyAnswer, CommandAnswer, GrepAnswer, GrepProgress, Judgement, KeptPatch, ReadAnswer,
    RecoverAnswer, RedoAnswer, UndoAnswer,
};

/// A workspace in which files are read, searched and edited by line anchors.
///
/// Every line that it shows is tagged `LINE:HASH|content` and remembered as seen.
#[napi(js_name = "Session")]
pub struct JsSession {
    session: Arc<Session>,
    /// For what only reads, which must not wait for a writer.
    readers: Pool,
    /// For what writes: one at a time, in the order of the calls.
    writer: Pool,
    mailbox: Mailbox,
}

#[napi]
impl JsSession {
    /// Opens a session. Throws if the root is no directory or an option is unknown or wrong; the
    /// error's `code` says which.
    #[napi(constructor, ts_args_type = "options: SessionOptions")]
    pub fn new(env: Env, options: Unknown<'_>) -> error::Result<Self> {
        let options = json(env, options)
            .map_err(|error| exception("bad_option", &error))
            .and_then(|json| {
                let read = hashline_wire::parse(&json).and_then(hashline_wire::session_options);
                read.map_err(|misshapen| exception(misshapen.code.as_str(), &misshapen))
            })?;
        let session = Session::new(options).map_err(|fault| exception(fault.code(), &fault))?;
        let mailbox = Mailbox::new(env).map_err(|error| exception("GenericFailure", &error))?;
        let (session, readers) = (Arc::new(session), Pool::parallel());
        let first = Arc::clone(&session);
        readers.start(move || first.warm_up());
        Ok(Self { session, readers, writer: Pool::in_order(), mailbox })
    }

    /// Shows files, every line with its tag. A short read may have settled before the signal can abort it.
    #[napi(
        ts_args_type = "request: ReadRequest, signal?: AbortSignal | null, options?: { hostReads?: HostReadKind[] } | null",
        ts_return_type = "Promise<ReadOutcome>"
    )]
    pub fn read<'env>(
        &self,
        env: &'env Env,
        request: Unknown<'_>,
        signal: Option<Object<'_>>,
        options: Option<ReadOptions>,
    ) -> Result<Unknown<'env>> {
        let request = json(*env, request)?;
        let named = options.and_then(|options| options.host_reads).unwrap_or_default();
        let kind = |name: &String| HostKind::ALL.into_iter().find(|kind| kind.as_str() == name);
        let host_reads: Vec<HostKind> = named.iter().filter_map(kind).collect();
        let session = Arc::clone(&self.session);
        promise(env, self.readers(), signal, OnAbort::Reject, move |cancel| {
            match hashline_wire::parse(&request).and_then(hashline_wire::read_request) {
                Ok(mut request) => {
                    request.host_reads = host_reads;
                    session.read(&request, cancel).map(ReadAnswer::from)
                }
                Err(misshapen) => Ok(ReadAnswer::from(misshapen)),
            }
        })
    }

    /// The model's context begins anew, after a compaction for example: nothing counts as shown to it
    /// when `read` is asked for changes. The anchors it was given stay known.
    #[napi]
    pub fn new_context(&self) {
        self.session.new_context();
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
    ) -> Result<Unknown<'env>> {
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
        promise(env, self.readers(), signal, OnAbort::Reject, move |cancel| {
            let progress = |progress: Progress| {
                if let Some(tell) = &tell {
                    // A host that is busy misses one; the next comes soon.
                    tell.call(progress.into(), ThreadsafeFunctionCallMode::NonBlocking);
                }
            };
            match hashline_wire::parse(&request).and_then(hashline_wire::grep_request) {
                Ok(request) => session.grep(&request, &progress, cancel).map(GrepAnswer::from),
                Err(misshapen) => Ok(GrepAnswer::from(misshapen)),
            }
        })
    }

    /// Applies a patch: all of it, or none. Throws only if the disk got in the way.
    #[napi(
        ts_args_type = "request: ApplyRequest, signal?: AbortSignal | null",
        ts_return_type = "Promise<ApplyOutcome>"
    )]
    pub fn apply<'env>(
        &self,
        env: &'env Env,
        request: Unknown<'_>,
        signal: Option<Object<'_>>,
    ) -> Result<Unknown<'env>> {
        let request = json(*env, request)?;
        let session = Arc::clone(&self.session);
        promise(env, self.writer(), signal, OnAbort::Ask, move |cancel| {
            let shown = session.only_file_shown();
            let outcome = match hashline_wire::patch::read_assuming(&request, shown.as_deref()) {
                Ok(patch) => session.apply(&patch, cancel)?,
                Err(bad) => hashline_wire::unread(&bad),
            };
            Ok::<_, ApplyFault>(ApplyAnswer::from(outcome))
        })
    }

    /// Takes the last patch back, if its files are still as it left them. Called again, it takes the
    /// one before back. Throws only if the disk got in the way.
    #[napi(
        ts_args_type = "signal?: AbortSignal | null, options?: { receipt?: string | undefined } | null",
        ts_return_type = "Promise<UndoOutcome>"
    )]
    pub fn undo<'env>(
        &self,
        env: &'env Env,
        signal: Option<Object<'_>>,
        options: Option<UndoOptions>,
    ) -> Result<Unknown<'env>> {
        let receipt = options.and_then(|options| options.receipt);
        let session = Arc::clone(&self.session);
        promise(env, self.writer(), signal, OnAbort::Ask, move |cancel| {
            session.undo_patch(receipt.as_deref(), cancel).map(UndoAnswer::from)
        })
    }

    /// Makes the patch again that this session took back last, unless a patch came since or its files
    /// have changed.
    #[napi(ts_args_type = "signal?: AbortSignal | null", ts_return_type = "Promise<RedoOutcome>")]
    pub fn redo<'env>(&self, env: &'env Env, signal: Option<Object<'_>>) -> Result<Unknown<'env>> {
        let session = Arc::clone(&self.session);
        promise(env, self.writer(), signal, OnAbort::Ask, move |cancel| {
            session.redo(cancel).map(RedoAnswer::from)
        })
    }

    /// The patches that are kept for undo, newest first.
    #[napi(ts_args_type = "signal?: AbortSignal | null", ts_return_type = "Promise<PastPatch[]>")]
    pub fn history<'env>(
        &self,
        env: &'env Env,
        signal: Option<Object<'_>>,
    ) -> Result<Unknown<'env>> {
        let session = Arc::clone(&self.session);
        promise(env, self.writer(), signal, OnAbort::Ask, move |cancel| {
            let patches = session.history(cancel)?;
            Ok::<_, ApplyFault>(patches.into_iter().map(KeptPatch::from).collect::<Vec<_>>())
        })
    }

    /// Finishes or takes back what a crash left half done, and removes what it left lying about.
    /// `read`, `grep` and `apply` do the first by themselves; `sweep: false` leaves it at that, which
    /// is quick in a large workspace, too. `setAside: true` gives up journals that cannot be rolled
    /// back: their files stay as they are, and what they were before is named.
    #[napi(
        ts_args_type = "signal?: AbortSignal | null, options?: { sweep?: boolean; setAside?: boolean } | null",
        ts_return_type = "Promise<RecoverOutcome>"
    )]
    pub fn recover<'env>(
        &self,
        env: &'env Env,
        signal: Option<Object<'_>>,
        options: Option<RecoverOptions>,
    ) -> Result<Unknown<'env>> {
        let session = Arc::clone(&self.session);
        let usual = RecoverRequest::default();
        let request = options.map_or(usual, |options| RecoverRequest {
            sweep: options.sweep.unwrap_or(usual.sweep),
            set_aside: options.set_aside.unwrap_or(usual.set_aside),
        });
        promise(env, self.writer(), signal, OnAbort::Ask, move |cancel| {
            session.recover(request, cancel).map(RecoverAnswer::from)
        })
    }

    /// Judges a shell command and, where it is nothing but a read or a search, carries that out. The
    /// command itself is never run. An abort leaves the lines out, not the verdict.
    #[napi(
        ts_args_type = "command: string, options?: { cwd?: string | undefined; typedInto?: string | undefined } | null, signal?: AbortSignal | null",
        ts_return_type = "Promise<ShellAnswer>"
    )]
    pub fn answer<'env>(
        &self,
        env: &'env Env,
        command: JsText,
        options: Option<AnswerOptions>,
        signal: Option<Object<'_>>,
    ) -> Result<Unknown<'env>> {
        let command = wtf8::to_utf8(&command.0).into_owned();
        let AnswerOptions { cwd, typed_into } = options.unwrap_or_default();
        let session = Arc::clone(&self.session);
        promise(env, self.readers(), signal, OnAbort::Ask, move |cancel| {
            let call = ShellCall {
                command: &command,
                cwd: cwd.as_deref(),
                typed_into: typed_into.as_deref(),
            };
            Ok::<_, Cancelled>(CommandAnswer::from(session.answer(call, cancel)))
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
        Judgement::new(self.session.judge(&command, cwd.as_deref()), self.session.guard().mode)
    }
}

impl JsSession {
    fn readers(&self) -> (&Pool, &Mailbox) {
        (&self.readers, &self.mailbox)
    }

    fn writer(&self) -> (&Pool, &Mailbox) {
        (&self.writer, &self.mailbox)
    }
}

/// What the host reads itself.
#[napi(object, object_to_js = false)]
pub struct ReadOptions {
    /// The kinds; unknown names are left out.
    pub host_reads: Option<Vec<String>>,
}

/// Where a command would run.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct AnswerOptions {
    /// The directory the shell starts in, spelled like any path; the root if left out.
    pub cwd: Option<String>,
    /// The program that the command is typed into; left out, it is a shell.
    pub typed_into: Option<String>,
}

/// Where a command would run.
#[napi(object)]
pub struct JudgeOptions {
    /// The directory the shell starts in; the root if left out.
    pub cwd: Option<String>,
}

/// What to take back.
#[napi(object, object_to_js = false)]
pub struct UndoOptions {
    /// The patch, by the name on its receipt; the last one if left out.
    pub receipt: Option<String>,
}

/// How to recover.
#[napi(object, object_to_js = false)]
pub struct RecoverOptions {
    /// Whether to look for temporary files of dead processes in the whole workspace; done unless told
    /// otherwise.
    pub sweep: Option<bool>,
    /// Whether to set journals aside that cannot be rolled back or not be read, so that work can go
    /// on; not done unless told otherwise.
    pub set_aside: Option<bool>,
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
