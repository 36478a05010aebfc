//! What a search over many files says.

use std::path::{Path, PathBuf};

use super::find::{Finding, Findings, Task, View, find};
use super::walk::Filter;
use super::{Around, Excerpt, Extent, Pattern, Progress, Reading};
use crate::anchor::Scheme;
use crate::snapshot::Snapshot;
use crate::stop::{Stop, Stopped};
use crate::view::{self, Budget, count, shares};
use crate::workspace::Workspace;

/// What a header takes at most, apart from the name.
const FRAME: usize = 48;

/// What the notes at the end take at most.
const NOTES: usize = 1024;

/// How many things of a kind a note names.
const NAMED: usize = 3;

/// What is to be searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What is searched for.
    pub pattern: String,
    /// How it is to be read.
    pub reading: Reading,
    /// The paths as they were spelled; none means the root.
    pub paths: Vec<String>,
    /// Which files, by their names.
    pub globs: Vec<String>,
    /// Which files, by their types.
    pub types: Vec<String>,
    /// What is shown around each match.
    pub around: Around,
    /// How many matching lines, or files, are shown.
    pub limit: usize,
    /// What is shown.
    pub show: Show,
    /// Search hidden files too.
    pub hidden: bool,
    /// Search ignored files too.
    pub ignored: bool,
}

/// What is shown of a file with a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Show {
    /// Its matching lines.
    #[default]
    Lines,
    /// How many lines match.
    Counts,
    /// Its name.
    Names,
}

/// How many matching lines are shown unless told otherwise.
pub const DEFAULT_LIMIT: usize = 100;

/// How many names or counts are shown unless told otherwise.
pub const DEFAULT_FILES: usize = 1000;

impl Default for Request {
    fn default() -> Self {
        Self {
            pattern: String::new(),
            reading: Reading::default(),
            paths: Vec::new(),
            globs: Vec::new(),
            types: Vec::new(),
            around: Around::default(),
            limit: DEFAULT_LIMIT,
            show: Show::default(),
            hidden: false,
            ignored: false,
        }
    }
}

/// One text, and what is in it.
#[derive(Debug)]
pub struct Report {
    /// The text for the model.
    pub text: String,
    /// How many lines match.
    pub matches: usize,
    /// How many files have a match.
    pub files: usize,
    /// How many files were searched.
    pub searched: usize,
    /// Whether something was left out.
    pub truncated: bool,
    /// What is to be remembered.
    pub seen: Vec<(PathBuf, Snapshot)>,
}

/// Where and how a search is made.
pub struct Setting<'a> {
    /// Where paths start.
    pub workspace: &'a Workspace,
    /// The places to search.
    pub paths: &'a [PathBuf],
    /// Which files.
    pub filter: &'a Filter,
    /// The scheme of the tags.
    pub scheme: Scheme,
    /// How much may be shown.
    pub budget: Budget,
    /// Told now and then how far the search is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Ends the search.
    pub stop: &'a Stop,
}

/// Searches, and reports what was found.
pub fn report(
    request: &Request,
    pattern: &Pattern,
    setting: &Setting<'_>,
) -> Result<Report, Stopped> {
    let names_only = request.show == Show::Names;
    let task = Task {
        pattern,
        around: request.around,
        extent: if names_only { Extent::First } else { Extent::Whole },
        root: setting.workspace.root(),
        paths: setting.paths,
        filter: setting.filter,
        scheme: setting.scheme,
        keep: if request.show == Show::Lines { request.limit } else { 0 },
        progress: setting.progress,
        stop: setting.stop,
    };
    let Findings { files, searched, failures } = find(&task)?;
    let mut report = Report {
        text: String::new(),
        matches: files.iter().map(|file| file.matches).sum(),
        files: files.len(),
        searched,
        truncated: false,
        seen: Vec::new(),
    };
    if files.is_empty() {
        let searched = count(searched, "file");
        report.text = format!("no match for `{}` in {searched}", request.pattern);
    } else if request.show == Show::Lines {
        report.lines(files, request, pattern, &task, setting)?;
    } else {
        report.names(&files, request, setting);
    }
    if !failures.is_empty() {
        let rest = failures.len().saturating_sub(NAMED);
        let named = failures[..failures.len() - rest].join("; ");
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        view::say(&mut report.text, format_args!("\n[could not be searched: {named}{more}]"));
    }
    Ok(report)
}

impl Report {
    /// A name, or a name and a count, on each line.
    fn names(&mut self, files: &[Finding], request: &Request, setting: &Setting<'_>) {
        let room = setting.budget.bytes.saturating_sub(NOTES);
        let most = request.limit.min(setting.budget.lines);
        let mut shown = 0;
        for file in files.iter().take(most) {
            let name = setting.workspace.show(&file.path);
            if self.text.len() + name.len() > room && shown > 0 {
                break;
            }
            if shown > 0 {
                self.text.push('\n');
            }
            self.text.push_str(&name);
            if request.show == Show::Counts {
                view::say(&mut self.text, format_args!(": {}", file.matches));
            }
            shown += 1;
        }
        if shown < files.len() {
            let rest = count(files.len() - shown, "more file");
            view::say(&mut self.text, format_args!("\n[{rest}: narrow the search or raise limit]"));
            self.truncated = true;
        }
    }

    /// The matching lines, cut evenly over the files.
    fn lines(
        &mut self,
        files: Vec<Finding>,
        request: &Request,
        pattern: &Pattern,
        task: &Task<'_>,
        setting: &Setting<'_>,
    ) -> Result<(), Stopped> {
        let wanted: Vec<usize> = files.iter().map(|file| file.matches).collect();
        let mut not_text = Vec::new();
        let mut drafts = Vec::new();
        for (file, share) in files.into_iter().zip(shares(request.limit, &wanted)) {
            setting.stop.check()?;
            if share == 0 {
                continue;
            }
            let name = setting.workspace.show(&file.path);
            let (path, matches) = (file.path.clone(), file.matches);
            match file.into_view(task, share) {
                Some(View::Lines(excerpt, snapshot)) => drafts.push(Draft {
                    name,
                    path,
                    matches,
                    excerpt,
                    snapshot,
                    body: String::new(),
                    ends: Vec::new(),
                }),
                Some(View::NotText) => not_text.push(format!("`{name}`")),
                None => {}
            }
        }
        let shown = self.print(drafts, request, pattern, setting);
        self.left_out(shown, &not_text);
        Ok(())
    }

    /// Prints the drafts within the budget, and says how many matches and files are shown.
    fn print(
        &mut self,
        mut drafts: Vec<Draft>,
        request: &Request,
        pattern: &Pattern,
        setting: &Setting<'_>,
    ) -> (usize, usize) {
        let budget = setting.budget;
        let gaps = request.around != Around::default();
        let mut bytes = Vec::with_capacity(drafts.len());
        for draft in &mut drafts {
            let Draft { excerpt, body, ends, .. } = draft;
            excerpt.print(body, pattern, gaps, budget, |end| ends.push(end));
            bytes.push(draft.name.len() + FRAME + draft.body.len());
        }
        let lines: Vec<usize> = drafts.iter().map(|draft| draft.ends.len()).collect();
        let lines = shares(budget.lines, &lines);
        let bytes = shares(budget.bytes.saturating_sub(NOTES), &bytes);
        let mut shown = (0, 0);
        let mut keys = Keys::default();
        for (mut draft, (lines, bytes)) in drafts.into_iter().zip(lines.into_iter().zip(bytes)) {
            let room = bytes.saturating_sub(draft.name.len() + FRAME);
            let fitting = draft.ends.partition_point(|end| *end <= room);
            let least = usize::from(self.text.is_empty());
            draft.ends.truncate(fitting.min(lines).max(least));
            draft.excerpt.truncate_lines(draft.ends.len());
            let matches = draft.excerpt.matches_left();
            if matches == 0 {
                continue;
            }
            shown.0 += matches;
            shown.1 += 1;
            self.file(draft, matches, &mut keys, setting);
        }
        shown
    }

    fn file(&mut self, mut draft: Draft, matches: usize, keys: &mut Keys, setting: &Setting<'_>) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(&draft.name);
        self.text.push_str(" (");
        if matches < draft.matches {
            view::say(&mut self.text, format_args!("{matches} of "));
        }
        self.text.push_str(&count(draft.matches, "match"));
        self.text.push(')');
        let end = draft.ends.last().copied().unwrap_or_default();
        self.text.push_str(&draft.body[..end]);
        draft.excerpt.shown_in(&mut draft.snapshot);
        let key = keys.key(&draft.path, setting);
        self.seen.push((key, draft.snapshot));
    }

    /// Says what is not shown.
    fn left_out(&mut self, (matches, files): (usize, usize), not_text: &[String]) {
        if matches < self.matches {
            self.truncated = true;
            let text = format!(
                "[{matches} of {} in {files} of {} shown: narrow the pattern, path or glob, or raise limit]",
                count(self.matches, "match"),
                count(self.files, "file"),
            );
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            self.text.push_str(&text);
        }
        if !not_text.is_empty() {
            let named = not_text[..not_text.len().min(NAMED)].join(", ");
            let files = count(not_text.len(), "file");
            view::say(
                &mut self.text,
                format_args!("\n[{files} not shown, not UTF-8 text: {named}]"),
            );
        }
    }
}

/// One file's part of the text, as long as the budget might allow.
struct Draft {
    name: String,
    path: PathBuf,
    matches: usize,
    excerpt: Excerpt,
    snapshot: Snapshot,
    /// The lines, each with a newline before it.
    body: String,
    /// Where in the body each line ends.
    ends: Vec<usize>,
}

/// Under which paths files are remembered. Neighbours share a directory, which is looked up once.
#[derive(Default)]
struct Keys {
    /// A directory as it was walked, and with its links followed.
    last: Option<(PathBuf, PathBuf)>,
}

impl Keys {
    fn key(&mut self, path: &Path, setting: &Setting<'_>) -> PathBuf {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return setting.workspace.key(path);
        };
        // Only a path that was named can be a link itself; the walk follows none.
        if setting.paths.iter().any(|named| named == path) {
            return setting.workspace.key(path);
        }
        match &self.last {
            Some((walked, key)) if walked == parent => key.join(name),
            _ => {
                let key = setting.workspace.key(parent);
                let joined = key.join(name);
                self.last = Some((parent.to_owned(), key));
                joined
            }
        }
    }
}
