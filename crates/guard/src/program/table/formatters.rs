//! Programs that print a file in another form.

use super::super::format;
use super::{Row, Rule, row};

/// Formatters.
pub(crate) const FORMATTERS: &[Row] = &[
    row("gofmt goimports gofumpt", "rw", "", Rule::Does(format::gofmt)),
    row(
        "prettier biome dprint sql-formatter js-beautify",
        "",
        "parser config stdin-filepath plugin print-width tab-width",
        Rule::Does(format::prettier),
    ),
    row(
        "clang-format shfmt yapf autopep8 uncrustify astyle indent",
        "",
        "style assume-filename",
        Rule::Does(format::clang_format),
    ),
    row(
        "black rustfmt stylua isort ruff zprint ormolu",
        "lt",
        "line-length target-version edition config emit stdin-filename",
        Rule::Does(format::in_place),
    ),
    row("json_pp json_xs jsonlint", "fto", "", Rule::Does(format::clang_format)),
];
