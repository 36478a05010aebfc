//! Everything that is printed for the model, and what printed text stood for when it comes back.
//!
//! A shown line is one [`Row`]: `LINE:HASH|content`, over-long lines cut, control characters escaped.
//! `read`, `grep` and `report` print their rows, the gaps between them, headers, footers and file
//! names through this module, so that an anchor can be copied from any of them. [`read_back`] is the
//! other direction. Which lines are shown is decided by the callers within a [`Budget`]; nothing
//! here knows a file.
//!
//! Only `compat` prints for itself: it repeats other systems byte for byte.

mod block;
mod budget;
mod cut;
mod escape;
mod excerpt;
mod frame;
mod name;
mod page;
mod read_back;
mod row;
mod words;

pub use block::{RowBlock, block};
pub use budget::{Budget, shares};
pub use cut::{MOST_CHARACTERS, without_cut_note};
pub use excerpt::{Excerpt, print_listing};
pub use frame::{
    GAP, lines_header, matches_footer, matches_header, read_on, rows_left_out, search_header,
    titled,
};
pub use name::name;
pub use page::{MOST_COLUMNS, MOST_LINES, Page};
pub use read_back::{Printed, PrintedRow, read_back, readings};
pub use row::{Mark, Row};
pub use words::{count, push_number, say, size};
