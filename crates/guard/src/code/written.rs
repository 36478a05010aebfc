//! Whether inline code writes data that it computed, or text that it was given.
//!
//! Nobody would edit lines of a serialised result, a table, a download or binary data by anchors;
//! somebody may edit those of a literal text, or of a text that was read and changed.

use super::expression::{Arguments, Code};
use super::tokens::Token;
use crate::word::has_word;

/// Functions that serialise an object into an open file or a string.
const SERIALISES: &str = "dump dumps stringify safe_dump writer DictWriter";

/// Names that show that data was downloaded.
const DOWNLOADS: &str =
    "requests urlopen httpx urllib fetch content arrayBuffer response iter_content";

/// How many tokens after an `open` are searched for uses of the file.
const FAR: usize = 1_000;

impl Code<'_> {
    /// Whether all data written to the file opened at `i` is computed.
    pub(super) fn opens_for_computed(&self, i: usize, mode: &str) -> bool {
        if mode.contains('b') {
            return true;
        }
        let end = self.behind(i + 1);
        // `open(p, "w").write(data)`
        if let [Token::Mark('.'), Token::Name(method), ..] = &self.tokens[end..] {
            return method.starts_with("write")
                && Self::is_computed(self.arguments(end + 1).positional.first());
        }
        // `json.dump(data, open(p, "w"))`
        let near = i.saturating_sub(24);
        let dumps = self.tokens[near..i].iter().rposition(|t| t.is_name(SERIALISES));
        if let Some(at) = dumps.map(|at| near + at)
            && self.behind(at + 1) > end
        {
            return self.is_given_object(&self.arguments(at));
        }
        let name = match (self.name_at(end), self.name_at(end + 1)) {
            (Some("as"), Some(name)) => Some(name),
            _ if self.is(i.wrapping_sub(1), '=') => self.name_at(i.wrapping_sub(2)),
            _ => None,
        };
        if name.is_none() {
            return false;
        }
        // A use that is further away is not found; if none is found, nothing counts as computed.
        let uses: Vec<Option<bool>> = (i..self.tokens.len().min(i + FAR))
            .filter(|&at| self.name_at(at) == name)
            .map(|at| self.handle_use(at))
            .collect();
        uses.contains(&Some(true)) && !uses.contains(&Some(false))
    }

    /// Whether this use of an open file writes computed data; `None` if it writes nothing.
    fn handle_use(&self, at: usize) -> Option<bool> {
        if let Some(method) = self.name_at(at + 2).filter(|_| self.is(at + 1, '.')) {
            let writes = method.starts_with("write");
            let arguments = || self.arguments(at + 2).positional;
            return writes.then(|| Self::is_computed(arguments().first()));
        }
        let near = at.saturating_sub(64);
        let call = self.tokens[near..at].iter().rposition(|t| t.is('('))?;
        match self.name_at((near + call).checked_sub(1)?)? {
            "writer" | "DictWriter" => Some(true),
            "print" => Some(false),
            name => has_word(SERIALISES, name)
                .then(|| self.is_given_object(&self.arguments(near + call - 1))),
        }
    }

    /// Whether the serialised object is more than a literal.
    fn is_given_object(&self, arguments: &Arguments) -> bool {
        let literal =
            |token: Option<&Token>| matches!(token, Some(Token::Mark('{' | '[') | Token::Text(_)));
        let Some(object) = arguments.positional.first() else { return false };
        match object.as_slice() {
            [Token::Name(name)] => !(0..self.tokens.len().min(4 * FAR)).any(|at| {
                self.name_at(at) == Some(name) && self.is(at + 1, '=') && literal(self.at(at + 2))
            }),
            object => !literal(object.first()),
        }
    }

    /// Whether the data that a call writes is computed.
    pub(super) fn is_computed(data: Option<&Vec<Token>>) -> bool {
        let data = data.map_or(&[][..], Vec::as_slice);
        data.iter().enumerate().any(|(at, token)| {
            let literal =
                || matches!(data.get(at + 2), Some(Token::Mark('{' | '[') | Token::Text(_)));
            token.is_name(DOWNLOADS) || (token.is_name(SERIALISES) && !literal())
        })
    }
}
