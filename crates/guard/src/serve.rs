//! The request that gives what a plain read would have printed.
//!
//! Only a command that is nothing but one read qualifies: `cat a b`, `head -n 20 f`,
//! `sed -n 5,9p f`, `grep -n x f`, also after `cd dir &&`. Anything with a pipe, a glob or an
//! option we cannot express is answered by a refusal alone.

use std::fmt::Write;

use super::ast::{Atom, Command, RedirectKind, Simple};
use super::policy::{Context, Policy, Zone};
use super::program::args::{Parsed, Spec, parse};
use super::settings::GuardSettings;
use super::shell::Shell;
use super::unknown::is_known;
use super::verdict::json;

/// A request to the read or grep tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Serve {
    /// Lines of files.
    Read(Vec<ReadPath>),
    /// Matches in files.
    Grep(GrepRequest),
}

/// One file of a read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadPath {
    /// The file, relative to the workspace where it lies inside.
    pub path: String,
    /// The first line; negative counts from the end, so `-5` is the last five lines.
    pub offset: Option<i64>,
    /// How many lines.
    pub limit: Option<u64>,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepRequest {
    /// The pattern.
    pub pattern: String,
    /// Files and directories.
    pub paths: Vec<String>,
    /// Whether the pattern is plain text.
    pub literal: bool,
    /// Whether case matters.
    pub case_sensitive: bool,
    /// Lines of context before a match.
    pub context_before: u64,
    /// Lines of context after a match.
    pub context_after: u64,
}

impl Serve {
    /// The tool that takes the request.
    pub fn tool(&self) -> &'static str {
        match self {
            Self::Read(_) => "read",
            Self::Grep(_) => "grep",
        }
    }

    /// The call as the model would make it.
    pub fn call(&self) -> String {
        match self {
            Self::Read(paths) => match paths.as_slice() {
                [one] => format!("read {}", one.json()),
                many => {
                    let list: Vec<String> = many.iter().map(ReadPath::json).collect();
                    format!("read {{\"paths\":[{}]}}", list.join(","))
                }
            },
            Self::Grep(request) => format!("grep {}", request.json()),
        }
    }
}

impl ReadPath {
    fn json(&self) -> String {
        let mut out = format!("{{\"path\":{}", json(&self.path));
        if let Some(offset) = self.offset {
            write!(out, ",\"offset\":{offset}").expect(INFALLIBLE);
        }
        if let Some(limit) = self.limit {
            write!(out, ",\"limit\":{limit}").expect(INFALLIBLE);
        }
        out + "}"
    }
}

impl GrepRequest {
    fn json(&self) -> String {
        let paths: Vec<String> = self.paths.iter().map(|path| json(path)).collect();
        let mut out =
            format!("{{\"pattern\":{},\"paths\":[{}]", json(&self.pattern), paths.join(","));
        if self.literal {
            out += ",\"literal\":true";
        }
        if !self.case_sensitive {
            out += ",\"caseSensitive\":false";
        }
        if self.context_before > 0 {
            write!(out, ",\"contextBefore\":{}", self.context_before).expect(INFALLIBLE);
        }
        if self.context_after > 0 {
            write!(out, ",\"contextAfter\":{}", self.context_after).expect(INFALLIBLE);
        }
        out + "}"
    }
}

const INFALLIBLE: &str = "writing to a string cannot fail";

/// A read of more files than this is not what a tool call is for.
const MAX_FILES: usize = 64;

/// The request that a whole script amounts to, if it is one plain read.
pub(crate) fn plain(
    script: &Command,
    context: &Context,
    settings: &GuardSettings,
    policy: &Policy,
) -> Option<Serve> {
    let mut steps = Vec::new();
    flatten(script, &mut steps)?;
    let (last, before) = steps.split_last()?;
    let mut shell = Shell::new(policy, context, settings);
    for step in before {
        let words = literal_words(&mut shell, step)?;
        match words.as_slice() {
            [name, _] if name == "cd" && step.redirects.is_empty() => {
                shell.invoke(&words, &super::shell::Stdin::Inherited);
            }
            _ => return None,
        }
    }
    let harmless = last.redirects.iter().all(|redirect| match &redirect.kind {
        RedirectKind::Output(word) => {
            redirect.descriptor == Some(2) && text_of(word).as_deref() == Some("/dev/null")
        }
        RedirectKind::Duplicate { output, .. } => *output && redirect.descriptor == Some(2),
        _ => false,
    });
    if !harmless {
        return None;
    }
    let words = literal_words(&mut shell, last)?;
    let (name, operands) = words.split_first()?;
    let place = ServingPlace { shell: &shell, policy };
    request(name, operands, &place)
}

fn flatten<'c>(command: &'c Command, out: &mut Vec<&'c Simple>) -> Option<()> {
    match command {
        Command::Simple(simple) => out.push(simple),
        Command::Sequence(steps) => {
            for step in steps {
                flatten(&step.command, out)?;
            }
        }
        _ => return None,
    }
    Some(())
}

fn literal_words(shell: &mut Shell<'_>, simple: &Simple) -> Option<Vec<String>> {
    let globs = simple
        .words
        .iter()
        .flatten()
        .any(|atom| matches!(atom, Atom::Char('*' | '?' | '[', false)));
    if globs
        || simple.words.len() > MAX_FILES
        || !simple.assignments.is_empty()
        || !simple.declarations.is_empty()
    {
        return None;
    }
    let words = shell.plain_fields(&simple.words);
    words.iter().all(|word| is_known(word)).then_some(words)
}

fn text_of(word: &[Atom]) -> Option<String> {
    word.iter()
        .filter(|atom| !matches!(atom, Atom::Nothing))
        .map(|atom| match atom {
            Atom::Char(c, _) => Some(*c),
            _ => None,
        })
        .collect()
}

struct ServingPlace<'p, 'a> {
    shell: &'p Shell<'a>,
    policy: &'p Policy,
}

impl ServingPlace<'_, '_> {
    fn paths(&self, operands: &[String]) -> Option<Vec<String>> {
        operands
            .iter()
            .map(|path| {
                let located = self.shell.locate(path);
                let file = path != "-" && located.zone != Zone::Descriptor && !path.ends_with('/');
                file.then(|| self.policy.relative(&located.path))
            })
            .collect()
    }
}

fn request(name: &str, operands: &[String], place: &ServingPlace<'_, '_>) -> Option<Serve> {
    let name = name.rsplit('/').next().unwrap_or(name);
    let read = |files: &[String], offset: Option<i64>, limit: Option<u64>| {
        let paths = place.paths(files)?;
        if paths.is_empty() {
            return None;
        }
        let file = |path| ReadPath { path, offset, limit };
        Some(Serve::Read(paths.into_iter().map(file).collect()))
    };
    let only = |parsed: &Parsed, allowed: &[&str]| {
        parsed.options.iter().all(|(name, _)| allowed.contains(&name.as_str()))
    };
    match name {
        "cat" | "less" | "more" | "most" | "bat" | "batcat" | "nl" => {
            let parsed = parse(operands, &Spec::new("b", &["body-numbering"]));
            let allowed = ["n", "number", "N", "b", "body-numbering", "R", "u"];
            only(&parsed, &allowed).then_some(())?;
            read(&parsed.operands, None, None)
        }
        "head" => {
            let (count, files) = line_count(operands)?;
            let limit = count.parse::<u64>().ok()?;
            read(&files, None, Some(limit))
        }
        "tail" => {
            let (count, files) = line_count(operands)?;
            let offset = match count.strip_prefix('+') {
                Some(first) => first.parse::<i64>().ok()?.max(1),
                None => -count.parse::<i64>().ok().filter(|n| *n > 0)?,
            };
            read(&files, Some(offset), None)
        }
        "sed" => {
            let parsed = parse(operands, &Spec::new("e", &["expression"]));
            only(&parsed, &["n", "quiet", "silent", "e", "expression"]).then_some(())?;
            parsed.has(&["n", "quiet", "silent"]).then_some(())?;
            let mut files = parsed.operands.clone();
            let scripts: Vec<&str> = parsed.values(&["e", "expression"]).collect();
            let script = match scripts.as_slice() {
                [] if !files.is_empty() => files.remove(0),
                [one] => (*one).to_owned(),
                _ => return None,
            };
            let (offset, limit) = sed_range(&script)?;
            // Several files are one stream to sed.
            (files.len() == 1).then_some(())?;
            read(&files, Some(offset), limit)
        }
        "grep" | "egrep" | "fgrep" | "rg" => grep(name, operands, place),
        _ => None,
    }
}

/// `-n 5`, `-5`, `--lines=5`, `-n +5`, and the files.
fn line_count(operands: &[String]) -> Option<(String, Vec<String>)> {
    let mut words = operands.to_vec();
    let mut count = "10".to_owned();
    // The old spelling is only an option at the front.
    if let Some(first) = words.first()
        && let Some(digits) = first.strip_prefix('-')
        && !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        digits.clone_into(&mut count);
        words.remove(0);
    }
    let parsed = parse(&words, &Spec::new("n", &["lines"]));
    if !parsed.options.iter().all(|(name, _)| matches!(name.as_str(), "n" | "lines")) {
        return None;
    }
    if let Some(value) = parsed.value(&["n", "lines"]) {
        value.to_owned().clone_into(&mut count);
    }
    let digits = count.strip_prefix('+').unwrap_or(&count);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(())?;
    Some((count, parsed.operands))
}

/// `5p`, `5,9p`, `5,$p`, `$p`, `5,+3p`.
fn sed_range(script: &str) -> Option<(i64, Option<u64>)> {
    let range = script.trim().strip_suffix('p')?.trim_end();
    if range == "$" {
        return Some((-1, None));
    }
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|n| *n > 0 && *n < 1 << 40);
    let Some((first, last)) = range.split_once(',') else {
        return Some((i64::try_from(number(range)?).ok()?, Some(1)));
    };
    let first = number(first)?;
    let limit = match last.trim() {
        "$" => None,
        last => Some(match last.strip_prefix('+') {
            Some(more) => more.parse::<u64>().ok()? + 1,
            // `9,5p` prints line 9.
            None => number(last)?.saturating_sub(first) + 1,
        }),
    };
    Some((i64::try_from(first).ok()?, limit))
}

fn grep(name: &str, operands: &[String], place: &ServingPlace<'_, '_>) -> Option<Serve> {
    let long = ["regexp", "after-context", "before-context", "context"];
    let parsed = parse(operands, &Spec::new("eABC", &long));
    let allowed = [
        "n",
        "i",
        "r",
        "R",
        "H",
        "E",
        "F",
        "e",
        "A",
        "B",
        "C",
        "line-number",
        "ignore-case",
        "recursive",
        "with-filename",
        "extended-regexp",
        "fixed-strings",
        "regexp",
        "after-context",
        "before-context",
        "context",
    ];
    parsed.options.iter().all(|(option, _)| allowed.contains(&option.as_str())).then_some(())?;
    let mut paths = parsed.operands.clone();
    let patterns: Vec<&str> = parsed.values(&["e", "regexp"]).collect();
    let pattern = match patterns.as_slice() {
        [] if !paths.is_empty() => paths.remove(0),
        [one] => (*one).to_owned(),
        _ => return None,
    };
    let recursive = parsed.has(&["r", "R", "recursive"]) || name == "rg";
    if paths.is_empty() {
        recursive.then_some(())?;
        paths.push(".".to_owned());
    }
    let fixed = name == "fgrep" || parsed.has(&["F", "fixed-strings"]);
    let extended = matches!(name, "egrep" | "rg") || parsed.has(&["E", "extended-regexp"]);
    let plain = !pattern.contains(|c: char| r"\.[]{}()*+?^$|".contains(c));
    (!pattern.is_empty() && !pattern.contains('\n')).then_some(())?;
    let pattern = if fixed || plain {
        pattern
    } else {
        super::pattern::as_regex(&pattern, extended, name == "rg")?
    };
    let number = |names: &[&str]| -> Option<Option<u64>> {
        match parsed.value(names) {
            None => Some(None),
            Some(text) => text.parse().ok().map(Some),
        }
    };
    let around = number(&["C", "context"])?.unwrap_or(0);
    let context_before = number(&["B", "before-context"])?.unwrap_or(around);
    let context_after = number(&["A", "after-context"])?.unwrap_or(around);
    Some(Serve::Grep(GrepRequest {
        pattern,
        paths: place.paths(&paths)?,
        literal: fixed || plain,
        case_sensitive: !parsed.has(&["i", "ignore-case"]),
        context_before,
        context_after,
    }))
}
