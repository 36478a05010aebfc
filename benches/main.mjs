// npm run bench: every table of ratios, each measured in one run.
//
//   npm run bench                      all suites
//   npm run bench -- hashline memory   some of them

import { cpus } from "node:os";
import { buildAddon, installPackages } from "../scripts/build.mjs";
import { must, run, script, step } from "../scripts/run.mjs";
import { bun, node } from "../scripts/tools.mjs";

/** The ratio each row is to reach, in Node and in Bun. */
const GOALS = {
  "format 500 lines": [15, 8],
  "format 10 MB": [25, 9],
  "apply 20 edits, 10k lines": [30, 18],
  "apply 20 edits, 1M lines": [12, 5],
  computeLineHash: [3, 2],
  "stream 1 MB of bytes": [1, 1],
  "stream 1 MB of bytes, not ASCII": [1, 1],
  "stream 500 lines of bytes": [1, 1],
  "stream 10k lines": [1, 1],
  "stream 10k lines, awaited": [1, 1],
};

const suites = {
  async hashline() {
    const runtimes = [
      [`Node ${process.versions.node}`, process.execPath, 0],
      ["Node 24", await node(24), 0],
      ["Bun", await bun(), 1],
    ];
    for (const [name, path, column] of runtimes) {
      step(`pi-hash/hashline against the same algorithm in JavaScript, ${name}`);
      const goals = Object.fromEntries(Object.entries(GOALS).map(([row, goal]) => [row, goal[column]]));
      print(await rows(path, ["benches/hashline.mjs", JSON.stringify(goals)]));
    }
  },
  async memory() {
    step("memory for 100 MB: above input and output");
    for (const [name, path] of [
      ["Node", process.execPath],
      ["Bun", await bun()],
    ]) {
      for (const { kind, above } of await rows(path, ["benches/memory.mjs"])) {
        process.stdout.write(`${name}, ${kind}: ${above.toFixed(0)} MB (at most 64)\n`);
      }
    }
  },
  async session() {
    step("sessions against fs.readFile, wc and ripgrep");
    await must(process.execPath, ["benches/session.mjs"]);
  },
  async cli() {
    step("the program against cat and ripgrep");
    await must(process.execPath, ["benches/cli.mjs"]);
  },
  async startup() {
    step("what the extension adds to a host's start");
    await must(process.execPath, ["benches/startup.mjs"]);
  },
};

async function rows(program, args) {
  const { code, text } = await run(program, args, { quiet: true });
  if (code !== 0) throw new Error(`${args[0]} failed with exit code ${code}`);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function print(table) {
  const time = (ms) => (ms < 1 ? `${(ms * 1000).toFixed(1)} us` : `${ms.toFixed(2)} ms`);
  const out = [
    "| work | JavaScript | ours | ratio of medians | of the least | goal |",
    "|---|--:|--:|--:|--:|--:|",
    ...table.map(
      ({ name, base, ours, ratio, best, goal }) =>
        `| ${name} | ${time(base.median)} | ${time(ours.median)} (${time(ours.low)}-${time(ours.high)}) | x${ratio.toFixed(1)} | x${best.toFixed(1)} | ${goal ? `x${goal}` : ""} |`,
    ),
  ];
  process.stdout.write(`${out.join("\n")}\n`);
}

await script(async () => {
  await installPackages();
  await buildAddon();
  process.stdout.write(`\n${cpus().length} x ${cpus()[0].model}\n`);
  const asked = process.argv.slice(2);
  for (const name of asked.length > 0 ? asked : Object.keys(suites)) {
    if (!(name in suites))
      throw new Error(`there is no bench \`${name}\`: ${Object.keys(suites).join(", ")}`);
    await suites[name]();
  }
});
