//! Printed rows that come back in a text to write.
//!
//! Models copy lines as they saw them: with number and tag, with only one of them, with the marks
//! of a report, under a header. This module decides for each line of a text what it stood for. A
//! row that we printed becomes the file text it showed; a row for text we cannot know (a cut line,
//! a gap) makes the text [`Unwritable`]; a row that only looks printed is kept, and named as a
//! doubt. The law is stated in [`crate::show`].

mod proof;
#[cfg(test)]
mod tests;
mod unwritable;

use proof::Proof;
pub(crate) use unwritable::Unwritable;
use unwritable::{anchors, cut, gap, nothing, own_form};

use super::{Site, Work, is_blank};
use crate::show::{self, Mark, Printed, PrintedRow};
use hashline_text::{Anchor, LineNumber};

/// How many characters two lines must share at their start for one to be a copy of the other.
const MIN_COPIED: usize = 200;

/// A text in which everything that we printed became what it stood for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RestoredText {
    /// The lines to be written.
    pub lines: Vec<String>,
    /// The indexes of `lines` that look printed, but were kept.
    pub doubts: Vec<usize>,
}

/// What one line of the text is.
#[derive(Clone, Copy, Debug)]
enum Class<'t> {
    Blank,
    Plain,
    Row(PrintedRow<'t>, Proof),
    Gap,
    /// A header or another line that we print around rows.
    Frame,
    /// The header of another file.
    OtherHeader,
    /// Anchors that were shown, without a text.
    Anchors,
}

/// Turns everything that we printed in the text of a change back into what it stood for.
pub(super) fn restore(site: &Site<'_>, work: &Work) -> Result<RestoredText, Unwritable> {
    Text { site, work, whole: true }.restore()
}

/// Like `restore`, for a text that replaces only parts of lines.
pub(crate) fn restore_part(site: &Site<'_>, work: &Work) -> Result<RestoredText, Unwritable> {
    Text { site, work, whole: false }.restore()
}

/// A text and the place it is written to.
struct Text<'a> {
    site: &'a Site<'a>,
    work: &'a Work,
    /// Whether the text replaces whole lines.
    whole: bool,
}

impl<'a> Text<'a> {
    fn restore(&self) -> Result<RestoredText, Unwritable> {
        if self.whole {
            self.check_cut_lines()?;
        }
        let mut classes: Vec<Class<'a>> =
            self.work.lines.iter().enumerate().map(|(at, line)| self.classify(at, line)).collect();
        self.settle_classes(&mut classes)?;
        let ours =
            |class: &Class<'_>| matches!(class, Class::Row(_, proof) if *proof > Proof::Form);
        let any_row = classes.iter().any(ours);
        let mut restored = RestoredText { lines: Vec::new(), doubts: Vec::new() };
        let last = classes.iter().rposition(|class| !matches!(class, Class::Blank | Class::Frame));
        for (at, (line, class)) in self.work.lines.iter().zip(&classes).enumerate() {
            match class {
                Class::Frame => {}
                Class::Anchors => return Err(anchors(at, line)),
                // The header was copied with the rows below it.
                Class::OtherHeader if any_row => {}
                Class::Gap if any_row => return Err(gap(at)),
                Class::Row(row, proof) if *proof > Proof::Form => {
                    if row.mark == Mark::Removed || (Some(at) == last && self.is_phantom(row)) {
                        continue;
                    }
                    let (text, doubt) = self.content_of(at, row)?;
                    if doubt {
                        restored.doubts.push(restored.lines.len());
                    }
                    restored.lines.push(text);
                }
                _ => {
                    if matches!(class, Class::Row(..) | Class::OtherHeader) {
                        restored.doubts.push(restored.lines.len());
                    }
                    let (line, doubt) = self.plain(at, line)?;
                    if doubt {
                        restored.doubts.push(restored.lines.len());
                    }
                    restored.lines.push(line);
                }
            }
        }
        if restored.lines.is_empty() && !self.work.lines.is_empty() {
            return Err(nothing());
        }
        Ok(restored)
    }

    /// Refuses to replace a line that was shown cut by the part that was shown.
    fn check_cut_lines(&self) -> Result<(), Unwritable> {
        for (index, old) in self.old() {
            if old.chars().count() <= show::MAX_CHARACTERS {
                continue;
            }
            let copied = |line: &String| {
                let alike = |line: &str| common_prefix(line, old) >= MIN_COPIED;
                let rows = show::readings(line);
                alike(line) || rows.iter().any(|row| alike(row.content))
            };
            let tail: String =
                old.chars().rev().take(MIN_COPIED).collect::<Vec<_>>().into_iter().rev().collect();
            let copied = self.work.lines.iter().position(copied);
            // In a line that repeats itself, the part that was shown may end like the whole line.
            let shown: String = old.chars().take(show::MAX_CHARACTERS).collect();
            let is_longer = |line: &String| line.chars().count() > show::MAX_CHARACTERS;
            let has_tail =
                |line: &String| line.contains(&tail) && (!shown.contains(&tail) || is_longer(line));
            let kept = self.work.lines.iter().any(has_tail);
            if let (Some(at), false) = (copied, kept) {
                return Err(cut(at, Some(index)));
            }
        }
        Ok(())
    }

    fn classify(&self, at: usize, line: &'a str) -> Class<'a> {
        if is_blank(line) {
            return Class::Blank;
        }
        match show::read_back(line) {
            Some(Printed::Gap) => Class::Gap,
            Some(Printed::Header) if self.is_header(line) => Class::Frame,
            Some(Printed::Header) if !self.is_in_file(line) => Class::OtherHeader,
            Some(Printed::Footer | Printed::Report) if !self.is_in_file(line) => Class::Frame,
            None if self.is_unchanged(line) => Class::Frame,
            None if line == "    ..." && self.has_pointed() => Class::Gap,
            None if line == show::name(self.site.path) && !self.is_in_file(line) => {
                Class::OtherHeader
            }
            Some(Printed::Anchors) if self.are_shown(line) => Class::Anchors,
            _ => self.row(at, line),
        }
    }

    /// Whether the text has rows with a pointer (`>>>`), as a mismatch shows them.
    fn has_pointed(&self) -> bool {
        let pointed = |row: &PrintedRow<'_>| row.number.is_some() && row.mark == Mark::Pointed;
        self.work.lines.iter().any(|line| show::readings(line).iter().any(pointed))
    }

    /// Whether a line is our report that this file did not change.
    fn is_unchanged(&self, line: &str) -> bool {
        let path = line.strip_suffix(": no change");
        path == Some(&*show::name(self.site.path)) && !self.is_in_file(line)
    }

    /// Whether all anchors in a line were shown, and the file has no line of anchors of its own.
    fn are_shown(&self, line: &str) -> bool {
        let shown = |word: &str| word.parse().is_ok_and(|anchor| (self.site.shown)(&anchor));
        let alike = |own: &str| matches!(show::read_back(own), Some(Printed::Anchors));
        line.split_whitespace().all(shown)
            && !self.site.document.lines().any(|own| alike(own.content))
    }

    /// Whether a line with the form of a header is the header of this file.
    fn is_header(&self, line: &str) -> bool {
        let name = show::name(self.site.path);
        let own = line.strip_prefix("./").unwrap_or(line);
        let path = name.strip_prefix("./").unwrap_or(&name);
        let base = path.rsplit('/').next().unwrap_or(path);
        let titled = |name: &str| {
            let rest = own.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(" (") || rest.starts_with(": "))
        };
        (titled(path) || titled(base)) && !self.is_in_file(line)
    }

    fn is_in_file(&self, line: &str) -> bool {
        self.site.document.lines().any(|own| own.content == line)
    }

    /// The reading of a line that has the best proof.
    fn row(&self, at: usize, line: &'a str) -> Class<'a> {
        let proven = |row: PrintedRow<'a>| {
            let proof = self.proof(at, line, &row)?;
            // Of two readings with the same proof, the one that begins like the line it names wins.
            Some((proof, self.is_edited_copy(&row), row))
        };
        let rows = show::readings(line).into_iter().filter_map(proven);
        // Of equally good readings the first one, the most complete row, wins.
        let Some((proof, copy, row)) = rows
            .clone()
            .reduce(|best, other| if (other.0, other.1) > (best.0, best.1) { other } else { best })
        else {
            return Class::Plain;
        };
        // `5:30|x` is line 5 with the tag `30`, or with the text `30|x` if the file has such lines.
        let other = rows.clone().any(|(_, other_copy, other)| other_copy && other != row);
        let unclear = row.number.and(row.tag).is_some() && !self.may_be_made_up();
        match proof {
            Proof::Form if unclear => Class::Row(row, Proof::Doubt),
            _ if other && !copy && (unclear || proof < Proof::Certain) => {
                Class::Row(row, Proof::Doubt)
            }
            _ => Class::Row(row, proof),
        }
    }

    /// Decides about all lines together.
    ///
    /// Rows that look like the file's own lines were not printed by us, unless their very anchor
    /// was shown: then it is unknown. Numbers alone count only if all lines have them. If one row
    /// is certain and all lines are rows, the others are certain as well.
    fn settle_classes(&self, classes: &mut [Class<'_>]) -> Result<(), Unwritable> {
        if self.work.lines.iter().any(|line| line.trim_start().starts_with("```")) {
            // Prose about listings: its rows are kept, and the report names them.
            demote_all(classes);
            return Ok(());
        }
        for (at, class) in classes.iter_mut().enumerate() {
            let Class::Row(row, proof) = *class else { continue };
            if !self.file_has(at, &row) {
                continue;
            }
            let shown = row
                .number
                .zip(row.tag)
                .is_some_and(|(number, tag)| (self.site.shown)(&Anchor::new(number, tag)));
            if shown {
                return Err(own_form(at, &row, self.site.scheme));
            }
            let readings = show::readings(&self.work.lines[at]);
            let doubtful =
                proof > Proof::Form || readings.iter().any(|row| self.is_edited_copy(row));
            *class = if doubtful { Class::Row(row, Proof::Doubt) } else { Class::Plain };
        }
        let is_row = |class: &Class<'_>| matches!(class, Class::Row(..));
        let is_form = |class: &Class<'_>| matches!(class, Class::Row(_, Proof::Form));
        let filled = |class: &&Class<'_>| matches!(class, Class::Plain | Class::Row(..));
        let all = classes.iter().filter(filled).all(is_row);
        // The text of a new file is a listing as a whole, or not at all.
        if self.site.is_new_file(self.work) && !(all && have_one_form(classes)) {
            demote_all(classes);
        }
        let doubt = classes.iter().any(|class| matches!(class, Class::Row(_, Proof::Doubt)));
        let certain = classes
            .iter()
            .any(|class| matches!(class, Class::Row(_, proof) if *proof == Proof::Certain));
        if all && certain && !doubt {
            for class in classes.iter_mut() {
                if let Class::Row(_, proof) = class {
                    *proof = Proof::Certain;
                }
            }
        } else if !all || doubt || classes.iter().any(is_form) {
            demote(classes, |row| row.tag.is_none());
        }
        Ok(())
    }

    /// Whether the file has lines of its own that look like this row of the text.
    fn file_has(&self, at: usize, row: &PrintedRow<'_>) -> bool {
        let form = |line: &str, row: &PrintedRow<'_>| {
            let separator = row.tag.is_none().then(|| separator(line, row));
            (row.number.is_some(), row.tag.is_some(), separator)
        };
        let wanted = form(&self.work.lines[at], row);
        self.site.document.lines().any(|line| {
            show::readings(line.content).iter().any(|own| form(line.content, own) == wanted)
        })
    }

    /// Whether it is an empty row behind the end of the file, as some tools print.
    fn is_phantom(&self, row: &PrintedRow<'_>) -> bool {
        row.content.is_empty()
            && self.work.lines.len() > 1
            && !self.site.is_new_file(self.work)
            && row.number.is_some_and(|number| number.index() >= self.site.document.len())
    }

    /// The file text that a row stood for, and whether that is doubtful.
    fn content_of(&self, at: usize, row: &PrintedRow<'_>) -> Result<(String, bool), Unwritable> {
        if row.cut {
            return Err(cut(at, row.number.map(LineNumber::index)));
        }
        let Some(number) = row.number else {
            if let Some(own) = row.tag.and_then(|tag| self.copied(tag, row)) {
                return Ok((own.to_owned(), false));
            }
            let text = unescape(at, row.content, &self.lines_with_tag_of(row))?;
            let unknown = row.escaped && self.site.is_new_file(self.work);
            let doubt = unknown || self.is_escape_doubtful(&text);
            return Ok((text, doubt));
        };
        let Some(own) = self.site.document.content(number) else {
            return Ok((row.content.to_owned(), row.escaped));
        };
        if show::content(own) == row.content {
            return Ok((own.to_owned(), false));
        }
        let text = if self.is_spaced(row, number) { &row.content[1..] } else { row.content };
        Ok((unescape(at, text, &[(number.index(), own)])?, false))
    }

    /// The text of a line that is no row, and whether it looks printed nevertheless.
    fn plain(&self, at: usize, line: &str) -> Result<(String, bool), Unwritable> {
        if let Some(characters) = show::cut_length(line) {
            let long = |own: &str| own.chars().count() == characters;
            let index = self.site.document.lines().position(|own| long(own.content));
            return match index {
                Some(index) => Err(cut(at, Some(index))),
                None => Ok((line.to_owned(), true)),
            };
        }
        let better = unescape(at, line, &self.old())?;
        let doubt = if better == line {
            self.is_escape_doubtful(line)
        } else {
            // It is doubtful if another line of the file holds the letters of the escape.
            let meant = show::escapes(line);
            let letters = |own: &str| show::escapes(own).iter().any(|c| meant.contains(c));
            self.site.document.lines().any(|own| letters(own.content))
        };
        Ok((better, doubt))
    }

    /// The lines that have the tag of a row; if there are none, the lines that are replaced.
    fn lines_with_tag_of(&self, row: &PrintedRow<'_>) -> Vec<(usize, &str)> {
        let lines = self.site.document.lines().map(|line| line.content).enumerate();
        let has_tag = |index| row.tag.is_some_and(|tag| (self.site.tags)(index).contains(&tag));
        let named: Vec<_> = lines.filter(|(index, _)| has_tag(*index)).collect();
        if named.is_empty() { self.old() } else { named }
    }

    /// Whether an escape in a text may stand for a control character that the file holds elsewhere.
    fn is_escape_doubtful(&self, text: &str) -> bool {
        let held = |c: &char| self.site.document.lines().any(|line| line.content.contains(*c));
        show::escapes(text).iter().any(held)
    }

    fn old(&self) -> Vec<(usize, &str)> {
        let span = self.work.span;
        (span.start()..span.end()).map(|index| (index, self.site.content(index))).collect()
    }
}

/// The separator between the number or tag of a row and its content.
fn separator(line: &str, row: &PrintedRow<'_>) -> u8 {
    line.as_bytes()[line.len() - row.content.len() - 1]
}

/// Whether all rows have the same parts, like the rows of one read.
fn have_one_form(classes: &[Class<'_>]) -> bool {
    let form = |class: &Class<'_>| match class {
        Class::Row(row, _) => Some((row.number.is_some(), row.tag.is_some())),
        _ => None,
    };
    let mut forms = classes.iter().filter_map(form);
    let first = forms.next();
    forms.all(|form| Some(form) == first)
}

/// Makes all rows doubtful.
fn demote_all(classes: &mut [Class<'_>]) {
    for class in classes {
        if let Class::Row(_, proof) = class {
            *proof = Proof::Doubt;
        }
    }
}

/// Lets those of `which` count by their form only, unless they are certain.
fn demote(classes: &mut [Class<'_>], which: impl Fn(&PrintedRow<'_>) -> bool) {
    for class in classes {
        if let Class::Row(row, proof) = class
            && *proof < Proof::Certain
            && which(row)
        {
            *proof = Proof::Form;
        }
    }
}

/// Turns escapes in a text back into control characters, if the lines it is written for hold these.
fn unescape(at: usize, text: &str, old: &[(usize, &str)]) -> Result<String, Unwritable> {
    let escapes = show::escapes(text);
    let held = |c: char| old.iter().any(|(_, line)| line.contains(c));
    let meant: Vec<char> = escapes.into_iter().filter(|c| held(*c)).collect();
    if meant.is_empty() {
        return Ok(text.to_owned());
    }
    let letters = |line: &str| show::escapes(line).iter().any(|c| meant.contains(c));
    if let Some((index, _)) = old.iter().find(|(_, line)| letters(line)) {
        return Err(Unwritable {
            reason: format!(
                "line {} of the text holds an escape like `\\x1b`, and line {} of the file holds both the \
                 control character and those letters: use replace with an old_text beside it",
                at + 1,
                index + 1
            ),
            look_at: Some(*index),
        });
    }
    Ok(show::unescape(text, |c| meant.contains(&c)))
}

/// How many characters two texts share at their start.
fn common_prefix(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}
