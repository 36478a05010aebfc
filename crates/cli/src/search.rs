//! `hashline grep`: a search whose lines have anchors.

use std::io::{self, IsTerminal, Write};

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, Output};
use crate::options::GrepArgs;
use hashline_core::cancel::Cancel;
use hashline_core::grep::{
    Around, BadPattern, GrepRequest, GrepShow, PatternProblem, Progress, Reading,
};
use hashline_core::session::{GrepOutcome, GrepRefusal};
use hashline_core::show::{self, Budget};
use hashline_wire::outcome::GrepAnswer;
use hashline_wire::program::Json;

/// Searches files; exit 0 if something was found and 1 if not, as other searchers do.
pub(crate) fn grep(args: &GrepArgs, mut opened: OpenedWorkspace) -> Result<Exit, Failure> {
    opened.options.budget =
        Budget { lines: u32::MAX as usize, bytes: usize::MAX / 2, ..Budget::default() };
    let session = opened.session()?;
    let outcome = session
        .grep(&request(args), &|progress| tell(progress), &Cancel::default())
        .map_err(|cancelled| Failure::new(cancelled.code(), cancelled))?;
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    let mut out = Output::new(io::stdout().lock(), usize::MAX, 64 << 10);
    if args.json {
        out.line(&GrepAnswer::from(outcome.clone()).to_line())?;
        out.flush()?;
    }
    match outcome {
        GrepOutcome::Refused(refusal) => {
            let code = refusal.code().as_str();
            Err(match &refusal {
                GrepRefusal::Pattern(bad) => Failure::new(code, in_options(bad)),
                _ => Failure::new(code, refusal),
            })
        }
        GrepOutcome::Found { text, matches, .. } => {
            if !args.json && matches > 0 {
                out.text(&text)?;
            }
            out.flush()?;
            Ok(if matches > 0 { Exit::Done } else { Exit::No })
        }
    }
}

/// Why a pattern cannot be searched for, and which option helps.
fn in_options(bad: &BadPattern) -> String {
    let next = match bad.reason {
        PatternProblem::Empty => "",
        PatternProblem::Newline => "; -U lets a match go over several lines",
        PatternProblem::Syntax(_) => "\nhint: -F searches for plain text; `\\` escapes a character",
    };
    format!("bad pattern `{}`: {}{next}", show::brief(&bad.pattern), bad.reason)
}

fn request(args: &GrepArgs) -> GrepRequest {
    let both = args.context.unwrap_or(0);
    let lines = |own: Option<u32>| own.unwrap_or(both) as usize;
    let show = match (args.files_with_matches, args.count) {
        (true, _) => GrepShow::Names,
        (_, true) => GrepShow::Counts,
        _ => GrepShow::Lines,
    };
    GrepRequest {
        pattern: args.pattern.clone(),
        reading: Reading {
            literal: args.fixed_strings,
            case_sensitive: !args.ignore_case,
            multiline: args.multiline,
        },
        paths: args.paths.clone(),
        globs: args.glob.clone(),
        types: args.types.clone(),
        around: Around { before: lines(args.before_context), after: lines(args.after_context) },
        limit: args.limit.map_or(u32::MAX as usize, |limit| limit as usize),
        show,
        hidden: args.hidden,
        ignored: args.no_ignore,
    }
}

/// Says on a terminal how far a long search is.
fn tell(progress: Progress) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = write!(stderr, "\r{} searched", show::count(progress.searched, "file"));
    }
}
