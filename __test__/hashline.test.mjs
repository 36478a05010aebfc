// The drop-in module for oh-my-pi, through the built addon, against the recorded results.

import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  applyHashlineEdits,
  computeLineHash,
  formatHashLines,
  HashlineMismatchError,
  parseLineRef,
  streamHashLinesFromLines,
  streamHashLinesFromUtf8,
  validateLineRef,
} from "../js/compat/hashline.js";

function load(file) {
  const url = new URL(`./vectors/omp-v1/${file}.json`, import.meta.url);
  const { count, cases } = JSON.parse(readFileSync(url, "utf8"));
  assert.equal(cases.length, count, `${file} is complete`);
  return cases;
}

/** Makes a test that runs `check` on every case of a file, and prints how many there were. */
function each(file, count, check) {
  test(`omp-v1/${file}: every case`, async () => {
    const cases = load(file);
    let ran = 0;
    for (const one of cases) {
      await check(one);
      ran += 1;
    }
    console.log(`omp-v1/${file}: ${ran} cases`);
    assert.equal(ran, count);
  });
}

/** The result or error of a call, in the format of the test vectors. */
function outcome(call) {
  try {
    return { result: call() };
  } catch (error) {
    return { error: recorded(error) };
  }
}

function recorded(error) {
  const out = { name: error.name, message: error.message };
  if (error instanceof HashlineMismatchError) {
    out.mismatches = error.mismatches;
    // Entries, because the order counts.
    out.remaps = [...error.remaps];
  }
  return out;
}

function expected({ result, error }) {
  if (!error) return { result };
  return { error: error.remaps ? { ...error, remaps: Object.entries(error.remaps) } : error };
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

each("hash", 1820, ({ id, lineNumber, line, hash }) => {
  assert.equal(computeLineHash(lineNumber, line), hash, id);
});

each("hash-lone-surrogates", 8, ({ id, utf16, hash }) => {
  assert.equal(computeLineHash(1, String.fromCharCode(...utf16)), hash, id);
});

each("format", 126, ({ id, content, startLine, output }) => {
  assert.equal(formatHashLines(content, startLine ?? undefined), output, id);
});

each("parse", 293, (one) => {
  const found = outcome(() => parseLineRef(one.ref));
  if (one.result?.lineText) {
    const { line, hash } = found.result;
    found.result = { lineText: String(line), hash };
  }
  assert.deepEqual(found, expected(one), one.id);
});

each("validate", 178, (one) => {
  const found = outcome(() => validateLineRef(one.ref, one.lines) ?? "ok");
  assert.deepEqual(found, expected(one), one.id);
});

each("apply", 3583, (one) => {
  const found = outcome(() => {
    const result = applyHashlineEdits(one.content, one.edits);
    assert.ok("firstChangedLine" in result, one.id);
    assert.notEqual(result.firstChangedLine, null, one.id);
    return { ...result, firstChangedLine: result.firstChangedLine ?? null };
  });
  assert.deepEqual(found, expected(one), one.id);
});

each("apply-malformed", 13, ({ id, content, edits, error }) => {
  assert.throws(() => applyHashlineEdits(content, edits), { name: error.name }, id);
});

each("stream", 182, async ({ id, kind, chunks, lines, options, expected }) => {
  if (kind === "utf8") {
    const pieces = chunks.map((chunk) => new Uint8Array(Buffer.from(chunk, "base64")));
    const web = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    async function* each() {
      yield* pieces;
    }
    assert.deepEqual(await collect(streamHashLinesFromUtf8(web, options)), expected, id);
    assert.deepEqual(await collect(streamHashLinesFromUtf8(each(), options)), expected, id);
  } else {
    async function* each() {
      yield* lines;
    }
    assert.deepEqual(await collect(streamHashLinesFromLines(lines, options)), expected, id);
    assert.deepEqual(await collect(streamHashLinesFromLines(each(), options)), expected, id);
  }
});

test("the error class accepts the same arguments as the original", () => {
  const lines = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const mismatches = [
    { line: 8, expected: "FF", actual: "?" },
    { line: 1, expected: "00", actual: "?" },
    { line: 8, expected: "FF", actual: "?" },
  ];
  const error = new HashlineMismatchError(mismatches, lines);
  assert.ok(error instanceof Error);
  assert.equal(error.name, "HashlineMismatchError");
  assert.equal(error.mismatches, mismatches);
  assert.equal(error.fileLines, lines);
  assert.deepEqual([...error.remaps.keys()], ["8:FF", "1:00"]);
  assert.equal(error.message, HashlineMismatchError.formatMessage(mismatches, lines));
  assert.match(error.message, /^3 lines have changed/);
  assert.match(error.message, /\n {4}\.\.\.\n/);
  assert.throws(() => new HashlineMismatchError([{ line: 9, expected: "00" }], lines), TypeError);
  assert.throws(() => new HashlineMismatchError([{ line: 1.5, expected: "00" }], lines), TypeError);
  assert.throws(() => new HashlineMismatchError(null, lines), TypeError);
});

test("the error class accepts only numbers of the file's lines", () => {
  const odd = Object.assign(["a"], { "-1": "x", 0.5: "x", "-4294967296": "x" });
  for (const line of [0, -1, 1.5, 2, -4294967295, 4294967297, Number.NaN, Infinity, "1", undefined]) {
    assert.throws(() => new HashlineMismatchError([{ line, expected: "aa", actual: "b" }], odd), {
      name: "TypeError",
      message: /^`mismatches\[0\]\.line` must be the number of a line, from 1 to 1, but it is /,
    });
  }
  assert.throws(() => validateLineRef({ line: 1, hash: "zz" }, ["a", null]), {
    name: "TypeError",
    message: "`fileLines[1]` must be a string, but it is null",
  });
  const proxied = new Proxy(["a", "b"], {});
  assert.throws(() => validateLineRef({ line: 1, hash: "zz" }, proxied), HashlineMismatchError);
});

test("lone surrogates survive listing and editing", () => {
  const high = "\ud83d";
  const content = `${high}\nb\n\udc00`;
  const anchor = `2:${computeLineHash(2, "b")}`;
  const edits = [{ set_line: { anchor, new_text: `x${high}` } }];
  assert.equal(applyHashlineEdits(content, edits).content, `${high}\nx${high}\n\udc00`);
  assert.equal(formatHashLines(high), `1:51|${high}`);
  assert.throws(() => parseLineRef(high), {
    message: `Invalid line reference "${high}". Expected format "LINE:HASH" (e.g. "5:aa").`,
  });
  // A lone surrogate also matches inside a pair.
  const merged = applyHashlineEdits(`a${high}(\nb`, [
    { set_line: { anchor: `1:${computeLineHash(1, `a${high}(`)}`, new_text: "a😀b" } },
  ]);
  assert.equal(merged.content, "a😀b");
});

test("text of any length and characters survives the way to the addon and back", () => {
  // The addon decides by lengths whether a text is ASCII, so test every possible end of a text.
  const tails = [
    "",
    "\u00e9",
    "\u00ff\u00e9",
    "\u4e2d",
    "\u{1f600}",
    "\ud83d",
    "\ude00",
    "\u{1f600}a",
    "\u00e9a",
    "\u4e2d\u00e9",
  ];
  const sizes = [...Array(70).keys(), 127, 128, 255, 256, 1023, 1024, 4095, 4096, 65_535, 70_000];
  for (const size of sizes) {
    for (const tail of tails) {
      for (const line of ["x".repeat(size) + tail, tail + "x".repeat(size), `${"x".repeat(size)}${tail}y`]) {
        assert.equal(formatHashLines(line), `1:${computeLineHash(1, line)}|${line}`);
        const anchor = `2:${computeLineHash(2, "b")}`;
        const edited = applyHashlineEdits(`${line}\nb\n${line}`, [
          { set_line: { anchor, new_text: `${tail}c` } },
        ]);
        assert.equal(edited.content, `${line}\n${tail}c\n${line}`);
      }
    }
  }
});

test("text is listed and edited alike, whether the engine stores one byte a character or two", () => {
  for (const size of [3, 2_000, 1_200_000]) {
    for (const text of ["let a = 1;\n", "\u00e9\u00a0\u0085 b\n", "\u00ff"]) {
      const narrow = text.repeat(size / text.length);
      // Stored with two bytes a character, because it is cut out of a text that needs them.
      const wide = `\u4e2d${narrow}`.slice(1);
      const lines = narrow.split("\n");
      const listed = lines.map((line, at) => `${at + 1}:${computeLineHash(at + 1, line)}|${line}`).join("\n");
      const edits = [{ insert_after: { anchor: `1:${computeLineHash(1, lines[0])}`, text: "\u4e2d" } }];
      const edited = lines.toSpliced(1, 0, "\u4e2d").join("\n");
      for (const content of [narrow, wide]) {
        assert.ok(formatHashLines(content) === listed);
        assert.ok(applyHashlineEdits(content, edits).content === edited);
      }
    }
  }
});

test("many edits do not change the lines between them, whatever their characters", () => {
  const kinds = ["", " \u00e9", " \u4e2d", " \u{1f600}", " \ud83d"];
  const lines = Array.from({ length: 6_000 }, (_, at) => `line ${at}${kinds[at % 97 ? 0 : at % 5]}`);
  const edited = lines.map((line, at) => (at % 3 ? line : `1,2;3: new ${at}${kinds[at % 5]}`));
  const edits = lines.flatMap((line, at) =>
    at % 3
      ? []
      : [{ set_line: { anchor: `${at + 1}:${computeLineHash(at + 1, line)}`, new_text: edited[at] } }],
  );
  assert.ok(applyHashlineEdits(lines.join("\n"), edits).content === edited.join("\n"));
});

test("an edit with values that JSON would drop is refused", () => {
  const good = { anchor: "1:56", new_text: "x" };
  const bad = [
    { set_line: undefined, replace_lines: { start_anchor: "1:56", new_text: "x" } },
    { set_line: { anchor: "1:56", new_text: undefined } },
    { set_line: { anchor: "1:56", new_text: new Date() } },
    { set_line: { anchor: () => "1:56", new_text: "x" } },
    { set_line: { anchor: 1n, new_text: "x" } },
    [good],
    [{ set_line: good }],
    "set_line",
    7,
    undefined,
  ];
  for (const edit of bad) assert.throws(() => applyHashlineEdits("a\nb", [edit]), TypeError);
  for (const edits of [undefined, null, {}, "x", 5]) {
    assert.throws(() => applyHashlineEdits("a", edits), TypeError);
  }
  assert.throws(() => applyHashlineEdits(undefined, [{ set_line: good }]), TypeError);
  // The error is about the first fault, whatever its kind.
  const first = [{ set_line: { anchor: "?", new_text: "x" } }, {}];
  assert.throws(() => applyHashlineEdits("a", first), /^Error: Invalid line reference "\?"/);
  // `undefined` counts as `null` where the original accepts either.
  const range = { start_anchor: "1:56", end_anchor: undefined, new_text: undefined };
  assert.equal(applyHashlineEdits("a\nb", [{ replace_lines: range }]).content, "b");
});

test("a value of a wrong type never counts as missing text", () => {
  const content = "aaa\nbbb\nccc\n";
  const [start_anchor, end_anchor] = ["aaa", "bbb"].map((line, i) => `${i + 1}:${computeLineHash(1, line)}`);
  const wrong = [Number.NaN, Infinity, 5, 0, 7n, 0n, () => 1, Symbol("x"), {}, [], true, false, new Date(0)];
  for (const value of wrong) {
    for (const edit of [
      { replace_lines: { start_anchor, end_anchor, new_text: value } },
      { set_line: { anchor: start_anchor, new_text: value } },
      { insert_after: { anchor: start_anchor, text: value, content: "zz" } },
      { insert_after: { anchor: start_anchor, content: value } },
      { set_line: value, insert_after: { anchor: start_anchor, text: "zz" } },
    ]) {
      assert.throws(() => applyHashlineEdits(content, [edit]), TypeError, String(value));
    }
  }
  for (const value of [Infinity, 7n, () => 1, Symbol("x"), {}, [], true]) {
    const edit = { replace_lines: { start_anchor, end_anchor: value, new_text: "x" } };
    assert.throws(() => applyHashlineEdits(content, [edit]), TypeError, String(value));
  }
  const holed = new Array(2);
  holed[1] = { set_line: { anchor: start_anchor, new_text: "x" } };
  assert.throws(() => applyHashlineEdits(content, holed), TypeError);
});

test("an edit's properties count, even if they are inherited, hidden or computed", () => {
  const anchor = `1:${computeLineHash(1, "aaa")}`;
  const apply = (edit) => applyHashlineEdits("aaa\nbbb", [edit]).content;
  class Fields {
    reads = 0;
    start_anchor = anchor;
    get new_text() {
      this.reads += 1;
      return "x";
    }
  }
  const fields = new Fields();
  assert.equal(apply({ replace_lines: fields }), "x\nbbb");
  assert.equal(fields.reads, 1);
  const hidden = Object.defineProperty({ start_anchor: anchor }, "new_text", { value: "x" });
  assert.equal(apply({ replace_lines: hidden }), "x\nbbb");
  assert.equal(apply(Object.create({ replace_lines: hidden })), "x\nbbb");
  // `toJSON` is never called, and unknown fields are never read.
  const good = { anchor, new_text: "x", toJSON: () => ({ anchor, new_text: "y" }) };
  assert.equal(apply({ set_line: good }), "x\nbbb");
  const edits = Object.assign([{ set_line: good }], { toJSON: () => [] });
  assert.equal(applyHashlineEdits("aaa\nbbb", edits).content, "x\nbbb");
  const circular = {};
  circular.self = circular;
  for (const extra of [1n, circular]) {
    assert.equal(apply({ set_line: { anchor, new_text: "x", extra }, extra }), "x\nbbb");
  }
});

test("wrong types are refused by name", async () => {
  for (const value of [undefined, null, 5, {}, ["x"], Symbol("x")]) {
    assert.throws(() => computeLineHash(1, value), { name: "TypeError", message: /`line`/ });
    assert.throws(() => formatHashLines(value), { name: "TypeError", message: /`content`/ });
    assert.throws(() => parseLineRef(value), { name: "TypeError", message: /`ref`/ });
  }
  assert.throws(() => formatHashLines("a", "1"), { name: "TypeError", message: /`startLine`/ });
  assert.throws(() => formatHashLines("a", 1n), TypeError);
  assert.throws(() => validateLineRef(null, ["a"]), TypeError);
  assert.throws(() => validateLineRef({ line: "1", hash: "56" }, ["a"]), TypeError);
  assert.throws(() => validateLineRef({ line: 1, hash: 56 }, ["a"]), TypeError);
  assert.throws(() => validateLineRef({ line: 1.5, hash: "56" }, ["a", "b"]), TypeError);
  assert.throws(() => validateLineRef({ line: Number.NaN, hash: "56" }, ["a"]), TypeError);
  assert.throws(() => validateLineRef({ line: 1, hash: "56" }, [undefined]), TypeError);
  assert.throws(() => validateLineRef({ line: 1, hash: "56" }, "a"), TypeError);
  assert.throws(() => validateLineRef({ line: 1e300, hash: "56" }, ["a"]), {
    message: "Line 1e+300 does not exist (file has 1 lines)",
  });
  for (const source of [undefined, null, 5, {}, "text", ["text"], [5]]) {
    await assert.rejects(collect(streamHashLinesFromUtf8(source)), TypeError);
  }
  for (const lines of [undefined, null, 5, {}, [5], [undefined]]) {
    await assert.rejects(collect(streamHashLinesFromLines(lines)), TypeError);
  }
  for (const options of [null, 5, { startLine: "1" }, { maxChunkLines: "1" }, { maxChunkBytes: {} }]) {
    await assert.rejects(collect(streamHashLinesFromLines(["a"], options)), TypeError);
    await assert.rejects(collect(streamHashLinesFromUtf8([], options)), TypeError);
  }
});

test("the first line may have any number", async () => {
  for (const start of [-1, -0.5, 0, 1e21, 2 ** 53, 1e-7, Number.NaN, -Infinity]) {
    const lines = ["a", "b", "c"];
    const listed = lines.map((line, i) => `${start + i}:${computeLineHash(1, line)}|${line}`);
    assert.equal(formatHashLines(lines.join("\n"), start), listed.join("\n"));
  }
  assert.deepEqual(await collect(streamHashLinesFromLines(["a", "b"], { startLine: -0.5 })), [
    "-0.5:56|a\n0.5:bf|b",
  ]);
});

test("a huge range is refused without a loop over its lines", () => {
  const edit = (end) => [{ replace_lines: { start_anchor: "1:56", end_anchor: `${end}:56` } }];
  assert.throws(() => applyHashlineEdits("a", edit("99999999999")), {
    message: "Line 99999999999 does not exist (file has 1 lines)",
  });
  assert.throws(() => applyHashlineEdits("a", edit("9".repeat(400))), {
    message: "Line Infinity does not exist (file has 1 lines)",
  });
});

test("a reader that stops early releases its stream", async () => {
  const endless = () => {
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("a\nb\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    return { stream, cancelled: () => cancelled };
  };
  const { stream, cancelled } = endless();
  for await (const chunk of streamHashLinesFromUtf8(stream, { maxChunkLines: 1 })) {
    assert.equal(chunk, "1:56|a");
    break;
  }
  assert.equal(stream.locked, false);
  assert.equal(cancelled(), false);

  let closed = false;
  function* lines() {
    try {
      for (;;) yield "a";
    } finally {
      closed = true;
    }
  }
  for await (const _ of streamHashLinesFromLines(lines(), { maxChunkLines: 1 })) break;
  assert.ok(closed);
});

test("an error that a reader throws into a stream comes out of it, and closes the source", async () => {
  let closed = 0;
  function* source(piece) {
    try {
      for (;;) yield piece;
    } finally {
      closed += 1;
    }
  }
  for (const stream of [
    streamHashLinesFromLines(source("a"), { maxChunkLines: 1 }),
    streamHashLinesFromUtf8(source(new TextEncoder().encode("a\nb\n")), { maxChunkLines: 1 }),
  ]) {
    assert.deepEqual(await stream.next(), { value: "1:56|a", done: false });
    await assert.rejects(stream.throw(new RangeError("enough")), { name: "RangeError", message: "enough" });
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
  }
  assert.equal(closed, 2);
});

test("a full chunk does not wait for more lines", async () => {
  const source = ["a", "", "é".repeat(40), "b\nc", "x".repeat(500), ...Array(50).fill("line")];
  for (const options of [
    {},
    { maxChunkLines: 1 },
    { maxChunkLines: 7 },
    { maxChunkLines: Number.NaN, maxChunkBytes: 90 },
    { maxChunkBytes: 1 },
    { maxChunkBytes: 200 },
  ]) {
    let taken = 0;
    function* lines() {
      for (const line of source) {
        taken += 1;
        yield line;
      }
    }
    let given = 0;
    for await (const chunk of streamHashLinesFromLines(lines(), options)) {
      // Counts prefixes, because a source line with a newline in it has only one.
      given += chunk.split("\n").filter((line) => /^\d+:/.test(line)).length;
      // The stream may have read one more line to find out that the chunk was full.
      assert.ok(taken <= given + 1, `${taken} lines taken for ${given}`);
    }
    assert.equal(given, source.length);
  }
});

test("a stream that fails fails its reader", async () => {
  const stream = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  await assert.rejects(collect(streamHashLinesFromUtf8(stream)), /gone/);
  assert.equal(stream.locked, false);
});

test("every kind of byte chunk is read", async () => {
  const bytes = new TextEncoder().encode("xéa");
  const chunks = [bytes.subarray(1), bytes.buffer, new DataView(bytes.buffer, 3), Buffer.from("z")];
  assert.deepEqual(await collect(streamHashLinesFromUtf8(chunks)), [formatHashLines("éaxéaaz")]);
});

test("streams list as formatHashLines does, however they are cut", async () => {
  const content = Array.from({ length: 500 }, (_, i) => `${"\t".repeat(i % 5)}ligne ${i} é 😀`).join("\n");
  const bytes = new TextEncoder().encode(content);
  for (const size of [1, 2, 3, 7, 64, 1000, bytes.length]) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
    const chunks = await collect(streamHashLinesFromUtf8(pieces, { maxChunkLines: size }));
    assert.equal(chunks.join("\n"), formatHashLines(content));
  }
});

test("a text that is listed in several pieces comes out whole", () => {
  const half = "  let total = 0;\n".repeat(1_100_000);
  for (const content of [
    half + half,
    `${half}é\n${half}`,
    `${half}\ud800日\n${half}`,
    "x".repeat(40_000_000),
  ]) {
    const lines = content.split("\n");
    const expected = lines.map((line, at) => `${at + 7}:${computeLineHash(at + 7, line)}|${line}`);
    assert.ok(formatHashLines(content, 7) === expected.join("\n"));
  }
});

test("a long text is numbered as JavaScript adds, even where it cannot add exactly", () => {
  const content = "x\n".repeat(600_000);
  const hash = computeLineHash(1, "x");
  for (const start of [2 ** 53 - 2, 2 ** 53 - 600_001, -3, 0.5]) {
    const listed = formatHashLines(content, start).split("\n");
    for (const at of [0, 1, 2, 3, 4, 5, 599_999]) assert.equal(listed[at], `${start + at}:${hash}|x`);
  }
});

const inBun = process.versions.bun !== undefined;
/** `npm run test:platforms` sets the variable, because an emulator has neither the memory nor the time. */
const emulated = process.env.HASHLINE_EMULATED !== undefined;

test("a result longer than any string is an error with a clear message", {
  skip:
    (inBun && "a string of Bun's limit is too much memory for a test") ||
    (emulated && "a string of V8's limit is too much for an emulator"),
}, () => {
  // 45 million empty lines are 570 million characters when listed; V8 ends at 536 million, Bun at four times that.
  assert.throws(() => formatHashLines("\n".repeat(45_000_000)), /more than a JavaScript string can hold/);
});

test("a line of a stream may be nearly as long as a string, whatever came before it", {
  skip:
    (inBun && "a string of Bun's limit is too much memory for a test") ||
    (emulated && "a string of V8's limit is too much for an emulator"),
}, async () => {
  const long = "x".repeat(constants.MAX_STRING_LENGTH - "3:00|".length);
  const lengths = [];
  for await (const chunk of streamHashLinesFromLines(["first", "second", long, "last"]))
    lengths.push(chunk.length);
  const [before, after] = ["1:00|first\n2:00|second", "4:00|last"];
  assert.deepEqual(lengths, [before.length, constants.MAX_STRING_LENGTH, after.length]);
});

test("unused results are collected, even if the event loop never turns", {
  skip:
    (inBun && "Bun decides itself when to collect strings") ||
    (emulated && "850 MB of strings are too much for an emulator"),
}, () => {
  const content = "  let total = 0;\n".repeat(120_000);
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 300; i++) formatHashLines(content);
  // All of them together are 850 MB.
  assert.ok(process.memoryUsage.rss() - before < 400e6, "some were collected on the way");
});
