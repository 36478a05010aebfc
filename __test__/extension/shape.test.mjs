// What the extension's sources may look like.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../extension/", import.meta.url));
const sources = readdirSync(root, { recursive: true }).filter((path) => path.endsWith(".ts"));

test("nothing is imported but our own files and Node's modules", () => {
  assert.ok(sources.length > 10);
  for (const path of sources) {
    const text = readFileSync(join(root, path), "utf8");
    const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(([, name]) => name);
    for (const name of imports) assert.match(name, /^(node:|\.{1,2}\/)/, `${path} imports ${name}`);
    // pi's queue of writers is looked for by names that another host does not have.
    if (path !== "file-queue.ts") assert.doesNotMatch(text, /\bimport\s*\((?!\s*")/, path);
  }
});

test("no rule about anchors is hidden in the extension", () => {
  // Tags are made and compared by the core alone.
  for (const path of sources) {
    const text = readFileSync(join(root, path), "utf8");
    assert.doesNotMatch(text, /tagLine|xxh|parseAnchor|verify\(/, path);
  }
});
