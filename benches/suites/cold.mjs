// How long a new process takes to start and to give its first answer: `npm run bench -- cold`.
//
// In each round the first four rows take turns, each in a Node.js of its own: the import of an empty addon,
// which is compiled here, the import of this package as npm installs it, and two whole processes. One more
// process times the parts: the binary alone, the rest of the import, a session, the first and a later read,
// the first and a later apply. Calls as a host makes them, with pauses, are in host.mjs. On a busy machine
// look at the processor time, which does not include waiting for a processor.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load, thisMachine } from "../../js/loader.js";

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
  await timed("the binary", () => load());
  const { Session } = await timed("the rest of `import`", () => import("../../index.js"));
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
  // Imported here only, not in the measured processes, because the module reads all of our sources.
  const { lines } = await import("../shared/code.mjs");
  const file = `//0\n${lines(500).join("\n")}\n`;
  const all = new Map();
  const add = (name, time) => all.set(name, [...(all.get(name) ?? []), time]);
  const place = mkdtempSync(join(tmpdir(), "hashline-cold-"));
  const empty = emptyAddon(place);
  try {
    const [program, ours] = [importer(place), await installed(place)];
    const imported = (entry) => JSON.parse(run([program, pathToFileURL(entry).href]).stdout);
    for (let round = 0; round < ROUNDS; round++) {
      if (empty) add("`import` of an empty addon", imported(empty));
      add("`import` of pi-hash, installed", imported(ours));
      add("a process that imports nothing", elapsed(["-e", "0"]));
      const entry = new URL("../../index.js", import.meta.url).href;
      add(
        "a process that imports pi-hash",
        elapsed(["--input-type=module", "-e", `import ${JSON.stringify(entry)}`]),
      );
      const root = mkdtempSync(join(place, "root-"));
      writeFileSync(join(root, "file.ts"), file);
      const { stdout } = run([process.argv[1], "--parts", root]);
      for (const [name, both] of Object.entries(JSON.parse(stdout))) add(name, both);
    }
  } finally {
    rmSync(place, { recursive: true, maxRetries: 10, force: true });
  }
  if (!empty) process.stdout.write("skipped: `import` of an empty addon, which needs a C compiler, `cc`\n\n");
  process.stdout.write("| part | median | least | processor time, median | least |\n|---|--:|--:|--:|--:|\n");
  for (const [name, times] of all) {
    const [walls, used] = [0, 1].map((which) => times.map((time) => time[which]).sort((a, b) => a - b));
    const ends = [walls[walls.length >> 1], walls[0], used[used.length >> 1], used[0]];
    const cells = ends.map((time) => `${time.toFixed(2)} ms`);
    process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
  }
}

/** The path of a module that loads an empty addon; undefined if the addon cannot be compiled. */
function emptyAddon(place) {
  const source = join(place, "empty.c");
  writeFileSync(source, "void *napi_register_module_v1(void *env, void *exports) { return exports; }\n");
  const { status } = spawnSync("cc", ["-shared", "-fPIC", "-o", join(place, "empty.node"), source]);
  if (status !== 0) return undefined;
  const entry = join(place, "empty.mjs");
  writeFileSync(
    entry,
    'import { createRequire } from "node:module";\nexport default createRequire(import.meta.url)("./empty.node");\n',
  );
  return entry;
}

/** Lays this package out as npm installs it, the binary in a package of its own; returns the entry's path. */
async function installed(place) {
  const { name, platformPackage } = await import("../../scripts/release/name.mjs");
  const { platformOf } = await import("../../scripts/lab/platforms/targets.mjs");
  const platform = platformOf(thisMachine());
  const [main, native] = [name, platformPackage(platform)].map((one) => join(place, "node_modules", one));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  for (const file of ["package.json", "index.js", "js"]) {
    cpSync(join(root, file), join(main, file), { recursive: true });
  }
  cpSync(join(root, "npm", platform), native, { recursive: true });
  cpSync(join(root, `hashline.${platform}.node`), join(native, `hashline.${platform}.node`));
  return join(main, "index.js");
}

/** Writes a program that times the `import` of its argument; returns the program's path. */
function importer(place) {
  const program = join(place, "importer.mjs");
  writeFileSync(
    program,
    `const [start, before] = [performance.now(), process.cpuUsage()];
    await import(process.argv[2]);
    const { user, system } = process.cpuUsage(before);
    process.stdout.write(JSON.stringify([performance.now() - start, (user + system) / 1000]));`,
  );
  return program;
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

/** The processor time of all ended child processes, in milliseconds; only Linux tells. */
function ofChildren() {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

if (process.argv[2] === "--parts") await parts(process.argv[3]);
else await main();
