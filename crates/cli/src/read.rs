//! `hashline read`, `hash` and `verify`: show files and check anchors.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::open::OpenedWorkspace;
use super::output::{CHUNK, Exit, Failure, Output};
use super::paint::Paint;
use crate::options::ReadArgs;
use hashline_core::cancel::Cancel;
use hashline_core::read::{
    FileRequest, LinesWanted, Lookup, ReadRefusal, ReadRequest, RowsWanted, StreamFault,
    StreamSource, StreamedLine, print_rows,
};
use hashline_core::session::{ReadOutcome, Session};
use hashline_core::show::{self, Budget};
use hashline_text::{Anchor, Document, Encoding, LineNumber, Listing, Scheme};
use hashline_wire::program;

/// The file name that means standard input.
const STDIN: &str = "-";

/// Prints files with the tag of every line.
pub(crate) fn read(
    args: &ReadArgs,
    paint: Paint,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    if args.changes {
        return changes(args, opened);
    }
    if let Some(pattern) = &args.search {
        return search(args, pattern, opened);
    }
    let session = opened.session()?;
    let max_lines = args.chunk_lines.map_or(usize::MAX, |lines| lines as usize);
    let max_bytes = args.chunk_bytes.map_or(CHUNK, |bytes| bytes as usize);
    let mut out = Output::new(io::stdout().lock(), max_lines, max_bytes);
    let mut exit = Exit::Done;
    for (at, file) in args.files.iter().enumerate() {
        let target = Target::of(file, args, &session);
        if args.files.len() > 1 && !args.json {
            let gap = if at > 0 { "\n" } else { "" };
            out.text(&format!("{gap}{}", show::name(&target.name)))?;
        }
        if let Err(failure) = target.print(&session, args, paint, &mut out) {
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

/// A file to print, and its wanted lines.
struct Target {
    /// The file's name as given, without a line range.
    name: String,
    path: PathBuf,
    /// The refusal, if there is no such file.
    missing: Option<ReadRefusal>,
    wanted: RowsWanted,
}

impl Target {
    fn of(file: &Path, args: &ReadArgs, session: &Session) -> Self {
        let mut first = args.start_line.map_or(1, |line| line as usize);
        let mut last = args.lines.map_or(usize::MAX, |lines| first + lines as usize - 1);
        let (mut name, mut path) = (file.to_string_lossy().into_owned(), file.to_owned());
        let mut missing = None;
        if file != Path::new(STDIN) {
            match session.find_file(file) {
                Ok(location) => {
                    (name, path) = (location.name, location.path);
                    if let Some(range) = location.lines {
                        first = range.first.get();
                        last = range.last.map_or(usize::MAX, LineNumber::get);
                    }
                }
                Err(none) => missing = Some(ReadRefusal::NotFound(none)),
            }
        }
        if let Some(most) = args.max_lines {
            last = last.min(first.saturating_add(most as usize) - 1);
        }
        let max_bytes = args.max_bytes.map_or(usize::MAX, |bytes| bytes as usize);
        Self { name, path, missing, wanted: RowsWanted { first, last, max_bytes } }
    }

    fn print<W: Write>(
        &self,
        session: &Session,
        args: &ReadArgs,
        colours: Paint,
        out: &mut Output<W>,
    ) -> Result<(), Failure> {
        if let Some(missing) = &self.missing {
            return Err(Failure::new("not_found", missing));
        }
        let (mut source, scheme, wanted) =
            (source(session, &self.path, &self.name)?, session.scheme(), self.wanted);
        let start = wanted.first.saturating_sub(1);
        let (left_out, note) = source.left_out(start..wanted.last);
        let row = |line: StreamedLine<'_>| {
            let at = line.number.index();
            if left_out.hides(at) {
                return None;
            }
            if args.json {
                return Some(program::row(&self.name, at + 1, line.tag.as_str(), line.content));
            }
            let row = line.row(scheme);
            let row = if colours.is_on() { colours.row(&row, None) } else { row };
            let is_behind_gap = at > start && left_out.hides(at - 1);
            Some(if is_behind_gap { format!("{}\n{row}", show::GAP) } else { row })
        };
        let mut bytes = 0;
        let mut print = |row: &str| {
            bytes += row.len() + 1;
            out.line(row)?;
            Ok(if out.closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let printed = print_rows(source.reader(), scheme, wanted, &row, &mut print)
            .map_err(|reason| self.failure(&reason))?;
        out.flush()?;
        session.remember_printed(source, wanted.first, printed.rows, bytes);
        let (first, seen) = (wanted.first, printed.seen);
        if first > seen && first > 1 {
            let lines = show::count(seen, "line");
            let message = format!("`{}` has {lines}, and line {first} was asked for", self.shown());
            return Err(Failure::new("past_end", message));
        }
        let cut = args.max_lines.is_some() && seen > wanted.last;
        if let Some(note) = note {
            eprintln!("hashline: `{}`: {note}", self.shown());
        }
        if let Some(next) = printed.next.or(cut.then(|| left_out.next(wanted.last) + 1)) {
            eprintln!("hashline: `{}` continues at --start-line {next}", self.shown());
        }
        Ok(())
    }

    fn shown(&self) -> String {
        show::name(&self.name).into_owned()
    }

    fn failure(&self, reason: &StreamFault) -> Failure {
        let name = self.shown();
        match reason {
            StreamFault::LineTooLong { line } => {
                let message = format!("line {line} of `{name}` is too long to be held in memory");
                Failure::new("line_too_long", message)
            }
            StreamFault::Io(error) => {
                Failure::new("io_error", format!("cannot read `{name}`: {error}"))
            }
        }
    }
}

/// Opens a file, or standard input.
fn source(session: &Session, path: &Path, name: &str) -> Result<StreamSource, Failure> {
    let path = Some(path).filter(|path| *path != Path::new(STDIN));
    let source = session.stream(path, name);
    source.map_err(|refusal| Failure::new(refusal.code().as_str(), refusal))
}

/// Prints the lines of files that hold a text.
fn search(args: &ReadArgs, pattern: &str, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let search = Some(Lookup::literal(pattern));
    let session = session_without_bounds(args, opened)?;
    let outcome = ask(&session, args, &FileRequest { search, ..FileRequest::default() })?;
    // The rows of a single file need no header.
    let text = match (args.files.len(), outcome.text.split_once('\n')) {
        (1, Some((_, rows))) => rows,
        (1, None) => "",
        _ => outcome.text.as_str(),
    };
    print_outcome(&outcome, text)
}

/// Prints the changes in files since any process last printed them. The header is kept, because it
/// says whether anything has changed.
fn changes(args: &ReadArgs, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let session = session_without_bounds(args, opened)?;
    for file in &args.files {
        session.resume_view(&file.to_string_lossy());
    }
    let outcome = ask(&session, args, &FileRequest { changes: true, ..FileRequest::default() })?;
    print_outcome(&outcome, &outcome.text)
}

/// A session without limits of its own: only the options of `read` limit what it shows.
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

/// Reads the files of the command line with the line options; `wish` has the other options.
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
    Ok(session.read(&request, &Cancel::default())?)
}

/// Prints the text of a read, and why some files are not in it.
fn print_outcome(outcome: &ReadOutcome, text: &str) -> Result<Exit, Failure> {
    let mut out = Output::stdout();
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
pub(crate) fn hash(file: &Path, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let session = opened.session()?;
    let document = document(&session, file)?;
    let listing = Listing::new(&document, session.scheme());
    let mut out = Output::stdout();
    listing.tags().iter().try_for_each(|tag| out.line(tag.as_str()))?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Prints whether each anchor fits its line of a file.
pub(crate) fn verify(
    file: &Path,
    anchors: &[String],
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    let session = opened.session()?;
    let document = document(&session, file)?;
    let scheme = session.scheme();
    let mut exit = Exit::Done;
    let mut out = Output::stdout();
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

/// Whether an anchor fits its line, and the text to print after it.
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

fn document(session: &Session, file: &Path) -> Result<Document, Failure> {
    match source(session, file, &file.to_string_lossy())? {
        StreamSource::Held { document, .. } => Ok(document),
        StreamSource::Read(mut from) => {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes)?;
            Ok(Document::decode_as(bytes, Encoding::UTF_8))
        }
    }
}
