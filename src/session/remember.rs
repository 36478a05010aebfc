//! Remembering the lines that a report showed.

use std::path::Path;

use super::Session;
use super::targets::Targets;
use crate::plan::{self, End, Plan};
use crate::report::ShownLines;
use crate::snapshot::Snapshot;
use crate::text::{Document, LineNumber};

impl Session {
    /// After a patch: files have moved or gone, and their new lines were shown.
    pub(super) fn remember_applied(&self, plan: &Plan, targets: &Targets, seen: &[ShownLines]) {
        for file in &plan.files {
            let path = &targets.paths[file.file];
            let created;
            let (path, document) = match &file.end {
                End::Kept => continue,
                End::Deleted => {
                    self.remembered.forget(path);
                    continue;
                }
                End::Created(text) => {
                    created = Document::from_text(text.clone());
                    (path, Some(&created))
                }
                End::Changed(document) => (path, Some(document)),
                End::Moved { to, after } => {
                    let to = &targets.paths[*to];
                    self.remembered.rename(path, to);
                    (to, after.as_ref().or(targets.files[file.file].document()))
                }
            };
            let lines = seen.iter().find(|seen| seen.file == file.file);
            if let (Some(document), Some(lines)) = (document, lines) {
                self.remember_lines(path, document, lines);
            }
        }
    }

    /// After a refusal: lines of the files as they are were shown.
    pub(super) fn remember_refused(&self, targets: &Targets, seen: &[ShownLines]) {
        for seen in seen {
            if let Some(document) = targets.files[seen.file].document() {
                self.remember_lines(&targets.paths[seen.file], document, seen);
            }
        }
    }

    fn remember_lines(&self, path: &Path, document: &Document, seen: &ShownLines) {
        let mut snapshot = Snapshot::whole(self.scheme, document.digests());
        for span in &seen.lines {
            for index in span.start()..span.end() {
                let tag = plan::tag_at(document, index, self.scheme);
                snapshot.show(LineNumber::at(index), &[tag]);
            }
        }
        self.remembered.remember(path, snapshot);
    }
}
