//! Programs that print or search text.

use super::super::{dump, grep, query};
use super::Rule::{Filter, Read, ReadAfter, ReadOption};
use super::{Row, Rule, Spec, row};

/// Programs that print text.
pub(crate) const READERS: &[Row] = &[
    row(
        "cat gcat ccat lolcat vimcat rev zmore most mdcat mdless jless gron hexyl msgcat \
         msgconv msguniq msgattrib soelim tbl eqn pic ul tsort fx csvlook rich frogmouth \
         xmore wall view rview",
        "",
        "",
        Read,
    ),
    row("tac", "s", "separator", Read),
    row(
        "nl",
        "bdfhilnsvw",
        "body-numbering section-delimiter number-format number-width number-separator \
         header-numbering footer-numbering line-increment join-blank-lines \
         starting-line-number",
        Read,
    ),
    row("head ghead", "nc", "lines bytes", Read),
    row(
        "tail gtail",
        "ncs",
        "lines bytes pid sleep-interval max-unchanged-tries",
        Rule::Does(dump::tail),
    ),
    row(
        "less zless slit ov moar moor pg",
        "pPbhjkoOtTxyz",
        "pattern prompt lesskey-file tabs jump-target tag log-file",
        Read,
    ),
    row("more", "n", "lines", Read),
    row("glow", "sw", "style width config", Read),
    row(
        "bat batcat",
        "lrHm",
        "language line-range highlight-line map-syntax theme style color paging pager wrap \
         tabs file-name decorations terminal-width italic-text",
        Read,
    ),
    row("fold", "w", "width", Read),
    row("fmt par", "wgp", "width goal prefix", Read),
    // The others of its options take only a value in the same word.
    row(
        "pr",
        "DhlNoWw",
        "date-format header length first-line-number indent width page-width",
        Read,
    ),
    row("expand unexpand", "t", "tabs", Read),
    row(
        "column",
        "csoNRlHWTOECnrip",
        "separator output-separator output-width table-columns table-right table-columns-limit \
         table-hide table-wrap table-truncate table-order",
        Read,
    ),
    row("shuf", "nio", "head-count input-range output random-source", Rule::Does(dump::sort)),
    row("iconv", "fto", "from-code to-code output", Rule::Does(dump::sort)),
    row(
        "pygmentize chroma",
        "lfOPoSFNas",
        "lexer formatter style html-styles",
        Rule::Does(dump::sort),
    ),
    row(
        "highlight source-highlight",
        "OoSsftT",
        "out-format output syntax style src-lang title",
        Rule::Does(dump::sort),
    ),
    // `-ps` is one option, not two.
    Row {
        names: "xxd",
        spec: Spec::long_only("c g l o s n R cols groupsize len seek name"),
        rule: Rule::Does(dump::filter_to),
    },
    row("od", "AjNtS", "address-radix skip-bytes read-bytes format", Read),
    row("hd hexdump", "enfs", "format format-file length skip", Read),
    row("strings", "netTUs", "bytes radix encoding target unicode output-separator", Read),
    row("base64 base32 gbase64", "wb", "wrap break output", Read),
    row("basenc", "w", "wrap", Read),
    row("uuencode", "", "", Read),
    row("cut", "dfcb", "delimiter fields characters bytes output-delimiter", Read),
    row(
        "sort gsort",
        "kStTo",
        "key field-separator buffer-size temporary-directory output parallel batch-size \
         compress-program files0-from random-source sort",
        Rule::Does(dump::sort),
    ),
    row("uniq", "fsw", "skip-fields skip-chars check-chars", Rule::Does(dump::uniq)),
    row("paste", "d", "delimiters", Read),
    row("join", "aejotv12", "nocheck-order", Read),
    row("comm", "", "output-delimiter", Read),
    row("look", "t", "terminate", ReadAfter(1)),
    row("ptx", "AFMSWbigorw", "", Rule::Does(dump::filter_to)),
    row("m4", "DIULFB", "define include", Read),
    row("nroff troff groff", "TmFMrdwWI", "", Read),
    row(
        "pandoc",
        "ftor",
        "from to output template metadata variable filter read write",
        Rule::Does(dump::sort),
    ),
    row("csvcut csvformat", "cCdquep", "columns", Read),
    row("csvgrep", "cmrdf", "columns match regex", Read),
    row("pv", "LsNiB", "rate-limit size name interval", Read),
    row("lynx w3m links elinks links2", "T", "", Read),
    row("tr col colcrt colrm", "", "", Filter),
];

/// Programs that print text only in some of their uses.
pub(crate) const TOOLS: &[Row] = &[
    row("date", "dfr", "date file reference", ReadOption("f file")),
    row("file", "fmFP", "files-from magic-file", ReadOption("f files-from")),
    row("ss", "fFDA", "filter", ReadOption("F filter")),
    Row { names: "ip bridge", spec: Spec::long_only("b batch"), rule: ReadOption("b batch") },
    row("wc du", "", "files0-from", ReadOption("files0-from")),
    row("dialog whiptail", "", "textbox tailbox", ReadOption("textbox tailbox")),
    row("man", "PMSLl", "pager local-file", ReadOption("l local-file")),
    row(
        "zcat bzcat xzcat zstdcat lz4cat lzcat gzcat unlzma bzmore xzmore",
        "",
        "",
        Rule::Does(dump::compressed),
    ),
    row("bzless xzless zstdless lzless", "", "", Rule::Does(dump::compressed)),
    row(
        "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 unlz4 lzma pigz unpigz pbzip2 \
         compress uncompress lzop",
        "STo",
        "suffix threads output",
        Rule::Does(dump::compressor),
    ),
    row("brotli", "qwoS", "quality lgwin output suffix", Rule::Does(dump::compressor)),
    row("xmllint xmlstarlet xml tidy", "", "xpath schema output", Rule::Does(dump::xml)),
    row(
        "diff colordiff sdiff diff3 wdiff icdiff difft delta dwdiff",
        "UCWDFILxXSo",
        "unified context width ifdef label exclude from-file to-file line-format \
         old-line-format new-line-format unchanged-line-format color ignore-matching-lines \
         tabsize",
        Rule::Does(dump::diff),
    ),
    row("curl wget aria2c lwp-request GET", "oOXHdFuAebKTUcmw", "", Rule::Does(dump::curl)),
    Row {
        names: "openssl",
        spec: Spec::long_only("in out k K iv pass kfile md A"),
        rule: Rule::Does(dump::openssl),
    },
];

/// Programs that search text.
pub(crate) const SEARCHERS: &[Row] = &[
    Row {
        names: "grep egrep fgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep pcregrep \
             pcre2grep agrep sgrep ugrep ug",
        spec: grep::GREP,
        rule: Rule::Does(grep::grep),
    },
    Row {
        names: "rg ripgrep rga ag ack ack-grep pt sift ucg",
        spec: grep::RIPGREP,
        rule: Rule::Does(grep::grep),
    },
    row("ast-grep sg", "pprlcC", "pattern rewrite lang rule config", Rule::Does(query::ast_grep)),
];
