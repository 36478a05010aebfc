//! The first program of a pipe: the one that reads files.

use std::borrow::Cow;

use super::args::Parsed;
use super::awk::AwkCall;
use super::filter::{counted, has_plain_options, printer_options};
use super::grep::{GrepCall, words_of};
use super::sed::SedCall;
use crate::known::{Known, Stdin};
use crate::policy::Zone;
use crate::serve::pipe::{Change, Pipe, Stage, narrowed};
use crate::serve::{Filter, Lines, ReadPath, Source};
use crate::shown::clipped;

/// A read of more files than this is not what a tool call is for.
const MAX_FILES: usize = 64;

/// Where a program runs and what it reads.
pub(crate) struct ReaderCall<'c> {
    pub(crate) name: &'c str,
    pub(crate) operands: &'c [String],
    pub(crate) stdin: &'c Stdin,
    pub(crate) known: Known<'c>,
}

/// The lines that a program would print; `None` if they cannot be expressed.
pub(crate) fn lines(call: &ReaderCall<'_>) -> Option<Pipe> {
    match call.name {
        "cat" | "less" | "more" | "most" | "bat" | "batcat" | "nl" => {
            let parsed = printer_options(call.name, call.operands);
            let range = parsed.value("r line-range");
            let options = Parsed {
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
            let sed = SedCall::read(call.operands);
            // Several files are one stream to sed.
            let files = call.read(&sed.files)?;
            Some(plain(files).then(sed.stages()?, &call.spelled()))
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let awk = AwkCall::read(call.operands)?;
            Some(plain(call.read(&awk.files)?).then(awk.stages()?, &call.spelled()))
        }
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "git grep" => {
            let parsed = words_of(call.name, call.operands);
            let grep = GrepCall::new(call.name, &parsed);
            grep.is_expressed().then_some(())?;
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
                let located = self.known.locate(path);
                let known = crate::unknown::is_known(path)
                    && crate::unknown::is_known(&located.path)
                    && path != "-"
                    && located.zone != Zone::Descriptor;
                known.then(|| self.known.policy.relative(&located.path))
            })
            .collect()
    }
}

/// Words as a note shows them: cut where they get long.
pub(crate) fn spelled<'w>(words: impl Iterator<Item = &'w str>) -> String {
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
