//! JSON in, in every spelling that models use; outcomes and schemas out.
//!
//! [`patch`] reads a patch, [`read_request`] and [`grep_request`] read the other requests,
//! [`session_options`] reads settings. [`outcome`] holds a session's answers as JavaScript and the
//! program's `--json` see them, [`schema`] describes the tools to a model. Nothing here opens a
//! file or decides what an anchor means: `hashline-core` does. With the feature `napi` the answers
//! are objects of the addon as well.
//!
//! ```
//! let request = hashline_wire::parse(r#"{"patch": [{"op": "delete_file", "path": "a.txt"}]}"#).unwrap();
//! let patch = hashline_wire::patch::read(&request).unwrap();
//! assert_eq!(patch.ops[0].change.name(), "delete_file");
//! ```

mod bad_patch;
pub mod call;
pub mod claude;
pub mod command_line;
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
