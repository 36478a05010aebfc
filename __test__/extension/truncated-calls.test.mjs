// Calls whose arguments broke off must never reach the disk.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { endsInsideValue } from "../../extension/truncated-calls.ts";
import { startHost } from "./fake-host.mjs";

const CALL = {
  patch: [
    { op: "set_line", path: "a.txt", anchor: "1:ab", text: 'say "[hi]" \\ {\n' },
    { op: "delete", path: "b" },
  ],
};

test("every proper beginning of a call counts as truncated, and the whole call does not", () => {
  const json = JSON.stringify(CALL);
  for (let end = 1; end < json.length; end++)
    assert.ok(endsInsideValue(json.slice(0, end)), json.slice(0, end));
  assert.ok(!endsInsideValue(json));
  assert.ok(!endsInsideValue(`${json}  \n`));
  assert.ok(!endsInsideValue(""));
});

test("JSON that hosts repair does not count as truncated", () => {
  for (const repaired of ['{"text": "two\nlines"}', '{"a": 1,}', '{"tab": "\t"}', "{'a': 1}"]) {
    assert.ok(!endsInsideValue(repaired), repaired);
  }
});

for (const [raw, blocked] of [
  ['{"patch": [{"op": "delete_file", "path": "a.txt"', true],
  ['{"patch": [{"op": "delete_file", "path": "a.txt"}]}', false],
]) {
  test(`a call whose arguments stream in as ${raw} is ${blocked ? "refused" : "carried out"}`, async (t) => {
    const host = await startHost(t, { files: { "a.txt": "one\n" } });
    await host.stream("apply_hash", raw);
    // Hosts complete the JSON as best they can.
    const answer = await host.call("apply_hash", { patch: [{ op: "delete_file", path: "a.txt" }] });
    assert.equal(answer.blocked, blocked || undefined);
    if (!blocked) return;
    assert.match(answer.text, /broke off before their end, so nothing was done/);
    assert.equal(await readFile(join(host.cwd, "a.txt"), "utf8"), "one\n");
    const again = await host.call("apply_hash", { patch: [{ op: "delete_file", path: "a.txt" }] });
    assert.equal(again.blocked, undefined);
  });
}

test("omp delivers the pieces late, so only the text in the message counts there", async (t) => {
  const host = await startHost(t, { kind: "omp", files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const remove = (path) => host.call("apply_hash", { patch: [{ op: "delete_file", path }] });
  await host.stream("apply_hash", '{"patch": [{"op": "del');
  assert.equal((await remove("a.txt")).blocked, undefined);
  await host.stream("apply_hash", '{"patch"', {
    partialArgs: '{"patch": [{"op": "delete_file", "path": "b.txt"',
  });
  assert.equal((await remove("b.txt")).blocked, true);
});

test("a call that was never carried out does not affect the next call with its id", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "one\n" } });
  await host.stream("apply_hash", '{"patch": [{"op": "del');
  await host.stream("apply_hash", '{"patch": [{"op": "delete_file", "path": "a.txt"}]}');
  const patch = [{ op: "delete_file", path: "a.txt" }];
  assert.equal((await host.call("apply_hash", { patch })).details.kind, "applied");
});
