//! The report for a reader whose references are stale.

use std::collections::{BTreeMap, BTreeSet};

use super::format::{hash_with, hex, push_prefix};
use super::number::whole;
use super::reference::OmpLineRef;

/// Lines shown above and below each stale one.
const CONTEXT: usize = 2;

/// A line whose hash is not the one expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OmpMismatch {
    /// The line's number.
    pub line: usize,
    /// The hash as the caller typed it.
    pub expected: Vec<u8>,
    /// The hash the line has.
    pub actual: [u8; 2],
}

/// The message, and the fresh reference for each stale one in the order they were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MismatchReport {
    /// The message of the exception.
    pub message: Vec<u8>,
    /// Pairs of a stale reference and its fresh one, without repetitions.
    pub remaps: Vec<(Vec<u8>, Vec<u8>)>,
}

/// The numbers of the lines that [`report`] needs, in order: the stale ones and their neighbours.
pub fn shown_lines(stale: impl IntoIterator<Item = usize>, line_count: usize) -> BTreeSet<usize> {
    stale
        .into_iter()
        .flat_map(|line| line.saturating_sub(CONTEXT).max(1)..=line_count.min(line + CONTEXT))
        .collect()
}

/// Builds the report from stale references, `(line, expected hash)`, and the lines that
/// [`shown_lines`] numbers. Every stale line must be among them.
pub fn report(stale: &[(usize, &[u8])], shown: &BTreeMap<usize, Vec<u8>>) -> MismatchReport {
    let mut bare = Vec::new();
    let verb = if stale.len() > 1 { "s have" } else { " has" };
    let mut message = format!(
        "{} line{verb} changed since last read. Use the updated LINE:HASH references shown below \
         (>>> marks changed lines).\n",
        stale.len()
    )
    .into_bytes();
    let changed: BTreeSet<usize> = stale.iter().map(|(line, _)| *line).collect();
    let mut hashes = BTreeMap::new();
    let mut previous = None;
    for (&number, line) in shown {
        let hash = hash_with(line, &mut bare);
        hashes.insert(number, hash);
        if previous.is_some_and(|previous| number > previous + 1) {
            message.extend_from_slice(b"\n    ...");
        }
        previous = Some(number);
        let marker = if changed.contains(&number) { "\n>>> " } else { "\n    " };
        message.extend_from_slice(marker.as_bytes());
        push_prefix(whole(number), hash, &mut message);
        message.extend_from_slice(line);
    }

    let mut seen = BTreeSet::new();
    let remaps = stale
        .iter()
        .filter(|reference| seen.insert(**reference))
        .map(|(line, expected)| {
            let number = whole(*line);
            (OmpLineRef::print(number, expected), OmpLineRef::print(number, &hex(hashes[line])))
        })
        .collect();
    MismatchReport { message, remaps }
}
