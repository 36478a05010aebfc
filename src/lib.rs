//! Line anchors for coding agents.
//!
//! Every line shown to a model is tagged `LINE:HASH|content`; every change is asked for by those
//! anchors and verified against the file as it is. Read the modules in the order the data meets
//! them:
//!
//! bytes → [`Document`] → rows ([`show`]) → (model) → Patch → Plan → Transaction → Receipt → Report
//!
//! [`compat`] holds bug-for-bug engines of other systems, [`guard`] judges shell commands. The
//! edges, `wire`, `binding` and the program in `cli`, translate and decide nothing.

#![cfg_attr(
    not(feature = "napi"),
    allow(
        dead_code,
        reason = "some of it only the addon calls; `npm run lint` checks with the addon"
    )
)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests look at the disk themselves"
    )
)]

pub mod anchor;
#[cfg(feature = "napi")]
mod binding;
pub mod cancel;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compat;
mod early;
pub mod fs;
pub mod grep;
pub mod patch;
pub mod plan;
pub mod read;
pub mod report;
pub mod session;
pub mod show;
pub mod snapshot;
pub mod text;
pub mod transaction;
pub mod wire;
pub(crate) mod workspace;

#[cfg(test)]
#[path = "../__test__/rust/testing.rs"]
mod testing;

pub use hashline_guard as guard;

pub use anchor::{Anchor, Listing, Scheme, Tag};
pub use session::Session;
pub use text::{Digest, Document, Ending, Line, LineNumber, NotText, Span, Splice};
