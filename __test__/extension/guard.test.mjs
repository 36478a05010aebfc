// The guard in the extension: which calls it judges, and which results the model gets.

import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { relative } from "node:path";
import { test } from "node:test";
import { commandsOf } from "../../extension/guard.ts";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\ntwo\nthree\n", "sub/b.txt": "bee\n" };

test("a read in a shell is answered with tagged lines, whose anchors can be used from then on", async (t) => {
  for (const kind of ["pi", "omp"]) {
    const host = await startHost(t, { kind, files: FILES });
    const result = await host.call("bash", { command: "head -n 2 a.txt" });
    assert.equal(result.ran.command, "# head -n 2 a.txt", "the command itself is never run");
    assert.equal(result.isError, false);
    assert.match(result.text, /^a\.txt \(lines 1-2 of 3\)\n1:60\|one\n2:f4\|two\n/);
    assert.match(
      result.text,
      /\n\[answered by read: `head` prints `a\.txt` without anchors; use read \{.*\]$/,
    );
  }
  const host = await startHost(t, { files: FILES });
  await host.call("bash", { command: "head -n 2 a.txt" });
  const patch = [{ op: "set_line", path: "a.txt", anchor: "2:f4", text: "TWO" }];
  assert.doesNotMatch((await host.call("apply_hash", { patch })).text, /unverified/);
});

test("a script that calls the shell gets no lines in place of the file", async (t) => {
  const host = await startHost(t, { files: FILES });
  const { blocked, text } = await host.call("bash", { command: "cat a.txt" }, { parentToolCallId: "script" });
  assert.equal(blocked, true);
  assert.match(text, /2:f4\|two/);
});

test("pi's powershell is judged as PowerShell", async (t) => {
  const host = await startHost(t, { files: FILES });
  const read = await host.call("powershell", { command: "gc .\\a.txt | select -First 2" });
  assert.equal(read.isError, false);
  assert.match(read.text, /1:60\|one\n2:f4\|two\n[\s\S]*\[answered by read: `Get-Content` prints/);
  const write = await host.call("powershell", { command: "Set-Content a.txt 'x'" });
  assert.equal(write.blocked, true);
  assert.match(write.text, /"op":"add_file","path":"a\.txt","content":"x\\n"/);
  for (const command of ["(gc a.txt).Count", "Get-Process", "npm test | Out-File $env:TEMP\\a.log"]) {
    assert.equal((await host.call("powershell", { command })).ran?.command, command);
  }
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

test("paths are relative to the directory of the call", async (t) => {
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

test("nudge runs the command, adds a note, and is shown in the footer", async (t) => {
  const host = await startHost(t, { files: FILES, settings: { guard: "nudge" } });
  const { text, blocked } = await host.call("bash", { command: "cat a.txt" });
  assert.equal(blocked, undefined);
  assert.match(text, /^ran\n\nnote: `cat` prints `a.txt` without anchors/);
  assert.equal(host.statuses.hashline, "hashline guard: nudge");
  assert.equal((await host.call("bash", { command: "ls" })).text, "ran");
});

test("a guard that is off lets every command run", async (t) => {
  const host = await startHost(t, { files: FILES, settings: { guard: "off" } });
  assert.equal((await host.call("bash", { command: "cat a.txt" })).text, "ran");
  assert.equal(host.statuses.hashline, "hashline guard: off");
});

const call = (toolName, input) =>
  commandsOf({ toolName, toolCallId: "x", input }).map(({ command }) => command);

test("other tools that run commands are judged like the shell", () => {
  assert.deepEqual(call("bash", { command: "ls" }), ["ls"]);
  assert.deepEqual(call("bash", {}), []);
  assert.deepEqual(call("read", { path: "a" }), []);
  assert.deepEqual(call("hub", { op: "start", application: "cat", args: ["it's", "b"] }), [
    "'cat' 'it'\\''s' 'b'",
  ]);
  assert.deepEqual(call("hub", { op: "logs", application: "cat" }), []);
  assert.deepEqual(call("eval", { language: "py", code: "x = 1\n!cat a.txt" }), [
    "python3 -c 'x = 1'",
    "cat a.txt",
  ]);
});

for (const [language, code, blocked] of [
  ["py", "open('a.txt', 'w').write('x')", true],
  ["js", "await Bun.write('a.txt', 'x')", true],
  ["js", "require('fs').writeFileSync('a.txt', 'x')", true],
  ["js", 'write("a.txt", "x")', true],
  ["py", 'append("a.txt", "x")', true],
  ["py", 'write(path="a.txt", content="x")', true],
  ["py", "!sed -i s/one/1/ a.txt", true],
  ["py", "out = !cat a.txt", true],
  ["py", "x = 1\n%%bash\ncd sub\ncat b.txt", true],
  ["py", "%%writefile a.txt\nx", true],
  ["py", "%%writefile -a a.txt\nx", true],
  ["py", "%load a.txt", true],
  ["py", "%%timeit\nopen('a.txt', 'w').write('x')", true],
  ["py", "!echo one \\\n  > a.txt", true],
  ["py", "%%bash\nls", false],
  ["py", "out = !git status", false],
  ["py", "%time sum([1])", false],
  ["py", "a = 7 % 2\nb = not a", false],
  ["py", "# write (the result)\nprint(1 + 1)", false],
  ["py", "def append(xs, x):\n    xs.append(x)", false],
  ["js", "const write = (text) => text; write(1)", false],
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

test("text that is typed into a background shell is judged", async (t) => {
  const host = await startHost(t, { kind: "omp", files: FILES });
  await host.call("hub", { op: "start", name: "sh", application: "/bin/bash" });
  await host.call("hub", { op: "start", name: "db", application: "psql" });
  assert.equal((await host.call("hub", { op: "send", name: "sh", text: "cat a.txt" })).blocked, true);
  assert.equal((await host.call("hub", { op: "send", name: "sh", text: "npm test" })).blocked, undefined);
  assert.equal((await host.call("hub", { op: "send", name: "db", text: "cat a.txt" })).blocked, undefined);
  // omp 18.3 starts services by bash and types into them by writing to their addresses.
  await host.call("bash", { name: "shell", command: "/bin/bash --norc" });
  await host.call("bash", { name: "sql", command: "psql" });
  const typed = (path, content) => host.call("write", { path, content });
  assert.equal((await typed("proc://shell", "cat a.txt\n")).blocked, true);
  assert.equal((await typed("proc://shell", "npm test\n")).blocked, undefined);
  assert.equal((await typed("proc://sql", "cat a.txt\n")).blocked, undefined);
  assert.equal((await typed("proc://shell/kill", undefined)).blocked, undefined);
});

test("the guard resolves a call's directory as omp does", async (t) => {
  const host = await startHost(t, { kind: "omp", files: FILES });
  const ran = async (input) => (await host.call("bash", input)).ran.command;
  // A path to the project through the home directory. The temporary directory may be a link, so resolve it.
  const cwd = realpathSync(host.cwd);
  const pathFromHome = `~/${relative(homedir(), cwd)}`;
  assert.equal(await ran({ command: "cat a.txt", cwd: pathFromHome }), "# cat a.txt");
  assert.equal(await ran({ command: "cat a.txt", cwd: "skill://x" }), "cat a.txt");
  assert.equal(await ran({ command: "cat b.txt\ncat b.txt", cwd: "@sub" }), "# cat b.txt\n# cat b.txt");
  const whole = `cat "${cwd}/a.txt"`;
  assert.equal(await ran({ command: whole, cwd: "skill://x" }), `# ${whole}`);
});
