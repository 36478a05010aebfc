//! Programs behind a pipe that only choose among the lines they get.

use super::Filter;
use super::grep::{Dialect, Options};
use crate::program::args::{Parsed, Spec, parse};

/// What a program without files does to its lines; `None` if it does more than choosing.
pub(super) fn filters(name: &str, operands: &[String]) -> Option<Vec<Filter>> {
    match name {
        "cat" | "nl" | "less" | "more" | "bat" | "batcat" => {
            is_plain_printer(name, operands).then(Vec::new)
        }
        "head" => Some(vec![head(&counted(operands)?)?]),
        "tail" => Some(vec![tail(&counted(operands)?)?]),
        "sed" => {
            let (script, files) = sed_script(operands)?;
            files.is_empty().then(|| sed(&script)).flatten().map(|filter| vec![filter])
        }
        "awk" | "gawk" | "mawk" | "nawk" => match operands {
            [script] => awk(script).map(|filter| vec![filter]),
            _ => None,
        },
        "grep" | "egrep" | "fgrep" | "rg" => {
            let options = Options::parse(name, operands)?;
            (options.paths.is_empty() && options.chooses()).then_some(())?;
            let matching = options.pattern(Dialect::of(name))?;
            let mut out = vec![Filter::Match {
                pattern: matching.text,
                literal: matching.literal,
                case_sensitive: options.case_sensitive(),
                keep: !options.inverts(),
            }];
            out.extend(options.max_count()?.map(Filter::First));
            Some(out)
        }
        _ => None,
    }
}

/// Whether a printer is called with nothing but options that number or mark lines.
pub(super) fn is_plain_printer(name: &str, operands: &[String]) -> bool {
    let parsed = printer_options(name, operands);
    parsed.operands.iter().all(|operand| operand == "-") && has_plain_options(name, &parsed)
}

/// The options of a printer.
pub(super) fn printer_options(name: &str, operands: &[String]) -> Parsed {
    match name {
        "nl" => parse(operands, &Spec::new("bnsvwi", &["body-numbering", "number-width"])),
        "bat" | "batcat" => {
            let long = ["language", "style", "color", "paging", "theme", "line-range", "wrap"];
            parse(operands, &Spec::new("lr", &long))
        }
        _ => parse(operands, &Spec::new("", &[])),
    }
}

/// Whether options only change how lines are marked.
pub(super) fn has_plain_options(name: &str, parsed: &Parsed) -> bool {
    let allowed: &[&str] = match name {
        "cat" => &["n", "number", "b", "A", "show-all", "e", "t", "v", "E", "T", "u"],
        "nl" => &["b", "n", "s", "v", "w", "i", "body-numbering", "number-width"],
        "bat" | "batcat" => &[
            "n", "p", "l", "plain", "number", "language", "style", "color", "paging", "theme",
            "wrap",
        ],
        _ => &["N", "R", "S", "F", "X", "r", "n"],
    };
    // `nl` leaves out empty lines unless told to number all.
    let numbers_all = name != "nl"
        || parsed.value(&["b", "body-numbering"]).is_none_or(|which| which.starts_with(['a', 't']));
    numbers_all && parsed.options.iter().all(|(option, _)| allowed.contains(&option.as_str()))
}

/// How many lines `head` and `tail` are asked for, and the files.
pub(super) struct Counted {
    pub(super) count: String,
    pub(super) files: Vec<String>,
}

/// `-n 5`, `-5`, `--lines=5`, `-n +5`, and the files.
pub(super) fn counted(operands: &[String]) -> Option<Counted> {
    let mut words = operands.to_vec();
    let mut count = "10".to_owned();
    // The old spelling is only an option at the front.
    if let Some(first) = words.first()
        && let Some(digits) = first.strip_prefix('-')
        && is_number(digits)
    {
        digits.clone_into(&mut count);
        words.remove(0);
    }
    let parsed = parse(&words, &Spec::new("n", &["lines"]));
    let known = ["n", "lines", "q", "quiet", "silent"];
    if !parsed.options.iter().all(|(name, _)| known.contains(&name.as_str())) {
        return None;
    }
    if let Some(value) = parsed.value(&["n", "lines"]) {
        value.clone_into(&mut count);
    }
    is_number(count.trim_start_matches(['+', '-'])).then_some(())?;
    Some(Counted { count, files: parsed.operands })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 12 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What `head` keeps.
pub(super) fn head(counted: &Counted) -> Option<Filter> {
    match counted.count.strip_prefix('-') {
        Some(left_out) => Some(Filter::ButLast(left_out.parse().ok()?)),
        None => Some(Filter::First(counted.count.trim_start_matches('+').parse().ok()?)),
    }
}

/// What `tail` keeps.
pub(super) fn tail(counted: &Counted) -> Option<Filter> {
    match counted.count.strip_prefix('+') {
        Some(first) => Some(Filter::From(first.parse::<u64>().ok()?.max(1))),
        None => Some(Filter::Last(counted.count.trim_start_matches('-').parse().ok()?)),
    }
}

/// The script and the files of a `sed` that prints only what it is told to, or stops early.
pub(super) fn sed_script(operands: &[String]) -> Option<(String, Vec<String>)> {
    let parsed = parse(operands, &Spec::new("e", &["expression"]));
    let allowed = ["n", "quiet", "silent", "e", "expression", "E", "r", "s", "u"];
    let known = |(name, _): &(String, Option<String>)| allowed.contains(&name.as_str());
    parsed.options.iter().all(known).then_some(())?;
    let mut files = parsed.operands.clone();
    let scripts: Vec<&str> = parsed.values(&["e", "expression"]).collect();
    let script = match scripts.as_slice() {
        [] if !files.is_empty() => files.remove(0),
        [] => return None,
        many => many.join(";"),
    };
    // Without `-n` every line is printed, so only a script that stops is a choice.
    let quiet = parsed.has(&["n", "quiet", "silent"]);
    let stops = script.trim().strip_suffix('q').is_some_and(|line| is_number(line.trim()));
    (quiet || stops).then_some((script, files))
}

/// `5p`, `5,9p`, `5,$p`, `5,+3p`, several of them, `5,9p;9q`, `/x/p`, `20q`.
pub(super) fn sed(script: &str) -> Option<Filter> {
    let script = script.trim();
    if let Some(last) = script.strip_suffix('q')
        && is_number(last.trim())
    {
        return Some(Filter::First(last.trim().parse().ok()?));
    }
    if script == "$p" {
        return Some(Filter::Last(1));
    }
    if let Some(pattern) = script.strip_prefix('/').and_then(|rest| rest.strip_suffix("/p"))
        && !pattern.contains('/')
    {
        let matching = super::grep::read_pattern(&[pattern.to_owned()], Dialect::Basic)?;
        let (pattern, literal) = (matching.text, matching.literal);
        return Some(Filter::Match { pattern, literal, case_sensitive: true, keep: true });
    }
    let mut ranges = Vec::new();
    let mut end = None;
    for command in script.split([';', '\n']).map(str::trim).filter(|command| !command.is_empty()) {
        if let Some(line) = command.strip_suffix('q') {
            end = Some(line.trim().parse::<u64>().ok()?);
        } else {
            ranges.push(range(command.strip_suffix('p')?.trim_end())?);
        }
    }
    // Overlapping ranges would print a line twice.
    let mut sorted = ranges.clone();
    sorted.sort_unstable();
    let disjoint = sorted.windows(2).all(|pair| pair[0].1.is_some_and(|last| last < pair[1].0));
    (!ranges.is_empty() && disjoint).then_some(())?;
    if let Some(end) = end {
        let beyond = |range: &(u64, Option<u64>)| range.1.is_none_or(|last| last > end);
        sorted.iter().any(beyond).then_some(()).is_none().then_some(())?;
    }
    Some(Filter::Ranges(sorted))
}

fn range(text: &str) -> Option<(u64, Option<u64>)> {
    let number = |text: &str| {
        let text = text.trim();
        is_number(text).then(|| text.parse::<u64>().ok()).flatten().filter(|number| *number > 0)
    };
    let Some((first, last)) = text.split_once(',') else {
        let line = number(text)?;
        return Some((line, Some(line)));
    };
    let first = number(first)?;
    match last.trim() {
        "$" => Some((first, None)),
        last => Some(match last.strip_prefix('+') {
            Some(more) => (first, Some(first + more.parse::<u64>().ok()?)),
            // `9,5p` prints line 9.
            None => (first, Some(number(last)?.max(first))),
        }),
    }
}

/// `NR==5`, `NR>=5 && NR<=9`, `NR<20`, also with `{print}` or a number in front; `/x/`.
pub(super) fn awk(script: &str) -> Option<Filter> {
    let script = script.trim();
    let (condition, action) = match script.split_once('{') {
        Some((condition, action)) => (condition.trim(), action.trim().trim_end_matches('}').trim()),
        None => (script, ""),
    };
    let plain: String = action.chars().filter(|c| !c.is_whitespace()).collect();
    let prints = ["", "print", "print$0", "printNR\":\"$0", "printNR\":\"$0", "printFNR\":\"$0"];
    prints.contains(&plain.as_str()).then_some(())?;
    if let Some(pattern) = condition.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'))
        && !pattern.contains('/')
    {
        let matching = super::grep::read_pattern(&[pattern.to_owned()], Dialect::Extended)?;
        let (pattern, literal) = (matching.text, matching.literal);
        return Some(Filter::Match { pattern, literal, case_sensitive: true, keep: true });
    }
    let (mut first, mut last) = (1_u64, None);
    for test in condition.split("&&") {
        let test: String = test.chars().filter(|c| !c.is_whitespace()).collect();
        let test = test.strip_prefix("NR").or_else(|| test.strip_prefix("FNR"))?;
        let (operator, number) =
            test.split_at(test.find(|c: char| c.is_ascii_digit()).unwrap_or(test.len()));
        is_number(number).then_some(())?;
        let number: u64 = number.parse().ok()?;
        match operator {
            "==" => (first, last) = (number, Some(number)),
            ">=" => first = number,
            ">" => first = number + 1,
            "<=" => last = Some(number),
            "<" => last = Some(number.checked_sub(1)?),
            _ => return None,
        }
    }
    Some(Filter::Ranges(vec![(first.max(1), last)]))
}

#[cfg(test)]
mod tests {
    use super::{Filter, awk, sed};

    #[test]
    fn a_sed_script_that_only_chooses_lines_is_read() {
        assert_eq!(sed("5,9p"), Some(Filter::Ranges(vec![(5, Some(9))])));
        assert_eq!(
            sed("5p;9p;20,30p"),
            Some(Filter::Ranges(vec![(5, Some(5)), (9, Some(9)), (20, Some(30))]))
        );
        assert_eq!(sed("5,+3p"), Some(Filter::Ranges(vec![(5, Some(8))])));
        assert_eq!(sed("7,$p"), Some(Filter::Ranges(vec![(7, None)])));
        assert_eq!(sed("10q"), Some(Filter::First(10)));
        assert_eq!(sed("5,9p;9q"), Some(Filter::Ranges(vec![(5, Some(9))])));
        for script in ["5,9p;7p", "s/a/b/p", "5,9d", "5,9p;7q", ""] {
            assert_eq!(sed(script), None, "{script}");
        }
    }

    #[test]
    fn an_awk_script_that_only_chooses_lines_is_read() {
        assert_eq!(awk("NR>=5 && NR<=9"), Some(Filter::Ranges(vec![(5, Some(9))])));
        assert_eq!(awk("NR==5{print}"), Some(Filter::Ranges(vec![(5, Some(5))])));
        assert_eq!(awk("NR<3 {print NR\": \"$0}"), Some(Filter::Ranges(vec![(1, Some(2))])));
        for script in ["{print $1}", "NR%2", "NR>5{x++}", ""] {
            assert_eq!(awk(script), None, "{script}");
        }
    }
}
