//! Prefixes that a model copied from a listing or a diff into its new text.
//!
//! They are removed if at least half of the lines that are not empty have one: hash prefixes first,
//! a diff's `+` only if no hash prefixes were removed.

use hashline_text::kernel::{newlines, whitespace};

/// The lines of `text`, without copied prefixes. An empty text has no lines.
pub(super) fn new_lines(text: &[u8]) -> Vec<&[u8]> {
    if text.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<&[u8]> = newlines::split(text).collect();
    for strip in [without_hash_prefix, without_plus] {
        let filled = found.iter().filter(|line| !line.is_empty()).count();
        let prefixed = found.iter().filter(|line| strip(line).is_some()).count();
        if prefixed > 0 && prefixed * 2 >= filled {
            for line in &mut found {
                *line = strip(line).unwrap_or(line);
            }
            break;
        }
    }
    found
}

/// The rest of a line that begins like a listing's: `12:a3|`, perhaps marked `>>` or `>>>`.
fn without_hash_prefix(line: &[u8]) -> Option<&[u8]> {
    let rest = whitespace::trim_start(line);
    let rest =
        [&b">>>"[..], b">>"].iter().find_map(|marker| rest.strip_prefix(*marker)).unwrap_or(rest);
    let rest = whitespace::trim_start(rest);
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[digits..].strip_prefix(b":")?;
    let hash = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if digits == 0 || !(1..=16).contains(&hash) {
        return None;
    }
    rest[hash..].strip_prefix(b"|")
}

/// The rest of a line that begins with one `+`.
fn without_plus(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"+").filter(|rest| !rest.starts_with(b"+"))
}

#[cfg(test)]
mod tests {
    use super::new_lines;

    fn check(text: &str, expected: &[&str]) {
        let lines: Vec<&[u8]> = expected.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(new_lines(text.as_bytes()), lines, "{text:?}");
    }

    #[test]
    fn half_of_the_lines_are_enough() {
        check("1:ab|x\ny", &["x", "y"]);
        check("1:ab|x\ny\nz", &["1:ab|x", "y", "z"]);
        check("+x\n\n\ny", &["x", "", "", "y"]);
        check("+x\n \ny", &["+x", " ", "y"]);
    }

    #[test]
    fn only_one_kind_of_prefix_is_removed_and_only_once() {
        check("1:ab|+x\n+y", &["+x", "+y"]);
        check(">>> 1:ab|2:cd|x", &["2:cd|x"]);
        check("++x", &["++x"]);
        check(">>>> 1:ab|x", &[">>>> 1:ab|x"]);
    }

    #[test]
    fn an_empty_text_has_no_lines_but_a_newline_has_two() {
        check("", &[]);
        check("\n", &["", ""]);
        check("+", &[""]);
    }
}
