//! The answer to a request that is not a patch.

use super::BadPatch;
use hashline_core::Refusal;
use hashline_core::report;
use hashline_core::session::ApplyOutcome;
use hashline_text::Scheme;

/// Refuses a request that could not be read, as a patch that cannot be applied is refused.
pub fn unread(bad: &BadPatch) -> ApplyOutcome {
    let refusal = Refusal { op: None, ..Refusal::new(0, bad.code, "", bad.to_string()) };
    // The text names the operation already.
    let mut refused = report::refused(vec![refusal], 0, &[], Scheme::default());
    for refusal in &mut refused.refusals {
        refusal.op = bad.op;
    }
    ApplyOutcome::Refused(refused)
}
