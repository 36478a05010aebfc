//! The files that a patch changed or was refused for, for callers that print more than the report.

use super::apply::ApplyOutcome;
use super::targets::Targets;
use crate::plan::{End, FileState, Plan};
use crate::report::RefusedReport;
use hashline_text::{Document, Span};

/// The result of applying a patch, and the files it concerns.
#[derive(Debug)]
pub struct ApplyDone {
    /// Whether the patch was applied, with the report.
    pub outcome: ApplyOutcome,
    /// The files after the patch, or the present ones if it was refused.
    pub files: Vec<TouchedFile>,
}

/// A file that a patch changes, or is refused for.
#[derive(Debug)]
pub struct TouchedFile {
    /// The file, as the patch spells it; a moved file has its new name.
    pub path: String,
    /// Its text; `None` if the file was removed or is not text.
    pub document: Option<Document>,
    /// The lines that are new, or that the refusals concern. An empty span shows where lines were
    /// removed.
    pub lines: Vec<Span>,
    /// The lines that the report of a refusal shows. Callers must print no others, because those
    /// would not count as seen.
    pub shown: Vec<Span>,
}

/// The files that a plan changes, with their new content.
pub(super) fn changed_files(plan: Plan, mut targets: Targets) -> Vec<TouchedFile> {
    let mut touched = Vec::with_capacity(plan.files.len());
    for file in plan.files {
        let mut lines: Vec<Span> = file.hunks.iter().map(|hunk| hunk.after).collect();
        let mut path = targets.files[file.file].path.clone();
        let document = match file.end {
            End::Kept => continue,
            End::Deleted => None,
            End::Created(document) => {
                lines = vec![document.span()];
                Some(document)
            }
            End::Changed(document) => Some(document),
            End::Moved { to, after } => {
                path.clone_from(&targets.files[to].path);
                after.or_else(|| take_text(&mut targets, file.file))
            }
        };
        touched.push(TouchedFile { path, document, lines, shown: Vec::new() });
    }
    touched
}

/// The files that refusals concern, with their present content.
pub(super) fn refused(refused: &RefusedReport, mut targets: Targets) -> Vec<TouchedFile> {
    let mut touched = Vec::new();
    for at in 0..targets.files.len() {
        let path = targets.files[at].path.clone();
        let lines: Vec<Span> = refused
            .refusals
            .iter()
            .filter(|refusal| refusal.path == path)
            .flat_map(|refusal| refusal.look_at.iter().copied())
            .collect();
        if !lines.is_empty() {
            let here = refused.seen.iter().filter(|seen| seen.file == at);
            let mut shown: Vec<Span> = here.flat_map(|seen| seen.lines.clone()).collect();
            shown.sort_unstable_by_key(|span| span.start());
            shown.dedup();
            touched.push(TouchedFile { path, document: take_text(&mut targets, at), lines, shown });
        }
    }
    touched
}

fn take_text(targets: &mut Targets, at: usize) -> Option<Document> {
    match std::mem::replace(&mut targets.files[at].state, FileState::Missing) {
        FileState::Text(document) => Some(document),
        _ => None,
    }
}
