// `npx pi-hash`: Node.js loads the native binary and runs the program in its own process.

import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openNative } from "../js/loader.js";
import { cannotStart as skip, startEngine, startsByOwnPath } from "./engine.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, version, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

let place;
/** The workspace. Its state directory is next to it, because it must not be inside. */
let work;
before(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "hashline-program-")));
  work = join(place, "work");
  mkdirSync(work);
  writeFileSync(join(work, "a.txt"), "one\ntwo\n");
});
after(() => rmSync(place, { recursive: true, maxRetries: 10, force: true }));

function start(args, { input = "", script = join(root, bin.hashline) } = {}) {
  // `doctor` also checks what happens without a home directory, in the temporary directory.
  const env = { ...process.env, XDG_STATE_HOME: join(place, "state"), TMPDIR: place };
  return startEngine([script, ...args], { cwd: work, env, input, encoding: "utf8" });
}

test("the binary contains the program", () => assert.equal(typeof openNative().runProgram, "function"));

test("the output and the exit code are the program's", { skip }, () => {
  const { status, stdout, stderr } = start(["read", "a.txt"]);
  assert.deepEqual([status, stderr], [0, ""]);
  assert.match(stdout, /^2:f4\|two$/m);
  assert.deepEqual(
    [start(["verify", "a.txt", "1:60"]).status, start(["verify", "a.txt", "1:00"]).status],
    [0, 1],
  );
  assert.equal(start(["read", "missing.txt"]).status, 2);
});

test("the program prints its version, its help, and errors about its arguments", { skip }, () => {
  assert.equal(start(["--version"]).stdout, `hashline ${version}\n`);
  assert.match(start(["--help"]).stdout, /^Usage: hashline/m);
  const { status, stderr } = start(["raed"]);
  assert.equal(status, 2);
  assert.match(stderr, /unrecognized subcommand 'raed'/);
});

test("the program reads its standard input", { skip }, () => {
  const event = { session_id: "s", cwd: work, hook_event_name: "PreToolUse", tool_name: "Bash" };
  const input = JSON.stringify({ ...event, tool_input: { command: "cat a.txt" } });
  assert.match(start(["hook", "claude"], { input }).stdout, /"permissionDecision":\s*"deny"/);
});

test("the program can start itself", {
  skip: skip || (!startsByOwnPath && "the engine's path is a loader's or an emulator's"),
}, () => {
  const { status, stdout } = start(["doctor", "--simulate"]);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^ok {2}cat of a file: answered$/m);
});

test("without a binary the error says what to install, and no hook takes its exit code for consent", {
  skip,
}, () => {
  const own = join(place, "node_modules", name);
  mkdirSync(join(own, "js"), { recursive: true });
  writeFileSync(join(own, "package.json"), '{"type":"module"}');
  for (const file of ["program.js", "loader.js"]) {
    copyFileSync(join(root, "js", file), join(own, "js", file));
  }
  const { status, stderr } = start(["--version"], { script: join(own, bin.hashline) });
  assert.equal(status, 2);
  assert.match(stderr, /^hashline: cannot load the native part of/);
  assert.match(stderr, /npm install --include=optional/);
});
