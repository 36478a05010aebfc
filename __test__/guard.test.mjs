// The guard through the addon: the shape of its answers, the labelled commands, and strings that only JavaScript can
// make. The labelled commands are judged, never run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { judgeCommand } from "../index.js";

const place = { root: "/home/dev/app", cwd: "/home/dev/app", home: "/home/dev" };
const judge = (command, settings) => judgeCommand(command, { ...place, settings });

const INVENTED = ["commands.json", "extra.json", "blind.json"];

test("the invented commands are judged as labelled, with at most one missed block in fifty", () => {
  const all = INVENTED.flatMap((name) => {
    const url = new URL(`../crates/guard/tests/fixtures/${name}`, import.meta.url);
    return JSON.parse(readFileSync(url, "utf8"));
  });
  const labelled = (label) => all.filter(({ verdict }) => verdict === label);
  const wrong = (label) => labelled(label).filter(({ command }) => judge(command).kind !== label);
  const ids = (commands) => commands.map(({ id, command }) => `${id} ${JSON.stringify(command)}`);
  assert.deepEqual(ids(wrong("allow")), [], "nothing is blocked falsely");
  const missed = wrong("block");
  assert.ok(missed.length * 50 <= labelled("block").length, ids(missed).join("\n"));
});

test("the verdict on an allowed command has only a kind", () => {
  assert.deepEqual({ ...judge("npm test 2>&1 | tail -5") }, { kind: "allow" });
});

test("the verdict on a read says which tool to call, and has the request to serve", () => {
  const judged = judge("sed -n 5,9p src/a.ts");
  assert.equal(judged.kind, "block");
  assert.equal(judged.access, "read");
  assert.equal(judged.mode, "block");
  assert.deepEqual(judged.targets, ["src/a.ts"]);
  assert.equal(judged.instead, 'read {"path":"src/a.ts","offset":5,"limit":5}');
  assert.ok(judged.reason.includes(judged.instead));
  assert.deepEqual(JSON.parse(JSON.stringify(judged.serve)), {
    tool: "read",
    request: { paths: [{ path: "src/a.ts", offset: 5, limit: 5 }] },
  });
});

test("a blocked search is served as a grep request", () => {
  const { serve } = judge("cd src && grep -n -i -A2 'fn main' main.rs");
  assert.deepEqual(JSON.parse(JSON.stringify(serve)), {
    tool: "grep",
    request: {
      paths: ["src/main.rs"],
      pattern: "fn main",
      literal: true,
      caseSensitive: false,
      contextAfter: 2,
    },
  });
});

test("a blocked write shows an apply_hash operation and serves nothing", () => {
  const judged = judge("echo hi > src/a.ts");
  assert.equal(judged.access, "write");
  assert.ok(judged.instead.startsWith("apply_hash "));
  assert.ok(judged.instead.includes('"path":"src/a.ts"'));
  assert.equal(judged.serve, undefined);
  assert.ok(judged.reason.split("\n").length <= 2);
});

test("every string gets a verdict", () => {
  for (const command of [
    "",
    "\0",
    "cat \ud800",
    "\udc00\ud800 > x",
    "echo '\ud83d'",
    "a".repeat(1 << 20),
    "cat ".repeat(1 << 18),
    "(".repeat(10_000),
    "$(".repeat(10_000),
    "{ ".repeat(10_000),
    "'".repeat(9_999),
    "cat <<x\n".repeat(5_000),
  ]) {
    assert.ok(["allow", "block"].includes(judge(command).kind));
  }
  assert.equal(judge("cat \ud800").kind, "block");
  assert.equal(judge("echo '\ud83d'").kind, "allow");
});

test("settings change the verdict", () => {
  assert.equal(judge("cat a", { mode: "off" }).kind, "allow");
  assert.equal(judge("cat a", { mode: "nudge" }).mode, "nudge");
  assert.equal(judge("show a", { extraReaders: ["show"] }).access, "read");
  assert.equal(judge("put a", { extraWriters: ["put"] }).access, "write");
  assert.equal(judge("cat a", { allowedPrograms: ["cat"] }).kind, "allow");
  assert.equal(judge("cat out/a", { allowedPaths: ["out"] }).kind, "allow");
  assert.throws(() => judge("cat a", { mode: "loud" }), /mode `loud`/);
});

test("the workspace and the environment change the verdict", () => {
  const inTmp = { root: "/tmp/app", home: "/home/dev" };
  assert.equal(judgeCommand("cat a.txt", inTmp).kind, "block");
  assert.equal(judgeCommand("cat ../b.txt", inTmp).kind, "allow");
  const scratch = { ...place, env: { OUT: "/tmp/out.txt" } };
  assert.equal(judgeCommand("echo hi > $OUT", scratch).kind, "allow");
  assert.equal(judgeCommand("echo hi > $OUT", place).kind, "block");
});
