//! `hashline undo`, `redo`, `diff`, `history`, `stats`, `recover`, `status` and `judge`.

use std::path::Path;

use super::open::{OpenedWorkspace, memory_directory, named_from};
use super::output::{Exit, Failure, print_line};
use super::paint::Paint;
use crate::options::CommonArgs;
use hashline_core::cancel::Cancel;
use hashline_core::session::{
    RecoverRequest, RedoOutcome, Review, ReviewOutcome, Session, ShellAnswer, ShellCall, ShellKind,
    UndoOutcome, UndoRefusalCode, UndoRequest, remembered_files,
};
use hashline_core::{show, system};
use hashline_wire::command_line;
use hashline_wire::outcome::{RecoverAnswer, RedoAnswer, StatsAnswer, UndoAnswer};
use hashline_wire::program::to_line;

/// Undoes a patch: the one that a receipt names, or the last one.
pub(crate) fn undo(
    request: UndoRequest<'_>,
    json: bool,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    let outcome = opened.session()?.undo_patch(request, &Cancel::default())?;
    if json {
        print_line(&to_line(&UndoAnswer::from(outcome.clone())));
    }
    match outcome {
        UndoOutcome::Undone { text, .. } => Ok(done(json, &text)),
        UndoOutcome::Refused { text, code, .. } => Err(not_undone(request.receipt, code, &text)),
    }
}

/// Redoes the patch that was undone last.
pub(crate) fn redo(json: bool, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let outcome = opened.session()?.redo(&Cancel::default())?;
    if json {
        print_line(&to_line(&RedoAnswer::from(outcome.clone())));
    }
    match outcome {
        RedoOutcome::Redone { text, .. } => Ok(done(json, &text)),
        RedoOutcome::Refused { text } => Err(Failure::new("not_redone", for_people(&text))),
    }
}

/// Prints the outcome as text, unless it was already printed as JSON.
fn done(json: bool, text: &str) -> Exit {
    if !json {
        print_line(text);
    }
    Exit::Done
}

/// Why a patch was not undone, or cannot be shown, in words for a person.
fn not_undone(receipt: Option<&str>, code: UndoRefusalCode, text: &str) -> Failure {
    let reason = match receipt {
        Some(receipt) if code == UndoRefusalCode::NothingToUndo => {
            let receipt = show::brief(receipt);
            format!("no patch is kept with the receipt `{receipt}`; `hashline history` lists them")
        }
        _ => for_people(text).to_owned(),
    };
    Failure::new(code.as_str(), reason)
}

fn for_people(text: &str) -> &str {
    text.strip_prefix("REJECTED: nothing was written\n").unwrap_or(text)
}

/// Prints the diff from before a patch to now: the one that a receipt names, or the last one.
pub(crate) fn diff(
    receipt: Option<&str>,
    paint: Paint,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    match opened.session()?.review(receipt, &Cancel::default())? {
        ReviewOutcome::Reviewed(Review { since: Some(since), .. }) => {
            print_line(paint.diff(&since).trim_end());
            Ok(Exit::Done)
        }
        ReviewOutcome::Reviewed(review) => {
            let reason = format!("the diff of patch {} is too long to be shown", review.receipt);
            Err(Failure::new("too_large", reason))
        }
        ReviewOutcome::Refused(UndoOutcome::Refused { text, code, .. }) => {
            Err(not_undone(receipt, code, &text))
        }
        ReviewOutcome::Refused(UndoOutcome::Undone { .. }) => {
            unreachable!("a review undoes nothing")
        }
    }
}

/// Lists the patches that are kept, each with its age, receipt, size and files.
pub(crate) fn list(opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let patches = opened.session()?.history(&Cancel::default())?;
    for patch in &patches {
        let note = if patch.restorable { "" } else { " (its files have changed since)" };
        let names: Vec<_> = patch.files.iter().map(|file| show::name(file)).collect();
        let (age, size) = (age(patch.time), show::size(patch.size));
        print_line(&format!("{age} {} {size} {}{note}", patch.receipt, names.join(" ")));
    }
    if patches.is_empty() {
        eprintln!("hashline: no patch is kept");
    }
    Ok(Exit::Done)
}

/// How long ago a time was; `time` is in milliseconds since 1970.
fn age(time: u64) -> String {
    let seconds = system::now_millis().saturating_sub(time) / 1000;
    match seconds {
        0..120 => format!("{seconds}s"),
        120..7200 => format!("{}min", seconds / 60),
        7200..172_800 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Prints the statistics.
pub(crate) fn stats(json: bool, opened: OpenedWorkspace) -> Result<Exit, Failure> {
    let stats = opened.session()?.stats();
    print_line(&if json { to_line(&StatsAnswer::from(stats)) } else { stats.text() });
    Ok(Exit::Done)
}

/// Completes or rolls back an interrupted patch.
pub(crate) fn recover(
    set_aside: bool,
    json: bool,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    let request = RecoverRequest { sweep: true, set_aside };
    let outcome = opened.session()?.recover(request, &Cancel::default())?;
    if json {
        print_line(&to_line(&RecoverAnswer::from(outcome.clone())));
    }
    Ok(done(json, &outcome.text))
}

/// Prints where the workspace, its settings and its state are.
pub(crate) fn status(common: &CommonArgs, opened: &OpenedWorkspace) -> Exit {
    let memory = match memory_directory(&opened.root, common.session.as_deref()) {
        Some(directory) if !common.no_memory => {
            let shown = show::count(remembered_files(&directory), "file");
            format!("{} ({shown} shown)", directory.display())
        }
        _ => "off".to_owned(),
    };
    print_line(&format!("hashline {}", env!("CARGO_PKG_VERSION")));
    print_line(&format!("workspace: {}", opened.root.display()));
    print_line(&format!("scheme: {}", opened.options.scheme.name()));
    for file in &opened.files {
        print_line(&format!("settings: {}", file.display()));
    }
    print_line(&format!("memory: {memory}"));
    Exit::Done
}

/// Judges a shell command.
pub(crate) fn judge(
    command: &[String],
    cwd: Option<&Path>,
    shell: &str,
    json: bool,
    opened: OpenedWorkspace,
) -> Result<Exit, Failure> {
    let command = command.join(" ");
    let cwd = match cwd {
        Some(cwd) => system::current_directory()?.join(cwd),
        None => system::current_directory()?,
    };
    let shell = ShellKind::named(shell).unwrap_or_default();
    let session = opened.uncounted().guard_session()?;
    let (is_blocked, text) = shell_answer(&session, &command, shell, &cwd);
    if json {
        let verdict = session.judge(&command, Some(&cwd.to_string_lossy()), shell);
        let mode = session.guard().mode;
        let judgement = command_line::judgement(verdict, mode, &name_in(&session, &cwd));
        print_line(&to_line(&judgement));
    } else {
        print_line(if is_blocked { "block" } else { "allow" });
        if let Some(text) = text {
            print_line(&text);
        }
    }
    Ok(if is_blocked { Exit::No } else { Exit::Done })
}

/// Whether the guard blocks a shell command that runs in `cwd`, and its answer, which names
/// commands of this program.
pub(crate) fn shell_answer(
    session: &Session,
    command: &str,
    shell: ShellKind,
    cwd: &Path,
) -> (bool, Option<String>) {
    let spelled = cwd.to_string_lossy();
    let call = ShellCall { command, cwd: Some(&spelled), typed_into: None, shell };
    let answer = session.answer(call, &Cancel::default());
    let said = command_line::answer_text(&answer, &name_in(session, cwd));
    (matches!(answer, ShellAnswer::Refuse { .. }), said)
}

fn name_in(session: &Session, cwd: &Path) -> impl Fn(&str) -> String {
    |path| named_from(cwd, session.root(), path)
}
