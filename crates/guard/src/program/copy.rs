//! Copying: harmless between files, a way round the tools by way of scratch space or a stream.

use super::Call;
use crate::effect::{Access, Cause};
use crate::policy::{Located, Zone};
use crate::shell::{Scratch, Shell, is_stdin};
use crate::unknown::HOLE;

impl Shell<'_> {
    /// `cp`, `mv`, `install` and their relatives.
    pub(super) fn copy(&mut self, call: &Call<'_>) {
        let mut sources = call.parsed.operands.clone();
        let target = match call.parsed.value(&["t", "target-directory"]) {
            Some(target) if call.name != "rsync" && call.name != "scp" => Some(target.to_owned()),
            _ => sources.pop(),
        };
        let Some(target) = target else { return };
        if call.parsed.has(&["d", "directory"]) && call.name.ends_with("install") {
            return;
        }
        let to = self.locate(&target);
        for source in sources {
            self.copies(&source, &target, &to, call);
        }
    }

    fn copies(&mut self, source: &str, target: &str, to: &Located, call: &Call<'_>) {
        let from = self.locate(source);
        if to.zone == Zone::Descriptor {
            self.reads_path(source, call);
            return;
        }
        let streamed = is_stdin(source) || from.zone == Zone::Descriptor;
        let original = self.copied_from(&from);
        if to.zone == Zone::Protected {
            let empties = from.path == "/dev/null" && !call.name.ends_with("install");
            if streamed || empties {
                self.writes(target, call.name, Cause::Program, &HOLE.to_string());
            } else if original.is_none() && self.was_made(&from) {
                self.note(Access::Write, Some(to.clone()), call.name, Cause::Laundering);
            }
            return;
        }
        // Into scratch space: remember what the copy is a copy of.
        let kept = match original {
            Some(original) => Scratch::CopyOf(original),
            None if from.zone == Zone::Protected => Scratch::CopyOf(from.path.clone()),
            None => match self.scratch.get(&from.path) {
                Some(known) => known.clone(),
                None if streamed => Scratch::Made(HOLE.to_string()),
                None => return,
            },
        };
        self.remember_copy(source, to, &kept);
    }

    fn remember_copy(&mut self, source: &str, to: &Located, kept: &Scratch) {
        let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
        let inside = format!("{}/{name}", to.path);
        self.scratch.insert(inside, kept.clone());
        self.scratch.insert(to.path.clone(), kept.clone());
    }

    /// Whether the same command put text into this scratch path or below it.
    fn was_made(&self, from: &Located) -> bool {
        if from.zone != Zone::Exempt {
            return false;
        }
        let beginning = from.path.split(['*', '?', '[', HOLE]).next().unwrap_or(&from.path);
        let whole = beginning.len() == from.path.len();
        self.scratch.iter().any(|(path, scratch)| {
            matches!(scratch, Scratch::Made(_))
                && match path.strip_prefix(beginning) {
                    Some(rest) => !whole || rest.is_empty() || rest.starts_with('/'),
                    None => false,
                }
        })
    }

    /// `ln`: a link in scratch space is another name of what it points to.
    pub(super) fn link(&mut self, call: &Call<'_>) {
        let mut targets = call.parsed.operands.clone();
        let place = match call.parsed.value(&["t", "target-directory"]) {
            Some(place) => place.to_owned(),
            None if targets.len() > 1 => targets.pop().unwrap_or_default(),
            None => ".".to_owned(),
        };
        let to = self.locate(&place);
        for target in targets {
            let from = self.locate(&target);
            if to.zone == Zone::Protected {
                if self.was_made(&from) {
                    self.note(Access::Write, Some(to.clone()), call.name, Cause::Laundering);
                }
                continue;
            }
            let kept = match self.copied_from(&from) {
                Some(original) => Scratch::LinkTo(original),
                None if from.zone == Zone::Protected => Scratch::LinkTo(from.path),
                None => continue,
            };
            self.remember_copy(&target, &to, &kept);
        }
    }

    /// `dd`.
    pub(super) fn dd(&mut self, call: &Call<'_>) {
        let value = |key: &str| {
            call.words.iter().rev().find_map(|word| word.strip_prefix(key)).map(str::to_owned)
        };
        let (from, to) = (value("if="), value("of="));
        match (from, to) {
            (Some(from), Some(to)) => {
                let located = self.locate(&to);
                if located.zone == Zone::Protected {
                    self.writes(&to, call.name, Cause::Program, &HOLE.to_string());
                } else {
                    self.copies(&from, &to, &located, call);
                }
            }
            (Some(from), None) => self.reads_path(&from, call),
            (None, Some(to)) => self.writes(&to, call.name, Cause::Program, &HOLE.to_string()),
            (None, None) => self.reads_stdin(call.stdin, call.name, Cause::Program),
        }
    }

    /// `tee`.
    pub(super) fn tee(&mut self, call: &Call<'_>) {
        self.reads_stdin(call.stdin, call.name, Cause::Program);
        let text = match call.stdin {
            crate::shell::Stdin::Text(text) => text.clone(),
            _ => HOLE.to_string(),
        };
        for path in &call.parsed.operands {
            if path != "-" {
                self.writes(path, call.name, Cause::Program, &text);
            }
        }
    }
}
