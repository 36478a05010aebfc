//! `\t\tfoo()` becomes a line with two tabs, `one\ntwo` becomes two lines.
//!
//! Some models escape their text twice, so that a backslash and a letter arrive where a tab or a
//! line end was meant. They are repaired only where the letters cannot be meant: the file has no
//! such letters anywhere, and they are outside of quotes and of what may be a regular expression.
//! At the start of a line `\t` is repaired if lines nearby begin with tabs. Elsewhere the text
//! stays, because `"\n"` in a program means exactly that.

use super::{Site, Work};
use hashline_text::Span;

/// How many lines around the change are searched for tabs.
const AROUND: usize = 20;

/// The letters of an escape, and what they stand for.
const ESCAPES: [(&str, &str); 4] = [("\\r\\n", "\n"), ("\\n", "\n"), ("\\t", "\t"), ("\\r", "")];

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let holds = |line: &str| ESCAPES.iter().any(|(letters, _)| line.contains(letters));
    if !work.lines.iter().any(|line| holds(line))
        || site.document.lines().any(|line| holds(line.content))
        || is_typeset(site.path)
    {
        return None;
    }
    let tabs = site.around(work, AROUND).any(|line| line.starts_with('\t'));
    let text =
        work.lines.iter().map(|line| resolve(line, tabs)).collect::<Option<Vec<_>>>()?.join("\n");
    // An escaped line end at the end of the text ends its last line, like a real one.
    let text = if ends_escaped(work) { text.strip_suffix('\n').unwrap_or(&text) } else { &text };
    Some(Work { lines: text.split('\n').map(str::to_owned).collect(), ..*work })
}

/// A text that is put inside lines, with the escapes that cannot be meant resolved; `None` if there
/// are none.
pub(crate) fn unescaped(site: &Site<'_>, text: &str) -> Option<String> {
    let lines = text.split('\n').map(str::to_owned).collect();
    let work = Work { span: Span::after(0), lines };
    let better = apply(site, &work)?.lines.join("\n");
    (better != text).then_some(better)
}

fn ends_escaped(work: &Work) -> bool {
    work.lines.last().is_some_and(|line| line.ends_with("\\n"))
}

/// Whether the file is in a language whose commands begin with a backslash.
fn is_typeset(path: &str) -> bool {
    [".tex", ".sty", ".cls", ".bib", ".rtf"].iter().any(|ending| path.ends_with(ending))
}

/// A line with the escapes that cannot be meant resolved; `None` if an escape outside of quotes may
/// be meant, because a text is escaped twice as a whole or not at all.
fn resolve(line: &str, tabs: bool) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while tabs && let Some(after) = rest.strip_prefix("\\t") {
        out.push('\t');
        rest = after;
    }
    let mut quote = None;
    while let Some(c) = rest.chars().next() {
        let escape = ESCAPES.iter().find(|(letters, _)| rest.starts_with(letters));
        match (quote, escape) {
            (None, Some((letters, meaning))) if *meaning == "\n" => {
                if is_pattern(&out, &rest[letters.len()..]) {
                    return None;
                }
                out.push_str(meaning);
                rest = &rest[letters.len()..];
                while tabs && let Some(after) = rest.strip_prefix("\\t") {
                    out.push('\t');
                    rest = after;
                }
                continue;
            }
            (Some(_), _) if c == '\\' => {
                // An escaped character inside quotes does not end them.
                let len = c.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&rest[..len]);
                rest = &rest[len..];
                continue;
            }
            (Some(open), _) if c == open => quote = None,
            (None, _) if matches!(c, '"' | '`' | '\'') && rest[1..].contains(c) => quote = Some(c),
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    Some(out)
}

/// Whether an escape between these texts may be part of a regular expression or of a path.
fn is_pattern(before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    // `C:\new` is a path; a colon after anything but a drive letter ends a line.
    let drive = back.next() == Some(':')
        && back.next().is_some_and(|c| c.is_ascii_alphabetic())
        && !back.next().is_some_and(char::is_alphanumeric)
        && after.starts_with(char::is_alphanumeric);
    drive
        || before.ends_with(['/', '[', '(', '|', '\\', '^'])
        || after.starts_with(['/', ']', ')', '|', '+', '*', '?', '$', '{'])
}

#[cfg(test)]
mod tests {
    use super::super::Repair::Unescape;
    use super::super::testing::*;

    const GO: &str = "func main() {\n\tname := 1\n\tif name {\n\t\trun()\n\t}\n}\n";

    #[test]
    fn tabs_at_the_start_of_a_line_are_tabs() {
        replace(GO, 4, 4, "\\t\\tstop()").becomes(Unescape, "\t\tstop()");
        replace(GO, 3, 5, "\\tif ready {\\n\\t\\trun()\\n\\t}")
            .becomes(Unescape, "\tif ready {\n\t\trun()\n\t}");
    }

    #[test]
    fn line_ends_are_line_ends() {
        replace("a\nb\n", 2, 2, "B\\r\\n").becomes(Unescape, "B");
        replace("a\nb\n", 2, 2, "B\\n").becomes(Unescape, "B");
        insert_after("a\nb\n", 1, "one\\ntwo").becomes(Unescape, "one\ntwo");
    }

    #[test]
    fn all_escapes_of_a_text_are_resolved_or_none() {
        replace("a\nb\n", 2, 2, "class A:\\n    def f():\\n        pass")
            .becomes(Unescape, "class A:\n    def f():\n        pass");
        replace("a\nb\n", 2, 2, "run: test\\n  build:\\n    on: x")
            .becomes(Unescape, "run: test\n  build:\n    on: x");
        replace("a\nb\n", 2, 2, "one\\ntext.split(/\\n/)").stays(Unescape);
    }

    #[test]
    fn quoted_letters_stay() {
        replace("a\nb\n", 2, 2, "print(\"one\\ntwo\\n\")").stays(Unescape);
        replace(GO, 4, 4, "\t\tfmt.Print('\\t')").stays(Unescape);
    }

    #[test]
    fn a_pattern_stays() {
        replace("a\nb\n", 2, 2, "text.split(/\\n/)").stays(Unescape);
        replace("a\nb\n", 2, 2, "cd C:\\new").stays(Unescape);
    }

    #[test]
    fn a_file_with_such_letters_keeps_them() {
        replace("printf a\\n\nb\n", 2, 2, "echo b\\n").stays(Unescape);
    }

    #[test]
    fn without_tabs_nearby_a_tab_is_not_guessed() {
        replace("a\nb\n", 2, 2, "\\tb").stays(Unescape);
    }
}
