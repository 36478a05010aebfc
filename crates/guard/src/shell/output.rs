//! What simple programs print, where the command itself shows it.
//!
//! `$(echo cat) f`, `echo Y2F0IGY= | base64 -d | sh` and `f=$(mktemp)` need it. Everything else
//! answers with [`ANSWER`].

use super::{Shell, Stdin, Value};
use crate::unknown::{ANSWER, DOWNLOAD, HOLE, HOLE_TEXT, cleaned, is_known, is_unknown};
use crate::word::{base_name, unescaped};

/// Text as a substitution gives it.
pub(crate) fn without_final_newlines(text: &str) -> &str {
    text.trim_end_matches('\n')
}

impl Shell<'_> {
    /// What a program prints, `None` if it is none of those we know.
    pub(crate) fn printed(
        &mut self,
        name: &str,
        operands: &[String],
        stdin: &Stdin,
    ) -> Option<String> {
        let input = stdin.text().unwrap_or_default();
        Some(match name {
            "echo" | "print" => echo(operands),
            "printf" => self.printf(operands),
            "pwd" => self.env.cwd.clone() + "\n",
            "which" | "type" | "whence" | "realpath" | "readlink" => {
                operands.last()?.clone() + "\n"
            }
            "basename" => {
                let path = operands.iter().find(|o| !o.starts_with('-'))?;
                base_name(path.trim_end_matches('/')).to_owned() + "\n"
            }
            "dirname" => match operands.last()?.trim_end_matches('/').rsplit_once('/') {
                Some(("", _)) => "/\n".to_owned(),
                Some((directory, _)) => directory.to_owned() + "\n",
                None => ".\n".to_owned(),
            },
            "mktemp" => self.mktemp(operands),
            "seq" => ANSWER.to_string(),
            "base64" | "base32" | "basenc" if decodes(operands) => {
                known(input, |text| base64(text.as_bytes()))
            }
            "openssl" if operands.iter().any(|o| o == "-d") => {
                known(input, |text| base64(text.as_bytes()))
            }
            "xxd" if operands.iter().any(|o| o.starts_with("-r")) => known(input, hex),
            "rev" if operands.is_empty() => known(input, |text| {
                Some(
                    text.lines()
                        .map(|line| line.chars().rev().collect::<String>() + "\n")
                        .collect(),
                )
            }),
            "tac" if operands.is_empty() => known(input, |text| {
                Some(text.lines().rev().map(|line| line.to_owned() + "\n").collect())
            }),
            "tr" => known(input, |text| translated(text, operands)),
            "tee" => stdin.text().unwrap_or(HOLE_TEXT).to_owned(),
            "cat" if operands.iter().all(|o| o == "-" || o == "/dev/stdin") => {
                stdin.text().unwrap_or(HOLE_TEXT).to_owned()
            }
            "cat" => {
                let (options, paths): (Vec<&String>, Vec<&String>) =
                    operands.iter().partition(|o| o.starts_with('-'));
                // With options lines are numbered or marked.
                let mut out = if options.is_empty() { String::new() } else { ANSWER.to_string() };
                for path in paths {
                    let text = self.pipes.get(path.as_str()).cloned();
                    out += &text
                        .or_else(|| self.known().made_text(path))
                        .unwrap_or_else(|| ANSWER.to_string());
                }
                out
            }
            "sed" | "awk" | "grep" | "head" | "tail" | "sort" | "uniq" | "cut" | "envsubst" => {
                // A filter of a download is still a download.
                if input.contains(DOWNLOAD) { DOWNLOAD.to_string() } else { ANSWER.to_string() }
            }
            "curl" | "wget" => DOWNLOAD.to_string(),
            "find" | "ls" | "fd" => listed(operands),
            _ => return None,
        })
    }

    fn mktemp(&mut self, operands: &[String]) -> String {
        let mut directory = None;
        let mut template = None;
        let mut rest = operands.iter();
        while let Some(operand) = rest.next() {
            if let Some(value) = operand.strip_prefix("--tmpdir=") {
                directory = Some(value.to_owned());
            } else if operand == "-p" {
                directory = rest.next().cloned();
            } else if matches!(operand.as_str(), "-t" | "--tmpdir") {
                directory.get_or_insert_with(|| "/tmp".to_owned());
            } else if operand == "--suffix" {
                rest.next();
            } else if !operand.starts_with('-') {
                template = Some(operand.clone());
            }
        }
        let name = template.unwrap_or_else(|| {
            directory.get_or_insert_with(|| match self.value("TMPDIR") {
                Value::Text(text) => text,
                Value::List(_) => "/tmp".to_owned(),
            });
            "tmp.XXXXXX".to_owned()
        });
        // One call, one name: the numbered stand-in keeps two files apart.
        let unique = self.scratch.len() + self.steps();
        let name = name.trim_end_matches('X').to_owned() + &unique.to_string();
        match directory {
            Some(directory) => format!("{directory}/{name}\n"),
            None => name + "\n",
        }
    }

    pub(super) fn printf(&mut self, operands: &[String]) -> String {
        let Some((format, values)) = operands.split_first() else {
            return String::new();
        };
        let format = unescaped(format);
        let mut values = values.iter();
        let mut out = String::new();
        loop {
            let before = values.len();
            let mut chars = format.chars().peekable();
            while let Some(c) = chars.next() {
                if c != '%' {
                    out.push(c);
                    continue;
                }
                while chars.peek().is_some_and(|c| "-+ #0123456789.".contains(*c)) {
                    chars.next();
                }
                match chars.next() {
                    Some('%') => out.push('%'),
                    Some('b') => out += &unescaped(values.next().map_or("", String::as_str)),
                    Some('s' | 'q' | 'd' | 'i') => out += values.next().map_or("", String::as_str),
                    Some('c') => out.extend(values.next().and_then(|v| v.chars().next())),
                    _ => {
                        values.next();
                        out.push(HOLE);
                    }
                }
            }
            if values.len() == 0 || values.len() == before || !self.step(1) {
                return out;
            }
        }
    }
}

/// Paths that `find` and `ls` print lie below the ones they were given.
fn listed(operands: &[String]) -> String {
    let mut out = String::new();
    for path in operands.iter().take_while(|o| !matches!(o.as_str(), "(" | "!")) {
        if path.starts_with('/') {
            out += path.trim_end_matches('/');
            if !path.contains(['*', '?']) {
                out.push('/');
                out.push(HOLE);
            }
            out.push('\n');
        } else if !path.starts_with('-') {
            return ANSWER.to_string();
        } else if !out.is_empty() {
            // The expression of `find` begins.
            break;
        }
    }
    if out.is_empty() { ANSWER.to_string() } else { out }
}

fn echo(operands: &[String]) -> String {
    let mut rest = operands;
    let (mut newline, mut escapes) = (true, false);
    while let Some((first, others)) = rest.split_first() {
        let flags = first.strip_prefix('-').unwrap_or("");
        if flags.is_empty() || !flags.chars().all(|c| "neE".contains(c)) {
            break;
        }
        newline &= !flags.contains('n');
        escapes |= flags.contains('e');
        rest = others;
    }
    let mut text = rest.join(" ");
    if escapes {
        text = unescaped(&text);
    }
    if newline {
        text.push('\n');
    }
    text
}

/// Applies a decoder to text that is known; unknown text stays unknown.
fn known(input: &str, decode: impl FnOnce(&str) -> Option<String>) -> String {
    if input.contains(DOWNLOAD) {
        DOWNLOAD.to_string()
    } else if !is_known(input) || input.is_empty() {
        // Decoding hides what is run, so the result counts as unknown, not as an answer.
        HOLE.to_string()
    } else {
        decode(input).map_or_else(|| HOLE.to_string(), |text| cleaned(&text).into_owned())
    }
}

fn decodes(operands: &[String]) -> bool {
    operands.iter().any(|o| {
        o == "--decode"
            || o == "-D"
            || (o.starts_with('-') && !o.starts_with("--") && o.contains('d'))
    })
}

fn base64(text: &[u8]) -> Option<String> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            b'\n' | b'\r' | b' ' => continue,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count & 0xff) as u8);
        }
    }
    String::from_utf8(out).ok()
}

fn hex(text: &str) -> Option<String> {
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit.to_le_bytes()[0]))
        .collect::<Option<_>>()?;
    String::from_utf8(digits.chunks(2).map(|pair| pair.iter().fold(0, |n, d| n << 4 | d)).collect())
        .ok()
}

/// `tr` with ranges; classes are not followed.
fn translated(text: &str, operands: &[String]) -> Option<String> {
    let sets: Vec<&String> = operands.iter().filter(|o| !o.starts_with('-')).collect();
    let delete = operands.iter().any(|o| o == "-d");
    match sets.as_slice() {
        [from] if delete => {
            let from = set(from)?;
            Some(text.chars().filter(|c| !from.contains(c)).collect())
        }
        [from, to] if !operands.iter().any(|o| o.starts_with('-')) => {
            let (from, to) = (set(from)?, set(to)?);
            let last = *to.last()?;
            Some(
                text.chars()
                    .map(|c| match from.iter().position(|&f| f == c) {
                        Some(i) => to.get(i).copied().unwrap_or(last),
                        None => c,
                    })
                    .collect(),
            )
        }
        _ => None,
    }
}

fn set(text: &str) -> Option<Vec<char>> {
    if text.contains("[:") || text.contains(is_unknown) {
        return None;
    }
    let chars: Vec<char> = unescaped(text).chars().collect();
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        if i + 2 < chars.len()
            && chars[i + 1] == '-'
            && chars[i + 2] >= chars[i]
            && out.len() < 1024
        {
            out.extend((chars[i]..=chars[i + 2]).take(1024));
            i += 3;
        } else {
            out.push(chars[i]);
            i += 1;
        }
    }
    Some(out)
}
