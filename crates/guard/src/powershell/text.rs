//! Quotes, strings, variables and bare words of PowerShell.

use std::rc::Rc;

use super::{PowerShellReader, output};
use crate::ast::{Atom, Command, Expansion, Word};
use crate::syntax::{Read, Unparsed};

/// Whether a character ends a bare word.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || "|;&(){}<>,".contains(c)
}

/// The character that a backtick followed by `c` stands for.
fn escaped(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => '\0',
        'e' => '\u{1b}',
        other => other,
    }
}

impl PowerShellReader<'_> {
    /// Whether an expression begins here, rather than a command.
    pub(super) fn starts_expression(&self) -> bool {
        let rest = self.rest();
        let number = rest.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        let unary = ["-not ", "-join ", "-split ", "!"];
        rest.starts_with(['$', '\'', '"', '(', '@', '[', '{'])
            || number
            || unary.iter().any(|mark| rest.to_ascii_lowercase().starts_with(mark))
    }

    /// Whether a bare word goes on here.
    pub(super) fn starts_bare(&self) -> bool {
        self.peek().is_some_and(|c| !ends_word(c))
    }

    /// A word without blanks; quotes and variables may be part of it.
    pub(super) fn bare(&mut self) -> Read<Word> {
        let mut out = Word::new();
        while let Some(c) = self.peek().filter(|c| !ends_word(*c)) {
            match c {
                '\'' | '"' => out.extend(self.string()?),
                '$' => self.dollar(&mut out)?,
                '`' => {
                    self.at += 1;
                    out.extend(self.bump().map(|c| Atom::Char(escaped(c), true)));
                }
                _ => {
                    self.at += c.len_utf8();
                    out.push(Atom::Char(c, !matches!(c, '*' | '?' | '[' | '~')));
                }
            }
        }
        Ok(out)
    }

    /// A string in quotes, or a here-string.
    pub(super) fn string(&mut self) -> Read<Word> {
        if self.starts("@'") || self.starts("@\"") {
            return self.here_string();
        }
        let mut out = vec![Atom::Nothing];
        let quote = self.bump().unwrap_or('"');
        loop {
            match self.peek().ok_or(Unparsed::Malformed)? {
                c if c == quote => {
                    self.at += 1;
                    // A doubled quote is one quote character.
                    if self.peek() != Some(quote) {
                        return Ok(out);
                    }
                    self.at += 1;
                    out.push(Atom::Char(c, true));
                }
                _ => self.character(quote == '"', &mut out)?,
            }
        }
    }

    fn here_string(&mut self) -> Read<Word> {
        let expands = self.starts("@\"");
        let rest = self.rest();
        let start = rest.find('\n').ok_or(Unparsed::Malformed)? + 1;
        let mark = if expands { "\n\"@" } else { "\n'@" };
        // An empty text has no line end of its own; the opening line's end serves then.
        let end = rest[start - 1..].find(mark).ok_or(Unparsed::Malformed)? + start - 1;
        let text = rest.get(start..end).unwrap_or_default();
        self.at += end + mark.len();
        let mut inner = PowerShellReader::new(text.strip_suffix('\r').unwrap_or(text), self.depth);
        let mut out = vec![Atom::Nothing];
        while !inner.rest().is_empty() {
            inner.character(expands, &mut out)?;
        }
        Ok(out)
    }

    /// One character or one expansion of a string.
    fn character(&mut self, expands: bool, out: &mut Word) -> Read<()> {
        match self.peek() {
            Some('$') if expands => return self.dollar(out),
            Some('`') if expands => {
                self.at += 1;
                out.extend(self.bump().map(|c| Atom::Char(escaped(c), true)));
            }
            _ => out.extend(self.bump().map(|c| Atom::Char(c, true))),
        }
        Ok(())
    }

    /// `$name`, `${name}`, `$(...)`, or the character itself.
    fn dollar(&mut self, out: &mut Word) -> Read<()> {
        if self.starts("$(") {
            self.at += 2;
            let start = self.at;
            let steps = self.nested(Self::statements)?;
            let length = self.at - start;
            self.expect(")")?;
            out.extend(output(Command::Sequence(steps), length));
        } else if let Some(name) = self.variable() {
            out.push(Atom::Expansion(Rc::new(Expansion::Parameter(name)), true));
        } else {
            out.extend(self.bump().map(|c| Atom::Char(c, true)));
        }
        Ok(())
    }

    /// The name of a variable. It is in lower case, because PowerShell ignores case, unless the
    /// variable is one of the environment.
    pub(super) fn variable(&mut self) -> Option<String> {
        let rest = self.rest().strip_prefix('$')?;
        let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let other = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
        let name = match braced {
            Some((name, _)) => name,
            None if rest.starts_with(['_', '?', '$', '^'])
                && !rest[1..].starts_with(char::is_alphanumeric) =>
            {
                &rest[..1]
            }
            None => rest[..rest.find(other).unwrap_or(rest.len())].trim_end_matches(':'),
        };
        if name.is_empty() {
            return None;
        }
        self.at += 1 + name.len() + 2 * usize::from(braced.is_some());
        let (scope, bare) = name.split_once(':').unwrap_or(("", name));
        let upper = bare.to_ascii_uppercase();
        Some(match scope.to_ascii_lowercase().as_str() {
            "env" => upper,
            _ if matches!(upper.as_str(), "HOME" | "PWD") => upper,
            _ => bare.to_lowercase(),
        })
    }

    /// Skips a bracketed text and returns it.
    pub(super) fn balanced(&mut self, open: char, close: char) -> Read<&str> {
        let start = self.at;
        let mut depth = 0_usize;
        while let Some(c) = self.peek() {
            match c {
                '\'' | '"' => {
                    self.string()?;
                    continue;
                }
                '@' if self.starts("@'\n") || self.starts("@\"\n") => {
                    self.string()?;
                    continue;
                }
                '`' => {
                    self.at += 1;
                }
                c if c == open => depth += 1,
                c if c == close => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(&self.source[start..self.at]);
            }
        }
        Err(Unparsed::Malformed)
    }
}
