//! Whether inline code prints the text that it reads, or only uses it.
//!
//! Code that parses a file and prints a value of it, or counts its lines, shows nothing that an
//! anchor could help with; code that prints the text, a slice of it or the whole parsed object
//! does. The value of a read is followed outward through expressions and variables, until it is
//! printed or dropped. If neither is certain, it counts as printed.

use super::Language;
use super::expression::Code;
use super::tokens::{Token, tokens};
use super::vocabulary::{ASKS, KEEPS, MEASURES, PARSES, PRINTS, SERIALISES, SHOWS_ALL};
use crate::word::has_word;

/// What the value of an expression holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Text of the file, or an open file.
    Text,
    /// An object that was parsed from the file.
    Object,
}

/// What happens to the value of an expression.
enum Fate {
    /// The value is printed, or may be.
    Shown,
    /// The value is dropped, or only a fact about the text is left of it.
    Swallowed,
    /// The value becomes part of a wider expression: the index of its first token, that of the
    /// token after it, and what its value holds.
    Wider(usize, usize, Holds),
}

/// How many tokens are looked at to follow all the reads of one piece of code.
const MAX_LOOKS: usize = 100_000;

impl Code<'_> {
    /// Whether the result of the call at `i` is printed.
    pub(super) fn is_shown(&self, i: usize, holds: Holds) -> bool {
        let followed = matches!(
            self.language,
            Language::Python | Language::JavaScript | Language::Ruby | Language::Php | Language::R
        );
        if !followed {
            return true;
        }
        let start = self.chain_start(i);
        let end = self.call_end(i);
        // `fs.readFile("f", (e, text) => ...)`
        let arguments = &self.tokens[i.min(end)..end];
        let callback = self.language == Language::JavaScript
            && (arguments.windows(2).any(|pair| pair[0].is('=') && pair[1].is('>'))
                || arguments.iter().any(|t| t.is_name("function")));
        if callback {
            return true;
        }
        self.seen.borrow_mut().clear();
        self.is_printed(start, end, holds)
    }

    /// Adds `cost` to the work done; returns whether it is still within the limit.
    fn has_budget_for(&self, cost: usize) -> bool {
        self.looks.set(self.looks.get() + cost);
        self.looks.get() <= MAX_LOOKS
    }

    /// Whether the value of an expression is printed.
    fn is_printed(&self, mut start: usize, mut end: usize, mut holds: Holds) -> bool {
        loop {
            if !self.has_budget_for(16) {
                return true;
            }
            let next = match self.suffix(start, end, holds) {
                Some(next) => next,
                None => match self.name_at(end + 1).filter(|_| self.name_at(end) == Some("as")) {
                    Some(name) => return self.is_variable_shown(name, holds),
                    None => self.outside(start, holds),
                },
            };
            match next {
                Fate::Shown => return true,
                Fate::Swallowed => return false,
                Fate::Wider(from, to, now) => (start, end, holds) = (from, to, now),
            }
        }
    }

    /// What a member, a method call or an index after an expression makes of its value.
    fn suffix(&self, start: usize, end: usize, holds: Holds) -> Option<Fate> {
        let block = self.is(end, '{') || self.name_at(end) == Some("do");
        if self.language == Language::Ruby && block {
            return Some(Fate::Shown);
        }
        let optional = usize::from(self.is(end, '?') || self.is(end, '&'));
        let member = if self.is(end + optional, '.') {
            end + optional + 1
        } else if self.is(end, '-') && self.is(end + 1, '>') {
            end + 2
        } else if self.is(end, '[') {
            return Some(self.index(start, end, holds));
        } else {
            return None;
        };
        let Some(name) = self.name_at(member) else { return Some(Fate::Shown) };
        let next = if self.is(member + 1, '(') { self.behind(member + 1) } else { member + 1 };
        Some(match holds {
            Holds::Object if has_word(SHOWS_ALL, name) => Fate::Wider(start, next, holds),
            Holds::Object => Fate::Swallowed,
            Holds::Text if name == "json" => Fate::Wider(start, next, Holds::Object),
            Holds::Text if has_word(MEASURES, name) => Fate::Swallowed,
            Holds::Text if has_word(KEEPS, name) => Fate::Wider(start, next, holds),
            Holds::Text => Fate::Shown,
        })
    }

    fn index(&self, start: usize, open: usize, holds: Holds) -> Fate {
        let Some(close) = self.close_of(open) else { return Fate::Shown };
        let inside = &self.tokens[open + 1..close];
        let slice = inside.iter().any(|token| token.is(':'))
            || inside.windows(2).any(|pair| pair[0].is('.') && pair[1].is('.'));
        match holds {
            Holds::Object if !slice => Fate::Swallowed,
            _ => Fate::Wider(start, close + 1, holds),
        }
    }

    /// What the tokens before an expression make of its value.
    fn outside(&self, start: usize, holds: Holds) -> Fate {
        let Some(before) = start.checked_sub(1) else { return Fate::Swallowed };
        let unclear = if holds == Holds::Text { Fate::Shown } else { Fate::Swallowed };
        match self.at(before) {
            Some(Token::Mark(';' | '\n')) if self.around(start).is_none() => Fate::Swallowed,
            Some(Token::Name(word)) => match word.as_str() {
                "in" | "of" => self.in_loop(before, holds),
                word if has_word(ASKS, word) => Fate::Swallowed,
                word if has_word(PRINTS, word) => Fate::Shown,
                "return" | "yield" => unclear,
                _ => self.enclosing(start, holds),
            },
            Some(Token::Mark('=')) => match before.checked_sub(1) {
                Some(at) if self.is(at, '=') || self.is(at, '!') => Fate::Swallowed,
                Some(at) if self.around(start).is_none_or(|open| self.is(open, '{')) => {
                    let at = if self.is(at, '+') { at.saturating_sub(1) } else { at };
                    match self.name_at(at) {
                        Some(name) => self.of_variable(name, holds),
                        None => unclear,
                    }
                }
                _ => self.enclosing(start, holds),
            },
            Some(Token::Mark('<' | '!')) => Fate::Swallowed,
            Some(Token::Mark('>')) if !before.checked_sub(1).is_some_and(|at| self.is(at, '=')) => {
                Fate::Swallowed
            }
            _ => self.enclosing(start, holds),
        }
    }

    /// `for a, b in EXPRESSION`, or a test of membership.
    fn in_loop(&self, at: usize, holds: Holds) -> Fate {
        let mut names = Vec::new();
        let mut back = at;
        loop {
            let Some(before) = back.checked_sub(1) else { return Fate::Swallowed };
            back = before;
            match self.at(back) {
                Some(word) if word.is_name("for const let") => break,
                Some(word) if word.is_name("and or") || word.is_name(ASKS) => {
                    return Fate::Swallowed;
                }
                Some(Token::Name(name)) => names.push(name.clone()),
                Some(Token::Mark(',' | '(' | ')')) => {}
                _ if names.len() > 1 => return Fate::Shown,
                // `"x" in text`
                _ => return Fate::Swallowed,
            }
        }
        if names.iter().any(|name| self.is_variable_shown(name, holds)) {
            return Fate::Shown;
        }
        // A comprehension's value holds what it loops over, unless its brackets belong to a call.
        if let Some(open) = self.around(back)
            && !self.is(open, '{')
            && self.name_at(open.wrapping_sub(1)) != Some("for")
        {
            return match self.close_of(open) {
                Some(close) if self.is(open, '[') => Fate::Wider(open, close + 1, holds),
                _ => self.enclosing(back, holds),
            };
        }
        Fate::Swallowed
    }

    /// What the brackets around an expression, or the function they belong to, make of its value.
    fn enclosing(&self, start: usize, holds: Holds) -> Fate {
        let unclear = if holds == Holds::Text { Fate::Shown } else { Fate::Swallowed };
        let Some(open) = self.around(start) else {
            return self.statement(start, holds);
        };
        let Some(close) = self.close_of(open) else { return unclear };
        let called = open.checked_sub(1).and_then(|at| self.name_at(at));
        match (self.at(open), called) {
            (Some(Token::Mark('(')), Some(function)) => {
                let from = self.chain_start(open - 1);
                self.given_to(function, from, open, close, holds)
            }
            (Some(Token::Mark('(')), None) => Fate::Wider(open, close + 1, holds),
            (Some(Token::Mark('[')), None)
                if !matches!(self.at(open.wrapping_sub(1)), Some(Token::Mark(')' | ']'))) =>
            {
                Fate::Wider(open, close + 1, holds)
            }
            // `other[expression]`
            (Some(Token::Mark('[')), _) => Fate::Swallowed,
            _ => self.statement(start, holds),
        }
    }

    /// What a function makes of its argument.
    fn given_to(
        &self,
        function: &str,
        from: usize,
        open: usize,
        close: usize,
        holds: Holds,
    ) -> Fate {
        let wider = |holds| Fate::Wider(from, close + 1, holds);
        let several = self.tokens[open..close].iter().any(|token| token.is(','));
        if function == "write" {
            let stream = self.tokens[from..open].iter().any(|t| t.is_name("stdout stderr"));
            return if stream { Fate::Shown } else { Fate::Swallowed };
        }
        if has_word(ASKS, function) || function == "for" || has_word(MEASURES, function) {
            return Fate::Swallowed;
        }
        if has_word(SERIALISES, function) || (function == "dump" && !several) {
            return wider(Holds::Text);
        }
        match holds {
            _ if has_word(PRINTS, function) => Fate::Shown,
            Holds::Text if has_word(PARSES, function) => wider(Holds::Object),
            _ if has_word(KEEPS, function) => wider(holds),
            Holds::Text => Fate::Shown,
            Holds::Object => Fate::Swallowed,
        }
    }

    /// What a statement makes of a value in it: an assignment, or a call without parentheses.
    fn statement(&self, start: usize, holds: Holds) -> Fate {
        let mut first = start;
        while let Some(before) = first.checked_sub(1) {
            match self.at(before) {
                Some(Token::Mark(';' | '\n' | '{' | '}')) => break,
                Some(Token::Mark('=')) if before > 0 => {
                    if let Some(name) = self.name_at(before - 1) {
                        return self.of_variable(name, holds);
                    }
                }
                _ => {}
            }
            first = before;
        }
        match self.name_at(first) {
            Some(word) if has_word(PRINTS, word) || word == "return" => Fate::Shown,
            _ if first == start => Fate::Swallowed,
            _ if holds == Holds::Text => Fate::Shown,
            _ => Fate::Swallowed,
        }
    }

    fn of_variable(&self, name: &str, holds: Holds) -> Fate {
        if self.is_variable_shown(name, holds) { Fate::Shown } else { Fate::Swallowed }
    }

    /// Whether a variable is printed anywhere.
    fn is_variable_shown(&self, name: &str, holds: Holds) -> bool {
        if !self.seen.borrow_mut().insert((name.to_owned(), holds == Holds::Text)) {
            return false;
        }
        if !self.has_budget_for(self.tokens.len()) {
            return true;
        }
        let uses = self.tokens.iter().enumerate().filter(|(at, token)| {
            let member = at.checked_sub(1).is_some_and(|before| self.is(before, '.'));
            let given = self.is(at + 1, '=') && !self.is(at + 2, '=');
            token.name() == Some(name) && !member && !given
        });
        let uses: Vec<usize> = uses.map(|(at, _)| at).collect();
        uses.into_iter().any(|at| {
            let bound = at.checked_sub(1).and_then(|before| self.name_at(before));
            !matches!(bound, Some("as" | "for" | "const" | "let" | "var" | "import" | "def"))
                && self.is_printed(at, at + 1, holds)
        }) || self.is_interpolated(name, holds)
    }

    /// Whether a variable is printed as part of a string: `f"{text}"`.
    fn is_interpolated(&self, name: &str, holds: Holds) -> bool {
        self.interpolations.iter().any(|(at, inside)| {
            let inside = tokens(inside, self.language);
            let whole = inside.iter().enumerate().any(|(i, token)| {
                let next = inside.get(i + 1);
                let before = i.checked_sub(1).and_then(|before| inside.get(before));
                let picked = next.is_some_and(|t| t.is('[') || t.is('.'));
                let slice = picked && inside[i..].iter().any(|t| t.is(':'));
                let measured = inside.iter().any(|t| t.is_name(MEASURES));
                token.name() == Some(name)
                    && !before.is_some_and(|t| t.is('.'))
                    && !measured
                    && (!picked || slice || holds == Holds::Text)
            });
            whole && self.is_printed(*at, at + 1, Holds::Text)
        })
    }
}
