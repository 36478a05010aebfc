//! The lines that a `sed -i` is about, for the one who must change them by their anchors.

use super::pipe::{Pipe, Stage};
use super::sed::commands;
use super::{Filter, Lines, Part, ReadPath, Serve, Source, is_pattern};
use crate::ast::{Command, Simple};
use crate::convert::taken_apart;
use crate::pattern::Dialect;
use crate::policy::{Context, Policy, Zone};
use crate::settings::GuardSettings;
use crate::shell::Shell;
use crate::unknown::is_known;

/// Lines that are to be changed.
pub(crate) struct EditedLines {
    /// The lines, and what else the command does.
    pub(crate) serve: Serve,
    /// The operations that change them, and the file of each.
    pub(crate) ops: Vec<(EditOp, String)>,
}

/// The operation that does what a command of sed does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditOp {
    /// `s` and `c`.
    Replace,
    /// `d`.
    Delete,
    /// `a`.
    InsertAfter,
    /// `i`.
    InsertBefore,
}

/// The lines that the `sed -i` of a script would change; `None` if it writes in other ways too.
pub(crate) fn edited(
    script: &str,
    parsed: &Command,
    context: &Context,
    settings: &GuardSettings,
    policy: &Policy,
) -> Option<EditedLines> {
    let mut shell = Shell::new(policy, context, settings);
    let (edits, rest) =
        taken_apart(script, parsed, &mut shell, |simple, shell| lines(simple, shell, policy))?;
    (!edits.is_empty()).then_some(())?;
    let ops = edits.iter().map(|edit| (edit.op, edit.path.clone())).collect();
    let mut parts: Vec<Part> = edits.into_iter().map(|edit| Part::Lines(edit.lines)).collect();
    parts.dedup();
    parts.extend(rest.map(Part::Alone));
    Some(EditedLines { serve: Serve { parts }, ops })
}

/// One command of a script in one file.
struct SedEdit {
    op: EditOp,
    path: String,
    lines: Lines,
}

fn lines(simple: &Simple, shell: &mut Shell<'_>, policy: &Policy) -> Option<Vec<SedEdit>> {
    (simple.assignments.is_empty() && simple.redirects.is_empty()).then_some(())?;
    let words = shell.plain_fields(&simple.words);
    words.iter().all(|word| is_known(word)).then_some(())?;
    let (name, operands) = words.split_first()?;
    matches!(name.rsplit('/').next()?, "sed" | "gsed").then_some(())?;
    let (mut scripts, mut files) = (Vec::new(), Vec::new());
    let (mut in_place, mut extended) = (false, false);
    let mut words = operands.iter().filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        match word.as_str() {
            "-E" | "-r" | "--regexp-extended" => extended = true,
            "-e" | "--expression" => scripts.push(words.next()?.clone()),
            "-Ei" | "-ri" => (in_place, extended) = (true, true),
            flag if flag.starts_with("-i") || flag.starts_with("--in-place") => in_place = true,
            flag if flag.starts_with('-') => return None,
            _ => files.push(word.clone()),
        }
    }
    in_place.then_some(())?;
    if scripts.is_empty() {
        (!files.is_empty()).then_some(())?;
        scripts.push(files.remove(0));
    }
    let dialect = if extended { Dialect::Extended } else { Dialect::Basic };
    let mut edits = Vec::new();
    for file in files {
        let located = shell.locate(&file);
        (located.zone == Zone::Protected).then_some(())?;
        let path = policy.relative(&located.path);
        for command in commands(&scripts.join("\n"), dialect)? {
            let (op, stages) = command.edit()?;
            // Lines are counted anew in each of the files that a shell pattern stands for.
            let by_text = matches!(stages.as_slice(), [Stage::Choose(Filter::Match { .. })]);
            (by_text || !is_pattern(&path)).then_some(())?;
            let file = ReadPath { path: path.clone(), ..ReadPath::default() };
            let read = Pipe::new(Lines::new(Source::Read(vec![file]))).then(stages, "sed");
            edits.push(SedEdit { op, path: path.clone(), lines: read.into_lines() });
        }
    }
    Some(edits)
}
