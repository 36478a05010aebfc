// What a new process waits for: `npm run bench -- cold`.
//
// Each round starts a Node.js of its own, in turn with one that imports nothing. Inside of it the parts
// are timed: the binary alone, everything else of the import, the first and a later read, the first and a
// later apply. On a busy machine look at the processor time, which waiting for a processor is no part of.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../js/loader.js";

const ROUNDS = 21;

/** Times the parts, and prints them as JSON. */
async function parts(root) {
  const times = {};
  const timed = async (name, work) => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const made = await work();
    const { user, system } = process.cpuUsage(before);
    times[name] = [performance.now() - start, (user + system) / 1000];
    return made;
  };
  await timed("the binary", () => load({ require: createRequire(import.meta.url) }));
  const { Session } = await timed("the rest of `import`", () => import("../index.js"));
  const session = await timed("a session", () => new Session({ root }));
  await timed("first read", () => session.read({ path: "file.ts" }));
  for (let at = 0; at < 5; at++) await timed("later read", () => session.read({ path: "file.ts" }));
  for (const name of ["first apply", "later apply"]) {
    const patch = [{ op: "replace", path: "file.ts", old_text: "//0", new_text: `//0 // ${name}` }];
    const { kind, text } = await timed(name, () => session.apply({ patch }));
    if (kind !== "applied") throw new Error(text);
  }
  process.stdout.write(JSON.stringify(times));
}

async function main() {
  // Not in the processes that are measured: it reads all of our sources.
  const { lines } = await import("./code.mjs");
  const all = new Map();
  const add = (name, time) => all.set(name, [...(all.get(name) ?? []), time]);
  for (let round = 0; round < ROUNDS; round++) {
    const root = mkdtempSync(join(tmpdir(), "hashline-cold-"));
    writeFileSync(join(root, "file.ts"), `//0\n${lines(500).join("\n")}\n`);
    try {
      add("a process that imports nothing", elapsed(["-e", "0"]));
      const entry = new URL("../index.js", import.meta.url).href;
      add(
        "a process that imports pi-hash",
        elapsed(["--input-type=module", "-e", `import ${JSON.stringify(entry)}`]),
      );
      const { stdout } = run([process.argv[1], "--parts", root]);
      for (const [name, both] of Object.entries(JSON.parse(stdout))) add(name, both);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  process.stdout.write("| part | median | least | processor time, median |\n|---|--:|--:|--:|\n");
  for (const [name, times] of all) {
    const [walls, used] = [0, 1].map((which) => times.map((time) => time[which]).sort((a, b) => a - b));
    const cells = [walls[ROUNDS >> 1], walls[0], used[ROUNDS >> 1]].map((time) => `${time.toFixed(2)} ms`);
    process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
  }
}

function run(args) {
  const made = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr);
  return made;
}

/** The time of a whole process, and its processor time. */
function elapsed(args) {
  const [start, before] = [performance.now(), ofChildren()];
  run(args);
  return [performance.now() - start, ofChildren() - before];
}

/** The processor time of all processes that this one has started and seen end: Linux only. */
function ofChildren() {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

if (process.argv[2] === "--parts") await parts(process.argv[3]);
else await main();
