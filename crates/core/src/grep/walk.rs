//! Finding the files to search, and the only module that knows `ignore` and `globset`.
//!
//! The walk goes through directories on several threads, leaves out what `.gitignore` and similar
//! files exclude, follows no symbolic links below the paths it is given, and hands over regular
//! files only. It opens none of them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::GrepRefusalCode;
use crate::cancel::Cancel;
use crate::fs;
use crate::show::brief;

/// Which files are wanted.
#[derive(Clone, Default, Debug)]
pub(crate) struct Filter {
    globs: Globs,
    types: Option<Types>,
    hidden: bool,
    ignored: bool,
}

/// A filter cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadFilter {
    /// An invalid glob.
    #[error("bad glob `{}`: {}", brief(glob), brief(reason))]
    Glob {
        /// The glob.
        glob: String,
        /// The reason why it cannot be used.
        reason: String,
    },
    /// An unknown file type.
    #[error("unknown file type `{}`; {}", brief(name), use_instead(name, near))]
    Type {
        /// The name of the type.
        name: String,
        /// Types with a similar name.
        near: Vec<String>,
    },
}

impl BadFilter {
    /// The stable name of this error.
    pub fn code(&self) -> GrepRefusalCode {
        match self {
            Self::Glob { .. } => GrepRefusalCode::BadGlob,
            Self::Type { .. } => GrepRefusalCode::BadType,
        }
    }
}

/// What to use instead of an unknown file type.
fn use_instead(name: &str, near: &[String]) -> String {
    if near.is_empty() {
        format!("use a glob instead, for example `*.{}`", brief(name))
    } else {
        format!("did you mean `{}`?", near.join("`, `"))
    }
}

#[derive(Clone, Default, Debug)]
struct Globs {
    /// Globs of which a file must match one, if there are any.
    wanted: Option<GlobSet>,
    /// Globs of which a file must match none.
    unwanted: GlobSet,
}

impl Filter {
    /// A filter of globs and names of file types. A glob with a `!` in front excludes files.
    ///
    /// A glob without a slash must match the file's name, a glob with a slash must match its path
    /// below the searched directory, or below the root.
    pub(crate) fn new(globs: &[String], types: &[String]) -> Result<Self, BadFilter> {
        let mut wanted = GlobSetBuilder::new();
        let mut unwanted = GlobSetBuilder::new();
        let mut any = false;
        for given in globs {
            let (glob, set) = if let Some(glob) = given.strip_prefix('!') {
                (glob, &mut unwanted)
            } else {
                any = true;
                (given.as_str(), &mut wanted)
            };
            for form in globs_for(glob) {
                let built = GlobBuilder::new(&form).literal_separator(true).build();
                set.add(built.map_err(|error| bad_glob(given, &error))?);
            }
        }
        let build = |set: &GlobSetBuilder| set.build().map_err(|error| bad_glob("", &error));
        Ok(Self {
            globs: Globs {
                wanted: if any { Some(build(&wanted)?) } else { None },
                unwanted: build(&unwanted)?,
            },
            types: file_types(types)?,
            ..Self::default()
        })
    }

    /// Sets whether hidden and ignored files and directories are wanted too.
    #[must_use]
    pub(crate) fn reach(mut self, hidden: bool, ignored: bool) -> Self {
        self.hidden = hidden;
        self.ignored = ignored;
        self
    }

    /// Whether the globs select a file. They may match its path below either base.
    pub(crate) fn wants(&self, path: &Path, bases: [&Path; 2]) -> bool {
        if self.globs.wanted.is_none() && self.globs.unwanted.is_empty() {
            return true;
        }
        let below = bases.map(|base| path.strip_prefix(base).unwrap_or(path));
        let any = |set: &GlobSet| below.iter().any(|path| set.is_match(path));
        self.globs.wanted.as_ref().is_none_or(any) && !any(&self.globs.unwanted)
    }
}

/// Walks `paths` on `threads` threads and gives each wanted file to the visitor that `visitor` has
/// made for that thread. Returns messages about what could not be walked.
pub(super) fn walk<V>(
    root: &Path,
    paths: &[PathBuf],
    filter: &Filter,
    threads: usize,
    cancel: &Cancel,
    visitor: impl Fn() -> V + Sync,
) -> Vec<String>
where
    V: FnMut(PathBuf) + Send,
{
    let failures = Mutex::new(Vec::new());
    let Some((first, others)) = paths.split_first() else {
        return Vec::new();
    };
    let mut builder = WalkBuilder::new(first);
    for path in others {
        builder.add(path);
    }
    builder
        .threads(threads)
        .hidden(!filter.hidden)
        .require_git(false)
        .parents(!filter.ignored)
        .ignore(!filter.ignored)
        .git_global(!filter.ignored)
        .git_ignore(!filter.ignored)
        .git_exclude(!filter.ignored);
    if let Some(types) = &filter.types {
        builder.types(types.clone());
    }
    // A single file or directory is the base for globs; with several, only the root is.
    let base = if others.is_empty() { first.as_path() } else { root };
    builder.build_parallel().run(|| {
        let mut visit = visitor();
        let failures = &failures;
        Box::new(move |entry| {
            if cancel.is_requested() {
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) if is_wanted(&entry) && filter.wants(entry.path(), [base, root]) => {
                    visit(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => {
                    let mut failures = failures.lock().expect("no visitor panics");
                    failures.push(error.to_string());
                }
            }
            WalkState::Continue
        })
    });
    failures.into_inner().expect("no visitor panics")
}

/// Whether the entry is a regular file; a path that the caller named may be a link to one.
fn is_wanted(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_symlink() => entry.depth() == 0 && leads_to_file(entry),
        Some(kind) => kind.is_file(),
        None => false,
    }
}

fn leads_to_file(link: &DirEntry) -> bool {
    fs::stat(link.path()).is_ok_and(|stat| stat.kind == fs::FileKind::File)
}

/// The globs in the syntax of `globset` that together mean what the caller's glob means.
fn globs_for(glob: &str) -> Vec<String> {
    let anchored = glob.strip_prefix("./").unwrap_or(glob);
    match anchored.strip_prefix('/') {
        Some(anchored) => vec![anchored.to_owned()],
        None if anchored.ends_with('/') => vec![format!("**/{anchored}**")],
        None if anchored.contains('/') => vec![anchored.to_owned()],
        // A bare name may name a directory: then it means all files in it.
        None => vec![format!("**/{anchored}"), format!("**/{anchored}/**")],
    }
}

/// The names that a shell pattern matches; a hidden name only if the pattern begins with a dot.
pub(crate) fn matching<'n>(pattern: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    // Braces mean nothing here: the shell has expanded them.
    let plain = pattern.replace('{', "[{]").replace('}', "[}]");
    let Ok(glob) = GlobBuilder::new(&plain).backslash_escape(false).build() else {
        return Vec::new();
    };
    let (glob, hidden) = (glob.compile_matcher(), pattern.starts_with('.'));
    names.filter(|name| (hidden || !name.starts_with('.')) && glob.is_match(name)).collect()
}

fn bad_glob(given: &str, error: &globset::Error) -> BadFilter {
    BadFilter::Glob { glob: given.to_owned(), reason: error.kind().to_string() }
}

fn file_types(names: &[String]) -> Result<Option<Types>, BadFilter> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for given in names {
        match given.strip_prefix('!') {
            Some(name) => builder.negate(name),
            None => builder.select(given),
        };
    }
    match builder.build() {
        Ok(types) => Ok(Some(types)),
        Err(error) => {
            let unknown = |name: &&String| error.to_string().contains(name.as_str());
            let name = names.iter().find(unknown).unwrap_or(&names[0]).clone();
            let near = nearest_types(&builder, &name);
            Err(BadFilter::Type { name, near })
        }
    }
}

/// Types of files with this ending, which the caller gave as a type: `tsx`, `.rs`.
fn nearest_types(builder: &TypesBuilder, name: &str) -> Vec<String> {
    let ending = format!("*.{}", name.trim_start_matches('.').to_lowercase());
    let definitions = builder.definitions();
    let has = |globs: &[String]| globs.contains(&ending);
    let near = definitions.iter().filter(|definition| has(definition.globs()));
    near.take(3).map(|definition| definition.name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(globs: &[&str], path: &str) -> bool {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let filter = Filter::new(&globs, &[]).unwrap();
        filter.wants(Path::new(path), [Path::new("/w/src"), Path::new("/w")])
    }

    #[test]
    fn a_shell_pattern_matches_whole_names() {
        for (pattern, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rss", false),
            ("*.go", ".hidden.go", false),
            (".*.go", ".hidden.go", true),
            ("*_test.go", "store_test.go", true),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a]x", "ax", false),
            ("*a*b", "xxaxxb", true),
            ("{a,b}*", "ac", false),
            ("{a,b}*", "{a,b}c", true),
            ("", "", true),
        ] {
            let found = matching(pattern, std::iter::once(name));
            assert_eq!(!found.is_empty(), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_glob_means_what_it_means_on_the_command_line() {
        assert!(wants(&[], "/w/src/a.rs"));
        assert!(wants(&["*.rs"], "/w/src/a/b.rs"));
        assert!(!wants(&["*.rs"], "/w/src/a/b.ts"));
        assert!(wants(&["*.{ts,rs}"], "/w/src/a/b.ts"));
        assert!(wants(&["*.ts", "*.rs"], "/w/src/b.rs"));
        assert!(wants(&["src/**/*.rs"], "/w/src/a/b.rs"));
        assert!(wants(&["a/*.rs"], "/w/src/a/b.rs"));
        assert!(!wants(&["a/*.rs"], "/w/src/a/c/b.rs"));
        assert!(!wants(&["/b.rs"], "/w/src/a/b.rs"));
        assert!(!wants(&["!*.rs"], "/w/src/b.rs"));
        assert!(wants(&["!*.rs"], "/w/src/b.ts"));
        assert!(!wants(&["*.rs", "!a/**"], "/w/src/a/b.rs"));
        assert!(!wants(&["!a"], "/w/src/a/b.rs"));
        assert!(wants(&["a/"], "/w/src/a/b.rs"));
    }

    #[test]
    fn a_bad_filter_says_what_is_wrong() {
        let glob = Filter::new(&["a[".to_owned()], &[]).unwrap_err();
        assert_eq!(glob.code(), GrepRefusalCode::BadGlob);
        assert!(glob.to_string().contains("bad glob `a[`: "), "{glob}");
        let kind = Filter::new(&[], &["tsx".to_owned()]).unwrap_err();
        assert_eq!(kind.to_string(), "unknown file type `tsx`; did you mean `ts`, `typescript`?");
        let kind = Filter::new(&[], &["nonsense".to_owned()]).unwrap_err();
        assert!(kind.to_string().contains("use a glob"), "{kind}");
    }
}
