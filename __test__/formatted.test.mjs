// Edits by anchors that were shown before a formatter ran. The formatters' results are recorded;
// `npm run bench:formatters` runs the formatters themselves.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { anchorsOf, Bench, joined } from "../benches/faults/bench.mjs";
import { linesOf, patience } from "../benches/faults/track.mjs";
import "./own-state.mjs";

const DIRECTORY = new URL("fixtures/formatted/", import.meta.url);
const read = (name) => readFileSync(new URL(name, DIRECTORY), "utf8");
const bare = (line) => line.replace(/\s+/g, "");
const indent = (line) => line.match(/^\s*/)[0];

// Edits each line whose text is unchanged but for white space; counts those edits (`unchanged`) and the applied ones.
async function editEveryLine(before, formatted, extension) {
  const [old, now] = [before, formatted].map(linesOf);
  const map = patience(old.map(bare), now.map(bare));
  const path = `file.${extension}`;
  const bench = new Bench();
  const count = { applied: 0, unchanged: 0 };
  try {
    for (const [at, line] of old.entries()) {
      if (map[at] < 0 || line.trim() === "") continue;
      count.unchanged++;
      bench.write(before, path);
      const session = bench.session({ durability: "fast" });
      const anchor = anchorsOf((await session.read({ path })).text).get(at + 1);
      bench.write(formatted, path);
      const edit = { op: "set_line", path, anchor, text: `${line} // edited` };
      const outcome = await session.apply({ patch: [edit] });
      const place = map[at];
      const expected = [...now];
      expected[place] = `${indent(now[place])}${line.trim()} // edited`;
      const wanted = outcome.kind === "applied" ? joined(expected) : formatted;
      assert.equal(bench.text(path), wanted, `line ${at + 1}: ${line}\n${outcome.text}`);
      if (outcome.kind === "applied") count.applied++;
    }
  } finally {
    bench.remove();
  }
  return count;
}

for (const name of readdirSync(DIRECTORY).filter((name) => !name.endsWith(".before"))) {
  const [stem, extension] = name.split(".");
  test(`edits land on their lines in ${name}, and nine of ten are applied`, async () => {
    const count = await editEveryLine(read(`${stem}.${extension}.before`), read(name), extension);
    assert.ok(count.applied >= 0.9 * count.unchanged, `${count.applied} of ${count.unchanged}`);
  });
}
