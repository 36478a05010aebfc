//! Belief: a line without indentation should have the indentation of the line it replaces.

use std::borrow::Cow;

use crate::omp::draft::NewLines;
use hashline_text::kernel::whitespace;

/// Gives each unindented new line the indentation of its old line, if there are as many of both.
///
/// Indentation is all white space at the start; in a line of only `\r`, that is the `\r`.
pub(in super::super) fn restore_indent<'o>(
    old: impl ExactSizeIterator<Item = &'o [u8]>,
    new: &mut NewLines,
) {
    if old.len() != new.len() {
        return;
    }
    for (old, new) in old.zip(new) {
        let indent = whitespace::leading(old);
        if !new.is_empty() && !indent.is_empty() && whitespace::whitespace_len(new) == 0 {
            *new = Cow::Owned([indent, new].concat());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &[&str], new: &[&'static str], expected: &[&str]) {
        let mut lines: NewLines = new.iter().map(|l| Cow::Borrowed(l.as_bytes())).collect();
        restore_indent(old.iter().map(|line| line.as_bytes()), &mut lines);
        let expected: Vec<&[u8]> = expected.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_line_gets_the_indentation_of_the_line_it_replaces() {
        check(&["\t\ta", "  b"], &["x", " y"], &["\t\tx", " y"]);
        check(&["\ta"], &["x", "y"], &["x", "y"]);
        check(&["\ta"], &[""], &[""]);
        check(&["\r"], &["x"], &["\rx"]);
    }
}
