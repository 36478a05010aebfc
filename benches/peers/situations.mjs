// The situations in which an edit can go wrong, each as data: the text that the model reads (`before`), the
// text that another program then writes (`now`; null: deleted), the edits that the model asks for (`calls`),
// and the text that the file must have in the end (`want`).
//
// An edit names lines by the numbers they had when they were read: `{ at, to?, text }` replaces them,
// `{ after, text }` inserts. `slip` is what a model adds to a line number by mistake, `echo` puts the
// prefixes of the listing before its text. `want: null` means that refusing is right; `meant` is another
// right result, for example of an editor without line numbers. `mode` is the file's mode, which must not
// change. A situation that is more than an edit of one file has a `story` function.

import { guarded, killed, undone } from "./stories.mjs";

const nth = (number) => `line ${String(number).padStart(6, "0")}`;
const numbered = (count) => Array.from({ length: count }, (_, i) => nth(i + 1));
const text = (lines) => `${lines.join("\n")}\n`;
const swap = (lines, at, ...by) => lines.toSpliced(at - 1, 1, ...by);

const LINES = numbered(60);
const NEW = ["new a", "new b", "new c"];
const one = (key, what, fields) => ({ key, what, path: "a.txt", before: text(LINES), ...fields });

const JS = [
  "function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price;",
  "    count += 1;",
  "  }",
  "  return sum;",
  "}",
];
const PY = ["def f():", "    if ready:", "        start()", "    return 1", "", "x = 1"];
const YAML = ["a:", "  b: 1", "  c: 2", "d: 3"];
const HTML = ["<div>", "  <p>one</p>", "  <p>two</p>", "</div>"];
const TWINS = ["start {", "  go", "}", "middle", "start {", "  go", "}", "end"];

export const SITUATIONS = [
  one("a", "a normal edit", { calls: [[{ at: 10, text: "TEN" }]], want: text(swap(LINES, 10, "TEN")) }),
  one("b", "3 lines added above", {
    now: text([...NEW, ...LINES]),
    calls: [[{ at: 10, text: "TEN" }]],
    want: text([...NEW, ...swap(LINES, 10, "TEN")]),
  }),
  one("b2", "3 lines deleted above", {
    now: text(LINES.slice(3)),
    calls: [[{ at: 10, text: "TEN" }]],
    want: text(swap(LINES, 10, "TEN").slice(3)),
  }),
  one("c", "the line itself changed", {
    now: text(swap(LINES, 10, "changed")),
    calls: [[{ at: 10, text: "TEN" }]],
    want: null,
  }),
  one("c2", "changed, and 3 lines added above", {
    now: text([...NEW, ...swap(LINES, 10, "changed 10")]),
    calls: [[{ at: 10, text: "TEN" }]],
    want: null,
  }),
  {
    key: "c3",
    what: "changed, and the old text is part of the new",
    path: "config.py",
    before: text(['host = "db1"', "timeout = 30", "retries = 3"]),
    now: text(['host = "db1"', "timeout = 300", "retries = 3"]),
    calls: [[{ at: 2, text: "timeout = 60" }]],
    want: null,
  },
  one("d", "the line is gone, its text is elsewhere", {
    now: text([...LINES.toSpliced(9, 1), nth(10)]),
    calls: [[{ at: 10, text: "TEN" }]],
    want: null,
    meant: text([...LINES.toSpliced(9, 1), "TEN"]),
  }),
  one("d2", "one of two equal lines is gone", {
    before: text(swap(swap(LINES, 10, "twice"), 40, "twice")),
    now: text(swap(LINES, 40, "twice").toSpliced(9, 1)),
    calls: [[{ at: 10, text: "TEN" }]],
    want: null,
  }),
  one("d3", "one of two identical blocks is gone", {
    before: text(TWINS),
    now: text(TWINS.slice(4)),
    calls: [[{ at: 2, text: "  stop" }]],
    want: null,
  }),
  one("e", "line number off by 1", {
    calls: [[{ at: 10, slip: 1, text: "TEN" }]],
    want: null,
    meant: text(swap(LINES, 10, "TEN")),
  }),
  one("e2", "off by 1 among equal lines", {
    before: text(["a", "same", "same", "same", "b"]),
    calls: [[{ at: 2, slip: 1, text: "TWO" }]],
    want: null,
    meant: text(["a", "TWO", "same", "same", "b"]),
  }),
  one("f", "echoed prefixes", {
    calls: [[{ at: 10, to: 11, echo: true, text: "TEN\nELEVEN" }]],
    want: text(swap(swap(LINES, 10, "TEN"), 11, "ELEVEN")),
  }),
  one("g", "lost indentation, one line", {
    path: "a.js",
    before: text(JS),
    calls: [[{ at: 4, text: "sum += item.cost;" }]],
    want: text(swap(JS, 4, "    sum += item.cost;")),
  }),
  one("g2", "lost indentation, a block", {
    path: "a.js",
    before: text(JS),
    calls: [[{ at: 3, to: 6, text: "for (const item of items) {\n  sum += item.cost;\n}" }]],
    want: text(JS.toSpliced(2, 4, "  for (const item of items) {", "    sum += item.cost;", "  }")),
  }),
  one("g4", "a wanted dedent, Python", {
    path: "a.py",
    before: text(PY),
    calls: [[{ at: 4, text: "y = 2" }]],
    want: text(swap(PY, 4, "y = 2")),
  }),
  one("g6", "a wanted dedent, YAML", {
    path: "a.yml",
    before: text(YAML),
    calls: [[{ at: 3, text: "c: 2" }]],
    want: text(swap(YAML, 3, "c: 2")),
  }),
  one("g8", "a wanted dedent, HTML", {
    path: "a.html",
    before: text(HTML),
    calls: [[{ at: 3, text: "</div>\n<div>" }]],
    want: text(swap(HTML, 3, "</div>", "<div>")),
  }),
  one("g9", "an insert without indentation", {
    path: "a.js",
    before: text(JS),
    calls: [[{ after: 4, text: "log(item);" }]],
    want: text(JS.toSpliced(4, 0, "    log(item);")),
  }),
  one("h", "two files, one bad anchor", {
    also: { "b.txt": text(LINES) },
    now: text(swap(LINES, 10, "changed")),
    calls: [
      [
        { path: "b.txt", at: 5, text: "FIVE" },
        { at: 10, text: "TEN" },
      ],
    ],
    want: null,
  }),
  { key: "i", what: "kill -9 during a change of 120 files", story: killed },
  one("j", "Windows line endings", {
    before: LINES.join("\r\n"),
    calls: [[{ at: 10, text: "TEN\nand more" }]],
    want: swap(LINES, 10, "TEN", "and more").join("\r\n"),
  }),
  one("k", "no final newline", {
    before: LINES.join("\n"),
    calls: [[{ at: 60, text: "SIXTY" }]],
    want: swap(LINES, 60, "SIXTY").join("\n"),
  }),
  one("l", "a byte order mark", {
    before: `\ufeff${text(LINES)}`,
    calls: [[{ at: 1, text: "ONE" }]],
    want: `\ufeff${text(swap(LINES, 1, "ONE"))}`,
  }),
  one("m", "a file of 100,000 lines", {
    before: text(numbered(100_000)),
    calls: [[{ at: 100, text: "HUNDRED" }]],
    want: text(swap(numbered(100_000), 100, "HUNDRED")),
  }),
  { key: "n", what: "`cat` and `sed -i`", story: guarded },
  { key: "o", what: "the person undoes the edit", story: undone },
  one("p", "the interior of a range changed", {
    now: text(swap(LINES, 12, "changed")),
    calls: [[{ at: 10, to: 14, text: "TEN" }]],
    want: null,
  }),
  one("p2", "a line was added inside a range", {
    now: text(LINES.toSpliced(11, 0, "added")),
    calls: [[{ at: 10, to: 14, text: "TEN" }]],
    want: null,
  }),
  one("q", "tabs", {
    before: text(["a() {", "\tb();", "}"]),
    calls: [[{ at: 2, text: "\tc();" }]],
    want: text(["a() {", "\tc();", "}"]),
  }),
  one("q2", "spaces written for tabs", {
    path: "a.js",
    before: text(["a() {", "\tb();", "\tc();", "}"]),
    calls: [[{ at: 2, text: "    d();" }]],
    want: text(["a() {", "\td();", "\tc();", "}"]),
  }),
  one("r", "its own edit, then an old anchor", {
    calls: [[{ after: 5, text: "new a\nnew b" }], [{ at: 10, text: "TEN" }]],
    want: text(swap(LINES, 10, "TEN").toSpliced(5, 0, "new a", "new b")),
  }),
  one("r14", "14 edits by anchors of one read", {
    calls: Array.from({ length: 14 }, (_, i) => [{ after: i * 4 + 1, text: `new ${i}` }]),
    want: text(LINES.flatMap((line, i) => (i % 4 === 0 && i < 56 ? [line, `new ${i / 4}`] : [line]))),
  }),
  one("s", "the file was deleted", { now: null, calls: [[{ at: 10, text: "TEN" }]], want: null }),
  one("t", "the whole file was re-indented", {
    path: "a.js",
    before: text(JS),
    now: text(JS.map((line) => line.replace(/^ +/, (blank) => blank + blank))),
    calls: [[{ at: 4, text: "    sum += item.cost;" }]],
    want: text(
      swap(JS, 4, "    sum += item.cost;").map((line) => line.replace(/^ +/, (blank) => blank + blank)),
    ),
  }),
  one("t3", "that line was re-indented", {
    path: "a.js",
    before: text(JS),
    now: text(swap(JS, 4, "        sum += item.price;")),
    calls: [[{ at: 4, text: "    sum += item.cost;" }]],
    want: text(swap(JS, 4, "        sum += item.cost;")),
  }),
  one("v", "an executable file", {
    mode: 0o755,
    calls: [[{ at: 10, text: "TEN" }]],
    want: text(swap(LINES, 10, "TEN")),
  }),
  one("w", "lines that look like anchors", {
    before: text(["10:15|x", "11:16|y"]),
    calls: [[{ at: 1, text: "10:17|z" }]],
    want: text(["10:17|z", "11:16|y"]),
  }),
  one("x", "a list with plus signs", {
    before: text(["+ one", "+ two"]),
    calls: [[{ at: 2, text: "+ three" }]],
    want: text(["+ one", "+ three"]),
  }),
  one("y", "the text repeats the line after the range", {
    path: "a.js",
    before: text(JS),
    calls: [[{ at: 4, text: "    sum += item.cost;\n    count += 1;" }]],
    want: text(swap(JS, 4, "    sum += item.cost;")),
  }),
  one("y2", "that repeat was wanted", {
    path: "a.js",
    before: text(JS),
    calls: [[{ at: 4, text: "    sum += item.price;\n    count += 1;" }]],
    want: text(JS.toSpliced(4, 0, "    count += 1;")),
  }),
  one("z", "a formatter rewrote the file", {
    path: "a.js",
    before: text(JS),
    now: text(["function total(items) {", "  return items.reduce((sum, item) => sum + item.price, 0);", "}"]),
    calls: [[{ at: 4, text: "    sum += item.cost;" }]],
    want: null,
  }),
  one("z3", "two lines were swapped", {
    now: text(LINES.toSpliced(9, 2, nth(11), nth(10))),
    calls: [[{ at: 10, text: "TEN" }]],
    want: text(LINES.toSpliced(9, 2, nth(11), "TEN")),
  }),
];
