//! Finding the lines that a hunk of a diff names by their text.

use super::Now;

/// Where the old lines of a hunk were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum HunkPlace {
    /// Once; only the lines in which `old` and `new` differ are changed.
    Once {
        /// Zero-based index of the first line that changes.
        first: usize,
        /// How many lines are removed.
        gone: usize,
        /// The lines that replace them.
        lines: Vec<String>,
    },
    /// Several times, at these zero-based lines.
    Several(Vec<usize>),
    /// Nowhere; some zero-based lines that differ from one of them in white space only.
    Nowhere(Vec<usize>),
}

/// Finds `old`; the lines that it shares with `new` at either end are not changed.
pub(super) fn find(now: &Now<'_>, old: &[String], new: &[String]) -> HunkPlace {
    let len = now.digests.len();
    let reads = |at: usize, line: &String| now.content(at) == line;
    let places: Vec<usize> = (0..(len + 1).saturating_sub(old.len()))
        .filter(|place| old.iter().zip(*place..).all(|(line, at)| reads(at, line)))
        .collect();
    match places.as_slice() {
        [] => {
            let alike = |at: &usize| old.iter().any(|line| is_like(line, now.content(*at)));
            HunkPlace::Nowhere((0..len).filter(alike).take(3).collect())
        }
        [place] => {
            let same = |(old, new): &(&String, &String)| old == new;
            let head = old.iter().zip(new).take_while(same).count();
            let tails = old[head..].iter().rev().zip(new[head..].iter().rev());
            let tail = tails.take_while(same).count();
            HunkPlace::Once {
                first: place + head,
                gone: old.len() - head - tail,
                lines: new[head..new.len() - tail].to_vec(),
            }
        }
        _ => HunkPlace::Several(places),
    }
}

/// Whether two lines differ in white space only, and are not blank.
fn is_like(line: &str, other: &str) -> bool {
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    !line.trim().is_empty() && letters(line) == letters(other)
}
