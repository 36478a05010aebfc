// What outlives one run: memory over compaction, resume and fork; sub-agents; what a crash left.
//
// Unlike the tables beside it, each of these needs a host of its own, with its own settings.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PACKAGE } from "../bench.mjs";
import { call } from "../model.mjs";
import { apply, bash, read, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n";
const OURS = ["apply_hash", "bash", "grep", "read"];
const GONE = ["edit", "write", "ast_edit"];

/** Each: a claim, the workbench it wants, and what is done there. */
export const sessions = [
  {
    claim: "our tools are offered, the host's editing tools are gone, and the rules are in the prompt",
    async run(bench) {
      const { code, stderr, tools, system, script } = await bench.print([{ text: "hello" }]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        OURS.filter((name) => !tools.includes(name)),
        [],
        `offered: ${tools}`,
      );
      assert.deepEqual(
        GONE.filter((name) => tools.includes(name)),
        [],
        `offered: ${tools}`,
      );
      const described = JSON.stringify(script.seen[0].request.tools);
      assert.match(described + system, /LINE:HASH/);
      assert.match(system, /apply_hash/);
    },
  },
  {
    claim: "an agent that was given no editing tool gets none from us",
    async run(bench) {
      const { tools } = await bench.print([{ text: "hello" }], {
        args: ["--no-session", "--tools", "read,grep"],
      });
      assert.deepEqual(tools.filter((name) => [...OURS, ...GONE].includes(name)).sort(), ["grep", "read"]);
    },
  },
  {
    claim: "in nudge mode the command runs, the result carries a note, and the footer says so",
    hashline: { guard: "nudge" },
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { results } = await rpc.prompt([bash("cat list.txt"), bash("wc -l < /dev/null")]);
      succeeded(results[0], /^epsilon five$/m, /note: `cat` prints `list\.txt` without anchors/);
      assert.doesNotMatch(results[1].text, /note:/);
      assert.match(rpc.status ?? "", /nudge/);
      await rpc.close();
    },
  },
  {
    claim: "a setting that does not fit is left out with one warning, and the rest holds",
    hashline: { guard: "nudge", scheme: "hex99" },
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { results } = await rpc.prompt([read("list.txt"), bash("cat list.txt")]);
      succeeded(results[0], /^1:[0-9a-f]{2}\|alpha one$/m);
      succeeded(results[1], /note:/);
      assert.equal(rpc.notices.filter((text) => /scheme/.test(text) && /hex99/.test(text)).length, 1);
      await rpc.close();
    },
  },
  {
    claim: "anchors from before a compaction still hold after it",
    async run(bench) {
      await bench.reset({ "list.txt": LIST, ...FILLER });
      const rpc = await bench.rpc();
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
      await rpc.close();
    },
  },
  {
    claim: "a compaction that the host starts itself takes neither tools nor anchors away",
    async run(bench) {
      await bench.reset({ "list.txt": LIST, ...FILLER });
      const rpc = await bench.rpc();
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
      await rpc.close();
    },
  },
  {
    claim: "a resumed session knows in a new process what it was shown in the old one",
    async run(bench) {
      const { shown, file } = await firstSession(bench);
      await bench.write({ "list.txt": `zero\n${LIST}` });
      const again = await bench.print([apply(setLine("list.txt", shown, "delta four", "DELTA"))], {
        args: bench.resume(file),
      });
      succeeded(again.results[0], /^4:[0-9a-f]{2} moved to line 5/m);
      assert.doesNotMatch(again.results[0].text, /unverified/);
      assert.equal(await bench.text("list.txt"), `zero\n${LIST.replace("delta four", "DELTA")}`);
    },
  },
  {
    claim: "a fork begins with what its origin was shown",
    async run(bench) {
      const { shown, file } = await firstSession(bench);
      const rpc = await bench.rpc(bench.resume(file));
      // A second prompt, to fork at: a fork keeps what came before the message it begins at.
      await rpc.prompt([{ text: "hello" }], { message: "and now" });
      const omp = bench.host.name === "omp";
      const { messages } = await rpc.send({ type: omp ? "get_branch_messages" : "get_fork_messages" });
      const { sessionId } = await rpc.state();
      await rpc.send({ type: omp ? "branch" : "fork", entryId: messages.at(-1).entryId });
      assert.notEqual((await rpc.state()).sessionId, sessionId);
      await bench.write({ "list.txt": `zero\n${LIST}` });
      const { results } = await rpc.prompt([apply(setLine("list.txt", shown, "delta four", "DELTA"))]);
      succeeded(results[0], /^4:[0-9a-f]{2} moved to line 5/m);
      assert.doesNotMatch(results[0].text, /unverified/);
      await rpc.close();
    },
  },
  {
    claim: "a new session knows nothing of the one before it",
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { results } = await rpc.prompt([read("list.txt")]);
      await rpc.send({ type: "new_session" });
      const next = await rpc.prompt([apply(setLine("list.txt", results[0].text, "beta two", "BETA"))]);
      succeeded(next.results[0], /unverified/);
      await rpc.close();
    },
  },
  {
    claim: "sub-agents edit by their own anchors, and a scout gets no editing tool",
    hosts: ["omp"],
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const tasks = [
        { name: "worker", agent: "task", task: "paint the blue list" },
        { name: "looker", agent: "scout", task: "look at the green list" },
      ];
      const finish = call("yield", { type: "result", data: "done" });
      const worker = [
        read("list.txt"),
        (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
        bash("cat list.txt"),
        finish,
      ];
      const looker = [read("list.txt"), finish];
      const { script } = await bench.print(
        [
          call("task", { context: "a test", tasks }),
          call("hub", { op: "wait" }),
          call("hub", { op: "wait" }),
        ],
        {
          others: [
            { when: /blue list/, turns: worker },
            { when: /green list/, turns: looker },
          ],
        },
      );
      assert.deepEqual(script.failures, []);
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
    claim: "a long grep is aborted",
    async run(bench) {
      await bench.reset(haystack());
      const rpc = await bench.rpc();
      const started = rpc.wait(({ type }) => type === "tool_execution_start", "start of the search");
      const ended = rpc.wait(({ type }) => type === "tool_execution_end", "end of the search");
      await rpc.begin([call("grep", { pattern: SLOW })]);
      await started;
      await rpc.send({ type: "abort" });
      const { isError, result } = await ended;
      assert.equal(isError, true);
      assert.match(result.content.map(({ text }) => text).join(""), /abort|cancel|interrupt/i);
      await rpc.idle();
      const next = await rpc.prompt([read("hay-0.txt")]);
      succeeded(next.results[0]);
      await rpc.close();
    },
  },
  {
    claim: "what a killed writer left is settled at the start, and said",
    async run(bench) {
      const before = await leaveJournal(bench);
      const rpc = await bench.rpc();
      await rpc.prompt([{ text: "hello" }]);
      assert.ok(
        rpc.notices.some((text) => /interrupted|recovered|left/i.test(text)),
        `told: ${rpc.notices}`,
      );
      assert.deepEqual(await bench.files(), before);
      assert.deepEqual(await journals(bench), []);
      await rpc.close();
    },
  },
];

/** Enough text that a host finds something to leave out. */
const FILLER = { "filler.txt": Array.from({ length: 2000 }, (_, i) => `line ${i} of the filler\n`).join("") };
const fill = () => [read("filler.txt"), read("filler.txt"), read("filler.txt")];

/** A stored session that has read the list, and what it was shown. */
async function firstSession(bench) {
  await bench.reset({ "list.txt": LIST });
  const args = ["--session-dir", bench.sessions];
  const { results } = await bench.print([read("list.txt")], { args });
  const names = await readdir(bench.sessions, { recursive: true });
  const [file] = names.filter((name) => name.endsWith(".jsonl"));
  return { shown: results[0].text, file: join(bench.sessions, file) };
}

/** A pattern that matches nothing and takes its time. */
const SLOW = "(\\w+\\s+){9}(\\w+\\s+){9}needle";

function haystack() {
  const words = Array.from({ length: 40_000 }, (_, i) => `word${i} and some more words on line ${i}\n`).join(
    "",
  );
  return Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`hay-${i}.txt`, words]));
}

/** Kills a writer in the middle of a patch over many files; returns the files as they were before. */
async function leaveJournal(bench) {
  for (let count = 200; count <= 3200; count *= 2) {
    const names = Array.from({ length: count }, (_, i) => `file-${i}.txt`);
    await bench.reset(Object.fromEntries(names.map((name) => [name, "before\n"])));
    const before = await bench.files();
    const patch = names.map((path) => ({ op: "replace", path, old_text: "before", new_text: "after" }));
    const source = `import(${JSON.stringify(`${PACKAGE}/index.js`)}).then(({ Session }) =>
      new Session({ root: ${JSON.stringify(bench.work)} }).apply(${JSON.stringify({ patch })}))`;
    const victim = spawn(process.execPath, ["-e", source], {
      env: { PATH: process.env.PATH, HOME: bench.home },
      stdio: "ignore",
    });
    const ended = once(victim, "exit");
    while (victim.exitCode === null && (await journals(bench)).length === 0) await new Promise(setImmediate);
    victim.kill("SIGKILL");
    await ended;
    if ((await journals(bench)).length > 0) return before;
  }
  throw new Error("every writer was quicker than the signal that was to kill it");
}

async function journals(bench) {
  const state = join(bench.home, ".local", "state", "hashline");
  const names = await readdir(state, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".journal"));
}
