//! The short report of a change: what a model needs to go on.
//!
//! The model knows what it wrote, so its text is not repeated and removed lines are not shown. It
//! gets the anchors of the new lines and how far the lines below have moved: these keep their tags,
//! so that their anchors follow from what the model was shown before.

use super::applied::heading;
use super::diff::note_controls;
use super::{ShownLines, content, push_line, see};
use crate::plan::{Before, Brought, End, FilePlan, Hunk, Plan, tag_at};
use crate::show::{Mark, Page, Shift, rows_left_out, shift_note, tags_line};
use hashline_text::{Anchor, Document, LineNumber, Scheme, Span};

/// The most characters of new text that the first and last rows of all changes may repeat; with
/// more, only anchors are shown.
const MAX_TEXT: usize = 48;

/// With up to this many lines between the first and the last line of a change, all tags are shown.
const ALL_TAGS: usize = 12;

/// Of more lines than that, about this many tags are shown, but never more than every fifth.
const SOME_TAGS: usize = 8;
const MIN_STEP: usize = 5;

/// The most anchors listed on one line, and for one file.
const PER_LINE: usize = 30;
const PER_FILE: usize = 120;

/// Shows what happened to the files.
pub(super) fn show_files(
    plan: &Plan,
    files: &[Before],
    scheme: Scheme,
    page: &mut Page,
    seen: &mut Vec<ShownLines>,
) {
    let changes: Vec<NewRows> = plan.files.iter().filter_map(NewRows::of).collect();
    let text: usize = changes.iter().map(NewRows::text_at_ends).sum();
    for file in &plan.files {
        page.push(&heading(file, files));
        let Some(change) = changes.iter().find(|change| change.plan.file == file.file) else {
            continue;
        };
        if text <= MAX_TEXT {
            change.show_rows(scheme, page, seen);
        } else {
            change.show_tags(&change.all_anchored(), scheme, page, seen);
        }
        change.show_brought(scheme, page, seen);
        if let Some(before) = files[file.file].document()
            && !matches!(file.end, End::Created(_))
        {
            let shifts = shifts(&file.hunks, before.len());
            if let Some(note) = shift_note(&shifts, !scheme.is_positional()) {
                page.push(&note);
            }
            note_controls(file, change.after, page);
        }
    }
}

/// The new lines of one file.
struct NewRows<'a> {
    plan: &'a FilePlan,
    after: &'a Document,
    /// One span for each change that has new lines, except copied and moved lines.
    spans: Vec<Span>,
}

impl<'a> NewRows<'a> {
    fn of(plan: &'a FilePlan) -> Option<Self> {
        let (after, spans) = match &plan.end {
            End::Kept | End::Deleted | End::Moved { after: None, .. } => return None,
            End::Created(after) => {
                (after, if plan.brought.is_empty() { vec![after.span()] } else { Vec::new() })
            }
            End::Changed(after) | End::Moved { after: Some(after), .. } => {
                (after, plan.hunks.iter().map(|hunk| hunk.after).collect())
            }
        };
        let is_brought = |span: &Span| plan.brought.iter().any(|brought| brought.lines == *span);
        let is_new = |span: &Span| !span.is_empty() && !is_brought(span);
        let spans = spans.into_iter().filter(is_new).collect();
        Some(Self { plan, after, spans })
    }

    /// How many characters the first and last lines of all changes have.
    fn text_at_ends(&self) -> usize {
        let characters = |index| content(self.after, index).chars().count();
        let ends = |span: &Span| {
            let (first, last) = (span.start(), span.end() - 1);
            characters(first) + if last > first { characters(last) } else { 0 }
        };
        self.spans.iter().map(ends).sum()
    }

    /// Shows the first and the last row of each change, and tags of the lines between.
    fn show_rows(&self, scheme: Scheme, page: &mut Page, seen: &mut Vec<ShownLines>) {
        for span in &self.spans {
            self.show_row(span.start(), scheme, page, seen);
            self.show_tags(&self.between(*span), scheme, page, seen);
            if span.len() > 1 {
                self.show_row(span.end() - 1, scheme, page, seen);
            }
        }
    }

    /// Shows only the first and the last row of copied and moved lines: their text is not new.
    fn show_brought(&self, scheme: Scheme, page: &mut Page, seen: &mut Vec<ShownLines>) {
        for Brought { lines, .. } in &self.plan.brought {
            self.show_row(lines.start(), scheme, page, seen);
            if lines.len() > 2 {
                page.push(&rows_left_out(Mark::Added, lines.len() - 2));
            }
            if lines.len() > 1 {
                self.show_row(lines.end() - 1, scheme, page, seen);
            }
        }
    }

    fn show_row(&self, index: usize, scheme: Scheme, page: &mut Page, seen: &mut Vec<ShownLines>) {
        if push_line(page, Mark::Added, self.after, index, scheme) {
            see(seen, self.plan.file, index);
        }
    }

    /// Lists the anchors of lines.
    fn show_tags(
        &self,
        lines: &[usize],
        scheme: Scheme,
        page: &mut Page,
        seen: &mut Vec<ShownLines>,
    ) {
        let shown = &lines[..lines.len().min(PER_FILE)];
        for some in shown.chunks(PER_LINE) {
            let anchor = |index: &usize| {
                let tag = tag_at(self.after, *index, scheme);
                Anchor::new(LineNumber::at(*index), tag).print(scheme)
            };
            if page.push(&tags_line(some.iter().map(anchor))) {
                for index in some {
                    see(seen, self.plan.file, *index);
                }
            }
        }
        if shown.len() < lines.len() {
            page.push(&rows_left_out(Mark::Added, lines.len() - shown.len()));
        }
    }

    /// The lines of all changes whose anchors are shown.
    fn all_anchored(&self) -> Vec<usize> {
        let of_one = |span: &Span| {
            let last = (span.len() > 1).then(|| span.end() - 1);
            [span.start()].into_iter().chain(self.between(*span)).chain(last)
        };
        self.spans.iter().flat_map(of_one).collect()
    }

    /// The lines between the first and the last of a change whose tags are shown: all, or every
    /// few. A line whose anchor still means another line is left out.
    fn between(&self, span: Span) -> Vec<usize> {
        let inner = span.len().saturating_sub(2);
        let step = if inner <= ALL_TAGS { 1 } else { inner.div_ceil(SOME_TAGS).max(MIN_STEP) };
        (span.start() + step..(span.start() + 1 + inner))
            .step_by(step)
            .filter(|index| self.plan.twins.binary_search(index).is_err())
            .collect()
    }
}

/// How far the lines below each change have moved, if not as far as the lines above it.
fn shifts(hunks: &[Hunk], len: usize) -> Vec<Shift> {
    let mut shifts: Vec<Shift> = Vec::new();
    for (at, hunk) in hunks.iter().enumerate() {
        let after = hunk.before.end();
        let next = hunks.get(at + 1).map_or(len, |next| next.before.start());
        let by = hunk.after.end().cast_signed() - after.cast_signed();
        let above = shifts.last().map_or(0, |above| above.by);
        if next > after && by != above {
            shifts.push(Shift { after, by });
        }
    }
    shifts
}
