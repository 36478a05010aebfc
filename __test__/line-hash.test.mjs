import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { tag, tagInScript, tagNatively } from "../js/compat/line-hash.js";
import { openNative } from "../js/loader.js";

const native = openNative();
const { cases } = JSON.parse(readFileSync(new URL("./vectors/omp-v1/hash.json", import.meta.url), "utf8"));

test("both paths give the recorded tags", () => {
  for (const { line, hash } of cases) {
    assert.equal(tagNatively(line), hash);
    assert.equal(tagInScript(line), hash);
  }
});

test("both paths agree on every length and every ASCII character", () => {
  const letters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  for (const line of [...letters, ...Array.from({ length: 1100 }, (_, n) => "x y".repeat(n).slice(0, n))]) {
    assert.equal(tagInScript(line), tagNatively(line), JSON.stringify(line));
  }
});

test("two surrogates with white space between them are tagged as a pair", () => {
  assert.equal(tag("\ud83d \ude00"), tag("\u{1f600}"));
  assert.equal(tag("\ud83d"), tag("\ufffd"));
  assert.equal(tag(`${"é".repeat(600)}\ud83d \ude00`), tag(`${"é".repeat(600)}\u{1f600}`));
});

test("anything but a string is refused", () => {
  for (const wrong of [undefined, null, 5, {}, [], Symbol("x")]) {
    assert.throws(() => tagNatively(wrong), { name: "TypeError", message: /must be a string/ });
    assert.throws(() => tagInScript(wrong), { name: "TypeError", message: /must be a string/ });
  }
});

test("native functions that are registered by hand throw the same errors as the others", () => {
  assert.throws(() => native.lineHash(), { code: "StringExpected" });
  assert.throws(() => native.ompFormat(5, 1), { code: "StringExpected" });
  assert.throws(() => native.ompFormat("a", "b"), { code: "NumberExpected" });
  assert.throws(() => native.ompFormat("a", 1, 7), { code: "BooleanExpected" });
  assert.equal(native.ompFormat("a", 1), "1:56|a");
});
