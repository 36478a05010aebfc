//! A document with its tags.

use super::Anchor;
use super::scheme::{Scheme, TagInput};
use super::tag::Tag;
use crate::kernel::line_hashes;
use crate::{Document, LineNumber, Span};

/// A document and the tag of each of its lines.
pub struct Listing<'a> {
    document: &'a Document,
    scheme: Scheme,
    tags: Vec<Tag>,
}

impl<'a> Listing<'a> {
    /// Tags every line of `document`.
    ///
    /// ```
    /// use hashline_text::{Document, Listing, Scheme, Tag};
    /// let document = Document::from_text("let a = 1;\nlet b = 2;\n");
    /// let listing = Listing::new(&document, Scheme::Hex2);
    /// assert_eq!(listing.tags(), [Tag::new("f1").unwrap(), Tag::new("08").unwrap()]);
    /// ```
    pub fn new(document: &'a Document, scheme: Scheme) -> Self {
        let tags = tag_span(document, document.span(), 0, scheme);
        Self { document, scheme, tags }
    }

    /// The document that is listed.
    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// The scheme of the tags.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// All tags, in the order of the lines.
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// The anchor of a line.
    pub fn anchor(&self, line: LineNumber) -> Option<Anchor> {
        self.tags.get(line.index()).map(|tag| Anchor::new(line, *tag))
    }
}

/// Tags the lines named by `span` of a document that begins after `before` lines of its file.
pub fn tag_span(document: &Document, span: Span, before: usize, scheme: Scheme) -> Vec<Tag> {
    if let Some(folding) = scheme.stripped_folding() {
        // A carriage return is white space to these schemes, so the bytes can be hashed unchanged;
        // the empty text after the final newline is not a line.
        let mut tags = Vec::with_capacity(span.len() + 1);
        line_hashes::each_hash(document.span_text(span), folding, |hash| {
            tags.push(scheme.stripped_tag(hash));
        });
        tags.truncate(span.len());
        return tags;
    }
    let mut scratch = Vec::new();
    let at = |index: usize| {
        let number = LineNumber::new(index + 1);
        number.and_then(|number| document.content(number)).unwrap_or_default().as_bytes()
    };
    (span.start()..span.end())
        .map(|index| {
            let input = TagInput {
                number: LineNumber::at(before + index),
                before: index.checked_sub(1).map_or(&[][..], at),
                content: at(index),
                after: at(index + 1),
            };
            scheme.tag_with(input, &mut scratch)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_listing_has_the_same_tags_as_single_lines(
            text in "\u{feff}?([a-c]{0,9}|[ \t]{1,9}|\r|\n|\r\n|\u{2014}|\u{85}|\u{feff}){0,40}",
        ) {
            let document = Document::from_text(text);
            for scheme in Scheme::ALL {
                let listing = Listing::new(&document, scheme);
                prop_assert_eq!(listing.tags().len(), document.len());
                for (index, line) in document.lines().enumerate() {
                    let neighbour = |index: usize| {
                        document.lines().nth(index).map_or("", |line| line.content).as_bytes()
                    };
                    let input = TagInput {
                        number: LineNumber::at(index),
                        before: index.checked_sub(1).map_or(b"", neighbour),
                        content: line.content.as_bytes(),
                        after: neighbour(index + 1),
                    };
                    prop_assert_eq!(listing.tags()[index], scheme.tag(input), "{}", scheme);
                }
            }
        }
    }
}
