//! Removing prefixes that models copy along with a line: a listing's `LINE#ID|`, a diff's `+`.

use super::tag::tag_len;
use hashline_text::kernel::whitespace;

/// Removes one kind of prefix if at least half of the non-empty lines have it.
///
/// Listing prefixes are tried first; a `+` followed by another `+` is text.
pub(super) fn strip(lines: Vec<&[u8]>) -> Vec<&[u8]> {
    let non_empty = lines.iter().filter(|line| !line.is_empty()).count();
    for kind in [after_listing_prefix, after_plus] {
        let with = lines.iter().filter(|line| kind(line).is_some()).count();
        if with > 0 && 2 * with >= non_empty {
            return lines.into_iter().map(|line| kind(line).unwrap_or(line)).collect();
        }
    }
    lines
}

fn after_listing_prefix(line: &[u8]) -> Option<&[u8]> {
    let line = whitespace::trim_start(line);
    let line = line.strip_prefix(b">>>").or(line.strip_prefix(b">>")).unwrap_or(line);
    let line = whitespace::trim_start(line);
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let line = whitespace::trim_start(&line[digits..]).strip_prefix(b"#")?;
    let line = whitespace::trim_start(line);
    line[tag_len(line)?..].strip_prefix(b"|")
}

fn after_plus(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"+").filter(|rest| !rest.starts_with(b"+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], stripped: &[&str]) {
        let bytes = lines.iter().map(|line| line.as_bytes()).collect();
        let expected: Vec<&[u8]> = stripped.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(strip(bytes), expected, "{lines:?}");
    }

    #[test]
    fn half_of_the_lines_decide_for_all() {
        check(&["1#ZZ|a", "b"], &["a", "b"]);
        check(&["1#ZZ|a", "b", "c"], &["1#ZZ|a", "b", "c"]);
        check(&["1#ZZ|a", "", ""], &["a", "", ""]);
        check(&["+a", " b"], &["a", " b"]);
        check(&["+a", "b", "c"], &["+a", "b", "c"]);
    }

    #[test]
    fn only_one_kind_of_prefix_is_removed_and_only_once() {
        check(&["1#ZZ|+a"], &["+a"]);
        check(&["1#ZZ|2#ZZ|a"], &["2#ZZ|a"]);
        check(&["++a"], &["++a"]);
    }

    #[test]
    fn a_prefix_may_hold_markers_and_spaces() {
        check(&["  >>> 12 # ZZ|  a"], &["  a"]);
        check(&["1#zz|a"], &["1#zz|a"]);
        check(&["1#ZZ:a"], &["1#ZZ:a"]);
        check(&["1#ZZZ|a"], &["1#ZZZ|a"]);
    }
}
