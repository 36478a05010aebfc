//! The workspace before, between and after two patches, and the ways to write them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hashline_core::session::Durability;
use hashline_core::testing::fs::Disk;
use hashline_core::testing::transaction::{DiskChange, FileAction, Ledger, Transaction};

static NEVER: AtomicBool = AtomicBool::new(false);

/// Every file and directory of a workspace; `None` is a directory.
pub type Tree = BTreeMap<String, Option<String>>;

/// The file that a patch of one file changes.
const ONE: &str = "src/a.txt";

/// The way in which patches are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writer {
    /// This program, with the default durability.
    Full,
    /// This program without syncs.
    Fast,
    /// One file after the other, as most programs do.
    Naive,
    /// One file after the other, each written, synced and renamed.
    Careful,
}

impl Writer {
    pub fn named(name: &str) -> Option<Self> {
        [Self::Full, Self::Fast, Self::Naive, Self::Careful]
            .into_iter()
            .find(|writer| writer.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Fast => "fast",
            Self::Naive => "naive",
            Self::Careful => "careful",
        }
    }

    /// Whether it is our own code, which keeps a journal for recovery.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::Full | Self::Fast)
    }
}

/// The two patches that a power cut interrupts.
pub struct Work {
    /// The tree before, after the first, and after the second patch.
    pub trees: [Tree; 3],
    /// Whether both patches change only the file [`ONE`].
    one: bool,
}

impl Work {
    /// The work on files of about `size` lines.
    pub fn new(size: usize) -> Self {
        let text = |name: &str, generation: usize, lines: usize| -> String {
            let line = |at| format!("{name} {at} of generation {generation}\n");
            (0..lines).map(line).collect()
        };
        let tree = |files: &[(&str, String)]| -> Tree {
            let mut tree = Tree::new();
            for (path, text) in files {
                let directory = path.split('/').next().expect("a directory");
                tree.insert(directory.to_owned(), None);
                tree.insert((*path).to_owned(), Some(text.clone()));
            }
            tree
        };
        let linked = |generation| {
            let lines = if generation == 0 { size / 2 } else { size / 3 };
            [
                ("lib/k.txt", text("k", generation, lines)),
                ("lib/link.txt", text("k", generation, lines)),
            ]
        };
        let with = |own: &[(&str, String)], generation| {
            tree(&own.iter().cloned().chain(linked(generation)).collect::<Vec<_>>())
        };
        Self {
            trees: [
                with(&[("src/a.txt", text("a", 0, size)), ("src/m.txt", text("m", 0, size))], 0),
                with(
                    &[
                        ("src/a.txt", text("a", 1, size)),
                        ("src/m.txt", text("m", 1, size)),
                        ("src/d.txt", text("d", 1, size / 2)),
                    ],
                    0,
                ),
                with(
                    &[
                        ("src/a.txt", text("a", 2, size)),
                        ("lib/m.txt", text("m", 1, size)),
                        ("new/n.txt", text("n", 2, size / 2)),
                    ],
                    2,
                ),
            ],
            one: false,
        }
    }

    /// The same files, but each patch changes only one of them.
    pub fn one(size: usize) -> Self {
        let Self { trees: [before, first, second], .. } = Self::new(size);
        let changed = |by: &Tree| {
            let mut tree = before.clone();
            tree.insert(ONE.to_owned(), by[ONE].clone());
            tree
        };
        Self { trees: [before.clone(), changed(&first), changed(&second)], one: true }
    }

    /// Writes the first tree.
    pub fn lay_out(&self, root: &Path) -> io::Result<()> {
        for (path, text) in &self.trees[0] {
            match text {
                None => fs::create_dir_all(root.join(path))?,
                Some(_) if path == "lib/link.txt" => {
                    fs::hard_link(root.join("lib/k.txt"), root.join(path))?;
                }
                Some(text) => fs::write(root.join(path), text)?,
            }
        }
        Ok(())
    }

    /// The changes of a patch, 1 or 2.
    pub fn patch(&self, patch: usize, root: &Path) -> io::Result<Vec<DiskChange>> {
        let new = |path: &str| -> String { self.trees[patch][path].clone().expect("it is a file") };
        let change = |path: &str, then| -> io::Result<DiskChange> {
            let expected = match fs::read(root.join(path)) {
                Ok(bytes) => Some(bytes.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
            Ok(DiskChange { path: root.join(path), expected, then, like: None })
        };
        let put = |path: &str| change(path, FileAction::Put(new(path).into()));
        if self.one {
            return Ok(vec![put(ONE)?]);
        }
        if patch == 1 {
            return Ok(vec![put("src/a.txt")?, put("src/m.txt")?, put("src/d.txt")?]);
        }
        let moved = FileAction::MoveTo { to: root.join("lib/m.txt"), content: None };
        Ok(vec![
            put("src/a.txt")?,
            put("new/n.txt")?,
            change("src/m.txt", moved)?,
            change("src/d.txt", FileAction::Remove)?,
            put("lib/k.txt")?,
        ])
    }

    /// Compares the workspace with the trees.
    pub fn classify(&self, root: &Path) -> io::Result<Found> {
        let mut now = Tree::new();
        collect(root, root, &mut now)?;
        let mut nearest = Vec::new();
        for (at, tree) in self.trees.iter().enumerate() {
            let differs = differences(&now, tree);
            if differs.is_empty() {
                let linked = fs::metadata(root.join("lib/k.txt"))?.nlink() == 2;
                return Ok(if linked { Found::Tree(at) } else { Found::Torn("unlinked".into()) });
            }
            if nearest.is_empty() || differs.len() < nearest.len() {
                nearest = differs;
                nearest.insert(0, format!("T{at}"));
            }
        }
        // It counts as litter only if all extra files are directories or our temporary files.
        let litter = nearest[1..]
            .iter()
            .all(|one| one.starts_with('+') && (one.ends_with('/') || one.contains(".hashline-")));
        let text = nearest.join(" ");
        Ok(if litter { Found::Litter(text) } else { Found::Torn(text) })
    }
}

/// The state of a workspace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Exactly one of the trees.
    Tree(usize),
    /// One of the trees, and files that we should have removed.
    Litter(String),
    /// None of the trees.
    Torn(String),
}

fn collect(root: &Path, directory: &Path, tree: &mut Tree) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
        if path.is_dir() {
            tree.insert(name, None);
            collect(root, &path, tree)?;
        } else {
            tree.insert(name, Some(String::from_utf8_lossy(&fs::read(&path)?).into_owned()));
        }
    }
    Ok(())
}

fn differences(now: &Tree, tree: &Tree) -> Vec<String> {
    let mut differs = Vec::new();
    for (path, wanted) in tree {
        match now.get(path) {
            None => differs.push(format!("-{path}")),
            Some(found) if found == wanted => {}
            Some(found) => {
                let bytes = found.as_ref().map_or(0, String::len);
                differs.push(format!("~{path} ({bytes} bytes)"));
            }
        }
    }
    for (path, found) in now.iter().filter(|(path, _)| !tree.contains_key(*path)) {
        differs.push(format!("+{path}{}", if found.is_none() { "/" } else { "" }));
    }
    differs
}

/// Opens the ledger of the workspace, which is on the same file system.
pub fn ledger(root: &Path, home: &Path, disk: Arc<dyn Disk>) -> Ledger {
    Ledger::with_disk(root, Some(home.to_owned()), disk)
}

/// Makes one patch, and calls `acknowledge` when it would be reported.
pub fn make(
    work: &Work,
    patch: usize,
    writer: Writer,
    root: &Path,
    ledger: &Ledger,
    acknowledge: impl FnOnce(),
) -> Result<(), String> {
    let changes = work.patch(patch, root).map_err(|error| error.to_string())?;
    let durability = match writer {
        Writer::Full => Durability::Full,
        Writer::Fast => Durability::Fast,
        Writer::Naive | Writer::Careful => {
            let made = changes
                .into_iter()
                .try_for_each(|change| by_hand(change, writer == Writer::Careful));
            acknowledge();
            return made.map_err(|error| error.to_string());
        }
    };
    let ours = ledger.write(durability, &NEVER).map_err(|fault| fault.to_string())?;
    ours.commit(&Transaction::new(changes)).map_err(|fault| fault.to_string())?;
    // Acknowledge before the writer is dropped, because it may still write then.
    acknowledge();
    Ok(())
}

/// Makes one change without a transaction.
fn by_hand(change: DiskChange, careful: bool) -> io::Result<()> {
    let sync = |path: &Path| match path.parent() {
        Some(parent) if careful => File::open(parent)?.sync_all(),
        _ => Ok(()),
    };
    match change.then {
        FileAction::Put(content) => {
            let path = change.path;
            fs::create_dir_all(path.parent().expect("a parent"))?;
            // A rename would break the file's hard links.
            if !careful || path.ends_with("lib/k.txt") {
                return fs::write(path, &*content);
            }
            let beside = path.with_extension("new");
            let mut file = File::create(&beside)?;
            file.write_all(&content)?;
            file.sync_all()?;
            fs::rename(&beside, &path)?;
            sync(&path)
        }
        FileAction::Remove => {
            fs::remove_file(&change.path)?;
            sync(&change.path)
        }
        FileAction::MoveTo { to, .. } => {
            fs::rename(&change.path, &to)?;
            sync(&change.path)?;
            sync(&to)
        }
    }
}

/// The paths of the workspace and of its journals, on the mounted file system.
pub fn places(mount: &Path) -> (PathBuf, PathBuf) {
    (mount.join("work"), mount.join("state/hashline"))
}
