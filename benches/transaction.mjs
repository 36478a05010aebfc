// How long a patch over many files takes, against writing the files plainly and against the careful
// way, one by one: write beside, sync, rename. Ratios within one run; the best of several rounds each.
//
//   node benches/transaction.mjs [rounds]

import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../index.js";

const ROUNDS = Number(process.argv[2] ?? 15);
const BODY = "a line of ordinary length, as source code has it\n".repeat(80);

const content = (round, at) => `${round} ${at}\n${BODY}`;

/** The ways to give `count` files in `root` the content of the next round. */
function ways(root, count) {
  const paths = Array.from({ length: count }, (_, at) => join(root, `${at}.txt`));
  const session = (durability) => new Session({ root, durability });
  const sessions = { full: session("full"), fast: session("fast") };
  const commit = (durability) => (round) =>
    sessions[durability].apply({
      patch: paths.map((_, at) => ({
        op: "replace",
        path: `${at}.txt`,
        old_text: `${round - 1} ${at}\n`,
        new_text: `${round} ${at}\n`,
      })),
    });
  return {
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
  const root = mkdtempSync(join(process.cwd(), "target", "bench-transaction-"));
  try {
    const all = ways(root, count);
    const best = Object.fromEntries(Object.keys(all).map((name) => [name, Number.POSITIVE_INFINITY]));
    let round = 0;
    all.plain(round);
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (const [name, way] of Object.entries(all)) {
        round += 1;
        const began = process.hrtime.bigint();
        const outcome = await way(round);
        const took = Number(process.hrtime.bigint() - began) / 1e6;
        if (outcome && outcome.kind !== "applied") throw new Error(outcome.text);
        best[name] = Math.min(best[name], took);
      }
    }
    return best;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const ms = (value) => value.toFixed(2).padStart(8);
console.log("files    plain  careful     full     fast   full/careful  fast/plain   (ms, best of each)");
for (const count of [1, 10, 100]) {
  const { plain, careful, full, fast } = await measure(count);
  const ratios = `${(full / careful).toFixed(2).padStart(12)}${(fast / plain).toFixed(2).padStart(12)}`;
  console.log(`${String(count).padStart(5)} ${ms(plain)} ${ms(careful)} ${ms(full)} ${ms(fast)} ${ratios}`);
}
