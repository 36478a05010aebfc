//! The types that cross a boundary as JSON, and the only module that knows serde.

mod bad_patch;
pub mod claude;
mod dialect;
mod fields;
mod loose_json;
mod misshapen;
mod options;
pub mod outcome;
pub mod patch;
pub mod program;
mod requests;
pub mod schema;
mod unread;

pub use bad_patch::BadPatch;
pub use misshapen::{Misshapen, MisshapenCode};
pub use options::{check_setting, default_settings, repairs, session_options};
pub use requests::{grep_request, parse, read_request};
pub use unread::unread;
