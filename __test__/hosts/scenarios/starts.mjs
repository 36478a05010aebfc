// The start of a host: the tools it offers, settings, an older session, the remains of a crash.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PACKAGE } from "../bench.mjs";
import { call } from "../model.mjs";
import { apply, bash, GONE, meeting, OMP, OURS, read, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\ndelta four\nepsilon five\n";

export const starts = [
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
      assert.match(system, /Copy anchors exactly as shown/);
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
    claim:
      "results stay below the size from which omp moves them into a file, even if the user has changed it",
    hosts: OMP,
    settings: { tools: { artifactSpillThreshold: 10 } },
    async run(bench) {
      await bench.reset({ "long.txt": "a line of a long file\n".repeat(1000) });
      const { results } = await bench.print([
        read("long.txt"),
        call("grep", { pattern: "line", limit: 1000 }),
      ]);
      for (const { text } of results) {
        assert.doesNotMatch(text, /artifact/);
        assert.ok(text.length > 8_000 && text.length < 10_240, `${text.length} bytes`);
      }
    },
  },
  {
    claim: "constrained sampling is requested if the user wants it, and calls full of nulls are understood",
    hosts: ["pi"],
    hashline: { constrainedSampling: true },
    compat: { supportsStrictMode: true },
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      /** A call as a constrained model must write it: with all fields, unused ones as null. */
      const strict = ({ request }, name, given) => {
        const { strict, parameters } = request.tools.find((tool) => tool.function.name === name).function;
        assert.equal(strict, true, `${name} is not strict`);
        return call(name, withNulls(parameters, given));
      };
      const { results, script } = await bench.print([
        (seen) => strict(seen, "read", { path: "list.txt" }),
        (seen) => {
          const { calls } = apply(setLine("list.txt", seen.last, "beta two", "BETA"));
          return strict(seen, "apply_hash", calls[0].arguments);
        },
        (seen) => strict(seen, "grep", { pattern: "BETA" }),
      ]);
      script.assertPlayed();
      succeeded(results[1], /^Applied 1 operation to 1 file/m);
      succeeded(results[2], /\|BETA$/m);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
    },
  },
  {
    claim: "a codemode script gets the outcomes of grep and apply_hash as data",
    hosts: ["pi"],
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const code = `const found = await tools.grep({ pattern: "beta" });
        const anchor = /^(2:\\w+)\\|/m.exec(found.text)[1];
        const done = await tools.apply_hash({ patch: [{ op: "set_line", path: "list.txt", anchor, text: "BETA" }] });
        return [found.kind, found.matches, done.kind, done.files.length].join(" ");`;
      const { results } = await bench.print([call("codemode", { code })], {
        args: ["--no-session", "--tools", "+codemode"],
      });
      succeeded(results.at(-1), /grep 1 applied 1/);
      assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
    },
  },
  {
    claim: "a setting that does not fit is ignored with one warning, and the others apply",
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
    claim: "`/hashline config` changes the guard at once and for later sessions",
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      await rpc.command("/hashline config guard nudge");
      const { results } = await rpc.prompt([bash("cat list.txt")]);
      succeeded(results[0], /note:/);
      assert.match(rpc.status ?? "", /nudge/);
      assert.equal(JSON.parse(await readFile(join(bench.agentDir, "hashline.json"), "utf8")).guard, "nudge");
      await rpc.close();
    },
  },
  {
    claim: "a project's own settings may not loosen the guard, trusted or not",
    async run(bench) {
      const cat = await catInProject(bench, { guard: "nudge" });
      succeeded(await cat(), ANSWERED);
      if (bench.host.name === "pi") succeeded(await cat("--approve"), ANSWERED);
    },
  },
  {
    claim: "a project's own settings may tighten the guard where the project is trusted",
    hashline: { guard: "nudge" },
    async run(bench) {
      const cat = await catInProject(bench, { guard: "block" });
      // Only pi 1.5 knows of trust; the others run a project's own extensions unasked.
      if (bench.host.name === "pi") {
        succeeded(await cat(), /note:/);
        succeeded(await cat("--approve"), ANSWERED);
      } else {
        succeeded(await cat(), ANSWERED);
      }
    },
  },
  {
    claim: "without a binary for the machine the host keeps its own tools, and the person is told why",
    async run(bench) {
      const bare = join(bench.place, "bare");
      for (const name of ["package.json", "index.js", "js", "extension"]) {
        await cp(join(PACKAGE, name), join(bare, name), { recursive: true });
      }
      bench.extensions = [bare];
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { tools, results } = await rpc.prompt([read("list.txt")]);
      assert.ok(
        tools.includes("edit") && tools.includes("write") && !tools.includes("apply_hash"),
        `${tools}`,
      );
      succeeded(results[0], /alpha one/);
      await rpc.told(/native|binary/);
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
    claim: "two processes that edit one file at the same time lose nothing",
    async run(bench) {
      const lines = Array.from({ length: 20 }, (_, i) => `line ${i} of the file`);
      await bench.reset({ "list.txt": `${lines.join("\n")}\n` });
      const both = meeting(2);
      // Each host edits every second line, by anchors from before the first edit of both.
      const turns = (first) => {
        let shown;
        const edit = (line) => () => apply(setLine("list.txt", shown, line, `${line}\nand another`));
        const [start, ...rest] = lines.filter((_, i) => i % 2 === first).map(edit);
        const begin = async (seen) => {
          shown = seen.last;
          await both();
          return start();
        };
        return [read("list.txt"), begin, ...rest];
      };
      const others = ["red", "blue"].map((when, i) => ({ when: new RegExp(when), turns: turns(i) }));
      const script = bench.model.play([], others);
      const hosts = await Promise.all([bench.rpc(), bench.rpc()]);
      await Promise.all([hosts[0].ask("red"), hosts[1].ask("blue")]);
      script.assertPlayed();
      for (const { seen } of script.others) {
        for (const { text } of seen.at(-1).results.slice(1)) {
          assert.match(text, /^Applied 1 operation/m);
          assert.doesNotMatch(text, /unverified/);
        }
      }
      assert.equal(await bench.text("list.txt"), lines.map((line) => `${line}\nand another\n`).join(""));
      for (const rpc of hosts) await rpc.close();
    },
  },
  {
    claim: "the interrupted patch of a killed writer is rolled back at the start, and reported",
    async run(bench) {
      const before = await leaveJournal(bench);
      const rpc = await bench.rpc();
      await rpc.prompt([{ text: "hello" }]);
      await rpc.told(/after an interrupted patch: /);
      assert.deepEqual(await bench.files(), before);
      assert.deepEqual(await journals(bench), []);
      await rpc.close();
    },
  },
  {
    claim: "another extension that replaces our `read` is named, at the start and by `/hashline doctor`",
    async run(bench) {
      await addRival(bench);
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { results } = await rpc.prompt([read("list.txt")]);
      assert.equal(results[0].text, "read by the rival");
      const named = /`read` comes from .*rival\.ts/;
      await rpc.told(named);
      assert.match(await rpc.command("/hashline doctor"), named);
      await rpc.close();
    },
  },
];

/** The last line of a `cat` that the guard has answered. */
const ANSWERED = /^\[answered by read: /m;

/** Makes a project with settings of its own; the returned function runs `cat` there and returns its result. */
async function catInProject(bench, settings) {
  const directory = bench.host.family === "omp" ? ".omp" : ".pi";
  await bench.reset({
    "list.txt": LIST,
    [`${directory}/hashline.json`]: JSON.stringify(settings),
    // pi trusts a project unasked unless it holds a file that pi itself would ask about.
    [`${directory}/settings.json`]: "{}",
  });
  return async (...args) => {
    const { results } = await bench.print([bash("cat list.txt")], { args: ["--no-session", ...args] });
    return results[0];
  };
}

/** Stores a session that has read the list; returns its file and the lines that it was shown. */
async function firstSession(bench) {
  await bench.reset({ "list.txt": LIST });
  const args = ["--session-dir", bench.sessions];
  const { results } = await bench.print([read("list.txt")], { args });
  const names = await readdir(bench.sessions, { recursive: true });
  const [file] = names.filter((name) => name.endsWith(".jsonl"));
  return { shown: results[0].text, file: join(bench.sessions, file) };
}

/** Kills a writer in the middle of a patch over many files; returns the files as they were before. */
async function leaveJournal(bench) {
  // Enlarge the patch until it takes long enough to be killed in the middle.
  for (let count = 200; count < 100_000; count *= 2) {
    const names = Array.from({ length: count }, (_, i) => `file-${i}.txt`);
    await bench.reset(Object.fromEntries(names.map((name) => [name, "before\n"])));
    const before = await bench.files();
    const patch = names.map((path) => ({ op: "replace", path, old_text: "before", new_text: "after" }));
    const source = `import(${JSON.stringify(pathToFileURL(join(PACKAGE, "index.js")).href)}).then(({ Session }) =>
      new Session({ root: ${JSON.stringify(bench.work)} }).apply(${JSON.stringify({ patch })}))`;
    const script = join(bench.place, "writer.mjs");
    await writeFile(script, source);
    const victim = spawn(process.execPath, [script], {
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

async function addRival(bench) {
  const path = join(bench.place, "rival.ts");
  await writeFile(path, RIVAL);
  bench.extensions = [...bench.extensions, path];
}

const RIVAL = `export default function (pi) {
  pi.registerTool({
    name: "read",
    label: "read",
    description: "reads in another way",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    async execute() {
      return { content: [{ type: "text", text: "read by the rival" }], details: {} };
    },
  });
}
`;

/** `value` with every field of `schema`; fields that it lacks are null. */
function withNulls(schema, value) {
  if (Array.isArray(value)) return value.map((item) => withNulls(schema.items, item));
  if (schema.type !== "object") return value;
  const fields = Object.entries(schema.properties);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, name in value ? withNulls(field, value[name]) : null]),
  );
}
