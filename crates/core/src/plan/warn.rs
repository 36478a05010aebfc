//! Warnings: what the reader should check after a change that was made as asked.
//!
//! A warning never stops a patch: the text may be intended. It names the line, and what to do if
//! the text is not intended.

use std::collections::HashSet;

use super::order::PlacedChange;
use super::repair::{indent, is_blank, resembles};
use super::resolve::is_telling;
use super::{Hunk, content};
use hashline_text::{Document, LineNumber};

/// A change that turns this many lines into few, or one line into this many, is worth a look.
const MANY_LINES: usize = 20;

/// Something that the reader should check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The stable name of the warning.
    pub code: WarningCode,
    /// The operation that it is about; `None` if it is about the whole patch or file.
    pub op: Option<usize>,
    /// The file, as an index into the list of files.
    pub file: usize,
    /// The line it is about, in the new file.
    pub line: Option<LineNumber>,
    /// What was seen, and what to do if it was not meant.
    pub text: String,
}

/// The stable names of the warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum WarningCode {
    /// Many lines were removed or added.
    ManyLines,
    /// A new line repeats the line beside it.
    RepeatsNeighbour,
    /// A new line holds the text of the line below it, which is still there.
    HoldsNextLine,
    /// A line was changed that has an equal line beside it.
    EqualNeighbour,
    /// The place is indented, and the new text is not.
    LostIndentation,
    /// The new text is indented by tabs among spaces, or by spaces among tabs.
    TabsAndSpaces,
    /// A new line looks like something that we print.
    LooksPrinted,
    /// The line that was replaced has nothing in common with the text in its place.
    ReplacedLine,
    /// A field was ignored because it says nothing about the change.
    IgnoredField,
    /// The change adds or removes brackets without their partners.
    Brackets,
    /// Lines were replaced that were never shown.
    UnseenLines,
    /// An anchor fits by its tag alone.
    Unverified,
    /// An empty text deleted lines.
    EmptyText,
    /// The file has other hard links, whose content changed too.
    HardLink,
    /// A line was named by less than an anchor.
    LooseAnchor,
    /// An operation named no file.
    AssumedPath,
    /// An operation came twice.
    RepeatedOperation,
}

impl WarningCode {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Looks over the changes of one file. `hunks` belong to `drafts`, one to one.
pub(super) fn look_over(
    file: usize,
    before: &Document,
    after: &Document,
    drafts: &[PlacedChange],
    hunks: &[Hunk],
    prose: bool,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |code, op, line: Option<usize>, text| {
        warnings.push(Warning { code, op, file, line: line.map(LineNumber::at), text });
    };
    let unbalanced = if prose { None } else { balance_change(before, drafts) };
    let typed = |(draft, _): &(&PlacedChange, &Hunk)| draft.transferred.is_none();
    for (draft, hunk) in drafts.iter().zip(hunks).filter(typed) {
        let (gone, new) = (draft.span.len(), draft.lines.len());
        if gone >= MANY_LINES && new * 4 < gone || gone == 1 && new >= MANY_LINES {
            let (many, what) = if gone > new { (gone, "gone") } else { (new, "new") };
            let text = format!("{many} lines {what}");
            warn(WarningCode::ManyLines, Some(draft.op), Some(hunk.after.start()), text);
        }
        if let Some(old) = unrelated_old_line(before, draft) {
            let text = format!("line {} was `{old}`", hunk.after.start() + 1);
            warn(WarningCode::ReplacedLine, Some(draft.op), Some(hunk.after.start()), text);
        }
        if let Some(next) = holds_next_line(before, draft) {
            let text = format!(
                "line {} holds the text of line {}, which is still there: delete it if the two were to be one",
                hunk.after.end(),
                hunk.after.end() + next
            );
            warn(WarningCode::HoldsNextLine, Some(draft.op), Some(hunk.after.end()), text);
        }
        let echoed = echoes_its_ends(before, draft);
        if new > gone || echoed {
            for (line, neighbour) in [
                (hunk.after.end().checked_sub(1), Some(hunk.after.end())),
                (Some(hunk.after.start()), hunk.after.start().checked_sub(1)),
            ] {
                if let (Some(line), Some(neighbour)) = (line, neighbour)
                    && repeats_neighbour(after, line, neighbour, unbalanced.is_some() || echoed)
                {
                    let text = format!(
                        "line {} repeats line {}: delete it if it was not meant twice",
                        line + 1,
                        neighbour + 1
                    );
                    warn(WarningCode::RepeatsNeighbour, Some(draft.op), Some(line), text);
                }
            }
        }
    }
    if let Some(change) = unbalanced {
        let text =
            format!("the brackets of the changed lines no longer balance as before: {change}");
        warn(WarningCode::Brackets, None, hunks.first().map(|hunk| hunk.after.start()), text);
    }
    warnings
}

/// The beginning of the replaced line, if the new text has none of its words and another
/// indentation: it may not be the line that was meant.
fn unrelated_old_line(before: &Document, draft: &PlacedChange) -> Option<String> {
    const MAX_QUOTED: usize = 40;
    let first = draft.lines.iter().find(|line| !is_blank(line))?;
    let old = content(before, draft.span.start());
    if draft.span.len() != 1 || is_blank(old) || indent(old) == indent(first) {
        return None;
    }
    let words = |text: &str| -> HashSet<String> {
        let words =
            text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 2);
        words.map(str::to_lowercase).collect()
    };
    let new: HashSet<String> = draft.lines.iter().flat_map(|line| words(line)).collect();
    let cut: String = old.trim().chars().take(MAX_QUOTED).collect();
    let mark = if cut.len() < old.trim().len() { "..." } else { "" };
    words(old).is_disjoint(&new).then(|| format!("{cut}{mark}"))
}

/// Whether a text looks unlike the line that it is to replace: no line of it resembles that line.
pub(super) fn is_unlike(old: &str, lines: &[String]) -> bool {
    let says = |line: &str| line.contains(char::is_alphanumeric);
    says(old)
        && lines.iter().any(|line| says(line))
        && !lines.iter().any(|line| resembles(line, old))
}

/// Whether the text of a replacement begins or ends with the line beside the lines it replaces.
fn echoes_its_ends(before: &Document, draft: &PlacedChange) -> bool {
    let says = |at: usize| content(before, at).chars().any(char::is_alphanumeric);
    let (span, lines) = (draft.span, &draft.lines);
    let above = span.start().checked_sub(1).filter(|at| says(*at)).map(|at| content(before, at));
    let below =
        (span.end() < before.len() && says(span.end())).then(|| content(before, span.end()));
    let first = lines.first().is_some_and(|line| Some(line.as_str()) == above);
    let last = lines.last().is_some_and(|line| Some(line.as_str()) == below);
    !span.is_empty() && lines.len() > 1 && (first || last)
}

/// `Some(1)` if the one new line also holds the text of the line below, which stays: asked to
/// change `let x = a ||`, a model writes `let x = a || b;` and forgets that `b;` has a line of its
/// own.
fn holds_next_line(before: &Document, draft: &PlacedChange) -> Option<usize> {
    const CONTINUATIONS: [&str; 13] =
        ["&&", "||", "??", "?", ":", "=", ",", "+", "-", "*", "/", ".", "("];
    let ([new], 1) = (&draft.lines[..], draft.span.len()) else { return None };
    let bare = |line: &str| -> String { line.chars().filter(|c| !c.is_whitespace()).collect() };
    let [here, next] = [draft.span.start(), draft.span.end()].map(|at| bare(content(before, at)));
    let new = bare(new);
    let token = CONTINUATIONS.iter().find(|token| here.ends_with(**token))?;
    let stem = &here[..here.len() - token.len()];
    let holds = !stem.is_empty()
        && next.len() > 1
        && new != here
        && new.find(stem).is_some_and(|at| new[at + stem.len()..].contains(&next));
    holds.then_some(1)
}

/// Whether a new line has the same text as the line beside it. A brace repeats often, so it counts
/// only if the change is `doubtful` for another reason.
fn repeats_neighbour(after: &Document, line: usize, neighbour: usize, doubtful: bool) -> bool {
    let text = content(after, line);
    neighbour < after.len()
        && !text.trim().is_empty()
        && text == content(after, neighbour)
        && (is_telling(text) || doubtful)
}

/// How all drafts together unbalance the brackets: "2 more `}`".
fn balance_change(before: &Document, drafts: &[PlacedChange]) -> Option<String> {
    const PAIRS: [(char, char); 3] = [('{', '}'), ('(', ')'), ('[', ']')];
    let mut change = [0_i64; 3];
    for draft in drafts {
        for at in draft.span.start()..draft.span.end() {
            count_brackets(content(before, at), -1, &PAIRS, &mut change);
        }
        for line in &draft.lines {
            count_brackets(line, 1, &PAIRS, &mut change);
        }
    }
    let parts: Vec<String> = PAIRS
        .iter()
        .zip(change)
        .filter(|(_, change)| *change != 0)
        .map(|((open, close), change)| {
            let bracket = if change > 0 { open } else { close };
            format!("{} more `{bracket}`", change.unsigned_abs())
        })
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Counts brackets outside of quoted text.
fn count_brackets(line: &str, sign: i64, pairs: &[(char, char); 3], change: &mut [i64; 3]) {
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), _) => {
                if c == open {
                    quote = None;
                }
            }
            // An apostrophe opens a text only if another one closes it: `it's` and `'a` open none.
            (None, '"' | '`' | '\'') if chars.clone().any(|later| later == c) => quote = Some(c),
            _ => {
                for ((open, close), change) in pairs.iter().zip(change.iter_mut()) {
                    if c == *open {
                        *change += sign;
                    } else if c == *close {
                        *change -= sign;
                    }
                }
            }
        }
    }
}
