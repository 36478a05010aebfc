//! Commands whose writes can be made by a patch, because they contain the new text.

use crate::ast::Command;
use crate::effect::{Access, Effect};
use crate::instead::TextChange;
use crate::pattern::is_pattern;
use crate::policy::Policy;
use crate::serve::pipe::{Pipe, Stage};
use crate::serve::{EditOp, Filter, Lines, Part, ReadPath, Serve, Source};
use crate::shell::MAX_EFFECTS;
use crate::unknown::is_known;
use crate::word::name_of;

/// The changes that a command which writes literal text makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The changes, in order.
    pub changes: Vec<TextChange>,
    /// The rest of the command, ready to be run.
    pub rest: Option<String>,
}

/// Lines that a command would change.
pub(crate) struct EditedLines {
    /// The lines, and the rest of the command.
    pub(crate) serve: Serve,
    /// The operations that change them, and the file of each.
    pub(crate) ops: Vec<(EditOp, String)>,
}

/// The writes of a script that does nothing else to protected files.
pub(crate) struct OnlyWrites<'e> {
    /// Each file, relative to the workspace, and the effect on it.
    files: Vec<(String, &'e Effect)>,
    /// The rest of the script, ready to be run.
    rest: Option<String>,
}

impl<'e> OnlyWrites<'e> {
    /// Divides a script into writes and the rest; `None` if it reads, or a command both writes and
    /// does more.
    pub(crate) fn new(
        script: &str,
        parsed: &Command,
        effects: &'e [Effect],
        policy: &Policy<'_>,
    ) -> Option<Self> {
        let Command::Sequence(steps) = parsed else { return None };
        // Of more effects, some were not noted.
        (effects.len() < MAX_EFFECTS).then_some(())?;
        let mut files = Vec::new();
        for effect in effects.iter().filter(|effect| effect.is_protected()) {
            let path = &effect.target.as_ref()?.path;
            (effect.access == Access::Write && effect.step.is_some()).then_some(())?;
            is_known(path).then_some(())?;
            files.push((policy.relative(path), effect));
        }
        let (mut rest, mut does_more) = (Vec::new(), false);
        for (number, step) in steps.iter().enumerate() {
            if !effects.iter().any(|effect| effect.step == Some(number)) {
                let (start, end) = step.span?;
                rest.push(script.get(start..end)?);
                does_more |= !is_preparation(&step.command);
            }
        }
        // The text of a here-document lies outside of its command's span.
        (!rest.iter().any(|command| command.contains("<<"))).then_some(())?;
        Some(Self { files, rest: does_more.then(|| rest.join("; ")) })
    }

    /// The changes of the writes, if all of their text is known.
    pub(crate) fn conversion(&self) -> Option<Conversion> {
        let mut changes = Vec::new();
        for (path, effect) in &self.files {
            let made = &effect.written.changes;
            let known = !made.is_empty() && made.iter().all(TextChange::is_known);
            (known && !is_pattern(path)).then_some(())?;
            changes.extend(made.iter().map(|change| change.clone().of(path.clone())));
        }
        Some(Conversion { changes, rest: self.rest.clone() })
    }

    /// The lines that the writes change, to be shown with their anchors.
    pub(crate) fn edited(self) -> Option<EditedLines> {
        let (mut parts, mut ops) = (Vec::new(), Vec::new());
        for (path, effect) in self.files {
            (!effect.written.edits.is_empty()).then_some(())?;
            for (op, stages) in &effect.written.edits {
                // A shell pattern may stand for several files, and line numbers start anew in each.
                let by_text = matches!(stages.as_slice(), [Stage::Choose(Filter::Match { .. })]);
                (by_text || !is_pattern(&path)).then_some(())?;
                let file = ReadPath { path: path.clone(), ..ReadPath::default() };
                let read = Pipe::new(Lines::new(Source::Read(vec![file])));
                parts.push(Part::Lines(read.then(stages.clone(), "sed").into_lines()));
                ops.push((*op, path.clone()));
            }
        }
        parts.dedup();
        parts.extend(self.rest.map(Part::Alone));
        Some(EditedLines { serve: Serve { parts }, ops })
    }
}

/// Whether a command changes only the working directory or variables.
fn is_preparation(command: &Command) -> bool {
    let Command::Simple(simple) = command else { return false };
    simple.redirects.is_empty() && (simple.words.is_empty() || name_of(simple) == "cd")
}
