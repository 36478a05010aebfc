//! Copying: harmless between files, but by way of scratch space or a stream it bypasses the tools.

use super::Call;
use crate::effect::Written;
use crate::known::{Scratch, Stdin, is_stdin};
use crate::outcome::{Action, Outcome};
use crate::policy::{Located, Zone};
use crate::unknown::{HOLE, HOLE_TEXT};

/// Notes what `cp`, `mv`, `install` and their relatives copy.
pub(super) fn copy(call: &Call<'_>, out: &mut Outcome) {
    let mut sources = call.parsed.operands.to_vec();
    let target = match call.parsed.value("t target-directory") {
        Some(target) if call.name != "rsync" && call.name != "scp" => Some(target.to_owned()),
        _ => sources.pop(),
    };
    let Some(target) = target else { return };
    if call.parsed.has("d directory") && call.name.ends_with("install") {
        return;
    }
    let to = call.known.locate(&target);
    for source in sources {
        copy_one(&source, &target, &to, call, out);
    }
}

fn copy_one(source: &str, target: &str, to: &Located, call: &Call<'_>, out: &mut Outcome) {
    let from = call.known.locate(source);
    if to.zone == Zone::Descriptor {
        out.read(source);
        return;
    }
    let streamed = is_stdin(source) || from.zone == Zone::Descriptor;
    let original = call.known.copied_from(&from);
    if to.zone == Zone::Protected {
        if let Some(Scratch::EditOf(of, written)) = call.known.scratch.get(&from.path)
            && *of == to.path
        {
            out.write_known(target, written.clone());
            return;
        }
        let empties = from.path == "/dev/null" && !call.name.ends_with("install");
        if empties {
            out.write_known(target, Written::text("", false));
        } else if streamed {
            out.write(target);
        } else if original.is_none() && was_made(&from, call) {
            out.actions.push(Action::Launder(to.clone()));
        }
        return;
    }
    // A copy in scratch space: remember its original.
    let kept = match original {
        Some(original) => Scratch::CopyOf(original),
        None if from.zone == Zone::Protected => Scratch::CopyOf(from.path.clone()),
        None => match call.known.scratch.get(&from.path) {
            Some(known) => known.clone(),
            None if streamed => Scratch::Made(HOLE.to_string()),
            None => return,
        },
    };
    remember_copy(source, to, &kept, out);
}

fn remember_copy(source: &str, to: &Located, kept: &Scratch, out: &mut Outcome) {
    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
    let inside = format!("{}/{name}", to.path);
    out.actions.push(Action::Keep(inside, kept.clone()));
    out.actions.push(Action::Keep(to.path.clone(), kept.clone()));
}

/// Whether this command wrote text to this scratch path or below it.
fn was_made(from: &Located, call: &Call<'_>) -> bool {
    if from.zone != Zone::Exempt {
        return false;
    }
    let beginning = from.path.split(['*', '?', '[', HOLE]).next().unwrap_or(&from.path);
    let whole = beginning.len() == from.path.len();
    call.known.scratch.iter().any(|(path, scratch)| {
        matches!(scratch, Scratch::Made(_))
            && path
                .strip_prefix(beginning)
                .is_some_and(|rest| !whole || rest.is_empty() || rest.starts_with('/'))
    })
}

/// Notes the links that `ln` makes in scratch space: each is another name of its target.
pub(super) fn link(call: &Call<'_>, out: &mut Outcome) {
    let mut targets = call.parsed.operands.to_vec();
    let place = match call.parsed.value("t target-directory") {
        Some(place) => place.to_owned(),
        None if targets.len() > 1 => targets.pop().unwrap_or_default(),
        None => ".".to_owned(),
    };
    let to = call.known.locate(&place);
    for target in targets {
        let from = call.known.locate(&target);
        if to.zone == Zone::Protected {
            if was_made(&from, call) {
                out.actions.push(Action::Launder(to.clone()));
            }
            continue;
        }
        let kept = match call.known.copied_from(&from) {
            Some(original) => Scratch::LinkTo(original),
            None if from.zone == Zone::Protected => Scratch::LinkTo(from.path),
            None => continue,
        };
        remember_copy(&target, &to, &kept, out);
    }
}

pub(super) fn dd(call: &Call<'_>, out: &mut Outcome) {
    let value = |key: &str| {
        call.words.iter().rev().find_map(|word| word.strip_prefix(key)).map(str::to_owned)
    };
    let (from, to) = (value("if="), value("of="));
    match (from, to) {
        (Some(from), Some(to)) => {
            let located = call.known.locate(&to);
            if located.zone == Zone::Protected {
                out.write(&to);
            } else {
                copy_one(&from, &to, &located, call, out);
            }
        }
        (Some(from), None) => out.read(&from),
        (None, Some(to)) => out.write(&to),
        (None, None) => out.read_input(),
    }
}

/// Notes what `tee` writes; like a redirection, it may save a program's own output.
pub(super) fn tee(call: &Call<'_>, out: &mut Outcome) {
    out.read_input();
    if call.parsed.operands.iter().any(|path| path != "/dev/null") {
        out.actions.push(Action::ShowInput);
    }
    let append = call.parsed.has("a append");
    let text = Written::text(call.stdin.text().unwrap_or(HOLE_TEXT), append);
    for path in call.parsed.operands.iter().filter(|path| *path != "-") {
        let protected = call.known.locate(path).zone == Zone::Protected;
        if !protected || !matches!(call.stdin, Stdin::Program(_)) {
            out.write_known(path, text.clone());
        }
    }
}
