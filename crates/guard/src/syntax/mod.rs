//! From script text to [`Command`]s, in one pass.
//!
//! A small reader of bash: lists, pipelines, compound commands, redirections and here-documents are
//! read here, the words between them in `words`. It is more lenient than bash where that makes no
//! difference to what a command touches. [`ScriptCursor`] is the position in the script.

mod cursor;
mod words;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::ast::{
    Assigned, Assignment, Command, Join, LateWord, Redirect, RedirectKind, Simple, Step, Word,
};
use crate::word::{known_part, literal};

pub(crate) use cursor::{MAX_LENGTH, Read, ScriptCursor};

/// Why a script cannot be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// The script is too long, nests too deep or has too many words.
    TooMuch,
    /// The script has a syntax error.
    Malformed,
    /// The guard itself failed.
    Internal,
}

/// Builtins whose operands are assignments.
const DECLARERS: [&str; 5] = ["declare", "typeset", "local", "export", "readonly"];
/// Redirection operators; an operator comes before those that it starts with.
const REDIRECTIONS: [&str; 12] =
    ["<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", ">>", ">&", ">|", ">"];

/// Parses a script.
pub(crate) fn parse(script: &str) -> Read<Command> {
    if script.len() > MAX_LENGTH {
        return Err(Unparsed::TooMuch);
    }
    Reader::new(script, 0).script()
}

/// Reads text with expansions in it, like the body of a here-document.
pub(crate) fn parse_text(text: &str) -> Read<Word> {
    Reader::new(text, 0).text()
}

/// Reads one word that may hold blanks, like the operand of `${x:-...}`.
pub(crate) fn parse_word(text: &str) -> Read<Word> {
    Reader::new(text, 0).word(true).or_else(|_| parse_text(text))
}

/// A here-document whose body has not been reached.
struct HereDocument {
    delimiter: String,
    /// Whether leading tabs are stripped from its lines (`<<-`).
    strip: bool,
    quoted: bool,
    body: LateWord,
}

/// What the parser of bash remembers besides its position.
#[derive(Default)]
struct BashState {
    /// How many bytes were scanned twice; limited, so that the work stays linear.
    rescanned: usize,
    here_documents: Vec<HereDocument>,
}

type Reader<'s> = ScriptCursor<'s, BashState>;

impl<'s> Reader<'s> {
    fn expect(&mut self, text: &str) -> Read<()> {
        if self.eat(text) { Ok(()) } else { Err(Unparsed::Malformed) }
    }

    /// Skips blanks, continued lines and a comment.
    fn blanks(&mut self) {
        loop {
            self.eat_while(|c| matches!(c, ' ' | '\t' | '\r'));
            if self.starts("#") {
                self.eat_while(|c| c != '\n');
            }
            if !self.eat("\\\n") {
                return;
            }
        }
    }

    /// Skips blanks and line ends, and reads the here-documents that begin after a line end.
    fn lines(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if !self.eat("\n") {
                return Ok(());
            }
            for document in std::mem::take(&mut self.state.here_documents) {
                self.here_document(&document)?;
            }
        }
    }

    fn here_document(&mut self, document: &HereDocument) -> Read<()> {
        let mut body = String::new();
        while !self.rest().is_empty() {
            let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
            self.at += line.len();
            let line = if document.strip { line.trim_start_matches('\t') } else { line };
            if line.strip_suffix('\n').unwrap_or(line) == document.delimiter {
                break;
            }
            body.push_str(line);
        }
        let body =
            if document.quoted { literal(&body) } else { Reader::new(&body, self.depth).text()? };
        document.body.set(body).map_err(|_| Unparsed::Internal)
    }

    /// The plain word that begins here, if it has no quotes and no expansions.
    fn keyword(&self) -> &'s str {
        let rest = self.rest();
        let special = |c: char| words::is_meta(c) || "\"'`$\\".contains(c);
        let (word, after) = rest.split_at(rest.find(special).unwrap_or(rest.len()));
        if after.starts_with(|c| !words::is_meta(c)) { "" } else { word }
    }

    /// Reads a whole script.
    fn script(&mut self) -> Read<Command> {
        let steps = self.steps(&[])?;
        if self.rest().is_empty() { Ok(Command::Sequence(steps)) } else { Err(Unparsed::Malformed) }
    }

    /// Commands up to the end, a `)`, `;;` or one of these words where a command would begin.
    fn steps(&mut self, ends: &[&str]) -> Read<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            self.lines()?;
            let ended = |reader: &Self| {
                let mark = [")", ";;", ";&"].iter().any(|mark| reader.starts(mark));
                mark || reader.rest().is_empty() || ends.contains(&reader.keyword())
            };
            if ended(self) {
                return Ok(steps);
            }
            self.and_or(&mut steps)?;
            if !ended(self) && !self.eat(";") && !self.eat("&") && !self.starts("\n") {
                return Err(Unparsed::Malformed);
            }
        }
    }

    /// `a && b || c`, up to the operator after it.
    fn and_or(&mut self, steps: &mut Vec<Step>) -> Read<()> {
        let mut join = Join::Always;
        loop {
            let start = self.at;
            let command = self.pipeline()?;
            let end = start + self.source[start..self.at].trim_end().len();
            steps.push(Step { join, command, span: Some((start, end)) });
            join = match () {
                () if self.eat("&&") => Join::And,
                () if self.eat("||") => Join::Or,
                () => break,
            };
            self.lines()?;
        }
        // Bash runs the whole list in the background; marking the last command is enough here.
        if self.starts("&")
            && let Some(last) = steps.pop()
        {
            steps.push(Step { command: Command::Background(Box::new(last.command)), ..last });
        }
        Ok(())
    }

    fn pipeline(&mut self) -> Read<Command> {
        let mut prefixed = false;
        while let word @ ("!" | "time") = self.keyword() {
            self.at += word.len();
            self.count_token()?;
            self.blanks();
            if word == "time" && self.keyword() == "-p" {
                self.at += 2;
                self.blanks();
            }
            prefixed = true;
        }
        let mut stages = vec![self.command(prefixed)?];
        while !self.starts("||") && self.eat("|") {
            self.eat("&");
            self.lines()?;
            stages.push(self.command(false)?);
        }
        let only = if stages.len() == 1 { stages.pop() } else { None };
        Ok(only.unwrap_or(Command::Pipeline(stages)))
    }

    /// One command, and the blanks after it.
    fn command(&mut self, may_be_empty: bool) -> Read<Command> {
        self.count_token()?;
        let word = self.keyword();
        let compound = match word {
            _ if self.starts("((") => match self.double_parens()? {
                Some(inside) => Command::Arithmetic(Reader::new(inside, self.depth).text()?),
                None => self.subshell()?,
            },
            _ if self.starts("(") => self.subshell()?,
            "{" | "if" | "while" | "until" | "for" | "select" | "case" | "function" | "coproc"
            | "[[" => {
                self.at += word.len();
                self.blanks();
                self.nested(|reader| reader.compound(word))?
            }
            "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" => {
                return Err(Unparsed::Malformed);
            }
            _ => return self.simple(may_be_empty),
        };
        let mut redirects = Vec::new();
        self.blanks();
        while let Some(redirect) = self.redirect()? {
            redirects.push(redirect);
            self.blanks();
        }
        if redirects.is_empty() {
            return Ok(compound);
        }
        Ok(Command::Redirected(Box::new(compound), redirects))
    }

    fn subshell(&mut self) -> Read<Command> {
        self.expect("(")?;
        let steps = self.nested(|reader| reader.steps(&[]))?;
        self.expect(")")?;
        Ok(Command::Subshell(Box::new(sequence(steps))))
    }

    /// The rest of a compound command, after its reserved word.
    fn compound(&mut self, word: &str) -> Read<Command> {
        Ok(match word {
            "{" => self.body(&["}"])?.0,
            "if" => self.branches()?,
            "while" | "until" => {
                let both = [self.body(&["do"])?.0, self.body(&["done"])?.0];
                Command::Sequence(both.into_iter().map(Step::plain).collect())
            }
            "for" | "select" => self.looped(word == "select")?,
            "case" => self.case()?,
            "[[" => self.test()?,
            "function" => {
                let name = self.keyword();
                self.at += name.len();
                self.blanks();
                self.eat("()");
                self.function(name)?
            }
            _ => Command::Background(Box::new(self.coprocess()?)),
        })
    }

    /// Commands up to one of these words; returns them and the word.
    fn body(&mut self, ends: &[&str]) -> Read<(Command, &'s str)> {
        let steps = self.steps(ends)?;
        let end = self.keyword();
        if !ends.contains(&end) {
            return Err(Unparsed::Malformed);
        }
        self.at += end.len();
        Ok((sequence(steps), end))
    }

    fn branches(&mut self) -> Read<Command> {
        let first = vec![self.body(&["then"])?.0];
        let (then, end) = self.body(&["elif", "else", "fi"])?;
        let mut arms = vec![then];
        match end {
            "elif" => arms.push(self.branches()?),
            "else" => arms.push(self.body(&["fi"])?.0),
            _ => {}
        }
        Ok(Command::Branches { words: Vec::new(), first, arms })
    }

    /// A `for` or `select` loop; `select` prints its words first.
    fn looped(&mut self, select: bool) -> Read<Command> {
        if let Some(inside) = self.double_parens()? {
            let head = Command::Arithmetic(Reader::new(inside, self.depth).text()?);
            let steps = [head, self.loop_body()?].map(Step::plain);
            return Ok(Command::Sequence(steps.into()));
        }
        let variable = self.keyword().to_owned();
        self.at += variable.len();
        self.lines()?;
        let mut words = None;
        if self.keyword() == "in" {
            self.at += 2;
            words = Some(self.words()?);
        }
        let menu = words.as_ref().filter(|_| select).map(|words: &Vec<Word>| {
            let words = std::iter::once(literal("echo")).chain(words.iter().cloned()).collect();
            Step::plain(Command::Simple(Simple { words, ..Simple::default() }))
        });
        let body = Box::new(self.loop_body()?);
        let looped = Command::For { variable, words, body };
        Ok(match menu {
            Some(menu) => Command::Sequence(vec![menu, Step::plain(looped)]),
            None => looped,
        })
    }

    /// The words up to the next operator or line end.
    fn words(&mut self) -> Read<Vec<Word>> {
        let mut words = Vec::new();
        self.blanks();
        while self.starts_word() {
            self.count_token()?;
            words.push(self.word(false)?);
            self.blanks();
        }
        Ok(words)
    }

    fn loop_body(&mut self) -> Read<Command> {
        self.blanks();
        self.eat(";");
        self.lines()?;
        let (open, close) = if self.starts("{") { ("{", "}") } else { ("do", "done") };
        self.expect(open)?;
        Ok(self.body(&[close])?.0)
    }

    fn case(&mut self) -> Read<Command> {
        let mut words = vec![self.word(false)?];
        let mut arms = Vec::new();
        self.lines()?;
        self.expect("in")?;
        loop {
            self.lines()?;
            if self.keyword() == "esac" {
                self.at += "esac".len();
                return Ok(Command::Branches { words, first: Vec::new(), arms });
            }
            self.eat("(");
            loop {
                words.extend(self.words()?);
                self.count_token()?;
                if !self.eat("|") {
                    break;
                }
            }
            self.expect(")")?;
            let steps = self.steps(&["esac"])?;
            if !steps.is_empty() {
                arms.push(sequence(steps));
            }
            let ended = self.eat(";;&") || self.eat(";;") || self.eat(";&");
            if !ended && self.keyword() != "esac" {
                return Err(Unparsed::Malformed);
            }
        }
    }

    /// `[[ ... ]]`: only its words matter, not its operators.
    fn test(&mut self) -> Read<Command> {
        let mut words = Vec::new();
        loop {
            self.lines()?;
            self.count_token()?;
            if self.keyword() == "]]" {
                self.at += 2;
                return Ok(Command::Test(words));
            }
            if self.starts_word() {
                words.push(self.word(false)?);
            } else if !["(", ")", "|", "&", ";", "<", ">"].iter().any(|mark| self.eat(mark)) {
                return Err(Unparsed::Malformed);
            }
        }
    }

    fn function(&mut self, name: &str) -> Read<Command> {
        self.lines()?;
        let body = self.nested(|reader| reader.command(false))?;
        Ok(Command::Function { name: name.to_owned(), body: Rc::new(body) })
    }

    /// The rest after `coproc`: a command, or a name and a compound command.
    fn coprocess(&mut self) -> Read<Command> {
        let start = self.at;
        self.at += self.keyword().len();
        self.blanks();
        let compound = ["{", "if", "while", "until", "for", "case", "[["];
        if !self.starts("(") && !compound.contains(&self.keyword()) {
            self.at = start;
        }
        self.command(false)
    }

    fn simple(&mut self, may_be_empty: bool) -> Read<Command> {
        let mut simple = Simple::default();
        let mut declares = false;
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                continue;
            }
            if !self.starts_word() {
                break;
            }
            self.count_token()?;
            let first = simple.words.is_empty();
            if (first || declares)
                && let Some(assignment) = self.assignment()?
            {
                let list = if first { &mut simple.assignments } else { &mut simple.declarations };
                list.push(assignment);
                continue;
            }
            let start = self.at;
            let word = self.word(false)?;
            if first {
                let name = &self.source[start..self.at];
                declares = DECLARERS.contains(&name);
                self.blanks();
                if self.eat("(") {
                    self.blanks();
                    self.expect(")")?;
                    return self.function(name);
                }
            }
            simple.words.push(word);
        }
        let empty =
            simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty();
        if empty && !may_be_empty { Err(Unparsed::Malformed) } else { Ok(Command::Simple(simple)) }
    }

    /// `NAME=value`, `NAME[i]+=value` or `NAME=(a b)`, if an assignment begins here.
    fn assignment(&mut self) -> Read<Option<Assignment>> {
        let start = self.at;
        let name = self.eat_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            self.at = start;
            return Ok(None);
        }
        let mut subscript = if self.starts("[") { self.subscript()? } else { None };
        let append = self.eat("+=");
        if !append && !self.eat("=") {
            self.at = start;
            return Ok(None);
        }
        if !self.eat("(") {
            let value = Assigned::Word(self.word(false)?);
            return Ok(Some(Assignment { name: name.to_owned(), subscript, append, value }));
        }
        let mut elements = Vec::new();
        loop {
            self.lines()?;
            self.count_token()?;
            if self.eat(")") {
                break;
            }
            let before = self.at;
            // A key matters only because it can hold a substitution.
            match if self.starts("[") { self.subscript()? } else { None } {
                Some(key) if self.eat("=") => {
                    subscript.get_or_insert_with(Word::new).extend(key);
                }
                _ => self.at = before,
            }
            elements.push(self.word(false)?);
            if self.at == before {
                return Err(Unparsed::Malformed);
            }
        }
        let value = Assigned::List(elements);
        Ok(Some(Assignment { name: name.to_owned(), subscript, append, value }))
    }

    /// The subscript `[...]`, if it is closed.
    fn subscript(&mut self) -> Read<Option<Word>> {
        self.expect("[")?;
        match self.balanced(Some('['), ']', false) {
            Ok(inside) => {
                self.at += 1;
                Reader::new(inside, self.depth).word(true).map(Some)
            }
            Err(Unparsed::Malformed) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// A redirection, if one begins here.
    fn redirect(&mut self) -> Read<Option<Redirect>> {
        let rest = self.rest();
        let plain = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        // `{name}>f` opens a new descriptor.
        let named = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let after = match named {
            Some((name, after)) if !name.contains(|c: char| !c.is_alphanumeric() && c != '_') => {
                after
            }
            _ => plain,
        };
        let Some(operator) = REDIRECTIONS.iter().find(|operator| after.starts_with(**operator))
        else {
            return Ok(None);
        };
        let process = after[1..].starts_with('(');
        let prefix = rest.len() - after.len();
        if process || (prefix > 0 && operator.starts_with('&')) {
            return Ok(None);
        }
        self.count_token()?;
        self.at += prefix + operator.len();
        self.blanks();
        let start = self.at;
        let target = self.word(false)?;
        if self.at == start {
            return Err(Unparsed::Malformed);
        }
        let kind = match *operator {
            "<" => RedirectKind::Input(target),
            "<>" => RedirectKind::Both(target),
            "<<<" => RedirectKind::Text(Rc::new(OnceCell::from(target))),
            "<<" | "<<-" => {
                let raw = &self.source[start..self.at];
                let quoted = raw.contains(['\'', '"', '\\']);
                let delimiter = if quoted { known_part(&target) } else { raw.to_owned() };
                let body = LateWord::default();
                let strip = *operator == "<<-";
                let document = HereDocument { delimiter, strip, quoted, body: Rc::clone(&body) };
                self.state.here_documents.push(document);
                RedirectKind::Text(body)
            }
            "<&" => RedirectKind::Duplicate { target, output: false },
            ">&" => RedirectKind::Duplicate { target, output: true },
            ">>" => RedirectKind::Append(target),
            _ => RedirectKind::Output(target),
        };
        Ok(Some(Redirect { descriptor: rest[..prefix].parse().ok(), kind }))
    }
}

/// Joins steps into one command; a single foreground command is returned as it is.
fn sequence(mut steps: Vec<Step>) -> Command {
    match steps.pop() {
        Some(Step { command, span: _, join: _ })
            if steps.is_empty() && !matches!(command, Command::Background(_)) =>
        {
            command
        }
        last => {
            steps.extend(last);
            Command::Sequence(steps)
        }
    }
}
