// npm run bench -- startup: what the extension costs a host that starts, answers once and ends.
//
//   node benches/suites/startup.mjs [--rounds N] [HOST...]
//
// Each host runs `-p` in turn without an extension, with an empty one, with our packed one, and with our
// TypeScript. The figures are processor time of the host and its child processes, because time by the clock
// depends on what else the machine does. The cost of an extension is the median, over the rounds, of the
// difference to the start without an extension in the same round.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { finish, workbench } from "../../__test__/hosts/bench.mjs";
import { writeBundle } from "../../scripts/bundle.mjs";
import { HOSTS } from "../../scripts/lab/hosts.mjs";
import { name } from "../../scripts/release/name.mjs";
import { must, npm, root, script } from "../../scripts/run.mjs";

/** bash can print the processor time of a program and its children; Node.js knows only its own. */
const TIMED = `TIMEFORMAT='cpu %U %S'; time "$@" >/dev/null 2>&1 </dev/null`;

/** The milliseconds of processor time that a host takes to answer one prompt. */
async function once(bench) {
  bench.model.play([]);
  const { program, args, env } = bench.invocation(["-p", "--no-session", "go"]);
  const command = ["-c", TIMED, "bash", program, ...args];
  const child = spawn("bash", command, { cwd: bench.work, env, stdio: ["ignore", "pipe", "pipe"] });
  const { code, stderr } = await finish(child);
  const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  if (code !== 0 || user === undefined) throw new Error(`${bench.host.name} ended with ${code}: ${stderr}`);
  return (Number(user) + Number(system)) * 1000;
}

/** The variants to compare, by name: the paths of the extensions that each loads. */
async function variants(place) {
  const empty = join(place, "empty.mjs");
  await writeFile(empty, "export default function () {}\n");
  await writeBundle();
  const printed = await must(npm, ["pack", "--silent", "--pack-destination", place], { quiet: true });
  const installed = join(place, "node_modules", name);
  await mkdir(installed, { recursive: true });
  await must("tar", [
    "xzf",
    join(place, /\S+\.tgz/.exec(printed)[0]),
    "-C",
    installed,
    "--strip-components=1",
  ]);
  return {
    none: [],
    empty: [empty],
    ours: [installed],
    "ours as TypeScript": [join(root, "extension", "index.ts")],
  };
}

async function measure(host, extensions, rounds) {
  const columns = [];
  for (const list of Object.values(extensions)) {
    columns.push({ bench: await workbench(host, { extensions: list }), times: [] });
  }
  try {
    // The first round fills the caches of the disk and of the hosts.
    for (const { bench } of columns) await once(bench);
    for (let round = 0; round < rounds; round++) {
      for (const { bench, times } of columns) times.push(await once(bench));
    }
  } finally {
    for (const { bench } of columns) await bench.close();
  }
  const [none, ...others] = columns.map(({ times }) => times);
  const added = others.map((times) => median(times.map((ms, round) => ms - none[round])));
  return { none: median(none), added };
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

await script(async () => {
  const { values, positionals } = parseArgs({
    options: { rounds: { type: "string", default: "15" } },
    allowPositionals: true,
  });
  const place = await mkdtemp(join(tmpdir(), "hashline-startup-"));
  try {
    const extensions = await variants(place);
    const row = (cells) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
    row(["host", ...Object.keys(extensions)]);
    row(["---", ...Object.keys(extensions).map(() => "--:")]);
    for (const host of positionals.length > 0 ? positionals : HOSTS) {
      const { none, added } = await measure(host, extensions, Number(values.rounds));
      row([host, `${none.toFixed(0)} ms`, ...added.map((ms) => `${ms < 0 ? "" : "+"}${ms.toFixed(0)} ms`)]);
    }
  } finally {
    await rm(place, { recursive: true, maxRetries: 10, force: true });
  }
});
