//! Interpreters: which of their words are code, and in which language.

use super::args::{Spec, parse};
use crate::code::Language;
use crate::effect::Cause;
use crate::shell::{Shell, Stdin, is_stdin};
use crate::unknown::{ANSWER, HOLE};

/// An interpreter as data.
struct Interpreter {
    names: &'static [&'static str],
    language: Language,
    /// Options whose value is code.
    code: &'static [&'static str],
    /// Other options with a value.
    short: &'static str,
    long: &'static [&'static str],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["python", "pypy", "ipython", "bpython", "micropython", "jython"],
        language: Language::Python,
        code: &["c"],
        short: "WXQ",
        long: &["check-hash-based-pycs"],
    },
    Interpreter {
        names: &["node", "nodejs", "tsx", "ts-node", "bun", "deno", "qjs", "esno", "jiti"],
        language: Language::JavaScript,
        code: &["e", "p", "eval", "print"],
        short: "rC",
        long: &["require", "import", "loader", "input-type", "conditions", "env-file"],
    },
    Interpreter {
        names: &["jrunscript", "jjs", "osascript", "d8", "rhino"],
        language: Language::JavaScript,
        code: &["e"],
        short: "lf",
        long: &[],
    },
    Interpreter {
        names: &["php"],
        language: Language::Php,
        code: &["r", "R", "B", "E", "run", "process-code"],
        short: "cdfFzSt",
        long: &["file", "define", "php-ini"],
    },
    Interpreter {
        names: &["lua", "luajit", "luau", "texlua"],
        language: Language::Lua,
        code: &["e"],
        short: "l",
        long: &[],
    },
    Interpreter {
        names: &["rscript", "r", "julia", "littler"],
        language: Language::R,
        code: &["e", "E", "eval", "print"],
        short: "gLp",
        long: &["project"],
    },
    Interpreter {
        names: &["tclsh", "expect", "wish"],
        language: Language::Tcl,
        code: &["c"],
        short: "f",
        long: &[],
    },
    Interpreter {
        names: &["guile", "racket", "clojure", "clj", "bb", "sbcl", "csi", "chez"],
        language: Language::Lisp,
        code: &["c", "e", "eval"],
        short: "ls",
        long: &[],
    },
    Interpreter {
        names: &["elixir", "crystal", "iex"],
        language: Language::Ruby,
        code: &["e", "eval"],
        short: "rpS",
        long: &[],
    },
    Interpreter {
        names: &[
            "scala",
            "groovy",
            "swift",
            "ghc",
            "runghc",
            "ocaml",
            "octave",
            "gnuplot",
            "pwsh",
            "powershell",
            "kotlin",
            "jshell",
            "erl",
            "raku",
            "dc",
            "awkward",
        ],
        language: Language::Other,
        code: &["e", "c", "eval", "Command", "command"],
        short: "f",
        long: &[],
    },
];

/// The language that a program of this name runs.
pub fn language(name: &str) -> Option<Language> {
    let name = plain_name(name);
    match name.as_str() {
        "perl" => Some(Language::Perl),
        "ruby" | "jruby" => Some(Language::Ruby),
        "emacs" => Some(Language::Lisp),
        _ => find(&name).map(|found| found.language),
    }
}

/// A name in lower case and without its version: `python3.12` is `python`.
fn plain_name(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-').to_owned()
}

fn find(name: &str) -> Option<&'static Interpreter> {
    INTERPRETERS.iter().find(|row| row.names.contains(&name))
}

/// Modules of Python that print a file.
const PRINTING_MODULES: [&str; 11] = [
    "json.tool",
    "base64",
    "tokenize",
    "ast",
    "fileinput",
    "quopri",
    "pygments",
    "rich.syntax",
    "rich.markdown",
    "uu",
    "inspect",
];

impl Shell<'_> {
    /// Runs an interpreter; `None` if the name is not one.
    pub(super) fn interpreter(
        &mut self,
        name: &str,
        words: &[String],
        stdin: &Stdin,
    ) -> Option<String> {
        let plain = plain_name(name);
        match plain.as_str() {
            "perl" | "ruby" | "jruby" => return self.line_interpreter(&plain, words, stdin),
            _ => {
                let row = find(&plain)?;
                let words = match words.split_first() {
                    // `deno eval CODE`, `bun run FILE`.
                    Some((first, rest))
                        if matches!(plain.as_str(), "deno" | "crystal") && first == "eval" =>
                    {
                        let rest: Vec<String> = std::iter::once("-e".to_owned())
                            .chain(rest.iter().filter(|w| !w.starts_with('-')).cloned())
                            .collect();
                        rest
                    }
                    Some((first, rest))
                        if matches!(plain.as_str(), "deno" | "bun") && first == "run" =>
                    {
                        rest.to_vec()
                    }
                    _ => words.to_vec(),
                };
                self.run_interpreter(row, &plain, &words, stdin);
            }
        }
        Some(ANSWER.to_string())
    }

    /// Notes what code would touch, given the name of its interpreter.
    pub(crate) fn code_text(&mut self, name: &str, code: &str, stdin: &Stdin) {
        if let Some(language) = language(name) {
            self.scan_code(language, name, code, stdin, 0);
        }
    }

    fn run_interpreter(&mut self, row: &Interpreter, name: &str, words: &[String], stdin: &Stdin) {
        let mut short: String = row.short.to_owned();
        short.extend(row.code.iter().filter(|option| option.len() == 1).copied());
        if name == "python" {
            short.push('m');
        }
        let mut long: Vec<&str> = row.long.to_vec();
        long.extend(row.code.iter().filter(|option| option.len() > 1).copied());
        let single_dash = matches!(name, "erl" | "osascript" | "pwsh" | "powershell");
        let spec = Spec { short: &short, long: &long, strict: true, single_dash };
        // `node -pe CODE`: both letters mean the same code.
        let words: Vec<String> = words
            .iter()
            .map(|word| {
                if word == "-pe" && row.language == Language::JavaScript {
                    "-e".to_owned()
                } else {
                    word.clone()
                }
            })
            .collect();
        let parsed = parse(&words, &spec);
        let code: Vec<String> = parsed.values(row.code).map(str::to_owned).collect();
        // What follows `-m` or `-c` is for the module or the code.
        let decides = parsed.options.iter().find(|(option, _)| option == "m" || option == "c");
        if name == "python"
            && let Some((_, Some(module))) = decides.filter(|(option, _)| option == "m")
        {
            let at = words.iter().position(|word| {
                word == module || (word.starts_with('-') && word.ends_with(module.as_str()))
            });
            let rest = at.and_then(|at| words.get(at + 1..)).unwrap_or(&[]);
            self.python_module(module, rest, stdin);
            return;
        }
        for code in &code {
            self.scan_code(row.language, name, code, stdin, 0);
        }
        if !code.is_empty() {
            return;
        }
        match parsed.operands.first() {
            Some(path) if !is_stdin(path) => {
                let text = self.pipes.get(path).cloned().or_else(|| self.made_text(path));
                match text {
                    Some(text) => self.scan_code(row.language, name, &text, stdin, 0),
                    None if name == "php" && !is_php(path) => {
                        // Text outside of `<?php` is printed as it is.
                        self.reads(path, name, Cause::Program);
                    }
                    None => {}
                }
            }
            _ => {
                if let Stdin::Text(text) = stdin {
                    let text = text.clone();
                    self.scan_code(row.language, name, &text, &Stdin::Inherited, 0);
                }
            }
        }
    }

    fn python_module(&mut self, module: &str, operands: &[String], stdin: &Stdin) {
        if module == "timeit" {
            let parsed =
                parse(operands, &Spec::new("nrsu", &["number", "repeat", "setup", "unit"]));
            for code in
                parsed.values(&["s", "setup"]).chain(parsed.operands.iter().map(String::as_str))
            {
                self.scan_code(Language::Python, "python", code, stdin, 0);
            }
            return;
        }
        if !PRINTING_MODULES.contains(&module) {
            return;
        }
        let by = format!("python -m {module}");
        let short = if module == "pygments" { "lfOPoSFNa" } else { "" };
        let long = ["indent", "mode", "feature-version", "theme", "width"];
        let parsed = parse(operands, &Spec::new(short, &long));
        let mut files = parsed.operands.iter();
        match files.next() {
            Some(path) if !is_stdin(path) => self.reads(path, &by, Cause::Program),
            _ => self.reads_stdin(stdin, &by, Cause::Program),
        }
        if module == "json.tool"
            && let Some(path) = files.next()
        {
            self.writes(path, &by, Cause::Program, &HOLE.to_string());
        }
    }

    /// Perl and Ruby, which can loop over the lines of their operands.
    fn line_interpreter(&mut self, name: &str, words: &[String], stdin: &Stdin) -> Option<String> {
        let language = language(name)?;
        let lines = Lines::parse(words, language);
        for code in &lines.code {
            self.scan_code(language, name, code, stdin, 0);
        }
        if lines.checks {
            return Some(ANSWER.to_string());
        }
        let reads_operands = lines.code.iter().any(|code| {
            ["<>", "<<>>", "<ARGV>", "ARGF", "$<", "@ARGV"].iter().any(|mark| code.contains(mark))
                || (language == Language::Ruby && code.contains("gets") && !code.contains("STDIN"))
        });
        let inline = !lines.code.is_empty();
        if lines.loops || (inline && (reads_operands || lines.in_place)) {
            if lines.operands.is_empty() {
                self.reads_stdin(stdin, name, Cause::Code);
                if reads_operands && lines.code.iter().any(|code| code.contains("ARGV")) {
                    self.assigned_operands(&lines.code, name, language);
                }
            }
            for path in &lines.operands {
                if is_stdin(path) {
                    self.reads_stdin(stdin, name, Cause::Code);
                } else if lines.in_place {
                    self.writes(path, name, Cause::Program, &HOLE.to_string());
                } else {
                    self.reads(path, name, Cause::Program);
                }
            }
        }
        if !inline {
            match lines.operands.first() {
                Some(path) if !is_stdin(path) => {
                    let text = self.pipes.get(path).cloned().or_else(|| self.made_text(path));
                    if let Some(text) = text {
                        self.scan_code(language, name, &text, stdin, 0);
                    }
                }
                _ => {
                    if let Stdin::Text(text) = stdin {
                        let text = text.clone();
                        self.scan_code(language, name, &text, &Stdin::Inherited, 0);
                    }
                }
            }
        }
        Some(ANSWER.to_string())
    }

    /// `@ARGV = ("f"); print <>`: the strings of the code are its operands.
    fn assigned_operands(&mut self, code: &[String], name: &str, language: Language) {
        use crate::code::tokens::{Token, tokens};
        for code in code.iter().filter(|code| code.contains("@ARGV")) {
            for token in tokens(code, language) {
                if let Token::Text(text) = token
                    && !text.is_empty()
                    && !text.contains(['\n', ' '])
                {
                    self.reads(&text, name, Cause::Code);
                }
            }
        }
    }
}

fn is_php(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".php", ".phar", ".phtml", ".inc"].iter().any(|suffix| name.ends_with(suffix))
        || !name.contains('.')
}

/// The command line of Perl and Ruby.
#[derive(Default)]
struct Lines {
    code: Vec<String>,
    operands: Vec<String>,
    /// `-n` or `-p`.
    loops: bool,
    /// `-i`.
    in_place: bool,
    /// `-c`: the code is only checked.
    checks: bool,
}

impl Lines {
    fn parse(words: &[String], language: Language) -> Self {
        let mut out = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(cluster) = word.strip_prefix('-').filter(|c| !c.is_empty()) else {
                out.operands.push(word.clone());
                out.operands.extend(words.cloned());
                break;
            };
            if cluster == "-" {
                out.operands.extend(words.cloned());
                break;
            }
            if cluster.starts_with('-') {
                continue;
            }
            for (i, letter) in cluster.char_indices() {
                let rest = &cluster[i + letter.len_utf8()..];
                match letter {
                    'n' | 'p' => out.loops = true,
                    'i' => {
                        out.in_place = true;
                        break;
                    }
                    'e' | 'E' if language == Language::Perl || letter == 'e' => {
                        let code = if rest.is_empty() {
                            words.next().cloned()
                        } else {
                            Some(rest.to_owned())
                        };
                        out.code.extend(code);
                        break;
                    }
                    'c' => out.checks = true,
                    'M' | 'm' | 'I' | 'r' | 'C' | 'F' | 'x' | 'D' | 'E' => {
                        if rest.is_empty() && matches!(letter, 'I' | 'r') {
                            words.next();
                        }
                        break;
                    }
                    // Digits may follow `0` and `l`, and letters after them.
                    _ => {}
                }
            }
        }
        // Without code the first operand is a program.
        if out.code.is_empty() && (out.loops || out.in_place) && !out.operands.is_empty() {
            out.code.push(out.operands.remove(0));
        }
        out
    }
}
