//! A replacement that repeats the lines around it loses those lines. Lenient.
//!
//! It acts only if the new text is longer than what it replaces and something is left afterwards;
//! even so it cannot tell an echo from a line that was meant twice, and is off by default.

use super::{Site, Work, is_blank};

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let span = work.span;
    if site.anchor.is_some()
        || span.is_empty()
        || work.lines.len() < 2
        || work.lines.len() <= span.len()
    {
        return None;
    }
    let above = span.start().checked_sub(1).map(|at| site.content(at));
    let below = (span.end() < site.document.len()).then(|| site.content(span.end()));
    let echo = |line: &str, other: Option<&str>| !is_blank(line) && other == Some(line);
    let mut lines = &work.lines[..];
    if echo(&lines[0], above) {
        lines = &lines[1..];
    }
    if lines.len() > 1 && lines.len() > span.len() && echo(&lines[lines.len() - 1], below) {
        lines = &lines[..lines.len() - 1];
    }
    Some(Work { lines: lines.to_vec(), ..*work })
}

#[cfg(test)]
mod tests {
    use super::super::Repair::DropBoundary;
    use super::super::testing::*;

    const FILE: &str = "fn a() {\n    one();\n}\n\nfn b() {}\n";

    #[test]
    fn repeated_neighbours_are_left_out() {
        replace(FILE, 2, 2, "fn a() {\n    two();\n}").becomes(DropBoundary, "    two();");
        replace(FILE, 2, 2, "    two();\n}").becomes(DropBoundary, "    two();");
    }

    #[test]
    fn as_many_lines_as_before_stay() {
        replace(FILE, 2, 3, "    two();\n}").stays(DropBoundary);
        replace(FILE, 2, 2, "}").stays(DropBoundary);
    }

    #[test]
    fn lines_unlike_the_neighbours_stay() {
        replace(FILE, 2, 2, "    two();\n    three();").stays(DropBoundary);
        replace(FILE, 2, 2, "fn a() { \n    two();").stays(DropBoundary);
    }

    #[test]
    fn an_insert_stays() {
        insert_after(FILE, 2, "    two();\n}").stays(DropBoundary);
    }

    #[test]
    fn a_blank_neighbour_is_not_an_echo() {
        replace(FILE, 3, 3, "}\n").stays(DropBoundary);
        replace(FILE, 3, 3, "    two();\n}\n\n").stays(DropBoundary);
    }

    #[test]
    fn the_first_and_last_line_have_no_neighbour() {
        replace("a\n", 1, 1, "a\nb").stays(DropBoundary);
    }
}
