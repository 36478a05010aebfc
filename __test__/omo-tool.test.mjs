// The tool of `pi-hash/omo`: its definition for a host, and its answers to a model.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as omo from "../js/compat/omo.js";
import "./own-state.mjs";

const ref = (line, text) => `${line}#${omo.computeLineHash(line, text)}`;

/** Runs `body` with a tool in a workspace with these `files`. */
async function workspace(files, body) {
  const root = mkdtempSync(join(tmpdir(), "omo-tool-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const tool = omo.createHashlineEditTool({ root });
    await body(tool, (name) => readFileSync(join(root, name), "utf8"), root);
  } finally {
    rmSync(root, { recursive: true, maxRetries: 10, force: true });
  }
}

test("the tool describes itself", async () => {
  await workspace({}, (tool) => {
    assert.equal(tool.name, omo.HASHLINE_EDIT_TOOL_NAME);
    assert.equal(tool.description, omo.HASHLINE_EDIT_DESCRIPTION);
    assert.deepEqual(Object.keys(tool.parameters.properties), ["filePath", "edits", "delete", "rename"]);
  });
});

test("edits of a call are applied together and answered with a unified diff", async () => {
  await workspace({ "a.txt": "one\r\ntwo\r\nthree\r\nfour\r\n" }, async (tool, read) => {
    const edits = [
      { op: "replace", pos: ref(2, "two"), lines: ["TWO"] },
      { op: "append", pos: ref(4, "four"), lines: ["five"] },
      { op: "prepend", lines: ["zero"] },
    ];
    const done = await tool.execute({ filePath: "a.txt", edits });
    assert.equal(done.kind, "applied", done.text);
    assert.equal(read("a.txt"), "zero\r\none\r\nTWO\r\nthree\r\nfour\r\nfive\r\n");
    assert.equal(
      done.diff,
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,6 @@\n+zero\n one\n-two\n+TWO\n three\n four\n+five",
    );
    assert.ok(done.text.startsWith("Updated a.txt\n--- a/a.txt\n"), done.text);
  });
});

test("stale references are answered with the current lines", async () => {
  await workspace({ "a.txt": "one\ntwo\nthree\n" }, async (tool, read) => {
    const edits = [{ op: "replace", pos: ref(2, "another"), lines: ["x"] }];
    const done = await tool.execute({ filePath: "a.txt", edits });
    assert.equal(done.kind, "refused");
    assert.match(done.text, new RegExp(`>>> ${ref(2, "two")}\\|two`));
    assert.equal(read("a.txt"), "one\ntwo\nthree\n");
  });
});

test("ranges that overlap, and a line inside a range, are refused", async () => {
  await workspace({ "a.txt": "a\nb\nc\nd\n" }, async (tool, read) => {
    const range = { op: "replace", pos: ref(1, "a"), end: ref(3, "c"), lines: ["x"] };
    for (const other of [
      { op: "replace", pos: ref(2, "b"), end: ref(4, "d"), lines: ["y"] },
      { op: "replace", pos: ref(2, "b"), lines: ["y"] },
    ]) {
      const done = await tool.execute({ filePath: "a.txt", edits: [range, other] });
      assert.equal(done.kind, "refused", done.text);
      assert.match(done.text, /same lines/);
    }
    assert.equal(read("a.txt"), "a\nb\nc\nd\n");
  });
});

test("marks before the lines are removed, and an edit given twice is made once", async () => {
  await workspace({ "a.txt": "a\nb\n" }, async (tool, read) => {
    const marked = { op: "replace", pos: ref(1, "a"), lines: [">>> A"] };
    const diff = { op: "replace", pos: `${ref(2, "b")}|b`, lines: ["-b", "+B", "+C"] };
    const done = await tool.execute({
      filePath: "a.txt",
      edits: [marked, diff, { ...diff, pos: ref(2, "b") }],
    });
    assert.equal(done.kind, "applied", done.text);
    assert.equal(read("a.txt"), "A\nB\nC\n");
    assert.match(done.text, /given twice was made once/);
    assert.match(done.text, /the new text at line 1 was repaired \(strip_plus\)/);
    assert.match(done.text, /the new text at line 2 was repaired \(strip_plus\)/);
  });
});

test("new text that only looks like a diff keeps all its lines", async () => {
  await workspace({ "a.md": "# T\nx\n" }, async (tool, read) => {
    const lines = ["- one", "+ two"];
    await tool.execute({ filePath: "a.md", edits: [{ op: "replace", pos: ref(2, "x"), lines }] });
    assert.equal(read("a.md"), "# T\n- one\n+ two\n");
  });
});

test("a list whose items begin with a dash is not taken for a diff", async () => {
  await workspace({ "a.md": "# T\n" }, async (tool, read) => {
    await tool.execute({ filePath: "a.md", edits: [{ op: "append", lines: ["- one", "- two"] }] });
    assert.equal(read("a.md"), "# T\n- one\n- two\n");
  });
});

test("files are made, moved and removed", async () => {
  await workspace({ "a.txt": "a\n", "b.txt": "b\n" }, async (tool, read, root) => {
    const made = await tool.execute({ filePath: "new.txt", edits: [{ op: "append", lines: ["x", "y"] }] });
    assert.equal(made.kind, "applied", made.text);
    assert.equal(read("new.txt"), "x\ny\n");
    const moved = await tool.execute({
      filePath: "a.txt",
      edits: [{ op: "replace", pos: ref(1, "a"), lines: ["A"] }],
      rename: "c.txt",
    });
    assert.deepEqual([moved.kind, moved.path, read("c.txt")], ["applied", "c.txt", "A\n"], moved.text);
    const gone = await tool.execute({ filePath: "b.txt", delete: true });
    assert.equal(gone.kind, "applied", gone.text);
    assert.ok(!existsSync(join(root, "b.txt")) && !existsSync(join(root, "a.txt")));
  });
});

test("a path outside the workspace is refused, and so is an incomplete call", async () => {
  await workspace({ "a.txt": "a\n" }, async (tool) => {
    const edits = [{ op: "append", lines: ["x"] }];
    for (const call of [
      { filePath: "../outside.txt", edits },
      { filePath: "a.txt" },
      { edits },
      { filePath: "a.txt", edits: [{ op: "replace", lines: [] }] },
      { filePath: "a.txt", edits, delete: true },
      undefined,
    ]) {
      const done = await tool.execute(call);
      assert.equal(done.kind, "refused", JSON.stringify(call));
      assert.notEqual(done.text, "");
    }
  });
});

test("a stream is formatted in chunks", async () => {
  const lines = ["one", "", "three"];
  const whole = omo.formatHashLines(lines.join("\n"));
  const chunks = [];
  for await (const chunk of omo.streamHashLinesFromLines(lines, { maxChunkLines: 2 })) chunks.push(chunk);
  assert.equal(chunks.length, 2);
  assert.equal(chunks.join("\n"), whole);
  const bytes = Buffer.from("wörld\nnext");
  const pieces = [];
  for await (const piece of omo.streamHashLinesFromUtf8([bytes.subarray(0, 2), bytes.subarray(2)]))
    pieces.push(piece);
  assert.equal(pieces.join("\n"), omo.formatHashLines("wörld\nnext"));
});

test("the module has its alternative functions, its constants and the lines of a mismatch", () => {
  const edits = [{ op: "replace", pos: ref(1, "a"), lines: ["x"] }];
  assert.equal(omo.applyHashlineEditsToText("a\nb", edits), "x\nb");
  assert.deepEqual(omo.applyHashlineEditsWithReport("a\nb", edits), omo.applyHashlineEdits("a\nb", edits));
  assert.equal(`1${omo.HASHLINE_REF_SEPARATOR}${omo.computeLineHash(1, "a")}`, ref(1, "a"));
  assert.match(omo.computeLineHash(1, "a"), new RegExp(`^[${omo.HASHLINE_ALPHABET}]{2}$`));
  assert.throws(
    () => omo.applyHashlineEdits("a\nb", [{ op: "replace", pos: ref(1, "z"), lines: [] }]),
    (error) => error.fileLines.join() === "a,b",
  );
});

test("a refusal has the fields of this tool, and names the file", async () => {
  await workspace({ "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" }, async (tool, read) => {
    const edit = { op: "replace", pos: ref(2, "two"), lines: ["x"] };
    const range = { ...edit, pos: ref(1, "one"), end: ref(3, "three") };
    for (const [call, text] of [
      [{ edits: [{ ...edit, pos: "two" }] }, /Invalid line reference format: "two"/],
      [{ edits: [{ ...edit, pos: ref(9, "two") }] }, /Line number 9 out of bounds \(file has 3 lines\)/],
      [{ edits: [{ ...edit, op: "change" }] }, /unsupported op "change"/],
      [{ edits: [{ ...edit, lines: 5 }] }, /`lines` must be/],
      [{ edits: "x" }, /`edits` must be/],
      [{ edits: [range, edit] }, /Edit 1: it changes the same lines as another edit/],
      [{ edits: [{ op: "append", pos: ref(2, "two"), lines: [] }] }, /Edit 0: there is nothing to insert/],
      [{ rename: "b.txt" }, /b\.txt exists already: give another name/],
      [{ filePath: "c.txt", edits: [edit] }, /c\.txt does not exist: append or prepend without pos makes it/],
      [{ filePath: "c.txt", delete: true }, /c\.txt does not exist$/],
      [{ filePath: "../c.txt", edits: [{ op: "append", lines: ["x"] }] }, /outside the workspace/],
    ]) {
      const { kind, path, text: said } = await tool.execute({ filePath: "a.txt", ...call });
      assert.deepEqual([kind, path], ["refused", call.filePath ?? "a.txt"], said);
      assert.match(said, text);
      assert.doesNotMatch(said, /patch\[|patch:|anchor|set_line|add_file|old_text|LINE:HASH|insert_/);
    }
    assert.equal(read("a.txt"), "one\ntwo\nthree\n");
  });
});

test("a refusal shows no row that cannot be replaced", async () => {
  await workspace({ "a.txt": "one\ntwo\n" }, async (tool) => {
    const stale = { op: "replace", pos: ref(2, "another"), lines: ["x"] };
    const { text } = await tool.execute({ filePath: "a.txt", edits: [stale] });
    assert.match(text, />>> 2#/);
    assert.doesNotMatch(text, /3#/);
  });
});

test("the answer notes lines that became one, and unknown fields", async () => {
  const lines = ["const a = 1;", "const b = 2;", "const c = 3;"];
  await workspace({ "a.js": `${lines.join("\n")}\n` }, async (tool) => {
    const all = { op: "replace", pos: ref(1, lines[0]), end: ref(3, lines[2]) };
    const one = { ...all, lines: ["const a = 1; const b = 2; const c = 4;"] };
    const merged = await tool.execute({ filePath: "a.js", edits: [one] });
    assert.match(merged.text, /warning: lines 1 to 3 became one line that holds 2 of them/);
  });
  await workspace({ "a.js": `${lines.join("\n")}\n` }, async (tool) => {
    const all = { op: "replace", pos: ref(1, lines[0]), end: ref(3, lines[2]), lines: ["let d;"], text: "x" };
    const other = await tool.execute({ filePath: "a.js", edits: [all] });
    assert.doesNotMatch(other.text, /became one line/);
    assert.match(other.text, /note: edit 0: `text` was not used/);
  });
});
