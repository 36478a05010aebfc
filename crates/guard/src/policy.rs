//! Which places are protected.
//!
//! Everything is, except scratch space, devices, kernel views and system logs; the workspace wins
//! over all of them. The rule works on text: nothing here asks the disk, so a symbolic link is
//! what its name says.

use std::borrow::Cow;

use super::unknown::is_unknown;
use super::windows;

/// Where a command runs.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The workspace.
    pub root: String,
    /// The directory the shell starts in.
    pub cwd: String,
    /// The home directory.
    pub home: String,
    /// Environment variables that are known.
    pub env: Vec<(String, String)>,
}

impl Context {
    /// Whether the workspace is on Windows, by how its root is spelled.
    fn is_windows(&self) -> bool {
        windows::slashed(&self.root).is_some()
    }

    /// The same with every path as bash spells it there; itself where the workspace is not on Windows.
    pub(crate) fn for_bash(&self) -> Cow<'_, Self> {
        if !self.is_windows() {
            return Cow::Borrowed(self);
        }
        let slashed = |path: &str| windows::slashed(path).unwrap_or_else(|| path.to_owned());
        Cow::Owned(Self {
            root: slashed(&self.root),
            cwd: slashed(&self.cwd),
            home: slashed(&self.home),
            env: self.env.iter().map(|(name, value)| (name.clone(), slashed(value))).collect(),
        })
    }
}

/// Variables that name the directory for temporary files; the last two are those of Windows.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];

/// What kind of place a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    /// A standard stream or another open descriptor.
    Descriptor,
    /// Scratch space, a device, a system log.
    Exempt,
    /// Everything else, known or not.
    Protected,
}

/// A path after normalisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The absolute path, unknown stretches included.
    pub(crate) path: String,
    /// Its zone.
    pub(crate) zone: Zone,
}

/// Places that are exempt everywhere, as the components of their paths.
const EXEMPT: [&[&str]; 12] = [
    &["dev"],
    &["proc"],
    &["sys"],
    &["run"],
    &["var", "run"],
    &["tmp"],
    &["var", "tmp"],
    &["var", "log"],
    // Where macOS keeps them.
    &["private", "tmp"],
    &["private", "var", "tmp"],
    &["var", "folders"],
    &["private", "var", "folders"],
];

const STREAMS: [&str; 4] = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// The rule for one workspace.
#[derive(Debug)]
pub(crate) struct Policy {
    /// Whether drive letters are paths, and case does not count.
    windows: bool,
    root: Vec<String>,
    /// Directories for temporary files that the environment names.
    temporary: Vec<Vec<String>>,
    allowed: Vec<Vec<String>>,
}

impl Policy {
    /// The rule for a context, with places that a user exempts besides.
    pub(crate) fn new(context: &Context, allowed_paths: &[String]) -> Self {
        let windows = context.is_windows();
        let context = context.for_bash();
        let temporary = context
            .env
            .iter()
            .filter(|(name, value)| TEMPORARY.contains(&name.as_str()) && value.starts_with('/'))
            .map(|(_, value)| owned(value))
            .filter(|parts| !parts.is_empty())
            .collect();
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
                Some(rest) => owned(&format!("{}/{rest}", context.home)),
                None if path.starts_with('/') => owned(&path),
                None => owned(&format!("{}/{path}", context.root)),
            })
            .collect();
        Self { windows, root: owned(&context.root), temporary, allowed }
    }

    /// Finds the place a path names when it is used in `cwd`.
    pub(crate) fn locate(&self, path: &str, cwd: &str) -> Located {
        let drive = if self.windows { windows::slashed(path) } else { None };
        // No name holds a backslash there: it separates, as a slash does.
        let slashed = self.windows.then(|| path.replace('\\', "/"));
        let path = slashed.as_deref().unwrap_or(path);
        let absolute = if let Some(path) = drive {
            path
        } else if path.starts_with('/') {
            path.to_owned()
        } else if path.starts_with(is_unknown) {
            // It may be absolute or not.
            return Located { path: path.to_owned(), zone: Zone::Protected };
        } else {
            format!("{cwd}/{path}")
        };
        let doubtful = absolute.contains(varies);
        let climbs = absolute.split('/').any(|part| part == "..");
        let absolute = through_proc(absolute, cwd);
        let parts = parts(&absolute);
        let path = format!("/{}", parts.join("/"));
        let zone = if (doubtful && climbs) || !absolute.starts_with('/') {
            Zone::Protected
        } else {
            self.zone(&path, &parts)
        };
        Located { path, zone }
    }

    /// The path as a caller in the workspace would write it.
    pub(crate) fn relative(&self, path: &str) -> String {
        let parts = parts(path);
        if !path.starts_with('/') || !self.begins(&parts, &self.root) {
            return if self.windows { windows::native(path) } else { path.to_owned() };
        }
        if parts.len() == self.root.len() {
            ".".to_owned()
        } else {
            parts[self.root.len()..].join("/")
        }
    }

    fn zone(&self, path: &str, parts: &[&str]) -> Zone {
        if self.allowed.iter().any(|allowed| self.begins(parts, allowed)) {
            return Zone::Exempt;
        }
        if STREAMS.contains(&path) || is_descriptor(parts) {
            return Zone::Descriptor;
        }
        if self.may_be_in_workspace(parts) || leaves_proc(parts) {
            return Zone::Protected;
        }
        if EXEMPT.iter().any(|exempt| self.begins(parts, exempt))
            || self.temporary.iter().any(|temporary| self.begins(parts, temporary))
        {
            Zone::Exempt
        } else {
            Zone::Protected
        }
    }

    /// Whether a path, unknown stretches taken into account, could lie in the workspace.
    fn may_be_in_workspace(&self, parts: &[&str]) -> bool {
        if self.root.is_empty() {
            return false;
        }
        for (&mine, root) in parts.iter().zip(&self.root) {
            match mine.find(varies) {
                Some(known) if self.starts_with(root, &mine[..known]) => return true,
                _ if self.same(mine, root) => {}
                _ => return false,
            }
        }
        parts.len() >= self.root.len()
    }

    fn begins(&self, parts: &[&str], prefix: &[impl AsRef<str>]) -> bool {
        parts.len() >= prefix.len()
            && parts.iter().zip(prefix).all(|(part, wanted)| self.same(part, wanted.as_ref()))
    }

    /// Whether two names are one on this system.
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

/// The components of an absolute path, `.` and `..` taken out.
fn parts(path: &str) -> Vec<&str> {
    let mut out = Vec::with_capacity(8);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn owned(path: &str) -> Vec<String> {
    parts(path).into_iter().map(str::to_owned).collect()
}

/// `/proc/self/cwd/x` is `x`, `/proc/1/root/x` is `/x`.
fn through_proc(absolute: String, cwd: &str) -> String {
    if !absolute.contains("proc") {
        return absolute;
    }
    let parts = parts(&absolute);
    if parts.len() < 3 || parts[0] != "proc" {
        return absolute;
    }
    // `/proc/self/task/7/cwd` leads to the same place.
    let link = if parts[2] == "task" { 4 } else { 2 };
    match parts.get(link) {
        Some(&"cwd") => format!("{cwd}/{}", parts[link + 1..].join("/")),
        Some(&"root") => format!("/{}", parts[link + 1..].join("/")),
        _ => absolute,
    }
}

fn is_descriptor(parts: &[&str]) -> bool {
    matches!(parts, ["dev", "fd", _] | ["proc", _, "fd", _] | ["dev", "tcp" | "udp", ..])
}

/// `/dev/fd/3/x` and `/proc/self/fd/3/x` lead wherever descriptor 3 does.
fn leaves_proc(parts: &[&str]) -> bool {
    match parts {
        ["dev", "fd", _, _, ..] | ["proc", _, "fd", _, _, ..] => true,
        // An unknown component may be `cwd` or `root`.
        ["proc", _, link, _, ..] => link.contains(varies) || *link == "task" && parts.len() > 4,
        _ => false,
    }
}
