// How long a patch over many files takes, against writing the files plainly and against the careful
// way, one by one: write beside, sync, rename. Each way has files of its own, because a file that was
// synced is dearer to replace. `plan` is a patch that changes nothing: what `apply` costs before it
// writes. Ratios of medians within one run.
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
import { Session } from "../index.js";

const ROUNDS = Number(process.argv[2] ?? 15);
const BODY = "a line of ordinary length, as source code has it\n".repeat(80);

const content = (round, at) => `${round} ${at}\n${BODY}`;

/** The ways to give the files the content of the next round. */
function ways(root, paths) {
  const commit = (durability, step = 1) => {
    const session = new Session({ root, durability });
    return (round) =>
      session.apply({
        patch: paths.map((path, at) => ({
          op: "replace",
          path,
          old_text: `${step * (round - 1)} ${at}\n`,
          new_text: `${step * round} ${at}\n`,
        })),
      });
  };
  return {
    plan: commit("fast", 0),
    plain(round) {
      paths.forEach((path, at) => {
        writeFileSync(path, content(round, at));
      });
    },
    careful(round) {
      paths.forEach((path, at) => {
        const file = openSync(`${path}.tmp`, "w");
        writeSync(file, content(round, at));
        fsyncSync(file);
        closeSync(file);
        renameSync(`${path}.tmp`, path);
      });
    },
    full: commit("full"),
    fast: commit("fast"),
  };
}

async function measure(count) {
  const names = ["plan", "plain", "careful", "full", "fast"];
  const roots = names.map(() => mkdtempSync(join(process.cwd(), "target", "bench-transaction-")));
  const took = Object.fromEntries(names.map((name) => [name, []]));
  try {
    const all = names.map((_, which) => {
      const paths = Array.from({ length: count }, (_, at) => join(roots[which], `${at}.txt`));
      return ways(roots[which], paths);
    });
    for (const each of all) each.careful(0);
    // In turns, so that a busy moment of the machine is shared by all.
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [which, name] of names.entries()) {
        if (name === "plan" && round > 2) continue;
        const began = process.hrtime.bigint();
        const outcome = await all[which][name](round);
        took[name].push(Number(process.hrtime.bigint() - began) / 1e6);
        if (outcome && outcome.kind !== "applied") throw new Error(outcome.text);
      }
    }
  } finally {
    for (const root of roots) rmSync(root, { recursive: true, force: true });
  }
  const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];
  return Object.fromEntries(names.map((name) => [name, median(took[name])]));
}

const ms = (value) => value.toFixed(2).padStart(8);
console.log(
  "files     plan    plain  careful     full     fast   full/careful  fast/plain  (fast-plan)/plain",
);
for (const count of [1, 10, 100]) {
  const { plan, plain, careful, full, fast } = await measure(count);
  const ratio = (value, width) => value.toFixed(2).padStart(width);
  const ratios = `${ratio(full / careful, 14)}${ratio(fast / plain, 12)}${ratio((fast - plan) / plain, 19)}`;
  console.log(
    `${String(count).padStart(5)} ${[plan, plain, careful, full, fast].map(ms).join(" ")} ${ratios}`,
  );
}
