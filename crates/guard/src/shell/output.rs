//! The output of simple programs, where the command itself shows it.
//!
//! `$(echo cat) f`, `echo Y2F0IGY= | base64 -d | sh` and `f=$(mktemp)` need it. Everything else
//! prints [`ANSWER`].

use super::{Shell, Stdin, Value};
use crate::unknown::{ANSWER, DOWNLOAD, HOLE, HOLE_TEXT};
use crate::word::{base_name, unescaped};

/// Drops the final newlines of a text, as a substitution does.
pub(crate) fn without_final_newlines(text: &str) -> &str {
    text.trim_end_matches('\n')
}

impl Shell<'_> {
    /// The output of a program; `None` if the program is unknown.
    pub(crate) fn printed(
        &mut self,
        name: &str,
        operands: &[String],
        stdin: &Stdin,
    ) -> Option<String> {
        // A filtered download is still a download.
        let downloads = stdin.text().is_some_and(|text| text.contains(DOWNLOAD));
        let filtered = |other: char| if downloads { DOWNLOAD } else { other }.to_string();
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
            // The output is unknown text that the command may yet run.
            "base64" | "base32" | "basenc" | "openssl" | "xxd" | "rev" | "tac" | "tr"
                if stdin.text().is_some() =>
            {
                filtered(HOLE)
            }
            "tee" => stdin.text().unwrap_or(HOLE_TEXT).to_owned(),
            "cat" if operands.iter().all(|o| o == "-" || o == "/dev/stdin") => {
                stdin.text().unwrap_or(HOLE_TEXT).to_owned()
            }
            "cat" => {
                let (options, paths): (Vec<&String>, Vec<&String>) =
                    operands.iter().partition(|o| o.starts_with('-'));
                // With options, `cat` numbers or marks lines.
                let mut out = if options.is_empty() { String::new() } else { ANSWER.to_string() };
                for path in paths {
                    out += &self.known().text_at(path).unwrap_or_else(|| ANSWER.to_string());
                }
                out
            }
            "sed" | "awk" | "grep" | "head" | "tail" | "sort" | "uniq" | "cut" | "envsubst" => {
                filtered(ANSWER)
            }
            "curl" | "wget" => DOWNLOAD.to_string(),
            "find" | "ls" | "fd" => listed_paths(operands),
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
        // A number gives each call a different name.
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

/// The output of `find` and `ls`: unknown paths below those that they were given.
fn listed_paths(operands: &[String]) -> String {
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
            // Here the expression of `find` begins.
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
