//! Searching many files at once.
//!
//! Every file is searched to its end, so that the counts are true whatever is shown. Only some
//! files will be shown: the first files found keep their matching lines unless they are large, and
//! a file that is to be shown but has not kept its lines is searched again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::Pattern;
use super::found::{GrepLines, PrintedLines, kept_around};
use super::report::{GrepRequest, GrepShow};
use super::search::{ContextLines, Search, SearchExtent, SearchHits};
use super::walk::{Filter, walk};
use crate::cancel::{Cancel, Cancelled};
use crate::content::{ContentKind, SNIFFED_BYTES, Texts};
use crate::fs::{self, ReadError};
use crate::show::Budget;
use crate::snapshot::{FileLines, Snapshot};
use crate::workspace::Workspace;
use hashline_text::kernel::{buffers, parallel, search};
use hashline_text::{Digest, Encoding, EncodingChoice, HEAD, Scheme, document};

/// Up to this size a file is read into memory when it is first searched. Most files are smaller,
/// and a buffer of this size fits into a processor's cache.
const MAX_AT_FIRST: usize = 1 << 20;

/// Up to this size a file with a match is read into memory to be shown.
const MAX_TO_SHOW: usize = 10 << 20;

/// A file that is not UTF-8 and is larger than this is not searched.
const MAX_DECODED: usize = 1 << 30;

/// With more matches than this still to show, a large file will hardly be left out, and is read
/// into memory at once.
const MANY_MATCHES: usize = 10_000;

/// More threads than this would only wait for the disk and each other.
const MAX_THREADS: usize = 8;

/// How often progress is reported.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// What is searched for, where and how.
pub(crate) struct GrepSetting<'a> {
    /// What the caller asked for.
    pub request: &'a GrepRequest,
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Resolves and prints paths.
    pub workspace: &'a Workspace,
    /// The directory that globs may start from.
    pub root: &'a Path,
    /// The files and directories to search.
    pub paths: &'a [PathBuf],
    /// Which files are searched.
    pub filter: &'a Filter,
    /// The scheme of the tags.
    pub scheme: Scheme,
    /// Finds the lines of a file by the digest of its bytes, if they are known already.
    pub lines_of: &'a KnownLines<'a>,
    /// How files become text.
    pub texts: &'a dyn Texts,
    /// How much may be shown of one file, and of all files together.
    pub budget: Budget,
    /// Called with what each file showed, and the path to remember it under.
    pub remember: &'a (dyn Fn(Vec<(PathBuf, Snapshot)>) + Sync),
    /// Called now and then with the progress of the search.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Ends the search.
    pub cancel: &'a Cancel,
}

impl GrepSetting<'_> {
    /// How far each file is searched.
    fn extent(&self) -> SearchExtent {
        match self.request.show {
            GrepShow::Names | GrepShow::Others => SearchExtent::First,
            GrepShow::Lines | GrepShow::Counts => SearchExtent::Whole,
        }
    }

    /// How many matching lines will be shown at most.
    fn max_shown(&self) -> usize {
        if self.request.show == GrepShow::Lines { self.request.limit } else { 0 }
    }
}

/// Finds the lines of a file by the digest of its bytes.
pub(super) type KnownLines<'a> = dyn Fn(Digest) -> Option<FileLines> + Sync + 'a;

/// How far a search has got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many files were searched.
    pub searched: usize,
    /// How many lines match.
    pub matches: usize,
}

/// What a search over many files found.
#[derive(Debug)]
pub(super) struct Findings {
    /// The files with a match, in order of their paths.
    pub files: Vec<Finding>,
    /// How many files were searched.
    pub searched: usize,
    /// Messages about what could not be searched.
    pub failures: Vec<String>,
}

/// A file with a match.
#[derive(Debug)]
pub(super) struct Finding {
    /// The file's path.
    pub path: PathBuf,
    /// How many lines of the file match.
    pub matches: usize,
    view: Option<FileView>,
}

/// A file's matching lines, tagged and printed, and the version they belong to.
pub(super) type FileView = (PrintedLines, Snapshot);

/// Searches all files.
pub(super) fn find(setting: &GrepSetting<'_>) -> Result<Findings, Cancelled> {
    let found = Mutex::new(Vec::new());
    let denied = Mutex::new(Vec::new());
    let searched = AtomicUsize::new(0);
    let matches = AtomicUsize::new(0);
    // How many more lines may be kept before it is known which are shown.
    let quota = AtomicUsize::new(setting.max_shown());
    let last_report = Mutex::new(Instant::now());
    let report_progress = |now: Progress| {
        if let Ok(mut last_report) = last_report.try_lock()
            && last_report.elapsed() >= PROGRESS_INTERVAL
        {
            *last_report = Instant::now();
            (setting.progress)(now);
        }
    };
    let threads = parallel::processors().min(MAX_THREADS);
    let mut failures =
        walk(setting.root, setting.paths, setting.filter, threads, setting.cancel, || {
            let mut worker = FileSearcher::new(setting);
            let (found, denied, searched, matches) = (&found, &denied, &searched, &matches);
            let (quota, report_progress) = (&quota, &report_progress);
            move |path: PathBuf| {
                let keep = quota.load(Ordering::Relaxed);
                let (hits, view) = match worker.look(&path, keep) {
                    Ok(found) => found,
                    Err(error) => {
                        // A file deleted in the meantime has no match; a file we may not read is
                        // reported.
                        if error.is_denied() {
                            let failure = format!("{}: permission denied", path.display());
                            denied.lock().expect("no visitor panics").push(failure);
                        }
                        return;
                    }
                };
                let searched = searched.fetch_add(1, Ordering::Relaxed) + 1;
                let hits = match setting.request.show {
                    GrepShow::Others => usize::from(hits == 0),
                    _ => hits.min(setting.request.per_file),
                };
                if hits > 0 {
                    matches.fetch_add(hits, Ordering::Relaxed);
                    if view.is_some() {
                        let _ = quota.try_update(Ordering::Relaxed, Ordering::Relaxed, |quota| {
                            Some(quota.saturating_sub(hits))
                        });
                    }
                    let mut found = found.lock().expect("no visitor panics");
                    found.push(Finding { path, matches: hits, view });
                }
                report_progress(Progress { searched, matches: matches.load(Ordering::Relaxed) });
            }
        });
    setting.cancel.check()?;
    failures.extend(denied.into_inner().expect("no visitor panics"));
    failures.sort();
    let mut files: Vec<Finding> = found.into_inner().expect("no visitor panics");
    files.sort_by_cached_key(|file| sort_key(&file.path));
    files.dedup_by(|one, other| one.path == other.path);
    Ok(Findings { files, searched: searched.into_inner(), failures })
}

/// A file with a match, and how many of its matches are wanted.
pub(super) struct FileShare {
    /// The file.
    pub file: Finding,
    /// How many of the file's matches are wanted.
    pub matches: usize,
}

/// Calls `work` with each wanted file and its lines, on all processors; without lines if the file
/// can no longer be searched.
pub(super) fn views<R: Send>(
    files: Vec<FileShare>,
    setting: &GrepSetting<'_>,
    work: impl Fn(Finding, Option<FileView>) -> R + Sync + Send,
) -> Result<Vec<R>, Cancelled> {
    // Most files have kept their lines and need no `FileSearcher`.
    let made = parallel::map_with(files, |worker: &mut Option<FileSearcher>, wanted| {
        setting.cancel.check()?;
        let FileShare { mut file, matches } = wanted;
        let is_enough = |(printed, _): &FileView| printed.kept() >= matches.min(file.matches);
        let view = file.view.take().filter(is_enough);
        let mut view = view.or_else(|| {
            let worker = worker.get_or_insert_with(|| FileSearcher::new(setting));
            worker.look_again(&file.path, matches).ok()?
        });
        if let Some((printed, _)) = &mut view {
            printed.truncate(matches, setting.request.around);
        }
        Ok(work(file, view))
    });
    setting.cancel.check()?;
    made.into_iter().collect()
}

/// What one thread needs to search files.
struct FileSearcher<'a> {
    search: Search,
    files: fs::SiblingOpener,
    buffer: Vec<u8>,
    scheme: Scheme,
    lines_of: &'a KnownLines<'a>,
    texts: &'a dyn Texts,
    around: ContextLines,
    room: Budget,
    cancel: Cancel,
}

impl<'a> FileSearcher<'a> {
    fn new(setting: &GrepSetting<'a>) -> Self {
        let around = kept_around(setting.scheme, setting.request.around);
        Self {
            search: Search::new(
                setting.pattern.clone(),
                around,
                setting.extent(),
                setting.cancel.clone(),
            ),
            files: fs::SiblingOpener::default(),
            buffer: buffers::of_len(MAX_AT_FIRST + 1),
            scheme: setting.scheme,
            lines_of: setting.lines_of,
            texts: setting.texts,
            around: setting.request.around,
            room: setting.budget,
            cancel: setting.cancel.clone(),
        }
    }

    /// How many lines match, and a view of at most `keep` of them; no view if `keep` is 0 or the
    /// file is too large for a first look.
    fn look(&mut self, path: &Path, keep: usize) -> Result<(usize, Option<FileView>), ReadError> {
        let most = if keep > MANY_MATCHES { MAX_TO_SHOW } else { MAX_AT_FIRST };
        self.with_file(path, most, |worker, filled| match filled {
            Some(bytes) => worker.look_at(path, bytes, keep),
            None => worker.look_through(path, keep),
        })
    }

    /// A view of at most `keep` matching lines of a file.
    fn look_again(&mut self, path: &Path, keep: usize) -> Result<Option<FileView>, ReadError> {
        let (_, view) = self.with_file(path, MAX_TO_SHOW, |worker, filled| match filled {
            Some(bytes) => worker.look_at(path, bytes, keep),
            None => worker.look_through(path, keep),
        })?;
        Ok(view)
    }

    /// Searches a file that is too large for `most`. Its lines are kept only if it is also too
    /// large for [`MAX_TO_SHOW`]: otherwise a second search, in memory, will know the whole file.
    fn look_through(
        &mut self,
        path: &Path,
        keep: usize,
    ) -> Result<(usize, Option<FileView>), ReadError> {
        let (file, stat) = fs::open(path)?;
        let mut head = vec![0; HEAD];
        let count = fs::read_at(&file, 0, &mut head)?;
        if self.texts.encoding(path, &head[..count]) != Encoding::UTF_8 {
            return self.look_at_all(path, keep);
        }
        let keep = if stat.size > MAX_TO_SHOW as u64 { keep } else { 0 };
        let hits = self.search.reader(&file, keep)?;
        let stamp = Digest::of(&stat.stamp()).0;
        match self.view(hits, keep, |worker| Snapshot::part(worker.scheme, stamp, None)) {
            (matches, None) if matches > 0 && keep > 0 => self.look_at_all(path, keep),
            found => Ok(found),
        }
    }

    /// Searches a file of any size that is not UTF-8.
    fn look_at_all(
        &mut self,
        path: &Path,
        keep: usize,
    ) -> Result<(usize, Option<FileView>), ReadError> {
        let bytes = fs::contents(path, MAX_DECODED, self.cancel.flag())?;
        self.look_at(path, &bytes, keep)
    }

    /// Calls `work` with the bytes of a file, or with `None` if there are more than `most`. A file
    /// that is not text counts as empty.
    fn with_file<R>(
        &mut self,
        path: &Path,
        most: usize,
        work: impl FnOnce(&mut Self, Option<&[u8]>) -> Result<R, ReadError>,
    ) -> Result<R, ReadError> {
        let mut file = self.files.open(path)?;
        let mut buffer = std::mem::take(&mut self.buffer);
        let texts = self.texts;
        let is_text = |start: &[u8]| {
            let start = &start[..start.len().min(SNIFFED_BYTES)];
            search::find_byte(0, start).is_none() || texts.kind(path, start) == ContentKind::Text
        };
        let filled = fs::read_whole(&mut file, most, &mut buffer, is_text, self.cancel.flag());
        let made = match filled {
            Ok(fs::Filled::Unwanted) => work(self, Some(&[])),
            Ok(fs::Filled::Whole(count)) => work(self, Some(&buffer[..count])),
            Ok(fs::Filled::TooLarge) => work(self, None),
            Err(error) => Err(error),
        };
        self.buffer = buffer;
        made
    }

    /// Searches a file that is held in memory.
    fn look_at(
        &mut self,
        path: &Path,
        bytes: &[u8],
        keep: usize,
    ) -> Result<(usize, Option<FileView>), ReadError> {
        let is_fixed = matches!(self.texts.choice(path), EncodingChoice::Always(_));
        let mut document = None;
        if is_fixed || !document::is_utf8(bytes) {
            if self.texts.kind(path, bytes) != ContentKind::Text {
                return Ok((0, None));
            }
            document = Some(self.texts.document(path, bytes.to_vec()));
        }
        let text = document.as_ref().map_or(bytes, |document| document.text().as_bytes());
        let hits = self.search.bytes(text, keep)?;
        Ok(self.view(hits, keep, |worker| {
            let lines = worker.lines(text);
            let as_shown = || {
                let shown = worker.texts.newest(path, true)?;
                (shown.stamp() == lines.stamp() && text.is_ascii()).then(|| shown.encoding())
            };
            let encoding = match &document {
                Some(document) => document.encoding(),
                None => as_shown().unwrap_or_default(),
            };
            Snapshot::whole(worker.scheme, lines).in_encoding(encoding)
        }))
    }

    /// All lines of a text, found by the digest of its bytes if they are known already.
    fn lines(&self, text: &[u8]) -> FileLines {
        let content = Digest::of(text);
        let known = (self.lines_of)(content);
        let digests = || document::digests(text).expect("the text was checked");
        known.unwrap_or_else(|| FileLines::of(content, digests()))
    }

    fn view(
        &mut self,
        hits: SearchHits,
        keep: usize,
        snapshot: impl FnOnce(&Self) -> Snapshot,
    ) -> (usize, Option<FileView>) {
        let matches = hits.matches;
        if matches == 0 || keep == 0 {
            self.search.reuse(hits);
            return (matches, None);
        }
        let Some(excerpt) = GrepLines::new(self.scheme, hits, self.around) else {
            return (matches, None);
        };
        let (snapshot, gaps) = (snapshot(self), self.around != ContextLines::default());
        let (printed, free) =
            excerpt.into_printed(self.search.pattern(), gaps, self.room, &snapshot);
        self.search.reuse(free);
        (matches, Some((printed, snapshot)))
    }
}

impl Drop for FileSearcher<'_> {
    fn drop(&mut self) {
        buffers::give_back(std::mem::take(&mut self.buffer));
    }
}

/// A key to sort by: these bytes are ordered like paths that are compared part by part.
fn sort_key(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|byte| if std::path::is_separator(char::from(*byte)) { 0 } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn paths_are_ordered_part_by_part(one in "(/[a-c +-]{1,3}){1,4}", other in "(/[a-c +-]{1,3}){1,4}") {
            let plain = |path: &str| Path::new(path).components().collect::<PathBuf>();
            let (one, other) = (plain(&one), plain(&other));
            prop_assert_eq!(sort_key(&one).cmp(&sort_key(&other)), one.cmp(&other));
        }
    }
}
