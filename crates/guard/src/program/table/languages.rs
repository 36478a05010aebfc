//! Stream editors, query languages and version control.

use super::super::{awk, git, query, sed};
use super::{Row, Rule, row};

/// Stream editors and query languages.
pub(crate) const LANGUAGES: &[Row] = &[
    Row { names: "sed gsed ssed", spec: sed::SPEC, rule: Rule::Does(sed::sed) },
    Row {
        names: "awk gawk mawk nawk original-awk goawk frawk",
        spec: awk::SPEC,
        rule: Rule::Runs(awk::awk),
    },
    row(
        "jq gojq jaq",
        "fL",
        "from-file indent arg argjson slurpfile rawfile argfile",
        Rule::Does(query::jq),
    ),
    row("dasel", "frwpso", "file read write parser selector", Rule::Does(query::yq)),
    row(
        "yq xq tomlq",
        "poIL",
        "input-format output-format indent from-file arg argjson slurpfile rawfile",
        Rule::Does(query::yq),
    ),
    row("git", "", "", Rule::Does(git::git)),
];
