// Reading only what changed: within a conversation, and after each event that removes earlier results from it.

import assert from "node:assert/strict";
import { call } from "../model.mjs";
import { delegate } from "./sessions.mjs";
import { OMP, read, succeeded } from "./words.mjs";

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i + 1} of the list\n`);
const LIST = LINES.join("");
const CHANGED = LIST.replace("line 20 of", "line twenty of");

/** Enough text that a compaction finds something to leave out. */
const FILLER = Array.from({ length: 2000 }, (_, i) => `line ${i} of the filler\n`).join("");

const changes = call("read", { path: "list.txt", changes: true });

/** Asserts that a result shows all lines, and says that none was shown before. */
function showsAllAsNew(result) {
  succeeded(
    result,
    /^list\.txt \(lines 1-40 of 40, not shown before\)$/m,
    /^40:[0-9a-f]{2}\|line 40 of the list$/m,
  );
}

export const changed = [
  {
    claim: "only changed lines are shown, with anchors, and if nothing changed the result says so",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      const first = await rpc.prompt([read("list.txt"), changes, read("list.txt")]);
      succeeded(first.results[1], /^list\.txt \(40 lines, unchanged since shown\)$/);
      succeeded(first.results[2], /^list\.txt \(lines 1-40 of 40, unchanged since shown\)\n1:/);
      await bench.write({ "list.txt": CHANGED });
      const { results } = await rpc.prompt([changes]);
      succeeded(
        results[0],
        /^list\.txt \(40 lines, \+1 -1 since shown\)$/m,
        /^\+20:[0-9a-f]{2}\|line twenty of/m,
      );
      assert.equal(results[0].text.split("\n").length, 1 + 2 + 1 + 1 + 2, results[0].text);
    },
  },
  {
    claim: "after a compaction nothing counts as shown",
    files: { "list.txt": LIST, "filler.txt": FILLER },
    async talk(rpc) {
      await rpc.prompt([read("list.txt"), read("filler.txt"), read("filler.txt"), read("filler.txt")]);
      await rpc.send({ type: "compact" });
      await rpc.idle();
      const { results } = await rpc.prompt([changes]);
      showsAllAsNew(results[0]);
    },
  },
  {
    claim: "in a fork nothing counts as shown",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([read("list.txt")]);
      await rpc.prompt([{ text: "hello" }], { message: "and now" });
      const omp = bench.host.family === "omp";
      const { messages } = await rpc.send({ type: omp ? "get_branch_messages" : "get_fork_messages" });
      await rpc.send({ type: omp ? "branch" : "fork", entryId: messages.at(-1).entryId });
      const { results } = await rpc.prompt([changes]);
      showsAllAsNew(results[0]);
    },
  },
  {
    claim: "in a session that is resumed nothing counts as shown",
    files: { "list.txt": LIST },
    async talk(rpc) {
      await rpc.prompt([read("list.txt")]);
      const { sessionFile } = await rpc.state();
      await rpc.send({ type: "new_session" });
      await rpc.prompt([{ text: "hello" }]);
      await rpc.send({ type: "switch_session", sessionPath: sessionFile });
      const { results } = await rpc.prompt([changes]);
      showsAllAsNew(results[0]);
    },
  },
  {
    claim: "for a sub-agent, lines that another agent was shown do not count as shown",
    hosts: OMP,
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([read("list.txt")]);
      const script = await delegate(rpc, bench, [
        { name: "worker", agent: "task", task: "paint the blue list", turns: [changes] },
      ]);
      const [work] = script.others.map(({ seen }) => seen);
      assert.match(work[1].last, /^list\.txt \(lines 1-40 of 40, not shown before\)$/m);
    },
  },
];
