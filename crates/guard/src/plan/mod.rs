//! Taking a command apart into reads, labels and the rest.

mod found;
mod touched;

use crate::ast::{Command, Join, Redirect, RedirectKind, Simple, Step};
use crate::known::{Stdin, Value};
use crate::outcome::{Action, Surroundings};
use crate::pattern::is_pattern;
use crate::policy::{Context, Policy};
use crate::program;
use crate::program::Call;
use crate::program::args::Parsed;
use crate::program::change::change;
use crate::program::reader;
use crate::program::reader::{output_pipe, spelled};
use crate::serve::pipe::{Pipe, Stage};
use crate::serve::{Lines, Part, Serve, Source};
use crate::settings::GuardSettings;
use crate::shell::Shell;
use crate::shown::clipped;
use crate::syntax;
use crate::unknown::is_known;
use crate::word::{base_name, has_word, known_part, name_of, quoted};

use touched::{Touched, whole_file};

/// The most parts; a command with more is a script, not a way to see some files.
const MAX_PARTS: usize = 48;
/// The most words of a loop that are tried.
const MAX_ROUNDS: usize = 24;

/// Builtins that print nothing, so that running them alone is useless.
const SILENT: [&str; 17] = [
    "cd", "pushd", "popd", "true", ":", "exit", "set", "export", "declare", "local", "unset",
    "shopt", "umask", "test", "[", "return", "false",
];

/// The requests to run instead of a script; `None` if none of its reads can be expressed.
pub(crate) fn plan(
    script: &str,
    parsed: &Command,
    context: &Context<'_>,
    settings: &GuardSettings,
    policy: &Policy<'_>,
) -> Option<Serve> {
    let shell = Shell::new(policy, context, settings);
    let mut planner = Planner { shell, policy, script: script.to_owned(), parts: Vec::new() };
    planner.command(parsed, Join::Always, None)?;
    let read = planner.parts.iter().any(|part| matches!(part, Part::Lines(_)));
    (read && planner.parts.len() <= MAX_PARTS).then_some(Serve { parts: planner.parts })
}

/// Takes a script apart, following it in a shell of its own.
pub(super) struct Planner<'p> {
    pub(super) shell: Shell<'p>,
    pub(super) policy: &'p Policy<'p>,
    /// The script that the spans of commands refer to.
    script: String,
    pub(super) parts: Vec<Part>,
}

/// A command inside a wrapper or a shell.
enum Inner {
    Words(Vec<String>),
    Script(String),
}

impl Planner<'_> {
    pub(super) fn command(
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
                Some(read) => self.add_read(read, join, command, span),
                None => self.add_other(command, span),
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
                let items = self.shell.fields(words);
                if items.len() > MAX_ROUNDS || !items.iter().all(|item| is_known(item)) {
                    return self.add_other(command, span);
                }
                let before = self.parts.len();
                for item in items {
                    let first = self.parts.len();
                    self.shell.set(variable, Value::Text(item.clone()));
                    self.command(body, Join::Always, None)?;
                    if is_pattern(&item) && !self.is_one_read(first, &item) {
                        self.parts.truncate(before);
                        return self.add_other(command, span);
                    }
                }
                Some(())
            }
            // `if [ -f f ]; then cat f; fi`
            Command::Branches { words, first, arms }
                if words.is_empty() && arms.len() == 1 && first.iter().all(is_test) =>
            {
                self.command(&arms[0], join, None)
            }
            // A test counts as true; reading a missing file shows nothing anyway.
            Command::Test(_) => Some(()),
            _ => self.add_other(command, span),
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
                self.run_silent(command);
                Some(())
            } else {
                self.add_other(command, span)
            };
        }
        let words = self.shell.fields(&simple.words);
        let name = words.first().map_or("", |name| base_name(name));
        if SILENT.contains(&name) && is_harmless(&simple.redirects) {
            self.run_silent(command);
            return Some(());
        }
        if matches!(name, "echo" | "printf") && is_harmless(&simple.redirects) {
            let printed = self.shell.run(command, &Stdin::Inherited);
            if is_known(&printed) {
                let text = printed.trim_end_matches('\n').to_owned();
                self.parts.push(Part::Label { text, if_empty: join == Join::Or });
                return Some(());
            }
            return self.add_other(command, span);
        }
        let read = self.stage(simple, &words).or_else(|| {
            // `find DIR -name GLOB -exec grep PATTERN {} +`
            self.exec_found(&words).filter(|_| is_harmless(&simple.redirects))
        });
        match read {
            Some(read) => self.add_read(read.into_lines(), join, command, span),
            None => match self.script_inside(simple, words) {
                Some(script) => self.nested(&script, join),
                None => self.add_other(command, span),
            },
        }
    }

    /// Adds lines; those after `||` are only printed if the read before printed nothing.
    fn add_read(
        &mut self,
        mut read: Lines,
        join: Join,
        command: &Command,
        span: Option<(usize, usize)>,
    ) -> Option<()> {
        if !read.not_run.is_empty() && matches!(self.touched(command), Touched::Nothing) {
            // The command prints no text of the files, only a count or a value.
            return self.add_other(command, span);
        }
        if join == Join::Or {
            if !matches!(self.parts.last(), Some(Part::Lines(_))) {
                return self.add_other(command, span);
            }
            read.if_empty = true;
        }
        self.parts.push(Part::Lines(read));
        Some(())
    }

    /// Takes apart a script that is given to a shell.
    fn nested(&mut self, script: &str, join: Join) -> Option<()> {
        let parsed = syntax::parse(script).ok()?;
        let outer = std::mem::replace(&mut self.script, script.to_owned());
        let before = self.shell.env.clone();
        let done = self.command(&parsed, join, None);
        self.shell.env = before;
        self.script = outer;
        done
    }

    /// The script that is given to a shell, also inside wrappers.
    fn script_inside(&mut self, simple: &Simple, mut words: Vec<String>) -> Option<String> {
        loop {
            match self.inner(simple, &words)? {
                Inner::Script(script) => return Some(script),
                Inner::Words(inner) if inner.len() < words.len() => words = inner,
                Inner::Words(_) => return None,
            }
        }
    }

    /// The command inside a wrapper or a shell.
    fn inner(&mut self, simple: &Simple, words: &[String]) -> Option<Inner> {
        words.iter().all(|word| is_known(word)).then_some(())?;
        let stdin = self.input(&simple.redirects)?;
        let (name, operands) = words.split_first()?;
        let base = base_name(name);
        match base {
            "command" | "builtin" | "exec" => return Some(Inner::Words(operands.to_vec())),
            "eval" => return Some(Inner::Script(operands.join(" "))),
            // `watch` runs its command again and again, without end.
            "watch" => return None,
            _ => {}
        }
        // Inline code holds no command of the shell, and scanning it is slow.
        (!program::is_interpreter(base)).then_some(())?;
        let outcome = program::outcome(base, name, operands, &stdin, self.shell.known())?;
        let [action] = <[Action; 1]>::try_from(outcome.actions).ok()?;
        let usual = |place: &Surroundings| {
            place.cwd.is_none() && place.positional.as_ref().is_none_or(Vec::is_empty)
        };
        match action {
            Action::Run(words, place) if usual(&place) => Some(Inner::Words(words)),
            Action::Script(text, place) if usual(&place) && is_known(&text) => {
                Some(Inner::Script(text))
            }
            _ => None,
        }
    }

    /// The lines of a simple command that reads files, also inside wrappers.
    fn stage(&mut self, simple: &Simple, words: &[String]) -> Option<Pipe> {
        let stdin = self.input(&simple.redirects)?;
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
        let known = self.shell.known();
        let parsed = Parsed::default();
        let call = Call { name, words: operands, parsed, stdin: &stdin, known };
        if let Some(read) = output_pipe(&call) {
            return Some(read);
        }
        if let Some(change) = change(name, operands) {
            let printed = self.shell.invoke(words, &stdin);
            let files = self.printed_files(&printed)?;
            let spelled = spelled(words.iter().map(String::as_str));
            let read = Pipe::new(Lines::new(Source::Read(files)));
            return Some(read.then(vec![Stage::Change(change)], &spelled));
        }
        match self.inner(simple, words) {
            Some(Inner::Words(inner)) if inner.len() < words.len() => self.stage(simple, &inner),
            _ => None,
        }
    }

    /// The lines of a pipe whose first command reads files.
    fn pipeline(&mut self, stages: &[Command]) -> Option<Lines> {
        let (first, rest) = stages.split_first()?;
        let (mut read, rest) = match self.source(first) {
            Some(read) => (read, rest),
            None => self.found(first, rest)?,
        };
        for stage in rest {
            let Command::Simple(simple) = stage else { return None };
            (is_harmless(&simple.redirects) && simple.assignments.is_empty()).then_some(())?;
            let words = self.shell.fields(&simple.words);
            let (name, operands) = words.split_first()?;
            words.iter().all(|word| is_known(word)).then_some(())?;
            let spelled = spelled(words.iter().map(String::as_str));
            read = read.then(reader::stages(base_name(name), operands)?, &spelled);
        }
        Some(read.into_lines())
    }

    /// The lines that the first command of a pipe prints.
    fn source(&mut self, first: &Command) -> Option<Pipe> {
        if let Command::Simple(simple) = first {
            let words = self.shell.fields(&simple.words);
            if let Some(read) = self.stage(simple, &words) {
                return Some(read);
            }
        }
        // `{ cat a; cat b; } | grep x`, `bash -c 'cat a' | head`
        let outer = std::mem::take(&mut self.parts);
        let done = self.command(first, Join::Always, None);
        let parts = std::mem::replace(&mut self.parts, outer);
        done?;
        let mut files = Vec::new();
        for part in &parts {
            match part {
                Part::Lines(lines) if parts.len() == 1 => return Some(Pipe::new(lines.clone())),
                Part::Lines(Lines { source: Source::Read(read), filters, not_run, .. })
                    if filters.is_empty() && not_run.is_empty() =>
                {
                    files.extend(read.iter().cloned());
                }
                _ => return None,
            }
        }
        (!files.is_empty()).then(|| Pipe::new(Lines::new(Source::Read(files))))
    }

    /// The standard input of a reader; `None` if a redirection does anything else.
    fn input(&mut self, redirects: &[Redirect]) -> Option<Stdin> {
        let mut stdin = Stdin::Inherited;
        for redirect in redirects {
            match &redirect.kind {
                RedirectKind::Input(word) if redirect.descriptor.is_none_or(|fd| fd == 0) => {
                    let fields = self.shell.fields(std::slice::from_ref(word));
                    stdin = Stdin::File(fields.first()?.clone());
                }
                RedirectKind::Text(word) => stdin = Stdin::Text(self.shell.unsplit(word.get()?)),
                _ => is_harmless(std::slice::from_ref(redirect)).then_some(())?,
            }
        }
        Some(stdin)
    }

    /// Adds a command that is no known read: it can be run alone, or the files that it prints are
    /// shown whole, or it is left out.
    fn add_other(&mut self, command: &Command, span: Option<(usize, usize)>) -> Option<()> {
        let touched = self.touched(command);
        let source = match span {
            Some((start, end)) => self.script.get(start..end).map(str::to_owned),
            None => self.spelled(command),
        };
        self.parts.push(match touched {
            Touched::Nothing => Part::Alone(source?),
            Touched::Files(files) if !never_ends(command) => {
                let name = source.as_deref().unwrap_or("the rest of it");
                let files = files.into_iter().map(whole_file).collect();
                let not_run = vec![clipped(name, 60)];
                Part::Lines(Lines { not_run, ..Lines::new(Source::Read(files)) })
            }
            Touched::Files(_) | Touched::More => Part::Skipped(source?),
        });
        Some(())
    }

    /// Whether a loop's body, run with a shell pattern, is one read; it then reads all the files.
    /// Drops labels that hold the pattern, because the read names each file.
    fn is_one_read(&mut self, first: usize, pattern: &str) -> bool {
        let mut round = self.parts.split_off(first);
        round.retain(|part| !matches!(part, Part::Label { text, .. } if text.contains(pattern)));
        let reads = round.iter().filter(|part| matches!(part, Part::Lines(_))).count();
        let plain = |part: &Part| matches!(part, Part::Lines(_) | Part::Label { .. });
        let one = reads == 1 && round.iter().all(plain);
        self.parts.append(&mut round);
        one
    }

    /// Runs a command that prints nothing.
    fn run_silent(&mut self, command: &Command) {
        self.shell.run(command, &Stdin::Inherited);
    }

    /// The text of a loop's command with its variables expanded.
    fn spelled(&mut self, command: &Command) -> Option<String> {
        let Command::Simple(simple) = command else { return None };
        let words = self.shell.fields(&simple.words);
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+%@".contains(c);
        let spelled = words.iter().map(|word| {
            if !word.is_empty() && word.chars().all(plain) { word.clone() } else { quoted(word) }
        });
        words.iter().all(|word| is_known(word)).then(|| spelled.collect::<Vec<_>>().join(" "))
    }
}

/// Whether a command runs until it is stopped.
fn never_ends(command: &Command) -> bool {
    let Command::Simple(simple) = command else { return false };
    let follows = |word: &String| {
        word.starts_with("--follow") || (word.starts_with('-') && word.contains(['f', 'F']))
    };
    match base_name(&name_of(simple)) {
        "tail" => simple.words.iter().map(known_part).any(|word| follows(&word)),
        name => name == "watch",
    }
}

/// Whether redirections only drop errors or print them.
pub(super) fn is_harmless(redirects: &[Redirect]) -> bool {
    redirects.iter().all(|redirect| match &redirect.kind {
        RedirectKind::Output(word) | RedirectKind::Append(word) => {
            redirect.descriptor == Some(2) && known_part(word) == "/dev/null"
        }
        RedirectKind::Duplicate { output, .. } => *output && redirect.descriptor == Some(2),
        _ => false,
    })
}

/// Whether a condition only tests files or variables.
fn is_test(command: &Command) -> bool {
    match command {
        Command::Test(_) => true,
        Command::Simple(simple) => {
            has_word("[ test", &name_of(simple)) && simple.redirects.is_empty()
        }
        Command::Sequence(steps) => steps.iter().all(|step| is_test(&step.command)),
        _ => false,
    }
}
