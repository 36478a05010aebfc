// Read a file, let a formatter run over it, then edit a line by the anchor that was shown before.
//
//   node benches/formatters/main.mjs [--trials N] [--seed S] [--only NAME] [--dump FILE]
//
// The edit is right if its result, formatted, equals the same edit of the original, formatted: the layout
// is up to the formatter, the position is up to us. The table sorts lines by how the formatter changed them:
// not at all, in their white space only, in their quotes or in a `,` or `;` at their end, or more. The exit
// code is 1 if an edit lands wrongly or too few of the first three kinds are applied.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isMain } from "../../scripts/run.mjs";
import { anchorsOf, Bench, joined } from "../faults/bench.mjs";
import { Random } from "../faults/random.mjs";
import { percent, table } from "../faults/table.mjs";
import { linesOf, patience } from "../faults/track.mjs";
import { formatters, sources, textsOf } from "./formatters.mjs";

const KINDS = ["same bytes", "other white space", "other quotes or commas", "written anew"];
const EDITS_PER_FILE = 6;

// The share of edits that must be applied to lines with the same bytes or other white space only.
const PROMISE = 0.9;
// The share of edits that must be applied to lines with other quotes or commas.
const PROMISE_REQUOTED = 0.8;

export async function main({ trials = 60, seed = 1, only, dump, print = console.log } = {}) {
  const bench = new Bench();
  const found = await sources();
  const rows = [];
  const wrong = [];
  const refused = [];
  const total = new Map(KINDS.map((kind) => [kind, tally()]));
  try {
    for (const formatter of await formatters()) {
      if (only !== undefined && !formatter.name.includes(only)) continue;
      const counts = new Map(KINDS.map((kind) => [kind, tally()]));
      await tryFormatter(bench, formatter, found, new Random(seed), trials, counts, { wrong, refused });
      rows.push([formatter.name, ...KINDS.flatMap((kind) => cells(counts.get(kind)))]);
      for (const kind of KINDS) {
        for (const key of Object.keys(tally())) total.get(kind)[key] += counts.get(kind)[key];
      }
    }
  } finally {
    bench.remove();
  }
  rows.push(["all", ...KINDS.flatMap((kind) => cells(total.get(kind)))]);
  print(`\nEdits after a formatter has run (seed ${seed})\n`);
  const columns = KINDS.flatMap((kind) => [kind, "applied", "wrong"]);
  print(table(["formatter", ...columns], rows));
  if (dump) writeFileSync(dump, [...wrong, ...refused].map((one) => `${JSON.stringify(one)}\n`).join(""));
  const kept = KINDS.slice(0, 2).map((kind) => total.get(kind));
  const sum = (key) => kept[0][key] + kept[1][key];
  const broken = [];
  if (wrong.length > 0) broken.push(`${wrong.length} edits landed wrongly`);
  if (sum("trials") > 0 && sum("right") < PROMISE * sum("trials")) {
    broken.push(`only ${percent(sum("right") / sum("trials"))} of the unchanged lines were followed`);
  }
  const requoted = total.get(KINDS[2]);
  if (requoted.right < PROMISE_REQUOTED * requoted.trials) {
    broken.push(
      `only ${percent(requoted.right / requoted.trials)} of the lines with other quotes were followed`,
    );
  }
  for (const text of broken) print(`BROKEN PROMISE: ${text}`);
  return broken;
}

function tally() {
  return { trials: 0, right: 0, wrong: 0 };
}

function cells({ trials, right, wrong }) {
  return [trials, trials === 0 ? "-" : percent(right / trials), wrong];
}

async function tryFormatter(bench, formatter, found, random, trials, counts, { wrong, refused }) {
  let done = 0;
  for (const { path, text, extension } of textsOf(found, formatter.extensions, random)) {
    if (done >= trials) return;
    const formatted = await formatOrNothing(formatter, text, extension);
    if (formatted === undefined || formatted === text) continue;
    const kinds = kindsOf(linesOf(text), linesOf(formatted));
    for (let edit = 0; edit < EDITS_PER_FILE; edit++) {
      const verdict = await tryEdit(bench, formatter, { text, formatted, extension, kinds }, random);
      if (verdict === undefined) continue;
      done++;
      const row = counts.get(verdict.kind);
      row.trials++;
      if (verdict.result !== "refused") row[verdict.result]++;
      if (verdict.result === "wrong") wrong.push({ formatter: formatter.name, path, ...verdict });
      else if (verdict.result === "refused") refused.push({ formatter: formatter.name, path, ...verdict });
    }
  }
}

// The formatted text; undefined if the formatter cannot read it.
async function formatOrNothing(formatter, text, extension) {
  try {
    return await formatter.format(text, extension);
  } catch {
    return undefined;
  }
}

// The kind of each line, by diffs of the texts without white space, and without quotes and commas.
function kindsOf(old, formatted) {
  const bare = (line) => line.replace(/\s+/g, "");
  const plain = (line) =>
    bare(line)
      .replace(/['"]/g, "")
      .replace(/[,;]+$/, "");
  const [spaced, styled] = [bare, plain].map((form) => patience(old.map(form), formatted.map(form)));
  return old.map((line, at) => {
    if (spaced[at] >= 0) return line === formatted[spaced[at]] ? "same bytes" : "other white space";
    return styled[at] >= 0 ? "other quotes or commas" : "written anew";
  });
}

// Edits one line: renames a word, or inserts a renamed copy below; undefined if the line is unsuitable.
async function tryEdit(bench, formatter, { text, formatted, extension, kinds }, random) {
  const old = linesOf(text);
  const at = random.between(0, old.length - 1);
  const words = [...old[at].matchAll(/\b[a-zA-Z_]{3,}\b/g)];
  if (words.length === 0) return undefined;
  const word = random.pick(words);
  const renamed = `${old[at].slice(0, word.index)}${word[0]}Q7${old[at].slice(word.index + word[0].length)}`;
  const twice = random.chance(0.25);
  const lines = twice ? [old[at], renamed] : [renamed];
  const edited = joined([...old.slice(0, at), ...lines, ...old.slice(at + 1)]);
  const wanted = await formatOrNothing(formatter, edited, extension);
  if (wanted === undefined || wanted === formatted) return undefined;
  const path = `file.${extension}`;
  bench.write(text, path);
  const session = bench.session({ durability: "fast" });
  const anchors = anchorsOf((await session.read({ path })).text);
  if (anchors.get(at + 1) === undefined) return undefined;
  bench.write(formatted, path);
  const operation = { op: "set_line", path, anchor: anchors.get(at + 1), text: lines.join("\n") };
  const outcome = await session.apply({ patch: [operation] });
  const verdict = { kind: kinds[at], line: at + 1, lines };
  if (outcome.kind === "refused") return { ...verdict, result: "refused", report: outcome.text };
  const result = await formatOrNothing(formatter, bench.text(path), extension);
  return { ...verdict, result: result === wanted ? "right" : "wrong", report: outcome.text };
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      trials: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
      dump: { type: "string" },
    },
  });
  const numbers = { trials: Number(values.trials), seed: Number(values.seed) };
  const broken = await main({ ...numbers, only: values.only, dump: values.dump });
  process.exitCode = broken.length > 0 ? 1 : 0;
}
