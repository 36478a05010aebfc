//! Thinking a transaction through: which moves on the disk make which change.
//!
//! It looks at the disk and changes nothing. The result is what the journal says.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal::{Old, Past, Print, Record};
use super::ledger::{Writer, next_id};
use super::prepare::Trouble;
use super::step::{Step, changed};
use super::{Item, Then, Transaction};
use crate::fs::{Facts, Kind, Like};

/// A file that is to be staged.
pub struct Stage {
    /// Where it is staged.
    pub path: PathBuf,
    /// What is in it.
    pub content: Content,
    /// What it is like.
    pub like: Like,
}

pub enum Content {
    /// The new content of an item.
    New(usize),
    /// The old content of an item, under another name.
    Old(usize),
}

/// A transaction thought through as far as the disk goes.
pub struct Draft {
    /// What is written down.
    pub record: Record,
    /// What is staged.
    pub stages: Vec<Stage>,
}

impl Content {
    /// The bytes themselves.
    pub fn bytes<'a>(&self, items: &'a [Item]) -> &'a [u8] {
        match self {
            Self::Old(item) => items[*item].expected.as_ref().map_or(&[], |old| old.as_slice()),
            Self::New(item) => match &items[*item].then {
                Then::Put(content) | Then::MoveTo { content: Some(content), .. } => content,
                Then::Remove | Then::MoveTo { content: None, .. } => &[],
            },
        }
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
    /// Thinks a transaction through. With `copies`, a file is never moved by its name alone.
    pub fn new(
        writer: &Writer<'_>,
        transaction: &Transaction,
        copies: bool,
    ) -> Result<Self, Trouble> {
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
