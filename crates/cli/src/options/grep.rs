//! The options of `hashline grep`, from ripgrep and grep. Of two that contradict each other the
//! last one counts.

use clap::{ArgAction, Args, ValueEnum};

/// Options of `grep`.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct GrepArgs {
    /// Search for this pattern, too; what follows are paths
    #[arg(short = 'e', long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub regexp: Vec<String>,
    /// Ignore case
    #[arg(short = 'i', long, overrides_with_all = ["case_sensitive", "smart_case"])]
    pub ignore_case: bool,
    /// Case matters, as it does by default
    #[arg(short = 's', long, overrides_with_all = ["ignore_case", "smart_case"])]
    pub case_sensitive: bool,
    /// Ignore case unless the pattern has a capital letter
    #[arg(short = 'S', long, overrides_with_all = ["ignore_case", "case_sensitive"])]
    pub smart_case: bool,
    /// The pattern is plain text
    #[arg(short = 'F', long, overrides_with = "extended_regexp")]
    pub fixed_strings: bool,
    /// The pattern is a regular expression, as it is by default
    #[arg(short = 'E', long, overrides_with = "fixed_strings")]
    pub extended_regexp: bool,
    /// Refused: there are no look-around and no back-references
    #[arg(short = 'P', long)]
    pub perl_regexp: bool,
    /// Match whole words only
    #[arg(short = 'w', long, overrides_with = "line_regexp")]
    pub word_regexp: bool,
    /// Match whole lines only
    #[arg(short = 'x', long, overrides_with = "word_regexp")]
    pub line_regexp: bool,
    /// Print the lines that do not match
    #[arg(short = 'v', long)]
    pub invert_match: bool,
    /// A match may span several lines
    #[arg(short = 'U', long)]
    pub multiline: bool,
    /// Print whole lines all the same: an anchor belongs to a line
    #[arg(short = 'o', long)]
    pub only_matching: bool,
    /// Lines to print after each match
    #[arg(short = 'A', long, value_name = "N")]
    pub after_context: Option<u32>,
    /// Lines to print before each match
    #[arg(short = 'B', long, value_name = "N")]
    pub before_context: Option<u32>,
    /// Lines to print on both sides of each match
    #[arg(short = 'C', long, value_name = "N")]
    pub context: Option<u32>,
    /// Search only files that fit this pattern of names; `!` in front leaves them out
    #[arg(short = 'g', long, visible_alias = "include", value_name = "GLOB")]
    pub glob: Vec<String>,
    /// Leave out files that fit this pattern of names
    #[arg(long, visible_alias = "exclude-dir", value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Search only files of this type, such as rust or js
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub types: Vec<String>,
    /// Print only the names of the files that match
    #[arg(short = 'l', long, overrides_with_all = ["count", "files_without_match"])]
    pub files_with_matches: bool,
    /// Print only the names of the files that do not match
    #[arg(short = 'L', long, overrides_with_all = ["count", "files_with_matches"])]
    pub files_without_match: bool,
    /// Print only how many lines match in each file
    #[arg(short = 'c', long, overrides_with_all = ["files_with_matches", "files_without_match"])]
    pub count: bool,
    /// Print only the names of the files that would be searched; there is no pattern then
    #[arg(long, conflicts_with = "regexp")]
    pub files: bool,
    /// Print nothing: the exit code says whether anything was found
    #[arg(short = 'q', long)]
    pub quiet: bool,
    /// Search files that .gitignore names, too; twice, hidden files as well
    #[arg(short = 'u', long, action = ArgAction::Count)]
    pub unrestricted: u8,
    /// Search hidden files too
    #[arg(long, overrides_with = "no_hidden")]
    pub hidden: bool,
    /// Leave hidden files out, as by default
    #[arg(long, hide = true)]
    pub no_hidden: bool,
    /// Search files that .gitignore names too
    #[arg(long, overrides_with = "ignore")]
    pub no_ignore: bool,
    /// Leave out what .gitignore names, as by default
    #[arg(long, hide = true)]
    pub ignore: bool,
    /// The most matching lines of each file
    #[arg(short = 'm', long, value_name = "N")]
    pub max_count: Option<u32>,
    /// The most matching lines to print; all by default
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// Files come in the order of their paths, whatever is asked for
    #[arg(long, value_name = "BY")]
    pub sort: Option<SortBy>,
    /// Accepted: lines have their numbers, files their names, and directories are searched through
    #[arg(short = 'n', long, short_aliases = ['N', 'H', 'r', 'R', 'I'],
        aliases = ["with-filename", "recursive", "dereference-recursive", "no-heading", "heading", "no-line-number"])]
    pub line_number: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
    /// What to search for
    #[arg(required_unless_present_any = ["regexp", "files"])]
    pub pattern: Option<String>,
    /// Where to search; the workspace's directory by default
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
}

/// Orders of files.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortBy {
    /// No order: paths are sorted all the same
    None,
    /// The order of paths
    Path,
}

impl GrepArgs {
    /// The patterns, in the order of the options.
    pub(crate) fn patterns(&self) -> Vec<&str> {
        match &self.pattern {
            Some(pattern) if self.regexp.is_empty() && !self.files => vec![pattern],
            _ => self.regexp.iter().map(String::as_str).collect(),
        }
    }

    /// The paths; the first argument is one too, if no pattern is expected there.
    pub(crate) fn places(&self) -> Vec<String> {
        let first = self.pattern.iter().filter(|_| self.files || !self.regexp.is_empty());
        first.chain(&self.paths).cloned().collect()
    }
}
