//! Refusing a patch that changes nothing and is sent again and again.

use crate::patch::Patch;
use crate::plan::{Plan, Refusal, RefusalCode};

/// How often in a row the same patch may change nothing.
const MAX_REPEATS: usize = 2;

/// The last patch that changed nothing, and how often in a row it was sent.
#[derive(Debug, Default)]
pub(super) struct Noops {
    patch: Option<Patch>,
    times: usize,
}

impl Noops {
    /// Refuses a patch that has changed nothing several times, so that a model does not repeat it
    /// forever.
    pub(super) fn check(&mut self, patch: &Patch, plan: &Plan) -> Option<Refusal> {
        if !plan.is_noop() {
            *self = Self::default();
            return None;
        }
        if self.patch.as_ref() != Some(patch) {
            *self = Self { patch: Some(patch.clone()), times: 0 };
        }
        self.times += 1;
        (self.times > MAX_REPEATS).then(|| Refusal {
            op: None,
            ..Refusal::new(
                0,
                RefusalCode::RepeatedNoop,
                patch.ops.first().map_or("", |op| &op.path),
                format!(
                    "this patch has changed nothing {} times in a row: the file already reads as asked; \
                     read it again and send another change, or go on with the next step",
                    self.times
                ),
            )
        })
    }
}
