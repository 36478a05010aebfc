// Saves what a benchmark measured in docs/figures.json, and updates the documents that quote it.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, type } from "node:os";
import { FIGURES, writeDocuments } from "../../scripts/docs.mjs";
import { root } from "../../scripts/run.mjs";

/**
 * Saves the results of one run in place of the last run with its name.
 *
 * @param {string} run the benchmark
 * @param {object} result
 * @param {string} result.command the command that was run
 * @param {Record<string, string | number>} [result.values] single figures, as they are printed
 * @param {Record<string, { head: string[], rows: (string | number)[][] }>} [result.tables]
 */
export function record(run, { command, values = {}, tables = {} }) {
  const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
  figures[run] = { command, date: today(), commit: commit(), machine: machine(), values, tables };
  const sorted = Object.fromEntries(Object.entries(figures).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(FIGURES, `${JSON.stringify(sorted, undefined, 2)}\n`);
  writeDocuments();
}

function today() {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format();
}

/** The commit that was measured, with a `+` if there were uncommitted changes. */
function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  return git("rev-parse", "--short=7", "HEAD") + (git("status", "--porcelain", "-uno") === "" ? "" : "+");
}

function machine() {
  return `${cpus().length} x ${cpus()[0].model}, ${type()}, Node ${process.versions.node}`;
}
