// Extensions of others beside ours, in real hosts: what gates see of a call, before it is carried out.

import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { PACKAGE, workbench } from "./bench.mjs";
import { companion, example, written } from "./companions.mjs";
import { call } from "./model.mjs";
import { failed, succeeded } from "./scenarios/words.mjs";

const FILES = { ".env": "KEY=1\n", "a.txt": "one\ntwo\n" };

/** Calls that would change or show `.env`, in the spellings of many tools. */
const PROTECTED = [
  call("apply_hash", { patch: [{ op: "delete_file", path: ".env" }] }),
  call("apply_hash", { path: ".env", edits: [{ oldText: "KEY=1", newText: "KEY=2" }] }),
  call("apply_hash", {
    patch: JSON.stringify([{ op: "add_file", path: "./.env", content: "", overwrite: true }]),
  }),
  call("apply_hash", { file_path: ".env", old_string: "KEY=1", new_string: "KEY=2" }),
  call("apply_hash", { patch: "*** Begin Patch\n*** Delete File: .env\n*** End Patch" }),
  call("apply_hash", { patch: [{ op: "delete_file", path: "link.txt" }] }),
  call("apply_hash", { patch: [{ op: "move_file", from: ".env", to: "b.txt" }] }),
];

const ALLOWED = call("apply_hash", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] });

/** A gate that looks at `input.path` and nothing else. */
const GATE = `export default function (pi) {
  pi.on("tool_call", (event) => {
    if (event.toolName !== "apply_hash" && event.toolName !== "read") return undefined;
    if (event.input.path.includes(".env")) return { block: true, reason: "protected: " + event.input.path };
  });
}
`;

/** The gate that docs/other-extensions.md shows. */
async function documented() {
  const page = await readFile(join(PACKAGE, "docs", "other-extensions.md"), "utf8");
  return /```js\n(.*?)```/s.exec(page)[1];
}

/** Plays the calls in a host with these extensions behind ours: those for \`.env\` are blocked, the last is not. */
async function play(hostName, extensionsOf, { settings = {}, calls = PROTECTED, reason = /protect/i } = {}) {
  const bench = await workbench(hostName, { settings });
  try {
    await bench.reset(FILES);
    await symlink(".env", join(bench.work, "link.txt"));
    bench.extensions = [PACKAGE, ...(await extensionsOf(bench))];
    const { results, stderr } = await bench.print([...calls, ALLOWED]);
    assert.equal(results.length, calls.length + 1, stderr);
    for (const result of results.slice(0, -1)) failed(result, reason);
    succeeded(results.at(-1), /^Applied 1 operation/m);
    assert.deepEqual(await bench.files(), { ".env": "KEY=1\n", "a.txt": "one\n2\n" });
    return results;
  } finally {
    await bench.close();
  }
}

describe("gates of others", () => {
  for (const host of ["pi", "pi073", "omp"]) {
    it(`${host}: one that looks only at input.path stops every spelling`, async () => {
      const calls = [...PROTECTED, call("read", { paths: [".env:1-1", "a.txt"] })];
      await play(host, async (bench) => [await written(join(bench.place, "gate.mjs"), GATE)], { calls });
    });
  }

  for (const host of ["pi", "omp"]) {
    it(`${host}: the one in docs/other-extensions.md does, as it is written there`, async () => {
      await play(host, async (bench) => [await written(join(bench.place, "gate.mjs"), await documented())]);
    });
  }

  it("pi: its own example protected-paths.ts does, once it knows the name of our tool", async () => {
    await play("pi", async (bench) => [
      await example(bench.host, "protected-paths.ts", bench.place, (text) =>
        text.replace('event.toolName !== "edit"', 'event.toolName !== "apply_hash"'),
      ),
    ]);
  });

  it("pi: @gotgenes/pi-permission-system does, also where the protected file is not the first", async () => {
    const rules = { "*": "allow", path: { "*": "allow", "*.env": "deny" } };
    const second = [
      { op: "replace", path: "a.txt", old_text: "one", new_text: "1" },
      { op: "delete_file", path: ".env" },
    ];
    const calls = [
      ...PROTECTED,
      call("apply_hash", { patch: second }),
      call("read", { paths: ["a.txt", ".env"] }),
    ];
    const config = "extensions/pi-permission-system/config.json";
    await play(
      "pi",
      async (bench) => {
        await written(join(bench.agentDir, config), JSON.stringify({ permission: rules }));
        return [await companion("permissions")];
      },
      { calls, reason: /\.env|denied|permission/i },
    );
  });
});

/** Enough text that a host finds something to leave out. */
const FILLER = Array.from({ length: 2000 }, (_, i) => `line ${i} of the filler\n`).join("");

describe("what a summary says of files", () => {
  for (const host of ["pi", "pi073"]) {
    it(`${host}: it lists the files that our calls read and changed, also after a resume`, async () => {
      const bench = await workbench(host);
      try {
        await bench.reset({ "a.txt": FILLER, "b.txt": FILLER, "c.txt": "one\ntwo\n", "d.txt": "gone\n" });
        let rpc = await bench.rpc(["--session-dir", bench.sessions]);
        await rpc.prompt([
          call("read", { paths: ["a.txt", "b.txt"] }),
          call("read", { path: "c.txt:1-2" }),
          call("apply_hash", { path: "c.txt", edits: [{ oldText: "two", newText: "2" }] }),
          call("apply_hash", { patch: [{ op: "move_file", from: "d.txt", to: "e.txt" }] }),
        ]);
        await rpc.prompt([call("read", { path: "a.txt" }), call("read", { path: "b.txt" })]);
        const { sessionFile } = await rpc.state();
        await rpc.close();
        rpc = await bench.rpc(bench.resume(sessionFile));
        await rpc.send({ type: "compact" });
        await rpc.idle();
        await rpc.close();
        const session = await readFile(sessionFile, "utf8");
        const entry = session
          .split("\n")
          .filter(Boolean)
          .map((row) => JSON.parse(row));
        const { summary } = entry.find(({ type }) => type === "compaction");
        assert.match(summary, /<modified-files>\nc\.txt\nd\.txt\ne\.txt\n<\/modified-files>/);
        assert.match(summary, /<read-files>\na\.txt\nb\.txt\n<\/read-files>/);
      } finally {
        await bench.close();
      }
    });
  }
});
