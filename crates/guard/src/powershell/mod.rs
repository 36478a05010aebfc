//! PowerShell: a small parser that turns a script into the commands of [`crate::ast`].
//!
//! A cmdlet becomes the command of bash that touches the same text (`Get-Content f -Tail 5` is
//! `tail -n 5 f`), so that policy, serving and conversion need to know one shell only. `cmdlet` has
//! the cmdlets, `value` the expressions, `text` quotes and strings.

mod cmdlet;
mod text;
mod value;

use std::rc::Rc;

use crate::ast::{
    Assigned, Assignment, Atom, Command, Expansion, Join, Redirect, RedirectKind, Script, Simple,
    Step, Word,
};
use crate::syntax::{MAX_LENGTH, Read, ScriptCursor, Unparsed};
use crate::unknown::HOLE;
use crate::word::literal;
use value::Emitted;

pub(crate) use cmdlet::{cmdlet_name, touches_text};

/// Parses a script.
pub(crate) fn parse(script: &str) -> Read<Command> {
    if script.len() > MAX_LENGTH {
        return Err(Unparsed::TooMuch);
    }
    PowerShellReader::new(script, 0).script()
}

/// The parser of PowerShell remembers nothing besides its position.
#[derive(Default)]
struct PowerShellState;

type PowerShellReader<'s> = ScriptCursor<'s, PowerShellState>;

/// A word of a command.
enum Argument {
    /// `-Name`, without the dash, and the value after its colon.
    Parameter(String, Option<Word>),
    /// A value, or several with commas between them.
    Values(Vec<Word>),
    /// `{ ... }`, with its text.
    Block(Command, String),
}

impl PowerShellReader<'_> {
    fn script(&mut self) -> Read<Command> {
        let steps = self.statements()?;
        if self.rest().is_empty() { Ok(Command::Sequence(steps)) } else { Err(Unparsed::Malformed) }
    }

    fn expect(&mut self, text: &str) -> Read<()> {
        self.lines();
        if self.eat(text) { Ok(()) } else { Err(Unparsed::Malformed) }
    }

    /// Skips blanks, continued lines and comments.
    fn blanks(&mut self) {
        loop {
            self.eat_while(|c| matches!(c, ' ' | '\t' | '\r' | '\u{a0}'));
            if self.starts("<#") {
                self.at += self.rest().find("#>").map_or(self.rest().len(), |end| end + 2);
            } else if self.starts("#") {
                self.eat_while(|c| c != '\n');
            } else if !self.eat("`\n") && !self.eat("`\r\n") {
                return;
            }
        }
    }

    /// Skips blanks, line ends and semicolons.
    fn lines(&mut self) {
        loop {
            self.blanks();
            if !self.eat("\n") && !self.eat(";") {
                return;
            }
        }
    }

    /// The word of letters that begins here, in lower case.
    fn keyword(&self) -> String {
        let rest = self.rest();
        let word = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let ends =
            rest[word.len()..].starts_with(|c: char| c.is_whitespace() || "({;}".contains(c));
        if ends || rest.len() == word.len() { word.to_ascii_lowercase() } else { String::new() }
    }

    /// Skips one of these words and returns it, if it comes next, also on a later line.
    fn eat_keyword(&mut self, wanted: &[&str]) -> Option<String> {
        let before = self.at;
        self.lines();
        let word = self.keyword();
        let found = wanted.contains(&word.as_str());
        self.at = if found { self.at + word.len() } else { before };
        found.then_some(word)
    }

    /// Whether a statement ends here.
    fn at_end(&self) -> bool {
        self.rest().is_empty() || self.rest().starts_with(['\n', ';', '}', ')'])
    }

    /// Statements up to the end or a bracket that closes.
    fn statements(&mut self) -> Read<Vec<Step>> {
        let mut steps = Vec::new();
        let mut join = Join::Always;
        loop {
            self.lines();
            if self.rest().is_empty() || self.starts("}") || self.starts(")") {
                return Ok(steps);
            }
            let start = self.at;
            let command = self.statement()?;
            let end = start + self.source[start..self.at].trim_end().len();
            steps.push(Step { join, command, span: Some((start, end)) });
            self.blanks();
            join = match () {
                () if self.eat("&&") => Join::And,
                () if self.eat("||") => Join::Or,
                () => Join::Always,
            };
            let block = self.source[..self.at].trim_end().ends_with('}');
            if join == Join::Always && !self.at_end() && !self.eat("&") && !block {
                return Err(Unparsed::Malformed);
            }
        }
    }

    /// `{ statements }`.
    fn block(&mut self) -> Read<Command> {
        self.expect("{")?;
        let steps = self.nested(Self::statements)?;
        self.expect("}")?;
        Ok(Command::Sequence(steps))
    }

    /// `( statements )`, whose output is tested and not printed.
    fn condition(&mut self) -> Read<Command> {
        self.expect("(")?;
        let start = self.at;
        let steps = self.nested(Self::statements)?;
        self.expect(")")?;
        Ok(captured(Command::Sequence(steps), self.at - start))
    }

    fn statement(&mut self) -> Read<Command> {
        self.count_token()?;
        let word = self.keyword();
        let start = self.at;
        self.at += word.len();
        match word.as_str() {
            "if" => self.branches(),
            "while" | "switch" => {
                self.skip_options();
                let head = self.condition()?;
                Ok(sequence(vec![head, self.block_or_arms()?]))
            }
            "do" => {
                let body = self.block()?;
                self.eat_keyword(&["while", "until"]);
                Ok(sequence(vec![body, self.condition()?]))
            }
            "for" => {
                self.expect("(")?;
                let head = self.nested(Self::statements)?;
                self.expect(")")?;
                let head = captured(Command::Sequence(head), 0);
                Ok(sequence(vec![head, self.block()?]))
            }
            "foreach" if self.rest().trim_start().starts_with('(') => self.for_each(),
            "function" | "filter" => self.function(),
            "try" | "finally" | "begin" | "process" | "end" | "trap" | "dynamicparam" => {
                self.tried()
            }
            "param" => {
                self.blanks();
                self.balanced('(', ')')?;
                Ok(nothing())
            }
            "return" | "throw" | "exit" | "break" | "continue" => {
                self.blanks();
                if self.at_end() { Ok(nothing()) } else { self.pipeline_command() }
            }
            "class" | "enum" | "using" | "configuration" | "workflow" => Err(Unparsed::Malformed),
            _ => {
                self.at = start;
                match self.assignment()? {
                    Some(assignment) => Ok(assignment),
                    None => self.pipeline_command(),
                }
            }
        }
    }

    fn branches(&mut self) -> Read<Command> {
        let (mut first, mut arms) = (Vec::new(), Vec::new());
        loop {
            first.push(self.condition()?);
            arms.push(self.block()?);
            match self.eat_keyword(&["elseif", "else"]).as_deref() {
                Some("elseif") => {}
                end => {
                    arms.extend(end.map(|_| self.block()).transpose()?);
                    return Ok(Command::Branches { words: Vec::new(), first, arms });
                }
            }
        }
    }

    /// `-Wildcard`, `-Regex` and the like in front of a condition.
    fn skip_options(&mut self) {
        self.blanks();
        while self.starts("-") {
            self.at += 1 + self.rest()[1..].find([' ', '(']).unwrap_or(0);
            self.blanks();
        }
    }

    /// A block of a loop, or the arms of a `switch`.
    fn block_or_arms(&mut self) -> Read<Command> {
        let start = (self.at, self.depth);
        if let Ok(body) = self.block() {
            return Ok(body);
        }
        self.back_to(start);
        self.expect("{")?;
        let mut arms = Vec::new();
        self.lines();
        while !self.eat("}") {
            self.nested(Self::primary)?;
            arms.push(self.nested(Self::block)?);
            self.lines();
        }
        Ok(Command::Branches { words: Vec::new(), first: Vec::new(), arms })
    }

    fn for_each(&mut self) -> Read<Command> {
        self.expect("(")?;
        self.lines();
        let variable = self.variable().ok_or(Unparsed::Malformed)?;
        self.eat_keyword(&["in"]).ok_or(Unparsed::Malformed)?;
        let words = self.nested(Self::pipeline)?.into_words();
        self.expect(")")?;
        let body = Box::new(self.block()?);
        Ok(Command::For { variable, words: Some(words), body })
    }

    fn function(&mut self) -> Read<Command> {
        self.blanks();
        let name = self.eat_while(|c| !c.is_whitespace() && !"({".contains(c));
        let name = name.to_ascii_lowercase();
        self.lines();
        if self.starts("(") {
            self.balanced('(', ')')?;
        }
        Ok(Command::Function { name, body: Rc::new(self.block()?) })
    }

    /// `try {} catch [type] {} finally {}`, and blocks with a name.
    fn tried(&mut self) -> Read<Command> {
        let mut arms = vec![self.block()?];
        while self.eat_keyword(&["catch", "finally"]).is_some() {
            self.blanks();
            while self.starts("[") {
                self.balanced('[', ']')?;
                self.blanks();
                self.eat(",");
                self.blanks();
            }
            arms.push(self.block()?);
        }
        Ok(sequence(arms))
    }

    /// `$name = ...`, if that is what begins here.
    fn assignment(&mut self) -> Read<Option<Command>> {
        let start = self.at;
        while self.starts("[") && self.balanced('[', ']').is_ok() {
            self.blanks();
        }
        let Some(name) = self.variable() else {
            self.at = start;
            return Ok(None);
        };
        // `$name.member` or `$name[0]`: only a part of the variable is assigned.
        let mut part = false;
        while self.starts(".") || self.starts("[") {
            part = true;
            if self.starts("[") {
                self.balanced('[', ']')?;
            } else {
                self.at += 1;
                self.member_name();
            }
        }
        self.blanks();
        let append = part || self.starts("+=");
        let operators = ["+=", "-=", "*=", "/=", "%=", "??=", "="];
        if !operators.iter().any(|operator| self.eat(operator)) || self.starts("=") {
            self.at = start;
            return Ok(None);
        }
        self.lines();
        let keyword = self.keyword();
        let value = match keyword.as_str() {
            "if" | "switch" | "foreach" | "for" | "while" | "try" => {
                Emitted::Lines(self.nested(Self::statement)?)
            }
            // `$a = $b = 1`
            _ => match self.nested(Self::assignment)? {
                Some(inner) => Emitted::Lines(inner),
                None => self.nested(Self::pipeline)?,
            },
        };
        let words = value.into_words();
        if name == "null" {
            return Ok(Some(Command::Test(words)));
        }
        let value = match <[Word; 1]>::try_from(words) {
            Ok([word]) => Assigned::Word(word),
            Err(words) => Assigned::List(words),
        };
        let assignments = vec![Assignment { name, subscript: None, append, value }];
        Ok(Some(Command::Simple(Simple { assignments, ..Simple::default() })))
    }

    fn pipeline_command(&mut self) -> Read<Command> {
        Ok(self.nested(Self::pipeline)?.into_command())
    }

    /// Commands and expressions with `|` between them, and what the last one emits.
    fn pipeline(&mut self) -> Read<Emitted> {
        self.blanks();
        let mut value = if self.starts_expression() {
            let value = self.expression()?;
            self.redirected(value)?
        } else {
            self.command(None)?
        };
        loop {
            self.blanks();
            if self.starts("||") || !self.eat("|") {
                return Ok(value);
            }
            self.count_token()?;
            self.lines();
            value = self.command(Some(value))?;
        }
    }

    /// A command, with the input that a pipe gives it.
    fn command(&mut self, input: Option<Emitted>) -> Read<Emitted> {
        self.count_token()?;
        // `& name`, `. script`
        if ["& ", ". ", "&'", "&\"", "&{", "&$"].iter().any(|mark| self.starts(mark)) {
            self.at += 1;
            self.blanks();
        }
        let mut arguments = Vec::new();
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if self.at_end() || self.rest().starts_with(['|', '&']) {
                break;
            }
            self.count_token()?;
            if let Some(redirect) = self.redirect()? {
                redirects.extend(redirect);
                continue;
            }
            if self.eat("--%") {
                let line = self.eat_while(|c| c != '\n' && c != '|');
                arguments.push(Argument::Values(line.split_whitespace().map(literal).collect()));
                continue;
            }
            arguments.push(self.argument()?);
        }
        if arguments.is_empty() && redirects.is_empty() {
            return Err(Unparsed::Malformed);
        }
        let value = cmdlet::value(input, arguments, self.depth)?;
        Ok(value.redirected(redirects))
    }

    fn redirected(&mut self, value: Emitted) -> Read<Emitted> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.extend(redirect),
                None => return Ok(value.redirected(redirects)),
            }
        }
    }

    /// `> f`, `2>&1`; the inner `None` is a redirection to another stream.
    #[expect(clippy::option_option, reason = "no redirection differs from one without a file")]
    fn redirect(&mut self) -> Read<Option<Option<Redirect>>> {
        let rest = self.rest();
        let stream = usize::from(rest.starts_with(|c: char| c.is_ascii_digit() || c == '*'));
        if !rest[stream..].starts_with('>') {
            return Ok(None);
        }
        let descriptor = rest[..stream].parse().ok().filter(|number| *number != 1);
        self.at += stream + 1;
        if self.eat("&") {
            self.bump();
            return Ok(Some(None));
        }
        let append = self.eat(">");
        self.blanks();
        let Argument::Values(words) = self.argument()? else { return Err(Unparsed::Malformed) };
        let redirect = |word| Redirect { descriptor, ..into_file(word, append) };
        Ok(Some(words.into_iter().next().map(redirect)))
    }

    /// One word of a command.
    fn argument(&mut self) -> Read<Argument> {
        if self.starts("{") {
            let start = self.at;
            let body = self.nested(Self::block)?;
            return Ok(Argument::Block(body, self.source[start + 1..self.at - 1].to_owned()));
        }
        let start = self.at;
        if self.eat("-") && self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            let name = self.eat_while(|c| c.is_ascii_alphanumeric()).to_owned();
            if self.eat(":") {
                self.blanks();
                return Ok(Argument::Parameter(name, Some(joined(&self.values()?, ' '))));
            }
            if self.peek().is_none_or(|c| c.is_whitespace() || ";|)}".contains(c)) {
                return Ok(Argument::Parameter(name, None));
            }
        }
        self.at = start;
        Ok(Argument::Values(self.values()?))
    }

    /// A value, or several with commas between them.
    fn values(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        loop {
            let start = self.at;
            if self.starts("(") || self.starts("@") || self.starts("$") {
                let value = self.nested(Self::primary)?;
                let mut value = value.into_words();
                // `$dir\f`, `(pwd)/f`
                if let ([word], true) = (value.as_mut_slice(), self.starts_bare()) {
                    word.extend(self.bare()?);
                }
                words.extend(value);
            } else {
                words.push(self.bare()?);
            }
            if self.at == start {
                return Err(Unparsed::Malformed);
            }
            let before = self.at;
            self.blanks();
            if !self.eat(",") {
                self.at = before;
                return Ok(words);
            }
            self.lines();
        }
    }
}

/// A command that does nothing.
fn nothing() -> Command {
    Command::Sequence(Vec::new())
}

/// Words of plain text.
fn words(text: &str) -> Vec<Word> {
    text.split(' ').map(literal).collect()
}

/// A command from a text (the program and its first words) and more operands.
fn program(text: &str, operands: impl IntoIterator<Item = Word>) -> Command {
    simple(words(text).into_iter().chain(operands).collect())
}

/// A redirection into a file.
fn into_file(path: Word, append: bool) -> Redirect {
    let kind = if append { RedirectKind::Append(path) } else { RedirectKind::Output(path) };
    Redirect { descriptor: None, kind }
}

/// A simple command.
fn simple(words: Vec<Word>) -> Command {
    Command::Simple(Simple { words, ..Simple::default() })
}

/// Commands one after the other.
fn sequence(commands: Vec<Command>) -> Command {
    Command::Sequence(commands.into_iter().map(Step::plain).collect())
}

/// A word that expands to a command's output.
fn output(commands: Command, length: usize) -> Word {
    let commands = match commands {
        Command::Sequence(steps) => steps,
        other => vec![Step::plain(other)],
    };
    let script = Script { commands: Command::Sequence(commands), length };
    vec![Atom::Expansion(Rc::new(Expansion::Command(script)), true)]
}

/// A command whose output is used and not printed.
fn captured(command: Command, length: usize) -> Command {
    Command::Test(vec![output(command, length)])
}

/// Words joined into one, with a mark between them.
fn joined(words: &[Word], mark: char) -> Word {
    words.join(&Atom::Char(mark, true))
}

/// An unknown word.
fn unknown() -> Word {
    vec![Atom::Char(HOLE, true)]
}
