//! The first program of a pipe: the one that reads files.

use std::borrow::Cow;

use super::filter::{counted, has_plain_options, printer_options};
use super::grep::{Options, with_contexts};
use super::pipe::{Change, Pipe, Stage};
use super::sed::SedCall;
use super::{Filter, Lines, ReadPath, Source};
use crate::known::Stdin;
use crate::policy::{Policy, Zone};
use crate::shell::Shell;
use crate::shown::clipped;

/// A read of more files than this is not what a tool call is for.
const MAX_FILES: usize = 64;

/// Where a program runs and what it reads.
pub(super) struct ReaderCall<'c> {
    pub(super) name: &'c str,
    pub(super) operands: &'c [String],
    pub(super) stdin: &'c Stdin,
    pub(super) shell: &'c Shell<'c>,
    pub(super) policy: &'c Policy,
}

/// The lines that a program would print; `None` if they cannot be expressed.
pub(super) fn lines(call: &ReaderCall<'_>) -> Option<Pipe> {
    match call.name {
        "cat" | "less" | "more" | "most" | "bat" | "batcat" | "nl" => {
            let parsed = printer_options(call.name, call.operands);
            let range = parsed.value(&["r", "line-range"]);
            let options = crate::program::args::Parsed {
                options: parsed
                    .options
                    .iter()
                    .filter(|(name, _)| !matches!(*name, "r" | "line-range"))
                    .copied()
                    .collect(),
                operands: Cow::Borrowed(&[]),
            };
            has_plain_options(call.name, &options).then_some(())?;
            let files = call.read(&parsed.operands)?;
            match range {
                None => Some(plain(files)),
                Some(range) => {
                    let (first, last) = range.split_once(':')?;
                    let first = if first.is_empty() { 1 } else { first.parse().ok()? };
                    let last = if last.is_empty() { None } else { Some(last.parse().ok()?) };
                    each_chosen(files, &Filter::Ranges(vec![(first, last)])).map(Pipe::new)
                }
            }
        }
        "head" | "tail" => {
            let counted = counted(call.operands)?;
            let files = call.read(&counted.files)?;
            if counted.bytes {
                (files.len() == 1).then_some(())?;
                return Some(plain(files).then(counted.stages(call.name)?, &call.spelled()));
            }
            each_chosen(files, &counted.filter(call.name)?).map(Pipe::new)
        }
        "sed" => {
            let sed = SedCall::parse(call.operands)?;
            // Several files are one stream to sed.
            let files = call.read(&sed.files)?;
            Some(plain(files).then(sed.stages()?, &call.spelled()))
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let (stages, files) = super::awk::call(call.operands)?;
            Some(plain(call.read(&files)?).then(stages, &call.spelled()))
        }
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "git grep" => {
            let words = with_contexts(call.operands);
            let options = Options::parse(call.name, &words)?;
            let mut paths = options.paths.clone();
            match call.stdin {
                _ if !paths.is_empty() => {}
                Stdin::File(path) => paths.push(path.clone()),
                _ if options.searches_here(call.name) => paths.push(".".to_owned()),
                _ => return None,
            }
            let request = options.request(call.name, call.paths(&paths)?)?;
            let pieces = options.prints_parts().then_some(Stage::Change(Change::Splits));
            let found = Pipe::new(Lines::new(Source::Grep(request)));
            Some(found.then(pieces.into_iter().collect(), &call.spelled()))
        }
        "xxd" | "od" | "hexdump" | "hd" | "strings" => {
            let files: Vec<String> = call
                .operands
                .iter()
                .filter(|word| !word.starts_with('-') && !word.bytes().all(|b| b.is_ascii_digit()))
                .cloned()
                .collect();
            let files = call.read(files.last().map(std::slice::from_ref)?)?;
            Some(Pipe::new(Lines::new(Source::Dump(files))))
        }
        _ => None,
    }
}

impl ReaderCall<'_> {
    /// The call as the command has it, for a note.
    fn spelled(&self) -> String {
        spelled(std::iter::once(self.name).chain(self.operands.iter().map(String::as_str)))
    }

    /// The files of a read: its operands, or what is redirected into it.
    fn read(&self, operands: &[String]) -> Option<Vec<ReadPath>> {
        (operands.len() <= MAX_FILES).then_some(())?;
        let paths = match (operands, self.stdin) {
            ([], Stdin::File(path)) => self.paths(std::slice::from_ref(path))?,
            ([], _) => return None,
            (operands, _) => self.paths(operands)?,
        };
        Some(paths.into_iter().map(|path| ReadPath { path, offset: None, limit: None }).collect())
    }

    /// Paths as a caller in the workspace would write them.
    fn paths(&self, operands: &[String]) -> Option<Vec<String>> {
        operands
            .iter()
            .map(|path| {
                let located = self.shell.locate(path);
                let known = crate::unknown::is_known(path)
                    && crate::unknown::is_known(&located.path)
                    && path != "-"
                    && located.zone != Zone::Descriptor;
                known.then(|| self.policy.relative(&located.path))
            })
            .collect()
    }
}

/// Words as a note shows them: cut where they get long.
pub(super) fn spelled<'w>(words: impl Iterator<Item = &'w str>) -> String {
    clipped(&words.collect::<Vec<_>>().join(" "), 60)
}

fn plain(files: Vec<ReadPath>) -> Pipe {
    Pipe::new(Lines::new(Source::Read(files)))
}

/// The same choice of each file.
fn each_chosen(files: Vec<ReadPath>, filter: &Filter) -> Option<Lines> {
    let several = files.len() > 1;
    let mut out = Vec::new();
    let mut filters = Vec::new();
    for file in files {
        match narrowed(&file, filter) {
            Some(narrowed) => out.extend(narrowed),
            // A choice that depends on the length of the file is made later.
            None if several => return None,
            None => {
                filters.push(filter.clone());
                out.push(file);
            }
        }
    }
    Some(Lines { filters, ..Lines::new(Source::Read(out)) })
}

/// A read with a choice made part of it; `None` if that depends on how long the file is.
pub(super) fn narrowed(file: &ReadPath, filter: &Filter) -> Option<Vec<ReadPath>> {
    let signed = |number: u64| i64::try_from(number).ok();
    let part = |offset: Option<i64>, limit: Option<u64>| ReadPath {
        path: file.path.clone(),
        offset,
        limit,
    };
    // Lines are counted from the first one that the file gives.
    let start = match file.offset {
        None => 1,
        Some(offset) if offset > 0 => u64::try_from(offset).ok()?,
        Some(_) => {
            return match filter {
                Filter::First(count) => {
                    Some(vec![part(file.offset, Some(file.limit.unwrap_or(u64::MAX).min(*count)))])
                }
                _ => None,
            };
        }
    };
    let shortened =
        |limit: Option<u64>, skipped: u64| limit.map(|limit| limit.saturating_sub(skipped));
    match filter {
        Filter::First(count) => {
            let limit = file.limit.map_or(*count, |limit| limit.min(*count));
            Some(vec![part(file.offset, Some(limit))])
        }
        Filter::From(first) => {
            let limit = shortened(file.limit, first - 1);
            Some(vec![part(signed(start + first - 1), limit)])
        }
        Filter::Last(count) if file.offset.is_none() && file.limit.is_none() && *count > 0 => {
            Some(vec![part(signed(*count).map(|count| -count), None)])
        }
        Filter::Ranges(ranges) => ranges
            .iter()
            .map(|(first, last)| {
                let wanted = last.map(|last| (last + 1).saturating_sub(*first));
                let left = shortened(file.limit, first - 1);
                let limit = match (wanted, left) {
                    (Some(wanted), Some(left)) => Some(wanted.min(left)),
                    (one, other) => one.or(other),
                };
                Some(part(signed(start + first - 1), limit))
            })
            .filter(|part: &Option<ReadPath>| {
                part.as_ref().is_none_or(|part| part.limit != Some(0))
            })
            .collect(),
        _ => None,
    }
}
