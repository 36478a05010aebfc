import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as hashline from "../index.js";
import { VERSION } from "../js/loader.js";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

test("index.js exports exactly what index.d.ts declares", () => {
  const declared = [...read("../index.d.ts").matchAll(/^export declare (?:function|class|const) (\w+)/gm)];
  assert.deepEqual(Object.keys(hashline).sort(), declared.map(([, name]) => name).sort());
});

test("the error for a wrong argument names it and has a code", () => {
  const session = new hashline.Session({ root: process.cwd() });
  const check = (call, name) =>
    assert.throws(call, (error) => {
      assert.ok(
        error instanceof TypeError && error.message.startsWith(`\`${name}\` must be `),
        error.message,
      );
      return error.code === "ERR_INVALID_ARG_TYPE";
    });
  check(() => session.judge(), "command");
  check(() => hashline.judgeCommand(), "command");
  check(() => hashline.judgeCommand("x"), "place");
  check(() => hashline.judgeCommand("x", {}), "place.root");
  check(() => session.read({ path: "a" }, "signal"), "signal");
  assert.throws(() => hashline.Session({ root: process.cwd() }), TypeError, "it wants `new`");
});

test("the binary has the version of the package, the crate and every platform package", () => {
  const { version, napi } = JSON.parse(read("../package.json"));
  assert.equal(hashline.version(), version);
  assert.equal(VERSION, version);
  assert.equal(read("../Cargo.toml").match(/^version = "(.*)"/m)[1], version);
  const names = [
    "linux-x64-gnu",
    "linux-x64-musl",
    "linux-arm64-gnu",
    "linux-arm64-musl",
    "darwin-x64",
    "darwin-arm64",
    "win32-x64-msvc",
    "win32-arm64-msvc",
    "linux-arm-gnueabihf",
    "android-arm64",
    "freebsd-x64",
  ];
  assert.equal(napi.targets.length, names.length);
  for (const name of names) {
    const platform = JSON.parse(read(`../npm/${name}/package.json`));
    assert.equal(platform.version, version);
    assert.equal(platform.main, `hashline.${name}.node`);
  }
});

for (const [file, scheme] of [
  ["hex2", "hex2"],
  ["base26x4", "base26"],
  ["cid2", "cid"],
  ["omp-v2", "cid"],
  ["fnv1a", "fnv1a"],
]) {
  const { cases, count } = JSON.parse(read(`./vectors/schemes/${file}.json`));
  test(`tagLine and verify give the ${count} recorded tags of ${file}`, () => {
    assert.equal(cases.length, count);
    for (const { id, line, lineNumber, hash } of cases) {
      assert.equal(hashline.tagLine(line, scheme, lineNumber), hash, id);
      assert.ok(hashline.verify(lineNumber ?? 1, line, hash, scheme), id);
    }
  });
}

test("tagLine gives the tags of oh-my-pi for the scheme omp", () => {
  for (const { line, hash } of JSON.parse(read("./vectors/omp-v1/hash.json")).cases) {
    assert.equal(hashline.tagLine(line, "omp"), hash);
  }
});

test("tagLines gives one tag for each line, and none after the final newline", () => {
  assert.deepEqual(hashline.tagLines("let a = 1;\nlet b = 2;\n"), ["f1", "08"]);
  assert.deepEqual(hashline.tagLines("let a = 1;\r\nlet b = 2;"), ["f1", "08"]);
  assert.deepEqual(hashline.tagLines(""), []);
});

test("the context scheme tells equal lines apart by their neighbours", () => {
  const [first, , third] = hashline.tagLines("a\n}\nb\n}\nc\n", "context").filter((_, index) => index !== 0);
  assert.notEqual(first, third);
});

test("a tag that depends on its neighbours cannot be verified alone", () => {
  const [tag] = hashline.tagLines("a\nb\n", "context");
  assert.throws(() => hashline.verify(1, "a", tag, "context"), { code: "needs_neighbours" });
});

test("tagLine and verify accept only one line", () => {
  assert.throws(() => hashline.tagLine("a\nb"), { code: "not_one_line" });
  assert.throws(() => hashline.verify(1, "a\n", "56"), { code: "not_one_line" });
});

test("verify ignores only the case of a tag", () => {
  assert.ok(hashline.verify(1, "let a = 1;", "F1"));
  assert.ok(!hashline.verify(1, "let a = 1;", "f2"));
  assert.ok(!hashline.verify(1, "Function", hashline.tagLine("function")));
  assert.ok(!hashline.verify(1, "let a = 1;", "not a tag"));
});

test("parseAnchor reads anchors as models write them", () => {
  assert.deepEqual(hashline.parseAnchor(">>> 5:ab|let x"), { line: 5, tag: "ab", hint: "let x" });
  assert.deepEqual(hashline.parseAnchor('"L12#VK"'), { line: 12, tag: "VK" });
  assert.throws(() => hashline.parseAnchor("5"), { code: "bad_anchor", message: /the tag is missing/ });
});

test("wrong arguments are refused with clear messages", () => {
  assert.throws(() => hashline.tagLine("x", "md5"), { code: "unknown_scheme", message: /`md5`.*`hex2`/ });
  for (const line of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 40]) {
    assert.throws(() => hashline.tagLine("x", "hex2", line), /line numbers are whole/);
  }
  for (const wrong of [undefined, null, 5, {}, Symbol("x")]) {
    assert.throws(() => hashline.tagLine(wrong), /string/i);
    assert.throws(() => hashline.tagLines(wrong), /string/i);
    assert.throws(() => hashline.parseAnchor(wrong), /string/i);
  }
});

test("wrong types are a TypeError that names the argument", () => {
  for (const [call, message] of [
    [() => hashline.tagLine(5), "`line` must be a string, but it is 5"],
    [() => hashline.tagLine("a", 5), "`scheme` must be a string, but it is 5"],
    [() => hashline.tagLine("a", null, "1"), "`lineNumber` must be a number, but it is a string"],
    [() => hashline.tagLines(), "`text` must be a string, but it is undefined"],
    [() => hashline.verify("1", "a", "56"), "`lineNumber` must be a number, but it is a string"],
    [() => hashline.verify(1, null, "56"), "`content` must be a string, but it is null"],
    [() => hashline.verify(1, "a", 56), "`tag` must be a string, but it is 56"],
    [() => hashline.parseAnchor([]), "`text` must be a string, but it is an array"],
    [() => hashline.rollingHash("ab"), "`lines` must be an array, but it is a string"],
    [() => hashline.rollingHash(["a", () => 1]), "`lines[1]` must be a string, but it is a function"],
    [() => hashline.rollingHash(new Array(1)), "`lines[0]` must be a string, but it is undefined"],
    [() => hashline.formatWithComments("a", {}), "`languageOrPath` must be a string, but it is an object"],
    [() => hashline.formatRange("a", Number.NaN, 1), "`from` must be a whole number, but it is NaN"],
    [() => hashline.formatRange("a", 1, 1.5), "`to` must be a whole number, but it is 1.5"],
    [() => hashline.formatRange("a", 1, 1, 5), "`options` must be an object, but it is 5"],
    [
      () => hashline.formatRange("a", 1, 1, { before: -1 }),
      "`options.before` must be a whole number from 0, but it is -1",
    ],
    [
      () => hashline.formatRange("a", 1, 1, { befor: 1 }),
      "`options` has `before`, `after` and `scheme`, but no `befor`",
    ],
  ]) {
    assert.throws(call, { name: "TypeError", message });
  }
  assert.throws(() => hashline.tagLine("---", "cid", Number.POSITIVE_INFINITY), {
    code: "bad_line_number",
    message: "line numbers are whole numbers from 1 to 4294967295: got Infinity",
  });
});

test("a range that is shown keeps its lone surrogates", () => {
  const text = "\ud800\ufffd\nb\ufffd\ud801\n\ude00c\n";
  assert.equal(hashline.formatRange(text, 2, 2).slice(5), "b\ufffd\ud801\n");
  assert.equal(
    hashline.formatRange(text, 3, 3, { before: 1 }).match(/\|.*/g).join(),
    "|b\ufffd\ud801,|\ude00c",
  );
  assert.equal(hashline.parseAnchor("5:ab|\ufffdx\ud800 ").hint, "\ufffdx\ud800");
});

test("lone surrogates and NUL are tagged, not refused", () => {
  assert.equal(hashline.tagLine("\ud800"), hashline.tagLine("\ufffd"));
  assert.equal(hashline.tagLine("a\0b").length, 2);
});
