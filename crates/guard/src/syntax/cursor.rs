//! The position in a script that is being parsed, for bash and PowerShell.
//!
//! It limits the depth and the number of tokens, so that no script costs too much.

use super::Unparsed;

/// The longest script that is parsed, in bytes.
pub(crate) const MAX_LENGTH: usize = 64 * 1024;
/// How deep constructs may nest.
const MAX_DEPTH: usize = 40;
/// How many words and operators a script may have.
const MAX_TOKENS: usize = 4_000;

pub(crate) type Read<T> = Result<T, Unparsed>;

/// A position in a script; `state` belongs to the parser of one shell.
pub(crate) struct ScriptCursor<'s, S> {
    pub(crate) source: &'s str,
    pub(crate) at: usize,
    pub(crate) depth: usize,
    tokens: usize,
    pub(crate) state: S,
}

impl<'s, S: Default> ScriptCursor<'s, S> {
    pub(crate) fn new(source: &'s str, depth: usize) -> Self {
        Self { source, at: 0, depth, tokens: 0, state: S::default() }
    }

    pub(crate) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(crate) fn starts(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.starts(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// Skips the characters for which `holds` is true and returns them.
    pub(crate) fn eat_while(&mut self, holds: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let text = &rest[..rest.find(|c| !holds(c)).unwrap_or(rest.len())];
        self.at += text.len();
        text
    }

    /// Counts a token; an error if there are too many.
    pub(crate) fn count_token(&mut self) -> Read<()> {
        self.tokens += 1;
        if self.tokens > MAX_TOKENS { Err(Unparsed::TooMuch) } else { Ok(()) }
    }

    /// Calls `read` one level deeper; an error if that is too deep.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Unparsed::TooMuch);
        }
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    /// Goes back to an earlier position, with its depth.
    pub(crate) fn back_to(&mut self, (at, depth): (usize, usize)) {
        (self.at, self.depth) = (at, depth);
    }
}
