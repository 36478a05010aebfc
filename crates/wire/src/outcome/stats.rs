//! The counts of what a session did.

#[cfg(feature = "napi")]
use napi_derive::napi;
use serde::Serialize;

use hashline_core::session::{Count, Stats, StatsOutcome};

/// What was done, in numbers.
#[cfg_attr(feature = "napi", napi(object, object_from_js = false))]
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatsCounts {
    /// Calls that read files.
    pub reads: f64,
    /// Calls that searched files.
    pub searches: f64,
    /// Shell commands that were answered instead of being run.
    pub served: f64,
    /// Patches that were applied.
    pub patches: f64,
    /// The operations in them.
    pub edits: f64,
    /// Anchors that were followed to the new place of their line.
    pub followed: f64,
    /// Corrections of patches.
    pub repaired: f64,
    /// Patches that were refused, except malformed ones.
    pub refused: f64,
    /// Refused patches after which a patch was applied to one of the same files.
    pub resolved: f64,
    /// Refused patches after which no such patch was applied so far.
    pub given_up: f64,
    /// Bytes of the texts that the model got.
    pub bytes: f64,
    /// About how many tokens these were, at 3.6 bytes each.
    pub tokens: f64,
}

/// What was done in this session, and in all.
#[cfg_attr(feature = "napi", napi(object, js_name = "StatsOutcome", object_from_js = false))]
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StatsAnswer {
    /// A table for a person.
    pub text: String,
    /// This session.
    pub session: StatsCounts,
    /// All sessions of this user that keep what they showed; missing if `stats` is switched off.
    pub total: Option<StatsCounts>,
}

impl From<StatsOutcome> for StatsAnswer {
    fn from(outcome: StatsOutcome) -> Self {
        Self {
            text: outcome.text(),
            session: (&outcome.session).into(),
            total: outcome.total.as_ref().map(StatsCounts::from),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
impl From<&Stats> for StatsCounts {
    fn from(stats: &Stats) -> Self {
        let get = |kind| stats.get(kind) as f64;
        Self {
            reads: get(Count::Reads),
            searches: get(Count::Searches),
            served: get(Count::Served),
            patches: get(Count::Patches),
            edits: get(Count::Edits),
            followed: get(Count::Followed),
            repaired: get(Count::Repaired),
            refused: get(Count::Refused),
            resolved: get(Count::Resolved),
            given_up: stats.given_up() as f64,
            bytes: get(Count::Bytes),
            tokens: stats.tokens() as f64,
        }
    }
}
