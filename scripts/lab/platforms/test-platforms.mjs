// npm run test:platforms: runs the library's JavaScript tests with every binary that can run here.
//
//   npm run test:platforms                     every platform that can run here
//   npm run test:platforms -- linux-x64-musl   some of them; each must be able to run
//
// Each platform gets a copy of the package with only its own binary, so that no other can be loaded.
// For emulated processors, the Rust tests of the vector instructions run, too.
// Tests that need more memory or time than an emulator has are reported as skipped.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, script, step } from "../../run.mjs";
import { skips, Tally } from "../../test/tally.mjs";
import { runtimesOf } from "./runtimes.mjs";
import { addRustTarget, obstacle, packageFiles, refuseUnknown, TARGETS, zigEnvironment } from "./targets.mjs";

/** Tests of the repository, not of the binary: their result is the same everywhere. */
const REPOSITORY_TESTS = /^(?:docs|history|lock|name|release|report|tally|verify)\.test\.mjs$/;
/** Tests for Windows only: elsewhere every one of them would be skipped. */
const WINDOWS_TESTS = "windows.test.mjs";
const TIMEOUT = 900_000;

/** Copies all that the tests need into a temporary directory, with one binary; returns its path. */
async function stage(target) {
  const place = await mkdtemp(join(tmpdir(), `hashline-${target.platform}-`));
  const parts = [
    "package.json",
    "index.js",
    "index.d.ts",
    "js",
    "extension",
    "__test__",
    "benches",
    "scripts",
    "src",
    "docs",
    "crates",
    "README.md",
    "Cargo.toml",
    "npm",
  ];
  for (const part of parts) {
    await cp(join(root, part), join(place, part), {
      recursive: true,
      filter: (path) => !path.endsWith(".node"),
    });
  }
  await copyFile(packageFiles(target).addon, join(place, `hashline.${target.platform}.node`));
  // "junction" counts only on Windows, where making a junction needs no privilege.
  await symlink(join(root, "node_modules"), join(place, "node_modules"), "junction");
  return place;
}

/** Runs one test file, without Node's test runner, which cannot start another process in an emulator. */
async function runFile(runtime, place, file) {
  const [program, ...first] = runtime.command;
  const args = runtime.bun ? ["test", "--timeout", "300000", `./${file}`] : [file];
  const env = {
    ...process.env,
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    ...(runtime.emulated && { HASHLINE_EMULATED: "1" }),
    // Not for Wine, which starts programs for Windows by their own path.
    ...(!runtime.windows && first.length > 0 && { HASHLINE_ENGINE: JSON.stringify(runtime.command) }),
    ...runtime.env,
  };
  // The output goes into a file, because Node cannot write to a pipe in Wine.
  const output = join(place, "output.txt");
  const sink = openSync(output, "w");
  const child = spawn(program, [...first, ...args], { cwd: place, env, stdio: ["ignore", sink, sink] });
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  closeSync(sink);
  return { code: code ?? signal, text: readFileSync(output, "utf8").replaceAll("\r\n", "\n") };
}

/** Compiles the Rust tests of the vector instructions for a target, and runs them by `command`. */
async function runKernels(target, command) {
  await addRustTarget(target);
  const runner = `CARGO_TARGET_${target.rust.toUpperCase().replaceAll("-", "_")}_RUNNER`;
  const env = { ...(await zigEnvironment()), [runner]: command.join(" ") };
  const flags = ["--package", "hashline-text", "--lib"];
  const args = ["test", ...flags, "--target", target.rust + target.zig];
  return run("cargo-zigbuild", args, { env, quiet: true, mayFail: true });
}

async function test(target, tally, rows, isNamed) {
  const { platform } = target;
  const runtimes = await runtimesOf(platform);
  // The release passes the platform that it will publish, so a platform that was passed must be tested.
  if (isNamed && runtimes.every(({ skipped }) => skipped)) {
    for (const { name, skipped } of runtimes) tally.fail(`${platform}, ${name}: ${skipped}`);
    return;
  }
  for (const runtime of runtimes) {
    if (runtime.skipped) {
      tally.skip(`${platform}, ${runtime.name}`, runtime.skipped);
      rows.push({
        platform,
        runtime: runtime.name,
        passed: 0,
        failed: 0,
        skipped: "all",
        why: runtime.skipped,
      });
      continue;
    }
    step(`${platform}, ${runtime.name}`);
    const place = await stage(target);
    const sum = { passed: 0, failed: 0, skipped: 0 };
    try {
      for (const name of await testFiles(place, runtime)) {
        const { code, text } = await runFile(runtime, place, join("__test__", name));
        const counted = tally.add(
          `${platform}, ${runtime.name}, ${name}`,
          runtime.bun ? "bun" : "node",
          code,
          text,
        );
        for (const key of Object.keys(sum)) sum[key] += counted[key];
        process.stdout.write(
          `${name}: ${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped\n`,
        );
        for (const { name, reason } of skips(text)) process.stdout.write(`  skipped: ${name}: ${reason}\n`);
        if (code !== 0) process.stdout.write(`${failures(text)}\n`);
      }
    } finally {
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    }
    rows.push({ platform, runtime: runtime.name, ...sum, why: "" });
    if (runtime.runsRust) {
      const name = "vector instructions, in Rust";
      const { code, text } = await runKernels(target, runtime.runsRust);
      const counted = tally.add(`${platform}, ${name}`, "cargo", code, text);
      if (code !== 0) process.stdout.write(`${text.slice(-2000)}\n`);
      rows.push({ platform, runtime: name, ...counted, why: "" });
    }
  }
}

/** The test files that depend on the binary and can run in the runtime. */
async function testFiles(place, { windows = process.platform === "win32" }) {
  const files = (await readdir(join(place, "__test__"))).filter((name) => name.endsWith(".test.mjs"));
  return files.filter((name) => !REPOSITORY_TESTS.test(name) && (windows || name !== WINDOWS_TESTS)).sort();
}

/** The part of a failed run's output that is about its failures. */
function failures(text) {
  const found = text
    .split(/^(?=(?:not ok|✖|\(fail\)))/m)
    .slice(1)
    .map((part) => part.slice(0, 1500));
  return found.length > 0 ? found.join("\n") : text.slice(-2000);
}

await script(async () => {
  const wanted = process.argv.slice(2);
  refuseUnknown(wanted);
  await mkdir(tmpdir(), { recursive: true });
  const tally = new Tally();
  const rows = [];
  const isNamed = ({ platform }) => wanted.includes(platform);
  for (const target of TARGETS.filter((target) => wanted.length === 0 || isNamed(target))) {
    const reason = obstacle(target);
    if (existsSync(packageFiles(target).addon)) await test(target, tally, rows, isNamed(target));
    else if (reason && !isNamed(target)) tally.skip(target.platform, reason);
    else tally.fail(`${target.platform}: there is no binary; \`npm run build:all\` makes it`);
  }
  console.table(rows);
  tally.finish();
});
