// bench:model in the real pi, against scripted models whose score is known.

import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { arms } from "../../benches/field/arms.mjs";
import { resultTable, runModel } from "../../benches/field/model.mjs";
import { SITUATIONS } from "../../benches/field/situations.mjs";
import { call, startModel } from "./model.mjs";
import { apply, read } from "./scenarios/words.mjs";

const named = (...keys) => SITUATIONS.filter(({ key }) => keys.includes(key));
const ours = arms().filter(({ name }) => name === "ours in pi");

/** Runs situations with a model that answers each request with `turn`. */
async function run(t, turn, situations, more = {}) {
  const model = await startModel();
  const out = await mkdtemp(join(tmpdir(), "hashline-field-"));
  t.after(async () => {
    await model.close();
    await rm(out, { recursive: true, maxRetries: 10, force: true });
  });
  model.play(Array(200).fill((seen) => (/Say hello/.test(seen.user) ? { text: "hello" } : turn(seen))));
  const endpoint = {
    url: model.url,
    model: "m",
    key: "s3cret",
    timeout: 600_000,
    steps: 6,
    patience: 600_000,
    ...more,
  };
  const options = { endpoint, chosen: ours, situations, runs: 1, concurrency: 1, out };
  return { results: await runModel(options), again: () => runModel(options), out };
}

/** A model that copies the anchor of line 2, and does so again after a refusal. */
const perfect = (seen) => {
  if (seen.results.length === 0) return read("file.txt");
  if (/^Applied/.test(seen.last)) return { text: "done" };
  const [, anchor] = /^(2:[0-9a-f]{2})\|/m.exec(seen.last);
  return apply({ op: "set_line", path: "file.txt", anchor, text: "BBB" });
};

test("a perfect model passes and recovers from a refusal, and a second start repeats no run", async (t) => {
  const { results, again, out } = await run(t, perfect, named("single-line", "stale-line"));
  const [plain, stale] = results;
  assert.deepEqual([plain.verdict, plain.refused, plain.ended], ["pass", 0, "done"], JSON.stringify(plain));
  assert.deepEqual(
    [stale.verdict, stale.strict, stale.recovered],
    ["pass", true, true],
    JSON.stringify(stale),
  );
  assert.equal((await again()).length, 2);
  assert.equal((await readFile(join(out, "results.jsonl"), "utf8")).trim().split("\n").length, 2);
  const transcripts = await Promise.all(
    (await readdir(out)).map((name) => readFile(join(out, name), "utf8")),
  );
  assert.ok(transcripts.some((text) => text.includes("apply_hash")));
  assert.ok(transcripts.every((text) => !text.includes("s3cret")));
  assert.deepEqual(resultTable(results).rows[0].slice(0, 6), ["ours in pi", "2 / 2", 2, 0, 0, "1 / 1"]);
});

test("a sloppy model that edits another line is called wrong", async (t) => {
  const sloppy = (seen) => {
    if (seen.results.length === 0) return read("file.txt");
    if (/^Applied/.test(seen.last)) return { text: "done" };
    const [, anchor] = /^(1:[0-9a-f]{2})\|/m.exec(seen.last);
    return apply({ op: "set_line", path: "file.txt", anchor, text: "BBB" });
  };
  const { results } = await run(t, sloppy, named("single-line"));
  assert.equal(results[0].verdict, "wrong line", JSON.stringify(results));
});

test("a model that writes garbage changes nothing, and a model that never ends is stopped", async (t) => {
  const garbage = await run(
    t,
    (seen) => (seen.results.length > 2 ? { text: "?" } : call("apply_hash", '{"patch": [')),
    [...named("single-line")],
  );
  assert.equal(garbage.results[0].verdict, "rejected", JSON.stringify(garbage.results));
  const endless = await run(t, () => read("file.txt"), named("single-line"));
  assert.deepEqual(
    [endless.results[0].verdict, endless.results[0].ended],
    ["rejected", "step limit"],
    JSON.stringify(endless.results),
  );
  const slow = await run(t, () => ({ hang: true }), named("single-line"), { timeout: 1500, patience: 6000 });
  assert.equal(slow.results[0].verdict, "rejected");
  assert.notEqual(slow.results[0].ended, "step limit");
});
