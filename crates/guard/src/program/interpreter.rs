//! Interpreters: which of their words are code, and in which language.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Call;
use super::args::{Spec, first, options, parse};
use super::sed::SedCall;
use crate::code::{Language, scan};
use crate::known::{Known, Stdin, is_stdin};
use crate::outcome::{Outcome, Surroundings};
use crate::settings::ShellKind;
use crate::word::has_word;

/// An interpreter as data.
struct Interpreter {
    language: Language,
    names: &'static str,
    /// Options whose value is code.
    code: &'static str,
    /// Other options with a value.
    short: &'static str,
    long: &'static str,
}

/// Rows: language, names, options with code, other short options with a value, other long ones.
macro_rules! interpreters {
    ($($language:ident: $names:literal => $code:literal, $short:literal, $long:literal;)*) => {
        &[$(Interpreter {
            language: Language::$language,
            names: $names,
            code: $code,
            short: $short,
            long: $long,
        },)*]
    };
}

const INTERPRETERS: &[Interpreter] = interpreters! {
    Python: "python pypy ipython bpython micropython jython" => "c", "WXQ", "check-hash-based-pycs";
    JavaScript: "node nodejs tsx ts-node bun deno qjs esno jiti"
        => "e p eval print", "rC", "require import loader input-type conditions env-file";
    JavaScript: "jrunscript jjs osascript d8 rhino" => "e", "lf", "";
    Php: "php" => "r R B E run process-code", "cdfFzSt", "file define php-ini";
    Lua: "lua luajit luau texlua" => "e", "l", "";
    R: "rscript r julia littler" => "e E eval print", "gLp", "project";
    Tcl: "tclsh expect wish" => "c", "f", "";
    Lisp: "guile racket clojure clj bb sbcl csi chez" => "c e eval", "ls", "";
    Perl: "perl" => "e E", "Ir", "";
    Ruby: "ruby jruby" => "e", "Ir", "";
    Ruby: "elixir crystal iex" => "e eval", "rpS", "";
    Other: "scala groovy swift ghc runghc ocaml octave gnuplot kotlin jshell erl raku dc awkward"
        => "e c eval", "f", "";
};

/// The language that a program of this name runs.
pub(crate) fn language(name: &str) -> Option<Language> {
    find(&plain_name(name)).map(|found| found.language)
}

/// A name in lower case and without its version: `python3.12` is `python`.
fn plain_name(name: &str) -> Cow<'_, str> {
    let plain = |name: &str| {
        let name = name.strip_suffix(".exe").unwrap_or(name);
        name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-').len()
    };
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        let mut lower = name.to_ascii_lowercase();
        lower.truncate(plain(&lower));
        return Cow::Owned(lower);
    }
    Cow::Borrowed(&name[..plain(name)])
}

/// Every command that is no known program is looked up here.
static BY_NAME: LazyLock<HashMap<&str, &Interpreter>> = LazyLock::new(|| {
    let rows = INTERPRETERS.iter();
    rows.flat_map(|row| row.names.split(' ').map(move |name| (name, row))).collect()
});

fn find(name: &str) -> Option<&'static Interpreter> {
    BY_NAME.get(name).copied()
}

/// Modules of Python that print a file.
const PRINTING_MODULES: [&str; 11] = [
    "json.tool", "base64", "tokenize", "ast", "fileinput", "quopri", "pygments", "rich.syntax",
    "rich.markdown", "uu", "inspect",
];

/// Interpreters that can loop over the lines of their operands.
const LINE_INTERPRETERS: &str = "perl ruby jruby";
const POWERSHELLS: &str = "pwsh powershell";

/// Whether a name is an interpreter's.
pub(super) fn is_interpreter(name: &str) -> bool {
    let plain = plain_name(name);
    has_word(POWERSHELLS, &plain) || find(&plain).is_some()
}

/// What an interpreter does; `None` if the name is not one.
pub(super) fn interpreter(
    name: &str,
    words: &[String],
    stdin: &Stdin,
    known: &Known<'_>,
) -> Option<Outcome> {
    let mut out = Outcome::default();
    let plain = plain_name(name);
    if has_word(POWERSHELLS, &plain) {
        powershell(words, stdin, &mut out);
        return Some(out);
    }
    let row = find(&plain)?;
    if has_word(LINE_INTERPRETERS, &plain) {
        line_interpreter(row, words, stdin, known, &mut out);
        return Some(out);
    }
    let words = match words.split_first() {
        // `deno eval CODE`, `bun run FILE`.
        Some((first, rest)) if matches!(&*plain, "deno" | "crystal") && first == "eval" => {
            let code = rest.iter().filter(|word| !word.starts_with('-')).cloned();
            std::iter::once("-e".to_owned()).chain(code).collect()
        }
        Some((first, rest)) if matches!(&*plain, "deno" | "bun") && first == "run" => rest.to_vec(),
        _ => words.to_vec(),
    };
    run_interpreter(row, &plain, &words, stdin, known, &mut out);
    Some(out)
}

fn run_interpreter(
    row: &Interpreter,
    name: &str,
    words: &[String],
    stdin: &Stdin,
    known: &Known<'_>,
    out: &mut Outcome,
) {
    let mut short: String = row.short.to_owned();
    short.extend(row.code.split(' ').filter(|option| option.len() == 1));
    if name == "python" {
        short.push('m');
    }
    let single_dash = matches!(name, "erl" | "osascript");
    let long = format!("{} {}", row.long, row.code);
    let spec = Spec { single_dash, ..first(&short, &long) };
    // `node -pe CODE`: both letters mean the same code.
    let words: Vec<String> = words
        .iter()
        .map(|word| if word == "-pe" { "-p".to_owned() } else { word.clone() })
        .collect();
    let parsed = parse(&words, &spec);
    // What follows `-m` or `-c` is for the module or the code.
    let decides = parsed.options.iter().find(|(option, _)| matches!(*option, "m" | "c"));
    if name == "python"
        && let Some((_, Some(module))) = decides.filter(|(option, _)| *option == "m")
    {
        let at = words
            .iter()
            .position(|word| word == module || (word.starts_with('-') && word.ends_with(module)));
        let rest = at.and_then(|at| words.get(at + 1..)).unwrap_or(&[]);
        python_module(module, rest, stdin, out);
        return;
    }
    let printed = parsed.values("p print").map(|code| (code, true));
    let quiet: Vec<&str> =
        row.code.split(' ').filter(|option| !matches!(*option, "p" | "print")).collect();
    let quiet = quiet.join(" ");
    let run = parsed.values(&quiet).map(|code| (code, false));
    let code: Vec<(&str, bool)> = printed.chain(run).collect();
    for (code, printed) in &code {
        let wrapped = format!("console.log({code}\n)");
        let prints = *printed && row.language == Language::JavaScript;
        scan(row.language, if prints { &wrapped } else { code }, stdin, out);
    }
    if !code.is_empty() {
        return;
    }
    match parsed.operands.first() {
        Some(path) if !is_stdin(path) => match known.text_at(path) {
            Some(text) => scan(row.language, &text, stdin, out),
            // Text outside of `<?php` is printed as it is.
            None if name == "php" && !is_php(path) => out.read(path),
            None => framework_shell(path, &parsed.operands[1..], row.language, stdin, out),
        },
        _ => {
            if let Some(text) = stdin.text() {
                scan(row.language, text, &Stdin::Inherited, out);
            }
        }
    }
}

/// `python manage.py shell -c CODE`.
fn framework_shell(
    script: &str,
    words: &[String],
    language: Language,
    stdin: &Stdin,
    out: &mut Outcome,
) {
    if let [verb, rest @ ..] = words
        && verb.starts_with("shell")
        && script.ends_with("manage.py")
    {
        let parsed = parse(rest, &options("ci", "command interface"));
        for code in parsed.values("c command") {
            scan(language, code, stdin, out);
        }
    }
}

/// `rails runner CODE` and `mix run -e CODE`.
pub(super) fn runner(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let operands = &call.parsed.operands;
    let Some((verb, rest)) = operands.split_first() else { return };
    let inline = match (call.name, verb.as_str()) {
        ("rails", "runner" | "r") => rest.first().map(String::as_str),
        ("mix", "run") => call.parsed.value("e eval"),
        _ => None,
    };
    if let Some(code) = inline {
        scan(Language::Ruby, code, call.stdin, out);
    }
}

/// `go run FILE` of a file that this command made.
pub(super) fn go(call: &Call<'_>, known: &Known<'_>, out: &mut Outcome) {
    if call.parsed.operands.first().is_some_and(|verb| verb == "run") {
        for path in &call.parsed.operands[1..] {
            if let Some(text) = known.text_at(path) {
                scan(Language::Other, &text, call.stdin, out);
            }
        }
    }
}

/// PowerShell, whose options have any case and whose code is the rest of the words.
fn powershell(words: &[String], stdin: &Stdin, out: &mut Outcome) {
    let at = words.iter().position(|word| {
        let option = word.to_ascii_lowercase();
        option == "-c" || (option.len() > 3 && "-command".starts_with(&option))
    });
    let code = match at {
        Some(at) => words[at + 1..].join(" "),
        None if words.iter().all(|word| word.starts_with('-')) => {
            stdin.text().unwrap_or_default().to_owned()
        }
        None if words.first().is_some_and(|word| !word.starts_with('-')) => words.join(" "),
        None => return,
    };
    let surroundings = Surroundings { shell: ShellKind::PowerShell, ..Surroundings::on(stdin) };
    out.script_in(&code, surroundings);
}

fn python_module(module: &str, operands: &[String], stdin: &Stdin, out: &mut Outcome) {
    if module == "timeit" {
        let parsed = parse(operands, &options("nrsu", "number repeat setup unit"));
        let code = parsed.values("s setup").chain(parsed.operands.iter().map(String::as_str));
        for code in code {
            scan(Language::Python, code, stdin, out);
        }
        return;
    }
    if !PRINTING_MODULES.contains(&module) {
        return;
    }
    out.by = Some(format!("python -m {module}"));
    let short = if module == "pygments" { "lfOPoSFNa" } else { "" };
    let parsed = parse(operands, &options(short, "indent mode feature-version theme width"));
    let mut files = parsed.operands.iter();
    match files.next() {
        Some(path) => out.read(path),
        None => out.read_input(),
    }
    if module == "json.tool"
        && let Some(path) = files.next()
    {
        out.write(path);
    }
}

/// Perl and Ruby, which can loop over the lines of their operands.
fn line_interpreter(
    row: &Interpreter,
    words: &[String],
    stdin: &Stdin,
    known: &Known<'_>,
    out: &mut Outcome,
) {
    let language = row.language;
    let lines = LineOptions::parse(words, row);
    for code in &lines.code {
        scan(language, code, stdin, out);
    }
    if lines.checks {
        return;
    }
    let reads_operands = lines.code.iter().any(|code| {
        ["<>", "<<>>", "<ARGV>", "ARGF", "$<", "@ARGV"].iter().any(|mark| code.contains(mark))
            || (language == Language::Ruby && code.contains("gets") && !code.contains("STDIN"))
    });
    let inline = !lines.code.is_empty();
    if lines.loops || (inline && (reads_operands || lines.in_place)) {
        if lines.operands.is_empty() {
            out.read_input();
        }
        // `perl -pi.bak` keeps copies, and those are files too.
        let written = match lines.code.as_slice() {
            [code]
                if language == Language::Perl
                    && lines.prints
                    && !lines.keeps_copies
                    && !lines.other =>
            {
                SedCall::of_perl(code)
            }
            _ => None,
        };
        for path in &lines.operands {
            if lines.in_place && !is_stdin(path) {
                out.write_known(path, written.clone().unwrap_or_default());
            } else {
                out.read(path);
            }
        }
    }
    if !inline {
        match lines.operands.first() {
            Some(path) if !is_stdin(path) => {
                if let Some(text) = known.text_at(path) {
                    scan(language, &text, stdin, out);
                }
            }
            _ => {
                if let Some(text) = stdin.text() {
                    scan(language, text, &Stdin::Inherited, out);
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
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
struct LineOptions {
    code: Vec<String>,
    operands: Vec<String>,
    /// `-n` or `-p`.
    loops: bool,
    /// `-p`.
    prints: bool,
    /// `-i`.
    in_place: bool,
    /// `-i.bak`.
    keeps_copies: bool,
    /// Options that may change what a line is.
    other: bool,
    /// `-c`: the code is only checked.
    checks: bool,
}

impl LineOptions {
    fn parse(words: &[String], row: &Interpreter) -> Self {
        // Perl runs the value of `-E` as well; to Ruby it is an encoding.
        let (letters, attached) =
            if row.language == Language::Perl { ("eEIr", "iMmCFxD") } else { ("eIr", "iMmCFxDE") };
        let parsed = parse(words, &Spec { attached, ..first(letters, "") });
        let mut out = Self {
            code: parsed.values(row.code).map(str::to_owned).collect(),
            operands: parsed.operands.to_vec(),
            loops: parsed.has("n p"),
            prints: parsed.has("p"),
            in_place: parsed.has("i"),
            keeps_copies: parsed.value("i").is_some_and(|suffix| !suffix.is_empty()),
            // Digits may follow `0` and `l`, and letters after them.
            other: parsed.options.iter().any(|(name, value)| {
                name.len() == 1 && value.is_none() && !has_word("n p c e E I r", name)
            }),
            checks: parsed.has("c"),
        };
        // Without code the first operand is a program.
        if out.code.is_empty() && (out.loops || out.in_place) && !out.operands.is_empty() {
            out.code.push(out.operands.remove(0));
        }
        out
    }
}
