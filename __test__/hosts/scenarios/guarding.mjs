// Shell commands that bypass the tools. Each is harmless in the empty project where it runs.

import assert from "node:assert/strict";
import { call, calls } from "../model.mjs";
import { apply, bash, failed, OMP, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\ndelta four\n";

/** A claim about a command that would write: it is blocked, and leaves the file unchanged. */
const blocked = (command, why) => ({
  claim: `\`${command.split("\n")[0]}\` is blocked, and the answer names apply_hash`,
  files: { "list.txt": LIST },
  turns: () => [bash(command)],
  async check({ results: [result] }, bench) {
    failed(result, why, /apply_hash/);
    assert.deepEqual(await bench.files(), { "list.txt": LIST });
  },
});

export const guarding = [
  blocked("sed -i s/alpha/ALPHA/ list.txt", /`sed` writes `list\.txt`/),
  blocked("echo hello > list.txt", /a redirection writes `list\.txt`/),
  blocked("cat > list.txt <<'END'\nhello\nEND", /a redirection writes `list\.txt`/),
  blocked("cd . && printf 'x' | tee list.txt", /`tee` writes `list\.txt`/),
  {
    claim: "`cat` is answered with tagged lines, and the next edit uses them",
    files: { "list.txt": LIST },
    turns: () => [bash("cat list.txt"), (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA"))],
    async check({ results }, bench) {
      succeeded(results[0], /^\[answered by read: `cat` prints `list\.txt`/m, /^4:[0-9a-f]{2}\|delta four$/m);
      succeeded(results[1], /^Applied 1 operation/m);
      assert.doesNotMatch(results[1].text, /unverified/);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
    },
  },
  {
    claim: "`head` and `grep` are answered with the lines that they would print, and no others",
    files: { "list.txt": LIST },
    turns: () => [bash("head -n 2 list.txt"), bash("grep -n gamma list.txt")],
    check({ results: [head, grep] }) {
      succeeded(head, /^1:[0-9a-f]{2}\|alpha one$/m, /^2:[0-9a-f]{2}\|beta two$/m);
      assert.doesNotMatch(head.text, /gamma/);
      succeeded(grep, /^\[answered by grep: /m, /^3:[0-9a-f]{2}\|gamma three$/m);
      assert.doesNotMatch(grep.text, /delta/);
    },
  },
  {
    claim: "`npm test | tail` runs",
    files: { "package.json": '{ "scripts": { "test": "echo all is well" } }\n' },
    turns: () => [bash("npm test --silent | tail -n 3")],
    check({ results: [result] }) {
      succeeded(result, /^all is well$/m);
    },
  },
  {
    claim: "a blocked command does not hold up other calls made at once",
    files: { "list.txt": LIST },
    turns: () => [calls(["bash", { command: "cat list.txt" }], ["bash", { command: "wc -l < /dev/null" }])],
    check({ results }) {
      succeeded(results[0], /delta four/);
      succeeded(results[1], /\b0\b/);
    },
  },
  {
    claim: "a path is relative to the directory that a call of omp's bash names",
    hosts: OMP,
    files: { "deep/list.txt": LIST },
    turns: () => [call("bash", { command: "cat list.txt", cwd: "deep" })],
    check({ results: [result] }) {
      succeeded(result, /^1:[0-9a-f]{2}\|alpha one$/m);
    },
  },
  {
    claim: "code that writes a file is blocked in omp's interpreters, other code runs",
    hosts: OMP,
    files: { "list.txt": LIST },
    turns: () => [
      call("eval", { language: "js", code: 'await write("list.txt", "x")' }),
      call("eval", { language: "js", code: "console.log(6 * 7)" }),
    ],
    async check({ results: [write, print] }, bench) {
      failed(write, /writes `list\.txt`/, /apply_hash/);
      succeeded(print, /42/);
      assert.deepEqual(await bench.files(), { "list.txt": LIST });
    },
  },
  {
    claim: "tools that are hidden cannot be called",
    files: { "list.txt": LIST },
    turns: () => [
      call("write", { path: "list.txt", content: "x" }),
      call("edit", { path: "list.txt", oldText: "alpha", newText: "x", edits: [] }),
    ],
    async check({ results }, bench) {
      assert.equal(results.length, 2);
      for (const result of results) failed(result);
      assert.deepEqual(await bench.files(), { "list.txt": LIST });
    },
  },
  {
    claim: "code in omp's interpreters may call our tools, but not bypass them",
    hosts: OMP,
    files: { "list.txt": LIST },
    turns: () => [
      call("eval", {
        language: "js",
        code: 'await tool.apply_hash({ patch: [{ op: "add_file", path: "made.txt", content: "made\\n" }] })',
      }),
      call("eval", { language: "js", code: 'write("list.txt", "gone")' }),
      call("eval", { language: "py", code: "%%writefile list.txt\ngone" }),
    ],
    async check({ results }, bench) {
      assert.equal(await bench.text("made.txt"), "made\n");
      for (const result of results.slice(1)) failed(result, /use apply_hash/);
      assert.equal(await bench.text("list.txt"), LIST);
    },
  },
];
