// Showing text with its tags, through the built addon.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  applySchema,
  formatRange,
  formatWithComments,
  grepSchema,
  readSchema,
  rollingHash,
} from "../index.js";

test("the hash of a run of lines is 16 digits and minds order, number and text", () => {
  const hash = rollingHash(["a", "b"]);
  assert.match(hash, /^[0-9a-f]{16}$/);
  assert.equal(rollingHash(["a", "b"]), hash);
  for (const other of [["b", "a"], ["a", "b", ""], ["a\nb"], ["a"], [], ["a", "b\ud800"]]) {
    assert.notEqual(rollingHash(other), hash, JSON.stringify(other));
  }
  assert.equal(rollingHash([]), "0000000000000001");
});

test("tags are written as comments of the language", () => {
  assert.equal(formatWithComments("let a = 1;\n", "src/main.rs"), "let a = 1;  // 1:f1\n");
  assert.equal(formatWithComments("a\r\na", "Python"), "a  # 1:56\r\na  # 2:56");
  assert.equal(formatWithComments("a", "Makefile", "cid"), "a  # 1#RW");
  assert.equal(formatWithComments("a\ud800", "css", "fnv1a").slice(0, 2), "a\ud800");
});

test("a language without comments is an error with a code", () => {
  assert.throws(() => formatWithComments("{}", "package.json"), {
    code: "unknown_language",
    message: /^`package\.json` is not a language with comments: .*rust, go/,
  });
  assert.throws(() => formatWithComments("", "rust", "md5"), { code: "unknown_scheme" });
});

test("a range is shown with its context", () => {
  const text = "a\nb\nc\nd\ne\n";
  assert.equal(formatRange(text, 2, 2), "2:bf|b\n");
  assert.equal(formatRange(text, 1, 1, { after: 1 }), "1:56|a\n2:bf|b\n");
  assert.equal(formatRange(text, 5, 9, { before: 1, scheme: "cid" }), "4#KZ|d\n5#JS|e\n");
  assert.equal(formatRange(text, 6, 9), "");
  assert.equal(formatRange("", 1, 1), "");
  assert.equal(formatRange(text, -1, 1), "1:56|a\n");
  assert.equal(formatRange(text, 4, Number.POSITIVE_INFINITY), "4:90|d\n5:c7|e\n");
  assert.equal(formatRange(text, 3, 2), "");
  assert.throws(() => formatRange(text, 1, 1, { scheme: "md5" }), { code: "unknown_scheme" });
});

test("wrong types are an error, never a crash", () => {
  const wrong = [
    () => rollingHash(),
    () => rollingHash("a"),
    () => rollingHash([1]),
    () => formatWithComments(1, "rust"),
    () => formatWithComments("a"),
    () => formatRange("a", "1", 1),
    () => formatRange("a"),
  ];
  for (const call of wrong) assert.throws(call, Error, String(call));
});

test("the schemas are the recorded ones, in order", () => {
  for (const [name, make] of Object.entries({ read: readSchema, apply: applySchema, grep: grepSchema })) {
    const recorded = readFileSync(new URL(`./fixtures/schemas/${name}.json`, import.meta.url), "utf8");
    assert.equal(JSON.stringify(make()), JSON.stringify(JSON.parse(recorded)), name);
    assert.notEqual(make(), make(), "each caller gets a schema of its own");
  }
});
