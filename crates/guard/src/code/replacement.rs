//! Scripts that read one file, replace literal texts in it and write it back.
//!
//! If the code does anything else, or uses a text that is not literal, it is not read as
//! replacements, because they may be carried out as a patch in place of the script.

use std::collections::HashMap;

use super::Language;
use super::tokens::{Token, tokens};
use crate::instead::{TextChange, Times};
use crate::unknown::is_known;

/// One replacement of a literal text.
#[derive(Debug, Clone)]
struct Replacement {
    /// The file, as the code names it.
    path: String,
    /// The old text.
    old: String,
    /// The new text.
    new: String,
    /// Which occurrences are replaced.
    times: Times,
}

/// The longest code that is read as replacements, in bytes.
const MAX_CODE: usize = 16 << 10;

/// The replacements that code amounts to, if it does nothing else.
pub(crate) fn replacements(language: Language, code: &str) -> Option<Vec<TextChange>> {
    let plain = matches!(language, Language::Python | Language::JavaScript)
        && code.len() <= MAX_CODE
        && is_known(code)
        && has_plain_strings(language, code);
    plain.then_some(())?;
    let tokens = tokens(code, language);
    let mut reader = ScriptReader {
        language,
        tokens: &tokens,
        at: 0,
        variables: HashMap::new(),
        asserted: Vec::new(),
        emptied: Vec::new(),
    };
    let mut written: Vec<Replacement> = Vec::new();
    while reader.at < tokens.len() {
        if let Some(made) = reader.statement()? {
            let path = &made.first()?.path;
            let again = written.iter().any(|other| other.path == *path);
            (!again && is_independent(&made)).then_some(())?;
            written.extend(made);
        }
    }
    // A patch cannot assert a text that it does not replace, nor empty a file.
    let asserted = |old: &String| written.iter().any(|made| made.old == *old);
    let filled = |path: &String| written.iter().any(|made| made.path == *path);
    let whole = reader.asserted.iter().all(asserted) && reader.emptied.iter().all(filled);
    let change = |made: Replacement| {
        let Replacement { path, old, new, times } = made;
        TextChange::Replace { path, old, new, times }
    };
    (whole && !written.is_empty()).then(|| written.into_iter().map(change).collect())
}

/// Whether the tokens hold each string with the value that the language gives it.
fn has_plain_strings(language: Language, code: &str) -> bool {
    if language == Language::JavaScript && code.contains('`') {
        return false;
    }
    if !code.contains('\\') {
        return true;
    }
    let raw = ["r\"", "r'", "R\"", "R'", "\"\"\"", "'''"].iter().any(|mark| code.contains(mark));
    let mut chars = code.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && !matches!(chars.next(), Some('n' | 't' | '\\' | '\'' | '"')) {
            return false;
        }
    }
    !raw
}

/// Whether replacements have the same result one by one and all at once: none makes a text that
/// a later one searches for.
fn is_independent(made: &[Replacement]) -> bool {
    let touches = |new: &str, old: &str| {
        new.is_empty()
            || new.contains(old)
            || old.contains(new)
            || old
                .char_indices()
                .skip(1)
                .any(|(at, _)| new.ends_with(&old[..at]) || new.starts_with(&old[at..]))
    };
    made.iter()
        .enumerate()
        .all(|(i, first)| made[i + 1..].iter().all(|later| !touches(&first.new, &later.old)))
}

/// The value of an expression in such a script.
#[derive(Debug, Clone)]
enum Meant {
    Text(String),
    /// A path: `Path("f")`.
    Path(String),
    /// An open file.
    File {
        path: String,
        writes: bool,
    },
    /// The text of a file, with the replacements made in it.
    Content {
        path: String,
        made: Vec<Replacement>,
    },
    /// A module, or a value that does not matter.
    Other,
    /// The result of writing a file, with the replacements made in it.
    Written(Vec<Replacement>),
}

struct ScriptReader<'t> {
    language: Language,
    tokens: &'t [Token],
    at: usize,
    variables: HashMap<String, Meant>,
    /// Texts that the script asserts to be in a file.
    asserted: Vec<String>,
    /// Files that were opened for writing.
    emptied: Vec<String>,
}

impl ScriptReader<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn is(&self, ahead: usize, mark: char) -> bool {
        self.peek(ahead).is_some_and(|token| token.is(mark))
    }

    fn name(&self, ahead: usize) -> Option<String> {
        self.peek(ahead)?.name().map(str::to_owned)
    }

    /// Skips a mark; `None` if another token is there.
    fn expect(&mut self, mark: char) -> Option<()> {
        self.is(0, mark).then_some(())?;
        self.at += 1;
        Some(())
    }

    fn skip_lines(&mut self) {
        while self.is(0, '\n') {
            self.at += 1;
        }
    }

    fn skip_statement(&mut self) {
        while self.peek(0).is_some_and(|token| !token.is('\n') && !token.is(';')) {
            self.at += 1;
        }
    }

    /// Reads a statement; returns the replacements that it writes to a file, if it writes. The
    /// outer `None` means a statement that is not understood.
    #[expect(clippy::option_option, reason = "not understood differs from nothing written")]
    fn statement(&mut self) -> Option<Option<Vec<Replacement>>> {
        if self.is(0, '\n') || self.is(0, ';') {
            self.at += 1;
            return Some(None);
        }
        let first = self.name(0)?;
        let value = match (self.language, first.as_str()) {
            (Language::Python, "import" | "from") => {
                self.skip_statement();
                Meant::Other
            }
            (Language::Python, "with") => self.with()?,
            (Language::Python, "assert") => self.assertion()?,
            (Language::JavaScript, "const" | "let" | "var" | "import") => {
                self.at += 1;
                self.binding(first == "import")?
            }
            _ if self.is(1, '=') && !self.is(2, '=') => self.binding(false)?,
            _ => self.expression()?,
        };
        let ends = self.peek(0).is_none_or(|token| token.is('\n') || token.is(';'));
        (ends || first == "with").then_some(())?;
        Some(match value {
            Meant::Written(made) => Some(made),
            _ => None,
        })
    }

    /// `name = expression`, or an import of `fs`.
    fn binding(&mut self, import: bool) -> Option<Meant> {
        // `const { readFileSync } = require("fs")`, `import fs from "fs"`
        if import || self.is(0, '{') {
            let rest = &self.tokens[self.at..];
            let end = rest.iter().position(|t| t.is('\n') || t.is(';')).unwrap_or(rest.len());
            let module = rest[..end].iter().find_map(|token| match token {
                Token::Text(text) => Some(text.as_str()),
                _ => None,
            });
            matches!(module, Some("fs" | "node:fs" | "path" | "node:path")).then_some(())?;
            self.at += end;
            return Some(Meant::Other);
        }
        let name = self.name(0)?;
        self.at += 1;
        self.expect('=')?;
        let value = self.expression()?;
        // `n = f.write(text)`: the value of `n` does not matter, the write does.
        self.variables.insert(name, value.clone());
        Some(value)
    }

    /// Reads `with open("f") as f:`.
    fn with(&mut self) -> Option<Meant> {
        self.at += 1;
        let value = self.expression()?;
        (self.name(0)? == "as" && self.is(2, ':')).then_some(())?;
        let name = self.name(1)?;
        self.at += 3;
        self.variables.insert(name, value);
        Some(Meant::Other)
    }

    /// Reads `assert "text" in content`.
    fn assertion(&mut self) -> Option<Meant> {
        self.at += 1;
        let Meant::Text(text) = self.expression()? else { return None };
        (self.name(0)? == "in").then_some(())?;
        self.at += 1;
        let Meant::Content { .. } = self.expression()? else { return None };
        if self.is(0, ',') {
            self.at += 1;
            self.text()?;
        }
        self.asserted.push(text);
        Some(Meant::Other)
    }

    fn expression(&mut self) -> Option<Meant> {
        let mut value = match self.peek(0)?.clone() {
            Token::Text(_) => Meant::Text(self.text()?),
            Token::Name(name) => {
                self.at += 1;
                self.named(&name)?
            }
            _ => return None,
        };
        while self.is(0, '.') {
            let method = self.name(1)?;
            self.at += 2;
            value = self.method(value, &method)?;
        }
        Some(value)
    }

    /// A string; Python joins adjacent strings.
    fn text(&mut self) -> Option<String> {
        let mut out = String::new();
        while let Some(Token::Text(text)) = self.peek(0) {
            out += text;
            self.at += 1;
            if self.language != Language::Python {
                break;
            }
        }
        is_known(&out).then_some(out)
    }

    /// The value of a name, or what calling it returns.
    fn named(&mut self, name: &str) -> Option<Meant> {
        if !self.is(0, '(') {
            let module = matches!(name, "fs" | "pathlib" | "io" | "console" | "process");
            return match self.variables.get(name) {
                Some(value) => Some(value.clone()),
                None => module.then_some(Meant::Other),
            };
        }
        (!self.variables.contains_key(name)).then_some(())?;
        self.call(name)
    }

    /// What a call of a bare function, or of a module's function, returns.
    fn call(&mut self, name: &str) -> Option<Meant> {
        let arguments = self.arguments()?;
        let path = || match arguments.first()? {
            Meant::Text(path) | Meant::Path(path) => Some(path.clone()),
            _ => None,
        };
        Some(match (self.language, name) {
            (Language::Python, "Path") if arguments.len() == 1 => Meant::Path(path()?),
            (Language::Python, "open") => self.opened(path()?, arguments.get(1))?,
            (Language::JavaScript, "require") => {
                matches!(path()?.as_str(), "fs" | "node:fs").then_some(Meant::Other)?
            }
            (Language::JavaScript, "readFileSync") => {
                Meant::Content { path: path()?, made: Vec::new() }
            }
            (Language::JavaScript, "writeFileSync") => written(&path()?, arguments.get(1)?)?,
            (Language::Python, "print") | (Language::JavaScript, "log") => {
                let text = |value: &Meant| matches!(value, Meant::Text(_));
                arguments.iter().all(text).then_some(Meant::Other)?
            }
            _ => return None,
        })
    }

    fn method(&mut self, value: Meant, method: &str) -> Option<Meant> {
        if matches!(value, Meant::Other) {
            return if self.is(0, '(') { self.call(method) } else { None };
        }
        let arguments = self.arguments()?;
        let text = |n: usize| match arguments.get(n)? {
            Meant::Text(text) => Some(text.clone()),
            _ => None,
        };
        Some(match (value, method) {
            (Meant::File { path, writes: false }, "read") if arguments.is_empty() => {
                Meant::Content { path, made: Vec::new() }
            }
            (Meant::Path(path), "read_text") => Meant::Content { path, made: Vec::new() },
            (Meant::Path(path), "open") => self.opened(path, arguments.first())?,
            (Meant::Path(path), "write_text") | (Meant::File { path, writes: true }, "write") => {
                written(&path, arguments.first()?)?
            }
            (Meant::File { .. }, "close") => Meant::Other,
            (content @ Meant::Content { .. }, "toString") => content,
            (Meant::Content { path, mut made }, "replace" | "replaceAll") => {
                let (old, new) = (text(0)?, text(1)?);
                // JavaScript gives `$&` and the like a special meaning in the new text.
                let special = self.language == Language::JavaScript && new.contains('$');
                (arguments.len() == 2 && !old.is_empty() && !special).then_some(())?;
                let all = self.language == Language::Python || method == "replaceAll";
                let times = if all { Times::Each } else { Times::First };
                made.push(Replacement { path: path.clone(), old, new, times });
                Meant::Content { path, made }
            }
            _ => return None,
        })
    }

    fn opened(&mut self, path: String, mode: Option<&Meant>) -> Option<Meant> {
        let writes = writes(mode)?;
        if writes {
            self.emptied.push(path.clone());
        }
        Some(Meant::File { path, writes })
    }

    /// The arguments of a call, without those that only name an encoding.
    fn arguments(&mut self) -> Option<Vec<Meant>> {
        self.expect('(')?;
        let mut out = Vec::new();
        loop {
            self.skip_lines();
            if self.is(0, ')') {
                self.at += 1;
                return Some(out);
            }
            match self.name(0).as_deref() {
                Some("encoding" | "newline") if self.is(1, '=') => {
                    self.at += 2;
                    self.expression()?;
                }
                Some("mode") if self.is(1, '=') => {
                    self.at += 2;
                    out.push(self.expression()?);
                }
                _ => out.push(self.expression()?),
            }
            self.skip_lines();
            if !self.is(0, ')') {
                self.expect(',')?;
            }
        }
    }
}

/// Whether a mode opens a file for writing; `None` if for neither reading nor writing only.
fn writes(mode: Option<&Meant>) -> Option<bool> {
    let Some(mode) = mode else { return Some(false) };
    let Meant::Text(mode) = mode else { return None };
    match mode.as_str() {
        "r" | "rt" => Some(false),
        "w" | "wt" => Some(true),
        _ => None,
    }
}

/// The write of a changed text to the file that it came from; `None` for any other text.
fn written(path: &str, value: &Meant) -> Option<Meant> {
    match value {
        Meant::Content { path: from, made } if from == path && !made.is_empty() => {
            Some(Meant::Written(made.clone()))
        }
        _ => None,
    }
}
