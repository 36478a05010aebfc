//! Making one text of several files, within a budget.

use std::ops::Range;
use std::path::PathBuf;

use super::body::{Anchors, Body};
use super::changes::Changes;
use super::load::{KnownFile, LoadedFile, LoadedLines, PathContent};
use super::{HostKind, LinesWanted, ReadRefusal, SinceShown};
use crate::grep::GrepLines;
use crate::show::{
    self, Budget, CHANGES, HeaderNote, MAX_CHARACTERS, Part, Row, count, header, lines_header,
    read_on, search_header, shares,
};
use crate::snapshot::Snapshot;
use hashline_text::kernel::{buffers, parallel};
use hashline_text::{
    Document, Encoding, Learn, LineDigest, LineNumber, RowBlock, Scheme, Span, Tag, block, tag_span,
};

/// The bytes reserved for a header and a note, apart from the file's name.
const FRAME_BYTES: usize = 160;

/// How many lines are tagged before checking whether they fit.
const BATCH: usize = 256;

/// From this many bytes on, several processors digest the lines of a text.
const LONG_TEXT: usize = 1 << 20;

/// How many lines one processor digests at a time.
const LINES_PER_PART: usize = 8192;

/// The text of the answer, and what it shows.
#[derive(Debug)]
pub(crate) struct Assembled {
    /// The text for the model.
    pub text: String,
    /// What was shown of each path, in the order of the request.
    pub files: Vec<ShownFile>,
    /// The versions that the memory should keep.
    pub seen: Vec<SeenVersion>,
    /// Whether the budget left something out.
    pub truncated: bool,
}

/// What was shown of one path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFile {
    /// The path as the caller spelled it.
    pub name: String,
    /// The absolute path, symbolic links not followed; empty for a URL.
    pub path: PathBuf,
    /// The first and the last line shown, if any line was.
    pub lines: Option<(usize, usize)>,
    /// How many lines, or names in a directory, there are; `None` if that is not known.
    pub total: Option<usize>,
    /// How many lines match, if a search was asked for.
    pub matches: Option<usize>,
    /// Why the path could not be shown.
    pub refusal: Option<ReadRefusal>,
    /// The kind of content, if the host shows it: then the refusal is no error.
    pub host_reads: Option<HostKind>,
    /// What the header says about an earlier look at the file.
    pub since_shown: Option<SinceShown>,
    /// The encoding of the file's bytes.
    pub encoding: Encoding,
}

impl ShownFile {
    /// A record for a file of which nothing is shown yet.
    fn of(name: String, path: PathBuf) -> Self {
        Self {
            name,
            path,
            lines: None,
            total: None,
            matches: None,
            refusal: None,
            host_reads: None,
            since_shown: None,
            encoding: Encoding::UTF_8,
        }
    }
}

/// A version of a file with the lines that were shown.
#[derive(Debug)]
pub(crate) struct SeenVersion {
    /// The path under which the file is remembered.
    pub key: PathBuf,
    /// The version, and which of its lines were shown.
    pub snapshot: Snapshot,
    /// Whether the file was read, and not only searched.
    pub read: bool,
}

/// Makes one text of what was loaded. For content that the host shows itself, it says `see below`.
pub(crate) fn assemble(
    loaded: Vec<LoadedFile>,
    scheme: Scheme,
    budget: Budget,
    host: &[HostKind],
) -> Assembled {
    let frames: usize = loaded.iter().map(|one| one.name.len() + FRAME_BYTES).sum();
    let room = Budget {
        lines: budget.lines,
        bytes: budget.bytes.saturating_sub(frames),
        printed: budget.printed.saturating_sub(frames),
    };
    let mut drafts: Vec<ReadDraft> =
        loaded.into_iter().map(|one| ReadDraft::new(one, scheme, room)).collect();
    let lines: Vec<usize> = drafts.iter().map(|draft| draft.body.lines).collect();
    let lines = shares(budget.lines, &lines);
    let bytes: Vec<usize> = drafts.iter().map(|draft| draft.body.cost()).collect();
    let bytes = shares(room.bytes, &bytes);
    let least = usize::from(drafts.len() == 1);
    for (draft, (lines, bytes)) in drafts.iter_mut().zip(lines.into_iter().zip(bytes)) {
        let fitting = draft.body.fitting(bytes);
        draft.body.truncate(fitting.min(lines).max(least));
    }
    let printed: Vec<usize> = drafts.iter().map(|draft| draft.body.len()).collect();
    let printed = shares(room.printed, &printed);
    for (draft, bytes) in drafts.iter_mut().zip(printed) {
        let fitting = draft.body.printed_within(bytes);
        draft.body.truncate(fitting.max(least));
    }
    let mut assembled = Assembled {
        text: String::new(),
        files: Vec::with_capacity(drafts.len()),
        seen: Vec::new(),
        truncated: false,
    };
    for draft in drafts {
        draft.finish(scheme, host, &mut assembled);
    }
    if let [only] = &assembled.files[..]
        && only.host_reads.is_some()
    {
        // The host shows the only path: no text is needed to point to it.
        assembled.text.clear();
    }
    assembled
}

/// One path's part of the text, before it is cut to its share of the budget.
struct ReadDraft {
    loaded: LoadedFile,
    body: Body,
    tags: Vec<Tag>,
    /// The digests of the lines that were printed, if they were needed.
    digests: Option<Vec<LineDigest>>,
    /// The changes, if the caller asked for them and they are known.
    changes: Option<Changes>,
}

impl ReadDraft {
    fn new(mut loaded: LoadedFile, scheme: Scheme, room: Budget) -> Self {
        let mut body = Body::default();
        let (mut tags, mut digests) = (Vec::new(), None);
        let wanted = loaded.wanted;
        match &mut loaded.content {
            Ok(PathContent::Text(text)) => {
                if let Some(view) = loaded.view.as_deref().filter(|_| loaded.changes && text.whole)
                {
                    let lines = loaded.known.clone().lines(|| digests_of(&text.document));
                    let found = Changes::since(view, lines, wanted);
                    body = found.print(&text.document, scheme, room, part_of(wanted));
                    let changes = Some(found);
                    return Self { loaded, body, tags, digests, changes };
                }
                let runs = text.left_out.runs(wanted.resolve(text.total), usize::MAX);
                let is_digested = loaded.known.lines.is_some();
                let mut before = 0;
                for run in &runs {
                    let shown = LinesToShow::of(text, run, wanted);
                    if runs.len() == 1
                        && let Some((printed, block)) = shown.block(scheme, room, is_digested)
                    {
                        (body, tags, digests) = (printed, block.tags, block.digests);
                    } else if body.lines == before && body.cost() <= room.bytes {
                        body.gap();
                        tags.extend(shown.print(scheme, room, &mut body));
                    }
                    before += run.len();
                }
            }
            Ok(PathContent::Found { excerpt, pattern, lookup, whole, .. }) => {
                let total = whole.as_ref().map_or(u32::MAX as usize - 1, Document::len);
                excerpt.start_at(LineNumber::at(wanted.resolve(total).start));
                excerpt.truncate(wanted.limit.unwrap_or(usize::MAX), lookup.around);
                let mut ends = Vec::new();
                excerpt.print(&mut body.text, pattern, true, room, |end| ends.push(end));
                (body.lines, body.ends) = (ends.len(), Some(ends));
            }
            Ok(PathContent::Directory(names)) => {
                for name in names[wanted.resolve(names.len())].iter().take(room.lines) {
                    body.line(|out| out.push_str(&show::name(name)));
                }
            }
            Err(_) => {}
        }
        Self { loaded, body, tags, digests, changes: None }
    }

    /// Writes the header, the lines and the footer.
    fn finish(self, scheme: Scheme, host: &[HostKind], out: &mut Assembled) {
        if !out.text.is_empty() {
            out.text.push_str("\n\n");
        }
        let shown = self.body.lines;
        let LoadedFile { name, path, key, wanted, changes, view, known, content } = self.loaded;
        let mut file = ShownFile::of(name, path);
        match content {
            Err(refusal) => {
                file.host_reads = HostKind::of(&refusal).filter(|kind| host.contains(kind));
                let name = show::name(&file.name);
                match file.host_reads {
                    Some(_) => show::say(&mut out.text, format_args!("{name}: see below")),
                    None => show::say(&mut out.text, format_args!("error: {refusal}")),
                }
                file.refusal = Some(refusal);
            }
            Ok(PathContent::Directory(names)) => {
                let start = wanted.resolve(names.len()).start;
                let total = names.len();
                out.part(&header(&file.name, &count(total, "entry")), self.body);
                out.push_footer(start + shown, total, "entry", false);
                file.total = Some(total);
                file.lines = (shown > 0).then_some((start + 1, start + shown));
            }
            Ok(PathContent::Text(text)) if self.changes.is_some() => {
                let found = self.changes.expect("the match guard checked it");
                file.encoding = text.document.encoding();
                out.part(&found.header(&file.name, file.encoding), self.body);
                if let Some(footer) = found.footer(shown) {
                    out.text.push('\n');
                    out.text.push_str(&footer);
                    out.truncated = true;
                }
                file.total = Some(text.total);
                file.lines = found.ends(shown);
                file.since_shown = Some(found.since_shown());
                let snapshot = found.remember(&text.document, scheme, shown);
                out.seen.push(SeenVersion { key, snapshot, read: true });
            }
            Ok(PathContent::Text(text)) => {
                let wanted = wanted.resolve(text.total);
                let runs = text.left_out.runs(wanted, shown);
                let (start, end) = (runs[0].start, runs[runs.len() - 1].end);
                let tags = &self.tags[..shown];
                let snapshot = remember_text(&text, known, scheme, &runs, tags, self.digests);
                let before = view.as_deref().zip(snapshot.lines());
                let is_unchanged = before.is_some_and(|(view, lines)| {
                    runs.iter().all(|run| view.is_unchanged(lines, run.clone()))
                });
                let note = header_note(is_unchanged, changes, text.whole);
                file.since_shown = note.map(|note| match note {
                    HeaderNote::Unchanged => SinceShown::Unchanged,
                    HeaderNote::NotShown | HeaderNote::TooLarge => SinceShown::Unknown,
                });
                file.encoding = text.document.encoding();
                let header =
                    lines_header(&file.name, start, end - start, text.total, file.encoding, note);
                out.part(&header, self.body);
                let has_changed = before.is_some_and(|(view, lines)| view.has_changed(lines));
                let next = text.left_out.next(end);
                if let Some(note) = text.left_out.note(&text.document, &(start..next)) {
                    show::say(&mut out.text, format_args!("\n[{note}]"));
                }
                out.push_footer(next, text.total, "line", has_changed && !changes);
                file.total = Some(text.total);
                file.lines = (shown > 0).then_some((start + 1, end));
                if shown > 0 {
                    out.seen.push(SeenVersion { key, snapshot, read: true });
                }
                buffers::give_back(text.document.into_memory());
            }
            Ok(PathContent::Found { mut excerpt, lookup, whole, stamp, .. }) => {
                let total = whole.as_ref().map(Document::len);
                let matches = excerpt.matches();
                file.encoding = whole.as_ref().map(Document::encoding).unwrap_or_default();
                let header =
                    search_header(&file.name, &lookup.pattern, matches, total, file.encoding);
                out.part(&header, self.body);
                excerpt.truncate_lines(shown);
                out.more_matches(&excerpt, matches, wanted);
                let mut numbers = excerpt.lines().map(|line| line.number.get());
                file.lines = numbers.next().map(|first| (first, numbers.last().unwrap_or(first)));
                file.total = total;
                file.matches = Some(matches);
                if shown > 0 {
                    let snapshot = remember_found(&excerpt, whole, known, scheme, stamp);
                    out.seen.push(SeenVersion { key, snapshot, read: false });
                }
            }
        }
        out.files.push(file);
    }
}

/// What a header says about an earlier look at the file. It says why there is no list of changes
/// only if one was asked for.
fn header_note(is_unchanged: bool, changes: bool, whole: bool) -> Option<HeaderNote> {
    match (is_unchanged, changes, whole) {
        (true, ..) => Some(HeaderNote::Unchanged),
        (false, true, true) => Some(HeaderNote::NotShown),
        (false, true, false) => Some(HeaderNote::TooLarge),
        (false, false, _) => None,
    }
}

impl Assembled {
    /// Appends printed lines under their header.
    fn part(&mut self, header: &str, body: Body) {
        self.text.reserve(header.len() + body.len());
        self.text.push_str(header);
        self.text.push_str(&body.text);
        buffers::give_back(body.text.into_bytes());
    }

    /// Adds a footer that says how to see what comes after the first `done` of `total`; with
    /// `has_changed`, also how to see only what has changed.
    fn push_footer(&mut self, done: usize, total: usize, one: &str, has_changed: bool) {
        if done < total {
            if has_changed {
                self.text.push('\n');
                self.text.push_str(CHANGES);
            }
            self.text.push('\n');
            self.text.push_str(&read_on(total - done, one, done + 1));
            self.truncated = true;
        }
    }

    fn more_matches(&mut self, excerpt: &GrepLines, matches: usize, wanted: LinesWanted) {
        let shown = excerpt.matches_left();
        let Some(last) = excerpt.lines().last() else {
            return;
        };
        if shown < matches && wanted.offset.is_none_or(|offset| offset <= 1) {
            self.text.push('\n');
            self.text.push_str(&read_on(matches - shown, "match", last.number.get() + 1));
            self.truncated = true;
        }
    }
}

/// The lines of a text to show.
struct LinesToShow<'a> {
    text: &'a LoadedLines,
    /// The lines, as zero-based indexes into the document.
    lines: Range<usize>,
    /// The part of over-long lines that is shown.
    part: Part,
}

impl<'a> LinesToShow<'a> {
    fn of(text: &'a LoadedLines, range: &Range<usize>, wanted: LinesWanted) -> Self {
        let place = |line: usize| line.saturating_sub(text.before).min(text.document.len());
        Self { text, lines: place(range.start)..place(range.end), part: part_of(wanted) }
    }

    /// Prints the lines as one block, if none of them needs more than copying.
    fn block(&self, scheme: Scheme, room: Budget, is_digested: bool) -> Option<(Body, RowBlock)> {
        let Range { start, end } = self.fitting(room);
        // Of a file that is held whole, either all digests are needed or none.
        let is_enough = !self.text.whole || end - start == self.text.total;
        let learn = if is_enough && !is_digested { Learn::Digests } else { Learn::Tags };
        let before = self.text.before + start;
        let bytes = self.text.document.span_text(Span::between(start, end));
        let first = LineNumber::new(before + 1)?;
        let mut block = block(scheme, first, bytes, MAX_CHARACTERS, learn)?;
        let text = std::mem::take(&mut block.text);
        let anchors = Some(Anchors { first: before + 1, tag: scheme.width() });
        Some((Body { text, lines: end - start, ends: None, anchors }, block))
    }

    /// Prints the lines one by one as long as they may fit.
    fn print(&self, scheme: Scheme, room: Budget, body: &mut Body) -> Vec<Tag> {
        let Range { start, end: last } = self.fitting(room);
        let first = self.text.before + start + 1;
        body.anchors.get_or_insert(Anchors { first, tag: scheme.width() });
        let mut tags = Vec::new();
        let mut start = start;
        while start < last && body.cost() <= room.bytes {
            let end = last.min(start + BATCH);
            tags.extend(self.print_batch(scheme, start..end, body));
            start = end;
        }
        tags
    }

    /// The lines that would fit without their tags, and one more.
    fn fitting(&self, room: Budget) -> Range<usize> {
        let Range { start, end } = self.lines;
        let last = end.min(start.saturating_add(room.lines));
        let mut within = self.last_within(start..last, room.bytes);
        if within < last {
            within = self.last_shown_within(start..last, room.bytes);
        }
        start..last.min(within + 1)
    }

    /// The end of those first `lines` whose shown text takes at most `bytes`, without tags: an
    /// over-long line counts only as far as it is shown.
    fn last_shown_within(&self, lines: Range<usize>, bytes: usize) -> usize {
        let mut left = bytes;
        for place in lines.clone() {
            let content = self.text.document.content(LineNumber::at(place)).unwrap_or_default();
            let shown = match content.char_indices().nth(MAX_CHARACTERS) {
                Some((at, _)) if content.len() > MAX_CHARACTERS => at,
                _ => content.len(),
            };
            match left.checked_sub(shown + 1) {
                Some(rest) => left = rest,
                None => return place,
            }
        }
        lines.end
    }

    /// The end of those first `lines` whose whole text takes at most `bytes`, without tags.
    fn last_within(&self, lines: Range<usize>, bytes: usize) -> usize {
        let (mut fits, mut end) = (lines.start, lines.end);
        while fits < end {
            let middle = fits + (end - fits).div_ceil(2);
            if self.text.document.span_text(Span::between(lines.start, middle)).len() <= bytes {
                fits = middle;
            } else {
                end = middle - 1;
            }
        }
        fits
    }

    fn print_batch(&self, scheme: Scheme, lines: Range<usize>, body: &mut Body) -> Vec<Tag> {
        let LoadedLines { document, before, .. } = self.text;
        let tags = tag_span(document, Span::between(lines.start, lines.end), *before, scheme);
        for (place, tag) in lines.zip(&tags) {
            let content = document.content(LineNumber::at(place)).unwrap_or_default();
            let number = LineNumber::at(before + place);
            body.line(|out| Row::new(number, *tag, content).push_part(out, scheme, self.part));
        }
        tags
    }
}

/// The part of over-long lines that is shown.
fn part_of(wanted: LinesWanted) -> Part {
    wanted.column.map_or(Part::Start, Part::FromColumn)
}

/// The digests of all lines, computed on several processors if the text is long.
fn digests_of(document: &Document) -> Vec<LineDigest> {
    if document.text().len() < LONG_TEXT {
        return document.digests();
    }
    let starts: Vec<usize> = (0..document.len()).step_by(LINES_PER_PART).collect();
    let part = |start: &usize| {
        document.digests_of(Span::between(*start, document.len().min(start + LINES_PER_PART)))
    };
    parallel::map(&starts, part).concat()
}

/// What to remember of a file after a search showed lines of it.
fn remember_found(
    excerpt: &GrepLines,
    whole: Option<Document>,
    known: KnownFile,
    scheme: Scheme,
    stamp: u64,
) -> Snapshot {
    let mut snapshot = match whole {
        Some(document) => Snapshot::whole(scheme, known.lines(|| digests_of(&document)))
            .in_encoding(document.encoding()),
        None => Snapshot::part(scheme, stamp, None),
    };
    excerpt.shown_in(&mut snapshot);
    snapshot
}

/// What to remember of a text whose lines `runs` were shown with `tags`. `digests`, if there are
/// any, belong to consecutive lines from the first shown line on.
fn remember_text(
    text: &LoadedLines,
    known: KnownFile,
    scheme: Scheme,
    runs: &[Range<usize>],
    mut tags: &[Tag],
    digests: Option<Vec<LineDigest>>,
) -> Snapshot {
    let start = runs[0].start;
    let mut snapshot = if text.whole {
        let all = digests.filter(|digests| digests.len() == text.total);
        let make = || all.unwrap_or_else(|| digests_of(&text.document));
        Snapshot::whole(scheme, known.lines(make))
    } else {
        let from = start - text.before;
        let shown = || text.document.digests_of(Span::between(from, from + tags.len()));
        let mut part = Snapshot::part(scheme, text.stamp, Some(text.total));
        part.learn(LineNumber::at(start), &digests.unwrap_or_else(shown)[..tags.len()]);
        part
    };
    for run in runs {
        let shown = tags.split_off(..run.len()).unwrap_or_default();
        snapshot.show(LineNumber::at(run.start), shown);
    }
    snapshot.in_encoding(text.document.encoding())
}
