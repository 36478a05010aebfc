//! Formatters: they print a file in another form, unless they write it back or only check it.

use super::{Call, reads_operands};
use crate::known::Known;
use crate::outcome::Outcome;

/// `gofmt`: `-w` writes, `-l` lists, `-d` compares.
pub(super) fn gofmt(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    // The letters take no value there, whatever the row says about `-r`.
    if !call.words.iter().any(|word| matches!(word.as_str(), "-w" | "-l" | "-d" | "-s=-w")) {
        reads_operands(call, 0, out);
    }
}

/// `prettier` and formatters that print unless a long option says otherwise.
pub(super) fn prettier(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let others = "write check list-different w c l find-config-path";
    let subcommand = matches!(call.name, "biome" | "dprint");
    if call.parsed.has(others) || call.parsed.has("support-info") || subcommand {
        return;
    }
    reads_operands(call, 0, out);
}

/// `clang-format` and its relatives: `-i` writes, `-n`, `-d` and `-l` report.
pub(super) fn clang_format(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let others = "i in-place n dry-run w write l list d diff";
    if !call.parsed.has(others) {
        reads_operands(call, 0, out);
    }
}

/// `black` and its relatives format in place; standard input they print.
pub(super) fn in_place(call: &Call<'_>, _known: &Known<'_>, out: &mut Outcome) {
    let quiet = call.parsed.has("check diff c code");
    let to_stdout = call.parsed.values("emit").any(|to| to == "stdout");
    let from_input = call.parsed.operands.iter().any(|operand| operand == "-")
        || (call.parsed.operands.is_empty() && call.name == "rustfmt");
    if to_stdout {
        reads_operands(call, 0, out);
    } else if from_input && !quiet {
        out.read_input();
    }
}
