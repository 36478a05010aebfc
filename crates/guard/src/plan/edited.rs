//! The lines that a `sed -i` is about, for the one who must change them by their anchors.

use crate::ast::{Command, Simple};
use crate::convert::taken_apart;
use crate::pattern::is_pattern;
use crate::policy::{Context, Policy, Zone};
use crate::program::sed::SedCall;
use crate::serve::pipe::{Pipe, Stage};
use crate::serve::{EditOp, Filter, Lines, Part, ReadPath, Serve, Source};
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
    let sed = SedCall::read(operands);
    let commands = sed.edits()?;
    let mut edits = Vec::new();
    for file in &sed.files {
        let located = shell.locate(file);
        (located.zone == Zone::Protected).then_some(())?;
        let path = policy.relative(&located.path);
        for (op, stages) in &commands {
            // Lines are counted anew in each of the files that a shell pattern stands for.
            let by_text = matches!(stages.as_slice(), [Stage::Choose(Filter::Match { .. })]);
            (by_text || !is_pattern(&path)).then_some(())?;
            let file = ReadPath { path: path.clone(), ..ReadPath::default() };
            let read = Pipe::new(Lines::new(Source::Read(vec![file]))).then(stages.clone(), "sed");
            edits.push(SedEdit { op: *op, path: path.clone(), lines: read.into_lines() });
        }
    }
    Some(edits)
}
