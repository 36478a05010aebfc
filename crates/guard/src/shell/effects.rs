//! Noting reads and writes, also those through copies and links in scratch space.

use super::{Scratch, Shell, Stdin};
use crate::effect::{Access, Cause, Effect, Written};
use crate::instead::TextChange;
use crate::policy::{Located, Zone};
use crate::unknown::{HOLE_TEXT, file_text, file_texts, reads_of};

/// After this many effects no more reads are noted, and after twice as many no more writes.
pub(crate) const MAX_EFFECTS: usize = 64;

impl Shell<'_> {
    /// Notes an effect without details of the change.
    pub(crate) fn note(&mut self, access: Access, target: Option<Located>, by: &str, cause: Cause) {
        self.note_written(access, target, by, cause, Written::default());
    }

    /// Notes an effect, with the change that it makes.
    pub(crate) fn note_written(
        &mut self,
        access: Access,
        target: Option<Located>,
        by: &str,
        cause: Cause,
        written: Written,
    ) {
        let room = match access {
            Access::Read => MAX_EFFECTS,
            Access::Write => 2 * MAX_EFFECTS,
        };
        // A command nested in the script's command is one call deeper.
        let own = self.calls == usize::from(cause != Cause::Redirect);
        let step = self.step_number.filter(|_| own);
        match target {
            Some(Located { zone: Zone::Protected, .. }) | None => {
                if self.effects.len() < room {
                    let by = by.to_owned();
                    self.add(Effect { access, target, by, cause, counts: true, written, step });
                }
            }
            // A command that also touches an unprotected file does more than change protected ones.
            Some(located) if !located.path.starts_with("/dev/") => {
                self.effects
                    .iter_mut()
                    .filter(|one| one.step == step)
                    .for_each(|one| one.step = None);
                self.step_number = None;
            }
            Some(_) => {}
        }
    }

    /// Adds an effect, unless it is noted already; returns its number.
    pub(super) fn add(&mut self, mut effect: Effect) -> usize {
        let counts = std::mem::take(&mut effect.counts);
        let same = |known: &Effect| {
            effect.counts = known.counts;
            *known == effect
        };
        let number = self.effects.iter().position(same).unwrap_or_else(|| {
            self.effects.push(effect);
            self.effects.len() - 1
        });
        self.effects[number].counts |= counts;
        number
    }

    /// Notes that a text is printed: the files whose text it holds have been read.
    pub(crate) fn shows(&mut self, text: &str) {
        for number in reads_of(text) {
            if let Some(effect) = self.effects.get_mut(number) {
                effect.counts = true;
            }
        }
    }

    /// Resolves a path from the working directory.
    pub(crate) fn locate(&self, path: &str) -> Located {
        self.policy.locate(path, &self.env.cwd)
    }

    /// Reads a path; returns the character that stands for its text if it is protected.
    pub(crate) fn reads(&mut self, path: &str, by: &str, cause: Cause) -> String {
        self.reads_located(self.locate(path), by, cause)
    }

    /// Like [`Shell::reads`], for a resolved path.
    pub(super) fn reads_located(
        &mut self,
        mut located: Located,
        by: &str,
        mut cause: Cause,
    ) -> String {
        if !self.step(4) {
            return String::new();
        }
        if let Some(original) = self.known().copied_from(&located) {
            located = self.locate(&original);
            cause = Cause::Laundering;
        }
        if located.zone != Zone::Protected {
            return String::new();
        }
        if self.effects.len() >= MAX_EFFECTS {
            // One more would not change the verdict.
            self.effects[0].counts = true;
            return String::new();
        }
        let number = self.add(Effect {
            access: Access::Read,
            target: Some(located),
            by: by.to_owned(),
            cause,
            counts: false,
            written: Written::default(),
            step: None,
        });
        file_text(number).to_string()
    }

    /// Reads standard input.
    pub(crate) fn reads_stdin(&mut self, stdin: &Stdin, by: &str, cause: Cause) -> String {
        match stdin {
            Stdin::File(path) => self.reads(path, by, cause),
            Stdin::Text(text) | Stdin::Program(text) => file_texts(text),
            Stdin::Inherited => String::new(),
        }
    }

    /// Notes that a path is written.
    pub(crate) fn writes(&mut self, path: &str, by: &str, written: Written) {
        let text = match written.changes.as_slice() {
            [TextChange::Whole { text, .. } | TextChange::Append { text, .. }] => text,
            _ => HOLE_TEXT,
        };
        self.shows(text);
        let located = self.through_links(self.locate(path));
        if located.zone == Zone::Exempt {
            self.scratch.insert(located.path.clone(), Scratch::Made(text.to_owned()));
        }
        self.note_written(Access::Write, Some(located), by, Cause::Program, written);
    }

    /// The target of a link, if the path is a link in scratch space that the command made.
    pub(crate) fn through_links(&self, located: Located) -> Located {
        match self.scratch.get(&located.path) {
            Some(Scratch::LinkTo(original)) => self.locate(original),
            _ => located,
        }
    }
}
