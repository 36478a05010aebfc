// Sessions of the host: settings, memory, recovery, commands.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startHost } from "./fake-host.mjs";

const FILES = { "a.txt": "alpha one\nbeta two\ngamma three\ndelta four\n" };
const memories = (host) => readdir(join(host.agent, "hashline", "memory"));
const anchorOf = (text, content) => new RegExp(`(\\d+:\\w+)\\|${content}`).exec(text)[1];
const set = (anchor, text) => ({ patch: [{ op: "set_line", path: "a.txt", anchor, text }] });

test("a setting that does not fit falls back to the default with one warning", async (t) => {
  const host = await startHost(t, { settings: { scheme: "crc", guard: "nudge", colour: 1, hide: "edit" } });
  const warnings = host.notices.map(({ text }) => text);
  assert.equal(warnings.length, 3);
  assert.match(warnings[0], /unknown scheme `crc`/);
  assert.match(warnings[1], /unknown option `colour`/);
  assert.match(warnings[2], /`hide` must be a list/);
  assert.equal(host.statuses.hashline, "hashline guard: nudge");
});

test("a settings file that is not JSON is one warning", async (t) => {
  const host = await startHost(t, { settings: "{guard" });
  assert.equal(host.notices.length, 1);
  assert.match(host.notices[0].text, /hashline\.json is not JSON/);
});

test("the example at the beginning of docs/settings.md is accepted", async (t) => {
  const document = await readFile(new URL("../../docs/settings.md", import.meta.url), "utf8");
  const host = await startHost(t, { settings: /```json\n([\s\S]*?)```/.exec(document)[1] });
  assert.deepEqual(host.notices, []);
  assert.equal(host.statuses.hashline, "hashline guard: nudge");
});

test("a project's settings count only if the project is trusted", async (t) => {
  const files = { ".pi/hashline.json": '{"guard": "block"}' };
  const trusted = await startHost(t, { files, settings: { guard: "nudge" } });
  assert.equal(trusted.statuses.hashline, undefined);
  const not = await startHost(t, { files, settings: { guard: "nudge" }, trusted: false });
  assert.equal(not.statuses.hashline, "hashline guard: nudge");
});

test("the schema of the settings agrees with what is accepted", async () => {
  const file = new URL("../../extension/settings.schema.json", import.meta.url);
  const { properties } = JSON.parse(await readFile(file, "utf8"));
  const { settingProblem, userSettings } = await import("../../extension/settings.ts");
  const core = await import("../../index.js");
  for (const [key, schema] of Object.entries(properties)) {
    if (key === "$schema") continue;
    assert.equal(settingProblem(core, key, schema.default), undefined, key);
    for (const choice of schema.enum ?? []) assert.equal(settingProblem(core, key, choice), undefined, key);
    for (const one of schema.anyOf ?? []) {
      const fields = Object.entries(one.properties ?? {});
      for (const [name, field] of fields) {
        const value = field.enum?.[0] ?? (field.type === "array" ? ["x"] : true);
        assert.equal(settingProblem(core, key, { [name]: value }), undefined, `${key}.${name}`);
      }
    }
  }
  assert.notEqual(settingProblem(core, "stateDir", "/x"), undefined);
  assert.notEqual(settingProblem(core, "maxPrintedBytes", 1000), undefined);
  const defaults = Object.entries(userSettings(core, "/nowhere"));
  assert.ok(defaults.length > 5);
  for (const [key, value] of defaults) assert.deepEqual(properties[key].default, value, key);
  // Every option of the core is a setting and every setting an option, except for options that only a program can set.
  const problem = settingProblem(core, "no such option", 1);
  const options = [...problem.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const own = ["root", "stateDir", "maxPrintedBytes", "journalDir", "undo"];
  assert.deepEqual(
    options.filter((name) => !own.includes(name)).toSorted(),
    Object.keys(properties)
      .filter((key) => !["$schema", "hide", "constrainedSampling", "afterApply", "filesFollow"].includes(key))
      .toSorted(),
  );
});

test("two sessions in one process know nothing of each other", async (t) => {
  const host = await startHost(t, { files: FILES });
  const { text } = await host.call("read", { path: "a.txt" });
  const anchor = anchorOf(text, "beta");
  host.id = "sub-agent";
  assert.match((await host.call("apply_hash", set(anchor, "BETA"))).text, /was not shown in this session/);
});

test("a resumed session still knows what it was shown", async (t) => {
  const host = await startHost(t, { files: FILES, file: "/sessions/s1.jsonl" });
  const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "gamma");
  await host.emit("session_shutdown", { reason: "quit" });
  assert.deepEqual(await memories(host), ["s1"]);
  await writeFile(join(host.cwd, "a.txt"), `new\n${FILES["a.txt"]}`);
  await host.emit("session_start", { reason: "resume" });
  const { text } = await host.call("apply_hash", set(anchor, "GAMMA"));
  assert.match(text, /moved to line 4/);
  assert.doesNotMatch(text, /unverified/);
});

test("a session that the host does not keep leaves no memory, unless it is only reloaded", async (t) => {
  const host = await startHost(t, { files: FILES });
  await host.call("read", { path: "a.txt" });
  await host.emit("session_shutdown", { reason: "reload" });
  assert.deepEqual(await memories(host), ["s1"]);
  await host.emit("session_start", { reason: "reload" });
  await host.emit("session_shutdown", { reason: "quit" });
  assert.deepEqual(await memories(host), []);
});

for (const [kind, event] of [
  ["pi", "session_start"],
  ["omp", "session_switch"],
  ["omp", "session_branch"],
]) {
  test(`a fork begins with what its origin was shown (${kind}, ${event})`, async (t) => {
    const host = await startHost(t, { kind, files: FILES, file: "/sessions/s1.jsonl" });
    const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "beta");
    const origin = join(host.agent, "s1.jsonl");
    await writeFile(origin, `${JSON.stringify({ type: "session", id: "s1" })}\n{}\n`);
    host.id = "s2";
    await host.emit(event, { reason: "fork", previousSessionFile: origin });
    assert.doesNotMatch((await host.call("apply_hash", set(anchor, "BETA"))).text, /unverified/);
  });
}

test("a fork of a damaged or missing session file inherits nothing, without a warning", async (t) => {
  const host = await startHost(t, { files: FILES });
  const broken = join(host.agent, "x.jsonl");
  await writeFile(broken, "not json\n");
  for (const previousSessionFile of [broken, join(host.agent, "gone.jsonl")]) {
    await host.emit("session_start", { reason: "fork", previousSessionFile });
  }
  assert.deepEqual(host.notices, []);
});

test("memories that have not been used for long are removed", async (t) => {
  // Use no host, because a host would tidy up at the same time.
  const agent = await mkdtemp(join(tmpdir(), "hashline-tidy-"));
  t.after(() => rm(agent, { recursive: true, maxRetries: 10, force: true }));
  const seen = (id) => join(agent, "hashline", "memory", id, "seen", "log");
  for (const id of ["old", "young"]) {
    await mkdir(dirname(seen(id)), { recursive: true });
    await writeFile(seen(id), "");
  }
  await utimes(seen("old"), new Date(0), new Date(0));
  const { HostSessions } = await import("../../extension/host-sessions.ts");
  await new HostSessions(undefined, undefined, agent).tidy();
  assert.deepEqual(await memories({ agent }), ["young"]);
});

test("undo undoes the last patch and tells the model", async (t) => {
  const host = await startHost(t, { files: FILES });
  const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "beta");
  await host.call("apply_hash", set(anchor, "BETA"));
  const { text, kind } = await host.type("hashline", "undo");
  assert.match(text, /^Undid the last patch: 1 file/);
  assert.equal(kind, "info");
  assert.equal(await readFile(join(host.cwd, "a.txt"), "utf8"), FILES["a.txt"]);
  assert.match(host.messages[0].content, /The user ran \/hashline undo/);
  assert.equal((await host.type("hashline", "undo")).kind, "error");
  assert.equal(host.messages.length, 1);
});

test("status says what is on", async (t) => {
  const host = await startHost(t);
  const { text } = await host.type("hashline", "status");
  assert.match(text, /tools: read, grep, apply_hash; guard: block/);
});

test("config shows the settings, sets one, and refuses what does not fit", async (t) => {
  const host = await startHost(t, { files: FILES, settings: { maxLines: 500 } });
  const listed = (await host.type("hashline", "config")).text;
  assert.match(listed, /^"maxLines": 500 \(.*hashline\.json\)$/m);
  assert.match(listed, /^"report": "short" \(default\)$/m);
  assert.match(
    (await host.type("hashline", "config guard nudge")).text,
    /^guard is "nudge" in .*, in force now/,
  );
  assert.match((await host.call("bash", { command: "cat a.txt" })).text, /^ran/);
  assert.equal(host.statuses.hashline, "hashline guard: nudge");
  const file = join(host.agent, "hashline.json");
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { maxLines: 500, guard: "nudge" });
  for (const wrong of ["config guard maybe", "config colour red", "config guard", "config stateDir /x"]) {
    assert.equal((await host.type("hashline", wrong)).kind, "error", wrong);
  }
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), { maxLines: 500, guard: "nudge" });
});

test("config does not write to a file that it cannot read", async (t) => {
  const host = await startHost(t, { settings: "{guard" });
  assert.match((await host.type("hashline", "config guard nudge")).text, /is not JSON/);
  assert.equal(await readFile(join(host.agent, "hashline.json"), "utf8"), "{guard");
});

test("doctor reports no problem if there is none", async (t) => {
  const host = await startHost(t);
  const { text, kind } = await host.type("hashline", "doctor");
  assert.match(text, /all is well$/);
  assert.equal(kind, "info");
});

test("doctor names what is wrong", async (t) => {
  const host = await startHost(t, { settings: { guard: "off", scheme: "crc" } });
  host.others.set("read", { name: "read", description: "other", sourceInfo: { path: "/ext/other.ts" } });
  host.active.push("edit");
  const { text, kind } = await host.type("hashline", "doctor");
  assert.match(text, /✗ .*unknown scheme `crc`/);
  assert.match(text, /✗ guard: off/);
  assert.match(text, /✗ `read` comes from \/ext\/other\.ts/);
  assert.match(text, /✗ edit came back/);
  assert.equal(kind, "warning");
});

test("an unknown command is answered with the list of commands", async (t) => {
  const host = await startHost(t);
  for (const name of ["fly", "toString"]) {
    const { text, kind } = await host.type("hashline", name);
    assert.match(text, /there is no `\/hashline \w+`; there are:\n {2}\/hashline undo/);
    assert.equal(kind, "error");
  }
});

test("doctor removes temporary files of dead processes", async (t) => {
  const host = await startHost(t, { files: FILES });
  const threeDaysAgo = Date.now() - 3 * 86_400_000;
  const lost = join(host.cwd, `.hashline-7ffffff0-${(threeDaysAgo * 1000).toString(16)}0-1.tmp`);
  await writeFile(lost, "x");
  await utimes(lost, new Date(threeDaysAgo + 1000), new Date(threeDaysAgo + 1000));
  assert.match((await host.type("hashline", "doctor")).text, /✓ removed 1 temporary file of dead processes/);
  await assert.rejects(readFile(lost), { code: "ENOENT" });
});

test("a memory that is used again just before it expires is not removed", async (t) => {
  const host = await startHost(t, { files: FILES, file: "/sessions/s1.jsonl" });
  const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "beta");
  await host.emit("session_shutdown", { reason: "quit" });
  const seen = join(host.agent, "hashline", "memory", "s1", "seen", "log");
  await utimes(seen, new Date(0), new Date(0));
  await host.emit("session_start", { reason: "resume" });
  const { HostSessions } = await import("../../extension/host-sessions.ts");
  await new HostSessions(undefined, undefined, host.agent).tidy();
  assert.doesNotMatch((await host.call("apply_hash", set(anchor, "BETA"))).text, /unverified/);
});

test("an omp that starts with a fork knows what the fork's origin was shown; a sub-agent knows nothing", async (t) => {
  const host = await startHost(t, { kind: "omp", files: FILES, file: "/sessions/s1.jsonl" });
  const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "beta");
  const unverified = async (id, parentSession) => {
    host.id = id;
    host.header = { parentSession };
    await host.emit("session_start");
    const { text } = await host.call("apply_hash", {
      patch: [{ op: "insert_after", path: "a.txt", anchor, text: id }],
    });
    return /unverified/.test(text);
  };
  assert.equal(await unverified("sub", "/sessions/s1.jsonl"), true);
  assert.equal(await unverified("fork", "s1"), false);
});

test("a fork of a session that pi does not keep knows what its origin was shown", async (t) => {
  const host = await startHost(t, { files: FILES });
  const anchor = anchorOf((await host.call("read", { path: "a.txt" })).text, "beta");
  await host.emit("session_shutdown", { reason: "fork" });
  const origin = join(host.agent, "s1.jsonl");
  await writeFile(origin, `${JSON.stringify({ type: "session", id: "s1" })}\n`);
  host.id = "s2";
  await host.emit("session_start", { reason: "fork", previousSessionFile: origin });
  assert.doesNotMatch((await host.call("apply_hash", set(anchor, "BETA"))).text, /unverified/);
});

test("a project's settings cannot allow writing outside the project", async (t) => {
  const files = { ".pi/hashline.json": '{"allowOutside": true}' };
  const host = await startHost(t, { files });
  assert.match(host.notices[0].text, /`allowOutside` is for the user's own settings/);
  const patch = [{ op: "add_file", path: "../out.txt", content: "x" }];
  assert.equal((await host.call("apply_hash", { patch })).isError, true);
  const allowed = await startHost(t, { settings: { allowOutside: true } });
  assert.equal((await allowed.call("apply_hash", { patch })).isError, false);
});

test("a project's settings may make the extension stricter, never laxer", async (t) => {
  const laxSettings = {
    allowOutside: "true",
    allowGit: true,
    durability: "fast",
    guard: "off",
    hide: [],
  };
  const files = { ".pi/hashline.json": JSON.stringify(laxSettings) };
  const host = await startHost(t, { settings: { hide: ["edit"] }, files });
  const said = host.notices.map(({ text }) => text).join("\n");
  for (const key of ["allowOutside", "allowGit", "durability", "guard"]) assert.match(said, new RegExp(key));
  const { loadSettings } = await import("../../extension/settings.ts");
  const core = await import("../../index.js");
  const load = (user, project) => loadWith(t, loadSettings, core, user, project).settings;
  assert.deepEqual(load({ hide: ["edit"] }, { hide: ["write"] }).hide, ["edit", "write"]);
  const lax = load({ guard: { mode: "nudge", extraReaders: ["mycat"] } }, { guard: { mode: "off" } });
  assert.equal(lax.guard.mode, "nudge");
  const strict = load({ guard: { mode: "nudge", extraReaders: ["mycat"] } }, { guard: { mode: "block" } });
  assert.deepEqual(strict.guard, { mode: "block", extraReaders: ["mycat"], extraWriters: [] });
  const allowed = load({}, { guard: { allowedPaths: ["vendor"] } });
  assert.equal(allowed.guard, "block");
  assert.equal(load({}, { allowOutside: false }).allowOutside, false);
  assert.equal(load({ durability: "fast" }, { durability: "full" }).durability, "full");
});

test("settings files that are large or not regular are skipped at once, with a warning", async (t) => {
  const { loadSettings } = await import("../../extension/settings.ts");
  const core = await import("../../index.js");
  const check = (make, reason) => {
    const { directory, load } = loadWith(t, loadSettings, core, {}, undefined, true);
    make(join(directory, ".pi", "hashline.json"));
    const { warnings, settings } = load();
    assert.match(warnings.join("\n"), reason);
    assert.equal(settings.guard, "block");
  };
  check((path) => writeFileSync(path, " ".repeat((1 << 20) + 1)), /larger than 1 MB/);
  check((path) => mkdirSync(path), /not a regular file/);
  check((path) => writeFileSync(path, '{"a\\u001b[2Jb": 1}'), /a\\x1b\[2Jb|a\\u\{1b\}\[2Jb/);
  if (process.platform === "win32") return;
  check((path) => execFileSync("mkfifo", [path]), /not a regular file/);
  check((path) => symlinkSync("/dev/zero", path), /not a regular file/);
});

test("a session's memory is always inside the memory directory", async () => {
  const { HostSessions } = await import("../../extension/host-sessions.ts");
  const sessions = new HostSessions(undefined, undefined, "/agent");
  for (const id of ["..", ".", "", "../../x", "a/b"]) {
    const path = sessions.memoryOf({ sessionManager: { getSessionId: () => id } });
    assert.equal(dirname(path), join("/agent", "hashline", "memory"), id);
  }
});

/** Loads the settings of a user and of a project together; with `later`, returns a function that loads them. */
function loadWith(t, loadSettings, core, user, project, later = false) {
  const directory = mkdtempSync(join(tmpdir(), "hashline-settings-"));
  t.after(() => rmSync(directory, { recursive: true, maxRetries: 10 }));
  mkdirSync(join(directory, ".pi"));
  writeFileSync(join(directory, "hashline.json"), JSON.stringify(user));
  if (project) writeFileSync(join(directory, ".pi", "hashline.json"), JSON.stringify(project));
  const load = () => loadSettings(core, directory, { cwd: directory });
  return later ? { directory, load } : load();
}

test("a settings file that is a link stays a link", async (t) => {
  const host = await startHost(t);
  const elsewhere = join(host.agent, "dotfiles.json");
  await writeFile(elsewhere, '{"maxLines": 7}');
  await symlink(elsewhere, join(host.agent, "hashline.json"));
  await host.type("hashline", "config guard off");
  assert.deepEqual(JSON.parse(await readFile(elsewhere, "utf8")), { maxLines: 7, guard: "off" });
});

test("settings that cannot be read are reported, and never overwritten", async (t) => {
  const host = await startHost(t);
  await mkdir(join(host.agent, "hashline.json"));
  assert.match((await host.type("hashline", "config guard off")).text, /cannot read .*hashline\.json/);
  host.id = "s2";
  await host.emit("session_start", { reason: "new" });
  assert.match(host.notices.at(-1).text, /cannot read .*hashline\.json/);
});

test("a setting that cannot change within a session is announced for the next", async (t) => {
  const host = await startHost(t, { files: FILES });
  assert.match((await host.type("hashline", "config scheme fnv1a")).text, /from the next session on$/);
  assert.match((await host.type("hashline", "config hide []")).text, /from the next session on$/);
  assert.match((await host.call("read", { path: "a.txt" })).text, /1:fc\|alpha one/);
});

test("the model's texts show anchors of the scheme that it will see", async (t) => {
  const host = await startHost(t, { files: { "a.js": "let n = 0;\n" }, settings: { scheme: "cid" } });
  const { text } = await host.call("read", { path: "a.js" });
  const [shown] = /^1#\w+\|let n = 0;$/m.exec(text);
  assert.ok(host.tools.get("apply_hash").description.includes(shown));
  assert.match(host.tools.get("read").description, /LINE#HASH/);
  assert.match(JSON.stringify(host.tools.get("apply_hash").parameters), /LINE#HASH/);
});

test("a turn is undone as a whole, redone, and listed", async (t) => {
  const host = await startHost(t, { files: FILES });
  const replace = (old_text, new_text) => ({ patch: [{ op: "replace", path: "a.txt", old_text, new_text }] });
  const text = () => readFile(join(host.cwd, "a.txt"), "utf8");
  await host.emit("before_agent_start", { systemPrompt: "a" });
  await host.call("apply_hash", replace("alpha", "ALPHA"));
  await host.emit("before_agent_start", { systemPrompt: "a" });
  await host.call("apply_hash", replace("beta", "BETA"));
  await host.call("apply_hash", replace("gamma", "GAMMA"));
  const { text: listed } = await host.type("hashline", "history");
  assert.equal(listed.match(/a\.txt/g).length, 3);
  assert.equal(listed.match(/with newer patches; undo those first/g).length, 2, listed);
  assert.match(listed, /^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}a\.txt/m);
  assert.equal((await host.type("hashline", "undo turn")).kind, "info");
  assert.equal(await text(), "ALPHA one\nbeta two\ngamma three\ndelta four\n");
  assert.match(host.messages.at(-1).content, /^The user ran \/hashline undo turn\./);
  assert.equal((await host.type("hashline", "undo turn")).kind, "error", "it was undone already");
  assert.equal((await host.type("hashline", "redo")).kind, "info");
  for (const word of ["BETA", "GAMMA"]) assert.ok((await text()).includes(word));
  assert.match(host.messages.at(-1).content, /^The user ran \/hashline redo\./);
  assert.equal((await host.type("hashline", "redo")).kind, "error");
  const [receipt] = /^\S+/.exec((await host.type("hashline", "history")).text);
  assert.equal((await host.type("hashline", `undo ${receipt}`)).kind, "info");
  assert.ok(!(await text()).includes("GAMMA"));
  await writeFile(join(host.cwd, "a.txt"), "somebody else's\n");
  assert.match(
    (await host.type("hashline", "history")).text,
    /with later changes; it cannot be undone as a whole/,
  );
});

const THREE = { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" };

/** Plays a turn of three patches, one for each file; `left` shows as `+` each file that still has its change. */
async function threePatches(t) {
  const host = await startHost(t, { files: THREE });
  await host.emit("before_agent_start", { systemPrompt: "a" });
  for (const path of Object.keys(THREE)) {
    await host.call("apply_hash", { patch: [{ op: "replace", path, old_text: "one", new_text: "TWO" }] });
  }
  const left = async () => {
    const texts = Object.keys(THREE).map((path) => readFile(join(host.cwd, path), "utf8"));
    return (await Promise.all(texts)).map((text) => (text.includes("TWO") ? "+" : "-")).join("");
  };
  return { host, left, type: async (command) => (await host.type("hashline", command)).kind };
}

test("if one patch of a turn cannot be undone, that is an error, and the other patches stay in the turn", async (t) => {
  const { host, left, type } = await threePatches(t);
  await writeFile(join(host.cwd, "b.txt"), "TWO\nby the user\n");
  assert.equal(await type("undo turn"), "error", "it is half done");
  assert.equal(await left(), "++-");
  assert.match(host.messages.at(-1).content, /c\.txt/, "the model hears of what was undone");
  await writeFile(join(host.cwd, "b.txt"), "TWO\n");
  assert.equal(await type("undo turn"), "info");
  assert.equal(await left(), "---");
});

test("a turn can be undone after one of its patches was, and redone patches belong to it", async (t) => {
  const { left, type } = await threePatches(t);
  assert.equal(await type("undo"), "info");
  assert.equal(await type("undo turn"), "info");
  assert.equal(await left(), "---");
  // The two patches of the turn were undone together, the other one before them.
  for (const _ of ["turn", "one"]) assert.equal(await type("redo"), "info");
  assert.equal(await left(), "+++");
  assert.equal(await type("undo turn"), "info");
  assert.equal(await left(), "---");
});

test("a patch of an earlier turn still belongs to that turn after it is redone", async (t) => {
  const { host, left, type } = await threePatches(t);
  const [first] = (await host.type("hashline", "history")).text.match(/^\S+(?=.*a\.txt)/m);
  await host.emit("before_agent_start", { systemPrompt: "a" });
  assert.equal(await type(`undo ${first}`), "info");
  assert.equal(await type("redo"), "info");
  assert.equal(await type("undo turn"), "error", "the last turn changed no file");
  assert.equal(await left(), "+++");
});

test("without a binary the person is told why, and how to install it in this host", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "hashline-broken-"));
  t.after(() => rm(root, { recursive: true, maxRetries: 10, force: true }));
  await cp(new URL("../../extension", import.meta.url), join(root, "extension"), { recursive: true });
  await writeFile(join(root, "package.json"), '{"type": "module"}');
  await writeFile(join(root, "index.js"), 'throw new Error("no binary here");');
  const { default: extension } = await import(pathToFileURL(join(root, "extension", "index.ts")).href);
  for (const [kind, again] of [
    ["pi", "pi install npm:pi-hash"],
    ["omp", "omp install pi-hash"],
  ]) {
    const told = [];
    const context = { hasUI: true, ui: { notify: (text) => told.push(text) } };
    const started = [];
    const host = {
      on: (event, handler) => event === "session_start" && started.push(handler),
      registerCommand() {},
      ...(kind === "omp" && { zod: {}, logger: {} }),
    };
    await extension(host);
    for (const handler of started) await handler({}, context);
    assert.equal(told.length, 1);
    assert.match(told[0], /no binary here/);
    assert.ok(told[0].includes(again), told[0]);
  }
});

test("after an event that hides earlier results from the model, nothing counts as shown, but anchors stay known", async (t) => {
  const events = [
    ["session_compact", {}],
    ["session_tree", {}],
    ["session_branch", {}],
    ["session_switch", { reason: "resume" }],
    ["session_start", { reason: "resume" }],
  ];
  for (const [event, details] of events) {
    const host = await startHost(t, { files: FILES });
    const { text: shown } = await host.call("read", { path: "a.txt" });
    const changes = () => host.call("read", { path: "a.txt", changes: true });
    assert.equal((await changes()).text, "a.txt (4 lines, unchanged since shown)");
    await host.emit(event, details);
    assert.match((await changes()).text, /^a\.txt \(lines 1-4 of 4, not shown before\)\n1:/, event);
    await writeFile(join(host.cwd, "a.txt"), `new\n${FILES["a.txt"]}`);
    await host.emit(event, details);
    const { text } = await host.call("apply_hash", set(anchorOf(shown, "beta two"), "BETA"));
    assert.match(text, /^2:\w+ moved to line 3/m, event);
    assert.doesNotMatch(text, /unverified/, event);
  }
});

test("a complete word after /hashline is not offered as a completion", async (t) => {
  const host = await startHost(t, { files: FILES });
  const offered = (prefix) => host.commands.get("hashline").getArgumentCompletions(prefix);
  assert.deepEqual(await offered("statu"), [{ value: "status", label: "status" }]);
  assert.deepEqual(await offered("status"), []);
});
