//! Judging the shell commands of a session.

use std::path::Path;
use std::sync::PoisonError;

use crate::fs;
use hashline_guard::{Context, Files, GuardSettings, ShellKind, Verdict};

use super::Session;

/// Tells the guard which files a session's tools can handle.
struct OurFiles<'s>(&'s Session);

impl Files for OurFiles<'_> {
    fn take(&self, path: &str) -> bool {
        self.0.can_handle(Path::new(path))
    }
}

/// Variables that name the directory for temporary files.
const VARIABLES: &[&str] = if cfg!(windows) { &["TMPDIR", "TMP", "TEMP"] } else { &["TMPDIR"] };

impl Session {
    /// Judges a shell command that would run in `cwd`, or in the root; it is never run.
    ///
    /// A `cwd` is spelled like any other path: with `@` or `~` in front, or relative to the root.
    pub fn judge(&self, command: &str, cwd: Option<&str>, shell: ShellKind) -> Verdict {
        let root = self.workspace.root();
        let cwd = cwd.map_or_else(|| root.to_owned(), |cwd| self.workspace.directory(cwd));
        let context = Context {
            root: root.to_string_lossy().into_owned(),
            cwd: cwd.to_string_lossy().into_owned(),
            home: fs::home().unwrap_or_default().to_string_lossy().into_owned(),
            // Only these variables matter: the directory for scratch files decides which files are
            // protected. The command itself may set any others.
            env: VARIABLES
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), fs::variable(name)?)))
                .collect(),
            roots: (self.workspace.roots().iter())
                .filter(|other| *other != root)
                .map(|root| root.to_string_lossy().into_owned())
                .collect(),
            shell,
            files: Some(&OurFiles(self)),
        };
        let mut memory = self.guard_memory.lock().unwrap_or_else(PoisonError::into_inner);
        hashline_guard::judge_next(command, &context, &self.options.guard, &mut memory)
    }

    /// The settings of the guard.
    pub fn guard(&self) -> &GuardSettings {
        &self.options.guard
    }
}
