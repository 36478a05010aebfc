//! Scripts of `awk` that only choose lines, or print a part of each.

use super::filter::number;
use super::pipe::{Change, Stage};
use super::{Edge, Filter, is_pattern};
use crate::pattern::{Dialect, read_pattern};
use crate::program::args::{Spec, parse};

/// Actions that print the whole line, with blanks left out.
const PRINTS_ALL: [&str; 4] = ["", "print", "print$0", "printNR\":\"$0"];

/// What a call does to its lines, and its files.
pub(super) fn call(operands: &[String]) -> Option<(Vec<Stage>, Vec<String>)> {
    let parsed = parse(operands, &Spec { strict: true, ..Spec::new("Fv", &["field-separator"]) });
    let known = |(name, _): &(&str, Option<&str>)| matches!(*name, "F" | "field-separator");
    parsed.options.iter().all(known).then_some(())?;
    let (script, files) = parsed.operands.split_first()?;
    // `NAME=value` among the files is an assignment.
    (!files.iter().any(|file| file.contains('='))).then_some(())?;
    // Within one file both counters are the same.
    let one = matches!(files, [] | [_]) && !files.iter().any(|file| is_pattern(file));
    let script = if one { script.replace("FNR", "NR") } else { script.clone() };
    Some((stages(&script)?, files.to_vec()))
}

/// What a script does to its lines.
fn stages(script: &str) -> Option<Vec<Stage>> {
    let script = script.trim();
    let (condition, action) = match script.find('{') {
        Some(at) => (script[..at].trim(), Some(script[at + 1..].strip_suffix('}')?.trim())),
        None => (script, None),
    };
    let mut out = Vec::new();
    if condition.is_empty() {
        action?;
    } else {
        out.push(Stage::Choose(chosen(condition)?));
    }
    let action = action.unwrap_or_default();
    let plain: String = action.chars().filter(|c| !c.is_whitespace()).collect();
    if !PRINTS_ALL.contains(&plain.as_str()) {
        out.push(Stage::Change(printed(action)?));
    } else if action.is_empty() && condition.is_empty() {
        return None;
    }
    Some(out)
}

/// How one `print` or `printf` changes each line.
fn printed(action: &str) -> Option<Change> {
    let action = action.trim_end_matches([';', ' ']);
    let simple = !action.contains([';', '{', '}', '>', '|', '\n']) && !action.contains("getline");
    let prints = action.starts_with("print") && simple;
    let newlines = action.matches("\\n").count();
    match (prints, action.starts_with("printf"), newlines) {
        (false, _, _) => None,
        (true, false, 0) => Some(Change::EachLine),
        (true, true, 1) if action.contains("\\n\"") => Some(Change::EachLine),
        _ => Some(Change::Rewrites),
    }
}

/// The lines that a condition chooses.
fn chosen(condition: &str) -> Option<Filter> {
    if let Some((first, last)) = condition.split_once(',') {
        let (start, end) = (edge(first)?, edge(last)?);
        return Some(match (start, end) {
            // A line that has passed is never reached.
            (Edge::Line(first), Edge::Line(last)) => {
                Filter::Ranges(vec![(first, (last >= first).then_some(last))])
            }
            (start, end) => Filter::Between { start, end, may_be_one: true, keep: true },
        });
    }
    let (keep, test) = match condition.strip_prefix('!') {
        Some(test) => (false, test.trim_start()),
        None => (true, condition),
    };
    if let Some(Edge::Match { pattern, literal }) = edge(test) {
        return Some(Filter::Match { pattern, literal, case_sensitive: true, keep });
    }
    keep.then(|| numbered(condition)).flatten()
}

/// `/x/` and `NR==5`.
fn edge(test: &str) -> Option<Edge> {
    let test = test.trim();
    if let Some(pattern) = test.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        (!pattern.contains('/')).then_some(())?;
        let matching = read_pattern(&[pattern.to_owned()], Dialect::Extended)?;
        return Some(Edge::Match { pattern: matching.text, literal: matching.literal });
    }
    let (name, line) = test.split_once("==")?;
    (name.trim() == "NR").then_some(())?;
    number(line.trim()).filter(|line| *line > 0).map(Edge::Line)
}

/// `NR>=5 && NR<=9`, `NR<20`.
fn numbered(condition: &str) -> Option<Filter> {
    let (mut first, mut last) = (1_u64, None);
    for test in condition.split("&&") {
        let test: String = test.chars().filter(|c| !c.is_whitespace()).collect();
        let test = test.strip_prefix("NR")?;
        let (operator, digits) =
            test.split_at(test.find(|c: char| c.is_ascii_digit()).unwrap_or(test.len()));
        let line = number(digits)?;
        match operator {
            "==" => (first, last) = (line, Some(line)),
            ">=" => first = line,
            ">" => first = line + 1,
            "<=" => last = Some(line),
            "<" => last = Some(line.checked_sub(1)?),
            _ => return None,
        }
    }
    Some(Filter::Ranges(vec![(first.max(1), last)]))
}

#[cfg(test)]
mod tests {
    use super::stages;
    use crate::serve::pipe::{Change, Stage};
    use crate::serve::{Edge, Filter};

    fn ranges(first: u64, last: u64) -> Stage {
        Stage::Choose(Filter::Ranges(vec![(first, Some(last))]))
    }

    #[test]
    fn a_script_that_only_chooses_lines_is_read() {
        assert_eq!(stages("NR>=5 && NR<=9"), Some(vec![ranges(5, 9)]));
        assert_eq!(stages("NR==5{print}"), Some(vec![ranges(5, 5)]));
        assert_eq!(stages("NR<3 {print NR\": \"$0}"), Some(vec![ranges(1, 2)]));
        assert_eq!(stages("NR==3,NR==7"), Some(vec![ranges(3, 7)]));
        let open = Stage::Choose(Filter::Ranges(vec![(7, None)]));
        assert_eq!(stages("NR==7,NR==3"), Some(vec![open]));
        let edge = |text: &str| Edge::Match { pattern: text.to_owned(), literal: true };
        assert_eq!(
            stages("/a/,/b/"),
            Some(vec![Stage::Choose(Filter::Between {
                start: edge("a"),
                end: edge("b"),
                may_be_one: true,
                keep: true
            })])
        );
        for script in ["NR%2", "NR>5{x++}", "", "length > 9", "$3 ~ /x/", "/a/{x=1} {print}"] {
            assert_eq!(stages(script), None, "{script}");
        }
    }

    #[test]
    fn a_script_that_prints_a_part_of_each_line_keeps_their_number() {
        for (script, change) in [
            ("{print $1}", Change::EachLine),
            ("{ print $1, $3; }", Change::EachLine),
            ("{printf \"%4d %s\\n\", NR, $0}", Change::EachLine),
            ("{printf \"%s \", $1}", Change::Rewrites),
            ("{print $1 \"\\n\" $2}", Change::Rewrites),
        ] {
            assert_eq!(stages(script), Some(vec![Stage::Change(change)]), "{script}");
        }
        assert_eq!(stages("{print > \"x\"}"), None);
        assert_eq!(
            stages("/x/ {print $1}").map(|stages| stages.len()),
            Some(2),
            "chosen, then changed"
        );
    }
}
