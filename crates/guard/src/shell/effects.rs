//! Noting what is read and written, through copies and links in scratch space.

use super::super::effect::{Access, Cause, Effect};
use super::super::policy::{Located, Zone};
use super::{Scratch, Shell, Stdin};

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
        let effect = Effect { access, target, by: by.to_owned(), cause };
        if !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }

    /// Finds the place of a path as used here and now.
    pub(in super::super) fn locate(&self, path: &str) -> Located {
        self.policy.locate(path, &self.env.cwd)
    }

    /// Notes that a path is read.
    pub(in super::super) fn reads(&mut self, path: &str, by: &str, cause: Cause) {
        if self.effects.len() >= MAX_EFFECTS || !self.step(4) {
            return;
        }
        let located = self.locate(path);
        if let Some(original) = self.copied_from(&located) {
            let located = self.locate(&original);
            self.note(Access::Read, Some(located), by, Cause::Laundering);
        } else {
            self.note(Access::Read, Some(located), by, cause);
        }
    }

    /// Notes that standard input is read.
    pub(in super::super) fn reads_stdin(&mut self, stdin: &Stdin, by: &str, cause: Cause) {
        if let Stdin::File(path) = stdin {
            self.reads(path, by, cause);
        }
    }

    /// Notes that a path is written with this text.
    pub(in super::super) fn writes(&mut self, path: &str, by: &str, cause: Cause, text: &str) {
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

    /// The text that the same command put into a scratch file.
    pub(in super::super) fn made_text(&self, path: &str) -> Option<String> {
        match self.scratch.get(&self.locate(path).path) {
            Some(Scratch::Made(text)) => Some(text.clone()),
            _ => None,
        }
    }
}
