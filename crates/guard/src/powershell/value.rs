//! What expressions emit: words, or the output of a command.

use std::rc::Rc;

use super::{
    PowerShellReader, captured, into_file, joined, output, program, sequence, simple, unknown,
    words,
};
use crate::ast::{Atom, Command, Expansion, Redirect, Simple, Word};
use crate::pattern::backslashed;
use crate::syntax::{Read, Unparsed};
use crate::word::{has_word, literal, plain};

/// What an expression or a pipeline emits.
pub(super) enum Emitted {
    /// Values, as words of a command.
    Words(Vec<Word>),
    /// The output of a command.
    Lines(Command),
    /// An object that was parsed from a command's output.
    Object(Command),
    /// Files, not their text: `Get-ChildItem`.
    Files {
        /// The files, or the directories that they are in.
        places: Vec<Word>,
        /// A pattern of the files' names.
        names: Option<Word>,
    },
}

/// Members that still show the text that they belong to.
const SHOWS: &str = "line value matches groups context content innertext outerxml innerxml result \
    lines text";
/// Methods that return a fact about a text and do not show it.
const MEASURES: &str = "contains startswith endswith indexof lastindexof gethashcode gettype equals \
    exists close dispose compareto containskey";

impl Emitted {
    pub(super) fn unknown() -> Self {
        Self::Words(vec![unknown()])
    }

    pub(super) fn none() -> Self {
        Self::Words(Vec::new())
    }

    /// The output of a program, from a text with its first words and more operands.
    pub(super) fn of(text: &str, operands: impl IntoIterator<Item = Word>) -> Self {
        Self::Lines(program(text, operands))
    }

    /// The output of a command, which reads `input` from a pipe if there is any.
    pub(super) fn piped_from(input: Option<Self>, words: Vec<Word>) -> Self {
        match input {
            Some(input) => input.through(words),
            None => Self::Lines(simple(words)),
        }
    }

    /// The values as words of a command.
    pub(super) fn into_words(self) -> Vec<Word> {
        match self {
            Self::Words(words) => words,
            other => vec![output(other.into_command(), 0)],
        }
    }

    /// The command that prints the values.
    pub(super) fn into_command(self) -> Command {
        match self {
            Self::Words(words) if words.is_empty() => Command::Sequence(Vec::new()),
            // PowerShell prints an expression's value.
            Self::Words(words) => program("printf %s\\n", words),
            Self::Lines(command) | Self::Object(command) => command,
            Self::Files { places, .. } => program("find", places),
        }
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// Pipes the values through one more program.
    pub(super) fn through(self, words: Vec<Word>) -> Self {
        let kind = if self.is_object() { Self::Object } else { Self::Lines };
        kind(Command::Pipeline(match self.into_command() {
            Command::Pipeline(mut stages) => {
                stages.push(simple(words));
                stages
            }
            other => vec![other, simple(words)],
        }))
    }

    /// Like [`Emitted::through`], for a program given as text.
    pub(super) fn piped(self, program: &str) -> Self {
        self.through(words(program))
    }

    /// A fact about the values, such as their number, which does not show them.
    pub(super) fn measured(self) -> Self {
        match self {
            Self::Words(words) => {
                let shown = words.into_iter().filter(|word| plain(word).is_none()).collect();
                Self::Lines(sequence(vec![Command::Test(shown), program("date", [])]))
            }
            other => other.piped("wc -l"),
        }
    }

    /// Sends the values to the files of redirections.
    pub(super) fn redirected(self, redirects: Vec<Redirect>) -> Self {
        if redirects.is_empty() {
            return self;
        }
        Self::Lines(match self.into_command() {
            Command::Simple(simple) => {
                let redirects = simple.redirects.into_iter().chain(redirects).collect();
                Command::Simple(Simple { redirects, ..simple })
            }
            other => Command::Redirected(Box::new(other), redirects),
        })
    }

    /// The text, if the value is one literal.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Words(words) if words.len() == 1 => plain(&words[0]),
            _ => None,
        }
    }

    /// The values followed by others.
    fn followed_by(self, others: impl IntoIterator<Item = Self>) -> Self {
        let mut words = self.into_words();
        words.extend(others.into_iter().flat_map(Self::into_words));
        Self::Words(words)
    }
}

/// A word of `sed` that replaces one text by another, as `-replace` or `.Replace` does.
fn substitution(old: &str, new: &str, is_text: bool, any_case: bool) -> Option<String> {
    let mark =
        ['/', '|', '#', ',', '~'].into_iter().find(|c| !old.contains(*c) && !new.contains(*c))?;
    if new.contains('\n') || old.contains('\n') || (!is_text && new.contains('$')) {
        return None;
    }
    let pattern = backslashed(old, if is_text { r"\.[]*^$" } else { "" });
    let new = new.replace('\\', r"\\").replace('&', r"\&");
    Some(format!("s{mark}{pattern}{mark}{new}{mark}g{}", if any_case { "I" } else { "" }))
}

impl PowerShellReader<'_> {
    /// An expression with its operators.
    pub(super) fn expression(&mut self) -> Read<Emitted> {
        self.operation(true)
    }

    /// An expression; unless `commas` is true, it ends at a comma.
    fn operation(&mut self, commas: bool) -> Read<Emitted> {
        let mut value = self.nested(Self::primary)?;
        loop {
            self.blanks();
            let operator = self.operator().to_ascii_lowercase();
            if operator.is_empty() || (operator == "," && !commas) {
                return Ok(value);
            }
            self.count_token()?;
            self.at += operator.len();
            self.lines();
            let other = self.nested(Self::primary)?;
            value = match operator.as_str() {
                ".." => Emitted::unknown(),
                "-replace" | "-creplace" | "-ireplace" => {
                    self.blanks();
                    let new = if self.eat(",") {
                        self.lines();
                        self.nested(Self::primary)?.text()
                    } else {
                        Some(String::new())
                    };
                    replace_text(value, other.text(), new, false, operator != "-creplace")
                }
                "-match" | "-cmatch" | "-imatch" | "-like" | "-notmatch" | "-notlike" => {
                    match_lines(value, &operator, other.text())
                }
                "+" => sum(value, other),
                "," | "-f" | "-split" | "-csplit" | "-join" => value.followed_by([other]),
                // Any other operator compares or computes.
                _ => value.followed_by([other]).measured(),
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
        self.count_token()?;
        self.blanks();
        let value = match self.peek().ok_or(Unparsed::Malformed)? {
            '\'' | '"' => Emitted::Words(vec![self.string()?]),
            '@' if self.starts("@'") || self.starts("@\"") => Emitted::Words(vec![self.string()?]),
            '@' if self.eat("@{") => {
                self.at -= 1;
                self.balanced('{', '}')?;
                Emitted::unknown()
            }
            '@' if !self.starts("@(") => {
                // `@arguments`
                self.at += 1;
                self.bare()?;
                return Ok(Emitted::none());
            }
            '$' if !self.starts("$(") => self.named_value(),
            '@' | '$' => {
                self.at += 1;
                self.in_parentheses()?
            }
            '(' => self.in_parentheses()?,
            '[' => return self.typed(),
            '{' => Emitted::Lines(self.block()?),
            '!' | '-' | '+' => {
                self.bump();
                let word = self.keyword();
                self.at += word.len();
                let operand = self.nested(Self::primary)?;
                match (word.as_str(), operand.text()) {
                    ("join" | "split", _) => operand,
                    ("", Some(text)) => Emitted::Words(vec![literal(&format!("-{text}"))]),
                    _ => operand.measured(),
                }
            }
            _ => Emitted::Words(vec![self.bare_value()?]),
        };
        self.members(value)
    }

    /// A value with the members and elements that are accessed on it.
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
                self.eat_while(|c| ".:?".contains(c));
                value = self.member(value)?;
            } else if !self.eat("++") && !self.eat("--") {
                return Ok(value);
            }
        }
    }

    fn bare_value(&mut self) -> Read<Word> {
        let start = self.at;
        let text = self.eat_while(|c| !c.is_whitespace() && !"|;&(){}<>,[]".contains(c));
        let text = text.split("..").next().unwrap_or(text);
        self.at = start + text.len();
        if text.is_empty() { Err(Unparsed::Malformed) } else { Ok(literal(text)) }
    }

    fn in_parentheses(&mut self) -> Read<Emitted> {
        self.expect("(")?;
        let start = (self.at, self.depth);
        // The value of a single pipeline is known best.
        if let Ok(value) = self.nested(Self::pipeline) {
            self.lines();
            if self.eat(")") {
                return Ok(value);
            }
        }
        self.back_to(start);
        let steps = self.nested(Self::statements)?;
        self.expect(")")?;
        let nothing = steps.is_empty();
        Ok(if nothing { Emitted::none() } else { Emitted::Lines(Command::Sequence(steps)) })
    }

    fn named_value(&mut self) -> Emitted {
        let Some(name) = self.variable() else {
            self.bump();
            return Emitted::unknown();
        };
        Emitted::Words(match name.as_str() {
            "null" => Vec::new(),
            "true" | "false" => vec![literal(&name)],
            _ => vec![vec![Atom::Expansion(Rc::new(Expansion::Parameter(name)), true)]],
        })
    }

    /// `[type]value`, `[type]::member(...)`.
    fn typed(&mut self) -> Read<Emitted> {
        let name = self.balanced('[', ']')?.trim_matches(['[', ']']).to_ascii_lowercase();
        self.blanks();
        if self.eat("::") {
            let member = self.member_name();
            let arguments = self.arguments()?;
            return self.members(file_method(&name, &member, arguments));
        }
        let cast = self.starts_expression() || self.starts("-");
        let value = if cast { self.nested(Self::primary)? } else { Emitted::unknown() };
        let void = name == "void";
        Ok(if void { Emitted::Lines(captured(value.into_command(), 0)) } else { value })
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

    /// Skips the name of a member and returns it in lower case.
    pub(super) fn member_name(&mut self) -> String {
        self.eat_while(|c| c.is_alphanumeric() || c == '_').to_ascii_lowercase()
    }

    fn member(&mut self, value: Emitted) -> Read<Emitted> {
        let name = self.member_name();
        if !self.starts("(") {
            return Ok(if has_word(SHOWS, &name) { value } else { value.measured() });
        }
        let arguments = self.arguments()?;
        Ok(match (name.as_str(), arguments.as_slice()) {
            ("replace", [old, new]) => replace_text(value, old.text(), new.text(), true, false),
            (name, _) if has_word(MEASURES, name) => value.measured(),
            // Methods of a pattern or a writer are given the text as an argument.
            ("matches" | "match" | "write" | "writeline", _) => value.followed_by(arguments),
            _ => value,
        })
    }
}

/// Translates `text -replace old, new`.
fn replace_text(
    value: Emitted,
    old: Option<String>,
    new: Option<String>,
    is_text: bool,
    any_case: bool,
) -> Emitted {
    let script = old.zip(new).and_then(|(old, new)| {
        substitution(&old, &new, is_text, any_case && old.contains(char::is_alphabetic))
    });
    let Some(script) = script else { return value.piped("-replace") };
    let mut sed = words(if is_text { "sed" } else { "sed -E" });
    sed.push(literal(&script));
    value.through(sed)
}

/// Translates `lines -match pattern`.
fn match_lines(value: Emitted, operator: &str, pattern: Option<String>) -> Emitted {
    let like = operator.ends_with("like");
    // `-like '*x*'` searches for a text anywhere, `-like 'x*'` only at the beginning.
    let inside = |pattern: &String| {
        let text = pattern.strip_prefix('*')?.strip_suffix('*')?.trim_matches('*');
        (!text.contains(['*', '?', '['])).then(|| text.to_owned())
    };
    let pattern = if like { pattern.as_ref().and_then(inside) } else { pattern };
    let Some(pattern) = pattern else { return value.piped("Where-Object") };
    let options = [
        (true, "rg"),
        (!operator.starts_with("-c"), "-i"),
        (operator.starts_with("-not"), "-v"),
        (like, "-F"),
        (true, "-e"),
        (true, pattern.as_str()),
    ];
    value.through(options.iter().filter(|(on, _)| *on).map(|(_, word)| literal(word)).collect())
}

/// The sum of two values: one text, or both.
fn sum(one: Emitted, other: Emitted) -> Emitted {
    let texts = [one.text(), other.text()];
    let Emitted::Words(words) = one.followed_by([other]) else { return Emitted::unknown() };
    let joins = words.len() == 2 && texts.iter().any(Option::is_some);
    Emitted::Words(if joins { vec![words.concat()] } else { words })
}

/// Translates `lines[2..5]` and `lines[-1]`.
fn element(value: Emitted, inside: &str) -> Emitted {
    if value.is_object() || inside.contains(['\'', '"']) {
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

/// Joins the parts of a path.
pub(super) fn path_of(parts: &[Word]) -> Emitted {
    Emitted::Words(vec![if parts.is_empty() { unknown() } else { joined(parts, '/') }])
}

/// Translates a static member, which may read or write a file: `[IO.File]::ReadAllText("f")`.
fn file_method(name: &str, member: &str, arguments: Vec<Emitted>) -> Emitted {
    let mut values: Vec<Word> =
        arguments.into_iter().map(|value| joined(&value.into_words(), ' ')).collect();
    match (name.rsplit('.').next().unwrap_or(name), member) {
        ("file", "readalltext" | "readalllines" | "readlines" | "readallbytes" | "opentext")
        | ("streamreader", "new") => Emitted::of("cat", values.into_iter().take(1)),
        ("file", "writealltext" | "writealllines" | "appendalltext" | "appendalllines")
        | ("streamwriter", "new") => {
            values.resize_with(values.len().max(2), unknown);
            let mut values = values.into_iter();
            let path = values.next().unwrap_or_default();
            let format = if member.ends_with("text") { "printf %s" } else { "printf %s\\n" };
            let append = member.starts_with("append");
            Emitted::of(format, values.next()).redirected(vec![into_file(path, append)])
        }
        ("path", "join" | "combine") => path_of(&values),
        ("regex" | "string" | "console", _) => Emitted::Words(values),
        _ => Emitted::Words(values).measured(),
    }
}
