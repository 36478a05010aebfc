//! What happens to a file?
//!
//! A [`Session`](session::Session) shows files to a model and changes them by what the model was shown. The data meets the
//! modules in this order:
//!
//! bytes → [`Document`](hashline_text::Document) → rows ([`show`]) → (model) → [`patch`] → [`plan`] →
//! [`transaction`] → receipt → [`report`]
//!
//! This crate knows no JSON, no JavaScript and no command line: `hashline-wire` reads requests and
//! writes answers. What a shell command would touch is judged by `hashline-guard`.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests look at the disk themselves"
    )
)]

pub mod cancel;

pub mod fs;
pub mod workspace;

pub mod show;
pub mod snapshot;

pub mod grep;
pub mod read;

pub mod patch;
pub mod plan;

pub mod report;
pub mod transaction;

pub mod session;
