//! Stream editors, query languages and version control.

use super::super::{awk, git, query, sed};
use super::Rule::{Does, Runs};
use super::{Row, options, rows};

/// Stream editors and query languages.
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
