//! `Session.apply`.

use std::sync::Arc;

use napi::bindgen_prelude::{Env, Object, Result, Unknown};
use napi_derive::napi;

use super::promise::{Trouble, promise};
use super::session::{Session, json};
use crate::report::{FileFact, RefusalFact, RelocationFact, RepairFact, WarningFact};
use crate::session::{ApplyFault, ApplyOutcome as Outcome};
use crate::wire;

/// What became of one file.
#[napi(object, object_from_js = false)]
pub struct AppliedFile {
    /// The file, as the patch spells it.
    pub path: String,
    /// What happened to it.
    #[napi(ts_type = "'changed' | 'created' | 'deleted' | 'moved' | 'unchanged'")]
    pub kind: &'static str,
    /// Its new name, if it was moved.
    pub to: Option<String>,
    /// How many lines are new.
    pub added: u32,
    /// How many lines are gone.
    pub removed: u32,
    /// The first line that is not what it was.
    pub first_changed_line: Option<u32>,
}

/// An anchor that was followed to another line.
#[napi(object, object_from_js = false)]
pub struct RelocatedAnchor {
    /// The operation, counted from 0.
    pub op: u32,
    /// The file.
    pub path: String,
    /// The anchor as it was given.
    pub anchor: String,
    /// Its line.
    pub from: u32,
    /// The line it was followed to.
    pub to: u32,
    /// Whether what was shown proves it; otherwise only the tag does.
    pub verified: bool,
}

/// A correction that was made to the text of a patch.
#[napi(object, object_from_js = false)]
pub struct RepairMade {
    /// The operation, counted from 0.
    pub op: u32,
    /// The file.
    pub path: String,
    /// The repair.
    pub name: &'static str,
    /// The line where the change began, in the file before the call.
    pub line: u32,
    /// The text as it was asked for.
    pub before: String,
    /// The text as it was written.
    pub after: String,
}

/// Something to look at.
#[napi(object, object_from_js = false)]
pub struct ApplyWarning {
    /// The operation, if it is one.
    pub op: Option<u32>,
    /// The stable name of the warning.
    pub code: &'static str,
    /// The file.
    pub path: String,
    /// The line of the new file.
    pub line: Option<u32>,
    /// What was seen.
    pub text: String,
}

/// Why one operation failed.
#[napi(object, object_from_js = false)]
pub struct ApplyRefusal {
    /// The operation, counted from 0; missing if the patch as a whole is meant.
    pub op: Option<u32>,
    /// The stable name of the reason.
    pub code: &'static str,
    /// The file.
    pub path: String,
    /// The anchor that does not fit.
    pub anchor: Option<String>,
    /// What was seen, and the next move.
    pub text: String,
}

/// What an apply answers.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum ApplyOutcome {
    /// The patch was applied.
    Applied {
        /// Exactly what the model gets.
        text: String,
        /// What became of each file.
        files: Vec<AppliedFile>,
        /// Anchors that were followed.
        relocations: Vec<RelocatedAnchor>,
        /// Corrections that were made.
        repairs: Vec<RepairMade>,
        /// What to look at.
        warnings: Vec<ApplyWarning>,
        /// The name of the commit; missing if nothing had to be written.
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

#[napi]
impl Session {
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
    ) -> Result<Object<'env>> {
        let request = json(*env, request)?;
        let session = Arc::clone(&self.session);
        promise(env, &self.pool, signal, move |cancel| {
            let outcome = match wire::patch::read_text(&request) {
                Ok(patch) => session.apply(&patch, cancel)?,
                Err(bad) => wire::unread(&bad),
            };
            Ok::<_, ApplyFault>(ApplyOutcome::from(outcome))
        })
    }
}

impl From<ApplyFault> for Trouble {
    fn from(fault: ApplyFault) -> Self {
        match fault {
            ApplyFault::Cancelled(cancelled) => Self::Cancelled(cancelled),
            ApplyFault::Disk(_) => Self::Fault { code: fault.code(), message: fault.to_string() },
        }
    }
}

impl From<Outcome> for ApplyOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Applied(report, receipt) => Self::Applied {
                text: report.text,
                files: report.files.into_iter().map(Into::into).collect(),
                relocations: report.relocations.into_iter().map(Into::into).collect(),
                repairs: report.repairs.into_iter().map(Into::into).collect(),
                warnings: report.warnings.into_iter().map(Into::into).collect(),
                receipt: receipt.map(|receipt| receipt.id),
            },
            Outcome::Refused(report) => Self::Refused {
                text: report.text,
                refusals: report.refusals.into_iter().map(Into::into).collect(),
            },
        }
    }
}

impl From<FileFact> for AppliedFile {
    fn from(fact: FileFact) -> Self {
        Self {
            path: fact.path,
            kind: fact.kind.as_str(),
            to: fact.to,
            added: whole(fact.added),
            removed: whole(fact.removed),
            first_changed_line: fact.first_changed_line.map(whole),
        }
    }
}

impl From<RelocationFact> for RelocatedAnchor {
    fn from(fact: RelocationFact) -> Self {
        Self {
            op: whole(fact.op),
            path: fact.path,
            anchor: fact.anchor,
            from: whole(fact.from),
            to: whole(fact.to),
            verified: fact.verified,
        }
    }
}

impl From<RepairFact> for RepairMade {
    fn from(fact: RepairFact) -> Self {
        Self {
            op: whole(fact.op),
            path: fact.path,
            name: fact.name,
            line: whole(fact.line),
            before: fact.before,
            after: fact.after,
        }
    }
}

impl From<WarningFact> for ApplyWarning {
    fn from(fact: WarningFact) -> Self {
        Self {
            op: fact.op.map(whole),
            code: fact.code,
            path: fact.path,
            line: fact.line.map(whole),
            text: fact.text,
        }
    }
}

impl From<RefusalFact> for ApplyRefusal {
    fn from(fact: RefusalFact) -> Self {
        Self {
            op: fact.op.map(whole),
            code: fact.code,
            path: fact.path,
            anchor: fact.anchor,
            text: fact.text,
        }
    }
}

/// A count of lines or operations, which never comes near the limit.
fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
