//! Telling strings, names and comments apart.

use super::Language;
use crate::unknown::{HOLE, is_unknown};
use crate::word::has_word;

/// One token of inline code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or number.
    Name(String),
    /// A string; its text is unknown where an expression is interpolated.
    Text(String),
    /// A command to be run by a shell: backticks, `qx{}`, `%x{}`.
    Shell(String),
    /// Any other character.
    Mark(char),
}

impl Token {
    /// Whether this is the given mark.
    pub(crate) fn is(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }

    /// The name, if it is one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Whether it is one of these names, separated by blanks.
    pub(crate) fn is_name(&self, names: &str) -> bool {
        self.name().is_some_and(|name| has_word(names, name))
    }

    /// How many bracket levels the token opens; -1 if it closes one.
    pub(crate) fn nesting(&self) -> i32 {
        match self {
            Self::Mark('(' | '[' | '{') => 1,
            Self::Mark(')' | ']' | '}') => -1,
            _ => 0,
        }
    }
}

struct Cursor {
    chars: Vec<char>,
    at: usize,
    language: Language,
    out: Vec<Token>,
    /// Expressions inside strings, with the index of the string's token.
    inside: Vec<(usize, String)>,
}

/// The tokens of a piece of code.
pub(crate) fn tokens(code: &str, language: Language) -> Vec<Token> {
    with_interpolations(code, language).0
}

/// The tokens, and the expressions inside strings with the index of the string's token.
pub(crate) fn with_interpolations(
    code: &str,
    language: Language,
) -> (Vec<Token>, Vec<(usize, String)>) {
    let chars = code.chars().collect();
    let mut cursor = Cursor { chars, at: 0, language, out: Vec::new(), inside: Vec::new() };
    while cursor.at < cursor.chars.len() {
        cursor.token();
    }
    (cursor.out, cursor.inside)
}

impl Cursor {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn starts(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek(i) == c)
    }

    fn token(&mut self) {
        let c = self.peek(0);
        if c.is_whitespace() {
            if c == '\n' {
                self.out.push(Token::Mark('\n'));
            }
            self.at += 1;
        } else if self.comment() {
        } else if matches!(c, '"' | '\'') && !self.is_plain_quote(c) {
            self.string(c);
        } else if c == '`' {
            self.backticks();
        } else if c == '/' && self.language == Language::JavaScript && self.may_be_regex() {
            self.regex();
        } else if c.is_alphanumeric() || c == '_' || is_unknown(c) {
            self.name();
        } else if c == '%'
            && self.language == Language::Ruby
            && self.peek(1) == 'x'
            && !self.peek(2).is_alphanumeric()
        {
            self.at += 2;
            let text = self.delimited();
            self.out.push(Token::Shell(text));
        } else {
            self.out.push(Token::Mark(c));
            self.at += 1;
        }
    }

    /// In Lisp and Tcl, `'` starts no string.
    fn is_plain_quote(&self, c: char) -> bool {
        c == '\'' && matches!(self.language, Language::Lisp | Language::Tcl)
    }

    fn comment(&mut self) -> bool {
        use Language::{JavaScript, Lisp, Lua, Other, Perl, Php, Python, R, Ruby, Tcl};
        let line = match self.language {
            Python | R | Tcl => self.peek(0) == '#',
            Perl | Ruby => {
                self.peek(0) == '#'
                    && !matches!(self.at.checked_sub(1).map(|i| self.chars[i]), Some('$' | '{'))
            }
            Php => self.peek(0) == '#' || self.starts("//"),
            JavaScript => self.starts("//"),
            Other => {
                self.starts("//") && self.at.checked_sub(1).is_none_or(|i| self.chars[i] != ':')
            }
            Lua => self.starts("--"),
            Lisp => self.peek(0) == ';',
        };
        let block = matches!(self.language, JavaScript | Php | Other) && self.starts("/*");
        if line {
            self.skip_to("\n");
        } else if block {
            self.at += 2;
            self.skip_to("*/");
            self.at += 2;
        }
        line || block
    }

    /// Skips ahead to the next `mark`, or to the end.
    fn skip_to(&mut self, mark: &str) {
        while self.at < self.chars.len() && !self.starts(mark) {
            self.at += 1;
        }
    }

    fn string(&mut self, quote: char) {
        if self.language == Language::Python && self.peek(1) == quote && self.peek(2) == quote {
            self.at += 3;
            let start = self.at;
            self.skip_to(&quote.to_string().repeat(3));
            let text = self.chars[start..self.at.min(self.chars.len())].iter().collect();
            self.at += 3;
            return self.out.push(Token::Text(text));
        }
        self.at += 1;
        let interpolates = self.interpolates(quote);
        let mut text = String::new();
        while self.at < self.chars.len() {
            let c = self.peek(0);
            self.at += 1;
            if c == quote {
                break;
            }
            if c == '\\' {
                let escaped = self.peek(0);
                self.at += 1;
                text.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'x' | 'u' => HOLE,
                    other => other,
                });
                continue;
            }
            let opens = interpolates == Some(c) && (c != '#' || self.peek(0) == '{');
            if opens {
                self.interpolation();
            }
            text.push(if opens { HOLE } else { c });
        }
        self.out.push(Token::Text(text));
    }

    /// Notes the expression that begins here inside a string.
    fn interpolation(&mut self) {
        let rest = self.chars[self.at..].iter().take(256);
        let text: String = rest.take_while(|c| !matches!(c, '}' | '\n')).collect();
        self.inside.push((self.out.len(), text.trim_start_matches('{').to_owned()));
    }

    /// The character that starts an interpolation in this kind of string.
    fn interpolates(&mut self, quote: char) -> Option<char> {
        match self.language {
            // `f"..."`: the prefix was read as a name token.
            Language::Python => {
                let prefix = self.out.pop_if(|token| {
                    token.name().is_some_and(|name| {
                        name.len() <= 2 && name.chars().all(|c| "fFrRbBuU".contains(c))
                    })
                })?;
                prefix.name()?.contains(['f', 'F']).then_some('{')
            }
            Language::Perl | Language::Php | Language::Tcl if quote == '"' => Some('$'),
            Language::Ruby if quote == '"' => Some('#'),
            _ => None,
        }
    }

    fn backticks(&mut self) {
        let text = self.delimited_by('`');
        self.out.push(match self.language {
            Language::JavaScript => {
                let place = self.out.len();
                let inside = text.split("${").skip(1).map(|part| part.split('}').next());
                self.inside.extend(inside.flatten().map(|part| (place, part.to_owned())));
                let text = match text.split_once("${") {
                    Some((known, _)) => format!("{known}{HOLE}"),
                    None => text,
                };
                // Bun's `$` runs its template.
                if self.out.last() == Some(&Token::Mark('$')) {
                    Token::Shell(text)
                } else {
                    Token::Text(text)
                }
            }
            Language::Perl | Language::Ruby | Language::Php | Language::R | Language::Other => {
                Token::Shell(text)
            }
            Language::Python | Language::Lua | Language::Tcl | Language::Lisp => Token::Mark('`'),
        });
    }

    fn delimited_by(&mut self, end: char) -> String {
        self.at += 1;
        let mut text = String::new();
        while self.at < self.chars.len() {
            let c = self.peek(0);
            self.at += 1;
            if c == end {
                break;
            }
            if c == '\\' {
                text.push(self.peek(0));
                self.at += 1;
            } else {
                text.push(c);
            }
        }
        text
    }

    /// Text in any brackets or between any two equal characters, as after `q` and `qx`.
    fn delimited(&mut self) -> String {
        let close = match self.peek(0) {
            '(' => ')',
            '{' => '}',
            '[' => ']',
            '<' => '>',
            other => other,
        };
        self.delimited_by(close)
    }

    fn may_be_regex(&self) -> bool {
        matches!(
            self.out.last(),
            None | Some(Token::Mark(
                '(' | ',' | '=' | ':' | '[' | '!' | '&' | '|' | '?' | '{' | '}' | ';' | '\n'
            ))
        )
    }

    fn regex(&mut self) {
        self.at += 1;
        let mut class = false;
        while self.at < self.chars.len() {
            match self.peek(0) {
                '\\' => self.at += 1,
                '[' => class = true,
                ']' => class = false,
                '/' if !class => break,
                '\n' => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
    }

    fn name(&mut self) {
        let start = self.at;
        let dashes = matches!(self.language, Language::Lisp | Language::Other);
        let dots = self.language == Language::R;
        while self.at < self.chars.len() {
            let c = self.peek(0);
            let inside = c.is_alphanumeric()
                || matches!(c, '_' | '!' if c == '_' || matches!(self.language, Language::Ruby))
                || is_unknown(c)
                || (dashes && c == '-')
                || (dots && c == '.');
            if !inside {
                break;
            }
            self.at += 1;
        }
        let mut name = String::with_capacity(self.at - start);
        name.extend(&self.chars[start..self.at]);
        let quoting = self.language == Language::Perl
            && matches!(name.as_str(), "q" | "qq" | "qw" | "qx")
            && !self.peek(0).is_alphanumeric()
            && !matches!(self.peek(0), ',' | ';' | ')' | '=' | ' ' | '\0');
        if quoting {
            let text = self.delimited();
            self.out.push(if name == "qx" { Token::Shell(text) } else { Token::Text(text) });
        } else {
            self.out.push(Token::Name(name));
        }
    }
}
