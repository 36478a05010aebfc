// `pi-hash/omo` against its recorded cases, through the built addon.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as omo from "../js/compat/omo.js";

function expected({ id, cat, ...rest }) {
  const { content, edits, raw, ref, lines, refs, lineNumber, line, ...outcome } = rest;
  return outcome;
}

function attempt(call) {
  try {
    return { result: call() };
  } catch (error) {
    assert.ok(error instanceof Error);
    const { name, message } = error;
    if (!(error instanceof omo.HashlineMismatchError)) return { error: { name, message } };
    // As entries, because the order counts.
    return { error: { name, message, mismatches: error.mismatches, remaps: [...error.remaps] } };
  }
}

function ordered(outcome) {
  if (outcome.error?.remaps) outcome.error.remaps = Object.entries(outcome.error.remaps);
  return outcome;
}

/** Runs every case of a file and prints how many there were. */
function check(set, name, outcome) {
  const file = JSON.parse(readFileSync(new URL(`./vectors/${set}/${name}.json`, import.meta.url), "utf8"));
  let run = 0;
  for (const kase of file.cases) {
    const actual = outcome(kase);
    // The original fails here with an error of the JavaScript engine, so any error is right.
    if (kase.cat === "oracle-crash" && actual.error) actual.error = { name: "TypeError" };
    assert.deepEqual(actual, ordered(expected(kase)), kase.id);
    run += 1;
  }
  assert.equal(run, file.count);
  console.log(`${set}/${name}: ${run} cases`);
}

test("applying gives the recorded texts and refusals", () => {
  check("omo", "apply", ({ content, edits }) => attempt(() => omo.applyHashlineEdits(content, edits)));
});

test("normalizing gives the recorded edits, fields in order", () => {
  check("omo", "normalize", ({ raw, result }) => {
    const actual = attempt(() => omo.normalizeHashlineEdits(raw));
    if (result) assert.equal(JSON.stringify(actual.result), JSON.stringify(result));
    return actual;
  });
});

test("references are parsed as recorded", () => {
  check("omo", "parse", ({ ref, result }) => {
    const actual = attempt(() => omo.parseLineRef(ref));
    if (result?.lineText) {
      actual.result = { lineText: String(actual.result.line), hash: actual.result.hash };
    }
    return { normalized: omo.normalizeLineRef(ref), ...actual };
  });
});

test("references are validated as recorded", () => {
  check("omo", "validate", ({ lines, refs }) => {
    return attempt(() => omo.validateLineRefs(lines, refs) ?? "ok");
  });
});

test("texts are formatted as recorded", () => {
  check("omo", "format", ({ content }) => ({
    formatHashLines: omo.formatHashLines(content),
    toHashlineContent: omo.toHashlineContent(content),
  }));
});

test("files are canonicalized and restored as recorded", () => {
  check("omo", "file-text", ({ content }) => {
    const envelope = omo.canonicalizeFileText(content);
    return { envelope, restored: omo.restoreFileText(envelope.content, envelope) };
  });
});

test("lines have the recorded tags, and their older tags are accepted", () => {
  check("schemes", "cid2", ({ lineNumber, line, legacy }) => {
    const lines = Array(Math.min(lineNumber, 100)).fill("");
    lines[lines.length - 1] = line;
    if (lineNumber === lines.length) omo.validateLineRefs(lines, [`${lineNumber}#${legacy}`]);
    return { hash: omo.computeLineHash(lineNumber, line), legacy };
  });
});

test("lone surrogates survive every function", () => {
  const half = "a\ud83d";
  const edits = [{ op: "append", lines: [half] }];
  assert.equal(omo.applyHashlineEdits(half, edits).content, `${half}\n${half}`);
  assert.equal(omo.normalizeLineRef(half), half);
  assert.throws(() => omo.parseLineRef(half), { message: new RegExp(half) });
  assert.equal(omo.normalizeHashlineEdits(edits)[0].lines[0], half);
});

test("wrong types are a TypeError that says what was expected", () => {
  const wrong = [
    [
      () => omo.computeLineHash(0, "a"),
      "`lineNumber` must be a whole number from 1 to 4294967295, but it is 0",
    ],
    [
      () => omo.computeLineHash(1.5, "a"),
      "`lineNumber` must be a whole number from 1 to 4294967295, but it is 1.5",
    ],
    [
      () => omo.computeLineHash("1", "a"),
      "`lineNumber` must be a whole number from 1 to 4294967295, but it is a string",
    ],
    [() => omo.computeLineHash(1), "`line` must be a string, but it is undefined"],
    [() => omo.formatHashLines(null), "`content` must be a string, but it is null"],
    [() => omo.toHashlineContent(5), "`content` must be a string, but it is 5"],
    [() => omo.normalizeLineRef({}), "`ref` must be a string, but it is an object"],
    [() => omo.parseLineRef(), "`ref` must be a string, but it is undefined"],
    [() => omo.validateLineRefs("a", []), "`lines` must be an array, but it is a string"],
    [() => omo.validateLineRefs([5], []), "`lines` must be an array of strings"],
    [() => omo.validateLineRefs(["a"], [null]), "`refs` must be an array of strings"],
    [() => omo.normalizeHashlineEdits({}), "`edits` must be an array, but it is an object"],
    [() => omo.applyHashlineEdits("a", [null]), 'edit 0: `op` must be "replace", "append" or "prepend"'],
    [() => omo.applyHashlineEdits("a", [{ op: "append" }]), "edit 0: `lines` is missing"],
    [
      () => omo.applyHashlineEdits("a", [{ op: "append", pos: 5, lines: "" }]),
      "edit 0: `pos` must be a string, not a number",
    ],
    [
      () => omo.applyHashlineEdits("a", [{ op: "append", lines: [1] }]),
      "edit 0: `lines` must be a string, an array of strings or null",
    ],
    [() => omo.restoreFileText("a"), "`envelope` must be an object, but it is undefined"],
    [
      () => omo.restoreFileText("a", {}),
      '`envelope.lineEnding` must be "\\n" or "\\r\\n", but it is undefined',
    ],
  ];
  for (const [call, message] of wrong) assert.throws(call, { name: "TypeError", message });
});

test("a value of a wrong type never counts as missing", () => {
  const [pos, end] = ["a", "b"].map((line, i) => `${i + 1}#${omo.computeLineHash(i + 1, line)}`);
  const wrong = [Number.NaN, Infinity, 5, 7n, () => 1, Symbol("x"), {}, true, new Date(0)];
  for (const value of wrong) {
    for (const edit of [
      { op: "replace", pos, lines: value },
      { op: "replace", pos, lines: [value] },
      { op: "append", pos: value, lines: "x" },
      { op: "replace", pos, end: value, lines: "x" },
      { op: value, pos, lines: "x" },
    ]) {
      assert.throws(() => omo.applyHashlineEdits("a\nb", [edit]), TypeError, String(value));
    }
    for (const lines of [value, [value]]) {
      assert.throws(() => omo.normalizeHashlineEdits([{ op: "replace", pos, lines }]), TypeError);
    }
    assert.throws(() => omo.validateLineRefs([value], []), TypeError);
    assert.throws(() => omo.validateLineRefs(["a"], [value]), TypeError);
  }
  class Range {
    op = "replace";
    pos = pos;
    lines = "x";
    get end() {
      return end;
    }
  }
  assert.equal(omo.applyHashlineEdits("a\nb", [new Range()]).content, "x");
  const edits = Object.assign([new Range()], { toJSON: () => undefined });
  assert.equal(omo.applyHashlineEdits("a\nb", edits).content, "x");
  assert.deepEqual(omo.normalizeHashlineEdits(edits), [{ op: "replace", pos, lines: "x", end }]);
});

test("an unknown operation is shown as JavaScript prints it, whatever its type", () => {
  for (const op of [["replace"], [], ["a", "b"], {}, Number.NaN, null, 5, true, undefined, 7n, "Replace"]) {
    assert.throws(() => omo.normalizeHashlineEdits([{ op, pos: "1#ZP", lines: "x" }]), {
      code: "unknown_op",
      message: `Edit 0: unsupported op "${op}". Legacy format was removed; use op/pos/end/lines.`,
    });
  }
});

test("a mismatch error made by the caller has the code, too", () => {
  assert.equal(new omo.HashlineMismatchError("x", [], new Map()).code, "stale_anchor");
});

test("an insertion at a line that the same call removes is refused by name", () => {
  const edits = [
    { op: "replace", pos: `2#${omo.computeLineHash(2, "b")}`, lines: [] },
    { op: "append", pos: `2#${omo.computeLineHash(2, "b")}`, lines: ["x"] },
  ];
  assert.throws(() => omo.applyHashlineEdits("a\nb", edits), {
    code: "anchor_gone",
    message: /^append cannot find the line of 2#XH: another edit of the same call removed it/,
  });
});

test("an error that a reader throws into a stream comes out of it", async () => {
  for (const stream of [
    omo.streamHashLinesFromLines(["a", "b", "c"], { maxChunkLines: 1 }),
    omo.streamHashLinesFromUtf8([new TextEncoder().encode("a\nb\nc")], { maxChunkLines: 1 }),
  ]) {
    assert.equal((await stream.next()).value, `1#${omo.computeLineHash(1, "a")}|a`);
    await assert.rejects(stream.throw(new RangeError("enough")), { name: "RangeError", message: "enough" });
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
  }
});
