//! Making one text of several files, within a budget.

use std::ops::Range;
use std::path::PathBuf;

use super::load::{Content, Loaded, Text};
use super::{Lookup, Refusal, Wanted};
use crate::anchor::Scheme;
use crate::anchor::{Tag, tag_span};
use crate::grep::Excerpt;
use crate::snapshot::Snapshot;
use crate::text::{Digest, Document, LineNumber, Span, parallel};
use crate::view::{self, Budget, count, shares};

/// What a header and a note take at most, apart from the name.
const FRAME: usize = 160;

/// How many lines are tagged before it is asked whether they fit.
const BATCH: usize = 256;

/// From this many bytes on several processors are used.
const PARALLEL_FROM: usize = 1 << 20;

/// How many lines one processor takes at a time.
const PART: usize = 8192;

/// One text, and what is in it.
#[derive(Debug)]
pub struct Assembled {
    /// The text for the model.
    pub text: String,
    /// What was shown of each path, in the order of the request.
    pub files: Vec<ShownFile>,
    /// What is to be remembered.
    pub seen: Vec<Seen>,
    /// Whether the budget left something out.
    pub truncated: bool,
}

/// What was shown of one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFile {
    /// The path as it was spelled.
    pub name: String,
    /// The first and the last line shown, if any was.
    pub lines: Option<(usize, usize)>,
    /// How many lines, or names in a directory, there are; `None` if that is not known.
    pub total: Option<usize>,
    /// How many lines match, if a search was asked for.
    pub matches: Option<usize>,
    /// Why it could not be shown.
    pub refusal: Option<Refusal>,
}

/// A version of a file with the lines that were shown.
#[derive(Debug)]
pub struct Seen {
    /// The path under which it is remembered.
    pub key: PathBuf,
    /// What was shown.
    pub snapshot: Snapshot,
}

/// Makes one text of what was loaded.
pub fn assemble(loaded: Vec<Loaded>, scheme: Scheme, budget: Budget) -> Assembled {
    let frames: usize = loaded.iter().map(|one| one.name.len() + FRAME).sum();
    let room = Budget { bytes: budget.bytes.saturating_sub(frames), ..budget };
    let mut drafts: Vec<Draft> =
        loaded.into_iter().map(|one| Draft::new(one, scheme, room)).collect();
    let lines: Vec<usize> = drafts.iter().map(|draft| draft.body.ends.len()).collect();
    let lines = shares(budget.lines, &lines);
    let bytes: Vec<usize> = drafts.iter().map(|draft| draft.body.len()).collect();
    let bytes = shares(room.bytes, &bytes);
    let least = usize::from(drafts.len() == 1);
    for (draft, (lines, bytes)) in drafts.iter_mut().zip(lines.into_iter().zip(bytes)) {
        let fitting = draft.body.ends.partition_point(|end| *end <= bytes);
        draft.body.truncate(fitting.min(lines).max(least));
    }
    let mut assembled = Assembled {
        text: String::new(),
        files: Vec::with_capacity(drafts.len()),
        seen: Vec::new(),
        truncated: false,
    };
    for draft in drafts {
        draft.finish(scheme, &mut assembled);
    }
    assembled
}

/// One path's part of the text, as long as the budget might allow.
struct Draft {
    loaded: Loaded,
    body: Body,
    tags: Vec<Tag>,
}

/// Printed lines, each with a newline before it.
#[derive(Default)]
struct Body {
    /// Their text; a long one comes in parts, so that it is put together only once.
    parts: Vec<String>,
    /// Where each line ends, counted over all parts.
    ends: Vec<usize>,
}

impl Body {
    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Adds a line that `print` writes.
    fn line(&mut self, print: impl FnOnce(&mut String)) {
        if self.parts.is_empty() {
            self.parts.push(String::new());
        }
        if let Some(part) = self.parts.last_mut() {
            let before = part.len();
            part.push('\n');
            print(part);
            let end = self.ends.last().copied().unwrap_or_default() + part.len() - before;
            self.ends.push(end);
        }
    }

    /// Adds the lines of `other`.
    fn append(&mut self, other: Self) {
        let before = self.len();
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.parts.extend(other.parts);
    }

    /// Keeps the first `lines` lines.
    fn truncate(&mut self, lines: usize) {
        self.ends.truncate(lines);
        let mut left = self.len();
        for part in &mut self.parts {
            part.truncate(left);
            left -= part.len();
        }
    }
}

impl Draft {
    fn new(mut loaded: Loaded, scheme: Scheme, room: Budget) -> Self {
        let mut body = Body::default();
        let mut tags = Vec::new();
        let wanted = loaded.wanted;
        match &mut loaded.content {
            Ok(Content::Text(text)) => {
                let shown = Shown::of(text, wanted);
                tags = shown.print(scheme, room, &mut body);
            }
            Ok(Content::Found { excerpt, pattern, lookup, whole, .. }) => {
                let total = whole.as_ref().map_or(u32::MAX as usize - 1, Document::len);
                excerpt.start_at(LineNumber::at(wanted.resolve(total).start));
                excerpt.truncate(wanted.limit.unwrap_or(usize::MAX), lookup.around);
                let mut part = String::new();
                excerpt.print(&mut part, pattern, true, room, |end| body.ends.push(end));
                body.parts.push(part);
            }
            Ok(Content::Directory(names)) => {
                for name in names[wanted.resolve(names.len())].iter().take(room.lines) {
                    body.line(|out| out.push_str(name));
                }
            }
            Err(_) => {}
        }
        Self { loaded, body, tags }
    }

    /// Writes the header, the lines and how to go on.
    fn finish(self, scheme: Scheme, out: &mut Assembled) {
        if !out.text.is_empty() {
            out.text.push_str("\n\n");
        }
        let shown = self.body.ends.len();
        let Loaded { name, key, wanted, content } = self.loaded;
        let mut file = ShownFile { name, lines: None, total: None, matches: None, refusal: None };
        match content {
            Err(refusal) => {
                out.text.push_str("error: ");
                out.text.push_str(&refusal.to_string());
                file.refusal = Some(refusal);
            }
            Ok(Content::Directory(names)) => {
                let start = wanted.resolve(names.len()).start;
                let total = names.len();
                view::say(&mut out.text, format_args!("{} ({})", file.name, count(total, "entry")));
                out.body(&self.body);
                out.rest(start + shown, total, "entry");
                file.total = Some(total);
                file.lines = (shown > 0).then_some((start + 1, start + shown));
            }
            Ok(Content::Text(text)) => {
                let start = wanted.resolve(text.total).start;
                out.text.push_str(&header(&file.name, start, shown, text.total));
                out.body(&self.body);
                out.rest(start + shown, text.total, "line");
                file.total = Some(text.total);
                file.lines = (shown > 0).then_some((start + 1, start + shown));
                let snapshot = remember_text(&text, scheme, start, &self.tags[..shown]);
                out.seen.push(Seen { key, snapshot });
            }
            Ok(Content::Found { mut excerpt, lookup, whole, stamp, .. }) => {
                let total = whole.as_ref().map(Document::len);
                let matches = excerpt.matches();
                out.text.push_str(&found_header(&file.name, &lookup, matches, total));
                out.body(&self.body);
                excerpt.truncate_lines(shown);
                out.more_matches(&excerpt, matches, wanted);
                let ends = (excerpt.lines().next(), excerpt.lines().last());
                if let (Some(first), Some(last)) = ends {
                    file.lines = Some((first.number.get(), last.number.get()));
                }
                file.total = total;
                file.matches = Some(matches);
                let mut snapshot = match whole {
                    Some(document) => Snapshot::whole(scheme, digests(&document)),
                    None => Snapshot::part(scheme, stamp, None),
                };
                excerpt.shown_in(&mut snapshot);
                out.seen.push(Seen { key, snapshot });
            }
        }
        out.files.push(file);
    }
}

impl Assembled {
    fn body(&mut self, body: &Body) {
        self.text.reserve(body.len() + FRAME);
        for part in &body.parts {
            self.text.push_str(part);
        }
    }

    /// Says how to see what comes after the first `done` of `total`.
    fn rest(&mut self, done: usize, total: usize, one: &str) {
        if done < total {
            let rest = count(total - done, &format!("more {one}"));
            let next = done + 1;
            view::say(&mut self.text, format_args!("\n[{rest}: read again with offset {next}]"));
            self.truncated = true;
        }
    }

    fn more_matches(&mut self, excerpt: &Excerpt, matches: usize, wanted: Wanted) {
        let shown = excerpt.lines().filter(|line| line.matches).count();
        let Some(last) = excerpt.lines().last() else {
            return;
        };
        if shown < matches && wanted.offset.is_none_or(|offset| offset <= 1) {
            let rest = count(matches - shown, "more match");
            let next = last.number.get() + 1;
            view::say(&mut self.text, format_args!("\n[{rest}: read again with offset {next}]"));
            self.truncated = true;
        }
    }
}

fn header(name: &str, start: usize, shown: usize, total: usize) -> String {
    match (shown, total) {
        (_, 0) => format!("{name} (empty)"),
        (0, _) => format!("{name} (no lines of {total})"),
        _ => format!("{name} (lines {}-{} of {total})", start + 1, start + shown),
    }
}

fn found_header(name: &str, lookup: &Lookup, matches: usize, total: Option<usize>) -> String {
    let matches = match matches {
        0 => "no match".to_owned(),
        _ => count(matches, "match"),
    };
    let total = total.map_or(String::new(), |total| format!(" in {}", count(total, "line")));
    format!("{name} ({matches} for `{}`{total})", lookup.pattern)
}

/// The lines of a text that are to be shown.
struct Shown<'a> {
    text: &'a Text,
    /// Places in the document.
    places: Range<usize>,
}

impl<'a> Shown<'a> {
    fn of(text: &'a Text, wanted: Wanted) -> Self {
        let range = wanted.resolve(text.total);
        let place = |line: usize| line.saturating_sub(text.before).min(text.document.len());
        Self { text, places: place(range.start)..place(range.end) }
    }

    /// Prints the lines as long as they may fit.
    fn print(&self, scheme: Scheme, room: Budget, body: &mut Body) -> Vec<Tag> {
        let Range { start, end } = self.places;
        let last = end.min(start.saturating_add(room.lines));
        if room.bytes >= PARALLEL_FROM && self.bytes(start..last) >= PARALLEL_FROM {
            return self.print_all(scheme, start..last, body);
        }
        let mut tags = Vec::new();
        let mut start = start;
        while start < last && body.len() <= room.bytes {
            let end = last.min(start + BATCH);
            tags.extend(self.print_batch(scheme, start..end, body));
            start = end;
        }
        tags
    }

    /// Prints all of the lines, on as many processors as there are.
    fn print_all(&self, scheme: Scheme, lines: Range<usize>, body: &mut Body) -> Vec<Tag> {
        let part = |start: usize| start..lines.end.min(start + PART);
        let parts: Vec<Range<usize>> = lines.clone().step_by(PART).map(part).collect();
        let printed = parallel::map(&parts, |part| {
            let size = self.bytes(part.clone()) + 16 * part.len();
            let ends = Vec::with_capacity(part.len());
            let mut body = Body { parts: vec![String::with_capacity(size)], ends };
            let tags = self.print_batch(scheme, part.clone(), &mut body);
            (body, tags)
        });
        let mut tags = Vec::with_capacity(lines.len());
        body.ends.reserve(lines.len());
        for (part, part_tags) in printed {
            body.append(part);
            tags.extend(part_tags);
        }
        tags
    }

    fn print_batch(&self, scheme: Scheme, lines: Range<usize>, body: &mut Body) -> Vec<Tag> {
        let Text { document, before, .. } = self.text;
        let tags = tag_span(document, span(&lines), *before, scheme);
        for (place, tag) in lines.zip(&tags) {
            let content = document.content(LineNumber::at(place)).unwrap_or_default();
            let number = LineNumber::at(before + place);
            body.line(|out| view::push_line(out, scheme, number, *tag, content, None));
        }
        tags
    }

    fn bytes(&self, lines: Range<usize>) -> usize {
        self.text.document.span_bytes(span(&lines)).len()
    }
}

fn span(lines: &Range<usize>) -> Span {
    Span::between(lines.start, lines.end)
}

/// The digests of all lines, on as many processors as it takes.
fn digests(document: &Document) -> Vec<Digest> {
    if document.bytes().len() < PARALLEL_FROM {
        return document.digests();
    }
    let starts: Vec<usize> = (0..document.len()).step_by(PART).collect();
    let digest =
        |place| Digest::of(document.content(LineNumber::at(place)).unwrap_or_default().as_bytes());
    let part = |start: &usize| -> Vec<Digest> {
        (*start..document.len().min(start + PART)).map(digest).collect()
    };
    parallel::map(&starts, part).concat()
}

fn remember_text(text: &Text, scheme: Scheme, start: usize, tags: &[Tag]) -> Snapshot {
    let mut snapshot = if text.whole {
        Snapshot::whole(scheme, digests(&text.document))
    } else {
        Snapshot::part(scheme, text.stamp, Some(text.total))
    };
    if tags.is_empty() {
        return snapshot;
    }
    let first = LineNumber::at(start);
    if !text.whole {
        let shown = start - text.before..start - text.before + tags.len();
        let digest = |place| text.document.content(LineNumber::at(place)).unwrap_or_default();
        let digests: Vec<Digest> =
            shown.map(|place| Digest::of(digest(place).as_bytes())).collect();
        snapshot.learn(first, &digests);
    }
    snapshot.show(first, tags);
    snapshot
}
