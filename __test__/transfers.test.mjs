// Lines that are moved or copied: report, memory, undo.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Session } from "../index.js";
import "./own-state.mjs";

/** A project of two files of numbered lines, and a session in it. */
async function project(t, options = {}) {
  const root = await mkdtemp(join(tmpdir(), "hashline-transfers-"));
  t.after(() => rm(root, { recursive: true, maxRetries: 10, force: true }));
  const lines = (name, count) => Array.from({ length: count }, (_, at) => `${name} ${at + 1}\n`).join("");
  await writeFile(join(root, "a.txt"), lines("apple", 30));
  await writeFile(join(root, "b.txt"), lines("berry", 5));
  const session = new Session({ root, report: "short", ...options });
  const shown = new Map();
  const read = async (path, more = {}) => {
    const { text } = await session.read({ path, ...more });
    for (const [, anchor, line] of text.matchAll(/^(\d+:[0-9a-z]+)\|(.*)$/gm)) shown.set(line, anchor);
    return text;
  };
  return {
    session,
    read,
    text: (path) => readFile(join(root, path), "utf8"),
    anchor: (line) => shown.get(line) ?? assert.fail(`${line} was not shown`),
    apply: (...patch) => session.apply({ patch }),
  };
}

test("the report shows the first and the last row of the new place, and no other", async (t) => {
  const { apply, read, anchor } = await project(t);
  await read("a.txt");
  await read("b.txt");
  const { kind, text } = await apply({
    op: "move_lines",
    path: "a.txt",
    start_anchor: anchor("apple 3"),
    end_anchor: anchor("apple 28"),
    to_path: "b.txt",
    to_anchor: anchor("berry 2"),
  });
  assert.equal(kind, "applied", text);
  const rows = [...text.matchAll(/^\+(\d+):[0-9a-z]+\|(.*)$/gm)].map(([, line, content]) => [line, content]);
  assert.deepEqual(rows, [
    ["3", "apple 3"],
    ["28", "apple 28"],
  ]);
  assert.doesNotMatch(text, /Warning/);
});

test("lines that were seen count as seen at their new place", async (t) => {
  const { apply, read, anchor, text, session } = await project(t);
  await read("a.txt");
  const range = { start_anchor: anchor("apple 3"), end_anchor: anchor("apple 9") };
  const copied = await apply({
    op: "copy_lines",
    path: "a.txt",
    ...range,
    to_path: "new.txt",
    to_anchor: "end",
  });
  assert.equal(copied.kind, "applied", copied.text);
  const [first, last] = [...copied.text.matchAll(/^\+(\d+:[0-9a-z]+)\|/gm)].map(([, at]) => at);
  const gone = await session.apply({
    patch: [{ op: "delete", path: "new.txt", start_anchor: first, end_anchor: last }],
  });
  assert.equal(gone.kind, "applied", gone.text);
  assert.equal(await text("new.txt"), "");
});

test("lines that were not seen cannot be moved", async (t) => {
  const { apply, read, anchor } = await project(t);
  await read("a.txt", { offset: 3, limit: 1 });
  await read("a.txt", { offset: 9, limit: 1 });
  const range = { start_anchor: anchor("apple 3"), end_anchor: anchor("apple 9") };
  const moved = await apply({
    op: "move_lines",
    path: "a.txt",
    ...range,
    to_path: "b.txt",
    to_anchor: "end",
  });
  assert.deepEqual([moved.kind, moved.refusals?.[0].code], ["refused", "unseen_lines"], moved.text);
});

test("unseen lines can be copied, but their copy cannot be deleted before it is shown", async (t) => {
  const { apply, read, anchor, text } = await project(t);
  await read("a.txt", { offset: 3, limit: 1 });
  await read("a.txt", { offset: 9, limit: 1 });
  const range = { start_anchor: anchor("apple 3"), end_anchor: anchor("apple 9") };
  const copied = await apply({
    op: "copy_lines",
    path: "a.txt",
    ...range,
    to_path: "new.txt",
    to_anchor: "end",
  });
  assert.equal(copied.kind, "applied", copied.text);
  const [first, last] = [...copied.text.matchAll(/^\+(\d+:[0-9a-z]+)\|/gm)].map(([, at]) => at);
  const gone = await apply({ op: "delete", path: "new.txt", start_anchor: first, end_anchor: last });
  assert.equal(gone.kind, "refused", gone.text);
  assert.match(gone.text, /apple 5/);
  assert.match(await text("new.txt"), /^apple 3\n(.*\n){5}apple 9\n$/);
});

test("undo restores both files of moved lines, and redo moves the lines again", async (t) => {
  const { apply, read, anchor, text, session } = await project(t);
  await read("a.txt");
  const before = [await text("a.txt"), await text("b.txt")];
  const moved = await apply({
    op: "move_lines",
    path: "a.txt",
    anchor: anchor("apple 1"),
    to_path: "b.txt",
    to_anchor: "start",
  });
  assert.equal(moved.kind, "applied", moved.text);
  const after = [await text("a.txt"), await text("b.txt")];
  assert.notDeepEqual(after, before);
  await session.undo();
  assert.deepEqual([await text("a.txt"), await text("b.txt")], before);
  await session.redo();
  assert.deepEqual([await text("a.txt"), await text("b.txt")], after);
});

test("the error for a missing target, or one in a missing file, says what is missing", async (t) => {
  const { apply, read, anchor } = await project(t);
  await read("a.txt");
  const lines = { op: "move_lines", path: "a.txt", anchor: anchor("apple 1") };
  const nowhere = await apply({ ...lines, to_path: "b.txt" });
  assert.match(nowhere.text, /to_anchor.*missing.*"to_path": "b\.txt"/);
  const missing = await apply({ ...lines, to_path: "no.txt", to_anchor: anchor("apple 2") });
  assert.match(missing.text, /`no\.txt` does not exist.*"start" or "end"/);
  const typed = await apply({ ...lines, to_anchor: "end", text: "pear" });
  assert.match(typed.text, /`move_lines` does not use it/);
});

test("other names for moving or copying lines are understood", async (t) => {
  const { apply, read, anchor, text } = await project(t);
  await read("b.txt");
  const [first, last] = [anchor("berry 1"), anchor("berry 5")];
  const moved = await apply({ op: "move", path: "b.txt", anchor: first, to_anchor: last });
  assert.equal(moved.kind, "applied", moved.text);
  await read("b.txt");
  const copied = await apply({
    op: "duplicate_line",
    path: "b.txt",
    anchor: anchor("berry 2"),
    after: "start",
  });
  assert.equal(copied.kind, "applied", copied.text);
  assert.equal(await text("b.txt"), "berry 2\nberry 2\nberry 3\nberry 4\nberry 5\nberry 1\n");
});
