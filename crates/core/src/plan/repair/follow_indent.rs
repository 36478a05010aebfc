//! A text that was written for another indentation is indented like the file is now.
//!
//! ```text
//! shown:    if ready:             asked for:   ....stop()
//!           ....run()
//! now:      if ready:             written:     ..stop()
//!           ..run()
//! ```
//!
//! Comparing the lines shown with the present file tells how their indentation has changed.

use super::{Site, Work};

/// The indentation of the lines has changed so unevenly that a text cannot be adapted to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnevenIndent;

/// The text with the indentation that it needs now.
pub(crate) fn carry(site: &Site<'_>, work: &Work) -> Result<Work, UnevenIndent> {
    let mut lines = work.lines.clone();
    for change in site.indents {
        lines = change.carry(&lines).ok_or(UnevenIndent)?;
    }
    Ok(Work { lines, ..*work })
}
