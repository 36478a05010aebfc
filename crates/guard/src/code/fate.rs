//! What becomes of the text that inline code reads: is it printed, or only used?
//!
//! Code that parses a file and prints a value of it, or counts its lines, shows nothing that an
//! anchor could help with; code that prints the text, a slice of it or the whole parsed object
//! does. The expression around a read is followed outward, and through variables, until it is
//! printed or swallowed. Where that is not known, it counts as printed.

use std::collections::HashSet;

use super::Language;
use super::expression::Code;
use super::tokens::{Token, tokens};
use super::vocabulary::{ASKS, KEEPS, MEASURES, PARSES, PRINTS, SERIALISES, SHOWS_ALL};
use crate::word::has_word;

/// What an expression holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Text of the file, or an open file.
    Text,
    /// An object that was parsed from it.
    Object,
}

/// How many tokens of one piece of code are looked at, over all of its reads.
const MAX_LOOKS: usize = 100_000;

/// One look around, with what has been seen on the way.
pub(super) struct Look<'l> {
    pub(super) code: &'l Code<'l>,
}

impl Code<'_> {
    /// Whether what the call at `i` gives is printed.
    pub(super) fn is_shown(&self, i: usize, holds: Holds) -> bool {
        let followed = matches!(
            self.language,
            Language::Python | Language::JavaScript | Language::Ruby | Language::Php | Language::R
        );
        if !followed {
            return true;
        }
        let look = Look { code: self };
        let start = look.chain_start(i);
        let end = look.call_end(i);
        // `fs.readFile("f", (e, text) => ...)`
        let arguments = &self.tokens[i.min(end)..end];
        let callback = self.language == Language::JavaScript
            && (arguments.windows(2).any(|pair| pair[0].is('=') && pair[1].is('>'))
                || arguments.iter().any(|t| matches!(t, Token::Name(n) if n == "function")));
        if callback {
            return true;
        }
        look.is_shown(start, end, holds, &mut HashSet::new())
    }
}

impl Look<'_> {
    /// Counts work; answers whether to go on.
    fn may_look(&self, cost: usize) -> bool {
        let looks = &self.code.looks;
        looks.set(looks.get() + cost);
        looks.get() <= MAX_LOOKS
    }

    /// Whether an expression is printed.
    fn is_shown(
        &self,
        mut start: usize,
        mut end: usize,
        mut holds: Holds,
        seen: &mut HashSet<(String, bool)>,
    ) -> bool {
        loop {
            if !self.may_look(16) {
                return true;
            }
            match self.suffix(end, holds) {
                Suffix::Goes(next, now) => {
                    (end, holds) = (next, now);
                    continue;
                }
                Suffix::Swallowed => return false,
                Suffix::Unclear => return true,
                Suffix::None => {}
            }
            if self.name_at(end) == Some("as")
                && let Some(name) = self.name_at(end + 1)
            {
                return self.is_variable_shown(name, holds, seen);
            }
            match self.outside(start, holds, seen) {
                Outside::Shown => return true,
                Outside::Swallowed => return false,
                Outside::Wider(from, to, now) => (start, end, holds) = (from, to, now),
            }
        }
    }

    /// What follows an expression: a member, a call of one, an index.
    fn suffix(&self, end: usize, holds: Holds) -> Suffix {
        let block = self.is(end, '{') || self.name_at(end) == Some("do");
        if self.code.language == Language::Ruby && block {
            return Suffix::Unclear;
        }
        let optional = usize::from(self.is(end, '?') || self.is(end, '&'));
        let member = if self.is(end + optional, '.') {
            end + optional + 1
        } else if self.is(end, '-') && self.is(end + 1, '>') {
            end + 2
        } else if self.is(end, '[') {
            return self.index(end, holds);
        } else {
            return Suffix::None;
        };
        let Some(name) = self.name_at(member) else { return Suffix::Unclear };
        let next = if self.is(member + 1, '(') {
            self.close_of(member + 1).map_or(self.code.tokens.len(), |close| close + 1)
        } else {
            member + 1
        };
        match holds {
            Holds::Object if has_word(SHOWS_ALL, name) => Suffix::Goes(next, holds),
            Holds::Object => Suffix::Swallowed,
            Holds::Text if name == "json" => Suffix::Goes(next, Holds::Object),
            Holds::Text if has_word(MEASURES, name) => Suffix::Swallowed,
            Holds::Text if has_word(KEEPS, name) => Suffix::Goes(next, holds),
            Holds::Text => Suffix::Unclear,
        }
    }

    fn index(&self, open: usize, holds: Holds) -> Suffix {
        let Some(close) = self.close_of(open) else { return Suffix::Unclear };
        let inside = &self.code.tokens[open + 1..close];
        let slice = inside.iter().any(|token| token.is(':'))
            || inside.windows(2).any(|pair| pair[0].is('.') && pair[1].is('.'));
        match holds {
            Holds::Object if !slice => Suffix::Swallowed,
            _ => Suffix::Goes(close + 1, holds),
        }
    }

    /// What surrounds an expression.
    fn outside(&self, start: usize, holds: Holds, seen: &mut HashSet<(String, bool)>) -> Outside {
        let Some(before) = start.checked_sub(1) else { return Outside::Swallowed };
        let unclear = if holds == Holds::Text { Outside::Shown } else { Outside::Swallowed };
        match self.at(before) {
            Some(Token::Mark(';' | '\n')) if self.around(start).is_none() => Outside::Swallowed,
            Some(Token::Name(word)) => match word.as_str() {
                "in" | "of" => self.in_loop(before, holds, seen),
                word if has_word(ASKS, word) => Outside::Swallowed,
                word if has_word(PRINTS, word) => Outside::Shown,
                "return" | "yield" => unclear,
                _ => self.enclosing(start, holds, seen),
            },
            Some(Token::Mark('=')) => match before.checked_sub(1) {
                Some(at) if self.is(at, '=') || self.is(at, '!') => Outside::Swallowed,
                Some(at) if self.around(start).is_none_or(|open| self.is(open, '{')) => {
                    let at = if self.is(at, '+') { at.saturating_sub(1) } else { at };
                    match self.name_at(at) {
                        Some(name) if self.is_variable_shown(name, holds, seen) => Outside::Shown,
                        Some(_) => Outside::Swallowed,
                        None => unclear,
                    }
                }
                _ => self.enclosing(start, holds, seen),
            },
            Some(Token::Mark('<' | '!')) => Outside::Swallowed,
            Some(Token::Mark('>')) if !before.checked_sub(1).is_some_and(|at| self.is(at, '=')) => {
                Outside::Swallowed
            }
            _ => self.enclosing(start, holds, seen),
        }
    }

    /// `for a, b in EXPRESSION`, or a test of membership.
    fn in_loop(&self, at: usize, holds: Holds, seen: &mut HashSet<(String, bool)>) -> Outside {
        let mut names = Vec::new();
        let mut back = at;
        loop {
            let Some(before) = back.checked_sub(1) else { return Outside::Swallowed };
            back = before;
            match self.at(back) {
                Some(Token::Name(word)) if matches!(word.as_str(), "for" | "const" | "let") => {
                    break;
                }
                Some(Token::Name(word)) if word == "and" || word == "or" => {
                    return Outside::Swallowed;
                }
                Some(Token::Name(word)) if has_word(ASKS, word) => {
                    return Outside::Swallowed;
                }
                Some(Token::Name(name)) => names.push(name.clone()),
                Some(Token::Mark(',' | '(' | ')')) => {}
                _ if names.len() > 1 => return Outside::Shown,
                // `"x" in text`
                _ => return Outside::Swallowed,
            }
        }
        if names.iter().any(|name| self.is_variable_shown(name, holds, seen)) {
            return Outside::Shown;
        }
        // A comprehension gives what it loops over, unless its brackets belong to a call.
        if let Some(open) = self.around(back)
            && !self.is(open, '{')
            && self.name_at(open.wrapping_sub(1)) != Some("for")
        {
            return match self.close_of(open) {
                Some(close) if self.is(open, '[') => Outside::Wider(open, close + 1, holds),
                _ => self.enclosing(back, holds, seen),
            };
        }
        Outside::Swallowed
    }

    /// The bracket around an expression, and the function it belongs to.
    fn enclosing(&self, start: usize, holds: Holds, seen: &mut HashSet<(String, bool)>) -> Outside {
        let unclear = if holds == Holds::Text { Outside::Shown } else { Outside::Swallowed };
        let Some(open) = self.around(start) else {
            return self.statement(start, holds, seen);
        };
        let Some(close) = self.close_of(open) else { return unclear };
        let called = open.checked_sub(1).and_then(|at| self.name_at(at));
        match (self.at(open), called) {
            (Some(Token::Mark('(')), Some(function)) => {
                let from = self.chain_start(open - 1);
                self.argument(function, from, open, close, holds)
            }
            (Some(Token::Mark('(')), None) => Outside::Wider(open, close + 1, holds),
            (Some(Token::Mark('[')), None)
                if !matches!(self.at(open.wrapping_sub(1)), Some(Token::Mark(')' | ']'))) =>
            {
                Outside::Wider(open, close + 1, holds)
            }
            // `other[expression]`
            (Some(Token::Mark('[')), _) => Outside::Swallowed,
            _ => self.statement(start, holds, seen),
        }
    }

    /// What a function makes of its argument.
    fn argument(
        &self,
        function: &str,
        from: usize,
        open: usize,
        close: usize,
        holds: Holds,
    ) -> Outside {
        let wider = |holds| Outside::Wider(from, close + 1, holds);
        let several = self.code.tokens[open..close].iter().any(|token| token.is(','));
        if function == "write" {
            let stream = self.code.tokens[from..open]
                .iter()
                .any(|t| matches!(t, Token::Name(n) if n == "stdout" || n == "stderr"));
            return if stream { Outside::Shown } else { Outside::Swallowed };
        }
        if has_word(ASKS, function) || function == "for" || has_word(MEASURES, function) {
            return Outside::Swallowed;
        }
        if has_word(SERIALISES, function) || (function == "dump" && !several) {
            return wider(Holds::Text);
        }
        match holds {
            _ if has_word(PRINTS, function) => Outside::Shown,
            Holds::Text if has_word(PARSES, function) => wider(Holds::Object),
            _ if has_word(KEEPS, function) => wider(holds),
            Holds::Text => Outside::Shown,
            Holds::Object => Outside::Swallowed,
        }
    }

    /// A statement of its own: an assignment, a call without parentheses, or nothing.
    fn statement(&self, start: usize, holds: Holds, seen: &mut HashSet<(String, bool)>) -> Outside {
        let mut first = start;
        while let Some(before) = first.checked_sub(1) {
            match self.at(before) {
                Some(Token::Mark(';' | '\n' | '{' | '}')) => break,
                Some(Token::Mark('=')) if before > 0 => {
                    if let Some(name) = self.name_at(before - 1) {
                        return if self.is_variable_shown(name, holds, seen) {
                            Outside::Shown
                        } else {
                            Outside::Swallowed
                        };
                    }
                }
                _ => {}
            }
            first = before;
        }
        match self.name_at(first) {
            Some(word) if has_word(PRINTS, word) || word == "return" => Outside::Shown,
            _ if first == start => Outside::Swallowed,
            _ if holds == Holds::Text => Outside::Shown,
            _ => Outside::Swallowed,
        }
    }

    /// Whether a variable is printed anywhere.
    fn is_variable_shown(
        &self,
        name: &str,
        holds: Holds,
        seen: &mut HashSet<(String, bool)>,
    ) -> bool {
        if !seen.insert((name.to_owned(), holds == Holds::Text)) {
            return false;
        }
        if !self.may_look(self.code.tokens.len()) {
            return true;
        }
        let uses = self.code.tokens.iter().enumerate().filter(|(at, token)| {
            let member = at.checked_sub(1).is_some_and(|before| self.is(before, '.'));
            let given = self.is(at + 1, '=') && !self.is(at + 2, '=');
            matches!(token, Token::Name(n) if n == name) && !member && !given
        });
        let uses: Vec<usize> = uses.map(|(at, _)| at).collect();
        uses.into_iter().any(|at| {
            let bound = at.checked_sub(1).and_then(|before| self.name_at(before));
            !matches!(bound, Some("as" | "for" | "const" | "let" | "var" | "import" | "def"))
                && self.is_shown(at, at + 1, holds, seen)
        }) || self.is_interpolated(name, holds, seen)
    }

    /// Whether a variable is printed as part of a string: `f"{text}"`.
    fn is_interpolated(
        &self,
        name: &str,
        holds: Holds,
        seen: &mut HashSet<(String, bool)>,
    ) -> bool {
        self.code.interpolations.iter().any(|(at, inside)| {
            let inside = tokens(inside, self.code.language);
            let whole = inside.iter().enumerate().any(|(i, token)| {
                let next = inside.get(i + 1);
                let before = i.checked_sub(1).and_then(|before| inside.get(before));
                let picked = next.is_some_and(|t| t.is('[') || t.is('.'));
                let slice = picked && inside[i..].iter().any(|t| t.is(':'));
                let measured =
                    inside.iter().any(|t| matches!(t, Token::Name(n) if has_word(MEASURES, n)));
                matches!(token, Token::Name(n) if n == name)
                    && !before.is_some_and(|t| t.is('.'))
                    && !measured
                    && (!picked || slice || holds == Holds::Text)
            });
            whole && self.is_shown(*at, at + 1, Holds::Text, seen)
        })
    }
}

enum Suffix {
    /// There is none.
    None,
    /// The expression goes on to here and holds this.
    Goes(usize, Holds),
    /// What is left says something about the text and does not show it.
    Swallowed,
    /// It is not known.
    Unclear,
}

enum Outside {
    Shown,
    Swallowed,
    /// A wider expression, and what it holds.
    Wider(usize, usize, Holds),
}
