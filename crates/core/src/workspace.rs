//! Which file a path refers to.
//!
//! Models and people spell paths in many ways: relative to the root, absolute, with `~`, with pi's
//! `@` in front, with `:10-20` at the end. [`Workspace::find`] understands all of these and returns
//! one [`Location`], or similar names that the caller may have meant. It looks at the disk and
//! opens nothing; the transaction decides whether a file may be written.

mod file_url;
mod near;
mod worktrees;

use std::io::ErrorKind::PermissionDenied;
use std::path::{Component, Path, PathBuf, is_separator};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{fs, show};
use hashline_text::LineNumber;

/// The directories a session works in.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    /// Other directories of the workspace, as the caller spelled them.
    other_roots: Vec<PathBuf>,
    /// The directory that relative paths start from.
    base: PathBuf,
    home: Option<PathBuf>,
    /// All roots when they were last determined; empty before that.
    known: Arc<Mutex<Vec<PathBuf>>>,
}

/// The file that a spelled path refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The path as the caller spelled it, but without `@` and line numbers.
    pub name: String,
    /// The absolute path, with symbolic links left in it.
    pub path: PathBuf,
    /// The lines that were asked for with the path.
    pub lines: Option<LineRange>,
}

/// Lines named after a path, as in `file:10-20`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineRange {
    /// The first line.
    pub first: LineNumber,
    /// The last line; `None` is the end of the file.
    pub last: Option<LineNumber>,
}

/// There is nothing at the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The path as the caller spelled it.
    pub name: String,
    /// Existing names that are similar, best first.
    pub near: Vec<String>,
    /// Why we cannot tell which file is meant, if so.
    pub unclear: Option<&'static str>,
}

/// The reason if several files are printed with the same name.
const AMBIGUOUS: &str = "is how several files are shown, whose names are not UTF-8: rename them";

/// The reason if the line numbers after a file's name are impossible.
const IMPOSSIBLE_LINES: &str =
    "names no lines: they are counted from 1, and the first of a range comes first";

/// The reason if we may not read the file's directory.
const UNREADABLE_DIRECTORY: &str = "cannot be looked for: permission denied for its directory";

impl Workspace {
    /// A workspace at an existing directory.
    pub(crate) fn new(root: &Path) -> std::io::Result<Self> {
        let root = fs::canonical(root)?;
        if fs::stat(&root)?.kind != fs::FileKind::Directory {
            return Err(std::io::ErrorKind::NotADirectory.into());
        }
        Ok(Self::at(root))
    }

    /// A workspace at a canonical path, where a directory need not exist.
    pub(crate) fn at(root: PathBuf) -> Self {
        let (base, home) = (root.clone(), fs::home());
        Self { root, other_roots: Vec::new(), base, home, known: Arc::default() }
    }

    /// The same workspace, with relative paths taken from `base`.
    #[must_use]
    pub(crate) fn with_base(mut self, base: &Path) -> Self {
        self.base = fs::canonical(base).unwrap_or_else(|_| base.to_owned());
        self
    }

    /// The same workspace with other directories that belong to it; relative ones start from the
    /// root.
    #[must_use]
    pub(crate) fn with_roots(self, other_roots: Vec<PathBuf>) -> Self {
        Self { other_roots, ..self }
    }

    /// All present roots as canonical paths, sorted: the first one, those that were given, and the
    /// other worktrees of the repository.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        let given = self.other_roots.iter().filter_map(|root| {
            fs::canonical(&self.expanded(&self.root, &root.to_string_lossy())).ok()
        });
        let mut roots: Vec<PathBuf> = given.chain(worktrees::others(&self.root)).collect();
        roots.push(self.root.clone());
        roots.sort();
        roots.dedup();
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&roots);
        roots
    }

    /// The root that contains a canonical path; the innermost, if there are several. If no known
    /// root does, the roots are determined again.
    pub(crate) fn root_of(&self, path: &Path) -> Option<PathBuf> {
        let inmost = |roots: &[PathBuf]| {
            let around = roots.iter().filter(|root| path.starts_with(root));
            around.max_by_key(|root| root.as_os_str().len()).cloned()
        };
        let known = inmost(&self.known.lock().unwrap_or_else(PoisonError::into_inner));
        known.or_else(|| inmost(&self.roots()))
    }

    /// The first root, symbolic links followed.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory that relative paths start from.
    pub(crate) fn base(&self) -> &Path {
        &self.base
    }

    /// The existing file or directory that `spelled` refers to.
    ///
    /// A file whose name is literally `@x` or `a:1` comes before any other meaning of these.
    pub(crate) fn find(&self, spelled: &str) -> Result<Location, Missing> {
        let spelled = spelled.trim_matches(['\n', '\r']);
        let from_url = file_url::path_of(spelled);
        let spelled = from_url.as_deref().unwrap_or(spelled);
        let mut spellings = vec![(spelled, None)];
        spellings.extend(cut_lines(spelled));
        spellings.extend(show::header_path(spelled).map(|name| (name, None)));
        let bare = |(name, lines)| {
            let name: &str = name;
            name.strip_prefix('@').map(|name| (name, lines))
        };
        let marked: Vec<_> = spellings.iter().copied().filter_map(bare).collect();
        spellings.extend(marked);
        for &(name, lines) in &spellings {
            let path = self.absolute(name);
            if !name.is_empty() && fs::exists(&path) {
                let name = name.to_owned();
                return Ok(Location { name, path, lines });
            }
        }
        // The model may send a name as we printed it, with control characters escaped.
        for &(name, lines) in &spellings {
            if let Some(raw) = show::name_of(name)
                && fs::exists(&self.absolute(&raw))
            {
                return Ok(Location { path: self.absolute(&raw), name: raw, lines });
            }
        }
        for &(name, lines) in &spellings {
            let mut alike = near::shown_alike(&self.absolute(name));
            let name = name.to_owned();
            match (alike.pop(), alike.len()) {
                (Some(path), 0) => return Ok(Location { name, path, lines }),
                (Some(_), _) => {
                    return Err(Missing { name, near: Vec::new(), unclear: Some(AMBIGUOUS) });
                }
                (None, _) => {}
            }
        }
        let (name, _) = spellings.last().copied().unwrap_or((spelled, None));
        if fs::stat(&self.absolute(name)).is_err_and(|error| error.kind() == PermissionDenied) {
            let name = name.to_owned();
            return Err(Missing { name, near: Vec::new(), unclear: Some(UNREADABLE_DIRECTORY) });
        }
        if without_numbers(name).is_some_and(|name| fs::exists(&self.absolute(name))) {
            let name = name.to_owned();
            return Err(Missing { name, near: Vec::new(), unclear: Some(IMPOSSIBLE_LINES) });
        }
        let near = near::paths(&self.absolute(name)).into_iter();
        let near = near.map(|path| {
            if Path::new(name).is_absolute() {
                path.to_string_lossy().into_owned()
            } else {
                self.show(&path)
            }
        });
        Err(Missing { name: name.to_owned(), near: near.collect(), unclear: None })
    }

    /// The absolute path of a name; `~`, `.` and `..` are resolved without looking at the disk.
    pub(crate) fn absolute(&self, name: &str) -> PathBuf {
        self.expanded(&self.base, name)
    }

    fn expanded(&self, base: &Path, name: &str) -> PathBuf {
        let expanded = match (name.strip_prefix('~'), &self.home) {
            (Some(""), Some(home)) => home.clone(),
            (Some(rest), Some(home)) if rest.starts_with(is_separator) => home.join(&rest[1..]),
            _ => PathBuf::from(name),
        };
        let mut path = PathBuf::new();
        for component in base.join(expanded).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    path.pop();
                }
                _ => path.push(component),
            }
        }
        path
    }

    /// The directory that a host names `spelled`.
    ///
    /// An address such as `local://` is not a directory of the workspace; commands for it run in
    /// the directory for temporary files.
    pub(crate) fn directory(&self, spelled: &str) -> PathBuf {
        match file_url::path_of(spelled) {
            Some(path) => self.absolute(&path),
            None if spelled.contains("://") => fs::scratch_directory(),
            None => self.absolute(spelled.strip_prefix('@').unwrap_or(spelled)),
        }
    }

    /// Why no file can have this name; `None` if one can.
    pub(crate) fn why_no_file_name(&self, spelled: &str) -> Option<&'static str> {
        /// The maximum length of a name in bytes, on all common file systems.
        const MAX_NAME_LEN: usize = 255;
        if spelled.contains('\0') {
            return Some("holds a NUL character");
        }
        if spelled.trim_end_matches(['\n', '\r']).ends_with(is_separator) {
            return Some("names a directory, not a file");
        }
        let path = self.absolute(spelled.trim_matches(['\n', '\r']));
        let mut names = path.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        names.find_map(|name| {
            if name.len() > MAX_NAME_LEN {
                return Some("has a name of more than 255 bytes");
            }
            (cfg!(windows) && hashline_guard::is_reserved(&name.to_string_lossy()))
                .then_some("has a name that Windows keeps for itself")
        })
    }

    /// The path under which the memory keeps a file: always the same one, however the file was
    /// named.
    #[expect(clippy::unused_self, reason = "keys are made by their workspace")]
    pub(crate) fn key(&self, path: &Path) -> PathBuf {
        fs::canonical(path).unwrap_or_else(|_| path.to_owned())
    }

    /// The path as we print it: relative, if it is inside the directory that relative paths start
    /// from.
    pub(crate) fn show(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.base).unwrap_or(path).to_string_lossy();
        if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
    }
}

/// Splits `:10`, `:10-20`, `:10-` or a compiler's `:10:5` off the end of a path; `None` if there is
/// no such end.
fn cut_lines(spelled: &str) -> Option<(&str, Option<LineRange>)> {
    let (name, last) = spelled.rsplit_once(':')?;
    let lines = parse_lines(last)?;
    // In `file:10:5` the last number is a column.
    if let Some((shorter, line)) = name.rsplit_once(':')
        && let Some(line) = parse_lines(line)
    {
        return Some((shorter, Some(line)));
    }
    Some((name, Some(lines)))
}

/// The path before a text that looks like line numbers but is impossible, such as `:9-3` or `:0`.
fn without_numbers(spelled: &str) -> Option<&str> {
    let (name, numbers) = spelled.rsplit_once(':')?;
    let is_number = |c: char| c.is_ascii_digit() || "-Ll".contains(c);
    (numbers.contains(|c: char| c.is_ascii_digit()) && numbers.chars().all(is_number))
        .then_some(name)
}

fn parse_lines(text: &str) -> Option<LineRange> {
    let number = |text: &str| {
        let digits = text.strip_prefix(['L', 'l']).unwrap_or(text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten().and_then(LineNumber::new)
    };
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, Some(number(text)?)),
        Some((first, "")) => (number(first)?, None),
        Some((first, last)) => (number(first)?, Some(number(last)?)),
    };
    let ordered = last.is_none_or(|last| first <= last);
    ordered.then_some(LineRange { first, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(first: usize, last: Option<usize>) -> LineRange {
        LineRange {
            first: LineNumber::new(first).unwrap(),
            last: last.map(|last| LineNumber::new(last).unwrap()),
        }
    }

    #[test]
    fn lines_are_read_off_the_end_of_a_path() {
        let check = |spelled, expected: Option<(&str, LineRange)>| {
            let expected = expected.map(|(name, lines)| (name, Some(lines)));
            assert_eq!(cut_lines(spelled), expected, "{spelled}");
        };
        check("a.rs:10", Some(("a.rs", lines(10, Some(10)))));
        check("a.rs:10-20", Some(("a.rs", lines(10, Some(20)))));
        check("a.rs:10-", Some(("a.rs", lines(10, None))));
        check("a.rs:L10-L20", Some(("a.rs", lines(10, Some(20)))));
        check("a.rs:10:5", Some(("a.rs", lines(10, Some(10)))));
        check("C:/x.rs:3", Some(("C:/x.rs", lines(3, Some(3)))));
        check("a.rs", None);
        check("a.rs:", None);
        check("a.rs:0", None);
        check("a.rs:20-10", None);
        check("a.rs:x", None);
        check("a.rs:+3", None);
        check("C:/x.rs", None);
    }

    #[test]
    fn impossible_file_names_are_refused() {
        let workspace = Workspace::at(PathBuf::from("/w"));
        let check = |name: &str, part: &str| {
            let why = workspace.why_no_file_name(name);
            assert!(why.is_some_and(|why| why.contains(part)), "{name}: {why:?}");
        };
        check("a\0b", "NUL");
        check("a/b/", "a directory");
        check(&format!("{}/x", "n".repeat(256)), "255 bytes");
        assert_eq!(workspace.why_no_file_name(&"n".repeat(255)), None);
        assert_eq!(workspace.why_no_file_name("a b/c"), None);
        // The guard has the table of such names: it ignores files that the tool refuses anyway.
        if cfg!(windows) {
            check("a/aux.txt", "Windows keeps");
        }
    }

    #[test]
    fn a_path_is_made_absolute_by_its_text() {
        let home = Some(PathBuf::from("/h"));
        let workspace = Workspace { home, ..Workspace::at(PathBuf::from("/w")) };
        let check = |name, path: &str| {
            assert_eq!(workspace.absolute(name), Path::new(path), "{name}");
        };
        check("a b", "/w/a b");
        check("./a/../b", "/w/b");
        check("../x", "/x");
        check("../../../x", "/x");
        check("/etc/x", "/etc/x");
        check("~", "/h");
        check("~/x", "/h/x");
        check("~x", "/w/~x");
        check(".", "/w");
    }
}
