// How cost grows with size: `npm run bench -- growth [--large]`.
//
// Each row is one kind of work at growing sizes, mostly by a factor of ten. The exponent is fitted to the
// three largest sizes, where fixed costs no longer hide it: 1 means "ten times the size, ten times the time".
// The command fails if one is above 1.1. `--large` adds ten million lines.
//
// The files are in memory if there is room for them: on ext4 without a journal, the more files any program
// removed in the last minute, the longer it takes to make a file, and each row removes ten thousand. The rows
// by number of files are also printed for the disk, without a limit. `--disk` measures everything on the
// disk, with the limit.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session, tagLine } from "../../index.js";

/** A cost that grows faster than the size to this power is a defect. */
const MAX_EXPONENT = 1.1;
/** How often a size is measured; the least time counts, because noise only adds time. */
const ROUNDS = 5;
/** A size that takes longer than this is measured only once, and is the last one of its row. */
const LONGEST_MS = 4_000;

const LARGE = process.argv.includes("--large");
/** Enough room for the largest files, their staged copies and their journals. */
const ROOM_BYTES = LARGE ? 16e9 : 4e9;
let place = process.argv.includes("--disk") ? tmpdir() : inMemory();
const tens = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
const LINES = tens(2, LARGE ? 7 : 6);
const FILES = tens(0, 4);
const OPERATIONS = tens(0, 4);
const VERSIONS = [1, 2, 4, 8, 16, 32, 64];
const EDITS = [1, 4, 16, 64, 256, 1_024];

async function main() {
  const rows = [
    ...(await table("lines", LINES, [read, grep, applyFresh, applyStale, undo])),
    ...(await table("files", FILES, [grepFiles, applyFiles, undoFiles])),
    ...(await table("operations", OPERATIONS, [applyOperations, undoOperations])),
    ...(await table("versions", VERSIONS, [applyOldVersion, undoOldVersion])),
    ...(await table("edits of one file before", EDITS, [applyAgain])),
    memory(LINES.filter((size) => size >= 1_000)),
  ];
  if (place !== tmpdir()) {
    place = tmpdir();
    await table("files, on the disk", FILES, [applyFiles, undoFiles]);
  }
  const missed = rows.filter(({ exponent }) => exponent > MAX_EXPONENT);
  if (missed.length > 0) {
    const names = missed.map(({ name, exponent }) => `${name} (${exponent.toFixed(2)})`);
    process.stdout.write(`\ngrows faster than its size: ${names.join(", ")}\n`);
    process.exitCode = 1;
  }
}

/** Measures each kind of work at each size, and prints the table. */
async function table(unit, sizes, works) {
  head(unit, sizes);
  const rows = [];
  for (const work of works) {
    const costs = [];
    for (const size of sizes.filter((size) => size <= (work.maxSize ?? Number.POSITIVE_INFINITY))) {
      const cost = await inDirectory((root) => least(work, root, size));
      costs.push(cost);
      if (cost > LONGEST_MS) break;
    }
    rows.push(print(work.title ?? words(work.name), sizes, costs, milliseconds));
  }
  return rows;
}

function head(unit, sizes) {
  process.stdout.write(
    `\n| by ${unit} | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} | exponent |\n`,
  );
  process.stdout.write(`|---|${"--:|".repeat(sizes.length + 1)}\n`);
}

function print(name, sizes, costs, show) {
  const exponent = fitted(sizes.slice(0, costs.length), costs);
  const cells = sizes.map((_, at) => (at < costs.length ? show(costs[at]) : ""));
  process.stdout.write(`| ${name} | ${cells.join(" | ")} | ${exponent.toFixed(2)} |\n`);
  return { name, exponent };
}

/** The exponent: the slope of a line through the logarithms of the three largest sizes and their costs. */
function fitted(sizes, costs) {
  const points = sizes.map((size, at) => [Math.log(size), Math.log(costs[at])]).slice(-3);
  const mean = (which) => points.reduce((sum, point) => sum + point[which], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return above / below;
}

/** The least time of several rounds. `work` prepares a size, the result a round; its result is timed. */
async function least(work, root, size) {
  let best = Number.POSITIVE_INFINITY;
  const round = await work(root, size);
  for (let at = 0; at < ROUNDS && (at === 0 || best < LONGEST_MS / ROUNDS); at++) {
    const timed = await round(at);
    const start = performance.now();
    const outcome = await timed();
    best = Math.min(best, performance.now() - start);
    if (outcome.kind === "refused" || outcome.files?.some?.((file) => file.ok === false))
      throw new Error(`${work.name}, ${size}: ${outcome.text.slice(0, 500)}`);
  }
  return best;
}

/** A directory in memory, if the system has one with enough room. */
function inMemory() {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= ROOM_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function inDirectory(use) {
  const root = mkdtempSync(join(place, "hashline-growth-"));
  try {
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, maxRetries: 10, force: true });
  }
}

const options = { maxLines: 4e9, maxBytes: 4e9, durability: "fast", memoryBytes: 2 ** 30 };
const session = (root) => new Session({ root, stateDir: join(root, ".state"), ...options });
const lineOf = (at) => `  line ${at} of the file = value(${at});`;
const anchor = (number, text) => `${number}:${tagLine(text)}`;

/** Writes a file of `size` lines, after the text `before`. */
function writeLines(path, size, before = "") {
  writeFileSync(path, `${before}${Array.from({ length: size }, (_, at) => lineOf(at)).join("\n")}\n`);
}

function fileOf(root, size) {
  const path = join(root, "file.txt");
  writeLines(path, size);
  return path;
}

const setLine = (path, number, old, text) => ({ op: "set_line", path, anchor: anchor(number, old), text });

async function read(root, size) {
  const path = fileOf(root, size);
  const one = session(root);
  return () => () => one.read({ path });
}

async function grep(root, size) {
  const path = fileOf(root, size);
  const one = session(root);
  return () => () => one.grep({ pattern: "value", path, limit: 1e9 });
}

/** Edits a line in the middle of a file that has not changed since it was read. */
async function applyFresh(root, size) {
  const path = fileOf(root, size);
  const one = session(root);
  await one.read({ path });
  const number = Math.ceil(size / 2);
  let old = lineOf(number - 1);
  return (round) => () => {
    const text = `changed ${round}`;
    const patch = [setLine(path, number, old, text)];
    old = text;
    return one.apply({ patch });
  };
}

/** Edits a line in the middle of a file in which every line has moved since it was read. */
async function applyStale(root, size) {
  const path = fileOf(root, size);
  const number = Math.ceil(size / 2);
  return async (round) => {
    const one = session(root);
    writeLines(path, size);
    await one.read({ path });
    writeLines(path, size, `put in ${round}\nabove\n`);
    return () => one.apply({ patch: [setLine(path, number, lineOf(number - 1), "changed")] });
  };
}

// The session does not remember a larger file as a whole, and cannot undo a larger patch.
applyStale.maxSize = 100_000;
undo.maxSize = 100_000;

async function undo(root, size) {
  const path = fileOf(root, size);
  const one = session(root);
  await one.read({ path });
  return async () => {
    const number = Math.ceil(size / 2);
    await one.apply({ patch: [setLine(path, number, lineOf(number - 1), "changed")] });
    return () => one.undo();
  };
}

function filesOf(root, count) {
  mkdirSync(join(root, "files"), { recursive: true });
  return Array.from({ length: count }, (_, at) => {
    const path = join(root, "files", `${at}.txt`);
    writeLines(path, 10);
    return path;
  });
}

async function grepFiles(root, count) {
  filesOf(root, count);
  const one = session(root);
  return () => () => one.grep({ pattern: "line 5", path: "files", limit: 1e9 });
}

async function applyFiles(root, count) {
  const paths = filesOf(root, count);
  const one = session(root);
  let old = lineOf(4);
  return (round) => () => {
    const text = `changed ${round}`;
    const patch = paths.map((path) => setLine(path, 5, old, text));
    old = text;
    return one.apply({ patch });
  };
}

async function undoFiles(root, count) {
  const paths = filesOf(root, count);
  const one = session(root);
  return async () => {
    await one.apply({ patch: paths.map((path) => setLine(path, 5, lineOf(4), "changed")) });
    return () => one.undo();
  };
}

/** Operations on every second line of a file, `count` of them. */
function operations(path, count) {
  return Array.from({ length: count }, (_, at) => setLine(path, 2 * at + 1, lineOf(2 * at), `changed ${at}`));
}

async function applyOperations(root, count) {
  const path = join(root, "file.txt");
  return async () => {
    writeLines(path, 20_000);
    const one = session(root);
    await one.read({ path });
    return () => one.apply({ patch: operations(path, count) });
  };
}

async function undoOperations(root, count) {
  const path = join(root, "file.txt");
  return async () => {
    writeLines(path, 20_000);
    const one = session(root);
    await one.read({ path });
    await one.apply({ patch: operations(path, count) });
    return () => one.undo();
  };
}

/** A session that has read many versions of a file, each with one more line at the top. */
async function afterReading(root, versions) {
  const path = join(root, "file.txt");
  const one = session(root);
  for (let version = 0; version < versions; version++) {
    writeLines(path, 2_000, "put in above\n".repeat(version));
    await one.read({ path });
  }
  return { path, one };
}

async function applyOldVersion(root, versions) {
  return async () => {
    const { path, one } = await afterReading(root, versions);
    return () => one.apply({ patch: [setLine(path, 1_000, lineOf(999), "changed")] });
  };
}

async function undoOldVersion(root, versions) {
  return async () => {
    const { path, one } = await afterReading(root, versions);
    await one.apply({ patch: [setLine(path, 1_000, lineOf(999), "changed")] });
    return () => one.undo();
  };
}

/** One more edit of a file that the session has edited many times. */
async function applyAgain(root, edits) {
  const path = fileOf(root, 80);
  const one = session(root);
  await one.read({ path });
  let old = lineOf(39);
  const next = (text) => {
    const patch = [setLine(path, 40, old, text)];
    old = text;
    return one.apply({ patch });
  };
  for (let edit = 0; edit < edits; edit++) await next(`edited ${edit}`);
  return (round) => () => next(`changed ${round}`);
}

/** How much memory reading and changing a file takes on top, measured in a process for each size. */
function memory(sizes) {
  head("lines, memory of read and apply", sizes);
  const costs = sizes.map((size) => {
    const args = [process.argv[1], "--memory-of", String(size), ...process.argv.slice(2)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return Number(stdout);
  });
  return print("memory", sizes, costs, (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`);
}

async function measureMemory(size) {
  await inDirectory(async (root) => {
    const path = fileOf(root, size);
    const one = session(root);
    globalThis.gc?.();
    writeFileSync("/proc/self/clear_refs", "5"); // forget the peak so far
    const before = peak();
    await one.read({ path });
    await one.apply({ patch: [setLine(path, 1, lineOf(0), "changed")] });
    process.stdout.write(String(Math.max(1, peak() - before)));
  });
}

function peak() {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kilobytes) * 1024;
}

function words(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function milliseconds(time) {
  return time < 10 ? `${time.toFixed(2)} ms` : `${time.toFixed(0)} ms`;
}

const [, , child, childSize] = process.argv;
if (child === "--memory-of") {
  await measureMemory(Number(childSize));
} else {
  await main();
}
