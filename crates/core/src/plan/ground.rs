//! What repairs may know about the file whose text they repair.

use super::doubtful::FirstColumn;
use super::follow::IndentChange;
use super::repair::{self, Repair, RepairedWork, Site, Unrepairable, Work};
use super::replace::{self, Asked, Replacement, Unreplaced};
use super::substring::Missed;
use super::warn::{Warning, WarningCode};
use super::{Before, Made, Plan, Refusal, RefusalCode, Settings, tag_at};
use crate::patch::{Change, Op};
use crate::show::count;
use hashline_text::{Anchor, Document, LineNumber, Span, Tag};

/// A file, what was shown of it, and what may be repaired.
pub(super) struct Ground<'a> {
    /// The file and what was shown of it.
    pub before: &'a Before,
    /// The file's text; empty for a new file.
    pub document: &'a Document,
    /// What may be done beyond the letter of the patch.
    pub settings: Settings,
}

impl Ground<'_> {
    /// Repairs the text of a change, or says why it cannot be written.
    pub(super) fn repair(
        &self,
        anchor: Option<(usize, bool)>,
        indents: &[IndentChange],
        work: Work,
    ) -> Result<RepairedWork, Unrepairable> {
        let repairs = self.settings.repairs;
        self.with_site(anchor, indents, |site| repair::repair(site, work, repairs))
    }

    /// The lines of a text without copied tags and other printed parts, as far as these are
    /// certain.
    pub(super) fn bare(&self, span: Span, lines: &[String]) -> Vec<String> {
        let only = repair::Repairs::only(self.settings.repairs, &[Repair::StripPrefix]);
        let work = Work { span, lines: lines.to_vec() };
        let done = self.with_site(None, &[], |site| repair::repair(site, work, only));
        done.map_or_else(|_| lines.to_vec(), |done| done.work.lines)
    }

    /// Does a `replace`, only within these lines if some are given, or says why it cannot be done.
    pub(super) fn replace(
        &self,
        index: usize,
        op: &Op,
        within: Option<Span>,
    ) -> Result<Replacement, Box<Refusal>> {
        let repairs = if op.exact { repair::Repairs::NONE } else { self.settings.repairs };
        let Change::Replace { old, new, all, .. } = &op.change else {
            return Ok(Replacement::default());
        };
        let asked = Asked { old, new, all: *all, within };
        self.with_site(None, &[], |site| replace::replace(site, asked, repairs))
            .map_err(|unreplaced| Box::new(self.refuse_replace(index, unreplaced)))
    }

    fn with_site<R>(
        &self,
        anchor: Option<(usize, bool)>,
        indents: &[IndentChange],
        work: impl FnOnce(&Site<'_>) -> R,
    ) -> R {
        let versions = || self.before.versions.iter();
        let shown = |anchor: &Anchor| versions().any(|version| version.recall(anchor).is_some());
        let scheme = self.settings.scheme;
        let tags = |index: usize| -> Vec<Tag> {
            let line = LineNumber::at(index);
            let now = self.document.content(line).map(|_| tag_at(self.document, index, scheme));
            now.into_iter().chain(versions().filter_map(|version| version.tag(line))).collect()
        };
        work(&Site {
            path: &self.before.path,
            document: self.document,
            anchor,
            scheme,
            shown: &shown,
            tags: &tags,
            prose: is_prose(&self.before.path),
            markup: is_markup(&self.before.path),
            indents,
        })
    }

    /// Refuses a text that cannot be written.
    pub(super) fn refuse(&self, op: usize, unwritable: repair::Unwritable) -> Refusal {
        let path = &self.before.path;
        let look_at = unwritable.look_at.filter(|at| *at < self.document.len());
        Refusal {
            look_at: look_at.map(one_line).into_iter().collect(),
            ..Refusal::new(op, RefusalCode::PrintedText, path, unwritable.reason)
        }
    }

    fn refuse_replace(&self, op: usize, unreplaced: Unreplaced) -> Refusal {
        let path = &self.before.path;
        match unreplaced {
            Unreplaced::Unwritable(unwritable) => self.refuse(op, unwritable),
            Unreplaced::NoOldText => {
                let reason = format!(
                    "old_text is empty, and `{path}` is not: give the text to be replaced, or use insert_after \
                     with anchor \"end\""
                );
                Refusal::new(op, RefusalCode::BadPatch, path, reason)
            }
            Unreplaced::Missed(Missed::Absent { similar }) => {
                let reason = format!(
                    "old_text does not occur in `{path}`: it must match letter by letter, white space included"
                );
                Refusal {
                    look_at: similar.into_iter().map(one_line).collect(),
                    ..Refusal::new(op, RefusalCode::NotFound, path, reason)
                }
            }
            Unreplaced::Missed(Missed::Outside { within, at }) => {
                let (first, last) = (within.start() + 1, within.end());
                let lines = match last {
                    last if last > first => format!("lines {first} to {last}"),
                    _ => format!("line {first}"),
                };
                let elsewhere = match &at[..] {
                    [] => "white space must match, too".to_owned(),
                    at => format!("if {} is meant, give its anchor", places(at)),
                };
                let reason = format!("old_text does not occur in {lines} of `{path}`: {elsewhere}");
                let mut look_at: Vec<usize> = (within.start()..within.end()).take(3).collect();
                look_at.extend(at.iter().map(|(line, _)| *line).take(3));
                look_at.sort_unstable();
                look_at.dedup();
                Refusal {
                    look_at: look_at.into_iter().map(one_line).collect(),
                    ..Refusal::new(op, RefusalCode::NotFound, path, reason)
                }
            }
            Unreplaced::Missed(Missed::Repeated { at }) => {
                let reason = format!(
                    "old_text occurs {} times in `{path}`, on {}: give the `anchor` of the line meant, or more \
                     text around it",
                    at.len(),
                    places(&at)
                );
                let mut look_at: Vec<usize> = at.into_iter().map(|(line, _)| line).collect();
                look_at.dedup();
                look_at.truncate(3);
                let look_at = look_at.into_iter().map(one_line).collect();
                Refusal { look_at, ..Refusal::new(op, RefusalCode::NotUnique, path, reason) }
            }
        }
    }
}

/// The content of a new file: copied tags and other printed parts become the text they stood for.
pub(super) fn created(
    op: usize,
    content: &str,
    file: usize,
    before: &Before,
    settings: Settings,
    plan: &mut Plan,
) -> Result<String, Box<Refusal>> {
    // A file on one line with escaped line ends outside of quotes was escaped twice.
    let escaped = if content.contains('\n') { None } else { Some(Repair::Unescape) };
    let these: Vec<Repair> = escaped.into_iter().chain([Repair::StripPrefix]).collect();
    let only = repair::Repairs::only(settings.repairs, &these);
    let document = Document::from_text("");
    let settings = Settings { repairs: only, ..settings };
    let lines = content.split('\n').map(str::to_owned).collect();
    let ground = Ground { before, document: &document, settings };
    let work = Work { span: Span::after(0), lines };
    let repaired = ground.repair(None, &[], work).map_err(|unrepairable| match unrepairable {
        Unrepairable::Printed(text) => Box::new(ground.refuse(op, text)),
        Unrepairable::UnevenIndent => unreachable!("a new file has no indentation to follow"),
    })?;
    for what in repaired.made {
        plan.repaired.push(Made { op, file, line: LineNumber::FIRST, what });
    }
    let lines = &repaired.work.lines;
    plan.warnings.extend(doubted(op, file, &repaired.doubts, lines, 0));
    Ok(lines.join("\n"))
}

/// A warning about new lines that look like something we printed; it names the first of them.
pub(super) fn doubted(
    op: usize,
    file: usize,
    doubts: &[String],
    lines: &[String],
    start: usize,
) -> Option<Warning> {
    // `lines` has the new lines only, so a doubtful line that the change keeps is not found in it.
    let new: Vec<usize> =
        doubts.iter().filter_map(|doubt| lines.iter().position(|line| line == doubt)).collect();
    let at = *new.first()?;
    let others = match new.len() - 1 {
        0 => String::new(),
        others => format!(", and so do {}", count(others, "other line")),
    };
    Some(Warning {
        code: WarningCode::LooksPrinted,
        op: Some(op),
        file,
        line: Some(LineNumber::at(start + at)),
        text: format!(
            "line {} looks like a printed row or a diff{others}; it was written as it is, delete what is not meant",
            start + at + 1
        ),
    })
}

fn one_line(index: usize) -> Span {
    Span::line(LineNumber::at(index))
}

/// `lines 1 and 3`, or `line 1, columns 1 and 9`.
fn places(at: &[(usize, usize)]) -> String {
    let first = at.first().map_or(0, |(line, _)| *line);
    if at.iter().all(|(line, _)| *line == first) {
        let columns = listed(at.iter().map(|(_, column)| *column));
        let s = if at.len() == 1 { "" } else { "s" };
        return format!("line {}, column{s} {columns}", first + 1);
    }
    let mut lines: Vec<usize> = at.iter().map(|(line, _)| line + 1).collect();
    lines.dedup();
    format!("lines {}", listed(lines.into_iter()))
}

/// `3, 7 and 12`, with the rest counted.
pub(super) fn listed(numbers: impl ExactSizeIterator<Item = usize>) -> String {
    const MAX: usize = 10;
    let all = numbers.len();
    let mut shown: Vec<String> = numbers.take(MAX).map(|number| number.to_string()).collect();
    if all > MAX {
        shown.push(format!("{} more", all - MAX));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// Whether a file is prose by its name.
pub(super) fn is_prose(path: &str) -> bool {
    matches!(
        extension(path).as_deref(),
        Some("md" | "markdown" | "mdx" | "txt" | "rst" | "adoc" | "org" | "tex")
    )
}

/// Whether a file is markup by its name.
pub(super) fn is_markup(path: &str) -> bool {
    matches!(
        extension(path).as_deref(),
        Some("html" | "htm" | "xhtml" | "xml" | "svg" | "xsl" | "rss")
    )
}

/// What the first column means in a file, by its name.
pub(super) fn first_column(path: &str) -> FirstColumn {
    match extension(path).as_deref() {
        Some("yml" | "yaml") => FirstColumn::Yaml,
        _ if is_prose(path) || is_markup(path) => FirstColumn::Free,
        _ => FirstColumn::Code,
    }
}

fn extension(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}
