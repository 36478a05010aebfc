//! Making the plan.

use super::files::{OnFile, gather};
use super::order::{self, PlacedChange};
use super::repair::{self, Site, Work};
use super::resolve::{Finder, LocatedLines, Lost};
use super::slip;
use super::stale::StaleFile;
use super::substring::{self, Missed, span};
use super::warn::{self, Warning, WarningCode};
use super::{
    Before, End, FilePlan, FileState, Hunk, Made, Now, OpTarget, Plan, Refusal, RefusalCode,
    Relocated, Settings,
};
use crate::anchor::Anchor;
use crate::patch::{Change, Op, Patch, Spot};
use crate::text::{Document, LineNumber, Span};

/// Resolves `patch` against the files as they are.
///
/// `targets` says for each operation which of `files` it means. Every reason to refuse is collected,
/// so that the reader can mend them all at once.
pub fn plan(
    patch: &Patch,
    targets: &[OpTarget],
    files: &[Before],
    settings: Settings,
) -> Result<Plan, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut plan = Plan { ops: patch.ops.len(), ..Plan::default() };
    for (file, on_file) in gather(&patch.ops, targets, files)? {
        let before = &files[file];
        let (mut hunks, mut twins) = (Vec::new(), Vec::new());
        let mut after = None;
        if let FileState::Text(document) = &before.state
            && !on_file.lines.is_empty()
        {
            let now = Now::new(document, settings.scheme);
            let editor = FileEditor {
                ops: &patch.ops,
                file,
                before,
                finder: Finder::new(&now, &before.versions, settings.relocation),
                now: &now,
                settings,
            };
            match editor.edit(&on_file, &mut plan) {
                Ok((document, changed)) => {
                    twins =
                        super::twins::twins(&editor.finder, &document, &changed, settings.scheme);
                    hunks = changed;
                    after = Some(document);
                }
                Err(more) => refusals.extend(more),
            }
        }
        let changed = after.filter(|after| Some(after) != before.document());
        let end = match on_file.whole.map(|op| &patch.ops[op].change) {
            Some(Change::AddFile { content, .. }) => {
                let same = before.document().is_some_and(|old| old.bytes() == content.as_bytes());
                if same { End::Kept } else { End::Created(content.clone()) }
            }
            Some(Change::MoveFile { .. }) => End::Moved {
                to: on_file
                    .whole
                    .and_then(|op| targets[op].to)
                    .expect("the session resolves where a move goes"),
                after: changed,
            },
            Some(_) => End::Deleted,
            None => changed.map_or(End::Kept, End::Changed),
        };
        plan.files.push(FilePlan { file, end, hunks, twins });
    }
    if refusals.is_empty() {
        Ok(plan)
    } else {
        refusals.sort_by_key(|refusal| refusal.op);
        Err(refusals)
    }
}

/// Everything needed to edit the lines of one file.
struct FileEditor<'a> {
    ops: &'a [Op],
    file: usize,
    before: &'a Before,
    now: &'a Now<'a>,
    finder: Finder<'a>,
    settings: Settings,
}

impl<'a> FileEditor<'a> {
    fn edit(
        &self,
        on_file: &OnFile,
        plan: &mut Plan,
    ) -> Result<(Document, Vec<Hunk>), Vec<Refusal>> {
        let mut drafts = Vec::new();
        let mut refusals = Vec::new();
        for op in &on_file.lines {
            match self.drafts(*op, plan) {
                Ok(more) => drafts.extend(more),
                Err(refusal) => refusals.push(*refusal),
            }
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        order::sort(&mut drafts).map_err(|overlap| {
            let reason = format!(
                "patch[{}] and patch[{}] change the same lines of `{}`: merge them into one operation",
                overlap.earlier, overlap.later, self.before.path
            );
            vec![Refusal {
                look_at: vec![Span::line(LineNumber::at(overlap.at))],
                ..Refusal::new(overlap.later, RefusalCode::Overlap, &self.before.path, reason)
            }]
        })?;
        let after = self.now.document.splice_all(&order::splices(&drafts));
        let hunks = hunks(&drafts);
        let prose = is_prose(&self.before.path);
        plan.warnings.extend(warn::look_over(
            self.file,
            self.now.document,
            &after,
            &drafts,
            &hunks,
            prose,
        ));
        for draft in drafts {
            let line = LineNumber::at(draft.span.start());
            plan.repaired.extend(draft.repaired.into_iter().map(|what| Made {
                op: draft.op,
                file: self.file,
                line,
                what,
            }));
        }
        Ok((after, hunks))
    }

    /// The changes that one operation asks for.
    fn drafts(&self, index: usize, plan: &mut Plan) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let op = &self.ops[index];
        let len = self.now.document.len();
        let (span, anchor, lines, found) = match &op.change {
            Change::SetLine { anchor, lines } => {
                let found = self.line(index, anchor, plan)?;
                if !op.exact
                    && let Some(meant) = slip::meant_instead(self.now, found.first, lines)
                {
                    return Err(self.stale().slip(index, anchor, found.first, meant));
                }
                self.note_deletion(index, lines, 1, found.first, plan);
                (found.span(), None, lines.clone(), Some((anchor, found)))
            }
            Change::ReplaceRange { start, end, lines } => {
                let found = self.range(index, start, end, plan)?;
                self.note_deletion(index, lines, found.span().len(), found.first, plan);
                (found.span(), None, lines.clone(), Some((start, found)))
            }
            Change::Delete { start, end } => {
                let found = match end {
                    Some(end) => self.range(index, start, end, plan)?,
                    None => self.line(index, start, plan)?,
                };
                (found.span(), None, Vec::new(), None)
            }
            Change::Insert { at, lines } => {
                let (place, anchor, found) = match at {
                    Spot::Start => (0, None, None),
                    Spot::End => (len, None, None),
                    Spot::Before(anchor) => {
                        let found = self.line(index, anchor, plan)?;
                        (found.first, Some((found.first, false)), Some((anchor, found)))
                    }
                    Spot::After(anchor) => {
                        let found = self.line(index, anchor, plan)?;
                        (found.first + 1, Some((found.first, true)), Some((anchor, found)))
                    }
                };
                (Span::after(place), anchor, lines.clone(), found)
            }
            Change::Replace { old, new, all } => return self.replace(index, old, new, *all),
            Change::AddFile { .. } | Change::MoveFile { .. } | Change::DeleteFile => {
                return Ok(Vec::new());
            }
        };
        let work = Work { span, lines };
        if op.exact {
            let Work { span, lines } = work;
            return Ok(vec![PlacedChange { op: index, span, lines, repaired: Vec::new() }]);
        }
        let shown = |anchor: &Anchor| {
            let mut versions = self.before.versions.iter();
            versions.any(|version| version.recall(anchor).is_some())
        };
        let site = Site {
            document: self.now.document,
            anchor,
            scheme: self.settings.scheme,
            shown: &shown,
            prose: is_prose(&self.before.path),
            markup: is_markup(&self.before.path),
            indents: found.as_ref().map_or(&[], |(_, found)| &found.indents),
        };
        let Ok((work, repaired)) = repair::repair(&site, work, self.settings.repairs) else {
            let (anchor, _) = found.expect("only an anchored text is carried over");
            return Err(self.stale().line(index, anchor, Lost::Indentation));
        };
        let Work { span, lines } = work;
        Ok(vec![PlacedChange { op: index, span, lines, repaired }])
    }

    fn replace(
        &self,
        index: usize,
        old: &str,
        new: &str,
        all: bool,
    ) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let path = &self.before.path;
        let rewrites = substring::rewrite(self.now.document, old, new, all).map_err(|missed| {
            let (code, reason, look_at) = match missed {
                Missed::Absent { similar } => {
                    let reason = format!(
                        "old_text does not occur in `{path}`: it must match letter by letter, white space included"
                    );
                    (RefusalCode::NotFound, reason, similar)
                }
                Missed::Repeated { at } => {
                    let reason = format!(
                        "old_text occurs {} times in `{path}`, on lines {}: add text around it until it is unique, \
                         or give \"all\": true",
                        at.len(),
                        numbers(&at)
                    );
                    (RefusalCode::NotUnique, reason, at.into_iter().take(3).collect())
                }
            };
            let look_at: Vec<usize> = look_at;
            Refusal {
                look_at: look_at.into_iter().map(|at| Span::line(LineNumber::at(at))).collect(),
                ..Refusal::new(index, code, path, reason)
            }
        })?;
        let draft = |rewrite: substring::LineRewrite| PlacedChange {
            op: index,
            span: rewrite.span,
            lines: rewrite.lines,
            repaired: Vec::new(),
        };
        Ok(rewrites.into_iter().map(draft).collect())
    }

    fn line(
        &self,
        op: usize,
        anchor: &Anchor,
        plan: &mut Plan,
    ) -> Result<LocatedLines, Box<Refusal>> {
        let found = self.finder.line(anchor).map_err(|lost| self.stale().line(op, anchor, lost))?;
        self.note_move(op, anchor, found.first, found.verified, plan);
        Ok(found)
    }

    fn range(
        &self,
        op: usize,
        start: &Anchor,
        end: &Anchor,
        plan: &mut Plan,
    ) -> Result<LocatedLines, Box<Refusal>> {
        let found = self
            .finder
            .range(start, end)
            .map_err(|lost| self.stale().range(op, start, end, lost))?;
        self.note_move(op, start, found.first, found.verified, plan);
        self.note_move(op, end, found.last, found.verified, plan);
        let unseen = self.finder.unseen(start, end);
        if unseen > 0 {
            plan.warnings.push(Warning {
                code: WarningCode::UnseenLines,
                op: Some(op),
                file: self.file,
                line: None,
                text: format!("{unseen} of the lines that patch[{op}] took away were never shown"),
            });
        }
        Ok(found)
    }

    fn note_move(&self, op: usize, anchor: &Anchor, at: usize, verified: bool, plan: &mut Plan) {
        if at != anchor.line.index() {
            plan.relocated.push(Relocated {
                op,
                file: self.file,
                anchor: anchor.clone(),
                to: LineNumber::at(at),
                verified,
            });
        } else if !verified {
            plan.warnings.push(Warning {
                code: WarningCode::Unverified,
                op: Some(op),
                file: self.file,
                line: None,
                text: format!(
                    "{} was not shown in this session: its tag fits, that is all we know (unverified)",
                    anchor.print(self.settings.scheme)
                ),
            });
        }
    }

    fn note_deletion(&self, op: usize, lines: &[String], count: usize, at: usize, plan: &mut Plan) {
        if lines.is_empty() {
            let lines = if count == 1 { "line" } else { "lines" };
            plan.warnings.push(Warning {
                code: WarningCode::EmptyText,
                op: Some(op),
                file: self.file,
                line: None,
                text: format!(
                    "the empty text of patch[{op}] deleted {count} {lines} from line {}; a blank line is \"\\n\"",
                    at + 1
                ),
            });
        }
    }

    fn stale(&self) -> StaleFile<'_, 'a> {
        StaleFile {
            before: self.before,
            now: self.now,
            finder: &self.finder,
            scheme: self.settings.scheme,
        }
    }
}

/// Where each change lies in the old and in the new document.
fn hunks(drafts: &[PlacedChange]) -> Vec<Hunk> {
    let mut removed = 0;
    let mut added = 0;
    drafts
        .iter()
        .map(|draft| {
            let start = draft.span.start() - removed + added;
            removed += draft.span.len();
            added += draft.lines.len();
            Hunk { before: draft.span, after: span(start, start + draft.lines.len()) }
        })
        .collect()
}

/// Whether a file is prose by its name.
fn is_prose(path: &str) -> bool {
    matches!(
        extension(path).as_deref(),
        Some("md" | "markdown" | "mdx" | "txt" | "rst" | "adoc" | "org" | "tex")
    )
}

/// Whether a file is markup by its name.
fn is_markup(path: &str) -> bool {
    matches!(
        extension(path).as_deref(),
        Some("html" | "htm" | "xhtml" | "xml" | "svg" | "xsl" | "rss")
    )
}

fn extension(path: &str) -> Option<String> {
    path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
}

/// `3, 7 and 12`, with the rest counted.
fn numbers(at: &[usize]) -> String {
    const MOST: usize = 10;
    let mut shown: Vec<String> = at.iter().take(MOST).map(|at| (at + 1).to_string()).collect();
    if at.len() > MOST {
        shown.push(format!("{} more", at.len() - MOST));
    }
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
