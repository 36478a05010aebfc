// npm run bench: prints tables of ratios; both sides of a ratio are measured in the same run.
//
//   npm run bench                             all suites
//   npm run bench -- hashline memory          some of them
//   npm run bench -- --against DIR            in turns with another build, whose .node is in DIR
//   npm run bench -- --cpu avx2               as on a processor with no newer features than these
//   npm run bench -- hashline --only 500      rows with this in their name
//   npm run bench -- --runtime "Node 24"      in this runtime only
//   npm run bench -- hashline --write         saves the figures for docs/benchmarks.md
//
// `--built` measures the present build instead of building first.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildAddon, installPackages } from "../scripts/build.mjs";
import { bun, node } from "../scripts/lab/tools.mjs";
import { must, run, script, step } from "../scripts/run.mjs";
import { record } from "./shared/figures.mjs";

/** The ratio that each row must reach without AVX-512, in Node 20, Node 24 and Bun. */
const GOALS = {
  "format 50 lines": [14, 14, 8],
  "format 500 lines": [20, 18, 11],
  "format 10k lines": [20, 18, 13],
  "format 10 MB": [50, 40, 18],
  "format 10 MB, not ASCII": [15, 12, 8],
  "apply 20 edits, 10k lines": [45, 40, 30],
  "apply 20 edits, 1M lines": [40, 40, 20],
  computeLineHash: [4, 4, 3.2],
  "stream 1 MB of bytes": [5, 5, 5],
  "stream 1 MB of bytes, not ASCII": [5, 5, 5],
  "stream 500 lines of bytes": [5, 5, 5],
  "stream 10k lines": [5, 5, 5],
  "stream 10k lines, awaited": [5, 5, 5],
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    built: { type: "boolean", default: false },
    cpu: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    runtime: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});

const suites = {
  async hashline() {
    const measured = [];
    for (const [column, [name, path]] of (await runtimes()).entries()) {
      if (!name.includes(options.runtime)) continue;
      step(`pi-hash/hashline against the same algorithm in JavaScript, ${name}`);
      const table = await rows(path, ["benches/suites/hashline.mjs", ...options.only]);
      print(table, column);
      measured.push({ name, table });
    }
    if (options.write) record("hashline", { command: "npm run bench -- hashline", ...ratios(measured) });
  },
  async memory() {
    step("memory for 100 MB: above input and output");
    for (const [name, path] of (await runtimes()).toSpliced(1, 1)) {
      for (const { kind, above } of await rows(path, ["benches/suites/memory.mjs"])) {
        process.stdout.write(`${name}, ${kind}: ${above.toFixed(0)} MB (at most 64)\n`);
      }
    }
  },
  async session() {
    step("sessions against fs.readFile, wc and ripgrep");
    await must(process.execPath, [
      "benches/suites/session.mjs",
      ...options.only.map((part) => `--only=${part}`),
    ]);
  },
  host: byItself("calls as a host makes them", "host"),
  cli: byItself("the program against cat and ripgrep", "cli"),
  guard: byItself("judging a shell command", "guard"),
  transaction: byItself("a patch against plain and careful writes", "transaction"),
  growth: byItself("how cost grows with size", "growth"),
  cold: byItself("the first import, read and apply of a process", "cold"),
  startup: byItself("what the extension adds to a host's start", "startup"),
};

/** Makes a suite that runs a script of its own. */
function byItself(title, file) {
  return async () => {
    step(title);
    await must(process.execPath, [`benches/suites/${file}.mjs`]);
  };
}

async function runtimes() {
  return [
    [`Node ${process.versions.node}`, process.execPath],
    ["Node 24", await node(24)],
    ["Bun", await bun()],
  ];
}

async function rows(program, args) {
  const { code, text } = await run(program, args, { quiet: true });
  if (code !== 0) throw new Error(`${args[0]} failed with exit code ${code}`);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The ratios to JavaScript, a column for each runtime; `*` marks a spread that stayed above 3 %. */
function ratios(measured) {
  const cell = ({ results: [base, ours], settled }) =>
    `x${(base.median / ours.median).toFixed(1)}${settled ? "" : "*"}`;
  const head = ["work", ...measured.map(({ name }) => name)];
  const rows = measured[0].table.map(({ name }, at) => [
    name,
    ...measured.map(({ table }) => cell(table[at])),
  ]);
  const [, ...lines500] = rows.find(([name]) => name === "format 500 lines") ?? [];
  const values = Object.fromEntries(["node20", "node24", "bun"].map((name, at) => [name, lines500[at]]));
  return { values, tables: { ratios: { head, rows } } };
}

/** Prints the table of one runtime; with another build also its ratio, and our time divided by its time. */
function print(table, column) {
  const time = (ms) => (ms < 1 ? `${(ms * 1000).toFixed(1)} us` : `${ms.toFixed(2)} ms`);
  const against = options.against !== undefined;
  const heads = ["work", "JavaScript", "ours", "ratio", "of the least", "goal", "", "spread"];
  if (against) heads.push("other build", "its ratio", "ours / other");
  const lines = table.map(({ name, results: [base, ours, other], spread, settled, rounds }) => {
    const ratio = base.median / ours.median;
    const goal = GOALS[name]?.[column];
    const row = [
      name,
      time(base.median),
      `${time(ours.median)} (${time(ours.low)}-${time(ours.high)})`,
      `x${ratio.toFixed(1)}`,
      `x${(base.least / ours.least).toFixed(1)}`,
      goal ? `x${goal}` : "",
      goal ? (ratio < goal ? "missed" : "ok") : "",
      `${(spread * 100).toFixed(0)} %${settled ? "" : ` after ${rounds} rounds: noisy`}`,
    ];
    if (against)
      row.push(
        time(other.median),
        `x${(base.median / other.median).toFixed(1)}`,
        (ours.median / other.median).toFixed(2),
      );
    return row;
  });
  const rule = heads.map((_, index) => (index === 0 ? "---" : "--:"));
  for (const row of [heads, rule, ...lines]) process.stdout.write(`| ${row.join(" | ")} |\n`);
}

await script(async () => {
  for (const name of positionals) {
    if (!(name in suites))
      throw new Error(`there is no bench \`${name}\`: ${Object.keys(suites).join(", ")}`);
  }
  if (options.against !== undefined) process.env.HASHLINE_BENCH_AGAINST = resolve(options.against);
  if (options.cpu !== undefined) process.env.HASHLINE_CPU = options.cpu;
  await installPackages();
  if (!options.built) await buildAddon();
  // In a process of its own, because loading the addon reads the environment that was just set.
  process.stdout.write("\n");
  await must(process.execPath, ["benches/shared/machine.mjs"]);
  for (const name of positionals.length > 0 ? positionals : Object.keys(suites)) await suites[name]();
});
