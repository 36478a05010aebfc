// What people see of the tools, drawn from real outcomes as each host draws them.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { useHighlighter } from "../../extension/render/highlight.ts";
import { applyRows, grepRows, readRows } from "../../extension/render/index.ts";
import { SERVED, servedRows } from "../../extension/render/served.ts";
import { Session } from "../../index.js";
import { columns, hosts, named, toolResult } from "./drawing.mjs";
import "../own-state.mjs";

const root = mkdtempSync(join(tmpdir(), "hashline-rows-"));
after(() => rmSync(root, { recursive: true, maxRetries: 10, force: true }));

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
  rmSync(root, { recursive: true, maxRetries: 10, force: true });
  put("src/cart.ts", CART);
  put("lines.txt", LINES);
  session = new Session({ root, durability: "fast" });
});

function put(path, lines) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.map((line) => `${line}\n`).join(""));
}

/** The anchors of a file's lines: index 1 is the first line's. */
async function anchors(path) {
  const { text } = await session.read({ path });
  return text.split("\n").map((line) => line.split("|")[0]);
}

/** The rows of a call and its result, after a check that they are the same in each host. */
function draw(rows, args, outcome, { width = 60, ...options } = {}) {
  const [pi, omp] = Object.values(hosts).map((host) => [
    ...host.call(rows, args, { done: options.isPartial !== true, ...options }).render(width),
    ...host.result(rows, toolResult(outcome), { args, ...options }).render(width),
  ]);
  assert.deepEqual(pi, omp);
  return pi;
}

test("a read is one row: the file and which of its lines", async () => {
  const args = { path: "src/cart.ts" };
  const first = draw(readRows, args, await session.read(args));
  assert.deepEqual(first, ["read src/cart.ts (lines 1-9 of 9)"]);
  const again = draw(readRows, args, await session.read(args));
  assert.deepEqual(again, ["read src/cart.ts (lines 1-9 of 9, unchanged since shown)"]);
  const part = { path: "lines.txt", offset: 10, limit: 5 };
  assert.deepEqual(draw(readRows, part, await session.read(part)), ["read lines.txt (lines 10-14 of 60)"]);
});

test("a read of changes shows the added lines and how many are gone", async () => {
  const args = { path: "lines.txt", changes: true };
  await session.read({ path: "lines.txt" });
  put("lines.txt", [...LINES.slice(0, 1), "two", ...LINES.slice(2)]);
  const rows = draw(readRows, args, await session.read(args), { expanded: true, theme: named });
  assert.equal(
    rows[0],
    "<toolTitle>*read*</><muted> </><accent>lines.txt</><muted> (60 lines, +1 -1 since shown)</>",
  );
  assert.equal(rows[3], "<toolDiffRemoved>-... 1 gone</>");
  assert.match(rows[4], /^<toolDiffAdded>\+2:..\|<\/><toolDiffAdded>two<\/>$/);
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

test("a file that the host shows by itself is named", () => {
  const files = [{ path: "a.png", ok: true, from: 0, to: 0, total: 0 }];
  const rows = draw(readRows, { path: "a.png" }, { text: "Read image file", kind: "read", files });
  assert.deepEqual(rows, ["read a.png"]);
});

test("an expanded read shows the lines, anchors dim, in the colours of their language", async () => {
  const args = { path: "src/cart.ts", offset: 5, limit: 2 };
  const rows = draw(readRows, args, await session.read(args), { expanded: true, theme: named });
  const at = await anchors("src/cart.ts");
  assert.deepEqual(rows, [
    "<toolTitle>*read*</><muted> </><accent>src/cart.ts</><muted> (lines 5-6 of 9)</>",
    "",
    `<dim>${at[5]}|</><toolOutput>    </><syntaxKeyword>for</><toolOutput> (</><syntaxKeyword>const</><toolOutput> item </><syntaxKeyword>of</><toolOutput> items) {</>`,
    `<dim>${at[6]}|</><toolOutput>        sum += item.price; </><syntaxComment>// 価格 😀</>`,
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
    "grep line 1 (*.txt): 11 matches in 1 file (1 searched)",
    "",
    "lines.txt (11 matches)",
    ` ${anchor[1]}|line 1`,
    ...[10, 11, 12].map((at) => `${anchor[at]}|line ${at}`),
    "... 7 more lines (ctrl+o to expand)",
  ]);
  const expanded = draw(grepRows, args, outcome, { expanded: true });
  assert.equal(expanded.length, 2 + 1 + 11);
  assert.equal(expanded.at(-1), `${anchor[19]}|line 19`);
});

test("a grep without a hit is one row, and a refused grep says why", async () => {
  const none = { pattern: "nowhere", path: "src" };
  assert.deepEqual(draw(grepRows, none, await session.grep(none)), [
    "grep nowhere in src: no match in 1 file",
  ]);
  const bad = { pattern: "(" };
  const rows = draw(grepRows, bad, await session.grep(bad));
  assert.match(rows[1], /^error: bad pattern/);
});

test("a running grep shows its progress", () => {
  const progress = { text: "", kind: "progress", searched: 1200, matches: 1 };
  const rows = draw(grepRows, { pattern: "x" }, progress, { isPartial: true });
  assert.deepEqual(rows, ["grep x", "searching: 1 match, 1200 files so far"]);
});

test("the result names the pattern if the host does not pass the call on", () => {
  const result = toolResult({ text: "", kind: "grep", pattern: "x+", matches: 0, files: 0, searched: 3 });
  assert.deepEqual(grepRows.renderResult(result, {}, undefined, undefined).render(60), [
    "grep x+: no match in 3 files",
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
    "apply_hash src/cart.ts, src/tax.ts +2 -1",
    "",
    "src/cart.ts +1 -1",
    " 4     let sum = 0;",
    " 5     for (const item of items) {",
    "-6         sum += item.price; // 価格 😀",
    "+6         sum += tax(item.price); // 価格 😀",
    " 7     }",
    " 8     return sum;",
    "",
    "src/tax.ts: created, 1 line",
    "+1 export const tax = (n) => n;",
  ]);
  const rows = draw(applyRows, args, outcome, { theme: named });
  assert.match(rows[0], /<toolDiffAdded> \+2<\/><toolDiffRemoved> -1<\/>$/);
  assert.ok(rows.some((row) => row.startsWith("<toolDiffRemoved>-6 </><toolDiffRemoved>        sum += ")));
  assert.ok(rows.includes("<toolDiffAdded>+1 </><toolDiffAdded>export const tax = (n) => n;</>"));
  assert.ok(rows.includes("<toolDiffContext> 7 </><toolOutput>    }</>"));
});

test("the title names a single file, and says what happened to it", async () => {
  const at = await anchors("lines.txt");
  const args = { patch: [{ op: "set_line", path: "lines.txt", anchor: at[1], text: "x" }] };
  const [title, ...rows] = draw(applyRows, args, await session.apply(args));
  assert.equal(title, "apply_hash lines.txt +1 -1");
  assert.deepEqual(rows, ["", "-1 line 1", "+1 x", " 2 line 2", " 3 line 3"]);
});

test("words that changed inside a line are marked, in both of its versions", async () => {
  const at = await anchors("src/cart.ts");
  const markingTheme = { ...named, inverse: (text) => `[${text}]` };
  const text = "\t\tsum += tax(item.price); // 価格 😀";
  const args = { patch: [{ op: "set_line", path: "src/cart.ts", anchor: at[6], text }] };
  const rows = draw(applyRows, args, await session.apply(args), { theme: markingTheme });
  const plain = (mark) => rows.find((row) => row.startsWith(mark)).replaceAll(/<\/?\w*>/g, "");
  assert.equal(plain("<toolDiffRemoved>-6"), "-6         sum += item.price; // 価格 😀");
  assert.equal(plain("<toolDiffAdded>+6"), "+6         sum += [tax(]item.price[)]; // 価格 😀");
});

test("lines that have little in common are not compared word by word", async () => {
  const at = await anchors("src/cart.ts");
  const markingTheme = { ...named, inverse: (text) => `[${text}]` };
  const args = {
    patch: [{ op: "set_line", path: "src/cart.ts", anchor: at[8], text: "\tthrow new Error(why)" }],
  };
  const rows = draw(applyRows, args, await session.apply(args), { theme: markingTheme });
  assert.ok(!rows.join("\n").includes("["), rows.join("\n"));
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

test("a folded patch hides no deletion, no move and no overwrite", async () => {
  const content = Array.from({ length: 60 }, (_, at) => `new ${at + 1}\n`).join("");
  const args = {
    patch: [
      { op: "add_file", path: "a-new.txt", content },
      { op: "add_file", path: "a-other.txt", content },
      { op: "move_file", from: "lines.txt", to: "moved.txt" },
      { op: "delete_file", path: "src/cart.ts" },
    ],
  };
  await session.apply({ patch: [{ op: "add_file", path: "a-other.txt", content: "old\n" }] });
  args.patch[1].overwrite = true;
  const rows = draw(applyRows, args, await session.apply(args));
  assert.deepEqual(rows.slice(2, 6), [
    "a-other.txt: overwritten, -1",
    "lines.txt moved to moved.txt",
    "src/cart.ts: deleted",
    "",
  ]);
  assert.ok(rows.some((row) => /more lines \(ctrl\+o to expand\)$/.test(row)));
});

/** Applies a patch whose diff has this many rows, and returns its arguments and its outcome. */
async function applyDiffOf(rows) {
  const content = Array.from({ length: rows - 1 }, (_, at) => `new ${at + 1}\n`).join("");
  const args = { patch: [{ op: "add_file", path: "new.txt", content }] };
  return [args, await session.apply(args)];
}

test("a diff of 21 rows is shown, a diff of 22 is folded: no row stands for a single line", async () => {
  const whole = draw(applyRows, ...(await applyDiffOf(21)));
  assert.equal(whole.length, 2 + 21);
  assert.equal(whole.at(-1), "+20 new 20");
  rmSync(join(root, "new.txt"));
  const [args, outcome] = await applyDiffOf(22);
  const rows = draw(applyRows, args, outcome);
  assert.deepEqual(rows.slice(-2), ["+19 new 19", "... 2 more lines (ctrl+o to expand)"]);
  assert.equal(rows.length, 2 + 21);
  assert.equal(draw(applyRows, args, outcome, { expanded: true }).at(-1), "+21 new 21");
});

test("relocations, repairs and warnings stay visible when the diff is folded", async () => {
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
  const rows = draw(applyRows, args, outcome, { width: 200 });
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

test("a refused patch says why and shows the present lines, with the changed line marked", async () => {
  const at = await anchors("lines.txt");
  put("lines.txt", ["other", ...LINES.slice(1)]);
  const args = {
    patch: [
      { op: "set_line", path: "lines.txt", anchor: at[1], text: "x" },
      { op: "set_line", path: "src/cart.ts", anchor: "99:00", text: "x" },
    ],
  };
  const outcome = await session.apply(args);
  const markingTheme = { ...named, inverse: (text) => `[${text}]` };
  const rows = draw(applyRows, args, outcome, { theme: markingTheme, width: 120 });
  assert.match(rows[0], /src\/cart\.ts<\/><error> rejected: nothing written, 2 operations failed<\/>$/);
  assert.match(rows[2], /^<error>1:.. of lines\.txt was wanted, and line 1 now reads: other<\/>$/);
  assert.match(rows[3], /^<error>patch\[1\]: .*src\/cart\.ts/);
  assert.ok(!rows.some((row) => /patch\[0\]|Hash mismatch|Actual state/.test(row)), "the sentence says so");
  assert.match(rows.at(-1), /^<warning>>9:..\|<\/>/);
  const fresh = await anchors("lines.txt");
  assert.ok(rows.includes(`<warning>>${fresh[1]}|</><warning>other</>`), rows.join("\n"));
  const expanded = draw(applyRows, args, outcome, { expanded: true, theme: markingTheme });
  assert.ok(expanded.includes(`<dim> ${fresh[2]}|</><toolOutput>line 2</>`), expanded.join("\n"));
  const narrow = draw(applyRows, args, outcome, { width: 40 }).join(" ").replaceAll(/\s+/g, " ");
  const [, reason] = outcome.text.split("\n");
  assert.ok(narrow.includes(reason), "a reason is wrapped and not cut");
});

test("in omp a patch is drawn in a frame with its title, closed at every width", async () => {
  const box = {
    topLeft: "╭",
    topRight: "╮",
    bottomLeft: "╰",
    bottomRight: "╯",
    horizontal: "─",
    vertical: "│",
  };
  const theme = { fg: (_, text) => text, bold: (text) => text, boxRound: box };
  const at = await anchors("src/cart.ts");
  const args = {
    patch: [{ op: "set_line", path: "src/cart.ts", anchor: at[8], text: "\treturn sum; // 価格 😀" }],
  };
  const result = toolResult(await session.apply(args));
  for (const width of [24, 40, 41, 100]) {
    const rows = hosts.omp.result(applyRows, result, { args, theme }).render(width);
    assert.match(rows[0], /^╭─── apply_hash .*─╮$/);
    assert.match(rows.at(-1), /^╰─+╯$/);
    for (const row of rows) assert.equal(columns(row), width, row);
  }
  const narrow = hosts.omp.result(applyRows, result, { args, theme }).render(20);
  assert.ok(!narrow.join("").includes("│"));
});

test("lines have the colours of their language where the host has a highlighter", async () => {
  const coloured = (code) =>
    code.split("\n").map((line) => line.replace(/\b(let|return|export)\b/g, "\x1b[38;5;5m$1\x1b[39m"));
  const language = (path) => (path.endsWith(".ts") ? "typescript" : undefined);
  useHighlighter({ highlightCode: coloured, getLanguageFromPath: language });
  const args = { path: "src/cart.ts" };
  const shown = draw(readRows, args, await session.read(args), { expanded: true }).join("\n");
  assert.match(shown, /\|<?.*\x1b\[38;5;5mexport\x1b\[39;22;23;24m function/);
  const at = await anchors("src/cart.ts");
  const patch = { patch: [{ op: "set_line", path: "src/cart.ts", anchor: at[7], text: "\t};" }] };
  const diff = draw(applyRows, patch, await session.apply(patch)).join("\n");
  assert.match(diff, /8 {5}\x1b\[38;5;5mreturn\x1b\[39;22;23;24m sum;/);
  // Spans of a highlighter whose text differs from the line are ignored.
  useHighlighter({ highlightCode: (code) => code.split("\n").map(() => "?"), getLanguageFromPath: language });
  const plain = draw(readRows, args, await session.read(args), { expanded: true }).join("\n");
  assert.ok(plain.includes("|export function") && !plain.includes("?"));
  useHighlighter(undefined);
});

test("a patch that changes nothing says so", async () => {
  const at = await anchors("lines.txt");
  const args = { patch: [{ op: "set_line", path: "lines.txt", anchor: at[1], text: "line 1" }] };
  assert.deepEqual(draw(applyRows, args, await session.apply(args), { width: 100 }), [
    "apply_hash lines.txt unchanged",
    "",
    "no change, lines.txt already reads as asked",
  ]);
});

test("a result without details is shown as plain text", () => {
  for (const [name, rows] of [
    ["read", readRows],
    ["grep", grepRows],
    ["apply_hash", applyRows],
  ]) {
    for (const host of Object.values(hosts)) {
      const result = {
        content: [{ type: "text", text: "Use read instead\nof cat" }],
        details: {},
        isError: true,
      };
      const drawn = (options) => host.result(rows, result, { args: {}, theme: named, ...options }).render(60);
      const title = `<toolTitle>*${name}*</>`;
      const expected = [
        title,
        ...(rows === applyRows ? [""] : []),
        "<error>Use read instead</>",
        "<error>of cat</>",
      ];
      assert.deepEqual(drawn({ expanded: false }), expected);
      assert.deepEqual(drawn({ expanded: true }), expected);
      assert.deepEqual(host.result(rows, { content: [] }, { args: {} }).render(60), [name]);
    }
  }
});

test("a notice is visible for every tool and every result", async () => {
  const notice = "note: the journal was set aside\nsecond line";
  const crash = "note: after an interrupted patch: 1 file was put back";
  const at = await anchors("lines.txt");
  const op = { op: "set_line", path: "lines.txt", anchor: at[1], text: "x" };
  for (const [rows, args, outcome] of [
    [readRows, { path: "lines.txt" }, await session.read({ path: "lines.txt" })],
    [readRows, {}, await session.read({})],
    [grepRows, { pattern: "line" }, await session.grep({ pattern: "line" })],
    [applyRows, { patch: [op] }, await session.apply({ patch: [op] })],
    [applyRows, { patch: [op] }, await session.apply({ patch: [op] })],
  ]) {
    // The person was notified of the crash when the session started.
    const noted = { ...outcome, text: `${outcome.text}\n\n${crash}\n\n${notice}` };
    for (const expanded of [false, true]) {
      const drawn = draw(rows, args, noted, { expanded, theme: named });
      assert.deepEqual(drawn.slice(-2), [
        "<warning>note: the journal was set aside</>",
        "<warning>second line</>",
      ]);
      assert.ok(!drawn.join("\n").includes("interrupted"), drawn.join("\n"));
      assert.ok(!drawn.includes("<accent></>"), drawn.join("\n"));
    }
  }
});

test("an answered command is drawn like a read, and a command that ran is drawn by the host", async () => {
  const drawnByHost = { render: () => ["by the host"] };
  const rows = servedRows({ renderCall: () => drawnByHost, renderResult: () => drawnByHost });
  const { text } = await session.answer("cat src/cart.ts");
  const result = { content: [{ type: "text", text }], details: SERVED };
  const drawn = (given, expanded) =>
    hosts.pi
      .result(rows, given, { args: { command: "cat src/cart.ts" }, expanded, theme: named })
      .render(100);
  assert.equal(rows.renderCall(), drawnByHost);
  assert.deepEqual(drawn({ ...result, details: undefined }, false), ["by the host"]);
  const folded = drawn(result, false);
  assert.match(folded.join("\n"), /<dim>1:\w+\|<\/><syntaxKeyword>import<\/>/);
  assert.match(folded.join("\n"), /\n<muted>\.\.\. 5 more lines .*\n\n<muted>\[answered by read: .*\]<\/>$/);
  assert.match(drawn(result, true).join("\n"), /<dim>9:\w+\|<\/><toolOutput>}<\/>\n\n<muted>\[answered/);
  assert.equal(servedRows(undefined), undefined);
});

test("arguments that do not fit the schema are drawn from the field `given`", () => {
  const args = { patch: [], given: { path: "a.ts", edits: [{ op: "delete", anchor: "1:aa" }] } };
  assert.deepEqual(hosts.pi.call(applyRows, args).render(60), [
    "apply_hash a.ts (1 operation)",
    "  delete a.ts 1:aa",
  ]);
});

test("rows are laid out again for another width, and reused for the same width", async () => {
  const args = { path: "src/cart.ts" };
  const result = toolResult(await session.read(args));
  const component = hosts.pi.result(readRows, result, { args, expanded: true });
  const [wide, narrow] = [component.render(100), component.render(10)];
  assert.ok(narrow.length > wide.length);
  assert.equal(component.render(10), narrow);
  component.invalidate();
  assert.deepEqual(component.render(100), wide);
});
