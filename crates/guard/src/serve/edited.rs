//! The lines that a `sed -i` is about, for the one who must change them by their anchors.

use super::grep::{Dialect, read_pattern};
use super::sed::until;
use super::{GrepRequest, Lines, Part, ReadPath, Serve, Source, is_pattern};
use crate::ast::{Command, Simple};
use crate::convert::taken_apart;
use crate::policy::{Context, Policy, Zone};
use crate::settings::GuardSettings;
use crate::shell::Shell;
use crate::unknown::is_known;

/// Lines that are to be changed.
pub(crate) struct EditedLines {
    /// The lines, and what else the command does.
    pub(crate) serve: Serve,
    /// The operation that changes them.
    pub(crate) op: EditOp,
}

/// The operation that does what a command of sed does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditOp {
    /// `s` and `c`.
    Replace,
    /// `d`.
    Delete,
    /// `a`.
    InsertAfter,
    /// `i`.
    InsertBefore,
}

/// The lines that the `sed -i` of a script would change; `None` if it writes in other ways too.
pub(crate) fn edited(
    script: &str,
    parsed: &Command,
    context: &Context,
    settings: &GuardSettings,
    policy: &Policy,
) -> Option<EditedLines> {
    let mut shell = Shell::new(policy, context, settings);
    let (edits, rest) =
        taken_apart(script, parsed, &mut shell, |simple, shell| lines(simple, shell, policy))?;
    let op = edits.first()?.0;
    let mut parts: Vec<Part> = edits.into_iter().map(|(_, lines)| Part::Lines(lines)).collect();
    parts.extend(rest.map(Part::Alone));
    Some(EditedLines { serve: Serve { parts }, op })
}

fn lines(simple: &Simple, shell: &mut Shell<'_>, policy: &Policy) -> Option<Vec<(EditOp, Lines)>> {
    (simple.assignments.is_empty() && simple.redirects.is_empty()).then_some(())?;
    let words = shell.plain_fields(&simple.words);
    words.iter().all(|word| is_known(word)).then_some(())?;
    let (name, operands) = words.split_first()?;
    matches!(name.rsplit('/').next()?, "sed" | "gsed").then_some(())?;
    let (mut script, mut files) = (None, Vec::new());
    let (mut in_place, mut extended) = (false, false);
    let mut words = operands.iter().filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        match word.as_str() {
            "-E" | "-r" | "--regexp-extended" => extended = true,
            "-e" if script.is_none() => script = words.next(),
            "-Ei" | "-ri" => (in_place, extended) = (true, true),
            flag if flag.starts_with("-i") || flag.starts_with("--in-place") => in_place = true,
            flag if flag.starts_with('-') => return None,
            _ if script.is_none() => script = Some(word),
            _ => files.push(word),
        }
    }
    in_place.then_some(())?;
    let dialect = if extended { Dialect::Extended } else { Dialect::Basic };
    let (op, about) = about(script?)?;
    let edits = files.into_iter().map(|file| {
        let located = shell.locate(file);
        (located.zone == Zone::Protected && !is_pattern(file)).then_some(())?;
        let path = policy.relative(&located.path);
        let source = match &about {
            About::Lines { offset, limit } => {
                Source::Read(vec![ReadPath { path, offset: Some(*offset), limit: *limit }])
            }
            About::Matches { pattern, case_sensitive } => {
                let matching = read_pattern(std::slice::from_ref(pattern), dialect)?;
                Source::Grep(GrepRequest {
                    pattern: matching.text,
                    literal: matching.literal,
                    paths: vec![path],
                    case_sensitive: *case_sensitive,
                    ..GrepRequest::default()
                })
            }
        };
        Some((op, Lines::new(source)))
    });
    edits.collect()
}

/// Which lines a script of sed is about.
#[derive(Debug, PartialEq, Eq)]
enum About {
    Lines { offset: i64, limit: Option<u64> },
    Matches { pattern: String, case_sensitive: bool },
}

/// What a script of one command does, and to which lines.
fn about(script: &str) -> Option<(EditOp, About)> {
    let script = script.trim();
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (about, command) = if script.starts_with(|c: char| c.is_ascii_digit()) {
        let (first, rest) = script.split_at(digits(script));
        let offset: i64 = first.parse().ok().filter(|&first| first > 0)?;
        let (limit, command) = match rest.strip_prefix(',') {
            Some(rest) if rest.starts_with('$') => (None, &rest[1..]),
            Some(rest) => {
                let (last, command) = rest.split_at(digits(rest));
                let last: i64 = last.parse().ok()?;
                (Some(u64::try_from(last.checked_sub(offset)?.checked_add(1)?).ok()?), command)
            }
            None => (Some(1), rest),
        };
        (Some(About::Lines { offset, limit }), command)
    } else if let Some(rest) = script.strip_prefix('/') {
        let (pattern, command) = until(rest, '/')?;
        (Some(About::Matches { pattern, case_sensitive: true }), command)
    } else {
        (None, script)
    };
    let command = command.trim_start();
    let mut letters = command.chars();
    let op = match letters.next()? {
        's' => {
            let delimiter = letters.next()?;
            let (pattern, rest) = until(letters.as_str(), delimiter)?;
            let (_, flags) = until(rest, delimiter)?;
            let known = |c: char| c.is_ascii_digit() || matches!(c, 'g' | 'I' | 'i');
            flags.chars().all(known).then_some(())?;
            let case_sensitive = !flags.contains(['I', 'i']);
            let about = about.unwrap_or(About::Matches { pattern, case_sensitive });
            return Some((EditOp::Replace, about));
        }
        'd' if letters.as_str().trim().is_empty() => EditOp::Delete,
        'c' => EditOp::Replace,
        'a' => EditOp::InsertAfter,
        'i' => EditOp::InsertBefore,
        _ => return None,
    };
    Some((op, about?))
}
