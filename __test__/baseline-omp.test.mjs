// The baseline of the benchmarks must give the same results as the addon, or their ratios mean nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createBaseline } from "../benches/baseline/omp.mjs";
import { applyHashlineEdits, computeLineHash as hash } from "../js/compat/hashline.js";

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
    for (const { id, kind, chunks, lines, options, expected } of load("stream")) {
      const stream =
        kind === "utf8"
          ? baseline.streamHashLinesFromUtf8(
              chunks.map((chunk) => Buffer.from(chunk, "base64")),
              options,
            )
          : baseline.streamHashLinesFromLines(lines, options);
      const found = [];
      for await (const chunk of stream) found.push(chunk);
      assert.deepEqual(found, expected, id);
      count += 1;
    }
    console.log(`baseline: ${count} cases`);
    assert.equal(count, 1820 + 126 + 3583 + 182);
  });
}

/** A small seeded generator, so that a failure can be reproduced. */
function random(seed) {
  let state = seed;
  const next = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % below;
  };
  return { next, pick: (list) => list[next(list.length)] };
}

const PARTS =
  "a|b|foo|bar| |  |\t|(|,|=|&&|?|.|+|-|\u2014|\u2212|\r|1:56\u007c|+|foobar|é|😀|\ud83d|\ude00|\ufeff".split(
    "|",
  );

function outcome(call) {
  try {
    return call();
  } catch ({ name, message, mismatches, remaps }) {
    return { name, message, mismatches, remaps: remaps && [...remaps] };
  }
}

test("the baseline and the addon agree on random edits", async () => {
  const baseline = createBaseline(await xxh32());
  const { next, pick } = random(7);
  const line = () => Array.from({ length: next(5) }, () => pick(PARTS)).join("");
  const several = (most) => Array.from({ length: next(most) }, line).join("\n");
  let refused = 0;
  let count = 0;
  for (; count < 20_000; count++) {
    const lines = Array.from({ length: 1 + next(9) }, line);
    const content = lines.join("\n");
    // Mostly a right reference, sometimes a stale one or one out of range.
    const ref = () => {
      const at = next(lines.length);
      const number = next(12) ? at + 1 : next(12);
      return `${number}:${hash(number, lines[next(8) ? at : next(lines.length)])}`;
    };
    const text = () => (next(3) ? several(4) : pick(lines) + pick(["", "\n", " "]) + pick(lines));
    const edit = () =>
      pick([
        () => ({ set_line: { anchor: ref(), new_text: text() } }),
        () => ({ replace_lines: { start_anchor: ref(), end_anchor: ref(), new_text: text() } }),
        () => ({ insert_after: { anchor: ref(), text: text() } }),
      ])();
    const edits = Array.from({ length: 1 + next(3) }, edit);
    const found = outcome(() => applyHashlineEdits(content, edits));
    if (found.message) refused += 1;
    const wanted = outcome(() => baseline.applyHashlineEdits(content, edits));
    assert.deepEqual(found, wanted, JSON.stringify({ content, edits }));
  }
  console.log(`baseline and addon: ${count} calls, ${refused} refused`);
  assert.ok(refused > 1000 && refused < 15_000);
});
