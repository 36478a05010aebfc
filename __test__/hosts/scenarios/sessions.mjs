// Memory after a compaction, a fork and a switch of sessions; sub-agents; aborts.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { anchor, call } from "../model.mjs";
import { apply, bash, GONE, meeting, OMP, OURS, read, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n";

/** Enough text that a compaction finds something to leave out. */
const FILLER = { "filler.txt": Array.from({ length: 2000 }, (_, i) => `line ${i} of the filler\n`).join("") };
const fill = () => [read("filler.txt"), read("filler.txt"), read("filler.txt")];

/**
 * A search of some twenty seconds that finds nothing: word boundaries beside letters that are not ASCII make
 * the engine use its slowest method.
 */
const SLOW = "\\b[\\w ]{20,60}[A-Z]{2}\\b";
const HAY = `${"wörds and more words on a long line ".repeat(50)}\n`;
const haystack = () => Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`hay/${i}.txt`, HAY]));

export const sessions = [
  {
    claim: "anchors from before a compaction are still valid after it",
    files: { "list.txt": LIST, ...FILLER },
    async talk(rpc, bench) {
      const before = await rpc.prompt([read("list.txt"), ...fill()]);
      const shown = before.results[0].text;
      await rpc.send({ type: "compact" });
      await rpc.idle();
      await bench.write({ "list.txt": `zero\n${LIST}` });
      const after = await rpc.prompt([apply(setLine("list.txt", shown, "gamma three", "GAMMA"))]);
      succeeded(after.results[0], /moved to line 4/);
      assert.doesNotMatch(after.results[0].text, /unverified/);
      assert.deepEqual(
        GONE.filter((name) => after.tools.includes(name)),
        [],
      );
      assert.equal(await bench.text("list.txt"), `zero\n${LIST.replace("gamma three", "GAMMA")}`);
    },
  },
  {
    claim: "a compaction that the host starts itself takes neither tools nor anchors away",
    files: { "list.txt": LIST, ...FILLER },
    async talk(rpc) {
      const first = await rpc.prompt([read("list.txt"), ...fill(), { text: "long", promptTokens: 127_000 }]);
      await rpc.idle();
      const shown = first.results[0].text;
      const second = await rpc.prompt([apply(setLine("list.txt", shown, "beta two", "BETA"))]);
      assert.ok(
        rpc.events.some(({ type }) => /compaction_end$/.test(type)),
        "the host did not compact",
      );
      assert.deepEqual(
        OURS.filter((name) => !second.tools.includes(name)),
        [],
      );
      succeeded(second.results[0], /^Applied 1 operation/m);
      assert.doesNotMatch(second.results[0].text, /unverified/);
    },
  },
  {
    claim: "a fork begins with what its origin was shown",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      const first = await rpc.prompt([read("list.txt")]);
      // Fork at a second prompt: a fork keeps what came before the message that it begins at.
      await rpc.prompt([{ text: "hello" }], { message: "and now" });
      const omp = bench.host.family === "omp";
      const { messages } = await rpc.send({ type: omp ? "get_branch_messages" : "get_fork_messages" });
      const { sessionId } = await rpc.state();
      await rpc.send({ type: omp ? "branch" : "fork", entryId: messages.at(-1).entryId });
      assert.notEqual((await rpc.state()).sessionId, sessionId);
      await bench.write({ "list.txt": `zero\n${LIST}` });
      const patch = apply(setLine("list.txt", first.results[0].text, "delta four", "DELTA"));
      const { results } = await rpc.prompt([patch]);
      succeeded(results[0], /^4:[0-9a-f]{2} moved to line 5/m);
      assert.doesNotMatch(results[0].text, /unverified/);
    },
  },
  {
    claim: "a session that is switched back to still knows what it was shown",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      const first = await rpc.prompt([read("list.txt")]);
      const { sessionFile } = await rpc.state();
      await rpc.send({ type: "new_session" });
      await rpc.prompt([{ text: "hello" }]);
      await rpc.send({ type: "switch_session", sessionPath: sessionFile });
      await bench.write({ "list.txt": `zero\n${LIST}` });
      const patch = apply(setLine("list.txt", first.results[0].text, "beta two", "BETA"));
      const { results } = await rpc.prompt([patch]);
      succeeded(results[0], /^2:[0-9a-f]{2} moved to line 3/m);
      assert.doesNotMatch(results[0].text, /unverified/);
    },
  },
  {
    claim: "a new session knows nothing of the one before it",
    files: { "list.txt": LIST },
    async talk(rpc) {
      const { results } = await rpc.prompt([read("list.txt")]);
      await rpc.send({ type: "new_session" });
      const next = await rpc.prompt([apply(setLine("list.txt", results[0].text, "beta two", "BETA"))]);
      succeeded(next.results[0], /unverified/);
    },
  },
  {
    claim: "sub-agents edit by their own anchors, and a scout gets no editing tool",
    hosts: OMP,
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      const worker = [
        read("list.txt"),
        (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
        bash("cat list.txt"),
      ];
      const script = await delegate(rpc, bench, [
        { name: "worker", agent: "task", task: "paint the blue list", turns: worker },
        { name: "looker", agent: "scout", task: "look at the green list", turns: [read("list.txt")] },
      ]);
      const [work, look] = script.others.map(({ seen }) => seen);
      assert.ok(work[0].tools.includes("apply_hash") && !work[0].tools.includes("edit"), `${work[0].tools}`);
      assert.match(work[2].last, /^Applied 1 operation/m);
      assert.match(work[3].last, /`cat` prints `list\.txt`/);
      assert.match(look[1].last, /^1:[0-9a-f]{2}\|alpha one$/m);
      assert.ok(!look[0].tools.some((name) => ["apply_hash", ...GONE].includes(name)), `${look[0].tools}`);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
    },
  },
  {
    claim: "sub-agents that edit one file at the same time all succeed, each by its own anchors",
    hosts: OMP,
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      const words = LIST.trim().split("\n");
      // No agent edits before all have read, so each edit but the first uses an anchor from before another edit.
      const everybody = meeting(words.length);
      const script = await delegate(
        rpc,
        bench,
        words.map((line, i) => ({
          name: `worker${i}`,
          agent: "task",
          task: `paint number ${i}`,
          turns: [
            read("list.txt"),
            async (seen) => {
              await everybody();
              const at = anchor(seen.last, line);
              const text = `${line}\nand ${line.toUpperCase()}`;
              return apply({ op: "set_line", path: "list.txt", anchor: at, text });
            },
          ],
        })),
      );
      for (const { seen } of script.others) assert.match(seen[2].last, /^Applied 1 operation/m);
      const expected = words.map((line) => `${line}\nand ${line.toUpperCase()}\n`).join("");
      assert.equal(await bench.text("list.txt"), expected);
    },
  },
  {
    claim: "an abort during a large patch is answered by what is on the disk",
    files: {},
    async talk(rpc, bench) {
      const names = Array.from({ length: 200 }, (_, i) => `many/${i}.txt`);
      const patch = names.map((path) => ({ op: "add_file", path, content: "new\n", overwrite: true }));
      // How far the patch gets before the abort arrives is chance; the result must be true in each case.
      for (const delay of [0, 5, 20, 80, 300]) {
        await bench.reset(Object.fromEntries(names.map((name) => [name, "old\n"])));
        const started = rpc.wait(({ type }) => type === "tool_execution_start", "start of the patch");
        const ended = rpc.wait(({ type }) => type === "tool_execution_end", "end of the patch");
        await rpc.begin([call("apply_hash", { patch })]);
        await started;
        await sleep(delay);
        await rpc.send({ type: "abort" });
        const { isError, result } = await ended;
        await rpc.idle();
        const said = result.content.map(({ text }) => text).join("");
        const contents = new Set(Object.values(await bench.files()));
        if (isError) {
          assert.match(said, /^the operation was aborted/, `after ${delay} ms`);
          assert.deepEqual(contents, new Set(["old\n"]), `after ${delay} ms: ${said}`);
        } else {
          assert.match(said, /^Applied 200 operations to 200 files/, `after ${delay} ms`);
          assert.deepEqual(contents, new Set(["new\n"]), `after ${delay} ms: ${said}`);
        }
      }
    },
  },
  {
    claim: "a long grep tells how far it is, and is aborted",
    files: haystack(),
    async talk(rpc) {
      const progress = rpc.wait(({ type }) => type === "tool_execution_update", "progress of the search");
      const ended = rpc.wait(({ type }) => type === "tool_execution_end", "end of the search");
      await rpc.begin([call("grep", { pattern: SLOW })]);
      assert.match((await progress).partialResult.content[0].text, /^\d+ files? searched, \d+ matches$/);
      await rpc.send({ type: "abort" });
      const { isError, result } = await ended;
      assert.equal(isError, true);
      assert.match(result.content.map(({ text }) => text).join(""), /^the operation was aborted$/);
      await rpc.idle();
      const next = await rpc.prompt([read("hay/0.txt")]);
      succeeded(next.results[0]);
    },
  },
];

/** Lets omp's agent give tasks to sub-agents, each with a script of its own, and wait for all of them. */
export async function delegate(rpc, bench, jobs) {
  const old = bench.host.name === "omp182";
  const tasks = jobs.map(({ name, agent, task }) => ({
    name,
    agent,
    task,
    ...(old ? {} : { solutionSpace: "this file only" }),
  }));
  const wait = old ? call("hub", { op: "wait" }) : call("wait", {});
  const finish = call("yield", { type: "result", data: "done" });
  const { script } = await rpc.prompt([call("task", { context: "a test", tasks }), ...jobs.map(() => wait)], {
    others: jobs.map(({ task, turns }) => ({ when: new RegExp(task), turns: [...turns, finish] })),
  });
  assert.deepEqual(script.failures, []);
  return script;
}
