//! What happens to a file?
//!
//! A [`Session`] shows files to a model, remembers what it showed, and applies the model's edits
//! with that knowledge. Read the modules in the order the data meets them:
//!
//! bytes → [`Document`](hashline_text::Document) → rows ([`show`]) → (model) → [`patch`] → plan →
//! transaction → receipt → [`report`]
//!
//! | module | question |
//! |---|---|
//! | `fs`, `workspace` | what is on the disk, and which file does a path mean? |
//! | [`show`] | how is a line printed, and what did a printed line stand for when it comes back? |
//! | `snapshot` | what was the model shown, of which version of a file? |
//! | `content` | is a file text, and in which encoding? |
//! | [`read`], [`grep`] | which lines are shown, within which budget? |
//! | [`patch`], `plan` | what was asked for, and which lines does it mean now? |
//! | `transaction` | how are all changes written to the disk, or none, and undone? |
//! | [`report`] | what does the model read about it? |
//! | [`session`] | the facade over all of them |
//! | [`system`] | the program's own files, its environment and its clock |
//!
//! Modules without a link are private. Tests reach them through the session and, where a test needs
//! a disk that fails or a journal that is cut short, through `testing`, which only tests enable.
//!
//! ```
//! use hashline_core::cancel::Cancel;
//! use hashline_core::read::{FileRequest, ReadRequest};
//! use hashline_core::session::Options;
//! use hashline_core::Session;
//!
//! let session = Session::new(Options::new(std::env::temp_dir()))?;
//! let file = FileRequest { path: "no-such-file".to_owned(), ..FileRequest::default() };
//! let request = ReadRequest { files: vec![file], ..ReadRequest::default() };
//! let outcome = session.read(&request, &Cancel::default()).expect("nobody cancelled it");
//! assert!(outcome.text.starts_with("error: no such file"));
//! # Ok::<(), hashline_core::session::SessionFault>(())
//! ```
//!
//! This crate knows no JSON, no JavaScript and no command line: `hashline-wire` reads requests and
//! writes answers. `hashline-guard` judges what a shell command would touch; `hashline-text` says
//! what a line is and how it is tagged.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "testing"),
    allow(unreachable_pub, reason = "`testing` makes them public")
)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests look at the disk themselves"
    )
)]

mod coded;
mod fs;
mod workspace;

pub mod show;
mod snapshot;

mod content;

pub mod grep;
pub mod read;

pub mod patch;
mod plan;

pub mod report;
mod transaction;

pub mod cancel;
pub mod session;

pub mod system;
#[cfg(feature = "testing")]
pub mod testing;

pub use plan::{
    Made, Refusal, RefusalCode, Relocated, Relocation, Repair, Repaired, Repairs,
    UnknownRelocation, Unseen, Warning, WarningCode,
};
pub use session::Session;
