//! Belief: a line without indentation was meant to have that of the line it replaces.

use std::borrow::Cow;

use crate::compat::omp::draft::Lines;
use crate::text::space;

/// Gives each new line the indentation of its old one, if both have the same number of lines.
///
/// Indentation is all white space at the start: of a blank line with `\r`, that is the `\r`.
pub(in super::super) fn restore_indent<'o>(
    old: impl ExactSizeIterator<Item = &'o [u8]>,
    new: &mut Lines,
) {
    if old.len() != new.len() {
        return;
    }
    for (old, new) in old.zip(new) {
        let indent = space::leading(old);
        if !new.is_empty() && !indent.is_empty() && space::space_len(new) == 0 {
            *new = Cow::Owned([indent, new].concat());
        }
    }
}
