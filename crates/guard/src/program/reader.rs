//! Programs that print lines: from which files, or from a pipe, and what they do to the lines.

use super::args::{options, parse};
use super::awk::AwkCall;
use super::change::change;
use super::grep::{GrepCall, words_of};
use super::sed::SedCall;
use super::{Call, table};
use crate::known::Stdin;
use crate::policy::Zone;
use crate::serve::pipe::{Change, Pipe, Stage, narrowed};
use crate::serve::{Filter, Lines, ReadPath, Source};
use crate::shown::clipped;
use crate::unknown::is_known;

/// A command that reads more files than this is not replaced by a tool call.
const MAX_FILES: usize = 64;

/// What a program prints.
pub(crate) struct Reading {
    /// The files; empty if the program reads standard input.
    files: Vec<String>,
    /// Which lines the program prints of each file.
    pub(crate) each: Option<Filter>,
    /// What the program does to the lines of all its files, joined together.
    stages: Vec<Stage>,
}

/// What a program with these words prints; `None` if it is a search or not known.
pub(crate) fn reading(name: &str, operands: &[String]) -> Option<Reading> {
    let stream = |files, stages| Some(Reading { files, each: None, stages });
    match name {
        "cat" | "less" | "more" | "most" | "bat" | "batcat" | "nl" => printer(name, operands),
        "head" | "tail" => head_or_tail(name, operands),
        "sed" => {
            let sed = SedCall::read(operands);
            let stages = sed.stages()?;
            stream(sed.files, stages)
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let awk = AwkCall::read(operands)?;
            let stages = awk.stages()?;
            stream(awk.files, stages)
        }
        _ => None,
    }
}

/// What a program does to the lines that a pipe gives it; `None` if that is not known.
pub(crate) fn stages(name: &str, operands: &[String]) -> Option<Vec<Stage>> {
    if let Some(Reading { files, each, mut stages }) = reading(name, operands) {
        stages.splice(..0, each.map(Stage::Choose));
        return files.iter().all(|file| file == "-").then_some(stages);
    }
    if !matches!(name, "grep" | "egrep" | "fgrep" | "rg") {
        return change_stages(name, operands);
    }
    let parsed = words_of(name, operands);
    let call = GrepCall::new(name, &parsed);
    (call.can_be_expressed() && call.paths.is_empty() && call.chooses()).then_some(())?;
    let matching = call.matching()?;
    let mut out = vec![Stage::Choose(Filter::Match {
        pattern: matching.text,
        literal: matching.literal,
        case_sensitive: !matching.any_case,
        keep: !call.inverts(),
    })];
    out.extend(call.max_count()?.map(|most| Stage::Choose(Filter::First(most))));
    out.extend(call.prints_parts().then_some(Stage::Change(Change::Matches)));
    Some(out)
}

/// What a line-changing program does; `None` if it has so many words that some must be files.
fn change_stages(name: &str, operands: &[String]) -> Option<Vec<Stage>> {
    let change = change(name, operands)?;
    let parsed = parse(operands, &table::find(name)?.spec);
    let files = parsed.operands.iter().filter(|operand| *operand != "-").count();
    let most = match name {
        "tr" => 2,
        "jq" | "yq" => 1,
        _ => 0,
    };
    (files <= most).then(|| vec![Stage::Change(change)])
}

/// The lines that a program would print; `None` if they cannot be expressed.
pub(crate) fn output_pipe(call: &Call<'_>) -> Option<Pipe> {
    match call.name {
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "git grep" => {
            let parsed = words_of(call.name, call.words);
            let grep = GrepCall::new(call.name, &parsed);
            grep.can_be_expressed().then_some(())?;
            let mut paths = grep.paths.to_vec();
            match call.stdin {
                _ if !paths.is_empty() => {}
                Stdin::File(path) => paths.push(path.clone()),
                _ if grep.searches_here() => paths.push(".".to_owned()),
                _ => return None,
            }
            let request = grep.request(call.paths(&paths)?)?;
            let pieces = grep.prints_parts().then_some(Stage::Change(Change::Matches));
            let found = Pipe::new(Lines::new(Source::Grep(request)));
            Some(found.then(pieces.into_iter().collect(), &call.spelled()))
        }
        "xxd" | "od" | "hexdump" | "hd" | "strings" => {
            let is_file = |word: &&String| {
                !word.starts_with('-') && !word.bytes().all(|b| b.is_ascii_digit())
            };
            let file = call.words.iter().rfind(is_file)?;
            let files = call.read(std::slice::from_ref(file))?;
            Some(Pipe::new(Lines::new(Source::Dump(files))))
        }
        name => {
            let Reading { files, each, stages } = reading(name, call.words)?;
            let files = call.read(&files)?;
            if let Some(filter) = each {
                return each_chosen(files, &filter).map(Pipe::new);
            }
            Some(Pipe::new(Lines::new(Source::Read(files))).then(stages, &call.spelled()))
        }
    }
}

impl Call<'_> {
    /// The text of the call, for a note.
    fn spelled(&self) -> String {
        spelled(std::iter::once(self.name).chain(self.words.iter().map(String::as_str)))
    }

    /// The files of a read: its operands, or the file redirected into it.
    fn read(&self, operands: &[String]) -> Option<Vec<ReadPath>> {
        (operands.len() <= MAX_FILES).then_some(())?;
        let paths = match (operands, self.stdin) {
            ([], Stdin::File(path)) => self.paths(std::slice::from_ref(path))?,
            ([], _) => return None,
            (operands, _) => self.paths(operands)?,
        };
        Some(paths.into_iter().map(|path| ReadPath { path, offset: None, limit: None }).collect())
    }

    /// The operands as paths that a tool call in the workspace would use.
    fn paths(&self, operands: &[String]) -> Option<Vec<String>> {
        let path = |path: &String| {
            let located = self.known.locate(path);
            let known = is_known(path)
                && is_known(&located.path)
                && path != "-"
                && located.zone != Zone::Descriptor;
            known.then(|| self.known.policy.relative(&located.path))
        };
        operands.iter().map(path).collect()
    }
}

/// Words joined for a note, and cut if too long.
pub(crate) fn spelled<'w>(words: impl Iterator<Item = &'w str>) -> String {
    clipped(&words.collect::<Vec<_>>().join(" "), 60)
}

/// The lines that a filter keeps of each file.
fn each_chosen(files: Vec<ReadPath>, filter: &Filter) -> Option<Lines> {
    let several = files.len() > 1;
    let mut out = Vec::new();
    let mut filters = Vec::new();
    for file in files {
        match narrowed(&file, filter) {
            Some(narrowed) => out.extend(narrowed),
            // This filter depends on the file's length, and can be applied later to one file only.
            None if several => return None,
            None => {
                filters.push(filter.clone());
                out.push(file);
            }
        }
    }
    Some(Lines { filters, ..Lines::new(Source::Read(out)) })
}

/// What `cat` and the like print, if their options only number or mark lines or give a range.
fn printer(name: &str, operands: &[String]) -> Option<Reading> {
    let parsed = parse(operands, &table::find(name).map_or(options("", ""), |row| row.spec));
    let allowed: &[&str] = match name {
        "cat" => &["n", "number", "b", "A", "show-all", "e", "t", "v", "E", "T", "u"],
        "nl" => &["b", "n", "s", "v", "w", "i", "body-numbering", "number-width"],
        "bat" | "batcat" => &[
            "n", "p", "l", "plain", "number", "language", "style", "color", "paging", "theme",
            "wrap", "r", "line-range",
        ],
        _ => &["N", "R", "S", "F", "X", "r", "n"],
    };
    // `nl` does not number empty lines unless asked to number all.
    let numbers_all = name != "nl"
        || parsed.value("b body-numbering").is_none_or(|which| which.starts_with(['a', 't']));
    let plain = parsed.options.iter().all(|(option, _)| allowed.contains(option));
    (numbers_all && plain).then_some(())?;
    let each = match parsed.value("r line-range") {
        None => None,
        Some(range) => {
            let (first, last) = range.split_once(':')?;
            let first = if first.is_empty() { 1 } else { first.parse().ok()? };
            let last = if last.is_empty() { None } else { Some(last.parse().ok()?) };
            Some(Filter::Ranges(vec![(first, last)]))
        }
    };
    Some(Reading { files: parsed.operands.into_owned(), each, stages: Vec::new() })
}

/// What `head` and `tail` print, by `-n 5`, `-5`, `--lines=5`, `-n +5` or `-c 400`.
fn head_or_tail(name: &str, operands: &[String]) -> Option<Reading> {
    // The old syntax `-5` counts only as the first word.
    let old = operands.first().and_then(|word| word.strip_prefix('-'));
    let old = old.filter(|digits| number(digits).is_some());
    let parsed = parse(&operands[usize::from(old.is_some())..], &options("nc", "lines bytes"));
    let known = ["n", "lines", "c", "bytes", "q", "quiet", "silent"];
    parsed.options.iter().all(|(name, _)| known.contains(name)).then_some(())?;
    let bytes = parsed.value("c bytes");
    let count = bytes.or(parsed.value("n lines")).or(old).unwrap_or("10");
    let (sign, digits) = match count.split_at_checked(1) {
        Some((sign @ ("+" | "-"), digits)) => (sign, digits),
        _ => ("", count),
    };
    let files = parsed.operands.into_owned();
    if bytes.is_some() {
        let bytes = byte_count(digits)?;
        let filter = match (name, sign) {
            ("head", "") => Filter::FirstBytes(bytes),
            ("tail", "" | "-") => Filter::LastBytes(bytes),
            _ => return None,
        };
        // A line is shown whole even if the bytes end inside it.
        let stages = vec![Stage::Choose(filter), Stage::Change(Change::Columns)];
        return (files.len() <= 1).then_some(Reading { files, each: None, stages });
    }
    let lines = number(digits)?;
    let each = Some(match (name, sign) {
        ("head", "-") => Filter::ButLast(lines),
        ("head", _) => Filter::First(lines),
        (_, "+") => Filter::From(lines.max(1)),
        _ => Filter::Last(lines),
    });
    Some(Reading { files, each, stages: Vec::new() })
}

/// A number of bytes: `400`, `4k`, `1K`.
fn byte_count(text: &str) -> Option<u64> {
    match text.strip_suffix(['k', 'K']) {
        Some(digits) => number(digits)?.checked_mul(1024),
        None => number(text),
    }
}

/// A decimal number of at most 11 digits.
pub(super) fn number(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() < 12 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
