//! Taking a command apart into reads, labels and the rest.

use super::filter::filters;
use super::reader::{ReaderCall, lines, narrowed};
use super::{Filter, GrepRequest, Lines, Part, Serve, Source, is_pattern};
use crate::ast::{Command, Join, Redirect, RedirectKind, Simple, Step};
use crate::policy::{Context, Policy};
use crate::settings::GuardSettings;
use crate::shell::{Shell, Stdin, quoted};
use crate::syntax;
use crate::unknown::is_known;

/// More parts than this are a script, not a look at some files.
const MAX_PARTS: usize = 48;
/// How many words of a loop are tried.
const MAX_ROUNDS: usize = 24;

/// Builtins that print nothing and that nobody needs to run alone.
const SILENT: [&str; 17] = [
    "cd", "pushd", "popd", "true", ":", "exit", "set", "export", "declare", "local", "unset",
    "shopt", "umask", "test", "[", "return", "false",
];

/// What can be done instead of a script; `None` if none of its reads can be expressed.
pub(crate) fn plan(
    script: &str,
    parsed: &Command,
    context: &Context,
    settings: &GuardSettings,
    policy: &Policy,
) -> Option<Serve> {
    let shell = Shell::new(policy, context, settings);
    let mut planner = Planner { shell, policy, script, parts: Vec::new() };
    planner.command(parsed, Join::Always, None)?;
    let read = planner.parts.iter().any(|part| matches!(part, Part::Lines(_)));
    (read && planner.parts.len() <= MAX_PARTS).then_some(Serve { parts: planner.parts })
}

struct Planner<'p> {
    shell: Shell<'p>,
    policy: &'p Policy,
    script: &'p str,
    parts: Vec<Part>,
}

impl Planner<'_> {
    fn command(
        &mut self,
        command: &Command,
        join: Join,
        span: Option<(usize, usize)>,
    ) -> Option<()> {
        (self.parts.len() <= MAX_PARTS).then_some(())?;
        match command {
            Command::Sequence(steps) => {
                for Step { join, command, span } in steps {
                    self.command(command, *join, *span)?;
                }
                Some(())
            }
            Command::Simple(simple) => self.simple(command, simple, join, span),
            Command::Pipeline(stages) => match self.pipeline(stages) {
                Some(read) => self.read(read, join, command, span),
                None => self.other(command, span),
            },
            Command::Subshell(inner) => {
                let before = self.shell.env.clone();
                let done = self.command(inner, join, None);
                self.shell.env = before;
                done
            }
            Command::Redirected(inner, redirects) if is_harmless(redirects) => {
                self.command(inner, join, None)
            }
            Command::For { variable, words: Some(words), body } => {
                let items = self.shell.plain_fields(words);
                let known = items.iter().all(|item| is_known(item) && !is_pattern(item));
                if !known || items.len() > MAX_ROUNDS {
                    return self.other(command, span);
                }
                for item in items {
                    self.shell.set(variable, crate::shell::Value::Text(item));
                    self.command(body, Join::Always, None)?;
                }
                Some(())
            }
            // `if [ -f f ]; then cat f; fi`
            Command::Branches { words, first, arms }
                if words.is_empty() && arms.len() == 1 && first.iter().all(is_test) =>
            {
                self.command(&arms[0], join, None)
            }
            // What follows a test is shown as if it held; a file that is not there shows nothing.
            Command::Test(_) => Some(()),
            _ => self.other(command, span),
        }
    }

    fn simple(
        &mut self,
        command: &Command,
        simple: &Simple,
        join: Join,
        span: Option<(usize, usize)>,
    ) -> Option<()> {
        if simple.words.is_empty() {
            return if simple.redirects.is_empty() {
                self.quietly(command);
                Some(())
            } else {
                self.other(command, span)
            };
        }
        let words = self.shell.plain_fields(&simple.words);
        let name = words.first().map_or("", |name| base_name(name));
        if SILENT.contains(&name) && is_harmless(&simple.redirects) {
            self.quietly(command);
            return Some(());
        }
        if matches!(name, "echo" | "printf") && is_harmless(&simple.redirects) {
            let printed = self.shell.run(command, &Stdin::Inherited);
            if is_known(&printed) {
                let text = printed.trim_end_matches('\n').to_owned();
                self.parts.push(Part::Label { text, if_empty: join == Join::Or });
                return Some(());
            }
            return self.other(command, span);
        }
        match self.stage(simple, &words) {
            Some(read) => self.read(read, join, command, span),
            None => self.other(command, span),
        }
    }

    /// Adds lines, unless they are only printed where something else failed.
    fn read(
        &mut self,
        read: Lines,
        join: Join,
        command: &Command,
        span: Option<(usize, usize)>,
    ) -> Option<()> {
        if join == Join::Or {
            return self.other(command, span);
        }
        self.parts.push(Part::Lines(read));
        Some(())
    }

    /// The lines of a simple command that reads files.
    fn stage(&mut self, simple: &Simple, words: &[String]) -> Option<Lines> {
        let stdin = self.input(&simple.redirects)?;
        let mut words = words;
        while words.first().is_some_and(|word| matches!(word.as_str(), "command" | "time")) {
            words = &words[1..];
        }
        let (first, mut operands) = words.split_first()?;
        let mut name = base_name(first);
        let pager: Vec<String>;
        if name == "git" {
            pager = operands.iter().filter(|word| *word != "--no-pager").cloned().collect();
            let (verb, rest) = pager.split_first()?;
            (verb == "grep").then_some(())?;
            (name, operands) = ("git grep", rest);
        }
        (words.iter().all(|word| is_known(word))).then_some(())?;
        let (shell, policy) = (&self.shell, self.policy);
        lines(&ReaderCall { name, operands, stdin: &stdin, shell, policy })
    }

    /// The lines of a pipe whose first program reads files and whose others choose among lines.
    fn pipeline(&mut self, stages: &[Command]) -> Option<Lines> {
        let (first, rest) = stages.split_first()?;
        let Command::Simple(simple) = first else { return None };
        let words = self.shell.plain_fields(&simple.words);
        let (mut read, rest) = match self.stage(simple, &words) {
            Some(read) => (read, rest),
            None => self.found(&words, rest)?,
        };
        for stage in rest {
            let Command::Simple(simple) = stage else { return None };
            (is_harmless(&simple.redirects) && simple.assignments.is_empty()).then_some(())?;
            let words = self.shell.plain_fields(&simple.words);
            let (name, operands) = words.split_first()?;
            words.iter().all(|word| is_known(word)).then_some(())?;
            for filter in filters(base_name(name), operands)? {
                read = filtered(read, filter);
            }
        }
        Some(read)
    }

    /// `find DIR -name GLOB | xargs grep PATTERN` is a search of a tree.
    fn found<'s>(
        &mut self,
        words: &[String],
        rest: &'s [Command],
    ) -> Option<(Lines, &'s [Command])> {
        let (Some("find"), Some((Command::Simple(xargs), rest))) =
            (words.first().map(String::as_str), rest.split_first())
        else {
            return None;
        };
        let mut globs = Vec::new();
        let starts: Vec<&String> =
            words[1..].iter().take_while(|word| !word.starts_with('-')).collect();
        let mut tests = words[1 + starts.len()..].iter();
        while let Some(test) = tests.next() {
            match test.as_str() {
                "-name" => globs.push(tests.next()?.clone()),
                "-type" => {
                    (tests.next()? == "f").then_some(())?;
                }
                "-print" | "-print0" => {}
                _ => return None,
            }
        }
        let words = self.shell.plain_fields(&xargs.words);
        let at = words.iter().position(|word| base_name(word) == "grep")?;
        let plain = |word: &String| matches!(word.as_str(), "xargs" | "-0" | "-r" | "-n1" | "-0r");
        (words[..at].iter().all(plain) && is_harmless(&xargs.redirects)).then_some(())?;
        let mut operands = words[at + 1..].to_vec();
        let start = starts.first().map_or(".", |start| start.as_str());
        operands.extend(["-r".to_owned(), start.to_owned()]);
        let (shell, policy, stdin) = (&self.shell, self.policy, &Stdin::Inherited);
        let call = ReaderCall { name: "grep", operands: &operands, stdin, shell, policy };
        let mut read = lines(&call)?;
        if let Source::Grep(request) = &mut read.source {
            request.globs.extend(globs);
        }
        Some((read, rest))
    }

    /// Standard input of a reader; `None` if a redirection does more than feeding it.
    fn input(&mut self, redirects: &[Redirect]) -> Option<Stdin> {
        let mut stdin = Stdin::Inherited;
        for redirect in redirects {
            match &redirect.kind {
                RedirectKind::Input(word) if redirect.descriptor.is_none_or(|fd| fd == 0) => {
                    let fields = self.shell.plain_fields(std::slice::from_ref(word));
                    stdin = Stdin::File(fields.first()?.clone());
                }
                _ => is_harmless(std::slice::from_ref(redirect)).then_some(())?,
            }
        }
        Some(stdin)
    }

    /// A command that is none of ours: it can be run alone, or it is a read that is left out.
    fn other(&mut self, command: &Command, span: Option<(usize, usize)>) -> Option<()> {
        let reads = self.reads();
        let printed = self.shell.run(command, &Stdin::Inherited);
        self.shell.shows(&printed);
        let source = match span {
            Some(span) => syntax::source(self.script, span)?,
            None => self.spelled(command)?,
        };
        self.parts.push(if self.reads() > reads {
            Part::Skipped(source)
        } else {
            Part::Alone(source)
        });
        Some(())
    }

    /// Runs a command that prints nothing.
    fn quietly(&mut self, command: &Command) {
        self.shell.run(command, &Stdin::Inherited);
    }

    /// How many files of the workspace have been touched.
    fn reads(&self) -> usize {
        self.shell.effects.iter().filter(|effect| effect.is_protected()).count()
    }

    /// A command of a loop with its variables filled in.
    fn spelled(&mut self, command: &Command) -> Option<String> {
        let Command::Simple(simple) = command else { return None };
        let words = self.shell.plain_fields(&simple.words);
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+%@".contains(c);
        let spelled = words.iter().map(|word| {
            if !word.is_empty() && word.chars().all(plain) { word.clone() } else { quoted(word) }
        });
        words.iter().all(|word| is_known(word)).then(|| spelled.collect::<Vec<_>>().join(" "))
    }
}

/// Lines with one more filter, which becomes part of the read where it can.
fn filtered(mut read: Lines, filter: Filter) -> Lines {
    if !read.filters.is_empty() {
        read.filters.push(filter);
        return read;
    }
    let single = match &read.source {
        Source::Read(files) => match files.as_slice() {
            [file] if !is_pattern(&file.path) => Some(file.clone()),
            _ => None,
        },
        // What is dumped is not worth a choice of lines.
        Source::Dump(_) => return read,
        Source::Grep(_) => None,
    };
    let whole = single.as_ref().is_some_and(|file| file.offset.is_none() && file.limit.is_none());
    match (single, filter) {
        (Some(file), Filter::Match { pattern, literal, case_sensitive, keep }) if whole => {
            let request = GrepRequest {
                pattern,
                paths: vec![file.path],
                literal,
                case_sensitive,
                invert: !keep,
                ..GrepRequest::default()
            };
            read.source = Source::Grep(request);
        }
        (Some(file), filter) => match narrowed(&file, &filter) {
            Some(files) => read.source = Source::Read(files),
            None => read.filters.push(filter),
        },
        (None, filter) => read.filters.push(filter),
    }
    read
}

/// Whether redirections change nothing about what is printed: errors that are dropped or shown.
fn is_harmless(redirects: &[Redirect]) -> bool {
    redirects.iter().all(|redirect| match &redirect.kind {
        RedirectKind::Output(word) | RedirectKind::Append(word) => {
            let text: String = word
                .iter()
                .filter_map(|atom| match atom {
                    crate::ast::Atom::Char(c, _) => Some(*c),
                    _ => None,
                })
                .collect();
            redirect.descriptor == Some(2) && text == "/dev/null"
        }
        RedirectKind::Duplicate { output, .. } => *output && redirect.descriptor == Some(2),
        _ => false,
    })
}

/// Whether a condition only asks about files or variables.
fn is_test(command: &Command) -> bool {
    match command {
        Command::Test(_) => true,
        Command::Simple(simple) => simple.words.first().is_some_and(|word| {
            let name: String = word
                .iter()
                .filter_map(|atom| match atom {
                    crate::ast::Atom::Char(c, _) => Some(*c),
                    _ => None,
                })
                .collect();
            matches!(name.as_str(), "[" | "test") && simple.redirects.is_empty()
        }),
        Command::Sequence(steps) => steps.iter().all(|step| is_test(&step.command)),
        _ => false,
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
