//! Finding lines by their text, as the hunk of a diff names them.

use super::Now;

/// Where lines were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum HunkPlace {
    /// Once: the first of the lines that change, and which of `old` and `new` they are.
    Once {
        /// Zero-based index of the first line that changes.
        first: usize,
        /// How many lines are taken away.
        gone: usize,
        /// The lines that take their place.
        lines: Vec<String>,
    },
    /// Several times, at these zero-based lines.
    Several(Vec<usize>),
    /// Nowhere; the zero-based lines that read like the first one.
    Nowhere(Vec<usize>),
}

/// Looks for `old`, and leaves what it has in common with `new` at either end as it is.
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
