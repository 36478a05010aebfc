// Rows can be drawn from any input: a call that is still streaming, arguments of a wrong type, texts that are
// hard to draw. None may throw, and none may be too wide.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applyRows, grepRows, readRows } from "../../extension/render/index.ts";
import {
  ansi,
  bare,
  closesColours,
  columns,
  hardText,
  hosts,
  randomNumbers,
  toolResult,
  unprintable,
} from "./drawing.mjs";

const TOOLS = { read: readRows, grep: grepRows, apply_hash: applyRows };

/** Parses the beginning of a JSON text as hosts do: it closes open strings, lists and objects first. */
function parsePartial(json) {
  for (let end = json.length; end > 0; end--) {
    const text = json.slice(0, end);
    const open = [];
    let quoted = false;
    for (let at = 0; at < text.length; at++) {
      if (quoted && text[at] === "\\") at++;
      else if (text[at] === '"') quoted = !quoted;
      else if (!quoted && "[{".includes(text[at])) open.push(text[at] === "[" ? "]" : "}");
      else if (!quoted && "]}".includes(text[at])) open.pop();
    }
    try {
      return JSON.parse(`${text}${quoted ? '"' : ""}${open.reverse().join("")}`);
    } catch {}
  }
  return {};
}

const PATCH = {
  patch: [
    { op: "set_line", path: "src/cart.ts", anchor: "12:a3", text: "const total = 0;\nmore\n" },
    { op: "replace_range", path: "src/cart.ts", start_anchor: "20:f1", end_anchor: "24:0c", text: "a\nb\nc" },
    { op: "insert_after", path: "src/cart.ts", anchor: "30:00", text: "\n" },
    { op: "delete", path: "src/cart.ts", anchor: "31:00" },
    { op: "move_file", from: "a.ts", to: "b.ts" },
    { op: "add_file", path: "c.ts", content: "export {};\n" },
    { op: "delete_file", path: "d.ts" },
    { op: "replace", path: "e.ts", old_text: "x", new_text: "y" },
  ],
};

test("the preview of a streaming call only grows, up to seven rows", () => {
  const json = JSON.stringify(PATCH);
  for (const host of Object.values(hosts)) {
    let rows = 0;
    for (let end = 0; end <= json.length; end++) {
      const drawn = host.call(applyRows, parsePartial(json.slice(0, end))).render(60);
      assert.ok(drawn.length >= rows, json.slice(0, end));
      rows = drawn.length;
    }
    assert.equal(rows, 7);
  }
});

test("the preview shows each operation with its anchors and the start of its text", () => {
  const first = { patch: PATCH.patch.slice(0, 6) };
  for (const host of Object.values(hosts)) {
    assert.deepEqual(host.call(applyRows, first).render(70), [
      "apply_hash src/cart.ts, a.ts, c.ts (6 operations)",
      "  set_line src/cart.ts 12:a3  const total = 0; (+1 line)",
      "  replace_range 20:f1 to 24:0c  a (+2 lines)",
      "  insert_after 30:00  (blank line)",
      "  delete 31:00",
      "  move_file a.ts to b.ts",
      "  add_file c.ts  export {};",
    ]);
    assert.deepEqual(host.call(applyRows, PATCH).render(70).slice(0, 2), [
      "apply_hash src/cart.ts, a.ts, c.ts and 2 more (8 operations)",
      "  insert_after src/cart.ts 30:00  (blank line)",
    ]);
    // When the call is done, the result draws the title.
    assert.deepEqual(host.call(applyRows, PATCH, { done: true }).render(60), []);
  }
});

test("other spellings of a patch are previewed too", () => {
  const expected = ["apply_hash a.ts (1 operation)", "  set_line a.ts 1:aa  x"];
  const op = { op: "set_line", path: "a.ts", anchor: "1:aa", text: "x" };
  for (const args of [
    { patch: [op] },
    { patch: op },
    { patch: JSON.stringify([op]) },
    { edits: [op] },
    { operations: [op] },
    op,
    { path: "a.ts", edits: [{ set_line: { anchor: "1:aa", new_text: "x" } }] },
    { path: "a.ts", edits: [{ op: "set_line", pos: "1:aa", lines: ["x"] }] },
  ])
    assert.deepEqual(hosts.pi.call(applyRows, args).render(60), expected, JSON.stringify(args));
});

const JUNK = [
  undefined,
  null,
  true,
  0,
  Number.NaN,
  1.5,
  "",
  "text",
  "[",
  [],
  [null, 1, "x", [], {}],
  {},
  { path: {}, paths: 3, pattern: [], patch: { op: {} } },
  { kind: "read", files: "x", warnings: 1 },
  { kind: "read", files: [null, 1, { path: 3, ok: true, from: "a" }, { ok: false }] },
  { kind: "grep", matches: "x", warnings: [null, {}] },
  { kind: "progress" },
  { kind: "applied", files: [null], text: 1 },
  { kind: "refused", refusals: 1 },
  { content: "text", details: { kind: "applied" } },
  { content: [null, "x", { type: "image", data: "" }, { type: "text" }], details: [] },
  { patch: [null, 1, "x", [], { op: 1, path: [], text: {} }, { text: [Object.create(null)] }] },
  Object.create(null),
];

test("no input of a host or a model makes a row throw", () => {
  for (const rows of Object.values(TOOLS)) {
    for (const one of JUNK) {
      for (const two of JUNK) {
        rows.renderCall(one, two, bare).render(40);
        rows.renderCall(one, bare, two).render(40);
        rows.renderResult(one, two, bare, two).render(40);
        rows
          .renderResult({ content: [{ type: "text", text: "a\nb" }], details: one }, two, two, one)
          .render(40);
      }
    }
  }
});

test("a result of very many lines is drawn like any other", () => {
  const many = 200_000;
  for (const [rows, kind, titles] of [
    [readRows, "read", 1],
    [applyRows, "applied", 1],
  ]) {
    const text = `first\n${"1:aa|x\n".repeat(many)}`;
    const drawn = hosts.pi.result(rows, toolResult({ text, kind }), { args: {}, expanded: true }).render(40);
    assert.equal(drawn.length, many + 2 + titles);
  }
});

test("text in a colour that the theme lacks is drawn without colour", () => {
  const poor = {
    fg() {
      throw new Error("Unknown theme color");
    },
  };
  assert.deepEqual(hosts.pi.call(readRows, { path: "a.ts" }, { theme: poor }).render(40), ["read a.ts"]);
});

/** A report or result that looks like one of the core, but contains texts that are hard to draw. */
function hardOutcome(roll) {
  const text = () => hardText(roll, 1 + roll(10)).replaceAll("\n", "");
  const anchored = () => `${roll(2000)}:${roll(256).toString(16).padStart(2, "0")}`;
  const forms = [
    () => `${text()} (lines 1-${roll(99)} of 99)`,
    () => `${anchored()}|${text()}`,
    () => ` ${anchored()}|${text()}`,
    () => `+${anchored()}|${text()}`,
    () => `-${roll(99)}|${text()}`,
    () => "...",
    () => "",
    () => `${text()}: +1 -1`,
    () => `${anchored()} moved to line 3 of ${text()}`,
    () => `Warning: ${text()}: ${text()}`,
    () => text(),
  ];
  const lines = Array.from({ length: 1 + roll(30) }, () => forms[roll(forms.length)]());
  const kinds = ["read", "grep", "applied", "refused", "progress", undefined];
  return {
    text: lines.join("\n"),
    kind: kinds[roll(kinds.length)],
    pattern: text(),
    matches: 3,
    files: [{ path: text(), ok: roll(2) === 0, from: 1, to: 2, total: 3, error: text() }],
    warnings: [text()],
  };
}

test("every row of every tool fits the width, whatever the texts contain", () => {
  const roll = randomNumbers(17);
  for (let round = 0; round < 600; round++) {
    const width = 1 + roll(round % 3 === 0 ? 10 : 200);
    const rows = Object.values(TOOLS)[round % 3];
    const host = Object.values(hosts)[roll(2)];
    const text = () => hardText(roll, 1 + roll(12));
    const args = {
      path: text(),
      paths: [text(), { path: text(), offset: 1, limit: 2 }],
      pattern: text(),
      glob: text(),
      patch: [
        { op: "set_line", path: text(), anchor: text(), text: text() },
        { op: "move_file", from: text(), to: text() },
      ],
    };
    const options = {
      args,
      theme: ansi,
      expanded: roll(2) === 0,
      isPartial: roll(2) === 0,
      done: roll(2) === 0,
    };
    const drawn = [
      ...host.call(rows, args, options).render(width),
      ...host.result(rows, toolResult(hardOutcome(roll)), options).render(width),
    ];
    for (const row of drawn) {
      const context = JSON.stringify({ round, width, row });
      assert.ok(columns(row) <= width, context);
      assert.equal(unprintable(row), undefined, context);
      assert.ok(closesColours(row), context);
    }
  }
});
