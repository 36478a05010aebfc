//! Programs that print a file in another form.

use super::super::format;
use super::Rule::Does;
use super::{Row, options, rows};

/// Formatters.
pub(crate) const FORMATTERS: &[Row] = rows! {
    "gofmt goimports gofumpt" options("rw", "") => Does(format::gofmt);
    "prettier biome dprint sql-formatter js-beautify"
        options("", "parser config stdin-filepath plugin print-width tab-width")
            => Does(format::prettier);
    "clang-format shfmt yapf autopep8 uncrustify astyle indent"
        options("", "style assume-filename") => Does(format::clang_format);
    "black rustfmt stylua isort ruff zprint ormolu"
        options("lt", "line-length target-version edition config emit stdin-filename")
            => Does(format::in_place);
    "json_pp json_xs jsonlint" options("fto", "") => Does(format::clang_format);
};
