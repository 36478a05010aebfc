//! Making the plan: each operation is resolved against its file, or refused.

use std::collections::BTreeMap;

use super::files::{OnFile, sort_by_file};
use super::ground::{Ground, created, doubted, first_column, is_prose, listed};
use super::hunk::{self, HunkPlace};
use super::order::{self, PlacedChange};
use super::repair::{RepairedWork, Unrepairable, Work};
use super::resolve::{Finder, LocatedLines, Lost};
use super::stale::StaleFile;
use super::substring::{LineRewrite, span};
use super::transfer::{self, Transfers};
use super::warn::{self, Warning, WarningCode};
use super::written::{Meaning, Unclear};
use super::{
    Before, Brought, End, FilePlan, FileState, Hunk, Made, Now, OpTarget, Plan, Refusal,
    RefusalCode, Relocated, Settings, doubtful, repeated, sight, slip,
};
use crate::patch::{Change, Op, Patch, Spot, lines_of};
use hashline_text::{Anchor, Document, LineNumber, Span, Unheld, Unwritable, WrittenAnchor};

/// Resolves `patch` against the files as they are.
///
/// `targets` says for each operation which of `files` it means. Every reason to refuse is
/// collected, so that the model can correct them all at once.
pub fn plan(
    patch: &Patch,
    targets: &[OpTarget],
    files: &[Before],
    settings: Settings,
) -> Result<Plan, Vec<Refusal>> {
    let (left_out, warnings) = repeated::find(patch, targets);
    let (on_files, mut refusals) = sort_by_file(&patch.ops, &left_out, targets, files);
    let ops = left_out.iter().filter(|left_out| !**left_out).count();
    let mut plan = Plan { warnings, ops, ..Plan::default() };
    if let Some(path) = &patch.assumed_path {
        plan.warnings.push(assumed_warning(path, targets, files));
    }
    if !patch.ignored.is_empty() {
        let (code, file) = (WarningCode::IgnoredField, targets.first().map_or(0, |to| to.file));
        let text = format!("`{}` left out: no field of a patch", patch.ignored.join("`, `"));
        plan.warnings.push(Warning { code, op: None, file, line: None, text });
    }
    let transferred = |op: &usize| matches!(patch.ops[*op].change, Change::Transfer { .. });
    let sources = (0..patch.ops.len()).filter(transferred).map(|op| targets[op].file);
    let edited = on_files.iter().filter(|(_, on_file)| !on_file.lines.is_empty());
    let nothing = Document::from_text("");
    let nows: BTreeMap<usize, Now> = sources
        .chain(edited.map(|(file, _)| *file))
        .map(|file| {
            let document = files[file].document().unwrap_or(&nothing);
            (file, Now::new(document, settings.scheme))
        })
        .collect();
    let editor = |file, now| FileEditor::new(patch, targets, file, files, now, settings);
    let editors: BTreeMap<usize, FileEditor> =
        nows.iter().map(|(file, now)| (*file, editor(*file, now))).collect();
    let transfers = transfer::find(&editors, &left_out, &mut plan, &mut refusals);
    for (file, on_file) in on_files {
        let before = &files[file];
        let (mut hunks, mut brought, mut twins) = (Vec::new(), Vec::new(), Vec::new());
        let mut after = None;
        if let Some(editor) = editors.get(&file)
            && !on_file.lines.is_empty()
        {
            match editor.edit(&on_file, &transfers, &mut plan) {
                Ok(edited) => {
                    let (finder, scheme) = (&editor.finder, settings.scheme);
                    twins = super::twins::twins(finder, &edited.after, &edited.hunks, scheme);
                    (hunks, brought) = (edited.hunks, edited.brought);
                    after = Some(edited.after);
                }
                Err(more) => refusals.extend(more),
            }
        }
        let changed = after.filter(|after| Some(after) != before.document());
        let end = match on_file.whole.map(|op| &patch.ops[op].change) {
            Some(Change::AddFile { content, .. }) => {
                let op = on_file.whole.expect("an operation makes the file");
                let exact = patch.ops[op].exact;
                match add_file(op, content, exact, file, before, settings, &mut plan) {
                    Ok(end) => end,
                    Err(refusal) => {
                        refusals.push(*refusal);
                        continue;
                    }
                }
            }
            Some(Change::MoveFile { .. }) => End::Moved {
                to: on_file
                    .whole
                    .and_then(|op| targets[op].to)
                    .expect("the session resolves where a move goes"),
                after: changed,
            },
            Some(_) => End::Deleted,
            None => match changed {
                None => End::Kept,
                Some(made) if before.document().is_none() => {
                    match Document::encoded(made.text(), before.encoding) {
                        Ok(made) => End::Created(made),
                        Err(bad) => {
                            refusals.push(refuse_unencodable(on_file.lines[0], before, bad));
                            continue;
                        }
                    }
                }
                Some(changed) => End::Changed(changed),
            },
        };
        if let (Some(op), End::Created(_) | End::Deleted) = (on_file.whole, &end)
            && !matches!(before.state, FileState::Missing)
        {
            match sight::check_file(op, file, before) {
                Ok(warning) => plan.warnings.extend(warning),
                Err(refusal) => refusals.push(*refusal),
            }
        }
        plan.files.push(FilePlan { file, end, hunks, brought, twins });
    }
    if refusals.is_empty() { Ok(plan) } else { Err(Refusal::one_per_op(refusals)) }
}

/// What becomes of a file that an operation creates.
fn add_file(
    op: usize,
    content: &str,
    exact: bool,
    file: usize,
    before: &Before,
    settings: Settings,
    plan: &mut Plan,
) -> Result<End, Box<Refusal>> {
    let content = if exact {
        content.to_owned()
    } else {
        created(op, content, file, before, settings, plan)?
    };
    let after = Document::encoded(&content, before.encoding)
        .map_err(|bad| Box::new(refuse_unencodable(op, before, bad)))?;
    let is_same = before.document().is_some_and(|old| old.bytes() == after.bytes());
    Ok(if is_same { End::Kept } else { End::Created(after) })
}

/// Refuses a text with a character that the file's encoding does not have.
fn refuse_unencodable(op: usize, before: &Before, bad: Unwritable) -> Refusal {
    let Unheld { character, before: column } = bad.unheld;
    let printed = if character.is_control() { String::new() } else { format!("`{character}`, ") };
    let reason = format!(
        "line {} of the text of patch[{op}] holds {printed}U+{:04X}, at column {}, and `{}` is {} text, which has no \
         such character: write it another way",
        bad.line + 1,
        u32::from(character),
        column + 1,
        before.path,
        before.encoding.name()
    );
    Refusal::new(op, RefusalCode::Unencodable, &before.path, reason)
}

/// One span for each of these zero-based lines, for a refusal to show.
fn one_line_spans(lines: Vec<usize>) -> Vec<Span> {
    lines.into_iter().map(|at| Span::line(LineNumber::at(at))).collect()
}

/// Warns that the patch named no file, and says which one was assumed.
fn assumed_warning(path: &str, targets: &[OpTarget], files: &[Before]) -> Warning {
    let file = targets.iter().map(|target| target.file).find(|file| files[*file].path == path);
    Warning {
        code: WarningCode::AssumedPath,
        op: None,
        file: file.unwrap_or_default(),
        line: None,
        text: format!("no path was given: `{path}` was taken, the only file that was shown"),
    }
}

/// Everything needed to edit the lines of one file.
pub(super) struct FileEditor<'a> {
    pub(super) ops: &'a [Op],
    /// The indexes of operations without an `op`.
    unnamed: &'a [usize],
    pub(super) targets: &'a [OpTarget],
    pub(super) file: usize,
    pub(super) before: &'a Before,
    pub(super) now: &'a Now<'a>,
    pub(super) finder: Finder<'a>,
    settings: Settings,
}

/// A file after its operations.
struct Edited {
    after: Document,
    hunks: Vec<Hunk>,
    brought: Vec<Brought>,
}

/// A place between two lines of the file.
pub(super) struct Place {
    /// How many lines are above the place.
    pub(super) at: usize,
    /// The zero-based line that the anchor means, and whether the place is after that line.
    beside: Option<(usize, bool)>,
    found: Option<(Anchor, LocatedLines)>,
}

impl<'a> FileEditor<'a> {
    fn new(
        patch: &'a Patch,
        targets: &'a [OpTarget],
        file: usize,
        files: &'a [Before],
        now: &'a Now<'a>,
        settings: Settings,
    ) -> Self {
        let before = &files[file];
        let finder = Finder::new(now, &before.versions, settings.relocation)
            .with_shifts_reported(settings.shifts_reported);
        Self {
            ops: &patch.ops,
            unnamed: &patch.unnamed,
            targets,
            file,
            before,
            now,
            finder,
            settings,
        }
    }

    fn edit(
        &self,
        on_file: &OnFile,
        transfers: &Transfers,
        plan: &mut Plan,
    ) -> Result<Edited, Vec<Refusal>> {
        let mut drafts = Vec::new();
        let mut refusals = Vec::new();
        if let Some(refusal) = self.stale().in_other_encoding(on_file.lines[0]) {
            return Err(vec![refusal]);
        }
        for op in &on_file.lines {
            let more = match &self.ops[*op].change {
                Change::Transfer { .. } => self.transfer(*op, transfers, plan),
                _ => self.drafts(*op, plan),
            };
            match more {
                Ok(more) => drafts.extend(more),
                Err(refusal) => refusals.push(*refusal),
            }
        }
        if !refusals.is_empty() {
            return Err(refusals);
        }
        let is_before = |op: usize| {
            let before = |at: &Spot| matches!(at, Spot::Before(_) | Spot::End);
            let (Change::Insert { at, .. } | Change::Transfer { at, .. }) = &self.ops[op].change
            else {
                return false;
            };
            before(at)
        };
        order::sort(&mut drafts, is_before).map_err(|overlap| {
            let transfers = |op: usize| matches!(self.ops[op].change, Change::Transfer { .. });
            let next = if transfers(overlap.earlier) || transfers(overlap.later) {
                "do one of them in another call"
            } else {
                "merge them into one operation"
            };
            let reason = format!(
                "patch[{}] and patch[{}] change the same lines of `{}`: {next}",
                overlap.earlier, overlap.later, self.before.path
            );
            vec![Refusal {
                look_at: vec![Span::line(LineNumber::at(overlap.at))],
                ..Refusal::new(overlap.later, RefusalCode::Overlap, &self.before.path, reason)
            }]
        })?;
        let spliced = transfer::in_empty(self.now.document, &drafts, transfers)
            .unwrap_or_else(|| self.now.document.splice_all(&order::splices(&drafts)));
        let mut after = spliced
            .map_err(|bad| vec![refuse_unencodable(drafts[bad.splice].op, self.before, bad)])?;
        if self.now.document.is_empty() && drafts.last().is_some_and(|last| self.is_open(last.op)) {
            after = after.without_final_newline();
        }
        let hunks = hunks(&drafts);
        let prose = is_prose(&self.before.path);
        plan.warnings
            .extend(warn::look_over(self.file, self.now.document, &after, &drafts, &hunks, prose));
        for (draft, hunk) in drafts.iter().zip(&hunks) {
            let start = hunk.after.start();
            plan.warnings.extend(doubted(draft.op, self.file, &draft.doubts, &draft.lines, start));
            plan.warnings.extend(self.slip_warnings(draft, hunk));
        }
        let brought = drafts.iter().zip(&hunks).filter_map(|(draft, hunk)| {
            let unseen = draft.transferred.as_ref().filter(|_| !hunk.after.is_empty())?;
            let unseen = unseen.iter().map(|at| hunk.after.start() + at).collect();
            Some(Brought { lines: hunk.after, unseen })
        });
        let brought = brought.collect();
        for draft in drafts {
            let line = LineNumber::at(draft.span.start());
            plan.repaired.extend(draft.repaired.into_iter().map(|what| Made {
                op: draft.op,
                file: self.file,
                line,
                what,
            }));
        }
        Ok(Edited { after, hunks, brought })
    }

    /// Whether the text of an operation ends without a newline, and an empty file then does too.
    fn is_open(&self, op: usize) -> bool {
        match &self.ops[op].change {
            Change::Replace { new, .. } => !new.ends_with('\n'),
            _ => self.ops[op].open,
        }
    }

    /// Warnings about signs that a change is a slip; none if the operation is `exact`.
    fn slip_warnings(&self, draft: &PlacedChange, hunk: &Hunk) -> Vec<Warning> {
        let op = &self.ops[draft.op];
        if op.exact || draft.transferred.is_some() {
            return Vec::new();
        }
        let anchored = match &op.change {
            Change::SetLine { .. } | Change::ReplaceRange { .. } => true,
            Change::Insert { at, .. } => matches!(at, Spot::Before(_) | Spot::After(_)),
            _ => false,
        };
        let kind = first_column(&self.before.path);
        doubtful::doubts(self.now.document, draft, hunk, anchored, kind)
            .into_iter()
            .map(|doubt| Warning {
                code: doubt.code,
                op: Some(draft.op),
                file: self.file,
                line: Some(LineNumber::at(doubt.line)),
                text: doubt.text,
            })
            .collect()
    }

    /// The changes that one operation asks for.
    fn drafts(&self, index: usize, plan: &mut Plan) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let op = &self.ops[index];
        let (span, anchor, lines, found) = match &op.change {
            // In an empty file there is no line to replace: the text is inserted.
            Change::SetLine { anchor, lines }
                if self.now.document.is_empty()
                    && matches!(self.anchor(index, anchor, true, plan), Ok(None)) =>
            {
                (Span::after(0), None, lines.clone(), None)
            }
            Change::SetLine { anchor, lines } => {
                let [anchor, _] = self.anchors(index, [anchor, anchor], plan)?;
                let found = self.line(index, &anchor, plan)?;
                self.check_sight(index, [&anchor, &anchor], &found, plan)?;
                if !op.exact
                    && let bare = self.ground().bare(found.span(), lines)
                    && let Some(meant) = slip::meant_instead(self.now, found.first, &bare)
                {
                    return Err(self.stale().slip(index, &anchor, found.first, meant));
                }
                if self.unnamed.contains(&index)
                    && warn::is_unlike(self.now.content(found.first), lines)
                {
                    return Err(self.refuse_unnamed(index, found.first));
                }
                self.note_deletion(index, lines, 1, found.first, plan);
                (found.span(), None, lines.clone(), Some((anchor, found)))
            }
            Change::ReplaceRange { start, end, lines } => {
                let [start, end] = self.anchors(index, [start, end], plan)?;
                let found = self.range(index, &start, &end, plan)?;
                self.note_deletion(index, lines, found.span().len(), found.first, plan);
                (found.span(), None, lines.clone(), Some((start, found)))
            }
            Change::Delete { start, end } => {
                let [start, end] =
                    self.anchors(index, [start, end.as_ref().unwrap_or(start)], plan)?;
                let found = self.range(index, &start, &end, plan)?;
                (found.span(), None, Vec::new(), None)
            }
            Change::Insert { at, lines } => {
                let place = self.place(index, at, plan)?;
                (Span::after(place.at), place.beside, lines.clone(), place.found)
            }
            Change::Hunk { old, new } => return self.hunk(index, old, new),
            Change::Replace { old, new, within, .. } => {
                match self.within(index, within.as_ref(), plan)? {
                    Some((anchor, found)) if self.is_whole_line(&found, old, new) => {
                        (found.span(), None, lines_of(new), Some((anchor, found)))
                    }
                    found => return self.replace(index, found.map(|(_, found)| found.span())),
                }
            }
            Change::Transfer { .. }
            | Change::AddFile { .. }
            | Change::MoveFile { .. }
            | Change::DeleteFile => return Ok(Vec::new()),
        };
        let work = Work { span, lines };
        if op.exact {
            return Ok(vec![PlacedChange::plain(index, work.span, work.lines)]);
        }
        let indents = found.as_ref().map_or(&[][..], |(_, found)| &found.indents);
        match self.ground().repair(anchor, indents, work) {
            Ok(RepairedWork { work: Work { span, lines }, made, doubts }) => {
                let change = PlacedChange::plain(index, span, lines);
                Ok(vec![PlacedChange { repaired: made, doubts, ..change }])
            }
            Err(Unrepairable::Printed(text)) => Err(Box::new(self.ground().refuse(index, text))),
            Err(Unrepairable::UnevenIndent) => {
                let (anchor, _) = found.expect("only an anchored text is carried over");
                Err(self.stale().refuse_line(index, &anchor, Lost::Indentation))
            }
        }
    }

    /// Refuses an operation without `op` whose text may replace the line or be added below it.
    fn refuse_unnamed(&self, op: usize, at: usize) -> Box<Refusal> {
        let path = &self.before.path;
        let line = at + 1;
        let reason = format!(
            "patch[{op}] has no `op`, and its text is unlike line {line} of `{path}`: \
             \"set_line\" replaces that line, \"insert_after\" adds the text below it"
        );
        let refusal = Refusal::new(op, RefusalCode::BadPatch, path, reason);
        Box::new(Refusal { look_at: one_line_spans(vec![at]), ..refusal })
    }

    /// Where an operation puts lines.
    pub(super) fn place(
        &self,
        op: usize,
        spot: &Spot,
        plan: &mut Plan,
    ) -> Result<Place, Box<Refusal>> {
        let bare = |at| Place { at, beside: None, found: None };
        let end = self.now.document.len();
        let (written, after) = match spot {
            Spot::Start => return Ok(bare(0)),
            Spot::End => return Ok(bare(end)),
            Spot::Before(anchor) => (anchor, false),
            Spot::After(anchor) => (anchor, true),
        };
        let Some(anchor) = self.anchor(op, written, true, plan)? else { return Ok(bare(end)) };
        let found = self.line(op, &anchor, plan)?;
        let line = found.first;
        let at = line + usize::from(after);
        Ok(Place { at, beside: Some((line, after)), found: Some((anchor, found)) })
    }

    fn ground(&self) -> Ground<'_> {
        Ground { before: self.before, document: self.now.document, settings: self.settings }
    }

    /// The lines in which the old text of a `replace` must occur.
    fn within(
        &self,
        op: usize,
        within: Option<&(WrittenAnchor, WrittenAnchor)>,
        plan: &mut Plan,
    ) -> Result<Option<(Anchor, LocatedLines)>, Box<Refusal>> {
        let Some((start, end)) = within else { return Ok(None) };
        // A number alone proves nothing, but it may agree with a text that occurs once.
        if start == end
            && let Err(Unclear::NumberOnly(line)) = self.finder.read(start, false)
            && self.replace(op, None).is_ok_and(|drafts| {
                let changed = |draft: &PlacedChange| draft.span.start()..draft.span.end();
                matches!(&drafts[..], [draft] if changed(draft).contains(&line.index()))
            })
        {
            return Ok(None);
        }
        let ([start, _], found) = self.located(op, [start, end], plan)?;
        Ok(Some((start, found)))
    }

    /// The lines from one anchor to another, whatever was shown between them.
    pub(super) fn located(
        &self,
        op: usize,
        ends: [&WrittenAnchor; 2],
        plan: &mut Plan,
    ) -> Result<([Anchor; 2], LocatedLines), Box<Refusal>> {
        let [start, end] = self.anchors(op, ends, plan)?;
        let found = self.finder.range(&start, &end);
        let found = found.map_err(|lost| self.stale().refuse_range(op, &start, &end, lost))?;
        self.note_move(op, &start, found.first, found.verified, plan);
        if start != end {
            self.note_move(op, &end, found.last, found.verified, plan);
        }
        Ok(([start, end], found))
    }

    /// Whether the old text is one whole line, given without its indentation.
    fn is_whole_line(&self, found: &LocatedLines, old: &str, new: &str) -> bool {
        let line = self.now.content(found.first);
        found.first == found.last
            && old.trim() == line.trim()
            && old.trim_end_matches(['\r', '\n']) != line
            && !new.trim().is_empty()
    }

    /// The changes that a `replace` asks for, only within these lines if some are given.
    fn replace(
        &self,
        index: usize,
        within: Option<Span>,
    ) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let done = self.ground().replace(index, &self.ops[index], within)?;
        let (mut made, mut doubts) = (done.made, done.doubts);
        let draft = |rewrite: LineRewrite| PlacedChange {
            // A repair is reported once, however often the text occurs.
            repaired: std::mem::take(&mut made),
            doubts: std::mem::take(&mut doubts),
            ..PlacedChange::plain(index, rewrite.span, rewrite.lines)
        };
        Ok(done.rewrites.into_iter().map(draft).collect())
    }

    /// The change that a hunk of a diff asks for; the hunk names its lines by their text.
    fn hunk(
        &self,
        index: usize,
        old: &[String],
        new: &[String],
    ) -> Result<Vec<PlacedChange>, Box<Refusal>> {
        let path = &self.before.path;
        let (code, reason, look_at) = match hunk::find(self.now, old, new) {
            HunkPlace::Once { first, gone, lines } => {
                let span = span(first, first + gone);
                return Ok(vec![PlacedChange::plain(index, span, lines)]);
            }
            HunkPlace::Nowhere(alike) => {
                let reason = format!(
                    "the lines of patch[{index}] (` ` and `-`) do not occur in `{path}` side by side, letter by letter"
                );
                (RefusalCode::NotFound, reason, alike)
            }
            HunkPlace::Several(places) => {
                let reason = format!(
                    "the lines of patch[{index}] (` ` and `-`) occur {} times in `{path}`, from lines {}: add lines of context",
                    places.len(),
                    listed(places.iter().map(|at| at + 1))
                );
                (RefusalCode::NotUnique, reason, places.into_iter().take(3).collect())
            }
        };
        let look_at = one_line_spans(look_at);
        Err(Box::new(Refusal { look_at, ..Refusal::new(index, code, path, reason) }))
    }

    /// The anchor that was meant; `None` for the end of the file, which only an insert may mean.
    fn anchor(
        &self,
        op: usize,
        written: &WrittenAnchor,
        insert: bool,
        plan: &mut Plan,
    ) -> Result<Option<Anchor>, Box<Refusal>> {
        let read = self
            .finder
            .read(written, insert)
            .map_err(|unclear| self.refuse_unclear(op, written, unclear))?;
        let (anchor, meant) = match read {
            Meaning::Anchor(anchor) => return Ok(Some(anchor)),
            Meaning::End => (None, "the end of the file".to_owned()),
            Meaning::Line(at) => {
                let anchor = Anchor::new(LineNumber::at(at), self.now.tag(at));
                let meant = anchor.print(self.settings.scheme);
                (Some(anchor), format!("{meant}, the only line shown that fits"))
            }
        };
        plan.warnings.push(Warning {
            code: WarningCode::LooseAnchor,
            op: Some(op),
            file: self.file,
            line: None,
            text: format!("anchor `{}` of patch[{op}] was read as {meant}", written.given),
        });
        Ok(anchor)
    }

    /// The anchors that were meant by the ends of a range.
    fn anchors(
        &self,
        op: usize,
        ends: [&WrittenAnchor; 2],
        plan: &mut Plan,
    ) -> Result<[Anchor; 2], Box<Refusal>> {
        let mut read = |written: &WrittenAnchor| match self.anchor(op, written, false, plan)? {
            Some(anchor) => Ok(anchor),
            None => Err(self.refuse_unclear(op, written, Unclear::Nothing)),
        };
        if ends[0] == ends[1] {
            let anchor = read(ends[0])?;
            return Ok([anchor.clone(), anchor]);
        }
        let [start, end] = [read(ends[0])?, read(ends[1])?];
        // Each end is verified by itself, so it does not matter which one was given first.
        if start.line <= end.line || self.finder.range(&end, &start).is_err() {
            return Ok([start, end]);
        }
        plan.warnings.push(Warning {
            code: WarningCode::LooseAnchor,
            op: Some(op),
            file: self.file,
            line: None,
            text: format!("the ends of patch[{op}]'s range were given in reverse, and swapped"),
        });
        Ok([end, start])
    }

    /// Refuses an anchor of which it is unclear which line was meant.
    fn refuse_unclear(&self, op: usize, written: &WrittenAnchor, unclear: Unclear) -> Box<Refusal> {
        let (reason, look_at) =
            unclear.explained(&written.given, self.now, &self.before.path, self.settings.scheme);
        let refusal = Refusal::new(op, RefusalCode::BadAnchor, &self.before.path, reason);
        Box::new(Refusal { look_at: one_line_spans(look_at), ..refusal })
    }

    fn line(
        &self,
        op: usize,
        anchor: &Anchor,
        plan: &mut Plan,
    ) -> Result<LocatedLines, Box<Refusal>> {
        let found =
            self.finder.line(anchor).map_err(|lost| self.stale().refuse_line(op, anchor, lost))?;
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
            .map_err(|lost| self.stale().refuse_range(op, start, end, lost))?;
        self.note_move(op, start, found.first, found.verified, plan);
        self.note_move(op, end, found.last, found.verified, plan);
        self.check_sight(op, [start, end], &found, plan)?;
        Ok(found)
    }

    /// Keeps law 1: lines that are removed must have been seen as they are.
    pub(super) fn check_sight(
        &self,
        op: usize,
        ends: [&Anchor; 2],
        found: &LocatedLines,
        plan: &mut Plan,
    ) -> Result<(), Box<Refusal>> {
        let unseen = self.stale().check_sight(op, ends, found, self.settings.unseen)?;
        if unseen > 0 {
            plan.warnings.push(Warning {
                code: WarningCode::UnseenLines,
                op: Some(op),
                file: self.file,
                line: None,
                text: format!("{unseen} of the lines that patch[{op}] took away were never shown"),
            });
        }
        Ok(())
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
