//! The same operation twice in one patch.
//!
//! Setting, replacing or deleting the same lines twice means it once. Inserting twice means it
//! twice: whoever asks for two equal lines mostly wants them.

use super::{OpTarget, Warning, WarningCode};
use crate::patch::{Change, Patch};

/// Which operations repeat an earlier one, and the notes about them.
pub(super) fn find(patch: &Patch, targets: &[OpTarget]) -> (Vec<bool>, Vec<Warning>) {
    let mut left_out = vec![false; patch.ops.len()];
    let mut warnings = Vec::new();
    for (later, op) in patch.ops.iter().enumerate() {
        let same = |earlier: &usize| {
            let other = &patch.ops[*earlier];
            targets[*earlier] == targets[later]
                && (&other.change, other.exact) == (&op.change, op.exact)
        };
        let Some(earlier) = (0..later).find(same) else { continue };
        left_out[later] = !matches!(op.change, Change::Insert { .. });
        let what = if left_out[later] {
            "it was done once"
        } else {
            "both were done; delete the second lines if they were not meant twice"
        };
        warnings.push(Warning {
            code: WarningCode::RepeatedOperation,
            op: Some(later),
            file: targets[later].file,
            line: None,
            text: format!("patch[{later}] is the same as patch[{earlier}]: {what}"),
        });
    }
    (left_out, warnings)
}
