// The 34 situations of the field's public battery, rebuilt from their description: 23 of plain editing, and 11
// in which a file changes behind the model's back.
//
// A situation is data: `before`, the file that the model reads, `steps` in turn, and `want`, the right file in the
// end. A step changes the file on disk (`now`), or asks for edits: lines `first` to `last` become `lines` (an insertion
// has `last` = `first` - 1). The numbers are those that the model has read; `later` has the edits with the numbers of
// the changed file, for the call after a refusal. `sub` is a part of the line and its replacement. `still` means that
// the edits need not change anything.

const text = (lines) => `${lines.join("\n")}\n`;
const numbered = (count) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const set = (line, ...lines) => ({ first: line, last: line, lines });
const range = (first, last, ...lines) => ({ first, last, lines });
const insert = (after, ...lines) => ({ first: after + 1, last: after, lines });
const edit = (...edits) => ({ edits });

const ABC = ["aaa", "bbb", "ccc"];
const FIVE = ["aaa", "bbb", "ccc", "ddd", "eee"];
const IMPORTS = ["import { a } from 'x';", "import { b } from 'y';", "import { a } from 'x';"];
const CODE = ["function f() {", "  if (a) {", "    b();", "  }", "}"];
const LONG = numbered(200);

const core = (key, before, steps, want) => ({ key, group: "core", before, steps, want });
const stale = (key, before, steps, want) => ({ key, group: "stale", before, steps, want });

export const SITUATIONS = [
  core("single-line", text(ABC), [edit(set(2, "BBB"))], text(["aaa", "BBB", "ccc"])),
  core("range", text(FIVE), [edit(range(2, 4, "B", "C", "D"))], text(["aaa", "B", "C", "D", "eee"])),
  core("delete-line", text(ABC), [edit(set(2))], text(["aaa", "ccc"])),
  core(
    "duplicate-nth",
    text(["dup", "one", "dup", "two", "dup"]),
    [edit(set(3, "DUP"))],
    text(["dup", "one", "DUP", "two", "dup"]),
  ),
  core(
    "duplicate-import",
    text(IMPORTS),
    [edit(set(3, "import { a2 } from 'x';"))],
    text(IMPORTS.with(2, "import { a2 } from 'x';")),
  ),
  core(
    "whitespace-only",
    text(["def f():", "  return 1"]),
    [edit(set(2, "    return 1"))],
    text(["def f():", "    return 1"]),
  ),
  core("crlf", "alpha\r\nbeta\r\ngamma\r\n", [edit(set(2, "BETA"))], "alpha\r\nBETA\r\ngamma\r\n"),
  core("bom", "\ufeffaaa\nbbb\n", [edit(set(1, "AAA"))], "\ufeffAAA\nbbb\n"),
  core("empty-file", "", [edit(insert(0, "first", "second"))], "first\nsecond"),
  core("noop", text(ABC), [{ ...edit(set(2, "bbb")), still: true }], text(ABC)),
  core("insert-after", text(ABC), [edit(insert(2, "new"))], text(["aaa", "bbb", "new", "ccc"])),
  core(
    "unicode",
    text(["héllo", "日本語 🎉", "end"]),
    [edit(set(2, "日本 🎊"))],
    text(["héllo", "日本 🎊", "end"]),
  ),
  core("tabs", text(["f() {", "\tg();", "}"]), [edit(set(2, "\th();"))], text(["f() {", "\th();", "}"])),
  core("no-trailing-newline", "aaa\nbbb", [edit(set(2, "BBB"))], "aaa\nBBB"),
  core("delete-range", text(FIVE), [edit(range(2, 4))], text(["aaa", "eee"])),
  core("insert-eof", text(ABC), [edit(insert(3, "ddd"))], text([...ABC, "ddd"])),
  core("crlf-bom", "\ufeffone\r\ntwo\r\n", [edit(set(2, "TWO"))], "\ufeffone\r\nTWO\r\n"),
  core(
    "sub-line-token",
    text(["let a = 1;", "let total = price * count + price;", "let c = 3;"]),
    [edit({ ...set(2, "let total = price * amount + price;"), sub: ["count", "amount"] })],
    text(["let a = 1;", "let total = price * amount + price;", "let c = 3;"]),
  ),
  core(
    "replace-all",
    text(["old = 1", "x", "use(old)", "y", "old += 2"]),
    [edit(set(1, "fresh = 1"), set(3, "use(fresh)"), set(5, "fresh += 2"))],
    text(["fresh = 1", "x", "use(fresh)", "y", "fresh += 2"]),
  ),
  core(
    "batch-edits",
    text(FIVE),
    [edit(set(1, "A"), insert(2, "b2"), set(4), set(5, "E"))],
    text(["A", "bbb", "b2", "ccc", "E"]),
  ),
  core("undo", text(ABC), [edit(set(2, "XXX")), edit(set(2, "bbb"))], text(ABC)),
  core(
    "chained",
    text(FIVE),
    [edit(insert(1, "new 1", "new 2")), edit(set(3, "NEW 2")), edit(set(6, "DDD"))],
    text(["aaa", "new 1", "NEW 2", "bbb", "ccc", "DDD", "eee"]),
  ),
  core("boundary-duplicate", text(ABC), [edit(insert(1, "aaa"))], text(["aaa", "aaa", "bbb", "ccc"])),

  stale(
    "stale-line",
    text(ABC),
    [{ now: text(["aaa", "bbb-external", "ccc"]) }, edit(set(2, "BBB"))],
    text(["aaa", "BBB", "ccc"]),
  ),
  stale(
    "stale-range",
    text(FIVE),
    [{ now: text(FIVE.with(2, "ccc-external")) }, edit(range(2, 4, "X"))],
    text(["aaa", "X", "eee"]),
  ),
  stale(
    "external-far",
    text(numbered(30)),
    [{ now: text(numbered(30).with(27, "theirs")) }, edit(set(3, "ours"))],
    text(numbered(30).with(27, "theirs").with(2, "ours")),
  ),
  stale(
    "change-then-revert",
    text(ABC),
    [{ now: text(["aaa", "other", "ccc"]) }, { now: text(ABC) }, edit(set(2, "BBB"))],
    text(["aaa", "BBB", "ccc"]),
  ),
  stale(
    "boundary-changed",
    text(FIVE),
    [{ now: text(FIVE.with(3, "ddd-external")) }, edit(range(2, 4, "X"))],
    text(["aaa", "X", "eee"]),
  ),
  stale(
    "duplicate-drift",
    text(["dup", "one", "dup", "two"]),
    [{ now: text(["zero", "dup", "one", "dup", "two"]) }, { ...edit(set(3, "DUP")), later: [set(4, "DUP")] }],
    text(["zero", "dup", "one", "DUP", "two"]),
  ),
  stale(
    "noop-with-drift",
    text(ABC),
    [{ now: text(["zero", ...ABC]) }, { ...edit(set(2, "bbb")), still: true }],
    text(["zero", ...ABC]),
  ),
  stale(
    "large-range-drift",
    text(LONG),
    [{ now: text(LONG.with(99, "line 100 external")) }, edit(range(10, 190, "short"))],
    text([...LONG.slice(0, 9), "short", ...LONG.slice(190)]),
  ),
  stale(
    "error-guidance",
    text(["host = 1", "port = 80", "user = me"]),
    [{ now: text(["host = 1", "port = 8080", "user = me"]) }, edit(set(2, "port = 443"))],
    text(["host = 1", "port = 443", "user = me"]),
  ),
  stale(
    "insert-changed-boundary",
    text(ABC),
    [{ now: text(["aaa", "bbb-x", "ccc"]) }, edit(insert(2, "new"))],
    text(["aaa", "bbb-x", "new", "ccc"]),
  ),
  stale(
    "formatter-drift",
    text(CODE),
    [
      { now: text(CODE.map((line) => line.replace(/^ +/, (blank) => blank + blank))) },
      { ...edit(set(3, "    c();")), later: [set(3, "        c();")] },
    ],
    text(CODE.map((line) => line.replace(/^ +/, (blank) => blank + blank)).with(2, "        c();")),
  ),
];

const JS = [
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price;",
  "  }",
  "  return sum;",
  "}",
];
const PYTHON = [
  "class Jobs:",
  "    def run(self, job):",
  "        if job.ready:",
  "            job.start()",
  "        return job",
  "",
];
const YAML = ["jobs:", "  test:", "    runs-on: linux", "    steps:", "      - run: npm test", "  lint:"];

/** The tasks of the sloppy copier: six plain ones in each of three files. */
export const TASKS = [
  ["js", JS, 4, ["    sum += item.price * item.count;"]],
  ["py", PYTHON, 4, ["            job.start(now)"]],
  ["yml", YAML, 5, ["      - run: npm run check"]],
].flatMap(([kind, lines, at, [line]]) => {
  const more = line.replace(/\S.*/, kind === "yml" ? "- run: again" : "again()");
  const task = (name, steps, after) => ({
    key: `${kind} ${name}`,
    path: `task.${kind}`,
    before: text(lines),
    steps,
    want: text(after),
  });
  return [
    task("line", [edit(set(at, line))], lines.with(at - 1, line)),
    task("line by two", [edit(set(at, line, more))], lines.toSpliced(at - 1, 1, line, more)),
    task("range", [edit(range(at - 1, at, lines[at - 2], line))], lines.with(at - 1, line)),
    task("insert", [edit(insert(at, more))], lines.toSpliced(at, 0, more)),
    task("delete", [edit(set(at))], lines.toSpliced(at - 1, 1)),
    task(
      "after its own insertion",
      [edit(insert(1, "new")), edit(set(at + 1, line))],
      lines.with(at - 1, line).toSpliced(1, 0, "new"),
    ),
  ];
});
