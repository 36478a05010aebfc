//! What we think of a command, and what we say about it.

use std::borrow::Cow;

use crate::convert::{Conversion, TextChange};
use crate::effect::{Access, Cause, Effect};
use crate::memory::Memory;
use crate::pattern::{Matching, is_pattern};
use crate::plan::EditedLines;
use crate::policy::Policy;
use crate::program::table;
use crate::serve::{EditOp, Lines, Serve, without_pattern};
use crate::shown::{json, on_one_line, short};
use crate::syntax::Unparsed;
use crate::unknown::{is_known, shown};

/// The answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing to say.
    Allow,
    /// It reads or writes protected text.
    Block(Block),
}

/// Why a command is blocked, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Reading or writing; a command that does both counts as writing.
    pub access: Access,
    /// The files, as a caller in the workspace would write them; empty where they are not known.
    pub targets: Vec<String>,
    /// One or two lines for the model.
    pub reason: String,
    /// The call to make.
    pub instead: String,
    /// The request that gives what the command would have printed, or the lines it would have
    /// changed.
    pub serve: Option<Serve>,
    /// The changes that a command amounts to which writes text of its own.
    pub convert: Option<Conversion>,
}

impl Block {
    /// The block with the files that shell patterns stand for, in its reads and in its hint.
    #[must_use]
    pub fn with_files(mut self, expand: impl Fn(&str) -> Vec<String>) -> Self {
        const MOST: usize = 8;
        if !self.targets.iter().any(|target| is_pattern(target)) {
            return self;
        }
        let files: Vec<String> = self.targets.iter().flat_map(|target| expand(target)).collect();
        self.serve = self.serve.map(|serve| serve.expanded(&expand));
        let instead = match (&self.serve, self.access) {
            (Some(serve), Access::Read) if files.len() <= MOST => serve.call(),
            _ => match files.first().filter(|file| !is_pattern(file)) {
                Some(file) => {
                    self.instead.replace(r#""path":"…""#, &format!("\"path\":{}", json(file)))
                }
                None => return self,
            },
        };
        self.reason = self.reason.replace(&self.instead, &instead);
        self.instead = instead;
        self
    }
}

/// What a blocked command can be answered with, found out when it is asked for.
pub(crate) struct Ways<'w> {
    /// What it searches for.
    pub(crate) searched: Option<Matching>,
    /// The lines that it would have printed.
    pub(crate) serve: &'w dyn Fn() -> Option<Serve>,
    /// The changes that it amounts to.
    pub(crate) convert: &'w dyn Fn() -> Option<Conversion>,
    /// The lines that it would have changed.
    pub(crate) edited: &'w dyn Fn() -> Option<EditedLines>,
}

/// The block that effects lead to, if any is on protected text.
pub(crate) fn of(
    effects: &[Effect],
    policy: &Policy,
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
    let (mut serve, mut convert) = (None, None);
    let instead = match access {
        Access::Read => {
            serve = (ways.serve)();
            match &serve {
                Some(serve) => serve.call(),
                None => match &ways.searched {
                    Some(matching) if first.cause == Cause::Search => {
                        search_call(matching, &targets)
                    }
                    _ => read_call(&targets),
                },
            }
        }
        Access::Write => {
            convert = (ways.convert)();
            match &convert {
                Some(conversion) => conversion_call(conversion, memory),
                None => match (ways.edited)() {
                    Some(EditedLines { serve: lines, ops }) => {
                        serve = Some(lines);
                        edit_call(&ops)
                    }
                    None => write_call(&targets),
                },
            }
        }
    };
    let reason = reason(first, &targets, &instead, wants_columns(first, serve.as_ref()));
    Some(Block { access, targets, reason, instead, serve, convert })
}

/// The answer to text that has no commands for us: what bash runs before it complains is unknown,
/// so names of readers and writers are enough.
pub(crate) fn unparsed(command: &str, why: Unparsed) -> Verdict {
    let named = command
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .filter(|word| !word.is_empty())
        .filter_map(table::touches_text)
        .max();
    let redirected = if redirects_output(command) {
        Some(Access::Write)
    } else {
        command.contains(['<', '>']).then_some(Access::Read)
    };
    let Some(access) = named.max(redirected) else {
        return Verdict::Allow;
    };
    let what = match why {
        Unparsed::TooMuch => "this command is too long or too deeply nested to be checked",
        Unparsed::Malformed => "this command could not be parsed as bash",
        Unparsed::Internal => "this command could not be checked",
    };
    let instead = "a simpler command, one step at a time".to_owned();
    Verdict::Block(Block {
        access,
        targets: Vec::new(),
        reason: format!(
            "{what}, and it names programs or redirections that touch file text\nhint: run {instead}; use read, grep and apply_hash for files"
        ),
        instead,
        serve: None,
        convert: None,
    })
}

/// Whether a `>` leads to something else than a descriptor or a device.
fn redirects_output(command: &str) -> bool {
    command.split('>').skip(1).any(|after| {
        let target = after.trim_start_matches('|').trim_start();
        !target.is_empty() && !target.starts_with(['&', '(']) && !target.starts_with("/dev/")
    })
}

/// Whether a part of a long line is wanted.
fn wants_columns(effect: &Effect, serve: Option<&Serve>) -> bool {
    match serve {
        Some(serve) => serve.lines().any(Lines::are_cut),
        None => effect.by == "cut" && effect.access == Access::Read,
    }
}

fn reason(effect: &Effect, targets: &[String], instead: &str, columns: bool) -> String {
    let what = match targets {
        [] => "files of the workspace".to_owned(),
        [one] => format!("`{}`", on_one_line(one)),
        [one, others @ ..] => format!("`{}` and {} more", on_one_line(one), others.len()),
    };
    let by = on_one_line(&shown(&effect.by));
    let fact = match (effect.cause, effect.access) {
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
    };
    let columns = if columns { "; `columns` shows a long line from that column on" } else { "" };
    format!("{fact}\nhint: use {instead}{columns}")
}

fn read_call(targets: &[String]) -> String {
    match targets {
        [] => r#"read {"path":"…"}"#.to_owned(),
        [one] => format!("read {{\"path\":{}}}", json(&short(&without_pattern(one)))),
        many => format!("read {{\"paths\":[{}]}}", list(many)),
    }
}

fn search_call(matching: &Matching, targets: &[String]) -> String {
    let pattern = json(&matching.text);
    let literal = if matching.literal { ",\"literal\":true" } else { "" };
    let case = if matching.any_case { ",\"caseSensitive\":false" } else { "" };
    let paths =
        if targets.is_empty() { String::new() } else { format!(",\"paths\":[{}]", list(targets)) };
    format!("grep {{\"pattern\":{pattern}{literal}{case}{paths}}}")
}

fn write_call(targets: &[String]) -> String {
    let path = named(targets.first().map_or("…", String::as_str));
    format!(
        "apply_hash {{\"patch\":[{{\"op\":\"replace_range\",\"path\":{path},\"start_anchor\":\"…\",\"end_anchor\":\"…\",\"text\":\"…\"}}]}}, or {{\"op\":\"add_file\",\"path\":{path},\"content\":\"…\"}} for a new file"
    )
}

/// The call that changes lines whose anchors are shown beside it.
fn edit_call(ops: &[(EditOp, String)]) -> String {
    const MOST: usize = 4;
    let mut operations: Vec<String> = Vec::new();
    for (op, path) in ops {
        let (name, rest) = match op {
            EditOp::Replace => {
                ("replace_range", r#""start_anchor":"…","end_anchor":"…","text":"…""#)
            }
            EditOp::Delete => ("replace_range", r#""start_anchor":"…","end_anchor":"…","text":"""#),
            EditOp::InsertAfter => ("insert_after", r#""anchor":"…","text":"…""#),
            EditOp::InsertBefore => ("insert_before", r#""anchor":"…","text":"…""#),
        };
        let path = named(path);
        let operation = format!("{{\"op\":\"{name}\",\"path\":{path},{rest}}}");
        if operations.len() < MOST && !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    format!(
        "apply_hash {{\"patch\":[{}]}} with the anchors of the lines it is about",
        operations.join(",")
    )
}

/// The path of a file that is changed; one that a shell pattern stands for is not known here.
fn named(path: &str) -> String {
    json(&if is_pattern(path) { Cow::Borrowed("…") } else { short(path) })
}

/// The call that makes the changes of a command; a text that is not short is asked for by name.
fn conversion_call(conversion: &Conversion, memory: &mut Memory) -> String {
    const SHORT: usize = 120;
    let mut spelled = |text: &str| {
        if text.len() <= SHORT { json(text) } else { json(&memory.keep(text)) }
    };
    let mut operations = Vec::new();
    for change in &conversion.changes {
        operations.push(match change {
            TextChange::Whole { path, text } => format!(
                "{{\"op\":\"add_file\",\"path\":{},\"content\":{},\"overwrite\":true}}",
                json(path),
                spelled(text)
            ),
            TextChange::Append { path, text } => format!(
                "{{\"op\":\"insert_after\",\"path\":{},\"anchor\":\"EOF\",\"text\":{}}}",
                json(path),
                spelled(text.trim_end_matches('\n'))
            ),
            TextChange::Replace { path, old, new, all } => format!(
                "{{\"op\":\"replace\",\"path\":{},\"old_text\":{},\"new_text\":{}{}}}",
                json(path),
                json(old),
                json(new),
                if *all { ",\"all\":true" } else { "" }
            ),
        });
    }
    let call = format!("apply_hash {{\"patch\":[{}]}}", operations.join(","));
    match &conversion.rest {
        Some(rest) => format!("{call}, then send the rest: `{}`", on_one_line(rest)),
        None => call,
    }
}

fn list(paths: &[String]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for path in paths.iter().take(8).map(|path| json(&short(&without_pattern(path)))) {
        if !shown.contains(&path) {
            shown.push(path);
        }
    }
    shown.join(",")
}
