//! Following the calls in inline code.

use super::Language;
use super::calls::Pick;
use super::expression::{Code, MAX_DEPTH};
use super::functions::{Meaning, functions};
use super::tokens::Token;
use crate::effect::{Access, Cause};
use crate::shell::{Shell, Stdin};
use crate::unknown::{HOLE, is_known};

impl Shell<'_> {
    /// Notes what inline code of a language would touch.
    pub(crate) fn scan_code(
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
                    self.follow_indirect(&code, i, name);
                    let meanings = functions(language);
                    for (_, meaning) in meanings.iter().filter(|(known, _)| known == name) {
                        if !self.step(1) {
                            return;
                        }
                        if code.is_called(i, name, *meaning) {
                            self.step(8);
                            self.follow(&code, i, *meaning);
                        } else if code.is_passed_on(i, name, *meaning) {
                            self.note(Access::Read, None, by, Cause::Code);
                        }
                    }
                }
                Token::Text(text) if code.is_fetched(i) => {
                    // `getattr(x, 'open')`: meant to hide.
                    if let Some(Pick::Known(_)) = code.pick(text, 0) {
                        self.note(Access::Read, None, by, Cause::Code);
                    }
                }
                Token::Mark('[') => match code.picked(i) {
                    Some((Pick::Known(meaning), end)) => self.follow(&code, end, meaning),
                    Some((Pick::Unknown, end)) => self.follow(&code, end, Meaning::Read(0)),
                    None => {}
                },
                Token::Text(_) | Token::Mark(_) => {}
            }
        }
    }

    /// Calls of functions under other names.
    fn follow_indirect(&mut self, code: &Code<'_>, i: usize, name: &str) {
        let called = code.at(i + 1).is_some_and(|t| t.is('('));
        let meaning = |known: &str| {
            let mut meanings = functions(code.language).iter().filter(|(name, _)| *name == known);
            meanings.find(|(_, meaning)| *meaning != Meaning::Stdin).map(|(_, meaning)| *meaning)
        };
        if !called || !self.step(1) {
            return;
        }
        let first = || code.arguments(i).positional.first().map(|tokens| code.resolve(tokens, 0));
        match (code.language, name) {
            (Language::Python, "getattr") => {
                let arguments = code.arguments(i).positional;
                if let [module, member, ..] = arguments.as_slice() {
                    let member_name = code.resolve(member, 0);
                    let end = i + 2 + module.len();
                    // Names in one piece are met where they stand.
                    if member.len() > 1 || !matches!(member[0], Token::Text(_)) {
                        let picked = code.pick(&member_name, end).is_some();
                        if picked {
                            self.note(Access::Read, None, code.by, Cause::Code);
                        }
                    }
                }
            }
            // `File.send(:read, "f")`, `File.method(:read)`
            (Language::Ruby, "send" | "public_send" | "__send__" | "method") => {
                let arguments = code.arguments(i).positional;
                let member = arguments.first().and_then(|tokens| tokens.last());
                let (Some(Token::Name(member) | Token::Text(member)), Some(owner)) =
                    (member, code.owner(i))
                else {
                    return;
                };
                if matches!(owner, "File" | "IO" | "Kernel" | "CSV") && meaning(member).is_some() {
                    let path = arguments.get(1).map(|tokens| code.resolve(tokens, 0));
                    let path = path.unwrap_or_else(|| HOLE.to_string());
                    if member.contains("write") {
                        self.code_writes(code, &path);
                    } else {
                        self.code_reads(code, &path);
                    }
                }
            }
            // `call_user_func("readfile", "f")`
            (Language::Php, "call_user_func" | "call_user_func_array" | "array_map") => {
                if first().is_some_and(|function| meaning(&function).is_some()) {
                    let arguments = code.arguments(i).positional;
                    let words = arguments.get(1).map(|tokens| code.words(tokens));
                    for path in words.unwrap_or_default() {
                        self.code_reads(code, &path);
                    }
                }
            }
            // `$f = "readfile"; $f("f")`
            (Language::Php, _) if code.before(i, 1).is_some_and(|t| t.is('$')) => {
                if let Some(meaning) = meaning(&code.variable(name, 0)) {
                    self.follow(code, i, meaning);
                }
            }
            _ => {
                let alias = code.names.function(name).filter(|_| code.member_of(i).is_none());
                if let Some(meaning) = alias.and_then(meaning) {
                    self.follow(code, i, meaning);
                }
            }
        }
    }

    fn follow(&mut self, code: &Code<'_>, i: usize, meaning: Meaning) {
        let arguments = code.arguments(i);
        let path = |n: usize| {
            arguments
                .positional
                .get(n)
                .map_or_else(|| HOLE.to_string(), |tokens| code.resolve(tokens, 0))
        };
        match meaning {
            Meaning::Read(n) => {
                let named = arguments.keyword(&["file", "path", "filename", "files", "filenames"]);
                let given = named.or(arguments.positional.get(n).map(Vec::as_slice));
                let paths =
                    given.map_or_else(|| vec![HOLE.to_string()], |tokens| code.words(tokens));
                for path in paths {
                    if code.includes_code(i, &path) {
                        return;
                    }
                    if arguments.keyword(&["inplace"]).is_some() {
                        self.code_writes(code, &path);
                    }
                    self.code_reads(code, &path);
                }
            }
            Meaning::Write(n) => {
                let named = arguments.keyword(&["file", "path", "con"]);
                if named.is_some() || arguments.positional.len() > n {
                    let path = named.map_or_else(|| path(n), |tokens| code.resolve(tokens, 0));
                    self.code_writes(code, &path);
                }
            }
            Meaning::Open(_) if code.opens_itself(i) => self.follow(code, i, Meaning::OpenSelf),
            Meaning::Open(n) => {
                let mode =
                    arguments.keyword(&["mode"]).or(arguments.positional.get(n).map(Vec::as_slice));
                let named = arguments.keyword(&["file", "path", "name"]);
                let path = named
                    .map_or_else(|| path(usize::from(n == 2)), |tokens| code.resolve(tokens, 0));
                self.code_opens(code, &path, mode);
            }
            Meaning::ReadSelf => {
                if let Some(path) = code.receiver(i, &arguments.positional) {
                    self.code_reads(code, &path);
                }
            }
            Meaning::WriteSelf => {
                if let Some(path) = code.receiver(i, &arguments.positional) {
                    self.code_writes(code, &path);
                }
            }
            Meaning::OpenSelf => {
                if let Some(path) = code.receiver(i, &[]) {
                    let mode = arguments
                        .keyword(&["mode"])
                        .or(arguments.positional.first().map(Vec::as_slice));
                    self.code_opens(code, &path, mode);
                }
            }
            Meaning::Run(n) => {
                let mut words = Vec::new();
                let mut given = arguments.positional.iter().skip(n);
                words.extend(given.next().into_iter().flat_map(|t| code.words(t)));
                // `spawn("cat", ["f"])`; anything else that follows is options or a callback.
                if let Some(tokens) = given.next().filter(|t| t[0].is('[') || t[0].is('{')) {
                    words.extend(code.words(tokens));
                }
                self.code_runs(code, &words);
            }
            Meaning::RunWords => {
                let words: Vec<String> =
                    arguments.positional.iter().flat_map(|tokens| code.words(tokens)).collect();
                self.code_runs(code, &words);
            }
            Meaning::Stdin => self.reads_stdin(code.stdin, code.by, Cause::Code),
            Meaning::Evaluate => {
                let text = path(0);
                if arguments.positional.is_empty() {
                } else if is_known(&text) {
                    self.scan_code(code.language, code.by, &text, code.stdin, code.depth + 1);
                } else {
                    self.note(Access::Read, None, code.by, Cause::UnknownScript);
                }
            }
            Meaning::CopyTo => {
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
            Meaning::PerlOpen => self.perl_open(code, &arguments.positional),
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
