// Hand-made traps: files whose lines are hard to tell apart.
//
// The model saw `shown` and edits its line `line` (or `from` to `to`); `now` is the file when the edit comes.
// `at` is the number of the same line in `now`; without it the line is gone and the edit must be refused.
// An edit at `at` or a refusal is correct; anything else is silently wrong.

const test = (name, body = "  check(value);") => [`test("${name}", () => {`, body, "});", ""];
const fn = (name, ...body) => [`fn ${name}() {`, ...body.map((line) => `    ${line}`), "}", ""];
const repeat = (count, block) => Array.from({ length: count }, () => block).flat();
const crlf = (lines) => ({ lines, ending: "\r\n" });
const open = (lines) => ({ lines, open: true });

const twin = test("adds", "  expect(add(1, 2)).toBe(3);");
const header = ["import { add } from './add';", ""];
const footer = ["export default suite;"];

export const TRAPS = [
  // Identical blocks.
  {
    name: "first of two equal blocks deleted, edit in the first",
    shown: [...header, ...twin, ...twin, ...footer],
    now: [...header, ...twin, ...footer],
    line: 4,
  },
  {
    name: "first of two equal blocks deleted, edit in the second",
    shown: [...header, ...twin, ...twin, ...footer],
    now: [...header, ...twin, ...footer],
    line: 8,
    at: 4,
  },
  {
    name: "one of three equal blocks deleted",
    shown: [...header, ...repeat(3, twin), ...footer],
    now: [...header, ...repeat(2, twin), ...footer],
    line: 8,
  },
  {
    name: "equal block added before",
    shown: [...header, ...twin, ...footer],
    now: [...header, ...twin, ...twin, ...footer],
    line: 4,
  },
  {
    name: "equal block added, then edited by another",
    shown: [...header, ...twin, ...footer],
    now: [...header, ...twin, ...test("adds", "  expect(add(2, 2)).toBe(4);"), ...footer],
    line: 4,
    at: 4,
  },
  {
    name: "two equal blocks swapped with a third between",
    shown: [...twin, ...test("x"), ...twin],
    now: [...test("x"), ...twin, ...twin],
    line: 2,
  },
  {
    name: "line between equal blocks moved above both",
    shown: [...twin, "// marker", ...twin, "end"],
    now: ["// marker", ...twin, ...twin, "end"],
    line: 2,
    at: 3,
  },
  { name: "all but one of ten equal blocks deleted", shown: repeat(10, twin), now: twin, line: 18 },
  {
    name: "closing line of one of two equal blocks",
    shown: [...header, ...twin, ...twin, ...footer],
    now: [...header, ...twin, ...footer],
    line: 5,
  },
  {
    name: "range over an equal block that is gone",
    shown: [...header, ...twin, ...twin, ...footer],
    now: [...header, ...twin, ...footer],
    from: 3,
    to: 5,
  },
  {
    name: "equal blocks, the second changed",
    shown: [...twin, ...twin],
    now: [...twin, ...test("adds", "  expect(add(1, 3)).toBe(4);")],
    line: 6,
  },
  {
    name: "equal blocks, the first changed, edit in the first",
    shown: [...twin, ...twin],
    now: [...test("adds", "  expect(add(1, 3)).toBe(4);"), ...twin],
    line: 2,
  },
  // Repeated tests with small differences.
  {
    name: "test deleted among similar ones",
    shown: [...test("one"), ...test("two"), ...test("three")],
    now: [...test("one"), ...test("three")],
    line: 6,
  },
  {
    name: "tests reordered",
    shown: [...test("one"), ...test("two"), ...test("three")],
    now: [...test("three"), ...test("one"), ...test("two")],
    line: 2,
    at: 6,
  },
  {
    name: "body line of a renamed test",
    shown: [...test("one"), ...test("two")],
    now: [...test("uno"), ...test("two")],
    line: 2,
    at: 2,
  },
  {
    name: "test inserted between equal bodies",
    shown: [...test("one"), ...test("two")],
    now: [...test("one"), ...test("extra"), ...test("two")],
    line: 6,
    at: 10,
  },
  { name: "same name, other body", shown: test("one", "  a();"), now: test("one", "  b();"), line: 2 },
  // A diff may count either of two equal closing braces or blank lines as the new one.
  {
    name: "function inserted: whose brace is it",
    shown: [...fn("a", "one();"), ...fn("c", "three();")],
    now: [...fn("a", "one();"), ...fn("b", "two();"), ...fn("c", "three();")],
    line: 3,
    at: 3,
  },
  {
    name: "function deleted: whose brace is it",
    shown: [...fn("a", "one();"), ...fn("b", "two();"), ...fn("c", "three();")],
    now: [...fn("a", "one();"), ...fn("c", "three();")],
    line: 7,
  },
  {
    name: "blank line between functions",
    shown: [...fn("a", "one();"), ...fn("b", "two();")],
    now: [...fn("x", "zero();"), ...fn("a", "one();"), ...fn("b", "two();")],
    line: 4,
    at: 8,
  },
  {
    name: "one of several blank lines deleted",
    shown: ["a()", "", "", "", "b()"],
    now: ["a()", "", "", "b()"],
    line: 3,
  },
  {
    name: "brace doubled by a new block",
    shown: ["if (a) {", "  b();", "}", "c();"],
    now: ["if (x) {", "  if (a) {", "    b();", "  }", "}", "c();"],
    line: 3,
  },
  {
    name: "run of braces shortened",
    shown: ["{", "{", "{", "x", "}", "}", "}"],
    now: ["{", "{", "x", "}", "}"],
    line: 6,
  },
  {
    name: "else branch added",
    shown: fn("a", "if x {", "    one();", "}"),
    now: fn("a", "if x {", "    one();", "} else {", "    two();", "}"),
    line: 4,
  },
  {
    name: "return null in many functions, one deleted",
    shown: [...fn("a", "return null;"), ...fn("b", "return null;"), ...fn("c", "return null;")],
    now: [...fn("a", "return null;"), ...fn("c", "return null;")],
    line: 6,
  },
  {
    name: "return null moved up by a deletion above",
    shown: [...fn("a", "return null;"), ...fn("b", "return null;")],
    now: fn("b", "return null;"),
    line: 6,
    at: 2,
  },
  {
    name: "end of file brace",
    shown: ["a {", "  b", "}", "c {", "  d", "}"],
    now: ["a {", "  b", "}"],
    line: 6,
  },
  // Re-indentation: the tag ignores white space; the text that was shown includes it.
  {
    name: "line re-indented",
    shown: ["if a:", "    run(first)", "    run(second)"],
    now: ["if a:", "        run(first)", "        run(second)"],
    line: 2,
    at: 2,
  },
  {
    name: "block re-indented by a new condition",
    shown: ["run(first)", "run(second)", "done()"],
    now: ["if a:", "    run(first)", "    run(second)", "done()"],
    line: 1,
  },
  {
    name: "tabs for spaces",
    shown: ["if a {", "    run()", "}"],
    now: ["if a {", "\trun()", "}"],
    line: 2,
    at: 2,
  },
  {
    name: "range re-indented inside",
    shown: ["a()", "    b()", "c()"],
    now: ["a()", "  b()", "c()"],
    from: 1,
    to: 3,
    at: 1,
  },
  // Reverted edits, and look-alike lines at the same number.
  {
    name: "changed and back",
    shown: ["alpha()", "beta()", "gamma()"],
    now: ["alpha()", "beta()", "gamma()"],
    line: 2,
    at: 2,
  },
  {
    name: "same text at the same number, another line",
    shown: ["x = 1", "log(x)", "y = 2", "log(x)"],
    now: ["y = 2", "log(x)"],
    line: 2,
  },
  {
    name: "line replaced by its twin from below",
    shown: ["start", "value = 1;", "middle", "value = 1;", "end"],
    now: ["start", "middle", "value = 1;", "end"],
    line: 2,
  },
  {
    name: "everything replaced, one line alike",
    shown: ["a one", "b two", "return;", "c three"],
    now: ["d four", "e five", "return;", "f six"],
    line: 3,
    // Line 3 still has the same bytes, and no other line is equal to it.
    at: 3,
  },
  {
    name: "everything replaced, one line alike further down",
    shown: ["a one", "b two", "return;", "c three"],
    now: ["d four", "e five", "g seven", "return;", "f six"],
    line: 3,
  },
  { name: "file emptied", shown: ["alpha()", "beta()"], now: [], line: 1 },
  {
    name: "file grown from one line",
    shown: ["alpha()"],
    now: ["beta()", "alpha()", "gamma()"],
    line: 1,
    at: 2,
  },
  // Endings.
  {
    name: "CRLF file, line moved",
    shown: crlf(["alpha()", "beta()", "gamma()"]),
    now: crlf(["new()", "alpha()", "beta()", "gamma()"]),
    line: 2,
    at: 3,
  },
  {
    name: "LF became CRLF",
    shown: ["alpha()", "beta()", "gamma()"],
    now: crlf(["alpha()", "beta()", "gamma()"]),
    line: 2,
    at: 2,
  },
  {
    name: "CRLF file, line changed",
    shown: crlf(["alpha()", "beta()", "gamma()"]),
    now: crlf(["alpha()", "beta(1)", "gamma()"]),
    line: 2,
  },
  {
    name: "end of file without newline",
    shown: open(["alpha()", "beta()"]),
    now: open(["new()", "alpha()", "beta()"]),
    line: 2,
    at: 3,
  },
  {
    name: "newline at the end taken away",
    shown: ["alpha()", "beta()"],
    now: open(["alpha()", "beta()"]),
    line: 2,
    at: 2,
  },
  {
    name: "last line appended to",
    shown: open(["alpha()", "beta()"]),
    now: open(["alpha()", "beta() + 1"]),
    line: 2,
  },
  {
    name: "equal last lines, one deleted",
    shown: open(["alpha()", "beta()", "beta()"]),
    now: open(["alpha()", "beta()"]),
    line: 3,
  },
  // Ranges.
  {
    name: "interior of a range changed",
    shown: ["begin", "  one();", "  two();", "  three();", "finish"],
    now: ["begin", "  one();", "  TWO();", "  three();", "finish"],
    from: 1,
    to: 5,
  },
  {
    name: "line inserted into a range",
    shown: ["begin", "  one();", "  two();", "finish"],
    now: ["begin", "  one();", "  new();", "  two();", "finish"],
    from: 1,
    to: 4,
  },
  {
    name: "line deleted from a range",
    shown: ["begin", "  one();", "  two();", "finish"],
    now: ["begin", "  two();", "finish"],
    from: 1,
    to: 4,
  },
  {
    name: "lines of a range swapped",
    shown: ["begin", "  one();", "  two();", "finish"],
    now: ["begin", "  two();", "  one();", "finish"],
    from: 1,
    to: 4,
  },
  {
    name: "range of braces",
    shown: ["a {", "  b {", "  }", "}", "c {", "  d {", "  }", "}"],
    now: ["c {", "  d {", "  }", "}"],
    from: 3,
    to: 4,
  },
  {
    name: "range moved as a whole",
    shown: ["begin", "  one();", "finish", "tail"],
    now: ["head", "begin", "  one();", "finish", "tail"],
    from: 1,
    to: 3,
    at: 2,
  },
  {
    name: "range whose end has a twin",
    shown: ["begin", "  one();", "end", "begin", "  two();", "end"],
    now: ["begin", "  two();", "end"],
    from: 1,
    to: 3,
  },
];

const NEW = "edited by the bench";

function bytes(text) {
  const { lines, ending = "\n", open: isOpen = false } = Array.isArray(text) ? { lines: text } : text;
  const joined = lines.join(ending);
  return isOpen || lines.length === 0 ? joined : joined + ending;
}

// Runs one trap: `right`, `refused`, `missed` (refused though the line is there) or `wrong`.
export async function spring(bench, trap, settings, anchorsOf) {
  bench.write(bytes(trap.shown));
  const session = bench.session(settings);
  const anchors = anchorsOf((await session.read({ path: "file.txt" })).text);
  const before = bytes(trap.now);
  bench.write(before);
  const from = trap.from ?? trap.line;
  const to = trap.to ?? from;
  const common = { path: "file.txt", text: NEW, exact: true };
  const op =
    trap.from === undefined
      ? { op: "set_line", anchor: anchors.get(from), ...common }
      : { op: "replace_range", start_anchor: anchors.get(from), end_anchor: anchors.get(to), ...common };
  const outcome = await session.apply({ patch: [op] });
  const after = bench.text();
  if (outcome.kind === "refused") {
    if (after !== before) return "wrong";
    return trap.at === undefined ? "refused" : "missed";
  }
  if (trap.at === undefined) return "wrong";
  const now = Array.isArray(trap.now) ? { lines: trap.now } : trap.now;
  const lines = [...now.lines];
  lines.splice(trap.at - 1, to - from + 1, NEW);
  return after === bytes({ ...now, lines }) ? "right" : "wrong";
}
