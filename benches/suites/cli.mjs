// The program against `cat -n` and `rg -n ""`: the time of a whole process, and how much memory it needs
// for a long stream.
//
//   node benches/suites/cli.mjs            1 GB of stream
//   GB=10 node benches/suites/cli.mjs      10 GB

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must, root } from "../../scripts/run.mjs";
import { compare } from "../shared/measure.mjs";
import { ripgrep } from "../shared/ripgrep.mjs";

await must("cargo", ["build", "--quiet", "--release", "--package", "hashline-cli"]);
const hashline = join(root, "target/release/hashline");
const directory = mkdtempSync(join(tmpdir(), "hashline-bench-"));
try {
  const file = join(directory, "lines.rs");
  const lines = Array.from(
    { length: 500 },
    (_, n) => `    let total_${n} = items.iter().map(|item| item.price * ${n}).sum();`,
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const run = (program, args) => () => spawnSync(program, args, { stdio: ["ignore", "ignore", "ignore"] });
  const ours = run(hashline, ["--no-memory", "read", file]);
  const remembering = run(hashline, ["--session", "bench", "read", file]);
  const rows = [
    ["cat", run("cat", [file]), ours],
    ["cat -n", run("cat", ["-n", file]), ours],
    ['rg -n ""', run(await ripgrep(), ["-n", "", file]), ours],
    ["cat, remembering what was shown", run("cat", [file]), remembering],
  ];
  process.stdout.write("| against | theirs | ours | ours / theirs | more |\n|---|--:|--:|--:|--:|\n");
  for (const [name, theirs, own] of rows) {
    const { results } = await compare([theirs, own]);
    const [base, ours] = results;
    const ms = (time) => `${time.toFixed(2)} ms`;
    process.stdout.write(
      `| ${name} | ${ms(base.median)} | ${ms(ours.median)} | ${(ours.median / base.median).toFixed(2)} | ${ms(ours.median - base.median)} |\n`,
    );
  }
  process.stdout.write(`binary: ${(statSync(hashline).size / 1e6).toFixed(2)} MB\n`);
  await stream(Number(process.env.GB ?? 1));
} finally {
  rmSync(directory, { recursive: true, maxRetries: 10, force: true });
}

/** Pipes a text of `gigabytes` GB through `hashline read -`, and prints the peak of its memory. */
async function stream(gigabytes) {
  const line = `${"x".repeat(60)}\n`;
  const child = spawn("sh", [
    "-c",
    `yes '${line.trim()}' | head -c ${gigabytes}000000000 | ${hashline} read - > /dev/null & wait`,
  ]);
  const start = performance.now();
  let most = 0;
  const watch = setInterval(() => {
    for (const pid of spawnSync("pgrep", ["-f", `${hashline} read -`])
      .stdout.toString()
      .split("\n")
      .filter(Boolean)) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        if (/^Name:\s+hashline/m.test(status))
          most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
      } catch {
        // The process ended in the meantime.
      }
    }
  }, 100);
  await new Promise((resolve) => child.on("close", resolve));
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(
    `${gigabytes} GB of stream: ${(most / 1024).toFixed(1)} MB of memory, ${seconds.toFixed(1)} s\n`,
  );
}
