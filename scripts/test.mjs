// `npm test`: the tests that a contributor needs. `npm run test:all`: every test.
//
// `npm test` runs the Rust tests, those of the JavaScript API and the extension in the Node that runs this script,
// those of the extension's bundle in Node 20, and those of the extension in one real host, pi. The rest, which CI runs
// alone with `--rest`, are the other Nodes, Bun, the other hosts, their screens and power loss, with a release build.
// `npm run test:quick` is for quick feedback while editing: unit tests, the API and the extension, no hosts.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { build, QUICK } from "./build.mjs";
import { missing } from "./lab/cache.mjs";
import { downloads, HOSTS, host, runsPi } from "./lab/hosts.mjs";
import { bun, hasNode, node } from "./lab/tools.mjs";
import { root, run, script } from "./run.mjs";
import { Report } from "./test/report.mjs";
import { countEnded, Tally } from "./test/tally.mjs";

const ALL = process.argv.includes("--all");
const QUICK_LOOP = process.argv.includes("--quick");
const REST = process.argv.includes("--rest");

/** Minutes from a fresh clone on two otherwise idle processors; README.md and CONTRIBUTING.md repeat them. */
const MINUTES = { usual: 6, rest: 14 };

/** Megabytes of packages and crates that the first build fetches. */
const PACKAGES = 130;

const OWN_NODE = Number(process.versions.node.split(".")[0]);

/** The host of `npm test`, and the files of the hosts' tests that need only that host. */
const USUAL_HOST = "pi";
const USUAL_HOST_TESTS = ["cache.test.mjs", "pi.test.mjs"];

const windows = process.platform === "win32";
const log = join("target", "tests", REST ? "rest.log" : "test.log");
const report = new Report(join(root, log));
const tally = new Tally();

// No test may touch the user's own state directory.
const state = mkdtempSync(join(tmpdir(), "hashline-state-"));
process.on("exit", () => rmSync(state, { recursive: true, force: true }));

/** The environment variables of every suite. */
const ENV = { XDG_STATE_HOME: state, LOCALAPPDATA: state, FORCE_COLOR: "0", NO_COLOR: "1" };

/** Runs one suite: prints a line now, and its failures at the end. `again` is the command that runs one test alone. */
async function suite(name, kind, program, args, { again = [program], env = {} } = {}) {
  let done = 0;
  const watch = (text) => {
    done += countEnded(kind, text);
    return `${done} tests`;
  };
  await report.part(
    name,
    async () => {
      const { code, text } = await run(program, args, { env: { ...ENV, ...env } });
      const { passed, failed, skipped } = tally.add(name, kind, code, text, again);
      const counts = [
        `${passed} passed`,
        failed > 0 && `${failed} FAILED`,
        skipped > 0 && `${skipped} skipped`,
      ];
      return `${code === 0 ? "" : `exit code ${code}: `}${counts.filter(Boolean).join(", ")}`;
    },
    watch,
  );
}

/** Prepares something that tests need. If that fails, reports `what` as a failure and returns false. */
async function prepare(name, what, work, watch) {
  try {
    await report.part(name, work, watch);
    return true;
  } catch (error) {
    tally.fail(`${what}: ${error.message}`);
    return false;
  }
}

// Makes cargo draw its progress bar even without a terminal.
process.env.CARGO_TERM_PROGRESS_WHEN = "always";
process.env.CARGO_TERM_PROGRESS_WIDTH = "100";
/** Cargo's progress, read from its progress bar. */
function compileProgress(text) {
  const [, at, of] = [...text.matchAll(/\] (\d+)\/(\d+)/g)].at(-1) ?? [];
  return at && `compiling, ${at} of ${of}`;
}

/** The test files of a directory, as paths from the root. */
async function testFiles(directory) {
  const names = await readdir(join(root, directory));
  return names
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => join(directory, name));
}

/** Runs test files in a Node; a version that cannot read TypeScript gets a loader for it. */
async function inNode(name, major, program, paths) {
  const reader = major < 22 ? ["--import", "./__test__/typescript.mjs"] : [];
  // By default Node leaves one processor idle, which would be half of two.
  const atOnce = `--test-concurrency=${availableParallelism()}`;
  const args = [...reader, "--test", atOnce, "--test-reporter=tap", ...paths];
  await suite(name, "node", program, args, { again: [program, ...reader] });
}

async function rust(which = []) {
  const args = ["test", "--workspace", "--no-fail-fast", ...which];
  const built = () =>
    run("cargo", [...args, "--no-run"]).then(({ code }) => {
      if (code !== 0) throw new Error(`they do not compile: see ${log}`);
    });
  if (await prepare("Rust tests, compiling", "Rust", built, compileProgress))
    await suite("Rust", "cargo", "cargo", args);
}

async function inOwnNode() {
  const paths = [...(await testFiles("__test__")), ...(await testFiles("__test__/extension"))];
  await inNode(`Node ${process.versions.node}`, OWN_NODE, process.execPath, paths);
  if (OWN_NODE < 22 || QUICK_LOOP) return;
  if (!hasNode(20))
    return tally.skip("the bundle in Node 20", `the registry has none for ${process.platform}`);
  const extension = await testFiles("__test__/extension");
  await inNode("The bundle in Node 20", 20, await node(20), extension);
}

/** Tests the extension in real hosts, and installs them first: if one cannot be installed, that is a failure. */
async function inHosts(label, hosts, wanted) {
  if (windows) return tally.skip(label, "the tests isolate hosts by HOME and POSIX shells");
  if (hosts.includes("pi") && !runsPi() && !hasNode(24))
    return tally.skip(label, `pi needs Node 22.19, and the registry has none for ${process.platform}`);
  const install = async () => {
    for (const name of hosts) await host(name);
  };
  if (!(await prepare(`${label}, installing`, label, install))) return;
  const paths = (await testFiles("__test__/hosts")).filter(wanted);
  // Three at once, even on two processors: a host waits for its model half of the time.
  const args = ["--test", "--test-concurrency=3", "--test-reporter=tap", ...paths];
  await suite(label, "node", process.execPath, args);
}

const isUsual = (path) => USUAL_HOST_TESTS.some((name) => path.endsWith(join("hosts", name)));

async function inOtherRuntimes() {
  const library = await testFiles("__test__");
  const paths = [...library, ...(await testFiles("__test__/extension"))];
  for (const major of [20, 22, 24].filter((major) => major !== OWN_NODE)) {
    // `npm test` already tests the extension in Node 20, as a bundle.
    const files = major < 22 ? library : paths;
    if (hasNode(major)) await inNode(`Node ${major}`, major, await node(major), files);
    else tally.skip(`Node ${major}`, `the registry has none for ${process.platform}; run this script in it`);
  }
  const program = await bun();
  // Without the option, Bun ends a test after five seconds; this timeout ends only a test that hangs.
  const args = ["test", "--timeout", "1800000", "--preload", "./__test__/bun.mjs"];
  const files = paths.map((path) => `./${path}`);
  await suite("Bun", "bun", program, [...args, ...files]);
}

/** Simulates some power cuts under a real file system; only root on Linux can. */
async function powerLoss() {
  await report.part("Power loss", async () => {
    const { code, text } = await run(process.execPath, [
      join("__test__", "powerloss", "main.mjs"),
      "--short",
    ]);
    const skipped = /^skipped: (.+)$/m.exec(text);
    if (skipped) tally.skip("power loss", skipped[1]);
    else if (code !== 0)
      tally.fail(`Power loss:\n${text.slice(-3000)}\n  alone: npm run test:powerloss -- --short`);
    return skipped ? "skipped" : code === 0 ? "passed" : "FAILED";
  });
}

/** Prints what will be tested and fetched, how long it takes, and where the log is. */
function announce() {
  const fetched = missing(downloads({ all: REST || ALL }));
  const names = fetched.map(({ name, megabytes }) => `${name} (${megabytes} MB)`);
  if (!existsSync(join(root, "target", "debug"))) names.push(`packages and crates (${PACKAGES} MB)`);
  const minutes = (REST ? 0 : MINUTES.usual) + (REST || ALL ? MINUTES.rest : 0);
  const what = REST
    ? "The rest of test:all: the other Nodes, Bun, the other hosts, their screens, power loss."
    : ALL
      ? "npm run test:all: every test, in Node 20, 22 and 24, Bun and four hosts."
      : `npm test: Rust, the API and the extension in Node ${process.versions.node}, and real pi. \`npm run test:all\` has the rest.`;
  report.print(
    `${what}\n` +
      `${names.length === 0 ? "Nothing has to be fetched" : `Fetches, and keeps for the next time: ${names.join(", ")}`}.\n` +
      `Takes about ${minutes} minutes on two processors, the build included. The full log: ${log}\n\n`,
  );
}

/** What `npm test` runs. */
async function usual() {
  if (!(await prepare("Addon", "The addon", () => build(QUICK), compileProgress))) return;
  await rust();
  await inOwnNode();
  await inHosts(USUAL_HOST, [USUAL_HOST], isUsual);
}

/** What `npm run test:quick` runs. */
async function quick() {
  if (!(await prepare("Addon", "The addon", () => build(QUICK), compileProgress))) return;
  await rust(["--lib"]);
  await inOwnNode();
}

/** What `npm run test:all` runs after `usual`. */
async function rest() {
  if (!(await prepare("Addon, as published", "The addon", () => build(), compileProgress))) return;
  await inOtherRuntimes();
  await inHosts("Hosts", HOSTS, (path) => !isUsual(path));
  await powerLoss();
}

/** Saves the counts for scripts/test/total.mjs, which adds up two runs. */
async function saveCounts() {
  const place = join(root, "target", "tests", REST ? "rest.json" : "test.json");
  await writeFile(place, JSON.stringify(tally.total));
}

await script(async () => {
  const began = performance.now();
  if (!QUICK_LOOP) announce();
  if (QUICK_LOOP) await quick();
  else if (!REST) await usual();
  if (REST || ALL) await rest();
  report.print(`\n${((performance.now() - began) / 60_000).toFixed(1)} minutes; the full log is ${log}\n`);
  await saveCounts();
  tally.finish((text) => report.print(text));
  report.close();
});
