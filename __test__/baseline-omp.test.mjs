// A ratio means something only if what it is measured against gives the same results.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createBaseline } from "../benches/baseline/omp.mjs";
import { computeLineHash as hash } from "../hashline.js";

const load = (file) =>
  JSON.parse(readFileSync(new URL(`./vectors/omp-v1/${file}.json`, import.meta.url), "utf8")).cases;

async function xxh32() {
  if (globalThis.Bun) return (text) => globalThis.Bun.hash.xxHash32(text);
  const { default: xxhash } = await import("xxhash-wasm");
  return (await xxhash()).h32;
}

for (const lazyIndex of [false, true]) {
  test(`the baseline gives the recorded results, lazyIndex ${lazyIndex}`, async () => {
    const baseline = createBaseline(await xxh32(), { lazyIndex });
    let count = 0;
    for (const { id, lineNumber, line, hash } of load("hash")) {
      assert.equal(baseline.computeLineHash(lineNumber, line), hash, id);
      count += 1;
    }
    for (const { id, content, startLine, output } of load("format")) {
      assert.equal(baseline.formatHashLines(content, startLine ?? undefined), output, id);
      count += 1;
    }
    for (const { id, content, edits, result, error } of load("apply")) {
      let found;
      try {
        found = baseline.applyHashlineEdits(content, edits);
        found.firstChangedLine ??= null;
      } catch (thrown) {
        const { name, message, mismatches, remaps } = thrown;
        found = remaps
          ? { name, message, mismatches, remaps: Object.fromEntries(remaps) }
          : { name, message };
      }
      assert.deepEqual(found, result ?? error, id);
      count += 1;
    }
    console.log(`baseline: ${count} cases`);
    assert.equal(count, 1820 + 126 + 3583);
  });
}

test("the baseline and the addon hash alike", async () => {
  const { computeLineHash } = createBaseline(await xxh32());
  for (let i = 0; i < 300; i++) {
    const line = `${" ".repeat(i % 7)}line ${i} ${"é".repeat(i % 5)}\t${i * i}`;
    assert.equal(computeLineHash(i, line), hash(i, line));
  }
});
