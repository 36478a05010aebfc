//! A change that would change nothing but was meant to make a dash plain. Lenient.
//!
//! Models see `–` as `-` and copy it back unchanged. If the new lines are the old ones and those have
//! typographic dashes, the dashes become hyphens.

use super::{Site, Work};

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    if work.span.is_empty() || site.old(work) != work.lines {
        return None;
    }
    let lines = work
        .lines
        .iter()
        .map(|line| line.chars().map(|c| if is_dash(c) { '-' } else { c }).collect())
        .collect();
    Some(Work { lines, ..*work })
}

fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

#[cfg(test)]
mod tests {
    use super::super::Repair::PlainHyphens;
    use super::super::testing::*;

    #[test]
    fn dashes_become_plain_if_nothing_else_changes() {
        replace("a \u{2013} b\n", 1, 1, "a \u{2013} b").becomes(PlainHyphens, "a - b");
    }

    #[test]
    fn a_real_change_keeps_its_dashes() {
        replace("a \u{2013} b\n", 1, 1, "a \u{2013} c").stays(PlainHyphens);
        replace("a - b\n", 1, 1, "a \u{2013} b").stays(PlainHyphens);
    }

    #[test]
    fn a_line_without_dashes_stays() {
        replace("a - b\n", 1, 1, "a - b").stays(PlainHyphens);
    }

    #[test]
    fn an_insert_stays() {
        insert_after("a \u{2013} b\n", 1, "a \u{2013} b").stays(PlainHyphens);
    }

    #[test]
    fn other_lines_stay() {
        replace("x\na \u{2013} b\n", 1, 1, "a \u{2013} b").stays(PlainHyphens);
    }

    #[test]
    fn a_quotation_dash_stays() {
        replace("a \u{2015} b\n", 1, 1, "a \u{2015} b").stays(PlainHyphens);
    }
}
