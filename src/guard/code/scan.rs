//! Following the calls in inline code.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Language;
use super::functions::{Deed, functions};
use super::tokens::{Token, tokens};
use crate::guard::effect::{Access, Cause};
use crate::guard::shell::{Shell, Stdin};
use crate::guard::unknown::{HOLE, is_known};

/// Code that runs code that runs code is not followed for ever.
const MAX_DEPTH: usize = 4;

/// A piece of code under the glass.
struct Code<'c> {
    language: Language,
    tokens: Vec<Token>,
    by: &'c str,
    stdin: &'c Stdin,
    depth: usize,
    /// Where each variable is assigned.
    assignments: HashMap<String, Vec<usize>>,
    /// What variables turned out to hold.
    values: RefCell<HashMap<String, String>>,
    /// Whether the code speaks of these modules, asked once.
    runs_processes: bool,
    names_file_urls: bool,
}

/// The longest argument list that is read, in tokens.
const MAX_ARGUMENTS: usize = 400;

impl Shell<'_> {
    /// Notes what inline code of a language would touch.
    pub(in crate::guard) fn scan_code(
        &mut self,
        language: Language,
        by: &str,
        code: &str,
        stdin: &Stdin,
        depth: usize,
    ) {
        if !self.step(1 + code.len() / 16) || depth > MAX_DEPTH {
            return;
        }
        let code = Code::new(code, language, by, stdin, depth);
        for i in 0..code.tokens.len() {
            match &code.tokens[i] {
                Token::Shell(script) => {
                    self.apart(|shell| shell.fed_script(script, &Stdin::Inherited, false));
                }
                Token::Name(name) => {
                    let deeds = functions(language);
                    for (_, deed) in deeds.iter().filter(|(known, _)| known == name) {
                        if code.is_called(i, name, *deed) && self.step(8) {
                            self.follow(&code, i, *deed);
                        }
                    }
                }
                Token::Text(text) if code.is_index(i) => {
                    // `fs['readFileSync']` and `getattr(x, 'open')`: meant to hide.
                    if functions(language)
                        .iter()
                        .any(|(known, deed)| known == text && *deed != Deed::Stdin)
                    {
                        self.note(Access::Read, None, by, Cause::Code);
                    }
                }
                Token::Text(_) | Token::Mark(_) => {}
            }
        }
    }

    fn follow(&mut self, code: &Code<'_>, i: usize, deed: Deed) {
        let arguments = code.arguments(i);
        let path = |n: usize| {
            arguments
                .positional
                .get(n)
                .map_or_else(|| HOLE.to_string(), |tokens| code.resolve(tokens, 0))
        };
        match deed {
            Deed::Read(n) => {
                let named = arguments.keyword(&["file", "path", "filename"]);
                let path = named.map_or_else(|| path(n), |tokens| code.resolve(tokens, 0));
                self.code_reads(code, &path);
            }
            Deed::Write(n) => {
                let named = arguments.keyword(&["file", "path", "con"]);
                if named.is_some() || arguments.positional.len() > n {
                    let path = named.map_or_else(|| path(n), |tokens| code.resolve(tokens, 0));
                    self.code_writes(code, &path);
                }
            }
            Deed::Open(_) if code.opens_itself(i) => self.follow(code, i, Deed::OpenSelf),
            Deed::Open(n) => {
                let mode =
                    arguments.keyword(&["mode"]).or(arguments.positional.get(n).map(Vec::as_slice));
                let named = arguments.keyword(&["file", "path", "name"]);
                let path = named
                    .map_or_else(|| path(usize::from(n == 2)), |tokens| code.resolve(tokens, 0));
                self.code_opens(code, &path, mode);
            }
            Deed::ReadSelf => {
                if let Some(path) = code.receiver(i, &arguments.positional) {
                    self.code_reads(code, &path);
                }
            }
            Deed::WriteSelf => {
                if let Some(path) = code.receiver(i, &arguments.positional) {
                    self.code_writes(code, &path);
                }
            }
            Deed::OpenSelf => {
                if let Some(path) = code.receiver(i, &[]) {
                    let mode = arguments
                        .keyword(&["mode"])
                        .or(arguments.positional.first().map(Vec::as_slice));
                    self.code_opens(code, &path, mode);
                }
            }
            Deed::Run(n) => {
                let mut words = Vec::new();
                for tokens in arguments.positional.iter().skip(n).take(2) {
                    words.extend(code.words(tokens));
                }
                self.code_runs(code, &words);
            }
            Deed::RunWords => {
                let words: Vec<String> =
                    arguments.positional.iter().flat_map(|tokens| code.words(tokens)).collect();
                self.code_runs(code, &words);
            }
            Deed::Stdin => self.reads_stdin(code.stdin, code.by, Cause::Code),
            Deed::Evaluate => {
                let text = path(0);
                if arguments.positional.is_empty() {
                } else if is_known(&text) {
                    self.scan_code(code.language, code.by, &text, code.stdin, code.depth + 1);
                } else {
                    self.note(Access::Read, None, code.by, Cause::UnknownScript);
                }
            }
            Deed::CopyTo => {
                let (from, to) = (path(0), path(1));
                let stream =
                    to.contains("stdout") || to.starts_with("/dev/fd/") || to.starts_with("php://");
                let named = code.tokens[i..]
                    .iter()
                    .take(12)
                    .any(|t| matches!(t, Token::Name(n) if n == "stdout" || n == "STDOUT"));
                if stream || named {
                    self.code_reads(code, &from);
                }
            }
            Deed::PerlOpen => self.perl_open(code, &arguments.positional),
        }
    }

    fn code_reads(&mut self, code: &Code<'_>, path: &str) {
        let path = match path.split_once("resource=") {
            Some((filter, path)) if filter.starts_with("php://filter") => path,
            _ => path.strip_prefix("file://").unwrap_or(path),
        };
        if path == "0" || path == "php://stdin" || path == "-" {
            self.reads_stdin(code.stdin, code.by, Cause::Code);
        } else if !path.starts_with("php://") && !path.starts_with("http") {
            self.reads(path, code.by, Cause::Code);
        }
    }

    fn code_writes(&mut self, code: &Code<'_>, path: &str) {
        if !path.starts_with("php://") && !matches!(path, "1" | "2") {
            self.writes(path, code.by, Cause::Code, &HOLE.to_string());
        }
    }

    fn code_opens(&mut self, code: &Code<'_>, path: &str, mode: Option<&[Token]>) {
        if let Some(script) = path.strip_prefix('|') {
            self.apart(|shell| shell.script(script, &Stdin::Inherited));
            return;
        }
        let mode = mode.map(|tokens| code.resolve_flags(tokens));
        let writes = mode.is_some_and(|mode| {
            mode.contains(['w', 'a', 'x', '+', 'c']) && !mode.contains("O_RDONLY")
                || mode.contains("WR")
                || mode.contains("CREAT")
        });
        if writes {
            self.code_writes(code, path);
        } else {
            self.code_reads(code, path);
        }
    }

    fn code_runs(&mut self, code: &Code<'_>, words: &[String]) {
        match words {
            [] => {}
            [script] => {
                self.apart(|shell| shell.fed_script(script, code.stdin, false));
            }
            words => {
                self.apart(|shell| shell.invoke(words, code.stdin));
            }
        }
    }

    fn perl_open(&mut self, code: &Code<'_>, arguments: &[Vec<Token>]) {
        let text = |n: usize| arguments.get(n).map(|tokens| code.resolve(tokens, 0));
        let (mode, path) = match (text(1), text(2)) {
            (Some(mode), Some(path)) => (mode, path),
            (Some(both), None) => {
                let both = both.trim();
                let end = both.find(|c: char| !"<>+|& ".contains(c)).unwrap_or(both.len());
                let (mode, path) = both.split_at(end);
                if let Some(script) = path.strip_suffix('|') {
                    ("-|".to_owned(), script.to_owned())
                } else {
                    (mode.to_owned(), path.to_owned())
                }
            }
            _ => return,
        };
        if arguments.get(2).is_some_and(|tokens| tokens.first().is_some_and(|t| t.is('\\'))) {
            return;
        }
        if mode.contains('|') {
            let mut words: Vec<String> =
                arguments.iter().skip(2).flat_map(|tokens| code.words(tokens)).collect();
            if words.is_empty() {
                words.push(path);
            }
            self.code_runs(code, &words);
        } else if mode.contains(['>', '+']) {
            self.code_writes(code, &path);
        } else {
            self.code_reads(code, &path);
        }
    }
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    positional: Vec<Vec<Token>>,
    named: Vec<(String, Vec<Token>)>,
}

impl Arguments {
    fn keyword(&self, names: &[&str]) -> Option<&[Token]> {
        let found = self.named.iter().find(|(name, _)| names.contains(&name.as_str()));
        found.map(|(_, tokens)| tokens.as_slice())
    }
}

impl<'c> Code<'c> {
    fn new(code: &str, language: Language, by: &'c str, stdin: &'c Stdin, depth: usize) -> Self {
        let tokens = tokens(code, language);
        let mut assignments: HashMap<String, Vec<usize>> = HashMap::new();
        let mention = |words: &[&str]| {
            tokens.iter().any(|token| match token {
                Token::Name(text) | Token::Text(text) => {
                    words.iter().any(|word| text.contains(word))
                }
                _ => false,
            })
        };
        let runs_processes = mention(&["child_process", "subprocess", "pty"]);
        let names_file_urls = mention(&["file:"]);
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
            by,
            stdin,
            depth,
            assignments,
            values: RefCell::default(),
            runs_processes,
            names_file_urls,
        }
    }
}

impl Code<'_> {
    fn at(&self, i: usize) -> Option<&Token> {
        self.tokens.get(i)
    }

    fn before(&self, i: usize, back: usize) -> Option<&Token> {
        i.checked_sub(back).and_then(|i| self.tokens.get(i))
    }

    /// The name in front of the dot, for `a.name`.
    fn owner(&self, i: usize) -> Option<&str> {
        let arrow = self.before(i, 1).is_some_and(|t| t.is('>'))
            && self.before(i, 2).is_some_and(|t| t.is('-'));
        let colons = self.before(i, 1).is_some_and(|t| t.is(':'))
            && self.before(i, 2).is_some_and(|t| t.is(':'));
        let back = if arrow || colons {
            3
        } else if self.before(i, 1).is_some_and(|t| t.is('.')) {
            2
        } else {
            return None;
        };
        match self.before(i, back) {
            Some(Token::Name(name)) => Some(name),
            // `Path("x").name` and the like belong to something without a name.
            _ => Some(""),
        }
    }

    /// Python's `Path("x").open("w")`: the path is not an argument.
    fn opens_itself(&self, i: usize) -> bool {
        let modules = ["io", "codecs", "os", "tokenize", "builtins", "aiofiles", "__builtins__"];
        self.language == Language::Python
            && self.owner(i).is_some_and(|owner| !modules.contains(&owner))
    }

    /// Whether a name at this place is the function we mean.
    fn is_called(&self, i: usize, name: &str, deed: Deed) -> bool {
        if let Some(Token::Name(before)) = self.before(i, 1)
            && matches!(
                before.as_str(),
                "def" | "function" | "import" | "sub" | "from" | "as" | "fn"
            )
        {
            return false;
        }
        let owner = self.owner(i);
        let called = self.at(i + 1).is_some_and(|token| token.is('('));
        if deed == Deed::Stdin {
            return match (self.language, name) {
                (Language::Python, "input") | (Language::Ruby, "gets") => {
                    owner.is_none() || owner == Some("STDIN")
                }
                (Language::Lua, "read") => owner == Some("io"),
                (Language::Python | Language::JavaScript, "stdin") => owner.is_some(),
                _ => true,
            };
        }
        let bare_calls = matches!(
            self.language,
            Language::Perl
                | Language::Ruby
                | Language::Lisp
                | Language::Tcl
                | Language::Php
                | Language::Other
        );
        if !called && !bare_calls {
            return false;
        }
        match self.language {
            Language::Python => match name {
                "open" => !matches!(
                    owner,
                    Some(
                        "webbrowser"
                            | "Image"
                            | "shelve"
                            | "dbm"
                            | "wave"
                            | "zipfile"
                            | "tarfile"
                            | "gzip"
                            | "bz2"
                            | "lzma"
                    )
                ),
                "run" | "call" | "spawn" => match owner {
                    Some(owner) => matches!(owner, "subprocess" | "sp" | "pty" | "os"),
                    None => self.runs_processes,
                },
                "copy" | "copy2" | "copyfile" => owner.is_none_or(|owner| owner == "shutil"),
                "exec" | "eval" => owner.is_none() || owner == Some("builtins"),
                "urlopen" => self.names_file_urls,
                "getline" | "getlines" => owner.is_none_or(|owner| owner == "linecache"),
                _ => true,
            },
            Language::JavaScript => match name {
                "exec" | "spawn" | "execFile" => {
                    self.runs_processes || matches!(owner, Some("Bun" | "cp"))
                }
                "Command" => owner == Some("Deno"),
                "write" | "file" => owner == Some("Bun"),
                "fetch" => self.names_file_urls,
                "open" | "truncate" => owner.is_some_and(|owner| {
                    matches!(owner, "fs" | "promises" | "fsp" | "fsPromises" | "Deno" | "")
                }),
                _ => true,
            },
            Language::Ruby => match name {
                "read" | "write" | "readlines" | "foreach" | "each_line" | "open" | "read!"
                | "write!" | "stream!" => {
                    owner.is_none_or(|owner| {
                        matches!(
                            owner,
                            "File" | "IO" | "CSV" | "Kernel" | "Pathname" | "YAML" | "JSON" | ""
                        )
                    }) && (owner.is_some() || name == "open")
                }
                "cmd" | "shell" => owner == Some("System"),
                "system" | "exec" | "spawn" | "eval" => {
                    owner.is_none_or(|owner| matches!(owner, "Kernel" | "Process"))
                }
                _ => true,
            },
            Language::Lua => {
                owner.is_some_and(|owner| matches!(owner, "io" | "os")) || name == "load"
            }
            Language::Perl => match name {
                "eval" => !self.at(i + 1).is_some_and(|t| t.is('{')),
                "lines" | "slurp" | "spew" => owner.is_some(),
                _ => !matches!(self.before(i, 1), Some(Token::Mark('$' | '%' | '&'))),
            },
            Language::Php => {
                !matches!(self.before(i, 1), Some(Token::Mark('$'))) && owner.is_none()
            }
            Language::R => called,
            Language::Other => match name {
                "type" | "gc" | "cat" | "system" | "execute" | "script" | "File" => {
                    matches!(
                        self.at(i + 1),
                        Some(Token::Text(_) | Token::Name(_) | Token::Mark('('))
                    )
                }
                _ => true,
            },
            Language::Tcl | Language::Lisp => true,
        }
    }

    /// Whether a string stands where it picks a member: `[...]` before `(`, or in `getattr`.
    fn is_index(&self, i: usize) -> bool {
        let bracketed = self.before(i, 1).is_some_and(|t| t.is('['))
            && self.at(i + 1).is_some_and(|t| t.is(']'))
            && self.at(i + 2).is_some_and(|t| t.is('('));
        let fetched = self.before(i, 1).is_some_and(|t| t.is(','))
            && self.tokens[..i]
                .iter()
                .rev()
                .take(8)
                .any(|t| matches!(t, Token::Name(n) if n == "getattr"));
        bracketed || fetched
    }

    fn arguments(&self, i: usize) -> Arguments {
        let mut out = Arguments::default();
        let mut current: Vec<Token> = Vec::new();
        let mut depth = 0_i32;
        let paren = self.at(i + 1).is_some_and(|t| t.is('('));
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
                Token::Mark('(' | '[' | '{') => depth += 1,
                Token::Mark(')' | ']' | '}') if depth == 0 => break,
                Token::Mark(')' | ']' | '}') => depth -= 1,
                Token::Mark(',') if depth == 0 => {
                    add(&mut current, &mut out);
                    continue;
                }
                Token::Mark(';') if depth == 0 => break,
                Token::Mark('\n') if depth == 0 && !paren => break,
                Token::Mark('\n') => continue,
                _ => {}
            }
            current.push(token.clone());
            if lisp && depth == 0 {
                add(&mut current, &mut out);
            }
        }
        add(&mut current, &mut out);
        out
    }

    /// The path that a method belongs to: `Path("x").read_text()`, `File.read("x")`.
    fn receiver(&self, i: usize, arguments: &[Vec<Token>]) -> Option<String> {
        let owner = self.owner(i)?;
        if self.language == Language::Ruby
            && matches!(owner, "File" | "IO" | "CSV" | "YAML" | "JSON")
        {
            return Some(
                arguments
                    .first()
                    .map_or_else(|| HOLE.to_string(), |tokens| self.resolve(tokens, 0)),
            );
        }
        let back = if self.before(i, 1)?.is('.') { 2 } else { 3 };
        let end = i.checked_sub(back)?;
        if !self.tokens[end].is(')') {
            return Some(self.variable(owner, 0));
        }
        let mut depth = 0;
        let mut start = end;
        loop {
            match &self.tokens[start] {
                Token::Mark(')') => depth += 1,
                Token::Mark('(') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            start = start.checked_sub(1)?;
        }
        Some(self.resolve(&self.tokens[start + 1..end], 0))
    }

    /// What a variable was assigned, if always the same.
    fn variable(&self, name: &str, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return HOLE.to_string();
        }
        if let Some(known) = self.values.borrow().get(name) {
            return known.clone();
        }
        // While it is being looked up, a variable defined by itself is unknown.
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

    /// The right-hand side of the assignment at this place.
    fn assigned_value(&self, i: usize, depth: usize) -> String {
        let rest = &self.tokens[i + 2..self.tokens.len().min(i + 2 + MAX_ARGUMENTS)];
        let mut level = 0;
        let end = rest
            .iter()
            .position(|token| match token {
                Token::Mark('(' | '[' | '{') => {
                    level += 1;
                    false
                }
                Token::Mark(')' | ']' | '}') => {
                    level -= 1;
                    level < 0
                }
                Token::Mark(';' | '\n' | ',') => level == 0,
                _ => false,
            })
            .unwrap_or(rest.len());
        self.resolve(&rest[..end], depth + 1)
    }

    /// The text of an expression, unknown where it cannot be told.
    fn resolve(&self, tokens: &[Token], depth: usize) -> String {
        if depth > MAX_DEPTH {
            return HOLE.to_string();
        }
        let dots = matches!(self.language, Language::Perl | Language::Php);
        let mut out = String::new();
        let mut piece: Vec<Token> = Vec::new();
        let mut level = 0;
        for token in tokens {
            match token {
                Token::Mark('(' | '[' | '{') => level += 1,
                Token::Mark(')' | ']' | '}') => level -= 1,
                Token::Mark(mark @ ('+' | '/' | '.')) if level == 0 && (*mark != '.' || dots) => {
                    out += &self.piece(&piece, depth);
                    if *mark == '/' {
                        out.push('/');
                    }
                    piece.clear();
                    continue;
                }
                Token::Mark('\n') => continue,
                _ => {}
            }
            piece.push(token.clone());
        }
        out += &self.piece(&piece, depth);
        out
    }

    fn piece(&self, tokens: &[Token], depth: usize) -> String {
        let unknown = || HOLE.to_string();
        match tokens {
            [Token::Text(text)] => text.clone(),
            // Python joins strings that stand side by side.
            [Token::Text(a), Token::Text(b)] => format!("{a}{b}"),
            [Token::Name(name)] if name.starts_with(|c: char| c.is_ascii_digit()) => name.clone(),
            [Token::Mark('$'), Token::Name(name)] | [Token::Name(name)] => {
                self.variable(name, depth + 1)
            }
            [Token::Name(word), rest @ ..]
                if matches!(word.as_str(), "new" | "await" | "my" | "our") =>
            {
                self.piece(rest, depth)
            }
            [Token::Mark('('), inside @ .., Token::Mark(')')] => self.resolve(inside, depth + 1),
            [.., Token::Name(last)] if last == "devnull" => "/dev/null".to_owned(),
            [.., Token::Name(last)] if last == "executable" => "python3".to_owned(),
            [.., Token::Name(last)] if last == "execPath" => "node".to_owned(),
            _ => {
                let Some(open) = tokens.iter().position(|t| t.is('(')) else {
                    return unknown();
                };
                let names_path = match open.checked_sub(1).map(|i| &tokens[i]) {
                    Some(Token::Name(name)) => matches!(
                        name.as_str(),
                        "Path"
                            | "PurePath"
                            | "PosixPath"
                            | "join"
                            | "resolve"
                            | "URL"
                            | "Pathname"
                            | "path"
                            | "abspath"
                            | "expanduser"
                            | "str"
                            | "String"
                            | "fspath"
                            | "get"
                            | "File"
                            | "normalize"
                            | "realpath"
                    ),
                    _ => false,
                };
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
    fn words(&self, tokens: &[Token]) -> Vec<String> {
        match tokens.first() {
            Some(Token::Mark('[')) => {
                let inside = &tokens[1..tokens.len() - 1];
                inside
                    .split(|t| t.is(','))
                    .filter(|t| !t.is_empty())
                    .map(|t| self.resolve(t, 0))
                    .collect()
            }
            Some(Token::Mark('{')) => match tokens
                .iter()
                .position(|t| matches!(t, Token::Name(n) if n == "args" || n == "cmd"))
            {
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

    /// A mode as text; the names of flags count.
    fn resolve_flags(&self, tokens: &[Token]) -> String {
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
