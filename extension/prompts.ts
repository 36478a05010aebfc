// The texts that the model gets: those in `prompts/`, read once when the extension loads.
//
// They are short, because every request pays for them; a test counts their tokens and runs their examples. The core's
// schemas describe the fields of the tools. The files show anchors of the default scheme; `inScheme` rewrites them for
// another scheme.

import { readFileSync } from "node:fs";
import type { JsonSchema, Scheme } from "../index.js";
import type { Core } from "./core.ts";

export interface Prompts {
  /** Descriptions of the tools. */
  read: string;
  grep: string;
  applyHash: string;
  /** Rules for the system prompt. */
  rules: string;
  /** The same rules one by one, for pi, which prints them as a list. */
  guidelines: string[];
  /** One line about each tool, for pi's list of tools. */
  snippets: { read: string; grep: string; apply_hash: string };
}

/** The prompts with anchors of `scheme`, and a function that rewrites a schema in the same way. */
export function inScheme(
  core: Core,
  scheme: Scheme,
): { prompts: Prompts; adaptSchema: (schema: JsonSchema) => JsonSchema } {
  const example = [...loadPrompt("apply_hash").matchAll(/^(\d+:\w+)\|(.*)$/gm)];
  const lines = example.map(([, , content = ""]) => content);
  const printed = core.formatRange(lines.join("\n"), 1, lines.length, { scheme }).split("\n");
  const anchors = example.map(
    ([, anchor = ""], at) => [anchor, printed[at]?.split("|", 1)[0] ?? anchor] as const,
  );
  const [, mark = ":"] = /^\d+(\W?)/.exec(printed[0] ?? "") ?? [];
  const adapt = (text: string) =>
    anchors.reduce(
      (adapted, [from, to]) => adapted.replaceAll(from, to),
      text.replaceAll("LINE:HASH", `LINE${mark}HASH`),
    );
  return { prompts: promptsIn(adapt), adaptSchema: (schema) => JSON.parse(adapt(JSON.stringify(schema))) };
}

function promptsIn(adapt: (text: string) => string): Prompts {
  const [read = "", grep = "", applyHash = "", rules = ""] = ["read", "grep", "apply_hash", "rules"].map(
    (name) => adapt(loadPrompt(name)),
  );
  return {
    read,
    grep,
    applyHash,
    rules,
    guidelines: rules.split("\n").map((rule) => rule.replace(/^- /, "")),
    snippets: { read: firstLine(read), grep: firstLine(grep), apply_hash: firstLine(applyHash) },
  };
}

function loadPrompt(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trimEnd();
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
