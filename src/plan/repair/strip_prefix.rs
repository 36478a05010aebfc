//! `12:a3|let x = 1;` becomes `let x = 1;`.
//!
//! Models copy lines as they saw them. A prefix is taken off if it is certainly ours: the anchor
//! was shown, or the tag fits the rest of the line, or at least half of the lines have one and the
//! numbers rise. It is left alone where the file itself has such lines, and inside a text with
//! fences, which is prose about listings.

use super::{Site, Work, is_blank};
use crate::anchor::scheme::TagInput;
use crate::anchor::{Anchor, Scheme, Tag};
use crate::text::LineNumber;

/// How far the file is searched for lines that really begin so.
const AROUND: usize = 3;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let parsed: Vec<Option<(Anchor, &str)>> =
        work.lines.iter().map(|line| split(line, site.scheme)).collect();
    let prefixed = parsed.iter().flatten().count();
    let ours = |line: &str| split(line, site.scheme).is_some();
    if prefixed == 0
        || site.around(work, AROUND).any(ours)
        || work.lines.iter().any(|line| line.trim_start().starts_with("```"))
    {
        return None;
    }
    let filled = work.lines.iter().filter(|line| !is_blank(line)).count();
    let evident =
        |(anchor, rest): &(Anchor, &str)| (site.shown)(anchor) || fits(anchor, rest, site.scheme);
    let any_evident = parsed.iter().flatten().any(evident);
    let numbers: Vec<_> = parsed.iter().flatten().map(|(anchor, _)| anchor.line).collect();
    let rising = numbers.len() > 1 && numbers.is_sorted_by(|a, b| a < b);
    let all = (rising && prefixed * 2 >= filled) || (any_evident && prefixed == filled);
    let lines = work
        .lines
        .iter()
        .zip(&parsed)
        .map(|(line, parsed)| match parsed {
            Some(prefix) if all || evident(prefix) => prefix.1.to_owned(),
            _ => line.clone(),
        })
        .collect();
    Some(Work { lines, ..*work })
}

/// The anchor before a line's text, and that text.
fn split(line: &str, scheme: Scheme) -> Option<(Anchor, &str)> {
    let bare = line.trim_start();
    let bare = [">>>", ">>", "+"]
        .iter()
        .find_map(|mark| bare.strip_prefix(mark))
        .unwrap_or(bare)
        .trim_start();
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = LineNumber::new(bare[..digits].parse().ok()?)?;
    let rest = bare[digits..].strip_prefix(scheme.separator())?;
    let (tag, rest) = rest.split_at_checked(scheme.width())?;
    let rest = rest.strip_prefix('|')?;
    let of_scheme = match scheme {
        Scheme::Hex2 | Scheme::Omp | Scheme::Fnv1a => |c: char| c.is_ascii_hexdigit(),
        Scheme::Base26 | Scheme::Context | Scheme::Cid => |c: char| c.is_ascii_alphabetic(),
    };
    if !tag.chars().all(of_scheme) {
        return None;
    }
    Some((Anchor::new(number, Tag::new(tag)?), rest))
}

/// Whether the tag is that of the rest of the line. Where a tag depends on the neighbours as well,
/// the line alone proves nothing.
fn fits(anchor: &Anchor, rest: &str, scheme: Scheme) -> bool {
    !scheme.is_positional()
        && scheme.tag(TagInput::alone(anchor.line, rest.as_bytes())) == anchor.tag
}

#[cfg(test)]
mod tests {
    use super::super::Repair::StripPrefix;
    use super::super::testing::*;

    #[test]
    fn a_prefix_that_was_shown_is_taken_off() {
        Case { shown: &["2:7e"], ..replace("a\nb\n", 2, 2, "2:7e|let x = 2;") }
            .becomes(StripPrefix, "let x = 2;");
    }

    #[test]
    fn a_prefix_that_fits_its_line_is_taken_off() {
        replace("a\nb\n", 2, 2, "9:f1|let a = 1;").becomes(StripPrefix, "let a = 1;");
        replace("a\nb\n", 2, 2, ">>> 9:f1|    let a = 1;").becomes(StripPrefix, "    let a = 1;");
        replace("a\nb\n", 2, 2, "+9:f1|let a = 1;\n+10:08|let b = 2;")
            .becomes(StripPrefix, "let a = 1;\nlet b = 2;");
    }

    #[test]
    fn rising_numbers_on_half_of_the_lines_are_taken_off() {
        replace("a\nb\n", 2, 2, "4:00|one\n5:11|two\nthree")
            .becomes(StripPrefix, "one\ntwo\nthree");
        replace("a\nb\n", 2, 2, "4:00|one\n5:11|\n\n7:22|three")
            .becomes(StripPrefix, "one\n\n\nthree");
    }

    #[test]
    fn yaml_keys_stay() {
        replace("a: 1\n", 1, 1, "1: \"one\"\n2: \"two\"").stays(StripPrefix);
        replace("a: 1\n", 1, 1, "1:ab\n2:cd").stays(StripPrefix);
        replace("a: 1\n", 1, 1, "12:ab: |\n13:cd: |").stays(StripPrefix);
    }

    #[test]
    fn markdown_tables_stay() {
        replace("a\n", 1, 1, "| 1:ab|x |\n|---|---|").stays(StripPrefix);
        replace("a\n", 1, 1, "time|what\n12:30|lunch of the team").stays(StripPrefix);
    }

    #[test]
    fn code_that_really_begins_so_stays() {
        replace("a\n", 1, 1, "12:ab|x").stays(StripPrefix);
        replace("a\n", 1, 1, "x\ny\nz\n12:ab|x").stays(StripPrefix);
        replace("a\n", 1, 1, "13:ab|x\n12:cd|y").stays(StripPrefix);
    }

    #[test]
    fn a_file_that_has_such_lines_keeps_them() {
        replace("1:00|x\nplain\n", 2, 2, "9:f1|let a = 1;").stays(StripPrefix);
        replace("9:f1|let a = 2;\n", 1, 1, "9:f1|let a = 1;").stays(StripPrefix);
    }

    #[test]
    fn a_listing_in_a_fence_stays() {
        replace("a\n", 1, 1, "```\n1:f1|let a = 1;\n2:08|let b = 2;\n```").stays(StripPrefix);
    }

    #[test]
    fn a_tag_of_another_width_stays() {
        replace("a\n", 1, 1, "1:abc|x\n2:abd|y").stays(StripPrefix);
        replace("a\n", 1, 1, "1:zz|x\n2:zy|y").stays(StripPrefix);
        replace("a\n", 1, 1, "1#ab|x\n2#cd|y").stays(StripPrefix);
    }
}
