//! Following the calls in inline code.

use super::Language;
use super::expression::{Arguments, Code, MAX_DEPTH};
use super::fate::Holds;
use super::functions::{Meaning, by_name};
use super::replacement::replacements;
use super::tokens::Token;
use crate::effect::{Access, Cause};
use crate::instead::TextChange;
use crate::known::Stdin;
use crate::outcome::{Action, Outcome, Surroundings};
use crate::unknown::{HOLE, file_texts, is_known};

/// Functions of Python that take a program as a list.
const RUNS_LISTS: [&str; 5] = ["run", "call", "check_call", "check_output", "Popen"];

/// Names that show that evaluated code comes from a file or standard input: that only runs it.
const SOURCES_OF_CODE: &str = "stdin input open read read_text readFileSync";

/// The most work spent on one piece of code, counted in tokens and calls.
const MAX_WORK: usize = 20_000;

/// Notes what inline code of a language would touch.
pub(crate) fn scan(language: Language, code: &str, stdin: &Stdin, out: &mut Outcome) {
    out.authored = true;
    // A substitution may paste a file's text into the code, which may print it.
    out.actions.push(Action::Print(file_texts(code)));
    let mut follower = CallFollower { out, work: 0 };
    follower.code(&Code::new(code, language, stdin, 0));
    let writes = |action: &Action| matches!(action, Action::Write(..));
    if out.actions.iter().any(writes)
        && let Some(made) = replacements(language, code)
    {
        note_replacements(&made, out);
    }
}

/// Notes which replacements code makes in the files that it writes. Reading them is part of that.
fn note_replacements(made: &[TextChange], out: &mut Outcome) {
    out.actions.retain(|action| !matches!(action, Action::Read(_)));
    for action in &mut out.actions {
        if let Action::Write(path, written) = action {
            let here = made.iter().filter(|change| change.path() == path);
            written.changes = here.cloned().collect();
        }
    }
}

/// Follows the calls of a piece of code, and of the code that it runs.
struct CallFollower<'o> {
    out: &'o mut Outcome,
    work: usize,
}

impl CallFollower<'_> {
    /// Adds `cost` to the work done; returns whether it is still within the limit.
    fn step(&mut self, cost: usize) -> bool {
        self.work += cost;
        self.work <= MAX_WORK
    }

    fn code(&mut self, code: &Code<'_>) {
        for i in 0..code.tokens.len() {
            match &code.tokens[i] {
                Token::Shell(script) => {
                    self.out.script_in(script, Surroundings::fed(&Stdin::Inherited));
                }
                Token::Name(name) => {
                    self.follow_indirect(code, i, name);
                    for function in by_name(code.language, name) {
                        if !self.step(1) {
                            return self
                                .out
                                .actions
                                .push(Action::Unclear(Access::Read, Cause::Program));
                        }
                        if code.is_called(i, function) {
                            self.step(8);
                            self.follow(code, i, function.meaning);
                        }
                    }
                }
                Token::Text(_) | Token::Mark(_) => {}
            }
        }
    }

    /// Follows a call of a known function under another name.
    fn follow_indirect(&mut self, code: &Code<'_>, i: usize, name: &str) {
        let called = code.is(i + 1, '(');
        let meaning = |known: &str| {
            let mut meanings = by_name(code.language, known).map(|function| function.meaning);
            meanings.find(|meaning| *meaning != Meaning::Stdin)
        };
        if !called || !self.step(1) {
            return;
        }
        let first = || code.arguments(i).positional.first().map(|tokens| code.resolve(tokens, 0));
        match (code.language, name) {
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
                    let path = code.argument(&arguments, 1);
                    if member.contains("write") {
                        self.writes(&path);
                    } else {
                        self.reads(&path);
                    }
                }
            }
            // `call_user_func("readfile", "f")`
            (Language::Php, "call_user_func" | "call_user_func_array" | "array_map") => {
                if first().is_some_and(|function| meaning(&function).is_some()) {
                    let arguments = code.arguments(i).positional;
                    let words = arguments.get(1).map(|tokens| code.words(tokens));
                    for path in words.unwrap_or_default() {
                        self.reads(&path);
                    }
                }
            }
            // `$f = "readfile"; $f("f")`
            (Language::Php, _) if code.is(i.wrapping_sub(1), '$') => {
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

    /// Follows the call at `i` of a function that opens files or runs something.
    fn follow(&mut self, code: &Code<'_>, i: usize, meaning: Meaning) {
        let arguments = code.arguments(i);
        let path = |n: usize| code.argument(&arguments.positional, n);
        match meaning {
            Meaning::Read(n) | Meaning::Parse(n) | Meaning::Print(n) => {
                let names = ["file", "path", "filename", "files", "filenames"];
                let given = arguments.given(&names, n);
                let paths =
                    given.map_or_else(|| vec![HOLE.to_string()], |tokens| code.words(tokens));
                let in_place = arguments.keyword(&["inplace"]).is_some();
                let shown = match meaning {
                    Meaning::Read(_) => code.is_shown(i, Holds::Text),
                    Meaning::Parse(_) => code.is_shown(i, Holds::Object),
                    _ => true,
                };
                for path in paths.iter().filter(|path| !code.includes_code(i, path)) {
                    if in_place {
                        self.writes(path);
                    } else if shown {
                        self.reads(path);
                    }
                }
            }
            Meaning::Write(n) => {
                let named = arguments.keyword(&["file", "path", "con"]);
                let data = arguments.positional.get(usize::from(n == 0));
                if (named.is_some() || arguments.positional.len() > n) && !Code::is_computed(data) {
                    let path = named.map_or_else(|| path(n), |tokens| code.resolve(tokens, 0));
                    self.writes(&path);
                }
            }
            Meaning::Open(_) if code.opens_itself(i) => self.follow(code, i, Meaning::OpenSelf),
            Meaning::Open(n) => {
                let named = arguments.keyword(&["file", "path", "name"]);
                let path = named
                    .map_or_else(|| path(usize::from(n == 2)), |tokens| code.resolve(tokens, 0));
                self.opens(code, i, &path, arguments.given(&["mode"], n));
            }
            Meaning::ReadSelf => {
                if let Some(path) = code.receiver(i, &arguments.positional)
                    && code.is_shown(i, Holds::Text)
                {
                    self.reads(&path);
                }
            }
            Meaning::WriteSelf => {
                let binary = code.name_at(i).is_some_and(|name| name.contains("bytes"));
                if let Some(path) = code.receiver(i, &arguments.positional)
                    && !binary
                    && !Code::is_computed(arguments.positional.first())
                {
                    self.writes(&path);
                }
            }
            Meaning::OpenSelf => {
                if let Some(path) = code.receiver(i, &[]) {
                    self.opens(code, i, &path, arguments.given(&["mode"], 0));
                }
            }
            Meaning::CopyTo => {
                let (from, to) = (path(0), path(1));
                let stream =
                    to.contains("stdout") || to.starts_with("/dev/fd/") || to.starts_with("php://");
                let named =
                    (i..i + 12).any(|at| matches!(code.name_at(at), Some("stdout" | "STDOUT")));
                if stream || named {
                    self.reads(&from);
                }
            }
            Meaning::PerlOpen => self.perl_open(code, &arguments.positional),
            Meaning::Run(_) | Meaning::RunWords | Meaning::Stdin | Meaning::Evaluate => {
                self.follow_run(code, i, meaning, &arguments);
            }
        }
    }

    /// Follows a call of a function that runs a command or code, or reads standard input.
    fn follow_run(&mut self, code: &Code<'_>, i: usize, meaning: Meaning, arguments: &Arguments) {
        match meaning {
            Meaning::Run(n) => {
                let mut words = Vec::new();
                let mut given = arguments.positional.iter().skip(n);
                words.extend(given.next().into_iter().flat_map(|t| code.words(t)));
                // `spawn("cat", ["f"])`; an argument that is no list or object is a callback.
                if let Some(tokens) = given.next().filter(|t| t[0].is('[') || t[0].is('{')) {
                    words.extend(code.words(tokens));
                }
                // `subprocess.run([computed, "-i"])` names a program, not a script.
                let list = code.language == Language::Python
                    && arguments.keyword(&["shell"]).is_none()
                    && code.name_at(i).is_some_and(|name| RUNS_LISTS.contains(&name));
                if !list || words.first().is_some_and(|name| is_known(name)) {
                    self.runs(code, &words);
                }
            }
            Meaning::RunWords => {
                let words: Vec<String> =
                    arguments.positional.iter().flat_map(|tokens| code.words(tokens)).collect();
                self.runs(code, &words);
            }
            Meaning::Stdin if !code.is_shown(i, Holds::Text) => {}
            Meaning::Stdin => self.out.read_input(),
            Meaning::Evaluate => {
                let text = code.argument(&arguments.positional, 0);
                if arguments.positional.is_empty() {
                } else if is_known(&text) && code.depth < MAX_DEPTH {
                    let deeper = Code::new(&text, code.language, code.stdin, code.depth + 1);
                    self.code(&deeper);
                } else if !arguments.positional[0].iter().any(|t| t.is_name(SOURCES_OF_CODE)) {
                    self.out.actions.push(Action::Unclear(Access::Read, Cause::UnknownScript));
                }
            }
            _ => {}
        }
    }

    fn reads(&mut self, path: &str) {
        let path = match path.split_once("resource=") {
            Some((filter, path)) if filter.starts_with("php://filter") => path,
            _ => path.strip_prefix("file://").unwrap_or(path),
        };
        if path == "0" || path == "php://stdin" || path == "-" {
            self.out.read_input();
        } else if !path.starts_with("php://") && !path.starts_with("http") {
            self.out.read(path);
        }
    }

    fn writes(&mut self, path: &str) {
        if !path.starts_with("php://") && !matches!(path, "1" | "2") {
            self.out.write(path);
        }
    }

    fn opens(&mut self, code: &Code<'_>, i: usize, path: &str, mode: Option<&[Token]>) {
        if let Some(script) = path.strip_prefix('|') {
            self.out.script(script);
            return;
        }
        let mode = mode.map(|tokens| code.resolve_flags(tokens));
        let writes = mode.as_ref().is_some_and(|mode| {
            mode.contains(['w', 'a', 'x', '+', 'c']) && !mode.contains("O_RDONLY")
                || mode.contains("WR")
                || mode.contains("CREAT")
        });
        if writes {
            if !code.opens_for_computed(i, mode.as_deref().unwrap_or_default()) {
                self.writes(path);
            }
        } else if code.is_shown(i, Holds::Text) {
            self.reads(path);
        }
    }

    fn runs(&mut self, code: &Code<'_>, words: &[String]) {
        match words {
            [] => {}
            [script] => self.out.script_in(script, Surroundings::fed(code.stdin)),
            words => self.out.run(words, code.stdin),
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
            self.runs(code, &words);
        } else if mode.contains(['>', '+']) {
            self.writes(&path);
        } else {
            self.reads(&path);
        }
    }
}
