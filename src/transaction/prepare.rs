//! From a transaction to files that are staged, and from there to files that are new.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::{CONFLICT, Journal, Old, Past, Print, Record, State};
use super::ledger::{Writer, next_id};
use super::settle::{clean_up, sync_directories, take_back};
use super::step::{Step, changed};
use super::{Fault, Item, Receipt, Then, Transaction, undo};
use crate::fs::{Disk, Facts, Kind, Like};

/// How many staged files are open at once.
const BATCH: usize = 64;

/// More than this is not kept for `undo`.
const MOST_KEPT: usize = 32 << 20;

/// Everything staged, compared and written down; no file is touched yet.
///
/// Dropping it leaves no trace.
#[derive(Debug)]
pub struct Prepared<'w> {
    writer: &'w Writer<'w>,
    record: Record,
    journal: Journal,
    was: Vec<Option<Facts>>,
    state: State,
    over: bool,
}

/// A file that is to be staged.
struct Stage {
    path: PathBuf,
    content: Content,
    like: Like,
}

enum Content {
    /// The new content of an item.
    New(usize),
    /// The old content of an item, under another name.
    Old(usize),
}

/// A transaction thought through as far as the disk goes.
struct Draft {
    record: Record,
    stages: Vec<Stage>,
}

/// An error and where it happened.
type Trouble = (&'static str, PathBuf, io::Error);

impl<'w> Prepared<'w> {
    /// Stages a transaction. With `copies`, a file is never moved by its name alone.
    pub(super) fn new(
        writer: &'w Writer<'w>,
        transaction: &Transaction,
        copies: bool,
    ) -> Result<Self, Fault> {
        let items = &transaction.items;
        let fault = |(doing, path, source): Trouble| fault(doing, path, source, items.len());
        let draft = Draft::new(writer, transaction, copies).map_err(fault)?;
        let Draft { record, stages } = draft;
        let kept: usize =
            items.iter().filter_map(|item| item.expected.as_ref()).map(|old| old.len()).sum();
        let rewrites = record.steps.iter().any(|(_, step)| matches!(step, Step::Rewrite { .. }));
        let disk = writer.disk();
        let journal =
            Journal::create(disk, writer.directory(), &record, kept <= MOST_KEPT || rewrites)
                .map_err(|error| fault(("write the journal of", record.root.clone(), error)))?;
        // From here on, dropping it cleans up.
        let mut prepared =
            Self { writer, record, journal, was: Vec::new(), state: State::Staging, over: false };
        let staged = prepared.stage(items, &stages).and_then(|()| prepared.compare(items));
        match staged {
            Ok(was) => {
                prepared.was = was;
                Ok(prepared)
            }
            Err(trouble) => Err(prepared.fail(trouble)),
        }
    }

    /// Makes every change, or none.
    pub fn publish(mut self) -> Result<Receipt, Fault> {
        match self.publish_all() {
            Ok(()) => {
                self.over = true;
                Ok(self.receipt())
            }
            Err(trouble) => Err(self.fail(trouble)),
        }
    }

    fn publish_all(&mut self) -> Result<(), Trouble> {
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        let journal = |error| ("write the journal of", self.record.root.clone(), error);
        // Set before it is written: if the disk fails here, what it holds is not known.
        self.state = State::Publishing;
        self.journal.mark(disk, State::Publishing, sync).map_err(journal)?;
        if sync {
            disk.sync_directory(self.writer.directory()).map_err(journal)?;
        }
        for ((_, step), was) in self.record.steps.iter().zip(&self.was) {
            step.perform(disk, was.as_ref(), sync)
                .map_err(|error| (step.doing(), step.path().to_owned(), error))?;
        }
        if sync {
            sync_directories(disk, &self.record).map_err(|(path, error)| ("sync", path, error))?;
        }
        self.state = State::Done;
        self.journal.mark(disk, State::Done, sync).map_err(journal)?;
        if clean_up(disk, &self.record).is_empty() {
            // What fails here is tidied up by the next writer.
            let _ = undo::keep(self.writer, &self.record, &self.journal.path);
        }
        Ok(())
    }

    fn stage(&self, items: &[Item], stages: &[Stage]) -> Result<(), Trouble> {
        let disk = self.writer.disk();
        for path in &self.record.made {
            match disk.make_directory(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(("make the directory", path.clone(), error));
                }
                _ => {}
            }
        }
        for batch in stages.chunks(BATCH) {
            let mut files = Vec::with_capacity(batch.len());
            for stage in batch {
                let (Content::New(item) | Content::Old(item)) = stage.content;
                let trouble = |error| ("write", items[item].path.clone(), error);
                let content = stage.content.bytes(items);
                let file = disk.create(&stage.path, content, &stage.like).map_err(trouble)?;
                files.push((item, file));
            }
            // All are written before the first is synced, so that the system can take them together.
            if self.writer.sync()
                && let Err((item, error)) = sync_all(disk, &files)
            {
                return Err(("write", items[item].path.clone(), error));
            }
        }
        Ok(())
    }

    /// Compares every place with what was expected of it, and gives the file of each step.
    fn compare(&self, items: &[Item]) -> Result<Vec<Option<Facts>>, Trouble> {
        let disk = self.writer.disk();
        let mut found = Vec::with_capacity(items.len());
        for item in items {
            let trouble = |error| ("read", item.path.clone(), error);
            let facts = disk.look(&item.path).map_err(trouble)?;
            let same = match (&item.expected, &facts) {
                (None, None) => true,
                (Some(expected), Some(facts)) if facts.size == expected.len() as u64 => {
                    disk.read(&item.path).map_err(trouble)? == **expected
                }
                _ => false,
            };
            if !same {
                return Err(trouble(changed()));
            }
            found.push(facts);
        }
        let first = |change: usize, at: usize| {
            // A file that is moved and then written over has changed by our own hand.
            at == 0 || self.record.steps[at - 1].0 != change
        };
        let steps = self.record.steps.iter().enumerate();
        let of_step = steps.map(|(at, (change, step))| match step {
            Step::Replace { .. } | Step::Remove { .. } => found[*change],
            Step::Move { .. } if first(*change, at) => found[*change],
            _ => None,
        });
        Ok(of_step.collect())
    }

    /// Takes everything back and says what happened.
    fn fail(mut self, (doing, path, source): Trouble) -> Fault {
        let left = self.roll_back();
        match fault(doing, path, source, self.record.changes.len()) {
            Fault::Disk { doing, path, files, source, .. } => {
                Fault::Disk { doing, path, files, left, source }
            }
            // What was changed by somebody else matters less than what we could not put back.
            other if left.is_empty() => other,
            other => Fault::Disk {
                doing,
                path: self.record.root.clone(),
                files: self.record.changes.len(),
                left,
                source: io::Error::other(other.to_string()),
            },
        }
    }

    /// Gives the paths that could not be put back.
    fn roll_back(&mut self) -> Vec<PathBuf> {
        self.over = true;
        let (disk, sync) = (self.writer.disk(), self.writer.sync());
        let all =
            || self.record.changes.iter().filter_map(Past::place).map(Path::to_owned).collect();
        if self.state == State::Done {
            // The disk may hold that all is done. Unless that can be taken back, both ways are open
            // and the next writer decides.
            if self.journal.mark(disk, State::Publishing, sync).is_err() {
                return all();
            }
            self.state = State::Publishing;
        }
        let taken = take_back(disk, &self.record, self.state, sync);
        let path = &self.journal.path;
        if taken.is_clean() {
            if disk.remove(path).is_err() {
                // Nothing is left to undo, so that nobody may try it again later.
                let _ = self.journal.mark(disk, State::Staging, sync);
            }
        } else if taken.failed.is_empty() && taken.foreign.is_empty() {
            let _ = self.journal.mark(disk, State::Staging, sync);
        } else if taken.failed.is_empty() {
            // It holds the old bytes of what was left alone.
            let _ = disk.rename(path, &path.with_extension(&CONFLICT[1..]));
        }
        let failed = taken.failed.into_iter().map(|(path, _)| path);
        failed.chain(taken.foreign.into_iter().map(|foreign| foreign.path)).collect()
    }

    fn receipt(&self) -> Receipt {
        let places = self.record.changes.iter().filter_map(Past::place);
        Receipt { id: self.record.id.clone(), paths: places.map(Path::to_owned).collect() }
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        if !self.over {
            self.roll_back();
        }
    }
}

impl Past {
    /// The place a person would name.
    pub(super) fn place(&self) -> Option<&Path> {
        self.before.as_deref().or(self.after.as_deref())
    }
}

/// Waits until all files are on the medium.
///
/// Several wait at once: a journalling file system then commits them together instead of one after
/// the other.
fn sync_all(disk: &dyn Disk, files: &[(usize, File)]) -> Result<(), (usize, io::Error)> {
    const WAITING: usize = 8;
    let sync = |files: &[(usize, File)]| {
        files.iter().try_for_each(|(item, file)| disk.sync(file).map_err(|error| (*item, error)))
    };
    if files.len() <= 2 {
        return sync(files);
    }
    std::thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(WAITING));
        let waiting: Vec<_> = parts
            .map(|part| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || sync(part));
                // Without another thread, this one does it.
                thread.map_err(|_| sync(part))
            })
            .collect();
        let lost = |_| Err((files[0].0, io::Error::other("a thread was lost")));
        let ended = waiting.into_iter().map(|thread| match thread {
            Ok(thread) => thread.join().unwrap_or_else(lost),
            Err(synced) => synced,
        });
        // All are waited for before the first error is told.
        ended.collect::<Vec<_>>().into_iter().collect()
    })
}

impl Content {
    fn bytes<'a>(&self, items: &'a [Item]) -> &'a [u8] {
        match self {
            Self::Old(item) => items[*item].expected.as_ref().map_or(&[], |old| old.as_slice()),
            Self::New(item) => match &items[*item].then {
                Then::Put(content) | Then::MoveTo { content: Some(content), .. } => content,
                Then::Remove | Then::MoveTo { content: None, .. } => &[],
            },
        }
    }
}

fn fault(doing: &'static str, path: PathBuf, source: io::Error, files: usize) -> Fault {
    match source.kind() {
        io::ErrorKind::ResourceBusy if source.raw_os_error().is_none() => Fault::Changed { path },
        io::ErrorKind::ReadOnlyFilesystem if source.raw_os_error().is_none() => {
            Fault::ReadOnly { path }
        }
        _ => Fault::Disk { doing, path, files, left: Vec::new(), source },
    }
}

/// What is known of the directory that a place is in.
#[derive(Clone, Copy)]
struct Home {
    device: u64,
    writable: bool,
}

struct Drafting<'w> {
    writer: &'w Writer<'w>,
    id: String,
    count: usize,
    homes: HashMap<PathBuf, Home>,
    made: BTreeSet<PathBuf>,
    copies: bool,
    stages: Vec<Stage>,
    steps: Vec<(usize, Step)>,
}

impl Draft {
    fn new(writer: &Writer<'_>, transaction: &Transaction, copies: bool) -> Result<Self, Trouble> {
        let mut drafting = Drafting {
            writer,
            id: next_id(),
            count: 0,
            homes: HashMap::new(),
            made: BTreeSet::new(),
            copies,
            stages: Vec::new(),
            steps: Vec::new(),
        };
        let mut changes = Vec::with_capacity(transaction.items.len());
        for (index, item) in transaction.items.iter().enumerate() {
            let past = drafting
                .item(index, item)
                .map_err(|error| (item.then.doing(), item.path.clone(), error))?;
            changes.push(past);
        }
        let record = Record {
            id: drafting.id,
            root: writer.root().to_owned(),
            // A directory sorts before what is in it.
            made: drafting.made.into_iter().collect(),
            unmade: transaction.unmade.clone(),
            takes_back: transaction.takes_back.clone(),
            changes,
            steps: drafting.steps,
        };
        Ok(Self { record, stages: drafting.stages })
    }
}

impl Drafting<'_> {
    fn item(&mut self, index: usize, item: &Item) -> io::Result<Past> {
        let disk = self.writer.disk();
        let home = self.home(&item.path)?;
        let facts = disk.look(&item.path)?;
        if let Some(Facts { kind, .. }) = facts
            && kind != Kind::File
        {
            let what =
                if kind == Kind::Directory { "it is a directory" } else { "it is no regular file" };
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        if facts.is_some() != item.expected.is_some() {
            return Err(changed());
        }
        if let Some(facts) = &facts
            && (facts.read_only || !disk.writable(&item.path)?)
        {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        let old = item
            .expected
            .as_ref()
            .map(|bytes| Old { print: Print::of(bytes), bytes: Some(Arc::clone(bytes)) });
        let mut past = Past {
            before: facts.is_some().then(|| item.path.clone()),
            after: Some(item.path.clone()),
            new: None,
            mode: facts.map(|facts| facts.mode).or(item.mode).unwrap_or(0o644),
            old,
        };
        // Another file under the name would take something away: the other names, the owner, or the
        // mount. And where no file can be made, there is no other way.
        let in_place = facts.is_some_and(|facts| {
            facts.links > 1 || !facts.ours || facts.device != home.device || !home.writable
        });
        match &item.then {
            Then::Put(content) => {
                past.new = Some(Print::of(content));
                let path = item.path.clone();
                match facts {
                    Some(_) if in_place => {
                        self.step(index, Step::Rewrite { path, new: content.clone() });
                    }
                    Some(facts) => {
                        let like = Like::File { path: path.clone(), times: false };
                        let staged = self.stage(&path, Content::New(index), like);
                        let kept = self.beside(&path, "old");
                        let inode = facts.inode;
                        self.step(index, Step::Replace { path, staged, kept, inode });
                    }
                    None => {
                        let like = item.mode.map_or(Like::New, Like::Mode);
                        let staged = self.stage(&path, Content::New(index), like);
                        self.step(index, Step::Create { path, staged });
                    }
                }
            }
            Then::Remove => {
                past.after = None;
                let path = item.path.clone();
                let kept = self.beside(&path, "old");
                self.step(index, Step::Remove { path, kept });
            }
            Then::MoveTo { to, content } => {
                past.after = Some(to.clone());
                past.new = match content {
                    Some(content) => Some(Print::of(content)),
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
        item: &Item,
        facts: Facts,
        in_place: bool,
        home: Home,
    ) -> io::Result<()> {
        let Then::MoveTo { to, content } = &item.then else { return Ok(()) };
        let goal = self.home(to)?;
        let same = match self.writer.disk().look(to)? {
            None => false,
            // Two spellings that the file system takes for one name.
            Some(other) if other.same_file(&facts) && facts.links == 1 => true,
            Some(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        };
        let copy = self.copies || goal.device != home.device;
        let (from, to) = (item.path.clone(), to.clone());
        match content {
            Some(content) if (same || in_place) && !copy => {
                let through = same.then(|| self.beside(&to, "old"));
                self.step(index, Step::Move { from, to: to.clone(), through });
                self.step(index, Step::Rewrite { path: to, new: content.clone() });
            }
            None if !copy => {
                let through = same.then(|| self.beside(&to, "old"));
                self.step(index, Step::Move { from, to, through });
            }
            _ => {
                let like = Like::File { path: from.clone(), times: content.is_none() };
                let source =
                    if content.is_some() { Content::New(index) } else { Content::Old(index) };
                let staged = self.stage(&to, source, like);
                let kept = self.beside(&from, "old");
                self.step(index, Step::Create { path: to, staged });
                self.step(index, Step::Remove { path: from, kept });
            }
        }
        Ok(())
    }

    fn step(&mut self, index: usize, step: Step) {
        self.steps.push((index, step));
    }

    fn stage(&mut self, place: &Path, content: Content, like: Like) -> PathBuf {
        let path = self.beside(place, "tmp");
        self.stages.push(Stage { path: path.clone(), content, like });
        path
    }

    /// A name beside a place that says whose it is; short, however long the other name.
    fn beside(&mut self, place: &Path, ending: &str) -> PathBuf {
        self.count += 1;
        place.with_file_name(format!(".hashline-{}-{}.{ending}", self.id, self.count))
    }

    /// What is known of the directory of a place; missing directories are noted.
    fn home(&mut self, place: &Path) -> io::Result<Home> {
        let Some(directory) = place.parent() else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        if let Some(home) = self.homes.get(directory) {
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
        if facts.kind != Kind::Directory {
            let what = format!("`{}` is not a directory", there.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
        }
        let home = Home { device: facts.device, writable: disk.writable(there)? };
        self.made.extend(missing);
        self.homes.insert(directory.to_owned(), home);
        Ok(home)
    }
}

impl Then {
    fn doing(&self) -> &'static str {
        match self {
            Self::Put(_) => "write",
            Self::Remove => "remove",
            Self::MoveTo { .. } => "move",
        }
    }
}
