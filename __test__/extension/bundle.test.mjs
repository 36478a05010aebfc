// The extension as the hosts load it: one file that is built from the sources.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import bundle from "../../extension/bundle.js";
import extension from "../../extension/index.ts";
import { BUNDLE, bundled } from "../../scripts/bundle.mjs";
import { startHost } from "./fake-host.mjs";

const text = readFileSync(BUNDLE, "utf8");

test("the bundle is up to date with the sources", async () => {
  assert.equal(text, await bundled(), "`npm run build:extension` builds it again");
});

test("the bundle loads nothing but Node's modules and the package's entry", () => {
  const imports = [...text.matchAll(/^import .* from "([^"]+)"|\bimport\("([^"]+)"\)/gm)];
  assert.ok(imports.length > 3);
  for (const [, name, lazy] of imports) assert.match(name ?? lazy, /^(node:[\w/]+|\.\.\/index\.js)$/);
});

test("the bundle registers what the sources register, and reads and edits", async (t) => {
  const files = { "a.txt": "one\ntwo\n" };
  const [ours, sources] = [
    await startHost(t, { extension: bundle, files }),
    await startHost(t, { extension, files }),
  ];
  const registered = ({ tools, commands, handlers }) =>
    JSON.stringify([[...tools.values()], [...commands], [...handlers.keys()]]);
  assert.equal(registered(ours), registered(sources));
  const { text: shown } = await ours.call("read", { path: "a.txt" });
  const [anchor] = /2:\w+/.exec(shown);
  const done = await ours.call("apply_hash", {
    patch: [{ op: "set_line", path: "a.txt", anchor, text: "2" }],
  });
  assert.match(done.text, /^Applied 1 operation to 1 file/);
});
