//! The answers of an apply and of its preview.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use super::{count, encoding_name};
use hashline_core::Refusal;
use hashline_core::report::{AppliedReport, FileFact, RefusedReport};
use hashline_core::session::ApplyOutcome;
use hashline_text::Scheme;

/// What became of one file.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedFile {
    /// The file, as the patch spells it.
    pub path: String,
    /// What happened to it.
    #[cfg_attr(feature = "napi", napi(ts_type = "AppliedFileKind"))]
    pub kind: &'static str,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// How many lines are new.
    pub added: u32,
    /// How many lines are gone.
    pub removed: u32,
    /// The first changed line.
    pub first_changed_line: Option<u32>,
    /// The encoding, if it is not UTF-8.
    pub encoding: Option<String>,
}

/// An anchor that was followed to another line.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelocatedAnchor {
    /// The operation, counted from 0.
    pub op: u32,
    /// The file.
    pub path: String,
    /// The anchor as the model gave it.
    pub anchor: String,
    /// Its line.
    pub from: u32,
    /// The line it was followed to.
    pub to: u32,
    /// Whether the lines that were shown prove it; otherwise only the tag does.
    pub verified: bool,
}

/// A correction that was made to the text of a patch.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairMade {
    /// The operation, counted from 0.
    pub op: u32,
    /// The file.
    pub path: String,
    /// The repair.
    #[cfg_attr(feature = "napi", napi(ts_type = "Repair"))]
    pub name: &'static str,
    /// The line where the change began, in the file before the call.
    pub line: u32,
    /// The text that the model asked for.
    pub before: String,
    /// The text that was written.
    pub after: String,
}

/// Something that deserves attention after a patch was applied.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyWarning {
    /// The operation, counted from 0, if the warning is about one.
    pub op: Option<u32>,
    /// The stable name of the warning.
    #[cfg_attr(feature = "napi", napi(ts_type = "ApplyWarningCode"))]
    pub code: &'static str,
    /// The file.
    pub path: String,
    /// The line of the new file.
    pub line: Option<u32>,
    /// What was noticed.
    pub text: String,
}

/// Why one operation failed.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyRefusal {
    /// The operation, counted from 0; missing if the whole patch failed.
    pub op: Option<u32>,
    /// The stable name of the reason.
    #[cfg_attr(feature = "napi", napi(ts_type = "ApplyRefusalCode"))]
    pub code: &'static str,
    /// The file.
    pub path: String,
    /// The anchor that does not fit.
    pub anchor: Option<String>,
    /// The line concerned, counted from 1 in the current file.
    pub line: Option<u32>,
    /// What was seen, and the next move.
    pub text: String,
}

/// The answer of an apply.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "ApplyOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ApplyAnswer {
    /// The patch was applied.
    Applied {
        /// Exactly what the model gets.
        text: String,
        /// The diffs of the files for a person, whatever the style of the report.
        diff: String,
        /// The change as a unified diff, as `git apply` reads it; missing if it has more than 1 MB.
        patch: Option<String>,
        /// What became of each file.
        files: Vec<AppliedFile>,
        /// Anchors that were followed.
        relocations: Vec<RelocatedAnchor>,
        /// Corrections that were made.
        repairs: Vec<RepairMade>,
        /// What deserves attention.
        warnings: Vec<ApplyWarning>,
        /// The name on the receipt; missing if nothing had to be written.
        receipt: Option<String>,
    },
    /// Nothing was written.
    Refused {
        /// Exactly what the model gets.
        text: String,
        /// Why.
        refusals: Vec<ApplyRefusal>,
    },
}

/// The answer of a preview.
#[cfg_attr(
    feature = "napi",
    napi(
        js_name = "PreviewOutcome",
        discriminant = "kind",
        discriminant_case = "lowercase",
        object_from_js = false
    )
)]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum PreviewAnswer {
    /// The patch would be applied.
    Preview {
        /// What the model would get.
        text: String,
        /// The diffs of the files for a person.
        diff: String,
        /// The change as a unified diff, as `git apply` reads it; missing if it has more than 1 MB.
        patch: Option<String>,
        /// What would become of each file.
        files: Vec<AppliedFile>,
    },
    /// It would be refused.
    Refused {
        /// What the model would get.
        text: String,
        /// Why.
        refusals: Vec<ApplyRefusal>,
    },
}

impl From<ApplyOutcome> for PreviewAnswer {
    fn from(outcome: ApplyOutcome) -> Self {
        match ApplyAnswer::from(outcome) {
            ApplyAnswer::Applied { text, diff, patch, files, .. } => {
                Self::Preview { text, diff, patch, files }
            }
            ApplyAnswer::Refused { text, refusals } => Self::Refused { text, refusals },
        }
    }
}

impl From<ApplyOutcome> for ApplyAnswer {
    fn from(outcome: ApplyOutcome) -> Self {
        match outcome {
            ApplyOutcome::Applied(report, receipt) => {
                Self::applied(*report, receipt.map(|receipt| receipt.id))
            }
            ApplyOutcome::Refused(RefusedReport { text, refusals, scheme, .. }) => {
                let refusals = refusals.into_iter().map(|one| ApplyRefusal::new(one, scheme));
                Self::Refused { text, refusals: refusals.collect() }
            }
        }
    }
}

impl ApplyAnswer {
    fn applied(report: AppliedReport, receipt: Option<String>) -> Self {
        let AppliedReport { text, diff, patch, paths, scheme, .. } = report;
        let path = |file: usize| paths[file].clone();
        let relocations = report.relocations.into_iter().map(|moved| RelocatedAnchor {
            op: count(moved.op),
            path: path(moved.file),
            anchor: moved.anchor.print(scheme),
            from: count(moved.anchor.line.get()),
            to: count(moved.to.get()),
            verified: moved.verified,
        });
        let repairs = report.repairs.into_iter().map(|made| RepairMade {
            op: count(made.op),
            path: path(made.file),
            name: made.what.repair.name(),
            line: count(made.line.get()),
            before: made.what.before.join("\n"),
            after: made.what.after.join("\n"),
        });
        let warnings = report.warnings.into_iter().map(|warning| ApplyWarning {
            op: warning.op.map(count),
            code: warning.code.as_str(),
            path: path(warning.file),
            line: warning.line.map(|line| count(line.get())),
            text: warning.text,
        });
        Self::Applied {
            text,
            diff,
            patch,
            files: report.files.into_iter().map(Into::into).collect(),
            relocations: relocations.collect(),
            repairs: repairs.collect(),
            warnings: warnings.collect(),
            receipt,
        }
    }
}

impl ApplyRefusal {
    fn new(refusal: Refusal, scheme: Scheme) -> Self {
        Self {
            op: refusal.op.map(count),
            code: refusal.code.as_str(),
            path: refusal.path,
            anchor: refusal.anchor.map(|anchor| anchor.print(scheme)),
            line: refusal.look_at.first().map(|span| count(span.start() + 1)),
            text: refusal.reason,
        }
    }
}

impl From<FileFact> for AppliedFile {
    fn from(fact: FileFact) -> Self {
        Self {
            path: fact.path,
            kind: fact.kind.as_str(),
            to: fact.to,
            added: count(fact.added),
            removed: count(fact.removed),
            first_changed_line: fact.first_changed_line.map(count),
            encoding: encoding_name(fact.encoding),
        }
    }
}
