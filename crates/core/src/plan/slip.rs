//! A line number that slipped onto a line with the same tag.
//!
//! `12:d1` and `14:d1` are both valid anchors if lines 12 and 14 are braces, so the anchor does not
//! show that its number slipped. The text does: a text indented like one brace, and not like the
//! one it would replace, was written for the other.

use super::Now;
use hashline_text::{Indent, LineDigest, LineKind};

/// How far a number is expected to slip.
const WINDOW: usize = 10;

/// The line that `lines` seem to be written for, if it is not the line at `at`.
pub(super) fn meant_instead(now: &Now<'_>, at: usize, lines: &[String]) -> Option<usize> {
    let replaced = now.digests[at];
    if !matches!(replaced.kind(), LineKind::Closing | LineKind::Terse) {
        return None;
    }
    let digests: Vec<LineDigest> =
        lines.iter().map(|line| LineDigest::of(line.as_bytes())).collect();
    let mut indents =
        digests.iter().filter(|line| line.kind() != LineKind::Blank).map(|line| line.indent());
    let first: Indent = indents.next()??;
    if Some(first) == replaced.indent() || indents.any(|indent| indent == replaced.indent()) {
        return None;
    }
    let window = at.saturating_sub(WINDOW)..(at + WINDOW + 1).min(now.digests.len());
    let mut others = window.filter(|other| {
        now.digests[*other].canonical() == replaced.canonical()
            && now.digests[*other].indent() == Some(first)
    });
    others.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::Document;
    use hashline_text::Scheme;

    #[track_caller]
    fn check(before: &str, at: usize, text: &str, expected: Option<usize>) {
        let document = Document::from_text(before);
        let now = Now::new(&document, Scheme::Hex2);
        assert_eq!(meant_instead(&now, at, &crate::patch::lines_of(text)), expected);
    }

    const NESTED: &str = "fn a() {\n    if b {\n        c();\n    }\n}\n";

    #[test]
    fn a_text_indented_like_the_other_brace_was_written_for_it() {
        check(NESTED, 4, "    } else {", Some(3));
        check(NESTED, 3, "}\nfn d() {}", Some(4));
    }

    #[test]
    fn a_text_that_keeps_the_indentation_was_written_for_its_line() {
        check(NESTED, 3, "    } // b", None);
        check(NESTED, 3, "        d();\n    }", None);
    }

    #[test]
    fn another_indentation_alone_is_no_slip() {
        check(NESTED, 3, "        d();", None);
        check(NESTED, 2, "    c(1);", None);
    }
}
