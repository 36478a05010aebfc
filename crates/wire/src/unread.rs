//! The answer to a request that is no patch.

use super::BadPatch;
use hashline_core::Refusal;
use hashline_core::report;
use hashline_core::session::ApplyOutcome;
use hashline_text::Scheme;

/// Refuses a request that could not be read, as a patch that cannot be applied is refused.
pub fn unread(bad: &BadPatch) -> ApplyOutcome {
    // The text names the operation already.
    let refusal = Refusal { op: None, ..Refusal::new(0, bad.code, "", bad.to_string()) };
    let mut refused = report::refused(&[refusal], 0, &[], Scheme::default());
    for fact in &mut refused.refusals {
        fact.op = bad.op;
    }
    ApplyOutcome::Refused(refused)
}
