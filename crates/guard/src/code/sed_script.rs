//! Files and commands named in a `sed` script.

/// What a script does besides editing its stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SedAction {
    /// `r` and `R`.
    Read(String),
    /// `w`, `W` and the `w` flag of `s`.
    Write(String),
    /// `e` and the `e` flag of `s`.
    Run(String),
}

/// The actions of a script.
pub(crate) fn actions(script: &str) -> Vec<SedAction> {
    let mut reader = SedReader { chars: script.chars().collect(), at: 0, out: Vec::new() };
    while reader.at < reader.chars.len() {
        reader.command();
    }
    reader.out
}

struct SedReader {
    chars: Vec<char>,
    at: usize,
    out: Vec<SedAction>,
}

impl SedReader {
    fn peek(&self) -> char {
        self.chars.get(self.at).copied().unwrap_or('\n')
    }

    fn next(&mut self) -> char {
        let c = self.peek();
        self.at += 1;
        c
    }

    fn command(&mut self) {
        // Addresses, negation, blanks and braces lead up to the command.
        loop {
            match self.peek() {
                '/' => {
                    self.at += 1;
                    self.until('/');
                }
                '\\' => {
                    self.at += 1;
                    let delimiter = self.next();
                    self.until(delimiter);
                }
                c if self.at < self.chars.len()
                    && (c.is_whitespace() || c.is_ascii_digit() || ",$~+!{};IM".contains(c)) =>
                {
                    self.at += 1;
                }
                _ => break,
            }
        }
        if self.at >= self.chars.len() {
            return;
        }
        match self.next() {
            's' => self.substitute(),
            'y' => {
                let delimiter = self.next();
                self.until(delimiter);
                self.until(delimiter);
            }
            'r' | 'R' => {
                let path = self.line();
                self.out.push(SedAction::Read(path));
            }
            'w' | 'W' => {
                let path = self.line();
                self.out.push(SedAction::Write(path));
            }
            'e' => {
                let script = self.line();
                if !script.is_empty() {
                    self.out.push(SedAction::Run(script));
                }
            }
            'a' | 'i' | 'c' => {
                // Text goes on over lines that end in a backslash.
                loop {
                    let line = self.line();
                    if !line.ends_with('\\') || self.at >= self.chars.len() {
                        break;
                    }
                }
            }
            ':' | 'b' | 't' | 'T' | '#' | 'v' => {
                while self.at < self.chars.len() && !matches!(self.peek(), '\n' | ';') {
                    self.at += 1;
                }
            }
            _ => {}
        }
    }

    fn substitute(&mut self) {
        let delimiter = self.next();
        self.until(delimiter);
        let replacement = self.until(delimiter);
        let mut runs = false;
        loop {
            match self.peek() {
                'w' => {
                    self.at += 1;
                    let path = self.line();
                    self.out.push(SedAction::Write(path));
                    return;
                }
                'e' => {
                    runs = true;
                    self.at += 1;
                }
                c if c.is_ascii_digit() || "gpiIMm".contains(c) => self.at += 1,
                _ => break,
            }
        }
        if runs {
            self.out.push(SedAction::Run(replacement));
        }
    }

    /// Past the next bare delimiter; answers what stood before it.
    fn until(&mut self, delimiter: char) -> String {
        let mut text = String::new();
        let mut class = false;
        while self.at < self.chars.len() {
            match self.next() {
                '\\' => text.push(self.next()),
                '[' if delimiter != '[' && !class => {
                    // A bracket expression hides the delimiter only if it is closed.
                    class = self.chars[self.at..]
                        .iter()
                        .take(64)
                        .take_while(|c| **c != '\n')
                        .any(|c| *c == ']');
                    text.push('[');
                }
                ']' if class => {
                    class = false;
                    text.push(']');
                }
                c if c == delimiter && !class => break,
                c => text.push(c),
            }
        }
        text
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        let start = self.at;
        while self.at < self.chars.len() && self.chars[self.at] != '\n' {
            self.at += 1;
        }
        let text: String = self.chars[start..self.at].iter().collect();
        self.at += 1;
        text.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{SedAction, actions};

    fn check(script: &str, expected: &[SedAction]) {
        assert_eq!(actions(script), expected, "{script}");
    }

    #[test]
    fn files_and_commands_in_a_script_are_found() {
        let write = |path: &str| SedAction::Write(path.to_owned());
        let read = |path: &str| SedAction::Read(path.to_owned());
        check("5r notes.txt", &[read("notes.txt")]);
        check("$R /tmp/x", &[read("/tmp/x")]);
        check("/a/w out.txt", &[write("out.txt")]);
        check("s/a/b/w out.txt", &[write("out.txt")]);
        check("s/a/b/gw out.txt\np", &[write("out.txt")]);
        check("1e cat f", &[SedAction::Run("cat f".to_owned())]);
        check("s/.*/cat f/e", &[SedAction::Run("cat f".to_owned())]);
        check("\\,w,w out.txt", &[write("out.txt")]);
    }

    #[test]
    fn text_that_only_looks_like_a_command_is_passed_over() {
        for script in [
            "s/w out.txt/r in.txt/", "s,a/w b,c,g", "/[/]w x/d", "y/rw/wr/", "a\\\nw out.txt",
            "# w out.txt", "5,9p", ":w;bw", "",
        ] {
            check(script, &[]);
        }
    }
}
