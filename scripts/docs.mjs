// `npm run build:docs`: writes the parts of documents that are generated from data, so that they cannot go stale, and
// the documents that the program generates: man pages, completions and the skill for Claude Code.
//
// A part is between `<!-- PART -->` and `<!-- end -->`:
//
//   settings            the table of settings, from their schema
//   figure RUN.NAME     one figure of a benchmark, inside a sentence
//   table RUN.NAME      a table of a benchmark
//   measured RUN        when, where and by which command it was measured
//
// Benchmarks save their results in docs/figures.json (benches/shared/figures.mjs). A test fails if a document differs
// from what this script would write.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../benches/faults/table.mjs";
import { isMain, must, root, script } from "./run.mjs";

/** The documents with generated parts. */
export const DOCUMENTS = [
  "README.md",
  "docs/settings.md",
  "docs/benchmarks.md",
  "docs/peers.md",
  "docs/field.md",
];

/** The path of the results of benchmarks. */
export const FIGURES = join(root, "docs/figures.json");

const PART = /(<!-- (settings|(?:figure|table|measured) [\w.-]+) -->)[\s\S]*?(<!-- end -->)/g;

/** The text of the document with all its parts generated again. */
export function generated(path) {
  const figures = JSON.parse(readFileSync(FIGURES, "utf8"));
  return readFileSync(join(root, path), "utf8").replaceAll(PART, (_, start, what, end) => {
    const [kind, name = ""] = what.split(" ");
    return `${start}${KINDS[kind](figures, ...name.split("."))}${end}`;
  });
}

/** Generates the parts of every document again. */
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

/** Puts a text on lines of its own. */
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

/** The head of the skill: Claude Code reads it to decide whether to open the rest. */
const SKILL = `---
name: hashline
description: Read, search and edit files by line anchors with the program hashline. Use it for every change of a file.
---
`;

const SHELLS = { bash: "hashline.bash", zsh: "_hashline", fish: "hashline.fish", powershell: "hashline.ps1" };

/**
 * Writes the man pages and completions that the program generates from its options, and the skill of the plugin for
 * Claude Code, from the program's instructions.
 */
async function writeProgramDocuments() {
  const hashline = (...args) =>
    must("cargo", ["run", "--quiet", "-p", "hashline-cli", "--", ...args], { quiet: true });
  for (const directory of ["man", "completions"]) mkdirSync(join(root, directory), { recursive: true });
  await hashline("man", join(root, "man"));
  const instructions = readFileSync(join(root, "crates/cli/src/instructions.md"), "utf8");
  const skill = join(root, "plugins/claude/skills/hashline");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), SKILL + instructions);
  for (const [shell, name] of Object.entries(SHELLS)) {
    writeFileSync(join(root, "completions", name), await hashline("completions", shell));
  }
}

if (isMain(import.meta.url)) {
  await script(async () => {
    await writeProgramDocuments();
    writeDocuments();
  });
}
