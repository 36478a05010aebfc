//! `awk`: parsing its options and its script.

use std::collections::HashMap;

use super::Call;
use super::args::{Spec, first, parse};
use super::reader::number;
use crate::effect::Written;
use crate::known::Stdin;
use crate::outcome::{Outcome, Surroundings};
use crate::pattern::{Dialect, is_pattern, read_pattern};
use crate::serve::pipe::{Change, Stage};
use crate::serve::{Edge, Filter};
use crate::unknown::HOLE;
use crate::word::{assigned, is_assignment};

/// The options of `awk` that take a value.
pub(super) const SPEC: Spec<'static> =
    first("Ffvile", "field-separator file assign include source load");

/// A call of `awk`.
pub(crate) struct AwkCall {
    scripts: Vec<String>,
    /// Files that hold scripts.
    script_files: Vec<String>,
    /// Variables that the command line sets.
    values: Vec<(String, String)>,
    in_place: bool,
    /// Whether the call has no options but separators, and no variables.
    plain: bool,
    /// The files that the call reads.
    pub(crate) files: Vec<String>,
}

impl AwkCall {
    /// Reads the words of a call; `None` if it has no script.
    pub(crate) fn read(words: &[String]) -> Option<Self> {
        let parsed = parse(words, &SPEC);
        let owned = |names: &str| parsed.values(names).map(str::to_owned).collect();
        let mut operands = &*parsed.operands;
        let mut scripts: Vec<String> = owned("e source");
        if scripts.is_empty() && !parsed.has("f file E exec") {
            let (script, rest) = operands.split_first()?;
            scripts.push(script.clone());
            operands = rest;
        }
        // `name=value` among the files is an assignment.
        let (variables, files): (Vec<String>, Vec<String>) =
            operands.iter().cloned().partition(|word| is_assignment(word));
        let separator = |(name, _): &(&str, _)| matches!(*name, "F" | "field-separator");
        Some(Self {
            scripts,
            script_files: owned("f file"),
            values: parsed.values("v assign").filter_map(assigned).collect(),
            in_place: parsed.values("i include").any(|name| name.starts_with("inplace")),
            plain: parsed.options.iter().all(separator) && variables.is_empty(),
            files,
        })
    }

    /// What the call does to its lines; `None` if it does more than choose and print them.
    pub(crate) fn stages(&self) -> Option<Vec<Stage>> {
        let ([script], true) = (self.scripts.as_slice(), self.plain) else { return None };
        // With one file, `FNR` and `NR` are equal.
        let one =
            matches!(&*self.files, [] | [_]) && !self.files.iter().any(|file| is_pattern(file));
        if one { stages(&script.replace("FNR", "NR")) } else { stages(script) }
    }
}

pub(super) fn awk(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.has("help version") {
        return;
    }
    let Some(mut awk) = AwkCall::read(call.words) else { return };
    for path in &awk.script_files {
        awk.scripts.extend(call.known.text_at_or_input(path, call.stdin));
    }
    for action in awk.scripts.iter().flat_map(|script| actions(script, &awk.values)) {
        match action {
            AwkAction::Read(path) => out.read(&path),
            AwkAction::Write(path) => out.write(&path),
            AwkAction::Run(script) => {
                let stdin = Stdin::Text(HOLE.to_string());
                out.script_in(&script, Surroundings::fed(&stdin));
            }
        }
    }
    out.summary = !awk.scripts.is_empty()
        && awk.scripts.iter().all(|script| is_summary(script))
        && out.actions.is_empty();
    if awk.files.is_empty() {
        out.read_input();
    }
    out.read_or_edit(&awk.files, awk.in_place, &Written::default());
}

/// One rule of a script; without an action it prints the lines that it chooses.
struct AwkRule<'s> {
    condition: &'s str,
    action: Option<&'s str>,
}

/// The rules of a script.
fn rules(script: &str) -> Vec<AwkRule<'_>> {
    let mut out = Vec::new();
    let (mut depth, mut from, mut open) = (0_usize, 0, 0);
    for (at, token) in tokens(script) {
        match token {
            AwkToken::Mark("{") => {
                if depth == 0 {
                    open = at;
                }
                depth += 1;
            }
            AwkToken::Mark("}") => {
                if depth == 1 {
                    let condition = script[from..open].trim();
                    out.push(AwkRule { condition, action: Some(script[open + 1..at].trim()) });
                    from = at + 1;
                }
                depth = depth.saturating_sub(1);
            }
            AwkToken::Mark(";" | "\n") if depth == 0 => {
                let condition = script[from..at].trim();
                if !condition.is_empty() {
                    out.push(AwkRule { condition, action: None });
                }
                from = at + 1;
            }
            _ => {}
        }
    }
    let (condition, action) = match depth {
        0 => (&script[from..], None),
        _ => (&script[from..open], Some(&script[open + 1..])),
    };
    if !condition.trim().is_empty() || action.is_some() {
        out.push(AwkRule { condition: condition.trim(), action });
    }
    out
}

/// What a script does to its lines.
fn stages(script: &str) -> Option<Vec<Stage>> {
    let [AwkRule { condition, action }] = rules(script)[..] else { return None };
    let mut out = Vec::new();
    if condition.is_empty() {
        action?;
    } else {
        out.push(Stage::Choose(chosen_by(condition)?));
    }
    let action = action.unwrap_or_default();
    let plain: String = action.chars().filter(|c| !c.is_whitespace()).collect();
    if !PRINTS_ALL.contains(&plain.as_str()) {
        out.push(Stage::Change(print_change(action)?));
    } else if action.is_empty() && condition.is_empty() {
        return None;
    }
    Some(out)
}

/// Actions that print the whole line, with blanks left out.
const PRINTS_ALL: [&str; 4] = ["", "print", "print$0", "printNR\":\"$0"];

/// How one `print` or `printf` changes each line.
fn print_change(action: &str) -> Option<Change> {
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
fn chosen_by(condition: &str) -> Option<Filter> {
    if let Some((first, last)) = condition.split_once(',') {
        let (start, end) = (edge(first)?, edge(last)?);
        return Some(match (start, end) {
            // If the last line lies before the first, the range never ends.
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
    keep.then(|| chosen_numbers(condition)).flatten()
}

/// The end of a range: `/x/` or `NR==5`.
fn edge(test: &str) -> Option<Edge> {
    let test = test.trim();
    if let Some(pattern) = test.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        (!pattern.contains('/')).then_some(())?;
        let matching = read_pattern(&[pattern], Dialect::Extended)?;
        return Some(Edge::Match { pattern: matching.text, literal: matching.literal });
    }
    let (name, line) = test.split_once("==")?;
    (name.trim() == "NR").then_some(())?;
    number(line.trim()).filter(|line| *line > 0).map(Edge::Line)
}

/// The lines that a condition chooses by their numbers: `NR>=5 && NR<=9`, `NR<20`.
fn chosen_numbers(condition: &str) -> Option<Filter> {
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

/// What a script does besides printing lines.
#[derive(Debug, PartialEq, Eq)]
enum AwkAction {
    /// Reads a file: `getline < "file"`.
    Read(String),
    /// Writes a file: `print > "file"`.
    Write(String),
    /// Runs a command: `system("…")`, `print | "…"`, `"…" | getline`.
    Run(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum AwkToken {
    Text(String),
    Word(String),
    Mark(&'static str),
    Other,
}

/// The actions of a script.
///
/// `values` are the variables that the command line sets; those that the script sets once, and to
/// a string, are known too.
fn actions(script: &str, values: &[(String, String)]) -> Vec<AwkAction> {
    let tokens = with_values(plain_tokens(script), values);
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            AwkToken::Word(word) if word == "print" || word == "printf" => {
                output(&tokens, i + 1, &mut out);
            }
            AwkToken::Word(word) if word == "system" => {
                out.push(AwkAction::Run(expression(&tokens, i + 2)));
            }
            AwkToken::Word(word) if word == "getline" => input(&tokens, i, &mut out),
            _ => {}
        }
    }
    out
}

/// Whether a script prints only at its end, and only a sum or a count, no text of the lines.
fn is_summary(script: &str) -> bool {
    let mut prints = false;
    for AwkRule { condition, action } in rules(script) {
        // A pattern without an action prints its lines.
        let Some(action) = action else { return false };
        let at_end = matches!(condition, "END" | "BEGIN");
        let tokens = plain_tokens(action);
        for (i, token) in tokens.iter().enumerate() {
            match token {
                AwkToken::Word(word) if word == "print" || word == "printf" => {
                    prints = true;
                    if !at_end {
                        return false;
                    }
                }
                AwkToken::Word(word) if word == "getline" => return false,
                AwkToken::Mark("$") if at_end => return false,
                AwkToken::Mark("=") if keeps_a_field(&tokens, i) => return false,
                _ => {}
            }
        }
    }
    prints
}

/// Whether a field is kept as text: `x = $3` keeps it, `x += $3` only adds it.
fn keeps_a_field(tokens: &[AwkToken], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let computes = matches!(before, Some(AwkToken::Other | AwkToken::Mark("=" | "<" | ">")));
    let compares = tokens.get(at + 1) == Some(&AwkToken::Mark("="));
    let assigned = tokens[at + 1..]
        .iter()
        .take_while(|token| !matches!(token, AwkToken::Mark(";" | "}" | "\n")));
    !computes && !compares && assigned.into_iter().any(|token| *token == AwkToken::Mark("$"))
}

/// A `print` statement: `>` and `|` outside of parentheses redirect it.
fn output(tokens: &[AwkToken], from: usize, out: &mut Vec<AwkAction>) {
    let mut depth = 0;
    for i in from..tokens.len() {
        match &tokens[i] {
            AwkToken::Mark("(" | "[") => depth += 1,
            AwkToken::Mark(")" | "]") => depth -= 1,
            AwkToken::Mark(";" | "}" | "\n") if depth <= 0 => return,
            AwkToken::Mark(">" | ">>") if depth == 0 => {
                out.push(AwkAction::Write(expression(tokens, i + 1)));
                return;
            }
            AwkToken::Mark("|" | "|&") if depth == 0 => {
                out.push(AwkAction::Run(expression(tokens, i + 1)));
                return;
            }
            _ => {}
        }
    }
}

/// Replaces variables by their text where it is known.
fn with_values(mut tokens: Vec<AwkToken>, values: &[(String, String)]) -> Vec<AwkToken> {
    let mut known: HashMap<String, Option<String>> =
        values.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect();
    for i in 0..tokens.len() {
        let AwkToken::Word(name) = &tokens[i] else { continue };
        let sets = matches!(tokens.get(i + 1), Some(AwkToken::Mark("=")))
            && tokens.get(i + 2) != Some(&AwkToken::Mark("="));
        let reads = i > 0 && tokens[i - 1] == AwkToken::Word("getline".to_owned());
        if !sets && !reads {
            continue;
        }
        let ends = matches!(tokens.get(i + 3), None | Some(AwkToken::Mark(";" | "}" | "\n")));
        let value = match tokens.get(i + 2) {
            Some(AwkToken::Text(text)) if sets && ends && !known.contains_key(name) => {
                Some(text.clone())
            }
            _ => None,
        };
        known.insert(name.clone(), value);
    }
    for i in 0..tokens.len() {
        if let AwkToken::Word(name) = &tokens[i]
            && tokens.get(i + 1) != Some(&AwkToken::Mark("="))
            && let Some(Some(value)) = known.get(name)
        {
            tokens[i] = AwkToken::Text(value.clone());
        }
    }
    tokens
}

/// `getline`: from a file after `<`, from a command before `|`.
fn input(tokens: &[AwkToken], at: usize, out: &mut Vec<AwkAction>) {
    if let Some(AwkToken::Mark("|" | "|&")) = at.checked_sub(1).map(|i| &tokens[i]) {
        // The command is the expression before the bar.
        let mut start = at - 1;
        while start > 0
            && matches!(&tokens[start - 1], AwkToken::Text(_) | AwkToken::Word(_) | AwkToken::Other)
        {
            start -= 1;
        }
        out.push(AwkAction::Run(expression(tokens, start)));
        return;
    }
    let next = match tokens.get(at + 1) {
        Some(AwkToken::Word(_)) => at + 2,
        _ => at + 1,
    };
    if tokens.get(next) == Some(&AwkToken::Mark("<")) {
        out.push(AwkAction::Read(expression(tokens, next + 1)));
    }
}

/// The text of a concatenation, unknown where it is not literal.
fn expression(tokens: &[AwkToken], from: usize) -> String {
    let mut text = String::new();
    let mut i = from;
    while let Some(token) = tokens.get(i) {
        match token {
            AwkToken::Text(known) => text += known,
            AwkToken::Mark("$") | AwkToken::Word(_) | AwkToken::Other => {
                if !text.ends_with(HOLE) {
                    text.push(HOLE);
                }
                // The number after `$` names a field; it is not part of the text.
                let field = *token == AwkToken::Mark("$");
                i += usize::from(field && matches!(tokens.get(i + 1), Some(AwkToken::Text(_))));
            }
            AwkToken::Mark("(") => {}
            // `print > c ? "a" : "b"` writes to one of the two; noting the first is enough.
            AwkToken::Mark("?") => text.clear(),
            AwkToken::Mark(_) => break,
        }
        i += 1;
    }
    if text.is_empty() {
        text.push(HOLE);
    }
    text
}

fn plain_tokens(script: &str) -> Vec<AwkToken> {
    tokens(script).into_iter().map(|(_, token)| token).collect()
}

/// Operators and brackets; a mark comes before those that it starts with.
const MARKS: [&str; 21] = [
    "||", "|&", ">>", ">=", "(", ")", "[", "]", "{", "}", ";", "\n", "<", ">", "|", ",", "?", ":",
    "&", "=", "$",
];

/// The tokens of a script, each with its position.
fn tokens(script: &str) -> Vec<(usize, AwkToken)> {
    let mut out: Vec<(usize, AwkToken)> = Vec::new();
    let mut at = 0;
    while let Some(c) = script[at..].chars().next() {
        let rest = &script[at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (token, length) = match c {
            '"' => {
                let (text, length) = string(&rest[1..]);
                (Some(AwkToken::Text(text)), length + 1)
            }
            '/' if starts_pattern(&out) => (Some(AwkToken::Other), regex_length(rest)),
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            ' ' | '\t' | '\r' => (None, 1),
            '\\' if rest.starts_with("\\\n") => (None, 2),
            c if is_word(c) => {
                let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let word = rest[..length].to_owned();
                // A number counts as text, because it can name a file too.
                let number = c.is_ascii_digit();
                (Some(if number { AwkToken::Text(word) } else { AwkToken::Word(word) }), length)
            }
            c => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => (Some(AwkToken::Mark(mark)), mark.len()),
                None => (Some(AwkToken::Other), c.len_utf8()),
            },
        };
        out.extend(token.map(|token| (at, token)));
        at += length;
    }
    out
}

/// The text of a string up to its closing quote, and its length in the script.
fn string(rest: &str) -> (String, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (text, at + 1),
            '\\' => text.extend(chars.next().map(|(_, c)| c)),
            c => text.push(c),
        }
    }
    (text, rest.len())
}

/// The length of a pattern between slashes.
fn regex_length(rest: &str) -> usize {
    let mut class = false;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '/' if !class => return at + 1,
            '\n' => return at + 1,
            '\\' => {
                chars.next();
            }
            '[' => class = true,
            ']' => class = false,
            _ => {}
        }
    }
    rest.len()
}

/// Whether a slash here starts a pattern, not a division.
fn starts_pattern(before: &[(usize, AwkToken)]) -> bool {
    match before.last() {
        None | Some((_, AwkToken::Other)) => true,
        Some((_, AwkToken::Mark(mark))) => !matches!(*mark, ")" | "]"),
        Some((_, AwkToken::Word(_) | AwkToken::Text(_))) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{AwkAction, actions, is_summary, stages};
    use crate::serve::pipe::{Change, Stage};
    use crate::serve::{Edge, Filter};
    use crate::unknown::HOLE;

    fn ranges(first: u64, last: u64) -> Stage {
        Stage::Choose(Filter::Ranges(vec![(first, Some(last))]))
    }

    #[test]
    fn a_script_that_only_selects_lines_has_stages() {
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
    fn a_script_that_prints_a_part_of_each_line_keeps_the_line_count() {
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

    fn check(script: &str, expected: &[AwkAction]) {
        assert_eq!(
            actions(script, &[("out".to_owned(), "/tmp/o".to_owned())]),
            expected,
            "{script}"
        );
    }

    #[test]
    fn files_and_commands_in_a_script_are_found() {
        let write = |path: &str| AwkAction::Write(path.to_owned());
        check("{print > \"a.txt\"}", &[write("a.txt")]);
        check("{print $1 >> out}", &[write("/tmp/o")]);
        check("{print 3 > 2}", &[write("2")]);
        check("{print ($1 > 2)}", &[]);
        check("{print > $1 \".txt\"}", &[write(&format!("{HOLE}.txt"))]);
        check("BEGIN{system(\"cat f\")}", &[AwkAction::Run("cat f".to_owned())]);
        check("{system(\"cat \" $1)}", &[AwkAction::Run(format!("cat {HOLE}"))]);
        check("BEGIN{while((getline l < \"f\")>0) print l}", &[AwkAction::Read("f".to_owned())]);
        check("BEGIN{\"date\" | getline d}", &[AwkAction::Run("date".to_owned())]);
        check("{print | \"sort\"}", &[AwkAction::Run("sort".to_owned())]);
        check("/a > b/ {n++} # print > \"x\"", &[]);
    }

    #[test]
    fn a_sum_that_is_printed_at_the_end_is_a_summary() {
        for script in [
            "{s+=$3} END {print s}",
            "{n++} END{print n, n/2}",
            "{c[$1]++} END {for (k in c) print k, c[k]}",
            "BEGIN{FS=\",\"} $2 == \"x\" {n += $3} END {printf \"%d\\n\", n}",
        ] {
            assert!(is_summary(script), "{script}");
        }
        for script in [
            "{print}",
            "{print $1}",
            "NR>5",
            "{l[NR]=$0} END {for (i=NR;i>0;i--) print l[i]}",
            "{last=$3} END {print last}",
            "{s+=$3} END {print $0}",
            "{s+=$3; print s}",
            "/x/; END {print n}",
            "{s+=$3}",
        ] {
            assert!(!is_summary(script), "{script}");
        }
    }
}
