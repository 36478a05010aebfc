//! Reading each file that a patch names, once.

use std::collections::HashMap;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::Session;
use crate::cancel::{Cancel, Cancelled};
use crate::content::{ContentKind, SNIFFED_BYTES, Texts};
use crate::patch::{Change, Patch};
use crate::plan::{Before, FileState, OpTarget, Refusal, RefusalCode};
use crate::read::ReadRefusal;
use crate::workspace::Missing;
use crate::{fs, show};

/// A file larger than this is not edited by line.
const MAX_BYTES: usize = 1 << 30;

/// The present files of a patch. The first two lists have one entry for each file.
#[derive(Default)]
pub(super) struct Targets {
    /// Where each file is, symbolic links followed.
    pub paths: Vec<PathBuf>,
    /// The input of the plan.
    pub files: Vec<Before>,
    /// Which files each operation refers to, as indexes into the other lists.
    pub of_ops: Vec<OpTarget>,
}

impl Session {
    /// Reads every file that the patch names, and refuses those that may not be edited. They are
    /// treated as missing, so that the rest of the patch can be planned.
    pub(super) fn gather(
        &self,
        patch: &Patch,
        cancel: &Cancel,
    ) -> Result<(Targets, Vec<Refusal>), Cancelled> {
        let mut gathering =
            Gathering { session: self, cancel, known: HashMap::new(), targets: Targets::default() };
        let mut refusals = Vec::new();
        for (index, op) in patch.ops.iter().enumerate() {
            cancel.check()?;
            let to = match &op.change {
                Change::MoveFile { to } => Some((gathering.find_moved(index, &op.path, to), to)),
                Change::Transfer { to, .. } => {
                    let to = to.as_ref().unwrap_or(&op.path);
                    Some((gathering.find(index, to), to))
                }
                _ => None,
            };
            let file = gathering.find(index, &op.path);
            let mut known = |found: Result<usize, Box<Refusal>>, spelled: &str| {
                found.unwrap_or_else(|refusal| {
                    refusals.push(*refusal);
                    let nothing = Before::new(spelled, FileState::Missing, Vec::new());
                    gathering.targets.add(PathBuf::new(), nothing)
                })
            };
            let file = known(file, &op.path);
            let to = to.map(|(goal, spelled)| known(goal, spelled));
            gathering.targets.of_ops.push(OpTarget { file, to });
        }
        // If a read was cancelled, its file only seems to be unreadable.
        cancel.check()?;
        Ok((gathering.targets, refusals))
    }

    /// The names of the file that a patch calls `spelled`: its real name first, then the link that
    /// leads to it.
    pub fn names_to_write(&self, spelled: &str) -> Vec<String> {
        let found = self.workspace.find(spelled);
        self.names(&found.map_or_else(|_| self.path_of_missing(spelled), |location| location.path))
    }

    /// Like [`Self::names_to_write`], for a file or directory to read. An address that only a host
    /// can read is returned unchanged.
    pub fn names_to_read(&self, spelled: &str) -> Vec<String> {
        match self.workspace.find(spelled) {
            Ok(location) => self.names(&location.path),
            Err(_) if spelled.contains("://") => vec![spelled.to_owned()],
            Err(missing) => self.names(&self.workspace.absolute(&missing.name)),
        }
    }

    fn names(&self, path: &Path) -> Vec<String> {
        let mut names = vec![self.workspace.show(&follow(path)), self.workspace.show(path)];
        names.dedup();
        names
    }

    /// The path at which a missing file would be created.
    fn path_of_missing(&self, spelled: &str) -> PathBuf {
        let bare = spelled.trim_matches(['\n', '\r']);
        self.workspace.absolute(bare.strip_prefix('@').unwrap_or(bare))
    }

    /// The canonical path of the file that `spelled` refers to, if it may be written to; and if it
    /// is missing, similar names.
    fn locate(&self, op: usize, spelled: &str) -> Result<(PathBuf, Vec<String>), Box<Refusal>> {
        let printed = show::name(spelled);
        let refuse = |code, reason: String| Err(Box::new(Refusal::new(op, code, spelled, reason)));
        if let Some(why) = self.workspace.why_no_file_name(spelled) {
            return refuse(RefusalCode::BadPath, format!("`{printed}` {why}"));
        }
        let (path, near) = match self.workspace.find(spelled) {
            Ok(location) => (location.path, Vec::new()),
            Err(Missing { unclear: Some(why), .. }) => {
                return refuse(RefusalCode::Unreadable, format!("`{printed}` {why}"));
            }
            Err(missing) => (self.path_of_missing(spelled), missing.near),
        };
        let path = follow(&path);
        match self.why_not_writable(&path) {
            Some(code @ RefusalCode::GitDirectory) => refuse(
                code,
                format!(
                    "`{printed}` belongs to Git, which runs programs named there; \
                     ask the user to change it, or to set `allowGit`"
                ),
            ),
            Some(code) => {
                let root = self.workspace.root().display();
                let reason = format!(
                    "`{printed}` lies outside the workspace `{root}`, where nothing is written"
                );
                refuse(code, reason)
            }
            None => Ok((path, near)),
        }
    }

    /// Why a canonical path may not be written to; `None` if it may.
    fn why_not_writable(&self, path: &Path) -> Option<RefusalCode> {
        let root = self.workspace.root_of(path);
        if !self.options.allow_outside && root.is_none() {
            return Some(RefusalCode::OutsideRoot);
        }
        let below = root.as_deref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        (!self.options.allow_git && is_in_git_directory(below)).then_some(RefusalCode::GitDirectory)
    }

    /// The roots, except for the first, that contain one of these paths.
    pub(super) fn other_roots_of<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> =
            paths.into_iter().filter_map(|path| self.workspace.root_of(path)).collect();
        roots.sort();
        roots.dedup();
        roots.retain(|root| root != self.workspace.root());
        roots
    }

    /// Whether the first bytes of a regular file look like text.
    fn looks_like_text(&self, path: &Path) -> bool {
        let mut head = Vec::new();
        let read =
            fs::open(path).map(|(file, _)| file.take(SNIFFED_BYTES as u64).read_to_end(&mut head));
        matches!(read, Ok(Ok(_))) && self.kind(path, &head) == ContentKind::Text
    }

    /// Whether our tools can handle a path: they may write there, and it holds a directory, a text,
    /// or nothing yet. The guard protects only such paths.
    pub(super) fn can_handle(&self, path: &Path) -> bool {
        let path = follow(path);
        let scratch = fs::scratch_directory();
        let places = [scratch.as_path(), Path::new("/dev"), Path::new("/proc"), Path::new("/sys")];
        let inside = self.workspace.root_of(&path).is_some();
        if self.why_not_writable(&path).is_some()
            || !inside && places.iter().any(|place| path.starts_with(place))
        {
            return false;
        }
        match fs::stat(&path) {
            Ok(stat) if stat.kind == fs::FileKind::File => {
                stat.size <= MAX_BYTES as u64 && self.looks_like_text(&path)
            }
            Ok(stat) => stat.kind == fs::FileKind::Directory,
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }
}

/// Whether a path relative to a root is in a `.git` directory, or is a `.git` file that points to
/// one.
fn is_in_git_directory(below: &Path) -> bool {
    // Many file systems ignore case, and Windows has short names.
    let is_git = |name: &str| {
        name.eq_ignore_ascii_case(".git") || (cfg!(windows) && name.eq_ignore_ascii_case("git~1"))
    };
    below.components().any(|part| part.as_os_str().to_str().is_some_and(is_git))
}

struct Gathering<'a> {
    session: &'a Session,
    cancel: &'a Cancel,
    /// The index of each path in the lists.
    known: HashMap<PathBuf, usize>,
    targets: Targets,
}

impl Gathering<'_> {
    /// The index of the file that operation `op` names, which is read unless it was read already.
    fn find(&mut self, op: usize, spelled: &str) -> Result<usize, Box<Refusal>> {
        let (path, near) = self.session.locate(op, spelled)?;
        if let Some(at) = self.known.get(&path) {
            return Ok(*at);
        }
        let written = self.session.stat_after_write(&path);
        let versions = self.session.remembered.versions(&path);
        let state = read_target(op, spelled, &path, written, self.session, self.cancel)?;
        let remembered = &self.session.remembered;
        let mut before = Before::new(spelled, state, versions);
        if matches!(before.state, FileState::Missing) {
            before.encoding = self.session.encoding_of_new(&path);
        }
        let (shared, view) = (remembered.is_shared(&path), remembered.known(&path, None).0);
        Ok(self.add(path, Before { shared, view, near, ..before }))
    }

    /// The index of the file that a move of `from` leads to.
    ///
    /// On a file system that ignores case, `README.md` also finds a file named `readme.md`. When
    /// that file is moved to `README.md`, it is not in the way: it only gets another name.
    fn find_moved(&mut self, op: usize, from: &str, to: &str) -> Result<usize, Box<Refusal>> {
        if let (Ok((source, _)), Ok((goal, _))) =
            (self.session.locate(op, from), self.session.locate(op, to))
            && source == goal
            && let Some(goal) = in_other_case(&source, &self.session.workspace.absolute(to))
        {
            return Ok(self.add(goal, Before::new(to, FileState::Missing, Vec::new())));
        }
        self.find(op, to)
    }

    fn add(&mut self, path: PathBuf, before: Before) -> usize {
        let at = self.targets.add(path.clone(), before);
        self.known.insert(path, at);
        at
    }
}

impl Targets {
    fn add(&mut self, path: PathBuf, before: Before) -> usize {
        self.files.push(before);
        self.paths.push(path);
        self.paths.len() - 1
    }
}

/// The path of `file` with the name from `spelled`, if the two names differ only in case.
fn in_other_case(file: &Path, spelled: &Path) -> Option<PathBuf> {
    let (own, name) = (file.file_name()?, spelled.file_name()?);
    let same = own.to_str()?.to_lowercase() == name.to_str()?.to_lowercase();
    if own == name || !same {
        return None;
    }
    // On a file system that respects case, an entry of that name is a link to the file.
    let entries = fs::entries(file.parent()?).ok()?;
    entries.iter().all(|entry| entry.name != name).then(|| file.with_file_name(name))
}

/// Follows symbolic links in the part of the path that exists.
fn follow(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonical(path) {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => follow(parent).join(name),
        _ => path.to_owned(),
    }
}

/// Reads what is at a path.
fn read_target(
    op: usize,
    spelled: &str,
    path: &Path,
    written: Option<fs::Stat>,
    texts: &dyn Texts,
    cancel: &Cancel,
) -> Result<FileState, Box<Refusal>> {
    let printed = show::name(spelled);
    let refuse = |code, reason: String| Err(Box::new(Refusal::new(op, code, spelled, reason)));
    let bytes = match fs::contents_at_rest(path, MAX_BYTES, written, cancel.flag()) {
        Ok(bytes) => bytes,
        Err(fs::ReadError::Io(error))
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                && !fs::exists(path) =>
        {
            return Ok(FileState::Missing);
        }
        Err(fs::ReadError::NotAFile(kind)) => {
            return refuse(RefusalCode::NotAFile, format!("`{printed}` is {kind}, not a file"));
        }
        Err(fs::ReadError::TooLarge) => {
            return refuse(RefusalCode::TooLarge, format!("`{printed}` is larger than 1 GB"));
        }
        Err(error) => {
            return refuse(RefusalCode::Unreadable, format!("`{printed}` cannot be read: {error}"));
        }
    };
    let size = bytes.len() as u64;
    if let Err(refusal) = ReadRefusal::unless_text(spelled, texts.kind(path, &bytes), size) {
        return Ok(FileState::Opaque(refusal.to_string(), bytes.into()));
    }
    Ok(FileState::Text(texts.document(path, bytes)))
}
