//! `replace`: finding the old text, even if the model copied it from rows as we print them.
//!
//! The text is looked for as it was given. Only if it does not occur is it read in other ways, each
//! of which undoes a habit of models: rows with their tags, escapes of control characters, text
//! that was escaped twice, the marks of a diff. A way counts if the text then occurs; the new text
//! is read in the same way. Every such reading is reported as a repair.

use super::repair::{
    Repair, Repaired, Repairs, Site, Unwritable, Work, marked, restore_part, unescaped,
};
use super::substring::{LineRewrite, Missed, PlainText, span};
use crate::patch::{lines_of, plain_newlines};
use crate::show::{self, PrintedRow};
use hashline_text::Span;

/// What a `replace` asks for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The old text, which must occur.
    pub old: &'a str,
    /// The text that replaces the old text.
    pub new: &'a str,
    /// Whether every occurrence is meant.
    pub all: bool,
    /// The lines in which the old text must occur.
    pub within: Option<Span>,
}

/// The changes that a `replace` makes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Replacement {
    /// The lines that change.
    pub rewrites: Vec<LineRewrite>,
    /// The repairs that were made.
    pub made: Vec<Repaired>,
    /// New lines that look like something we printed, but are written unchanged.
    pub doubts: Vec<String>,
}

/// Why a `replace` cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unreplaced {
    /// The old text is nowhere, or in several places.
    Missed(Missed),
    /// There is no old text, though the file is not empty.
    NoOldText,
    /// The texts hold something we printed that cannot be turned back into file text.
    Unwritable(Unwritable),
}

/// One way to read the two texts.
struct TextReading {
    repair: Option<Repair>,
    old: String,
    new: String,
    /// The byte offset where the old text must begin, if its rows name a line.
    at: Option<usize>,
}

/// Finds the old text in the file of `site` and replaces it by the new text.
pub(super) fn replace(
    site: &Site<'_>,
    asked: Asked<'_>,
    repairs: Repairs,
) -> Result<Replacement, Unreplaced> {
    let Asked { all, within, .. } = asked;
    let (old, new) = (plain_newlines(asked.old), plain_newlines(asked.new));
    if old.is_empty() {
        return into_empty(site, &new);
    }
    let view = PlainText::of(site.document);
    let asked = TextReading { repair: None, old: old.clone(), new: new.clone(), at: None };
    let others: [(Repair, OtherReading); 4] = [
        (Repair::StripPrefix, as_rows),
        (Repair::StripPrefix, as_controls),
        (Repair::StripPlus, as_diff),
        (Repair::Unescape, as_escaped_twice),
    ];
    let others = others.into_iter().filter(|(repair, _)| repairs.has(*repair));
    let others = others.filter_map(|(_, read)| read(site, &view, &old, &new));
    for reading in [asked].into_iter().chain(others) {
        let hits = match reading.at {
            Some(at) if view.is_within(at, reading.old.len(), within) => vec![at],
            Some(_) => continue,
            None if reading.old.is_empty() => continue,
            None => match view.find(&reading.old, all, within) {
                Err(Missed::Absent { .. }) => continue,
                hits => hits.map_err(Unreplaced::Missed)?,
            },
        };
        return FoundText { site, view: &view, hits, reading, repairs }.rewrite(&old);
    }
    if repairs.has(Repair::StripPrefix) && old.lines().any(|line| show::cut_length(line).is_some())
    {
        let reason = "old_text was copied from a line that was shown cut: give only a part of the line that \
                      was shown, without the `...`"
            .to_owned();
        return Err(Unreplaced::Unwritable(Unwritable { reason, look_at: None }));
    }
    Err(Unreplaced::Missed(match within {
        Some(within) => Missed::Outside { within, at: view.all_places(&old) },
        None => Missed::Absent { similar: view.nearest(&old) },
    }))
}

/// Puts the new text into an empty file: only there an empty old text has a place.
fn into_empty(site: &Site<'_>, new: &str) -> Result<Replacement, Unreplaced> {
    if !site.document.is_empty() {
        return Err(Unreplaced::NoOldText);
    }
    let rewrites = vec![LineRewrite { span: Span::after(0), lines: lines_of(new) }];
    Ok(Replacement { rewrites, made: Vec::new(), doubts: Vec::new() })
}

/// A reading whose old text occurs in the file.
struct FoundText<'a> {
    site: &'a Site<'a>,
    view: &'a PlainText,
    hits: Vec<usize>,
    reading: TextReading,
    repairs: Repairs,
}

impl FoundText<'_> {
    fn rewrite(self, asked: &str) -> Result<Replacement, Unreplaced> {
        let Self { site, view, hits, reading, repairs } = self;
        let TextReading { repair, old, mut new, .. } = reading;
        let mut made = Vec::new();
        if let Some(repair) = repair {
            made.push(repaired(repair, asked, &old));
        }
        let mut doubts = Vec::new();
        if repairs.has(Repair::StripPrefix) {
            let [first, last] = [hits[0], hits[hits.len() - 1] + old.len().saturating_sub(1)]
                .map(|at| view.line_of(at));
            let lines = new.split('\n').map(str::to_owned).collect();
            let work = Work { span: span(first, last + 1), lines };
            let restored = restore_part(site, &work).map_err(Unreplaced::Unwritable)?;
            doubts = restored.doubts.iter().map(|at| restored.lines[*at].clone()).collect();
            if view.start_of(first) == Some(hits[0]) {
                doubts.extend(marked(site, &Work { lines: restored.lines.clone(), ..work }));
            }
            let better = restored.lines.join("\n");
            if better != new {
                made.push(repaired(Repair::StripPrefix, &new, &better));
                new = better;
            }
        }
        if repairs.has(Repair::Unescape)
            && let Some(better) = unescaped(site, &new)
        {
            made.push(repaired(Repair::Unescape, &new, &better));
            new = better;
        }
        if repairs.has(Repair::FinalNewline)
            && let Some(better) = with_final_newline(view, &hits, &old, &new)
        {
            made.push(repaired(Repair::FinalNewline, &new, &better));
            new = better;
        }
        Ok(Replacement { rewrites: view.rewrites(&hits, old.len(), &new), made, doubts })
    }
}

fn repaired(repair: Repair, before: &str, after: &str) -> Repaired {
    let lines = |text: &str| text.split('\n').map(str::to_owned).collect();
    Repaired { repair, before: lines(before), after: lines(after) }
}

/// The new text with a line end added or removed, so that it ends like the old text.
///
/// The line end stays as given if the texts differ in nothing else, or if its loss joins two lines
/// with a space.
fn with_final_newline(view: &PlainText, hits: &[usize], old: &str, new: &str) -> Option<String> {
    let rest = |hit: &usize| &view.text()[hit + old.len()..];
    match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (None, Some(bare)) if bare != old && hits.iter().all(|hit| rest(hit).starts_with('\n')) => {
            Some(bare.to_owned())
        }
        (Some(bare), None)
            if !new.is_empty()
                && new != bare
                && !new.ends_with([' ', '\t'])
                && hits.iter().any(|hit| !rest(hit).is_empty()) =>
        {
            Some(format!("{new}\n"))
        }
        _ => None,
    }
}

/// Reads the old text as rows that we printed.
fn as_rows(site: &Site<'_>, view: &PlainText, old: &str, new: &str) -> Option<TextReading> {
    let mut rows = 0;
    let mut first = None;
    let mut lines = Vec::new();
    for (at, line) in old.split('\n').enumerate() {
        match best_row(site, line) {
            Some(row) => {
                rows += 1;
                if at == 0 && is_line(site, &row) && !has_tag_of_a_line(site, line) {
                    first = row.number;
                }
                lines.push(file_text(site, &row));
            }
            None => lines.push(line.to_owned()),
        }
    }
    if rows == 0 {
        return None;
    }
    let old = lines.join("\n");
    let start = first.and_then(|number| view.start_of(number.index()));
    let at = start.filter(|start| view.text()[*start..].starts_with(&old));
    Some(TextReading { repair: Some(Repair::StripPrefix), old, new: new.to_owned(), at })
}

/// The reading of a line that the file confirms: a row that shows a whole line, preferably the line
/// that it names.
fn best_row<'t>(site: &Site<'_>, line: &'t str) -> Option<PrintedRow<'t>> {
    let rows = show::readings(line);
    let is_any_line = |row: &&PrintedRow<'t>| {
        site.document.lines().any(|own| show::content(own.content) == row.content)
    };
    rows.iter().find(|row| is_line(site, row)).or_else(|| rows.iter().find(is_any_line)).copied()
}

/// Whether a row shows the line that it names.
fn is_line(site: &Site<'_>, row: &PrintedRow<'_>) -> bool {
    let own = row.number.and_then(|number| site.document.content(number));
    own.is_some_and(|own| show::content(own) == row.content)
}

/// Whether a line begins with the tag of some line of the file, even if the tag looks like a
/// number.
fn has_tag_of_a_line(site: &Site<'_>, line: &str) -> bool {
    let tags = show::readings(line).into_iter().filter(|row| row.number.is_none());
    let tags: Vec<_> = tags.filter_map(|row| row.tag).collect();
    let has = |index| (site.tags)(index).iter().any(|tag| tags.contains(tag));
    !tags.is_empty() && (0..site.document.len()).any(has)
}

/// The file text that a row showed, if the file has such a line; otherwise the row's content.
fn file_text(site: &Site<'_>, row: &PrintedRow<'_>) -> String {
    let is_own = |own: &&str| show::content(own) == row.content;
    let named = row.number.and_then(|number| site.document.content(number)).filter(is_own);
    let any = || site.document.lines().map(|line| line.content).find(is_own);
    named.or_else(any).unwrap_or(row.content).to_owned()
}

/// Reads escapes as control characters, if the file holds these characters.
fn as_controls(site: &Site<'_>, _: &PlainText, old: &str, new: &str) -> Option<TextReading> {
    let held = |c: char| site.document.lines().any(|line| line.content.contains(c));
    let meant: Vec<char> = show::escapes(old).into_iter().filter(|c| held(*c)).collect();
    if meant.is_empty() {
        return None;
    }
    let [old, new] = [old, new].map(|text| show::unescape(text, |c| meant.contains(&c)));
    Some(TextReading { repair: Some(Repair::StripPrefix), old, new, at: None })
}

/// Reads the texts as the two sides of a diff.
fn as_diff(_: &Site<'_>, _: &PlainText, old: &str, new: &str) -> Option<TextReading> {
    let bared = |text: &str, mark: char| -> Option<String> {
        let bare = |line: &str| match line.strip_prefix([mark, ' ']) {
            Some(rest) => Some(rest.to_owned()),
            None => line.is_empty().then(String::new),
        };
        Some(text.split('\n').map(bare).collect::<Option<Vec<_>>>()?.join("\n"))
    };
    let marked = old.split('\n').any(|line| line.starts_with('-'));
    let (old, new) = (bared(old, '-')?, bared(new, '+')?);
    marked.then_some(TextReading { repair: Some(Repair::StripPlus), old, new, at: None })
}

/// Reads the texts as escaped once too often.
#[expect(clippy::unnecessary_wraps, reason = "it is one of the readings that may not fit")]
fn as_escaped_twice(_: &Site<'_>, _: &PlainText, old: &str, new: &str) -> Option<TextReading> {
    let plain = |text: &str| {
        let text = text.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\\t", "\t");
        text.replace("\\\"", "\"")
    };
    let (old, new) = (plain(old), plain(new));
    Some(TextReading { repair: Some(Repair::Unescape), old, new, at: None })
}

/// Reads the two texts in another way than literally; `None` if that is not possible.
type OtherReading = fn(&Site<'_>, &PlainText, &str, &str) -> Option<TextReading>;

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Anchor, Scheme};
    use hashline_text::{Document, LineNumber, Splice};

    fn run(before: &str, old: &str, new: &str, all: bool) -> Result<String, Unreplaced> {
        let document = Document::from_text(before);
        let tags = |index: usize| {
            let line = document.content(LineNumber::at(index));
            line.map(|_| crate::plan::tag_at(&document, index, Scheme::Hex2))
                .into_iter()
                .collect::<Vec<_>>()
        };
        let shown = |anchor: &Anchor| tags(anchor.line.index()).contains(&anchor.tag);
        let site = Site {
            path: "file.txt",
            document: &document,
            anchor: None,
            scheme: Scheme::Hex2,
            shown: &shown,
            tags: &tags,
            prose: false,
            markup: false,
            indents: &[],
        };
        let asked = Asked { old, new, all, within: None };
        let done = replace(&site, asked, Repairs::default())?;
        let splices: Vec<_> = done
            .rewrites
            .into_iter()
            .map(|LineRewrite { span, lines }| Splice { span, lines })
            .collect();
        Ok(str::from_utf8(document.splice_all(&splices).unwrap().bytes()).unwrap().to_owned())
    }

    #[track_caller]
    fn check(before: &str, old: &str, new: &str, after: &str) {
        assert_eq!(run(before, old, new, false).as_deref(), Ok(after), "{old:?} -> {new:?}");
    }

    const CODE: &str = "let a = 1;\nlet b = 2;\nlet a = 1;\n";

    #[test]
    fn rows_are_found_by_their_text_and_number() {
        check(CODE, "2:08|let b = 2;", "2:08|let b = 3;", "let a = 1;\nlet b = 3;\nlet a = 1;\n");
        check(CODE, "3:f1|let a = 1;", "let c = 1;", "let a = 1;\nlet b = 2;\nlet c = 1;\n");
        check(CODE, "08|let b = 2;", "08|let b = 3;", "let a = 1;\nlet b = 3;\nlet a = 1;\n");
        check("a\r\nb\r\nc\r\n", "2|b\n3|c", "B\n3|c", "a\r\nB\r\nc\r\n");
        assert!(run(CODE, "f1|let a = 1;", "x", false).is_err());
    }

    #[test]
    fn the_new_text_ends_like_the_old_text() {
        check("a\nbbb\nc\n", "bbb", "B\n", "a\nB\nc\n");
        check("a\n}\nc\n", "}\n", "};", "a\n};\nc\n");
        check("a\n}\nc\n", "}\n", "}", "a\n}c\n");
        check("a\nb\nc\n", "b", "b\n", "a\nb\n\nc\n");
        check("a\nb\nc\n", "a\n", "", "b\nc\n");
        check("let x = y;\n", "x", "x\n", "let x\n = y;\n");
    }

    #[test]
    fn an_empty_file_takes_the_new_text() {
        check("", "", "one\ntwo\n", "one\ntwo\n");
        assert_eq!(run("a\n", "", "x", false), Err(Unreplaced::NoOldText));
    }

    #[test]
    fn shown_escapes_are_control_characters() {
        check("\u{1b}[0m red\n", "\\x1b[0m red", "\\x1b[1m red", "\u{1b}[1m red\n");
    }

    #[test]
    fn a_diff_and_double_escapes_are_read() {
        check("a\nb\nc\n", "-b\n c", "+B\n c", "a\nB\nc\n");
        check(
            "if x {\n\trun()\n}\n", "if x {\\n\\trun()", "if y {\\n\\trun()",
            "if y {\n\trun()\n}\n",
        );
    }

    #[test]
    fn a_cut_line_is_not_found() {
        let long = "x".repeat(5000);
        let shown = show::content(&long);
        let missed = run(&format!("{long}\n"), &shown, "y", false);
        assert!(matches!(missed, Err(Unreplaced::Unwritable(_))), "{missed:?}");
        let done = run(&format!("{long}END\n"), "xEND", "yEND", false).unwrap();
        assert!(done.ends_with("yEND\n") && done.len() == 5004);
    }
}
