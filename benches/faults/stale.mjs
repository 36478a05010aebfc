// Edits of a file that has changed since it was read: do they land where they were meant?
//
// The generator knows which new line each old line became. An edit is right if the file is then byte
// for byte what it should be, refused if nothing was written, and silently wrong otherwise.

import { anchorsOf, joined } from "./bench.mjs";
import { randomLines } from "./corpus.mjs";
import { mutate } from "./mutate.mjs";

const NEW = ["    edited by the bench"];

// The share of edits aimed within two lines of a change; the others fall anywhere.
const NEAR = 0.5;

// One trial: an old version, a new one, and the lines of the old one to edit.
export function makeTrial(texts, random) {
  const old = randomLines(texts, random);
  const { version, touched } = mutate(old, texts, random);
  const near = touched.length > 0 && random.chance(NEAR);
  const first = near ? random.pick(touched) : random.between(0, old.length - 1);
  const kind = random.pick(["line", "line", "line", "range", "insert"]);
  const size = kind === "range" ? Math.min(random.between(2, 20), old.length - first) : 1;
  return {
    old,
    version,
    kind: size === 1 && kind === "range" ? "line" : kind,
    first,
    last: first + size - 1,
    near,
  };
}

// The right text after the edit; undefined if the lines no longer follow each other unchanged.
export function wanted({ version, kind, first, last }, idOf = (line) => line.id) {
  const at = version.findIndex((line) => idOf(line) === first);
  if (at < 0) return undefined;
  for (let offset = 0; offset <= last - first; offset++) {
    if (version[at + offset] === undefined || idOf(version[at + offset]) !== first + offset) return undefined;
  }
  const lines = version.map(({ text }) => text);
  if (kind === "insert") lines.splice(at + 1, 0, ...NEW);
  else lines.splice(at, last - first + 1, ...NEW);
  return joined(lines);
}

function operation({ kind, first, last }, anchors) {
  const at = { path: "file.txt", text: NEW.join("\n"), exact: true };
  const start = anchors.get(first + 1);
  if (kind === "insert") return { op: "insert_after", anchor: start, ...at };
  if (kind === "line") return { op: "set_line", anchor: start, ...at };
  return { op: "replace_range", start_anchor: start, end_anchor: anchors.get(last + 1), ...at };
}

// Reads the old version, writes the new one, applies the edit. Without memory, another session applies it.
export async function runTrial(bench, trial, { memory = true, ...settings }) {
  bench.write(joined(trial.old));
  const reader = bench.session(settings);
  const shown = await reader.read({ path: "file.txt" });
  const before = joined(trial.version.map(({ text }) => text));
  bench.write(before);
  const writer = memory ? reader : bench.session(settings);
  const outcome = await writer.apply({ patch: [operation(trial, anchorsOf(shown.text))] });
  const after = bench.text();
  const right = wanted(trial);
  if (outcome.kind === "refused") {
    if (after !== before) return "wrong";
    return right === undefined ? "refused" : "missed";
  }
  // If only the white space of a line has changed, both editing it and refusing are right.
  const respaced = wanted(trial, (line) => line.id ?? line.respaced);
  return after === right || after === respaced ? "right" : "wrong";
}

// Counts the verdicts by kind of edit and by whether it was near a change.
export async function runStale(bench, texts, random, trials, settings) {
  const counts = new Map();
  const failures = [];
  for (let done = 0; done < trials; done++) {
    const trial = makeTrial(texts, random.fork());
    const verdict = await runTrial(bench, trial, settings);
    const key = `${trial.kind}, ${trial.near ? "near" : "far"}`;
    const row = counts.get(key) ?? { right: 0, refused: 0, missed: 0, wrong: 0 };
    row[verdict]++;
    counts.set(key, row);
    if (verdict === "wrong") failures.push(trial);
  }
  return { counts, failures };
}
