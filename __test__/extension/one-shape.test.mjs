// Calls as other extensions see them: in one shape, with the true names of their files.

import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\ntwo\n", "secret.txt": "key\n", "dir/b.txt": "three\n" };

/** The arguments of `apply_hash` that other extensions see before the call is carried out. */
const shape = (host, args) => host.tools.get("apply_hash").prepareArguments(args);

/** Spellings of one call, which all become `op`. */
const SPELLINGS = [
  { patch: [{ op: "set_line", path: "a.txt", anchor: "1:aa", text: "x" }] },
  { patch: { op: "set_line", path: "a.txt", anchor: "1:aa", text: "x\n" } },
  { patch: '[{"op": "set_line", "path": "a.txt", "anchor": "1:aa", "text": "x"}]' },
  { path: "a.txt", edits: [{ set_line: { anchor: "1:aa", new_text: "x" } }] },
  { filePath: "a.txt", edits: [{ op: "replace", pos: "1:aa", lines: ["x"] }] },
  [{ op: "set_line", file_path: "a.txt", anchor: "1:aa", text: "x" }],
  JSON.stringify([{ op: "set_line", path: "a.txt", anchor: "1:aa", text: "x" }]),
];

test("every spelling of a patch becomes one shape, and preparing it twice changes nothing", async (t) => {
  const host = await startHost(t, { files: FILES });
  const op = { op: "set_line", path: "a.txt", anchor: "1:aa", text: "x" };
  for (const args of SPELLINGS) {
    const prepared = shape(host, args);
    assert.deepEqual(prepared, { path: "a.txt", paths: ["a.txt"], patch: [op] }, JSON.stringify(args));
    assert.deepEqual(shape(host, prepared), prepared);
  }
  const begun =
    "*** Begin Patch\n*** Update File: dir/b.txt\n@@\n-three\n+3\n*** Delete File: a.txt\n*** End Patch";
  assert.deepEqual(shape(host, begun).paths, ["dir/b.txt", "a.txt"]);
  const moved = shape(host, [{ op: "move_file", from: "a.txt", to: "dir/c.txt" }]);
  assert.deepEqual(moved.paths, ["a.txt", "dir/c.txt"]);
});

test("a file has its real name, and the name of the link that leads to it", async (t) => {
  const host = await startHost(t, { files: FILES });
  await symlink("secret.txt", join(host.cwd, "notes.txt"));
  const calls = ["notes.txt", "@./dir/../notes.txt", join(host.cwd, "notes.txt")];
  for (const path of calls) {
    const { path: first, paths } = shape(host, [{ op: "delete_file", path }]);
    assert.deepEqual([first, paths], ["secret.txt", ["secret.txt", "notes.txt"]], path);
  }
  const { paths } = host.tools.get("read").prepareArguments({ path: "notes.txt:1-3" });
  assert.deepEqual(paths, ["secret.txt", "notes.txt"]);
});

for (const kind of ["pi", "omp"]) {
  test(`${kind}: a gate that looks only at input.path sees every spelling`, async (t) => {
    const host = await startHost(t, { kind, files: FILES });
    // Listen like an extension that was loaded after ours: in omp it sees what our handler answered.
    const seen = [];
    const [ours] = host.handlers.get("tool_call");
    host.handlers.set("tool_call", [
      async (event, context) => {
        const answer = await ours(event, context);
        const { path } = answer?.input ?? event.input;
        seen.push(path);
        return path.includes("secret") ? { block: true, reason: "protected" } : answer;
      },
    ]);
    const edits = [
      { path: "secret.txt", edits: [{ oldText: "key", newText: "x" }] },
      { patch: JSON.stringify([{ op: "delete_file", path: "secret.txt" }]) },
      { patch: [{ delete_file: { path: "./secret.txt" } }] },
    ];
    for (const args of edits) {
      const result = await host.call("apply_hash", args);
      assert.equal(result.blocked, true, JSON.stringify(args));
    }
    assert.equal((await host.call("read", { paths: ["secret.txt:1-1"] })).blocked, true);
    assert.deepEqual(seen, Array(4).fill("secret.txt"));
  });

  test(`${kind}: a call whose paths were changed since is not carried out`, async (t) => {
    const host = await startHost(t, { kind, files: FILES });
    const handlers = host.handlers.get("tool_call");
    for (const change of [{ path: "a.txt" }, { paths: ["a.txt"] }, { path: "a.txt", paths: ["a.txt"] }]) {
      const tamper = async (event, context) => {
        const answer = await handlers[0](event, context);
        Object.assign(answer?.input ?? event.input, change);
        return answer;
      };
      host.handlers.set("tool_call", [tamper]);
      for (const [tool, args] of [
        ["apply_hash", [{ op: "delete_file", path: "secret.txt" }]],
        ["read", { path: "secret.txt" }],
        ["grep", { pattern: "k", path: "secret.txt" }],
      ]) {
        // If `path` and `paths` agree again, the call is simply another read, and no gate is misled.
        if (tool !== "apply_hash" && change.path && change.paths) continue;
        await assert.rejects(host.call(tool, args), /no longer name the files/, tool);
      }
    }
  });
}

test("a patch that cannot be understood names no file and is never carried out", async (t) => {
  const host = await startHost(t, { files: FILES });
  // The patch names no file, so it cannot be understood until exactly one file has been shown.
  const args = [{ op: "replace", old_text: "one", new_text: "1" }];
  const prepared = shape(host, args);
  assert.deepEqual(prepared, { path: "", paths: [], patch: [], given: args });
  await host.call("read", { path: "a.txt" });
  const run = (params) =>
    host.tools.get("apply_hash").execute("x", params, undefined, undefined, host.context);
  await assert.rejects(run(prepared), /send the call again/);
  const again = shape(host, args);
  assert.deepEqual(again.paths, ["a.txt"]);
  assert.equal((await run(again)).details.warnings[0].code, "assumed_path");
});

test("a row names each file of a call in its one shape once", async (t) => {
  const host = await startHost(t, { kind: "omp", files: FILES });
  const rows = (tool, args) => {
    const prepared = host.tools.get(tool).prepareArguments(args);
    return host.tools
      .get(tool)
      .renderCall(prepared, {}, { fg: (_, text) => text, bold: (text) => text })
      .render(80);
  };
  assert.deepEqual(rows("read", { path: "a.txt" }), ["read a.txt"]);
  assert.deepEqual(rows("grep", { pattern: "x" }), ["grep x"]);
  assert.deepEqual(rows("grep", { pattern: "x", path: "dir" }), ["grep x in dir"]);
});
