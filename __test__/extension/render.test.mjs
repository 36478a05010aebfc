// What people see of the tools, drawn from real outcomes, in the way of each host.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { applyRows, grepRows, readRows } from "../../extension/render/index.ts";
import { Session } from "../../index.js";
import { hosts, named, toolResult } from "./drawing.mjs";

const root = mkdtempSync(join(tmpdir(), "hashline-rows-"));
after(() => rmSync(root, { recursive: true, force: true }));

const CART = [
  'import { tax } from "./tax";',
  "",
  "export function total(items: Item[]) {",
  "\tlet sum = 0;",
  "\tfor (const item of items) {",
  "\t\tsum += item.price; // 価格 😀",
  "\t}",
  "\treturn sum;",
  "}",
];
const LINES = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);

let session;

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  put("src/cart.ts", CART);
  put("lines.txt", LINES);
  session = new Session({ root, durability: "fast" });
});

function put(path, lines) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.map((line) => `${line}\n`).join(""));
}

/** The anchors of a file's lines, the first under 1. */
async function anchors(path) {
  const { text } = await session.read({ path });
  return text.split("\n").map((line) => line.split("|")[0]);
}

/** The rows of a call and its result, the same in each host. */
function draw(rows, args, outcome, { width = 60, ...options } = {}) {
  const [pi, omp] = Object.values(hosts).map((host) => [
    ...host.call(rows, args, { done: true, ...options }).render(width),
    ...host.result(rows, toolResult(outcome), { args, ...options }).render(width),
  ]);
  assert.deepEqual(pi, omp);
  return pi;
}

test("a read is two rows: the file and which of its lines", async () => {
  const args = { path: "src/cart.ts" };
  assert.deepEqual(draw(readRows, args, await session.read(args)), ["read src/cart.ts", "lines 1-9 of 9"]);
  const part = { path: "lines.txt", offset: 10, limit: 5 };
  assert.deepEqual(draw(readRows, part, await session.read(part)), [
    "read lines.txt:10-14",
    "lines 10-14 of 60",
  ]);
});

test("a read of several files has one row for each, errors marked", async () => {
  put("empty.txt", []);
  const args = {
    paths: ["src/cart.ts", "gone.ts", { path: "lines.txt", offset: 50, limit: 4 }, "src", "empty.txt"],
  };
  const outcome = await session.read(args);
  assert.deepEqual(draw(readRows, args, outcome), [
    "read src/cart.ts, gone.ts, lines.txt:50-53 and 2 more",
    "src/cart.ts (lines 1-9 of 9)",
    "error: no such file: `gone.ts`",
    "lines.txt (lines 50-53 of 60)",
    "src (1 entry)",
    "empty.txt (empty)",
  ]);
  assert.ok(
    draw(readRows, args, outcome, { theme: named }).includes("<error>error: no such file: `gone.ts`</>"),
  );
});

test("a read of many files ends with a count", async () => {
  const args = { paths: Array.from({ length: 12 }, () => "lines.txt") };
  const rows = draw(readRows, args, await session.read(args));
  assert.equal(rows.length, 7);
  assert.equal(rows.at(-1), "... 7 more files (ctrl+o to expand)");
});

test("two parts of one file have a row each", async () => {
  const args = { paths: ["lines.txt:1-3", "lines.txt:7-9"] };
  const outcome = await session.read(args);
  const [, ...rows] = draw(readRows, args, outcome);
  assert.match(rows[0], /^lines\.txt.* \(lines 1-3 of 60\)$/);
  assert.match(rows[1], /^lines\.txt.* \(lines 7-9 of 60\)$/);
});

test("what a host shows by itself is named", () => {
  const files = [{ path: "a.png", ok: true, from: 0, to: 0, total: 0 }];
  const rows = draw(readRows, { path: "a.png" }, { text: "Read image file", kind: "read", files });
  assert.deepEqual(rows, ["read a.png", "a.png"]);
});

test("an expanded read shows the lines, anchors dim", async () => {
  const args = { path: "src/cart.ts", offset: 5, limit: 2 };
  const rows = draw(readRows, args, await session.read(args), { expanded: true, theme: named });
  const at = await anchors("src/cart.ts");
  assert.deepEqual(rows.slice(1), [
    "<accent>src/cart.ts</><muted> (lines 5-6 of 9)</>",
    `<dim>${at[5]}|</><toolOutput>    for (const item of items) {</>`,
    `<dim>${at[6]}|</><toolOutput>        sum += item.price; // 価格 😀</>`,
    "<muted>[3 more lines: read again with offset 7]</>",
  ]);
});

test("a refused read says why", async () => {
  const rows = draw(readRows, {}, await session.read({}), { theme: named, width: 200 });
  assert.match(rows[1], /^<error>error: `path` or `paths` is missing/);
});

test("a grep shows what was found and the first hits", async () => {
  const args = { pattern: "line 1", glob: "*.txt" };
  const outcome = await session.grep(args);
  const anchor = await anchors("lines.txt");
  assert.deepEqual(draw(grepRows, args, outcome), [
    "grep line 1 (*.txt)",
    "11 matches in 1 file (1 searched)",
    "lines.txt (11 matches)",
    ` ${anchor[1]}|line 1`,
    ...[10, 11, 12].map((at) => `${anchor[at]}|line ${at}`),
    "... 7 more lines (ctrl+o to expand)",
  ]);
  const expanded = draw(grepRows, args, outcome, { expanded: true });
  assert.equal(expanded.length, 2 + 1 + 11);
  assert.equal(expanded.at(-1), `${anchor[19]}|line 19`);
});

test("a grep without a hit is one row, and one that is refused says why", async () => {
  const none = { pattern: "nowhere", path: "src" };
  assert.deepEqual(draw(grepRows, none, await session.grep(none)), [
    "grep nowhere in src",
    "no match in 1 file",
  ]);
  const bad = { pattern: "(" };
  const rows = draw(grepRows, bad, await session.grep(bad));
  assert.match(rows[1], /^error: bad pattern/);
});

test("a running grep tells how far it is", () => {
  const progress = { text: "", kind: "progress", searched: 1200, matches: 1 };
  const rows = draw(grepRows, { pattern: "x" }, progress, { isPartial: true });
  assert.deepEqual(rows, ["grep x", "searching: 1 match, 1200 files so far"]);
});

test("the pattern stands in the result if the host does not give the call", () => {
  const result = toolResult({ text: "", kind: "grep", pattern: "x+", matches: 0, files: 0, searched: 3 });
  assert.deepEqual(grepRows.renderResult(result, {}, undefined, undefined).render(60), [
    "x+: no match in 3 files",
  ]);
});

test("an applied patch is a diff with line numbers", async () => {
  const at = await anchors("src/cart.ts");
  const args = {
    patch: [
      { op: "set_line", path: "src/cart.ts", anchor: at[6], text: "\t\tsum += tax(item.price); // 価格 😀" },
      { op: "add_file", path: "src/tax.ts", content: "export const tax = (n) => n;\n" },
    ],
  };
  const outcome = await session.apply(args);
  assert.deepEqual(draw(applyRows, args, outcome), [
    "apply_hash 2 operations in src/cart.ts, src/tax.ts",
    "Applied 2 operations to 2 files +2 -1",
    "src/cart.ts +1 -1",
    "...",
    " 4     let sum = 0;",
    " 5     for (const item of items) {",
    "-6         sum += item.price; // 価格 😀",
    "+6         sum += tax(item.price); // 価格 😀",
    " 7     }",
    " 8     return sum;",
    "src/tax.ts: created, 1 line",
    "+1 export const tax = (n) => n;",
  ]);
  const rows = draw(applyRows, args, outcome, { theme: named });
  assert.ok(
    rows.includes(
      "<success>*Applied 2 operations to 2 files*</><toolDiffAdded> +2</><toolDiffRemoved> -1</>",
    ),
  );
  assert.ok(
    rows.includes("<toolDiffRemoved>-6 </><toolDiffRemoved>        sum += item.price; // 価格 😀</>"),
  );
  assert.ok(rows.includes("<toolDiffAdded>+1 </><toolDiffAdded>export const tax = (n) => n;</>"));
  assert.ok(rows.includes("<toolDiffContext> 7 </><toolDiffContext>    }</>"));
});

test("moves and deletions are rows of their own", async () => {
  const at = await anchors("lines.txt");
  const args = {
    patch: [
      { op: "move_file", from: "lines.txt", to: "moved.txt" },
      { op: "delete", path: "lines.txt", anchor: at[1] },
      { op: "delete_file", path: "src/cart.ts" },
    ],
  };
  const rows = draw(applyRows, args, await session.apply(args));
  assert.ok(rows.includes("lines.txt moved to moved.txt +0 -1"), rows.join("\n"));
  assert.ok(rows.includes("-1 line 1"));
  assert.ok(rows.includes("src/cart.ts: deleted"));
});

/** A patch whose diff has this many rows: the name of the file and its lines. */
async function created(rows) {
  const content = Array.from({ length: rows - 1 }, (_, at) => `new ${at + 1}\n`).join("");
  const args = { patch: [{ op: "add_file", path: "new.txt", content }] };
  return [args, await session.apply(args)];
}

test("a diff of 20 rows is shown, one of 21 is folded", async () => {
  const whole = draw(applyRows, ...(await created(20)));
  assert.equal(whole.length, 2 + 20);
  assert.equal(whole.at(-1), "+19 new 19");
  rmSync(join(root, "new.txt"));
  const [args, outcome] = await created(21);
  const rows = draw(applyRows, args, outcome);
  assert.deepEqual(rows.slice(-2), ["+19 new 19", "... 1 more line (ctrl+o to expand)"]);
  assert.equal(rows.length, 2 + 21);
  assert.equal(draw(applyRows, args, outcome, { expanded: true }).at(-1), "+20 new 20");
});

test("relocations, repairs and warnings are seen though the diff is folded", async () => {
  const cart = await anchors("src/cart.ts");
  const at = await anchors("lines.txt");
  put("lines.txt", ["above", ...LINES]);
  const args = {
    patch: [
      { op: "insert_after", path: "lines.txt", anchor: at[3], text: LINES.join("\n") },
      { op: "set_line", path: "src/cart.ts", anchor: cart[4], text: "let sum = 1;" },
      { op: "set_line", path: "src/cart.ts", anchor: cart[2], text: "" },
    ],
  };
  const outcome = await session.apply(args);
  assert.equal(outcome.kind, "applied", outcome.text);
  const rows = draw(applyRows, args, outcome, { width: 120 });
  const fold = rows.findIndex((row) => row.endsWith("more lines (ctrl+o to expand)"));
  const notes = rows.slice(fold + 1);
  assert.ok(fold > 0);
  assert.equal(notes[0], `${at[3]} moved to line 4 of lines.txt`);
  assert.match(notes[1], /^Repaired patch\[1\] at line 4 of src\/cart\.ts \(inherit_indent\): /);
  assert.match(notes[2], /^Warning: src\/cart\.ts: the empty text of patch\[2\] deleted 1 line/);
  assert.ok(
    draw(applyRows, args, outcome, { theme: named }).some((row) => row.startsWith("<warning>Warning: ")),
  );
});

test("a refused patch is a bold row with the reasons, and expanded the lines that mend it", async () => {
  const at = await anchors("lines.txt");
  put("lines.txt", ["other", ...LINES.slice(1)]);
  const args = {
    patch: [
      { op: "set_line", path: "lines.txt", anchor: at[1], text: "x" },
      { op: "set_line", path: "src/cart.ts", anchor: "99:00", text: "x" },
    ],
  };
  const outcome = await session.apply(args);
  const rows = draw(applyRows, args, outcome, { theme: named, width: 120 });
  assert.equal(rows[1], "<error>*REJECTED: nothing was written (2 of 2 operations failed)*</>");
  assert.match(rows[2], /^<error>patch\[0\]: anchor 1:.. is stale/);
  assert.match(rows[3], /^<error>patch\[1\]: .*src\/cart\.ts/);
  assert.match(rows[4], /^<muted>\.\.\. \d+ more lines \(ctrl\+o to expand\)<\/>$/);
  assert.equal(rows.length, 5);
  const expanded = draw(applyRows, args, outcome, { expanded: true, theme: named });
  const fresh = await anchors("lines.txt");
  assert.ok(expanded.includes(`<dim>${fresh[1]}|</><toolOutput>other</>`), expanded.join("\n"));
});

test("a patch that changes nothing says so", async () => {
  const at = await anchors("lines.txt");
  const args = { patch: [{ op: "set_line", path: "lines.txt", anchor: at[1], text: "line 1" }] };
  assert.deepEqual(draw(applyRows, args, await session.apply(args), { width: 100 }), [
    "apply_hash 1 operation in lines.txt",
    "Applied 1 operation to 0 files: no change, lines.txt already reads as asked",
    "lines.txt: no change",
  ]);
});

test("without details the text is shown as it is", () => {
  for (const rows of [readRows, grepRows, applyRows]) {
    for (const host of Object.values(hosts)) {
      const result = {
        content: [{ type: "text", text: "Use read instead\nof cat" }],
        details: {},
        isError: true,
      };
      const drawn = (options) => host.result(rows, result, { args: {}, theme: named, ...options }).render(60);
      const expected = ["<error>Use read instead</>", "<error>of cat</>"];
      assert.deepEqual(drawn({ expanded: false }), expected);
      assert.deepEqual(drawn({ expanded: true }), expected);
      assert.deepEqual(host.result(rows, { content: [] }, { args: {} }).render(60), []);
    }
  }
});

test("a notice is seen whatever the tool and however it ended", async () => {
  const notice = "note: after an interrupted patch: 1 file was put back\nsecond line";
  const at = await anchors("lines.txt");
  const op = { op: "set_line", path: "lines.txt", anchor: at[1], text: "x" };
  for (const [rows, args, outcome] of [
    [readRows, { path: "lines.txt" }, await session.read({ path: "lines.txt" })],
    [readRows, {}, await session.read({})],
    [grepRows, { pattern: "line" }, await session.grep({ pattern: "line" })],
    [applyRows, { patch: [op] }, await session.apply({ patch: [op] })],
    [applyRows, { patch: [op] }, await session.apply({ patch: [op] })],
  ]) {
    const noted = { ...outcome, text: `${outcome.text}\n\n${notice}` };
    for (const expanded of [false, true]) {
      const drawn = draw(rows, args, noted, { expanded, theme: named });
      assert.deepEqual(drawn.slice(-2), [
        "<warning>note: after an interrupted patch: 1 file was put back</>",
        "<warning>second line</>",
      ]);
      assert.ok(!drawn.includes("<accent></>"), drawn.join("\n"));
    }
  }
});

test("arguments that do not fit the schema are found where the tool puts them", () => {
  const args = { patch: [], given: { path: "a.ts", edits: [{ op: "delete", anchor: "1:aa" }] } };
  assert.deepEqual(hosts.pi.call(applyRows, args).render(60), [
    "apply_hash 1 operation in a.ts",
    "  delete a.ts 1:aa",
  ]);
});

test("rows are laid out anew for another width, and kept for the same", async () => {
  const args = { path: "src/cart.ts" };
  const result = toolResult(await session.read(args));
  const component = hosts.pi.result(readRows, result, { args, expanded: true });
  const [wide, narrow] = [component.render(100), component.render(10)];
  assert.ok(narrow.length > wide.length);
  assert.equal(component.render(10), narrow);
  component.invalidate();
  assert.deepEqual(component.render(100), wide);
});
