//! The answers of an undo, a redo, a review and a recovery.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use hashline_core::session::{
    PastPatch, RecoverOutcome, RedoOutcome, Review, ReviewOutcome, UndoOutcome, UndoneFile,
};

/// What became of one file when a patch was undone.
#[cfg_attr(feature = "napi", napi(object, js_name = "UndoneFile", object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileUndone {
    /// The file.
    pub path: String,
    /// The change made to it.
    #[cfg_attr(feature = "napi", napi(ts_type = "UndoneFileKind"))]
    pub kind: &'static str,
    /// If it was moved back: where it had been moved to.
    pub from: Option<String>,
}

/// Why a patch was not undone.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UndoRefusal {
    /// The stable name of the reason.
    #[cfg_attr(feature = "napi", napi(ts_type = "UndoRefusalCode"))]
    pub code: &'static str,
    /// The file that is not as the patch left it, if that is the reason.
    pub path: Option<String>,
}

/// The answer of an undo.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "UndoOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum UndoAnswer {
    /// The last patch was undone.
    Undone {
        /// Exactly what the model gets.
        text: String,
        /// What became of each file.
        files: Vec<FileUndone>,
        /// The patch, by the name on its receipt.
        receipt: String,
    },
    /// Nothing was written.
    Refused {
        /// Exactly what the model gets.
        text: String,
        /// Why.
        refusals: Vec<UndoRefusal>,
    },
}

/// A file that differs from what a patch left.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedFile {
    /// The file.
    pub path: String,
    /// What is different, as in `is gone`.
    pub what: &'static str,
}

/// The answer of a review.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "ReviewOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ReviewAnswer {
    /// The patch, compared with the disk.
    Reviewed {
        /// The patch, by the name on its receipt.
        receipt: String,
        /// Its files.
        files: Vec<String>,
        /// The files that differ from what it left.
        changed: Vec<ChangedFile>,
        /// What an undo that skips those would change, as a unified diff; missing if it has more
        /// than 1 MB.
        undo: Option<String>,
        /// What has changed since before the patch, as a unified diff; missing if it has more than
        /// 1 MB.
        since: Option<String>,
    },
    /// There is no such patch, or it cannot be read.
    Refused {
        /// Why, in words.
        text: String,
        /// Why.
        refusals: Vec<UndoRefusal>,
    },
}

impl From<ReviewOutcome> for ReviewAnswer {
    fn from(outcome: ReviewOutcome) -> Self {
        let refused = match outcome {
            ReviewOutcome::Reviewed(Review { receipt, files, changed, undo, since }) => {
                let changed = changed.into_iter();
                let changed = changed.map(|one| ChangedFile { path: one.path, what: one.what });
                return Self::Reviewed { receipt, files, changed: changed.collect(), undo, since };
            }
            ReviewOutcome::Refused(refused) => refused,
        };
        match UndoAnswer::from(refused) {
            UndoAnswer::Refused { text, refusals } => Self::Refused { text, refusals },
            UndoAnswer::Undone { text, .. } => Self::Refused { text, refusals: Vec::new() },
        }
    }
}

/// The answer of a redo.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "RedoOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RedoAnswer {
    /// The patch that was undone last was redone.
    Redone {
        /// Exactly what the model gets.
        text: String,
        /// The name on its new receipt.
        receipt: String,
        /// Its files.
        files: Vec<String>,
    },
    /// Nothing was written.
    Refused {
        /// Exactly what the model gets.
        text: String,
    },
}

/// A patch that is kept for undo.
#[cfg_attr(feature = "napi", napi(object, js_name = "PastPatch", object_from_js = false))]
#[derive(Clone, PartialEq, Debug)]
pub struct KeptPatch {
    /// The name on its receipt.
    pub receipt: String,
    /// When it was applied, in milliseconds since 1970.
    pub time: f64,
    /// Its files.
    pub files: Vec<String>,
    /// The size of what is kept for undo, in bytes.
    pub size: f64,
    /// Whether its files are still as it left them, so that it can be undone.
    pub restorable: bool,
}

impl From<RedoOutcome> for RedoAnswer {
    fn from(outcome: RedoOutcome) -> Self {
        match outcome {
            RedoOutcome::Redone { text, receipt, files } => Self::Redone { text, receipt, files },
            RedoOutcome::Refused { text } => Self::Refused { text },
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "times and sizes are far below 2^53")]
impl From<PastPatch> for KeptPatch {
    fn from(patch: PastPatch) -> Self {
        Self {
            receipt: patch.receipt,
            time: patch.time as f64,
            files: patch.files,
            size: patch.size as f64,
            restorable: patch.restorable,
        }
    }
}

/// The answer of a recovery.
#[cfg_attr(feature = "napi", napi(object, js_name = "RecoverOutcome", object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecoverAnswer {
    /// `recovered`, or `clean` if there was nothing to do.
    #[cfg_attr(feature = "napi", napi(ts_type = "'recovered' | 'clean'"))]
    pub kind: &'static str,
    /// Exactly what the model gets.
    pub text: String,
    /// Patches that were complete; only leftovers were removed.
    pub finished: Vec<String>,
    /// Patches that were interrupted half way and undone.
    pub undone: Vec<String>,
    /// Files that were not restored, mostly because they had been changed since.
    pub left_alone: Vec<String>,
    /// Journals that are damaged or not ours; they were left alone.
    pub unreadable: Vec<String>,
    /// Journals that were set aside, under their new names.
    pub set_aside: Vec<String>,
    /// Temporary files of dead processes that were removed.
    pub swept: Vec<String>,
}

impl From<UndoOutcome> for UndoAnswer {
    fn from(outcome: UndoOutcome) -> Self {
        match outcome {
            UndoOutcome::Undone { text, receipt, files } => {
                let files = files.into_iter().map(FileUndone::from).collect();
                Self::Undone { text, files, receipt }
            }
            UndoOutcome::Refused { text, code, paths } => {
                let refusal = |path| UndoRefusal { code: code.as_str(), path };
                let refusals = match paths.len() {
                    0 => vec![refusal(None)],
                    _ => paths.into_iter().map(Some).map(refusal).collect(),
                };
                Self::Refused { text, refusals }
            }
        }
    }
}

impl From<UndoneFile> for FileUndone {
    fn from(file: UndoneFile) -> Self {
        Self { path: file.path, kind: file.kind.as_str(), from: file.from }
    }
}

impl From<RecoverOutcome> for RecoverAnswer {
    fn from(outcome: RecoverOutcome) -> Self {
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
