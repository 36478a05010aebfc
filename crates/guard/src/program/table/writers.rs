//! Programs that write text.

use super::super::{copy, dump, edit, run};
use super::Rule::{Does, Runs, Write, WriteIf};
use super::{Row, options, rows};

/// Programs that write text.
pub(crate) const WRITERS: &[Row] = rows! {
    "tee gtee" options("", "") => Does(copy::tee);
    "sponge" options("", "") => Write(0);
    "truncate gtruncate" options("sr", "size reference") => Write(0);
    "dd gdd dcfldd" options("", "") => Does(copy::dd);
    "split csplit gsplit gcsplit"
        options("abClntf", "suffix-length bytes line-bytes lines number filter prefix digits \
            additional-suffix separator") => Does(dump::split_file);
    "script" options("cTIOBEomt", "command log-out log-in log-io echo") => Runs(run::typescript);
    "logsave" options("", "") => Write(0);
    "sd" options("nf", "max-replacements flags") => Write(2);
    "rpl replace gsar" options("xtLa", "") => Write(2);
    "ambr sad fastmod srgn repren" options("dem", "extensions dir from") => Write(2);
    "ruplacer" options("t", "") => WriteIf("go", 2);
    "comby"
        options("", "matcher rewrite timeout jobs d directory extensions f")
            => WriteIf("i in-place", 2);
    "crudini" options("", "set del get merge") => WriteIf("set del merge", 0);
    "ed red ex vi vim nvim gvim rvim rgvim vimdiff nvimdiff elvis nvi"
        options("cSTuUwWit", "cmd startuptime listen prompt") => Does(edit::editor);
    "emacs emacsclient mg zile jmacs qemacs"
        options("lfu", "eval load funcall execute insert script user") => Does(edit::editor);
    "nano pico rnano micro joe jed mcedit kak hx helix ne jove sudoedit tilde vipe"
        options("rTYoQC", "syntax fill tabsize config-dir") => Does(edit::editor);
    "patch gpatch"
        options("piodBDFVYzrgx", "strip input output directory fuzz reject-file suffix")
            => Does(edit::patch);
};

/// Programs that copy files unchanged.
pub(crate) const COPIERS: &[Row] = rows! {
    "cp gcp mv gmv install ginstall ditto"
        options("tSmog", "target-directory suffix mode owner group backup") => Does(copy::copy);
    "rsync"
        options("efBTM", "exclude include rsh filter backup-dir files-from chmod temp-dir")
            => Does(copy::copy);
    "scp" options("cFiJloPSX", "") => Does(copy::copy);
    "ln gln link symlink" options("tS", "target-directory suffix") => Does(copy::link);
};
