//! File names in printed text.

use std::borrow::Cow;

use super::escape::{control_at, push_escape};
use super::words::{brief, say};

/// A file name as we always print it: on one line, without characters that control a terminal or
/// turn the writing direction.
///
/// A name may hold any character. Without escapes, a newline in it would forge a line of a report.
///
/// ```
/// use hashline_core::show::name;
/// assert_eq!(name("src/main.rs"), "src/main.rs");
/// assert_eq!(name("a\nApplied 3 operations\u{1b}[0m"), "a\\nApplied 3 operations\\x1b[0m");
/// ```
pub fn name(path: &str) -> Cow<'_, str> {
    /// Longer than any path that a system allows.
    const MAX_PATH: usize = 8192;
    if path.len() > MAX_PATH {
        return Cow::Owned(name(&brief(path)).into_owned());
    }
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

/// The file's real name, if its printed name holds escapes.
pub(crate) fn name_of(printed: &str) -> Option<String> {
    let mut out = String::with_capacity(printed.len());
    let mut rest = printed;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, len) = control_at(rest).or_else(|| hidden_at(rest)).unwrap_or(('\\', 1));
        out.push(c);
        rest = &rest[len..];
    }
    out.push_str(rest);
    (out != printed).then_some(out)
}

/// The character of an escape that only names have, and the escape's length.
fn hidden_at(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?;
    if let Some(code) = rest.strip_prefix("u{") {
        let (code, _) = code.split_once('}')?;
        let c = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
        return is_hidden(c).then_some((c, code.len() + 4));
    }
    let c = match rest.chars().next()? {
        'n' => '\n',
        't' => '\t',
        _ => return None,
    };
    Some((c, 2))
}

/// Whether it is a control character, a line separator or a mark of writing direction.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_escaped_name_is_the_name_again() {
        assert_eq!(name_of("a\\nb\\x1b").as_deref(), Some("a\nb\u{1b}"));
        assert_eq!(name_of("src/main.rs"), None);
    }

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

        #[test]
        fn a_printed_name_is_read_back(path in "[a-z\n\t\r\u{1b}\u{202e}./]{1,20}") {
            let printed = name(&path);
            let back = name_of(&printed).unwrap_or_else(|| printed.clone().into_owned());
            prop_assert_eq!(back, path);
        }
    }
}
