//! Programs that write text.

use super::super::{copy, dump, edit, run};
use super::Rule::{Write, WriteIf};
use super::{Row, Rule, row};

/// Programs that write text.
pub(crate) const WRITERS: &[Row] = &[
    row("tee gtee", "", "", Rule::Does(copy::tee)),
    row("sponge", "", "", Write(0)),
    row("truncate gtruncate", "sr", "size reference", Write(0)),
    row("dd gdd dcfldd", "", "", Rule::Does(copy::dd)),
    row(
        "split csplit gsplit gcsplit",
        "abClntf",
        "suffix-length bytes line-bytes lines number filter prefix digits additional-suffix \
         separator",
        Rule::Does(dump::split_file),
    ),
    row("script", "cTIOBEomt", "command log-out log-in log-io echo", Rule::Runs(run::typescript)),
    row("logsave", "", "", Write(0)),
    row("sd", "nf", "max-replacements flags", Write(2)),
    row("rpl replace gsar", "xtLa", "", Write(2)),
    row("ambr sad fastmod srgn repren", "dem", "extensions dir from", Write(2)),
    row("ruplacer", "t", "", WriteIf("go", 2)),
    row(
        "comby",
        "",
        "matcher rewrite timeout jobs d directory extensions f",
        WriteIf("i in-place", 2),
    ),
    row("crudini", "", "set del get merge", WriteIf("set del merge", 0)),
    row(
        "ed red ex vi vim nvim gvim rvim rgvim vimdiff nvimdiff elvis nvi",
        "cSTuUwWit",
        "cmd startuptime listen prompt",
        Rule::Does(edit::editor),
    ),
    row(
        "emacs emacsclient mg zile jmacs qemacs",
        "lfu",
        "eval load funcall execute insert script user",
        Rule::Does(edit::editor),
    ),
    row(
        "nano pico rnano micro joe jed mcedit kak hx helix ne jove sudoedit tilde vipe",
        "rTYoQC",
        "syntax fill tabsize config-dir",
        Rule::Does(edit::editor),
    ),
    row(
        "patch gpatch",
        "piodBDFVYzrgx",
        "strip input output directory fuzz reject-file suffix",
        Rule::Does(edit::patch),
    ),
];

/// Programs that copy files as they are.
pub(crate) const COPIERS: &[Row] = &[
    row(
        "cp gcp mv gmv install ginstall ditto",
        "tSmog",
        "target-directory suffix mode owner group backup",
        Rule::Does(copy::copy),
    ),
    row(
        "rsync",
        "efBTM",
        "exclude include rsh filter backup-dir files-from chmod temp-dir",
        Rule::Does(copy::copy),
    ),
    row("scp", "cFiJloPSX", "", Rule::Does(copy::copy)),
    row("ln gln link symlink", "tS", "target-directory suffix", Rule::Does(copy::link)),
];
