// The simple highlighter: how it classifies tokens, and that it keeps all text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lex } from "../../extension/render/lexer.ts";
import { hardText, randomNumbers } from "./drawing.mjs";

/** Lines with the names of their colours, for assertions. */
function painted(path, ...lines) {
  return lex(path, lines)?.map((spans) =>
    spans
      .map(({ text, color }) => (color === "toolOutput" ? text : `<${color.slice(6)}>${text}</>`))
      .join(""),
  );
}

test("comments, strings, numbers, keywords and functions are told apart", () => {
  assert.deepEqual(painted("a.js", 'const a = f(1, "x\\"y"); // why'), [
    '<Keyword>const</> a = <Function>f</>(<Number>1</>, <String>"x\\"y"</>); <Comment>// why</>',
  ]);
  assert.deepEqual(painted("a.py", "def f(): # no", "  return 'a' # b"), [
    "<Keyword>def</> <Function>f</>(): <Comment># no</>",
    "  <Keyword>return</> <String>'a'</> <Comment># b</>",
  ]);
  assert.deepEqual(painted("a.rs", "fn f<'a>(x: &'a str)"), ["<Keyword>fn</> f<'a>(x: &'a <Keyword>str</>)"]);
});

test("a token that spans several lines keeps its colour until it ends", () => {
  assert.deepEqual(painted("a.ts", "a /* b", "c */ d", "`e", "f` + g"), [
    "a <Comment>/* b</>",
    "<Comment>c */</> d",
    "<String>`e</>",
    "<String>f`</> + g",
  ]);
  assert.deepEqual(painted("a.py", '"""a', 'b""" c'), ['<String>"""a</>', '<String>b"""</> c']);
});

test("a file of an unknown language has no colours", () => {
  assert.equal(lex("notes.txt", ["if a"]), undefined);
});

test("no character is lost, whatever a line holds", () => {
  const roll = randomNumbers(7);
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 4 }, () => hardText(roll, roll(20)) + "\"'`/*#-"[roll(7)]);
    for (const path of ["a.js", "a.rs", "a.py", "a.sql"]) {
      const spans = lex(path, lines);
      assert.deepEqual(
        spans.map((line) => line.map(({ text }) => text).join("")),
        lines,
      );
    }
  }
});
