//! Noting what is read and written, through copies and links in scratch space.

use super::super::effect::{Access, Cause, Effect};
use super::super::policy::{Located, Zone};
use super::super::unknown::{file_text, file_texts, reads_of};
use super::{Scratch, Shell, Stdin, Value, is_stdin};

/// How many effects are worth keeping; more would not change the answer.
const MAX_EFFECTS: usize = 64;

impl Shell<'_> {
    /// Notes an effect.
    pub(in super::super) fn note(
        &mut self,
        access: Access,
        target: Option<Located>,
        by: &str,
        cause: Cause,
    ) {
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
    pub(in super::super) fn shows(&mut self, text: &str) {
        for number in reads_of(text) {
            if let Some(effect) = self.effects.get_mut(number) {
                effect.counts = true;
            }
        }
    }

    /// Finds the place of a path as used here and now.
    pub(in super::super) fn locate(&self, path: &str) -> Located {
        self.policy.locate(path, &self.env.cwd)
    }

    /// Reads a path; answers with what stands for its text if it is protected.
    pub(in super::super) fn reads(&mut self, path: &str, by: &str, cause: Cause) -> String {
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
        if let Some(original) = self.copied_from(&located) {
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
    pub(in super::super) fn reads_stdin(
        &mut self,
        stdin: &Stdin,
        by: &str,
        cause: Cause,
    ) -> String {
        match stdin {
            Stdin::File(path) => self.reads(path, by, cause),
            Stdin::Text(text) | Stdin::Program(text) => file_texts(text),
            Stdin::Inherited => String::new(),
        }
    }

    /// Notes that a path is written with this text.
    pub(in super::super) fn writes(&mut self, path: &str, by: &str, cause: Cause, text: &str) {
        self.shows(text);
        let located = self.through_links(self.locate(path));
        if located.zone == Zone::Exempt {
            self.scratch.insert(located.path.clone(), Scratch::Made(text.to_owned()));
        }
        self.note(Access::Write, Some(located), by, cause);
    }

    /// The place that is written when a scratch path turns out to be a link of this command's.
    pub(in super::super) fn through_links(&self, located: Located) -> Located {
        match self.scratch.get(&located.path) {
            Some(Scratch::LinkTo(original)) => self.locate(original),
            _ => located,
        }
    }

    /// The protected path that a scratch path is a copy of, or lies in a copy of.
    pub(in super::super) fn copied_from(&self, located: &Located) -> Option<String> {
        if self.scratch.is_empty() || located.zone != Zone::Exempt {
            return None;
        }
        let mut path = located.path.as_str();
        loop {
            if let Some(Scratch::CopyOf(original) | Scratch::LinkTo(original)) =
                self.scratch.get(path)
            {
                return Some(format!("{original}{}", &located.path[path.len()..]));
            }
            path = &path[..path.rfind('/').filter(|&i| i > 0)?];
        }
    }

    /// The text at a path, if a process substitution or the same command put it there.
    pub(in super::super) fn text_at(&self, path: &str) -> Option<String> {
        self.pipes.get(path).cloned().or_else(|| self.made_text(path))
    }

    /// The same, or standard input if that is what the path names.
    pub(in super::super) fn text_at_or_input(&self, path: &str, stdin: &Stdin) -> Option<String> {
        let input = if is_stdin(path) { stdin.text().map(str::to_owned) } else { None };
        self.text_at(path).or(input)
    }

    /// The working directory.
    pub(in super::super) fn cwd(&self) -> &str {
        &self.env.cwd
    }

    /// The text of a variable that the command sets.
    pub(in super::super) fn text_variable(&self, name: &str) -> Option<String> {
        match self.env.variables.get(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// The text that the same command put into a scratch file.
    pub(in super::super) fn made_text(&self, path: &str) -> Option<String> {
        if self.scratch.is_empty() {
            return None;
        }
        match self.scratch.get(&self.locate(path).path) {
            Some(Scratch::Made(text)) => Some(text.clone()),
            _ => None,
        }
    }
}
