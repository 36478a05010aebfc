//! git: history has no other tool, but `HEAD:path` is the file as `read` shows it.

use super::args::{Spec, parse};
use super::{Call, Special};
use crate::effect::{Access, Cause};
use crate::shell::{Shell, Stdin};
use crate::unknown::{HOLE, is_known};

const GLOBAL: Spec<'static> =
    Spec::wrapper("Cc", &["git-dir", "work-tree", "namespace", "exec-path", "config-env"]);

impl Shell<'_> {
    /// `git`.
    pub(super) fn git(&mut self, call: &Call<'_>) {
        let global = parse(call.words, &GLOBAL);
        for setting in global.values(&["c"]) {
            self.git_setting(setting);
        }
        let directories: Vec<String> = global.values(&["C"]).map(str::to_owned).collect();
        let Some((subcommand, words)) = global.operands.split_first() else {
            return;
        };
        let saved = self.env.cwd.clone();
        for directory in directories {
            self.env.cwd = self.locate(&directory).path;
        }
        self.git_subcommand(subcommand, words, call);
        self.env.cwd = saved;
    }

    /// Settings that name programs.
    fn git_setting(&mut self, setting: &str) {
        let Some((key, value)) = setting.split_once('=') else {
            return;
        };
        let key = key.to_ascii_lowercase();
        let script = if key.starts_with("alias.") {
            value.strip_prefix('!')
        } else if ["pager", "editor", "sshcommand", "external", "fsmonitor", "textconv"]
            .iter()
            .any(|program| key.ends_with(program))
        {
            Some(value)
        } else {
            None
        };
        if let Some(script) = script {
            self.apart(|shell| shell.script(script, &Stdin::Inherited));
        }
    }

    fn git_subcommand(&mut self, subcommand: &str, words: &[String], call: &Call<'_>) {
        match subcommand {
            "show" => self.git_show(words),
            "cat-file" => self.git_cat_file(words, call.stdin),
            "grep" => {
                let grep = Call {
                    name: "git grep",
                    words,
                    parsed: parse(words, &Spec::new("efmABCO", &["threads", "max-depth"])),
                    stdin: call.stdin,
                };
                self.search(Special::Git, &grep);
            }
            "diff" if words.iter().any(|word| word == "--no-index") => {
                let quiet =
                    ["--quiet", "--stat", "--shortstat", "--numstat", "--name-only", "--exit-code"];
                if words.iter().any(|word| quiet[..5].contains(&word.as_str())) {
                    return;
                }
                for path in words.iter().filter(|word| !word.starts_with('-')) {
                    self.reads(path, "git diff --no-index", Cause::Program);
                }
            }
            "apply" => {
                let parsed = parse(words, &Spec::new("pC", &["directory", "exclude", "include"]));
                let looks = ["check", "stat", "numstat", "summary", "help"];
                let only_looks = parsed.has(&looks) && !parsed.has(&["apply"]);
                // `--cached` changes the index, not the files.
                if !only_looks && !parsed.has(&["cached"]) {
                    self.applies_patch("git apply");
                }
            }
            "bisect" if words.first().is_some_and(|word| word == "run") => {
                self.invoke(&words[1..], call.stdin);
            }
            "submodule" => {
                if let Some(at) = words.iter().position(|word| word == "foreach") {
                    let script = words[at + 1..]
                        .iter()
                        .filter(|word| *word != "--recursive")
                        .cloned()
                        .collect::<Vec<_>>()
                        .join(" ");
                    self.apart(|shell| shell.script(&script, &Stdin::Inherited));
                }
            }
            "rebase" | "filter-branch" | "difftool" | "mergetool" => {
                let long = [
                    "exec",
                    "tree-filter",
                    "index-filter",
                    "msg-filter",
                    "env-filter",
                    "commit-filter",
                    "extcmd",
                ];
                let parsed = parse(words, &Spec::new("x", &long));
                for script in parsed.values(&["x"]).chain(parsed.values(&long)) {
                    // An external diff gets the files as operands.
                    let script = if subcommand == "difftool" {
                        format!("{script} {HOLE}")
                    } else {
                        script.to_owned()
                    };
                    self.apart(|shell| shell.script(&script, &Stdin::Inherited));
                }
            }
            "interpret-trailers" => {
                let parsed = parse(words, &Spec::new("", &["trailer", "where"]));
                for path in &parsed.operands {
                    if parsed.has(&["in-place"]) {
                        self.writes(path, "git interpret-trailers", Cause::Program, "");
                    } else {
                        self.reads(path, "git interpret-trailers", Cause::Program);
                    }
                }
            }
            "stripspace" | "column" => {
                self.reads_stdin(call.stdin, "git stripspace", Cause::Program);
            }
            "merge-file" => {
                let parsed = parse(words, &Spec::new("L", &[]));
                let prints = parsed.has(&["p", "stdout"]);
                for path in parsed.operands.iter().take(if prints { 3 } else { 1 }) {
                    if prints {
                        self.reads(path, "git merge-file", Cause::Program);
                    } else {
                        self.writes(path, "git merge-file", Cause::Program, "");
                    }
                }
            }
            _ => {}
        }
    }

    fn git_show(&mut self, words: &[String]) {
        let facts = [
            "--stat",
            "--shortstat",
            "--numstat",
            "--name-only",
            "--name-status",
            "--summary",
            "-s",
            "--no-patch",
            "--quiet",
        ];
        let parsed = parse(words, &Spec::new("nO", &["format", "pretty"]));
        let only_facts = words.iter().any(|word| facts.contains(&word.as_str()));
        // What follows `--` are paths that limit the diff.
        let objects = words.iter().take_while(|word| *word != "--");
        for object in objects.filter(|word| parsed.operands.contains(word)) {
            if let Some(path) = current_path(object) {
                self.reads(path, "git show", Cause::Program);
            } else if !is_known(object) && !only_facts && !names_old_revision(object) {
                self.note(Access::Read, None, "git show", Cause::Program);
            }
        }
    }

    fn git_cat_file(&mut self, words: &[String], stdin: &Stdin) {
        let parsed = parse(words, &Spec::new("", &["path"]));
        if parsed.has(&["batch", "batch-command"]) {
            let objects = match stdin {
                Stdin::Text(text) => text.clone(),
                _ => HOLE.to_string(),
            };
            for object in objects.split_whitespace() {
                self.git_object(object.trim_start_matches("contents "));
            }
            return;
        }
        if parsed.has(&["s", "t", "e", "batch-check"]) {
            return;
        }
        for object in parsed.operands {
            if matches!(object.as_str(), "blob" | "commit" | "tree" | "tag") {
                continue;
            }
            self.git_object(&object);
        }
    }

    fn git_object(&mut self, object: &str) {
        if let Some(path) = current_path(object) {
            self.reads(path, "git cat-file", Cause::Program);
        } else if !is_known(object) && !names_old_revision(object) {
            self.note(Access::Read, None, "git cat-file", Cause::Program);
        }
    }
}

/// The path of `HEAD:path` and of every other spelling of the file as it is now.
fn current_path(object: &str) -> Option<&str> {
    let (revision, path) = object.split_once(':')?;
    let now = matches!(
        revision,
        "" | "HEAD"
            | "@"
            | "HEAD~0"
            | "HEAD^0"
            | "@~0"
            | "@^0"
            | "HEAD@{0}"
            | "@{0}"
            | "HEAD^{}"
            | "HEAD^{commit}"
            | "HEAD^{tree}"
            | "@^{}"
            | "@^{tree}"
            | "head"
    );
    if !now {
        return None;
    }
    // `:0:path` is the index; `:1:`, `:2:` and `:3:` are sides of a merge, `:/text` is a search.
    if revision.is_empty() {
        if path.starts_with('/') {
            return None;
        }
        if let Some((stage, path)) = path.split_once(':')
            && stage.len() == 1
        {
            return (stage == "0").then_some(path);
        }
    }
    Some(path)
}

/// `HEAD~3:path`, `main:path`: the revision is known and is not the present one.
fn names_old_revision(object: &str) -> bool {
    object.split_once(':').is_some_and(|(revision, _)| !revision.is_empty() && is_known(revision))
}
