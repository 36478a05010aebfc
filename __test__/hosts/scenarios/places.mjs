// Text that is not UTF-8, and files of another worktree of the repository.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { call } from "../model.mjs";
import { apply, bash, failed, read, setLine, succeeded } from "./words.mjs";

/** The files with which Git marks a repository and a worktree beside it. */
const worktrees = (main, side) => ({
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/worktrees/side/commondir": "../..\n",
  ".git/worktrees/side/gitdir": `${join(side, ".git")}\n`,
  "../side/.git": `gitdir: ${join(main, ".git/worktrees/side")}\n`,
});

export const places = [
  {
    claim: "an agent works on a Latin-1 file and in a sibling worktree, by our tools alone",
    async run(bench) {
      const side = join(bench.home, "side");
      const latin = (text) => Buffer.from(text, "latin1");
      const menu = "// Prix du café\nint crème = 1;\nreturn crème;\n";
      await bench.reset({
        ...worktrees(bench.work, side),
        "menu.c": latin(menu),
        "../side/list.txt": "one\ntwo\n",
        "../notes.txt": "outside\n",
      });
      const rpc = await bench.rpc();
      const { results, script } = await rpc.prompt([
        read("menu.c"),
        call("grep", { pattern: "crème", path: "menu.c" }),
        (seen) => apply(setLine("menu.c", seen.results[0].text, "int crème = 1;", "int crème = 2; → dear")),
        (seen) =>
          apply(setLine("menu.c", seen.results[0].text, "int crème = 1;", "int crème = 2; // à part")),
        bash("cat menu.c"),
        read("../side/list.txt"),
        (seen) => apply(setLine("../side/list.txt", seen.last, "two", "2")),
        bash("sed -i s/one/1/ ../side/list.txt"),
        bash("cat ../side/list.txt"),
        bash("cat ../notes.txt"),
      ]);
      script.assertPlayed();
      const [shown, found, foreign, edited, served, beside, moved, blocked, servedBeside, outside] = results;
      succeeded(shown, /^menu\.c \(lines 1-3 of 3, windows-1252\)$/m, /^2:\w+\|int crème = 1;$/m);
      succeeded(found, /^2:\w+\|int crème = 1;$/m, /^3:\w+\|return crème;$/m);
      failed(foreign, /→/, /windows-1252/);
      succeeded(edited, /^\+2:\w+\|int crème = 2; \/\/ à part$/m);
      succeeded(served, /^3:\w+\|return crème;$/m);
      succeeded(beside, /^2:\w+\|two$/m);
      succeeded(moved, /^\+2:\w+\|2$/m);
      failed(blocked, /apply_hash/);
      succeeded(servedBeside, /^2:\w+\|2$/m);
      succeeded(outside, /^outside$/m);
      const wanted = menu.replace("= 1;", "= 2; // à part");
      assert.deepEqual(await readFile(join(bench.work, "menu.c")), latin(wanted));
      assert.equal(await bench.text("../side/list.txt"), "one\n2\n");
      await rpc.command("/hashline undo");
      await rpc.command("/hashline undo");
      assert.deepEqual(await readFile(join(bench.work, "menu.c")), latin(menu));
      assert.equal(await bench.text("../side/list.txt"), "one\ntwo\n");
      await rpc.close();
    },
  },
];
