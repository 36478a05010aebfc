//! Programs that print or search text.

use super::super::{awk, dump, git, grep, query, sed};
use super::Rule::{Does, Filter, Read, ReadAfter, ReadOption, ReadUnless, Runs};
use super::{Row, long, options, rows};

/// Programs that print text.
pub(crate) const READERS: &[Row] = rows! {
    "cat gcat ccat lolcat vimcat rev zmore most mdcat mdless jless gron hexyl msgcat msgconv \
     msguniq msgattrib soelim tbl eqn pic ul tsort fx csvlook rich frogmouth xmore wall view \
     rview" options("", "") => Read;
    "tac" options("s", "separator") => Read;
    "nl"
        options("bdfhilnsvw", "body-numbering section-delimiter number-format number-width \
            number-separator header-numbering footer-numbering line-increment join-blank-lines \
            starting-line-number") => Read;
    "head ghead" options("nc", "lines bytes") => Read;
    "tail gtail"
        options("ncs", "lines bytes pid sleep-interval max-unchanged-tries") => Does(dump::tail);
    "less zless slit ov moar moor pg"
        options("pPbhjkoOtTxyz", "pattern prompt lesskey-file tabs jump-target tag log-file")
            => Read;
    "more" options("n", "lines") => Read;
    "glow" options("sw", "style width config") => Read;
    "bat batcat"
        options("lrHm", "language line-range highlight-line map-syntax theme style color paging \
            pager wrap tabs file-name decorations terminal-width italic-text") => Read;
    "fold" options("w", "width") => Read;
    "fmt par" options("wgp", "width goal prefix") => Read;
    // The other options of `pr` take a value only in the same word.
    "pr"
        options("DhlNoWw", "date-format header length first-line-number indent width page-width")
            => Read;
    "expand unexpand" options("t", "tabs") => Read;
    "column"
        options("csoNRlHWTOECnrip", "separator output-separator output-width table-columns \
            table-right table-columns-limit table-hide table-wrap table-truncate table-order")
            => Read;
    "shuf" options("nio", "head-count input-range output random-source") => Does(dump::sort);
    "iconv" options("fto", "from-code to-code output") => Does(dump::sort);
    "pygmentize chroma"
        options("lfOPoSFNas", "lexer formatter style html-styles") => Does(dump::sort);
    "highlight source-highlight"
        options("OoSsftT", "out-format output syntax style src-lang title") => Does(dump::sort);
    // `-ps` is one option, not two.
    "xxd" long("c g l o s n R cols groupsize len seek name") => Does(dump::filter_to);
    "od" options("AjNtS", "address-radix skip-bytes read-bytes format") => Read;
    "hd hexdump" options("enfs", "format format-file length skip") => Read;
    "strings" options("netTUs", "bytes radix encoding target unicode output-separator") => Read;
    "base64 base32 gbase64" options("wb", "wrap break output") => Read;
    "basenc" options("w", "wrap") => Read;
    "uuencode" options("", "") => Read;
    "cut" options("dfcb", "delimiter fields characters bytes output-delimiter") => Read;
    "sort gsort"
        options("kStTo", "key field-separator buffer-size temporary-directory output parallel \
            batch-size compress-program files0-from random-source sort") => Does(dump::sort);
    "uniq" options("fsw", "skip-fields skip-chars check-chars") => Does(dump::uniq);
    "paste" options("d", "delimiters") => Read;
    "join" options("aejotv12", "nocheck-order") => Read;
    "comm" options("", "output-delimiter") => Read;
    "look" options("t", "terminate") => ReadAfter(1);
    "ptx" options("AFMSWbigorw", "") => Does(dump::filter_to);
    "m4" options("DIULFB", "define include") => Read;
    "nroff troff groff" options("TmFMrdwWI", "") => Read;
    "pandoc"
        options("ftor", "from to output template metadata variable filter read write")
            => Does(dump::sort);
    "csvcut csvformat" options("cCdquep", "columns") => Read;
    "csvgrep" options("cmrdf", "columns match regex") => Read;
    "pv" options("LsNiB", "rate-limit size name interval") => Read;
    "lynx w3m links elinks links2" options("T", "") => Read;
    "tr col colcrt colrm" options("", "") => Filter;
};

/// Programs that print text only in some of their uses.
pub(crate) const TOOLS: &[Row] = rows! {
    // PowerShell's words for filters, which print only what they are given.
    "Where-Object Select-Object Out-String -replace" options("", "") => Filter;
    "date" options("dfr", "date file reference") => ReadOption("f file");
    "file" options("fmFP", "files-from magic-file") => ReadOption("f files-from");
    "ss" options("fFDA", "filter") => ReadOption("F filter");
    "ip bridge" long("b batch") => ReadOption("b batch");
    "wc du" options("", "files0-from") => ReadOption("files0-from");
    "dialog whiptail" options("", "textbox tailbox") => ReadOption("textbox tailbox");
    "man" options("PMSLl", "pager local-file") => ReadOption("l local-file");
    "zcat bzcat xzcat zstdcat lz4cat lzcat gzcat unlzma bzmore xzmore"
        options("", "") => Does(dump::compressed);
    "bzless xzless zstdless lzless" options("", "") => Does(dump::compressed);
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 unlz4 lzma pigz unpigz pbzip2 compress \
     uncompress lzop" options("STo", "suffix threads output") => Does(dump::compressor);
    "brotli" options("qwoS", "quality lgwin output suffix") => Does(dump::compressor);
    "xmllint xmlstarlet xml tidy" options("", "xpath schema output") => Does(dump::xml);
    "diff colordiff sdiff diff3 wdiff icdiff difft delta dwdiff"
        options("UCWDFILxXSo", "unified context width ifdef label exclude from-file to-file \
            line-format old-line-format new-line-format unchanged-line-format color \
            ignore-matching-lines tabsize") => Does(dump::diff);
    "curl wget aria2c lwp-request GET" options("oOXHdFuAebKTUcmw", "") => Does(dump::curl);
    "openssl" long("in out k K iv pass kfile md A") => Does(dump::openssl);
};

/// Programs that search text.
pub(crate) const SEARCHERS: &[Row] = rows! {
    "grep egrep fgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep pcregrep pcre2grep agrep \
     sgrep ugrep ug"
        grep::GREP => Does(grep::grep);
    "rg ripgrep rga ag ack ack-grep pt sift ucg" grep::RIPGREP => Does(grep::grep);
    "ast-grep sg" options("pprlcC", "pattern rewrite lang rule config") => Does(query::ast_grep);
};

/// Programs that print a file in another form.
pub(crate) const FORMATTERS: &[Row] = rows! {
    "gofmt goimports gofumpt" options("r", "") => ReadUnless("w l d");
    "prettier sql-formatter js-beautify"
        options("", "parser config stdin-filepath plugin print-width tab-width")
            => ReadUnless("write check list-different w c l find-config-path support-info");
    "clang-format shfmt yapf autopep8 uncrustify astyle indent"
        options("", "style assume-filename")
            => ReadUnless("i in-place n dry-run w write l list d diff");
    "json_pp json_xs jsonlint"
        options("fto", "") => ReadUnless("i in-place n dry-run w write l list d diff");
    "black rustfmt stylua isort ruff zprint ormolu"
        options("lt", "line-length target-version edition config emit stdin-filename")
            => Does(dump::in_place);
};

/// Stream editors, query languages and version control.
pub(crate) const LANGUAGES: &[Row] = rows! {
    "sed gsed ssed" sed::SPEC => Does(sed::sed);
    "awk gawk mawk nawk original-awk goawk frawk" awk::SPEC => Runs(awk::awk);
    "jq gojq jaq"
        options("fL", "from-file indent arg argjson slurpfile rawfile argfile") => Does(query::jq);
    "dasel" options("frwpso", "file read write parser selector") => Does(query::yq);
    "yq xq tomlq"
        options("poIL", "input-format output-format indent from-file arg argjson slurpfile rawfile")
            => Does(query::yq);
    "git" options("", "") => Does(git::git);
};
