// How long a patch of many files takes, against three other ways to write them: `plain` just writes each
// file; `careful` writes a temporary file, syncs it and renames it; `lasting` also syncs the directory, without
// which a power cut can undo a write that was reported. Each way has files of its own, because it takes longer
// to replace a file that was synced. The ratios are of medians within one run.
//
// Each turn writes twice: after a pause, as between two calls of a model, in which threads fall asleep, and
// immediately after that. A patch is reported before its old files are removed; the second patch waits for
// the removal.
//
//   node benches/suites/transaction.mjs [rounds]

import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Session } from "../../index.js";

const ROUNDS = Number(process.argv[2] ?? 15);
/** Longer than it takes to remove the old files of a patch of a hundred files. */
const PAUSE_MS = 40;
const BODY = "a line of ordinary length, as source code has it\n".repeat(80);

const content = (version, at) => `${version} ${at}\n${BODY}`;

function careful(path, text) {
  const file = openSync(`${path}.tmp`, "w");
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
}

/** The ways to write the next version of all files; each function returns one that writes and times it. */
const WAYS = {
  plain: ({ paths }) =>
    plainly((version) => {
      for (const [at, path] of paths.entries()) writeFileSync(path, content(version, at));
    }),
  careful: ({ paths }) =>
    plainly((version) => {
      for (const [at, path] of paths.entries()) careful(path, content(version, at));
    }),
  lasting: ({ root, paths }) =>
    plainly((version) => {
      for (const [at, path] of paths.entries()) careful(path, content(version, at));
      const directory = openSync(root, "r");
      fsyncSync(directory);
      closeSync(directory);
    }),
  full: (place) => patched(place, "full"),
  fast: (place) => patched(place, "fast"),
};

function plainly(write) {
  let version = 0;
  return () => {
    version++;
    return timed(() => write(version));
  };
}

function patched({ root, paths }, durability) {
  const session = new Session({ root, durability });
  let version = 0;
  const patch = async () => {
    version++;
    const { kind, text } = await session.apply({
      patch: paths.map((path, at) => ({
        op: "replace",
        path,
        old_text: `${version - 1} ${at}\n`,
        new_text: `${version} ${at}\n`,
      })),
    });
    if (kind !== "applied") throw new Error(text);
  };
  return () => timed(patch);
}

async function timed(work) {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

/** The medians of each way, after a pause and at once. */
async function measure(count) {
  const roots = [];
  try {
    const all = Object.entries(WAYS).map(([name, way]) => {
      const root = mkdtempSync(join(process.cwd(), "target", "bench-transaction-"));
      roots.push(root);
      const paths = Array.from({ length: count }, (_, at) => join(root, `${at}.txt`));
      for (const [at, path] of paths.entries()) careful(path, content(0, at));
      return { name, write: way({ root, paths }), took: [[], []] };
    });
    // In turns, so that a busy moment of the machine slows all of them.
    for (let round = 0; round < ROUNDS; round++) {
      for (const { write, took } of all) {
        await setTimeout(PAUSE_MS);
        for (const times of took) times.push(await write());
      }
    }
    const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
    return [0, 1].map((which) =>
      Object.fromEntries(all.map(({ name, took }) => [name, median(took[which])])),
    );
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, maxRetries: 10, force: true });
  }
}

const row = (name, cells) => console.log(name.padEnd(22) + cells.map((cell) => cell.padStart(10)).join(""));
row("milliseconds", [...Object.keys(WAYS), "full", "full", "fast"]);
row("", [...Object.keys(WAYS).map(() => ""), "/careful", "/lasting", "/plain"]);
for (const count of [1, 10, 100]) {
  for (const [which, took] of (await measure(count)).entries()) {
    const { plain, careful, lasting, full, fast } = took;
    const cells = [...Object.values(took), full / careful, full / lasting, fast / plain];
    const files = count === 1 ? "1 file" : `${count} files`;
    row(
      `${files}, ${which === 0 ? "after a pause" : "at once"}`,
      cells.map((value) => value.toFixed(2)),
    );
  }
}
