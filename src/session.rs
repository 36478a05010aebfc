//! The native class that `js/session.js` wraps as `Session`.
//!
//! The types in the attributes describe the wrapping class, which index.d.ts documents;
//! `js/native.d.ts` declares what these functions really take.

use std::sync::Arc;

use napi::bindgen_prelude::{AsyncTask, External, Function, Result};
use napi::threadsafe_function::{ThreadsafeFunctionCallMode, UnknownReturnValue};
use napi_derive::napi;

use super::error::{self, exception};
use super::guard::shell_of;
use super::task::Call;
use crate::dropin::js_text::JsText;
use hashline_core::cancel::{Cancel, Cancelled};
use hashline_core::grep::Progress;
use hashline_core::read::HostKind;
use hashline_core::session::{
    ApplyMode, CommitFault, RecoverRequest, Session, ShellCall, UndoRequest, save_all,
};
use hashline_text::kernel::wtf8;
use hashline_wire::outcome::{
    ApplyAnswer, CommandAnswer, GrepAnswer, GrepProgress, Judgement, KeptPatch, PreviewAnswer,
    ReadAnswer, RecoverAnswer, RedoAnswer, ReviewAnswer, StatsAnswer, UndoAnswer,
};

/// A workspace in which files are read, searched and edited by line anchors.
///
/// Every line that it shows is tagged `LINE:HASH|content` and remembered as seen.
#[napi(js_name = "Session")]
pub struct JsSession {
    session: Arc<Session>,
}

/// Saves what the sessions of this process have shown so far.
#[napi(skip_typescript, catch_unwind)]
pub fn flush_all() {
    save_all();
}

#[napi]
impl JsSession {
    /// Opens a session. Throws if the root is not a directory or an option is unknown or wrong; the
    /// error's `code` says which.
    #[napi(constructor, ts_args_type = "options: SessionOptions")]
    pub fn new(options: String) -> error::Result<Self> {
        let options = hashline_wire::parse(&options)
            .and_then(hashline_wire::session_options)
            .map_err(|misshapen| exception(misshapen.code.as_str(), &misshapen))?;
        let session = Session::new(options).map_err(|fault| exception(fault.code(), &fault))?;
        Ok(Self { session: Arc::new(session) })
    }

    /// Shows files, every line with its tag.
    #[napi(
        ts_args_type = "request: ReadRequest, signal?: AbortSignal | null, options?: ReadOptions | null",
        ts_return_type = "Promise<ReadOutcome>"
    )]
    pub fn read(
        &self,
        request: String,
        token: Option<&External<Cancel>>,
        host_reads: Option<Vec<String>>,
    ) -> AsyncTask<Call<ReadAnswer>> {
        let named = host_reads.unwrap_or_default();
        let kind = |name: &String| HostKind::ALL.into_iter().find(|kind| kind.as_str() == name);
        let host_reads: Vec<HostKind> = named.iter().filter_map(kind).collect();
        Call::promise(&self.session, token, move |session, cancel| {
            match hashline_wire::parse(&request).and_then(hashline_wire::read_request) {
                Ok(mut request) => {
                    request.host_reads = host_reads;
                    session.read(&request, cancel).map(ReadAnswer::from)
                }
                Err(misshapen) => Ok(ReadAnswer::from(misshapen)),
            }
        })
    }

    /// Starts a new context for the model, for example after a compaction: when `read` is asked for
    /// changes, nothing counts as shown. The anchors that the model was given stay known.
    #[napi]
    pub fn new_context(&self) {
        self.session.new_context();
    }

    /// Saves at once what was shown so far in the state directory, so that another process knows
    /// it; without this call that happens some milliseconds later. If saving fails, the next
    /// outcome warns.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn flush(&self) -> AsyncTask<Call<()>> {
        Call::promise(&self.session, None, |session, _| {
            session.flush();
            Ok::<_, Cancelled>(())
        })
    }

    /// Searches files; matching lines and those around them carry their tags.
    #[napi(
        ts_args_type = "request: GrepRequest, signal?: AbortSignal | null, onProgress?: ((progress: GrepProgress) => void) | null",
        ts_return_type = "Promise<GrepOutcome>"
    )]
    pub fn grep(
        &self,
        request: String,
        token: Option<&External<Cancel>>,
        on_progress: Option<Function<'_, GrepProgress, UnknownReturnValue>>,
    ) -> Result<AsyncTask<Call<GrepAnswer>>> {
        let report = match on_progress {
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
        Ok(Call::promise(&self.session, token, move |session, cancel| {
            let progress = |progress: Progress| {
                if let Some(report) = &report {
                    // A busy host misses this report; the next one comes soon.
                    report.call(progress.into(), ThreadsafeFunctionCallMode::NonBlocking);
                }
            };
            match hashline_wire::parse(&request).and_then(hashline_wire::grep_request) {
                Ok(request) => session.grep(&request, &progress, cancel).map(GrepAnswer::from),
                Err(misshapen) => Ok(GrepAnswer::from(misshapen)),
            }
        }))
    }

    /// Brings the arguments of a call of `read`, `grep` or `apply_hash` into one shape, with every
    /// file that the call concerns, or returns the refusal that the call would get. Nothing is read
    /// or written.
    #[napi(
        catch_unwind,
        ts_args_type = "tool: \"read\" | \"grep\" | \"apply_hash\", request: unknown",
        ts_return_type = "PreparedCall"
    )]
    pub fn prepare(&self, tool: String, request: String) -> String {
        hashline_wire::call::prepare(&self.session, &tool, &request).to_string()
    }

    /// Applies a patch: all of it, or none. Throws only if the disk got in the way.
    #[napi(
        ts_args_type = "request: ApplyRequest, signal?: AbortSignal | null",
        ts_return_type = "Promise<ApplyOutcome>"
    )]
    pub fn apply(
        &self,
        request: String,
        token: Option<&External<Cancel>>,
    ) -> AsyncTask<Call<ApplyAnswer>> {
        Call::promise(&self.session, token, move |session, cancel| {
            let outcome = match hashline_wire::patch::read_here(&request, session) {
                Ok(patch) => session.apply(&patch, cancel)?,
                Err(bad) => hashline_wire::unread(&bad),
            };
            Ok::<_, CommitFault>(ApplyAnswer::from(outcome))
        })
    }

    /// What `apply` would do, for a person to see: nothing is written, and nothing counts as shown.
    #[napi(
        ts_args_type = "request: ApplyRequest, signal?: AbortSignal | null",
        ts_return_type = "Promise<PreviewOutcome>"
    )]
    pub fn preview(
        &self,
        request: String,
        token: Option<&External<Cancel>>,
    ) -> AsyncTask<Call<PreviewAnswer>> {
        Call::promise(&self.session, token, move |session, cancel| {
            let outcome = match hashline_wire::patch::read_here(&request, session) {
                Ok(patch) => session.apply_as(&patch, ApplyMode::Preview, cancel)?.outcome,
                Err(bad) => hashline_wire::unread(&bad),
            };
            Ok::<_, CommitFault>(PreviewAnswer::from(outcome))
        })
    }

    /// Undoes the last patch, if its files have not changed since. Called again, it undoes the
    /// patch before. Throws only if the disk got in the way.
    #[napi(
        ts_args_type = "signal?: AbortSignal | null, options?: UndoOptions | null",
        ts_return_type = "Promise<UndoOutcome>"
    )]
    pub fn undo(
        &self,
        token: Option<&External<Cancel>>,
        receipt: Option<String>,
        others: Option<bool>,
    ) -> AsyncTask<Call<UndoAnswer>> {
        Call::promise(&self.session, token, move |session, cancel| {
            let receipt = receipt.as_deref();
            let request = UndoRequest { receipt, others: others.unwrap_or_default() };
            session.undo_patch(request, cancel).map(UndoAnswer::from)
        })
    }

    /// Compares a patch, the last one unless a receipt is given, with the disk: what an undo would
    /// change, and what has changed since before the patch. Changes nothing.
    #[napi(
        ts_args_type = "signal?: AbortSignal | null, options?: ReviewOptions | null",
        ts_return_type = "Promise<ReviewOutcome>"
    )]
    pub fn review(
        &self,
        token: Option<&External<Cancel>>,
        receipt: Option<String>,
    ) -> AsyncTask<Call<ReviewAnswer>> {
        Call::promise(&self.session, token, move |session, cancel| {
            session.review(receipt.as_deref(), cancel).map(ReviewAnswer::from)
        })
    }

    /// Counts what other programs, such as a formatter, have changed in the files of a patch as
    /// part of the patch, so that an undo undoes both. Returns the files that they have changed.
    #[napi(
        ts_args_type = "receipt: string, signal?: AbortSignal | null",
        ts_return_type = "Promise<string[]>"
    )]
    pub fn adopt(
        &self,
        receipt: String,
        token: Option<&External<Cancel>>,
    ) -> AsyncTask<Call<Vec<String>>> {
        Call::promise(&self.session, token, move |session, cancel| session.adopt(&receipt, cancel))
    }

    /// Redoes the patch that was undone last, by this session or another one, unless another patch
    /// was applied since or its files have changed.
    #[napi(ts_args_type = "signal?: AbortSignal | null", ts_return_type = "Promise<RedoOutcome>")]
    pub fn redo(&self, token: Option<&External<Cancel>>) -> AsyncTask<Call<RedoAnswer>> {
        Call::promise(&self.session, token, |session, cancel| {
            session.redo(cancel).map(RedoAnswer::from)
        })
    }

    /// The patches that are kept for undo, newest first.
    #[napi(ts_args_type = "signal?: AbortSignal | null", ts_return_type = "Promise<PastPatch[]>")]
    pub fn history(&self, token: Option<&External<Cancel>>) -> AsyncTask<Call<Vec<KeptPatch>>> {
        Call::promise(&self.session, token, |session, cancel| {
            let patches = session.history(cancel)?;
            Ok::<_, CommitFault>(patches.into_iter().map(KeptPatch::from).collect())
        })
    }

    /// What was done in this session and, where `stats` is not switched off, in all sessions of
    /// this user.
    #[napi(ts_return_type = "Promise<StatsOutcome>")]
    pub fn stats(&self) -> AsyncTask<Call<StatsAnswer>> {
        Call::promise(&self.session, None, |session, _| {
            Ok::<_, Cancelled>(StatsAnswer::from(session.stats()))
        })
    }

    /// Completes or rolls back patches that a crash interrupted, and removes temporary files that
    /// it left. `read`, `grep` and `apply` recover patches by themselves; `sweep: false` does only
    /// that, which is quick even in a large workspace. `setAside: true` gives up journals that
    /// cannot be rolled back: their files stay as they are, and the text names the old contents.
    #[napi(
        ts_args_type = "signal?: AbortSignal | null, options?: RecoverOptions | null",
        ts_return_type = "Promise<RecoverOutcome>"
    )]
    pub fn recover(
        &self,
        token: Option<&External<Cancel>>,
        sweep: Option<bool>,
        set_aside: Option<bool>,
    ) -> AsyncTask<Call<RecoverAnswer>> {
        let usual = RecoverRequest::default();
        let request = RecoverRequest {
            sweep: sweep.unwrap_or(usual.sweep),
            set_aside: set_aside.unwrap_or(usual.set_aside),
        };
        Call::promise(&self.session, token, move |session, cancel| {
            session.recover(request, cancel).map(RecoverAnswer::from)
        })
    }

    /// Judges a shell command and, if it only reads or searches, does so in its place. The command
    /// itself is never run. An abort drops the lines, not the verdict.
    #[napi(
        ts_args_type = "command: string, options?: AnswerOptions | null, signal?: AbortSignal | null",
        ts_return_type = "Promise<ShellAnswer>"
    )]
    pub fn answer(
        &self,
        command: JsText,
        cwd: Option<String>,
        typed_into: Option<String>,
        shell: Option<String>,
        token: Option<&External<Cancel>>,
    ) -> Result<AsyncTask<Call<CommandAnswer>>> {
        let command = wtf8::to_utf8(&command.0).into_owned();
        let shell = shell_of(shell.as_deref())?;
        Ok(Call::promise(&self.session, token, move |session, cancel| {
            let (cwd, typed_into) = (cwd.as_deref(), typed_into.as_deref());
            let call = ShellCall { command: &command, cwd, typed_into, shell };
            Ok::<_, Cancelled>(CommandAnswer::from(session.answer(call, cancel)))
        }))
    }

    /// Judges a shell command that would run in `cwd`, or in the root; it is never run.
    #[napi(catch_unwind, ts_args_type = "command: string, options?: JudgeOptions | null")]
    pub fn judge(
        &self,
        command: JsText,
        cwd: Option<String>,
        shell: Option<String>,
    ) -> Result<Judgement> {
        let command = wtf8::to_utf8(&command.0);
        let verdict = self.session.judge(&command, cwd.as_deref(), shell_of(shell.as_deref())?);
        Ok(Judgement::new(verdict, self.session.guard().mode))
    }
}
