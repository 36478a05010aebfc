// Reading and searching against what a host would do without us: `node benches/suites/session.mjs`.
//
// Every row is the ratio of two medians. Both sides take turns in one run, so that a busy machine slows both
// alike. `--only=<part of a name>` runs some rows, `--rounds=<n>` sets how often.
// A session recognises a file whose bytes it has seen, and most rows repeat their call in one session, as
// agents do; rows "first look" have a new session for each round. Unlike those of a host, the calls follow
// each other without a pause, so rows of reads and searches have no goals: those are in host.mjs.
// With `npm run bench -- session --against DIR` another build takes turns with both sides.
// The searches are compared with ripgrep 15, installed into the tool cache, or with `RG=<path>`.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { baseline } from "../baseline/load.mjs";
import { builds } from "../shared/builds.mjs";
import { lines, text } from "../shared/code.mjs";
import { ripgrep } from "../shared/ripgrep.mjs";

const flags = new Map(process.argv.slice(2).map((flag) => flag.replace(/^--/, "").split("=")));
const only = flags.get("only") ?? "";
const rounds = Number(flags.get("rounds") ?? 9);

const project = fileURLToPath(new URL("../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "hashline-bench-"));
const devNull = openSync("/dev/null", "w");
/** The baseline prints the whole file, so we do too. */
const printsAll = { root: scratch, maxLines: 4e9, maxBytes: 4e9 };
/** Where a build saves what it showed, as in a host. */
const stateDir = (which) => join(scratch, `state-${which}`);
const rows = [];
/** The classes that are measured: our `Session`, and that of another build if there is one. */
const { ours, other } = await builds(".");
const kinds = [ours.Session, ...(other ? [other.Session] : [])];

try {
  await readRows();
  await windowRow();
  await grepRows();
} finally {
  closeSync(devNull);
  rmSync(scratch, { recursive: true, maxRetries: 10, force: true });
}
print(rows);
process.exitCode = rows.some((row) => row.missed) ? 1 : 0;

/** Whole files against `fs.readFile` and a formatter in plain JavaScript. */
async function readRows() {
  const { formatHashLines } = await baseline();
  writeFileSync(join(scratch, "500.ts"), `${lines(500).join("\n")}\n`);
  writeFileSync(join(scratch, "10mb.ts"), text(10_000_000));
  const inMemory = kinds.map((Session) => new Session(printsAll));
  const onDisk = kinds.map((Session, which) => new Session({ ...printsAll, stateDir: stateDir(which) }));
  for (const [name, file, sessions, inner] of [
    ["read 500 lines", "500.ts", inMemory, 200],
    ["read 500 lines, memory on disk", "500.ts", onDisk, 200],
    ["read 10 MB", "10mb.ts", inMemory, 1],
  ]) {
    if (!name.includes(only)) continue;
    const path = join(scratch, file);
    const ratio = await compare(
      () => repeat(inner, async () => formatHashLines(await readFile(path, "utf8")).length),
      sessions.map((session) => () => repeat(inner, async () => (await session.read({ path })).text.length)),
    );
    rows.push({ name, ...each(ratio, inner), speedup: ratio.theirs / ratio.ours });
  }
  await firstReadRow("read 500 lines, first look", formatHashLines, () => undefined);
  await firstReadRow("read 500 lines, first look, memory on disk", formatHashLines, stateDir);
}

/** Files that are new to the session, against the same. `stateDirOf` returns the state directory, if any. */
async function firstReadRow(name, formatHashLines, stateDirOf) {
  if (!name.includes(only)) return;
  const paths = Array.from({ length: 200 }, (_, at) => join(scratch, `first-${at}.ts`));
  for (const [at, path] of paths.entries()) writeFileSync(path, `// ${at}\n${lines(499).join("\n")}\n`);
  const ratio = await compare(
    async () => {
      for (const path of paths) formatHashLines(await readFile(path, "utf8"));
    },
    kinds.map((Session, which) => async () => {
      const directory = stateDirOf(which);
      if (directory !== undefined) rmSync(directory, { recursive: true, maxRetries: 10, force: true });
      const session = new Session({ ...printsAll, stateDir: directory });
      for (const path of paths) await session.read({ path });
    }),
  );
  rows.push({ name, ...each(ratio, paths.length), speedup: ratio.theirs / ratio.ours });
}

/** The end of a file of 1 GB against `wc -l`. */
async function windowRow() {
  const name = "last 200 lines of 1 GB, against wc -l";
  if (!name.includes(only)) return;
  const path = join(scratch, "1gb.txt");
  const line = "a line of a log file that somebody forgot to rotate, number ";
  const block = Buffer.from(Array.from({ length: 100_000 }, (_, at) => `${line}${at}\n`).join(""));
  const fd = openSync(path, "w");
  for (let size = 0; size < 1e9; size += block.length) writeSync(fd, block);
  closeSync(fd);
  const sessions = kinds.map((Session) => new Session({ root: scratch }));
  for (const session of sessions) await session.read({ path, offset: -200 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const ratio = await compare(
    () => spawnSync("wc", ["-l", path], { stdio: ["ignore", devNull, "ignore"] }),
    sessions.map((session) => () => session.read({ path, offset: -200 })),
  );
  clearInterval(watching);
  rmSync(path);
  const factor = ratio.ours / ratio.theirs;
  const grown = (peak - before) / 2 ** 20;
  rows.push({ name, ...ratio, factor, goal: "1.50", missed: factor > 1.5 });
  rows.push({
    name: "  memory it took on top",
    note: `${grown.toFixed(1)} MB`,
    goal: "64 MB",
    missed: grown > 64,
  });
}

/** Searches with tags against ripgrep. */
async function grepRows() {
  const rg = await ripgrep();
  const trees = [join(homedir(), ".cargo/registry/src"), join(project, "node_modules")].filter(existsSync);
  const usual = kinds.map((Session) => new Session({ root: project }));
  const showsAll = (Session) => new Session({ root: project, maxLines: 4e9, maxBytes: 4e9 });
  const everything = kinds.map(showsAll);
  const patterns = [
    ["literal", { pattern: "unsafe impl", literal: true }, ["-F"]],
    ["regex", { pattern: "fn \\w+_with\\(" }, []],
    ["case-insensitive", { pattern: "todo|fixme", caseSensitive: false }, ["-i"]],
    ["context", { pattern: "impl Iterator for", contextBefore: 2, contextAfter: 2 }, ["-C2"]],
    ["rare", { pattern: "Sherlock Holmes" }, []],
    ["common", { pattern: "return" }, []],
    ["absent", { pattern: "zq_absent_qz" }, []],
  ];
  for (const [kind, request, flags] of patterns) {
    for (const [what, session, limit] of [
      ["", (which) => usual[which], undefined],
      [", all shown", (which) => everything[which], 1e9],
      [", all shown, first look", (which) => showsAll(kinds[which]), 1e9],
    ]) {
      const name = `grep ${kind}${what}`;
      if (!name.includes(only)) continue;
      const args = [
        "--no-config",
        "--no-require-git",
        "-n",
        "--no-heading",
        "--color=never",
        ...flags,
        "-e",
        request.pattern,
        ...trees,
      ];
      const ratio = await compare(
        () => spawnSync(rg, args, { stdio: ["ignore", devNull, "ignore"] }),
        kinds.map((_, which) => () => session(which).grep({ ...request, paths: trees, limit })),
      );
      rows.push({ name, ...ratio, factor: ratio.ours / ratio.theirs });
    }
  }
}

/** Runs all in turn and returns the medians in milliseconds. `builds` has our work and another build's, if any. */
async function compare(theirs, builds) {
  const works = [theirs, ...builds];
  const times = works.map(() => []);
  for (const work of works) await work();
  for (let round = 0; round < rounds; round++) {
    // The build that runs second finds the caches filled by the first, so the builds alternate.
    const order = round % 2 === 0 ? works : [theirs, ...builds.toReversed()];
    for (const work of order) times[works.indexOf(work)].push(await time(work));
  }
  const least = Math.min(...times[0]) / Math.min(...times[1]);
  const [theirTime, ourTime, otherTime] = times.map(median);
  return { theirs: theirTime, ours: ourTime, other: otherTime, least };
}

/** The medians for one call, when `count` calls were timed together. */
function each({ theirs, ours, other, least }, count) {
  return { theirs: theirs / count, ours: ours / count, other: other && other / count, least };
}

async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function repeat(count, work) {
  for (let at = 0; at < count; at++) await work();
}

function median(times) {
  return times.sort((one, other) => one - other)[times.length >> 1];
}

function print(rows) {
  const cells = rows.map(({ name, ours, theirs, other, speedup, factor, least, note, goal, missed }) => [
    name,
    ours === undefined ? "" : `${ours.toFixed(2)} ms`,
    theirs === undefined ? "" : `${theirs.toFixed(2)} ms`,
    note ?? (speedup === undefined ? factor.toFixed(2) : `x${speedup.toFixed(1)}`),
    note ? "" : speedup === undefined ? (1 / least).toFixed(2) : `x${least.toFixed(1)}`,
    goal ?? "",
    goal === undefined ? "" : missed ? "missed" : "ok",
    ...(other === undefined ? [] : [`${other.toFixed(2)} ms`, (ours / other).toFixed(2)]),
  ]);
  const heads = ["", "ours", "theirs", "ratio", "of the least", "goal", ""];
  const table = [heads, ...cells];
  if (kinds.length > 1) heads.push("other build", "ours / other");
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join("  "),
    );
  }
}
