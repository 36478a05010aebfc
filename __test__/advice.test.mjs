// Following advice to the letter does no harm. The test sends each call that a refusal proposes unchanged, and then the
// call that the next refusal proposes; no line may be lost that the first call was not meant to change.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { Session } from "../index.js";

const LINES = [
  "function sum(items) {",
  "  let total = 0;",
  "  for (const item of items) {",
  "    total += item.price;",
  "  }",
  "  return total;",
  "}",
];
const NEW = "  // new";

const base = realpathSync(mkdtempSync(join(tmpdir(), "hashline-advice-")));
after(() => rmSync(base, { recursive: true, maxRetries: 10, force: true }));

/** How many pieces of advice are followed in a row; after that a model would give up. */
const MAX_STEPS = 2;

/** Names of operations, and whether a call by that name means to change the line at the anchor. */
const NAMES = [
  ...[
    "insert",
    "insert_line",
    "insert_lines",
    "insert_at",
    "insert_text",
    "insert_between",
    "insert_range",
  ].map((name) => [name, false]),
  ...["insert_below", "insert_above", "add", "add_line", "add_after", "append", "append_line", "prepend"].map(
    (name) => [name, false],
  ),
  ...["after", "before", "write", "create", "add_file", "foo", "keep", "move_line", "duplicate_line"].map(
    (name) => [name, false],
  ),
  ...["set_line", "replace_range", "replace", "edit", "update", "delete", "remove", "remove_line"].map(
    (name) => [name, true],
  ),
];

/** Combinations of fields, with the anchors of the first lines. */
const FIELDS = ([, second, third, fourth]) => [
  { anchor: second, text: NEW },
  { anchor: second, position: "after", text: NEW },
  { anchor: second, direction: "before", text: NEW },
  { after: second, text: NEW },
  { before: second, content: NEW },
  { insert_line: 2, new_str: NEW },
  { insert_line: 2, text: NEW },
  { line: 2, text: NEW },
  { anchor: second },
  { text: NEW },
  { content: NEW },
  { content: NEW, anchor: second },
  { start_anchor: second, text: NEW },
  { end_anchor: fourth, text: NEW },
  { anchor: second, end_anchor: third, text: NEW, position: "after" },
  { anchor: "2", text: NEW },
  { anchor: second.replace(/:.*/, ":zz"), text: NEW },
  { anchor: second, text: NEW, old_text: "nothing like it" },
  { anchor: second, old_text: "item", new_text: "it" },
  { old_text: "total", new_text: "all" },
  { anchor: second, text: NEW, frobnicate: 1 },
  { anchor: `${second},${third}`, text: NEW },
  {},
];

test("following a refusal's advice loses no line that the call did not mean", async () => {
  let refused = 0;
  for (const [name, changes] of NAMES) {
    for (let index = 0; index < FIELDS(["", "", "", ""]).length; index += 1) {
      const named = index % 3 === 0 ? "command" : "op";
      const call = (anchors) => ({ [named]: name, path: "a.js", ...FIELDS(anchors)[index] });
      refused += await follow(call, changes);
    }
  }
  assert.ok(refused > 300, `${refused} refusals were followed`);
});

/** Sends a call, and then every call that the answers propose; returns the number of refusals. */
async function follow(call, changes) {
  const waiting = [{ steps: [] }];
  const known = new Set();
  let refused = 0;
  while (waiting.length > 0) {
    const { steps } = waiting.pop();
    const root = mkdtempSync(join(base, "w-"));
    writeFileSync(join(root, "a.js"), `${LINES.join("\n")}\n`);
    const session = new Session({ root, durability: "fast", stateDir: join(root, ".state") });
    const { text } = await session.read({ paths: ["a.js"] });
    const anchors = [...text.matchAll(/^(\d+:\w+)\|/gm)].map(([, anchor]) => anchor);
    const first = call(anchors);
    let answer = await session.apply({ patch: [first] });
    for (const step of steps) answer = await session.apply(step);
    const now = readFileSync(join(root, "a.js"), "utf8").split("\n");
    const lost = LINES.filter((line) => !now.includes(line));
    const meant = changes ? [LINES[1], LINES[2], LINES[3]] : first.old_text ? [LINES[1]] : [];
    assert.deepEqual(
      lost.filter((line) => !meant.includes(line)),
      [],
      `${JSON.stringify(first)}\nfollowed by ${JSON.stringify(steps)}\n${answer.text}`,
    );
    await session.flush();
    rmSync(root, { recursive: true, maxRetries: 10 });
    if (answer.kind !== "refused") continue;
    refused += 1;
    if (steps.length < MAX_STEPS) {
      const last = steps.at(-1) ?? { patch: [first] };
      for (const step of proposed(answer.text, last)) {
        const key = JSON.stringify(step);
        if (!known.has(key)) waiting.push({ steps: [...steps, step] });
        known.add(key);
      }
    }
  }
  return refused;
}

/** The calls that an answer proposes. */
function proposed(text, last) {
  const steps = [];
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    for (let end = text.indexOf("}", at); end >= 0; end = text.indexOf("}", end + 1)) {
      try {
        const shape = JSON.parse(text.slice(at, end + 1));
        if (shape.op || shape.patch) steps.push(shape.patch ? shape : { patch: [shape] });
        break;
      } catch {}
    }
  }
  const [op] = last.patch;
  for (const [, field] of text.matchAll(/"(overwrite|all|exact)": true/g))
    steps.push({ patch: [{ ...op, [field]: true }] });
  for (const [, anchor] of text.matchAll(/\b(?:send|use) (\d+:\w+)/g)) {
    const key = ["anchor", "line", "insert_line", "after"].find((name) => op[name] !== undefined);
    if (key) steps.push({ patch: [{ ...op, [key]: anchor }] });
  }
  return steps;
}
