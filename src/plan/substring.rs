//! Replacing text by text.
//!
//! `replace` has no anchor, so the text itself must say where: it must occur, and only once unless
//! every occurrence is meant. A newline in it matches any line ending of the file.

use crate::patch::plain_newlines;
use crate::text::{Document, Span, search};

/// Lines to be replaced, and what stands there afterwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineRewrite {
    /// The lines.
    pub span: Span,
    /// The new lines.
    pub lines: Vec<String>,
}

/// Why there is nothing to replace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Missed {
    /// The text does not occur.
    Absent {
        /// Zero-based lines that look like its first line.
        similar: Vec<usize>,
    },
    /// It occurs more than once.
    Repeated {
        /// The zero-based line each occurrence starts on.
        at: Vec<usize>,
    },
}

/// Finds `old` in `document` and puts `new` in its place.
pub(super) fn rewrite(
    document: &Document,
    old: &str,
    new: &str,
    all: bool,
) -> Result<Vec<LineRewrite>, Missed> {
    let view = PlainText::of(document);
    let (old, new) = (plain_newlines(old), plain_newlines(new));
    let hits: Vec<usize> = search::find_all(old.as_bytes(), view.text.as_bytes()).collect();
    match hits.len() {
        0 => Err(Missed::Absent { similar: view.similar(&old) }),
        // `find_all` skips overlapping hits, which make a text as ambiguous as any others.
        n if !all && (n > 1 || view.again(hits[0], &old)) => {
            Err(Missed::Repeated { at: view.all_lines(&old) })
        }
        _ => Ok(view.rewrites(&hits, old.len(), &new)),
    }
}

/// The text of a document with bare newlines.
struct PlainText {
    text: String,
    starts: Vec<usize>,
}

impl PlainText {
    fn of(document: &Document) -> Self {
        let mut view = Self {
            text: String::with_capacity(document.bytes().len()),
            starts: Vec::with_capacity(document.len()),
        };
        for line in document.lines() {
            view.starts.push(view.text.len());
            view.text.push_str(line.content);
            if !line.ending.bytes().is_empty() {
                view.text.push('\n');
            }
        }
        view
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    fn again(&self, hit: usize, old: &str) -> bool {
        let next = hit + old.chars().next().map_or(1, char::len_utf8);
        self.text[next..].contains(old)
    }

    fn all_lines(&self, old: &str) -> Vec<usize> {
        let step = old.chars().next().map_or(1, char::len_utf8);
        let mut from = 0;
        let mut found = Vec::new();
        while let Some(at) = self.text[from..].find(old) {
            found.push(self.line_of(from + at));
            from += at + step;
        }
        found
    }

    fn similar(&self, old: &str) -> Vec<usize> {
        let first = old.lines().map(str::trim).find(|line| !line.is_empty());
        let Some(first) = first else {
            return Vec::new();
        };
        self.text
            .split('\n')
            .enumerate()
            .filter(|(_, line)| {
                let line = line.trim();
                !line.is_empty()
                    && (line.contains(first) || (line.len() >= 8 && first.contains(line)))
            })
            .map(|(at, _)| at)
            .take(3)
            .collect()
    }

    /// Turns hits into changes of whole lines; hits that share a line become one change.
    fn rewrites(&self, hits: &[usize], len: usize, new: &str) -> Vec<LineRewrite> {
        let mut groups: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for hit in hits {
            let first = self.line_of(*hit);
            // The line after a final newline, if the hit takes that newline with it.
            let last = self.line_of((hit + len).min(self.text.len().saturating_sub(1)).max(*hit));
            match groups.last_mut() {
                Some((_, end, members)) if *end >= first => {
                    *end = (*end).max(last);
                    members.push(*hit);
                }
                _ => groups.push((first, last, vec![*hit])),
            }
        }
        groups
            .iter()
            .map(|(first, last, members)| self.join(*first, *last, members, len, new))
            .collect()
    }

    fn join(
        &self,
        first: usize,
        last: usize,
        hits: &[usize],
        len: usize,
        new: &str,
    ) -> LineRewrite {
        let end = self.starts.get(last + 1).copied().unwrap_or(self.text.len());
        let mut text = String::new();
        let mut from = self.starts[first];
        for hit in hits {
            text.push_str(&self.text[from..*hit]);
            text.push_str(new);
            from = hit + len;
        }
        text.push_str(&self.text[from..end]);
        let old: Vec<&str> = split(&self.text[self.starts[first]..end]);
        let new: Vec<&str> = split(&text);
        // Lines that stay the same at either end are not part of the change.
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let tail = old[head..]
            .iter()
            .rev()
            .zip(new[head..].iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        let span = span(first + head, first + old.len() - tail);
        LineRewrite {
            span,
            lines: new[head..new.len() - tail].iter().map(|line| (*line).to_owned()).collect(),
        }
    }
}

fn split(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix('\n').unwrap_or(text).split('\n').collect()
}

/// The lines from index `start` up to, but without, index `end`.
pub(super) fn span(start: usize, end: usize) -> Span {
    use crate::text::LineNumber;
    if start >= end {
        return Span::after(start);
    }
    Span::lines(LineNumber::at(start), LineNumber::at(end - 1))
        .expect("the start comes before the end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Splice;

    fn check(before: &str, old: &str, new: &str, all: bool, after: &str) {
        let document = Document::from_text(before);
        let splices: Vec<_> = rewrite(&document, old, new, all)
            .unwrap()
            .into_iter()
            .map(|LineRewrite { span, lines }| Splice { span, lines })
            .collect();
        let edited = document.splice_all(&splices);
        assert_eq!(str::from_utf8(edited.bytes()).unwrap(), after, "{before:?}");
    }

    #[test]
    fn text_inside_a_line_is_replaced() {
        check("let a = 1;\nlet b = 2;\n", "b = 2", "c = 3", false, "let a = 1;\nlet c = 3;\n");
        check("a", "a", "b", false, "b");
    }

    #[test]
    fn text_across_lines_is_replaced_whatever_the_endings() {
        check("a\r\nb\r\nc\r\n", "a\nb", "x\ny", false, "x\r\ny\r\nc\r\n");
        check("a\r\nb\r\nc\r\n", "b\r\n", "", false, "a\r\nc\r\n");
        check("a\nb\nc", "b\nc", "x", false, "a\nx");
        check("a\nb\nc\n", "a\n", "x\ny\n", false, "x\ny\nb\nc\n");
        check("a\nb\n", "a\nb\n", "", false, "");
        check("ab\ncd\n", "b\nc", "-", false, "a-d\n");
    }

    #[test]
    fn all_occurrences_may_be_meant() {
        check("a a\nb\na\n", "a", "xx", true, "xx xx\nb\nxx\n");
        check("a\na\na\n", "a\n", "", true, "");
        check("ab ab\nab", "ab", "a\nb", true, "a\nb a\nb\na\nb");
    }

    #[test]
    fn an_ambiguous_text_tells_its_lines() {
        let document = Document::from_text("a\nb\na\n");
        assert_eq!(rewrite(&document, "a", "x", false), Err(Missed::Repeated { at: vec![0, 2] }));
        let document = Document::from_text("aaa\n");
        assert_eq!(rewrite(&document, "aa", "x", false), Err(Missed::Repeated { at: vec![0, 0] }));
    }

    #[test]
    fn an_absent_text_tells_what_looks_like_it() {
        let document = Document::from_text("fn main() {\n    run();\n}\n");
        assert_eq!(
            rewrite(&document, "  fn main() {\n  run();", "x", false),
            Err(Missed::Absent { similar: vec![0] })
        );
    }
}
