//! Reading the arguments of a call, as far as they are literal.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use super::Language;
use super::names::Names;
use super::tokens::{Token, with_interpolations};
use crate::known::Stdin;
use crate::unknown::HOLE;
use crate::word::has_word;

/// How deep code inside code is followed.
pub(super) const MAX_DEPTH: usize = 4;

/// A piece of code that is being read.
pub(super) struct Code<'c> {
    pub(super) language: Language,
    pub(super) tokens: Vec<Token>,
    pub(super) stdin: &'c Stdin,
    pub(super) depth: usize,
    /// The tokens at which each variable is assigned.
    assignments: HashMap<String, Vec<usize>>,
    /// The values of variables that were looked up already.
    values: RefCell<HashMap<String, String>>,
    /// The expressions inside strings, with the index of the string's token.
    pub(super) interpolations: Vec<(usize, String)>,
    /// The variables already followed to see whether they are printed; true if they hold text.
    pub(super) seen: RefCell<HashSet<(String, bool)>>,
    /// How many tokens were looked at to find out what is printed.
    pub(super) looks: Cell<usize>,
    /// The names that the code gives to modules and functions.
    pub(super) names: Names,
    /// Whether the code mentions `configparser`, a module that runs processes, or `file:` URLs.
    pub(super) reads_settings: bool,
    pub(super) runs_processes: bool,
    pub(super) names_file_urls: bool,
}

/// Functions whose arguments are parts of a path.
const PATH_MAKERS: &str = "Path PurePath PosixPath join resolve URL Pathname path abspath \
    expanduser str String fspath get File normalize realpath";

/// The longest argument list that is read, in tokens.
const MAX_ARGUMENTS: usize = 400;

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Vec<Token>>,
    pub(super) named: Vec<(String, Vec<Token>)>,
}

impl Arguments {
    pub(super) fn keyword(&self, names: &[&str]) -> Option<&[Token]> {
        let found = self.named.iter().find(|(name, _)| names.contains(&name.as_str()));
        found.map(|(_, tokens)| tokens.as_slice())
    }

    /// The argument with one of these names, or else the positional argument `n`.
    pub(super) fn given(&self, names: &[&str], n: usize) -> Option<&[Token]> {
        self.keyword(names).or(self.positional.get(n).map(Vec::as_slice))
    }
}

impl<'c> Code<'c> {
    pub(super) fn new(code: &str, language: Language, stdin: &'c Stdin, depth: usize) -> Self {
        let (tokens, interpolations) = with_interpolations(code, language);
        let mut assignments: HashMap<String, Vec<usize>> = HashMap::new();
        let (mut runs_processes, mut names_file_urls, mut reads_settings) = (false, false, false);
        for token in &tokens {
            let (Token::Name(text) | Token::Text(text)) = token else { continue };
            let mentions = |word: &str| text.len() >= word.len() && text.contains(word);
            runs_processes |= ["pty", "subprocess", "child_process"].into_iter().any(mentions);
            names_file_urls |= mentions("file:");
            reads_settings |= mentions("configparser") || mentions("ConfigParser");
        }
        let names = Names::new(&tokens, language);
        for (i, triple) in tokens.windows(3).enumerate() {
            if let [Token::Name(name), Token::Mark('='), after] = triple
                && !after.is('=')
                && !after.is('>')
            {
                assignments.entry(name.clone()).or_default().push(i);
            }
        }
        Self {
            language,
            tokens,
            stdin,
            depth,
            assignments,
            values: RefCell::default(),
            interpolations,
            seen: RefCell::default(),
            looks: Cell::new(0),
            names,
            reads_settings,
            runs_processes,
            names_file_urls,
        }
    }
}

impl Code<'_> {
    pub(super) fn arguments(&self, i: usize) -> Arguments {
        let mut out = Arguments::default();
        let mut current: Vec<Token> = Vec::new();
        let mut depth = 0_i32;
        let paren = self.at(i + 1).is_some_and(|t| t.is('('));
        // Lua's `f"text"` is a call with one argument.
        if self.language == Language::Lua
            && let Some(token @ Token::Text(_)) = self.at(i + 1)
        {
            out.positional.push(vec![token.clone()]);
            return out;
        }
        let lisp = matches!(self.language, Language::Lisp | Language::Tcl) && !paren;
        let first = if paren { i + 2 } else { i + 1 };
        let add = |current: &mut Vec<Token>, out: &mut Arguments| {
            let tokens = std::mem::take(current);
            match tokens.as_slice() {
                [] => {}
                [Token::Name(name), Token::Mark('=' | ':'), value @ ..]
                    if !value.first().is_some_and(|t| t.is('=') || t.is(':')) =>
                {
                    out.named.push((name.clone(), value.to_vec()));
                }
                _ => out.positional.push(tokens),
            }
        };
        for token in self.tokens.iter().skip(first).take(MAX_ARGUMENTS) {
            match token {
                Token::Mark(')' | ']' | '}' | ';') if depth == 0 => break,
                Token::Mark(',') if depth == 0 => {
                    add(&mut current, &mut out);
                    continue;
                }
                Token::Mark('\n') if depth == 0 && !paren => break,
                Token::Mark('\n') => continue,
                _ => depth += token.nesting(),
            }
            current.push(token.clone());
            if lisp && depth == 0 {
                add(&mut current, &mut out);
            }
        }
        add(&mut current, &mut out);
        out
    }

    /// The text of the argument `n` of a call.
    pub(super) fn argument(&self, arguments: &[Vec<Token>], n: usize) -> String {
        arguments.get(n).map_or_else(|| HOLE.to_string(), |tokens| self.resolve(tokens, 0))
    }

    /// The path that a method is called on: `Path("x").read_text()`, `File.read("x")`.
    pub(super) fn receiver(&self, i: usize, arguments: &[Vec<Token>]) -> Option<String> {
        let owner = self.member_of(i)?;
        if self.language == Language::Ruby
            && matches!(owner, "File" | "IO" | "CSV" | "YAML" | "JSON")
        {
            return Some(self.argument(arguments, 0));
        }
        let back = if self.is(i.wrapping_sub(1), '.') { 2 } else { 3 };
        let end = i.checked_sub(back)?;
        if !self.tokens[end].is(')') {
            return Some(self.variable(owner, 0));
        }
        Some(self.resolve(&self.tokens[self.open_of(end)? + 1..end], 0))
    }

    /// The value of a variable, if all its assignments agree; else unknown.
    pub(super) fn variable(&self, name: &str, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return HOLE.to_string();
        }
        if let Some(known) = self.values.borrow().get(name) {
            return known.clone();
        }
        // A variable that is defined by itself is unknown during its own lookup.
        let hole = HOLE.to_string();
        self.values.borrow_mut().insert(name.to_owned(), hole.clone());
        let mut values = self
            .assignments
            .get(name)
            .into_iter()
            .flatten()
            .take(16)
            .map(|&i| self.assigned_value(i, depth));
        let first = values.next();
        let value = match first {
            Some(first) if values.all(|other| other == first) => first,
            _ => hole,
        };
        self.values.borrow_mut().insert(name.to_owned(), value.clone());
        value
    }

    /// The right-hand side of the assignment at `i`.
    pub(super) fn assigned_value(&self, i: usize, depth: usize) -> String {
        let rest = &self.tokens[i + 2..self.tokens.len().min(i + 2 + MAX_ARGUMENTS)];
        let mut level = 0;
        let end = rest.iter().position(|token| {
            level += token.nesting();
            level < 0 || (level == 0 && matches!(token, Token::Mark(';' | '\n' | ',')))
        });
        self.resolve(&rest[..end.unwrap_or(rest.len())], depth + 1)
    }

    /// The text of an expression, with a hole for each part that is not literal.
    pub(super) fn resolve(&self, tokens: &[Token], depth: usize) -> String {
        if depth > MAX_DEPTH {
            return HOLE.to_string();
        }
        let dots = matches!(self.language, Language::Perl | Language::Php);
        let mut out = String::new();
        let mut piece: Vec<Token> = Vec::new();
        let mut level = 0;
        for token in tokens {
            match token {
                Token::Mark(mark @ ('+' | '/' | '.')) if level == 0 && (*mark != '.' || dots) => {
                    out += &self.piece(&piece, depth);
                    if *mark == '/' {
                        out.push('/');
                    }
                    piece.clear();
                    continue;
                }
                Token::Mark('\n') => continue,
                _ => level += token.nesting(),
            }
            piece.push(token.clone());
        }
        out += &self.piece(&piece, depth);
        out
    }

    pub(super) fn piece(&self, tokens: &[Token], depth: usize) -> String {
        let unknown = || HOLE.to_string();
        match tokens {
            [Token::Text(text)] => text.clone(),
            // Python joins adjacent strings.
            [Token::Text(a), Token::Text(b)] => format!("{a}{b}"),
            // `"/proc/%d/status" % pid`, `"/tmp/{}".format(name)`
            [Token::Text(text), Token::Mark('%'), ..] => known_start(text, '%'),
            [Token::Text(text), Token::Mark('.'), method, ..] if method.is_name("format") => {
                known_start(text, '{')
            }
            [Token::Name(name)] if name.starts_with(|c: char| c.is_ascii_digit()) => name.clone(),
            [Token::Mark('$'), Token::Name(name)] | [Token::Name(name)] => {
                self.variable(name, depth + 1)
            }
            [word, rest @ ..] if word.is_name("new await my our") => self.piece(rest, depth),
            [Token::Mark('('), inside @ .., Token::Mark(')')] => self.resolve(inside, depth + 1),
            [.., last] if last.is_name("devnull") => "/dev/null".to_owned(),
            [.., last] if last.is_name("executable") => "python3".to_owned(),
            [.., last] if last.is_name("execPath") => "node".to_owned(),
            _ => {
                let Some(open) = tokens.iter().position(|t| t.is('(')) else {
                    return unknown();
                };
                let names_path = tokens[..open].last().and_then(Token::name).is_some_and(|name| {
                    self.names.source(name) == Some("pathlib") || has_word(PATH_MAKERS, name)
                });
                if !names_path || !tokens.last().is_some_and(|t| t.is(')')) {
                    return unknown();
                }
                let inside = &tokens[open + 1..tokens.len() - 1];
                let parts: Vec<String> = inside
                    .split(|t| t.is(','))
                    .map(|tokens| self.resolve(tokens, depth + 1))
                    .collect();
                parts.join("/")
            }
        }
    }

    /// The words of a command given as one text, a list, or an object with `args`.
    pub(super) fn words(&self, tokens: &[Token]) -> Vec<String> {
        match tokens.first() {
            Some(Token::Mark('[')) => {
                let items = tokens[1..tokens.len() - 1].split(|t| t.is(','));
                items.filter(|t| !t.is_empty()).map(|t| self.resolve(t, 0)).collect()
            }
            Some(Token::Mark('{')) => match tokens.iter().position(|t| t.is_name("args cmd")) {
                Some(at) if tokens.get(at + 2).is_some_and(|t| t.is('[')) => {
                    let list = &tokens[at + 2..];
                    let end = list.iter().position(|t| t.is(']')).unwrap_or(list.len() - 1);
                    self.words(&list[..=end])
                }
                _ => Vec::new(),
            },
            _ => vec![self.resolve(tokens, 0)],
        }
    }

    /// The mode of an `open` as text, in which flags like `O_WRONLY` stay names.
    pub(super) fn resolve_flags(&self, tokens: &[Token]) -> String {
        tokens
            .iter()
            .map(|token| match token {
                Token::Name(name) if name.starts_with("O_") => name.clone(),
                Token::Text(text) => text.clone(),
                Token::Name(name) => self.variable(name, 0),
                _ => String::new(),
            })
            .collect()
    }
}

/// A format with its first placeholder and all after it replaced by a hole.
fn known_start(format: &str, mark: char) -> String {
    match format.split_once(mark) {
        Some((known, _)) => format!("{known}{HOLE}"),
        None => format.to_owned(),
    }
}
