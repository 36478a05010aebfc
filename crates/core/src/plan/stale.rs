//! Refusals for anchors that were not followed, with the lines that the reader needs to ask again.

use super::resolve::{Finder, Lost};
use super::sight::Hidden;
use super::{Before, Now, Refusal, RefusalCode};
use hashline_text::{Anchor, LineNumber, Scheme, Span};

/// A range of at most this many lines is shown whole.
const MAX_LINES: usize = 40;

/// A file in which the line of an anchor was not found.
pub(super) struct StaleFile<'s, 'a> {
    pub(super) before: &'s Before,
    pub(super) now: &'s Now<'a>,
    pub(super) finder: &'s Finder<'a>,
    pub(super) scheme: Scheme,
}

/// Where a range seems to be, and which of its lines to show.
struct Extent {
    /// The zero-based index of the range's first line.
    first: usize,
    look_at: Vec<Span>,
    /// The lines of the range that were not seen as they are.
    hidden: Hidden,
    /// Whether `look_at` shows all hidden lines.
    fits: bool,
}

impl StaleFile<'_, '_> {
    /// Refuses to change a file that was shown in another encoding: its text may not mean the same
    /// bytes.
    pub(super) fn in_other_encoding(&self, op: usize) -> Option<Refusal> {
        let shown = self.before.versions.first()?;
        let now = self.now.document.encoding();
        if shown.encoding() == now {
            return None;
        }
        let path = &self.before.path;
        let reason = format!(
            "`{path}` was {} text when it was shown and is {} now: use the rows below, or read it again",
            shown.encoding().name(),
            now.name()
        );
        let (mut left, len) = (MAX_LINES, self.now.document.len());
        let mut look_at = Vec::new();
        for range in shown.shown_ranges() {
            let end = range.end.min(len).min(range.start + left);
            if range.start < end {
                look_at.push(Span::between(range.start, end));
                left -= end - range.start;
            }
        }
        Some(Refusal { look_at, ..Refusal::new(op, RefusalCode::StaleAnchor, path, reason) })
    }

    /// Refuses an operation on one line.
    pub(super) fn refuse_line(&self, op: usize, anchor: &Anchor, lost: Lost) -> Box<Refusal> {
        let moved_to = self.places(anchor, lost);
        let mut look_at = vec![self.one_line(self.finder.expected(anchor))];
        if lost == Lost::Ambiguous {
            look_at.push(self.one_line(anchor.line.index()));
        }
        self.refuse(op, anchor, &anchor.print(self.scheme), lost, look_at, moved_to)
    }

    /// Refuses an operation on the lines from one anchor to another.
    pub(super) fn refuse_range(
        &self,
        op: usize,
        start: &Anchor,
        end: &Anchor,
        lost: Lost,
    ) -> Box<Refusal> {
        // Name the end that was not found, if only one was not.
        let blame = if self.finder.line(start).is_ok() && self.finder.line(end).is_err() {
            end
        } else {
            start
        };
        let name = [start, end].map(|anchor| anchor.print(self.scheme)).join(" to ");
        if lost == Lost::Reversed {
            let look_at = [start, end].map(|anchor| self.one_line(anchor.line.index())).to_vec();
            return self.refuse(op, blame, &name, lost, look_at, Vec::new());
        }
        let moved_to = self.places(blame, lost);
        let Extent { first, look_at, hidden, fits } = self.extent(start, end);
        let mut refusal = self.refuse(op, blame, &name, lost, look_at, moved_to);
        let named = hidden.description();
        if lost == Lost::Interior && !named.is_empty() {
            refusal.reason = format!("{}: {named}; {}", refusal.reason, hidden.next(fits));
            refusal.settles = hidden.settled(first, start);
        }
        refusal
    }

    /// Refuses a text that seems to be written for another line with the same tag.
    pub(super) fn slip(&self, op: usize, anchor: &Anchor, at: usize, meant: usize) -> Box<Refusal> {
        let path = &self.before.path;
        let printed = anchor.print(self.scheme);
        let reason = format!(
            "anchor {printed} may be a slip: the text is indented like line {} of `{path}`, which has the \
             same tag, and not like line {}; indent it like the line it replaces, or give \"exact\": true",
            meant + 1,
            at + 1
        );
        Box::new(Refusal {
            anchor: Some(anchor.clone()),
            look_at: vec![self.one_line(at)],
            moved_to: vec![meant],
            ..Refusal::new(op, RefusalCode::StaleAnchor, path, reason)
        })
    }

    /// Where a range seems to be: all of it if it is not too long, otherwise both ends and the
    /// lines between them that were not seen as they are.
    fn extent(&self, start: &Anchor, end: &Anchor) -> Extent {
        let len = end.line.get().saturating_sub(start.line.get());
        // If an anchor was never shown, its tag is likelier to be wrong than its number.
        let likeliest = |anchor: &Anchor| {
            let places =
                if self.finder.is_known(anchor) { self.finder.likely(anchor) } else { Vec::new() };
            places.first().copied().unwrap_or_else(|| self.finder.expected(anchor))
        };
        let all = self.now.document.len();
        let (first, last) = (likeliest(start).min(all), (likeliest(end) + 1).min(all));
        if first >= last {
            let half = len.min(MAX_LINES / 2);
            let after_first = Span::between(first, (first + 1 + half).min(all));
            let before_last = Span::between(last.saturating_sub(half + 1), last);
            let look_at = vec![after_first, before_last];
            return Extent { first, look_at, hidden: Hidden::default(), fits: true };
        }
        let hidden = Hidden::new(first, &self.finder.sights_of(first..last));
        if last - first <= (2 * len + 4).min(MAX_LINES) {
            let look_at = vec![Span::between(first, last)];
            return Extent { first, look_at, hidden, fits: true };
        }
        let (mut look_at, fits) = hidden.shown();
        look_at.extend([self.one_line(first), self.one_line(last - 1)]);
        Extent { first, look_at, hidden, fits }
    }

    fn places(&self, anchor: &Anchor, lost: Lost) -> Vec<usize> {
        let mut places = self.finder.likely(anchor);
        if !matches!(lost, Lost::Changed | Lost::TooMuch) {
            places.retain(|place| *place != anchor.line.index());
        }
        places
    }

    fn one_line(&self, at: usize) -> Span {
        let len = self.now.document.len();
        if len == 0 { Span::between(0, 0) } else { Span::line(LineNumber::at(at.min(len - 1))) }
    }

    /// `name` is the printed anchor or range that the operation was to change.
    fn refuse(
        &self,
        op: usize,
        anchor: &Anchor,
        name: &str,
        lost: Lost,
        look_at: Vec<Span>,
        moved_to: Vec<usize>,
    ) -> Box<Refusal> {
        let path = &self.before.path;
        let len = self.now.document.len();
        let code = match lost {
            Lost::Reversed => RefusalCode::ReversedRange,
            Lost::Interior => RefusalCode::StaleRange,
            _ => RefusalCode::StaleAnchor,
        };
        if len == 0 {
            let reason = format!("`{path}` is empty: use insert_after with anchor \"start\"");
            let refusal = Refusal::new(op, RefusalCode::StaleAnchor, path, reason);
            return Box::new(Refusal { anchor: Some(anchor.clone()), ..refusal });
        }
        Box::new(Refusal {
            anchor: Some(anchor.clone()),
            look_at,
            moved_to,
            ..Refusal::new(op, code, path, self.reason(anchor, name, lost))
        })
    }

    fn reason(&self, anchor: &Anchor, name: &str, lost: Lost) -> String {
        let path = &self.before.path;
        let printed = anchor.print(self.scheme);
        let len = self.now.document.len();
        match lost {
            Lost::Reversed => format!("the range {name} of `{path}` ends before it starts"),
            Lost::Interior => {
                format!("a line inside the range {name} of `{path}` is not what was shown")
            }
            Lost::TooMuch => format!(
                "anchor {printed} is stale: too many lines of `{path}` that read alike have changed to \
                 compare them all"
            ),
            Lost::Indentation => format!(
                "the lines of {name} of `{path}` were indented anew, and not evenly: write the text as the \
                 lines are indented now"
            ),
            _ if anchor.line.index() >= len => {
                format!("anchor {printed} is stale: `{path}` has {len} lines now")
            }
            Lost::Changed if self.now.tag(anchor.line.index()) == anchor.tag => format!(
                "anchor {printed} may mean another line than {}: lines of `{path}` that read alike have \
                 changed since it was shown; if you mean the line as it is below, send the patch again",
                anchor.line
            ),
            Lost::Changed => {
                format!("anchor {printed} is stale: its line changed or reads like others")
            }
            Lost::Moved => format!(
                "anchor {printed} is stale: its line has moved, and anchors are not followed \
                 (`relocation` is off)"
            ),
            Lost::Ambiguous => format!(
                "anchor {printed} may mean two lines: the one it was shown for, which has moved, or the one \
                 that has this number now; copy the anchor of one from the rows below"
            ),
            Lost::Hint => format!(
                "anchor {printed} is stale: the text given with it is not what the line of `{path}` says"
            ),
            Lost::OtherTag => format!(
                "anchor {printed} was never shown: line {} of `{path}` has another tag",
                anchor.line
            ),
            Lost::NeverShown => format!(
                "anchor {printed} was never shown, and line {} of `{path}` has another tag",
                anchor.line
            ),
            Lost::Forgotten => format!(
                "anchor {printed} is not remembered: too much was shown since, and line {} of `{path}` has \
                 another tag",
                anchor.line
            ),
            Lost::NotFound => format!(
                "anchor {printed} is stale: line {} of `{path}` has another tag, and no single line nearby \
                 has this one",
                anchor.line
            ),
        }
    }
}
