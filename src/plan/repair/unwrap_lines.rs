//! Lines that the model broke, and the file has as one, are joined again. Lenient.
//!
//! If several new lines without their white space read exactly as one replaced line does, that
//! line is put back as it was.

use super::{Site, Work, stripped};

/// The most pieces one line is looked for in.
const MOST: usize = 10;

/// A shorter line is found by accident.
const LEAST: usize = 6;

pub(super) fn apply(site: &Site<'_>, work: &Work) -> Option<Work> {
    let old: Vec<(&str, String)> = site
        .old(work)
        .into_iter()
        .map(|line| (line, stripped(line)))
        .filter(|(_, text)| text.len() >= LEAST)
        .collect();
    let new: Vec<String> = work.lines.iter().map(|line| stripped(line)).collect();
    let mut lines = Vec::with_capacity(work.lines.len());
    let mut at = 0;
    while at < new.len() {
        let (line, pieces) = whole(&old, &new[at..]).unwrap_or((&work.lines[at], 1));
        lines.push(line.to_owned());
        at += pieces;
    }
    (lines.len() < new.len()).then_some(Work { lines, ..*work })
}

/// The old line that the first two or more of `new` make up, and how many they are.
fn whole<'a>(old: &[(&'a str, String)], new: &[String]) -> Option<(&'a str, usize)> {
    if new[0].is_empty() {
        return None;
    }
    (2..=MOST.min(new.len())).find_map(|pieces| {
        let joined = new[..pieces].concat();
        let mut same = old.iter().filter(|(_, text)| *text == joined);
        match (same.next(), same.next()) {
            (Some((line, _)), None) if !new[pieces - 1].is_empty() => Some((*line, pieces)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::Repair::Unwrap;
    use super::super::testing::*;

    const FILE: &str = "let total = compute(first, second);\nlet b = 2;\n";

    #[test]
    fn a_broken_line_is_put_back() {
        replace(FILE, 1, 2, "let total = compute(\n    first,\n    second);\nlet b = 3;")
            .becomes(Unwrap, "let total = compute(first, second);\nlet b = 3;");
    }

    #[test]
    fn changed_text_stays() {
        replace(FILE, 1, 2, "let total = compute(\n    first,\n    third);").stays(Unwrap);
    }

    #[test]
    fn a_whole_line_stays() {
        replace(FILE, 1, 2, "let total = compute(first, second);\nlet b = 3;").stays(Unwrap);
    }

    #[test]
    fn a_short_line_stays() {
        replace("a b\n", 1, 1, "a\nb").stays(Unwrap);
    }

    #[test]
    fn a_line_that_is_there_twice_stays() {
        replace("call(one, two)\ncall(one, two)\n", 1, 2, "call(one,\ntwo)").stays(Unwrap);
    }

    #[test]
    fn an_insert_stays() {
        insert_after(FILE, 1, "let total = compute(\n    first, second);").stays(Unwrap);
    }
}
