// Previews of patches, and plain diffs that other programs can read.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import "./own-state.mjs";
import { Session } from "../index.js";

const FILES = {
  "a.txt": "one\ntwo\nthree\n",
  "b c.txt": "no newline at the end",
  "crlf.txt": "x\r\ny\r\n",
  "gone.txt": "bye\n",
  "ü\t.txt": "odd name\n",
};

async function workspace(t, files = FILES) {
  const root = await mkdtemp(join(tmpdir(), "hashline-preview-"));
  t.after(() => rm(root, { recursive: true, maxRetries: 10, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  return { root, session: new Session({ root, report: "short" }) };
}

const contents = async (root) => {
  const names = (await readdir(root)).filter((name) => name !== ".git").sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (n) => [n, await readFile(join(root, n), "utf8")])),
  );
};

const anchor = (text, content) => new RegExp(`^(\\d+:\\w+)\\|${content}\\r?$`, "m").exec(text)[1];

const set = (text, content, to) => ({
  op: "set_line",
  path: "a.txt",
  anchor: anchor(text, content),
  text: to,
});

test("a preview reports what apply would report, and changes nothing", async (t) => {
  const { root, session } = await workspace(t);
  const { text } = await session.read({ paths: ["a.txt", "gone.txt"] });
  const patch = [set(text, "two", "2"), { op: "delete_file", path: "gone.txt" }];
  const before = await stat(join(root, "a.txt"));
  const seen = await session.preview({ patch });
  assert.equal(seen.kind, "preview");
  assert.match(seen.text, /^Would apply 2 operations to 2 files$/m);
  assert.match(seen.diff, /^\+2:\w+\|2$/m);
  assert.deepEqual(await contents(root), FILES);
  assert.equal((await stat(join(root, "a.txt"))).mtimeMs, before.mtimeMs);
  assert.deepEqual(await session.history(), []);
  const done = await session.apply({ patch });
  assert.deepEqual([done.diff, done.patch, done.files], [seen.diff, seen.patch, seen.files]);
  assert.equal(done.text, seen.text.replace("Would apply", "Applied"));
});

test("a preview is refused like an apply if its anchors became stale", async (t) => {
  const { root, session } = await workspace(t);
  const { text } = await session.read({ path: "a.txt" });
  const patch = [set(text, "two", "2")];
  assert.equal((await session.preview({ patch })).kind, "preview");
  await writeFile(join(root, "a.txt"), "one\nTWO\nthree\n");
  const again = await session.preview({ patch });
  const refused = await session.apply({ patch });
  assert.deepEqual([again.kind, again.text], [refused.kind, refused.text]);
});

test("lines that only a preview showed do not count as shown to the model", async (t) => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
  const { root, session } = await workspace(t, { "a.txt": `${lines.join("\n")}\n` });
  const { text } = await session.read({ path: "a.txt", limit: 3 });
  await writeFile(join(root, "a.txt"), ["line 1", "other", ...lines.slice(2)].join("\n"));
  // The preview's refusal shows the lines around the stale one to a person only.
  const range = {
    op: "replace_range",
    path: "a.txt",
    start_anchor: anchor(text, "line 2"),
    end_anchor: anchor(text, "line 3"),
    text: "x",
  };
  const twice = [await session.preview({ patch: [range] }), await session.preview({ patch: [range] })];
  assert.equal(twice[0].kind, "refused");
  const refused = await session.apply({ patch: [range] });
  assert.deepEqual(
    twice.map((one) => one.text),
    [refused.text, refused.text],
  );
});

test("git can apply the unified diff of a preview, with the same result as apply", {
  skip: spawnSync("git", ["--version"]).error && "no git",
}, async (t) => {
  const { root, session } = await workspace(t);
  const { text } = await session.read({ paths: Object.keys(FILES) });
  const last = (path, content) => ({
    op: "insert_after",
    path,
    anchor: anchor(text, content),
    text: "more\n",
  });
  const patch = [
    set(text, "two", "2"),
    last("b c.txt", "no newline at the end"),
    last("crlf.txt", "y"),
    { op: "delete_file", path: "gone.txt" },
    { op: "add_file", path: "sub/new.txt", content: "new" },
    { op: "add_file", path: "empty.txt", content: "" },
    { op: "move_file", from: "ü\t.txt", to: "plain.txt" },
  ];
  const { kind, patch: unified } = await session.preview({ patch });
  assert.equal(kind, "preview");
  const git = (args, input) => spawnSync("git", args, { cwd: root, input, encoding: "utf8" });
  git(["init", "-q"]);
  const applied = git(["apply", "--verbose", "-"], unified);
  assert.equal(applied.status, 0, applied.stderr + unified);
  const byGit = await all(root);
  git(["apply", "-R", "-"], unified);
  assert.deepEqual(await contents(root), FILES);
  assert.equal((await session.apply({ patch })).kind, "applied");
  assert.deepEqual(await all(root), byGit);
});

/** Every file below a directory, with its bytes. */
async function all(root) {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const mine = files.filter((file) => !file.includes("/.git/")).sort();
  return Promise.all(mine.map(async (file) => [file, await readFile(file, "utf8")]));
}
