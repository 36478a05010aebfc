//! Finding where an expression begins, where a call ends, and which brackets belong together.

use super::Language;
use super::expression::Code;
use super::tokens::Token;

/// How many tokens around an expression are searched for brackets.
const FAR: usize = 400;

impl Code<'_> {
    pub(super) fn at(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i)
    }

    pub(super) fn name_at(&self, i: usize) -> Option<&str> {
        self.at(i)?.name()
    }

    pub(super) fn is(&self, i: usize, mark: char) -> bool {
        self.at(i).is_some_and(|token| token.is(mark))
    }

    /// Where the expression begins that ends with the name at `i`: `fs` for `fs.readFileSync`.
    pub(super) fn chain_start(&self, i: usize) -> usize {
        let mut start = i;
        // `fs["readFileSync"](...)`
        if self.is(i, ']') {
            start = self.open_of(i).unwrap_or(i).saturating_sub(1);
            if self.is(start, ')') {
                start = self.open_of(start).unwrap_or(start).saturating_sub(1);
            }
        }
        for _ in 0..16 {
            let dot = match start.checked_sub(1) {
                Some(before) if self.is(before, '.') => before,
                Some(before) if before > 0 && self.is(before, '>') && self.is(before - 1, '-') => {
                    before - 1
                }
                Some(before) if before > 0 && self.is(before, ':') && self.is(before - 1, ':') => {
                    before - 1
                }
                _ => break,
            };
            let dot = if dot > 0 && self.is(dot - 1, '?') { dot - 1 } else { dot };
            let Some(last) = dot.checked_sub(1) else { break };
            start = match self.at(last) {
                Some(Token::Mark(')' | ']')) => {
                    let open = self.open_of(last).unwrap_or(last);
                    let called = open.checked_sub(1).filter(|&at| self.name_at(at).is_some());
                    called.unwrap_or(open)
                }
                Some(Token::Name(_) | Token::Text(_)) => last,
                _ => break,
            };
        }
        while let Some(before) = start.checked_sub(1) {
            let prefix = matches!(self.name_at(before), Some("await" | "new"))
                || (self.is(before, '$') && self.language == Language::Php);
            if !prefix {
                break;
            }
            start = before;
        }
        start
    }

    /// The index just past the call of the name at `i`.
    pub(super) fn call_end(&self, i: usize) -> usize {
        if self.is(i + 1, '(') {
            return self.behind(i + 1);
        }
        if self.language != Language::Ruby && self.language != Language::Php {
            return i + 1;
        }
        let rest = self.tokens.iter().enumerate().skip(i + 1).take(FAR);
        let mut ends = rest.filter(|(_, t)| matches!(t, Token::Mark(';' | '\n' | ')' | '}' | ',')));
        ends.next().map_or(self.tokens.len(), |(at, _)| at)
    }

    /// The index just past the bracket that closes the one at `open`.
    pub(super) fn behind(&self, open: usize) -> usize {
        self.close_of(open).map_or(self.tokens.len(), |close| close + 1)
    }

    /// The bracket that closes the one at `open`.
    pub(super) fn close_of(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        (open..self.tokens.len()).take(FAR).find(|at| {
            depth += self.tokens[*at].nesting();
            depth == 0
        })
    }

    /// The bracket that opens the one at `close`.
    pub(super) fn open_of(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        (0..=close).rev().take(FAR).find(|at| {
            depth += self.at(*at).map_or(0, Token::nesting);
            depth == 0
        })
    }

    /// The opening bracket around the expression that begins at `start`.
    pub(super) fn around(&self, start: usize) -> Option<usize> {
        let mut depth = 0;
        let found = (0..start).rev().take(FAR).find(|at| {
            depth += self.at(*at).map_or(0, Token::nesting);
            depth > 0 || (depth == 0 && self.is(*at, ';'))
        });
        found.filter(|at| !self.is(*at, ';'))
    }
}
