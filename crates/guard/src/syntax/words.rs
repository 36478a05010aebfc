//! Words and the expansions in them.
//!
//! Quotes are removed here and remembered per character, because a quoted `*`, `{` or `~` means
//! something else than a bare one.

use std::rc::Rc;

use super::{Read, Reader, Unparsed};
use crate::ast::{Atom, Expansion, Script, Word};
use crate::word::unescaped;

/// Whether a character ends a word.
pub(super) fn is_meta(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}

impl<'s> Reader<'s> {
    /// Whether `<(` or `>(` begins here.
    fn is_process(&self) -> bool {
        self.starts("<(") || self.starts(">(")
    }

    pub(super) fn starts_word(&self) -> bool {
        self.peek().is_some_and(|c| !is_meta(c)) || self.is_process()
    }

    /// Reads a word; with `whole`, all the rest is one word.
    pub(super) fn word(&mut self, whole: bool) -> Read<Word> {
        let mut out = Word::new();
        // Open parentheses of extended patterns; everything in them belongs to the word.
        let mut groups = 0;
        while let Some(c) = self.peek() {
            let opens = matches!(out.last(), Some(Atom::Char('?' | '*' | '+' | '@' | '!', false)));
            match c {
                '<' | '>' if self.is_process() => self.process(&mut out)?,
                '(' if opens || groups > 0 => groups += 1,
                ')' if groups > 0 => groups -= 1,
                c if is_meta(c) && !whole && groups == 0 => break,
                _ => {
                    self.part(&mut out)?;
                    continue;
                }
            }
            if matches!(c, '(' | ')') {
                self.at += 1;
                out.push(Atom::Char(c, false));
            }
        }
        Ok(out)
    }

    /// Reads one character, one quoted text or one expansion of a word.
    fn part(&mut self, out: &mut Word) -> Read<()> {
        match self.peek() {
            Some('\'') => self.single(out)?,
            Some('"') => self.double(out)?,
            Some('$') => self.dollar(out, false)?,
            Some('`') => self.backticks(out, false)?,
            Some('\\') => {
                self.at += 1;
                match self.bump() {
                    Some('\n') => {}
                    escaped => out.push(Atom::Char(escaped.unwrap_or('\\'), true)),
                }
            }
            _ => out.extend(self.bump().map(|c| Atom::Char(c, false))),
        }
        Ok(())
    }

    /// The rest of a text in which quotes are ordinary characters: a here-document, arithmetic.
    pub(super) fn text(&mut self) -> Read<Word> {
        let mut out = Word::new();
        while !self.rest().is_empty() {
            self.quoted_part(&mut out, "$`\\")?;
        }
        Ok(out)
    }

    /// Reads one character or one expansion of quoted text; drops a backslash before one of
    /// `escaped`.
    fn quoted_part(&mut self, out: &mut Word, escaped: &str) -> Read<()> {
        match self.peek() {
            Some('$') => return self.dollar(out, true),
            Some('`') => return self.backticks(out, true),
            Some('\\') => {
                self.at += 1;
                match self.peek() {
                    Some('\n') => self.at += 1,
                    Some(c) if escaped.contains(c) => {
                        self.at += 1;
                        out.push(Atom::Char(c, true));
                    }
                    _ => out.push(Atom::Char('\\', true)),
                }
            }
            _ => out.extend(self.bump().map(|c| Atom::Char(c, true))),
        }
        Ok(())
    }

    fn single(&mut self, out: &mut Word) -> Read<()> {
        let (text, _) = self.rest()[1..].split_once('\'').ok_or(Unparsed::Malformed)?;
        self.at += text.len() + 2;
        out.push(Atom::Nothing);
        out.extend(text.chars().map(|c| Atom::Char(c, true)));
        Ok(())
    }

    fn double(&mut self, out: &mut Word) -> Read<()> {
        self.at += 1;
        out.push(Atom::Nothing);
        self.nested(|reader| {
            while !reader.eat("\"") {
                if reader.rest().is_empty() {
                    return Err(Unparsed::Malformed);
                }
                reader.quoted_part(out, "$`\\\"")?;
            }
            Ok(())
        })
    }

    /// Reads from a `$`: an expansion, or the character itself.
    fn dollar(&mut self, out: &mut Word, quoted: bool) -> Read<()> {
        self.at += 1;
        let rest = self.rest();
        let expansion = match rest.chars().next() {
            Some('(') => match self.double_parens()? {
                Some(inside) => Expansion::Arithmetic(inside.to_owned()),
                None => Expansion::Command(self.parenthesised()?),
            },
            Some('{') => {
                self.at += 1;
                // `${ cmd; }` holds commands, and those may hold braces of their own.
                let commands = self.rest().starts_with([' ', '\t', '\n', '|']);
                let inside = self.balanced(commands.then_some('{'), '}', quoted)?;
                self.at += 1;
                Expansion::Parameter(inside.to_owned())
            }
            Some('[') => {
                self.at += 1;
                let inside = self.balanced(Some('['), ']', true)?;
                self.at += 1;
                Expansion::Arithmetic(inside.to_owned())
            }
            Some('\'') if !quoted => return self.ansi(out),
            Some('"') if !quoted => return self.double(out),
            first => {
                let other = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                let length = match first {
                    Some(c) if c.is_ascii_digit() || "@*#?$!-".contains(c) => 1,
                    _ => rest.find(other).unwrap_or(rest.len()),
                };
                if length == 0 {
                    out.push(Atom::Char('$', quoted));
                    return Ok(());
                }
                self.at += length;
                Expansion::Parameter(rest[..length].to_owned())
            }
        };
        out.push(Atom::Expansion(Rc::new(expansion), quoted));
        Ok(())
    }

    /// Reads `$'...'`.
    fn ansi(&mut self, out: &mut Word) -> Read<()> {
        self.at += 1;
        let start = self.at;
        while !self.starts("'") {
            let escaped = self.bump().ok_or(Unparsed::Malformed)? == '\\';
            if escaped {
                self.bump();
            }
        }
        let text = unescaped(&self.source[start..self.at]);
        self.at += 1;
        out.push(Atom::Nothing);
        out.extend(text.chars().map(|c| Atom::Char(c, true)));
        Ok(())
    }

    fn backticks(&mut self, out: &mut Word, quoted: bool) -> Read<()> {
        self.at += 1;
        let mut script = String::new();
        loop {
            match self.bump().ok_or(Unparsed::Malformed)? {
                '`' => break,
                '\\' => match self.bump().ok_or(Unparsed::Malformed)? {
                    c if matches!(c, '\\' | '`' | '$') || (quoted && c == '"') => script.push(c),
                    c => script.extend(['\\', c]),
                },
                c => script.push(c),
            }
        }
        let length = script.len();
        let depth = self.depth;
        let commands = self.nested(|_| Reader::new(&script, depth + 1).script())?;
        let expansion = Expansion::Command(Script { commands, length });
        out.push(Atom::Expansion(Rc::new(expansion), quoted));
        Ok(())
    }

    fn process(&mut self, out: &mut Word) -> Read<()> {
        let input = self.starts("<");
        self.at += 1;
        let expansion = Expansion::Process { input, script: self.parenthesised()? };
        out.push(Atom::Expansion(Rc::new(expansion), false));
        Ok(())
    }

    /// The script between a `(` and its `)`.
    fn parenthesised(&mut self) -> Read<Script> {
        self.expect("(")?;
        let start = self.at;
        let outer = std::mem::take(&mut self.state.here_documents);
        let steps = self.nested(|reader| reader.steps(&[]))?;
        self.state.here_documents = outer;
        let length = self.at - start;
        self.expect(")")?;
        Ok(Script { commands: crate::ast::Command::Sequence(steps), length })
    }

    /// The text between `((` and `))`; `None` if this is not such a pair, as its end shows.
    pub(super) fn double_parens(&mut self) -> Read<Option<&'s str>> {
        let start = self.at;
        if !self.eat("((") {
            return Ok(None);
        }
        let depth = self.depth;
        let inside = match self.nested(|reader| reader.balanced(Some('('), ')', false)) {
            Err(Unparsed::Malformed) => None,
            inside => Some(inside?),
        };
        self.depth = depth;
        self.state.rescanned += self.at - start;
        if self.state.rescanned > 8 * self.source.len() + 4096 {
            return Err(Unparsed::TooMuch);
        }
        let inside = inside.filter(|_| self.eat("))"));
        if inside.is_none() {
            self.at = start;
        }
        Ok(inside)
    }

    /// The text up to the bracket that closes it; brackets in quotes and expansions do not count.
    pub(super) fn balanced(
        &mut self,
        open: Option<char>,
        close: char,
        quoted: bool,
    ) -> Read<&'s str> {
        let (start, mut depth) = (self.at, 0_usize);
        let mut skipped = Word::new();
        while let Some(c) = self.peek() {
            match c {
                _ if c == close && depth == 0 => return Ok(&self.source[start..self.at]),
                '<' | '>' if !quoted && self.is_process() => self.process(&mut skipped)?,
                '\'' if quoted => self.at += 1,
                '"' => self.double(&mut skipped)?,
                '$' => self.dollar(&mut skipped, quoted)?,
                _ if c == close || Some(c) == open => {
                    depth = if c == close { depth - 1 } else { depth + 1 };
                    self.at += 1;
                }
                _ => self.part(&mut skipped)?,
            }
        }
        Err(Unparsed::Malformed)
    }
}
