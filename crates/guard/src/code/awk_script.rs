//! Files and commands named in an `awk` script.

use std::collections::HashMap;

use crate::unknown::HOLE;

/// What a script does besides printing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AwkAction {
    /// `getline < "file"`.
    Read(String),
    /// `print > "file"`.
    Write(String),
    /// `system("…")`, `print | "…"`, `"…" | getline`.
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
pub(crate) fn actions(script: &str, values: &[(&str, &str)]) -> Vec<AwkAction> {
    let tokens = with_values(tokens(script), values);
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match &tokens[i] {
            AwkToken::Word(word) if word == "print" || word == "printf" => {
                output(&tokens, i + 1, &mut out);
            }
            AwkToken::Word(word) if word == "system" => {
                let (text, _) = expression(&tokens, i + 2);
                out.push(AwkAction::Run(text));
            }
            AwkToken::Word(word) if word == "getline" => input(&tokens, i, &mut out),
            AwkToken::Word(word) if word == "ARGV" => operand(&tokens, i, &mut out),
            // `a |& getline` and `print |& cmd` are read by the others.
            _ => {}
        }
        i += 1;
    }
    out
}

/// Whether a script prints only at its end, and nothing that it kept of the lines: a sum, a count.
pub(crate) fn is_summary(script: &str) -> bool {
    let tokens = tokens(script);
    let (mut depth, mut at_end, mut prints) = (0_usize, false, false);
    // The tokens of a pattern that no action has followed yet.
    let mut pattern: Vec<&AwkToken> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            AwkToken::Mark("{") => {
                if depth == 0 {
                    let ends = |name: &str| matches!(pattern.as_slice(), [AwkToken::Word(word)] if word == name);
                    at_end = ends("END") || ends("BEGIN");
                    pattern.clear();
                }
                depth += 1;
            }
            AwkToken::Mark("}") => depth = depth.saturating_sub(1),
            // A pattern without an action prints its lines.
            AwkToken::Mark(";" | "\n") if depth == 0 && !pattern.is_empty() => return false,
            AwkToken::Mark(";" | "\n") if depth == 0 => {}
            token if depth == 0 => pattern.push(token),
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
    prints && pattern.is_empty()
}

/// `x = $3`, which keeps text of the line; `x += $3` computes.
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
                let (path, _) = expression(tokens, i + 1);
                out.push(AwkAction::Write(path));
                return;
            }
            AwkToken::Mark("|" | "|&") if depth == 0 => {
                let (script, _) = expression(tokens, i + 1);
                out.push(AwkAction::Run(script));
                return;
            }
            _ => {}
        }
    }
}

/// `ARGV[1] = "file"` adds an operand; an empty one is skipped.
fn operand(tokens: &[AwkToken], at: usize, out: &mut Vec<AwkAction>) {
    let Some(end) = tokens[at..].iter().take(16).position(|token| *token == AwkToken::Mark("]"))
    else {
        return;
    };
    let value = at + end + 2;
    let assigned = tokens.get(value - 1) == Some(&AwkToken::Mark("="))
        && tokens.get(value) != Some(&AwkToken::Mark("="))
        && tokens.get(value) != Some(&AwkToken::Text(String::new()));
    if assigned {
        out.push(AwkAction::Read(expression(tokens, value).0));
    }
}

/// Puts the text of variables in their place where it is known.
fn with_values(mut tokens: Vec<AwkToken>, values: &[(&str, &str)]) -> Vec<AwkToken> {
    let mut known: HashMap<String, Option<String>> = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())))
        .collect();
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
        let (script, _) = expression(tokens, start);
        out.push(AwkAction::Run(script));
        return;
    }
    let next = match tokens.get(at + 1) {
        Some(AwkToken::Word(_)) => at + 2,
        _ => at + 1,
    };
    if tokens.get(next) == Some(&AwkToken::Mark("<")) {
        let (path, _) = expression(tokens, next + 1);
        out.push(AwkAction::Read(path));
    }
}

/// The text of a concatenation, unknown where it is not literal, and where it ends.
fn expression(tokens: &[AwkToken], from: usize) -> (String, usize) {
    let mut text = String::new();
    let mut i = from;
    while let Some(token) = tokens.get(i) {
        match token {
            AwkToken::Text(known) => text += known,
            AwkToken::Mark("$") => {
                if !text.ends_with(HOLE) {
                    text.push(HOLE);
                }
                // The number of the field is no text.
                i += usize::from(matches!(tokens.get(i + 1), Some(AwkToken::Text(_))));
            }
            AwkToken::Word(_) | AwkToken::Other => {
                if !text.ends_with(HOLE) {
                    text.push(HOLE);
                }
            }
            AwkToken::Mark("(") => {}
            // `print > c ? "a" : "b"` writes to one of the two; the first will do.
            AwkToken::Mark("?") => text.clear(),
            AwkToken::Mark(_) => break,
        }
        i += 1;
    }
    if text.is_empty() {
        text.push(HOLE);
    }
    (text, i)
}

fn tokens(script: &str) -> Vec<AwkToken> {
    let chars: Vec<char> = script.chars().collect();
    let mut out: Vec<AwkToken> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        let next = chars.get(i + 1).copied().unwrap_or('\0');
        match c {
            '"' => {
                let mut text = String::new();
                i += 1;
                while i < chars.len() && chars[i] != '"' {
                    if chars[i] == '\\' {
                        i += 1;
                    }
                    text.extend(chars.get(i));
                    i += 1;
                }
                i += 1;
                out.push(AwkToken::Text(text));
            }
            '/' if starts_pattern(&out) => {
                i += 1;
                let mut class = false;
                while i < chars.len() && (chars[i] != '/' || class) && chars[i] != '\n' {
                    match chars[i] {
                        '\\' => i += 1,
                        '[' => class = true,
                        ']' => class = false,
                        _ => {}
                    }
                    i += 1;
                }
                i += 1;
                out.push(AwkToken::Other);
            }
            '#' => {
                while i < chars.len() && chars[i] != '\n' {
                    i += 1;
                }
            }
            '|' if next == '|' => {
                out.push(AwkToken::Mark("||"));
                i += 2;
            }
            '|' if next == '&' => {
                out.push(AwkToken::Mark("|&"));
                i += 2;
            }
            '>' if next == '>' => {
                out.push(AwkToken::Mark(">>"));
                i += 2;
            }
            '>' if next == '=' => {
                out.push(AwkToken::Mark(">="));
                i += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let start = i;
                while i < chars.len() && (chars[i].is_alphanumeric() || chars[i] == '_') {
                    i += 1;
                }
                let word: String = chars[start..i].iter().collect();
                out.push(if word.starts_with(|c: char| c.is_ascii_digit()) {
                    // A number names a file as well as a string does.
                    AwkToken::Text(word)
                } else {
                    AwkToken::Word(word)
                });
            }
            c if c == ' ' || c == '\t' || c == '\r' => i += 1,
            '\\' if next == '\n' => i += 2,
            c => {
                out.push(mark(c));
                i += 1;
            }
        }
    }
    out
}

fn mark(c: char) -> AwkToken {
    match c {
        '(' => AwkToken::Mark("("),
        ')' => AwkToken::Mark(")"),
        '[' => AwkToken::Mark("["),
        ']' => AwkToken::Mark("]"),
        '{' => AwkToken::Mark("{"),
        '}' => AwkToken::Mark("}"),
        ';' => AwkToken::Mark(";"),
        '\n' => AwkToken::Mark("\n"),
        '<' => AwkToken::Mark("<"),
        '>' => AwkToken::Mark(">"),
        '|' => AwkToken::Mark("|"),
        ',' => AwkToken::Mark(","),
        '?' => AwkToken::Mark("?"),
        ':' => AwkToken::Mark(":"),
        '&' => AwkToken::Mark("&"),
        '=' => AwkToken::Mark("="),
        '$' => AwkToken::Mark("$"),
        _ => AwkToken::Other,
    }
}

/// Whether a slash here starts a pattern, not a division.
fn starts_pattern(before: &[AwkToken]) -> bool {
    match before.last() {
        None | Some(AwkToken::Other) => true,
        Some(AwkToken::Mark(mark)) => !matches!(*mark, ")" | "]"),
        Some(AwkToken::Word(_) | AwkToken::Text(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{AwkAction, actions, is_summary};
    use crate::unknown::HOLE;

    fn check(script: &str, expected: &[AwkAction]) {
        assert_eq!(actions(script, &[("out", "/tmp/o")]), expected, "{script}");
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
