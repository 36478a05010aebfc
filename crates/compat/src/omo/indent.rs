//! Giving new lines the indentation of the lines they replace.

use std::borrow::Cow;

use hashline_text::kernel::whitespace;

/// Indents new lines like the old ones: line by line if there are as many, else only the first.
///
/// An indented line keeps its indentation. A line that differs from the old one only in its
/// indentation stays unindented: removing it is then the purpose of the edit.
pub(super) fn restore<'a>(old: &[Cow<'_, [u8]>], new: Vec<Cow<'a, [u8]>>) -> Vec<Cow<'a, [u8]>> {
    let paired = if old.len() == new.len() { new.len() } else { 1 };
    let pairs = old.iter().map(Some).chain(std::iter::repeat(None));
    let indented = new.into_iter().zip(pairs).enumerate();
    indented
        .map(|(index, (line, old))| match old {
            Some(old) if index < paired => restore_line(old, line),
            _ => line,
        })
        .collect()
}

fn restore_line<'a>(old: &[u8], line: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
    let indent = whitespace::leading(old);
    let is_indented = !whitespace::leading(&line).is_empty();
    if line.is_empty() || is_indented || whitespace::trim(old) == whitespace::trim(&line) {
        return line;
    }
    Cow::Owned([indent, &line[..]].concat())
}
