//! Showing the lines that a blocked command would have printed.
//!
//! The guard says which lines a command would have printed; this module reads them from the disk
//! and shows them like a read or a search. If filters follow a read, the lines are first chosen, by
//! number, and then shown.

use std::path::{Path, PathBuf};

use super::choose::{Chosen, Opened, apply_filter, content, count};
use super::{GrepOutcome, Session};
use crate::cancel::Cancel;
use crate::content::{ContentKind, Texts};
use crate::grep::{
    self, ContextLines, Filter as FileFilter, GrepRequest, GrepSetting, GrepShow, Pattern, Reading,
};
use crate::read::{FileRequest, LinesWanted, ReadRefusalCode, ReadRequest};
use crate::{fs, show};
use hashline_guard::serve::{self, Lines, Part, ReadPath, Serve, Source};

/// The result of serving a command.
pub(super) enum Served {
    /// The lines that the command would have printed, with tags.
    Lines(String),
    /// The command reads a file that is not text.
    Binary,
    /// None of its lines can be shown.
    Nothing,
}

/// A file with more bytes than this is not processed line by line.
const MAX_BYTES: usize = 16 << 20;
/// How many files a search may process line by line.
const MAX_FILES: usize = 2_000;
/// How many ranges of lines one part of a command may show.
const MAX_RANGES: usize = 200;
/// How many lines of a file are shown unchanged, if the command would have printed them changed.
const MAX_UNCHANGED: u64 = 400;

impl Session {
    /// Shows the lines that the parts of a command would have printed.
    pub(super) fn serve(&self, serve: &Serve, cancel: &Cancel) -> Served {
        let mut text = String::new();
        let mut any = false;
        let mut empty = false;
        for part in &serve.parts {
            let shown = match part {
                Part::Label { if_empty: true, .. } | Part::Lines(Lines { if_empty: true, .. })
                    if !empty =>
                {
                    continue;
                }
                Part::Label { text, .. } => text.clone(),
                Part::Alone(_) => continue,
                Part::Skipped(command) => format!("[not shown: `{command}`]"),
                Part::Lines(lines) => match self.lines(lines, cancel) {
                    PartServed::Lines { text, found } => {
                        any = true;
                        empty = !found;
                        text
                    }
                    PartServed::Binary if serve.parts.len() == 1 => return Served::Binary,
                    PartServed::Binary => {
                        format!("[not shown, binary: {}]", file_names(lines))
                    }
                    PartServed::Refused(text) => {
                        empty = true;
                        text
                    }
                },
            };
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&shown);
        }
        if !any {
            return Served::Nothing;
        }
        if let Some(rest) = serve.rest() {
            show::say(&mut text, format_args!("\n\nThe rest was not run; send it alone: `{rest}`"));
        }
        Served::Lines(text)
    }

    /// The lines of a part, with a note if the command would have printed them changed.
    fn lines(&self, lines: &Lines, cancel: &Cancel) -> PartServed {
        let Some(note) = lines.note() else { return self.own_lines(lines, cancel) };
        let mut shown = self.own_lines(&limited(lines), cancel);
        if let PartServed::Lines { text, .. } = &mut shown {
            show::say(text, format_args!("\n[{note}]"));
        }
        shown
    }

    fn own_lines(&self, lines: &Lines, cancel: &Cancel) -> PartServed {
        match &lines.source {
            Source::Dump(paths) => match self.read_files(&read_request(paths), cancel) {
                Ok(outcome) => {
                    let code = |code| {
                        outcome.files.iter().any(|file| {
                            file.refusal.as_ref().is_some_and(|refusal| refusal.code() == code)
                        })
                    };
                    let binary =
                        [ReadRefusalCode::Binary, ReadRefusalCode::Image, ReadRefusalCode::Utf16];
                    if binary.into_iter().any(code) {
                        PartServed::Binary
                    } else {
                        PartServed::Lines { text: outcome.text, found: true }
                    }
                }
                Err(_) => PartServed::Refused(String::new()),
            },
            Source::Read(paths) if lines.filters.is_empty() => self.read_ranges(paths, cancel),
            Source::Grep(request) if fits_grep(request) && only_first(request, lines) => {
                let limit = lines.limit().map_or(grep::DEFAULT_LIMIT, count);
                let wanted = GrepRequest { limit, ..grep_request(request) };
                match self.search(&wanted, &|_| {}, cancel) {
                    Ok(GrepOutcome::Found { text, matches, .. }) => {
                        PartServed::Lines { text, found: matches > 0 }
                    }
                    Ok(GrepOutcome::Refused(_)) | Err(_) => PartServed::Refused(String::new()),
                }
            }
            _ => self.chosen_lines(lines, cancel).unwrap_or(PartServed::Refused(String::new())),
        }
    }

    /// Reads ranges of files.
    fn read_ranges(&self, paths: &[ReadPath], cancel: &Cancel) -> PartServed {
        match self.read_files(&read_request(paths), cancel) {
            Ok(outcome) if outcome.files.iter().any(|file| file.refusal.is_none()) => {
                PartServed::Lines { text: outcome.text, found: true }
            }
            Ok(outcome) => PartServed::Refused(outcome.text),
            Err(_) => PartServed::Refused(String::new()),
        }
    }

    /// Chooses lines one by one with the filters of a part, and shows them.
    fn chosen_lines(&self, lines: &Lines, cancel: &Cancel) -> Option<PartServed> {
        let mut files = Vec::new();
        let mut rows = Vec::new();
        match &lines.source {
            Source::Read(paths) => {
                for path in paths {
                    for name in self.expand_pattern(&path.path) {
                        let file = self.open_document(&name, cancel)?;
                        let wanted = LinesWanted {
                            offset: path.offset,
                            limit: path.limit.map(count),
                            column: None,
                        };
                        let range = wanted.resolve(file.document.len());
                        let file_number = files.len();
                        rows.extend(range.map(|i| Chosen { file: file_number, number: i + 1 }));
                        files.push(file);
                    }
                }
            }
            Source::Grep(request) => self.add_matches(request, &mut files, &mut rows, cancel)?,
            Source::Dump(_) => return None,
        }
        for filter in &lines.filters {
            rows = apply_filter(rows, filter, &files, &lines.source)?;
        }
        rows.retain(|row| row.number > 0);
        if rows.is_empty() {
            let text = "(no line is left)".to_owned();
            return Some(PartServed::Lines { text, found: false });
        }
        let mut ranges = ranges(&rows, &files);
        let left_out = ranges.len().saturating_sub(MAX_RANGES);
        ranges.truncate(MAX_RANGES);
        let mut shown = self.read_ranges(&ranges, cancel);
        if let PartServed::Lines { text, .. } = &mut shown
            && left_out > 0
        {
            show::say(text, format_args!("\n[{left_out} more ranges left out]"));
        }
        Some(shown)
    }

    /// Adds the lines that a search finds, file by file, with their context.
    fn add_matches(
        &self,
        request: &serve::GrepRequest,
        files: &mut Vec<Opened>,
        rows: &mut Vec<Chosen>,
        cancel: &Cancel,
    ) -> Option<()> {
        let pattern = Pattern::new(&request.pattern, reading(request)).ok()?;
        let mut names = Vec::new();
        for path in &request.paths {
            for name in self.expand_pattern(path) {
                let place = self.workspace.find(&name).ok()?;
                if fs::stat(&place.path).ok()?.kind == fs::FileKind::Directory {
                    (!request.invert).then_some(())?;
                    names.extend(self.files_below(&place.path, &pattern, request, cancel)?);
                } else {
                    names.push(name);
                }
            }
        }
        (names.len() <= MAX_FILES).then_some(())?;
        for name in names {
            let Some(file) = self.open_document(&name, cancel) else { continue };
            let matching: Vec<usize> = (1..=file.document.len())
                .filter(|number| {
                    pattern.find(content(&file.document, *number).as_bytes()).is_some()
                        != request.invert
                })
                .take(request.per_file.map_or(usize::MAX, count))
                .collect();
            let number = files.len();
            let around = (count(request.context_before), count(request.context_after));
            push_with_context(rows, number, &matching, around, file.document.len());
            files.push(file);
        }
        Some(())
    }

    /// The files below a directory in which a search has a match.
    fn files_below(
        &self,
        directory: &Path,
        pattern: &Pattern,
        request: &serve::GrepRequest,
        cancel: &Cancel,
    ) -> Option<Vec<String>> {
        let filter = FileFilter::new(&request.globs, &request.types).ok()?;
        let filter = filter.reach(request.hidden, request.ignored);
        let setting = GrepSetting {
            request: &GrepRequest { show: GrepShow::Names, ..GrepRequest::default() },
            pattern,
            workspace: &self.workspace,
            root: self.workspace.root(),
            paths: &[directory.to_owned()],
            filter: &filter,
            scheme: self.options.scheme,
            lines_of: &|_| None,
            texts: self,
            budget: self.options.budget.counting_anchors(),
            remember: &|_| {},
            progress: &|_| {},
            cancel,
        };
        let found = grep::files_with_match(&setting).ok()?;
        Some(found.iter().map(|path| self.workspace.show(path)).collect())
    }

    fn open_document(&self, name: &str, cancel: &Cancel) -> Option<Opened> {
        let place = self.workspace.find(name).ok()?;
        let bytes = fs::contents(&place.path, MAX_BYTES, cancel.flag()).ok()?;
        if self.kind(&place.path, &bytes) != ContentKind::Text {
            return None;
        }
        let document = self.document(&place.path, bytes);
        Some(Opened { name: name.to_owned(), document })
    }

    /// The names that match a shell pattern; the name itself if it is not a pattern or nothing
    /// matches.
    pub(super) fn expand_pattern(&self, path: &str) -> Vec<String> {
        if !serve::is_pattern(path) || fs::exists(&self.workspace.absolute(path)) {
            return vec![path.to_owned()];
        }
        let mut found = vec![if path.starts_with('/') { "/".to_owned() } else { String::new() }];
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let mut next = Vec::new();
            for base in &found {
                let joined = |name: &str| match base.as_str() {
                    "" => name.to_owned(),
                    base => format!("{}/{name}", base.trim_end_matches('/')),
                };
                if !serve::is_pattern(part) {
                    next.push(joined(part));
                    continue;
                }
                let directory: PathBuf =
                    self.workspace.absolute(if base.is_empty() { "." } else { base });
                let entries = fs::entries(&directory).unwrap_or_default();
                let names = entries.iter().filter_map(|entry| entry.name.to_str());
                let names = grep::matching(part, names).into_iter();
                let mut names: Vec<String> = names.map(joined).collect();
                names.sort();
                next.extend(names);
            }
            found = next;
        }
        found.retain(|name| fs::exists(&self.workspace.absolute(name)));
        if found.is_empty() { vec![path.to_owned()] } else { found }
    }
}

enum PartServed {
    Lines {
        text: String,
        /// Whether the command would have printed a line.
        found: bool,
    },
    Binary,
    /// The read was refused with this text.
    Refused(String),
}

/// The names of the files that a part reads, for messages.
fn file_names(lines: &Lines) -> String {
    let paths: Vec<String> = match &lines.source {
        Source::Read(files) | Source::Dump(files) => {
            files.iter().map(|file| format!("`{}`", file.path)).collect()
        }
        Source::Grep(request) => request.paths.iter().map(|path| format!("`{path}`")).collect(),
    };
    paths.join(", ")
}

/// Limits a part to [`MAX_UNCHANGED`] lines of each file that it reads to the end.
fn limited(lines: &Lines) -> Lines {
    let mut bounded = lines.clone();
    if let (Source::Read(paths), true) = (&mut bounded.source, lines.filters.is_empty()) {
        for path in paths.iter_mut().filter(|path| path.limit.is_none()) {
            path.limit = Some(MAX_UNCHANGED);
        }
    }
    bounded
}

/// Pushes matching lines with their context, and separators between ranges.
fn push_with_context(
    rows: &mut Vec<Chosen>,
    file: usize,
    matching: &[usize],
    (before, after): (usize, usize),
    total: usize,
) {
    let mut last = 0;
    for &number in matching {
        let first = number.saturating_sub(before).max(last + 1);
        if before + after > 0 && first > last + 1 && !rows.is_empty() {
            rows.push(Chosen { file, number: 0 });
        }
        let end = number.saturating_add(after).min(total);
        rows.extend((first..=end).map(|number| Chosen { file, number }));
        last = end.max(last);
    }
}

/// Joins neighbouring rows into ranges of lines.
fn ranges(rows: &[Chosen], files: &[Opened]) -> Vec<ReadPath> {
    let together =
        |one: &Chosen, next: &Chosen| one.file == next.file && one.number + 1 == next.number;
    rows.chunk_by(together)
        .map(|rows| ReadPath {
            path: files[rows[0].file].name.clone(),
            offset: i64::try_from(rows[0].number).ok(),
            limit: u64::try_from(rows.len()).ok(),
        })
        .collect()
}

/// Whether the grep tool can make this search without changes.
fn fits_grep(request: &serve::GrepRequest) -> bool {
    !request.invert
        && request.per_file.is_none()
        && !request.paths.iter().any(|path| serve::is_pattern(path))
}

/// Whether the filters do nothing but take the first few matches.
fn only_first(request: &serve::GrepRequest, lines: &Lines) -> bool {
    // With several files, the grep tool would show some matches of each.
    let alone = request.context_before + request.context_after == 0 && request.paths.len() == 1;
    lines.filters.iter().all(|filter| alone && matches!(filter, serve::Filter::First(_)))
}

fn read_request(paths: &[ReadPath]) -> ReadRequest {
    let file = |path: &ReadPath| FileRequest {
        path: path.path.clone(),
        wanted: LinesWanted { offset: path.offset, limit: path.limit.map(count), column: None },
        search: None,
        changes: false,
    };
    ReadRequest { files: paths.iter().map(file).collect(), host_reads: Vec::new() }
}

fn grep_request(request: &serve::GrepRequest) -> GrepRequest {
    GrepRequest {
        pattern: request.pattern.clone(),
        reading: reading(request),
        paths: request.paths.clone(),
        globs: request.globs.clone(),
        types: request.types.clone(),
        around: ContextLines {
            before: count(request.context_before),
            after: count(request.context_after),
        },
        limit: grep::DEFAULT_LIMIT,
        per_file: usize::MAX,
        show: GrepShow::Lines,
        hidden: request.hidden,
        ignored: request.ignored,
    }
}

fn reading(request: &serve::GrepRequest) -> Reading {
    Reading {
        literal: request.literal,
        case_sensitive: request.case_sensitive,
        ..Reading::default()
    }
}
