//! The verdict on a command, and the text that explains it.

use crate::convert::{Conversion, EditedLines, OnlyWrites};
use crate::effect::{Access, Cause, Effect};
use crate::instead::{Advice, Instead, TextChange, ToolCall, without_pattern};
use crate::memory::Memory;
use crate::pattern::{Matching, is_pattern};
use crate::policy::Policy;
use crate::powershell;
use crate::program::table;
use crate::serve::{GrepRequest, ReadPath, Serve};
use crate::settings::ShellKind;
use crate::shown::on_one_line;
use crate::syntax::Unparsed;
use crate::unknown::{is_known, shown};

/// The guard's verdict on a command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one is made at a time")]
pub enum Verdict {
    /// The command may run.
    Allow,
    /// The command reads or writes protected text.
    Block(Block),
}

/// How a caller (extension, program or hook) names our tools.
pub trait Words {
    /// The hint: what to do instead of a blocked command.
    fn hint(&self, block: &Block) -> String;

    /// The tool that returned the lines that the command would have shown.
    fn tool(&self, block: &Block) -> String;
}

/// Names our tools as calls, as pi and oh-my-pi do.
#[derive(Debug)]
pub struct Calls;

impl Words for Calls {
    fn hint(&self, block: &Block) -> String {
        let instead = &block.instead;
        match instead {
            Instead::Advice(Advice::Simpler) => {
                format!("run {instead}; use read, grep and apply_hash for files")
            }
            _ if block.wants_columns() => {
                format!("use {instead}; `columns` shows a long line from that column on")
            }
            _ => format!("use {instead}"),
        }
    }

    fn tool(&self, block: &Block) -> String {
        block.instead.tool().to_owned()
    }
}

/// Why a command is blocked, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Whether the command reads or writes; one that does both counts as writing.
    pub access: Access,
    /// The files, relative to the workspace if they lie inside; empty if they are not known.
    pub targets: Vec<String>,
    /// The program or construct that touches the files.
    pub by: String,
    /// Why the command is blocked.
    pub(crate) cause: Cause,
    /// What to do instead.
    pub instead: Instead,
    /// The requests that show what the command would have printed, or the lines it would have
    /// changed.
    pub serve: Option<Serve>,
    /// The same change as a patch, if the command writes text that it contains.
    pub convert: Option<Conversion>,
}

impl Block {
    /// Replaces shell patterns in the reads and in the hint by the files that `expand` finds.
    #[must_use]
    pub fn with_files(mut self, expand: impl Fn(&str) -> Vec<String>) -> Self {
        const MAX_FILES: usize = 8;
        if !self.targets.iter().any(|target| is_pattern(target)) {
            return self;
        }
        let files: Vec<String> = self.targets.iter().flat_map(|target| expand(target)).collect();
        self.serve = self.serve.map(|serve| serve.expanded(&expand));
        match (&self.serve, self.access) {
            (Some(serve), Access::Read) if files.len() <= MAX_FILES => {
                if let Some(call) = ToolCall::for_serve(serve) {
                    self.instead = Instead::Call(call);
                }
            }
            _ => {
                if let (Some(file), Instead::Advice(_)) = (files.first(), &self.instead) {
                    let known = |path: &str| if is_pattern(path) { file } else { path }.to_owned();
                    self.instead = self.instead.named(&known);
                }
            }
        }
        self
    }

    /// Fits the changes to the present files: `settle` returns the change that does what the
    /// command would have done, or `None` if there is none.
    #[must_use]
    pub fn settled(mut self, settle: impl Fn(&TextChange) -> Option<TextChange>) -> Self {
        let Some(Conversion { changes, rest }) = self.convert.take() else { return self };
        let settled: Option<Vec<TextChange>> = changes.iter().map(settle).collect();
        let Some(changes) = settled else {
            if let Instead::Call(_) = self.instead {
                self.instead = Instead::Advice(Advice::Write(self.targets.first().cloned()));
            }
            return self;
        };
        let named = match &self.instead {
            Instead::Call(ToolCall::Apply { changes, .. }) => changes.clone(),
            _ => changes.clone(),
        };
        // A text that memory keeps is given by its name.
        let spelled =
            changes.iter().zip(named).map(|(change, named)| change.clone().with_text_of(named));
        let call = ToolCall::Apply { changes: spelled.collect(), rest: rest.clone() };
        self.instead = Instead::Call(call);
        self.serve = None;
        self.convert = Some(Conversion { changes, rest });
        self
    }

    /// One or two lines for the model: why, and what to do instead, as calls of the tools.
    pub fn reason(&self) -> String {
        self.reason_in(&Calls)
    }

    /// Like [`Block::reason`], with the tools named as a caller names them.
    pub fn reason_in(&self, words: &dyn Words) -> String {
        format!("{}\nhint: {}", self.fact(), words.hint(self))
    }

    /// Whether the command wanted only a part of each line.
    pub fn wants_columns(&self) -> bool {
        match &self.serve {
            Some(serve) => serve.lines().any(|lines| lines.cut),
            None => self.by == "cut" && self.access == Access::Read,
        }
    }

    /// One line for the model: why the command is blocked.
    pub fn fact(&self) -> String {
        let what = match self.targets.as_slice() {
            [] => "files of the workspace".to_owned(),
            [one] => format!("`{}`", on_one_line(one)),
            [one, others @ ..] => format!("`{}` and {} more", on_one_line(one), others.len()),
        };
        let by = on_one_line(&shown(&self.by));
        match (self.cause, self.access) {
            (Cause::Unparsed(why), _) => {
                let what = match why {
                    Unparsed::TooMuch => {
                        "this command is too long or too deeply nested to be checked"
                    }
                    Unparsed::Malformed => "this command could not be parsed as bash",
                    Unparsed::Internal => "this command could not be checked",
                };
                format!("{what}, and it names programs or redirections that touch file text")
            }
            (Cause::UnknownName, _) => {
                "the name of this command is computed, so what it touches is not known".to_owned()
            }
            (Cause::UnknownScript, _) => {
                "a shell is given text that the command does not show".to_owned()
            }
            (Cause::Laundering, Access::Read) => format!("`{by}` prints a scratch copy of {what}"),
            (Cause::Laundering, Access::Write) => {
                format!("`{by}` moves text made in scratch space into {what}")
            }
            (Cause::Redirect, Access::Write) => format!("a redirection writes {what}"),
            (_, Access::Read) => format!("`{by}` prints {what} without anchors"),
            (_, Access::Write) => format!("`{by}` writes {what} past the anchors"),
        }
    }
}

/// Ways to answer a blocked command; each is worked out only if it is needed.
pub(crate) struct Ways<'w> {
    /// The pattern that the command searches for.
    pub(crate) searched: Option<Matching>,
    /// The lines that the command would have printed.
    pub(crate) serve: &'w dyn Fn() -> Option<Serve>,
    /// The command's writes, if it does nothing else to protected files.
    pub(crate) writes: &'w dyn Fn() -> Option<OnlyWrites<'w>>,
    /// The lines that the command appends to another file, if it does nothing else.
    pub(crate) copied: &'w dyn Fn() -> Option<Serve>,
}

/// The block for a command with these effects; `None` if none is on protected text.
pub(crate) fn block(
    effects: &[Effect],
    policy: &Policy<'_>,
    ways: &Ways<'_>,
    memory: &mut Memory,
) -> Option<Block> {
    let protected: Vec<&Effect> = effects.iter().filter(|effect| effect.is_protected()).collect();
    let access = protected.iter().map(|effect| effect.access).max()?;
    let deciding: Vec<&Effect> =
        protected.into_iter().filter(|effect| effect.access == access).collect();
    let mut targets: Vec<String> = Vec::new();
    for effect in &deciding {
        let path = effect.target.as_ref().map(|located| &located.path);
        if let Some(path) = path.filter(|path| is_known(path)) {
            let target = policy.relative(path);
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    let first = deciding.first()?;
    let mut block = Block {
        access,
        targets,
        by: first.by.clone(),
        cause: first.cause,
        instead: Instead::Advice(Advice::Read),
        serve: None,
        convert: None,
    };
    block.instead = match access {
        Access::Read => {
            block.serve = (ways.serve)();
            match (block.serve.as_ref().and_then(ToolCall::for_serve), &ways.searched) {
                (Some(call), _) => Instead::Call(call),
                (None, Some(matching)) if first.cause == Cause::Search => {
                    Instead::Call(search_call(matching, &block.targets))
                }
                (None, _) => read_call(&block.targets),
            }
        }
        Access::Write => {
            let writes = (ways.writes)();
            block.convert = writes.as_ref().and_then(OnlyWrites::conversion);
            let certain = |made: &&Conversion| made.changes.iter().all(TextChange::is_certain);
            match (&block.convert, writes) {
                (Some(made), _) if certain(&made) => Instead::Call(conversion_call(made, memory)),
                (made, writes) => match (writes.and_then(OnlyWrites::edited), made) {
                    (Some(EditedLines { serve, ops }), _) => {
                        block.serve = Some(serve);
                        Instead::Advice(Advice::EditLines(ops))
                    }
                    (None, Some(made)) => Instead::Call(conversion_call(made, memory)),
                    (None, None) => {
                        let to = block.targets.first().cloned();
                        let copied = (ways.copied)();
                        match (copied.as_ref().and_then(Serve::only_file), to) {
                            (Some(path), Some(to)) => {
                                block.serve = copied;
                                Instead::Advice(Advice::CopyLines { path, to })
                            }
                            (_, to) => Instead::Advice(Advice::Write(to)),
                        }
                    }
                },
            }
        }
    };
    Some(block)
}

/// The verdict on a script that cannot be parsed. Bash may run a part of it before it stops, so the
/// script is blocked if it names programs that read or write files.
pub(crate) fn unparsed(command: &str, why: Unparsed, shell: ShellKind) -> Verdict {
    let named = command
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .filter(|word| !word.is_empty())
        .filter_map(|word| match shell {
            ShellKind::Bash => table::touches_text(word),
            ShellKind::PowerShell => {
                powershell::touches_text(word).or_else(|| table::touches_text(word))
            }
        })
        .max();
    let redirected = if redirects_output(command) {
        Some(Access::Write)
    } else {
        command.contains(['<', '>']).then_some(Access::Read)
    };
    let Some(access) = named.max(redirected) else {
        return Verdict::Allow;
    };
    Verdict::Block(Block {
        access,
        targets: Vec::new(),
        by: String::new(),
        cause: Cause::Unparsed(why),
        instead: Instead::Advice(Advice::Simpler),
        serve: None,
        convert: None,
    })
}

/// Whether a `>` redirects to anything but a descriptor or a device.
fn redirects_output(command: &str) -> bool {
    command.split('>').skip(1).any(|after| {
        let target = after.trim_start_matches('|').trim_start();
        !target.is_empty() && !target.starts_with(['&', '(']) && !target.starts_with("/dev/")
    })
}

fn read_call(targets: &[String]) -> Instead {
    if targets.is_empty() {
        return Instead::Advice(Advice::Read);
    }
    let file = |path| ReadPath { path, ..ReadPath::default() };
    let files = first_files(targets).into_iter().map(file).collect();
    Instead::Call(ToolCall::Read { files, bare: true })
}

fn search_call(matching: &Matching, targets: &[String]) -> ToolCall {
    let request = GrepRequest {
        pattern: matching.text.clone(),
        literal: matching.literal,
        case_sensitive: !matching.any_case,
        paths: first_files(targets),
        ..GrepRequest::default()
    };
    ToolCall::Grep { request, limit: None, bare: true }
}

/// The first few different files; a shell pattern is replaced by its directory.
fn first_files(targets: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for path in targets.iter().take(8).map(|path| without_pattern(path)) {
        if !out.contains(&path) {
            out.push(path);
        }
    }
    out
}

/// The call that makes a command's changes; a long text is kept in memory and given by name.
fn conversion_call(conversion: &Conversion, memory: &mut Memory) -> ToolCall {
    const SHORT: usize = 120;
    let mut changes = conversion.changes.clone();
    for change in &mut changes {
        if let TextChange::Whole { text, .. } | TextChange::Append { text, .. } = change
            && text.len() > SHORT
        {
            *text = memory.keep(text);
        }
    }
    ToolCall::Apply { changes, rest: conversion.rest.clone() }
}
