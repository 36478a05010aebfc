//! Interpreters: which of their words are code, and in which language it is.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Call;
use super::args::{Parsed, Spec, first, options, parse};
use super::sed::SedCall;
use crate::code::{Language, scan};
use crate::known::{Stdin, is_stdin};
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

/// Interpreters by name; a map, because every command that is not in the table is looked up.
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

/// Whether this is the name of an interpreter.
pub(super) fn is_interpreter(name: &str) -> bool {
    let plain = plain_name(name);
    has_word(POWERSHELLS, &plain) || find(&plain).is_some()
}

/// What an interpreter does; `None` if the name is not one.
pub(super) fn interpreter(call: &Call<'_>) -> Option<Outcome> {
    let mut out = Outcome::default();
    let plain = plain_name(call.name);
    if has_word(POWERSHELLS, &plain) {
        powershell(call, &mut out);
        return Some(out);
    }
    let row = find(&plain)?;
    if has_word(LINE_INTERPRETERS, &plain) {
        line_interpreter(row, call, &mut out);
        return Some(out);
    }
    let mut words: Vec<String> = match call.words.split_first() {
        // `deno eval CODE`, `bun run FILE`.
        Some((first, rest)) if matches!(&*plain, "deno" | "crystal") && first == "eval" => {
            let code = rest.iter().filter(|word| !word.starts_with('-')).cloned();
            std::iter::once("-e".to_owned()).chain(code).collect()
        }
        Some((first, rest)) if matches!(&*plain, "deno" | "bun") && first == "run" => rest.to_vec(),
        _ => call.words.to_vec(),
    };
    // `node -pe CODE`: both letters mean the same code.
    words.iter_mut().filter(|word| *word == "-pe").for_each(|word| word.truncate(2));
    let Call { stdin, known, .. } = *call;
    let plain_call = Call { name: &plain, words: &words, parsed: Parsed::default(), stdin, known };
    run_interpreter(row, &plain_call, &mut out);
    Some(out)
}

fn run_interpreter(row: &Interpreter, call: &Call<'_>, out: &mut Outcome) {
    let Call { name, words, stdin, .. } = *call;
    let mut short: String = row.short.to_owned();
    short.extend(row.code.split(' ').filter(|option| option.len() == 1));
    if name == "python" {
        short.push('m');
    }
    let single_dash = matches!(name, "erl" | "osascript");
    let long = format!("{} {}", row.long, row.code);
    let parsed = parse(words, &Spec { single_dash, ..first(&short, &long) });
    // Words after `-m NAME` or `-c CODE` belong to the module or the code.
    let decides = parsed.options.iter().find(|(option, _)| matches!(*option, "m" | "c"));
    if name == "python"
        && let Some(("m", Some(module))) = decides
    {
        let names =
            |word: &String| word == module || (word.starts_with('-') && word.ends_with(module));
        let at = words.iter().position(names).map_or(words.len(), |at| at + 1);
        return python_module(module, &words[at..], stdin, out);
    }
    let mut inline = false;
    for (option, code) in &parsed.options {
        let Some(code) = code.filter(|_| has_word(row.code, option)) else { continue };
        let printed = format!("console.log({code}\n)");
        let prints = has_word("p print", option) && row.language == Language::JavaScript;
        scan(row.language, if prints { &printed } else { code }, stdin, out);
        inline = true;
    }
    if inline {
        return;
    }
    if let Some(path) = scan_program(row.language, &parsed.operands, call, out) {
        // Text outside of `<?php` is printed as it is.
        if name == "php" && !is_php(path) {
            out.read(path);
        } else {
            framework_shell(&parsed.operands, row.language, stdin, out);
        }
    }
}

/// Scans a program that this command wrote or that comes from standard input; returns the path of
/// any other program.
fn scan_program<'p>(
    language: Language,
    operands: &'p [String],
    call: &Call<'_>,
    out: &mut Outcome,
) -> Option<&'p String> {
    let Some(path) = operands.first().filter(|path| !is_stdin(path)) else {
        scan(language, call.stdin.text()?, &Stdin::Inherited, out);
        return None;
    };
    let Some(text) = call.known.text_at(path) else { return Some(path) };
    scan(language, &text, call.stdin, out);
    None
}

/// Scans the code in `python manage.py shell -c CODE`.
fn framework_shell(words: &[String], language: Language, stdin: &Stdin, out: &mut Outcome) {
    if let [script, verb, rest @ ..] = words
        && verb.starts_with("shell")
        && script.ends_with("manage.py")
    {
        for code in parse(rest, &options("ci", "command interface")).values("c command") {
            scan(language, code, stdin, out);
        }
    }
}

/// Scans the code in `rails runner CODE` and `mix run -e CODE`.
pub(super) fn runner(call: &Call<'_>, out: &mut Outcome) {
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

/// Scans the code that `go run FILE` runs, if this command wrote the file.
pub(super) fn go(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.operands.first().is_some_and(|verb| verb == "run") {
        for path in &call.parsed.operands[1..] {
            if let Some(text) = call.known.text_at(path) {
                scan(Language::Other, &text, call.stdin, out);
            }
        }
    }
}

/// Follows the script of PowerShell, which ignores the case of options and takes all words after
/// `-Command` as code.
fn powershell(call: &Call<'_>, out: &mut Outcome) {
    let Call { words, stdin, .. } = *call;
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

/// Notes what Perl and Ruby do, which can loop over the lines of their operands.
fn line_interpreter(row: &Interpreter, call: &Call<'_>, out: &mut Outcome) {
    let perl = row.language == Language::Perl;
    // Perl runs the value of `-E` as well; to Ruby it is an encoding.
    let (letters, attached) = if perl { ("eEIr", "iMmCFxD") } else { ("eIr", "iMmCFxDE") };
    let parsed = parse(call.words, &Spec { attached, ..first(letters, "") });
    let (loops, in_place) = (parsed.has("n p"), parsed.has("i"));
    let mut code: Vec<&str> = parsed.values(row.code).collect();
    let mut operands = &*parsed.operands;
    // Without code the first operand is a program.
    if (loops || in_place)
        && code.is_empty()
        && let Some((program, rest)) = operands.split_first()
    {
        code.push(program);
        operands = rest;
    }
    for code in &code {
        scan(row.language, code, call.stdin, out);
    }
    // With `-c` the code is only checked.
    if parsed.has("c") {
        return;
    }
    let reads_operands = code.iter().any(|code| {
        ["<>", "<<>>", "<ARGV>", "ARGF", "$<", "@ARGV"].iter().any(|mark| code.contains(mark))
            || (!perl && code.contains("gets") && !code.contains("STDIN"))
    });
    if code.is_empty() {
        scan_program(row.language, operands, call, out);
    } else if loops || reads_operands || in_place {
        // `-0` and `-l` change what a line is, and `-i.bak` writes copies: none of them is plain.
        let plain = |(name, value): &(&str, Option<&str>)| match *name {
            "i" => *value == Some(""),
            name => value.is_some() || name.len() > 1 || has_word("n p c e E I r", name),
        };
        let written = match code.as_slice() {
            [code] if perl && parsed.has("p") && parsed.options.iter().all(plain) => {
                SedCall::of_perl(code)
            }
            _ => None,
        };
        if operands.is_empty() {
            out.read_input();
        }
        out.read_or_edit(operands, in_place, &written.unwrap_or_default());
    }
}

fn is_php(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [".php", ".phar", ".phtml", ".inc"].iter().any(|suffix| name.ends_with(suffix))
        || !name.contains('.')
}
