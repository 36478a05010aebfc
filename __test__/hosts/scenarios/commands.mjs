// What the person types: `/hashline status | undo | config | doctor`, and another extension beside ours.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apply, bash, failed, read, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\n";

export const commands = [
  {
    claim: "`/hashline undo` takes the last patch back",
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      await rpc.prompt([
        read("list.txt"),
        (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
      ]);
      assert.notEqual(await bench.text("list.txt"), LIST);
      assert.match(await rpc.command("/hashline undo"), /list\.txt/);
      assert.equal(await bench.text("list.txt"), LIST);
      assert.match(await rpc.command("/hashline undo"), /nothing|no patch/i);
      await rpc.close();
    },
  },
  {
    claim: "`/hashline status` and `doctor` name the version, the host and the guard",
    async run(bench) {
      const { version } = JSON.parse(
        await readFile(new URL("../../../package.json", import.meta.url), "utf8"),
      );
      const rpc = await bench.rpc();
      const status = await rpc.command("/hashline status");
      assert.match(status, /guard: block/);
      const doctor = await rpc.command("/hashline doctor");
      assert.ok(doctor.includes(version), doctor);
      assert.match(doctor, bench.host.name === "omp" ? /omp|oh-my-pi/ : /\bpi\b/);
      assert.match(doctor, /settings: the defaults/);
      assert.match(doctor, /all is well$/);
      await rpc.close();
    },
  },
  {
    claim: "`/hashline config` changes the guard for this session and for the next",
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      await rpc.command("/hashline config guard nudge");
      const { results } = await rpc.prompt([bash("cat list.txt")]);
      succeeded(results[0], /note:/);
      await rpc.close();
      assert.equal(JSON.parse(await readFile(join(bench.agentDir, "hashline.json"), "utf8")).guard, "nudge");
      const next = await bench.print([bash("cat list.txt")]);
      succeeded(next.results[0], /note:/);
    },
  },
  {
    claim: "a value that does not fit is refused by `/hashline config` and not stored",
    async run(bench) {
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      assert.match(await rpc.command("/hashline config guard sometimes"), /block.*nudge.*off/);
      const { results } = await rpc.prompt([bash("cat list.txt")]);
      failed(results[0], /`cat` prints/);
      await assert.rejects(readFile(join(bench.agentDir, "hashline.json")), { code: "ENOENT" });
      await rpc.close();
    },
  },
  {
    claim: "an unknown word after `/hashline` is answered with the words there are",
    async run(bench) {
      const rpc = await bench.rpc();
      const told = await rpc.command("/hashline frobnicate");
      for (const word of ["status", "undo", "config", "doctor"]) assert.ok(told.includes(word), told);
      await rpc.close();
    },
  },
  {
    claim:
      "another extension that takes the place of `read` is named, at the start and by `/hashline doctor`",
    hosts: ["omp"],
    async run(bench) {
      await addRival(bench);
      await bench.reset({ "list.txt": LIST });
      const rpc = await bench.rpc();
      const { results } = await rpc.prompt([read("list.txt")]);
      assert.equal(results[0].text, "read by the rival");
      const named = /`read` comes from .*rival\.ts/;
      assert.ok(
        rpc.notices.some((text) => named.test(text)),
        `told: ${rpc.notices}`,
      );
      assert.match(await rpc.command("/hashline doctor"), named);
      await rpc.close();
    },
  },
  {
    claim: "another extension that registers `read` makes pi itself refuse to start, naming both",
    hosts: ["pi", "pi073"],
    async run(bench) {
      await addRival(bench);
      await assert.rejects(bench.rpc(), /rival\.ts.*Tool "read" conflicts with .*extension\/index\.ts/);
    },
  },
];

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
