// The commands that a person types: `/hashline undo | redo | history | diff | config | status | doctor`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { apply, bash, read, resultOf, setLine, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\n";

export const commands = [
  {
    claim: "`/hashline undo` undoes the last patch, and the model is told",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([
        read("list.txt"),
        (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
      ]);
      assert.notEqual(await bench.text("list.txt"), LIST);
      assert.match(await rpc.command("/hashline undo"), /list\.txt/);
      assert.equal(await bench.text("list.txt"), LIST);
      assert.match(await rpc.command("/hashline undo"), /nothing|no patch/i);
      const { script } = await rpc.prompt([{ text: "I see" }]);
      assert.match(JSON.stringify(script.seen[0].request.messages), /The user ran \/hashline undo/);
    },
  },
  {
    claim: "all patches of a turn are listed, undone at once, and redone at once",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([
        read("list.txt"),
        (seen) => apply(setLine("list.txt", resultOf(seen, "read"), "alpha one", "ALPHA")),
        (seen) => apply(setLine("list.txt", resultOf(seen, "read"), "beta two", "BETA")),
      ]);
      const changed = await bench.text("list.txt");
      assert.match(changed, /^ALPHA\nBETA\n/);
      const history = await rpc.command("/hashline history");
      // The newest patch is first; older patches may belong to earlier claims.
      assert.match(
        history,
        /^\S+ {2}[\d :-]+ {2}list\.txt \+1 -1\n\S+ {2}[\d :-]+ {2}list\.txt \+2 -2 with newer patches; undo those first/,
      );
      assert.match(await rpc.command("/hashline diff"), /^-beta two\n\+BETA$/m);
      await rpc.command("/hashline undo turn");
      assert.equal(await bench.text("list.txt"), LIST);
      await rpc.command("/hashline redo");
      assert.equal(await bench.text("list.txt"), changed);
      const { script } = await rpc.prompt([{ text: "understood" }]);
      assert.match(JSON.stringify(script.seen[0].request.messages), /The user ran \/hashline undo turn/);
      assert.match(JSON.stringify(script.seen[0].request.messages), /The user ran \/hashline redo/);
    },
  },
  {
    claim: "after an undo, `undo turn` undoes the rest of the turn",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([
        read("list.txt"),
        (seen) => apply(setLine("list.txt", resultOf(seen, "read"), "alpha one", "ALPHA")),
        (seen) => apply(setLine("list.txt", resultOf(seen, "read"), "beta two", "BETA")),
      ]);
      await rpc.command("/hashline undo");
      assert.equal(await bench.text("list.txt"), LIST.replace("alpha one", "ALPHA"));
      await rpc.command("/hashline undo turn");
      assert.equal(await bench.text("list.txt"), LIST);
    },
  },
  {
    claim: "a file that changed since is named, and `undo --others` undoes the other files",
    files: { "list.txt": LIST, "other.txt": LIST },
    async talk(rpc, bench) {
      await rpc.prompt([
        read("list.txt", "other.txt"),
        (seen) =>
          apply(
            setLine("list.txt", resultOf(seen, "read"), "alpha one", "ALPHA"),
            setLine("other.txt", resultOf(seen, "read").split("other.txt")[1], "alpha one", "ALPHA"),
          ),
      ]);
      await bench.write({ "list.txt": "mine\n" });
      const told = await rpc.command("/hashline undo");
      assert.match(told, /^`list\.txt` has other content now, so nothing was undone\n/);
      assert.match(told, /undo --others undoes the other 1/);
      assert.doesNotMatch(told, /REJECTED/);
      await rpc.command("/hashline undo --others");
      assert.deepEqual(await bench.files(), { "list.txt": "mine\n", "other.txt": LIST });
    },
  },
  {
    claim: "`/hashline stats` counts what was done, as a table and as JSON",
    files: { "list.txt": LIST },
    async talk(rpc) {
      await rpc.prompt([
        read("list.txt"),
        (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
        bash("cat list.txt"),
        apply({ op: "set_line", path: "list.txt", anchor: "3:00", text: "x" }),
      ]);
      assert.match(await rpc.command("/hashline stats"), /^ +this session +in all\nreads +1 +\d+$/m);
      const { session, total } = JSON.parse(await rpc.command("/hashline stats --json"));
      const { reads, served, patches, edits, refused } = session;
      assert.deepEqual([reads, served, patches, edits, refused], [1, 1, 1, 1, 1]);
      assert.ok(total.patches >= 1);
    },
  },
  {
    claim: "`/hashline` by itself lists the commands",
    files: {},
    async talk(rpc) {
      assert.match(await rpc.command("/hashline"), /^ {2}\/hashline undo .*\n {2}\/hashline redo /);
      assert.equal(await rpc.command("/hashline help"), await rpc.command("/hashline"));
    },
  },
  {
    claim: "`/hashline status` and `doctor` name the version, the host and the guard",
    files: {},
    async talk(rpc, bench) {
      const { version } = JSON.parse(
        await readFile(new URL("../../../package.json", import.meta.url), "utf8"),
      );
      const status = await rpc.command("/hashline status");
      assert.match(status, /guard: block/);
      const doctor = await rpc.command("/hashline doctor");
      assert.ok(doctor.includes(version), doctor);
      assert.match(doctor, bench.host.family === "omp" ? /omp|oh-my-pi/ : /\bpi\b/);
      assert.match(doctor, /settings: the defaults/);
      assert.match(doctor, /all is well$/);
    },
  },
  {
    claim: "a value that does not fit is refused by `/hashline config` and not stored",
    files: { "list.txt": LIST },
    async talk(rpc, bench) {
      assert.match(await rpc.command("/hashline config guard sometimes"), /block.*nudge.*off/);
      const { results } = await rpc.prompt([bash("cat list.txt")]);
      succeeded(results[0], /`cat` prints/);
      await assert.rejects(readFile(join(bench.agentDir, "hashline.json")), { code: "ENOENT" });
    },
  },
  {
    claim: "an unknown word after `/hashline` is answered with the list of commands",
    files: {},
    async talk(rpc) {
      const told = await rpc.command("/hashline frobnicate");
      for (const word of ["status", "undo", "config", "doctor"]) assert.ok(told.includes(word), told);
    },
  },
  {
    claim: "the person's own shell commands are left alone",
    files: { "list.txt": LIST },
    async talk(rpc) {
      const { output } = await rpc.send({ type: "bash", command: "cat list.txt" });
      assert.equal(output.trim(), LIST.trim());
    },
  },
];
