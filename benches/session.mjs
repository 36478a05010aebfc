// Reading and searching against what a host would do without us: `node benches/session.mjs`.
//
// Every row is a ratio taken in one run: both sides in turn, medians compared, so that a busy
// machine slows both alike. `--only=<part of a name>` runs some rows, `--rounds=<n>` sets how often.
// A session knows a file again whose bytes it has seen, and most rows are repeated in one session, as an
// agent's calls are; rows "first look" have a new session for each round.
// The searches are compared with ripgrep 15, installed into the tool cache, or with `RG=<path>`.

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Session } from "../index.js";
import { baseline } from "./baseline/load.mjs";
import { lines, text } from "./code.mjs";
import { ripgrep } from "./ripgrep.mjs";

const flags = new Map(process.argv.slice(2).map((flag) => flag.replace(/^--/, "").split("=")));
const only = flags.get("only") ?? "";
const rounds = Number(flags.get("rounds") ?? 9);

const project = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "hashline-bench-"));
const devNull = openSync("/dev/null", "w");
const rows = [];

try {
  await readRows();
  await windowRow();
  await grepRows();
} finally {
  closeSync(devNull);
  rmSync(scratch, { recursive: true, force: true });
}
print(rows);
process.exitCode = rows.some((row) => row.missed) ? 1 : 0;

/** Whole files against `fs.readFile` and a formatter in plain JavaScript. */
async function readRows() {
  const { formatHashLines } = await baseline();
  writeFileSync(join(scratch, "500.ts"), `${lines(500).join("\n")}\n`);
  writeFileSync(join(scratch, "10mb.ts"), text(10_000_000));
  // The baseline prints the whole file, so we do too.
  const session = new Session({ root: scratch, maxLines: 4e9, maxBytes: 4e9 });
  for (const [name, file, goal, inner] of [
    ["read 500 lines", "500.ts", 7, 200],
    ["read 10 MB", "10mb.ts", 12, 1],
  ]) {
    if (!name.includes(only)) continue;
    const path = join(scratch, file);
    const ratio = await compare(
      () => repeat(inner, async () => (await session.read({ path })).text.length),
      () => repeat(inner, async () => formatHashLines(await readFile(path, "utf8")).length),
    );
    const speedup = ratio.theirs / ratio.ours;
    const each = { ours: ratio.ours / inner, theirs: ratio.theirs / inner };
    rows.push({ name, ...each, least: ratio.least, speedup, goal: `x${goal}`, missed: speedup < goal });
  }
  await firstReadRow(formatHashLines);
}

/** Files that this session has not seen, against the same. */
async function firstReadRow(formatHashLines) {
  const name = "read 500 lines, first look";
  if (!name.includes(only)) return;
  const paths = Array.from({ length: 200 }, (_, at) => join(scratch, `first-${at}.ts`));
  for (const [at, path] of paths.entries()) writeFileSync(path, `// ${at}\n${lines(499).join("\n")}\n`);
  const ratio = await compare(
    async () => {
      const session = new Session({ root: scratch, maxLines: 4e9, maxBytes: 4e9 });
      for (const path of paths) await session.read({ path });
    },
    async () => {
      for (const path of paths) formatHashLines(await readFile(path, "utf8"));
    },
  );
  const each = { ours: ratio.ours / paths.length, theirs: ratio.theirs / paths.length };
  rows.push({ name, ...each, least: ratio.least, speedup: ratio.theirs / ratio.ours });
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
  const session = new Session({ root: scratch });
  await session.read({ path, offset: -200 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const ratio = await compare(
    () => session.read({ path, offset: -200 }),
    () => spawnSync("wc", ["-l", path], { stdio: ["ignore", devNull, "ignore"] }),
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
  const session = new Session({ root: project });
  const all = () => new Session({ root: project, maxLines: 4e9, maxBytes: 4e9 });
  const everything = all();
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
    for (const [what, one, limit, goal] of [
      ["", () => session, undefined, 0.8],
      [", all shown", () => everything, 1e9, 0.8],
      [", all shown, first look", all, 1e9],
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
        () => one().grep({ ...request, paths: trees, limit }),
        () => spawnSync(rg, args, { stdio: ["ignore", devNull, "ignore"] }),
      );
      const factor = ratio.ours / ratio.theirs;
      rows.push({ name, ...ratio, factor, goal: goal?.toFixed(2), missed: factor > goal });
    }
  }
}

/** Runs both in turn and gives the medians in milliseconds. */
async function compare(ours, theirs) {
  const times = { ours: [], theirs: [] };
  await ours();
  await theirs();
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await time(ours));
    times.theirs.push(await time(theirs));
  }
  const least = Math.min(...times.theirs) / Math.min(...times.ours);
  return { ours: median(times.ours), theirs: median(times.theirs), least };
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
  const cells = rows.map(({ name, ours, theirs, speedup, factor, least, note, goal, missed }) => [
    name,
    ours === undefined ? "" : `${ours.toFixed(2)} ms`,
    theirs === undefined ? "" : `${theirs.toFixed(2)} ms`,
    note ?? (speedup === undefined ? factor.toFixed(2) : `x${speedup.toFixed(1)}`),
    note ? "" : speedup === undefined ? (1 / least).toFixed(2) : `x${least.toFixed(1)}`,
    goal ?? "",
    goal === undefined ? "" : missed ? "missed" : "ok",
  ]);
  const table = [["", "ours", "theirs", "ratio", "of the least", "goal", ""], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join("  "),
    );
  }
}
