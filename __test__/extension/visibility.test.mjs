// Which tools are offered for each set of flags. No session is left without an editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\n" };

/**
 * The flags of a host, and the tools that it knows and offers at first. A host that leaves a tool out because of a flag
 * does not know it, and `setActiveTools` cannot bring it back.
 */
const ROWS = [
  { flags: [], kind: "pi", known: ["read", "bash", "edit", "write", "grep", "apply_hash"] },
  { flags: ["--tools", "read,bash,edit,write"], kind: "pi", known: ["read", "bash", "edit", "write"] },
  { flags: ["--tools", "read,edit"], kind: "pi", known: ["read", "edit"] },
  { flags: ["--tools", "read,grep"], kind: "pi", known: ["read", "grep"] },
  { flags: ["--tools", "read,apply_hash"], kind: "pi", known: ["read", "apply_hash"] },
  {
    flags: ["--exclude-tools", "apply_hash"],
    kind: "pi",
    known: ["read", "bash", "edit", "write", "grep"],
  },
  { flags: ["--exclude-tools", "edit,write"], kind: "pi", known: ["read", "bash", "grep", "apply_hash"] },
  { flags: ["--exclude-tools", "read"], kind: "pi", known: ["bash", "edit", "write", "grep", "apply_hash"] },
  { flags: ["--no-builtin-tools"], kind: "pi", known: ["read", "grep", "apply_hash"] },
  { flags: ["--no-tools"], kind: "pi", known: [] },
  { flags: [], kind: "omp", known: ["read", "bash", "edit", "write", "ast_edit", "grep", "apply_hash"] },
  { flags: ["--tools", "read,bash,edit,write"], kind: "omp", known: ["read", "bash", "edit", "write"] },
  { flags: ["--no-tools"], kind: "omp", known: ["read", "grep", "apply_hash"] },
];

for (const { flags, kind, known } of ROWS) {
  test(`${kind} ${flags.join(" ") || "without flags"}`, async (t) => {
    const argv = process.argv;
    process.argv = [...argv, ...flags];
    t.after(() => {
      process.argv = argv;
    });
    const host = await startHost(t, { kind, files: FILES, active: [...known], known });
    const { active, notices } = host;
    const hidden = known.filter((name) => !active.includes(name));
    const edited = ["edit", "write", "apply_hash"].some((name) => active.includes(name));
    const could =
      ["edit", "write"].some((name) => known.includes(name)) || flags.includes("--no-builtin-tools");
    assert.equal(edited, could || flags.some((flag) => flag.includes(",apply_hash")), `offered: ${active}`);
    if (!active.includes("apply_hash"))
      assert.ok(!hidden.includes("edit") && !hidden.includes("write"), `hidden: ${hidden}`);
    if (kind === "omp" && flags.includes("--no-tools")) assert.deepEqual(active, []);
    // A notice says why apply_hash is missing, but only if the agent could edit.
    const reasons = notices.filter(({ text }) => text.includes("apply_hash is not among the tools"));
    assert.equal(reasons.length, could && !known.includes("apply_hash") ? 1 : 0);
    // The guard does not send the model to tools that it is not offered.
    const write = await host.call("bash", { command: "echo x > a.txt" });
    assert.equal(write.blocked ?? false, active.includes("apply_hash"), write.text);
    const cat = await host.call("bash", { command: "cat a.txt" });
    assert.equal(/\[answered by read: /.test(cat.text), active.includes("read"), cat.text);
    if (known.includes("edit")) {
      const edit = await host.call("edit", { path: "a.txt" });
      assert.equal(edit.blocked ?? false, active.includes("apply_hash"), edit.text);
    }
  });
}
