//! Comparing a line with what the model remembered of its text.
//!
//! `5:ab|let x` says more than `5:ab`: it quotes line 5. [`agrees`] decides whether a line can be
//! the one that was quoted. It ignores white space, because models reformat it, and lets `...`
//! match any text, because models abbreviate.

use crate::kernel::whitespace;

/// Whether `content` can be the line that `hint` describes.
pub fn agrees(hint: &str, content: &str) -> bool {
    let [hint, content] = [hint, content].map(strip_white_space);
    let hint = hint.replace('…', "...");
    let mut parts = hint.split("...");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = content.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

/// Whether `content` begins with the text of `hint`, white space ignored.
pub fn begins(hint: &str, content: &str) -> bool {
    strip_white_space(content).starts_with(&strip_white_space(hint))
}

fn strip_white_space(text: &str) -> String {
    text.chars().filter(|c| !whitespace::is_whitespace(*c as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::agrees;

    #[test]
    fn a_hint_without_dots_is_the_whole_line() {
        assert!(agrees("let x = 1;", "    let x=1;"));
        assert!(!agrees("let y", "let x"));
        assert!(agrees("", "   "));
        assert!(agrees("a b", "\tab "));
        assert!(!agrees("a", "ab"));
        assert!(!agrees("ab", "a"));
    }

    #[test]
    fn dots_stand_for_any_text() {
        assert!(agrees("fn main(...", "fn main() {"));
        assert!(agrees("a...d...f", "abcdef"));
        assert!(agrees("...f", "abcdef"));
        assert!(agrees("a…", "abcdef"));
        assert!(agrees("...", ""));
        assert!(!agrees("a...d...f", "abcfed"));
        assert!(!agrees("b...", "abcdef"));
    }

    #[test]
    fn a_line_that_really_contains_dots_agrees_with_itself() {
        assert!(agrees("const a = [...b];", "const a = [...b];"));
    }
}
