//! The core's interface for hosts: everything they can ask for.
//!
//! A [`Session`] ties the parts together: it finds files, shows them with their tags, and remembers
//! which lines it showed. Several threads can use it at once, and two sessions share nothing but
//! the disk.

mod answer;
mod apply;
mod changes;
mod choose;
mod convert;
mod encodings;
mod judge;
mod keeper;
mod memory;
mod noops;
mod remember;
mod serve;
mod stats;
mod targets;
mod touched;
mod undo;
mod unified;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub use answer::{Given, ShellAnswer, ShellCall};
pub use apply::{ApplyMode, ApplyOutcome};
pub use encodings::Encodings;
pub use hashline_guard::ShellKind;
pub use keeper::save_all;
pub(crate) use memory::SessionMemory;
pub use memory::remembered_files;
pub use stats::{Count, Stats, StatsOutcome};
pub use touched::{ApplyDone, TouchedFile};
pub use undo::{
    RecoverOutcome, RecoverRequest, RedoOutcome, ReviewOutcome, UndoOutcome, UndoRefusalCode,
    UndoRequest, UndoneFile,
};
pub use unified::changed_words;

use self::stats::CountedAnswer;
use crate::cancel::{Cancel, Cancelled};
use crate::fs::{self, Disk, RealDisk};
use crate::grep::{self, BadFilter, BadPattern, Filter, GrepRefusalCode, Pattern, Progress};
use crate::plan::{Relocation, Repairs, Unseen};
use crate::read::{self, ReadRefusal, StreamSource};
use crate::report::ReportStyle;
use crate::show::{self, Budget};
use crate::snapshot::{DEFAULT_BYTES, Snapshot};
use crate::transaction::Ledger;
pub use crate::transaction::{
    CommitFault, Difference, Durability, FaultCode, PastPatch, RestoredKind, Review,
};
use crate::workspace::{Location, Missing, Workspace};
use hashline_guard::GuardSettings;
use hashline_text::{Listing, Scheme, Span};

/// Given a file's path, its text and its new text, says why that new text is not allowed, if it is
/// not.
pub type TextCheck = fn(&str, &str, &str) -> Option<String>;

/// How a session is set up.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
pub struct Options {
    /// The directory that the session works in.
    pub root: PathBuf,
    /// Other directories that belong to the workspace, in addition to the worktrees of its
    /// repository.
    pub roots: Vec<PathBuf>,
    /// The directory that relative paths start from; the root if left out.
    pub base: Option<PathBuf>,
    /// How lines are tagged.
    pub scheme: Scheme,
    /// How long one result may be.
    pub budget: Budget,
    /// How many bytes of memory the record of shown lines may take.
    pub memory_bytes: usize,
    /// Where to save which lines were shown, for other processes and later sessions.
    pub state_dir: Option<PathBuf>,
    /// Whether other agents use the same `state_dir`.
    pub shared_memory: bool,
    /// Where a session with a state directory saves statistics; nowhere if left out.
    pub stats_dir: Option<PathBuf>,
    /// What to do about anchors that no longer match their line.
    pub relocation: Relocation,
    /// What to do about lines that were never shown.
    pub unseen: Unseen,
    /// Which corrections the planner may make to a patch.
    pub repairs: Repairs,
    /// How much the report of an applied patch shows.
    pub report: ReportStyle,
    /// Whether files outside the workspace may be written.
    pub allow_outside: bool,
    /// Whether files in a `.git` directory may be written; Git runs programs that such files name.
    pub allow_git: bool,
    /// Which shell commands the guard lets pass.
    pub guard: GuardSettings,
    /// Which encodings files have.
    pub encodings: Encodings,
    /// A check that every new text of a file must pass.
    pub check: Option<TextCheck>,
    /// What a reported change must survive: a loss of power, or only a crash.
    pub durability: Durability,
    /// Where the lock, the journals and the receipts for `undo` are kept; if left out, in this
    /// user's state directory. All writers of a workspace must use the same one.
    pub journal_dir: Option<PathBuf>,
    /// Whether old contents are kept for `undo` after a patch is applied.
    pub undo: bool,
}

impl Options {
    /// The usual settings for a directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            roots: Vec::new(),
            base: None,
            scheme: Scheme::default(),
            budget: Budget::default(),
            memory_bytes: DEFAULT_BYTES,
            state_dir: None,
            shared_memory: true,
            stats_dir: None,
            relocation: Relocation::default(),
            unseen: Unseen::default(),
            repairs: Repairs::default(),
            report: ReportStyle::default(),
            allow_outside: false,
            allow_git: false,
            guard: GuardSettings::default(),
            encodings: Encodings::default(),
            check: None,
            durability: Durability::default(),
            journal_dir: None,
            undo: true,
        }
    }
}

/// Why a session cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open a session in `{}`: {source}", show::name(&root.to_string_lossy()))]
pub struct SessionFault {
    /// The root that was given.
    pub root: PathBuf,
    /// Why the root cannot be used.
    pub source: io::Error,
}

impl SessionFault {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        "bad_root"
    }
}

/// The result of a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadOutcome {
    /// The text for the model.
    pub text: String,
    /// What was shown of each path, in the order of the request.
    pub files: Vec<read::ShownFile>,
    /// Whether something was left out of the text.
    pub truncated: bool,
    /// Warnings for the person at the machine.
    pub warnings: Vec<String>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GrepOutcome {
    /// The search was made.
    Found {
        /// The text for the model.
        text: String,
        /// How many lines match.
        matches: usize,
        /// How many files have a match.
        files: usize,
        /// How many files were searched.
        searched: usize,
        /// Whether something was left out.
        truncated: bool,
        /// Warnings for the person at the machine.
        warnings: Vec<String>,
    },
    /// The search was refused, for this reason.
    Refused(GrepRefusal),
}

/// Why a search cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GrepRefusal {
    /// The pattern cannot be understood.
    #[error(transparent)]
    Pattern(BadPattern),
    /// A glob or a type cannot be understood.
    #[error(transparent)]
    Filter(BadFilter),
    /// None of the paths exists; this is the refusal for the first one.
    #[error(transparent)]
    Path(ReadRefusal),
}

impl GrepRefusal {
    /// The stable name of this refusal.
    pub fn code(&self) -> GrepRefusalCode {
        match self {
            Self::Pattern(bad) => bad.code(),
            Self::Filter(bad) => bad.code(),
            Self::Path(_) => GrepRefusalCode::NotFound,
        }
    }
}

/// A workspace, its settings, and a record of the lines shown so far.
#[derive(Debug)]
pub struct Session {
    workspace: Workspace,
    options: Options,
    pub(crate) remembered: SessionMemory,
    stats: Mutex<Stats>,
    /// The files that the last patch wrote, with their metadata afterwards.
    written: Mutex<HashMap<PathBuf, fs::Stat>>,
    /// What the guard remembers from one command to the next.
    guard_memory: Mutex<hashline_guard::Memory>,
    /// Held while a patch is planned and written.
    writing: Mutex<()>,
    noops: Mutex<noops::Noops>,
    ledger: Ledger,
    notices: Mutex<undo::Notices>,
}

impl Session {
    /// Opens a session.
    ///
    /// If the state directory cannot be used, the session works without it, and the next outcome
    /// says so.
    pub fn new(options: Options) -> Result<Self, SessionFault> {
        Self::on_disk(options, Arc::new(RealDisk::default()))
    }

    /// Opens a session that writes to another disk.
    pub(crate) fn on_disk(options: Options, disk: Arc<dyn Disk>) -> Result<Self, SessionFault> {
        let workspace = Workspace::new(&options.root)
            .map_err(|source| SessionFault { root: options.root.clone(), source })?
            .with_roots(options.roots.clone());
        let workspace = match &options.base {
            Some(base) => workspace.with_base(base),
            None => workspace,
        };
        let homes = options.journal_dir.clone().map_or_else(fs::state_homes, |home| vec![home]);
        Ok(Self {
            ledger: Ledger::of_workspace(workspace.clone(), homes, disk)
                .allow_outside(options.allow_outside)
                .keep_receipts(options.undo),
            workspace,
            remembered: SessionMemory::new(
                options.memory_bytes,
                options.state_dir.clone(),
                options.shared_memory,
            ),
            options,
            notices: Mutex::default(),
            stats: Mutex::default(),
            guard_memory: Mutex::default(),
            written: Mutex::default(),
            writing: Mutex::default(),
            noops: Mutex::default(),
        })
    }

    /// The canonical path of the directory it works in.
    pub fn root(&self) -> &Path {
        self.workspace.root()
    }

    /// The file that a name refers to: the one that a patch to this name would change.
    pub fn find_file(&self, file: &Path) -> Result<Location, Missing> {
        let (name, path) = (file.to_string_lossy(), self.workspace.base().join(file));
        if fs::exists(&path) {
            return Ok(Location { name: name.into_owned(), path, lines: None });
        }
        self.workspace.find(&name)
    }

    /// The name of a file in the workspace; `None` for one outside.
    pub fn name_inside(&self, path: &Path) -> Option<String> {
        let file = self.workspace.key(path);
        self.workspace.root_of(&file).map(|_| self.workspace.show(&file))
    }

    /// The scheme by which this session tags lines.
    pub fn scheme(&self) -> Scheme {
        self.options.scheme
    }

    /// Opens a file, or standard input if there is no path, to be printed row by row.
    pub fn stream(&self, path: Option<&Path>, name: &str) -> Result<StreamSource, ReadRefusal> {
        StreamSource::open(path, name, self)
    }

    /// Remembers that this many rows of a stream were printed, from line `first` on, and counts
    /// their bytes.
    pub fn remember_printed(&self, source: StreamSource, first: usize, rows: usize, bytes: usize) {
        self.count(CountedAnswer::new(&[(Count::Reads, 1), (Count::Bytes, bytes)]));
        let start = first.saturating_sub(1);
        let (left_out, _) = source.left_out(start..usize::MAX);
        let StreamSource::Held { path: Some(path), document } = source else { return };
        let listing = Listing::new(&document, self.options.scheme);
        let runs = left_out.runs(start.min(document.len())..document.len(), rows);
        let spans: Vec<Span> = runs.iter().map(|run| Span::between(run.start, run.end)).collect();
        let key = self.workspace.key(&path);
        self.remembered.remember(&key, Snapshot::of(&listing, &spans));
    }

    /// Counts the lines of a file that other processes showed as known to this model.
    pub fn resume_view(&self, name: &str) {
        self.remembered.resume_view(&self.workspace.key(&self.workspace.absolute(name)));
    }

    /// Saves at once which lines were shown, for other processes; otherwise that happens a few
    /// milliseconds later.
    pub fn flush(&self) {
        self.remembered.flush();
    }

    /// The model's context begins anew, for example after a compaction: when changes are asked for,
    /// no line counts as shown. Anchors that were given out remain valid.
    pub fn new_context(&self) {
        self.remembered.new_context();
    }

    /// Shows files, every line with its tag, and remembers these lines as seen.
    pub fn read(
        &self,
        request: &read::ReadRequest,
        cancel: &Cancel,
    ) -> Result<ReadOutcome, Cancelled> {
        let outcome = self.read_files(request, cancel)?;
        self.count(CountedAnswer::new(&[(Count::Reads, 1), (Count::Bytes, outcome.text.len())]));
        Ok(outcome)
    }

    fn read_files(
        &self,
        request: &read::ReadRequest,
        cancel: &Cancel,
    ) -> Result<ReadOutcome, Cancelled> {
        self.try_recover();
        let mut loaded = Vec::with_capacity(request.files.len());
        for file in &request.files {
            let mut one = read::load(
                &self.workspace, self, file, self.options.scheme, self.options.budget, cancel,
            )?;
            (one.view, one.known.lines) = self.remembered.known(&one.key, one.known.digest);
            loaded.push(one);
        }
        let assembled =
            read::assemble(loaded, self.options.scheme, self.options.budget, &request.host_reads);
        cancel.check()?;
        for seen in assembled.seen {
            self.remembered.remember_look(&seen.key, seen.snapshot, seen.read);
        }
        Ok(ReadOutcome {
            text: assembled.text,
            files: assembled.files,
            truncated: assembled.truncated,
            warnings: self.take_warnings(),
        })
    }

    /// Searches files, and remembers the lines it shows as seen.
    ///
    /// `progress` is called from time to time, from any thread, with how far the search has got.
    pub fn grep(
        &self,
        request: &grep::GrepRequest,
        progress: &(dyn Fn(Progress) + Sync),
        cancel: &Cancel,
    ) -> Result<GrepOutcome, Cancelled> {
        let outcome = self.search(request, progress, cancel)?;
        let bytes = match &outcome {
            GrepOutcome::Found { text, .. } => text.len(),
            GrepOutcome::Refused(_) => 0,
        };
        self.count(CountedAnswer::new(&[(Count::Searches, 1), (Count::Bytes, bytes)]));
        Ok(outcome)
    }

    fn search(
        &self,
        request: &grep::GrepRequest,
        progress: &(dyn Fn(Progress) + Sync),
        cancel: &Cancel,
    ) -> Result<GrepOutcome, Cancelled> {
        self.try_recover();
        let refuse = |refusal| Ok(GrepOutcome::Refused(refusal));
        let pattern = match Pattern::new(&request.pattern, request.reading) {
            Ok(pattern) => pattern,
            Err(bad) => return refuse(GrepRefusal::Pattern(bad)),
        };
        let filter = match Filter::new(&request.globs, &request.types) {
            Ok(filter) => filter.reach(request.hidden, request.ignored),
            Err(bad) => return refuse(GrepRefusal::Filter(bad)),
        };
        let (paths, mut missing) = self.existing_paths(&request.paths);
        if paths.is_empty() {
            return refuse(GrepRefusal::Path(missing.swap_remove(0)));
        }
        let setting = grep::GrepSetting {
            request,
            pattern: &pattern,
            workspace: &self.workspace,
            root: self.workspace.base(),
            paths: &paths,
            filter: &filter,
            scheme: self.options.scheme,
            lines_of: &|content| self.remembered.lines_of(content),
            texts: self,
            budget: self.options.budget.counting_anchors(),
            remember: &|seen| {
                for (key, snapshot) in seen {
                    self.remembered.remember(&key, snapshot);
                }
            },
            progress,
            cancel,
        };
        let mut report = grep::report(&setting)?;
        for refusal in missing {
            show::say(&mut report.text, format_args!("\nerror: {refusal}"));
        }
        Ok(GrepOutcome::Found {
            text: report.text,
            matches: report.matches,
            files: report.files,
            searched: report.searched,
            truncated: report.truncated,
            warnings: self.take_warnings(),
        })
    }

    /// The paths that exist, and a refusal for each of the others.
    fn existing_paths(&self, spelled: &[String]) -> (Vec<PathBuf>, Vec<ReadRefusal>) {
        if spelled.is_empty() {
            return (vec![self.workspace.base().to_owned()], Vec::new());
        }
        let mut paths = Vec::new();
        let mut missing = Vec::new();
        for name in spelled {
            match self.workspace.find(name) {
                Ok(location) => paths.push(location.path),
                Err(one) => missing.push(ReadRefusal::NotFound(one)),
            }
        }
        (paths, missing)
    }
}
