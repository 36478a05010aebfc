// The dialogs of `/hashline` for a person at a screen. Without a screen the command acts at once;
// `__test__/hosts` tests that.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "one\ntwo\n", "b.txt": "three\n" };

/** A host at a screen, after a turn that changed both files. */
async function editedHost(t) {
  const host = await startHost(t, { files: FILES });
  host.mode = "tui";
  await host.emit("before_agent_start", { systemPrompt: "" });
  await host.call("read", { paths: ["a.txt", "b.txt"] });
  const replace = (path, old_text, new_text) => ({ op: "replace", path, old_text, new_text });
  await host.call("apply_hash", { patch: [replace("a.txt", "one", "1"), replace("b.txt", "three", "3")] });
  await host.call("apply_hash", { patch: [replace("a.txt", "two", "2")] });
  return host;
}

const text = (host, name) => readFile(join(host.cwd, name), "utf8");

test("undo shows what it will change, and does nothing unless the person agrees", async (t) => {
  const host = await editedHost(t);
  for (const answer of [undefined, "Leave everything as it is"]) {
    host.answers = [answer];
    assert.equal((await host.type("hashline", "undo")).text, "nothing was changed");
    assert.equal(await text(host, "a.txt"), "1\n2\n");
  }
  assert.match(host.asked[0].title, /^This would change:\n--- a\/a\.txt\n(?:.*\n)*-2\n\+two$/);
  host.answers = ["Undo it"];
  assert.match((await host.type("hashline", "undo")).text, /^Undid/);
  assert.equal(await text(host, "a.txt"), "1\ntwo\n");
  host.answers = ["Undo it"];
  await host.type("hashline", "undo turn");
  assert.deepEqual([await text(host, "a.txt"), await text(host, "b.txt")], ["one\ntwo\n", "three\n"]);
});

test("a turn that was undone together is redone together", async (t) => {
  const host = await editedHost(t);
  host.answers = ["Undo it"];
  await host.type("hashline", "undo turn");
  assert.equal(await text(host, "a.txt"), "one\ntwo\n");
  await host.type("hashline", "redo");
  assert.deepEqual([await text(host, "a.txt"), await text(host, "b.txt")], ["1\n2\n", "3\n"]);
  host.answers = ["Undo it"];
  await host.type("hashline", "undo turn");
  assert.equal(await text(host, "a.txt"), "one\ntwo\n");
});

test("if a file changed since, the other files can be undone, or the difference shown", async (t) => {
  const host = await editedHost(t);
  host.mode = "rpc";
  const receipt = (await host.type("hashline", "history")).text.split("\n")[1].split(" ")[0];
  host.mode = "tui";
  await writeFile(join(host.cwd, "a.txt"), "mine\n");
  host.asked = [];
  host.answers = ["Show what changed since"];
  assert.match((await host.type("hashline", `undo ${receipt}`)).text, /^-one\n-two\n\+mine$/m);
  assert.match(host.asked[0].title, /^`a\.txt` has other content now\. Without that:\n--- a\/b\.txt/);
  host.answers = ["Undo the other files"];
  await host.type("hashline", `undo ${receipt}`);
  assert.deepEqual([await text(host, "a.txt"), await text(host, "b.txt")], ["mine\n", "three\n"]);
});

test("a person can pick a patch from the history, and a setting from the settings", async (t) => {
  const host = await editedHost(t);
  host.answers = [undefined];
  await host.type("hashline", "history");
  const [row] = host.asked[0].options;
  assert.match(row, /^\S+ {2}[\d :-]+ {2}a\.txt \+1 -1$/);
  host.answers = [row, "Undo it", "Undo it"];
  await host.type("hashline", "history");
  assert.equal(await text(host, "a.txt"), "1\ntwo\n");
  host.answers = ['durability: "full" (default)', '"fast"'];
  assert.match((await host.type("hashline", "config")).text, /^durability is "fast" in .*, in force now$/);
});

test("an unknown receipt is reported, and a person reads nothing about anchors", async (t) => {
  const host = await editedHost(t);
  for (const command of ["undo", "diff"]) {
    assert.deepEqual(await host.type("hashline", `${command} r9`), {
      text: "no patch r9 is kept; /hashline history lists those that are",
      kind: "error",
    });
  }
  host.answers = ["Undo it"];
  for (const command of ["undo", "redo"]) {
    assert.doesNotMatch((await host.type("hashline", command)).text, /anchors|read again/i);
    assert.match(host.messages.at(-1).content, /anchors/i);
  }
});

test("receipts of kept patches and names of settings are completed", async (t) => {
  const host = await editedHost(t);
  const complete = async (prefix) => {
    const found = await host.commands.get("hashline").getArgumentCompletions(prefix);
    return found.map(({ value }) => value);
  };
  const before = await complete("undo ");
  assert.deepEqual(before.slice(0, 2), ["undo turn", "undo --others"]);
  assert.equal(before.length, 4);
  assert.deepEqual(await complete("config dur"), ["config durability"]);
  assert.deepEqual(await complete("undo turn"), []);
  host.answers = ["Undo it"];
  await host.type("hashline", "undo");
  assert.deepEqual(await complete("diff "), [before[3].replace("undo", "diff")]);
  await host.emit("session_shutdown", { reason: "resume" });
  await host.emit("session_start", { reason: "resume" });
  assert.equal((await complete("diff ")).length, 1);
});

test("after a setting is changed, the turn can still be undone and redone", async (t) => {
  const host = await editedHost(t);
  await host.type("hashline", "config durability fast");
  host.answers = ["Undo it"];
  await host.type("hashline", "undo turn");
  assert.equal(await text(host, "a.txt"), FILES["a.txt"]);
  await host.type("hashline", "config durability full");
  await host.type("hashline", "redo");
  assert.equal(await text(host, "a.txt"), "1\n2\n");
});

test("files go back with the conversation if the person agrees", async (t) => {
  const host = await startHost(t, { files: FILES });
  host.mode = "tui";
  const set = (old_text, new_text) => ({ patch: [{ op: "replace", path: "a.txt", old_text, new_text }] });
  const entries = [];
  for (const [at, args] of [set("one", "1"), set("two", "2")].entries()) {
    const { details } = await host.call("apply_hash", args);
    entries.push({
      type: "message",
      id: `e${at}`,
      message: { role: "toolResult", toolName: "apply_hash", details },
    });
  }
  host.branches = { e1: entries, e0: entries.slice(0, 1) };
  const goBack = () => host.emit("session_tree", { oldLeafId: "e1", newLeafId: "e0" });
  host.answers = ["Leave the files as they are"];
  await goBack();
  assert.match(host.asked[0].title, /^1 patch was made in the part/);
  assert.equal(await text(host, "a.txt"), "1\n2\n");
  host.answers = ["Undo the files, too"];
  await goBack();
  assert.equal(await text(host, "a.txt"), "1\ntwo\n");
  host.branch = entries;
  host.answers = ["Undo the files, too"];
  await host.emit("session_before_fork", { entryId: "e0", position: "before" });
  assert.equal(await text(host, "a.txt"), "one\ntwo\n");
  const asked = host.asked.length;
  await goBack();
  assert.equal(host.asked.length, asked, "there is nothing left to undo");
  const { details } = await host.call("apply_hash", set("one", "1"));
  entries[1].message.details = details;
  await writeFile(join(host.cwd, "a.txt"), "mine\n");
  host.answers = ["Undo the files, too"];
  await goBack();
  // The host redraws the conversation afterwards, so a notice would be gone before anyone reads it.
  const { title } = host.asked.at(-1);
  assert.match(title, /^nothing was changed: .*\n {2}`a\.txt` has other content now$/);
  assert.equal(await text(host, "a.txt"), "mine\n");
});

test("stats prints what was done as a table and as JSON", async (t) => {
  const host = await editedHost(t);
  const { text: table } = await host.type("hashline", "stats");
  assert.match(table, /^ +this session +in all\nreads +1 +\d+\n/);
  assert.match(table, /^patches applied +2 +\d+\n {2}edits in them +3 +\d+$/m);
  const { session, total } = JSON.parse((await host.type("hashline", "stats --json")).text);
  assert.deepEqual([session.patches, session.edits, session.refused], [2, 3, 0]);
  assert.ok(total.patches >= 2);
  await host.type("hashline", "config stats false");
  assert.match((await host.type("hashline", "stats")).text, /`stats` is switched off: nothing is kept/);
});
