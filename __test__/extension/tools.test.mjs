// The tools, their visibility, and what they do with files that are not text and arguments that do not fit.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startHost } from "./fake-host.mjs";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const anchors = (text) => [...text.matchAll(/^[ +]?(\d+:[0-9a-f]{2})\|/gm)].map(([, anchor]) => anchor);

test("a file is read, changed by its anchors, and changed again by those of the report", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "one\ntwo\nthree\n" } });
  const read = await host.call("read", { path: "a.txt" });
  const [, two] = anchors(read.text);
  const set = (anchor, text) => ({ patch: [{ op: "set_line", path: "a.txt", anchor, text }] });
  const first = await host.call("apply_hash", set(two, "TWO"));
  assert.equal(first.details.kind, "applied");
  const fresh = /^\+(\d+:\w+)\|TWO/m.exec(first.text)[1];
  const second = await host.call("apply_hash", set(fresh, "deux"));
  assert.equal(second.isError, false);
  assert.equal(await readFile(join(host.cwd, "a.txt"), "utf8"), "one\ndeux\nthree\n");
});

test("a refused patch is an error, also for a host that ignores isError in results", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "one\n" } });
  const patch = [{ op: "set_line", path: "a.txt", anchor: "1:00", text: "x" }];
  const { text, isError } = await host.call("apply_hash", { patch });
  assert.match(text, /^REJECTED/);
  assert.equal(isError, true);
  const details = { kind: "refused", failed: true };
  assert.deepEqual(
    await host.emit("tool_result", { toolCallId: "x", content: [], details, isError: false }),
    {
      isError: true,
    },
  );
});

for (const kind of ["pi", "omp"]) {
  test(`${kind}: arguments that do not fit the schema still reach the core`, async (t) => {
    const host = await startHost(t, { kind, files: { "a.txt": "one\ntwo\n" } });
    const [one] = anchors((await host.call("read", { paths: [{ path: "a.txt", limit: 1 }] })).text);
    const nested = { path: "a.txt", edits: [{ set_line: { anchor: one, new_text: "ONE" } }] };
    assert.equal((await host.call("apply_hash", nested)).details.kind, "applied");
    const wrong = await host.call("apply_hash", { patch: 5 });
    assert.match(wrong.text, /a list of operations was expected, `5` was given; the right shape/);
    assert.match((await host.call("read", { path: 5 })).text, /`path` must be a string/);
    assert.match((await host.call("grep", {})).text, /`pattern` is missing/);
  });
}

test("a read or a search names its files in `path` and `paths`, and keeps arguments that fit", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "one\n", "b.txt": "two\n" } });
  const [read, grep] = ["read", "grep"].map((name) => host.tools.get(name).prepareArguments);
  assert.deepEqual(read({ path: "a.txt", offset: 2 }), { path: "a.txt", paths: ["a.txt"], offset: 2 });
  assert.deepEqual(read("@a.txt"), { path: "a.txt", paths: ["a.txt"], given: "@a.txt" });
  const ranges = { paths: ["a.txt:1-2", { path: "./b.txt" }] };
  assert.deepEqual(read(ranges), { path: "a.txt", paths: ["a.txt", "b.txt"], given: ranges });
  assert.deepEqual(read({ path: "https://example.org/x" }).paths, ["https://example.org/x"]);
  assert.deepEqual(grep({ pattern: "x" }), { pattern: "x", path: ".", paths: ["."] });
});

test("the host's editors are hidden, and blocked if they come back", async (t) => {
  const host = await startHost(t, {
    active: ["read", "bash", "edit", "write", "ast_edit", "apply_patch"],
    kind: "omp",
  });
  assert.deepEqual(host.active, ["read", "bash", "grep", "apply_hash"]);
  host.active.push("write");
  const answer = await host.call("write", { path: "a.txt", content: "x" });
  assert.match(answer.text, /`write` is replaced by apply_hash/);
  await host.emit("before_agent_start", { systemPrompt: [] });
  assert.ok(!host.active.includes("write"));
});

test("a URL that omp's write accepts is not one of our files", async (t) => {
  const host = await startHost(t, { kind: "omp" });
  assert.equal((await host.call("write", { path: "local://PLAN.md", content: "x" })).blocked, undefined);
  assert.equal((await host.call("write", { path: "src/a.ts", content: "x" })).blocked, true);
  assert.equal((await host.call("write", { path: "conflict://1", content: "x" })).blocked, true);
  assert.equal((await host.call("edit", { path: "local://x", input: "[a.txt#1]" })).blocked, true);
});

test("an agent of omp without an editing tool gets none, and no rules about it", async (t) => {
  const host = await startHost(t, { kind: "omp", active: ["read", "grep"] });
  assert.deepEqual(host.active, ["read", "grep"]);
  await host.emit("before_agent_start", { systemPrompt: ["a"] });
  assert.deepEqual(host.active, ["read", "grep"]);
  assert.equal(await host.emit("before_agent_start", { systemPrompt: ["a"] }), undefined);
});

test("the rules reach omp by the system prompt and pi by the tool's guidelines", async (t) => {
  const omp = await startHost(t, { kind: "omp" });
  const { systemPrompt } = await omp.emit("before_agent_start", { systemPrompt: ["a"] });
  assert.equal(systemPrompt[0], "a");
  assert.match(systemPrompt[1], /apply_hash/);
  const pi = await startHost(t);
  assert.equal(await pi.emit("before_agent_start", { systemPrompt: "a" }), undefined);
  assert.ok(pi.tools.get("apply_hash").promptGuidelines.length > 0);
});

test("pi gets an image as an image, and a clear error for what it cannot open", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "one\n", "p.png": PNG } });
  const image = await host.call("read", { path: "p.png" });
  assert.deepEqual(
    image.content.map(({ type }) => type),
    ["text", "image"],
  );
  assert.equal(image.content[1].data, PNG.toString("base64"));
  assert.equal(image.isError, false);
  const both = await host.call("read", { paths: ["a.txt", "p.png"] });
  assert.match(both.text, /1:60\|one\n\np\.png: see below/);
  assert.doesNotMatch(both.text, /error/);
  const url = await host.call("read", { path: "skill://x" });
  assert.match(url.text, /cannot read `skill:\/\/x`: it is a URL/);
  assert.equal(url.isError, true);
});

test("pi 0.73 passes images on unchanged, so an image that no model accepts is refused with advice", async (t) => {
  const big = Buffer.concat([PNG, Buffer.alloc(4_000_000)]);
  const files = { "big.png": big, "a.bmp": Buffer.from("424d460000000000000036000000", "hex") };
  const old = await startHost(t, { files, trusted: null });
  const { text, isError } = await old.call("read", { path: "big.png" });
  assert.match(text, /`big\.png` has 4\.00 MB, and models take images of at most 3\.75 MB\nhint/);
  assert.equal(isError, true);
  assert.match((await old.call("read", { path: "a.bmp" })).text, /models take no image\/bmp\nhint/);
  // pi 1.5 converts such images itself.
  const host = await startHost(t, { files });
  for (const path of ["big.png", "a.bmp"])
    assert.equal((await host.call("read", { path })).content[1].type, "image");
});

test("a path that the host's reader cannot open does not affect the other paths", async (t) => {
  const host = await startHost(t, { kind: "omp", files: { "a.txt": "one\n" } });
  host.native = async () => {
    throw new Error("Unknown skill: nope");
  };
  const { text, isError } = await host.call("read", { paths: ["a.txt", "skill://nope"] });
  assert.match(text, /1:60\|one\n\nskill:\/\/nope: see below\nerror: Unknown skill: nope/);
  assert.equal(isError, false);
});

test("a file: URL is a file", async (t) => {
  const host = await startHost(t, { kind: "omp", files: { "a b.txt": "one\n" } });
  host.native = () => assert.fail("the host's reader was asked");
  const url = pathToFileURL(join(host.cwd, "a b.txt")).href;
  assert.match((await host.call("read", { path: url })).text, /1:60\|one/);
  assert.match((await host.call("read", { paths: [{ path: url }] })).text, /1:60\|one/);
});

test("omp's interpreters may call apply_hash with the field that they add", async (t) => {
  const host = await startHost(t, { kind: "omp" });
  const patch = [{ op: "add_file", path: "a.txt", content: "x\n" }];
  assert.equal((await host.call("apply_hash", { i: "js prelude", patch })).details.kind, "applied");
});

test("in plan mode nothing is changed", async (t) => {
  const host = await startHost(t, { kind: "omp", branch: [{ type: "mode_change", mode: "plan" }] });
  const patch = [{ op: "add_file", path: "a.txt", content: "x\n" }];
  assert.match((await host.call("apply_hash", { patch })).text, /plan mode is on/);
  host.branch.push({ type: "message" }, { type: "mode_change", mode: "none" });
  assert.equal((await host.call("apply_hash", { patch })).details.kind, "applied");
});

test("an agent that is given the host's editors gets ours instead", async (t) => {
  const host = await startHost(t);
  host.active = ["read", "bash", "edit", "write"];
  await host.emit("before_agent_start", { systemPrompt: "" });
  assert.deepEqual(host.active, ["read", "bash", "grep", "apply_hash"]);
});

for (const kind of ["pi", "omp"]) {
  test(`${kind}: an agent whose editors were left out gets none of ours`, async (t) => {
    const host = await startHost(t, { kind, active: ["read", "bash"] });
    assert.deepEqual(host.active, ["read", "bash", "grep"]);
  });
}

test("a session of pi that is resumed with our tools keeps them", async (t) => {
  const active = ["read", "bash", "grep", "apply_hash"];
  const host = await startHost(t, { active, branch: [{ type: "message" }] });
  assert.deepEqual(host.active, active);
});

test("omp's own reader reads URLs, images and archives; ours reads text", async (t) => {
  const host = await startHost(t, { kind: "omp", files: { "a.txt": "one\n", "p.png": PNG } });
  const asked = [];
  host.native = async (params) => {
    asked.push(params.path);
    return { content: [{ type: "text", text: `native ${params.path}` }] };
  };
  const all = ["a.txt", "p.png", "skill://x", "z.zip:in.txt", "nope.txt"];
  const { text } = await host.call("read", { paths: all });
  assert.deepEqual(asked.toSorted(), ["p.png", "skill://x", "z.zip:in.txt"]);
  assert.match(text, /1:60\|one/);
  assert.match(text, /native skill:\/\/x/);
  assert.match(text, /no such file: `nope.txt`/);
});

test("a search stops when it is told to", async (t) => {
  const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at % 20}/f${at}.txt`, "x\n"]));
  const host = await startHost(t, { files });
  const stopped = new AbortController();
  stopped.abort();
  await assert.rejects(host.call("grep", { pattern: "x" }, { signal: stopped.signal }), {
    name: "AbortError",
  });
  const { details } = await host.call("grep", { pattern: "x" });
  assert.equal(details.matches, 400);
});

test("a line that moved in a changed file is followed, and the report says so", async (t) => {
  const host = await startHost(t, { files: { "a.txt": "alpha one\nbeta two\ngamma three\ndelta four\n" } });
  const [, , three] = anchors((await host.call("read", { path: "a.txt" })).text);
  await writeFile(join(host.cwd, "a.txt"), "new line\nalpha one\nbeta two\ngamma three\ndelta four\n");
  const patch = [{ op: "set_line", path: "a.txt", anchor: three, text: "GAMMA" }];
  const { text } = await host.call("apply_hash", { patch });
  assert.match(text, new RegExp(`${three} moved to line 4`));
  assert.match(await readFile(join(host.cwd, "a.txt"), "utf8"), /beta two\nGAMMA\ndelta/);
});
