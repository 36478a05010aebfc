// `npm run test:fuzz`: runs libFuzzer with AddressSanitizer on every part that reads untrusted bytes.
//
//   npm run test:fuzz                        an hour of processor time for each target
//   npm run test:fuzz -- guard patch         some targets
//   npm run test:fuzz -- --minutes 5         a shorter run
//
// Two targets run at a time, at low priority. The inputs that reach new code stay in target/fuzz/corpus, and the next
// run starts with them; an input that breaks a property is saved in target/fuzz/found, and the command fails.
// It needs a nightly Rust, because only there the compiler can count branches for the fuzzer; `npm test` checks the
// same properties with a stable Rust and mutations of the same seeds (crates/wire/tests/all/robust.rs).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { must, root, script, step } from "../run.mjs";
import { hasSanitizer, SANITIZED } from "./nightly.mjs";

const HOME = join(root, "target", "fuzz");
const AT_ONCE = 2;
/** How many ticks, the unit of processor time in /proc, Linux counts in a second. */
const TICKS = 100;

const FLAGS = [
  "-Cpasses=sancov-module",
  ...["level=4", "inline-8bit-counters", "pc-table", "trace-compares"].map(
    (option) => `-Cllvm-args=-sanitizer-coverage-${option}`,
  ),
  "-Zsanitizer=address",
  "-Cdebug-assertions",
  "-Ccodegen-units=1",
  "--cfg=fuzzing",
];

/** Makes the seeds that only our own code can write: journals and saved memory. */
async function makeSeeds() {
  const args = ["test", "-p", "hashline-wire", "--test", "all", "--quiet", "--", "robust::"];
  await must("cargo", args, { env: { HASHLINE_SEEDS: join(HOME, "seeds") }, quiet: true });
}

async function buildTargets() {
  const args = [
    "+nightly",
    "build",
    "--release",
    "--target",
    SANITIZED,
    "--manifest-path",
    "fuzz/Cargo.toml",
  ];
  const env = { CARGO_TARGET_DIR: HOME, RUSTFLAGS: FLAGS.join(" ") };
  await must("cargo", args, { env });
}

/** The processor time of a process in seconds, or undefined once it has ended. */
async function processorTime(pid) {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return undefined;
  }
}

/** Runs one target until it has used its processor time, or has found something. */
async function fuzz(name, minutes) {
  const [corpus, found] = [join(HOME, "corpus", name), join(HOME, "found")];
  for (const directory of [corpus, found]) await mkdir(directory, { recursive: true });
  for (const seeds of [join(root, "fuzz", "seeds", name), join(HOME, "seeds", name)])
    if (existsSync(seeds)) await cp(seeds, corpus, { recursive: true });
  const options = [
    "-print_final_stats=1",
    "-timeout=20",
    "-max_len=8192",
    `-artifact_prefix=${found}/${name}-`,
  ];
  const child = spawn(join(HOME, SANITIZED, "release", name), [corpus, ...options], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  setPriority(child.pid, 19);
  let [log, seconds] = ["", 0];
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const watch = setInterval(async () => {
    seconds = (await processorTime(child.pid)) ?? seconds;
    // On an interrupt, libFuzzer prints its figures and ends.
    if (seconds >= minutes * 60) child.kill("SIGINT");
  }, 1000);
  await once(child, "close");
  clearInterval(watch);
  const last = [...log.matchAll(/cov: (\d+) ft: (\d+)/g)].at(-1) ?? [];
  const broken = /SUMMARY: .+|ERROR: .+|panicked at .+/.exec(log)?.[0];
  if (broken && !log.includes("run interrupted")) process.stderr.write(log.slice(-4000));
  return {
    target: name,
    inputs: Number(/number_of_executed_units: (\d+)/.exec(log)?.[1] ?? 0),
    minutes: Number((seconds / 60).toFixed(1)),
    branches: Number(last[1] ?? 0),
    corpus: (await readdir(corpus)).length,
    result: log.includes("run interrupted") ? "nothing found" : (broken ?? "it ended by itself"),
  };
}

await script(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: "string", default: "60" } },
  });
  const files = await readdir(join(root, "fuzz", "fuzz_targets"));
  const all = files.map((file) => file.replace(/\.rs$/, "")).sort();
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Error(`no such target: ${unknown.join(", ")}; there are ${all.join(", ")}`);
  if (!(Number(values.minutes) > 0))
    throw new Error(`--minutes: \`${values.minutes}\` is not a number above 0`);
  if (!(await hasSanitizer())) return;
  step("Building the fuzz targets");
  await makeSeeds();
  await buildTargets();
  const waiting = positionals.length > 0 ? positionals : all;
  step(
    `Fuzzing ${waiting.join(", ")}: ${values.minutes} minutes of processor time each, ${AT_ONCE} at a time`,
  );
  const rows = [];
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const row = await fuzz(name, Number(values.minutes));
      process.stdout.write(`${row.target}: ${row.inputs} inputs, ${row.result}\n`);
      rows.push(row);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.table(rows);
  if (rows.some(({ result }) => result !== "nothing found")) throw new Error("a property does not hold");
});
