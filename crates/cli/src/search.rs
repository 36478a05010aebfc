//! `hashline grep`: a search that prints lines with their anchors.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::open::OpenedWorkspace;
use super::output::{Exit, Failure, Output};
use super::paint::Paint;
use crate::options::GrepArgs;
use hashline_core::cancel::Cancel;
use hashline_core::grep::{
    BadPattern, ContextLines, GrepRequest, GrepShow, Marker, PatternProblem, Progress, Reading,
    literal,
};
use hashline_core::session::{GrepOutcome, GrepRefusal};
use hashline_core::show::{self, Budget};
use hashline_wire::outcome::GrepAnswer;
use hashline_wire::program::to_line;

/// Searches files; exit 0 if something was found and 1 if not, as other searchers do.
pub(crate) fn grep(
    args: &GrepArgs,
    paint: Paint,
    mut opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    if args.perl_regexp {
        let reason = "-P is not understood: patterns have no look-around and no back-references";
        return Err(Failure::new("bad_option", reason));
    }
    opened.options.budget =
        Budget { lines: u32::MAX as usize, bytes: usize::MAX / 2, ..Budget::default() };
    let session = opened.session()?;
    let request = request(args);
    let is_missing = |path: &String| session.find_file(Path::new(path)).is_err();
    let all_there = !request.paths.iter().any(is_missing);
    let outcome = session.grep(&request, &|progress| tell(progress), &Cancel::default())?;
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
    let mut out = Output::stdout();
    if args.json && !args.quiet {
        out.line(&to_line(&GrepAnswer::from(outcome.clone())))?;
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
            if !args.json && !args.quiet && matches > 0 {
                let text = match text.strip_suffix("raise limit]") {
                    Some(rest) => format!("{rest}raise --limit]"),
                    None => text,
                };
                match Marker::new(&request.pattern, request.reading).filter(|_| paint.is_on()) {
                    Some(marker) => out.text(&paint.rows(&text, &marker))?,
                    None => out.text(&text)?,
                }
            }
            out.flush()?;
            // As in grep, a missing path is an error, unless `-q` has found a match.
            Ok(match (matches > 0, all_there) {
                (true, _) if args.quiet => Exit::Done,
                (_, false) => Exit::Failed,
                (true, true) => Exit::Done,
                (false, true) => Exit::No,
            })
        }
    }
}

/// Why a pattern is refused, and which option helps.
fn in_options(bad: &BadPattern) -> String {
    let next = match bad.reason {
        PatternProblem::Empty => "",
        PatternProblem::Newline => "; -U lets a match span several lines",
        PatternProblem::Syntax(_) => "\nhint: -F searches for plain text; `\\` escapes a character",
    };
    format!("bad pattern `{}`: {}{next}", show::brief(&bad.pattern), bad.reason)
}

fn request(args: &GrepArgs) -> GrepRequest {
    let both = args.context.unwrap_or(0);
    let lines = |own: Option<u32>| own.unwrap_or(both) as usize;
    let most = |number: Option<u32>| number.map_or(u32::MAX as usize, |number| number as usize);
    let show = match (args.files_with_matches, args.count) {
        _ if args.files_without_match || args.files => GrepShow::Others,
        (true, _) => GrepShow::Names,
        (_, true) => GrepShow::Counts,
        _ => GrepShow::Lines,
    };
    let patterns = args.patterns();
    let (pattern, literal) = one_pattern(args, &patterns);
    let has_capital = patterns.iter().any(|pattern| holds_capital(pattern, args.fixed_strings));
    let excluded = args.exclude.iter().map(|glob| format!("!{glob}"));
    GrepRequest {
        pattern,
        reading: Reading {
            literal,
            case_sensitive: !(args.ignore_case || args.smart_case && !has_capital),
            multiline: args.multiline,
            inverted: args.invert_match && !args.files,
        },
        paths: args.places(),
        globs: args.glob.iter().cloned().chain(excluded).collect(),
        types: args.types.clone(),
        around: ContextLines {
            before: lines(args.before_context),
            after: lines(args.after_context),
        },
        limit: most(args.limit),
        per_file: most(args.max_count),
        show,
        hidden: args.hidden || args.unrestricted > 1,
        ignored: args.no_ignore || args.unrestricted > 0,
    }
}

/// One pattern that matches whatever the options ask for, and whether it is plain text.
fn one_pattern(args: &GrepArgs, patterns: &[&str]) -> (String, bool) {
    /// A pattern that matches nothing: the empty class of characters.
    const NOTHING: &str = r"[^\s\S]";
    if args.files {
        return (NOTHING.to_owned(), false);
    }
    if let [one] = patterns
        && !args.word_regexp
        && !args.line_regexp
    {
        return ((*one).to_owned(), args.fixed_strings);
    }
    let each = |pattern: &&str| {
        if args.fixed_strings { literal(pattern) } else { format!("(?:{pattern})") }
    };
    let any = patterns.iter().map(each).collect::<Vec<_>>().join("|");
    let pattern = match (args.word_regexp, args.line_regexp) {
        (_, true) => format!("^(?:{any})$"),
        (true, _) => format!(r"\b{{start-half}}(?:{any})\b{{end-half}}"),
        _ => any,
    };
    (pattern, false)
}

/// Whether a pattern has a capital letter, other than in `\W` and the like.
fn holds_capital(pattern: &str, literal: bool) -> bool {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && !literal {
            chars.next();
        } else if c.is_uppercase() {
            return true;
        }
    }
    false
}

/// Prints the progress of a long search on a terminal.
fn tell(progress: Progress) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = write!(stderr, "\r{} searched", show::count(progress.searched, "file"));
    }
}
