//! The answer to a search over many files.

use std::path::{Path, PathBuf};

use super::find::{FileShare, Finding, Findings, GrepSetting, find, views};
use super::found::PrintedLines;
use super::{ContextLines, Reading};
use crate::cancel::Cancelled;
use crate::show::{self, Budget, count, matches_footer, matches_header, shares};
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;
use hashline_text::kernel::{buffers, parallel};

/// The bytes reserved for a header, apart from the file's name.
const HEADER_BYTES: usize = 48;

/// The bytes reserved for the notes at the end.
const NOTES_BYTES: usize = 1024;

/// How many failures the note at the end names.
const MAX_NAMED: usize = 3;

/// What to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrepRequest {
    /// The pattern.
    pub pattern: String,
    /// How to read the pattern.
    pub reading: Reading,
    /// The paths as the caller spelled them; an empty list means the root.
    pub paths: Vec<String>,
    /// The globs that a file's name must match; those with a `!` exclude files.
    pub globs: Vec<String>,
    /// The types of files to search.
    pub types: Vec<String>,
    /// How many lines are shown around each match.
    pub around: ContextLines,
    /// How many matching lines, or files, are shown.
    pub limit: usize,
    /// How many matching lines of each file count.
    pub per_file: usize,
    /// How a search shows a file with a match.
    pub show: GrepShow,
    /// Search hidden files too.
    pub hidden: bool,
    /// Search ignored files too.
    pub ignored: bool,
}

/// What is shown of a file with a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GrepShow {
    /// The file's matching lines.
    #[default]
    Lines,
    /// How many lines of the file match.
    Counts,
    /// The file's name.
    Names,
    /// Instead, the names of the files without a match; each counts as one match.
    Others,
}

/// How many matching lines are shown by default.
pub const DEFAULT_LIMIT: usize = 100;

/// How many names or counts are shown by default.
pub const DEFAULT_FILES: usize = 1000;

impl Default for GrepRequest {
    fn default() -> Self {
        Self {
            pattern: String::new(),
            reading: Reading::default(),
            paths: Vec::new(),
            globs: Vec::new(),
            types: Vec::new(),
            around: ContextLines::default(),
            limit: DEFAULT_LIMIT,
            per_file: usize::MAX,
            show: GrepShow::default(),
            hidden: false,
            ignored: false,
        }
    }
}

/// The text of the answer, and counts of what it found.
#[derive(Debug)]
pub(crate) struct GrepReport {
    /// The text for the model.
    pub text: String,
    /// How many lines match.
    pub matches: usize,
    /// How many files have a match.
    pub files: usize,
    /// How many files were searched.
    pub searched: usize,
    /// Whether the text leaves out a match or a file.
    pub truncated: bool,
}

/// Searches, and reports what was found.
pub(crate) fn report(setting: &GrepSetting<'_>) -> Result<GrepReport, Cancelled> {
    let request = setting.request;
    let Findings { files, searched, failures } = find(setting)?;
    let mut report = GrepReport {
        text: String::new(),
        matches: files.iter().map(|file| file.matches).sum(),
        files: files.len(),
        searched,
        truncated: false,
    };
    if files.is_empty() {
        let searched = count(searched, "file");
        report.text = format!("no match for `{}` in {searched}", show::brief(&request.pattern));
    } else if request.show == GrepShow::Lines {
        report.lines(files, setting)?;
    } else {
        report.names(&files, setting);
    }
    if !failures.is_empty() {
        let rest = failures.len().saturating_sub(MAX_NAMED);
        let named = failures[..failures.len() - rest].join("; ");
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        show::say(&mut report.text, format_args!("\n[could not be searched: {named}{more}]"));
    }
    Ok(report)
}

/// The files with a match, in the order of their paths.
pub(crate) fn files_with_match(setting: &GrepSetting<'_>) -> Result<Vec<PathBuf>, Cancelled> {
    Ok(find(setting)?.files.into_iter().map(|file| file.path).collect())
}

impl GrepReport {
    /// Prints one line for each file: its name, or its name and count.
    fn names(&mut self, files: &[Finding], setting: &GrepSetting<'_>) {
        let request = setting.request;
        let room = setting.budget.bytes.saturating_sub(NOTES_BYTES);
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
            self.text.push_str(&show::name(&name));
            if request.show == GrepShow::Counts {
                show::say(&mut self.text, format_args!(": {}", file.matches));
            }
            shown += 1;
        }
        if shown < files.len() {
            let rest = count(files.len() - shown, "more file");
            show::say(&mut self.text, format_args!("\n[{rest}: narrow the search or raise limit]"));
            self.truncated = true;
        }
    }

    /// Prints the matching lines; the files share the limit evenly.
    fn lines(&mut self, files: Vec<Finding>, setting: &GrepSetting<'_>) -> Result<(), Cancelled> {
        let matches: Vec<usize> = files.iter().map(|file| file.matches).collect();
        let shares = shares(setting.request.limit, &matches);
        let wanted = files.into_iter().zip(shares).filter(|(_, share)| *share > 0);
        let wanted = wanted.map(|(file, matches)| FileShare { file, matches }).collect();
        let drafts = views(wanted, setting, |file, view| {
            let name = setting.workspace.show(&file.path);
            let (printed, snapshot) = view?;
            let Finding { path, matches, .. } = file;
            Some(GrepDraft { name, path, matches, printed, snapshot })
        })?;
        let shown = self.print(drafts.into_iter().flatten().collect(), setting);
        self.push_footer(shown);
        Ok(())
    }

    /// Prints the drafts within the budget, and returns how many matches and files are shown.
    fn print(&mut self, drafts: Vec<GrepDraft>, setting: &GrepSetting<'_>) -> (usize, usize) {
        let frame = |draft: &GrepDraft| draft.name.len() + HEADER_BYTES;
        let lines: Vec<usize> = drafts.iter().map(|draft| draft.printed.len()).collect();
        let bytes: Vec<usize> =
            drafts.iter().map(|draft| frame(draft) + draft.printed.body().len()).collect();
        let lines = shares(setting.budget.lines, &lines);
        let bytes = shares(setting.budget.bytes.saturating_sub(NOTES_BYTES), &bytes);
        let mut shown = Vec::with_capacity(drafts.len());
        for (mut draft, (lines, bytes)) in drafts.into_iter().zip(lines.into_iter().zip(bytes)) {
            let bytes = bytes.saturating_sub(frame(&draft));
            // One line is shown however little room there is.
            draft
                .printed
                .cut(Budget { lines, bytes, ..setting.budget }, usize::from(shown.is_empty()));
            if draft.printed.matches_left() > 0 {
                shown.push(draft);
            }
        }
        let keys = Keys::new(setting);
        let shown = parallel::map_into(shown, |draft| draft.shown(&keys));
        let counts = (shown.iter().map(|file| file.matches).sum(), shown.len());
        let (parts, seen): (Vec<_>, Vec<_>) =
            shown.into_iter().map(|file| ((file.header, file.body), file.seen)).unzip();
        self.text = parallel::both(parts.len(), || join_files(parts), || (setting.remember)(seen));
        counts
    }

    /// Adds the footer if some matches are not shown.
    fn push_footer(&mut self, (matches, files): (usize, usize)) {
        if matches < self.matches {
            self.truncated = true;
            if !self.text.is_empty() {
                self.text.push_str("\n\n");
            }
            let footer = matches_footer((matches, self.matches), (files, self.files));
            self.text.push_str(&footer);
        }
    }
}

/// The text of all files, each with a header and lines.
fn join_files(parts: Vec<(String, String)>) -> String {
    let length = parts.iter().map(|(header, body)| header.len() + body.len() + 2).sum();
    let mut text = String::from_utf8(buffers::with_capacity(length)).unwrap_or_default();
    for (header, body) in parts {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&header);
        text.push_str(&body);
    }
    text
}

/// One file's part of the text, before it is cut to its share of the budget.
struct GrepDraft {
    name: String,
    path: PathBuf,
    matches: usize,
    printed: PrintedLines,
    snapshot: Snapshot,
}

impl GrepDraft {
    /// Adds the header, and notes in the snapshot which lines are shown.
    fn shown(mut self, keys: &Keys<'_>) -> ShownFile {
        self.printed.shown_in(&mut self.snapshot);
        let matches = self.printed.matches_left();
        ShownFile {
            header: matches_header(&self.name, matches, self.matches, self.snapshot.encoding()),
            body: self.printed.into_body(),
            matches,
            seen: (keys.key(self.path), self.snapshot),
        }
    }
}

/// One file's part of the text.
struct ShownFile {
    header: String,
    body: String,
    /// How many of the file's matches are shown.
    matches: usize,
    /// The version that the memory should keep, and its path.
    seen: (PathBuf, Snapshot),
}

/// Finds the paths under which files are remembered. The walk follows no links, so only the paths
/// that the caller named need to be resolved.
struct Keys<'a> {
    workspace: &'a Workspace,
    /// Each path that the caller named, and the same path with its links resolved.
    named: Vec<(&'a Path, PathBuf)>,
}

impl<'a> Keys<'a> {
    fn new(setting: &GrepSetting<'a>) -> Self {
        let workspace = setting.workspace;
        let place = |named: &'a PathBuf| (named.as_path(), workspace.key(named));
        Self { workspace, named: setting.paths.iter().map(place).collect() }
    }

    fn key(&self, path: PathBuf) -> PathBuf {
        let around = self.named.iter().filter(|(named, _)| path.starts_with(named));
        // If one named path contains another, the longer one decides: it may be a link.
        match around.max_by_key(|(named, _)| named.as_os_str().len()) {
            None => self.workspace.key(&path),
            Some((named, key)) if key.as_os_str() == named.as_os_str() => path,
            Some((named, key)) if path == *named => key.clone(),
            Some((named, key)) => {
                path.strip_prefix(named).map_or(path.clone(), |rest| key.join(rest))
            }
        }
    }
}
