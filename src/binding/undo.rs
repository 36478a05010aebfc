//! `Session.undo` and `Session.recover`.

use std::sync::Arc;

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;

use super::promise::promise;
use super::session::Session;
use crate::session::{self, RecoverRequest, UndoOutcome as Outcome};

/// What became of one file when a patch was taken back.
#[napi(object, object_from_js = false)]
pub struct UndoneFile {
    /// The file.
    pub path: String,
    /// What was done to it.
    #[napi(ts_type = "'restored' | 'removed' | 'moved'")]
    pub kind: &'static str,
    /// If it was moved back: where it had been moved to.
    pub from: Option<String>,
}

/// Why a patch was not taken back.
#[napi(object, object_from_js = false)]
pub struct UndoRefusal {
    /// The stable name of the reason.
    #[napi(
        ts_type = "'nothing_to_undo' | 'file_changed' | 'too_large' | 'read_only' | 'receipt_unreadable'"
    )]
    pub code: &'static str,
    /// The file that is not as the patch left it, if it is about one.
    pub path: Option<String>,
}

/// What an undo answers.
#[napi(object, object_from_js = false)]
pub struct UndoOutcome {
    /// `undone`, or `refused` if nothing was written.
    #[napi(ts_type = "'undone' | 'refused'")]
    pub kind: &'static str,
    /// Exactly what the model gets.
    pub text: String,
    /// If undone: what became of each file.
    pub files: Option<Vec<UndoneFile>>,
    /// If undone: the patch, by the name on its receipt.
    pub receipt: Option<String>,
    /// If refused: why.
    pub refusals: Option<Vec<UndoRefusal>>,
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

/// What a recovery answers.
#[napi(object, object_from_js = false)]
pub struct RecoverOutcome {
    /// `recovered`, or `clean` if there was nothing to do.
    #[napi(ts_type = "'recovered' | 'clean'")]
    pub kind: &'static str,
    /// Exactly what the model gets.
    pub text: String,
    /// Patches that were complete; only leftovers were removed.
    pub finished: Vec<String>,
    /// Patches that were interrupted half way and taken back.
    pub undone: Vec<String>,
    /// Files that were not put back as they were, mostly because somebody had changed them since.
    pub left_alone: Vec<String>,
    /// Journals that are damaged or not ours; they were left alone.
    pub unreadable: Vec<String>,
    /// Journals that were set aside, under their new names.
    pub set_aside: Vec<String>,
    /// Temporary files of dead processes that were removed.
    pub swept: Vec<String>,
}

#[napi]
impl Session {
    /// Takes the last patch back, if its files are still as it left them. Called again, it takes the
    /// one before back. Throws only if the disk got in the way.
    #[napi(ts_args_type = "signal?: AbortSignal | null", ts_return_type = "Promise<UndoOutcome>")]
    pub fn undo<'env>(&self, env: &'env Env, signal: Option<Object<'_>>) -> Result<Object<'env>> {
        let session = Arc::clone(&self.session);
        promise(env, &self.pool, signal, move |cancel| session.undo(cancel).map(UndoOutcome::from))
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
    ) -> Result<Object<'env>> {
        let session = Arc::clone(&self.session);
        let usual = RecoverRequest::default();
        let request = options.map_or(usual, |options| RecoverRequest {
            sweep: options.sweep.unwrap_or(usual.sweep),
            set_aside: options.set_aside.unwrap_or(usual.set_aside),
        });
        promise(env, &self.pool, signal, move |cancel| {
            session.recover(request, cancel).map(RecoverOutcome::from)
        })
    }
}

impl From<Outcome> for UndoOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Undone { text, receipt, files } => Self {
                kind: "undone",
                text,
                files: Some(files.into_iter().map(UndoneFile::from).collect()),
                receipt: Some(receipt),
                refusals: None,
            },
            Outcome::Refused { text, code, paths } => Self {
                kind: "refused",
                text,
                files: None,
                receipt: None,
                refusals: Some(if paths.is_empty() {
                    vec![UndoRefusal { code, path: None }]
                } else {
                    let refusal = |path| UndoRefusal { code, path: Some(path) };
                    paths.into_iter().map(refusal).collect()
                }),
            },
        }
    }
}

impl From<session::UndoneFile> for UndoneFile {
    fn from(file: session::UndoneFile) -> Self {
        Self { path: file.path, kind: file.kind, from: file.from }
    }
}

impl From<session::RecoverOutcome> for RecoverOutcome {
    fn from(outcome: session::RecoverOutcome) -> Self {
        Self {
            kind: if outcome.is_clean() { "clean" } else { "recovered" },
            text: outcome.text,
            finished: outcome.finished,
            undone: outcome.undone,
            left_alone: outcome.left_alone,
            unreadable: outcome.unreadable,
            set_aside: outcome.set_aside,
            swept: outcome.swept,
        }
    }
}
