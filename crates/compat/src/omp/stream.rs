//! Listing a text that does not fit in memory, chunk by chunk.
//!
//! Lines come as bytes ([`ByteLister`]) or one by one ([`LineLister`]); both return chunks of one
//! or more whole lines. Memory holds one chunk and one line: a line is never cut.

use super::decode::StreamDecoder;
use super::format::{hash_with, push_prefix};
use super::number::whole;
use hashline_text::kernel::line_hashes::{self, Folding, HashedLines};
use hashline_text::kernel::{newlines, search, wtf8};

/// The longest line that a stream may have, in bytes: about the longest string of V8.
pub const MAX_LINE_BYTES: usize = (1 << 29) - 24;

/// Where counting starts and when a chunk is full.
///
/// The numbers are compared as JavaScript compares them: a limit of zero behaves as one, and one
/// that is not a number is never reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StreamOptions {
    /// The number of the first line.
    pub start_line: f64,
    /// The maximum number of lines in a chunk.
    pub max_chunk_lines: f64,
    /// The maximum number of UTF-8 bytes in a chunk, unless a single line has more.
    pub max_chunk_bytes: f64,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self { start_line: 1.0, max_chunk_lines: 200.0, max_chunk_bytes: 65_536.0 }
    }
}

/// A line is too long for a JavaScript string.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a line of the stream is longer than {MAX_LINE_BYTES} bytes")]
pub struct TooLong;

/// Lists lines that come as pieces of UTF-8, split anywhere.
///
/// ```
/// use hashline_compat::omp::stream::{ByteLister, StreamOptions};
/// let mut lister = ByteLister::new(StreamOptions::default());
/// assert!(lister.push(b"a\nb").unwrap().is_empty());
/// assert_eq!(lister.finish(), [b"1:56|a\n2:bf|b"]);
/// ```
pub struct ByteLister {
    decoder: StreamDecoder,
    /// The line that is still coming in.
    pending: Vec<u8>,
    chunker: Chunker,
}

impl ByteLister {
    /// Starts at the first byte of a text.
    pub fn new(options: StreamOptions) -> Self {
        Self {
            decoder: StreamDecoder::default(),
            pending: Vec::new(),
            chunker: Chunker::new(options),
        }
    }

    /// Takes the next bytes and returns the chunks that are full.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let Self { decoder, pending, chunker } = self;
        let mut too_long = false;
        decoder.push(bytes, |text| {
            let mut rest = text.as_bytes();
            if !pending.is_empty()
                && let Some(at) = search::find_byte(b'\n', rest)
            {
                pending.extend_from_slice(&rest[..at]);
                chunker.push(pending);
                pending.clear();
                rest = &rest[at + 1..];
            }
            if let Some(at) = search::find_last_byte(b'\n', rest) {
                chunker.push_all(&rest[..at]);
                rest = &rest[at + 1..];
            }
            too_long |= pending.len() + rest.len() > MAX_LINE_BYTES;
            if !too_long {
                pending.extend_from_slice(rest);
            }
        });
        if too_long {
            return Err(TooLong);
        }
        Ok(chunker.take())
    }

    /// Ends the text and returns the remaining chunks.
    pub fn finish(&mut self) -> Vec<Vec<u8>> {
        let pending = &mut self.pending;
        self.decoder.finish(|text| pending.extend_from_slice(text.as_bytes()));
        let last = std::mem::take(pending);
        self.chunker.push(&last);
        self.chunker.finish()
    }
}

/// Lists lines that come one by one. A newline inside a line is passed on.
pub struct LineLister {
    chunker: Chunker,
    has_lines: bool,
}

impl LineLister {
    /// Starts at the first line of a text.
    pub fn new(options: StreamOptions) -> Self {
        Self { chunker: Chunker::new(options), has_lines: false }
    }

    /// Takes the next line and returns the chunks that are full: none, one or two.
    pub fn push(&mut self, line: &[u8]) -> Vec<Vec<u8>> {
        self.has_lines = true;
        self.chunker.push(line);
        self.chunker.take()
    }

    /// Takes `count` lines joined by newlines, for callers to whom each call is expensive. If a
    /// line contains a newline itself, takes nothing and returns `None`.
    pub fn push_joined(&mut self, joined: &[u8], count: usize) -> Option<Vec<Vec<u8>>> {
        if newlines::count(joined) + 1 != count {
            return None;
        }
        self.has_lines = true;
        self.chunker.push_all(joined);
        Some(self.chunker.take())
    }

    /// How much can be pushed before the chunk is full.
    pub fn room(&self) -> Room {
        Room {
            lines: self.chunker.options.max_chunk_lines - whole(self.chunker.lines),
            bytes: self.chunker.options.max_chunk_bytes - whole(self.chunker.chunk.len()),
        }
    }

    /// Ends the text and returns the remaining chunks. A text without lines is one empty line.
    pub fn finish(&mut self) -> Vec<Vec<u8>> {
        if !self.has_lines {
            self.chunker.push(b"");
        }
        self.chunker.finish()
    }
}

/// How much a chunk can still hold. When either reaches zero, the chunk is full.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Room {
    /// Lines.
    pub lines: f64,
    /// Bytes of UTF-8, numbers, hashes and newlines included.
    pub bytes: f64,
}

impl Room {
    /// The maximum bytes that a listed line has besides its text: a number, a hash, a newline.
    pub const MAX_PREFIX: f64 = 32.0;
    /// The maximum bytes that a UTF-16 unit of text has.
    pub const MAX_UNIT: f64 = 3.0;

    /// Whether the line certainly fits without filling the chunk.
    pub fn holds(&self, line: &[u8]) -> bool {
        let most = Self::MAX_PREFIX + Self::MAX_UNIT * whole(wtf8::utf16_len(line));
        let full = self.lines <= 1.0 || self.bytes <= most;
        !full
    }
}

/// Gathers listed lines into chunks.
struct Chunker {
    options: StreamOptions,
    number: f64,
    /// The chunk that is being filled.
    chunk: Vec<u8>,
    lines: usize,
    full: Vec<Vec<u8>>,
    bare: Vec<u8>,
}

impl Chunker {
    fn new(options: StreamOptions) -> Self {
        Self {
            options,
            number: options.start_line,
            chunk: Vec::new(),
            lines: 0,
            full: Vec::new(),
            bare: Vec::new(),
        }
    }

    fn push(&mut self, line: &[u8]) {
        let hash = hash_with(line, &mut self.bare);
        self.push_hashed(line, hash);
    }

    /// Adds lines joined by newlines.
    fn push_all(&mut self, joined: &[u8]) {
        line_hashes::each_block(joined, Folding::None, |HashedLines { from, ends, hashes }| {
            let mut start = 0;
            for (end, hash) in ends.iter().zip(hashes) {
                let end = *end as usize;
                self.push_hashed(&from[start..end], hash.to_le_bytes()[0]);
                start = end + 1;
            }
        });
    }

    fn push_hashed(&mut self, line: &[u8], hash: u8) {
        let end = self.chunk.len();
        if self.lines > 0 {
            self.chunk.push(b'\n');
        }
        let start = self.chunk.len();
        push_prefix(self.number, hash, &mut self.chunk);
        self.number += 1.0;
        if self.lines > 0 && whole(self.chunk.len() + line.len()) > self.options.max_chunk_bytes {
            let prefix = self.chunk.split_off(start);
            self.chunk.truncate(end);
            self.flush();
            self.chunk.extend_from_slice(&prefix);
        }
        self.chunk.extend_from_slice(line);
        self.lines += 1;
        if whole(self.lines) >= self.options.max_chunk_lines
            || whole(self.chunk.len()) >= self.options.max_chunk_bytes
        {
            self.flush();
        }
    }

    fn flush(&mut self) {
        // The next chunk is likely to have the same size.
        let next = Vec::with_capacity(self.chunk.len());
        self.full.push(std::mem::replace(&mut self.chunk, next));
        self.lines = 0;
    }

    fn take(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.full)
    }

    fn finish(&mut self) -> Vec<Vec<u8>> {
        if self.lines > 0 {
            self.flush();
        }
        self.take()
    }
}
