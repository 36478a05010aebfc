// The one command for newcomers and CI: installs, builds, and runs every test there is.
//
// Rust first, then the JavaScript tests in each runtime we promise: the Node that runs this script,
// Node 22 and 24, and Bun; then the extension in the real hosts. The last line counts them all.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasTmux } from "../__test__/hosts/screen.mjs";
import { buildAddon, installPackages } from "./build.mjs";
import { HOSTS, host } from "./hosts.mjs";
import { root, run, script, step } from "./run.mjs";
import { bun, node } from "./tools.mjs";

/** What each runner says at its end. */
const COUNTS = {
  cargo: { passed: /(\d+) passed;/g, failed: /(\d+) failed;/g },
  node: { passed: /^(?:#|ℹ) pass (\d+)/gm, failed: /^(?:#|ℹ) fail (\d+)/gm },
  bun: { passed: /^\s*(\d+) pass$/gm, failed: /^\s*(\d+) fail$/gm },
};

const total = { passed: 0, failed: 0 };
const broken = [];

async function suite(name, kind, program, args) {
  step(name);
  const { code, text } = await run(program, args, { env: { FORCE_COLOR: "0", NO_COLOR: "1" } });
  const count = (pattern) => [...text.matchAll(pattern)].reduce((sum, [, n]) => sum + Number(n), 0);
  const [passed, failed] = [count(COUNTS[kind].passed), count(COUNTS[kind].failed)];
  total.passed += passed;
  total.failed += failed;
  if (code !== 0 || failed > 0) broken.push(`${name} (exit code ${code}, ${failed} failed)`);
  else if (passed === 0) broken.push(`${name} ran no test`);
}

/** The test files of a directory, as paths from the root. */
async function testFiles(directory) {
  const names = await readdir(join(root, directory));
  return names
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => join(directory, name));
}

/** The extension in the real hosts, which are installed first: a host that cannot be had is a failure. */
async function hosts() {
  if (process.platform === "win32") {
    step("Hosts: skipped, the tests isolate them by HOME and POSIX shells, which Windows has not");
    return;
  }
  try {
    for (const name of HOSTS) await host(name);
  } catch (error) {
    broken.push(`Hosts: ${error.message}`);
    return;
  }
  if (!hasTmux) step("Hosts' screens: skipped, tmux is not there");
  // Three at once, also on two processors: a host waits for its model as often as it works.
  const args = ["--test", "--test-concurrency=3", ...(await testFiles("__test__/hosts"))];
  await suite("Hosts", "node", process.execPath, args);
}

await script(async () => {
  await installPackages();
  await buildAddon();
  await suite("Rust", "cargo", "cargo", ["test", "--workspace", "--quiet", "--no-fail-fast"]);
  const library = await testFiles("__test__");
  // These import TypeScript, which Node reads by itself from 22 on; in Node 20 pi's loader reads it.
  const paths = [...library, ...(await testFiles("__test__/extension"))];
  const own = Number(process.versions.node.split(".")[0]);
  await suite(`Node ${process.versions.node}`, "node", process.execPath, [
    "--test",
    ...(own < 22 ? library : paths),
  ]);
  for (const major of [22, 24]) {
    if (major !== own) await suite(`Node ${major}`, "node", await node(major), ["--test", ...paths]);
  }
  await suite("Bun", "bun", await bun(), [
    "test",
    "--timeout",
    "120000",
    ...paths.map((path) => `./${path}`),
  ]);
  await hosts();

  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  if (broken.length > 0) throw new Error(`not everything passed:\n  ${broken.join("\n  ")}`);
});
