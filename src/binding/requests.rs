//! How requests and options are declared in TypeScript.
//!
//! They cross as JSON and are read by `wire`, which is more lenient than these types.

use napi_derive::napi;

use crate::grep::Progress;

/// How a session is set up.
#[napi(object, object_to_js = false)]
#[expect(dead_code, reason = "only its TypeScript declaration is used")]
pub struct SessionOptions {
    /// The directory it works in.
    pub root: String,
    /// How lines are tagged; `hex2` unless told otherwise.
    #[napi(ts_type = "'hex2' | 'base26' | 'context' | 'omp' | 'cid' | 'fnv1a'")]
    pub scheme: Option<String>,
    /// What may be done with an anchor whose line has moved; `prd` unless told otherwise.
    #[napi(ts_type = "'prd' | 'verified' | 'off'")]
    pub relocation: Option<String>,
    /// Which repairs are made to a patch.
    #[napi(ts_type = "Record<string, boolean>")]
    pub repairs: Option<String>,
    /// Whether writes are synced to disk; `full` unless told otherwise.
    #[napi(ts_type = "'full' | 'fast'")]
    pub durability: Option<String>,
    /// Where to keep what was shown, for other processes and later sessions.
    pub state_dir: Option<String>,
    /// How much is remembered, in bytes; 64 MiB unless told otherwise.
    pub memory_bytes: Option<u32>,
    /// The most lines of one result; 2,000 unless told otherwise.
    pub max_lines: Option<u32>,
    /// The most bytes of one result; 50 KB unless told otherwise.
    pub max_bytes: Option<u32>,
    /// Whether files outside the root may be written.
    pub allow_outside: Option<bool>,
    /// What the guard does with a shell command that goes round the tools.
    #[napi(ts_type = "'block' | 'nudge' | 'off'")]
    pub guard: Option<String>,
}

/// What is wanted of one path.
#[napi(object, object_to_js = false)]
#[expect(dead_code, reason = "only its TypeScript declaration is used")]
pub struct ReadPath {
    /// The path; lines may stand behind it, as in `src/cart.rs:10-20`.
    pub path: String,
    /// The first line, counted from 1; if negative, counted from the end.
    pub offset: Option<i32>,
    /// The most lines, or with `search` the most matches.
    pub limit: Option<u32>,
    /// Show only the lines with this text, and those around them.
    pub search: Option<String>,
    /// `search` is a regular expression.
    pub regex: Option<bool>,
    /// Whether case matters; it does unless told otherwise.
    pub case_sensitive: Option<bool>,
    /// Lines to show before each match.
    pub context_before: Option<u32>,
    /// Lines to show after each match.
    pub context_after: Option<u32>,
}

/// Which files to show, and what of them.
#[napi(object, object_to_js = false)]
#[expect(dead_code, reason = "only its TypeScript declaration is used")]
pub struct ReadRequest {
    /// One path.
    pub path: Option<String>,
    /// Several paths.
    #[napi(ts_type = "Array<string | ReadPath>")]
    pub paths: Option<String>,
    /// The first line, counted from 1; if negative, counted from the end.
    pub offset: Option<i32>,
    /// The most lines, or with `search` the most matches.
    pub limit: Option<u32>,
    /// Show only the lines with this text, and those around them.
    pub search: Option<String>,
    /// `search` is a regular expression.
    pub regex: Option<bool>,
    /// Whether case matters; it does unless told otherwise.
    pub case_sensitive: Option<bool>,
    /// Lines to show before each match.
    pub context_before: Option<u32>,
    /// Lines to show after each match.
    pub context_after: Option<u32>,
}

/// What to search for, and where.
#[napi(object, object_to_js = false)]
#[expect(dead_code, reason = "only its TypeScript declaration is used")]
pub struct GrepRequest {
    /// A regular expression, unless `literal` is set.
    pub pattern: String,
    /// A file or directory; the root unless told otherwise.
    #[napi(ts_type = "string | Array<string>")]
    pub path: Option<String>,
    /// Several files or directories.
    #[napi(ts_type = "Array<string>")]
    pub paths: Option<String>,
    /// Which files, as in `*.ts` or `!dist/**`.
    #[napi(ts_type = "string | Array<string>")]
    pub glob: Option<String>,
    /// Which files, by ripgrep's names for file types.
    #[napi(js_name = "type", ts_type = "string | Array<string>")]
    pub kind: Option<String>,
    /// Every character of the pattern means itself.
    pub literal: Option<bool>,
    /// Whether case matters; it does unless told otherwise.
    pub case_sensitive: Option<bool>,
    /// A match may go over the end of a line.
    pub multiline: Option<bool>,
    /// Lines to show before each match.
    pub context_before: Option<u32>,
    /// Lines to show after each match.
    pub context_after: Option<u32>,
    /// The most matching lines shown, evenly over the files; 100 unless told otherwise.
    pub limit: Option<u32>,
    /// Show only the names of the files.
    pub files_only: Option<bool>,
    /// Show only how many lines match in each file.
    pub count: Option<bool>,
    /// Search hidden files too.
    pub hidden: Option<bool>,
    /// Search what `.gitignore` leaves out too.
    pub no_ignore: Option<bool>,
}

/// How far a search is.
#[napi(object, object_from_js = false)]
pub struct GrepProgress {
    /// How many files were searched.
    pub searched: u32,
    /// How many lines match.
    pub matches: u32,
}

impl From<Progress> for GrepProgress {
    fn from(progress: Progress) -> Self {
        let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            searched: number(progress.searched),
            matches: number(progress.matches),
        }
    }
}
