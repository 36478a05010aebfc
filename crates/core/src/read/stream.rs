//! The tagged lines of a file of any size, one after the other.
//!
//! A session shows what fits into one answer. The program prints whole files, so this goes through
//! them once and holds only the lines at hand: a file of 10 GB takes as much memory as one of 10 KB.

use std::io::{self, Read};
use std::ops::{ControlFlow, RangeInclusive};

use hashline_text::kernel::newlines;
use hashline_text::{LineNumber, Scheme, Tag, TagInput};

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// A line longer than this is not held in memory.
const LONGEST: usize = 1 << 30;

/// One line of a stream.
#[derive(Clone, Copy, Debug)]
pub struct StreamedLine<'a> {
    /// Its number.
    pub number: LineNumber,
    /// Its tag.
    pub tag: Tag,
    /// Its text.
    pub content: &'a str,
}

/// Why a stream ended before its source did.
#[derive(Debug)]
pub enum StreamFault {
    /// A line is not UTF-8.
    NotText {
        /// The line.
        line: usize,
    },
    /// A line is too long to be held in memory.
    LineTooLong {
        /// The line.
        line: usize,
    },
    /// The source cannot be read, or the receiver of the lines failed.
    Io(io::Error),
}

impl From<io::Error> for StreamFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Hands the lines of `from` with these numbers to `take`, until it has enough. Answers with how many
/// lines were seen in all; the source may have more.
pub fn stream(
    mut from: impl Read,
    scheme: Scheme,
    wanted: RangeInclusive<usize>,
    take: &mut dyn FnMut(StreamedLine<'_>) -> io::Result<ControlFlow<()>>,
) -> Result<usize, StreamFault> {
    let mut lines =
        Lines { scheme, wanted, take, before: Vec::new(), held: None, seen: 0, done: false };
    let mut buffer = Vec::with_capacity(CHUNK);
    let mut ended = false;
    while !ended && !lines.is_done() {
        let kept = buffer.len();
        (&mut from).take(CHUNK as u64).read_to_end(&mut buffer)?;
        ended = buffer.len() - kept < CHUNK;
        if kept == 0 && lines.seen == 0 && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        let mut start = 0;
        for newline in newlines::iter(&buffer) {
            let line = &buffer[start..newline];
            lines.line(line.strip_suffix(b"\r").unwrap_or(line))?;
            start = newline + 1;
            if lines.is_done() {
                break;
            }
        }
        buffer.drain(..start);
        if buffer.len() > LONGEST {
            return Err(StreamFault::LineTooLong { line: lines.seen + 1 });
        }
    }
    if ended && !buffer.is_empty() && !lines.is_done() {
        lines.line(&buffer)?;
    }
    lines.release(None)?;
    Ok(lines.seen)
}

struct Lines<'a> {
    scheme: Scheme,
    wanted: RangeInclusive<usize>,
    take: &'a mut dyn FnMut(StreamedLine<'_>) -> io::Result<ControlFlow<()>>,
    /// The line before the one that is held.
    before: Vec<u8>,
    /// A line whose tag waits for the line after it.
    held: Option<Vec<u8>>,
    seen: usize,
    /// Whether the receiver has enough.
    done: bool,
}

impl Lines<'_> {
    fn is_done(&self) -> bool {
        self.done || self.seen > *self.wanted.end()
    }

    /// Takes the next line of the file.
    fn line(&mut self, line: &[u8]) -> Result<(), StreamFault> {
        self.release(Some(line))?;
        self.seen += 1;
        // The line before the first one counts too, in schemes that look at neighbours.
        if self.seen + 1 >= *self.wanted.start() {
            self.held = Some(line.to_vec());
        }
        Ok(())
    }

    /// Hands out the line that was held, now that the one after it is known.
    fn release(&mut self, after: Option<&[u8]>) -> Result<(), StreamFault> {
        let Some(line) = self.held.take() else { return Ok(()) };
        let number = self.seen;
        if !self.done && self.wanted.contains(&number) {
            let content =
                str::from_utf8(&line).map_err(|_| StreamFault::NotText { line: number })?;
            let place = LineNumber::new(number).ok_or(StreamFault::LineTooLong { line: number })?;
            let after = after.unwrap_or_default();
            let input = TagInput { number: place, before: &self.before, content: &line, after };
            let tag = self.scheme.tag(input);
            self.done = (self.take)(StreamedLine { number: place, tag, content })?.is_break();
        }
        self.before = line;
        Ok(())
    }
}
