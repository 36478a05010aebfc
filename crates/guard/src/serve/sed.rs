//! Scripts of `sed`: which lines they are about, and what they do to them.

use super::edited::EditOp;
use super::filter::number;
use super::pipe::{Change, Stage};
use super::{Edge, Filter};
use crate::pattern::{Dialect, read_pattern};
use crate::program::args::{Spec, parse};

/// A call of `sed`.
pub(super) struct SedCall {
    commands: Vec<SedCommand>,
    /// Whether lines are printed only where the script says so.
    quiet: bool,
    /// The files that it reads.
    pub(super) files: Vec<String>,
}

/// One command of a script with its addresses.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SedCommand {
    start: Option<Edge>,
    end: Option<Edge>,
    /// Whether the lines outside are meant.
    negated: bool,
    verb: Verb,
}

#[derive(Debug, PartialEq, Eq)]
enum Verb {
    Print,
    Delete,
    Quit,
    /// `s`.
    Substitute {
        pattern: Edge,
        /// Whether changed lines are printed once more.
        prints: bool,
        any_case: bool,
        /// Whether a newline in the new text makes two lines of one.
        splits: bool,
    },
    /// `a`, `i` and `c`.
    Text(EditOp),
}

impl SedCall {
    /// Reads the words of a call; `None` if the script does more than choosing and substituting.
    pub(super) fn parse(operands: &[String]) -> Option<Self> {
        let parsed = parse(operands, &Spec::new("e", &["expression"]));
        let allowed = [
            "n", "quiet", "silent", "e", "expression", "E", "r", "regexp-extended", "u",
            "unbuffered",
        ];
        let known = |(name, _): &(&str, Option<&str>)| allowed.contains(name);
        parsed.options.iter().all(known).then_some(())?;
        let mut files = parsed.operands.to_vec();
        let scripts: Vec<&str> = parsed.values(&["e", "expression"]).collect();
        let script = match scripts.as_slice() {
            [] if !files.is_empty() => files.remove(0),
            [] => return None,
            many => many.join("\n"),
        };
        let extended = parsed.has(&["E", "r", "regexp-extended"]);
        let dialect = if extended { Dialect::Extended } else { Dialect::Basic };
        let quiet = parsed.has(&["n", "quiet", "silent"]);
        Some(Self { commands: commands(&script, dialect)?, quiet, files })
    }

    /// What the script does to the lines.
    pub(super) fn stages(self) -> Option<Vec<Stage>> {
        if self
            .commands
            .iter()
            .all(|one| matches!(one.verb, Verb::Substitute { prints: false, splits: false, .. }))
        {
            return (!self.quiet).then(|| vec![Stage::Change(Change::EachLine)]);
        }
        match <[SedCommand; 1]>::try_from(self.commands) {
            Ok([only]) => stage(only, self.quiet),
            Err(several) if self.quiet => printed_ranges(&several).map(choose),
            Err(several) => several
                .into_iter()
                .map(|one| match one.verb {
                    // Line numbers and stretches count lines that other commands have dropped.
                    Verb::Delete
                        if matches!(&one.start, Some(Edge::Match { .. })) && one.end.is_none() =>
                    {
                        stage(one, false)?.pop()
                    }
                    _ => None,
                })
                .collect(),
        }
    }
}

fn choose(filter: Filter) -> Vec<Stage> {
    vec![Stage::Choose(filter)]
}

fn matching(edge: Edge, keep: bool) -> Option<Filter> {
    let Edge::Match { pattern, literal } = edge else { return None };
    Some(Filter::Match { pattern, literal, case_sensitive: true, keep })
}

/// What a script of one command does.
fn stage(command: SedCommand, quiet: bool) -> Option<Vec<Stage>> {
    let SedCommand { start, end, negated, verb } = command;
    let keep = match (verb, quiet) {
        (Verb::Print, true) => !negated,
        (Verb::Delete, false) => negated,
        (Verb::Quit, false) if !negated && end.is_none() => {
            return Some(choose(match start? {
                Edge::Line(last) => Filter::First(last),
                // The first line cannot be skipped, so a match there ends it.
                end @ Edge::Match { .. } => {
                    Filter::Between { start: Edge::Line(1), end, may_be_one: true, keep: true }
                }
                Edge::Last | Edge::More(_) => return None,
            }));
        }
        (Verb::Substitute { pattern, prints: true, any_case: false, splits: false }, true)
            if start.is_none() =>
        {
            let chosen = Stage::Choose(matching(pattern, true)?);
            return Some(vec![chosen, Stage::Change(Change::EachLine)]);
        }
        _ => return None,
    };
    addressed(start, end, keep)
}

/// The lines of an address, or all others.
fn addressed(start: Option<Edge>, end: Option<Edge>, keep: bool) -> Option<Vec<Stage>> {
    Some(choose(match (start, end) {
        (None, _) if keep => return Some(Vec::new()),
        (None, _) | (Some(Edge::More(_)), None) => return None,
        (Some(start @ Edge::Match { .. }), None) => matching(start, keep)?,
        (Some(Edge::Last), None) if keep => Filter::Last(1),
        (Some(Edge::Last), None) => Filter::ButLast(1),
        (Some(Edge::Line(line)), None) => lines(line, Some(line), keep),
        (Some(Edge::Line(first)), Some(Edge::Line(last))) => {
            lines(first, Some(last.max(first)), keep)
        }
        (Some(Edge::Line(first)), Some(Edge::More(more))) => lines(first, Some(first + more), keep),
        (Some(Edge::Line(first)), Some(Edge::Last)) => lines(first, None, keep),
        (Some(start), Some(end)) => Filter::Between { start, end, may_be_one: false, keep },
    }))
}

/// Lines by their numbers, or all others.
fn lines(first: u64, last: Option<u64>, keep: bool) -> Filter {
    if keep {
        return Filter::Ranges(vec![(first, last)]);
    }
    let mut left = Vec::new();
    if first > 1 {
        left.push((1, Some(first - 1)));
    }
    left.extend(last.map(|last| (last + 1, None)));
    if left.is_empty() { Filter::First(0) } else { Filter::Ranges(left) }
}

/// `5p;9p;20,30p`, also with a `q` behind the last line.
fn printed_ranges(commands: &[SedCommand]) -> Option<Filter> {
    let mut ranges = Vec::new();
    let mut end = None;
    for command in commands {
        (!command.negated).then_some(())?;
        match (&command.verb, &command.start, &command.end) {
            (Verb::Quit, Some(Edge::Line(line)), None) => end = Some(*line),
            (Verb::Print, Some(Edge::Line(line)), None) => ranges.push((*line, Some(*line))),
            (Verb::Print, Some(Edge::Line(first)), Some(Edge::Line(last))) => {
                ranges.push((*first, Some((*last).max(*first))));
            }
            (Verb::Print, Some(Edge::Line(first)), Some(Edge::More(more))) => {
                ranges.push((*first, Some(first + more)));
            }
            (Verb::Print, Some(Edge::Line(first)), Some(Edge::Last)) => ranges.push((*first, None)),
            _ => return None,
        }
    }
    // Overlapping ranges would print a line twice.
    ranges.sort_unstable();
    let disjoint = ranges.windows(2).all(|pair| pair[0].1.is_some_and(|last| last < pair[1].0));
    let reached =
        |range: &(u64, Option<u64>)| end.is_none_or(|end| range.1.is_some_and(|last| last <= end));
    (!ranges.is_empty() && disjoint && ranges.iter().all(reached)).then_some(Filter::Ranges(ranges))
}

impl SedCommand {
    /// The operation that does the same, and what chooses the lines that it changes.
    pub(super) fn edit(self) -> Option<(EditOp, Vec<Stage>)> {
        let Self { start, end, negated, verb } = self;
        let op = match verb {
            Verb::Substitute { pattern, any_case, .. } => {
                if start.is_none() {
                    let mut chosen = matching(pattern, true)?;
                    if let Filter::Match { case_sensitive, .. } = &mut chosen {
                        *case_sensitive = !any_case;
                    }
                    return Some((EditOp::Replace, choose(chosen)));
                }
                EditOp::Replace
            }
            Verb::Delete => EditOp::Delete,
            Verb::Text(op) => op,
            Verb::Print | Verb::Quit => return None,
        };
        start.is_some().then_some(())?;
        Some((op, addressed(start, end, !negated)?))
    }
}

/// The commands of a script.
pub(super) fn commands(script: &str, dialect: Dialect) -> Option<Vec<SedCommand>> {
    let mut rest = script.trim_start_matches(is_between);
    let mut out = Vec::new();
    while !rest.is_empty() {
        let (command, after) = command(rest, dialect)?;
        out.push(command);
        // Whatever follows a command on its line belongs to it.
        let next = after.trim_start_matches([' ', '\t']);
        (next.is_empty() || next.starts_with([';', '\n'])).then_some(())?;
        rest = next.trim_start_matches(is_between);
    }
    (!out.is_empty()).then_some(out)
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ';'
}

fn command(text: &str, dialect: Dialect) -> Option<(SedCommand, &str)> {
    let (start, mut rest) = address(text, dialect)?;
    let mut end = None;
    if let Some(after) = rest.trim_start().strip_prefix(',') {
        (end, rest) = address(after.trim_start(), dialect)?;
        (start.is_some() && end.is_some()).then_some(())?;
    }
    rest = rest.trim_start();
    let negated = rest.starts_with('!');
    let mut letters = rest.trim_start_matches(['!', ' ']).chars();
    let verb = match letters.next()? {
        'p' => Verb::Print,
        'd' => Verb::Delete,
        'q' => Verb::Quit,
        's' => {
            let delimiter = letters.next().filter(|c| !c.is_alphanumeric() && *c != '\\')?;
            let (pattern, rest) = until(letters.as_str(), delimiter)?;
            let (replacement, rest) = until(rest, delimiter)?;
            let flags = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let known = |c: char| c.is_ascii_digit() || matches!(c, 'g' | 'p' | 'I' | 'i');
            let (flags, rest) = rest.split_at(flags);
            flags.chars().all(known).then_some(())?;
            letters = rest.chars();
            Verb::Substitute {
                pattern: edge(pattern, dialect)?,
                prints: flags.contains('p'),
                any_case: flags.contains(['I', 'i']),
                splits: replacement.contains("\\n") || replacement.contains('\n'),
            }
        }
        verb @ ('a' | 'i' | 'c') => {
            // The text goes to the end of a line that does not end with a backslash.
            let text = letters.as_str();
            let mut ends = text.match_indices('\n').map(|(at, _)| at);
            let end = ends.find(|at| !text[..*at].ends_with('\\')).unwrap_or(text.len());
            letters = text[end..].chars();
            Verb::Text(match verb {
                'a' => EditOp::InsertAfter,
                'i' => EditOp::InsertBefore,
                _ => EditOp::Replace,
            })
        }
        _ => return None,
    };
    Some((SedCommand { start, end, negated, verb }, letters.as_str()))
}

/// The address in front of a command, if there is one.
fn address(text: &str, dialect: Dialect) -> Option<(Option<Edge>, &str)> {
    if let Some(rest) = text.strip_prefix('$') {
        return Some((Some(Edge::Last), rest));
    }
    if let Some(rest) = text.strip_prefix('/') {
        let (pattern, rest) = until(rest, '/')?;
        // Letters directly behind it would change how it matches.
        (!rest.starts_with(['I', 'M'])).then_some(())?;
        return Some((Some(edge(pattern, dialect)?), rest));
    }
    let (more, digits) = match text.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (digits, rest) =
        digits.split_at(digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    (!rest.starts_with('~')).then_some(())?;
    match (more, digits) {
        (false, "") => Some((None, text)),
        (true, digits) => Some((Some(Edge::More(number(digits)?)), rest)),
        (false, digits) => {
            let line = number(digits).filter(|line| *line > 0)?;
            Some((Some(Edge::Line(line)), rest))
        }
    }
}

fn edge(pattern: String, dialect: Dialect) -> Option<Edge> {
    let matching = read_pattern(&[pattern], dialect)?;
    Some(Edge::Match { pattern: matching.text, literal: matching.literal })
}

/// The text up to a delimiter, and what follows; a delimiter with a backslash is part of the text.
fn until(text: &str, delimiter: char) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == delimiter {
            return Some((out, &text[at + c.len_utf8()..]));
        }
        if c == '\\' {
            let (_, escaped) = chars.next()?;
            if escaped != delimiter {
                out.push('\\');
            }
            out.push(escaped);
        } else {
            out.push(c);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::SedCall;
    use crate::serve::pipe::{Change, Stage};
    use crate::serve::{Edge, Filter};

    fn stages(words: &str) -> Option<Vec<Stage>> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        SedCall::parse(&words)?.stages()
    }

    fn check(words: &str, filter: Filter) {
        assert_eq!(stages(words), Some(vec![Stage::Choose(filter)]), "{words}");
    }

    #[test]
    fn lines_are_chosen_by_their_numbers() {
        check("-n 5,9p", Filter::Ranges(vec![(5, Some(9))]));
        check("-n 5p;9p;20,30p", Filter::Ranges(vec![(5, Some(5)), (9, Some(9)), (20, Some(30))]));
        check("-n -e 5p -e 9p", Filter::Ranges(vec![(5, Some(5)), (9, Some(9))]));
        check("-n 5,+3p", Filter::Ranges(vec![(5, Some(8))]));
        check("-n 7,$p", Filter::Ranges(vec![(7, None)]));
        check("-n 9,5p", Filter::Ranges(vec![(9, Some(9))]));
        check("-n 5,9p;9q", Filter::Ranges(vec![(5, Some(9))]));
        check("-n $p", Filter::Last(1));
        check("10q", Filter::First(10));
        check("1,10d", Filter::Ranges(vec![(11, None)]));
        check("5,9d", Filter::Ranges(vec![(1, Some(4)), (10, None)]));
        check("$d", Filter::ButLast(1));
        check("5,9!d", Filter::Ranges(vec![(5, Some(9))]));
    }

    #[test]
    fn lines_are_chosen_by_their_text() {
        let edge = |text: &str| Edge::Match { pattern: text.to_owned(), literal: true };
        let matching = |text: &str, keep| Filter::Match {
            pattern: text.to_owned(),
            literal: true,
            case_sensitive: true,
            keep,
        };
        let between = |start, end, keep| Filter::Between { start, end, may_be_one: false, keep };
        check("-n /x/p", matching("x", true));
        check("/x/d", matching("x", false));
        check("-n /a/,/b/p", between(edge("a"), edge("b"), true));
        check("-n /a/,+4p", between(edge("a"), Edge::More(4), true));
        check("-n /a/,$p", between(edge("a"), Edge::Last, true));
        check("/a/,/b/d", between(edge("a"), edge("b"), false));
        check("-n 3,/b/p", between(Edge::Line(3), edge("b"), true));
        let both = vec![Stage::Choose(matching("x", false)), Stage::Choose(matching("y", false))];
        assert_eq!(stages("/x/d;/y/d"), Some(both));
        let changed = vec![Stage::Choose(matching("a", true)), Stage::Change(Change::EachLine)];
        assert_eq!(stages("-n s/a/b/p"), Some(changed));
        assert_eq!(stages("-e s/a/b/g -e s/c/d/"), Some(vec![Stage::Change(Change::EachLine)]));
    }

    #[test]
    fn a_script_that_does_more_is_not_read() {
        for words in [
            "-n 5,9p;7p", "s/a/b/p", "-n 5,9p;7q", "-n", "p", "-n 5{p;q}", "s/,/\\n/", "/x/d;5d",
            "-n /a/Ip", "1~2d", "s/a/b/w f", "-i 5d", "N;P;D", "5d;s/a/b/", "-n s/a/b/",
        ] {
            assert_eq!(stages(words), None, "{words}");
        }
    }
}
