//! Which files are protected: those that our tools can edit.
//!
//! No file outside of the workspace's roots is protected. For a known path, the caller's [`Files`]
//! say whether our tools can edit it. Without them, or if only a part of the path is known, every
//! path that may lie in a root is protected.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;

use crate::settings::ShellKind;
use crate::unknown::{HOLE, is_unknown};
use crate::windows;

/// Knows which files our tools can edit.
pub trait Files: Sync {
    /// Whether `apply_hash` may write to this absolute path: it lies in a root and is not binary.
    fn take(&self, path: &str) -> bool;
}

/// Where a command runs.
#[derive(Clone, Default)]
pub struct Context<'c> {
    /// The directory of the workspace.
    pub root: String,
    /// Other directories whose files belong to the workspace.
    pub roots: Vec<String>,
    /// The directory the shell starts in.
    pub cwd: String,
    /// The home directory.
    pub home: String,
    /// Environment variables that are known.
    pub env: Vec<(String, String)>,
    /// The shell that the command is for.
    pub shell: ShellKind,
    /// Which files our tools can edit; without it, every file of the roots is protected.
    pub files: Option<&'c dyn Files>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { root, roots, cwd, .. } = self;
        f.debug_struct("Context")
            .field("root", root)
            .field("roots", roots)
            .field("cwd", cwd)
            .finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// Whether the workspace is on Windows, by how its root is spelled.
    fn is_windows(&self) -> bool {
        windows::slashed(&self.root).is_some()
    }

    /// The context with every path as bash on Windows spells it; unchanged on other systems.
    pub(crate) fn for_bash(&self) -> Cow<'_, Self> {
        if !self.is_windows() {
            return Cow::Borrowed(self);
        }
        let slashed = |path: &str| windows::slashed(path).unwrap_or_else(|| path.to_owned());
        Cow::Owned(Self {
            root: slashed(&self.root),
            roots: self.roots.iter().map(|root| slashed(root)).collect(),
            cwd: slashed(&self.cwd),
            home: slashed(&self.home),
            env: self.env.iter().map(|(name, value)| (name.clone(), slashed(value))).collect(),
            shell: self.shell,
            files: self.files,
        })
    }
}

/// What kind of place a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    /// A standard stream or another open descriptor.
    Descriptor,
    /// Scratch space, a device, a system log.
    Exempt,
    /// A file that our tools can edit, or that may be one.
    Protected,
}

/// A path after normalisation ([`normalised`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The absolute path, unknown parts included.
    pub(crate) path: String,
    /// The kind of place that the path names.
    pub(crate) zone: Zone,
}

/// System directories, which are not protected even if the whole disk is the workspace.
const SYSTEM: [&str; 7] = ["/dev", "/proc", "/sys", "/run", "/tmp", "/var/tmp", "/var/log"];

const STREAMS: [&str; 4] = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// Which paths of one workspace are protected. All paths in it are [`normalised`].
pub(crate) struct Policy<'c> {
    /// Whether paths may begin with a drive letter, and case does not count.
    windows: bool,
    /// Whether a backslash separates the parts of a path.
    backslashes: bool,
    /// The roots, beginning with the workspace's own directory.
    roots: Vec<String>,
    allowed: Vec<String>,
    files: Option<&'c dyn Files>,
    /// What [`Files`] answered for each path.
    taken: RefCell<HashMap<String, bool>>,
}

impl<'c> Policy<'c> {
    /// The policy for a context, with the paths that the user has exempted.
    pub(crate) fn new(context: &Context<'c>, allowed_paths: &[String]) -> Self {
        let windows = context.is_windows();
        let backslashes = windows || context.shell == ShellKind::PowerShell;
        let context = context.for_bash();
        let spelled = |path: &str| {
            let slashed = windows.then(|| windows::slashed(path)).flatten();
            slashed
                .unwrap_or_else(|| if windows { path.replace('\\', "/") } else { path.to_owned() })
        };
        let allowed = allowed_paths
            .iter()
            .filter(|path| !path.is_empty())
            .map(|path| spelled(path))
            .map(|path| match path.strip_prefix("~/") {
                Some(rest) => normalised(&[&context.home, rest]),
                None if path.starts_with('/') => normalised(&[&path]),
                None => normalised(&[&context.root, &path]),
            })
            .collect();
        let roots = std::iter::once(&context.root).chain(&context.roots);
        let roots = roots.map(|root| normalised(&[root])).collect();
        Self {
            windows,
            backslashes,
            roots,
            allowed,
            files: context.files,
            taken: RefCell::default(),
        }
    }

    /// Resolves a path that is used in `cwd`.
    pub(crate) fn locate(&self, path: &str, cwd: &str) -> Located {
        let slashed = self
            .backslashes
            .then(|| windows::slashed(path).unwrap_or_else(|| path.replace('\\', "/")));
        let path = slashed.as_deref().unwrap_or(path);
        // `D:a` is relative to the working directory on `D:`, which only Windows knows.
        let on_drive = windows::on_drive(path).filter(|_| self.windows);
        let elsewhere = on_drive.map(|(drive, rest)| format!("/{drive}/{HOLE}/{rest}"));
        let path = match (on_drive, &elsewhere) {
            (Some((drive, rest)), _) if self.below(cwd, &format!("/{drive}")).is_some() => rest,
            (_, Some(elsewhere)) => elsewhere,
            _ => path,
        };
        if path.starts_with(is_unknown) {
            // The path may be absolute or relative.
            return Located { path: path.to_owned(), zone: Zone::Protected };
        }
        let start = if path.starts_with('/') { "" } else { cwd };
        let doubtful = path.contains(varies) || start.contains(varies);
        let climbs = doubtful && (has_parent(path) || has_parent(start));
        let absolute = normalised(&[start, path]);
        let (path, start) = match proc_link(&absolute) {
            Some(("cwd", rest)) => (normalised(&[cwd, rest]), cwd),
            Some(("root", rest)) => (normalised(&[rest]), ""),
            _ => (absolute, start),
        };
        let rooted = start.is_empty() || start.starts_with('/');
        let zone = if climbs || !rooted { Zone::Protected } else { self.zone(&path) };
        Located { path, zone }
    }

    /// The path relative to the workspace, if it lies inside.
    pub(crate) fn relative(&self, path: &str) -> String {
        match self.below(path, &self.roots[0]) {
            Some("") => ".".to_owned(),
            Some(rest) => rest.to_owned(),
            None if self.windows => windows::native(path),
            None => path.to_owned(),
        }
    }

    fn zone(&self, path: &str) -> Zone {
        if self.allowed.iter().any(|allowed| self.below(path, allowed).is_some()) {
            return Zone::Exempt;
        }
        let system = path.starts_with("/dev/") || path.starts_with("/proc/");
        let parts: Vec<&str> = if system { components(path).collect() } else { Vec::new() };
        if STREAMS.contains(&path) || is_descriptor(&parts) {
            return Zone::Descriptor;
        }
        let known = !path.contains(varies);
        if self.windows && known && components(path).skip(1).any(windows::is_device) {
            return Zone::Exempt;
        }
        let protected = match self.files.filter(|_| known && !leaves_proc(&parts)) {
            Some(files) => self.are_taken(files, path),
            None => leaves_proc(&parts) || self.roots.iter().any(|root| self.may_be_in(root, path)),
        };
        if protected { Zone::Protected } else { Zone::Exempt }
    }

    fn are_taken(&self, files: &dyn Files, path: &str) -> bool {
        if let Some(taken) = self.taken.borrow().get(path) {
            return *taken;
        }
        let taken =
            if self.windows { files.take(&windows::native(path)) } else { files.take(path) };
        self.taken.borrow_mut().insert(path.to_owned(), taken);
        taken
    }

    /// Whether a path, unknown parts taken into account, could lie in a root.
    fn may_be_in(&self, root: &str, path: &str) -> bool {
        if self.below(path, root).is_some() {
            return root != "/" || !SYSTEM.iter().any(|place| self.below(path, place).is_some());
        }
        let mut parts = components(path);
        for root in components(root) {
            let Some(mine) = parts.next() else {
                return false;
            };
            match mine.find(varies) {
                Some(known) if self.starts_with(root, &mine[..known]) => return true,
                _ if self.same(mine, root) => {}
                _ => return false,
            }
        }
        true
    }

    /// The rest of a path after this directory, if the path lies in it or names it.
    fn below<'p>(&self, path: &'p str, directory: &str) -> Option<&'p str> {
        if !self.windows {
            let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
            return if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') };
        }
        let mut rest = path.strip_prefix('/')?;
        for wanted in components(directory) {
            let (part, others) = rest.split_once('/').unwrap_or((rest, ""));
            if !self.same(part, wanted) {
                return None;
            }
            rest = others;
        }
        Some(rest)
    }

    /// Whether two names are the same on this system.
    fn same(&self, a: &str, b: &str) -> bool {
        if self.windows { windows::same(a, b) } else { a == b }
    }

    fn starts_with(&self, name: &str, start: &str) -> bool {
        name.starts_with(start)
            || self.windows && name.to_lowercase().starts_with(&start.to_lowercase())
    }
}

/// Whether a character in a path can stand for others.
fn varies(c: char) -> bool {
    is_unknown(c) || matches!(c, '*' | '?' | '[')
}

fn has_parent(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// Joins pieces to an absolute path without `.`, `..` and needless slashes.
fn normalised(pieces: &[&str]) -> String {
    let mut out = String::with_capacity(pieces.iter().map(|piece| piece.len() + 1).sum());
    for piece in pieces {
        let piece = piece.strip_prefix('/').unwrap_or(piece);
        if is_normalised(piece) {
            out.push('/');
            out.push_str(piece);
            continue;
        }
        for part in piece.split('/') {
            match part {
                "" | "." => {}
                ".." => out.truncate(out.rfind('/').unwrap_or(0)),
                part => {
                    out.push('/');
                    out.push_str(part);
                }
            }
        }
    }
    if out.is_empty() {
        out.push('/');
    }
    out
}

/// Whether no component is empty or starts with a dot, so that a piece needs no change.
fn is_normalised(piece: &str) -> bool {
    let mut before = b'/';
    for byte in piece.bytes() {
        if before == b'/' && matches!(byte, b'/' | b'.') {
            return false;
        }
        before = byte;
    }
    before != b'/'
}

/// The components of a normalised path.
fn components(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// The link in a path below `/proc`, and the rest: `cwd` and `x` for `/proc/self/cwd/x`.
fn proc_link(path: &str) -> Option<(&str, &str)> {
    let (_process, rest) = path.strip_prefix("/proc/")?.split_once('/')?;
    // `/proc/self/task/7/cwd` leads to the same place.
    let rest = match rest.strip_prefix("task/") {
        Some(task) => task.split_once('/')?.1,
        None => rest,
    };
    Some(rest.split_once('/').unwrap_or((rest, "")))
}

fn is_descriptor(parts: &[&str]) -> bool {
    matches!(parts, ["dev", "fd", _] | ["proc", _, "fd", _] | ["dev", "tcp" | "udp", ..])
}

/// Whether a path leads through a descriptor or an unknown link, as `/dev/fd/3/x` does.
fn leaves_proc(parts: &[&str]) -> bool {
    match parts {
        ["dev", "fd", _, _, ..] | ["proc", _, "fd", _, _, ..] => true,
        // An unknown component may be `cwd` or `root`.
        ["proc", _, link, _, ..] => link.contains(varies) || *link == "task" && parts.len() > 4,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn every_spelling_of_a_path_is_normalised_to_one() {
        for (pieces, wanted) in [
            (["/w", "a/b"], "/w/a/b"),
            (["/w/", "a//b/"], "/w/a/b"),
            (["/w", "./a/./b/."], "/w/a/b"),
            (["/w/x", "../a/c/../b"], "/w/a/b"),
            (["/w", "../../a"], "/a"),
            (["/w", ".."], "/"),
            (["", "/w/.a/..b"], "/w/.a/..b"),
            (["", ""], "/"),
            (["w", "a"], "/w/a"),
        ] {
            assert_eq!(normalised(&pieces), wanted, "{pieces:?}");
        }
    }
}
