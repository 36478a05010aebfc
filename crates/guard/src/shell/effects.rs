//! Noting what is read and written, through copies and links in scratch space.

use super::{Scratch, Shell, Stdin};
use crate::effect::{Access, Cause, Effect};
use crate::policy::{Located, Zone};
use crate::unknown::{file_text, file_texts, reads_of};

/// How many effects are worth keeping; more would not change the answer.
const MAX_EFFECTS: usize = 64;

impl Shell<'_> {
    /// Notes an effect.
    pub(crate) fn note(&mut self, access: Access, target: Option<Located>, by: &str, cause: Cause) {
        let protected = target.as_ref().is_none_or(|located| located.zone == Zone::Protected);
        let room = match access {
            Access::Read => MAX_EFFECTS,
            Access::Write => 2 * MAX_EFFECTS,
        };
        if !protected || self.effects.len() >= room {
            return;
        }
        self.add(Effect { access, target, by: by.to_owned(), cause, counts: true });
    }

    /// Adds an effect, or finds it; answers with its number.
    fn add(&mut self, effect: Effect) -> usize {
        let same = |known: &Effect| {
            known.access == effect.access
                && known.target == effect.target
                && known.cause == effect.cause
                && known.by == effect.by
        };
        if let Some(number) = self.effects.iter().position(same) {
            self.effects[number].counts |= effect.counts;
            return number;
        }
        self.effects.push(effect);
        self.effects.len() - 1
    }

    /// Notes that a text is printed: the files whose text it holds have been read.
    pub(crate) fn shows(&mut self, text: &str) {
        for number in reads_of(text) {
            if let Some(effect) = self.effects.get_mut(number) {
                effect.counts = true;
            }
        }
    }

    /// Finds the place of a path as used here and now.
    pub(crate) fn locate(&self, path: &str) -> Located {
        self.policy.locate(path, &self.env.cwd)
    }

    /// Reads a path; answers with what stands for its text if it is protected.
    pub(crate) fn reads(&mut self, path: &str, by: &str, cause: Cause) -> String {
        self.reads_located(self.locate(path), by, cause)
    }

    /// The same for a path whose place is known.
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
            // One more would not change the answer.
            self.effects[0].counts = true;
            return String::new();
        }
        let (access, by) = (Access::Read, by.to_owned());
        let number = self.add(Effect { access, target: Some(located), by, cause, counts: false });
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

    /// Notes that a path is written with this text.
    pub(crate) fn writes(&mut self, path: &str, by: &str, cause: Cause, text: &str) {
        self.shows(text);
        let located = self.through_links(self.locate(path));
        if located.zone == Zone::Exempt {
            self.scratch.insert(located.path.clone(), Scratch::Made(text.to_owned()));
        }
        self.note(Access::Write, Some(located), by, cause);
    }

    /// The place that is written when a scratch path turns out to be a link of this command's.
    pub(crate) fn through_links(&self, located: Located) -> Located {
        match self.scratch.get(&located.path) {
            Some(Scratch::LinkTo(original)) => self.locate(original),
            _ => located,
        }
    }
}
