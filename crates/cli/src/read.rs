//! `hashline read`, `hash` and `verify`: files as they are.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, Output};
use super::rows::{self, Wanted};
use crate::options::ReadArgs;
use hashline_core::cancel::Cancel;
use hashline_core::fs;
use hashline_core::read::{
    FileRequest, LARGE, LinesWanted, Lookup, ReadRefusal, ReadRequest, StreamFault,
};
use hashline_core::session::{ReadOutcome, Session};
use hashline_core::show::{self, Budget};
use hashline_core::snapshot::Snapshot;
use hashline_core::workspace::{Missing, Workspace};
use hashline_text::{Anchor, Document, LineNumber, Listing, Scheme, Span};

/// Standard input.
const STDIN: &str = "-";

/// What is written at once, if nothing else was asked for.
const CHUNK: usize = 64 << 10;

/// Prints files with the tag of every line.
pub(crate) fn read(args: &ReadArgs, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    if args.changes {
        return changes(args, opened);
    }
    if let Some(pattern) = &args.search {
        return search(args, pattern, opened);
    }
    let session = opened.session()?;
    let most_lines = args.chunk_lines.map_or(usize::MAX, |lines| lines as usize);
    let most_bytes = args.chunk_bytes.map_or(CHUNK, |bytes| bytes as usize);
    let mut out = Output::new(io::stdout().lock(), most_lines, most_bytes);
    let mut exit = Exit::Done;
    for (at, file) in args.files.iter().enumerate() {
        let target = Target::of(file, args, session.workspace());
        if args.files.len() > 1 && !args.json {
            let gap = if at > 0 { "\n" } else { "" };
            out.text(&format!("{gap}{}", show::name(&target.name)))?;
        }
        if let Err(failure) = target.print(&session, args, &mut out) {
            out.flush()?;
            eprintln!("hashline: {}", failure.message);
            exit = Exit::Failed;
        }
        if out.closed() {
            break;
        }
    }
    out.flush()?;
    Ok(exit)
}

/// A file, and which of its lines are wanted.
struct Target {
    /// As it was spelled, without its lines.
    name: String,
    path: PathBuf,
    /// Why there is no such file.
    missing: Option<Missing>,
    wanted: Wanted,
}

impl Target {
    /// The file that a name means: the one that `apply` would take.
    fn of(file: &Path, args: &ReadArgs, workspace: &Workspace) -> Self {
        let mut first = args.start_line.map_or(1, |line| line as usize);
        let mut last = args.lines.map_or(usize::MAX, |lines| first + lines as usize - 1);
        let (mut name, mut path) = (file.to_string_lossy().into_owned(), file.to_owned());
        let mut missing = None;
        if file != Path::new(STDIN) && !fs::exists(file) {
            match workspace.find(&name) {
                Ok(location) => {
                    (name, path) = (location.name, location.path);
                    if let Some(range) = location.lines {
                        first = range.first.get();
                        last = range.last.map_or(usize::MAX, LineNumber::get);
                    }
                }
                Err(none) => missing = Some(none),
            }
        }
        if let Some(most) = args.max_lines {
            last = last.min(first.saturating_add(most as usize) - 1);
        }
        let most_bytes = args.max_bytes.map_or(usize::MAX, |bytes| bytes as usize);
        let json = args.json.then(|| name.clone());
        Self { name, path, missing, wanted: Wanted { first, last, most_bytes, json } }
    }

    fn print<W: Write>(
        &self,
        session: &Session,
        args: &ReadArgs,
        out: &mut Output<W>,
    ) -> Result<(), Failure> {
        if let Some(missing) = &self.missing {
            let failure = Failure::new("not_found", ReadRefusal::Missing(missing.clone()));
            return Err(Failure { path: Some(self.shown()), ..failure });
        }
        let from = Source::open(&self.path)?;
        let scheme = session.scheme();
        let printed = match &from {
            Source::Bytes(bytes) => rows::print(bytes.as_slice(), scheme, &self.wanted, out),
            Source::Stream(_) => rows::print(from.reader(), scheme, &self.wanted, out),
        };
        let printed = printed.map_err(|reason| self.failure(&reason))?;
        out.flush()?;
        if let Source::Bytes(bytes) = from {
            self.remember(session, bytes, printed.rows);
        }
        let (first, seen) = (self.wanted.first, printed.seen);
        if first > seen && first > 1 {
            let lines = show::count(seen, "line");
            let message = format!("`{}` has {lines}, and line {first} was asked for", self.shown());
            return Err(Failure::new("past_end", message));
        }
        if let Some(next) = printed.next {
            eprintln!("hashline: `{}` goes on at --start-line {next}", self.shown());
        } else if args.max_lines.is_some() && seen > self.wanted.last {
            let next = self.wanted.last + 1;
            eprintln!("hashline: `{}` goes on at --start-line {next}", self.shown());
        }
        Ok(())
    }

    /// Keeps what was printed, so that a later `apply` can follow its lines.
    fn remember(&self, session: &Session, bytes: Vec<u8>, rows: usize) {
        let Ok(document) = Document::from_bytes(bytes) else { return };
        let listing = Listing::new(&document, session.scheme());
        let start = (self.wanted.first - 1).min(document.len());
        let span = Span::between(start, (start + rows).min(document.len()));
        let workspace = session.workspace();
        let key = workspace.key(&workspace.base().join(&self.path));
        session.remembered().remember(&key, Snapshot::of(&listing, &[span]));
    }

    fn shown(&self) -> String {
        show::name(&self.name).into_owned()
    }

    fn failure(&self, reason: &StreamFault) -> Failure {
        let name = self.shown();
        let (code, message) = match reason {
            StreamFault::NotText { line } => {
                ("not_utf8", format!("`{name}` is not UTF-8 text from line {line} on"))
            }
            StreamFault::LineTooLong { line } => (
                "line_too_long",
                format!("line {line} of `{name}` is too long to be held in memory"),
            ),
            StreamFault::Io(error) => ("io_error", format!("cannot read `{name}`: {error}")),
        };
        Failure { path: Some(name), ..Failure::new(code, message) }
    }
}

/// Where the bytes come from.
enum Source {
    /// A file that is small enough to be remembered.
    Bytes(Vec<u8>),
    /// Standard input, or a large file.
    Stream(Option<std::fs::File>),
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        let name = show::name(&path.to_string_lossy()).into_owned();
        let failure = |error: io::Error| Failure {
            path: Some(name.clone()),
            ..match error.kind() {
                io::ErrorKind::NotFound => {
                    Failure::new("not_found", format!("no such file: `{name}`"))
                }
                _ => Failure::new("io_error", format!("cannot read `{name}`: {error}")),
            }
        };
        if path == Path::new(STDIN) {
            return Ok(Self::Stream(None));
        }
        let (file, stat) = fs::open(path).map_err(|error| failure(error.into()))?;
        if stat.size > LARGE {
            return Ok(Self::Stream(Some(file)));
        }
        let most = usize::try_from(LARGE).unwrap_or(usize::MAX);
        fs::contents(path, most, &AtomicBool::new(false))
            .map(Self::Bytes)
            .map_err(|error| failure(error.into()))
    }

    fn reader(&self) -> Box<dyn Read + '_> {
        match self {
            Self::Bytes(bytes) => Box::new(bytes.as_slice()),
            Self::Stream(Some(file)) => Box::new(file),
            Self::Stream(None) => Box::new(io::stdin().lock()),
        }
    }
}

/// Prints the lines of files that hold a text.
fn search(args: &ReadArgs, pattern: &str, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let search = Some(Lookup::literal(pattern));
    let session = session_without_bounds(args, opened)?;
    let outcome = ask(&session, args, &FileRequest { search, ..FileRequest::default() })?;
    // One file needs no header above its rows.
    let text = match (args.files.len(), outcome.text.split_once('\n')) {
        (1, Some((_, rows))) => rows,
        (1, None) => "",
        _ => outcome.text.as_str(),
    };
    print_outcome(&outcome, text)
}

/// Prints what has changed in files since they were last printed, by this process or another. The
/// header stays: it says whether anything has.
fn changes(args: &ReadArgs, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let session = session_without_bounds(args, opened)?;
    let workspace = session.workspace();
    for file in &args.files {
        let key = workspace.key(&workspace.absolute(&file.to_string_lossy()));
        session.remembered().resume_view(&key);
    }
    let outcome = ask(&session, args, &FileRequest { changes: true, ..FileRequest::default() })?;
    print_outcome(&outcome, &outcome.text)
}

/// A session that shows as much as the options of `read` allow.
fn session_without_bounds(
    args: &ReadArgs,
    mut opened: OpenedWorkspace,
) -> Result<Session, Failure> {
    opened.options.budget = Budget {
        lines: args.max_lines.map_or(u32::MAX as usize, |lines| lines as usize),
        bytes: args.max_bytes.map_or(usize::MAX / 2, |bytes| bytes as usize),
        ..Budget::default()
    };
    opened.session()
}

/// Reads the files of the command line, each as `wish` says.
fn ask(session: &Session, args: &ReadArgs, wish: &FileRequest) -> Result<ReadOutcome, Failure> {
    let offset = args.start_line.map(i64::from);
    let limit = args.lines.map(|lines| lines as usize);
    let file = |path: &PathBuf| FileRequest {
        path: path.to_string_lossy().into_owned(),
        wanted: LinesWanted { offset, limit, column: None },
        ..wish.clone()
    };
    let request =
        ReadRequest { files: args.files.iter().map(file).collect(), ..ReadRequest::default() };
    session
        .read(&request, &Cancel::default())
        .map_err(|cancelled| Failure::new(cancelled.code(), cancelled))
}

/// Prints the text of a read, and why some files are not in it.
fn print_outcome(outcome: &ReadOutcome, text: &str) -> Result<Exit, Failure> {
    let mut out = Output::new(io::stdout().lock(), usize::MAX, CHUNK);
    let refused: Vec<_> = outcome.files.iter().filter_map(|file| file.refusal.as_ref()).collect();
    for refusal in &refused {
        eprintln!("hashline: {refusal}");
    }
    if refused.len() < outcome.files.len() {
        out.text(text)?;
    }
    out.flush()?;
    Ok(if refused.is_empty() { Exit::Done } else { Exit::Failed })
}

/// Prints the tags of a file's lines.
pub(crate) fn hash(file: &Path, opened: &OpenedWorkspace) -> Result<Exit, Failure> {
    let document = document(file)?;
    let listing = Listing::new(&document, opened.options.scheme);
    let mut out = Output::new(io::stdout().lock(), usize::MAX, CHUNK);
    listing.tags().iter().try_for_each(|tag| out.line(tag.as_str()))?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Says whether anchors fit the lines of a file.
pub(crate) fn verify(
    file: &Path,
    anchors: &[String],
    opened: &OpenedWorkspace,
) -> Result<Exit, Failure> {
    let document = document(file)?;
    let scheme = opened.options.scheme;
    let mut exit = Exit::Done;
    let mut out = Output::new(io::stdout().lock(), usize::MAX, CHUNK);
    for text in anchors {
        let anchor: Anchor =
            text.parse().map_err(|error| Failure::new("bad_anchor", format!("{text}: {error}")))?;
        let (fits, row) = state(&document, &anchor, scheme);
        if !fits {
            exit = Exit::No;
        }
        let word = if fits { "ok" } else { "stale" };
        out.line(&format!("{word} {}{}", anchor.print(scheme), row))?;
    }
    out.flush()?;
    Ok(exit)
}

/// Whether an anchor fits its line, and how the line is printed if it does not.
fn state(document: &Document, anchor: &Anchor, scheme: Scheme) -> (bool, String) {
    let listing = Listing::new(document, scheme);
    let Some(tag) = listing.tags().get(anchor.line.index()) else {
        return (false, format!(": the file has {}", show::count(document.len(), "line")));
    };
    if *tag == anchor.tag {
        return (true, String::new());
    }
    let mut row = String::from(": now ");
    let content = document.content(anchor.line).unwrap_or_default();
    show::Row::new(anchor.line, *tag, content).push(&mut row, scheme);
    (false, row)
}

fn document(file: &Path) -> Result<Document, Failure> {
    let mut bytes = Vec::new();
    let source = Source::open(file)?;
    source.reader().read_to_end(&mut bytes)?;
    Document::from_bytes(bytes).map_err(|error| {
        let name = show::name(&file.to_string_lossy()).into_owned();
        Failure {
            path: Some(name.clone()),
            ..Failure::new(error.code(), format!("`{name}`: {error}"))
        }
    })
}
