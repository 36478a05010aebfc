//! Tags in comments: a listing that a syntax highlighter still understands.
//!
//! [`format_with_comments`] writes each line's anchor into a comment at its end, so that a file can
//! be shown with tags and still be highlighted. It changes only the ends of lines. It does not
//! parse the language: inside a multi-line string the comment is part of the string, so the result
//! is for reading, not for running.

use crate::cowboy::language::{LANGUAGES, Language, Marker};
use hashline_text::kernel::newlines;
use hashline_text::{LineNumber, Scheme, TagInput};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The text with every line's anchor in a comment at its end.
///
/// The caller gives the language by name, file extension or path. The result keeps the line
/// endings, the byte order mark and a missing final newline. Text is WTF-8.
///
/// ```
/// use hashline_compat::cowboy::comments::format_with_comments;
/// use hashline_text::Scheme;
/// let tagged = format_with_comments(b"let a = 1;\n", "src/main.rs", Scheme::Hex2)?;
/// assert_eq!(tagged, b"let a = 1;  // 1:f1\n");
/// # Ok::<(), hashline_compat::cowboy::comments::UnknownLanguage>(())
/// ```
pub fn format_with_comments(
    text: &[u8],
    language_or_path: &str,
    scheme: Scheme,
) -> Result<Vec<u8>, UnknownLanguage> {
    let language = Language::find(language_or_path)
        .ok_or_else(|| UnknownLanguage(language_or_path.to_owned()))?;
    let (bom, text) = text.split_at(if text.starts_with(BOM) { BOM.len() } else { 0 });
    let split = contents_and_endings(text);
    let content_at = |index: usize| split.get(index).map_or(&[][..], |(content, _)| content);
    let mut scratch = Vec::new();
    let mut out = bom.to_vec();
    for (index, (content, ending)) in split.iter().enumerate() {
        let input = TagInput {
            number: LineNumber::at(index),
            before: index.checked_sub(1).map_or(&[][..], content_at),
            content,
            after: content_at(index + 1),
        };
        let tag = scheme.tag_with(input, &mut scratch);
        let anchor = format!("{}{}{tag}", input.number, scheme.separator());
        out.extend(*content);
        out.extend(comment(language.marker, &anchor).bytes());
        out.extend(*ending);
    }
    Ok(out)
}

/// The names of the languages that have comments.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|language| language.names[0])
}

fn comment(Marker { open, close }: Marker, anchor: &str) -> String {
    match close {
        "" => format!("  {open} {anchor}"),
        _ => format!("  {open} {anchor} {close}"),
    }
}

/// Each line's content and ending, split as [`hashline_text::Document`] splits them.
fn contents_and_endings(text: &[u8]) -> Vec<(&[u8], &[u8])> {
    let mut found = Vec::new();
    let mut start = 0;
    for newline in newlines::iter(text) {
        let content = &text[start..newline];
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        found.push((content, &text[start + content.len()..=newline]));
        start = newline + 1;
    }
    if start < text.len() {
        found.push((&text[start..], &[]));
    }
    found
}

/// We know no language of this name that has comments.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{}` is not a language with comments: give a path, a file extension or one of {}",
    .0,
    languages().collect::<Vec<_>>().join(", ")
)]
pub struct UnknownLanguage(pub String);

impl UnknownLanguage {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "unknown_language"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::{Document, Listing};
    use proptest::prelude::*;

    fn check(text: &str, language: &str, tagged: &str) {
        let out = format_with_comments(text.as_bytes(), language, Scheme::Hex2).unwrap();
        assert_eq!(str::from_utf8(&out).unwrap(), tagged);
    }

    #[test]
    fn every_kind_of_marker_is_written() {
        check("a\n", "rust", "a  // 1:56\n");
        check("a\n", "x.py", "a  # 1:56\n");
        check("a\n", "sql", "a  -- 1:56\n");
        check("a\n", "x.clj", "a  ; 1:56\n");
        check("a\n", "tex", "a  % 1:56\n");
        check("a\n", ".vimrc", "a  \" 1:56\n");
        check("a\n", "vb", "a  ' 1:56\n");
        check("a\n", "css", "a  /* 1:56 */\n");
        check("a\n", "index.html", "a  <!-- 1:56 -->\n");
        check("a\n", "ocaml", "a  (* 1:56 *)\n");
        check("a\n", "haskell", "a  {- 1:56 -}\n");
        check("a\n", "x.bat", "a  & REM 1:56\n");
        check("a\n", "fortran", "a  ! 1:56\n");
    }

    #[test]
    fn endings_and_the_byte_order_mark_are_preserved() {
        check("", "rust", "");
        check("a", "rust", "a  // 1:56");
        check("a\r\n\r\na", "rust", "a  // 1:56\r\n  // 2:05\r\na  // 3:56");
        check("\u{feff}a\n", "rust", "\u{feff}a  // 1:56\n");
        check("\u{feff}", "rust", "\u{feff}");
    }

    #[test]
    fn the_error_names_the_unknown_language_and_the_known_ones() {
        let error = format_with_comments(b"{}", "package.json", Scheme::Hex2).unwrap_err();
        assert_eq!(error.code(), "unknown_language");
        let message = error.to_string();
        assert!(message.starts_with("`package.json` is not a language with comments"));
        assert!(message.contains("c, c++, c#, java"), "{message}");
    }

    /// Removes from each line what `format_with_comments` added.
    fn without_comments(text: &str, language: &Language, scheme: Scheme) -> String {
        let document = Document::from_text(text);
        let mut out = String::from(if document.has_bom() { "\u{feff}" } else { "" });
        for (index, line) in document.lines().enumerate() {
            let tag = "x".repeat(scheme.width());
            let anchor = format!("{}{}{tag}", index + 1, scheme.separator());
            let added = comment(language.marker, &anchor).len();
            out.push_str(&line.content[..line.content.len() - added]);
            out.push_str(str::from_utf8(line.ending.bytes()).unwrap());
        }
        out
    }

    proptest! {
        #[test]
        fn removing_the_comments_restores_the_text(
            text in "\u{feff}?([a-c]|\r|\n|\r\n|é|//|\\*/| ){0,40}",
            pick: prop::sample::Index,
            scheme in prop::sample::select(Scheme::ALL.to_vec()),
        ) {
            let language = &LANGUAGES[pick.index(LANGUAGES.len())];
            let tagged = format_with_comments(text.as_bytes(), language.names[0], scheme).unwrap();
            let tagged = String::from_utf8(tagged).unwrap();
            prop_assert_eq!(without_comments(&tagged, language, scheme), text);
        }

        #[test]
        fn the_anchors_equal_those_of_a_listing(text in "([a-c]|\r|\n|é| ){0,40}") {
            let document = Document::from_text(text.clone());
            let listing = Listing::new(&document, Scheme::Context);
            let tagged = format_with_comments(text.as_bytes(), "rust", Scheme::Context).unwrap();
            let tagged = Document::from_bytes(tagged).unwrap();
            prop_assert_eq!(tagged.len(), document.len());
            for (index, (line, tag)) in tagged.lines().zip(listing.tags()).enumerate() {
                let anchor = format!("  // {}:{tag}", index + 1);
                prop_assert!(line.content.ends_with(&anchor));
            }
        }

        #[test]
        fn no_name_makes_the_search_panic(name: String) {
            let _ = format_with_comments(b"a", &name, Scheme::Hex2);
        }
    }
}
