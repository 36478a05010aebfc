//! A block that lost its indentation gets the indentation of the old block.
//!
//! ```text
//! before:   if ready {        asked for:   run();
//!               stop();
//!           }                 written:         run();
//! ```
//!
//! If there are as many lines as before, and each is like its old line except for the margin, the
//! lines get the old margins. Otherwise, if the anchor line is indented and the text is not, the
//! whole block is shifted, so that its own structure stays. The text is kept unchanged wherever the
//! first column may be meant: the lines differ in white space only (an intended dedent), the old
//! lines were in the first column too, the text closes a block that it did not open or opens one
//! for the lines below, the change is at the end of its block, the text is a top-level declaration,
//! a directive or a diff, or the file is prose or markup, where the first column means nothing. A
//! text that is indented by spaces in a place that is indented by tabs gets tabs, except in prose,
//! where both may mean something.

use super::strip_plus::{marked, resembles};
use super::{Site, Work, indent, is_blank, stripped};

/// How many lines around a change show how its place is indented.
const AROUND: usize = 20;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let first = work.lines.iter().find(|line| !is_blank(line))?;
    if !indent(first).is_empty() {
        return if site.prose { None } else { tabs_for_spaces(site, work) };
    }
    if site.prose || site.markup {
        return None;
    }
    if is_directive(first) || !marked(site, work).is_empty() {
        return None;
    }
    if let Some(lines) = each_like_its_old(site, work) {
        return Some(Work { lines, ..*work });
    }
    if closes_more_than_it_opens(work) {
        return None;
    }
    let wanted = match site.anchor {
        Some((anchor, after)) => beside(site, work, anchor, after)?,
        None => in_place(site, work)?,
    };
    if wanted.is_empty() {
        return None;
    }
    let lines = if lost_inside(work) {
        line_by_line(site, work)?
    } else if only_first_was_trimmed(work, wanted) {
        shifted(work, wanted, 1)
    } else {
        shifted(work, wanted, usize::MAX)
    };
    Some(Work { lines, ..*work })
}

/// The lines, with `wanted` put in front of the first `count` lines that are not blank.
fn shifted(work: &Work, wanted: &str, count: usize) -> Vec<String> {
    let unit = if wanted.starts_with('\t') { space_unit(work) } else { None };
    let mut left = count;
    let shift = |line: &String| {
        if is_blank(line) || left == 0 {
            return line.clone();
        }
        left -= 1;
        let own = indent(line);
        match unit {
            Some(unit) => {
                format!("{wanted}{}{}", "\t".repeat(own.len() / unit), &line[own.len()..])
            }
            None => format!("{wanted}{line}"),
        }
    };
    work.lines.iter().map(shift).collect()
}

/// Whether only the first line lost its indentation: the other lines are indented by `wanted` at
/// least, and by more if they are inside a block that it opens.
fn only_first_was_trimmed(work: &Work, wanted: &str) -> bool {
    let mut lines = work.lines.iter().filter(|line| !is_blank(line));
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let inside = !opens(first) || indent(second).len() > wanted.len();
    let rest = || work.lines.iter().filter(|line| !is_blank(line)).skip(1);
    inside && rest().all(|line| indent(line).starts_with(wanted))
}

/// Whether every line is in the first column although one opens a block for the next, so that the
/// lines inside that block have lost their indentation too.
fn lost_inside(work: &Work) -> bool {
    let lines: Vec<&String> = work.lines.iter().filter(|line| !is_blank(line)).collect();
    lines.iter().all(|line| indent(line).is_empty())
        && lines.windows(2).any(|pair| opens(pair[0]) && !closes(pair[1]))
}

/// The lines with the margins of the lines they replace, if each is like the line it replaces.
/// Lines that differ in nothing but their margins are an intended dedent.
fn each_like_its_old(site: &Site<'_>, work: &Work) -> Option<Vec<String>> {
    let old = site.old(work);
    let alike = old.len() == work.lines.len()
        && old.iter().zip(&work.lines).all(|(old, new)| {
            is_blank(old) && is_blank(new)
                || is_like(old, new) && indent(new).len() <= indent(old).len()
        });
    let same = || old.iter().zip(&work.lines).all(|(old, new)| stripped(old) == stripped(new));
    if !alike || same() {
        return None;
    }
    let placed = |(old, new): (&&str, &String)| format!("{}{}", indent(old), new.trim_start());
    Some(old.iter().zip(&work.lines).map(placed).collect())
}

/// Whether `new` may be an edited `old`: it opens and closes blocks alike, and shares words with
/// it.
fn is_like(old: &str, new: &str) -> bool {
    let start = |line: &str| line.trim_start().chars().next();
    opens(old) == opens(new)
        && closes(old) == closes(new)
        && (if closes(old) { start(old) == start(new) } else { resembles(new, old) })
}

/// Indents each line like the line that it replaces, if they open and close the same blocks.
fn line_by_line(site: &Site<'_>, work: &Work) -> Option<Vec<String>> {
    let old = site.old(work);
    let mut old = old.iter().filter(|line| !is_blank(line));
    let mut lines = Vec::with_capacity(work.lines.len());
    for line in &work.lines {
        if is_blank(line) {
            lines.push(line.clone());
            continue;
        }
        let like = old.next()?;
        if opens(like) != opens(line) || closes(like) != closes(line) {
            return None;
        }
        lines.push(format!("{}{line}", indent(like)));
    }
    old.next().is_none().then_some(lines)
}

/// Whether a line closes a block that no earlier line of the text opens: then the text is indented
/// as it must be.
fn closes_more_than_it_opens(work: &Work) -> bool {
    let mut open = 0_usize;
    for line in work.lines.iter().filter(|line| !is_blank(line)) {
        if closes(line) {
            match open.checked_sub(1) {
                Some(less) => open = less,
                None => return true,
            }
        }
        open += usize::from(opens(line));
    }
    false
}

/// The text with tabs instead of spaces, if all lines around are indented by tabs alone.
fn tabs_for_spaces(site: &Site<'_>, work: &Work) -> Option<Work> {
    let written: Vec<&String> = work.lines.iter().filter(|line| !is_blank(line)).collect();
    if written.iter().any(|line| indent(line).contains('\t')) {
        return None;
    }
    let around =
        || site.around(work, AROUND).filter(|line| !is_blank(line) && !indent(line).is_empty());
    let tabbed = |line: &str| indent(line).bytes().all(|byte| byte == b'\t');
    if around().next().is_none() || !around().all(tabbed) {
        return None;
    }
    let model = match site.anchor {
        Some((anchor, _)) => site.content(anchor),
        None => *site.old(work).iter().find(|line| !is_blank(line))?,
    };
    let (tabs, spaces) = (indent(model).len(), indent(written.first()?).len());
    // How many spaces make a tab: so many that the first line gets as many tabs as its model, or
    // else the unit by which the text is indented.
    let unit = match tabs {
        0 => space_unit(work)?,
        tabs if spaces.is_multiple_of(tabs) && [2, 3, 4, 8].contains(&(spaces / tabs)) => {
            spaces / tabs
        }
        _ => space_unit(work)?,
    };
    if !written.iter().all(|line| indent(line).len().is_multiple_of(unit)) {
        return None;
    }
    let with_tabs = |line: &String| {
        let own = indent(line);
        format!("{}{}", "\t".repeat(own.len() / unit), &line[own.len()..])
    };
    let lines = work.lines.iter();
    let lines = lines.map(|line| if is_blank(line) { line.clone() } else { with_tabs(line) });
    Some(Work { lines: lines.collect(), ..*work })
}

/// The indentation for lines that replace others.
fn in_place<'a>(site: &'a Site<'_>, work: &Work) -> Option<&'a str> {
    let old: Vec<&str> = (work.span.start()..work.span.end())
        .map(|at| site.content(at))
        .filter(|line| !is_blank(line))
        .collect();
    let (first, last) = (old.first()?, old.last()?);
    if old.iter().any(|line| indent(line).is_empty()) {
        return None;
    }
    let new: Vec<&String> = work.lines.iter().filter(|line| !is_blank(line)).collect();
    let strip = |lines: &mut dyn Iterator<Item = &str>| lines.map(stripped).collect::<Vec<_>>();
    let same_text =
        strip(&mut new.iter().map(|line| line.as_str())) == strip(&mut old.iter().copied());
    let below = site.below(work);
    let top = new.first()?;
    let edited = is_like(first, top) && first_word(first) == first_word(top);
    let inside = edited || only_inside(top) || only_first_was_trimmed(work, indent(first));
    let at_end = ends_block(below) && !inside;
    // If the last line newly opens a block, the lines below would become part of it.
    let takes_in = new.last().is_some_and(|line| opens(line)) && !opens(last);
    if same_text || at_end || takes_in {
        return None;
    }
    Some(indent(first))
}

fn first_word(line: &str) -> &str {
    line.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Whether a line can only be inside a block.
fn only_inside(line: &str) -> bool {
    const WORDS: [&str; 12] = [
        "return", "yield", "break", "continue", "pass", "elif", "else", "except", "finally",
        "super", "self", "this",
    ];
    WORDS.contains(&first_word(line))
}

/// The indentation for lines that are put beside an anchor line.
fn beside<'a>(site: &'a Site<'_>, work: &Work, anchor: usize, after: bool) -> Option<&'a str> {
    let line = site.content(anchor);
    if is_blank(line) || indent(line).is_empty() {
        return None;
    }
    if after {
        let below = site.below(work);
        if opens(line) {
            // The first line of a block is indented like the other lines of that block.
            let inner = below.map(indent).filter(|inner| inner.len() > indent(line).len());
            return inner.filter(|inner| inner.starts_with(indent(line)));
        }
        if ends_block(below) {
            return None;
        }
    } else {
        let above = site.above(work)?;
        if closes(line) {
            let inner = indent(above);
            return Some(if inner.len() > indent(line).len() { inner } else { indent(line) });
        }
        if starts_top_level(work) && indent(above).is_empty() && !opens(above) {
            return None;
        }
    }
    Some(indent(line))
}

/// Whether the line after a change is in the first column without closing a block, so that the text
/// may be meant to be in the first column too.
fn ends_block(below: Option<&str>) -> bool {
    below.is_none_or(|line| indent(line).is_empty() && !closes(line))
}

fn opens(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(['{', '(', '[', ':'])
        || line.ends_with("=>")
        || line.ends_with(" do")
        || line.ends_with(" then")
}

fn closes(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['}', ')', ']'])
        || line.starts_with("</")
        || line == "end"
        || line.starts_with("end ")
        || line == "fi"
        || line == "done"
}

/// Whether the line belongs in the first column wherever it is: a C directive, a conflict mark,
/// the end of a here-document, a fence.
fn is_directive(line: &str) -> bool {
    let word = line.trim_end();
    let c_like =
        ["#if", "#else", "#elif", "#end", "#define", "#undef", "#include", "#pragma", "#region"];
    c_like.iter().any(|start| line.starts_with(start))
        || ["<<<<<<<", "=======", ">>>>>>>", "```"].iter().any(|mark| line.starts_with(mark))
        || (word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Whether the text declares something that usually begins in the first column.
fn starts_top_level(work: &Work) -> bool {
    const WORDS: [&str; 22] = [
        "def ", "class ", "async def ", "import ", "from ", "@", "export ", "function ",
        "package ", "namespace ", "fn ", "pub ", "impl ", "mod ", "use ", "func ", "type ",
        "interface ", "module ", "if __name__", "struct ", "enum ",
    ];
    work.lines
        .iter()
        .find(|line| !is_blank(line))
        .is_some_and(|line| WORDS.iter().any(|word| line.starts_with(word)))
}

/// How many spaces the text indents by, if it indents by spaces only and evenly.
fn space_unit(work: &Work) -> Option<usize> {
    let widths: Vec<usize> = work
        .lines
        .iter()
        .filter(|line| !is_blank(line))
        .map(|line| indent(line))
        .filter(|own| !own.is_empty())
        .map(|own| if own.contains('\t') { 1 } else { own.len() })
        .collect();
    let unit = *widths.iter().min()?;
    (unit > 1 && widths.iter().all(|width| width % unit == 0)).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::super::Repair::InheritIndent;
    use super::super::testing::*;

    const RUST: &str = "fn main() {\n    if ready {\n        run();\n    }\n}\n";
    const PYTHON: &str = "def a():\n    x = 1\n    return x\n\ndef b():\n    pass\n";
    const GO: &str = "func main() {\n\tif ready {\n\t\trun()\n\t}\n}\n";

    #[test]
    fn a_line_is_indented_like_the_old_one() {
        replace(RUST, 3, 3, "stop();").becomes(InheritIndent, "        stop();");
        replace(PYTHON, 3, 3, "return x + 1").becomes(InheritIndent, "    return x + 1");
        replace(GO, 3, 3, "stop()").becomes(InheritIndent, "\t\tstop()");
    }

    #[test]
    fn a_block_is_shifted_as_a_whole() {
        replace(RUST, 2, 4, "if late {\n    wait();\n\n}")
            .becomes(InheritIndent, "    if late {\n        wait();\n\n    }");
        replace(GO, 3, 3, "for {\n\tstop()\n}")
            .becomes(InheritIndent, "\t\tfor {\n\t\t\tstop()\n\t\t}");
    }

    #[test]
    fn spaces_become_tabs_in_a_file_of_tabs() {
        replace(GO, 3, 3, "for {\n    if x {\n        stop()\n    }\n}")
            .becomes(InheritIndent, "\t\tfor {\n\t\t\tif x {\n\t\t\t\tstop()\n\t\t\t}\n\t\t}");
    }

    #[test]
    fn only_the_first_line_is_shifted_if_only_it_was_trimmed() {
        replace(PYTHON, 2, 3, "x = 2\n    return x")
            .becomes(InheritIndent, "    x = 2\n    return x");
    }

    #[test]
    fn a_block_that_lost_all_of_its_indentation_is_indented_like_the_old_lines() {
        replace(RUST, 2, 4, "if late {\nwait();\n}")
            .becomes(InheritIndent, "    if late {\n        wait();\n    }");
        replace(RUST, 2, 4, "if late {\nwait();\nmore();\n}").stays(InheritIndent);
    }

    #[test]
    fn a_first_line_that_opens_a_block_may_be_the_only_one_that_was_trimmed() {
        let loops =
            "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total\n";
        replace(loops, 3, 5, "for x in set(xs):\n        total += x\n    return total")
            .becomes(InheritIndent, "    for x in set(xs):\n        total += x\n    return total");
    }

    #[test]
    fn as_many_lines_as_before_get_the_margins_they_had() {
        replace(RUST, 4, 4, "} // 7").becomes(InheritIndent, "    } // 7");
        replace(RUST, 3, 4, "run(2);\n} // 3")
            .becomes(InheritIndent, "        run(2);\n    } // 3");
        let yaml = "services:\n  web:\n    image: a\n    port: 1\n";
        replace(yaml, 4, 4, "port: 2").becomes(InheritIndent, "    port: 2");
        replace(yaml, 2, 4, "web:\n  image: b\n  port: 1")
            .becomes(InheritIndent, "  web:\n    image: b\n    port: 1");
        replace(yaml, 2, 4, "web:\n  image: b\n  port: 1\n  more: 2")
            .becomes(InheritIndent, "  web:\n    image: b\n    port: 1\n    more: 2");
        replace(yaml, 2, 4, "web:\n  image: a\n  port: 1").stays(InheritIndent);
    }

    #[test]
    fn the_first_column_at_the_end_of_a_block_may_be_meant() {
        let yaml = "server:\n  port: 80\n  host: x\nother: 1\n";
        replace(yaml, 3, 3, "client:\n  host: y").stays(InheritIndent);
        replace(yaml, 2, 2, "port: 81").becomes(InheritIndent, "  port: 81");
        replace(yaml, 2, 2, "client:").stays(InheritIndent);
        replace(PYTHON, 3, 3, "print(a())").stays(InheritIndent);
        replace(PYTHON, 3, 3, "x = 2\nprint(x)").stays(InheritIndent);
        replace("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n", 3, 3, "</ul>\n<ul>")
            .stays(InheritIndent);
        Case { markup: true, ..replace("<b>\n  <i>x</i>\n</b>\n", 2, 2, "<pre>y</pre>") }
            .stays(InheritIndent);
    }

    #[test]
    fn spaces_in_a_place_of_tabs_become_tabs() {
        replace(GO, 3, 3, "        stop()").becomes(InheritIndent, "\t\tstop()");
        replace(GO, 3, 3, "    stop()").becomes(InheritIndent, "\t\tstop()");
        replace(GO, 2, 4, "    if late {\n        wait()\n    }")
            .becomes(InheritIndent, "\tif late {\n\t\twait()\n\t}");
        insert_after(GO, 3, "        stop()").becomes(InheritIndent, "\t\tstop()");
        replace(GO, 3, 3, "\t\tstop()").stays(InheritIndent);
        replace(GO, 2, 4, "    if late {\n       wait()\n    }").stays(InheritIndent);
        replace(RUST, 3, 3, "  stop();").stays(InheritIndent);
    }

    #[test]
    fn an_insert_is_indented_like_its_anchor() {
        insert_after(RUST, 3, "stop();").becomes(InheritIndent, "        stop();");
        insert_before(RUST, 3, "start();").becomes(InheritIndent, "        start();");
        insert_after(RUST, 2, "start();").becomes(InheritIndent, "        start();");
        insert_before(RUST, 4, "stop();").becomes(InheritIndent, "        stop();");
        insert_after(PYTHON, 2, "y = 2").becomes(InheritIndent, "    y = 2");
    }

    #[test]
    fn a_text_that_is_indented_stays() {
        replace(RUST, 3, 3, "    stop();").stays(InheritIndent);
        replace(RUST, 3, 3, "  stop();\nmore();").stays(InheritIndent);
    }

    #[test]
    fn an_unindented_anchor_gives_no_indentation() {
        insert_after(RUST, 1, "start();").stays(InheritIndent);
        replace(RUST, 1, 1, "pub fn main() {").stays(InheritIndent);
    }

    #[test]
    fn a_python_dedent_stays() {
        insert_after(PYTHON, 3, "y = a()").stays(InheritIndent);
        insert_after(PYTHON, 3, "\ndef c():\n    pass").stays(InheritIndent);
        replace(PYTHON, 3, 3, "return x").stays(InheritIndent);
        replace(PYTHON, 6, 6, "import os").stays(InheritIndent);
        replace(PYTHON, 3, 3, "def c():\n    pass").stays(InheritIndent);
        replace(PYTHON, 2, 5, "x = 1\ny = 2").stays(InheritIndent);
    }

    #[test]
    fn a_directive_stays_at_the_first_column() {
        insert_after(RUST, 3, "#ifdef DEBUG").stays(InheritIndent);
        replace(RUST, 3, 3, "<<<<<<< ours").stays(InheritIndent);
        replace("cat <<EOF\n  x\nEOF\n", 2, 2, "EOF").stays(InheritIndent);
    }

    #[test]
    fn prose_stays() {
        Case { prose: true, ..replace("- one\n  more\n", 2, 2, "A new paragraph.") }
            .stays(InheritIndent);
    }

    #[test]
    fn a_deletion_and_a_blank_line_stay() {
        replace(RUST, 3, 3, "").stays(InheritIndent);
        replace(RUST, 3, 3, "\n").stays(InheritIndent);
    }
}
