//! Everything that is printed for the model, and what printed text stood for when it comes back.
//!
//! A shown line is one [`Row`]: `LINE:HASH|content`, over-long lines cut, control characters
//! escaped. `read`, `grep` and `report` print their rows, the gaps between them, headers, footers
//! and file names through this module, so that an anchor can be copied from any of them.
//! [`read_back`] is the other direction. The callers decide which lines are shown, within a
//! [`Budget`]; nothing here opens a file.
//!
//! Only `compat` prints for itself: it repeats other systems byte for byte.
//!
//! # The law
//!
//! Everything printed here may come back in any field of a call: rows with their number, tag and
//! mark or with only some of them, headers, footers, gaps, cut lines, escapes, file names. It then
//! means **exactly the file text it stood for, or the call is refused with what to send instead;
//! where it is doubtful that a line is ours it is written, and the report warns and names the
//! line.** Nothing is removed that is not proven ours: by the tag or the number of that very line,
//! or by the text of a line of the file. Nothing is removed where the file's own lines look like
//! printed ones.
//!
//! `plan::repair` keeps the law, with what the session knows of the file;
//! `crates/core/tests/all/shown_laws.rs` tests it with random files, views and pieces of printed
//! text.

mod budget;
mod cut;
mod escape;
mod excerpt;
pub(crate) mod frame;
mod name;
mod page;
mod read_back;
mod row;
mod words;

pub use budget::Budget;
pub(crate) use budget::shares;
pub(crate) use cut::{MAX_CHARACTERS, Part, cut_length, without_cut_note};
pub(crate) use escape::{escapes, is_escaped, is_undecodable, unescape, with_escapes};
pub use excerpt::Excerpt;
pub use frame::GAP;
pub(crate) use frame::{
    CHANGES, HeaderNote, Shift, changes_header, header, header_path, lines_gone, lines_header,
    matches_footer, matches_header, outputs_note, read_on, rows_left_out, search_header,
    shift_note, tags_line,
};
pub use name::name;
pub(crate) use name::name_of;
pub(crate) use page::{MAX_LINES, Page};
pub(crate) use read_back::PrintedRow;
pub use read_back::{Printed, read_back, readings};
pub(crate) use row::content;
pub use row::{Mark, Row};
pub use words::{brief, count, say, size};
