// Reading and changing files by anchors, as a model does it.

import assert from "node:assert/strict";
import { anchor, call, calls } from "../model.mjs";
import { apply, failed, read, resultOf, setLine, succeeded } from "./words.mjs";

const MOVED = {
  a: "function area(r) {\n  return PI * r * r;\n} // area\nmain();\n",
  b: "const PI = 3.14;\nexport {};\n",
};
const LONG = `${"straw ".repeat(400)}needle ${"straw ".repeat(270)}`;
const LIST = "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n";

export const editing = [
  {
    claim: "several files come in one tagged result",
    files: { "list.txt": LIST, "src/cart.js": "let sum = 0;\n" },
    turns: () => [read("list.txt", "src/cart.js", "absent.txt")],
    check({ results: [shown] }) {
      succeeded(shown, /^list\.txt \(lines 1-5 of 5\)$/m, /^2:[0-9a-f]{2}\|beta two$/m);
      succeeded(
        shown,
        /^src\/cart\.js \(lines? 1.* of 1\)$/m,
        /^1:[0-9a-f]{2}\|let sum = 0;$/m,
        /absent\.txt/,
      );
    },
  },
  {
    claim: "an edit by an anchor that was read lands on its line",
    files: { "list.txt": LIST },
    turns: () => [read("list.txt"), (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA 2"))],
    async check({ results }, bench) {
      succeeded(results[1], /^Applied 1 operation to 1 file$/m, /^\+2:[0-9a-f]{2}\|BETA 2$/m);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA 2"));
    },
  },
  {
    claim: "an edit by an anchor that grep showed needs no read",
    files: { "list.txt": LIST, "other.txt": "nothing\n" },
    turns: () => [
      call("grep", { pattern: "gam+a" }),
      (seen) => apply(setLine("list.txt", seen.last, "gamma three", "GAMMA 3")),
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^Applied 1 operation/m);
      assert.equal(await bench.text("list.txt"), LIST.replace("gamma three", "GAMMA 3"));
    },
  },
  {
    claim:
      "a chained edit uses the report's fresh anchors and earlier anchors that are still valid, without another read",
    files: { "list.txt": LIST },
    turns: () => [
      read("list.txt"),
      (seen) =>
        apply({
          op: "insert_after",
          path: "list.txt",
          anchor: anchor(seen.last, "alpha one"),
          text: "new line",
        }),
      (seen) => apply(setLine("list.txt", seen.last, "new line", "NEW LINE")),
      (seen) => apply(setLine("list.txt", resultOf(seen, "read"), "beta two", "BETA 2")),
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^lines after 1 moved by \+1; their tags are unchanged$/m);
      for (const result of results.slice(1)) succeeded(result, /^Applied 1 operation/m);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "NEW LINE\nBETA 2"));
    },
  },
  {
    claim: "a line that moved behind the model's back is followed, and the report says so",
    files: { "list.txt": LIST },
    turns: (bench) => [
      read("list.txt"),
      async (seen) => {
        await bench.write({ "list.txt": `first\nsecond\n${LIST}` });
        return apply(setLine("list.txt", seen.last, "delta four", "DELTA 4"));
      },
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^4:[0-9a-f]{2} moved to line 6/m);
      assert.equal(await bench.text("list.txt"), `first\nsecond\n${LIST.replace("delta four", "DELTA 4")}`);
    },
  },
  {
    claim: "a stale anchor is refused, and the recovery block alone is enough to repair the call",
    files: { "list.txt": LIST },
    turns: (bench) => [
      read("list.txt"),
      async (seen) => {
        await bench.write({ "list.txt": LIST.replace("beta two", "beta 2.0") });
        return apply(setLine("list.txt", seen.last, "beta two", "BETA"));
      },
      (seen) => apply(setLine("list.txt", seen.last, "beta 2.0", "BETA")),
    ],
    async check({ results }, bench) {
      failed(results[1], /^REJECTED: nothing was written/m, /^Hash mismatch at 2:/m, /^Actual state:$/m);
      succeeded(results[2], /^Applied 1 operation to 1 file$/m);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
    },
  },
  {
    claim: "a patch over several files with one bad anchor changes none of them",
    files: { "a.txt": LIST, "b.txt": LIST, "c.txt": LIST },
    turns: () => [
      read("a.txt", "b.txt", "c.txt"),
      (seen) => {
        const good = (path) => setLine(path, seen.last, "alpha one", "ALPHA");
        const bad = { ...good("b.txt"), anchor: "4:00" };
        return apply(good("a.txt"), bad, good("c.txt"), { op: "add_file", path: "d.txt", content: "new\n" });
      },
    ],
    async check({ results }, bench) {
      failed(results[1], /^REJECTED: nothing was written/m, /b\.txt/);
      assert.deepEqual(await bench.files(), { "a.txt": LIST, "b.txt": LIST, "c.txt": LIST });
    },
  },
  {
    claim: "a function moves to another file by the anchors of its ends, and its text is not sent",
    files: { "a.js": MOVED.a, "b.js": MOVED.b },
    turns: () => [
      read("a.js", "b.js"),
      (seen) =>
        apply({
          op: "move_lines",
          path: "a.js",
          start_anchor: anchor(seen.last, "function area(r) {"),
          end_anchor: anchor(seen.last, "} // area"),
          to_path: "b.js",
          to_anchor: anchor(seen.last, "const PI = 3.14;"),
        }),
      (seen) => apply(setLine("b.js", seen.last, "} // area", "}")),
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^b\.js: \+3 -0$/m, /^\+2:\S+\|function area\(r\) \{$/m);
      succeeded(results[2]);
      assert.equal(await bench.text("a.js"), "main();\n");
      assert.equal(
        await bench.text("b.js"),
        "const PI = 3.14;\nfunction area(r) {\n  return PI * r * r;\n}\nexport {};\n",
      );
    },
  },
  {
    claim: "a word in a line of 4,000 characters is changed without sending the line",
    files: { "long.txt": `one\n${LONG}\nthree\n` },
    turns: () => [
      call("grep", { pattern: "needle", path: "long.txt" }),
      (seen) =>
        apply({
          op: "replace",
          path: "long.txt",
          anchor: /^(2:[0-9a-f]{2})\|/m.exec(seen.last)[1],
          old_text: "needle",
          new_text: "thread",
        }),
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^Applied 1 operation to 1 file$/m);
      assert.ok(results[1].text.length < 1000, "the line is not repeated");
      assert.equal(await bench.text("long.txt"), `one\n${LONG.replace("needle", "thread")}\nthree\n`);
    },
  },
  {
    claim: "files are added, moved and deleted in one patch",
    files: { "old.txt": LIST, "gone.txt": "bye\n" },
    turns: () => [
      read("old.txt"),
      (seen) =>
        apply(
          { op: "add_file", path: "deep/new.txt", content: "hello\n" },
          setLine("old.txt", seen.last, "alpha one", "ALPHA"),
          { op: "move_file", from: "old.txt", to: "moved.txt" },
          { op: "delete_file", path: "gone.txt" },
        ),
    ],
    async check({ results }, bench) {
      succeeded(results[1], /^Applied 4 operations/m);
      const moved = LIST.replace("alpha one", "ALPHA");
      assert.deepEqual(await bench.files(), { "deep/new.txt": "hello\n", "moved.txt": moved });
      const { kind, files, patch, diff, receipt } = results[1].details;
      const fates = files.map(({ path, to, kind }) => [path, kind, ...(to === undefined ? [] : [to])]);
      assert.deepEqual(fates.sort(), [
        ["deep/new.txt", "created"],
        ["gone.txt", "deleted"],
        ["old.txt", "moved", "moved.txt"],
      ]);
      assert.equal(kind, "applied");
      assert.match(patch, /^rename from old\.txt\nrename to moved\.txt$/m);
      assert.match(patch, /^-alpha one\n\+ALPHA$/m);
      assert.match(diff, /\|ALPHA$/m);
      assert.match(receipt, /^\w+-\w+$/);
    },
  },
  {
    claim: "calls made at once do not disturb each other",
    files: { "a.txt": LIST, "b.txt": LIST },
    turns: () => [
      calls(["read", { path: "a.txt" }], ["read", { path: "b.txt" }]),
      (seen) => {
        const shown = resultOf(seen, "read");
        const patch = (path, content) => ({ patch: [setLine(path, shown, content, content.toUpperCase())] });
        return calls(
          ["apply_hash", patch("a.txt", "alpha one")],
          ["apply_hash", patch("b.txt", "beta two")],
          ["apply_hash", patch("a.txt", "delta four")],
        );
      },
    ],
    async check({ results }, bench) {
      for (const result of results.slice(2)) succeeded(result, /^Applied 1 operation/m);
      assert.deepEqual(await bench.files(), {
        "a.txt": LIST.replace("alpha one", "ALPHA ONE").replace("delta four", "DELTA FOUR"),
        "b.txt": LIST.replace("beta two", "BETA TWO"),
      });
    },
  },
  {
    claim: "Windows line endings, a byte order mark and a missing last newline are kept",
    files: { "win.txt": "\ufeffone line\r\ntwo lines\r\nthree lines" },
    turns: () => [read("win.txt"), (seen) => apply(setLine("win.txt", seen.last, "two lines", "2\nlines"))],
    async check({ results }, bench) {
      succeeded(results[1]);
      assert.equal(await bench.text("win.txt"), "\ufeffone line\r\n2\r\nlines\r\nthree lines");
    },
  },
  {
    claim: "no file outside the project is written",
    files: { "list.txt": LIST },
    turns: () => [apply({ op: "add_file", path: "../outside.txt", content: "x\n" })],
    async check({ results }, bench) {
      failed(results[0], /^REJECTED: nothing was written/m, /outside/);
      await assert.rejects(bench.text("../outside.txt"), { code: "ENOENT" });
    },
  },
];
