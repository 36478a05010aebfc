//! The engine of oh-my-pi, February 2026.
//!
//! Bug for bug: `__test__/vectors/omp-v1` was recorded from the original, and its README lists the
//! quirks. Text is WTF-8 and line numbers are `f64`, because the original's were JavaScript strings
//! and numbers, and both show in its results. Read the files in the order an edit meets them:
//!
//! [`edit`] (the request) → [`mod@reference`] (which line) → `prefix` (new lines without copied
//! prefixes) → `validate` (is it still that line?) → [`apply()`] with `heuristics` → `draft` (the
//! new lines) → `rewrite` (the new text)
//!
//! [`mod@format`] prints lines for a model, [`stream`] prints them piece by piece.

mod apply;
mod decode;
mod draft;
pub mod edit;
pub mod format;
mod heuristics;
mod index;
mod mismatch;
mod number;
pub mod packed;
mod prefix;
pub mod reference;
mod refusal;
mod rewrite;
pub mod stream;
mod validate;

pub use apply::{NoopEdit, OmpApplied, apply, plan};
pub use mismatch::{MismatchReport, OmpMismatch, report, shown_lines};
pub use number::js_number;
pub use refusal::OmpRefusal;
pub use rewrite::{TextRewrite, TextRun};
pub use validate::validate_line_ref;
