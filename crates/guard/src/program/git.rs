//! git: reading history is allowed, as no other tool can; searching or patching files is not.

use super::Call;
use super::args::{Spec, first, options, parse};
use super::grep::git_grep;
use crate::effect::{Access, Cause};
use crate::outcome::{Action, Outcome};
use crate::policy::Zone;
use crate::unknown::HOLE;

const GLOBAL: Spec<'static> = first("Cc", "git-dir work-tree namespace exec-path config-env");

pub(super) fn git(call: &Call<'_>, out: &mut Outcome) {
    let global = parse(call.words, &GLOBAL);
    for setting in global.values("c") {
        settings_program(setting, out);
    }
    let Some((subcommand, words)) = global.operands.split_first() else {
        return;
    };
    let cwd = global.values("C").fold(call.known.cwd.to_owned(), |cwd, directory| {
        call.known.policy.locate(directory, &cwd).path
    });
    let mut done = Outcome::default();
    git_subcommand(subcommand, words, call, &mut done);
    out.actions.extend(done.actions.into_iter().map(|action| in_directory(action, &cwd, call)));
    (out.by, out.searches) = (done.by, done.searches);
}

/// The action, with its paths taken relative to the directory of `git -C`.
fn in_directory(action: Action, cwd: &str, call: &Call<'_>) -> Action {
    let moved = |path: String| {
        if cwd == call.known.cwd { path } else { call.known.policy.locate(&path, cwd).path }
    };
    match action {
        Action::Read(path) => Action::Read(moved(path)),
        Action::Write(path, written) => Action::Write(moved(path), written),
        Action::Script(text, mut surroundings) => {
            surroundings.cwd = Some(cwd.to_owned());
            Action::Script(text, surroundings)
        }
        other => other,
    }
}

/// Notes the command of a `git -c` setting that names a program.
fn settings_program(setting: &str, out: &mut Outcome) {
    let Some((key, value)) = setting.split_once('=') else {
        return;
    };
    let key = key.to_ascii_lowercase();
    let programs = ["pager", "editor", "sshcommand", "external", "fsmonitor", "textconv"];
    if key.starts_with("alias.") {
        if let Some(script) = value.strip_prefix('!') {
            out.script(script);
        }
    } else if programs.iter().any(|program| key.ends_with(program)) {
        out.script(value);
    }
}

fn git_subcommand(subcommand: &str, words: &[String], call: &Call<'_>, out: &mut Outcome) {
    match subcommand {
        "grep" => git_grep(words, call.stdin, out),
        "diff" if words.iter().any(|word| word == "--no-index") => {
            let facts = ["--quiet", "--stat", "--shortstat", "--numstat", "--name-only"];
            if words.iter().any(|word| facts.contains(&word.as_str())) {
                return;
            }
            out.by = Some("git diff --no-index".to_owned());
            out.read_all(words.iter().filter(|word| !word.starts_with('-')));
        }
        "apply" | "am" => apply(subcommand, words, out),
        "stripspace" => out.read_input(),
        "interpret-trailers" | "merge-file" => {
            let parsed = parse(words, &options("L", "trailer where if-exists if-missing"));
            let writes = subcommand == "merge-file" && !parsed.has("p stdout");
            for path in parsed.operands.iter().take(if writes { 1 } else { usize::MAX }) {
                if writes || parsed.has("in-place") { out.write(path) } else { out.read(path) }
            }
        }
        "bisect" if words.first().is_some_and(|word| word == "run") => {
            out.run(&words[1..], call.stdin);
        }
        "submodule" => {
            if let Some(at) = words.iter().position(|word| word == "foreach") {
                let script = words[at + 1..].iter().filter(|word| *word != "--recursive");
                out.script(&script.cloned().collect::<Vec<_>>().join(" "));
            }
        }
        "rebase" | "filter-branch" | "difftool" | "mergetool" => {
            let long = "exec tree-filter index-filter msg-filter env-filter commit-filter extcmd";
            let parsed = parse(words, &options("x", long));
            for script in parsed.values("x").chain(parsed.values(long)) {
                // git passes the files to an external diff as operands.
                if subcommand == "difftool" {
                    out.script(&format!("{script} {HOLE}"));
                } else {
                    out.script(script);
                }
            }
        }
        _ => {}
    }
}

/// Notes that `git apply` and `git am` change files, unless they only report or touch the index.
fn apply(subcommand: &str, words: &[String], out: &mut Outcome) {
    let parsed = parse(words, &options("pC", "directory exclude include"));
    let only_looks = parsed.has("check stat numstat summary help");
    let steps = "abort skip quit show-current-patch";
    if (only_looks && !parsed.has("apply")) || parsed.has("cached") || parsed.has(steps) {
        return;
    }
    out.by = Some(format!("git {subcommand}"));
    out.write(&format!("./{HOLE}"));
}

/// Notes that a patch changes files below the working directory.
pub(super) fn note_patch(call: &Call<'_>, out: &mut Outcome) {
    if call.known.locate(&format!("./{HOLE}")).zone == Zone::Protected {
        out.actions.push(Action::Unclear(Access::Write, Cause::Program));
    }
}
