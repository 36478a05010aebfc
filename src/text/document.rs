//! One file's bytes, split into lines without loss.
//!
//! A [`Document`] remembers the byte order mark, every line's own ending and whether the last line
//! has one at all, so that changing one line changes the bytes of that line and no others. A lone
//! carriage return is content. Whether a change is *right* is decided elsewhere: [`Document::splice`]
//! makes any change that fits into the document.

use std::fmt;
use std::sync::Arc;

use super::line_digest::LineDigest;
use super::line_hashes::{self, Folding};
use super::shared::SharedBytes;
use super::span::{LineNumber, Span};
use super::{newlines, utf8};

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
    /// What is replaced.
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

/// The digest of every line of a file, in order: those of [`Document::digests`], without making one.
pub(crate) fn digests(bytes: &[u8]) -> Result<Vec<LineDigest>, NotText> {
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
/// use hashline::Document;
/// let poem = Document::from_bytes(b"roses\r\nviolets")?;
/// assert_eq!(poem.len(), 2);
/// assert_eq!(poem.bytes(), b"roses\r\nviolets");
/// # Ok::<(), hashline::NotText>(())
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
    /// # use hashline::{Document, LineNumber, Span};
    /// let poem = Document::from_bytes(b"roses\r\nviolets\r\n")?;
    /// let second = LineNumber::new(2).unwrap();
    /// let edited = poem.splice(Span::line(second), &["tulips"]);
    /// assert_eq!(edited.bytes(), b"roses\r\ntulips\r\n");
    /// # Ok::<(), hashline::NotText>(())
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

    fn kept(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = (&str, Option<Ending>)> {
        range.map(|index| {
            let line = self.line_at(index).expect("kept lines are inside the document");
            (line.content, Some(line.ending))
        })
    }

    /// Joins the lines; one without an ending of its own gets that of the nearest line above, or below.
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn contents(text: &str) -> Vec<String> {
        Document::from_text(text).lines().map(|line| line.content.to_owned()).collect()
    }

    fn check(before: &str, span: Span, lines: &[&str], after: &str) {
        let edited = Document::from_text(before).splice(span, lines);
        assert_eq!(str::from_utf8(edited.bytes()).unwrap(), after, "before: {before:?}");
        assert_eq!(edited, Document::from_text(after), "the line table must match the text");
    }

    fn lines(first: usize, last: usize) -> Span {
        Span::lines(LineNumber::new(first).unwrap(), LineNumber::new(last).unwrap()).unwrap()
    }

    #[test]
    fn a_final_newline_starts_no_line() {
        assert_eq!(contents(""), [""; 0]);
        assert_eq!(contents("\n"), [""]);
        assert_eq!(contents("a"), ["a"]);
        assert_eq!(contents("a\n"), ["a"]);
        assert_eq!(contents("a\n\n"), ["a", ""]);
    }

    #[test]
    fn a_lone_carriage_return_is_content() {
        assert_eq!(contents("a\rb\r\r\nc\r"), ["a\rb\r", "c\r"]);
    }

    #[test]
    fn a_byte_order_mark_belongs_to_no_line() {
        let document = Document::from_bytes(b"\xef\xbb\xbfa\n".as_slice()).unwrap();
        assert!(document.has_bom());
        assert_eq!(document.content(LineNumber::FIRST), Some("a"));
        assert_eq!(contents("\u{feff}"), [""; 0]);
        check("\u{feff}a\n", lines(1, 1), &["b"], "\u{feff}b\n");
        check("\u{feff}", Span::after(0), &["b"], "\u{feff}b\n");
    }

    #[test]
    fn invalid_utf8_says_where() {
        assert_eq!(Document::from_bytes(b"ab\xff".as_slice()), Err(NotText { offset: 2 }));
    }

    #[test]
    fn new_lines_take_the_ending_of_the_line_they_replace() {
        check("a\r\nb\nc\r\n", lines(1, 3), &["x", "y", "z"], "x\r\ny\nz\r\n");
        check("a\nb\r\nc\n", lines(2, 2), &["x", "y"], "a\nx\r\ny\r\nc\n");
        check("a\r\nb\n", Span::after(1), &["x"], "a\r\nx\r\nb\n");
    }

    #[test]
    fn inserted_before_the_first_line_takes_its_ending() {
        check("a\r\nb\n", Span::after(0), &["x"], "x\r\na\r\nb\n");
    }

    #[test]
    fn a_missing_final_newline_stays_missing() {
        check("a\nb", lines(2, 2), &["x"], "a\nx");
        check("a\nb", lines(2, 2), &["x", "y"], "a\nx\ny");
        check("a\nb", Span::after(2), &["x"], "a\nb\nx");
        check("a\nb", lines(2, 2), &[], "a");
        check("a\r\nb", Span::after(2), &["x"], "a\r\nb\r\nx");
        check("a", Span::after(1), &["x"], "a\nx");
    }

    #[test]
    fn an_empty_last_line_is_kept_by_giving_it_an_ending() {
        check("a", Span::after(1), &[""], "a\n\n");
        check("a\r\n\r\nb", lines(3, 3), &[], "a\r\n\r\n");
    }

    #[test]
    fn a_carriage_return_at_the_end_of_the_file_stays_content() {
        check("a\nb\r", Span::after(2), &["x"], "a\nb\r\r\nx");
    }

    #[test]
    fn a_final_newline_stays() {
        check("a\nb\n", lines(2, 2), &[], "a\n");
        check("a\nb\n", Span::after(2), &["x"], "a\nb\nx\n");
        check("a\n", lines(1, 1), &[], "");
        check("", Span::after(0), &["x"], "x\n");
    }

    #[test]
    fn several_splices_use_the_old_numbers() {
        let splice = |span, lines: &[&str]| Splice {
            span,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        };
        let before = Document::from_text("a\nb\nc\nd\n");
        let after = before.splice_all(&[
            splice(Span::after(0), &["0"]),
            splice(lines(2, 3), &["x"]),
            splice(Span::after(3), &["y", "z"]),
            splice(lines(4, 4), &[]),
        ]);
        assert_eq!(after.bytes(), b"0\na\nx\ny\nz\n");
    }

    /// Text full of the things that go wrong at line ends.
    fn any_text() -> impl Strategy<Value = String> {
        proptest::string::string_regex("\u{feff}?([a-c]|\r|\n|\r\n|\u{feff}|é| ){0,40}")
            .expect("the pattern is valid")
    }

    proptest! {
        #[test]
        fn bytes_to_document_to_bytes_is_identity(text in any_text()) {
            let document = Document::from_bytes(text.clone().into_bytes()).unwrap();
            prop_assert_eq!(document.bytes(), text.as_bytes());
            let mut again = String::from(if document.has_bom() { "\u{feff}" } else { "" });
            for line in document.lines() {
                again.push_str(line.content);
                again.push_str(str::from_utf8(line.ending.bytes()).unwrap());
            }
            prop_assert_eq!(again, text);
        }

        #[test]
        fn digests_need_no_document(text in any_text(), wrong in prop::option::of(0x80..=0xff_u8)) {
            let mut bytes = text.into_bytes();
            bytes.extend(wrong);
            let documents = Document::from_bytes(bytes.clone()).map(|document| document.digests());
            prop_assert_eq!(digests(&bytes), documents);
        }

        #[test]
        fn any_bytes_are_kept_or_refused(bytes: Vec<u8>) {
            match Document::from_bytes(bytes.clone()) {
                Ok(document) => prop_assert_eq!(document.into_bytes(), bytes),
                Err(error) => prop_assert!(str::from_utf8(&bytes[..error.offset]).is_ok()),
            }
        }

        #[test]
        fn replacing_a_line_by_itself_changes_nothing(text in any_text(), pick: prop::sample::Index) {
            let document = Document::from_text(text);
            prop_assume!(!document.is_empty());
            let number = LineNumber::at(pick.index(document.len()));
            let content = document.content(number).unwrap();
            prop_assert_eq!(document.splice(Span::line(number), &[content]), document);
        }

        #[test]
        fn lines_outside_the_span_keep_their_bytes(
            text in any_text(),
            picks: [prop::sample::Index; 2],
            new in prop::collection::vec("[x-z]{0,3}", 0..4),
        ) {
            let document = Document::from_text(text);
            let mut ends = picks.map(|pick| pick.index(document.len() + 1));
            ends.sort_unstable();
            let [start, end] = ends;
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let edited = document.splice(Span::between(start, end), &new);
            // A line that began with U+FEFF and is now the first has become a byte order mark.
            prop_assume!(edited.has_bom() == document.has_bom());
            prop_assert_eq!(edited.len(), start + new.len() + document.len() - end);
            let ends_open = |d: &Document| d.lines().next_back().is_some_and(|l| l.ending == Ending::None);
            if edited.lines().next_back().is_some_and(|line| !line.content.is_empty()) {
                prop_assert_eq!(ends_open(&edited), ends_open(&document));
            }
            // Only a line that becomes or ceases to be the last may change its ending.
            let outside = document.lines().take(start).zip(edited.lines().take(start)).chain(
                document.lines().skip(end).zip(edited.lines().skip(start + new.len())));
            for (old, now) in outside {
                prop_assert_eq!(old.content, now.content);
                // ... and one whose content ends in a carriage return needs CRLF to keep it.
                if old.ending != Ending::None && now.ending != Ending::None {
                    prop_assert_eq!(old.ending, now.ending);
                }
            }
        }
    }
}
