//! Which protected files a part of a command prints.

use super::Planner;
use crate::ast::Command;
use crate::effect::{Access, Cause, Effect};
use crate::known::Stdin;
use crate::pattern::is_pattern;
use crate::policy::Policy;
use crate::serve::ReadPath;
use crate::unknown::{is_known, reads_of};

/// The most files that are shown instead of a command that prints them in another form.
const MAX_FILES: usize = 8;

/// What a command does to protected files.
pub(super) enum Touched {
    /// The command touches none.
    Nothing,
    /// The command prints these files.
    Files(Vec<String>),
    /// The command prints files that it does not name, or does more than print.
    More,
}

impl Planner<'_> {
    /// Follows a command to find out which protected files it prints.
    pub(super) fn touched(&mut self, command: &Command) -> Touched {
        let counted: Vec<bool> =
            self.shell.effects.iter_mut().map(|one| std::mem::take(&mut one.counts)).collect();
        let scratch = self.scratch_files();
        let printed = self.shell.run(command, &Stdin::Inherited);
        self.shell.shows(&printed);
        let now: Vec<&Effect> =
            self.shell.effects.iter().filter(|effect| effect.is_protected()).collect();
        // A command that saves the text in a scratch file does more than print it.
        let stays = self.scratch_files() == scratch;
        let touched = match files(&now, self.policy) {
            _ if now.is_empty() => Touched::Nothing,
            Some(files) if stays => Touched::Files(files),
            _ => Touched::More,
        };
        for (effect, counted) in self.shell.effects.iter_mut().zip(counted) {
            effect.counts |= counted;
        }
        touched
    }

    fn scratch_files(&self) -> usize {
        self.shell.scratch.keys().filter(|path| !path.starts_with("/dev/")).count()
    }

    /// The files whose text an output holds, if their effects are only reads of known files.
    pub(super) fn printed_files(&self, printed: &str) -> Option<Vec<ReadPath>> {
        let effects: Vec<&Effect> =
            reads_of(printed).filter_map(|i| self.shell.effects.get(i)).collect();
        Some(files(&effects, self.policy)?.into_iter().map(whole_file).collect())
    }
}

/// The files that these effects read; `None` if one is not a read or its file is not known.
fn files(effects: &[&Effect], policy: &Policy<'_>) -> Option<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    for effect in effects {
        let path = &effect.target.as_ref()?.path;
        let plain = effect.access == Access::Read
            && effect.cause != Cause::Search
            && is_known(path)
            && !is_pattern(path);
        plain.then_some(())?;
        let path = policy.relative(path);
        if !out.contains(&path) {
            out.push(path);
        }
    }
    (!out.is_empty() && out.len() <= MAX_FILES).then_some(out)
}

pub(super) fn whole_file(path: String) -> ReadPath {
    ReadPath { path, ..ReadPath::default() }
}
