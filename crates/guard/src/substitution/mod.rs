//! Cutting expansions out of a script before it is parsed.
//!
//! [`extract`] walks the text once and replaces each outermost `$(...)`, `` `...` ``, `${...}`,
//! `$((...))` and `<(...)` by one private character, so that the parser, which is cubic in nested
//! substitutions, meets flat text only. Each one is parsed later, on its own, in the same way. The walk knows quotes, comments, here-documents and `case`; it does not judge syntax.

mod commands;

use std::borrow::Cow;

use crate::unknown::{stand_in, stood_for};

/// How deep constructs may nest.
pub(crate) const MAX_DEPTH: usize = 40;
/// How many words and operators a script may have; parsing cost grows with them.
const MAX_TOKENS: usize = 4_000;

/// A script without its expansions.
#[derive(Debug)]
pub(crate) struct Extracted<'a> {
    /// The script, each expansion replaced by its stand-in.
    pub(crate) text: Cow<'a, str>,
    /// The expansions, numbered from 0.
    pub(crate) substitutions: Vec<Substitution>,
}

/// An expansion that was cut out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Substitution {
    /// The script of `$(...)`.
    Command(String),
    /// The text between backticks, still escaped; the flag says it stood in double quotes.
    Backtick(String, bool),
    /// The inside of `${...}`.
    Parameter(String),
    /// The inside of `$((...))` or `$[...]`.
    Arithmetic(String),
    /// The script of `<(...)` or `>(...)`.
    Process {
        /// `<(...)`.
        input: bool,
        /// The script.
        script: String,
    },
}

/// Why the expansions could not be cut out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtractError {
    /// A quote, brace or parenthesis is never closed.
    Unclosed,
    /// Nested too deeply, or too many words.
    TooMuch,
}

/// The text with the expansions that were cut out put back.
pub(crate) fn restored(text: &str, substitutions: &[Substitution]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match stood_for(c).and_then(|number| substitutions.get(number)) {
            Some(Substitution::Command(script)) => {
                out.push_str("$(");
                out.push_str(script);
                out.push(')');
            }
            Some(Substitution::Backtick(raw, _)) => {
                out.push('`');
                out.push_str(raw);
                out.push('`');
            }
            Some(Substitution::Parameter(inside)) => {
                out.push_str("${");
                out.push_str(inside);
                out.push('}');
            }
            Some(Substitution::Arithmetic(inside)) => {
                out.push_str("$((");
                out.push_str(inside);
                out.push_str("))");
            }
            Some(Substitution::Process { input, script }) => {
                out.push_str(if *input { "<(" } else { ">(" });
                out.push_str(script);
                out.push(')');
            }
            None => out.push(c),
        }
    }
    out
}

/// Cuts the expansions out of a script.
pub(crate) fn extract(script: &str) -> Result<Extracted<'_>, ExtractError> {
    let mut scanner = Scanner::new(script);
    scanner.commands(0, false)?;
    Ok(scanner.finish())
}

/// Masks text in which quotes mean nothing: the body of an unquoted here-document, or arithmetic.
pub(crate) fn extract_from_text(text: &str) -> Result<Extracted<'_>, ExtractError> {
    let mut scanner = Scanner::new(text);
    scanner.text(0)?;
    Ok(scanner.finish())
}

struct Scanner<'a> {
    source: &'a str,
    bytes: &'a [u8],
    /// The script as far as it was copied, with stand-ins.
    text: String,
    substitutions: Vec<Substitution>,
    /// How far `text` has been filled from `source`.
    copied: usize,
    /// Above zero while inside an expansion that is being cut out as a whole.
    inside: usize,
    depth: usize,
    tokens: usize,
    /// Bytes that may still be visited: lookahead must not make the walk more than linear.
    fuel: usize,
}

type Walked = Result<usize, ExtractError>;

impl<'a> Scanner<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            text: String::new(),
            substitutions: Vec::new(),
            copied: 0,
            inside: 0,
            depth: 0,
            tokens: 0,
            fuel: 8 * source.len() + 4096,
        }
    }

    fn finish(mut self) -> Extracted<'a> {
        let text = if self.substitutions.is_empty() {
            Cow::Borrowed(self.source)
        } else {
            self.text.push_str(&self.source[self.copied..]);
            Cow::Owned(self.text)
        };
        Extracted { text, substitutions: self.substitutions }
    }

    fn at(&self, i: usize) -> u8 {
        self.bytes.get(i).copied().unwrap_or(0)
    }

    fn deeper(&mut self) -> Result<(), ExtractError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ExtractError::TooMuch);
        }
        Ok(())
    }

    fn burn(&mut self, bytes: usize) -> Result<(), ExtractError> {
        self.fuel = self.fuel.checked_sub(bytes).ok_or(ExtractError::TooMuch)?;
        Ok(())
    }

    /// Scans an expansion with `walk` and, if it is an outermost one, cuts it out.
    fn cut(
        &mut self,
        start: usize,
        walk: impl FnOnce(&mut Self) -> Walked,
        substitution: impl FnOnce(&'a str) -> Substitution,
    ) -> Walked {
        self.deeper()?;
        self.inside += 1;
        let end = walk(self)?;
        self.inside -= 1;
        self.depth -= 1;
        self.burn(end - start)?;
        if self.inside == 0 {
            let stand_in = stand_in(self.substitutions.len()).ok_or(ExtractError::TooMuch)?;
            self.text.push_str(&self.source[self.copied..start]);
            self.text.push(stand_in);
            self.substitutions.push(substitution(&self.source[start..end]));
            self.copied = end;
        }
        Ok(end)
    }

    /// From a `$`: past the expansion, or past the `$` if there is none.
    fn dollar(&mut self, i: usize, quoted: bool) -> Walked {
        match self.at(i + 1) {
            b'(' if self.at(i + 2) == b'(' => {
                if let Some(end) = self.arithmetic_end(i + 3)? {
                    return self.cut(
                        i,
                        |_| Ok(end),
                        |raw| Substitution::Arithmetic(raw[3..raw.len() - 2].to_owned()),
                    );
                }
                self.substitution(i)
            }
            b'(' => self.substitution(i),
            b'{' => self.cut(
                i,
                |scanner| scanner.parameter(i + 2, quoted),
                |raw| Substitution::Parameter(raw[2..raw.len() - 1].to_owned()),
            ),
            b'[' => self.cut(
                i,
                |scanner| scanner.until_bracket(i + 2),
                |raw| Substitution::Arithmetic(raw[2..raw.len() - 1].to_owned()),
            ),
            b'\'' if !quoted => self.single(i + 2, true),
            b'"' if !quoted => self.double(i + 2),
            // `$#` must not start a comment.
            b'#' | b'$' | b'?' | b'!' | b'@' | b'*' | b'-' => Ok(i + 2),
            _ => Ok(i + 1),
        }
    }

    fn substitution(&mut self, i: usize) -> Walked {
        self.cut(
            i,
            |scanner| scanner.commands(i + 2, true),
            |raw| Substitution::Command(raw[2..raw.len() - 1].to_owned()),
        )
    }

    fn backtick(&mut self, start: usize, quoted: bool) -> Walked {
        self.cut(
            start,
            |scanner| {
                let mut i = start + 1;
                loop {
                    match scanner.at(i) {
                        b'`' => return Ok(i + 1),
                        b'\\' => i += 2,
                        _ => i += 1,
                    }
                    if i >= scanner.bytes.len() {
                        return Err(ExtractError::Unclosed);
                    }
                }
            },
            |raw| Substitution::Backtick(raw[1..raw.len() - 1].to_owned(), quoted),
        )
    }

    fn process(&mut self, i: usize) -> Walked {
        let input = self.at(i) == b'<';
        self.cut(
            i,
            |scanner| scanner.commands(i + 2, true),
            |raw| Substitution::Process { input, script: raw[2..raw.len() - 1].to_owned() },
        )
    }

    fn single(&mut self, mut i: usize, escapes: bool) -> Walked {
        while i < self.bytes.len() {
            match self.bytes[i] {
                b'\'' => return Ok(i + 1),
                b'\\' if escapes => i += 2,
                _ => i += 1,
            }
        }
        Err(ExtractError::Unclosed)
    }

    fn double(&mut self, mut i: usize) -> Walked {
        self.deeper()?;
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b'"' => {
                    self.depth -= 1;
                    return Ok(i + 1);
                }
                b'\\' => i + 2,
                b'$' => self.dollar(i, true)?,
                b'`' => self.backtick(i, true)?,
                _ => i + 1,
            };
        }
        Err(ExtractError::Unclosed)
    }

    fn text(&mut self, mut i: usize) -> Walked {
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b'\\' => i + 2,
                b'$' => self.dollar(i, true)?,
                b'`' => self.backtick(i, true)?,
                _ => i + 1,
            };
        }
        Ok(i)
    }

    /// To the `}` of a `${`.
    fn parameter(&mut self, mut i: usize, quoted: bool) -> Walked {
        // `${ cmd; }` holds commands, and those may hold braces of their own.
        let commands = matches!(self.at(i), b' ' | b'\t' | b'\n' | b'|');
        let mut braces = 0;
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b'}' if braces == 0 => return Ok(i + 1),
                b'}' => {
                    braces -= 1;
                    i + 1
                }
                b'{' if commands => {
                    braces += 1;
                    i + 1
                }
                b'\\' => i + 2,
                b'\'' if !quoted => self.single(i + 1, false)?,
                b'"' => self.double(i + 1)?,
                b'$' => self.dollar(i, quoted)?,
                b'`' => self.backtick(i, quoted)?,
                b'<' | b'>' if !quoted && self.at(i + 1) == b'(' => self.process(i)?,
                _ => i + 1,
            };
        }
        Err(ExtractError::Unclosed)
    }

    fn until_bracket(&mut self, mut i: usize) -> Walked {
        let mut open = 0;
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b']' if open == 0 => return Ok(i + 1),
                b']' => {
                    open -= 1;
                    i + 1
                }
                b'[' => {
                    open += 1;
                    i + 1
                }
                b'\\' => i + 2,
                b'$' => self.dollar(i, true)?,
                b'`' => self.backtick(i, true)?,
                _ => i + 1,
            };
        }
        Err(ExtractError::Unclosed)
    }

    /// Just past the `))` if what follows `((` is arithmetic, as bash decides it: by its end.
    fn arithmetic_end(&mut self, start: usize) -> Result<Option<usize>, ExtractError> {
        let (depth, inside) = (self.depth, self.inside);
        self.deeper()?;
        self.inside += 1;
        let found = self.arithmetic(start);
        (self.depth, self.inside) = (depth, inside);
        match found {
            Err(ExtractError::Unclosed) => Ok(None),
            other => other,
        }
    }

    fn arithmetic(&mut self, start: usize) -> Result<Option<usize>, ExtractError> {
        let mut i = start;
        let mut open = 0;
        while i < self.bytes.len() {
            i = match self.bytes[i] {
                b')' if open == 0 => {
                    self.burn(i - start)?;
                    return Ok((self.at(i + 1) == b')').then_some(i + 2));
                }
                b')' => {
                    open -= 1;
                    i + 1
                }
                b'(' => {
                    open += 1;
                    i + 1
                }
                b'\\' => i + 2,
                b'"' => self.double(i + 1)?,
                b'\'' => self.single(i + 1, false)?,
                b'$' => self.dollar(i, true)?,
                b'`' => self.backtick(i, true)?,
                _ => i + 1,
            };
        }
        self.burn(i - start)?;
        Ok(None)
    }
}
