// Statistics of the tools: a session counts its calls, and the counts of all of a user's sessions are added up.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Session } from "../index.js";
import "./own-state.mjs";
import { engine, cannotStart as skip, startEngine } from "./engine.mjs";

const index = fileURLToPath(new URL("../index.js", import.meta.url));
const program = fileURLToPath(new URL("../js/program.js", import.meta.url));

let place;
before(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "hashline-stats-")));
});
after(() => rmSync(place, { recursive: true, maxRetries: 10, force: true }));

beforeEach(() => {
  writeFileSync(join(place, "a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(place, "b.txt"), "four\n");
});

const open = (options = {}) => new Session({ root: place, stateDir: join(place, ".state"), ...options });
const replace = (path, old_text, new_text) => ({ op: "replace", path, old_text, new_text });
const nothing = {
  reads: 0,
  searches: 0,
  served: 0,
  patches: 0,
  edits: 0,
  followed: 0,
  repaired: 0,
  refused: 0,
  resolved: 0,
  givenUp: 0,
  bytes: 0,
  tokens: 0,
};

/** Runs a script in a process of its own, with a state directory of its own. */
function run(state, script) {
  const env = { ...process.env, XDG_STATE_HOME: join(place, state), LOCALAPPDATA: join(place, state) };
  return startEngine(["--input-type=module", "-e", script], { cwd: place, env, encoding: "utf8" });
}

const SCRIPT = `
  import { Session } from ${JSON.stringify(index)};
  const session = new Session({ root: ".", stateDir: ".state", journalDir: process.cwd() + "-journal" });
`;

function total(state) {
  const { stdout, stderr } = run(
    state,
    `${SCRIPT} process.stdout.write(JSON.stringify((await session.stats()).total));`,
  );
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

test("a session counts its calls, and whether refused edits were then applied", async () => {
  const session = open();
  assert.deepEqual((await session.stats()).session, nothing);
  let bytes = 0;
  const count = async (outcome) => {
    bytes += Buffer.byteLength((await outcome).text);
    return outcome;
  };
  await count(session.read({ paths: ["a.txt", "b.txt"] }));
  await count(session.grep({ pattern: "t" }));
  const stale = { op: "set_line", path: "a.txt", anchor: "2:00", text: "2" };
  assert.equal((await count(session.apply({ patch: [stale] }))).kind, "refused");
  const gone = { op: "set_line", path: "b.txt", anchor: "1:00", text: "4" };
  assert.equal((await count(session.apply({ patch: [gone] }))).kind, "refused");
  await count(session.apply({ patch: [replace("a.txt", "two", "2"), replace("a.txt", "one", "1")] }));
  // A preview is not counted.
  await session.preview({ patch: [replace("a.txt", "2", "5")] });
  await session.undo();
  const answer = await session.answer("cat b.txt");
  assert.equal(answer.kind, "block");
  const served = (await session.stats()).session;
  assert.ok(served.bytes > bytes);
  assert.deepEqual(
    { ...served, bytes: 0, tokens: 0 },
    {
      ...nothing,
      reads: 1,
      searches: 1,
      served: 1,
      patches: 1,
      edits: 2,
      refused: 2,
      resolved: 1,
      givenUp: 1,
    },
  );
  assert.equal(served.tokens, Math.floor(served.bytes / 3.6));
});

test("a session counts followed lines and repairs", async () => {
  const session = open();
  const { text } = await session.read({ path: "a.txt" });
  const anchor = /^(\d+:\w+)\|two$/m.exec(text)[1];
  writeFileSync(join(place, "a.txt"), "zero\none\ntwo\nthree\n");
  const patch = [{ op: "set_line", path: "a.txt", anchor, text: `${anchor}|2` }];
  assert.equal((await session.apply({ patch })).kind, "applied");
  const { followed, repaired, patches } = (await session.stats()).session;
  assert.deepEqual({ followed, repaired, patches }, { followed: 1, repaired: 1, patches: 1 });
});

test("counts of concurrent processes add up, and a killed process loses none of the others'", {
  skip,
}, async () => {
  const read = 'await session.read({ path: "a.txt" });';
  const env = { ...process.env, XDG_STATE_HOME: join(place, "sums"), LOCALAPPDATA: join(place, "sums") };
  const [first, ...args] = [...engine, "--input-type=module", "-e", SCRIPT + read];
  const ended = (child) => new Promise((resolve) => child.once("exit", resolve));
  const codes = await Promise.all([1, 2, 3].map(() => ended(spawn(first, args, { cwd: place, env }))));
  assert.deepEqual(codes, [0, 0, 0]);
  // The log now ends with half a record, as a killed writer leaves it, and then another process is killed.
  const log = join(place, "sums/hashline/stats/log");
  writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.from("half of a record")]));
  const killed = run("sums", `${SCRIPT}${read} await session.flush(); process.kill(process.pid, "SIGKILL");`);
  assert.notEqual(killed.status, 0);
  const { reads, bytes, patches } = total("sums");
  assert.deepEqual([reads, patches], [4, 0]);
  assert.ok(bytes > 0);
});

test("a refusal counts as resolved even if another process applies the patch after it", { skip }, () => {
  const apply = (anchor) =>
    `await session.apply({ patch: [{ op: "set_line", path: "a.txt", anchor: "${anchor}", text: "2" }] });`;
  run("two", SCRIPT + apply("2:00"));
  assert.deepEqual([total("two").resolved, total("two").givenUp], [0, 1]);
  run("two", `${SCRIPT} await session.apply({ patch: [${JSON.stringify(replace("a.txt", "two", "2"))}] });`);
  assert.deepEqual([total("two").resolved, total("two").givenUp], [1, 0]);
});

test("nothing is saved with `stats: false` or without a state directory", { skip }, () => {
  const read = 'await session.read({ path: "a.txt" });';
  const say = "process.stdout.write(JSON.stringify((await session.stats()).total ?? null));";
  for (const [options, said] of [
    ['{ root: ".", stateDir: ".state", stats: false }', null],
    ['{ root: "." }', nothing],
  ]) {
    const script = SCRIPT.replace(/new Session\(.*\)/, `new Session(${options})`);
    assert.deepEqual(JSON.parse(run("off", script + read + say).stdout), said);
  }
  assert.throws(() => open({ stats: "no" }), { code: "bad_option" });
  assert.throws(() => readdirSync(join(place, "off/hashline/stats/log")), { code: /ENOENT|ENOTDIR/ });
});

test("the program shows the added counts", { skip }, () => {
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(place, "program"),
    LOCALAPPDATA: join(place, "program"),
  };
  const start = (...args) =>
    startEngine([program, ...args], { cwd: place, env, input: "", encoding: "utf8" });
  start("read", "a.txt");
  start("grep", "two");
  start("judge", "cat a.txt");
  const { session, total: sums } = JSON.parse(start("stats", "--json").stdout);
  assert.deepEqual([session.reads, sums.reads, sums.searches, sums.served], [0, 1, 1, 0]);
  const table = start("stats").stdout;
  assert.match(table, /^ +in all\nreads +1\nsearches +1\n/);
  assert.match(table, /^ {2}tokens, about +~\d+$/m);
  assert.match(table, /on this machine only; the setting `stats: false`/);
});
