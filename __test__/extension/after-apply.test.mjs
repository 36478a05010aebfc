// Changes to a patch's files by the user's `afterApply` command and by extensions that format files.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { runAfterApply } from "../../extension/after-apply.ts";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\ntwo\nthree\n" };

/** A program that writes its files in capitals, and stores which arguments it got. */
const SHOUT = `const fs = require("node:fs");
for (const file of process.argv.slice(1)) fs.writeFileSync(file, fs.readFileSync(file, "utf8").toUpperCase());
fs.writeFileSync("arguments.json", JSON.stringify(process.argv.slice(1)));`;

const text = (host, name) => readFile(join(host.cwd, name), "utf8");
const replace = (path, old_text, new_text) => ({ patch: [{ op: "replace", path, old_text, new_text }] });

test("a command runs on the files of a patch, and the model gets the lines that it changed", async (t) => {
  const name = "odd $(touch x) name.txt";
  const settings = { afterApply: [process.execPath, "-e", SHOUT, "{files}"] };
  const host = await startHost(t, { files: { ...FILES, [name]: "four\n" }, settings });
  await host.call("read", { paths: ["a.txt", name] });
  const { patch } = replace("a.txt", "two", "2");
  const result = await host.call("apply_hash", { patch: [...patch, ...replace(name, "four", "4").patch] });
  assert.equal(result.isError, false);
  assert.deepEqual(JSON.parse(await text(host, "arguments.json")), ["a.txt", name]);
  assert.equal(await text(host, "a.txt"), "ONE\n2\nTHREE\n");
  assert.match(
    result.text,
    /Changed by another program after the patch:\na\.txt \(3 lines, \+2 -2 since shown\)/,
  );
  const [, anchor] = /^\+(3:\w+)\|THREE$/m.exec(result.text);
  const next = await host.call("apply_hash", {
    patch: [{ op: "set_line", path: "a.txt", anchor, text: "3" }],
  });
  assert.equal(next.details.kind, "applied", next.text);
  for (const _ of [1, 2]) assert.equal((await host.type("hashline", "undo")).kind, "info");
  assert.equal(await text(host, "a.txt"), FILES["a.txt"]);
});

test("a command that fails is reported, and nothing is undone", async (t) => {
  const fail = ["-e", "console.error('no such rule'); process.exit(2)"];
  const host = await startHost(t, { files: FILES, settings: { afterApply: [process.execPath, ...fail] } });
  const result = await host.call("apply_hash", replace("a.txt", "two", "2"));
  assert.match(result.text, /afterApply: `.*` failed \(2\); the patch stays\nno such rule/);
  assert.equal(await text(host, "a.txt"), "one\n2\nthree\n");
  assert.match(await runAfterApply(["no-such-program"], [], host.cwd), /ENOENT|not found/);
});

test("a file whose changes an undo cannot include is named, and the patch still counts as applied", async (t) => {
  const program = "for (const f of process.argv.slice(1)) { fs.rmSync(f); fs.mkdirSync(f); }";
  const settings = { afterApply: [process.execPath, "-e", program, "{files}"] };
  const host = await startHost(t, { files: FILES, settings });
  const result = await host.call("apply_hash", replace("a.txt", "two", "2"));
  assert.equal(result.isError, false, result.text);
  assert.match(result.text, /^Applied/);
  assert.match(
    result.text,
    /note: an undo of this patch does not undo what others have made of its files: cannot read `/,
  );
});

/**
 * Whether a process exists and has not ended. An ended one stays in the process table until its parent asks for the
 * exit code.
 */
async function isRunning(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""));
}

test("a command that hangs is ended together with the processes that it started", {
  skip: process.platform === "win32",
  timeout: 600_000,
}, async (t) => {
  const host = await startHost(t);
  const command = ["sh", "-c", "sleep 6000 & echo $!; wait"];
  // The timeout doubles until even a busy machine has started the program and its child.
  let child;
  for (let time = 300; child === undefined; time *= 2) {
    const report = await runAfterApply(command, [], host.cwd, time);
    assert.ok(report.includes(`took more than ${time / 1000} s and was ended`), report);
    child = /\n(\d+)$/.exec(report)?.[1];
  }
  while (await isRunning(Number(child))) await new Promise(setImmediate);
});

test("a project's settings cannot set afterApply", async (t) => {
  const host = await startHost(t, { files: FILES });
  await mkdir(join(host.cwd, ".pi"));
  await writeFile(join(host.cwd, ".pi", "hashline.json"), '{"afterApply": ["rm", "{files}"]}');
  host.id = "another";
  await host.emit("session_start", { reason: "new" });
  assert.ok(host.notices.some(({ text }) => /`afterApply` is for the user's own settings/.test(text)));
  await host.call("apply_hash", replace("a.txt", "two", "2"));
  assert.equal(await text(host, "a.txt"), "one\n2\nthree\n");
});

test("changes by an extension that formats before us are shown with anchors, and undone with the patch", async (t) => {
  const host = await startHost(t, { files: FILES });
  const [ours] = host.handlers.get("tool_result");
  const formatter = ({ toolName }) =>
    toolName === "apply_hash" && writeFile(join(host.cwd, "a.txt"), "one\n2\nTHREE\n").then(() => undefined);
  host.handlers.set("tool_result", [formatter, ours]);
  await host.call("read", { path: "a.txt" });
  const result = await host.call("apply_hash", replace("a.txt", "two", "2"));
  assert.match(
    result.text,
    /after the patch:\na\.txt \(3 lines, \+1 -1 since shown\)\n(?:.*\n)*\+3:\w+\|THREE/,
  );
  host.handlers.set("tool_result", [ours]);
  assert.equal((await host.type("hashline", "undo")).kind, "info");
  assert.equal(await text(host, "a.txt"), FILES["a.txt"]);
});

test("changes by an extension that formats after us are shown once, by the next result, and undone with the patch", async (t) => {
  const host = await startHost(t, { files: { ...FILES, "b.txt": "four\n" } });
  const [ours] = host.handlers.get("tool_result");
  const formatter = ({ toolName }) =>
    toolName === "apply_hash" && writeFile(join(host.cwd, "a.txt"), "one\n2\nTHREE\n").then(() => undefined);
  host.handlers.set("tool_result", [ours, formatter]);
  await host.call("read", { paths: ["a.txt", "b.txt"] });
  assert.doesNotMatch((await host.call("apply_hash", replace("a.txt", "two", "2"))).text, /THREE/);
  const next = await host.call("read", { path: "b.txt" });
  assert.match(
    next.text,
    /four\n\nChanged by .*:\na\.txt \(3 lines, \+1 -1 since shown\)\n(?:.*\n)*\+3:\w+\|THREE/,
  );
  assert.doesNotMatch((await host.call("read", { path: "b.txt" })).text, /a\.txt/);
  host.handlers.set("tool_result", [ours]);
  await host.call("apply_hash", replace("b.txt", "four", "4"));
  for (const _ of [1, 2]) assert.equal((await host.type("hashline", "undo")).kind, "info");
  assert.equal(await text(host, "a.txt"), FILES["a.txt"]);
});

test("changes that a person makes later are not part of the patch", async (t) => {
  const host = await startHost(t, { files: FILES });
  await host.call("apply_hash", replace("a.txt", "two", "2"));
  await writeFile(join(host.cwd, "a.txt"), "mine\n");
  await host.call("read", { path: "a.txt" });
  assert.match((await host.type("hashline", "undo")).text, /`a\.txt` has other content now/);
});

test("after a formatter, only a few lines are shown of a file that the model was never shown", async (t) => {
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}\n`).join("");
  const settings = { afterApply: [process.execPath, "-e", SHOUT, "{files}"] };
  const host = await startHost(t, { files: { "a.txt": lines }, settings });
  const result = await host.call("apply_hash", replace("a.txt", "line 500", "five hundred"));
  assert.match(result.text, /Changed by another program after the patch:\na\.txt \(/);
  assert.ok(result.text.length < 2000, `${result.text.length} bytes`);
});
