//! The answers of a session, as JavaScript sees them.
//!
//! Each structure is defined here once; with the feature `napi` it is also an object of the addon
//! and an interface in index.d.ts, under the name in `js_name`. Codes and kinds are enums in the
//! modules they belong to, and strings here; header.d.ts declares them as unions of literals, and a
//! test compares those unions with the enums.

mod apply;
mod judge;
mod model_text;
mod search;
mod stats;
mod undo;

use hashline_text::Encoding;
#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

pub use apply::{
    AppliedFile, ApplyAnswer, ApplyRefusal, ApplyWarning, PreviewAnswer, RelocatedAnchor,
    RepairMade,
};
pub use judge::{
    CommandAnswer, Judgement, ServePath, ServeRequest, ServedGrep, ServedPart, ServedRead,
};
pub use model_text::ModelText;
pub use search::{GrepAnswer, GrepProgress, ReadAnswer, ReadFile};
pub use stats::{StatsAnswer, StatsCounts};
pub use undo::{
    ChangedFile, FileUndone, KeptPatch, RecoverAnswer, RedoAnswer, ReviewAnswer, UndoAnswer,
    UndoRefusal,
};

/// Why a request was refused.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestRefusal {
    /// The stable name of the reason.
    #[cfg_attr(feature = "napi", napi(ts_type = "RequestRefusalCode"))]
    pub code: &'static str,
}

/// The name of an encoding other than UTF-8.
fn encoding_name(encoding: Encoding) -> Option<String> {
    (encoding != Encoding::UTF_8).then(|| encoding.name())
}

/// A count of lines, files or operations, which never comes near the limit.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
