//! Replacing text by text.
//!
//! The old text itself says where: it must occur, within the given lines if there are any, and only
//! once unless every occurrence is meant. A newline in it matches any line ending of the file.

use hashline_text::{Document, Span};

/// The most similar lines that are shown for a text that does not occur.
const MAX_NEAR: usize = 3;

/// Lines to be replaced, and the lines that replace them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LineRewrite {
    /// The lines to be replaced.
    pub span: Span,
    /// The new lines.
    pub lines: Vec<String>,
}

/// Why there is nothing to replace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Missed {
    /// The text does not occur.
    Absent {
        /// Zero-based lines that look like the text.
        similar: Vec<usize>,
    },
    /// The text does not occur in the lines in which it must occur.
    Outside {
        /// The lines in which it must occur.
        within: Span,
        /// Where else the text occurs: the zero-based line, and the column, counted from 1.
        at: Vec<(usize, usize)>,
    },
    /// The text occurs more than once.
    Repeated {
        /// The zero-based line where each occurrence starts, and the column, counted from 1.
        at: Vec<(usize, usize)>,
    },
}

/// The text of a document with bare newlines.
pub(super) struct PlainText {
    text: String,
    starts: Vec<usize>,
}

impl PlainText {
    /// Takes the text of a document.
    pub(super) fn of(document: &Document) -> Self {
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

    /// The whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a zero-based line starts.
    pub(super) fn start_of(&self, line: usize) -> Option<usize> {
        self.starts.get(line).copied()
    }

    /// The zero-based line of a byte offset in the text.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Where `old`, which is not empty, occurs, only within these lines if some are given: the one
    /// place, or every place if `all` are meant.
    pub(super) fn find(
        &self,
        old: &str,
        all: bool,
        within: Option<Span>,
    ) -> Result<Vec<usize>, Missed> {
        let here = |hit: &usize| self.is_within(*hit, old.len(), within);
        // Hits that overlap make a text as ambiguous as any other hits.
        let mut hits: Vec<usize> = self.hits(old).filter(here).collect();
        match hits.len() {
            0 => Err(Missed::Absent { similar: Vec::new() }),
            1 => Ok(hits),
            _ if all => {
                let mut free_from = 0;
                hits.retain(|hit| {
                    let free = *hit >= free_from;
                    free_from = if free { hit + old.len() } else { free_from };
                    free
                });
                Ok(hits)
            }
            _ => Err(Missed::Repeated { at: hits.iter().map(|hit| self.place(*hit)).collect() }),
        }
    }

    /// Whether a text of `len` bytes at `hit` lies within the given lines, or contains all of them.
    pub(super) fn is_within(&self, hit: usize, len: usize, within: Option<Span>) -> bool {
        let Some(within) = within else { return true };
        let end_of = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        let (start, end) = (end_of(within.start()), end_of(within.end()));
        let bare = self.text[start..end].trim_end_matches('\n').len();
        let least = if bare > 0 { start + bare } else { end };
        start <= hit && hit + len <= end || hit <= start && least <= hit + len
    }

    /// Where `old` occurs, overlapping or not.
    fn hits(&self, old: &str) -> impl Iterator<Item = usize> {
        let step = old.chars().next().map_or(1, char::len_utf8);
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = from + self.text[from..].find(old)?;
            from = at + step;
            Some(at)
        })
    }

    /// Where `old` occurs: the zero-based line, and the column, counted from 1.
    pub(super) fn all_places(&self, old: &str) -> Vec<(usize, usize)> {
        self.hits(old).map(|hit| self.place(hit)).collect()
    }

    fn place(&self, hit: usize) -> (usize, usize) {
        let line = self.line_of(hit);
        (line, self.text[self.starts[line]..hit].chars().count() + 1)
    }

    /// The zero-based lines that look most like the first line of `old` that is not blank or too
    /// short.
    pub(super) fn nearest(&self, old: &str) -> Vec<usize> {
        let lines = || old.lines().map(str::trim).filter(|line| !line.is_empty());
        let Some(wanted) = lines().find(|line| line.len() > 2).or_else(|| lines().next()) else {
            return Vec::new();
        };
        let wanted = pairs(wanted);
        let lines = self.text.lines().enumerate();
        let mut scored: Vec<(usize, usize)> = lines
            .map(|(at, line)| (likeness(&wanted, &pairs(line.trim())), at))
            .filter(|(score, _)| *score > 0)
            .collect();
        scored.sort_by_key(|(score, at)| (std::cmp::Reverse(*score), *at));
        let best = scored.first().map_or(0, |(score, _)| *score);
        scored.retain(|(score, _)| *score * 2 >= best);
        let mut nearest: Vec<usize> = scored.into_iter().take(MAX_NEAR).map(|(_, at)| at).collect();
        if nearest.is_empty() && !self.starts.is_empty() {
            nearest.push(0);
        }
        nearest.sort_unstable();
        nearest
    }

    /// Turns hits into changes of whole lines; hits that share a line become one change.
    pub(super) fn rewrites(&self, hits: &[usize], len: usize, new: &str) -> Vec<LineRewrite> {
        let mut groups: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for hit in hits {
            let first = self.line_of(*hit);
            // If the hit ends with a newline, the next line is part of the change.
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

/// The pairs of neighbouring characters of a line, without white space and in order.
fn pairs(line: &str) -> Vec<(char, char)> {
    let chars: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let ends = [('\0', *chars.first().unwrap_or(&'\0'))];
    let mut pairs: Vec<_> = chars.windows(2).map(|pair| (pair[0], pair[1])).chain(ends).collect();
    pairs.sort_unstable();
    pairs
}

/// How much two lines have in common, in thousandths, given the pairs of each.
fn likeness(one: &[(char, char)], other: &[(char, char)]) -> usize {
    let (mut a, mut b, mut shared) = (0, 0, 0);
    while a < one.len() && b < other.len() {
        match one[a].cmp(&other[b]) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => (a, b, shared) = (a + 1, b + 1, shared + 1),
        }
    }
    shared * 2000 / (one.len() + other.len())
}

fn split(text: &str) -> Vec<&str> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix('\n').unwrap_or(text).split('\n').collect()
}

/// The lines from index `start` up to, but without, index `end`.
pub(super) fn span(start: usize, end: usize) -> Span {
    use hashline_text::LineNumber;
    if start >= end {
        return Span::after(start);
    }
    Span::lines(LineNumber::at(start), LineNumber::at(end - 1))
        .expect("the start comes before the end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_text::Splice;

    fn check(before: &str, old: &str, new: &str, all: bool, after: &str) {
        let document = Document::from_text(before);
        let view = PlainText::of(&document);
        let hits = view.find(old, all, None).unwrap();
        let splices: Vec<_> = view
            .rewrites(&hits, old.len(), new)
            .into_iter()
            .map(|LineRewrite { span, lines }| Splice { span, lines })
            .collect();
        let edited = document.splice_all(&splices).unwrap();
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
        check("a\r\nb\r\nc\r\n", "b\n", "", false, "a\r\nc\r\n");
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
    fn an_ambiguous_text_reports_its_lines_and_columns() {
        let find =
            |text: &str, old| PlainText::of(&Document::from_text(text)).find(old, false, None);
        assert_eq!(find("a\nb\na\n", "a"), Err(Missed::Repeated { at: vec![(0, 1), (2, 1)] }));
        assert_eq!(find("aaa\n", "aa"), Err(Missed::Repeated { at: vec![(0, 1), (0, 2)] }));
    }

    #[test]
    fn an_absent_text_reports_the_most_similar_lines() {
        let nearest = |text: &str, old| PlainText::of(&Document::from_text(text)).nearest(old);
        assert_eq!(nearest("fn main() {\n    run();\n}\n", "  fn main() {\n  run();"), [0]);
        assert_eq!(nearest("aaa\r\nbbb\r\nccc\r\n", "bbx"), [1]);
        assert_eq!(nearest("a\nb\nc\n", "b!"), [1]);
        assert_eq!(nearest("x\ny\n", "q"), [0]);
    }
}
