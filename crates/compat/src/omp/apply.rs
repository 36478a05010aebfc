//! Applying edits to a text.
//!
//! References name lines of the text before the edits. Edits are applied from the bottom up, so
//! that line numbers above an edit stay right. Overlapping edits are not refused; they do what
//! JavaScript's `splice` does.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use super::draft::{LineDraft, NewLines};
use super::edit::OmpEdit;
use super::heuristics::merge::{self, Absorbed, Neighbourhood};
use super::heuristics::{echo, hyphen, indent, wrap};
use super::index::LineIndex;
use super::number::whole;
use super::reference::OmpLineRef;
use super::refusal::OmpRefusal;
use super::rewrite::TextRewrite;
use super::validate::{EditKind, ResolvedEdit, resolve};

/// With more changed lines than this for each edit, the result has a warning.
const MAX_LINES_PER_EDIT: usize = 4;

/// The result of the edits.
#[derive(Clone, PartialEq, Debug)]
pub struct OmpApplied<T = Vec<u8>> {
    /// The new text; `None` if no edit changed anything.
    pub content: Option<T>,
    /// The smallest line number that an edit changed, in the numbering of the old text.
    pub first_changed_line: Option<usize>,
    /// What looks suspicious.
    pub warnings: Vec<String>,
    /// Edits that would have changed nothing, in the order they were tried.
    pub noop_edits: Vec<NoopEdit>,
}

/// An edit whose new text equals the old one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoopEdit {
    /// The edit's place in the list without duplicates, counted from zero.
    pub edit_index: usize,
    /// `LINE:HASH` of its first line, the hash as typed.
    pub loc: Vec<u8>,
    /// The current lines.
    pub current_content: Vec<u8>,
}

/// Applies all edits, or none.
///
/// ```
/// use hashline_compat::omp::edit::OmpEdit;
/// let edit = OmpEdit::SetLine { anchor: b"1:56".into(), new_text: b"A".into() };
/// let applied = hashline_compat::omp::apply(b"a\nb", &[edit]).unwrap();
/// assert_eq!(applied.content.unwrap(), b"A\nb");
/// ```
pub fn apply(content: &[u8], edits: &[OmpEdit<'_>]) -> Result<OmpApplied, OmpRefusal> {
    let OmpApplied { content: rewrite, first_changed_line, warnings, noop_edits } =
        plan(content, edits)?;
    let content = rewrite.map(|rewrite| rewrite.beside(content));
    Ok(OmpApplied { content, first_changed_line, warnings, noop_edits })
}

/// Like [`apply`], but does not build the new text yet.
pub fn plan(content: &[u8], edits: &[OmpEdit<'_>]) -> Result<OmpApplied<TextRewrite>, OmpRefusal> {
    if edits.is_empty() {
        return Ok(OmpApplied {
            content: None,
            first_changed_line: None,
            warnings: Vec::new(),
            noop_edits: Vec::new(),
        });
    }
    let mut requests = Vec::with_capacity(edits.len());
    for (at, edit) in edits.iter().enumerate() {
        requests.push(edit.read(at)?);
    }
    let original = LineIndex::new(content)?;
    let mut resolved = resolve(requests, &original)?;
    let touched = Touched::by(&resolved);
    remove_duplicates(&mut resolved);

    let mut editor = BottomUpEditor {
        original: &original,
        draft: LineDraft::new(&original, resolved.len()),
        touched,
        first_changed_line: None,
        noop_edits: Vec::new(),
    };
    let mut ordered: Vec<(usize, &ResolvedEdit)> = resolved.iter().enumerate().collect();
    ordered.sort_by_key(|(_, edit)| (Reverse(edit.end), edit.kind == EditKind::After));
    for (edit_index, edit) in ordered {
        editor.make(edit_index, edit);
    }
    Ok(editor.finish(edits.len()))
}

struct BottomUpEditor<'a> {
    original: &'a LineIndex<'a>,
    draft: LineDraft<'a>,
    touched: Touched,
    first_changed_line: Option<usize>,
    noop_edits: Vec<NoopEdit>,
}

impl<'a> BottomUpEditor<'a> {
    fn make(&mut self, edit_index: usize, edit: &ResolvedEdit<'a>) {
        if edit.kind == EditKind::After {
            let anchor = self.original.line(edit.start - 1);
            let new = echo::without_anchor_echo(anchor, &edit.lines);
            self.splice(edit.end..edit.end, borrowed(new));
            return;
        }
        let replaced = edit.start - 1..edit.end;
        let (replaced, mut new) = if let Some(merged) = self.merge(edit) {
            let mut new = borrowed(&edit.lines);
            let first = self.original.line(merged.start);
            indent::restore_indent([first].into_iter(), &mut new);
            (merged, new)
        } else {
            let new = echo::without_boundary_echo(self.original, &replaced, &edit.lines);
            let old = || replaced.clone().map(|at| self.original.line(at));
            let mut new = wrap::restore_wrapped(old(), borrowed(new));
            indent::restore_indent(old(), &mut new);
            (replaced, new)
        };
        let end = replaced.end.min(self.original.len());
        let old = self.original.join(replaced.start..end);
        if is_joined(&new, old) && hyphen::has_confusable_hyphen(old) {
            hyphen::make_hyphens_plain(&mut new);
        }
        if is_joined(&new, old) {
            self.noop_edits.push(NoopEdit {
                edit_index,
                loc: OmpLineRef::print(whole(edit.start), edit.hash),
                current_content: old.to_vec(),
            });
        } else {
            self.splice(replaced, new);
        }
    }

    /// The two lines that an edit of one line replaces, if its new line holds both.
    fn merge(&self, edit: &ResolvedEdit) -> Option<Range<usize>> {
        let (EditKind::Line, [new]) = (edit.kind, &edit.lines[..]) else {
            return None;
        };
        let at = edit.start - 1;
        let neighbour = |at: usize| {
            let free = !self.touched.contains(at + 1);
            free.then(|| self.draft.line(at)).flatten()
        };
        let around = Neighbourhood {
            previous: at.checked_sub(1).and_then(neighbour),
            line: self.draft.line(at)?,
            next: neighbour(at + 1),
        };
        match merge::absorbed(&around, new)? {
            Absorbed::Previous => Some(at - 1..at + 1),
            Absorbed::Next => Some(at..at + 2),
        }
    }

    fn splice(&mut self, replaced: Range<usize>, new: NewLines<'a>) {
        let line = replaced.start + 1;
        self.first_changed_line = Some(self.first_changed_line.map_or(line, |l| l.min(line)));
        self.draft.splice(replaced.start, replaced.len(), new);
    }

    fn finish(self, edit_count: usize) -> OmpApplied<TextRewrite> {
        let mut warnings = Vec::new();
        let changed = self.draft.changed_lines();
        if changed > edit_count * MAX_LINES_PER_EDIT {
            warnings.push(format!(
                "Edit changed {changed} lines across {edit_count} operations \u{2014} verify no \
                 unintended reformatting."
            ));
        }
        OmpApplied {
            content: self.first_changed_line.map(|_| self.draft.rewrite()),
            first_changed_line: self.first_changed_line,
            warnings,
            noop_edits: self.noop_edits,
        }
    }
}

/// The lines that edits name, including all lines of a range.
struct Touched {
    /// Line numbers, sorted, disjoint.
    ranges: Vec<(usize, usize)>,
}

impl Touched {
    fn by(edits: &[ResolvedEdit]) -> Self {
        let mut named: Vec<_> = edits.iter().map(|edit| (edit.start, edit.end)).collect();
        named.sort_unstable();
        let mut ranges: Vec<(usize, usize)> = Vec::with_capacity(named.len());
        for (start, end) in named {
            match ranges.last_mut() {
                Some((_, last)) if start <= *last => *last = end.max(*last),
                _ => ranges.push((start, end)),
            }
        }
        Self { ranges }
    }

    fn contains(&self, line: usize) -> bool {
        let at = self.ranges.partition_point(|(start, _)| *start <= line);
        at > 0 && self.ranges[at - 1].1 >= line
    }
}

/// Removes every edit that equals an earlier one. It compares new lines as joined text, so "no
/// lines" equals "one empty line".
fn remove_duplicates(edits: &mut Vec<ResolvedEdit>) {
    fn joined_text<'a>(edit: &'a ResolvedEdit) -> impl Iterator<Item = u8> + use<'a> {
        edit.lines.iter().flat_map(|line| [b'\n'].into_iter().chain(line.iter().copied())).skip(1)
    }
    // Sorted, equal edits are neighbours, and the first of them comes first.
    let mut order: Vec<usize> = (0..edits.len()).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&edits[*a], &edits[*b]);
        let places = (a.start, a.end, a.kind).cmp(&(b.start, b.end, b.kind));
        places.then_with(|| joined_text(a).cmp(joined_text(b)))
    });
    let mut first = vec![true; edits.len()];
    for pair in order.windows(2) {
        let (a, b) = (&edits[pair[0]], &edits[pair[1]]);
        let same = (a.start, a.end, a.kind) == (b.start, b.end, b.kind)
            && joined_text(a).eq(joined_text(b));
        first[pair[1]] = !same;
    }
    let mut first = first.into_iter();
    edits.retain(|_| first.next().expect("there is one for each edit"));
}

fn borrowed<'a>(lines: &[&'a [u8]]) -> NewLines<'a> {
    lines.iter().map(|line| Cow::Borrowed(*line)).collect()
}

/// Whether the lines, joined with newlines, are `text`.
fn is_joined(lines: &NewLines, text: &[u8]) -> bool {
    let Some((first, rest)) = lines.split_first() else {
        return text.is_empty();
    };
    let Some(mut left) = text.strip_prefix(first.as_ref()) else {
        return false;
    };
    for line in rest {
        match left.strip_prefix(b"\n").and_then(|l| l.strip_prefix(line.as_ref())) {
            Some(behind) => left = behind,
            None => return false,
        }
    }
    left.is_empty()
}
