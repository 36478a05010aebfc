// No text is counted narrower than a host counts it: pi 0.73 exits if a line is too wide.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../extension/render/line.ts";
import { printable } from "../../extension/render/text.ts";
import { clusters, textWidth } from "../../extension/render/width.ts";
import { ansi, bare, closesColours, columns, hardText, randomNumbers, unprintable } from "./drawing.mjs";

function check(text, width) {
  assert.equal(textWidth(text), width, JSON.stringify(text));
}

test("text that all hosts count alike is counted exactly", () => {
  for (const text of ["", "a", "let x = 1;", "äöüß", "ελληνικά", "русский", "→ … — │ └", "é", "e\u0301", "ñ"])
    check(text, [...text.normalize("NFC")].length);
  for (const text of ["価", "格", "한", "カ", "，", "😀", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
    check(text, 2);
  check("価格 = 3", 8);
});

test("no character is counted narrower than its widest count", () => {
  const narrower = [];
  for (let code = 0xa0; code < 0x3_2000; code++) {
    const char = String.fromCodePoint(code);
    if (!/\p{Cs}/u.test(char) && textWidth(char) < columns(char)) narrower.push(code.toString(16));
  }
  assert.deepEqual(narrower, []);
});

test("no sequence is counted narrower than its widest count, whole or in pieces", () => {
  const roll = randomNumbers(7);
  for (let round = 0; round < 20_000; round++) {
    const text = printable(hardText(roll, 1 + roll(8)));
    const at = roll(text.length);
    const pieces = [text.slice(0, at), text.slice(at)].map(printable);
    assert.ok(textWidth(text) >= columns(text), JSON.stringify(text));
    const whole = pieces.join("");
    assert.ok(textWidth(pieces[0]) + textWidth(pieces[1]) >= columns(whole), JSON.stringify(pieces));
  }
});

test("letters that are split without a segmenter are clusters for the segmenter, too", () => {
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const ranges = [
    [0x20, 0x7e],
    [0xa1, 0x58f],
    [0x2010, 0x2bff],
    [0x3001, 0xd7a3],
  ];
  const roll = randomNumbers(11);
  const letter = () => {
    const [first, last] = ranges[roll(ranges.length)];
    return String.fromCharCode(first + roll(last - first + 1));
  };
  for (let round = 0; round < 30_000; round++) {
    const text = letter() + letter();
    const segments = Array.from(segmenter.segment(text), (one) => one.segment);
    assert.deepEqual(clusters(text), segments, JSON.stringify(text));
  }
});

test("no control sequence of the terminal is printed", () => {
  assert.equal(printable("a\x1b[31mb"), "a\\x1b[31mb");
  assert.equal(printable("\0\r\n\x7f\x9b"), "\\0\\r\\n\\x7f\\x9b");
  assert.equal(printable("if (admin\u202e)"), "if (admin\\u{202e})");
  assert.equal(printable("\ud83d!"), "\ufffd!");
  assert.equal(printable("👨‍👩‍👧 stays"), "👨‍👩‍👧 stays");
});

test("a tab goes to the next stop, wide characters counted", () => {
  assert.equal(printable("\ta\tb"), "    a   b");
  assert.equal(printable("価\tb"), "価  b");
  assert.equal(printable("abcd\te"), "abcd    e");
});

/** Checks that the rows of one line fit the width, and returns them. */
function checkedRows(spans, width, overflow, hang) {
  const rows = layOut({ spans, hang }, width, overflow, ansi);
  for (const row of rows) {
    const context = JSON.stringify({ spans, width, overflow, row });
    assert.ok(columns(row) <= width, context);
    assert.equal(unprintable(row), undefined, context);
    assert.ok(closesColours(row), context);
  }
  return rows;
}

test("every row fits its width, whatever spans the line has", () => {
  const roll = randomNumbers(3);
  for (let round = 0; round < 4000; round++) {
    const width = 1 + roll(round % 2 === 0 ? 12 : 200);
    const spans = Array.from({ length: 1 + roll(3) }, () => ({
      text: hardText(roll, roll(12)),
      color: "error",
      bold: roll(2) === 0,
    }));
    assert.equal(checkedRows(spans, width, "cut").length, 1);
    checkedRows(spans, width, "wrap", roll(8));
  }
});

test("a line that is cut ends with dots, one that fits does not", () => {
  const rows = (text, width) => layOut({ spans: [{ text, color: "dim" }] }, width, "cut", bare);
  assert.deepEqual(rows("abcdef", 6), ["abcdef"]);
  assert.deepEqual(rows("abcdef", 5), ["abcd…"]);
  assert.deepEqual(rows("価格価格", 7), ["価格価…"]);
  assert.deepEqual(rows("価格", 1), ["…"]);
  assert.deepEqual(rows("x".repeat(100_000), 4), ["xxx…"]);
  for (const width of [0, -1, Number.NaN]) assert.deepEqual(rows("abc", width), [""]);
});

test("a wrapped line loses nothing, and its later rows are indented", () => {
  const spans = [
    { text: "12:a3|", color: "dim" },
    { text: "let total = sum(items);", color: "toolOutput" },
  ];
  assert.deepEqual(layOut({ spans, hang: 6 }, 16, "wrap", bare), [
    "12:a3|let total ",
    "      = sum(item",
    "      s);",
  ]);
  const roll = randomNumbers(5);
  for (let round = 0; round < 500; round++) {
    const text = hardText(roll, 1 + roll(20));
    const rows = layOut({ spans: [{ text, color: "dim" }] }, 12 + roll(40), "wrap", bare);
    assert.equal(rows.join(""), printable(text));
  }
});
