//! Rows of a file of any size, printed while it is read.
//!
//! A session shows what fits into one answer. The program prints whole files, so it goes through them
//! once and holds only the lines at hand: a file of 10 GB takes as much memory as one of 10 KB.

use std::io::{self, Read, Write};

use super::output::Output;
use hashline_core::show::Row;
use hashline_text::kernel::newlines;
use hashline_text::{LineNumber, Scheme, TagInput};
use hashline_wire::program;

/// How much is read at a time.
const CHUNK: usize = 256 << 10;

/// A line longer than this is not held in memory.
const LONGEST: usize = 1 << 30;

/// Which rows are printed, and how.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The first line, counted from 1.
    pub(crate) first: usize,
    /// The last line.
    pub(crate) last: usize,
    /// The most bytes of rows.
    pub(crate) most_bytes: usize,
    /// The name of the file, if the rows are printed as JSON.
    pub(crate) json: Option<String>,
}

/// Why the rows ended before the file did.
#[derive(Debug)]
pub(crate) enum NotPrinted {
    /// A line is not UTF-8.
    NotText {
        /// The line.
        line: usize,
    },
    /// A line that is too long to be held in memory.
    LineTooLong {
        /// The line.
        line: usize,
    },
    /// The disk or the reader of the rows failed.
    Io(io::Error),
}

impl From<io::Error> for NotPrinted {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What was printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrintedRows {
    /// How many rows.
    pub(crate) rows: usize,
    /// The next line, if the bound on bytes left some out.
    pub(crate) next: Option<usize>,
    /// How many lines were seen in all; the file may have more.
    pub(crate) seen: usize,
}

/// Prints the rows of `from` that are wanted.
pub(crate) fn print<W: Write>(
    mut from: impl Read,
    scheme: Scheme,
    wanted: &Wanted,
    out: &mut Output<W>,
) -> Result<PrintedRows, NotPrinted> {
    let mut rows = Rows {
        scheme,
        wanted,
        out,
        before: Vec::new(),
        held: None,
        bytes: 0,
        printed: PrintedRows { rows: 0, next: None, seen: 0 },
    };
    let mut buffer = Vec::with_capacity(CHUNK);
    let mut ended = false;
    while !ended && !rows.is_done() {
        let kept = buffer.len();
        (&mut from).take(CHUNK as u64).read_to_end(&mut buffer)?;
        ended = buffer.len() - kept < CHUNK;
        if kept == 0 && rows.printed.seen == 0 && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer.drain(..3);
        }
        let mut start = 0;
        for newline in newlines::iter(&buffer) {
            let line = &buffer[start..newline];
            rows.line(line.strip_suffix(b"\r").unwrap_or(line))?;
            start = newline + 1;
            if rows.is_done() {
                break;
            }
        }
        buffer.drain(..start);
        if buffer.len() > LONGEST {
            return Err(NotPrinted::LineTooLong { line: rows.printed.seen + 1 });
        }
    }
    if ended && !buffer.is_empty() && !rows.is_done() {
        rows.line(&buffer)?;
    }
    rows.finish()?;
    Ok(rows.printed)
}

struct Rows<'a, W: Write> {
    scheme: Scheme,
    wanted: &'a Wanted,
    out: &'a mut Output<W>,
    /// The line before the one that is held.
    before: Vec<u8>,
    /// A line whose tag waits for the line after it.
    held: Option<Vec<u8>>,
    bytes: usize,
    printed: PrintedRows,
}

impl<W: Write> Rows<'_, W> {
    fn is_done(&self) -> bool {
        let past = self.printed.seen > self.wanted.last;
        past || self.printed.next.is_some() || self.out.closed()
    }

    /// Takes the next line of the file.
    fn line(&mut self, line: &[u8]) -> Result<(), NotPrinted> {
        self.release(Some(line))?;
        self.printed.seen += 1;
        // The line before the first one counts too, in schemes that look at neighbours.
        if self.printed.seen + 1 >= self.wanted.first {
            self.held = Some(line.to_vec());
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), NotPrinted> {
        self.release(None)?;
        Ok(self.out.flush()?)
    }

    /// Prints the line that was held, now that the one after it is known.
    fn release(&mut self, after: Option<&[u8]>) -> Result<(), NotPrinted> {
        let Some(line) = self.held.take() else { return Ok(()) };
        let number = self.printed.seen;
        let fits = self.printed.next.is_none();
        if fits && (self.wanted.first..=self.wanted.last).contains(&number) {
            self.print(number, &line, after)?;
        }
        self.before = line;
        Ok(())
    }

    fn print(
        &mut self,
        number: usize,
        line: &[u8],
        after: Option<&[u8]>,
    ) -> Result<(), NotPrinted> {
        let content = str::from_utf8(line).map_err(|_| NotPrinted::NotText { line: number })?;
        let place = LineNumber::new(number).ok_or(NotPrinted::LineTooLong { line: number })?;
        let after = after.unwrap_or_default();
        let input = TagInput { number: place, before: &self.before, content: line, after };
        let tag = self.scheme.tag(input);
        let row = if let Some(path) = &self.wanted.json {
            program::row(path, number, tag.as_str(), content)
        } else {
            let mut row = String::with_capacity(content.len() + 16);
            Row::new(place, tag, content).push_whole(&mut row, self.scheme);
            row
        };
        if self.bytes + row.len() >= self.wanted.most_bytes && self.printed.rows > 0 {
            self.printed.next = Some(number);
            return Ok(());
        }
        self.bytes += row.len() + 1;
        self.printed.rows += 1;
        Ok(self.out.line(&row)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::Document;
    use hashline_text::Listing;

    fn printed(text: &[u8], scheme: Scheme, first: usize, last: usize) -> (String, PrintedRows) {
        let wanted = Wanted { first, last, most_bytes: usize::MAX, json: None };
        let mut bytes = Vec::new();
        let mut out = Output::new(&mut bytes, usize::MAX, 1 << 16);
        let printed = print(text, scheme, &wanted, &mut out).unwrap();
        (String::from_utf8(bytes).unwrap(), printed)
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
        let long = format!("{}\n", "x".repeat(CHUNK)).repeat(3);
        let many = "let a = 1;\n\n}\n".repeat(40_000);
        let texts = ["", "a", "a\n", "\u{feff}a\r\nb\rc\n\nd", "a\nb\nc\nd\ne\n", &long, &many];
        for scheme in Scheme::ALL {
            for text in texts.map(str::as_bytes) {
                for (first, last) in [(1, usize::MAX), (2, 3), (3, 3), (9, 12)] {
                    let (rows, _) = printed(text, scheme, first, last);
                    assert!(rows == listed(text, scheme, first, last), "{scheme:?} {first}-{last}");
                }
            }
        }
    }

    #[test]
    fn a_bound_on_bytes_says_where_to_go_on() {
        for (most_bytes, rows) in [(1, 1), (13, 1), (14, 2), (20, 2)] {
            let wanted = Wanted { first: 1, last: usize::MAX, most_bytes, json: None };
            let mut out = Output::new(Vec::new(), usize::MAX, 1 << 16);
            let printed = print(&b"a\nb\nc\nd\n"[..], Scheme::Hex2, &wanted, &mut out).unwrap();
            assert_eq!((printed.rows, printed.next), (rows, Some(rows + 1)), "{most_bytes}");
        }
    }

    #[test]
    fn a_line_that_is_not_text_is_named() {
        let wanted = Wanted { first: 1, last: usize::MAX, most_bytes: usize::MAX, json: None };
        let mut out = Output::new(Vec::new(), usize::MAX, 1 << 16);
        let error = print(&b"a\n\xff\n"[..], Scheme::Hex2, &wanted, &mut out).unwrap_err();
        assert!(matches!(error, NotPrinted::NotText { line: 2 }));
    }
}
