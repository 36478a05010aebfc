//! Calls of the tools as commands of the program, for agents that have nothing but a shell.
//!
//! The guard proposes calls and names files relative to the workspace's root; a command names them
//! relative to where it runs, and quotes them.

use hashline_core::session::ShellAnswer;
use hashline_guard::serve::{GrepRequest, ReadPath};
use hashline_guard::{Advice, Block, Instead, Mode, TextChange, ToolCall, Verdict, Words};

use crate::outcome::Judgement;

/// A patch longer than this is not repeated in an answer.
pub const MAX_REPEATED: usize = 4000;

/// A word as a shell reads it back.
///
/// ```
/// use hashline_wire::command_line::word;
/// assert_eq!(word("src/cart.js"), "src/cart.js");
/// assert_eq!(word("a $(b).txt"), "'a $(b).txt'");
/// ```
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The command that makes a patch.
pub fn apply(patch: &str) -> String {
    format!("hashline apply << 'EOF'\n{patch}\nEOF")
}

/// A judgement that proposes commands instead of calls; `name` turns the guard's path of a file,
/// relative to the workspace's root, into the command's.
pub fn judgement(verdict: Verdict, mode: Mode, name: &dyn Fn(&str) -> String) -> Judgement {
    let commands = Commands { name };
    let spelled = match &verdict {
        Verdict::Allow => String::new(),
        Verdict::Block(block) => commands.spelled(block),
    };
    Judgement::in_words(verdict, mode, &commands, |_| spelled.clone())
}

/// The text of an answer, which proposes commands instead of calls; `None` if the command may run.
pub fn answer_text(answer: &ShellAnswer, name: &dyn Fn(&str) -> String) -> Option<String> {
    answer.text(&Commands { name })
}

/// The wording for an agent that has nothing but a shell.
struct Commands<'n> {
    name: &'n dyn Fn(&str) -> String,
}

impl Words for Commands<'_> {
    fn hint(&self, block: &Block) -> String {
        let spelled = self.spelled(block);
        match &block.instead {
            Instead::Advice(Advice::Simpler) => format!(
                "run {spelled}; use `hashline read`, `hashline grep` and `hashline apply` for files"
            ),
            instead if instead.patch().is_some() => format!("use\n\n{spelled}"),
            _ => format!("use {spelled}"),
        }
    }

    fn tool(&self, block: &Block) -> String {
        format!("hashline {}", block.instead.tool())
    }
}

impl Commands<'_> {
    /// The commands for what a block proposes.
    fn spelled(&self, block: &Block) -> String {
        let mut instead = block.instead.clone();
        if let (Instead::Call(ToolCall::Apply { changes, .. }), Some(made)) =
            (&mut instead, &block.convert)
        {
            // The next command is another process, which does not know the text by its name.
            changes.clone_from(&made.changes);
            changes.iter_mut().for_each(shorten);
        }
        let instead = instead.named(self.name);
        match (&instead, instead.patch()) {
            (_, Some(patch)) => {
                let remark = instead.remark().map_or_else(String::new, |text| format!("\n{text}"));
                format!("{}{remark}", apply(&patch))
            }
            (Instead::Call(ToolCall::Read { files, .. }), None) => format!("`{}`", read(files)),
            (Instead::Call(ToolCall::Grep { request, limit, .. }), None) => {
                format!("`{}`", grep(request, *limit))
            }
            (Instead::Advice(Advice::Read), None) => "`hashline read …`".to_owned(),
            (other, None) => other.to_string(),
        }
    }
}

/// Leaves out a text that is too long to be repeated.
fn shorten(change: &mut TextChange) {
    if let TextChange::Whole { text, .. } | TextChange::Append { text, .. } = change
        && text.len() > MAX_REPEATED
    {
        "…".clone_into(text);
    }
}

fn read(files: &[ReadPath]) -> String {
    let mut command = "hashline read".to_owned();
    for file in files {
        let lines = match (file.offset, file.limit.map(u64::cast_signed)) {
            (None, Some(limit)) => format!(":1-{limit}"),
            (Some(offset), None) if offset > 0 => format!(":{offset}-"),
            (Some(offset), Some(limit)) if offset > 0 => {
                format!(":{offset}-{}", offset.saturating_add(limit).saturating_sub(1))
            }
            // The program has no notation for the last lines of a file.
            _ => String::new(),
        };
        command = format!("{command} {}", word(&(file.path.clone() + &lines)));
    }
    command
}

fn grep(request: &GrepRequest, limit: Option<u64>) -> String {
    let mut words = vec!["hashline".to_owned(), "grep".to_owned()];
    let switches = [
        ("-F", request.literal),
        ("-i", !request.case_sensitive),
        ("--hidden", request.hidden),
        ("--no-ignore", request.ignored),
    ];
    words.extend(switches.iter().filter(|(_, on)| *on).map(|(switch, _)| (*switch).to_owned()));
    let numbers = [
        ("-B", request.context_before),
        ("-A", request.context_after),
        ("--limit", limit.unwrap_or(0)),
    ];
    let given = numbers.iter().filter(|(_, number)| *number > 0);
    words.extend(given.map(|(option, number)| format!("{option} {number}")));
    words.extend(request.globs.iter().map(|glob| format!("-g {}", word(glob))));
    words.extend(request.types.iter().map(|name| format!("-t {}", word(name))));
    if request.pattern.starts_with('-') {
        words.push("--".to_owned());
    }
    words.push(word(&request.pattern));
    words.extend(request.paths.iter().map(|path| word(path)));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashline_guard::{Context, GuardSettings, judge};

    #[test]
    fn a_call_becomes_the_command_that_does_the_same() {
        let context = Context { root: "/w".into(), cwd: "/w".into(), ..Context::default() };
        for (command, expected) in [
            ("cat a.js", "`hashline read ../a.js`"),
            ("sed -n 5,9p a.js", "`hashline read ../a.js:5-9`"),
            ("head -3 'a b.js'", "`hashline read '../a b.js:1-3'`"),
        ] {
            let Verdict::Block(block) = judge(command, &context, &GuardSettings::default()) else {
                panic!("{command} is allowed")
            };
            let words = Commands { name: &|path| format!("../{path}") };
            assert_eq!(words.spelled(&block), expected, "{command}");
            assert!(block.reason_in(&words).ends_with(expected), "{}", block.reason_in(&words));
        }
    }

    #[test]
    fn a_text_that_another_process_does_not_know_is_spelled_out() {
        let context = Context { root: "/w".into(), cwd: "/w".into(), ..Context::default() };
        let command = "echo \"it's\" > a";
        let Verdict::Block(block) = judge(command, &context, &GuardSettings::default()) else {
            panic!("it is allowed")
        };
        let words = Commands { name: &str::to_owned };
        assert!(words.spelled(&block).contains(r#""content":"it's\n""#));
        assert!(block.reason_in(&words).contains("hashline apply << 'EOF'\n"));
    }
}
