//! Stream editors, query languages and version control.

use super::{Row, Rule, Special, row, wrap};

/// Stream editors and query languages.
pub const LANGUAGES: &[Row] = &[
    row(
        &["sed", "gsed", "ssed"],
        "efl",
        &["expression", "file", "line-length"],
        Rule::Special(Special::Sed),
    ),
    wrap(
        &["awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk"],
        "Ffvile",
        &["field-separator", "file", "assign", "include", "source", "load"],
        Rule::Special(Special::Awk),
    ),
    row(
        &["jq", "gojq", "jaq"],
        "fL",
        &["from-file", "indent", "arg", "argjson", "slurpfile", "rawfile", "argfile"],
        Rule::Special(Special::Jq),
    ),
    row(
        &["dasel"],
        "frwpso",
        &["file", "read", "write", "parser", "selector"],
        Rule::Special(Special::Yq),
    ),
    row(
        &["yq", "xq", "tomlq"],
        "poIL",
        &[
            "input-format",
            "output-format",
            "indent",
            "from-file",
            "arg",
            "argjson",
            "slurpfile",
            "rawfile",
        ],
        Rule::Special(Special::Yq),
    ),
    row(&["git"], "", &[], Rule::Special(Special::Git)),
    row(&["sqlite3", "sqlite", "duckdb"], "", &[], Rule::Special(Special::Sqlite)),
    row(
        &["psql", "mysql", "mariadb"],
        "cedhUpPDf",
        &["command", "execute"],
        Rule::Special(Special::SqlClient),
    ),
    row(
        &["make", "gmake"],
        "fCjIlnoW",
        &["file", "makefile", "directory", "jobs", "eval"],
        Rule::Special(Special::Make),
    ),
];
