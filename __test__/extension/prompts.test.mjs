// The prompts are short and true: their examples and rules are run against the real addon.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { inScheme } from "../../extension/prompts.ts";
import * as core from "../../index.js";
import "../own-state.mjs";

const { applySchema, grepSchema, readSchema, Session } = core;
const { prompts } = inScheme(core, core.defaultSettings().scheme);

const MAX_TOKENS = 350;

const LISTING = /^\d+:[0-9a-f]{2}\|.*$/gm;
const shown = prompts.applyHash.match(LISTING);
const source = `${shown.map((line) => line.slice(line.indexOf("|") + 1)).join("\n")}\n`;
const patch = jsonIn(prompts.applyHash);

let root;
let session;
const file = (name) => readFileSync(join(root, name), "utf8");

before(() => {
  root = mkdtempSync(join(tmpdir(), "hashline-prompts-"));
});
after(() => rmSync(root, { recursive: true, maxRetries: 10, force: true }));

/** Makes the workspace of the examples anew, and reads its file as the model has. */
async function freshWorkspace() {
  rmSync(join(root, "b.js"), { force: true });
  writeFileSync(join(root, "a.js"), source);
  session = new Session({ root, durability: "fast", report: "short" });
  return (await session.read({ path: "a.js" })).text;
}

/** The first JSON object of a text. */
function jsonIn(text) {
  const start = text.indexOf("{");
  for (let end = text.length; end > start; end = text.lastIndexOf("}", end - 1)) {
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {}
  }
  return assert.fail(`no JSON in: ${text}`);
}

test("all that a host sends, apart from the schemas, has at most 350 tokens", (t) => {
  const texts = [
    prompts.read,
    prompts.grep,
    prompts.applyHash,
    prompts.rules,
    ...Object.values(prompts.snippets),
  ];
  const tokens = texts.map((text) => countTokens(text));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const schemas = [readSchema(), grepSchema(), applySchema()].map((schema) =>
    countTokens(JSON.stringify(schema)),
  );
  t.diagnostic(`tokens: ${tokens.join(" + ")} = ${total}; schemas: ${schemas.join(" + ")}`);
  assert.ok(total <= MAX_TOKENS, `${total} tokens`);
});

test("a snippet is one line, and no prompt has blanks around it", () => {
  assert.deepEqual(Object.keys(prompts.snippets), ["read", "grep", "apply_hash"]);
  for (const text of Object.values(prompts.snippets)) assert.match(text, /^[^\n]{20,80}$/);
  for (const text of [prompts.read, prompts.grep, prompts.applyHash, prompts.rules])
    assert.equal(text, text.trim());
});

test("the lines of the example are tagged as read tags them", async () => {
  assert.deepEqual((await freshWorkspace()).match(LISTING), shown);
});

test("the example of read is understood", async () => {
  await freshWorkspace();
  writeFileSync(join(root, "b.js"), "// line\n".repeat(30));
  const outcome = await session.read(jsonIn(prompts.read));
  assert.deepEqual(
    outcome.files.map(({ path, ok, from, to }) => [path, ok, from, to]),
    [
      ["a.js", true, 1, 3],
      ["b.js", true, 5, 24],
    ],
  );
});

test("the example of apply_hash does what a reader expects", async () => {
  await freshWorkspace();
  const outcome = await session.apply(patch);
  assert.equal(outcome.kind, "applied", outcome.text);
  assert.deepEqual([outcome.repairs, outcome.relocations, outcome.warnings], [[], [], []]);
  assert.equal(file("a.js"), "let n = 0;\n\nfor (const { y } of xs)\n  n += y;\n");
});

test("anchors refer to the files before the call, whatever the order of operations", async () => {
  await freshWorkspace();
  const outcome = await session.apply({ patch: patch.patch.toReversed() });
  assert.equal(outcome.kind, "applied", outcome.text);
  assert.equal(file("a.js"), "let n = 0;\n\nfor (const { y } of xs)\n  n += y;\n");
});

test('the text "\\n" makes a blank line, and empty text deletes', async () => {
  await freshWorkspace();
  const [, second] = patch.patch;
  const line = { op: "set_line", path: "a.js", anchor: second.start_anchor };
  assert.match(prompts.applyHash, /"\\n" is a blank line; "" deletes/);
  await session.apply({ patch: [{ ...line, text: "\n" }] });
  assert.equal(file("a.js"), "let n = 0;\n\n  n += x;\n");
  await freshWorkspace();
  await session.apply({ patch: [{ ...line, text: "" }] });
  assert.equal(file("a.js"), "let n = 0;\n  n += x;\n");
});

test("the anchors of a report can be used without reading again", async () => {
  await freshWorkspace();
  const { text } = await session.apply(patch);
  const [, anchor] = /^\+(4:[0-9a-f]{2})\| {2}n \+= y;$/m.exec(text) ?? assert.fail(text);
  const next = await session.apply({
    patch: [{ op: "set_line", path: "a.js", anchor, text: "  n += y * z;" }],
  });
  assert.equal(next.kind, "applied", next.text);
  assert.match(file("a.js"), /^ {2}n \+= y \* z;$/m);
});

test("anchors of lines that a patch did not change stay valid", async () => {
  await freshWorkspace();
  const [insert, replace] = patch.patch;
  await session.apply({ patch: [insert] });
  const next = await session.apply({ patch: [replace] });
  assert.equal(next.kind, "applied", next.text);
  assert.deepEqual(next.warnings, []);
  assert.equal(file("a.js"), "let n = 0;\n\nfor (const { y } of xs)\n  n += y;\n");
});

test("a rejected patch changes nothing, and the lines that it shows are enough to correct it", async () => {
  await freshWorkspace();
  writeFileSync(join(root, "a.js"), source.replace("let n = 0", "let n = 1"));
  const refused = await session.apply(patch);
  assert.equal(refused.kind, "refused");
  assert.match(refused.text, /^REJECTED: nothing was written/);
  assert.equal(file("a.js"), source.replace("let n = 0", "let n = 1"));
  const [, anchor] = /^(1:[0-9a-f]{2})\|let n = 1;$/m.exec(refused.text) ?? assert.fail(refused.text);
  const corrected = patch.patch.map((op) => (op.anchor === undefined ? op : { ...op, anchor }));
  const applied = await session.apply({ patch: corrected });
  assert.equal(applied.kind, "applied", applied.text);
});

test("the guard blocks what the rules forbid", async () => {
  await freshWorkspace();
  const words = /never ([a-z, ]+) in a shell/.exec(prompts.rules)[1].split(/, | or /);
  const uses = {
    cat: "cat a.js",
    sed: "sed -i s/n/m/ a.js",
    grep: "grep n a.js",
    echo: "echo x > a.js",
  };
  assert.deepEqual(words, Object.keys(uses));
  for (const command of Object.values(uses)) assert.equal(session.judge(command).kind, "block", command);
});

test("the prompts name the tools and operations as the schemas do", () => {
  const ops = applySchema().properties.patch.items.properties.op.enum;
  for (const { op } of patch.patch) assert.ok(ops.includes(op), op);
  for (const name of Object.keys(prompts.snippets)) assert.match(prompts.rules, new RegExp(`\\b${name}\\b`));
});
