//! Editors and patches.

use super::Call;
use super::git::note_patch;
use crate::outcome::Outcome;
use crate::unknown::HOLE;
use crate::word::has_word;

/// An editor, which writes its files unless an option forbids it or its script does not save.
pub(super) fn editor(call: &Call<'_>, out: &mut Outcome) {
    let typed = call.parsed.operands.iter().filter_map(|word| word.strip_prefix('+'));
    let mut scripts = call.parsed.values("c cmd").chain(typed).chain(call.stdin.text()).peekable();
    let lines = has_word("ed red ex vi vim nvim gvim rvim", call.name) && scripts.peek().is_some();
    let mut commands = scripts.flat_map(|script| script.split(['\n', '|']));
    let saves = commands.any(|command| {
        let verb = command.trim_start_matches(|c: char| " :%0123456789,.$+-".contains(c));
        verb.starts_with(['w', 'x', 'W', 'Z']) || verb.starts_with("up") || verb.starts_with("sav")
    });
    let reads =
        (lines && !saves) || matches!(call.name, "vimdiff" | "nvimdiff") || call.parsed.has("R");
    // `+5`, `+/text` and `+command` are not files.
    for path in call.parsed.operands.iter().filter(|path| !path.starts_with('+') && *path != "-") {
        if reads {
            out.read(path);
        } else {
            out.write(path);
        }
    }
}

pub(super) fn patch(call: &Call<'_>, out: &mut Outcome) {
    if call.parsed.has("dry-run C check") {
        return;
    }
    match call.parsed.value("o output").or(call.parsed.operands.first().map(String::as_str)) {
        Some(path) => out.write(path),
        None => {
            // `patch -d DIR` works in that directory.
            match call.parsed.value("d directory") {
                Some(directory) => {
                    let path = format!("{directory}/{HOLE}");
                    out.write(&path);
                }
                None => note_patch(call, out),
            }
        }
    }
}
