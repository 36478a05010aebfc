//! One new line that holds two old ones replaces both. Lenient.
//!
//! Asked to change `let x = a ||` the model writes `let x = a || b;` and forgets that `b;` has a line of
//! its own. If the anchored line goes on at its end and the new line holds both texts, the line below
//! is replaced as well.

use super::{Site, Work, stripped};
use crate::plan::substring::span;

/// How much the joined line may add to the two it stands for.
const SLACK: usize = 32;

const GOES_ON: [&str; 13] = ["&&", "||", "??", "?", ":", "=", ",", "+", "-", "*", "/", ".", "("];

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let [new] = &work.lines[..] else { return None };
    if site.anchor.is_some() || work.span.len() != 1 || work.span.end() >= site.document.len() {
        return None;
    }
    let new = stripped(new);
    let here = stripped(site.content(work.span.start()));
    let next = stripped(site.content(work.span.end()));
    let token = GOES_ON.iter().find(|token| here.ends_with(**token))?;
    let stem = &here[..here.len() - token.len()];
    let joined = !stem.is_empty()
        && next.len() > 1
        && new != here
        && new.find(stem).is_some_and(|at| new[at + stem.len()..].contains(&next))
        && new.len() <= here.len() + next.len() + SLACK;
    joined.then(|| Work {
        span: span(work.span.start(), work.span.end() + 1),
        lines: work.lines.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Repair::ExpandMerge;
    use super::super::testing::*;

    const FILE: &str = "let x = first ||\n    second;\nlet y = 1;\n";

    #[test]
    fn a_joined_line_replaces_both() {
        replace(FILE, 1, 1, "let x = first || second;")
            .becomes(ExpandMerge, "let x = first || second;");
    }

    #[test]
    fn a_line_that_does_not_hold_the_next_stays() {
        replace(FILE, 1, 1, "let x = third ||").stays(ExpandMerge);
        replace(FILE, 1, 1, "let x = first || third;").stays(ExpandMerge);
    }

    #[test]
    fn a_line_that_ends_a_statement_stays() {
        replace("a();\nb();\n", 1, 1, "a(); b();").stays(ExpandMerge);
    }

    #[test]
    fn several_lines_stay() {
        replace(FILE, 1, 1, "let x = first ||\n    second;").stays(ExpandMerge);
        replace(FILE, 1, 2, "let x = first || second;").stays(ExpandMerge);
    }

    #[test]
    fn the_same_line_stays() {
        replace("foo(bar,\nbar\n", 1, 1, "foo(bar,").stays(ExpandMerge);
    }

    #[test]
    fn the_last_line_and_inserts_stay() {
        replace("let x = a ||\n", 1, 1, "let x = a || b;").stays(ExpandMerge);
        insert_after(FILE, 1, "let x = first || second;").stays(ExpandMerge);
    }
}
