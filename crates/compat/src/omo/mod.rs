//! The engine of oh-my-opencode: three operations, `LINE#ID` references.
//!
//! The rules were inferred from recorded cases only, `__test__/vectors/omo`; the original's source
//! was never read. Text is WTF-8 (see [`hashline_text::kernel::wtf8`]), because the callers are
//! JavaScript programs. In the order the data meets them: a [`reference`](mod@reference) names a
//! line, [`validate()`] compares it with the file, [`apply()`] corrects what models get wrong
//! (`prefix`, `echo`, `merge`, `wrap`, `indent`) and splices.

mod apply;
mod dedup;
mod echo;
mod edit;
mod file_text;
mod format;
mod indent;
pub mod json;
mod merge;
mod overlap;
mod prefix;
pub mod reference;
mod refusal;
mod tag;
mod validate;
mod wrap;

pub use apply::{OmoApplied, apply};
pub use edit::{NewText, OmoEdit, OmoOp, RawOmoEdit, normalize};
pub use file_text::{Envelope, canonicalize, restore};
pub use format::{format_lines, to_content};
pub use reference::OmoLineRef;
pub use refusal::{OmoMismatch, OmoRefusal, OmoRefusalCode};
pub use tag::{legacy_tag, line_tag};
pub use validate::validate;
