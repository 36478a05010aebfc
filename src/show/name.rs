//! File names in texts.

use std::borrow::Cow;

use super::escape::push_escape;
use super::words::say;

/// A file name as every text of ours prints it: on one line, without characters that a terminal
/// obeys or that turn the writing direction.
///
/// A name may hold any character. Printed as it is, a newline in it would forge a line of a report.
///
/// ```
/// use hashline::show::name;
/// assert_eq!(name("src/main.rs"), "src/main.rs");
/// assert_eq!(name("a\nApplied 3 operations\u{1b}[0m"), "a\\nApplied 3 operations\\x1b[0m");
/// ```
pub fn name(path: &str) -> Cow<'_, str> {
    if !path.chars().any(is_hidden) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 8);
    for c in path.chars() {
        match c {
            _ if c.is_control() => push_escape(&mut out, c),
            _ if is_hidden(c) => say(&mut out, format_args!("\\u{{{:x}}}", u32::from(c))),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Controls, line separators, and marks of writing direction.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_cannot_turn_the_writing_direction() {
        assert_eq!(name("a\u{202e}txt.exe"), "a\\u{202e}txt.exe");
        assert_eq!(name("tab\there é 中"), "tab\\there é 中");
    }

    proptest! {
        #[test]
        fn a_printed_name_is_one_line_without_control_characters(path: String) {
            prop_assert!(!name(&path).chars().any(is_hidden));
        }
    }
}
