//! Opening the session that a command works in.
//!
//! Each command is a process of its own, so the program remembers what it has shown in files, below
//! the user's state directory, by workspace and by agent.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::output::Failure;
use crate::options::CommonArgs;
use hashline_core::session::{Options, Session};
use hashline_core::{show, system};
use hashline_text::{Digest, Scheme};
use hashline_wire::program::SettingsFiles;

/// The name of a settings file.
pub(crate) const SETTINGS: &str = "hashline.json";

/// The largest settings file that is read, in bytes.
const MAX_SETTINGS: usize = 1 << 20;

/// The workspace of a command, and its settings.
pub(crate) struct OpenedWorkspace {
    /// The directory of the workspace.
    pub(crate) root: PathBuf,
    /// The settings of the session to open.
    pub(crate) options: Options,
    /// The settings files that were found.
    pub(crate) files: Vec<PathBuf>,
    /// Problems in the settings, for the person at the machine.
    pub(crate) warnings: Vec<String>,
}

impl OpenedWorkspace {
    /// Finds the workspace and its settings. If `near` lies outside the workspace of the current
    /// directory, the workspace is the one around it.
    pub(crate) fn new(common: &CommonArgs, near: Option<&Path>) -> Result<Self, Failure> {
        Self::at(system::current_directory()?, common, near)
    }

    /// Like [`OpenedWorkspace::new`], for a command that runs in `cwd`.
    pub(crate) fn at(
        cwd: PathBuf,
        common: &CommonArgs,
        near: Option<&Path>,
    ) -> Result<Self, Failure> {
        let root = match &common.root {
            Some(root) => cwd.join(root),
            None => root_of(&cwd, near),
        };
        let root = system::canonical(&root).map_err(|error| {
            Failure::new("bad_root", format!("cannot open `{}`: {error}", root.display()))
        })?;
        let mut found = Found::default();
        if let Some(home) = system::config_home() {
            found.take(&home.join("hashline").join(SETTINGS), SettingsFiles::take_user);
        }
        found.take(&root.join(SETTINGS), SettingsFiles::take_project);
        let options = found.settings.options(&root.to_string_lossy());
        let options = options.map_err(|error| Failure::new(error.code.as_str(), error))?;
        let mut opened = Self {
            options: Options { root: root.clone(), base: Some(cwd), ..options },
            root,
            files: found.files,
            warnings: found.warnings,
        };
        if let Some(name) = &common.scheme {
            opened.options.scheme =
                name.parse::<Scheme>().map_err(|error| Failure::new("unknown_scheme", error))?;
        }
        if !common.no_memory {
            opened.options.state_dir = memory_directory(&opened.root, common.session.as_deref());
            // An agent with a name has a memory of its own; all others share the workspace's.
            opened.options.shared_memory = common.session.is_none();
        }
        Ok(opened)
    }

    /// Leaves this command out of the statistics, because only a person sees its output.
    pub(crate) fn uncounted(mut self) -> Self {
        self.options.stats_dir = None;
        self
    }

    /// Opens a session for the guard, whose paths are relative to the workspace's root.
    pub(crate) fn guard_session(mut self) -> Result<Session, Failure> {
        self.options.base = None;
        self.session()
    }

    /// Opens the session, and prints the warnings on standard error.
    pub(crate) fn session(self) -> Result<Session, Failure> {
        for warning in &self.warnings {
            eprintln!("hashline: {warning}");
        }
        Session::new(self.options).map_err(|fault| Failure::new(fault.code(), fault))
    }
}

/// The settings files that exist, their settings and the problems in them.
#[derive(Default)]
struct Found {
    settings: SettingsFiles,
    files: Vec<PathBuf>,
    warnings: Vec<String>,
}

impl Found {
    fn take(&mut self, path: &Path, take: fn(&mut SettingsFiles, &str) -> Vec<String>) {
        if !system::exists(path) {
            return;
        }
        self.files.push(path.to_owned());
        let name = show::name(&path.to_string_lossy()).into_owned();
        match system::contents(path, MAX_SETTINGS, &AtomicBool::new(false)) {
            Ok(bytes) => {
                let reasons = take(&mut self.settings, &String::from_utf8_lossy(&bytes));
                self.warnings.extend(reasons.into_iter().map(|reason| format!("{name}: {reason}")));
            }
            Err(error) => self.warnings.push(format!("cannot read {name}: {error}")),
        }
    }
}

/// The root of the workspace: the repository around `cwd`, or `cwd`; but if `near` lies outside of
/// that, the repository around `near`, or its directory.
fn root_of(cwd: &Path, near: Option<&Path>) -> PathBuf {
    let repository = |path: &Path| {
        path.ancestors().find(|path| system::exists(&path.join(".git"))).map(Path::to_owned)
    };
    let root = repository(cwd).unwrap_or_else(|| cwd.to_owned());
    let Some(near) = near else { return root };
    let near = cwd.join(near);
    let near = system::canonical(&near).unwrap_or(near);
    let is_inside = system::canonical(&root).is_ok_and(|root| near.starts_with(root));
    match near.parent() {
        Some(parent) if !is_inside => repository(parent).unwrap_or_else(|| parent.to_owned()),
        _ => root,
    }
}

/// A file's name for a command that runs in `cwd`; `path` is relative to the workspace's root.
pub(crate) fn named_from(cwd: &Path, root: &Path, path: &str) -> String {
    let cwd = system::canonical(cwd).unwrap_or_else(|_| cwd.to_owned());
    if path == "…" || (cwd == root && !path.is_empty()) {
        return path.to_owned();
    }
    let file = root.join(path);
    let name = match file.strip_prefix(&cwd) {
        Ok(inside) if inside.as_os_str().is_empty() => Path::new("."),
        Ok(inside) => inside,
        Err(_) => &file,
    };
    name.to_string_lossy().into_owned()
}

/// The directory that records what this agent was shown of this workspace.
pub(crate) fn memory_directory(root: &Path, session: Option<&str>) -> Option<PathBuf> {
    let home = system::state_homes().into_iter().next()?;
    let workspace = format!("{:016x}", Digest::of(root.as_os_str().as_encoded_bytes()).0);
    Some(home.join("memory").join(workspace).join(directory_name(session.unwrap_or("default"))))
}

/// An agent's name, changed so that it can be the name of a directory.
fn directory_name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let name: String = id.chars().map(plain).take(80).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_agent_name_escapes_its_directory() {
        for (id, name) in [("..", "__"), ("a/b", "a_b"), ("", "_"), ("claude-1", "claude-1")] {
            assert_eq!(directory_name(id), name);
        }
    }
}
