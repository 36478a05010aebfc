//! Following the calls in inline code.

use super::Language;
use super::expression::{Code, MAX_DEPTH};
use super::functions::{Deed, functions};
use super::tokens::Token;
use crate::guard::effect::{Access, Cause};
use crate::guard::shell::{Shell, Stdin};
use crate::guard::unknown::{HOLE, is_known};

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
                        if !self.step(1) {
                            return;
                        }
                        if code.is_called(i, name, *deed) {
                            self.step(8);
                            self.follow(&code, i, *deed);
                        } else if code.is_passed_on(i, name, *deed) {
                            self.note(Access::Read, None, by, Cause::Code);
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
                if code.includes_code(i, &path) {
                    return;
                }
                if arguments.keyword(&["inplace"]).is_some() {
                    self.code_writes(code, &path);
                }
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
                let mut given = arguments.positional.iter().skip(n);
                words.extend(given.next().into_iter().flat_map(|t| code.words(t)));
                // `spawn("cat", ["f"])`; anything else that follows is options or a callback.
                if let Some(tokens) = given.next().filter(|t| t[0].is('[') || t[0].is('{')) {
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
