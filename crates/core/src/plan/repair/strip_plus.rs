//! `+let x = 1;` becomes `let x = 1;`.
//!
//! Some models answer with a diff. If its ` ` and `-` rows are exactly the lines it replaces, or its
//! ` ` and `+` rows already are, the text of its ` ` and `+` rows is written. From text that is no
//! such diff, `+` or `>>> ` in front is removed only if every line that is not blank has it and no
//! line around the change has it. `+ item` may be a list or a sum, `+1` a number, `++i` and `+=` are
//! code: they stay. A single line must also resemble the line it replaces. [`marked`] finds the
//! lines that look marked, but stay.

use super::{Site, Work, is_blank};

/// If a line this near begins with `+` or `-`, the file has diffs or lists of its own.
const AROUND: usize = 4;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    as_diff(site, work).or_else(|| without(site, work, "+")).or_else(|| without(site, work, ">>> "))
}

/// The lines that a diff results in, if it is a diff of the very lines that are replaced.
fn as_diff(site: &Site<'_>, work: &Work) -> Option<Work> {
    let rows = || work.lines.iter().filter(|line| !is_around_hunk(line));
    if work.span.is_empty() || !rows().any(|line| line.starts_with(['+', '-'])) {
        return None;
    }
    // A blank context line often comes without its leading space.
    let bare = |line: &'_ String| match line.strip_prefix([' ', '-', '+']) {
        Some(rest) => Some(rest.to_owned()),
        None => line.is_empty().then(String::new),
    };
    let without = |left_out: char| {
        rows().filter(|line| !line.starts_with(left_out)).map(bare).collect::<Option<Vec<_>>>()
    };
    let (before, after, old) = (without('+')?, without('-')?, site.old(work));
    (before == old || after == old).then_some(Work { lines: after, ..*work })
}

/// Whether a line belongs to the frame of a diff, around its rows.
fn is_around_hunk(line: &str) -> bool {
    line.starts_with("@@ ")
        || line == "@@"
        || ["--- ", "+++ ", "diff --git ", "\\ No newline at end"]
            .iter()
            .any(|start| line.starts_with(start))
}

/// The lines without the mark, if each of them has it.
fn without(site: &Site<'_>, work: &Work, mark: &str) -> Option<Work> {
    let filled: Vec<&str> = filled(work).collect();
    let marked = |line: &&str| line.strip_prefix(mark).is_some_and(is_marked);
    if filled.is_empty()
        || !filled.iter().all(marked)
        || filled.iter().all(|line| is_item(line))
        || is_usual(site, work)
    {
        return None;
    }
    if let [line] = filled[..] {
        let bare = &line[mark.len()..];
        let spaced = mark == "+" && (bare.starts_with("  ") || bare.starts_with('\t'));
        if !spaced && !site.old(work).iter().any(|old| resembles(bare, old)) {
            return None;
        }
    }
    let lines =
        work.lines.iter().map(|line| line.strip_prefix(mark).unwrap_or(line).to_owned()).collect();
    Some(Work { lines, ..*work })
}

/// The lines that begin like rows of a diff, or with a mark, if no line around the change does.
pub(in crate::plan) fn marked(site: &Site<'_>, work: &Work) -> Vec<String> {
    let all = || filled(work);
    let hunk = all().any(|line| line.starts_with("@@ ") && line[3..].contains("@@"));
    let old = site.old(work);
    let mut removed = all().filter_map(|line| line.strip_prefix('-'));
    let both = ['+', '-'].iter().all(|mark| all().any(|line| line.starts_with(*mark)))
        && (all().all(|line| line.starts_with(['+', '-', ' ']))
            || removed.all(|row| old.contains(&row)));
    let has_mark = |line: &&str| {
        let added =
            |rest: &str| is_marked(rest) && !(site.prose && is_item(line)) && !is_blank(rest);
        line.strip_prefix('+').is_some_and(added) || line.starts_with(">>> ")
    };
    // Lines of the file, each after a space, are context of a diff, or were shifted by one column.
    let in_file = |text: &str| site.document.lines().any(|own| own.content == text);
    let context = |line: &str| line.strip_prefix(' ').is_some_and(in_file) && !in_file(line);
    if filled(work).next().is_some() && all().all(context) {
        return all().map(str::to_owned).collect();
    }
    let may_be_diff =
        || site.prose || [".diff", ".patch"].iter().any(|end| site.path.ends_with(end));
    let is_plain = || may_be_diff() || !(hunk || all().all(|line| has_mark(&line)));
    if site.is_new_file(work) && is_plain() || is_usual(site, work) {
        return Vec::new();
    }
    let is_row =
        |line: &&str| if hunk || both { line.starts_with(['+', '-', '@']) } else { has_mark(line) };
    all().filter(is_row).map(str::to_owned).collect()
}

/// Whether lines around the change begin with marks: in a diff, a list or a terminal session.
fn is_usual(site: &Site<'_>, work: &Work) -> bool {
    // An indented list says nothing about marks in the first column, unless they look like items.
    let is_list = filled(work).any(is_item);
    let alike = |line: &str| {
        let bare = line.trim_start();
        bare.starts_with(['+', '>'])
            || if is_list { bare } else { line }.starts_with("- ")
            || bare.starts_with("```diff")
            || bare.starts_with("@@")
    };
    site.around(work, AROUND).any(alike)
}

fn filled(work: &Work) -> impl Iterator<Item = &str> {
    work.lines.iter().map(String::as_str).filter(|line| !is_blank(line))
}

/// Whether what follows a `+` can be a line of its own: nothing, or no digit, `+` or `=`.
fn is_marked(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| !c.is_ascii_digit() && c != '+' && c != '=')
}

fn is_item(line: &str) -> bool {
    line.strip_prefix("+ ").is_some_and(|rest| !rest.starts_with(' '))
}

/// Whether two lines share at least half of their words, in capitals or not.
pub(in crate::plan) fn resembles(a: &str, b: &str) -> bool {
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
    fn marks_on_every_line_are_removed() {
        replace("a\nb\n", 2, 2, "+let x = 1;\n+\n+    y();")
            .becomes(StripPlus, "let x = 1;\n\n    y();");
        insert_after("a\nb\n", 1, "+let x = 1;\n\n+let y = 2;")
            .becomes(StripPlus, "let x = 1;\n\nlet y = 2;");
    }

    #[test]
    fn a_diff_of_the_very_lines_becomes_its_result() {
        replace("a\nb\nc\n", 1, 3, "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c").becomes(StripPlus, "a\nB\nc");
        replace("a\n- b\nc\n", 2, 2, "-- b\n+- B").becomes(StripPlus, "- B");
        replace("a\nb\nc\n", 1, 3, " a\n-x\n+B\n c").stays(StripPlus);
    }

    #[test]
    fn a_pointer_is_removed_from_a_line_like_the_old_one() {
        replace("return 1;\n", 1, 1, ">>> return 9;").becomes(StripPlus, "return 9;");
        replace(">>> f(1)\n", 1, 1, ">>> f(2)").stays(StripPlus);
        replace("foo();\n", 1, 1, ">>> return 9;").stays(StripPlus);
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
