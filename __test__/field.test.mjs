// The harness of bench:field and bench:model: its judge, its mixture of mistakes, and its errors about an endpoint.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { faults, tree } from "../benches/field/agents.mjs";
import { probe, startRelay } from "../benches/field/endpoint.mjs";
import { difference, tasksIn } from "../benches/field/fixtures.mjs";
import { verdict, wasShown } from "../benches/field/judge.mjs";
import { requests } from "../benches/field/requests.mjs";
import { SITUATIONS, TASKS } from "../benches/field/situations.mjs";
import { FAULTS, mixture } from "../benches/field/sloppy.mjs";
import { missedGoals, perfectTable } from "../benches/field/tables.mjs";
import { spliced } from "../benches/tokens/dialects.mjs";

/**
 * Runs with their verdict: the wanted file, the file as it would be without the model's calls, the resulting file, and
 * the answers.
 */
const LABELLED = [
  ["pass", "a\nB\n", "a\nb\n", "a\nB\n"],
  ["pass", "a\nb\n", "a\nb\n", "a\nb\n"],
  ["rejected", "a\nB\n", "a\nb\n", "a\nb\n"],
  ["wrong line", "a\nB\nc\n", "a\nb\nc\n", "B\nb\nc\n"],
  ["wrong line", "a\nb\nnew\n", "a\nb\n", "a\nnew\n"],
  ["wrong content", "a\nB\n", "a\nb\n", "a\nB!\n"],
  ["wrong content", "a\n  B\n", "a\n  b\n", "a\nB\n"],
  ["wrong content", "a\nB", "a\nb", "a\nB\n"],
  ["wrong content", "a\r\nB\r\n", "a\r\nb\r\n", "a\r\nB\n"],
  ["wrong content", "a\nB\n", "a\nb\n", "a\nB\n\n"],
  ["wrong, said", "a\nB\n", "a\nb\n", "a\n+B\n", "Warning: f: line 2 looks like a diff"],
  ["wrong content", "a\nB\n", "a\nb\n", "a\n+B\n", "Warning: f: line 12 looks like a diff"],
  ["wrong content", "a\nB\n", "a\nb\n", "a\n+B\n", "2:ab|Applied"],
];

test("the judge gives each labelled run its verdict", () => {
  for (const [label, want, untouched, end, said] of LABELLED) {
    assert.equal(verdict({ want, untouched, end, said }), label, JSON.stringify({ want, untouched, end }));
  }
});

test("a line by another program may only be removed after an answer showed it", () => {
  const run = { before: "a\nb\nc\n", untouched: "a\nb-x\nc\n", end: "a\nB\nc\n" };
  assert.equal(wasShown({ ...run, answers: ["nothing"] }), false);
  assert.equal(wasShown({ ...run, answers: ["2:ab|b-x"] }), true);
  assert.equal(wasShown({ ...run, end: "A\nb-x\nc\n", answers: [] }), true, "it is still there");
  assert.equal(wasShown({ ...run, untouched: "a\n  b\nc\n", answers: [] }), true, "only its margin is new");
});

test("there are 34 situations, 23 of plain editing and 11 with a change, each asked for in words", () => {
  const count = (group) => SITUATIONS.filter((situation) => situation.group === group).length;
  assert.deepEqual([SITUATIONS.length, count("core"), count("stale")], [34, 23, 11]);
  assert.equal(new Set(SITUATIONS.map(({ key }) => key)).size, 34);
  for (const situation of SITUATIONS) {
    const steps = situation.steps.filter(({ edits }) => edits);
    const asked = requests(situation);
    assert.equal(asked.length, steps.length, situation.key);
    for (const message of asked) assert.doesNotMatch(message, /undefined|NaN/, situation.key);
  }
});

test("a seed gives the same mixture, in which every mistake comes before one comes twice", () => {
  const names = (seed, runs) => mixture(seed, runs, TASKS).map(({ fault, task }) => `${fault} ${task.key}`);
  assert.deepEqual(names(7, 100), names(7, 100));
  assert.notDeepEqual(names(7, 100), names(8, 100));
  const all = Object.keys(FAULTS);
  const first = mixture(3, all.length, TASKS).map(({ fault }) => fault);
  assert.deepEqual(first.sort(), all.sort());
});

test("a goal that is missed is named", () => {
  const run = { situation: SITUATIONS[0], strict: true, calls: 2, retries: 0, tokens: 9 };
  const arm = (verdict, strict) => ({
    name: "ours in pi",
    perfect: [{ ...run, verdict, strict }],
    sloppy: [{ ...run, verdict, strict }],
  });
  assert.deepEqual(missedGoals(arm("pass", true)), []);
  assert.match(missedGoals(arm("pass", false)).join(), /unseen: single-line/);
  assert.match(missedGoals(arm("wrong line", false)).join(), /not passed: single-line.*silently wrong/);
  assert.match(missedGoals(arm("rejected", false)).join(), /never right/);
  assert.deepEqual(missedGoals({ ...arm("wrong line", false), name: "pi's edit" }), []);
  assert.deepEqual(perfectTable([arm("pass", true)]).rows[0].slice(1, 4), ["1 / 1", "0 / 0", "1 / 1"]);
});

/** A server that gives these answers in turn, and then always the last one. */
async function endpoint(t, ...answers) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    asked.push({ body, headers: request.headers });
    const {
      status = 200,
      headers = {},
      text = "",
      hang = false,
    } = answers.length > 1 ? answers.shift() : answers[0];
    if (!hang) response.writeHead(status, headers).end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}/v1`, model: "m", timeout: 60_000, asked };
}

const GOOD = {
  text: JSON.stringify({ choices: [{ message: { content: "hello" } }], usage: { total_tokens: 7 } }),
};

test("an endpoint that cannot be used is explained", async (t) => {
  await assert.rejects(
    probe({ url: "http://127.0.0.1:9/v1", model: "m", timeout: 60_000 }),
    /nothing answers at .*127\.0\.0\.1:9/,
  );
  const cases = [
    [{ status: 401 }, /needs a key: set FIELD_API_KEY/],
    [{ status: 400, text: "this model does not support tools" }, /does not accept tools/],
    [{ status: 404, text: "no such model" }, /refuses `m` \(HTTP 404\): no such model/],
    [{ text: "<html>hello</html>" }, /no chat endpoint/],
  ];
  for (const [answer, pattern] of cases) await assert.rejects(probe(await endpoint(t, answer)), pattern);
  const silent = await endpoint(t, { hang: true });
  await assert.rejects(probe({ ...silent, timeout: 200 }), /no answer in time/);
  await probe(await endpoint(t, GOOD));
});

/** Sends a request through a relay, as a host does. */
async function through(relay, messages = []) {
  const response = await fetch(`${relay.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "scripted", messages }),
  });
  return { status: response.status, text: await response.text() };
}

test("the relay adds the key and the model's name, and keeps no key", async (t) => {
  const server = await endpoint(t, GOOD);
  const relay = await startRelay({ ...server, key: "secret" }, { steps: 9 });
  t.after(() => relay.close());
  assert.equal((await through(relay)).status, 200);
  assert.equal(server.asked[0].headers.authorization, "Bearer secret");
  assert.equal(JSON.parse(server.asked[0].body).model, "m");
  assert.equal(relay.log.usage, 7);
  assert.doesNotMatch(JSON.stringify(relay.log), /secret/);
});

test("a request that is put off is sent again when the endpoint says", async (t) => {
  const later = { status: 429, headers: { "retry-after": "0.05" } };
  const relay = await startRelay(await endpoint(t, later, later, GOOD), { steps: 9 });
  t.after(() => relay.close());
  assert.equal((await through(relay)).status, 200);
  assert.equal(relay.log.putOff, 2);
});

test("a model that does not end is ended, by time and by steps", async (t) => {
  const silent = await endpoint(t, { hang: true });
  const slow = await startRelay({ ...silent, timeout: 200 }, { steps: 9 });
  t.after(() => slow.close());
  const late = await through(slow);
  assert.deepEqual([late.status, /did not answer in time/.test(late.text)], [502, true]);
  const short = await startRelay(await endpoint(t, GOOD), { steps: 1 });
  t.after(() => short.close());
  await through(short);
  assert.match((await through(short)).text, /step limit[\s\S]*\[DONE\]/);
  assert.equal(short.log.limit, true);
});

test("the difference of two files is a list of edits that makes one of the other", () => {
  const made = (old, wanted) => {
    const edits = difference(old, wanted);
    return { edits, lines: spliced(old, edits, (edit) => edit.lines) };
  };
  const cases = [
    [["a", "b", "c"], ["a", "B", "c"], 1],
    [["a", "b", "c"], ["a", "c"], 1],
    [["a", "c"], ["a", "b", "c"], 1],
    [[], ["a"], 1],
    [["a"], [], 1],
    [["a", "b", "c", "d", "e"], ["A", "b", "c", "d", "E", "f"], 2],
    [["same"], ["same"], 0],
  ];
  for (const [old, wanted, count] of cases) {
    const { edits, lines } = made(old, wanted);
    assert.deepEqual([lines, edits.length], [wanted, count], JSON.stringify(edits));
  }
});

test("fixtures are found by their pairs of input and expected", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "hashline-fixtures-"));
  t.after(() => rm(folder, { recursive: true, maxRetries: 10, force: true }));
  const put = async (name, text) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  await put("deep/one/input/a.ts", "let a = 1;\n");
  await put("deep/one/expected/a.ts", "let a = 2;\n");
  await put("two/input/b.ts", "same\n");
  await put("two/expected/b.ts", "same\n");
  const [task, ...others] = tasksIn(folder);
  assert.deepEqual([task.key, task.want, others], ["one/a.ts", "let a = 2;\n", []]);
  assert.deepEqual(task.steps, [{ edits: [{ first: 1, last: 1, lines: ["let a = 2;"] }] }]);
});

test("a tree of many agents is judged by every line of it", () => {
  const wanted = tree(3, 4);
  const { before, after } = wanted;
  assert.deepEqual(faults(wanted, after), { lost: 0, wrong: 0 });
  assert.equal(faults(wanted, before).lost, 12);
  const [name] = Object.keys(after);
  const without = { ...after, [name]: after[name].replace(/^rest.*\n/m, "") };
  assert.deepEqual(faults(wanted, without), { lost: 0, wrong: 1 });
  const twice = { ...after, [name]: after[name].replace(/^rest.*\n/m, (line) => line + line) };
  assert.deepEqual(faults(wanted, twice), { lost: 0, wrong: 1 });
  const lines = after[name].trim().split("\n");
  const swapped = { ...after, [name]: `${[lines[1], lines[0], ...lines.slice(2)].join("\n")}\n` };
  assert.deepEqual(faults(wanted, swapped), { lost: 0, wrong: 1 });
});
