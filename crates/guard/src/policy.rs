//! Which places are protected.
//!
//! Everything is, except scratch space, devices, kernel views and system logs; the workspace wins
//! over all of them. The rule works on text: nothing here asks the disk, so a symbolic link is
//! what its name says.

use std::borrow::Cow;

use crate::unknown::is_unknown;
use crate::windows;

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

/// A path after normalisation ([`normalised`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    /// The absolute path, unknown stretches included.
    pub(crate) path: String,
    /// Its zone.
    pub(crate) zone: Zone,
}

/// Places that are exempt everywhere.
const EXEMPT: [&str; 12] = [
    "/dev", "/proc", "/sys", "/run", "/var/run", "/tmp", "/var/tmp", "/var/log",
    // Where macOS keeps them.
    "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders",
];

const STREAMS: [&str; 4] = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"];

/// The rule for one workspace. All its paths are [`normalised`].
#[derive(Debug)]
pub(crate) struct Policy {
    /// Whether drive letters are paths, and case does not count.
    windows: bool,
    root: String,
    /// Directories for temporary files that the environment names.
    temporary: Vec<String>,
    allowed: Vec<String>,
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
            .map(|(_, value)| normalised(&[value]))
            .filter(|path| path != "/")
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
                Some(rest) => normalised(&[&context.home, rest]),
                None if path.starts_with('/') => normalised(&[&path]),
                None => normalised(&[&context.root, &path]),
            })
            .collect();
        Self { windows, root: normalised(&[&context.root]), temporary, allowed }
    }

    /// Finds the place a path names when it is used in `cwd`.
    pub(crate) fn locate(&self, path: &str, cwd: &str) -> Located {
        // No name holds a backslash there: it separates, as a slash does.
        let slashed =
            self.windows.then(|| windows::slashed(path).unwrap_or_else(|| path.replace('\\', "/")));
        let path = slashed.as_deref().unwrap_or(path);
        if path.starts_with(is_unknown) {
            // It may be absolute or not.
            return Located { path: path.to_owned(), zone: Zone::Protected };
        }
        let start = if path.starts_with('/') { "" } else { cwd };
        let doubtful = path.contains(varies) || start.contains(varies);
        let climbs = doubtful && (has_parent(path) || has_parent(start));
        let absolute = normalised(&[start, path]);
        let (path, start) = match proc_link(&absolute) {
            Some(ProcLink::Cwd(rest)) => (normalised(&[cwd, rest]), cwd),
            Some(ProcLink::Root(rest)) => (normalised(&[rest]), ""),
            None => (absolute, start),
        };
        let rooted = start.is_empty() || start.starts_with('/');
        let zone = if climbs || !rooted { Zone::Protected } else { self.zone(&path) };
        Located { path, zone }
    }

    /// The path as a caller in the workspace would write it.
    pub(crate) fn relative(&self, path: &str) -> String {
        match self.below(path, &self.root) {
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
        if self.may_be_in_workspace(path) || leaves_proc(&parts) {
            return Zone::Protected;
        }
        if EXEMPT.iter().any(|exempt| self.below(path, exempt).is_some())
            || self.temporary.iter().any(|temporary| self.below(path, temporary).is_some())
        {
            Zone::Exempt
        } else {
            Zone::Protected
        }
    }

    /// Whether a path, unknown stretches taken into account, could lie in the workspace.
    fn may_be_in_workspace(&self, path: &str) -> bool {
        if self.root == "/" {
            return false;
        }
        if self.below(path, &self.root).is_some() {
            return true;
        }
        let mut parts = components(path);
        for root in components(&self.root) {
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

    /// What follows a directory in a path that lies in it or names it.
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

fn has_parent(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// The path that pieces make one after the other, from the root and with `.`, `..` and needless
/// slashes taken out.
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

/// Whether no component is empty or starts with a dot, so that a piece can be taken as it is.
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

/// A link of `/proc` that leads to a directory, and what follows it.
enum ProcLink<'p> {
    Cwd(&'p str),
    Root(&'p str),
}

/// `/proc/self/cwd/x` is `x`, `/proc/1/root/x` is `/x`.
fn proc_link(path: &str) -> Option<ProcLink<'_>> {
    let (_process, rest) = path.strip_prefix("/proc/")?.split_once('/')?;
    // `/proc/self/task/7/cwd` leads to the same place.
    let rest = match rest.strip_prefix("task/") {
        Some(task) => task.split_once('/')?.1,
        None => rest,
    };
    let (link, rest) = rest.split_once('/').unwrap_or((rest, ""));
    match link {
        "cwd" => Some(ProcLink::Cwd(rest)),
        "root" => Some(ProcLink::Root(rest)),
        _ => None,
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
