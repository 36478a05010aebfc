//! `hashline undo`, `recover`, `status` and `judge`.

use std::path::Path;

use super::args::Common;
use super::open::{Opened, memory};
use super::output::{Exit, Failure, print_line};
use crate::cancel::Cancel;
use crate::fs;
use crate::session::{RecoverRequest, ShellAnswer, ShellCall, UndoOutcome};
use crate::wire::outcome::{Judgement, RecoverAnswer, UndoAnswer};
use crate::wire::program::Json;

/// Takes the last patch back.
pub(crate) fn undo(json: bool, opened: Opened) -> Result<Exit, Failure> {
    let session = opened.session()?;
    let outcome = session
        .undo(&Cancel::default())
        .map_err(|fault| Failure::new(fault.code().as_str(), fault))?;
    if json {
        print_line(&UndoAnswer::from(outcome.clone()).to_line());
    }
    match outcome {
        UndoOutcome::Undone { text, .. } => {
            if !json {
                print_line(&text);
            }
            Ok(Exit::Done)
        }
        UndoOutcome::Refused { text, .. } => {
            eprintln!("hashline: {text}");
            Ok(Exit::Failed)
        }
    }
}

/// Finishes or takes back what an interrupted patch left behind.
pub(crate) fn recover(set_aside: bool, json: bool, opened: Opened) -> Result<Exit, Failure> {
    let session = opened.session()?;
    let outcome = session
        .recover(RecoverRequest { sweep: true, set_aside }, &Cancel::default())
        .map_err(|fault| Failure::new(fault.code().as_str(), fault))?;
    if json {
        print_line(&RecoverAnswer::from(outcome.clone()).to_line());
    } else {
        print_line(&outcome.text);
    }
    Ok(Exit::Done)
}

/// Says where everything is.
pub(crate) fn status(common: &Common, opened: &Opened) -> Exit {
    print_line(&format!("hashline {}", env!("CARGO_PKG_VERSION")));
    print_line(&format!("workspace: {}", opened.root.display()));
    print_line(&format!("scheme: {}", opened.options.scheme.name()));
    for file in &opened.files {
        print_line(&format!("settings: {}", file.display()));
    }
    match memory(&opened.root, common.session.as_deref()) {
        Some(directory) if !common.no_memory => {
            let shown = fs::entries(&directory.join("seen")).map_or(0, |entries| entries.len());
            print_line(&format!(
                "memory: {} ({} shown)",
                directory.display(),
                crate::show::count(shown, "file")
            ));
        }
        _ => print_line("memory: off"),
    }
    Exit::Done
}

/// Judges a shell command.
pub(crate) fn judge(
    command: &[String],
    cwd: Option<&Path>,
    json: bool,
    opened: Opened,
) -> Result<Exit, Failure> {
    let command = command.join(" ");
    let cwd = match cwd {
        Some(cwd) => fs::current_directory()?.join(cwd),
        None => fs::current_directory()?,
    };
    let session = opened.session()?;
    let cwd = cwd.to_string_lossy();
    let call = ShellCall { command: &command, cwd: Some(&cwd), typed_into: None };
    let answer = session.answer(call, &Cancel::default());
    if json {
        let verdict = session.judge(&command, Some(&cwd));
        print_line(&Judgement::new(verdict, session.guard().mode).to_line());
    }
    let (word, text) = match &answer {
        ShellAnswer::Allow => ("allow", None),
        ShellAnswer::Nudge(block) => ("allow", Some(block.reason.as_str())),
        ShellAnswer::Refuse { text, .. } => ("block", Some(text.as_str())),
    };
    if !json {
        print_line(word);
        if let Some(text) = text {
            print_line(text);
        }
    }
    Ok(if word == "block" { Exit::No } else { Exit::Done })
}
