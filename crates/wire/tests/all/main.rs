//! Sessions as their users meet them: a request as JSON in, an answer out.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests look at the disk themselves"
)]

mod cases;
mod encodings;
#[cfg(unix)]
#[path = "../../../core/tests/all/faulty.rs"]
mod faulty;
#[cfg(unix)]
#[path = "../../../core/tests/all/tree.rs"]
mod tree;

mod any_request;
mod apply_cases;
mod apply_session;
mod literals;
mod names;
mod notebooks;
mod robust;
mod roots;
mod schema;
mod session;
mod session_answer;
mod session_changes;
mod session_grep;
#[cfg(unix)]
mod session_hints;
#[cfg(unix)]
mod session_serve;
mod short_report;
mod sight;
mod sight_laws;
