//! From script text to [`Command`]s: the only module that knows the shell parser.
//!
//! The parser, `rable`, gives the structure: lists, pipelines, compound commands, redirections and
//! the raw text of words. `substitution` has cut all expansions out before, so the parser never
//! recurses into them, and everything it leaves raw (`${...}` operands, arithmetic, `[[ ]]` terms,
//! here-document bodies, backticks) is read by `word`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rable::{Node, NodeKind};

use crate::ast::{
    Assigned, Assignment, Atom, Command, Join, Redirect, RedirectKind, Simple, Step, Word,
};
use crate::substitution::{ExtractError, Substitution, extract, extract_from_text, restored};
use crate::word::{atoms, literal, text_atoms};

/// Why a script has no commands for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unparsed {
    /// Too long, too deep or too many words.
    TooMuch,
    /// bash would complain too.
    Malformed,
    /// The parser failed in a way it should not.
    Internal,
}

impl From<ExtractError> for Unparsed {
    fn from(wrong: ExtractError) -> Self {
        match wrong {
            ExtractError::Unclosed => Self::Malformed,
            ExtractError::TooMuch => Self::TooMuch,
        }
    }
}

/// Builtins whose operands are assignments.
const DECLARERS: [&str; 5] = ["declare", "typeset", "local", "export", "readonly"];

/// The longest script that is parsed, in bytes.
pub(crate) const MAX_LENGTH: usize = 64 * 1024;

/// Parses a script.
pub(crate) fn parse(script: &str) -> Result<Command, Unparsed> {
    if script.len() > MAX_LENGTH {
        return Err(Unparsed::TooMuch);
    }
    let extracted = extract(script)?;
    let nodes = catch_unwind(AssertUnwindSafe(|| {
        // Extended globs are off in a fresh shell, and with them `!(cat f)` would be a pattern.
        rable::parse(&extracted.text, false).or_else(|_| rable::parse(&extracted.text, true))
    }))
    .map_err(|_| Unparsed::Internal)?
    .map_err(|_| Unparsed::Malformed)?;
    let reader = TreeReader { substitutions: &extracted.substitutions };
    let mut steps = Vec::new();
    for node in &nodes {
        match reader.command(node)? {
            // One list, however the parser nests it.
            Command::Sequence(inner) if matches!(node.kind, NodeKind::List { .. }) => {
                steps.extend(inner);
            }
            command => steps.push(Step { span: span_of(node), ..Step::plain(command) }),
        }
    }
    Ok(Command::Sequence(steps))
}

/// The text of a part of a script, as it was written.
pub(crate) fn source(script: &str, span: (usize, usize)) -> Option<String> {
    let extracted = extract(script).ok()?;
    let part: String =
        extracted.text.chars().skip(span.0).take(span.1.checked_sub(span.0)?).collect();
    Some(restored(&part, &extracted.substitutions))
}

/// Reads text with expansions in it, as a here-document body is read.
pub(crate) fn parse_text(text: &str) -> Result<Word, Unparsed> {
    let extracted = extract_from_text(text)?;
    Ok(text_atoms(&extracted.text, &extracted.substitutions))
}

/// Reads one word of shell code that may hold blanks, as the operand of `${x:-...}` may.
pub(crate) fn parse_word(text: &str) -> Result<Word, Unparsed> {
    let extracted = extract(text).or_else(|_| extract_from_text(text))?;
    Ok(atoms(&extracted.text, &extracted.substitutions))
}

struct TreeReader<'a> {
    substitutions: &'a [Substitution],
}

type Read<T> = Result<T, Unparsed>;

impl TreeReader<'_> {
    fn command(&self, node: &Node) -> Read<Command> {
        Ok(match &node.kind {
            NodeKind::Command { assignments, words, redirects } => {
                Command::Simple(self.simple(assignments, words, redirects)?)
            }
            NodeKind::Pipeline { commands, .. } => Command::Pipeline(self.stages(commands)?),
            NodeKind::List { .. } => Command::Sequence(self.list(node)?),
            NodeKind::If { condition, then_body, else_body, redirects } => {
                let mut arms = vec![self.command(then_body)?];
                if let Some(body) = else_body {
                    arms.push(self.command(body)?);
                }
                let first = vec![self.command(condition)?];
                let branches = Command::Branches { words: Vec::new(), first, arms };
                self.redirected(branches, redirects)?
            }
            NodeKind::While { condition, body, redirects }
            | NodeKind::Until { condition, body, redirects } => {
                let both = [self.command(condition)?, self.command(body)?];
                let both = both.into_iter().map(Step::plain).collect();
                self.redirected(Command::Sequence(both), redirects)?
            }
            NodeKind::For { var, words, body, redirects }
            | NodeKind::Select { var, words, body, redirects } => {
                let looped = self.looped(node, var, words.as_deref(), body)?;
                self.redirected(looped, redirects)?
            }
            NodeKind::ForArith { init, cond, incr, body, redirects } => {
                let mut parts = Vec::new();
                for raw in [init, cond, incr] {
                    parts.push(Command::Arithmetic(text_atoms(raw, self.substitutions)));
                }
                parts.push(self.command(body)?);
                let parts = parts.into_iter().map(Step::plain).collect();
                self.redirected(Command::Sequence(parts), redirects)?
            }
            NodeKind::Case { word, patterns, redirects } => {
                let mut words = vec![self.word(word)?];
                let mut arms = Vec::new();
                for pattern in patterns {
                    for word in &pattern.patterns {
                        words.push(self.word(word)?);
                    }
                    if let Some(body) = &pattern.body {
                        arms.push(self.command(body)?);
                    }
                }
                let branches = Command::Branches { words, first: Vec::new(), arms };
                self.redirected(branches, redirects)?
            }
            NodeKind::Function { name, body } => {
                Command::Function { name: name.clone(), body: Rc::new(self.command(body)?) }
            }
            NodeKind::Subshell { body, redirects } => {
                self.redirected(Command::Subshell(Box::new(self.command(body)?)), redirects)?
            }
            NodeKind::BraceGroup { body, redirects } => {
                self.redirected(self.command(body)?, redirects)?
            }
            NodeKind::Coproc { command, .. } => {
                Command::Background(Box::new(self.command(command)?))
            }
            NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => {
                self.command(pipeline)?
            }
            NodeKind::ConditionalExpr { body, redirects } => {
                let mut words = Vec::new();
                self.terms(body, &mut words);
                self.redirected(Command::Test(words), redirects)?
            }
            NodeKind::ArithmeticCommand { redirects, raw_content, .. } => self.redirected(
                Command::Arithmetic(text_atoms(raw_content, self.substitutions)),
                redirects,
            )?,
            NodeKind::Empty | NodeKind::Comment { .. } => Command::Sequence(Vec::new()),
            _ => return Err(Unparsed::Internal),
        })
    }

    /// A `for` or `select` loop; `select` prints its words first.
    fn looped(&self, node: &Node, var: &str, words: Option<&[Node]>, body: &Node) -> Read<Command> {
        let words: Option<Vec<Word>> =
            words.map(|words| words.iter().map(|word| self.word(word)).collect()).transpose()?;
        // `select` prints its words.
        let menu = match &words {
            Some(words) if matches!(node.kind, NodeKind::Select { .. }) => {
                let echo = "echo".chars().map(|c| Atom::Char(c, false)).collect();
                let words = std::iter::once(echo).chain(words.iter().cloned()).collect();
                Some(Command::Simple(Simple { words, ..Simple::default() }))
            }
            _ => None,
        };
        let body = Box::new(self.command(body)?);
        let looped = Command::For { variable: var.to_owned(), words, body };
        Ok(match menu {
            Some(menu) => Command::Sequence(vec![Step::plain(menu), Step::plain(looped)]),
            None => looped,
        })
    }

    /// The stages of a pipeline. For `|&` after a compound command the parser puts the `2>&1` among
    /// them, which no stage of ours is.
    fn stages(&self, nodes: &[Node]) -> Read<Vec<Command>> {
        nodes
            .iter()
            .filter(|node| !matches!(node.kind, NodeKind::Redirect { .. }))
            .map(|node| self.command(node))
            .collect()
    }

    /// Flattens `((a; b); c)`, which is how the parser nests a list, without recursing.
    fn list(&self, mut node: &Node) -> Read<Vec<Step>> {
        let mut backwards = Vec::new();
        // The operator behind a nested list belongs to its last command.
        let mut behind = None;
        while let NodeKind::List { items } = &node.kind {
            let Some((first, rest)) = items.split_first() else {
                break;
            };
            for item in rest.iter().rev() {
                backwards.push((&item.command, item.operator.or(behind.take())));
            }
            let operator = first.operator.or(behind.take());
            if let NodeKind::List { .. } = first.command.kind
                && operator != Some(rable::ListOperator::Background)
            {
                behind = operator;
                node = &first.command;
            } else {
                // `a; b & c` keeps the operator of the inner list on its last item.
                backwards.push((&first.command, operator));
                break;
            }
        }
        let mut join = Join::Always;
        backwards
            .into_iter()
            .rev()
            .map(|(node, operator)| {
                let command = self.command(node)?;
                let command = if operator == Some(rable::ListOperator::Background) {
                    background_last(command)
                } else {
                    command
                };
                let step = Step { join, command, span: span_of(node) };
                // The operator comes after its command.
                join = match operator {
                    Some(rable::ListOperator::And) => Join::And,
                    Some(rable::ListOperator::Or) => Join::Or,
                    _ => Join::Always,
                };
                Ok(step)
            })
            .collect()
    }

    fn redirected(&self, command: Command, redirects: &[Node]) -> Read<Command> {
        if redirects.is_empty() {
            return Ok(command);
        }
        Ok(Command::Redirected(Box::new(command), self.redirects(redirects)?))
    }

    fn simple(&self, assignments: &[Node], words: &[Node], redirects: &[Node]) -> Read<Simple> {
        let mut simple = Simple {
            words: Vec::with_capacity(words.len()),
            redirects: self.redirects(redirects)?,
            ..Simple::default()
        };
        let mut declares = false;
        for node in assignments.iter().chain(words) {
            let raw = raw(node)?;
            declares |= simple.words.is_empty() && DECLARERS.contains(&raw);
            match self.assignment(raw) {
                Some(assignment) if simple.words.is_empty() => simple.assignments.push(assignment),
                Some(assignment) if declares => simple.declarations.push(assignment),
                _ => simple.words.push(atoms(raw, self.substitutions)),
            }
        }
        Ok(simple)
    }

    fn assignment(&self, raw: &str) -> Option<Assignment> {
        let name_end = raw.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let name = &raw[..name_end];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut rest = &raw[name_end..];
        let mut subscript = None;
        if let Some(inside) = rest.strip_prefix('[') {
            let close = inside.rfind("]=").or_else(|| inside.rfind("]+="))?;
            subscript = Some(atoms(&inside[..close], self.substitutions));
            rest = &inside[close + 1..];
        }
        let append = rest.starts_with("+=");
        let value = rest.strip_prefix("+=").or_else(|| rest.strip_prefix('='))?;
        let value = match value.strip_prefix('(').and_then(|v| v.strip_suffix(')')) {
            Some(inside) => {
                let mut elements = Vec::new();
                for raw in split_words(inside) {
                    let (key, value) = element(raw);
                    // A key can hold a substitution, and nothing else about it matters.
                    subscript.get_or_insert_with(Word::new).extend(atoms(key, self.substitutions));
                    elements.push(atoms(value, self.substitutions));
                }
                Assigned::List(elements)
            }
            None => Assigned::Word(atoms(value, self.substitutions)),
        };
        Some(Assignment { name: name.to_owned(), subscript, append, value })
    }

    fn word(&self, node: &Node) -> Read<Word> {
        Ok(atoms(raw(node)?, self.substitutions))
    }

    fn redirects(&self, nodes: &[Node]) -> Read<Vec<Redirect>> {
        nodes.iter().map(|node| self.redirect(node)).collect()
    }

    fn redirect(&self, node: &Node) -> Read<Redirect> {
        match &node.kind {
            NodeKind::HereDoc { content, quoted, fd, .. } => {
                let body = if *quoted { literal(content) } else { parse_text(content)? };
                Ok(Redirect { descriptor: u32::try_from(*fd).ok(), kind: RedirectKind::Text(body) })
            }
            NodeKind::Redirect { op, target, fd, .. } => {
                let target = self.word(target)?;
                let kind = match op.as_str() {
                    "<" => RedirectKind::Input(target),
                    "<>" => RedirectKind::Both(target),
                    "<<<" => RedirectKind::Text(target),
                    "<&" | "<&-" => RedirectKind::Duplicate { target, output: false },
                    ">&" | ">&-" => RedirectKind::Duplicate { target, output: true },
                    ">>" => RedirectKind::Append(target),
                    _ => RedirectKind::Output(target),
                };
                Ok(Redirect { descriptor: u32::try_from(*fd).ok(), kind })
            }
            _ => Err(Unparsed::Internal),
        }
    }

    fn terms(&self, node: &Node, out: &mut Vec<Word>) {
        match &node.kind {
            NodeKind::UnaryTest { operand, .. } | NodeKind::CondNot { operand } => {
                self.terms(operand, out);
            }
            NodeKind::BinaryTest { left, right, .. }
            | NodeKind::CondAnd { left, right }
            | NodeKind::CondOr { left, right } => {
                self.terms(left, out);
                self.terms(right, out);
            }
            NodeKind::CondParen { inner } => self.terms(inner, out),
            NodeKind::CondTerm { value, .. } | NodeKind::Word { value, .. } => {
                out.push(atoms(value, self.substitutions));
            }
            _ => {}
        }
    }
}

/// In `a; b &` only the last command of the list runs in the background.
fn background_last(command: Command) -> Command {
    match command {
        Command::Sequence(mut steps) => {
            if let Some(last) = steps.pop() {
                steps.push(Step { command: background_last(last.command), ..last });
            }
            Command::Sequence(steps)
        }
        other => Command::Background(Box::new(other)),
    }
}

fn span_of(node: &Node) -> Option<(usize, usize)> {
    (!node.span.is_empty()).then_some((node.span.start, node.span.end))
}

fn raw(node: &Node) -> Read<&str> {
    match &node.kind {
        NodeKind::Word { value, .. } | NodeKind::CondTerm { value, .. } => Ok(value),
        _ => Err(Unparsed::Internal),
    }
}

/// The words between the parentheses of an array.
fn split_words(inside: &str) -> Vec<&str> {
    let bytes = inside.as_bytes();
    let mut words = Vec::new();
    let mut start = None;
    let mut i = 0;
    while i < bytes.len() {
        let c = bytes[i];
        if matches!(c, b' ' | b'\t' | b'\n') {
            if let Some(from) = start.take() {
                words.push(&inside[from..i]);
            }
            i += 1;
            continue;
        }
        if c == b'#' && start.is_none() {
            i += inside[i..].find('\n').unwrap_or(inside.len() - i);
            continue;
        }
        start.get_or_insert(i);
        i += match c {
            b'\\' => 2,
            b'\'' => inside[i + 1..].find('\'').map_or(bytes.len(), |n| n + 2),
            b'"' => double_end(&bytes[i + 1..]) + 1,
            _ => 1,
        };
    }
    if let Some(from) = start {
        words.push(&inside[from..]);
    }
    words
}

fn double_end(bytes: &[u8]) -> usize {
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// `[key]=value` in an array, or a bare value.
fn element(raw: &str) -> (&str, &str) {
    raw.strip_prefix('[').and_then(|rest| rest.split_once("]=")).unwrap_or(("", raw))
}
