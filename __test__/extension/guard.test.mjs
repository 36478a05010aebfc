// The guard in the extension: which calls are judged, and what comes back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf } from "../../extension/guard.ts";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\ntwo\nthree\n", "sub/b.txt": "bee\n" };

test("a blocked read is answered with the lines, which are anchors from then on", async (t) => {
  const host = await startHost(t, { files: FILES });
  const { text, blocked } = await host.call("bash", { command: "head -n 2 a.txt" });
  assert.ok(blocked);
  assert.match(text, /This time it was done for you:\n\na\.txt \(lines 1-2 of 3\)\n1:60\|one\n2:f4\|two\n/);
  const patch = [{ op: "set_line", path: "a.txt", anchor: "2:f4", text: "TWO" }];
  assert.doesNotMatch((await host.call("apply_hash", { patch })).text, /unverified/);
});

test("a blocked search is answered with the matches", async (t) => {
  const host = await startHost(t, { files: FILES });
  const { text } = await host.call("bash", { command: "grep -n t a.txt" });
  assert.match(text, /2:f4\|two\n3:f8\|three/);
});

test("a blocked write says which call to make", async (t) => {
  const host = await startHost(t, { files: FILES });
  const { text } = await host.call("bash", { command: "sed -i s/one/1/ a.txt" });
  assert.match(text, /use apply_hash/);
});

test("paths are those of the call's own directory", async (t) => {
  const host = await startHost(t, { kind: "omp", files: FILES });
  const { text } = await host.call("bash", { command: "cat b.txt", cwd: "sub" });
  assert.match(text, /1:\w+\|bee/);
});

test("other commands run", async (t) => {
  const host = await startHost(t, { files: FILES });
  for (const command of ["npm test | tail -n 5", "git status", "ls -la"]) {
    assert.equal((await host.call("bash", { command })).text, "ran", command);
  }
});

test("nudge runs the command, adds a note, and shows itself in the footer", async (t) => {
  const host = await startHost(t, { files: FILES, settings: { guard: "nudge" } });
  const { text, blocked } = await host.call("bash", { command: "cat a.txt" });
  assert.equal(blocked, undefined);
  assert.match(text, /^ran\nnote: `cat` prints `a.txt` without anchors/);
  assert.equal(host.statuses.hashline, "hashline guard: nudge");
  assert.equal((await host.call("bash", { command: "ls" })).text, "ran");
});

test("off leaves every command alone", async (t) => {
  const host = await startHost(t, { files: FILES, settings: { guard: "off" } });
  assert.equal((await host.call("bash", { command: "cat a.txt" })).text, "ran");
  assert.equal(host.statuses.hashline, "hashline guard: off");
});

const call = (toolName, input) =>
  commandsOf({ toolName, toolCallId: "x", input }).map(({ command }) => command);

test("what else runs commands is judged as a command", () => {
  assert.deepEqual(call("bash", { command: "ls" }), ["ls"]);
  assert.deepEqual(call("bash", {}), []);
  assert.deepEqual(call("read", { path: "a" }), []);
  assert.deepEqual(call("hub", { op: "start", application: "cat", args: ["it's", "b"] }), [
    "'cat' 'it'\\''s' 'b'",
  ]);
  assert.deepEqual(call("hub", { op: "logs", application: "cat" }), []);
  assert.deepEqual(call("eval", { language: "py", code: "x = 1\n!cat a.txt" }), [
    "python3 -c 'x = 1\n!cat a.txt'",
    "cat a.txt",
  ]);
});

for (const [language, code, blocked] of [
  ["py", "open('a.txt', 'w').write('x')", true],
  ["js", "await Bun.write('a.txt', 'x')", true],
  ["js", "require('fs').writeFileSync('a.txt', 'x')", true],
  ["js", 'write("a.txt", "x")', true],
  ["py", 'append("a.txt", "x")', true],
  ["py", 'write("local://notes.md", "x")', false],
  ["py", "stream.write('x')", false],
  ["py", "import json\nprint(json.dumps([1, 2]))", false],
  ["js", "console.log([1, 2].map((n) => n * 2))", false],
]) {
  test(`omp's eval: ${code} is ${blocked ? "blocked" : "left alone"}`, async (t) => {
    const host = await startHost(t, { kind: "omp", files: FILES });
    assert.equal((await host.call("eval", { language, code })).blocked, blocked || undefined);
  });
}
