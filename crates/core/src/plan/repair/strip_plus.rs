//! `+let x = 1;` becomes `let x = 1;`.
//!
//! Some models answer in diffs. The marks are taken off only if every line that is not blank has one
//! and nothing around the change does. `+ item` may be a list or a sum, `+1` a number, `++i` and `+=`
//! are code: they stay. One line alone must also look like the line it replaces.

use super::{Site, Work, is_blank};

/// How far around the change a `+` or `-` at the start of a line makes the file one of diffs or lists.
const AROUND: usize = 4;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let filled: Vec<&str> =
        work.lines.iter().map(String::as_str).filter(|line| !is_blank(line)).collect();
    let marked = |line: &&str| line.strip_prefix('+').is_some_and(is_marked);
    if filled.is_empty() || !filled.iter().all(marked) || filled.iter().all(|line| is_item(line)) {
        return None;
    }
    let alike = |line: &str| {
        let line = line.trim_start();
        line.starts_with('+')
            || line.starts_with("- ")
            || line.starts_with("```diff")
            || line.starts_with("@@")
    };
    if site.around(work, AROUND).any(alike) {
        return None;
    }
    if let [line] = filled[..] {
        let bare = &line[1..];
        let spaced = bare.starts_with("  ") || bare.starts_with('\t');
        if !spaced && !site.old(work).iter().any(|old| resembles(bare, old)) {
            return None;
        }
    }
    let lines =
        work.lines.iter().map(|line| line.strip_prefix('+').unwrap_or(line).to_owned()).collect();
    Some(Work { lines, ..*work })
}

/// Whether what follows a `+` can be a line of its own: nothing, or no digit, `+` or `=`.
fn is_marked(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| !c.is_ascii_digit() && c != '+' && c != '=')
}

fn is_item(line: &str) -> bool {
    line.strip_prefix("+ ").is_some_and(|rest| !rest.starts_with(' '))
}

/// Whether two lines share at least half of their words, in capitals or not.
pub(super) fn resembles(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    shared > 0 && shared * 2 >= a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use super::super::Repair::StripPlus;
    use super::super::testing::*;

    #[test]
    fn marks_on_every_line_are_taken_off() {
        replace("a\nb\n", 2, 2, "+let x = 1;\n+\n+    y();")
            .becomes(StripPlus, "let x = 1;\n\n    y();");
        insert_after("a\nb\n", 1, "+let x = 1;\n\n+let y = 2;")
            .becomes(StripPlus, "let x = 1;\n\nlet y = 2;");
    }

    #[test]
    fn one_marked_line_that_looks_like_the_old_one_is_bared() {
        replace("let total = 1;\n", 1, 1, "+let total = 2;").becomes(StripPlus, "let total = 2;");
        insert_after("fn f() {\n}\n", 1, "+    run();").becomes(StripPlus, "    run();");
    }

    #[test]
    fn a_list_stays() {
        replace("text\n", 1, 1, "+ one\n+ two").stays(StripPlus);
        insert_after("+ one\n+ two\n", 2, "+three\n+four").stays(StripPlus);
    }

    #[test]
    fn a_diff_inside_a_document_stays() {
        insert_after("```diff\n-old\n+new\n```\n", 3, "+more\n+lines").stays(StripPlus);
        replace("@@ -1,2 +1,2 @@\n x\n", 2, 2, "+a\n+b").stays(StripPlus);
    }

    #[test]
    fn numbers_and_operators_stay() {
        replace("phone\n", 1, 1, "+1 555 1234\n+1 555 1235").stays(StripPlus);
        replace("i\n", 1, 1, "++i;\n++j;").stays(StripPlus);
        replace("i\n", 1, 1, "+= 1").stays(StripPlus);
    }

    #[test]
    fn a_sum_over_several_lines_stays() {
        replace("let s = a\n", 1, 1, "+ b\n+ c").stays(StripPlus);
        insert_after("let s = a\n  + b\n", 2, "+c\n+d").stays(StripPlus);
    }

    #[test]
    fn one_unlike_line_stays() {
        replace("something else\n", 1, 1, "+x").stays(StripPlus);
        insert_after("a\n", 1, "+x").stays(StripPlus);
    }

    #[test]
    fn a_text_with_unmarked_lines_stays() {
        replace("a\n", 1, 1, "+one\ntwo").stays(StripPlus);
    }
}
