//! The tagged lines of a file of any size, one after the other.
//!
//! A session shows what fits into one answer. The command line prints whole files, so this module
//! reads a file once and holds only few lines of it: 10 GB take as much memory as 10 KB.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};

use super::notebook::is_notebook;
use super::{LARGE, LeftOut, ReadRefusal};
use crate::content::Texts;
use crate::fs;
use crate::show::Row;
use hashline_text::kernel::newlines;
use hashline_text::{Document, Encoding, HEAD, LineNumber, Scheme, Tag, TagInput};

/// How many bytes are read at a time.
const CHUNK: usize = 256 << 10;

/// A line longer than this is not held in memory.
const MAX_HELD: usize = 1 << 30;

/// Where a stream comes from.
pub enum StreamSource {
    /// A text held in memory: a small file, or one in another encoding.
    Held {
        /// The file's path; `None` for standard input.
        path: Option<PathBuf>,
        /// The text.
        document: Document,
    },
    /// UTF-8 of any size, read step by step.
    Read(Box<dyn Read>),
}

impl StreamSource {
    /// Opens a file, or standard input if there is no path.
    pub(crate) fn open(
        path: Option<&Path>,
        name: &str,
        texts: &dyn Texts,
    ) -> Result<Self, ReadRefusal> {
        let refuse = |error: fs::ReadError| ReadRefusal::of(name, &error);
        let (size, mut from): (u64, Box<dyn Read>) = match path {
            None => (u64::MAX, Box::new(io::stdin())),
            Some(path) => {
                let (file, stat) = fs::open(path).map_err(refuse)?;
                (stat.size, Box::new(file))
            }
        };
        let mut bytes = Vec::new();
        let read = |from: &mut dyn Read, most, bytes: &mut Vec<u8>| {
            from.take(most).read_to_end(bytes).map_err(|error| refuse(error.into()))
        };
        read(&mut from, HEAD as u64, &mut bytes)?;
        let at = path.unwrap_or(Path::new(name));
        if path.is_some() {
            ReadRefusal::unless_text(name, texts.kind(at, &bytes), size)?;
        }
        if size > LARGE && !is_notebook(at) && texts.encoding(at, &bytes) == Encoding::UTF_8 {
            return Ok(Self::Read(Box::new(io::Cursor::new(bytes).chain(from))));
        }
        read(&mut from, MAX_HELD as u64, &mut bytes)?;
        Ok(Self::Held { path: path.map(Path::to_owned), document: texts.document(at, bytes) })
    }

    /// Which of these lines are left out, and the note that says so.
    pub fn left_out(&self, wanted: Range<usize>) -> (LeftOut, Option<String>) {
        let Self::Held { path: Some(path), document } = self else { return Default::default() };
        let left_out = LeftOut::of(path, document, wanted.start);
        let note = left_out.note(document, &wanted);
        (left_out, note)
    }

    /// Its text as UTF-8, from the first byte.
    pub fn reader(&mut self) -> Box<dyn Read + '_> {
        match self {
            Self::Held { document, .. } => Box::new(document.text().as_bytes()),
            Self::Read(from) => Box::new(from),
        }
    }
}

/// Which rows of a stream are printed.
#[derive(Clone, Copy, Debug)]
pub struct RowsWanted {
    /// The first line, counted from 1.
    pub first: usize,
    /// The last line.
    pub last: usize,
    /// The most bytes of rows.
    pub max_bytes: usize,
}

/// What was printed of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintedRows {
    /// How many rows were printed.
    pub rows: usize,
    /// The next line, if the limit of bytes left some out.
    pub next: Option<usize>,
    /// How many lines were seen in all; the source may have more.
    pub seen: usize,
}

/// One line of a stream.
#[derive(Clone, Copy, Debug)]
pub struct StreamedLine<'a> {
    /// The line's number.
    pub number: LineNumber,
    /// The line's tag.
    pub tag: Tag,
    /// The line's text.
    pub content: &'a str,
}

impl StreamedLine<'_> {
    /// The row that a session shows for it, with all of its text.
    pub fn row(self, scheme: Scheme) -> String {
        let mut row = String::with_capacity(self.content.len() + 16);
        Row::new(self.number, self.tag, self.content).push_whole(&mut row, scheme);
        row
    }
}

/// Why a stream ended before its source did.
#[derive(Debug)]
pub enum StreamFault {
    /// A line is too long to be held in memory.
    LineTooLong {
        /// The number of the line.
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

/// Prints the wanted rows of `from`: `row` makes a row of a line, or `None` if the line is left
/// out; `print` gets the rows until it has enough.
///
/// ```
/// use hashline_core::read::{RowsWanted, print_rows};
/// use hashline_text::Scheme;
/// use std::ops::ControlFlow;
///
/// let mut printed = Vec::new();
/// let mut print = |row: &str| {
///     printed.push(row.to_owned());
///     Ok(ControlFlow::Continue(()))
/// };
/// let wanted = RowsWanted { first: 2, last: 2, max_bytes: usize::MAX };
/// let row = |line: hashline_core::read::StreamedLine<'_>| Some(line.row(Scheme::Hex2));
/// print_rows(&b"roses\nviolets\n"[..], Scheme::Hex2, wanted, &row, &mut print).unwrap();
/// assert_eq!(printed, ["2:89|violets"]);
/// ```
pub fn print_rows(
    from: impl Read,
    scheme: Scheme,
    wanted: RowsWanted,
    row: &dyn Fn(StreamedLine<'_>) -> Option<String>,
    print: &mut dyn FnMut(&str) -> io::Result<ControlFlow<()>>,
) -> Result<PrintedRows, StreamFault> {
    let (mut rows, mut bytes, mut next) = (0, 0, None);
    let mut take = |line: StreamedLine<'_>| {
        let Some(row) = row(line) else { return Ok(ControlFlow::Continue(())) };
        if bytes + row.len() >= wanted.max_bytes && rows > 0 {
            next = Some(line.number.get());
            return Ok(ControlFlow::Break(()));
        }
        bytes += row.len() + 1;
        rows += 1;
        print(&row)
    };
    let seen = stream(from, scheme, wanted.first..=wanted.last, &mut take)?;
    Ok(PrintedRows { rows, next, seen })
}

/// Hands the lines of `from` with these numbers to `take`, until it has enough. Returns how many
/// lines were seen in all; the source may have more.
fn stream(
    mut from: impl Read,
    scheme: Scheme,
    wanted: RangeInclusive<usize>,
    take: &mut dyn FnMut(StreamedLine<'_>) -> io::Result<ControlFlow<()>>,
) -> Result<usize, StreamFault> {
    let mut lines =
        Lines { scheme, wanted, take, before: String::new(), held: None, seen: 0, done: false };
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
        if buffer.len() > MAX_HELD {
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
    before: String,
    /// A line that is held until the line after it is known, on which its tag may depend.
    held: Option<String>,
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
        // The tag of the first wanted line may depend on the line before it.
        if self.seen + 2 < *self.wanted.start() {
            self.seen += 1;
            return Ok(());
        }
        let line = String::from_utf8(line.to_vec());
        let line = line.unwrap_or_else(|damaged| Encoding::UTF_8.decode(damaged.as_bytes()));
        self.release(Some(&line))?;
        self.seen += 1;
        self.held = Some(line);
        Ok(())
    }

    /// Hands out the line that was held, now that the one after it is known.
    fn release(&mut self, after: Option<&str>) -> Result<(), StreamFault> {
        let Some(content) = self.held.take() else { return Ok(()) };
        let line = self.seen;
        if !self.done && self.wanted.contains(&line) {
            let number = LineNumber::new(line).ok_or(StreamFault::LineTooLong { line })?;
            let [before, after] = [&self.before, after.unwrap_or_default()].map(str::as_bytes);
            let tag =
                self.scheme.tag(TagInput { number, before, content: content.as_bytes(), after });
            self.done = (self.take)(StreamedLine { number, tag, content: &content })?.is_break();
        }
        self.before = content;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::Listing;

    fn printed(
        text: &[u8],
        scheme: Scheme,
        wanted: RowsWanted,
    ) -> Result<(String, PrintedRows), StreamFault> {
        let mut rows = String::new();
        let mut print = |row: &str| {
            rows.push_str(row);
            rows.push('\n');
            Ok(ControlFlow::Continue(()))
        };
        let printed = print_rows(text, scheme, wanted, &|line| Some(line.row(scheme)), &mut print)?;
        Ok((rows, printed))
    }

    /// Rows as the listing of the whole document has them.
    fn listed(text: &[u8], scheme: Scheme, first: usize, last: usize) -> String {
        let document = Document::from_bytes(text.to_vec()).unwrap();
        let listing = Listing::new(&document, scheme);
        let mut out = String::new();
        for (at, (line, tag)) in document.lines().zip(listing.tags()).enumerate() {
            if (first..=last).contains(&(at + 1)) {
                Row::new(LineNumber::at(at), *tag, line.content).push_whole(&mut out, scheme);
                out.push('\n');
            }
        }
        out
    }

    #[test]
    fn a_stream_prints_what_a_listing_of_the_whole_file_prints() {
        let long = format!("{}\n", "x".repeat(256 << 10)).repeat(3);
        let many = "let a = 1;\n\n}\n".repeat(40_000);
        let texts = ["", "a", "a\n", "\u{feff}a\r\nb\rc\n\nd", "a\nb\nc\nd\ne\n", &long, &many];
        for scheme in Scheme::ALL {
            for text in texts.map(str::as_bytes) {
                for (first, last) in [(1, usize::MAX), (2, 3), (3, 3), (9, 12)] {
                    let wanted = RowsWanted { first, last, max_bytes: usize::MAX };
                    let (rows, _) = printed(text, scheme, wanted).unwrap();
                    assert!(rows == listed(text, scheme, first, last), "{scheme:?} {first}-{last}");
                }
            }
        }
    }

    #[test]
    fn a_limit_of_bytes_says_where_to_continue() {
        for (max_bytes, rows) in [(1, 1), (13, 1), (14, 2), (20, 2)] {
            let wanted = RowsWanted { first: 1, last: usize::MAX, max_bytes };
            let (_, printed) = printed(b"a\nb\nc\nd\n", Scheme::Hex2, wanted).unwrap();
            assert_eq!((printed.rows, printed.next), (rows, Some(rows + 1)), "{max_bytes}");
        }
    }

    #[test]
    fn invalid_utf8_is_printed_like_in_a_document() {
        let damaged = Document::decode_as(b"a\n\xff\x1b\n".to_vec(), Encoding::UTF_8);
        let wanted = RowsWanted { first: 1, last: usize::MAX, max_bytes: usize::MAX };
        let (rows, _) = printed(damaged.bytes(), Scheme::Hex2, wanted).unwrap();
        assert_eq!(rows, listed(damaged.text().as_bytes(), Scheme::Hex2, 1, 2));
        assert!(rows.ends_with("|\\xFF\\x1b\n"), "{rows}");
    }
}
