//! Searching one file, and the only module that knows `grep-searcher`.
//!
//! A [`Search`] is made once per thread and used for many files. It counts every matching line and
//! keeps the first ones with the lines around them; the caller decides later what is shown, and has
//! checked before that the bytes are text.

use std::io::{self, Read};
use std::ops::Range;

use grep_searcher::{
    BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind,
    SinkMatch,
};

use super::Pattern;
use crate::cancel::{Cancel, Cancelled};
use crate::fs::ReadError;
use hashline_text::LineNumber;
use hashline_text::kernel::utf8;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The most bytes of one file's lines that are kept for showing.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// Room for the kept lines of most files with a match, so that it need not grow step by step.
const FIRST_LINES: usize = 16;
const FIRST_BYTES: usize = 1024;

/// The most memory for a search across lines in a file that is not in memory.
const MULTILINE_BYTES: usize = 256 << 20;

/// How many lines are wanted around each match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ContextLines {
    /// Lines before each match.
    pub before: usize,
    /// Lines after each match.
    pub after: usize,
}

/// A line that the search kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hit {
    /// The line's number.
    pub number: LineNumber,
    /// Whether the line itself matches; otherwise it is near a match.
    pub matches: bool,
    range: Range<usize>,
}

/// What a search found in one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SearchHits {
    /// How many lines match.
    pub matches: usize,
    /// The lines that were kept, in order.
    pub lines: Vec<Hit>,
    text: Vec<u8>,
}

impl Hit {
    /// The line's text, without its ending; `text` holds all lines of the search.
    pub(crate) fn content<'a>(&self, text: &'a str) -> &'a str {
        &text[self.range.clone()]
    }
}

impl SearchHits {
    /// No hits, with the memory of lines and text that are no longer needed.
    pub(super) fn empty(mut lines: Vec<Hit>, mut text: Vec<u8>) -> Self {
        lines.clear();
        text.clear();
        Self { matches: 0, lines, text }
    }

    /// The lines that were kept, and the text that holds them; `None` if one is not UTF-8.
    pub(crate) fn into_hits_and_text(self) -> Option<(Vec<Hit>, String)> {
        let text = utf8::into_text(self.text).ok()?;
        // A character that is cut at the end of one line must not be completed by the next line.
        let whole = |hit: &Hit| text.is_char_boundary(hit.range.start);
        self.lines.iter().all(whole).then_some((self.lines, text))
    }
}

/// A pattern with the working memory to search for it.
#[derive(Debug)]
pub(crate) struct Search {
    /// Searches with line numbers and context, if lines are kept.
    keeping: Searcher,
    /// Searches faster, without them, if lines are only counted.
    counting: Searcher,
    pattern: Pattern,
    around: ContextLines,
    extent: SearchExtent,
    cancel: Cancel,
    /// Memory for the next file's lines.
    spare: SearchHits,
}

/// How far a file is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchExtent {
    /// The file is searched to its end.
    Whole,
    /// The file is searched to its first match.
    First,
}

impl Search {
    /// Prepares a search for `pattern` that keeps the lines `around` each match.
    pub(crate) fn new(
        pattern: Pattern,
        around: ContextLines,
        extent: SearchExtent,
        cancel: Cancel,
    ) -> Self {
        let mut builder = SearcherBuilder::new();
        builder
            .multi_line(pattern.reading().multiline)
            .invert_match(pattern.reading().inverted)
            .memory_map(MmapChoice::never())
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .heap_limit(Some(MULTILINE_BYTES));
        if let Some(terminator) = pattern.line_terminator() {
            builder.line_terminator(terminator);
        }
        let counting = builder.line_number(false).build();
        builder.line_number(true).before_context(around.before).after_context(around.after);
        let keeping = builder.build();
        Self { keeping, counting, pattern, around, extent, cancel, spare: SearchHits::default() }
    }

    /// Reuses the buffers of a finished file for the next one.
    pub(super) fn reuse(&mut self, done: SearchHits) {
        self.spare = SearchHits::empty(done.lines, done.text);
    }

    /// The pattern that is searched for.
    pub(crate) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Searches a file's bytes; keeps `keep` matching lines, and all lines around them.
    pub(crate) fn bytes(&mut self, bytes: &[u8], keep: usize) -> Result<SearchHits, ReadError> {
        let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
        let mut sink = Collector::new(keep, self.around, self.extent, &self.cancel);
        sink.hits = std::mem::take(&mut self.spare);
        let searcher = if keep == 0 { &mut self.counting } else { &mut self.keeping };
        searcher.search_slice(self.pattern.matcher(), text, &mut sink)?;
        sink.finish()
    }

    /// Like [`Search::bytes`], but reads the file piece by piece while searching it.
    pub(crate) fn reader(
        &mut self,
        reader: impl Read,
        keep: usize,
    ) -> Result<SearchHits, ReadError> {
        let mut sink = Collector::new(keep, self.around, self.extent, &self.cancel);
        let mut reader = Cancellable { inner: reader, cancel: &self.cancel };
        let mut start = Vec::with_capacity(BOM.len());
        reader.by_ref().take(BOM.len() as u64).read_to_end(&mut start)?;
        let reader = start.strip_prefix(BOM).unwrap_or(&start).chain(reader);
        let searcher = if keep == 0 { &mut self.counting } else { &mut self.keeping };
        let outcome = searcher.search_reader(self.pattern.matcher(), reader, &mut sink);
        // In a cancelled search the reader fails: that error is not the file's.
        self.cancel.check().map_err(|Cancelled| ReadError::Cancelled)?;
        outcome?;
        sink.finish()
    }
}

/// A reader that fails once the search is cancelled.
struct Cancellable<'a, R> {
    inner: R,
    cancel: &'a Cancel,
}

impl<R: Read> Read for Cancellable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check().map_err(io::Error::other)?;
        self.inner.read(buffer)
    }
}

struct Collector<'a> {
    hits: SearchHits,
    keep: usize,
    kept: usize,
    around: ContextLines,
    extent: SearchExtent,
    /// The number of the last match that counts towards `keep`; lines after it are kept as context.
    last: u64,
    cancel: &'a Cancel,
}

impl<'a> Collector<'a> {
    fn new(keep: usize, around: ContextLines, extent: SearchExtent, cancel: &'a Cancel) -> Self {
        Self { hits: SearchHits::default(), keep, kept: 0, around, extent, last: 0, cancel }
    }

    fn goes_on(&self) -> bool {
        self.extent == SearchExtent::Whole && !self.cancel.is_requested()
    }

    fn push(&mut self, number: Option<u64>, line: &[u8], matches: bool) {
        let number = number.and_then(|number| usize::try_from(number).ok());
        let Some(number) = number.and_then(LineNumber::new) else {
            return;
        };
        let content = match line {
            [content @ .., b'\r', b'\n'] | [content @ .., b'\n'] | content => content,
        };
        if self.hits.lines.is_empty() {
            self.hits.lines.reserve(FIRST_LINES);
            self.hits.text.reserve(FIRST_BYTES);
        }
        let start = self.hits.text.len();
        self.hits.text.extend(content);
        self.hits.lines.push(Hit { number, matches, range: start..self.hits.text.len() });
    }

    fn finish(self) -> Result<SearchHits, ReadError> {
        self.cancel.check().map_err(|Cancelled| ReadError::Cancelled)?;
        Ok(self.hits)
    }
}

impl Sink for &mut Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let number = found.line_number().unwrap_or_default();
        // The lines around the last kept match are kept too, even if they match: its tag may depend
        // on them.
        let after = self.around.after as u64;
        if self.keep == 0 || self.kept >= self.keep && number > self.last + after {
            self.hits.matches += found.lines().count();
            return Ok(self.goes_on());
        }
        for (number, line) in (number..).zip(found.lines()) {
            self.hits.matches += 1;
            if self.hits.text.len() >= MAX_KEPT_BYTES {
                continue;
            }
            if self.kept < self.keep {
                self.kept += 1;
                self.last = number;
            }
            if number <= self.last + after {
                self.push(Some(number), line, true);
            }
        }
        Ok(self.goes_on())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let number = context.line_number();
        let wanted = match context.kind() {
            SinkContextKind::Before => self.kept < self.keep,
            _ => number.is_some_and(|number| number <= self.last + self.around.after as u64),
        };
        if wanted && self.hits.text.len() < MAX_KEPT_BYTES {
            self.push(number, context.bytes(), false);
        }
        Ok(true)
    }
}
