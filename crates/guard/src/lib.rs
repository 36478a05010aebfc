//! Judging shell commands: does this command, by its own text, print a protected file or write
//! into one?
//!
//! The guard keeps an agent on the protocol: file text is seen through `read` and `grep` and
//! changed through `apply_hash`. It is not a sandbox, and it runs nothing. The pipeline is
//!
//! text → `syntax` → `ast` → `shell` and `program` → `effect` → `policy` → `verdict`
//!
//! `docs/guard.md` is the policy in prose, with what the guard cannot see.

#![forbid(unsafe_code)]

mod ast;
mod code;
mod convert;
mod effect;
mod instead;
mod known;
mod memory;
mod outcome;
mod pattern;
mod plan;
mod policy;
mod powershell;
mod program;
pub mod serve;
mod settings;
mod shell;
mod shown;
mod syntax;
mod unknown;
mod verdict;
mod windows;
mod word;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use convert::OnlyWrites;
use shell::Shell;
use syntax::Unparsed;

pub use convert::Conversion;
pub use effect::Access;
pub use instead::{Advice, Instead, TextChange, Times, ToolCall};
pub use memory::Memory;
use policy::Policy;
pub use policy::{Context, Files};
pub use serve::Serve;
pub use settings::{GuardSettings, Mode, ShellKind, Writes};
pub use shell::MAX_STEPS;
pub use verdict::{Block, Calls, Verdict, Words};
pub use windows::{is_device, is_reserved};

/// Scripts up to this length with few brackets and quotes are judged on the caller's thread;
/// starting a thread would cost more than the judgement.
const MAX_SMALL: usize = 2048;
/// Stack size of the thread that judges all other scripts.
const STACK_SIZE: usize = 256 << 20;

/// Judges a command by itself, without a session.
///
/// ```
/// use hashline_guard::{Context, GuardSettings, Verdict, judge};
/// let context = Context {
///     root: "/home/dev/app".into(),
///     cwd: "/home/dev/app".into(),
///     home: "/home/dev".into(),
///     ..Context::default()
/// };
/// let judged = judge("npm test 2>&1 | tail -5", &context, &GuardSettings::default());
/// assert_eq!(judged, Verdict::Allow);
/// ```
pub fn judge(command: &str, context: &Context<'_>, settings: &GuardSettings) -> Verdict {
    judge_counting(command, context, settings).0
}

/// Judges a command with what the session's earlier commands left in `memory`. If the command is
/// allowed, its scratch files are kept there; if it is blocked, the texts it would have written.
pub fn judge_next(
    command: &str,
    context: &Context<'_>,
    settings: &GuardSettings,
    memory: &mut Memory,
) -> Verdict {
    judge_with(command, context, settings, memory).0
}

/// Whether a program, given by name or path, is a shell.
///
/// ```
/// use hashline_guard::is_shell;
/// assert!(is_shell("/usr/bin/bash") && is_shell("zsh"));
/// assert!(!is_shell("python3"));
/// ```
pub fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    program::is_shell(name.strip_suffix(".exe").unwrap_or(name))
}

/// Judges a command and counts the steps, for tests that limit the work.
pub fn judge_counting(
    command: &str,
    context: &Context<'_>,
    settings: &GuardSettings,
) -> (Verdict, usize) {
    judge_with(command, context, settings, &mut Memory::default())
}

fn judge_with(
    command: &str,
    context: &Context<'_>,
    settings: &GuardSettings,
    memory: &mut Memory,
) -> (Verdict, usize) {
    if settings.mode == Mode::Off {
        return (Verdict::Allow, 0);
    }
    if command.len() > syntax::MAX_LENGTH {
        return (verdict::unparsed(command, Unparsed::TooMuch, context.shell), 0);
    }
    let command = &unknown::cleaned(command);
    let mut run = || {
        catch_unwind(AssertUnwindSafe(|| judge_here(command, context, settings, memory)))
            .unwrap_or_else(|_| (verdict::unparsed(command, Unparsed::Internal, context.shell), 0))
    };
    if is_small(command) {
        return run();
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, run)
            .ok()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_else(|| (verdict::unparsed(command, Unparsed::Internal, context.shell), 0))
    })
}

/// Parses a script in the language of a shell.
fn parse(script: &str, shell: ShellKind) -> Result<ast::Command, Unparsed> {
    match shell {
        ShellKind::Bash => syntax::parse(script),
        ShellKind::PowerShell => powershell::parse(script),
    }
}

/// Whether a script is so small that any stack is deep enough for it.
fn is_small(command: &str) -> bool {
    let opens =
        command.bytes().filter(|byte| matches!(byte, b'(' | b'{' | b'`' | b'\'' | b'"')).count();
    command.len() <= MAX_SMALL && opens <= 64
}

fn judge_here(
    command: &str,
    context: &Context<'_>,
    settings: &GuardSettings,
    memory: &mut Memory,
) -> (Verdict, usize) {
    let policy = Policy::new(context, &settings.allowed_paths);
    let context = &context.for_bash();
    let parsed = match parse(command, context.shell) {
        Ok(parsed) => parsed,
        Err(why) => return (verdict::unparsed(command, why, context.shell), 0),
    };
    let mut shell = Shell::new(&policy, context, settings);
    shell.scratch = memory.scratch();
    shell.judge(&parsed);
    let steps = shell.steps();
    let effects = std::mem::take(&mut shell.effects);
    let searched = shell.searched.take();
    let (broken, scratch) = (shell.broken, std::mem::take(&mut shell.scratch));
    let serve = || plan::plan(command, &parsed, context, settings, &policy);
    let writes = || OnlyWrites::new(command, &parsed, &effects, &policy);
    let copied = || {
        let (reader, target) = command.split_once(">>")?;
        let is_word = |c: char| c.is_alphanumeric() || "/._-~'\" ".contains(c);
        (target.chars().all(is_word) && target.split_whitespace().count() == 1).then_some(())?;
        let parsed = syntax::parse(reader).ok()?;
        plan::plan(reader, &parsed, context, settings, &policy)
    };
    let ways = verdict::Ways { searched, serve: &serve, writes: &writes, copied: &copied };
    if let Some(mut block) = verdict::block(&effects, &policy, &ways, memory) {
        if context.shell == ShellKind::PowerShell {
            block.by = powershell::cmdlet_name(&block.by).to_owned();
        }
        return (Verdict::Block(block), steps);
    }
    if let Some(why) = broken {
        return (verdict::unparsed(command, why, context.shell), steps);
    }
    memory.keep_scratch(scratch);
    (Verdict::Allow, steps)
}
