//! Remembering the lines that a report showed.

use std::path::Path;

use super::Session;
use super::targets::Targets;
use crate::plan::{self, Brought, End, Hunk, Plan};
use crate::report::{RefusedReport, ShownLines};
use crate::snapshot::Snapshot;
use hashline_text::{Document, LineNumber, Span};

impl Session {
    /// After a patch: notes which files were moved or removed, and which new lines were shown.
    pub(super) fn remember_applied(&self, plan: &Plan, targets: &Targets, seen: &[ShownLines]) {
        for file in &plan.files {
            let path = &targets.paths[file.file];
            let before = targets.files[file.file].document();
            let seen = seen.iter().find(|seen| seen.file == file.file);
            match &file.end {
                End::Kept => {}
                End::Deleted => self.remembered.forget(path),
                End::Created(after) => {
                    let nothing = Document::from_text("");
                    let before = before.unwrap_or(&nothing);
                    let all = Hunk { before: before.span(), after: after.span() };
                    self.remember_edit(path, Some(before), &[all], after, seen, &file.brought);
                }
                End::Changed(after) => {
                    self.remember_edit(path, before, &file.hunks, after, seen, &file.brought);
                }
                End::Moved { to, after } => {
                    let to = &targets.paths[*to];
                    self.remembered.rename(path, to);
                    match (after, before, seen) {
                        (Some(after), _, _) => {
                            let (hunks, brought) = (&file.hunks, &file.brought);
                            self.remember_edit(to, before, hunks, after, seen, brought);
                        }
                        (None, Some(before), Some(seen)) => self.remember_lines(to, before, seen),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Remembers the present lines that a refusal has shown.
    pub(super) fn remember_refused(&self, refused: &RefusedReport, targets: &Targets) {
        for seen in &refused.seen {
            let (file, path) = (&targets.files[seen.file], &targets.paths[seen.file]);
            let Some(document) = file.document() else { continue };
            self.remember_lines(path, document, seen);
            let is_shown = |(now, _): &&(usize, usize)| {
                seen.lines.iter().any(|span| (span.start()..span.end()).contains(now))
            };
            let here = refused.refusals.iter().filter(|refusal| refusal.path == file.path);
            let settled = here.flat_map(|refusal| refusal.settles.iter().filter(is_shown));
            let settled: Vec<usize> = settled.map(|(_, old)| *old).collect();
            if !settled.is_empty() {
                self.remembered.retire(path, &settled);
            }
        }
    }

    /// Remembers the version that a patch made and what the patch replaced, so that older anchors
    /// can be followed to it.
    fn remember_edit(
        &self,
        path: &Path,
        before: Option<&Document>,
        hunks: &[Hunk],
        after: &Document,
        seen: Option<&ShownLines>,
        brought: &[Brought],
    ) {
        let unseen: Vec<usize> =
            brought.iter().flat_map(|brought| &brought.unseen).copied().collect();
        let known = |hunk: &Hunk| {
            let lines = hunk.after.start()..hunk.after.end();
            lines.filter(|at| !unseen.contains(at)).map(|at| Span::line(LineNumber::at(at)))
        };
        let known = ShownLines { file: 0, lines: hunks.iter().flat_map(known).collect() };
        let seen = seen.into_iter().chain((!unseen.is_empty()).then_some(&known));
        let after = self.snapshot(after, seen);
        match before {
            // As if another program had added the lines that the reader does not know.
            Some(_) if !unseen.is_empty() => self.remembered.remember(path, after),
            Some(before) => {
                let hunks: Vec<_> = hunks.iter().map(|hunk| (hunk.before, hunk.after)).collect();
                let before = self.snapshot(before, []);
                self.remembered.remember_edit(path, before, &hunks, after);
            }
            None => self.remembered.remember(path, after),
        }
    }

    fn remember_lines(&self, path: &Path, document: &Document, seen: &ShownLines) {
        self.remembered.remember(path, self.snapshot(document, [seen]));
    }

    fn snapshot<'a>(
        &self,
        document: &Document,
        seen: impl IntoIterator<Item = &'a ShownLines>,
    ) -> Snapshot {
        let mut snapshot = Snapshot::whole(self.options.scheme, document.digests())
            .in_encoding(document.encoding());
        for span in seen.into_iter().flat_map(|seen| &seen.lines) {
            for index in span.start()..span.end() {
                let tag = plan::tag_at(document, index, self.options.scheme);
                snapshot.show(LineNumber::at(index), &[tag]);
            }
        }
        snapshot
    }
}
