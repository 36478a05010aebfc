// The texts that the model gets: those in `prompts/`, read once when the extension loads.
//
// They are kept short, because every request pays for them; a test counts their tokens and runs their
// examples. The fields of the tools are described by the schemas, which the core gives. The files
// speak of the default scheme; `inScheme` has them speak of another.

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
  /** The same one by one, for pi, which sets them as a list. */
  guidelines: string[];
  /** One line of each tool, for pi's list. */
  snippets: { read: string; grep: string; apply_hash: string };
}

/** The prompts and a schema with the anchors that `scheme` prints. */
export function inScheme(
  core: Core,
  scheme: Scheme,
): { prompts: Prompts; said: (schema: JsonSchema) => JsonSchema } {
  const example = [...load("apply_hash").matchAll(/^(\d+:\w+)\|(.*)$/gm)];
  const lines = example.map(([, , content = ""]) => content);
  const printed = core.formatRange(lines.join("\n"), 1, lines.length, { scheme }).split("\n");
  const anchors = example.map(
    ([, anchor = ""], at) => [anchor, printed[at]?.split("|", 1)[0] ?? anchor] as const,
  );
  const [, mark = ":"] = /^\d+(\W?)/.exec(printed[0] ?? "") ?? [];
  const say = (text: string) =>
    anchors.reduce(
      (said, [from, to]) => said.replaceAll(from, to),
      text.replaceAll("LINE:HASH", `LINE${mark}HASH`),
    );
  return { prompts: promptsIn(say), said: (schema) => JSON.parse(say(JSON.stringify(schema))) };
}

function promptsIn(say: (text: string) => string): Prompts {
  const [read = "", grep = "", applyHash = "", rules = ""] = ["read", "grep", "apply_hash", "rules"].map(
    (name) => say(load(name)),
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

function load(name: string): string {
  return readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), "utf8").trimEnd();
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
