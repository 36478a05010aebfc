// Which tools an agent is offered, for every flag that chooses tools and their combinations.
//
// Whichever tools are left out, an agent that had an editor keeps one: `apply_hash`, or else the host's own. The guard
// agrees with that: it blocks writes exactly if `apply_hash` is offered instead.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { workbench } from "./bench.mjs";
import { bash, GONE, OURS } from "./scenarios/words.mjs";

/** Flags, and the file tools that are offered with them, in every version of pi. */
const EVERY_PI = [
  ["", "apply_hash bash grep read"],
  ["--tools read,bash,edit,write", "bash edit read write"],
  ["--tools read,edit", "edit read"],
  ["--tools read,bash,write", "bash read write"],
  ["--tools read,grep", "grep read"],
  ["--tools read,bash", "bash read"],
  ["--tools bash", "bash"],
  ["--tools read,apply_hash", "apply_hash read"],
  ["-t read,bash,edit,apply_hash", "apply_hash bash read"],
  ["--no-tools", ""],
  ["-nt", ""],
  ["--no-tools --tools read,edit", "edit read"],
  ["--no-builtin-tools", "apply_hash grep read"],
  ["-nbt", "apply_hash grep read"],
  ["--no-builtin-tools --tools read,bash,edit", "bash edit read"],
];

const PI_15 = [
  ["--tools *", "apply_hash bash grep read"],
  ["--tools +grep", "apply_hash bash grep read"],
  ["--tools r*,apply*,e*", "apply_hash read"],
  ["--exclude-tools apply_hash", "bash edit grep read write"],
  ["--exclude-tools apply*", "bash edit grep read write"],
  ["-xt apply_hash,edit", "bash grep read write"],
  ["--exclude-tools edit,write", "bash grep read"],
  ["--exclude-tools edit", "apply_hash bash grep read"],
  ["--exclude-tools read", "apply_hash bash grep"],
  ["--exclude-tools grep", "apply_hash bash read"],
  ["--exclude-tools bash", "apply_hash grep read"],
  ["--no-builtin-tools --exclude-tools apply_hash", "grep read"],
  ["--tools read,edit,apply_hash --exclude-tools apply_hash", "edit read"],
];

// omp offers the tools of extensions whatever `--tools` says, so ours replace the tools that it names.
const EVERY_OMP = [
  ["", "apply_hash bash grep read"],
  ["--tools read,bash,edit,write", "apply_hash bash grep read"],
  ["--tools=read,bash,edit,write", "apply_hash bash grep read"],
  ["--tools read,edit", "apply_hash grep read"],
  ["--tools read,bash,write", "apply_hash bash grep read"],
  ["--tools read,grep", "grep read"],
  ["--tools read,bash", "bash grep read"],
  ["--tools bash", "bash grep read"],
  ["--tools read,apply_hash", "apply_hash grep read"],
  ["--no-tools", ""],
  ["--no-tools --tools read,edit", "apply_hash grep read"],
];

const TABLE = { pi: [...EVERY_PI, ...PI_15], pi073: EVERY_PI, omp: EVERY_OMP, omp182: EVERY_OMP };

/** The notice that explains why the host's editors are not hidden. */
const NOTICE = /apply_hash is not among the tools of this session/;

for (const [host, rows] of Object.entries(TABLE)) {
  describe(`${host}, started with`, () => {
    let bench;
    before(async () => {
      bench = await workbench(host);
    });
    after(() => bench?.close());

    for (const [flags, offered] of rows) {
      it(`${flags || "no flags"}: offers ${offered || "nothing"}`, async () => {
        await bench.reset({ "list.txt": "before\n" });
        const rpc = await bench.rpc(["--no-session", ...flags.split(" ").filter(Boolean)]);
        const { tools } = await rpc.prompt([bash("echo after > list.txt")]);
        await rpc.close();
        const fileTools = tools.filter((name) => [...OURS, ...GONE].includes(name)).toSorted();
        assert.equal(fileTools.join(" "), offered);
        const writes = tools.includes("bash") && !tools.includes("apply_hash");
        assert.equal(await bench.text("list.txt"), writes ? "after\n" : "before\n");
        const kept = fileTools.some((name) => GONE.includes(name));
        assert.equal(
          rpc.notices.some((text) => NOTICE.test(text)),
          kept,
          `${rpc.notices}`,
        );
      });
    }
  });
}
