//! The part of the walk that knows where commands, comments and here-documents begin.

use super::{ExtractError, MAX_TOKENS, Scanner, Walked};

/// What an open construct waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Paren,
    /// `case`, before its `in`.
    CaseWord,
    /// `case`, where patterns and bodies alternate.
    CaseBody,
    /// `{`, `if`, `while`, `for` and so on, which only count for depth.
    Block,
}

/// What the next word would be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// The name of a command, or a reserved word.
    Name,
    /// A pattern of a `case`.
    Pattern,
    /// After `for`: `((` is arithmetic here too.
    AfterFor,
    Operand,
}

struct HereDoc {
    delimiter: Vec<u8>,
    strip: bool,
}

#[derive(Default)]
struct Walk {
    open: Vec<Open>,
    here_docs: Vec<HereDoc>,
}

impl Scanner<'_> {
    /// Walks commands to the end of the text, or past the `)` that closes a substitution.
    pub(super) fn commands(&mut self, mut i: usize, substitution: bool) -> Walked {
        let mut walk = Walk::default();
        let mut position = Position::Name;
        while i < self.bytes.len() {
            match self.bytes[i] {
                b' ' | b'\t' | b'\r' => i += 1,
                b'\n' => {
                    i = self.here_documents(i + 1, &mut walk.here_docs);
                    position = after_separator(&walk.open, position);
                }
                b'#' => i = self.line_end(i),
                b';' => {
                    let double = matches!(self.at(i + 1), b';' | b'&');
                    while matches!(self.at(i), b';') || (double && self.at(i) == b'&') {
                        i += 1;
                    }
                    position = if double && walk.open.last() == Some(&Open::CaseBody) {
                        Position::Pattern
                    } else {
                        Position::Name
                    };
                    self.token()?;
                }
                b'&' if self.at(i + 1) == b'>' => i += 1,
                b'&' | b'|' => {
                    i += 1;
                    self.token()?;
                    if position != Position::Pattern {
                        position = Position::Name;
                    }
                }
                b'<' | b'>' if self.at(i + 1) == b'(' => i = self.word(i)?,
                b'<' if self.at(i + 1) == b'<' && self.at(i + 2) != b'<' => {
                    i = self.here_document_start(i + 2, &mut walk.here_docs)?;
                    self.token()?;
                }
                b'<' | b'>' => {
                    while matches!(self.at(i), b'<' | b'>' | b'&') && self.at(i + 1) != b'(' {
                        i += 1;
                    }
                    if matches!(self.at(i), b'<' | b'>') && self.at(i + 1) == b'(' {
                        i = self.word(i)?;
                    }
                    self.token()?;
                }
                b'(' => (i, position) = self.paren(i, position, &mut walk)?,
                b')' => {
                    match walk.open.last() {
                        Some(Open::CaseBody) => {}
                        Some(Open::Paren) => self.close(&mut walk),
                        _ if substitution => {
                            self.depth -= walk.open.len().min(self.depth);
                            return Ok(i + 1);
                        }
                        _ => {}
                    }
                    position = Position::Name;
                    i += 1;
                }
                _ => {
                    let end = self.word(i)?;
                    self.token()?;
                    position = self.reserved(i, end, position, &mut walk)?;
                    i = end;
                }
            }
        }
        if substitution {
            return Err(ExtractError::Unclosed);
        }
        Ok(i)
    }

    fn token(&mut self) -> Result<(), ExtractError> {
        self.tokens += 1;
        if self.tokens > MAX_TOKENS {
            return Err(ExtractError::TooMuch);
        }
        Ok(())
    }

    fn push(&mut self, walk: &mut Walk, open: Open) -> Result<(), ExtractError> {
        self.deeper()?;
        walk.open.push(open);
        Ok(())
    }

    fn close(&mut self, walk: &mut Walk) {
        walk.open.pop();
        self.depth = self.depth.saturating_sub(1);
    }

    fn line_end(&self, i: usize) -> usize {
        self.bytes[i..].iter().position(|&b| b == b'\n').map_or(self.bytes.len(), |n| i + n)
    }

    /// From a `(`: past arithmetic as a whole, or past the parenthesis.
    fn paren(
        &mut self,
        i: usize,
        position: Position,
        walk: &mut Walk,
    ) -> Result<(usize, Position), ExtractError> {
        self.token()?;
        if position == Position::Pattern {
            return Ok((i + 1, position));
        }
        if self.at(i + 1) == b'('
            && matches!(position, Position::Name | Position::AfterFor)
            && self.arithmetic_end(i + 2)?.is_some()
        {
            // Once more, and this time its expansions are cut out.
            let end = self.arithmetic(i + 2)?.unwrap_or(i + 2);
            return Ok((end, Position::Name));
        }
        self.push(walk, Open::Paren)?;
        Ok((i + 1, Position::Name))
    }

    /// Past one word.
    fn word(&mut self, mut i: usize) -> Walked {
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b'<' | b'>' if self.at(i + 1) == b'(' => self.process(i)?,
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => {
                    return Ok(i);
                }
                b'\\' => (i + 2).min(self.bytes.len()),
                b'\'' => self.single(i + 1, false)?,
                b'"' => self.double(i + 1)?,
                b'$' => self.dollar(i, false)?.min(self.bytes.len()),
                b'`' => self.backtick(i, false)?,
                _ => i + 1,
            };
        }
        Ok(i)
    }

    /// Keeps track of reserved words; answers what the word after this one is.
    fn reserved(
        &mut self,
        start: usize,
        end: usize,
        position: Position,
        walk: &mut Walk,
    ) -> Result<Position, ExtractError> {
        let word = &self.bytes[start..end];
        if walk.open.last() == Some(&Open::CaseWord) {
            if word == b"in" {
                walk.open.pop();
                walk.open.push(Open::CaseBody);
                return Ok(Position::Pattern);
            }
            return Ok(Position::Operand);
        }
        if word == b"esac"
            && position != Position::Operand
            && walk.open.last() == Some(&Open::CaseBody)
        {
            self.close(walk);
            return Ok(Position::Operand);
        }
        if position == Position::Pattern {
            return Ok(position);
        }
        if position != Position::Name {
            return Ok(Position::Operand);
        }
        Ok(match word {
            b"case" => {
                self.push(walk, Open::CaseWord)?;
                Position::Operand
            }
            b"{" | b"if" | b"while" | b"until" => {
                self.push(walk, Open::Block)?;
                Position::Name
            }
            b"for" | b"select" => {
                self.push(walk, Open::Block)?;
                Position::AfterFor
            }
            b"}" | b"fi" | b"done" => {
                if walk.open.last() == Some(&Open::Block) {
                    self.close(walk);
                }
                Position::Name
            }
            b"then" | b"else" | b"elif" | b"do" | b"!" | b"time" | b"coproc" => Position::Name,
            _ => Position::Operand,
        })
    }

    /// From just past `<<`: reads the delimiter.
    fn here_document_start(&mut self, mut i: usize, found: &mut Vec<HereDoc>) -> Walked {
        let strip = self.at(i) == b'-';
        if strip {
            i += 1;
        }
        while matches!(self.at(i), b' ' | b'\t') {
            i += 1;
        }
        let mut delimiter = Vec::new();
        while i < self.bytes.len() {
            match self.bytes[i] {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>' => break,
                quote @ (b'\'' | b'"') => {
                    i += 1;
                    while i < self.bytes.len() && self.bytes[i] != quote {
                        delimiter.push(self.bytes[i]);
                        i += 1;
                    }
                    if i >= self.bytes.len() {
                        return Err(ExtractError::Unclosed);
                    }
                    i += 1;
                }
                b'\\' => {
                    delimiter.push(self.at(i + 1));
                    i += 2;
                }
                b'$' if matches!(self.at(i + 1), b'\'' | b'"') => i += 1,
                other => {
                    delimiter.push(other);
                    i += 1;
                }
            }
        }
        found.push(HereDoc { delimiter, strip });
        Ok(i.min(self.bytes.len()))
    }

    /// From the start of a line: past the bodies that are due.
    fn here_documents(&mut self, mut i: usize, due: &mut Vec<HereDoc>) -> usize {
        for here_doc in due.drain(..) {
            while i < self.bytes.len() {
                let end = self.line_end(i);
                let mut line = &self.bytes[i..end];
                if here_doc.strip {
                    let tabs = line.iter().take_while(|&&b| b == b'\t').count();
                    line = &line[tabs..];
                }
                i = (end + 1).min(self.bytes.len());
                if line == here_doc.delimiter {
                    break;
                }
            }
        }
        i
    }
}

fn after_separator(open: &[Open], position: Position) -> Position {
    if position == Position::Pattern && open.last() == Some(&Open::CaseBody) {
        Position::Pattern
    } else {
        Position::Name
    }
}
