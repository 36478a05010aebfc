//! Keeping law 1: a line that the reader was not shown as it is now is never silently overwritten
//! or deleted.
//!
//! [`snapshot::Looks`](crate::snapshot::Looks) knows what was seen. If a line has changed or was
//! added since, the patch is refused, and the refusal shows the line. If a line was there all the
//! time but never shown, the patch is refused too, or only a warning is given ([`Unseen`]). If
//! nothing of the file is remembered, no patch is refused. A text that the model quotes (`replace`,
//! a hunk of a diff) need not have been shown: it proves itself. Nor need the ends of a range, if
//! their tags fit and they were never shown with another text.

use super::resolve::LocatedLines;
use super::stale::StaleFile;
use super::warn::{Warning, WarningCode};
use super::{Before, Refusal, RefusalCode, Unseen};
use crate::show::count;
use crate::snapshot::{Looks, Sight};
use hashline_text::{Anchor, LineNumber, Span};

/// The most rows with lines not seen yet that a refusal shows.
const MAX_ROWS: usize = 120;

/// How many rows a report prints around each range of lines, both sides together.
const AROUND: usize = 4;

/// Lines that were not seen as they are, zero-based and in order.
#[derive(Default)]
pub(super) struct Hidden {
    /// Lines that were added or changed since the file was shown.
    changed: Vec<usize>,
    /// Lines that were there all the time, but never shown.
    never: Vec<usize>,
}

impl Hidden {
    /// Collects the hidden lines; `sights` says what is known of the lines from `first` on.
    pub(super) fn new(first: usize, sights: &[Sight]) -> Self {
        let having = |wanted: Sight| {
            let lines = (first..).zip(sights).filter(move |(_, sight)| **sight == wanted);
            lines.map(|(at, _)| at).collect()
        };
        Self { changed: having(Sight::Changed), never: having(Sight::Never) }
    }

    /// The changed lines, and their numbers in a look that showed the line at `first` under `old`.
    pub(super) fn settled(&self, first: usize, old: &Anchor) -> Vec<(usize, usize)> {
        let lines = self.changed.iter();
        lines.map(|at| (*at, old.line.index() + (at - first))).collect()
    }

    /// `line 100 changed, lines 12 to 15 were never shown`; empty if all lines were seen.
    pub(super) fn description(&self) -> String {
        let named = |lines: &[usize], what: &str| {
            (!lines.is_empty()).then(|| format!("{} {what}", print_ranges(&ranges_of(lines))))
        };
        let never = if self.never.len() == 1 { "was never shown" } else { "were never shown" };
        let parts = [named(&self.changed, "changed"), named(&self.never, never)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The ranges to show, as many as fit, and whether they are all.
    pub(super) fn shown(&self) -> (Vec<Span>, bool) {
        let mut lines = [&self.changed[..], &self.never].concat();
        lines.sort_unstable();
        let mut room = MAX_ROWS;
        let mut spans = Vec::new();
        for span in ranges_of(&lines) {
            let Some(left) = room.checked_sub(AROUND).filter(|left| *left > 0) else {
                return (spans, false);
            };
            if span.len() > left {
                spans.push(Span::between(span.start(), span.start() + left));
                return (spans, false);
            }
            room = left - span.len();
            spans.push(span);
        }
        (spans, true)
    }

    /// Says what to do next: look at the lines, which the refusal shows if they fit.
    pub(super) fn next(&self, fits: bool) -> String {
        if fits {
            return "send the patch again if it is right for the lines below".to_owned();
        }
        let lines = || self.changed.iter().chain(&self.never);
        let (first, last) = (lines().min().unwrap_or(&0), lines().max().unwrap_or(&0));
        format!("read lines {} to {} first (offset {})", first + 1, last + 1, first + 1)
    }
}

impl StaleFile<'_, '_> {
    /// Refuses to remove lines that the reader has not seen as they are. Returns the number of
    /// lines that were never shown, if that is no reason to refuse.
    pub(super) fn check_sight(
        &self,
        op: usize,
        ends: [&Anchor; 2],
        found: &LocatedLines,
        unseen: Unseen,
    ) -> Result<usize, Box<Refusal>> {
        if self.before.versions.is_empty() {
            return Ok(0);
        }
        let mut hidden = Hidden::new(found.first, &self.finder.sights(ends, found));
        // The tags of the ends fit: whoever gave them has seen these lines.
        hidden.never.retain(|at| *at != found.first && *at != found.last);
        let is_refused = match unseen {
            Unseen::Refuse => !hidden.never.is_empty(),
            Unseen::Warn => false,
        };
        if !hidden.changed.is_empty() || is_refused {
            return Err(self.refuse_unseen(op, ends, found, &hidden));
        }
        let is_own = || {
            let view = self.before.view.as_ref();
            let lines = found.first..found.last + 1;
            view.is_some_and(|view| view.shows(&self.now.digests, lines))
        };
        if self.before.shared && !is_own() {
            let disputed = self.finder.disputed(ends, found);
            if !disputed.is_empty() {
                return Err(self.refuse_disputed(op, ends, found, disputed));
            }
        }
        Ok(hidden.never.len())
    }

    fn refuse_unseen(
        &self,
        op: usize,
        ends: [&Anchor; 2],
        found: &LocatedLines,
        hidden: &Hidden,
    ) -> Box<Refusal> {
        let path = &self.before.path;
        let (mut look_at, fits) = hidden.shown();
        let code = match (hidden.changed.is_empty(), found.first == found.last) {
            (true, _) => RefusalCode::UnseenLines,
            (false, true) => RefusalCode::StaleAnchor,
            (false, false) => RefusalCode::StaleRange,
        };
        if !fits && hidden.changed.is_empty() {
            look_at.clear();
        }
        let reason = format!(
            "not all lines of {} of `{path}` were shown as they are: {}; {}",
            self.print_ends(ends),
            hidden.description(),
            hidden.next(fits)
        );
        look_at.extend(lines_of([found.first, found.last]));
        let settles = hidden.settled(found.first, ends[0]);
        let refusal = Refusal::new(op, code, path, reason);
        Box::new(Refusal { anchor: Some(ends[0].clone()), look_at, settles, ..refusal })
    }

    fn refuse_disputed(
        &self,
        op: usize,
        ends: [&Anchor; 2],
        found: &LocatedLines,
        lines: Vec<usize>,
    ) -> Box<Refusal> {
        let path = &self.before.path;
        let disputed = Hidden { changed: lines, never: Vec::new() };
        let settles = disputed.settled(found.first, ends[0]);
        let (mut look_at, fits) = disputed.shown();
        look_at.extend(lines_of([found.first, found.last]));
        let reason = format!(
            "{} of `{path}` was shown in more than one version, perhaps to another agent: {}; {}",
            self.print_ends(ends),
            disputed.description(),
            disputed.next(fits)
        );
        let refusal = Refusal::new(op, RefusalCode::StaleRange, path, reason);
        Box::new(Refusal { anchor: Some(ends[0].clone()), look_at, settles, ..refusal })
    }

    fn print_ends(&self, ends: [&Anchor; 2]) -> String {
        let [start, end] = ends.map(|anchor| anchor.print(self.scheme));
        if start == end { start } else { format!("{start} to {end}") }
    }
}

/// Refuses to delete or replace a whole file that has changed since it was shown; only warns if
/// some of its lines were never shown.
pub(super) fn check_file(
    op: usize,
    file: usize,
    before: &Before,
) -> Result<Option<Warning>, Box<Refusal>> {
    let path = &before.path;
    let warn = |text: String| {
        Some(Warning { code: WarningCode::UnseenLines, op: Some(op), file, line: None, text })
    };
    let Some(document) = before.document().filter(|_| !before.versions.is_empty()) else {
        return Ok(warn("was never shown".to_owned()));
    };
    let digests = document.digests();
    let sights = Looks::new(&before.versions, &digests).sights(0..digests.len());
    let hidden = Hidden::new(0, &sights);
    if hidden.changed.is_empty() {
        let never = hidden.never.len();
        let lines = || format!("{} of it had never been shown", count(never, "line"));
        return Ok(if never > 0 { warn(lines()) } else { None });
    }
    let changed = Hidden { changed: hidden.changed, never: Vec::new() };
    let (look_at, fits) = changed.shown();
    let (named, next) = (changed.description(), changed.next(fits));
    let reason = format!("`{path}` has changed since it was shown: {named}; {next}");
    let refusal = Refusal::new(op, RefusalCode::FileChanged, path, reason);
    Err(Box::new(Refusal { look_at, ..refusal }))
}

fn lines_of(lines: [usize; 2]) -> [Span; 2] {
    lines.map(|at| Span::line(LineNumber::at(at)))
}

/// The lines as ranges of neighbouring lines.
fn ranges_of(lines: &[usize]) -> Vec<Span> {
    let neighbours = lines.chunk_by(|one, next| one + 1 == *next);
    neighbours.map(|lines| Span::between(lines[0], lines[0] + lines.len())).collect()
}

/// `line 3`, or `lines 3, 7 to 9 and 12`, with the rest counted.
fn print_ranges(spans: &[Span]) -> String {
    const MOST: usize = 6;
    let one = |span: &Span| match span.len() {
        1 => span.end().to_string(),
        _ => format!("{} to {}", span.start() + 1, span.end()),
    };
    let mut parts: Vec<String> = spans.iter().take(MOST).map(one).collect();
    if spans.len() > MOST {
        let rest: usize = spans[MOST..].iter().map(|span| span.len()).sum();
        parts.push(format!("{rest} more"));
    }
    let word =
        if spans.iter().map(|span| span.len()).sum::<usize>() == 1 { "line" } else { "lines" };
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{word} {} and {last}", rest.join(", ")),
        _ => format!("{word} {}", parts.concat()),
    }
}
