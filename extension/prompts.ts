// What the model is told: the texts in `prompts/`, read once when the extension loads.
//
// They are kept short, because every request pays for them; a test counts their tokens and runs their
// examples. The fields of the tools are described by the schemas, which the core gives.

import { readFileSync } from "node:fs";

const read = load("read");
const grep = load("grep");
const applyHash = load("apply_hash");
const rules = load("rules");

/** Descriptions of the tools, rules for the system prompt, and one line of each tool for pi's list. */
export const prompts = {
  read,
  grep,
  applyHash,
  rules,
  /** The rules one by one, for pi, which sets them as a list. */
  guidelines: rules.split("\n").map((rule) => rule.replace(/^- /, "")),
  snippets: { read: firstLine(read), grep: firstLine(grep), apply_hash: firstLine(applyHash) },
} as const;

function load(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trimEnd();
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
