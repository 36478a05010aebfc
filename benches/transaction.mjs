// How long a patch over many files takes, against writing the files plainly and against the careful
// way, one by one: write beside, sync, rename. `lasting` is the careful way with a sync of the directory,
// without which a file that was reported as written can be lost with the power. Each way has files of its own,
// because a file that was synced is dearer to replace. Ratios of medians within one run.
//
// A patch is reported before its old files are removed. Between two turns there is time for that, as there is
// between two calls of a model; in `pressed` there is none: that is a patch that comes right after another.
//
//   node benches/transaction.mjs [rounds]

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
import { Session } from "../index.js";

const ROUNDS = Number(process.argv[2] ?? 15);
/** Longer than what is left to do after a patch of a hundred files takes. */
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

/** The ways to give files the content of the next version, each with what it measures. */
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
  pressed: (place) => patched(place, "full", { twice: true }),
  fast: (place) => patched(place, "fast"),
};

function plainly(write) {
  let version = 0;
  return () => {
    version++;
    return timed(() => write(version));
  };
}

function patched({ root, paths }, durability, { twice = false } = {}) {
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
  return async () => {
    if (twice) await patch();
    return timed(patch);
  };
}

async function timed(work) {
  const began = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - began) / 1e6;
}

async function measure(count) {
  const roots = [];
  try {
    const all = Object.entries(WAYS).map(([name, way]) => {
      const root = mkdtempSync(join(process.cwd(), "target", "bench-transaction-"));
      roots.push(root);
      const paths = Array.from({ length: count }, (_, at) => join(root, `${at}.txt`));
      for (const [at, path] of paths.entries()) careful(path, content(0, at));
      return { name, turn: way({ root, paths }), took: [] };
    });
    // In turns, so that a busy moment of the machine is shared by all.
    for (let round = 0; round < ROUNDS; round++) {
      for (const { turn, took } of all) {
        took.push(await turn());
        await setTimeout(PAUSE_MS);
      }
    }
    const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
    return Object.fromEntries(all.map(({ name, took }) => [name, median(took)]));
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  }
}

const width = 9;
const row = (cells) => console.log(cells.map((cell) => String(cell).padStart(width)).join(""));
row(["files", ...Object.keys(WAYS), "full", "full", "pressed", "fast"]);
row(["", ...Object.keys(WAYS).map(() => "ms"), "/careful", "/lasting", "/careful", "/plain"]);
for (const count of [1, 10, 100]) {
  const took = await measure(count);
  const { plain, careful, lasting, full, pressed, fast } = took;
  const ratios = [full / careful, full / lasting, pressed / careful, fast / plain];
  row([count, ...[...Object.values(took), ...ratios].map((value) => value.toFixed(2))]);
}
