//! One file's bytes, split into lines without loss.
//!
//! A [`Document`] remembers the byte order mark, every line's own ending and whether the last line
//! has one at all, so that changing one line changes the bytes of that line and no others. A lone
//! carriage return is content. Whether a change is *right* is decided elsewhere: [`Document::splice`]
//! makes any change that fits into the document.

use std::fmt;
use std::sync::Arc;

use super::line_digest::LineDigest;
use super::shared::SharedBytes;
use super::span::{LineNumber, Span};
use crate::kernel::line_hashes::{self, Folding};
use crate::kernel::{newlines, utf8};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `\n`
    Lf,
    /// `\r\n`
    Crlf,
    /// Nothing: the last line of a file without a final newline.
    None,
}

impl Ending {
    /// The bytes of this ending.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::Crlf => b"\r\n",
            Self::None => b"",
        }
    }
}

/// One line of a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// The line's text, without its ending.
    pub content: &'a str,
    /// How it ends.
    pub ending: Ending,
}

/// New lines for a span of old ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// The lines to replace.
    pub span: Span,
    /// The new lines; an empty list deletes the span.
    pub lines: Vec<String>,
}

/// The bytes are not UTF-8 text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotText {
    /// The position of the first byte that is not UTF-8.
    pub offset: usize,
}

impl NotText {
    /// The stable name of this error.
    pub fn code(self) -> &'static str {
        "not_text"
    }
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not UTF-8 text: the byte at offset {} starts no valid character", self.offset)
    }
}

impl std::error::Error for NotText {}

/// The digest of every line of a file, in order, as [`Document::digests`] gives them, without a document.
pub fn digests(bytes: &[u8]) -> Result<Vec<LineDigest>, NotText> {
    utf8::text(bytes).map_err(|offset| NotText { offset })?;
    let mut start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut digests = Vec::with_capacity(1 + bytes.len() / 32);
    // A byte order mark and a carriage return are white space, so the lines can be hashed with them.
    line_hashes::each_block(bytes, Folding::Punctuation, |lines| {
        let before = bytes.len() - lines.from.len();
        for (end, hash) in lines.ends.iter().zip(lines.hashes) {
            let end = before + *end as usize;
            let line = &bytes[start..end];
            // What follows the final newline is not a line.
            if end < bytes.len() {
                let content = line.strip_suffix(b"\r").unwrap_or(line);
                digests.push(LineDigest::with_hash(content, *hash));
            } else if !line.is_empty() {
                digests.push(LineDigest::with_hash(line, *hash));
            }
            start = end + 1;
        }
    });
    Ok(digests)
}

/// One file's bytes, split into lines, losslessly.
///
/// A final newline ends the last line and starts no other: `"a\n"` and `"a"` both have one line, an
/// empty file has none.
///
/// ```
/// use hashline_text::Document;
/// let poem = Document::from_bytes(b"roses\r\nviolets")?;
/// assert_eq!(poem.len(), 2);
/// assert_eq!(poem.bytes(), b"roses\r\nviolets");
/// # Ok::<(), hashline_text::NotText>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    text: Arc<String>,
    /// Where each line starts, and, last, where the text ends.
    starts: Vec<usize>,
}

impl Document {
    /// Splits `bytes` into lines.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, NotText> {
        Self::from_bytes_or_back(bytes.into()).map_err(|(error, _)| error)
    }

    /// Splits `bytes` into lines; if they are not text, the caller gets them back.
    pub fn from_bytes_or_back(bytes: Vec<u8>) -> Result<Self, (NotText, Vec<u8>)> {
        match utf8::into_text(bytes) {
            Ok(text) => Ok(Self::from_text(text)),
            Err((offset, bytes)) => Err((NotText { offset }, bytes)),
        }
    }

    /// Splits text that is known to be UTF-8.
    pub fn from_text(text: impl Into<String>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut starts = Vec::with_capacity(2 + bytes.len() / 32);
        starts.push(first);
        newlines::each(bytes, |newline| starts.push(newline + 1));
        // What follows the last newline is a line only if there is something.
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { text: Arc::new(text), starts }
    }

    /// The file's bytes, exactly as they came or as the splices left them.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The file's bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.text).into_bytes()
    }

    /// The file's text.
    pub fn into_text(self) -> String {
        Arc::unwrap_or_clone(self.text)
    }

    /// The file's bytes, which this document and the caller then hold together.
    pub fn shared_bytes(&self) -> SharedBytes {
        Arc::clone(&self.text).into()
    }

    /// All lines, as a span.
    pub fn span(&self) -> Span {
        Span::between(0, self.len())
    }

    /// The bytes of the lines named by `span`, with their endings.
    ///
    /// # Panics
    ///
    /// If the span reaches past the end.
    pub fn span_bytes(&self, span: Span) -> &[u8] {
        &self.bytes()[self.starts[span.start()]..self.starts[span.end()]]
    }

    /// Whether the file starts with a byte order mark, which belongs to no line.
    pub fn has_bom(&self) -> bool {
        self.bytes().starts_with(BOM)
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no line at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The line with this number.
    pub fn line(&self, number: LineNumber) -> Option<Line<'_>> {
        self.line_at(number.index())
    }

    /// The content of the line with this number.
    pub fn content(&self, number: LineNumber) -> Option<&str> {
        self.line(number).map(|line| line.content)
    }

    /// All lines in order.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> + DoubleEndedIterator {
        (0..self.len()).map(|index| self.line_at(index).expect("the index is below the length"))
    }

    /// The digest of every line, in order.
    pub fn digests(&self) -> Vec<LineDigest> {
        self.digests_of(self.span())
    }

    /// The digests of the lines named by `span`, in order.
    pub fn digests_of(&self, span: Span) -> Vec<LineDigest> {
        let mut digests = Vec::with_capacity(span.len());
        let contents = (span.start()..span.end())
            .map(|index| self.content(LineNumber::at(index)).unwrap_or_default().as_bytes());
        let mut contents = contents.into_iter();
        // A carriage return is white space, so the bytes can be hashed as they are; what follows
        // the final newline is not a line.
        line_hashes::each_hash(self.span_bytes(span), Folding::Punctuation, |hash| {
            digests.extend(contents.next().map(|content| LineDigest::with_hash(content, hash)));
        });
        digests
    }

    /// Replaces the lines named by `span` and returns the document that results.
    ///
    /// Line endings follow the replaced lines, so a CRLF file stays CRLF even when the new text
    /// arrived with bare newlines.
    ///
    /// ```
    /// # use hashline_text::{Document, LineNumber, Span};
    /// let poem = Document::from_bytes(b"roses\r\nviolets\r\n")?;
    /// let second = LineNumber::new(2).unwrap();
    /// let edited = poem.splice(Span::line(second), &["tulips"]);
    /// assert_eq!(edited.bytes(), b"roses\r\ntulips\r\n");
    /// # Ok::<(), hashline_text::NotText>(())
    /// ```
    #[must_use]
    pub fn splice(&self, span: Span, lines: &[&str]) -> Self {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        self.splice_all(&[Splice { span, lines }])
    }

    /// Does several splices at once, all of them by this document's line numbers.
    ///
    /// # Panics
    ///
    /// If the splices are not in order, overlap, or reach past the end: the caller has checked that.
    #[must_use]
    pub fn splice_all(&self, splices: &[Splice]) -> Self {
        let mut pieces: Vec<(&str, Option<Ending>)> = Vec::with_capacity(self.len());
        let mut done = 0;
        for Splice { span, lines } in splices {
            assert!(
                done <= span.start() && span.end() <= self.len(),
                "splices are sorted and in range"
            );
            pieces.extend(self.kept(done..span.start()));
            for (offset, line) in lines.iter().enumerate() {
                let old = (span.start() + offset < span.end()).then_some(span.start() + offset);
                pieces.push((line, old.map(|index| self.ending_at(index))));
            }
            done = span.end();
        }
        pieces.extend(self.kept(done..self.len()));
        Self::from_text(self.join(&pieces))
    }

    /// The document with nothing behind its last line.
    #[must_use]
    pub fn without_final_newline(self) -> Self {
        let open = self.text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        // Without an ending, an empty last line would not exist.
        match open.filter(|text| !text.is_empty() && !text.ends_with('\n')) {
            Some(text) => Self::from_text(text.to_owned()),
            None => self,
        }
    }

    fn kept(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (&str, Option<Ending>)> {
        range.map(|index| {
            let line = self.line_at(index).expect("kept lines are inside the document");
            (line.content, Some(line.ending))
        })
    }

    /// Joins the lines; a line without an ending gets the one of the nearest line above, or below.
    fn join(&self, pieces: &[(&str, Option<Ending>)]) -> String {
        let mut text = String::with_capacity(self.text.len() + 64);
        if self.has_bom() {
            text.push('\u{feff}');
        }
        let ends_open = self.lines().next_back().is_some_and(|line| line.ending == Ending::None);
        let real = |ending: &Option<Ending>| ending.filter(|ending| *ending != Ending::None);
        let mut nearest =
            pieces.iter().find_map(|(_, ending)| real(ending)).or(self.first_ending());
        for (index, (content, ending)) in pieces.iter().enumerate() {
            text.push_str(content);
            nearest = real(ending).or(nearest);
            // Without an ending, an empty last line would not exist.
            if index + 1 < pieces.len() || !ends_open || content.is_empty() {
                // After content that ends in a carriage return, a bare newline would make a CRLF of it.
                match nearest.unwrap_or(Ending::Lf) {
                    Ending::Lf | Ending::None if !content.ends_with('\r') => text.push('\n'),
                    _ => text.push_str("\r\n"),
                }
            }
        }
        text
    }

    fn first_ending(&self) -> Option<Ending> {
        self.lines().map(|line| line.ending).find(|ending| *ending != Ending::None)
    }

    fn ending_at(&self, index: usize) -> Ending {
        self.line_at(index).map_or(Ending::None, |line| line.ending)
    }

    fn line_at(&self, index: usize) -> Option<Line<'_>> {
        let whole = &self.text[*self.starts.get(index)?..*self.starts.get(index + 1)?];
        Some(if let Some(content) = whole.strip_suffix("\r\n") {
            Line { content, ending: Ending::Crlf }
        } else if let Some(content) = whole.strip_suffix('\n') {
            Line { content, ending: Ending::Lf }
        } else {
            Line { content: whole, ending: Ending::None }
        })
    }
}

#[cfg(test)]
mod tests;
