// `Session.apply` through the built addon: the behaviour cases, the shape of the outcome, and a run of
// the fault benchmarks.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { main } from "../benches/faults/main.mjs";
import { Session } from "../index.js";
import { loadCases } from "./cases.mjs";
import "./own-state.mjs";

function workdir() {
  const root = mkdtempSync(join(tmpdir(), "hashline-apply-"));
  return {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined),
    remove: () => rmSync(root, { recursive: true, maxRetries: 10, force: true }),
  };
}

async function withFile(text, use) {
  const dir = workdir();
  try {
    dir.write("a.txt", text);
    const session = new Session({ root: dir.root });
    const { text: shown } = await session.read({ path: "a.txt" });
    const anchor = (line) => new RegExp(`^${line}:\\w+`, "m").exec(shown)[0];
    await use({ dir, session, anchor });
  } finally {
    dir.remove();
  }
}

for (const one of loadCases()) {
  test(one.name, async () => {
    const dir = workdir();
    try {
      const session = new Session({ root: dir.root, ...one.settings });
      for (const [path, text] of Object.entries(one.before)) {
        dir.write(path, one.shown[path] ?? text);
        if (!one.unread.includes(path)) await session.read({ path });
        dir.write(path, text);
      }
      const outcome = await session.apply(one.patch);
      const codes = outcome.kind === "refused" ? outcome.refusals.map(({ code }) => code) : undefined;
      assert.deepEqual(codes, one.refusal, outcome.text);
      for (const [path, text] of Object.entries({ ...one.before, ...one.after })) {
        assert.equal(dir.read(path), text, outcome.text);
      }
      const lines = outcome.text.split("\n");
      for (const line of one.report) assert.ok(lines.includes(line), `${line}\nis not in\n${outcome.text}`);
      assert.match(lines[0], outcome.kind === "applied" ? /^Applied / : /^REJECTED: nothing was written/);
    } finally {
      dir.remove();
    }
  });
}

test("an applied patch says what it did", () =>
  withFile("one line\ntwo lines\nthree lines\n", async ({ dir, session, anchor }) => {
    dir.write("a.txt", "new\none line\ntwo lines\nthree lines\n");
    const outcome = await session.apply({
      patch: [{ op: "set_line", path: "a.txt", anchor: anchor(2), text: `${anchor(2)}|2 lines` }],
    });
    assert.equal(outcome.kind, "applied");
    assert.deepEqual(outcome.files, [
      { path: "a.txt", kind: "changed", added: 1, removed: 1, firstChangedLine: 3 },
    ]);
    assert.deepEqual(outcome.relocations, [
      { op: 0, path: "a.txt", anchor: anchor(2), from: 2, to: 3, verified: true },
    ]);
    assert.deepEqual(outcome.repairs, [
      {
        op: 0,
        path: "a.txt",
        name: "strip_prefix",
        line: 3,
        before: `${anchor(2)}|2 lines`,
        after: "2 lines",
      },
    ]);
    assert.deepEqual(outcome.warnings, []);
    assert.equal(typeof outcome.receipt, "string");
    assert.match(outcome.text, new RegExp(`^${anchor(2)} moved to line 3 of a.txt$`, "m"));
    assert.equal(dir.read("a.txt"), "new\none line\n2 lines\nthree lines\n");
  }));

test("a refused patch says why, and its lines count as seen", () =>
  withFile("one\ntwo\nthree\n", async ({ dir, session, anchor }) => {
    dir.write("a.txt", "one\nTWO\nthree\n");
    const stale = { op: "set_line", path: "a.txt", anchor: anchor(2), text: "2" };
    const outcome = await session.apply({ patch: [stale] });
    assert.equal(outcome.kind, "refused");
    const [{ op, code, path, anchor: given }] = outcome.refusals;
    assert.deepEqual(
      { op, code, path, given },
      { op: 0, code: "stale_anchor", path: "a.txt", given: anchor(2) },
    );
    const fresh = /^2:\w+/m.exec(outcome.text)[0];
    const again = await session.apply({ patch: [{ ...stale, anchor: fresh }] });
    assert.equal(again.kind, "applied");
    assert.deepEqual(again.warnings, []);
  }));

test("a patch that cannot be read is refused with the right shape", () =>
  withFile("one\n", async ({ dir, session }) => {
    for (const request of [
      undefined,
      null,
      5,
      "no json",
      [],
      {},
      { patch: [{ op: "set_line" }] },
      { patch: [null] },
    ]) {
      const outcome = await session.apply(request);
      assert.equal(outcome.kind, "refused");
      assert.equal(outcome.refusals[0].code, "bad_patch");
      assert.match(outcome.text, /the right shape: /);
    }
    assert.equal(dir.read("a.txt"), "one\n");
  }));

test("an aborted call writes nothing", () =>
  withFile("one\n", async ({ dir, session, anchor }) => {
    const patch = [{ op: "set_line", path: "a.txt", anchor: anchor(1), text: "1" }];
    await assert.rejects(session.apply({ patch }, AbortSignal.abort()), { name: "AbortError" });
    assert.equal(dir.read("a.txt"), "one\n");
  }));

test(
  "a disk error is an exception with a code",
  {
    skip: process.platform === "win32" && "Windows reports this path as not found",
  },
  () =>
    withFile("one\n", async ({ session }) => {
      const patch = [{ op: "add_file", path: "a.txt/b.txt", content: "x\n" }];
      await assert.rejects(session.apply({ patch }), { code: "write_failed" });
    }),
);

test("calls at the same time do not lose each other's edits", () =>
  withFile(
    Array.from({ length: 20 }, (_, at) => `line number ${at}\n`).join(""),
    async ({ dir, session, anchor }) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) =>
          session.apply({
            patch: [{ op: "set_line", path: "a.txt", anchor: anchor(at + 1), text: `edited ${at}` }],
          }),
        ),
      );
      assert.ok(outcomes.every(({ value }) => value?.kind === "applied"));
      assert.equal(dir.read("a.txt").match(/^edited/gm).length, 20);
    },
  ));

/** The number of random trials; of fewer, a single one moves the shares that are promised. */
const TRIALS = 2000;

test(`edits land where they were meant: ${TRIALS} trials of the fault benchmarks`, {
  // Ends only a test that hangs.
  timeout: 1_800_000,
  skip: process.env.HASHLINE_EMULATED !== undefined && "an emulator is too slow for them",
}, async () => {
  const lines = [];
  const broken = await main({ trials: TRIALS, tasks: 2, quick: true, print: (text) => lines.push(text) });
  assert.deepEqual(broken, [], lines.join("\n"));
});
