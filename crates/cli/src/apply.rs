//! `hashline apply`: reads a patch and applies all of it, or nothing.

use std::io::{self, Read, Write};
use std::path::Path;

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, Output, print_line};
use super::paint::Paint;
use crate::encoded;
use crate::options::{ApplyArgs, CommonArgs};
use hashline_core::Relocation;
use hashline_core::cancel::Cancel;
use hashline_core::patch::Patch;
use hashline_core::session::{ApplyDone, ApplyMode, ApplyOutcome, TouchedFile};
use hashline_core::show::{self, Excerpt, GAP, Mark, Row};
use hashline_core::system;
use hashline_text::{LineNumber, Listing, Scheme, Span};
use hashline_wire::outcome::ApplyAnswer;
use hashline_wire::patch;
use hashline_wire::program::to_line;

/// The largest patch that is read, in bytes.
const MAX_PATCH: usize = 256 << 20;

/// How many lines are printed on each side of a changed line.
const CONTEXT: usize = 2;

/// Reads the patch and applies it.
pub(crate) fn apply(args: &ApplyArgs, common: &CommonArgs) -> Result<Exit, Failure> {
    match carry_out(args, common) {
        // If the report could not be printed, neither can the failure.
        Err(failure) if args.json && failure.code != LOST_REPORT => {
            print_line(&failure.to_json());
            Ok(Exit::Failed)
        }
        done => done,
    }
}

/// The code of the failure to print the report of a patch.
const LOST_REPORT: &str = "report_lost";

/// The failure to print a report; its message says what was done all the same.
fn lost_report(outcome: &ApplyOutcome, dry_run: bool, error: &io::Error) -> Failure {
    let done = match outcome {
        ApplyOutcome::Applied(_, Some(receipt)) if !dry_run => {
            format!("the patch was applied (receipt {})", receipt.id)
        }
        ApplyOutcome::Applied(..) if !dry_run => "there was nothing to change".to_owned(),
        _ => "nothing was written".to_owned(),
    };
    Failure::new(LOST_REPORT, format!("{done}, but the report could not be printed: {error}"))
}

fn carry_out(args: &ApplyArgs, common: &CommonArgs) -> Result<Exit, Failure> {
    let text = patch_text(args)?;
    let patch = patch_of(&text, args.file.as_deref())?;
    let mut opened = OpenedWorkspace::new(common, args.file.as_deref())?;
    opened.options.allow_outside |= args.allow_outside;
    if args.no_relocate {
        opened.options.relocation = Relocation::Off;
    }
    let scheme = opened.options.scheme;
    let session = opened.session()?;
    let mode = if args.dry_run { ApplyMode::DryRun } else { ApplyMode::Write };
    let done = session.apply_as(&patch, mode, &Cancel::default())?;
    let printed = print_outcome(args, &done, scheme, Paint::new(common.color));
    if let ApplyOutcome::Refused(report) = &done.outcome {
        let stale = report.refusals.iter().any(|refusal| refusal.code.is_stale());
        eprint!(
            "{}",
            if stale { retry(report, &done.files, scheme) } else { report.text.clone() + "\n" }
        );
        return Ok(if stale { Exit::No } else { Exit::Failed });
    }
    printed.map_err(|error| lost_report(&done.outcome, args.dry_run, &error))?;
    Ok(Exit::Done)
}

/// Prints what the options ask for on standard output.
fn print_outcome(
    args: &ApplyArgs,
    done: &ApplyDone,
    scheme: Scheme,
    paint: Paint,
) -> io::Result<()> {
    let mut out = Output::stdout();
    if args.json {
        out.line(&to_line(&ApplyAnswer::from(done.outcome.clone())))?;
    } else if let ApplyOutcome::Applied(report, _) = &done.outcome {
        if args.print {
            print(&done.files, &mut out)?;
        } else if args.emit_updated {
            emit(&done.files, scheme, &mut out)?;
        } else {
            out.text(&paint.report(&report.text))?;
        }
    }
    out.flush()
}

/// The text of the patch: from `--base64`, a descriptor, a file or standard input.
fn patch_text(args: &ApplyArgs) -> Result<String, Failure> {
    let bytes = if let Some(text) = &args.base64 {
        encoded::from_base64(text)
            .ok_or_else(|| Failure::new("bad_patch", "`--base64` is not base64"))?
    } else if let Some(fd) = args.fd {
        system::descriptor(fd).and_then(read_all).map_err(|error| {
            Failure::new("io_error", format!("cannot read descriptor {fd}: {error}"))
        })?
    } else if let Some(path) = args.input.as_deref().filter(|path| !is_stdin(path)) {
        system::open_once(path).and_then(|file| Ok(read_all(file)?)).map_err(|error| {
            let name = show::name(&path.to_string_lossy()).into_owned();
            Failure::new("io_error", format!("cannot read the patch in `{name}`: {error}"))
        })?
    } else {
        read_all(io::stdin().lock())?
    };
    String::from_utf8(bytes).map_err(|_| Failure::new("bad_patch", "the patch is not UTF-8"))
}

/// Whether a path names standard input.
fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0"].iter().any(|name| path == Path::new(name))
}

/// Reads the bytes of a patch; an error if there are more than [`MAX_PATCH`].
fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_PATCH as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_PATCH {
        return Err(io::Error::other("it is larger than 256 MB"));
    }
    Ok(bytes)
}

/// Parses the patch; operations without a path are meant for `file`.
fn patch_of(text: &str, file: Option<&Path>) -> Result<Patch, Failure> {
    let path = match file {
        None => None,
        Some(file) => Some(file.to_str().ok_or_else(|| {
            let name = file.to_string_lossy();
            let message = format!("`{}` is not UTF-8, and a patch is", show::name(&name));
            Failure::new("bad_path", message)
        })?),
    };
    patch::read_for(text, path)
        .map_err(|bad| Failure { op: bad.op, ..Failure::new(bad.code.as_str(), bad) })
}

/// Prints the whole content of each changed file.
fn print<W: Write>(files: &[TouchedFile], out: &mut Output<W>) -> io::Result<()> {
    for file in files {
        if let Some(document) = &file.document {
            out.bytes(document.bytes())?;
        }
    }
    Ok(())
}

/// Prints the fresh anchors of the changed lines and of those around them.
fn emit<W: Write>(files: &[TouchedFile], scheme: Scheme, out: &mut Output<W>) -> io::Result<()> {
    let shown: Vec<_> = files
        .iter()
        .filter_map(|file| Some((file, file.document.as_ref()?)))
        .filter(|(file, _)| !file.lines.is_empty())
        .collect();
    for (file, document) in &shown {
        if shown.len() > 1 {
            out.line(&show::name(&file.path))?;
        }
        let listing = Listing::new(document, scheme);
        let ranges: Vec<_> = file.lines.iter().map(|span| range(*span)).collect();
        out.text(&Excerpt::new(&listing, &ranges, CONTEXT, CONTEXT).to_string())?;
    }
    Ok(())
}

/// The numbers of a span's first and last line; for an empty span, of the line after it.
fn range(span: Span) -> (usize, usize) {
    (span.start() + 1, span.end().max(span.start() + 1))
}

/// The text for a refused patch: the reasons and the present lines, the stale ones marked `>>>`.
fn retry(
    report: &hashline_core::report::RefusedReport,
    files: &[TouchedFile],
    scheme: Scheme,
) -> String {
    let mut text = String::from("hashline: nothing was written\n");
    for refusal in &report.refusals {
        show::say(&mut text, format_args!("{}\n", refusal.reason));
    }
    for file in files.iter().filter(|file| !file.lines.is_empty()) {
        let Some(document) = &file.document else { continue };
        show::say(&mut text, format_args!("\n{}\n", show::name(&file.path)));
        let listing = Listing::new(document, scheme);
        let stale = |index: usize| {
            file.lines.iter().any(|span| (span.start()..span.end()).contains(&index))
        };
        let mut last = None;
        for index in file.shown.iter().map(|span| span.start()) {
            if last.is_some_and(|last| last + 1 != index) {
                show::say(&mut text, format_args!("{GAP}\n"));
            }
            last = Some(index);
            text.push_str(if stale(index) { ">>> " } else { "    " });
            let number = LineNumber::at(index);
            let content = document.content(number).unwrap_or_default();
            let row = Row { mark: Mark::None, ..Row::new(number, listing.tags()[index], content) };
            row.push(&mut text, scheme);
            text.push('\n');
        }
    }
    text
}
