//! Rows of a file of any size, printed while it is read.

use std::io::{Read, Write};
use std::ops::ControlFlow;

use super::output::Output;
use hashline_core::read::{StreamFault, StreamedLine, stream};
use hashline_core::show::Row;
use hashline_text::Scheme;
use hashline_wire::program;

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
    from: impl Read,
    scheme: Scheme,
    wanted: &Wanted,
    out: &mut Output<W>,
) -> Result<PrintedRows, StreamFault> {
    let (mut rows, mut bytes, mut next) = (0, 0, None);
    let mut print = |line: StreamedLine<'_>| {
        let row = row(line, scheme, wanted.json.as_deref());
        if bytes + row.len() >= wanted.most_bytes && rows > 0 {
            next = Some(line.number.get());
            return Ok(ControlFlow::Break(()));
        }
        bytes += row.len() + 1;
        rows += 1;
        out.line(&row)?;
        Ok(if out.closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let seen = stream(from, scheme, wanted.first..=wanted.last, &mut print)?;
    out.flush()?;
    Ok(PrintedRows { rows, next, seen })
}

fn row(line: StreamedLine<'_>, scheme: Scheme, json: Option<&str>) -> String {
    if let Some(path) = json {
        return program::row(path, line.number.get(), line.tag.as_str(), line.content);
    }
    let mut row = String::with_capacity(line.content.len() + 16);
    Row::new(line.number, line.tag, line.content).push_whole(&mut row, scheme);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, LineNumber, Listing};

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
        let long = format!("{}\n", "x".repeat(256 << 10)).repeat(3);
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
        assert!(matches!(error, StreamFault::NotText { line: 2 }));
    }
}
