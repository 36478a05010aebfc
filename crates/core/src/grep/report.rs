//! What a search over many files says.

use std::path::{Path, PathBuf};

use super::find::{FileShare, Finding, Findings, GrepSetting, find, views};
use super::found::PrintedLines;
use super::{ContextLines, Reading};
use crate::cancel::Cancelled;
use crate::show::{self, Budget, count, matches_footer, matches_header, shares};
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;
use hashline_text::kernel::{buffers, parallel};

/// What a header takes at most, apart from the name.
const FRAME: usize = 48;

/// What the notes at the end take at most.
const NOTES: usize = 1024;

/// How many things of a kind a note names.
const NAMED: usize = 3;

/// What to search for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GrepRequest {
    /// The pattern.
    pub pattern: String,
    /// How to read the pattern.
    pub reading: Reading,
    /// The paths as the caller spelled them; none means the root.
    pub paths: Vec<String>,
    /// Which files, by their names.
    pub globs: Vec<String>,
    /// Which files, by their types.
    pub types: Vec<String>,
    /// What is shown around each match.
    pub around: ContextLines,
    /// How many matching lines, or files, are shown.
    pub limit: usize,
    /// How many matching lines of each file count.
    pub per_file: usize,
    /// What is shown.
    pub show: GrepShow,
    /// Search hidden files too.
    pub hidden: bool,
    /// Search ignored files too.
    pub ignored: bool,
}

/// What is shown of a file with a match.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GrepShow {
    /// Its matching lines.
    #[default]
    Lines,
    /// How many lines match.
    Counts,
    /// Its name.
    Names,
    /// The names of the files without a match, each of which counts as one.
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

/// One text, and what is in it.
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
    /// Whether something was left out.
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
        let rest = failures.len().saturating_sub(NAMED);
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
    /// A name, or a name and a count, on each line.
    fn names(&mut self, files: &[Finding], setting: &GrepSetting<'_>) {
        let request = setting.request;
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

    /// The matching lines, cut evenly over the files.
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
        self.left_out(shown);
        Ok(())
    }

    /// Prints the drafts within the budget, and says how many matches and files are shown.
    fn print(&mut self, drafts: Vec<GrepDraft>, setting: &GrepSetting<'_>) -> (usize, usize) {
        let frame = |draft: &GrepDraft| draft.name.len() + FRAME;
        let lines: Vec<usize> = drafts.iter().map(|draft| draft.printed.len()).collect();
        let bytes: Vec<usize> =
            drafts.iter().map(|draft| frame(draft) + draft.printed.body().len()).collect();
        let lines = shares(setting.budget.lines, &lines);
        let bytes = shares(setting.budget.bytes.saturating_sub(NOTES), &bytes);
        let mut shown = Vec::with_capacity(drafts.len());
        for (mut draft, (lines, bytes)) in drafts.into_iter().zip(lines.into_iter().zip(bytes)) {
            let bytes = bytes.saturating_sub(frame(&draft));
            // Something is shown however little room there is.
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
        self.text = parallel::both(parts.len(), || joined(parts), || (setting.remember)(seen));
        counts
    }

    /// Says what is not shown.
    fn left_out(&mut self, (matches, files): (usize, usize)) {
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
fn joined(parts: Vec<(String, String)>) -> String {
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

/// One file's part of the text, as long as the budget might allow.
struct GrepDraft {
    name: String,
    path: PathBuf,
    matches: usize,
    printed: PrintedLines,
    snapshot: Snapshot,
}

impl GrepDraft {
    /// Ends the draft.
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
    /// How many matches are shown.
    matches: usize,
    /// What the memory should keep.
    seen: (PathBuf, Snapshot),
}

/// Under which paths files are remembered. The walk follows no links, so that only the places that were
/// named have to be looked at.
struct Keys<'a> {
    workspace: &'a Workspace,
    /// Each path as the caller named it, and with its links resolved.
    places: Vec<(&'a Path, PathBuf)>,
}

impl<'a> Keys<'a> {
    fn new(setting: &GrepSetting<'a>) -> Self {
        let workspace = setting.workspace;
        let place = |named: &'a PathBuf| (named.as_path(), workspace.key(named));
        Self { workspace, places: setting.paths.iter().map(place).collect() }
    }

    fn key(&self, path: PathBuf) -> PathBuf {
        let around = self.places.iter().filter(|(named, _)| path.starts_with(named));
        // Of a place within another, the inner one may be a link.
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
