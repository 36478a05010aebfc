//! A block that lost its indentation goes where the old one stood.
//!
//! ```text
//! before:   if ready {        asked for:   run();
//!               stop();
//!           }                 written:         run();
//! ```
//!
//! If the anchor line is indented and the text is not, the whole block is shifted, so that its own
//! structure stays. The text is taken as it is where the first column may be meant: the lines differ
//! in white space only (somebody dedents), the old lines stood there too, the text is a top-level
//! declaration or a directive before another top-level line, or the file is prose.

use super::{Site, Work, indent, is_blank, squeezed};

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let first = work.lines.iter().find(|line| !is_blank(line))?;
    if site.prose || !indent(first).is_empty() || is_directive(first) {
        return None;
    }
    let wanted = match site.anchor {
        Some((anchor, after)) => beside(site, work, anchor, after)?,
        None => in_place(site, work)?,
    };
    if wanted.is_empty() {
        return None;
    }
    let rest = || {
        let mut lines = work.lines.iter().filter(|line| !is_blank(line));
        lines.next();
        lines
    };
    // Only the first line was trimmed if the others already stand at or right of its place and
    // it opens no block for them to stand in.
    let trimmed_start = rest().next().is_some()
        && !opens(first)
        && rest().all(|line| indent(line).starts_with(wanted));
    let unit = if wanted.starts_with('\t') { space_unit(work) } else { None };
    let mut seen_first = false;
    let lines = work
        .lines
        .iter()
        .map(|line| {
            if is_blank(line) || (trimmed_start && seen_first) {
                return line.clone();
            }
            seen_first = true;
            let own = indent(line);
            match unit {
                Some(unit) => {
                    format!("{wanted}{}{}", "\t".repeat(own.len() / unit), &line[own.len()..])
                }
                None => format!("{wanted}{line}"),
            }
        })
        .collect();
    Some(Work { lines, ..*work })
}

/// The indentation for lines that replace others.
fn in_place<'a>(site: &'a Site<'_>, work: &Work) -> Option<&'a str> {
    let old: Vec<&str> = (work.span.start()..work.span.end())
        .map(|at| site.content(at))
        .filter(|line| !is_blank(line))
        .collect();
    let first = old.first()?;
    if old.iter().any(|line| indent(line).is_empty()) {
        return None;
    }
    let same_text = |a: &[&str]| {
        let new: Vec<_> =
            work.lines.iter().filter(|line| !is_blank(line)).map(|line| squeezed(line)).collect();
        new == a.iter().map(|line| squeezed(line)).collect::<Vec<_>>()
    };
    if same_text(&old) || (starts_top_level(work) && ends_block(site.below(work))) {
        return None;
    }
    Some(indent(first))
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
            // The first line of a block: stand where its other lines stand.
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

/// Whether the line after a change stands at the first column without closing a block, so that a
/// text there may be meant to stand at the first column too.
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

/// Whether the line belongs at the first column wherever it stands: a C directive, a conflict mark,
/// the end of a here-document, a fence.
fn is_directive(line: &str) -> bool {
    let word = line.trim_end();
    let c_like =
        ["#if", "#else", "#elif", "#end", "#define", "#undef", "#include", "#pragma", "#region"];
    c_like.iter().any(|start| line.starts_with(start))
        || ["<<<<<<<", "=======", ">>>>>>>", "```"].iter().any(|mark| line.starts_with(mark))
        || (word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Whether the text declares something that usually stands at the first column.
fn starts_top_level(work: &Work) -> bool {
    const WORDS: [&str; 22] = [
        "def ",
        "class ",
        "async def ",
        "import ",
        "from ",
        "@",
        "export ",
        "function ",
        "package ",
        "namespace ",
        "fn ",
        "pub ",
        "impl ",
        "mod ",
        "use ",
        "func ",
        "type ",
        "interface ",
        "module ",
        "if __name__",
        "struct ",
        "enum ",
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
    fn a_line_takes_the_place_of_the_old_one() {
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
    fn an_insert_stands_beside_its_anchor() {
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
