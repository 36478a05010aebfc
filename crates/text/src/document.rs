//! One file's bytes, split into lines without loss.
//!
//! A [`Document`] keeps the byte order mark, every line's own ending and whether the last line has
//! one, so that changing one line changes only the bytes of that line. A lone carriage return is
//! content. Other modules decide whether a change is *right*: [`Document::splice`] makes any change
//! that is within the document.

use std::sync::Arc;

use super::encoding::{Encoding, EncodingChoice, Undecodable, Unheld};
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
    /// No ending: the last line of a file without a final newline.
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
    /// How the line ends.
    pub ending: Ending,
}

/// A replacement of a span of old lines by new ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// The lines to replace.
    pub span: Span,
    /// The new lines; an empty list deletes the span.
    pub lines: Vec<String>,
}

/// The error that bytes are not UTF-8 text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not UTF-8 text: the byte at offset {offset} starts no valid character")]
pub struct NotText {
    /// The offset of the first byte that is not UTF-8.
    pub offset: usize,
}

impl NotText {
    /// The stable name of this error.
    pub fn code(self) -> &'static str {
        "not_text"
    }
}

/// Whether bytes are UTF-8.
pub fn is_utf8(bytes: &[u8]) -> bool {
    utf8::text(bytes).is_ok()
}

/// The digest of every line of a file, in order, like [`Document::digests`], but without making a
/// document.
pub fn digests(bytes: &[u8]) -> Result<Vec<LineDigest>, NotText> {
    utf8::text(bytes).map_err(|offset| NotText { offset })?;
    let mut start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut digests = Vec::with_capacity(1 + bytes.len() / 32);
    // A byte order mark and a carriage return are white space, so the lines can be hashed with
    // them.
    line_hashes::each_block(bytes, Folding::Punctuation, |lines| {
        let before = bytes.len() - lines.from.len();
        for (end, hash) in lines.ends.iter().zip(lines.hashes) {
            let end = before + *end as usize;
            let line = &bytes[start..end];
            // The empty text after the final newline is not a line.
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
/// A final newline ends the last line and starts no new one: `"a\n"` and `"a"` both have one line,
/// an empty file has none.
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
    /// The offset at which each line starts, then the offset at which the text ends.
    starts: Vec<usize>,
    /// The file's bytes, if they are not UTF-8.
    original: Option<Arc<Original>>,
}

/// The bytes of a file that is not UTF-8.
#[derive(PartialEq, Eq, Debug)]
struct Original {
    encoding: Encoding,
    bytes: Arc<Vec<u8>>,
    /// The offset in `bytes` at which each line starts, then their length.
    starts: Vec<usize>,
}

/// A line from which [`Document::join`] makes a document.
struct Piece<'a> {
    content: &'a str,
    ending: Option<Ending>,
    origin: Origin,
}

/// Where a line of a new document comes from, as indexes.
#[derive(Clone, Copy)]
enum Origin {
    Old(usize),
    New { splice: usize, line: usize },
}

/// The error that a new line cannot be written in the file's encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwritable {
    /// The index of the splice that contains the line.
    pub splice: usize,
    /// The index of the line in its splice.
    pub line: usize,
    /// The character that cannot be written.
    pub unheld: Unheld,
}

impl Origin {
    /// For a new line, the indexes of its splice and of the line in it.
    fn place(self) -> Option<(usize, usize)> {
        match self {
            Self::Old(_) => None,
            Self::New { splice, line } => Some((splice, line)),
        }
    }
}

impl Original {
    /// Appends a line and its ending; an old line keeps its original bytes.
    fn put_line(
        &self,
        bytes: &mut Vec<u8>,
        content: &str,
        origin: Origin,
        ending: &str,
    ) -> Result<(), Unwritable> {
        match origin {
            Origin::Old(index) => {
                let line = &self.bytes[self.starts[index]..self.starts[index + 1]];
                let unit = if self.encoding.is_utf16() { 2 } else { 1 };
                let newline = self.encoding.encode("\n").unwrap_or_default();
                let bare =
                    line.strip_suffix(&newline[..]).filter(|_| line.len().is_multiple_of(unit));
                let cr = self.encoding.encode("\r").unwrap_or_default();
                bytes.extend(bare.map_or(line, |bare| bare.strip_suffix(&cr[..]).unwrap_or(bare)));
            }
            Origin::New { splice, line } => {
                let encoded = self.encoding.encode(content);
                bytes.extend(encoded.map_err(|unheld| Unwritable { splice, line, unheld })?);
            }
        }
        bytes.extend(self.encoding.encode(ending).unwrap_or_default());
        Ok(())
    }
}

impl Document {
    /// Splits `bytes` into lines.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, NotText> {
        utf8::into_text(bytes.into()).map(Self::from_text).map_err(|(offset, _)| NotText { offset })
    }

    /// Splits a text into lines.
    pub fn from_text(text: impl Into<String>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut starts = Vec::with_capacity(2 + bytes.len() / 32);
        starts.push(first);
        newlines::each(bytes, |newline| starts.push(newline + 1));
        // The text after the last newline is a line only if it is not empty.
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        Self { text: Arc::new(text), starts, original: None }
    }

    /// Splits the bytes of a text in any encoding into lines. Bytes that cannot be decoded are
    /// kept.
    ///
    /// ```
    /// use hashline_text::{Document, EncodingChoice, Span};
    /// let menu = Document::decode(b"caf\xe9\nth\xe9\n".to_vec(), EncodingChoice::Auto);
    /// assert_eq!((menu.encoding().name(), menu.text()), ("windows-1252".to_owned(), "café\nthé\n"));
    /// assert_eq!(menu.splice(Span::between(0, 1), &["kir"]).bytes(), b"kir\nth\xe9\n");
    /// ```
    pub fn decode(bytes: Vec<u8>, choice: EncodingChoice) -> Self {
        let bytes = match (utf8::into_text(bytes), choice) {
            (Ok(text), EncodingChoice::Always(_)) => text.into_bytes(),
            (Ok(text), _) => return Self::from_text(text),
            (Err((_, bytes)), _) => bytes,
        };
        let encoding = Encoding::detect(&bytes, choice);
        Self::decode_as(bytes, encoding)
    }

    /// Splits the bytes of a text in this encoding into lines.
    pub fn decode_as(bytes: Vec<u8>, encoding: Encoding) -> Self {
        let bytes = if encoding == Encoding::UTF_8 {
            match utf8::into_text(bytes) {
                Ok(text) => return Self::from_text(text),
                Err((_, bytes)) => bytes,
            }
        } else {
            bytes
        };
        let text = encoding.decode(&bytes);
        let mark =
            if text.starts_with('\u{feff}') { encoding.encode("\u{feff}") } else { Ok(Vec::new()) };
        let starts = encoding.line_starts(&bytes, mark.map_or(0, |mark| mark.len()));
        let document = Self::from_text(text);
        debug_assert_eq!(document.starts.len(), starts.len());
        let original = Original { encoding, bytes: Arc::new(bytes), starts };
        Self { original: Some(Arc::new(original)), ..document }
    }

    /// A new document in this encoding, with a byte order mark if it is UTF-16.
    pub fn encoded(text: &str, encoding: Encoding) -> Result<Self, Unwritable> {
        let document = Self::from_text(text);
        if encoding == Encoding::UTF_8 {
            let nothing = Self::from_text("");
            for (line, Line { content, .. }) in document.lines().enumerate() {
                let checked = nothing.check_private(content);
                checked.map_err(|unheld| Unwritable { splice: 0, line, unheld })?;
            }
            return Ok(document);
        }
        let mark = if encoding.is_utf16() { "\u{feff}" } else { "" };
        let empty = Self::decode_as(encoding.encode(mark).unwrap_or_default(), encoding);
        let lines = document.lines().enumerate();
        let piece = |(line, Line { content, ending })| Piece {
            content,
            ending: Some(ending),
            origin: Origin::New { splice: 0, line },
        };
        empty.join(&lines.map(piece).collect::<Vec<_>>(), document.ends_without_newline())
    }

    /// Whether the file's bytes are UTF-8.
    pub fn is_utf8(&self) -> bool {
        self.original.is_none()
    }

    /// The encoding of the file's bytes.
    pub fn encoding(&self) -> Encoding {
        self.original.as_ref().map_or(Encoding::UTF_8, |original| original.encoding)
    }

    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file's bytes: the original ones, or those that result from splices.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_ref().map_or(self.text.as_bytes(), |original| &original.bytes)
    }

    /// Gives up the document for the memory of its text, to be used again.
    pub fn into_memory(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.text).into_bytes()
    }

    /// The file's bytes, shared with this document instead of copied.
    pub fn shared_bytes(&self) -> SharedBytes {
        match &self.original {
            Some(original) => Arc::clone(&original.bytes).into(),
            None => Arc::clone(&self.text).into(),
        }
    }

    /// All lines, as a span.
    pub fn span(&self) -> Span {
        Span::between(0, self.len())
    }

    /// The text of the lines named by `span` as UTF-8, with their endings.
    ///
    /// # Panics
    ///
    /// If the span reaches past the end.
    pub fn span_text(&self, span: Span) -> &[u8] {
        &self.text.as_bytes()[self.starts[span.start()]..self.starts[span.end()]]
    }

    /// Whether the file starts with a byte order mark, which is not part of any line.
    pub fn has_bom(&self) -> bool {
        self.text.as_bytes().starts_with(BOM)
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
        // A carriage return is white space, so the bytes can be hashed unchanged; the empty text
        // after the final newline is not a line.
        line_hashes::each_hash(self.span_text(span), Folding::Punctuation, |hash| {
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
    ///
    /// # Panics
    ///
    /// If [`Document::splice_all`] panics or returns an error.
    #[must_use]
    pub fn splice(&self, span: Span, lines: &[&str]) -> Self {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        self.splice_all(&[Splice { span, lines }]).expect("the encoding has every character")
    }

    /// Makes several splices at once, all by this document's line numbers. The other lines keep
    /// their bytes.
    ///
    /// # Panics
    ///
    /// If the splices are not in order, overlap, or reach past the end: the caller must check that.
    pub fn splice_all(&self, splices: &[Splice]) -> Result<Self, Unwritable> {
        let mut pieces = Vec::with_capacity(self.len());
        let mut done = 0;
        for (splice, Splice { span, lines }) in splices.iter().enumerate() {
            assert!(
                done <= span.start() && span.end() <= self.len(),
                "splices are sorted and in range"
            );
            pieces.extend(self.kept_pieces(done..span.start()));
            for (line, content) in lines.iter().enumerate() {
                let old = Some(span.start() + line).filter(|index| *index < span.end());
                let ending = old.map(|index| self.ending_at(index));
                // A new line equal to the old one keeps its bytes too.
                let same = old.filter(|index| {
                    self.line_at(*index).is_some_and(|old| old.content == *content)
                });
                let origin = same.map_or(Origin::New { splice, line }, Origin::Old);
                pieces.push(Piece { content, ending, origin });
            }
            done = span.end();
        }
        pieces.extend(self.kept_pieces(done..self.len()));
        self.join(&pieces, self.ends_without_newline())
    }

    /// The document without an ending of its last line.
    #[must_use]
    pub fn without_final_newline(self) -> Self {
        let open = self.text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text));
        // Without an ending, an empty last line would not exist.
        match open.filter(|text| !text.is_empty() && !text.ends_with('\n')) {
            Some(text) => Self::from_text(text.to_owned()),
            None => self,
        }
    }

    fn kept_pieces(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = Piece<'_>> {
        range.map(|index| {
            let Line { content, ending } =
                self.line_at(index).expect("kept lines are inside the document");
            Piece { content, ending: Some(ending), origin: Origin::Old(index) }
        })
    }

    fn ends_without_newline(&self) -> bool {
        self.lines().next_back().is_some_and(|line| line.ending == Ending::None)
    }

    /// Joins lines into a document; a line without an ending gets that of the nearest line above,
    /// or else below.
    fn join(&self, pieces: &[Piece<'_>], ends_open: bool) -> Result<Self, Unwritable> {
        let mut text = String::with_capacity(self.text.len() + 64);
        let mut bytes = Vec::new();
        if self.has_bom() {
            text.push('\u{feff}');
        }
        if let Some(original) = &self.original {
            bytes.reserve(original.bytes.len() + 64);
            bytes.extend(&original.bytes[..original.starts[0]]);
        }
        let real = |ending: &Option<Ending>| ending.filter(|ending| *ending != Ending::None);
        let mut nearest =
            pieces.iter().find_map(|piece| real(&piece.ending)).or(self.first_ending());
        for (index, Piece { content, ending, origin }) in pieces.iter().enumerate() {
            nearest = real(ending).or(nearest);
            // Without an ending, an empty last line would not exist.
            let ending = if index + 1 == pieces.len() && ends_open && !content.is_empty() {
                ""
            } else {
                match nearest.unwrap_or(Ending::Lf) {
                    // After content that ends in a carriage return, a bare newline would turn that
                    // into CRLF.
                    Ending::Lf | Ending::None if !content.ends_with('\r') => "\n",
                    _ => "\r\n",
                }
            };
            if let Origin::New { splice, line } = *origin {
                self.check_private(content).map_err(|unheld| Unwritable {
                    splice,
                    line,
                    unheld,
                })?;
            }
            text.push_str(content);
            text.push_str(ending);
            if let Some(original) = &self.original {
                original.put_line(&mut bytes, content, *origin, ending)?;
            }
        }
        let Some(original) = &self.original else { return Ok(Self::from_text(text)) };
        let joined = Self::decode_as(bytes, original.encoding);
        // If the file ends within a character, bytes added after it could become part of that
        // character.
        match (*joined.text == text, pieces.iter().rev().find_map(|piece| piece.origin.place())) {
            (false, Some((splice, line))) => {
                let unheld = Unheld { character: '\n', before: 0 };
                Err(Unwritable { splice, line, unheld })
            }
            _ => Ok(joined),
        }
    }

    /// Refuses new private characters for undecodable bytes: in a UTF-8 file they would not stand
    /// for any bytes.
    fn check_private(&self, content: &str) -> Result<(), Unheld> {
        let is_other = |c: char| Undecodable::of(c).is_some() && !self.text.contains(c);
        let odd = |(before, character)| is_other(character).then_some(Unheld { character, before });
        let is_suspect = self.is_utf8() && content.as_bytes().contains(&0xf4);
        let found = if is_suspect { content.chars().enumerate().find_map(odd) } else { None };
        found.map_or(Ok(()), Err)
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
