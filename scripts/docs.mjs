// `npm run build:docs`: writes the parts of documents that data decides, so that they cannot go stale.
//
// A part stands between `<!-- PART -->` and `<!-- end -->`:
//
//   settings            the table of settings, from their schema
//   figure RUN.NAME     one figure of a benchmark, inside a sentence
//   table RUN.NAME      a table of a benchmark
//   measured RUN        when, where and by which command it was measured
//
// Benchmarks keep their results in docs/figures.json (figures.mjs). A test fails when a document is not what
// this writes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../benches/faults/table.mjs";
import { isMain, root } from "./run.mjs";

/** The documents with generated parts. */
export const DOCUMENTS = [
  "README.md",
  "docs/settings.md",
  "docs/benchmarks.md",
  "docs/peers.md",
  "docs/field.md",
];

/** Where the results of benchmarks are kept. */
export const FIGURES = join(root, "docs/figures.json");

const PART = /(<!-- (settings|(?:figure|table|measured) [\w.-]+) -->)[\s\S]*?(<!-- end -->)/g;

/** A document as it must be. */
export function generated(path) {
  const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
  return readFileSync(join(root, path), "utf8").replaceAll(PART, (_, start, what, end) => {
    const [kind, name = ""] = what.split(" ");
    return `${start}${KINDS[kind](figures, ...name.split("."))}${end}`;
  });
}

/** Writes every document anew. */
export function writeDocuments() {
  for (const path of DOCUMENTS) writeFileSync(join(root, path), generated(path));
}

const KINDS = {
  settings: () => block(settings()),
  figure: (figures, run, name) => String(lookUp(figures, run).values[name] ?? missing(run, name)),
  table(figures, run, name) {
    const { head, rows } = lookUp(figures, run).tables[name] ?? missing(run, name);
    return block(table(head, rows));
  },
  measured(figures, run) {
    const { date, commit, machine, command } = lookUp(figures, run);
    return block(`\`${command}\`, ${date}, commit ${commit}, ${machine}.`);
  },
};

/** Text that begins a line of its own. */
const block = (text) => `\n${text}\n`;

const lookUp = (figures, run) => figures[run] ?? missing(run);

function missing(...names) {
  throw new Error(`docs/figures.json has no ${names.join(".")}`);
}

/** A row for every setting, and for each key below it. */
function settings() {
  const { properties } = JSON.parse(readFileSync(join(root, "extension/settings.schema.json"), "utf8"));
  const keys = Object.entries(properties).filter(([key]) => key !== "$schema");
  const rows = keys.flatMap(([key, schema]) => [
    settingRow(key, schema),
    ...Object.entries(keysBelow(schema)).map(([inner, its]) => settingRow(`${key}.${inner}`, its)),
  ]);
  return ["| key | default | meaning |", "|---|---|---|", ...rows].join("\n");
}

function settingRow(key, { default: value, description, enum: values = [] }) {
  const isExplained = values.every((each) => description.includes(`\`${each}\``));
  const choice = isExplained ? "" : ` One of ${values.map((each) => `\`${each}\``).join(", ")}.`;
  const standard = value === undefined ? "" : `\`${JSON.stringify(value)}\``;
  return `| \`${key}\` | ${standard} | ${description}${choice} |`;
}

/** The described keys of a setting that may be an object. */
function keysBelow({ anyOf = [] }) {
  const properties = anyOf.find(({ type }) => type === "object")?.properties ?? {};
  return Object.fromEntries(Object.entries(properties).filter(([, { description }]) => description));
}

if (isMain(import.meta.url)) writeDocuments();
