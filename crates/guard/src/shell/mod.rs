//! A small abstract shell: it follows a script without running it and notes what it would touch.
//!
//! [`Shell`] keeps the working directory, variables whose values the command itself gives,
//! functions and aliases, and where standard input comes from. Programs are asked what they would
//! do with their operands ([`crate::program`]); none is run. Every step is counted, so no script,
//! however it loops or recurses, costs more than [`MAX_STEPS`].

mod builtin;
mod effects;
mod expand;
mod flow;
mod output;
mod parameter;
mod perform;
mod simple;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::ast::{Command, Join, Redirect, Step};
use crate::effect::{Access, Cause, Effect, Written};
use crate::known::{Known, Scratch, Stdin, Value};
use crate::pattern::Matching;
use crate::policy::{Context, Located, Policy, Zone};
use crate::settings::GuardSettings;
use crate::syntax::{self, Unparsed};
use crate::unknown::{ANSWER, HOLE, is_unknown};

use flow::{common_prefix, is_plain, is_test, join_output, merged_env};

pub(crate) use effects::MAX_EFFECTS;
pub(crate) use output::without_final_newlines;

/// The most steps of one judgement. A usual command takes fewer than a hundred.
pub const MAX_STEPS: usize = 20_000;
/// How deep scripts, functions and wrappers may call each other.
const MAX_CALLS: usize = 32;
/// The most words of a `for` loop that are tried one by one.
const MAX_ROUNDS: usize = 24;

/// The state of the shell that a subshell gets a copy of.
#[derive(Debug, Clone)]
pub(super) struct Env {
    pub(super) variables: BTreeMap<String, Value>,
    pub(super) cwd: String,
    /// The directory to which `cd -` goes back; `None` if the command has not changed it.
    pub(super) previous: Option<String>,
    /// The stack of `pushd`.
    pub(super) directories: Vec<String>,
    pub(super) functions: BTreeMap<String, Rc<Command>>,
    pub(super) aliases: BTreeMap<String, String>,
    /// The positional parameters; `None` if the command has not set them.
    pub(super) positional: Option<Vec<String>>,
    /// The value of `$_`.
    pub(super) last_operand: String,
    /// Whether a redirection without a command prints, as in zsh.
    pub(super) null_command: bool,
}

/// The abstract shell.
pub(crate) struct Shell<'a> {
    pub(super) policy: &'a Policy<'a>,
    pub(super) context: &'a Context<'a>,
    pub(super) settings: &'a GuardSettings,
    pub(super) env: Env,
    pub(super) effects: Vec<Effect>,
    pub(super) scratch: BTreeMap<String, Scratch>,
    /// The output of process substitutions, by the paths that stand for them.
    pub(super) pipes: BTreeMap<String, String>,
    /// Whether the last output is text that the command itself states or selects.
    pub(super) authored: bool,
    /// The protected file that was printed with a change, and the change.
    pub(super) edited: Option<(Located, Written)>,
    /// The pattern of the first search of a protected file.
    pub(super) searched: Option<Matching>,
    /// The number of the script's command that is being run, if it is a plain one.
    step_number: Option<usize>,
    /// Why a part of the script could not be followed, if so.
    pub(super) broken: Option<Unparsed>,
    called: BTreeSet<String>,
    steps: usize,
    calls: usize,
}

impl<'a> Shell<'a> {
    /// A shell in its initial state.
    pub(crate) fn new(
        policy: &'a Policy<'a>,
        context: &'a Context<'a>,
        settings: &'a GuardSettings,
    ) -> Self {
        Self {
            policy,
            context,
            settings,
            env: Env {
                variables: BTreeMap::new(),
                cwd: context.cwd.clone(),
                previous: None,
                directories: Vec::new(),
                functions: BTreeMap::new(),
                aliases: BTreeMap::new(),
                positional: None,
                last_operand: String::new(),
                null_command: false,
            },
            effects: Vec::new(),
            scratch: BTreeMap::new(),
            pipes: BTreeMap::new(),
            authored: false,
            edited: None,
            searched: None,
            step_number: None,
            broken: None,
            called: BTreeSet::new(),
            steps: 0,
            calls: 0,
        }
    }

    /// The state that the judgement of a program needs.
    pub(crate) fn known(&self) -> Known<'_> {
        Known {
            policy: self.policy,
            settings: self.settings,
            cwd: &self.env.cwd,
            variables: &self.env.variables,
            scratch: &self.scratch,
            pipes: &self.pipes,
        }
    }

    /// Runs a whole script, and then each function that it never calls.
    pub(crate) fn judge(&mut self, script: &Command) {
        let printed = match script {
            Command::Sequence(steps) => self.sequence(steps, &Stdin::Inherited, true),
            other => self.run(other, &Stdin::Inherited),
        };
        self.shows(&printed);
        let uncalled: Vec<_> = self
            .env
            .functions
            .iter()
            .filter(|(name, _)| !self.called.contains(*name))
            .map(|(_, body)| Rc::clone(body))
            .collect();
        for body in uncalled {
            let printed = self.in_subshell(|shell| {
                shell.env.positional = None;
                shell.run(&body, &Stdin::Inherited)
            });
            self.shows(&printed);
        }
    }

    /// The number of steps taken.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Adds `cost` to the steps taken; returns whether they are still within the limit.
    pub(super) fn step(&mut self, cost: usize) -> bool {
        self.steps += cost.max(1);
        if self.steps > MAX_STEPS {
            self.broken.get_or_insert(Unparsed::TooMuch);
        }
        self.steps <= MAX_STEPS
    }

    /// Runs `what` one level deeper, unless that is too deep.
    pub(super) fn call(&mut self, what: impl FnOnce(&mut Self) -> String) -> String {
        if self.calls >= MAX_CALLS {
            self.broken.get_or_insert(Unparsed::TooMuch);
            return HOLE.to_string();
        }
        self.calls += 1;
        let out = what(self);
        self.calls -= 1;
        out
    }

    /// Runs `what` in a subshell, whose changes to the state are dropped.
    pub(super) fn in_subshell<T>(&mut self, what: impl FnOnce(&mut Self) -> T) -> T {
        let cost = 1 + self.env.variables.len();
        self.step(cost);
        let saved = self.env.clone();
        let out = what(self);
        // Functions of a subshell are kept, so that uncalled ones are judged too.
        let functions = std::mem::replace(&mut self.env, saved).functions;
        for (name, body) in functions {
            self.env.functions.entry(name).or_insert(body);
        }
        out
    }

    /// Runs a script given as text, in this shell.
    pub(super) fn script(&mut self, script: &str, stdin: &Stdin) -> String {
        if !self.step(8 + script.len() / 8) {
            return String::new();
        }
        self.parsed_script(syntax::parse(script), stdin)
    }

    /// Follows a parsed script and notes its effects; of one that could not be parsed it notes so in
    /// `broken`.
    pub(super) fn parsed_script(
        &mut self,
        parsed: Result<Command, Unparsed>,
        stdin: &Stdin,
    ) -> String {
        match parsed {
            Ok(parsed) => self.call(|shell| shell.run(&parsed, stdin)),
            Err(why) => {
                self.broken.get_or_insert(why);
                HOLE.to_string()
            }
        }
    }

    /// Runs a text as a script, or notes that a shell runs an unknown one.
    ///
    /// `answers` is true if the unknown output of a program may be run, as with `eval`.
    pub(super) fn fed_script(&mut self, script: &str, stdin: &Stdin, answers: bool) -> String {
        let text = script.trim();
        if !text.is_empty() && text.chars().all(|c| is_unknown(c) || c.is_whitespace()) {
            let unclear = text.contains(HOLE) || (!answers && text.contains(ANSWER));
            if unclear {
                self.note(Access::Read, None, "a shell", Cause::UnknownScript);
            }
            self.shows(text);
            return ANSWER.to_string();
        }
        self.script(script, stdin)
    }

    /// Runs a command; returns its output, as far as it is known.
    pub(crate) fn run(&mut self, command: &Command, stdin: &Stdin) -> String {
        if !self.step(1) {
            return String::new();
        }
        match command {
            Command::Simple(simple) => self.simple(simple, stdin, false),
            Command::Sequence(commands) => self.sequence(commands, stdin, false),
            Command::Pipeline(stages) => self.pipeline(stages, stdin),
            Command::Background(inner) | Command::Subshell(inner) => {
                self.in_subshell(|shell| shell.run(inner, stdin))
            }
            Command::Redirected(inner, redirects) => self.redirected(inner, redirects, stdin),
            Command::Branches { words, first, arms } => {
                for word in words {
                    self.unsplit(word);
                }
                let mut out = String::new();
                for command in first {
                    out.push_str(&self.run(command, stdin));
                }
                out.push_str(&self.branches(arms, stdin));
                out
            }
            Command::For { variable, words, body } => {
                let items = match words {
                    Some(words) => self.fields(words),
                    None => self.env.positional.clone().unwrap_or_else(|| vec![HOLE.to_string()]),
                };
                self.each(variable, items, body, stdin)
            }
            Command::Function { name, body } => {
                self.env.functions.insert(name.clone(), Rc::clone(body));
                String::new()
            }
            Command::Test(words) => {
                self.authored = true;
                for word in words {
                    let text = self.unsplit(word);
                    self.expand_hidden(&text);
                }
                String::new()
            }
            Command::Arithmetic(word) => {
                self.authored = true;
                let text = self.unsplit(word);
                self.arithmetic(&text);
                String::new()
            }
        }
    }

    fn sequence(&mut self, steps: &[Step], stdin: &Stdin, whole: bool) -> String {
        let mut out = String::new();
        let mut tested = false;
        for (number, step) in steps.iter().enumerate() {
            if whole {
                self.step_number = is_plain(&step.command).then_some(number);
            }
            // The command may not run, so the state afterwards is merged from both cases.
            let optional = match step.join {
                Join::Always => false,
                Join::And => tested,
                Join::Or => true,
            };
            let before = optional.then(|| self.env.clone());
            self.edited = None;
            let printed = self.run(&step.command, stdin);
            join_output(&mut out, printed);
            if let Some(before) = before {
                self.step(1 + before.variables.len());
                self.env = merged_env(Some(before), &self.env);
            }
            tested = is_test(&step.command);
        }
        if whole {
            self.step_number = None;
        }
        out
    }

    fn pipeline(&mut self, stages: &[Command], stdin: &Stdin) -> String {
        let mut input = stdin.clone();
        for (i, stage) in stages.iter().enumerate() {
            self.authored = false;
            let printed = self.in_subshell(|shell| shell.run(stage, &input));
            if i + 1 == stages.len() {
                return printed;
            }
            input = if self.authored { Stdin::Text(printed) } else { Stdin::Program(printed) };
        }
        String::new()
    }

    /// Runs each arm from the same state; whatever then differs between them is unknown.
    fn branches(&mut self, arms: &[Command], stdin: &Stdin) -> String {
        let mut out = String::new();
        let before = self.env.clone();
        let mut after: Option<Env> = None;
        for arm in arms {
            self.env = before.clone();
            self.step(1 + before.variables.len());
            let printed = self.run(arm, stdin);
            join_output(&mut out, printed);
            after = Some(merged_env(after, &self.env));
        }
        if let Some(after) = after {
            // Afterwards, a single arm counts as run.
            self.env = after;
        }
        out
    }

    fn each(
        &mut self,
        variable: &str,
        mut items: Vec<String>,
        body: &Command,
        stdin: &Stdin,
    ) -> String {
        if items.len() > MAX_ROUNDS {
            items = vec![common_prefix(&items)];
        }
        let mut out = String::new();
        let mut after: Option<Env> = None;
        for item in items {
            self.set(variable, Value::Text(item));
            let printed = self.run(body, stdin);
            join_output(&mut out, printed);
            self.step(1 + self.env.variables.len() / 4);
            after = Some(merged_env(after, &self.env));
        }
        // The state after a loop is merged from all its rounds.
        if let Some(after) = after {
            self.env = after;
        }
        out
    }

    fn redirected(&mut self, inner: &Command, redirects: &[Redirect], stdin: &Stdin) -> String {
        let routes = self.routes(redirects, stdin);
        let before = std::mem::take(&mut self.authored);
        let printed = self.run(inner, &routes.stdin);
        let printed = self.deliver(routes, printed);
        self.authored |= before;
        printed
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.env.variables.insert(name.to_owned(), value);
    }

    /// Runs the substitutions in text that bash expands although it came from a variable or a
    /// quoted word: subscripts in arithmetic, `test -v`, `${x@P}`.
    ///
    /// Returns the expanded text.
    pub(super) fn expand_hidden(&mut self, text: &str) -> String {
        if !text.contains("$(") && !text.contains('`') {
            return text.to_owned();
        }
        if let Ok(word) = syntax::parse_text(text) {
            return self.call(|shell| shell.unsplit(&word));
        }
        self.note(Access::Read, None, "a substitution", Cause::UnknownScript);
        HOLE.to_string()
    }

    /// Runs the substitutions in variables that an arithmetic expression names.
    pub(super) fn arithmetic(&mut self, expression: &str) {
        self.expand_hidden(expression);
        let names = expression
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|name| !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()));
        for name in names {
            if let Some(Value::Text(text)) = self.env.variables.get(name).cloned() {
                self.step(1);
                self.expand_hidden(&text);
            }
        }
    }
}
