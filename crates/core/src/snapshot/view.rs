//! Which lines of a file are in the model's context, and which changes it has not seen yet.
//!
//! A [`Snapshot`](super::Snapshot) says which text a line had when its anchor was given; it is kept
//! as long as that anchor may be used. A [`View`] describes the model's context: which lines of the
//! last version that we looked at were shown in it, and which have changed without being shown. It
//! is forgotten together with the context.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FileLines;
use super::diff::{ChangedLines, changed_lines};
use hashline_text::{LineDigest, Span};

/// The maximum number of lines that all views have together.
const MAX_LINES: usize = 1 << 20;

/// One file as far as it is in the model's context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The lines of the file when we last looked at it.
    lines: FileLines,
    /// What the model knows about each line.
    known: Vec<Known>,
    /// How many lines the model has seen with their present text.
    shown: usize,
    /// Before which lines others were removed, and how many, in order.
    gone: Vec<(usize, usize)>,
}

/// What the model knows about a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// The line was not shown and has not changed.
    Unseen,
    /// The line was shown and has not changed.
    Shown,
    /// The line was added or changed, and was not shown since.
    Changed,
}

impl View {
    /// The view of a file of which no line was shown yet.
    pub fn new(lines: &FileLines) -> Self {
        let known = vec![Known::Unseen; lines.digests().len()];
        Self { lines: lines.clone(), known, shown: 0, gone: Vec::new() }
    }

    /// How many lines the file had when we last looked at it.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether the file had no lines then.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Compares the view with the present lines of the file, and notes what changed.
    pub fn update(&mut self, lines: &FileLines) {
        if self.lines != *lines {
            let changes = changed_lines(self.lines.digests(), lines.digests());
            self.splice(&changes, lines, Known::Changed);
        }
    }

    /// Notes a patch of the model: it replaced the first span of each pair by the second, and the
    /// file has `lines` now. The model knows the lines that it wrote.
    pub fn edit(&mut self, hunks: &[(Span, Span)], lines: &FileLines) {
        let range = |span: Span| span.start()..span.end();
        let changes: Vec<_> = hunks
            .iter()
            .map(|(old, new)| ChangedLines { old: range(*old), new: range(*new) })
            .collect();
        self.splice(&changes, lines, Known::Shown);
    }

    /// Notes that these lines, a zero-based range, were shown.
    pub fn show(&mut self, shown: Range<usize>) {
        let total = self.len();
        let lines = &mut self.known[shown.clone()];
        self.shown += lines.iter().filter(|known| **known != Known::Shown).count();
        lines.fill(Known::Shown);
        // The model can see that lines were removed once the lines above and below were shown.
        self.gone.retain(|(at, _)| {
            let above = shown.start < *at || (*at == 0 && shown.start == 0);
            let below = *at < shown.end || (*at == total && shown.end == total);
            !(above && below)
        });
    }

    /// Whether the file has not changed since it was shown, and all of these lines were shown.
    pub fn is_unchanged(&self, lines: &FileLines, shown: Range<usize>) -> bool {
        let is_known = || {
            self.known[shown].iter().all(|known| *known == Known::Shown)
                && !self.known.contains(&Known::Changed)
        };
        self.lines == *lines && self.gone.is_empty() && (self.shown == self.len() || is_known())
    }

    /// Whether a file that now has these lines has changes that were not shown.
    pub fn has_changed(&self, lines: &FileLines) -> bool {
        self.lines != *lines || self.known.contains(&Known::Changed) || !self.gone.is_empty()
    }

    /// Whether the model has seen the present text of these lines of a file that has `lines`.
    pub fn shows(&self, lines: &[LineDigest], wanted: Range<usize>) -> bool {
        self.lines.digests() == lines
            && self.known[wanted].iter().all(|known| *known == Known::Shown)
    }

    /// The lines that were added or changed without being shown, in order.
    pub fn changed(&self) -> impl Iterator<Item = usize> + '_ {
        let changed = |(at, known): (usize, &Known)| (*known == Known::Changed).then_some(at);
        self.known.iter().enumerate().filter_map(changed)
    }

    /// Before which lines others were removed, and how many, in order.
    pub fn gone(&self) -> &[(usize, usize)] {
        &self.gone
    }

    fn splice(&mut self, changes: &[ChangedLines], lines: &FileLines, known: Known) {
        let total = lines.digests().len();
        let mut after = Vec::with_capacity(total);
        let mut gone = Vec::new();
        let mut earlier = std::mem::take(&mut self.gone).into_iter().peekable();
        let mut done = 0;
        let end = ChangedLines { old: self.len()..self.len(), new: total..total };
        for change in changes.iter().chain([&end]) {
            while let Some((at, count)) = earlier.next_if(|(at, _)| *at < change.old.start) {
                gone.push((after.len() + at - done, count));
            }
            after.extend(&self.known[done..change.old.start]);
            let mut lost = 0;
            while let Some((_, count)) = earlier.next_if(|(at, _)| *at <= change.old.end) {
                lost += count;
            }
            if known == Known::Changed {
                // Lines that were added and removed without being shown do not count.
                let old = &self.known[change.old.clone()];
                lost += old.iter().filter(|known| **known != Known::Changed).count();
            }
            if lost > 0 {
                gone.push((after.len(), lost));
            }
            after.extend(std::iter::repeat_n(known, change.new.len()));
            done = change.old.end;
        }
        self.lines = lines.clone();
        self.shown = after.iter().filter(|known| **known == Known::Shown).count();
        self.known = after;
        self.gone = gone;
    }
}

/// The views of one context; the least recently shown is forgotten first.
#[derive(Default, Debug)]
pub(crate) struct Views {
    by_path: HashMap<PathBuf, (Arc<View>, u64)>,
    lines: usize,
    /// Counts uses, so that views can be sorted by their last use.
    uses: u64,
}

impl Views {
    /// The view of a file, if any of its lines were shown.
    pub(crate) fn get(&self, path: &Path) -> Option<Arc<View>> {
        self.by_path.get(path).map(|(view, _)| Arc::clone(view))
    }

    /// Stores a view as the most recently shown one.
    pub(crate) fn put(&mut self, path: &Path, view: Arc<View>) {
        self.take(path);
        self.uses += 1;
        self.lines += view.len();
        self.by_path.insert(path.to_owned(), (view, self.uses));
        while self.lines > MAX_LINES {
            let oldest = self.by_path.iter().min_by_key(|(_, (_, last_use))| *last_use);
            let Some(path) = oldest.map(|(path, _)| path.clone()) else { break };
            self.take(&path);
        }
    }

    /// Removes and returns the view of a file.
    pub(crate) fn take(&mut self, path: &Path) -> Option<Arc<View>> {
        let (view, _) = self.by_path.remove(path)?;
        self.lines -= view.len();
        Some(view)
    }

    /// Gives `to` the view of `from`, whose file was moved there.
    pub(crate) fn rename(&mut self, from: &Path, to: &Path) {
        if let Some(view) = self.take(from) {
            self.put(to, view);
        }
    }

    /// Forgets all views, because the context is gone.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{LineDigest, LineNumber};

    fn lines(text: &str) -> FileLines {
        let lines = text.split_terminator('\n').map(|line| LineDigest::of(line.as_bytes()));
        lines.collect::<Vec<_>>().into()
    }

    fn shown(text: &str) -> View {
        let mut view = View::new(&lines(text));
        view.show(0..view.len());
        view
    }

    /// The changed lines, counted from 1, and before which lines how many are gone.
    fn news(view: &View) -> (Vec<usize>, Vec<(usize, usize)>) {
        let gone = view.gone.iter().map(|(at, count)| (at + 1, *count)).collect();
        (view.changed().map(|at| at + 1).collect(), gone)
    }

    #[test]
    fn nothing_is_new_in_a_file_that_was_shown() {
        let mut view = shown("a\nb\nc\n");
        assert!(view.is_unchanged(&lines("a\nb\nc\n"), 0..3));
        view.update(&lines("a\nb\nc\n"));
        assert_eq!(news(&view), (vec![], vec![]));
        assert!(!view.is_unchanged(&lines("a\nb\n"), 0..2));
    }

    #[test]
    fn lines_that_were_not_shown_are_not_called_unchanged() {
        let mut view = View::new(&lines("a\nb\nc\n"));
        view.show(0..2);
        assert!(view.is_unchanged(&lines("a\nb\nc\n"), 0..2));
        assert!(!view.is_unchanged(&lines("a\nb\nc\n"), 1..3));
    }

    #[test]
    fn lines_that_are_shown_twice_are_counted_once() {
        let text = lines("a\nb\nc\nd\n");
        let mut view = View::new(&text);
        for shown in [1..3, 0..2, 2..2, 1..3] {
            view.show(shown);
            assert!(!view.is_unchanged(&text, 0..4), "{view:?}");
        }
        view.show(3..4);
        assert!(view.is_unchanged(&text, 0..4));
    }

    #[test]
    fn a_change_is_news_until_it_is_shown() {
        let mut view = shown("a\nb\nc\nd\ne\n");
        view.update(&lines("a\nB\nc\ne\nf\n"));
        assert_eq!(news(&view), (vec![2, 5], vec![(2, 1), (4, 1)]));
        view.show(1..3);
        assert_eq!(news(&view), (vec![5], vec![(2, 1), (4, 1)]), "the line above was not shown");
        view.show(0..4);
        assert_eq!(news(&view), (vec![5], vec![]));
        view.show(4..5);
        assert!(view.is_unchanged(&lines("a\nB\nc\ne\nf\n"), 0..5));
    }

    #[test]
    fn a_look_at_another_part_does_not_hide_a_change() {
        let mut view = shown("a\nb\nc\nd\n");
        view.update(&lines("a\nB\nc\nD\n"));
        view.show(2..4);
        assert_eq!(news(&view), (vec![2], vec![(2, 1)]));
        assert!(!view.is_unchanged(&lines("a\nB\nc\nD\n"), 2..4));
    }

    #[test]
    fn lines_that_the_reader_wrote_are_no_news() {
        let second = Span::line(LineNumber::new(2).unwrap());
        let mut view = shown("a\nb\nc\n");
        view.edit(&[(second, Span::between(1, 3))], &lines("a\nx\ny\nc\n"));
        assert_eq!(news(&view), (vec![], vec![]));
        view.update(&lines("new\na\nx\ny\nc\n"));
        view.edit(&[(Span::between(4, 5), Span::between(4, 4))], &lines("new\na\nx\ny\n"));
        assert_eq!(news(&view), (vec![1], vec![]));
    }

    #[test]
    fn lines_that_came_and_went_unseen_are_not_gone() {
        let mut view = shown("a\nb\n");
        view.update(&lines("a\nx\nb\n"));
        view.update(&lines("a\nb\n"));
        assert_eq!(news(&view), (vec![], vec![]));
        view.update(&lines("a\n"));
        view.update(&lines("0\na\n"));
        assert_eq!(news(&view), (vec![1], vec![(3, 1)]), "the place moves along");
    }

    #[test]
    fn views_are_bounded_and_the_last_shown_stays() {
        let mut views = Views::default();
        let large = Arc::new(View::new(&vec![LineDigest::of(b"x"); MAX_LINES / 2].into()));
        for name in ["a", "b", "c"] {
            views.put(Path::new(name), Arc::clone(&large));
        }
        let kept = ["a", "b", "c"].map(|name| views.get(Path::new(name)).is_some());
        assert_eq!(kept, [false, true, true]);
        views.rename(Path::new("c"), Path::new("d"));
        assert!(views.get(Path::new("d")).is_some() && views.get(Path::new("c")).is_none());
        views.clear();
        assert!(views.get(Path::new("d")).is_none());
    }
}
