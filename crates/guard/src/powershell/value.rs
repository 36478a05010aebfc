//! Expressions: what they give, as text that is known or as a command that prints it.

use super::cmdlet::into_file;
use super::{PowerShellReader, Read, captured, joined, output, plain, sequence, simple, unknown};
use crate::ast::{Atom, Command, Expansion, Redirect, Simple, Word};
use crate::syntax::Unparsed;
use crate::word::literal;

/// What an expression or a pipeline gives.
pub(super) enum Emitted {
    /// These texts.
    Words(Vec<Word>),
    /// What a command prints.
    Lines(EmittedLines),
}

pub(super) struct EmittedLines {
    pub(super) command: Command,
    /// The files that it names, not their text: `Get-ChildItem`.
    pub(super) listed: Option<Listed>,
    /// Whether it is an object that was parsed.
    pub(super) object: bool,
}

/// Files that are found.
pub(super) struct Listed {
    pub(super) places: Vec<Word>,
    pub(super) names: Option<Word>,
}

/// Members that still show the text that they belong to.
const SHOWS: [&str; 12] = [
    "line", "value", "matches", "groups", "context", "content", "innertext", "outerxml",
    "innerxml", "result", "lines", "text",
];
/// Methods that say something about a text and do not show it.
const MEASURES: [&str; 13] = [
    "contains", "startswith", "endswith", "indexof", "lastindexof", "gethashcode", "gettype",
    "equals", "exists", "close", "dispose", "compareto", "containskey",
];

impl Emitted {
    pub(super) fn lines(command: Command) -> Self {
        Self::Lines(EmittedLines { command, listed: None, object: false })
    }

    pub(super) fn unknown() -> Self {
        Self::Words(vec![unknown()])
    }

    /// The values as words of a command.
    pub(super) fn into_words(self) -> Vec<Word> {
        match self {
            Self::Words(words) => words,
            Self::Lines(lines) => vec![output(lines.command, 0)],
        }
    }

    /// The command that prints the values.
    pub(super) fn into_command(self) -> Command {
        match self {
            Self::Words(words) if words.is_empty() => Command::Sequence(Vec::new()),
            // A text that is only written down is printed as it is.
            Self::Words(words) => {
                let mut all = vec![literal("printf"), literal("%s\\n")];
                all.extend(words);
                simple(all)
            }
            Self::Lines(lines) => lines.command,
        }
    }

    /// The values behind one more program.
    pub(super) fn through(self, words: Vec<Word>) -> Self {
        let object = matches!(&self, Self::Lines(lines) if lines.object);
        let command = match self.into_command() {
            Command::Pipeline(mut stages) => {
                stages.push(simple(words));
                Command::Pipeline(stages)
            }
            other => Command::Pipeline(vec![other, simple(words)]),
        };
        Self::Lines(EmittedLines { command, listed: None, object })
    }

    /// The same for a program given as text.
    pub(super) fn piped(self, program: &str) -> Self {
        self.through(program.split(' ').map(literal).collect())
    }

    /// A value that says something about these and does not show them.
    pub(super) fn measured(self) -> Self {
        match self {
            Self::Words(words) => {
                let shown = words.into_iter().filter(|word| plain(word).is_none()).collect();
                Self::lines(sequence(vec![Command::Test(shown), simple(vec![literal("date")])]))
            }
            Self::Lines(_) => self.piped("wc -l"),
        }
    }

    /// The values with the files that get them.
    pub(super) fn redirected(self, redirects: Vec<Redirect>) -> Self {
        if redirects.is_empty() {
            return self;
        }
        Self::lines(match self.into_command() {
            Command::Simple(simple) => {
                let redirects = simple.redirects.into_iter().chain(redirects).collect();
                Command::Simple(Simple { redirects, ..simple })
            }
            other => Command::Redirected(Box::new(other), redirects),
        })
    }

    /// The text of a value that is one literal.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Words(words) => match words.as_slice() {
                [word] => plain(word),
                _ => None,
            },
            Self::Lines(_) => None,
        }
    }
}

/// A word of `sed` that replaces one text by another, as `-replace` or `.Replace` does.
pub(super) fn substitution(old: &str, new: &str, is_text: bool, any_case: bool) -> Option<String> {
    let mark =
        ['/', '|', '#', ',', '~'].into_iter().find(|c| !old.contains(*c) && !new.contains(*c))?;
    let mut pattern = String::new();
    for c in old.chars() {
        if is_text && r"\.[]*^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    if new.contains('\n') || old.contains('\n') || (!is_text && new.contains('$')) {
        return None;
    }
    let new = new.replace('\\', r"\\").replace('&', r"\&");
    Some(format!("s{mark}{pattern}{mark}{new}{mark}g{}", if any_case { "I" } else { "" }))
}

impl PowerShellReader<'_> {
    /// An expression with its operators.
    pub(super) fn expression(&mut self) -> Read<Emitted> {
        self.operation(true)
    }

    /// The same; without `commas` up to one.
    fn operation(&mut self, commas: bool) -> Read<Emitted> {
        let mut value = self.nested(Self::primary)?;
        loop {
            self.blanks();
            let operator = self.operator().to_ascii_lowercase();
            if operator.is_empty() || (operator == "," && !commas) {
                return Ok(value);
            }
            self.token()?;
            self.at += operator.len();
            self.lines();
            value = match operator.as_str() {
                "," => {
                    let mut words = value.into_words();
                    words.extend(self.nested(Self::primary)?.into_words());
                    Emitted::Words(words)
                }
                ".." => {
                    self.nested(Self::primary)?;
                    Emitted::unknown()
                }
                "-replace" | "-creplace" | "-ireplace" => {
                    let old = self.nested(Self::primary)?;
                    self.blanks();
                    let new = if self.eat(",") {
                        self.lines();
                        self.nested(Self::primary)?.text()
                    } else {
                        Some(String::new())
                    };
                    replaced(
                        value,
                        old.text().as_deref(),
                        new.as_deref(),
                        false,
                        operator != "-creplace",
                    )
                }
                "-match" | "-cmatch" | "-imatch" | "-like" | "-notmatch" | "-notlike" => {
                    let pattern = self.nested(Self::primary)?.text();
                    matched(value, &operator, pattern.as_deref())
                }
                "+" | "-f" | "-split" | "-csplit" | "-join" => {
                    let other = self.nested(Self::primary)?;
                    together(value, other, &operator)
                }
                // What compares or computes gives a value.
                _ => {
                    let other = self.nested(Self::primary)?.into_words();
                    let mut words = value.into_words();
                    words.extend(other);
                    Emitted::Words(words).measured()
                }
            };
        }
    }

    /// The operator that begins here.
    fn operator(&self) -> &str {
        let rest = self.rest();
        if let Some(name) = rest.strip_prefix('-') {
            let end = name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len());
            return if end > 0 { &rest[..=end] } else { &rest[..1] };
        }
        let marks = ["..", ",", "+", "*", "/", "%", "??"];
        marks.into_iter().find(|mark| rest.starts_with(mark)).unwrap_or("")
    }

    /// A literal, a variable, or something in brackets, with its members.
    pub(super) fn primary(&mut self) -> Read<Emitted> {
        self.token()?;
        self.blanks();
        let value = match self.peek().ok_or(Unparsed::Malformed)? {
            '\'' | '"' => Emitted::Words(vec![self.string()?]),
            '@' if self.starts("@'") || self.starts("@\"") => Emitted::Words(vec![self.string()?]),
            '@' if self.starts("@{") => {
                self.at += 1;
                self.balanced('{', '}')?;
                Emitted::unknown()
            }
            '@' | '(' => {
                self.at += usize::from(self.starts("@"));
                if !self.starts("(") {
                    // `@arguments`
                    self.bare()?;
                    return Ok(Emitted::Words(Vec::new()));
                }
                self.in_parentheses()?
            }
            '$' if self.starts("$(") => {
                self.at += 1;
                self.in_parentheses()?
            }
            '$' => self.named_value(),
            '[' => return self.typed(),
            '{' => Emitted::lines(self.block()?),
            '!' | '-' | '+' => {
                self.bump();
                let word = self.keyword();
                self.at += word.len();
                let operand = self.nested(Self::primary)?;
                match word.as_str() {
                    "join" | "split" => operand,
                    "" if operand.text().is_some() => Emitted::Words(vec![literal(&format!(
                        "-{}",
                        operand.text().unwrap_or_default()
                    ))]),
                    _ => operand.measured(),
                }
            }
            _ => Emitted::Words(vec![self.bare_value()?]),
        };
        self.members(value)
    }

    /// A value with the members and elements that are taken of it.
    fn members(&mut self, mut value: Emitted) -> Read<Emitted> {
        loop {
            if self.starts("[") {
                let inside = self.balanced('[', ']')?;
                let inside = inside[1..inside.len() - 1].to_owned();
                value = element(value, &inside);
            } else if (self.starts(".") && !self.starts(".."))
                || self.starts("::")
                || self.starts("?.")
            {
                self.at += self.rest().find(|c: char| !".:?".contains(c)).unwrap_or(1);
                value = self.member(value)?;
            } else if self.eat("++") || self.eat("--") {
            } else {
                return Ok(value);
            }
        }
    }

    fn bare_value(&mut self) -> Read<Word> {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || "|;&(){}<>,[]".contains(c));
        let mut text = &rest[..end.unwrap_or(rest.len())];
        text = text.split("..").next().unwrap_or(text);
        if text.is_empty() {
            return Err(Unparsed::Malformed);
        }
        self.at += text.len();
        Ok(literal(text))
    }

    fn in_parentheses(&mut self) -> Read<Emitted> {
        self.expect("(")?;
        let start = self.at;
        let depth = self.depth;
        // One pipeline keeps what is known of it.
        if let Ok(value) = self.nested(Self::pipeline) {
            self.lines();
            if self.eat(")") {
                return Ok(value);
            }
        }
        (self.at, self.depth) = (start, depth);
        let steps = self.nested(Self::statements)?;
        self.expect(")")?;
        Ok(if steps.is_empty() {
            Emitted::Words(Vec::new())
        } else {
            Emitted::lines(Command::Sequence(steps))
        })
    }

    fn named_value(&mut self) -> Emitted {
        let Some(name) = self.variable() else {
            self.bump();
            return Emitted::unknown();
        };
        match name.as_str() {
            "null" => Emitted::Words(Vec::new()),
            "true" | "false" => Emitted::Words(vec![literal(&name)]),
            _ => {
                let expansion = Expansion::Parameter(name);
                Emitted::Words(vec![vec![Atom::Expansion(std::rc::Rc::new(expansion), true)]])
            }
        }
    }

    /// `[type]value`, `[type]::member(...)`.
    fn typed(&mut self) -> Read<Emitted> {
        let name = self.balanced('[', ']')?.trim_matches(['[', ']']).to_ascii_lowercase();
        self.blanks();
        if !self.starts("::") {
            let value = if self.starts_expression() || self.starts("-") {
                self.nested(Self::primary)?
            } else {
                Emitted::unknown()
            };
            return Ok(if name == "void" {
                Emitted::lines(captured(value.into_command(), 0))
            } else {
                value
            });
        }
        self.at += 2;
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let member = rest[..end].to_ascii_lowercase();
        self.at += end;
        let arguments = self.arguments()?;
        self.members(files(&name, &member, arguments))
    }

    /// The values between parentheses, if they begin here.
    fn arguments(&mut self) -> Read<Vec<Emitted>> {
        let mut values = Vec::new();
        if !self.eat("(") {
            return Ok(values);
        }
        self.lines();
        while !self.eat(")") {
            values.push(self.nested(|reader| reader.operation(false))?);
            self.lines();
            self.eat(",");
            self.lines();
            if self.rest().is_empty() {
                return Err(Unparsed::Malformed);
            }
        }
        Ok(values)
    }

    fn member(&mut self, value: Emitted) -> Read<Emitted> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        self.at += end;
        let called = self.starts("(");
        let arguments = self.arguments()?;
        let texts: Vec<Option<String>> = arguments.iter().map(Emitted::text).collect();
        if !called {
            return Ok(if SHOWS.contains(&name.as_str()) { value } else { value.measured() });
        }
        Ok(match (name.as_str(), texts.as_slice()) {
            ("replace", [old, new]) => replaced(value, old.as_deref(), new.as_deref(), true, false),
            (name, _) if MEASURES.contains(&name) => value.measured(),
            // A pattern's method gets the text as an argument.
            ("matches" | "match" | "write" | "writeline", _) => {
                let mut words = value.into_words();
                words.extend(arguments.into_iter().flat_map(Emitted::into_words));
                Emitted::Words(words)
            }
            _ => value,
        })
    }
}

/// `text -replace old, new`.
fn replaced(
    value: Emitted,
    old: Option<&str>,
    new: Option<&str>,
    is_text: bool,
    any_case: bool,
) -> Emitted {
    let any_case = any_case && old.is_some_and(|old| old.chars().any(char::is_alphabetic));
    let script = match (old, new) {
        (Some(old), Some(new)) => substitution(old, new, is_text, any_case),
        _ => None,
    };
    match script {
        Some(script) if is_text => value.through(vec![literal("sed"), literal(&script)]),
        Some(script) => value.through(vec![literal("sed"), literal("-E"), literal(&script)]),
        None => value.piped("-replace"),
    }
}

/// `lines -match pattern`.
pub(super) fn matched(value: Emitted, operator: &str, pattern: Option<&str>) -> Emitted {
    let Some(pattern) = pattern else { return value.piped("Where-Object") };
    let mut words = vec!["rg"];
    let like = operator.ends_with("like");
    if !operator.starts_with("-c") {
        words.push("-i");
    }
    if operator.starts_with("-not") {
        words.push("-v");
    }
    if like {
        words.push("-F");
    }
    let text = pattern.trim_matches('*');
    if like
        && (text.contains(['*', '?', '[']) || !pattern.starts_with('*') || !pattern.ends_with('*'))
    {
        return value.piped("Where-Object");
    }
    words.extend(["-e", if like { text } else { pattern }]);
    value.through(words.into_iter().map(literal).collect())
}

/// Two values side by side.
fn together(one: Emitted, other: Emitted, operator: &str) -> Emitted {
    if let (Some(one), Some(other), "+") = (one.text(), other.text(), operator) {
        return Emitted::Words(vec![literal(&(one + &other))]);
    }
    let mut words = one.into_words();
    words.extend(other.into_words());
    if operator == "+" && words.len() == 2 && words.iter().any(|word| plain(word).is_some()) {
        return Emitted::Words(vec![words.concat()]);
    }
    Emitted::Words(words)
}

/// `lines[2..5]`, `lines[-1]`.
fn element(value: Emitted, inside: &str) -> Emitted {
    if matches!(&value, Emitted::Lines(lines) if lines.object) || inside.contains(['\'', '"']) {
        return value.measured();
    }
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let ends: Vec<Option<i64>> = inside.split("..").map(number).collect();
    let program = match ends.as_slice() {
        [Some(-1)] => "tail -n 1".to_owned(),
        [Some(at)] if *at >= 0 => format!("sed -n {}p", at + 1),
        [Some(first), Some(-1)] if *first < 0 => format!("tail -n {}", -first),
        [Some(first), Some(last)] if 0 <= *first && first <= last => {
            format!("sed -n {},{}p", first + 1, last + 1)
        }
        _ => "Select-Object".to_owned(),
    };
    value.piped(&program)
}

/// Parts of a path as one.
pub(super) fn path_of(parts: impl Iterator<Item = Word>) -> Emitted {
    let joined = parts.reduce(|all, part| [all, literal("/"), part].concat());
    Emitted::Words(vec![joined.unwrap_or_else(unknown)])
}

/// Static members that read or write files: `[IO.File]::ReadAllText("f")`.
fn files(name: &str, member: &str, arguments: Vec<Emitted>) -> Emitted {
    let mut words = arguments.into_iter().map(|value| joined(value.into_words()));
    let class = name.rsplit('.').next().unwrap_or(name);
    match (class, member) {
        ("file", "readalltext" | "readalllines" | "readlines" | "readallbytes" | "opentext")
        | ("streamreader", "new") => {
            Emitted::lines(simple(vec![literal("cat"), words.next().unwrap_or_else(unknown)]))
        }
        ("file", "writealltext" | "writealllines" | "appendalltext" | "appendalllines")
        | ("streamwriter", "new") => {
            let path = words.next().unwrap_or_else(unknown);
            let format = if member.ends_with("text") { "%s" } else { "%s\\n" };
            let text = words.next().unwrap_or_else(unknown);
            let printed = Emitted::lines(simple(vec![literal("printf"), literal(format), text]));
            printed.redirected(vec![into_file(path, member.starts_with("append"))])
        }
        ("path", "join" | "combine") => path_of(words),
        ("regex" | "string" | "console", _) => Emitted::Words(words.collect()),
        _ => Emitted::Words(words.collect()).measured(),
    }
}
