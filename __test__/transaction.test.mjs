// Undo, recovery, the lock and durability through the built addon.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { Session } from "../index.js";
import { cannotStart, engine } from "./engine.mjs";
import "./own-state.mjs";

async function inWorkdir(use) {
  const root = mkdtempSync(join(tmpdir(), "hashline-transaction-"));
  const dir = {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined),
    names: () => readdirSync(root).sort(),
  };
  try {
    await use(dir);
  } finally {
    rmSync(root, { recursive: true, maxRetries: 10, force: true });
  }
}

const replace = (path, old_text, new_text) => ({ op: "replace", path, old_text, new_text });

test("a patch is undone by another session, once", () =>
  inWorkdir(async (dir) => {
    dir.write("a.txt", "one\n");
    dir.write("b.txt", "b\n");
    const patch = [
      replace("a.txt", "one", "two"),
      { op: "add_file", path: "new/c.txt", content: "c\n" },
      { op: "move_file", from: "b.txt", to: "new/b.txt" },
    ];
    const applied = await new Session({ root: dir.root }).apply({ patch });
    assert.equal(applied.kind, "applied");
    assert.deepEqual(dir.names(), ["a.txt", "new"]);
    const session = new Session({ root: dir.root, durability: "fast" });
    const undone = await session.undo();
    assert.equal(undone.kind, "undone", undone.text);
    assert.equal(undone.receipt, applied.receipt);
    assert.deepEqual(undone.files, [
      { path: "a.txt", kind: "restored" },
      { path: "new/c.txt", kind: "removed" },
      { path: "b.txt", kind: "moved", from: "new/b.txt" },
    ]);
    assert.deepEqual(dir.names(), ["a.txt", "b.txt"]);
    assert.equal(dir.read("a.txt"), "one\n");
    const again = await session.undo();
    assert.equal(again.kind, "refused");
    assert.deepEqual(again.refusals, [{ code: "nothing_to_undo" }]);
  }));

test("a patch whose files have changed since is not undone", () =>
  inWorkdir(async (dir) => {
    dir.write("a.txt", "one\n");
    const session = new Session({ root: dir.root });
    await session.apply({ patch: [replace("a.txt", "one", "two")] });
    dir.write("a.txt", "somebody's work\n");
    const refused = await session.undo();
    assert.equal(refused.kind, "refused");
    assert.deepEqual(refused.refusals, [{ code: "file_changed", path: "a.txt" }]);
    assert.match(refused.text, /`a\.txt` has other content now/);
    assert.equal(dir.read("a.txt"), "somebody's work\n");
  }));

test("recovering an intact workspace does nothing and says so", () =>
  inWorkdir(async (dir) => {
    dir.write("a.txt", "one\n");
    const outcome = await new Session({ root: dir.root }).recover();
    assert.equal(outcome.kind, "clean");
    assert.equal(outcome.text, "nothing to recover");
    assert.deepEqual(dir.names(), ["a.txt"]);
  }));

test("sessions that write at the same time lose no edit", () =>
  inWorkdir(async (dir) => {
    dir.write("a.txt", "first\n");
    const sessions = Array.from({ length: 4 }, () => new Session({ root: dir.root, durability: "fast" }));
    const insert = (text) => ({ patch: [{ op: "insert_after", path: "a.txt", anchor: "end", text }] });
    const wanted = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const outcomes = await Promise.all(wanted.map((text, at) => sessions[at % 4].apply(insert(text))));
    for (const outcome of outcomes) assert.equal(outcome.kind, "applied", outcome.text);
    const lines = dir.read("a.txt").trimEnd().split("\n");
    assert.deepEqual(lines.sort(), ["first", ...wanted].sort());
    assert.deepEqual(dir.names(), ["a.txt"]);
  }));

test("files outside the root are written only where that is allowed", () =>
  inWorkdir((dir) =>
    inWorkdir(async (other) => {
      const path = join(other.root, "x.txt");
      const patch = [{ op: "add_file", path, content: "x\n" }];
      const refused = await new Session({ root: dir.root }).apply({ patch });
      assert.deepEqual([refused.kind, refused.refusals?.[0].code], ["refused", "outside_root"]);
      assert.deepEqual(other.names(), []);
      const applied = await new Session({ root: dir.root, allowOutside: true }).apply({ patch });
      assert.equal(applied.kind, "applied", applied.text);
      assert.equal(other.read("x.txt"), "x\n");
    }),
  ));

/** Runs a command with a file system of 256 KB mounted at `root`, without the need for root. */
const onSmallDisk = (root, command) => {
  const script = 'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"';
  return spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-c", script, root, ...command], {
    encoding: "utf8",
  });
};

const noSmallDisk =
  onSmallDisk(tmpdir(), ["true"]).status !== 0 &&
  "this user may not mount a file system, not even for itself";

// If this is skipped, the Rust tests still test a failing disk.
test("a disk that fills up leaves every file as it was", { skip: noSmallDisk || cannotStart }, () =>
  inWorkdir((dir) => {
    const program = `
      import assert from "node:assert/strict";
      import { readdirSync, readFileSync, writeFileSync } from "node:fs";
      import { Session } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
      const root = process.argv[2];
      writeFileSync(root + "/a.txt", "a\\n".repeat(2000));
      const session = new Session({ root });
      const patch = [
        { op: "replace", path: "a.txt", old_text: "a\\n", new_text: "b\\n", all: true },
        { op: "add_file", path: "new/large.txt", content: "x".repeat(400_000) },
      ];
      await assert.rejects(session.apply({ patch }), { code: "write_failed", message: /no file was changed/ });
      assert.equal(readFileSync(root + "/a.txt", "utf8"), "a\\n".repeat(2000));
      assert.deepEqual(readdirSync(root), ["a.txt"]);
      assert.equal((await session.recover()).text, "nothing to recover");
      console.log("as it was");`;
    dir.write("program.mjs", program);
    dir.write("small/empty", "");
    const command = [...engine, join(dir.root, "program.mjs"), join(dir.root, "small")];
    const { stdout, stderr } = onSmallDisk(join(dir.root, "small"), command);
    assert.deepEqual({ stdout, stderr }, { stdout: "as it was\n", stderr: "" });
  }),
);

test("an abort at any time gets the answer that matches the disk", () =>
  inWorkdir(async (dir) => {
    const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
    const session = new Session({ root: dir.root });
    const seen = { written: 0, nothing: 0 };
    // Chance decides whether the abort or the patch comes first. The rounds abort immediately until an abort came
    // first, and then later and later.
    for (let round = 0; round < 24 || seen.nothing === 0; round += 1) {
      const delay = seen.nothing === 0 ? 0 : round;
      for (const name of names) dir.write(name, "old\n");
      const controller = new AbortController();
      const patch = names.map((name) => replace(name, "old", `new ${round}`));
      const applying = session.apply({ patch }, controller.signal).catch((error) => error);
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      controller.abort();
      const outcome = await applying;
      const now = names.map((name) => dir.read(name));
      if (outcome instanceof Error) {
        assert.equal(outcome.name, "AbortError");
        assert.match(outcome.message, /nothing was written/);
        assert.deepEqual(new Set(now), new Set(["old\n"]), `after ${delay} ms`);
        seen.nothing += 1;
      } else {
        assert.equal(outcome.kind, "applied", outcome.text);
        assert.deepEqual(new Set(now), new Set([`new ${round}\n`]), `after ${delay} ms`);
        seen.written += 1;
      }
    }
    assert.deepEqual(dir.names(), [...names].sort());
  }));

/** Locks the workspace in another process; returns a function that releases the lock. */
async function holdLock(path) {
  const script = 'open(my $f, "+>>", $ARGV[0]) or die; flock($f, 2) or die; $| = 1; print "held"; <STDIN>;';
  const holder = spawn("perl", ["-e", script, path], { stdio: ["pipe", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  return async () => {
    holder.stdin.end();
    await once(holder, "exit");
  };
}

const noPerl =
  spawnSync("perl", ["-e", "1"]).status === 0 ? false : "perl, which holds the lock, is not installed";
const noFlock = noPerl || (process.platform === "win32" ? "flock works on Unix only" : false);

test(
  "reads do not wait for patches that wait for another process, and patches keep their order",
  {
    skip: noFlock,
  },
  () =>
    inWorkdir(async (dir) => {
      dir.write("a.txt", "0\n");
      const session = new Session({ root: dir.root });
      const step = (to) => session.apply({ patch: [replace("a.txt", `${to - 1}`, `${to}`)] });
      assert.equal((await step(1)).kind, "applied");
      const state = join(process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "hashline");
      const own = readdirSync(state).find((name) => name.startsWith(basename(dir.root)));
      const release = await holdLock(join(state, own, "lock"));
      // Each patch can be applied only after the one before it, so all of them apply only in order.
      const ends = [];
      const patches = Array.from({ length: 20 }, (_, at) =>
        step(at + 2).then((end) => ends.push([at, end.kind])),
      );
      for (let round = 0; round < 20; round++) {
        const shown = await session.read({ path: "a.txt" });
        assert.match(shown.text, /\|1$/m);
      }
      assert.deepEqual(ends, [], "the lock is held, so no patch can have ended before the reads");
      await release();
      await Promise.all(patches);
      assert.deepEqual(
        ends,
        Array.from({ length: 20 }, (_, at) => [at, "applied"]),
      );
      assert.equal(dir.read("a.txt"), "21\n");
    }),
);
