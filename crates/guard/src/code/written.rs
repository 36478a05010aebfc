//! What inline code writes: data that it computed, or text that it was given.
//!
//! A result that is serialised, a table, a download or binary data has no lines that anyone would
//! edit by anchors. A literal text, or a text that was read and changed, has.

use super::expression::{Arguments, Code};
use super::tokens::Token;

/// Functions that serialise an object into an open file, or into text.
const SERIALISES: [&str; 6] = ["dump", "dumps", "stringify", "safe_dump", "writer", "DictWriter"];

/// Names that come with a download.
const DOWNLOADS: [&str; 9] = [
    "requests", "urlopen", "httpx", "urllib", "fetch", "content", "arrayBuffer", "response",
    "iter_content",
];

/// How far behind an open file its uses are looked for, in tokens.
const FAR: usize = 1_000;

impl Code<'_> {
    /// Whether a call that takes a path and data writes computed data.
    pub(super) fn writes_computed(data: Option<&Vec<Token>>) -> bool {
        data.is_some_and(|data| Self::is_computed(data))
    }

    /// Whether everything that goes to the file opened at `i` is computed.
    pub(super) fn opens_for_computed(&self, i: usize, mode: &str) -> bool {
        if mode.contains('b') {
            return true;
        }
        let end = self.after_call(i);
        // `open(p, "w").write(data)`
        if let [Token::Mark('.'), Token::Name(method), ..] = &self.tokens[end..] {
            return method.starts_with("write")
                && Self::writes_computed(self.arguments(end + 1).positional.first());
        }
        // `json.dump(data, open(p, "w"))`
        let near = i.saturating_sub(24);
        let dumps = self.tokens[near..i]
            .iter()
            .rposition(|t| matches!(t, Token::Name(name) if SERIALISES.contains(&name.as_str())));
        if let Some(at) = dumps.map(|at| near + at)
            && self.after_call(at) > end
        {
            return self.is_given_object(&self.arguments(at));
        }
        let name = match (self.at(end), self.at(end + 1)) {
            (Some(Token::Name(word)), Some(Token::Name(name))) if word == "as" => name.clone(),
            _ => match (self.before(i, 1), self.before(i, 2)) {
                (Some(Token::Mark('=')), Some(Token::Name(name))) => name.clone(),
                _ => return false,
            },
        };
        // Uses that are far away are not looked for; then it is not known what is written.
        let uses: Vec<Option<bool>> = (i..self.tokens.len().min(i + FAR))
            .filter(|&at| matches!(self.at(at), Some(Token::Name(n)) if *n == name))
            .map(|at| self.handle_use(at))
            .collect();
        uses.contains(&Some(true)) && !uses.contains(&Some(false))
    }

    /// Whether this use of an open file writes computed data; `None` if it writes nothing.
    fn handle_use(&self, at: usize) -> Option<bool> {
        if let (Some(Token::Mark('.')), Some(Token::Name(method))) =
            (self.at(at + 1), self.at(at + 2))
        {
            if !method.starts_with("write") {
                return None;
            }
            return Some(Self::writes_computed(self.arguments(at + 2).positional.first()));
        }
        let near = at.saturating_sub(64);
        let call = self.tokens[near..at].iter().rposition(|t| t.is('('))?;
        match self.at((near + call).checked_sub(1)?) {
            Some(Token::Name(name)) if matches!(name.as_str(), "writer" | "DictWriter") => {
                Some(true)
            }
            Some(Token::Name(name)) if SERIALISES.contains(&name.as_str()) => {
                Some(self.is_given_object(&self.arguments(near + call - 1)))
            }
            Some(Token::Name(name)) if name == "print" => Some(false),
            _ => None,
        }
    }

    /// Whether what is serialised is more than a literal.
    fn is_given_object(&self, arguments: &Arguments) -> bool {
        let literal =
            |token: Option<&Token>| matches!(token, Some(Token::Mark('{' | '[') | Token::Text(_)));
        let Some(object) = arguments.positional.first() else { return false };
        match object.as_slice() {
            [Token::Name(name)] => {
                let given = |at: &usize| literal(self.at(at + 2));
                !(0..self.tokens.len().min(4 * FAR))
                    .filter(|&at| {
                        matches!(self.at(at), Some(Token::Name(n)) if n == name)
                            && self.at(at + 1).is_some_and(|t| t.is('='))
                    })
                    .any(|at| given(&at))
            }
            object => !literal(object.first()),
        }
    }

    fn is_computed(data: &[Token]) -> bool {
        data.iter().enumerate().any(|(at, token)| match token {
            Token::Name(name) if DOWNLOADS.contains(&name.as_str()) => true,
            Token::Name(name) if SERIALISES.contains(&name.as_str()) => {
                !matches!(data.get(at + 2), Some(Token::Mark('{' | '[') | Token::Text(_)))
            }
            _ => false,
        })
    }

    /// Just past the call of the name at `i`.
    fn after_call(&self, i: usize) -> usize {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().skip(i + 1).take(400) {
            match token {
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }
}
