//! Writes that can be asked for in another way: what they change is in the command itself.

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

/// What a command that writes literal text amounts to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The changes, in order.
    pub changes: Vec<TextChange>,
    /// What is left of the command, ready to be sent.
    pub rest: Option<String>,
}

/// Lines that are to be changed.
pub(crate) struct EditedLines {
    /// The lines, and what else the command does.
    pub(crate) serve: Serve,
    /// The operations that change them, and the file of each.
    pub(crate) ops: Vec<(EditOp, String)>,
}

/// The writes of a script that does nothing else to protected files.
pub(crate) struct OnlyWrites<'e> {
    /// Each file, as a caller in the workspace would write it, and what is done to it.
    files: Vec<(String, &'e Effect)>,
    /// What is left of the script, ready to be sent.
    rest: Option<String>,
}

impl<'e> OnlyWrites<'e> {
    /// Takes a script apart by its effects; `None` if it does more, or if a command that writes does.
    pub(crate) fn new(
        script: &str,
        parsed: &Command,
        effects: &'e [Effect],
        policy: &Policy<'_>,
    ) -> Option<Self> {
        let Command::Sequence(steps) = parsed else { return None };
        // With so many, some were not noted.
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
        // What is left would lack the text of its here-documents.
        (!rest.iter().any(|command| command.contains("<<"))).then_some(())?;
        Some(Self { files, rest: does_more.then(|| rest.join("; ")) })
    }

    /// The changes that they amount to, if all of their text is known.
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

    /// The lines that they are about, for the one who must change them by their anchors.
    pub(crate) fn edited(self) -> Option<EditedLines> {
        let (mut parts, mut ops) = (Vec::new(), Vec::new());
        for (path, effect) in self.files {
            (!effect.written.edits.is_empty()).then_some(())?;
            for (op, stages) in &effect.written.edits {
                // Lines are counted anew in each of the files that a shell pattern stands for.
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

/// Whether a command changes nothing but where and with which variables others run.
fn is_preparation(command: &Command) -> bool {
    let Command::Simple(simple) = command else { return false };
    simple.redirects.is_empty() && (simple.words.is_empty() || name_of(simple) == "cd")
}
