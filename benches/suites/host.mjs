// How long a host waits for our answers: `npm run bench -- host`.
//
// The calls are like those of a host: a session with a state directory, a pause before each call in which the
// model would think, a first read of each file and then another. Ten processes for each side take turns; a row
// compares the medians of their medians. "Theirs" is plain JavaScript for a read, ripgrep for a search, careful
// writes (temporary file, sync, rename) for a patch, and `fs.readFile` alone for the first call of a process.
// ripgrep 15 is installed into the tool cache; `RG` names another one.

import { spawnSync } from "node:child_process";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root as project } from "../../scripts/run.mjs";

const PROCESSES = 10;
const CALLS = 10;
/** The pause before each call, in milliseconds. */
const PAUSE = 50;

/** Our time divided by theirs must be at most this: for the first call about a file and for another one. */
const GOALS = {
  "read 500 lines": [0.8, 0.7],
  "search, 100 files shown": [1.0, 0.7],
  "apply of one line": [3.5],
};

/** The directory of another build, from `npm run bench -- host --against DIR`. */
const AGAINST = process.env.HASHLINE_BENCH_AGAINST;

/** What each process measures, by row and side. Each returns a function that is timed twice for each file. */
const WORK = {
  "read 500 lines": {
    ours: async (place) => {
      const session = await open(place);
      return (at) => session.read({ path: `${at}.ts` });
    },
    theirs: async ({ root }) => {
      const { baseline } = await import("../baseline/load.mjs");
      const { formatHashLines } = await baseline();
      return async (at) => formatHashLines(await readFile(join(root, `${at}.ts`), "utf8"));
    },
  },
  "search, 100 files shown": {
    ours: async (place) => {
      const { Session } = await import(place.entry);
      // One session for each pair of searches, because only its first search shows files that are new to it.
      const sessions = Array.from({ length: CALLS }, (_, at) => new Session(optionsOf(place, at)));
      return (at) => sessions[at].grep({ pattern: "needle", paths: ["tree"], limit: 1000 });
    },
    theirs:
      async ({ root }) =>
      () =>
        spawnSync(process.env.RG, ["--no-config", "-n", "needle", "tree"], { cwd: root }),
  },
  "apply of one line": {
    ours: async (place) => {
      const session = await open(place);
      let version = 0;
      return async (at) => {
        const [old_text, new_text] = [`// version ${version}`, `// version ${++version}`];
        const { kind, text } = await session.apply({
          patch: [{ op: "replace", path: "0.ts", old_text, new_text }],
        });
        if (kind !== "applied") throw new Error(`${at}: ${text}`);
      };
    },
    theirs: async ({ root }) => {
      const path = join(root, "0.ts");
      const content = readFileSync(path);
      return () => {
        const file = openSync(`${path}.tmp`, "w");
        writeFileSync(file, content);
        fsyncSync(file);
        closeSync(file);
        renameSync(`${path}.tmp`, path);
      };
    },
  },
  "first call of a process": {
    ours: async (place) => (await open(place)).read({ path: "0.ts" }),
    theirs: ({ root }) => readFile(join(root, "0.ts"), "utf8"),
  },
};

async function open(place) {
  const { Session } = await import(place.entry);
  const session = new Session(optionsOf(place, 0));
  // Make another call first, because a host's session has usually made some.
  if (place.name !== "first call of a process") await session.read({ path: "warm.ts" });
  return session;
}

function optionsOf({ root, state }, at) {
  return { root, stateDir: join(state, `${at}`), maxLines: 4e9, maxBytes: 4e9 };
}

/** Runs in a child process: prints the median times of the first and of the second calls, in milliseconds. */
async function measure(name, side, root) {
  const state = mkdtempSync(join(tmpdir(), "hashline-bench-state-"));
  const entry = join(side === "other" ? AGAINST : project, "index.js");
  const place = { name, root, state, entry };
  const work = WORK[name][side === "theirs" ? side : "ours"];
  const looks = [[], []];
  if (name === "first call of a process") {
    await timed(looks[0], () => work(place));
  } else {
    const call = await work(place);
    for (let at = 0; at < CALLS; at++) {
      for (const times of looks) {
        await setTimeout(PAUSE);
        await timed(times, () => call(at));
      }
    }
  }
  process.stdout.write(JSON.stringify(looks.map(median)));
  process.on("exit", () => rmSync(state, { recursive: true, maxRetries: 10, force: true }));
}

async function timed(times, work) {
  const start = performance.now();
  await work();
  times.push(performance.now() - start);
}

function median(times) {
  return times.toSorted((one, other) => one - other)[times.length >> 1];
}

/** Makes the workspace that is read, searched and patched, and returns its path. */
async function layOut() {
  const { lines } = await import("../shared/code.mjs");
  const root = mkdtempSync(join(tmpdir(), "hashline-bench-"));
  const code = `${lines(499).join("\n")}\n`;
  for (let at = 0; at < CALLS; at++) writeFileSync(join(root, `${at}.ts`), `// version 0\n${code}// ${at}\n`);
  writeFileSync(join(root, "warm.ts"), code);
  mkdirSync(join(root, "tree"));
  for (let at = 0; at < 400; at++) {
    const found = at % 4 === 0 ? "// a needle\n" : "";
    writeFileSync(join(root, "tree", `${at}.ts`), `${found}// ${at}\n${code}`);
  }
  return root;
}

async function main() {
  const { ripgrep } = await import("../shared/ripgrep.mjs");
  process.env.RG = await ripgrep();
  const rows = [["work", "ours", "theirs", "ratio", "goal", ""]];
  for (const name of Object.keys(WORK)) {
    const root = await layOut();
    const runs = { ours: [], theirs: [], ...(AGAINST && { other: [] }) };
    for (let turn = 0; turn < PROCESSES; turn++) {
      for (const side of turn % 2 ? Object.keys(runs).toReversed() : Object.keys(runs)) {
        const made = spawnSync(process.execPath, [process.argv[1], "--measure", name, side, root], {
          encoding: "utf8",
        });
        if (made.status !== 0) throw new Error(made.stderr);
        runs[side].push(JSON.parse(made.stdout));
        // The next process patches the same line.
        writeFileSync(
          join(root, "0.ts"),
          readFileSync(join(root, "0.ts"), "utf8").replace(/^.*/, "// version 0"),
        );
      }
    }
    rmSync(root, { recursive: true, maxRetries: 10 });
    for (const [look, what] of ["first look", "again"].entries()) {
      const [ours, theirs, other] = Object.values(runs).map((run) => median(run.map((looks) => looks[look])));
      if (!ours) continue;
      const goal = GOALS[name]?.[look];
      const isMissed = ours / theirs > goal;
      const time = (ms) => `${(ms * 1000).toFixed(0)} us`;
      const row = [`${name}, ${what}`, time(ours), time(theirs), (ours / theirs).toFixed(2)];
      row.push(goal?.toFixed(1) ?? "", goal === undefined ? "" : isMissed ? "missed" : "ok");
      rows.push(AGAINST ? [...row, time(other), (other / theirs).toFixed(2)] : row);
      if (isMissed) process.exitCode = 1;
    }
  }
  if (AGAINST) rows[0].push("other build", "its ratio");
  rows.splice(
    1,
    0,
    rows[0].map(() => "---"),
  );
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
}

const [, , flag, ...which] = process.argv;
if (flag === "--measure") await measure(...which);
else await main();
