// Rules for the extension's sources: what they import, and what they leave to the core.

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
    // pi's queue for files is imported by names that are known only at run time.
    if (path !== "file-queue.ts") assert.doesNotMatch(text, /\bimport\s*\((?!\s*")/, path);
  }
});

test("the extension holds no rule about anchors", () => {
  // Only the core makes and compares tags.
  for (const path of sources) {
    const text = readFileSync(join(root, path), "utf8");
    assert.doesNotMatch(text, /tagLine|xxh|parseAnchor|verify\(/, path);
  }
});
