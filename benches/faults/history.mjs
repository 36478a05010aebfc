// Replays a git history: reads an old version of a file, replaces it with a newer one, and edits a line that
// was tracked through the commits in between.
//
//   node benches/faults/main.mjs --history REPO.git [--trials N] [--seed S] [--dump FILE]
//
// Following the line commit by commit (track.mjs) tells where the edit must land; the resulting file is
// compared with that byte for byte. Half of the edits are near a change. `--dump` writes every wrong edit
// to a file.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { anchorsOf, joined } from "./bench.mjs";
import { Random } from "./random.mjs";
import { percent, table } from "./table.mjs";
import { linesOf, track } from "./track.mjs";

const DISTANCES = [1, 3, 10];
const NEAR = 3;
const PAGE = 2000;
const KINDS = ["line", "line near", "range", "range near", "insert", "insert near"];
const MARK = "edited by the replay";

export async function replayHistory(bench, repository, { trials, seed, dump, print = console.log }) {
  const random = new Random(seed);
  const files = versionsByPath(repository);
  const pairs = pairsOf(files, random);
  if (pairs.length === 0) throw new Error(`no file of ${repository} has two versions to compare`);
  const read = blobReader(repository);
  const counts = new Map(KINDS.map((kind) => [kind, tally()]));
  const slips = { trials: 0, accepted: 0 };
  const wrong = [];
  const each = Math.max(1, Math.ceil(trials / pairs.length / KINDS.length));
  for (const pair of pairs.slice(0, Math.ceil(trials / (each * KINDS.length)))) {
    const versions = pair.blobs.map(read);
    if (versions.some((text) => text === undefined)) continue;
    const trace = track(versions.map(linesOf));
    const old = linesOf(versions[0]);
    for (const kind of KINDS) {
      for (let done = 0; done < each; done++) {
        const trial = makeTrial(kind, old, trace, random);
        if (trial === undefined) continue;
        const verdict = await runTrial(bench, pair, trial, versions);
        const row = counts.get(kind);
        row.trials++;
        row[verdict]++;
        if (verdict === "wrong" && trial.contested) row.contested++;
        if (verdict === "wrong") wrong.push({ ...trial, kind, path: pair.path, blobs: pair.blobs });
      }
    }
    slips.trials++;
    if (await slipIsAccepted(bench, old, versions[0], random)) slips.accepted++;
  }
  if (dump) writeFileSync(dump, wrong.map((one) => `${JSON.stringify(one)}\n`).join(""));
  report(counts, slips, pairs.length, print);
  return { counts, slips, wrong };
}

function tally() {
  return { trials: 0, right: 0, missed: 0, refused: 0, respaced: 0, wrong: 0, contested: 0 };
}

function git(repository, args) {
  return execFileSync("git", ["--git-dir", repository, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
}

// The blobs of every path, oldest first, along the first parents of the commits. A merge is one step: the
// versions of its two sides existed at the same time, and neither came after the other.
export function versionsByPath(repository) {
  const log = git(repository, [
    "log",
    "--reverse",
    "--first-parent",
    "--diff-merges=first-parent",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    "--format=",
    "HEAD",
  ]);
  const files = new Map();
  for (const row of log.split("\n")) {
    const [facts, path] = row.split("\t");
    const [, mode, , blob, status] = facts.split(" ");
    if (path === undefined || !mode.startsWith("100") || !"AM".includes(status)) continue;
    if (!files.has(path)) files.set(path, []);
    files.get(path).push(blob);
  }
  return files;
}

function pairsOf(files, random) {
  const pairs = [];
  for (const [path, blobs] of files) {
    for (const distance of DISTANCES) {
      for (let first = 0; first + distance < blobs.length; first += distance) {
        pairs.push({ path, distance, blobs: blobs.slice(first, first + distance + 1) });
      }
    }
  }
  for (let at = pairs.length - 1; at > 0; at--) {
    const other = random.between(0, at);
    [pairs[at], pairs[other]] = [pairs[other], pairs[at]];
  }
  return pairs;
}

// Returns a function that reads a blob, or undefined if it is not a text that one read can show.
function blobReader(repository) {
  const known = new Map();
  return (blob) => {
    if (!known.has(blob)) {
      const text = git(repository, ["cat-file", "blob", blob]);
      const plain = !text.includes("\0") && !text.includes("\ufffd") && text.endsWith("\n");
      const lines = plain ? linesOf(text) : [];
      const shown = lines.length > 0 && lines.length < PAGE && text.length < 40_000;
      known.set(blob, shown && lines.every((line) => line.length < 500) ? text : undefined);
    }
    return known.get(blob);
  };
}

function makeTrial(kind, old, trace, random) {
  const changed = trace.flatMap(({ to }, index) => {
    const above = index === 0 ? -1 : trace[index - 1].to;
    return to < 0 || to !== above + 1 ? [index] : [];
  });
  const near = kind.endsWith("near");
  if (near && changed.length === 0) return undefined;
  const wanted = near
    ? random.pick(changed) + random.between(-NEAR, NEAR)
    : random.between(0, old.length - 1);
  const first = Math.min(Math.max(wanted, 0), old.length - 1);
  const size = kind.startsWith("range") ? random.between(2, 12) : 1;
  const last = Math.min(first + size - 1, old.length - 1);
  const span = trace.slice(first, last + 1);
  const whole = span.every(({ to }, offset) => to >= 0 && to === span[0].to + offset);
  const target = whole ? span[0].to : undefined;
  const contested = span.some((line) => line.contested);
  return { first, last, target, contested, inserts: kind.startsWith("insert") };
}

// The indexes where the lines could be now, ignoring white space.
function respacedAt({ first, last }, old, now) {
  const bare = (line) => line.replace(/\s+/g, "");
  const wanted = old
    .slice(first, last + 1)
    .map(bare)
    .join("\n");
  return now.flatMap((_, at) =>
    now
      .slice(at, at + last - first + 1)
      .map(bare)
      .join("\n") === wanted
      ? [at]
      : [],
  );
}

async function runTrial(bench, pair, trial, versions) {
  const [old, now] = [linesOf(versions[0]), linesOf(versions.at(-1))];
  const path = `file.${pair.path.split(".").at(-1)}`.replace(/[^\w.]/g, "_");
  bench.write(versions[0], path);
  const session = bench.session();
  const anchors = anchorsOf((await session.read({ path })).text);
  bench.write(versions.at(-1), path);
  const text = old[trial.first].match(/^[ \t]*/)[0] + MARK;
  const start = anchors.get(trial.first + 1);
  const edit =
    trial.last > trial.first
      ? { op: "replace_range", path, start_anchor: start, end_anchor: anchors.get(trial.last + 1), text }
      : { op: trial.inserts ? "insert_after" : "set_line", path, anchor: start, text };
  const outcome = await session.apply({ patch: [edit] });
  const after = bench.text(path);
  if (outcome.kind === "refused") {
    if (after !== versions.at(-1)) return "wrong";
    return trial.target === undefined ? "refused" : "missed";
  }
  const result = (at) => {
    const lines = [...now];
    lines.splice(trial.inserts ? at + 1 : at, trial.inserts ? 0 : trial.last - trial.first + 1, MARK);
    return joined(lines);
  };
  // Only the position of the mark counts here, not its indentation.
  const plain = joined(linesOf(after).map((line) => (line.trim() === MARK ? MARK : line)));
  if (trial.target !== undefined && plain === result(trial.target)) return "right";
  const respaced = trial.target === undefined ? respacedAt(trial, old, now) : [];
  return respaced.some((at) => plain === result(at) && now[at] !== old[trial.first]) ? "respaced" : "wrong";
}

// Whether an edit is applied whose tag is right but whose number is off by one to ten, in an unchanged file.
async function slipIsAccepted(bench, old, text, random) {
  const first = random.between(0, old.length - 1);
  const slipped = first + random.between(1, 10) * (random.chance(0.5) ? 1 : -1);
  if (slipped < 0 || slipped >= old.length) return false;
  bench.write(text);
  const session = bench.session();
  const anchors = anchorsOf((await session.read({ path: "file.txt" })).text);
  const anchor = anchors.get(first + 1).replace(/^\d+/, String(slipped + 1));
  const edit = { op: "set_line", path: "file.txt", anchor, text: old[first].match(/^[ \t]*/)[0] + MARK };
  return (await session.apply({ patch: [edit] })).kind === "applied";
}

function report(counts, slips, pairs, print) {
  print(`\nEdits of files as their history changed them (${pairs} pairs of versions)\n`);
  const columns = ["right", "respaced", "refused", "missed", "wrong"];
  const rows = [...counts].map(([kind, row]) => [
    kind,
    row.trials,
    ...columns.map((column) => percent(row[column] / Math.max(1, row.trials))),
    `${row.wrong} (${row.contested})`,
  ]);
  print(
    table(
      [
        "edit",
        "trials",
        "applied rightly",
        "on the line, other white space",
        "rightly refused",
        "refused though findable",
        "silently wrong",
        "of these contested",
      ],
      rows,
    ),
  );
  print(`\nSlips accepted: ${percent(slips.accepted / Math.max(1, slips.trials))} of ${slips.trials}`);
}
