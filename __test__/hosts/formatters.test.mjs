// Changes to a patch's files after the patch, in real hosts: by the user's formatter, and by other authors' extensions.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { PACKAGE, workbench } from "./bench.mjs";
import { companion, writeTo } from "./companions.mjs";
import { anchor, call } from "./model.mjs";
import { apply, read, setLine, succeeded } from "./scenarios/words.mjs";

/** Runs `play` with a host that has these files; `extensionsOf` returns all extensions that the host loads. */
async function playing(hostName, { files, hashline, extensionsOf }, play) {
  const bench = await workbench(hostName, { hashline });
  try {
    await bench.reset(files);
    if (extensionsOf) bench.extensions = await extensionsOf(bench);
    const rpc = await bench.rpc();
    await play(rpc, bench);
    await rpc.close();
  } finally {
    await bench.close();
  }
}

/** The line above the changes of others in our results. */
const CHANGED = /^Changed by another program after the patch:$/m;

describe("a formatter after a patch", () => {
  for (const host of ["pi", "omp"]) {
    it(`${host}: prettier as afterApply: the model gets its lines with anchors, and an undo undoes both`, async () => {
      const prettier = join(await companion("prettier"), "bin", "prettier.cjs");
      const before = 'const a = 1;\nconst b = 2;\nconst c = "three";\n';
      const hashline = { afterApply: [process.execPath, prettier, "--write", "{files}"] };
      await playing(host, { files: { "a.js": before }, hashline }, async (rpc, bench) => {
        const { results } = await rpc.prompt([
          read("a.js"),
          call("apply_hash", { path: "a.js", edits: [{ oldText: "b = 2;", newText: "b   =  [ 1,2 ]" }] }),
          (seen) => apply(setLine("a.js", seen.last, "const b = [1, 2];", "const b = 3;")),
        ]);
        succeeded(results[1], CHANGED, /^a\.js \(3 lines, \+1 -1 since shown\)$/m);
        succeeded(results[2], /^Applied 1 operation/m);
        await rpc.command("/hashline undo");
        assert.match(await bench.text("a.js"), /^const b = \[1, 2\];$/m);
        await rpc.command("/hashline undo");
        assert.equal(await bench.text("a.js"), before);
      });
    });

    const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "four\n" };
    const formatter = (bench) => writeTo(join(bench.place, "formatter.mjs"), FORMATTER);
    const turns = () => [
      read("a.txt", "b.txt"),
      (seen) => apply(setLine("a.txt", seen.last, "two", "2")),
      read("b.txt"),
      ({ results }) => apply(setLine("a.txt", results.map(({ text }) => text).join("\n"), "THREE", "3")),
    ];

    it(`${host}: an extension that formats before us: the same result shows its lines`, async () => {
      const extensionsOf = async (bench) => [await formatter(bench), PACKAGE];
      await playing(host, { files, extensionsOf }, async (rpc, bench) => {
        const { results, script } = await rpc.prompt(turns());
        script.assertPlayed();
        succeeded(results[1], CHANGED, /^\+3:\w+\|THREE$/m);
        assert.doesNotMatch(results[2].text, CHANGED);
        succeeded(results[3], /^Applied 1 operation/m);
        for (const _ of [1, 2]) await rpc.command("/hashline undo");
        assert.equal(await bench.text("a.txt"), files["a.txt"]);
      });
    });

    it(`${host}: an extension that formats after us: the next result shows its lines`, async () => {
      const extensionsOf = async (bench) => [PACKAGE, await formatter(bench)];
      await playing(host, { files, extensionsOf }, async (rpc, bench) => {
        const { results, script } = await rpc.prompt(turns());
        script.assertPlayed();
        assert.doesNotMatch(results[1].text, CHANGED);
        succeeded(results[2], /^1:\w+\|four$/m, CHANGED, /^\+3:\w+\|THREE$/m);
        succeeded(results[3], /^Applied 1 operation/m);
        for (const _ of [1, 2]) await rpc.command("/hashline undo");
        assert.equal(await bench.text("a.txt"), files["a.txt"]);
      });
    });
  }

  it("pi: pi-lens and our extension do not affect each other", async () => {
    const extensionsOf = async () => [PACKAGE, await companion("lens")];
    const files = { "a.js": "const a = 1;\nconst b = 2;\n" };
    await playing("pi", { files, extensionsOf }, async (rpc, bench) => {
      const { results } = await rpc.prompt([
        read("a.js"),
        (seen) => apply(setLine("a.js", seen.last, "const b = 2;", "const b = [1,2]")),
        (seen) =>
          apply({
            op: "insert_after",
            path: "a.js",
            anchor: anchor(seen.last, "const b = [1,2]"),
            text: "b()",
          }),
      ]);
      for (const result of results) succeeded(result);
      assert.equal(await bench.text("a.js"), "const a = 1;\nconst b = [1,2]\nb()\n");
      for (const _ of [1, 2]) await rpc.command("/hashline undo");
      assert.equal(await bench.text("a.js"), files["a.js"]);
    });
  });
});

/** An extension that writes a word of `a.txt` in capitals after each patch. */
const FORMATTER = `import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
export default function (pi) {
  pi.on("tool_result", ({ toolName }, { cwd }) => {
    const path = join(cwd, "a.txt");
    if (toolName === "apply_hash") writeFileSync(path, readFileSync(path, "utf8").replace("three", "THREE"));
  });
}
`;
