//! Which steps on the disk carry out which change.
//!
//! [`Schedule::new`] looks at the disk and changes nothing. The journal records its result.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use super::journal::{Fingerprint, JournalRecord, OldContent, PastChange, TEMPORARY};
use super::ledger::{Writer, next_id};
use super::prepare::StepFailure;
use super::step::{DiskStep, StepError};
use super::{DiskChange, FileAction, Transaction};
use crate::fs::{Belongings, Facts, FileKind, Like};
use hashline_text::SharedBytes;

/// If a transaction replaces more bytes than this, its old content is not kept for `undo`, unless a
/// file is overwritten in place.
const MAX_KEPT: usize = 32 << 20;

/// A file that is to be staged.
pub(super) struct StagedFile {
    /// The temporary path at which it is staged.
    pub path: PathBuf,
    /// The content of the staged file.
    pub content: SharedBytes,
    /// The index of the change that it is for.
    pub item: usize,
    /// The permissions and other metadata that it gets.
    pub like: Like,
}

/// A transaction as steps on the disk.
pub(super) struct Schedule {
    /// The journal record.
    pub record: JournalRecord,
    /// The files to stage.
    pub stages: Vec<StagedFile>,
    /// Changed files that have other hard links; all links show the change.
    pub linked: Vec<PathBuf>,
}

/// Facts about a directory.
#[derive(Clone, Copy)]
struct DirectoryFacts {
    device: u64,
    writable: bool,
}

struct Scheduling<'w> {
    writer: &'w Writer<'w>,
    copies: bool,
    count: usize,
    directories: HashMap<PathBuf, DirectoryFacts>,
    new_dirs: BTreeSet<PathBuf>,
    schedule: Schedule,
}

impl Schedule {
    /// Plans the steps of a transaction. With `copies`, files are moved by copying, never by
    /// renaming.
    pub(super) fn new(
        writer: &Writer<'_>,
        transaction: &Transaction,
        copies: bool,
    ) -> Result<Self, StepFailure> {
        let record = JournalRecord {
            id: next_id(),
            root: writer.root().to_owned(),
            new_dirs: Vec::new(),
            removed_dirs: transaction.removed_dirs.clone(),
            undoes: transaction.undoes.clone(),
            changes: Vec::with_capacity(transaction.changes.len()),
            steps: Vec::new(),
        };
        let mut scheduling = Scheduling {
            writer,
            copies,
            count: 0,
            directories: HashMap::new(),
            new_dirs: BTreeSet::new(),
            schedule: Self { record, stages: Vec::new(), linked: Vec::new() },
        };
        scheduling.check_root().map_err(|error| StepFailure::new("find", writer.root(), error))?;
        for (index, item) in transaction.changes.iter().enumerate() {
            let past = scheduling
                .schedule_item(index, item)
                .map_err(|error| StepFailure::new(item.then.doing(), &item.path, error))?;
            scheduling.schedule.record.changes.push(past);
        }
        let Scheduling { new_dirs, schedule: Self { mut record, stages, linked }, .. } = scheduling;
        // A directory sorts before the directories in it.
        record.new_dirs = new_dirs.into_iter().collect();
        let old = transaction.changes.iter().filter_map(|item| item.expected.as_ref());
        let rewrites = |(_, step): &(usize, DiskStep)| matches!(step, DiskStep::Rewrite { .. });
        if old.map(|old| old.len()).sum::<usize>() > MAX_KEPT && !record.steps.iter().any(rewrites)
        {
            let kept = record.changes.iter_mut().filter_map(|past| past.old.as_mut());
            kept.for_each(|old| old.bytes = None);
        }
        Ok(Self { record, stages, linked })
    }
}

impl Scheduling<'_> {
    /// A deleted root is refused: creating a file must not bring it back.
    fn check_root(&self) -> Result<(), StepError> {
        match self.writer.disk().look(self.writer.root())? {
            Some(facts) if facts.kind == FileKind::Directory => Ok(()),
            _ => Err(StepError::RootGone),
        }
    }

    fn schedule_item(&mut self, index: usize, item: &DiskChange) -> Result<PastChange, StepError> {
        let disk = self.writer.disk();
        let home = self.directory_facts(&item.path)?;
        let facts = disk.look(&item.path)?;
        if let Some(Facts { kind, .. }) = facts
            && kind != FileKind::File
        {
            return Err(StepError::NotAFile(kind));
        }
        if facts.is_some() != item.expected.is_some() {
            return Err(StepError::Changed);
        }
        if let Some(facts) = &facts
            && (facts.read_only || !disk.writable(&item.path, facts)?)
        {
            return Err(StepError::ReadOnly);
        }
        let old = item
            .expected
            .as_ref()
            .map(|bytes| OldContent { print: Fingerprint::of(bytes), bytes: Some(bytes.clone()) });
        let made_as = item.like.as_ref().map(|(mode, _)| *mode);
        let mut past = PastChange {
            before: facts.is_some().then(|| item.path.clone()),
            after: Some(item.path.clone()),
            new: None,
            mode: facts.map(|facts| facts.mode).or(made_as).unwrap_or(0o644),
            belongings: Belongings::default(),
            old,
        };
        // Replacing the file would lose its other hard links, its owner, or its mount. And if no
        // file can be created in the directory, overwriting is the only way.
        let in_place = facts.is_some_and(|facts| {
            facts.links > 1 || !facts.ours || facts.device != home.device || !home.writable
        });
        if in_place
            && facts.is_some_and(|facts| facts.links > 1)
            && !matches!(item.then, FileAction::Remove)
        {
            self.schedule.linked.push(item.path.clone());
        }
        match &item.then {
            FileAction::Put(content) => {
                past.new = Some(Fingerprint::of(content));
                let path = item.path.clone();
                match facts {
                    Some(_) if in_place => {
                        self.step(index, DiskStep::Rewrite { path, new: content.clone() });
                    }
                    Some(facts) => {
                        let like = Like::File { path: path.clone(), times: false };
                        let staged = self.stage(index, &path, content.clone(), like);
                        let inode = facts.inode;
                        self.step(index, DiskStep::Replace { path, staged, inode });
                    }
                    None => {
                        let was = |(mode, belongings)| Like::Was(mode, belongings);
                        let like = item.like.clone().map_or(Like::New, was);
                        let staged = self.stage(index, &path, content.clone(), like);
                        self.step(index, DiskStep::Create { path, staged });
                    }
                }
            }
            FileAction::Remove => {
                past.after = None;
                // A file that we may remove but not read keeps its owner and attributes secret.
                past.belongings = disk.belongings(&item.path).unwrap_or_default();
                let path = item.path.clone();
                let kept = self.temporary_path(&path, "old");
                self.step(index, DiskStep::Remove { path, kept });
            }
            FileAction::MoveTo { to, content } => {
                past.after = Some(to.clone());
                past.new = match content {
                    Some(content) => Some(Fingerprint::of(content)),
                    None => past.old.as_ref().map(|old| old.print),
                };
                let Some(facts) = facts else { return Err(io::ErrorKind::NotFound.into()) };
                self.move_to(index, item, facts, in_place, home)?;
            }
        }
        Ok(past)
    }

    fn move_to(
        &mut self,
        index: usize,
        item: &DiskChange,
        facts: Facts,
        in_place: bool,
        home: DirectoryFacts,
    ) -> Result<(), StepError> {
        let FileAction::MoveTo { to, content } = &item.then else { return Ok(()) };
        let target_directory = self.directory_facts(to)?;
        let same = match self.writer.disk().look(to)? {
            None => false,
            // The file system treats the two spellings as one name.
            Some(other) if other.same_file(&facts) && facts.links == 1 => true,
            Some(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        };
        let copy = self.copies || target_directory.device != home.device;
        let (from, to) = (item.path.clone(), to.clone());
        match content {
            Some(content) if (same || in_place) && !copy => {
                let through = same.then(|| self.temporary_path(&to, "old"));
                self.step(index, DiskStep::Move { from, to: to.clone(), through });
                self.step(index, DiskStep::Rewrite { path: to, new: content.clone() });
            }
            None if !copy => {
                let through = same.then(|| self.temporary_path(&to, "old"));
                self.step(index, DiskStep::Move { from, to, through });
            }
            _ => {
                let like = Like::File { path: from.clone(), times: content.is_none() };
                let content = content.as_ref().or(item.expected.as_ref()).cloned();
                let content = content.ok_or(io::ErrorKind::NotFound)?;
                let staged = self.stage(index, &to, content, like);
                let kept = self.temporary_path(&from, "old");
                self.step(index, DiskStep::Create { path: to, staged });
                self.step(index, DiskStep::Remove { path: from, kept });
            }
        }
        Ok(())
    }

    fn step(&mut self, index: usize, step: DiskStep) {
        self.schedule.record.steps.push((index, step));
    }

    fn stage(&mut self, item: usize, target: &Path, content: SharedBytes, like: Like) -> PathBuf {
        let path = self.temporary_path(target, "tmp");
        self.schedule.stages.push(StagedFile { path: path.clone(), content, item, like });
        path
    }

    /// A temporary path in the directory of `target`, with the transaction in its name; short,
    /// however long the name of `target` is.
    fn temporary_path(&mut self, target: &Path, ending: &str) -> PathBuf {
        self.count += 1;
        target.with_file_name(format!(
            "{TEMPORARY}{}-{}.{ending}",
            self.schedule.record.id, self.count
        ))
    }

    /// Facts about the directory of a path. Missing directories are noted, so that they get
    /// created.
    fn directory_facts(&mut self, target: &Path) -> Result<DirectoryFacts, StepError> {
        let Some(directory) = target.parent() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        if let Some(home) = self.directories.get(directory) {
            return Ok(*home);
        }
        let disk = self.writer.disk();
        let mut missing = Vec::new();
        let mut there = directory;
        let facts = loop {
            match disk.look(there)? {
                Some(facts) => break facts,
                None => missing.push(there.to_owned()),
            }
            there = there.parent().ok_or(io::ErrorKind::NotFound)?;
        };
        if facts.kind != FileKind::Directory {
            return Err(StepError::NotADirectory(there.to_owned()));
        }
        let home = DirectoryFacts { device: facts.device, writable: disk.writable(there, &facts)? };
        self.new_dirs.extend(missing);
        self.directories.insert(directory.to_owned(), home);
        Ok(home)
    }
}

impl FileAction {
    fn doing(&self) -> &'static str {
        match self {
            Self::Put(_) => "write",
            Self::Remove => "remove",
            Self::MoveTo { .. } => "move",
        }
    }
}
