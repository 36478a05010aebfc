//! Files and commands named in an `awk` script.

use std::collections::HashMap;

use crate::guard::unknown::HOLE;

/// What a script does besides printing.
#[derive(Debug, PartialEq, Eq)]
pub enum Deed {
    /// `getline < "file"`.
    Read(String),
    /// `print > "file"`.
    Write(String),
    /// `system("…")`, `print | "…"`, `"…" | getline`.
    Run(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Text(String),
    Word(String),
    Mark(&'static str),
    Other,
}

/// The deeds of a script.
///
/// `values` are the variables that the command line sets; those that the script sets once, and to
/// a string, are known too.
pub fn deeds(script: &str, values: &[(&str, &str)]) -> Vec<Deed> {
    let tokens = with_values(tokens(script), values);
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        match &tokens[i] {
            Token::Word(word) if word == "print" || word == "printf" => {
                output(&tokens, i + 1, &mut out);
            }
            Token::Word(word) if word == "system" => {
                let (text, _) = expression(&tokens, i + 2);
                out.push(Deed::Run(text));
            }
            Token::Word(word) if word == "getline" => input(&tokens, i, &mut out),
            Token::Word(word) if word == "ARGV" => operand(&tokens, i, &mut out),
            // `a |& getline` and `print |& cmd` are read by the others.
            _ => {}
        }
        i += 1;
    }
    out
}

/// A `print` statement: `>` and `|` outside of parentheses redirect it.
fn output(tokens: &[Token], from: usize, out: &mut Vec<Deed>) {
    let mut depth = 0;
    for i in from..tokens.len() {
        match &tokens[i] {
            Token::Mark("(" | "[") => depth += 1,
            Token::Mark(")" | "]") => depth -= 1,
            Token::Mark(";" | "}" | "\n") if depth <= 0 => return,
            Token::Mark(">" | ">>") if depth == 0 => {
                let (path, _) = expression(tokens, i + 1);
                out.push(Deed::Write(path));
                return;
            }
            Token::Mark("|" | "|&") if depth == 0 => {
                let (script, _) = expression(tokens, i + 1);
                out.push(Deed::Run(script));
                return;
            }
            _ => {}
        }
    }
}

/// `ARGV[1] = "file"` adds an operand; an empty one is skipped.
fn operand(tokens: &[Token], at: usize, out: &mut Vec<Deed>) {
    let Some(end) = tokens[at..].iter().take(16).position(|token| *token == Token::Mark("]"))
    else {
        return;
    };
    let value = at + end + 2;
    let assigned = tokens.get(value - 1) == Some(&Token::Mark("="))
        && tokens.get(value) != Some(&Token::Mark("="))
        && tokens.get(value) != Some(&Token::Text(String::new()));
    if assigned {
        out.push(Deed::Read(expression(tokens, value).0));
    }
}

/// Puts the text of variables in their place where it can be told.
fn with_values(mut tokens: Vec<Token>, values: &[(&str, &str)]) -> Vec<Token> {
    let mut known: HashMap<String, Option<String>> = values
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Some((*value).to_owned())))
        .collect();
    for i in 0..tokens.len() {
        let Token::Word(name) = &tokens[i] else { continue };
        let sets = matches!(tokens.get(i + 1), Some(Token::Mark("=")))
            && tokens.get(i + 2) != Some(&Token::Mark("="));
        let reads = i > 0 && tokens[i - 1] == Token::Word("getline".to_owned());
        if !sets && !reads {
            continue;
        }
        let ends = matches!(tokens.get(i + 3), None | Some(Token::Mark(";" | "}" | "\n")));
        let value = match tokens.get(i + 2) {
            Some(Token::Text(text)) if sets && ends && !known.contains_key(name) => {
                Some(text.clone())
            }
            _ => None,
        };
        known.insert(name.clone(), value);
    }
    for i in 0..tokens.len() {
        if let Token::Word(name) = &tokens[i]
            && tokens.get(i + 1) != Some(&Token::Mark("="))
            && let Some(Some(value)) = known.get(name)
        {
            tokens[i] = Token::Text(value.clone());
        }
    }
    tokens
}

/// `getline`: from a file after `<`, from a command before `|`.
fn input(tokens: &[Token], at: usize, out: &mut Vec<Deed>) {
    if let Some(Token::Mark("|" | "|&")) = at.checked_sub(1).map(|i| &tokens[i]) {
        // The command is the expression before the bar.
        let mut start = at - 1;
        while start > 0
            && matches!(&tokens[start - 1], Token::Text(_) | Token::Word(_) | Token::Other)
        {
            start -= 1;
        }
        let (script, _) = expression(tokens, start);
        out.push(Deed::Run(script));
        return;
    }
    let next = match tokens.get(at + 1) {
        Some(Token::Word(_)) => at + 2,
        _ => at + 1,
    };
    if tokens.get(next) == Some(&Token::Mark("<")) {
        let (path, _) = expression(tokens, next + 1);
        out.push(Deed::Read(path));
    }
}

/// The text of a concatenation, unknown where it is not literal, and where it ends.
fn expression(tokens: &[Token], from: usize) -> (String, usize) {
    let mut text = String::new();
    let mut i = from;
    while let Some(token) = tokens.get(i) {
        match token {
            Token::Text(known) => text += known,
            Token::Word(_) | Token::Other => {
                if !text.ends_with(HOLE) {
                    text.push(HOLE);
                }
            }
            Token::Mark("(") => {}
            // `print > c ? "a" : "b"` writes to one of the two; the first will do.
            Token::Mark("?") => text.clear(),
            Token::Mark(_) => break,
        }
        i += 1;
    }
    if text.is_empty() {
        text.push(HOLE);
    }
    (text, i)
}

fn tokens(script: &str) -> Vec<Token> {
    let chars: Vec<char> = script.chars().collect();
    let mut out: Vec<Token> = Vec::new();
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
                out.push(Token::Text(text));
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
                out.push(Token::Other);
            }
            '#' => {
                while i < chars.len() && chars[i] != '\n' {
                    i += 1;
                }
            }
            '|' if next == '|' => {
                out.push(Token::Mark("||"));
                i += 2;
            }
            '|' if next == '&' => {
                out.push(Token::Mark("|&"));
                i += 2;
            }
            '>' if next == '>' => {
                out.push(Token::Mark(">>"));
                i += 2;
            }
            '>' if next == '=' => {
                out.push(Token::Mark(">="));
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
                    Token::Text(word)
                } else {
                    Token::Word(word)
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

fn mark(c: char) -> Token {
    match c {
        '(' => Token::Mark("("),
        ')' => Token::Mark(")"),
        '[' => Token::Mark("["),
        ']' => Token::Mark("]"),
        '{' => Token::Mark("{"),
        '}' => Token::Mark("}"),
        ';' => Token::Mark(";"),
        '\n' => Token::Mark("\n"),
        '<' => Token::Mark("<"),
        '>' => Token::Mark(">"),
        '|' => Token::Mark("|"),
        ',' => Token::Mark(","),
        '?' => Token::Mark("?"),
        ':' => Token::Mark(":"),
        '&' => Token::Mark("&"),
        '=' => Token::Mark("="),
        _ => Token::Other,
    }
}

/// Whether a slash here starts a pattern, not a division.
fn starts_pattern(before: &[Token]) -> bool {
    match before.last() {
        None | Some(Token::Other) => true,
        Some(Token::Mark(mark)) => !matches!(*mark, ")" | "]"),
        Some(Token::Word(_) | Token::Text(_)) => false,
    }
}
