//! The report of a patch that was refused: it takes the place of the next read.
//!
//! A model whose anchor is stale must look again. The report saves it the call: it shows the lines
//! around each failed anchor with fresh tags, and where the old line seems to be now.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{MAX_LINES, RefusedReport, ShownLines, content, push_line, see};
use crate::plan::{Before, Refusal, tag_at, twins_now};
use crate::show::{GAP, Mark, Page, Row, count, header};
use hashline_text::{Anchor, Document, LineNumber, Scheme, Span};

/// Lines shown on each side of a failed anchor.
const CONTEXT: usize = 2;

/// The most places named for a line that may have moved there.
const MAX_PLACES: usize = 3;

/// Reports why none of `ops` operations was done.
pub fn refused(
    refusals: Vec<Refusal>,
    ops: usize,
    files: &[Before],
    scheme: Scheme,
) -> RefusedReport {
    let mut page = Page::new(MAX_LINES - 1);
    let mut seen = Vec::new();
    page.push(&headline(&refusals, ops));
    let document = |path: &str| {
        let file = files.iter().position(|file| file.path == path)?;
        Some((file, files[file].document()?))
    };
    let shown_below = |refusal: &&Refusal| {
        document(&refusal.path).is_some_and(|(_, text)| is_mismatch(refusal, text, scheme))
    };
    for refusal in refusals.iter().filter(|refusal| !shown_below(refusal)) {
        match refusal.op {
            Some(op) => page.push(&format!("patch[{op}]: {}", refusal.reason)),
            None => page.push(&refusal.reason),
        };
    }
    for path in paths_in_order(&refusals) {
        let Some((file, document)) = document(path) else { continue };
        let here: Vec<&Refusal> = refusals
            .iter()
            .filter(|refusal| refusal.path == path && !refusal.look_at.is_empty())
            .collect();
        if here.is_empty() {
            continue;
        }
        page.push("");
        page.push(&header(path, &count(document.len(), "line")));
        let before = &files[file];
        let mut printer =
            RefusalPrinter { file, before, document, scheme, page: &mut page, seen: &mut seen };
        for refusal in here {
            printer.show(refusal);
        }
    }
    RefusedReport { text: page.finish().join("\n"), refusals, scheme, seen }
}

fn headline(refusals: &[Refusal], ops: usize) -> String {
    let failed: BTreeSet<_> = refusals.iter().filter_map(|refusal| refusal.op).collect();
    if failed.is_empty() || ops <= 1 {
        return "REJECTED: nothing was written".to_owned();
    }
    format!(
        "REJECTED: nothing was written ({} of {} failed)",
        failed.len(),
        count(ops, "operation")
    )
}

/// The paths of the files concerned, in the order of the operations.
fn paths_in_order(refusals: &[Refusal]) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    for refusal in refusals {
        if !paths.contains(&refusal.path.as_str()) {
            paths.push(&refusal.path);
        }
    }
    paths
}

struct RefusalPrinter<'a> {
    file: usize,
    before: &'a Before,
    document: &'a Document,
    scheme: Scheme,
    page: &'a mut Page,
    seen: &'a mut Vec<ShownLines>,
}

impl RefusalPrinter<'_> {
    fn show(&mut self, refusal: &Refusal) {
        let anchor =
            refusal.anchor.as_ref().filter(|anchor| !fits(self.document, anchor, self.scheme));
        if let Some(anchor) = anchor {
            self.page.push(&format!("Hash mismatch at {}.", anchor.print(self.scheme)));
        }
        self.page.push("Actual state:");
        let places = refusal.moved_to.iter().take(MAX_PLACES);
        let places = places.map(|at| Span::line(LineNumber::at(*at)));
        let len = self.document.len();
        let about: Vec<Span> = refusal.look_at.iter().copied().chain(places).collect();
        let wanted: BTreeSet<usize> = about.iter().flat_map(|span| around(*span, len)).collect();
        let twins = twins_now(self.before, self.document, wanted.iter().copied(), self.scheme);
        let (meant, beside): (Vec<usize>, Vec<usize>) = twins
            .into_iter()
            .partition(|row| about.iter().any(|span| (span.start()..span.end()).contains(row)));
        let mut last = None;
        for index in wanted {
            if last.is_some_and(|last| last + 1 != index) {
                self.page.push(GAP);
            }
            last = Some(index);
            if beside.contains(&index) {
                let (mark, number) = (Mark::None, LineNumber::at(index));
                let row = Row { mark, number, tag: None, content: content(self.document, index) };
                self.page.push_row(&row, self.scheme);
            } else if push_line(self.page, Mark::None, self.document, index, self.scheme) {
                see(self.seen, self.file, index);
            }
        }
        if let Some(sentence) = self.new_meaning(&meant) {
            self.page.push(&sentence);
        }
        if let (Some(anchor), Some(sentence)) = (&refusal.anchor, self.places(refusal)) {
            self.page.push(&format!("The text of {} {sentence}", anchor.print(self.scheme)));
        }
    }

    /// The sentence that says that anchors which were shown for other lines now mean these `rows`.
    fn new_meaning(&self, rows: &[usize]) -> Option<String> {
        let named: Vec<String> = rows.iter().take(MAX_PLACES).map(|at| self.anchor(*at)).collect();
        match (rows.len(), rows.len() - named.len()) {
            (0, _) => None,
            (1, _) => Some(format!(
                "{} now means the line shown here, not the one that it was shown for before.",
                named[0]
            )),
            (_, more) => {
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Some(format!(
                    "{}{more} now mean the lines shown here, not those that they were shown for before.",
                    named.join(", ")
                ))
            }
        }
    }

    fn anchor(&self, at: usize) -> String {
        Anchor::new(LineNumber::at(at), tag_at(self.document, at, self.scheme)).print(self.scheme)
    }

    fn places(&self, refusal: &Refusal) -> Option<String> {
        let given = refusal.anchor.as_ref().map(|anchor| anchor.print(self.scheme));
        let all = refusal.moved_to.iter().map(|at| self.anchor(*at));
        // The anchor that was refused is no suggestion.
        let all: Vec<String> = all.filter(|anchor| Some(anchor) != given.as_ref()).collect();
        match (&all[..all.len().min(MAX_PLACES)], all.len()) {
            ([], 0) if !refusal.moved_to.is_empty() => Some(
                "may be another line's now: send the patch again if you mean the line shown."
                    .to_owned(),
            ),
            ([], _) => None,
            // Never say that the line is there: the patch was refused because that is uncertain.
            ([one], 1) => Some(format!("is also at {one}: use that if you mean that line.")),
            (several, all) if all <= MAX_PLACES => {
                Some(format!("may be at {}: choose one.", several.join(" or ")))
            }
            (nearest, all) => Some(format!(
                "is on {all} lines, likeliest at {}: choose one.",
                nearest.join(" or ")
            )),
        }
    }
}

/// Whether the line at an anchor's number has its tag: then something else is wrong with the
/// anchor.
fn fits(document: &Document, anchor: &Anchor, scheme: Scheme) -> bool {
    let index = anchor.line.index();
    index < document.len() && tag_at(document, index, scheme) == anchor.tag
}

/// Whether the only fault is that an anchor no longer fits its line: the sentence above the shown
/// lines says so already.
fn is_mismatch(refusal: &Refusal, document: &Document, scheme: Scheme) -> bool {
    refusal.anchor.as_ref().is_some_and(|anchor| {
        let changed = format!("anchor {} is stale: its line changed", anchor.print(scheme));
        !fits(document, anchor, scheme)
            && !refusal.look_at.is_empty()
            && refusal.reason.starts_with(&changed)
    })
}

fn around(span: Span, len: usize) -> Range<usize> {
    span.start().saturating_sub(CONTEXT)..(span.end() + CONTEXT).min(len)
}
