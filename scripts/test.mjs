// The one command for newcomers and CI: installs, builds, and runs every test there is.
//
// Rust first, then the JavaScript tests in each runtime we promise: the Node that runs this script,
// Node 22 and 24, and Bun; then the extension in the real hosts. The last line counts them all.
//
// `npm run test:quick` is for the time between two edits: the addon without link-time optimisation,
// the Rust tests, the JavaScript tests in one Node, no hosts.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hasTmux } from "../__test__/hosts/screen.mjs";
import { build, installPackages } from "./build.mjs";
import { missing } from "./cache.mjs";
import { HOSTS, host, downloads as hostDownloads } from "./hosts.mjs";
import { root, run, script, step } from "./run.mjs";
import { Tally } from "./tally.mjs";
import { bun, hasNode, node, downloads as toolDownloads } from "./tools.mjs";

const QUICK = process.argv.includes("--quick");

/** What `npm test` takes on two processors that do nothing else; CONTRIBUTING.md has the same figure. */
const MINUTES = 12;

/** Node reads TypeScript by itself from this version on. */
const READS_TYPESCRIPT = 22;
const OWN_NODE = Number(process.versions.node.split(".")[0]);

const tally = new Tally();

async function suite(name, kind, program, args, env = {}) {
  step(name);
  const { code, text } = await run(program, args, { env: { FORCE_COLOR: "0", NO_COLOR: "1", ...env } });
  tally.add(name, kind, code, text);
}

/** The test files of a directory, as paths from the root. */
async function testFiles(directory) {
  const names = await readdir(join(root, directory));
  return names
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => join(directory, name));
}

/** Says what is about to happen: what is fetched, where it is kept, and how long it takes. */
function announce() {
  const fetched = missing([...toolDownloads(), ...hostDownloads()]);
  const size = fetched.reduce((sum, { megabytes }) => sum + megabytes, 0);
  const names = fetched.map(({ name, megabytes }) => `${name} (${megabytes} MB)`).join(", ");
  step("npm test: Rust, Node, Bun and the real hosts. `npm run test:quick` is the short one.");
  process.stdout.write(
    `${size === 0 ? "Every tool and host is here already" : `Fetches ${size} MB, kept for the next time: ${names}`}.\n` +
      `Takes about ${MINUTES} minutes on two processors, the build included, and longer for what has to be fetched.\n`,
  );
}

/** The extension in the real hosts, which are installed first: a host that cannot be had is a failure. */
async function hosts() {
  if (process.platform === "win32") {
    tally.skip("Hosts", "the tests isolate them by HOME and POSIX shells, which Windows does not have");
    return;
  }
  try {
    for (const name of HOSTS) await host(name);
  } catch (error) {
    tally.fail(`Hosts: ${error.message}`);
    return;
  }
  // Three at once, also on two processors: a host waits for its model as often as it works.
  const args = ["--test", "--test-concurrency=3", ...(await testFiles("__test__/hosts"))];
  await suite("Hosts", "node", process.execPath, args);
  if (!hasTmux) step("The hosts' screens were skipped: tmux is not installed");
}

/** Cuts the power of a real file system a few times; only root can, on Linux. */
async function powerLoss() {
  step("Power loss");
  const { code, text } = await run(process.execPath, [join("__test__", "powerloss", "main.mjs"), "--short"]);
  const skipped = /^skipped: (.+)$/m.exec(text);
  if (skipped) tally.skip("Power loss", skipped[1]);
  else if (code !== 0) tally.fail("Power loss");
}

async function quick() {
  await installPackages();
  await build("quick");
  // The same profile as the addon's, so that dependencies are compiled once; no documentation tests.
  const rust = ["test", "--workspace", "--profile", "quick", "--lib", "--bins", "--tests", "--quiet"];
  await suite("Rust", "cargo", "cargo", [...rust, "--no-fail-fast"]);
  const runtime = OWN_NODE >= READS_TYPESCRIPT ? process.execPath : await node(24);
  const paths = [...(await testFiles("__test__")), ...(await testFiles("__test__/extension"))];
  // The random trials are many, because the whole run can afford them.
  await suite("Node", "node", runtime, ["--test", ...paths], { HASHLINE_TRIALS: "200" });
}

async function whole() {
  announce();
  await installPackages();
  await build();
  await suite("Rust", "cargo", "cargo", ["test", "--workspace", "--quiet", "--no-fail-fast"]);
  const library = await testFiles("__test__");
  const extension = await testFiles("__test__/extension");
  const paths = [...library, ...extension];
  const own = `Node ${process.versions.node}`;
  await suite(own, "node", process.execPath, ["--test", ...(OWN_NODE < READS_TYPESCRIPT ? library : paths)]);
  if (OWN_NODE < READS_TYPESCRIPT)
    step(`Extension in ${own}: not run, it cannot read TypeScript; pi's loader does`);
  for (const major of [22, 24].filter((major) => major !== OWN_NODE)) {
    if (hasNode(major)) await suite(`Node ${major}`, "node", await node(major), ["--test", ...paths]);
    else
      tally.skip(
        `Node ${major}`,
        `the registry has no Node ${major} for ${process.platform}; run this script in it`,
      );
  }
  await suite("Bun", "bun", await bun(), [
    "test",
    "--timeout",
    "120000",
    ...paths.map((path) => `./${path}`),
  ]);
  await hosts();
  await powerLoss();
}

await script(async () => {
  const start = performance.now();
  await (QUICK ? quick() : whole());
  step(`${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
  tally.finish();
});
