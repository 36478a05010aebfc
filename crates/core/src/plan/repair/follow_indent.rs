//! A text that was written for other indentation is indented as the file is now.
//!
//! ```text
//! shown:    if ready:             asked for:   ....stop()
//!           ....run()
//! now:      if ready:             written:     ..stop()
//!           ..run()
//! ```
//!
//! How the lines changed is known from the comparison of what was shown with the present file.

use super::{Site, Work};

/// The lines were indented anew, and not so that a text could be carried over to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnevenIndent;

/// The text as it must be indented now.
pub(crate) fn carry(site: &Site<'_>, work: &Work) -> Result<Work, UnevenIndent> {
    let mut lines = work.lines.clone();
    for change in site.indents {
        lines = change.carry(&lines).ok_or(UnevenIndent)?;
    }
    Ok(Work { lines, ..*work })
}
