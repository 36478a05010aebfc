//! Reading what is wanted of one path from the disk.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::host::is_url;
use super::notebook::{LeftOut, is_notebook};
use super::window::window;
use super::{FileRequest, LinesWanted, Lookup, ReadRefusal};
use crate::cancel::{Cancel, Cancelled};
use crate::content::{SNIFFED_BYTES, Texts};
use crate::fs;
use crate::grep::{GrepLines, Pattern, Search, SearchExtent, kept_around};
use crate::show::Budget;
use crate::snapshot::{FileLines, View};
use crate::workspace::Workspace;
use hashline_text::kernel::{buffers, search};
use hashline_text::{Digest, Document, Encoding, HEAD, LineDigest, Scheme};

/// From this size on a file is not held in memory.
pub(crate) const LARGE: u64 = 10 << 20;

/// The largest file that is held in memory if it must be held whole.
const MAX_HELD: usize = 1 << 30;

/// What is shown of one path, or why it cannot be shown.
#[derive(Debug)]
pub(crate) struct LoadedFile {
    /// The path as the caller spelled it.
    pub name: String,
    /// The absolute path, symbolic links not followed; empty for a URL.
    pub path: PathBuf,
    /// The path under which the file is remembered.
    pub key: PathBuf,
    /// Which lines were wanted.
    pub wanted: LinesWanted,
    /// Whether only what changed is wanted.
    pub changes: bool,
    /// What the model was shown of the file; the caller fills it in.
    pub view: Option<Arc<View>>,
    /// What we know about the whole file.
    pub known: KnownFile,
    /// What is at the path, or why it cannot be shown.
    pub content: Result<PathContent, ReadRefusal>,
}

/// What we know about a file as a whole, before looking at its lines.
#[derive(Clone, Default, Debug)]
pub(crate) struct KnownFile {
    /// The digest of its bytes, if it was read whole.
    pub digest: Option<Digest>,
    /// All lines of a file with this digest, if they were digested before; the caller fills it in.
    pub lines: Option<FileLines>,
}

impl KnownFile {
    /// All lines of the file; `make` digests them if that was not done before.
    pub(super) fn lines(self, make: impl FnOnce() -> Vec<LineDigest>) -> FileLines {
        match (self.lines, self.digest) {
            (Some(lines), _) => lines,
            (None, Some(digest)) => FileLines::of(digest, make()),
            (None, None) => make().into(),
        }
    }
}

/// What is at a path.
#[derive(Debug)]
pub(crate) enum PathContent {
    /// A file, or some of its lines.
    Text(LoadedLines),
    /// What a search found in a file.
    Found {
        /// The lines that were found.
        excerpt: Box<GrepLines>,
        /// The pattern that was searched for.
        pattern: Pattern,
        /// The search as the caller asked for it.
        lookup: Lookup,
        /// The whole file, if it was read whole.
        whole: Option<Document>,
        /// Tells this version of the file from others.
        stamp: u64,
    },
    /// The sorted names in a directory; directories end with a slash.
    Directory(Vec<String>),
}

/// Consecutive lines of a file.
#[derive(Debug)]
pub(crate) struct LoadedLines {
    /// The lines; of a large file with one more line on either side, if there is one.
    pub document: Document,
    /// How many lines of the file come before these lines.
    pub before: usize,
    /// How many lines the file has.
    pub total: usize,
    /// The lines that are not shown.
    pub left_out: LeftOut,
    /// Whether this is the whole file.
    pub whole: bool,
    /// Tells this version of the file from others.
    pub stamp: u64,
}

/// Loads what `request` wants.
pub(crate) fn load(
    workspace: &Workspace,
    texts: &dyn Texts,
    request: &FileRequest,
    scheme: Scheme,
    budget: Budget,
    cancel: &Cancel,
) -> Result<LoadedFile, Cancelled> {
    cancel.check()?;
    let place = match workspace.find(&request.path) {
        Ok(place) => place,
        Err(missing) => {
            let url = is_url(&missing.name);
            let name = missing.name.clone();
            return Ok(LoadedFile {
                path: if url { PathBuf::new() } else { workspace.absolute(&name) },
                key: PathBuf::new(),
                wanted: request.wanted,
                changes: request.changes,
                view: None,
                known: KnownFile::default(),
                content: Err(if url {
                    ReadRefusal::Url { name: name.clone() }
                } else {
                    ReadRefusal::NotFound(missing)
                }),
                name,
            });
        }
    };
    let mut wanted = request.wanted;
    if let (Some(lines), None) = (place.lines, wanted.offset) {
        wanted.offset = i64::try_from(lines.first.get()).ok();
        let limit = lines.last.map(|last| last.get() - lines.first.index());
        wanted.limit = wanted.limit.or(limit);
    }
    let job =
        LoadJob { name: &place.name, path: &place.path, wanted, texts, scheme, budget, cancel };
    let content = job.load_content(request.search.as_ref());
    // A cancelled step returns some error: report the cancellation instead.
    cancel.check()?;
    let key = workspace.key(&place.path);
    let whole = content.as_ref().ok().and_then(PathContent::whole);
    let known =
        KnownFile { digest: whole.map(|file| Digest::of(file.text().as_bytes())), lines: None };
    Ok(LoadedFile {
        name: place.name,
        path: place.path,
        key,
        wanted,
        changes: request.changes,
        view: None,
        known,
        content,
    })
}

impl PathContent {
    /// The file, if it was read whole.
    fn whole(&self) -> Option<&Document> {
        match self {
            Self::Text(text) => text.whole.then_some(&text.document),
            Self::Found { whole, .. } => whole.as_ref(),
            Self::Directory(_) => None,
        }
    }
}

struct LoadJob<'a> {
    name: &'a str,
    path: &'a Path,
    wanted: LinesWanted,
    texts: &'a dyn Texts,
    scheme: Scheme,
    budget: Budget,
    cancel: &'a Cancel,
}

impl LoadJob<'_> {
    fn load_content(&self, search: Option<&Lookup>) -> Result<PathContent, ReadRefusal> {
        let pattern = match search {
            Some(lookup) => Some(
                Pattern::new(&lookup.pattern, lookup.reading).map_err(ReadRefusal::BadPattern)?,
            ),
            None => None,
        };
        let stat = fs::stat(self.path).map_err(|error| self.refusal(error))?;
        match stat.kind {
            fs::FileKind::File => {}
            fs::FileKind::Directory => return self.load_directory(),
            fs::FileKind::Special(what) => {
                let (name, what) = (self.name.to_owned(), what.to_owned());
                return Err(ReadRefusal::SpecialFile { name, what });
            }
        }
        let (mut file, stat) = fs::open_known(self.path).map_err(|error| self.refusal(error))?;
        let lookup = search.cloned().zip(pattern);
        if stat.size < LARGE {
            let size = usize::try_from(stat.size).unwrap_or_default();
            // One byte more than the size, so that the end is seen without growing the buffer.
            let mut bytes = buffers::of_len(size + 1);
            let most = usize::try_from(LARGE).unwrap_or(usize::MAX);
            let filled = fs::read_whole(&mut file, most, &mut bytes, |_| true, self.cancel.flag())
                .map_err(|error| self.refusal(error))?;
            // Otherwise the file has grown in the meantime and is large now.
            if let fs::Filled::Whole(count) = filled {
                bytes.truncate(count);
                return self.load_whole(bytes, lookup);
            }
        }
        self.load_large(&file, lookup)
    }

    fn load_whole(
        &self,
        bytes: Vec<u8>,
        lookup: Option<(Lookup, Pattern)>,
    ) -> Result<PathContent, ReadRefusal> {
        let size = bytes.len() as u64;
        let start = bytes[..bytes.len().min(SNIFFED_BYTES)].to_vec();
        if search::find_byte(0, &start).is_some() {
            self.sniff(&start, size)?;
        }
        let document = self.texts.document(self.path, bytes);
        if !document.is_utf8() {
            self.sniff(&start, size)?;
        }
        let total = document.len();
        self.check_offset(total)?;
        let Some((lookup, pattern)) = lookup else {
            let start = self.wanted.resolve(total).start;
            return Ok(PathContent::Text(LoadedLines {
                left_out: LeftOut::of(self.path, &document, start),
                document,
                before: 0,
                total,
                whole: true,
                stamp: 0,
            }));
        };
        let around = kept_around(self.scheme, lookup.around);
        let mut search =
            Search::new(pattern.clone(), around, SearchExtent::Whole, self.cancel.clone());
        let hits = search
            .bytes(document.text().as_bytes(), usize::MAX)
            .map_err(|error| self.refusal(error))?;
        let excerpt = GrepLines::new(self.scheme, hits, lookup.around);
        Ok(PathContent::Found {
            excerpt: Box::new(excerpt.expect("a document is UTF-8")),
            pattern,
            lookup,
            whole: Some(document),
            stamp: 0,
        })
    }

    fn load_large(
        &self,
        file: &File,
        lookup: Option<(Lookup, Pattern)>,
    ) -> Result<PathContent, ReadRefusal> {
        let fail = |error: fs::ReadError| self.refusal(error);
        let stat = fs::stat_open(file).map_err(|error| fail(error.into()))?;
        let mut head = vec![0; HEAD];
        let count = fs::read_at(file, 0, &mut head).map_err(|error| fail(error.into()))?;
        self.sniff(&head[..count], stat.size)?;
        let encoding = self.texts.encoding(self.path, &head[..count]);
        if encoding.is_utf16() || (is_notebook(self.path) && stat.size <= MAX_HELD as u64) {
            // Only the whole file can be split at its newlines, or at its outputs.
            return self.load_whole(self.read_all()?, lookup);
        }
        let stamp = Digest::of(&stat.stamp()).0;
        let content = match lookup {
            None => {
                let window =
                    window(file, self.wanted, self.budget.lines, self.cancel).map_err(fail)?;
                self.check_offset(window.total)?;
                if u32::try_from(window.total).is_err() {
                    let reason = "it has more lines than can be numbered".to_owned();
                    return Err(ReadRefusal::IoError { name: self.name.to_owned(), reason });
                }
                if window.bytes.is_empty() && window.total > 0 {
                    return Err(ReadRefusal::LineTooLong {
                        name: self.name.to_owned(),
                        line: window.before + 1,
                    });
                }
                let document = Document::decode_as(window.bytes, encoding);
                PathContent::Text(LoadedLines {
                    document,
                    before: window.before,
                    total: window.total,
                    left_out: LeftOut::default(),
                    whole: false,
                    stamp,
                })
            }
            Some((lookup, pattern)) => {
                let around = kept_around(self.scheme, lookup.around);
                let mut search =
                    Search::new(pattern.clone(), around, SearchExtent::Whole, self.cancel.clone());
                let hits = search.reader(file, self.budget.lines).map_err(fail)?;
                let excerpt = GrepLines::new(self.scheme, hits, lookup.around);
                let Some(excerpt) = excerpt.filter(|_| encoding == Encoding::UTF_8) else {
                    return self.load_whole(self.read_all()?, Some((lookup, pattern)));
                };
                PathContent::Found {
                    excerpt: Box::new(excerpt),
                    pattern,
                    lookup,
                    whole: None,
                    stamp,
                }
            }
        };
        // Line numbers counted partly in one version and partly in the next would be wrong in both.
        if fs::stat_open(file).map_err(|error| fail(error.into()))? != stat {
            return Err(ReadRefusal::Changed { name: self.name.to_owned() });
        }
        Ok(content)
    }

    /// All bytes of a file that cannot be searched or split while reading.
    fn read_all(&self) -> Result<Vec<u8>, ReadRefusal> {
        fs::contents(self.path, MAX_HELD, self.cancel.flag()).map_err(|error| self.refusal(error))
    }

    fn load_directory(&self) -> Result<PathContent, ReadRefusal> {
        let mut entries = fs::entries(self.path).map_err(|error| self.refusal(error))?;
        entries.sort();
        let name = |entry: fs::DirectoryEntry| {
            let slash = if entry.directory { "/" } else { "" };
            format!("{}{slash}", entry.name.to_string_lossy())
        };
        let names: Vec<String> = entries.into_iter().map(name).collect();
        self.check_offset(names.len())?;
        Ok(PathContent::Directory(names))
    }

    fn sniff(&self, bytes: &[u8], size: u64) -> Result<(), ReadRefusal> {
        ReadRefusal::unless_text(self.name, self.texts.kind(self.path, bytes), size)
    }

    fn check_offset(&self, total: usize) -> Result<(), ReadRefusal> {
        match self.wanted.past_end(total) {
            None => Ok(()),
            Some(offset) => Err(ReadRefusal::PastEnd { name: self.name.to_owned(), offset, total }),
        }
    }

    fn refusal(&self, error: impl Into<fs::ReadError>) -> ReadRefusal {
        ReadRefusal::of(self.name, &error.into())
    }
}
