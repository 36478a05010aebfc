// The class Session as a host sees it: promises, signals, progress, errors.

import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";

import { checkSetting, defaultSettings, judgeCommand, Session, tagLine } from "../index.js";
import { cannotStart, startEngine } from "./engine.mjs";
import "./own-state.mjs";

const base = realpathSync(mkdtempSync(join(tmpdir(), "hashline-session-")));
after(() => rmSync(base, { recursive: true, maxRetries: 10, force: true }));

let made = 0;

/** A fresh directory with these files. */
function workdir(files) {
  const root = join(base, String(made++));
  // Private, whatever the umask, because a session keeps no journal where other users may write.
  mkdirSync(root, { mode: 0o700 });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** A directory that takes `slow` many seconds to search, on any machine; with few links only milliseconds. */
function largeTree(links = 5_000) {
  const root = workdir({ f: `${"wörds and more words on a long line ".repeat(50)}\n` });
  for (let link = 0; link < links; link++) linkSync(join(root, "f"), join(root, `f${link}`));
  return root;
}

/** A slow search that finds nothing: word boundaries next to letters beyond ASCII slow the regex engine down. */
const slow = { pattern: "\\b[\\w ]{20,60}[A-Z]{2}\\b" };

test("a read returns the text for the model, and facts about each file", async () => {
  const root = workdir({ "a.txt": "one\ntwo\nthree\n" });
  const outcome = await new Session({ root }).read({ path: "a.txt", limit: 2 });
  assert.equal(
    outcome.text,
    "a.txt (lines 1-2 of 3)\n1:60|one\n2:f4|two\n[1 more line: read again with offset 3]",
  );
  assert.equal(outcome.kind, "read");
  assert.equal(outcome.truncated, true);
  const absolutePath = join(root, "a.txt");
  assert.deepEqual(outcome.files, [{ path: "a.txt", absolutePath, ok: true, from: 1, to: 2, total: 3 }]);
  assert.deepEqual(outcome.warnings, []);
});

test("a bad path gets its own error, and the other files are read", async () => {
  const root = workdir({ "a.txt": "one\n" });
  writeFileSync(join(root, "b.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]));
  const outcome = await new Session({ root }).read({ paths: ["a.tx", "a.txt", "b.png"] });
  assert.deepEqual(
    outcome.files.map((file) => [file.ok, file.code]),
    [
      [false, "not_found"],
      [true, undefined],
      [false, "image"],
    ],
  );
  assert.match(outcome.files[0].error, /did you mean `a\.txt`/);
  assert.equal(outcome.files[2].mediaType, "image/png");
});

test("a search returns one text and a small summary", async () => {
  const session = new Session({
    root: workdir({ "src/a.rs": "fn a() {}\nfn b() {}\n", "b.rs": "fn c() {}\n" }),
  });
  const outcome = await session.grep({ pattern: "fn [ac]", type: "rust" });
  assert.equal(outcome.text, "b.rs (1 match)\n1:b5|fn c() {}\n\nsrc/a.rs (1 match)\n1:d6|fn a() {}");
  const { kind, matches, files, searched, truncated } = outcome;
  assert.deepEqual(
    { kind, matches, files, searched, truncated },
    {
      kind: "grep",
      matches: 2,
      files: 2,
      searched: 2,
      truncated: false,
    },
  );
});

test("a request that cannot be understood is refused with a code", async () => {
  const session = new Session({ root: workdir({ f: "x\n" }) });
  const rows = [
    [session.read({}), "bad_request", /`path` or `paths` is missing/],
    [session.read(undefined), "bad_request", /an object is needed/],
    [session.read({ path: "f", limit: "many" }), "bad_request", /`limit` must be a whole number/],
    [session.grep({}), "bad_request", /`pattern` is missing/],
    [session.grep({ pattern: "foo(bar" }), "bad_pattern", / foo\(bar\n {7}\^\nerror: unclosed group/],
    [session.grep({ pattern: "x", glob: "[" }), "bad_glob", /bad glob/],
    [session.grep({ pattern: "x", path: "g" }), "not_found", /did you mean `f`/],
  ];
  for (const [promise, code, message] of rows) {
    const outcome = await promise;
    assert.equal(outcome.kind, "refused");
    assert.deepEqual(outcome.refusals, [{ code }]);
    assert.match(outcome.text, message);
  }
});

test("wrong options throw an error with a code", () => {
  const root = workdir({});
  const rows = [
    [{}, "bad_option", /`root` is missing/],
    [undefined, "bad_option", /an object is needed/],
    [{ root: 7 }, "bad_option", /`root` must be a string/],
    [{ root: join(root, "none") }, "bad_root", /cannot open a session/],
    [{ root, scheme: "md5" }, "unknown_scheme", /unknown scheme `md5`/],
    [{ root, shceme: "hex2" }, "bad_option", /unknown option `shceme`/],
    [{ root, durability: "never" }, "bad_option", /one of `full`, `fast`/],
    [{ root, memoryBytes: -1 }, "bad_option", /`memoryBytes`/],
  ];
  for (const [options, code, message] of rows) {
    assert.throws(
      () => new Session(options),
      (error) => error instanceof Error && error.code === code && message.test(error.message),
      `${JSON.stringify(options)}`,
    );
  }
});

test("every scheme tags a line alike in read and grep", async () => {
  const root = workdir({ f: "}\nlet needle = 1;\n}\n" });
  for (const scheme of ["hex2", "base26", "context", "omp", "cid", "fnv1a"]) {
    const session = new Session({ root, scheme });
    const read = (await session.read({ path: "f:2" })).text.split("\n")[1];
    const found = (await session.grep({ pattern: "needle" })).text.split("\n")[1];
    const inside = (await session.read({ path: "f", search: "needle" })).text.split("\n")[1];
    assert.match(read, scheme === "cid" ? /^2#[A-Z]{2}\|/ : /^2:[0-9a-z]{2,4}\|/);
    assert.equal(found, read, scheme);
    assert.equal(inside, read, scheme);
  }
});

test("a signal that fires during a search rejects with an AbortError", async () => {
  const session = new Session({ root: largeTree() });
  const controller = new AbortController();
  // The first report of progress shows that the search has begun.
  const searching = session.grep(slow, controller.signal, () => controller.abort(new Error("enough")));
  await assert.rejects(searching, (error) => {
    assert.equal(error.name, "AbortError");
    assert.equal(error.code, "ABORT_ERR");
    assert.equal(error.cause.message, "enough");
    return true;
  });
});

test("a signal that has fired before rejects at once", async () => {
  const session = new Session({ root: workdir({ f: "x\n" }) });
  const aborted = AbortSignal.abort();
  await assert.rejects(session.read({ path: "f" }, aborted), { name: "AbortError", code: "ABORT_ERR" });
  await assert.rejects(session.grep({ pattern: "x" }, aborted), { name: "AbortError", code: "ABORT_ERR" });
});

test("calls that wait for a thread are rejected too", async () => {
  const session = new Session({ root: largeTree() });
  const controller = new AbortController();
  const searches = Array.from({ length: 40 }, () => session.grep(slow, controller.signal));
  controller.abort();
  const settled = await Promise.allSettled(searches);
  assert.ok(settled.every(({ reason }) => reason?.name === "AbortError"));
});

test("a call removes its listener from the signal when it is done", async () => {
  const session = new Session({ root: workdir({ f: "x\n" }) });
  const controller = new AbortController();
  let listeners = 0;
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args) => {
    listeners++;
    return add(...args);
  };
  signal.removeEventListener = (...args) => {
    listeners--;
    return remove(...args);
  };
  for (let call = 0; call < 30; call++) await session.read({ path: "f" }, signal);
  assert.equal(listeners, 0);
  assert.equal((await session.read({ path: "f" }, null)).kind, "read");
});

test("one signal serves many calls without a warning", { skip: cannotStart }, () => {
  const program = `
    import { Session } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
    const session = new Session({ root: ${JSON.stringify(workdir({ f: "x\n" }))} });
    const { signal } = new AbortController();
    const calls = Array.from({ length: 20 }, () => session.read({ path: "f" }, signal));
    console.log((await Promise.all(calls)).every(({ kind }) => kind === "read"));`;
  const file = join(workdir({ "program.mjs": program }), "program.mjs");
  const { status, stdout, stderr } = startEngine([file], { encoding: "utf8", timeout: 60_000 });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "true\n", stderr: "" });
});

test("two searches run at a time, so that some of Node's threads stay free", async () => {
  const session = new Session({ root: largeTree() });
  const controllers = Array.from({ length: 8 }, () => new AbortController());
  /** How many progress reports each search has made. */
  const reports = new Map();
  let [ended, most] = [0, 0];
  const search = async (controller) => {
    try {
      return await session.grep(slow, controller.signal, () => {
        reports.set(controller, (reports.get(controller) ?? 0) + 1);
        most = Math.max(most, reports.size - ended);
      });
    } finally {
      ended += 1;
    }
  };
  const settled = Promise.allSettled(controllers.map(search));
  const waitUntil = async (condition) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await waitUntil(() => reports.size >= 2);
  // Node reads more files than it has threads, while some searches have not begun.
  const files = Array.from({ length: 8 }, () => readFile(new URL(import.meta.url)));
  for (const { length } of await Promise.all(files)) assert.ok(length > 0);
  assert.ok(reports.size < 8, "they were read before the last search began");
  // By then a third search at the same time would have reported, too.
  await waitUntil(() => ended > 0 || [...reports.values()].every((times) => times >= 4));
  // When one search ends, the next begins.
  const [first] = reports.keys();
  first.abort();
  await waitUntil(() => reports.size >= 3);
  for (const controller of controllers) controller.abort();
  await settled;
  assert.equal(most, 2);
});

test("a value that is no signal is refused, and the error names the argument", () => {
  const session = new Session({ root: workdir({ f: "x\n" }) });
  for (const signal of [5, "stop", {}])
    assert.throws(() => session.read({ path: "f" }, signal), /`signal` must be an AbortSignal/);
});

test("a search does not block the event loop and reports its progress", async () => {
  const session = new Session({ root: largeTree() });
  const controller = new AbortController();
  let ended = false;
  let report;
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  const searching = session.grep(slow, controller.signal, report).catch(({ name }) => {
    ended = true;
    return name;
  });
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(ended, false, "timers run while a search of seconds is under way");
  const progress = await reported;
  assert.equal(ended, false, "the progress comes while the search is under way");
  assert.ok(progress.searched > 0 && progress.matches === 0, JSON.stringify(progress));
  controller.abort();
  assert.equal(await searching, "AbortError");
});

test("many calls at once all come back", async () => {
  const root = workdir({ f: "x\n".repeat(100) });
  const session = new Session({ root });
  const reads = Array.from({ length: 500 }, (_, at) =>
    session.read({ path: "f", offset: (at % 100) + 1, limit: 1 }),
  );
  const outcomes = await Promise.all(reads);
  outcomes.forEach((outcome, at) => {
    assert.equal(outcome.files[0].from, (at % 100) + 1);
  });
});

test("reads one after the other let timers and input run in between", async () => {
  const session = new Session({ root: workdir({ f: "x\n" }) });
  let reads = 0;
  let turning = setImmediate(function turn() {
    reads = 0;
    turning = setImmediate(turn);
  });
  let most = 0;
  for (let call = 0; call < 4000; call++) {
    await session.read({ path: "f" });
    most = Math.max(most, ++reads);
  }
  clearImmediate(turning);
  // Reads that end immediately must still let the event loop turn; otherwise there could be a thousand reads between
  // two turns.
  assert.ok(most <= 100, `${most} reads between two turns`);
});

test("a process ends when its last call is done, and not before", { skip: cannotStart }, () => {
  const root = workdir({ f: "x\n" });
  const large = largeTree();
  const rows = [
    ["", ""],
    ['session.read({ path: "f" }).then(({ kind }) => console.log(kind));', "read\n"],
    [
      'await session.read({ path: "f" }); await session.read({ path: "f" }); console.log("twice");',
      "twice\n",
    ],
    // The program has dropped the session, but its promise still settles.
    [
      'session.grep({ pattern: "x" }).then(({ kind }) => console.log(kind)); session = undefined; gc();',
      "grep\n",
    ],
    // A call that was aborted no longer keeps the process alive, and settles once.
    [
      `const controller = new AbortController();
      session = new Session({ root: ${JSON.stringify(large)} });
      session.grep(${JSON.stringify(slow)}, controller.signal).catch(({ name }) => console.log(name));
      controller.abort();`,
      "AbortError\n",
    ],
  ];
  for (const [calls, expected] of rows) {
    const program = `
      import { Session } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
      const gc = globalThis.gc ?? globalThis.Bun?.gc;
      let session = new Session({ root: ${JSON.stringify(root)} });
      ${calls}`;
    const file = join(workdir({ "program.mjs": program }), "program.mjs");
    const flags = "Bun" in globalThis ? [] : ["--expose-gc"];
    const { status, stdout, stderr } = startEngine([...flags, file], { encoding: "utf8", timeout: 60_000 });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: expected, stderr: "" }, calls);
  }
});

test("the caller gets the outcome even if the signal's methods throw", async () => {
  const root = workdir({ f: "x\n" });
  const session = new Session({ root });
  const controller = new AbortController();
  const thrown = () => {
    throw new Error("of the signal");
  };
  controller.signal.removeEventListener = thrown;
  const patch = [{ op: "insert_after", path: "f", anchor: "end", text: "y" }];
  assert.equal((await session.apply({ patch }, controller.signal)).kind, "applied");
  assert.equal((await session.read({ path: "f" }, controller.signal)).kind, "read");
  const aborted = AbortSignal.abort();
  Object.defineProperty(aborted, "reason", { get: thrown });
  await assert.rejects(session.read({ path: "f" }, aborted));
  assert.equal((await session.read({ path: "f" })).kind, "read", "the session still works");
});

test("a search of many files shows them in order, and each line can be edited", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `f${String(at).padStart(3, "0")}`);
  const root = workdir(Object.fromEntries(names.map((name) => [name, `one\nneedle of ${name}\n`])));
  const session = new Session({ root, relocation: "verified" });
  const { text } = await session.grep({ pattern: "needle", limit: 1_000 });
  const rows = [...text.matchAll(/^2:([0-9a-f]{2})\|needle of (f\d+)$/gm)];
  assert.deepEqual(
    rows.map(([, , name]) => name),
    names,
  );
  // The lines have moved, so only the memory of the search can tell which one is meant.
  for (const name of names) writeFileSync(join(root, name), `zero\none\nneedle of ${name}\n`);
  const patch = rows.map(([, tag, path]) => ({ op: "set_line", path, anchor: `2:${tag}`, text: "found" }));
  const outcome = await session.apply({ patch });
  assert.equal(outcome.kind, "applied", outcome.text);
  for (const name of names) assert.equal(readFileSync(join(root, name), "utf8"), "zero\none\nfound\n");
});

test("a worker that is terminated during its calls does no harm to the process", async () => {
  // The searches continue without the worker, so they are short.
  const root = largeTree(2);
  const program = `
    const { parentPort } = require("node:worker_threads");
    import(${JSON.stringify(new URL("../index.js", import.meta.url).href)}).then(({ Session }) => {
      const session = new Session({ root: ${JSON.stringify(root)} });
      const { signal } = new AbortController();
      for (let call = 0; call < 40; call++) session.grep(${JSON.stringify(slow)}, signal).catch(() => {});
      parentPort.postMessage("searching");
    });`;
  for (let worker = 0; worker < 8; worker++) {
    const one = new Worker(program, { eval: true });
    await new Promise((resolve, reject) => one.once("message", resolve).once("error", reject));
    await one.terminate();
  }
  assert.equal((await new Session({ root }).read({ path: "f", limit: 1 })).kind, "read");
});

test("a read returns the whole text, whatever its characters", async () => {
  const content = 'plain\ncafé\n中文\n😀 "quotes"\n\ttab\n';
  const session = new Session({ root: workdir({ f: content }) });
  const { text } = await session.read({ path: "f" });
  const lines = text.split("\n").slice(1);
  assert.equal(lines.map((line) => `${line.slice(line.indexOf("|") + 1)}\n`).join(""), content);
});

test("a corrupt state directory costs a warning in the next outcome", async () => {
  const root = workdir({ f: "x\n" });
  const stateDir = join(root, "f");
  const session = new Session({ root, stateDir });
  const first = await session.read({ path: "f" });
  assert.equal(first.warnings.length, 1);
  assert.equal((await session.read({ path: "f" })).warnings.length, 0);
});

test("another process knows what was shown, after flush or after this one's end", {
  skip: cannotStart,
}, async () => {
  for (const end of ["await session.flush(); process.kill(process.pid, 'SIGKILL')", "process.exit(0)", ""]) {
    const root = workdir({ f: "a\nb\nc\n" });
    const stateDir = join(root, ".state");
    const program = `
      import { Session } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
      const session = new Session(${JSON.stringify({ root, stateDir })});
      await session.read({ path: "f" });
      ${end}`;
    const { stderr } = startEngine(["--input-type=module", "-e", program], { encoding: "utf8" });
    assert.equal(stderr, "", end);
    // Only a session that knows what was shown follows the line without a warning.
    writeFileSync(join(root, "f"), "new\na\nb\nc\n");
    const session = new Session({ root, stateDir });
    const { text } = await session.apply({
      patch: [{ op: "set_line", path: "f", anchor: `2:${tagLine("b")}`, text: "B" }],
    });
    assert.match(text, /moved to line 3 of f(?! \(unverified)/, end);
  }
});

test("a session judges commands from where they would run", async () => {
  const root = workdir({ "src/a.js": "let a = 1;\nlet b = 2;\n" });
  const session = new Session({ root });
  assert.deepEqual(session.judge("npm test | tail -5"), { kind: "allow" });
  const block = session.judge("head -n 1 a.js", { cwd: "src" });
  assert.equal(block.kind, "block");
  assert.equal(block.access, "read");
  assert.equal(block.serve.tool, "read");
  const served = await session.read(block.serve.request);
  assert.match(served.text, /^1:f1\|let a = 1;$/m);
  assert.doesNotMatch(served.text, /let b/);
});

test("a session accepts settings for its guard", () => {
  const root = workdir({ f: "x\n" });
  assert.deepEqual(new Session({ root, guard: "off" }).judge("cat f"), { kind: "allow" });
  assert.equal(new Session({ root, guard: "nudge" }).judge("cat f").mode, "nudge");
  const settings = { extraReaders: ["show"], allowedPaths: ["vendor"] };
  assert.equal(new Session({ root, guard: settings }).judge("show f").kind, "block");
  assert.equal(new Session({ root, guard: settings }).judge("cat vendor/f").kind, "allow");
  for (const wrong of ["loud", { mode: 5 }, { extraReader: ["x"] }, 5]) {
    assert.throws(() => new Session({ root, guard: wrong }), { code: "bad_option" });
  }
});

test("a shell command is answered in one call, and files that the host shows itself are left to it", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "hashline-answer-"));
  t.after(() => rmSync(root, { recursive: true, maxRetries: 10, force: true }));
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(root, "i.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
  const session = new Session({ root });
  const cat = await session.answer("cat a.txt");
  assert.equal(cat.kind, "block");
  assert.ok(cat.served);
  assert.match(cat.text, /2:f4\|two[\s\S]*\[answered by read: /);
  assert.equal((await session.answer("ls")).kind, "allow");
  assert.equal((await session.answer("cat a.txt", { typedInto: "psql" })).kind, "allow");
  const aborted = await session.answer("cat a.txt", {}, AbortSignal.abort());
  assert.equal(aborted.kind, "block");
  assert.equal(aborted.served, false);
  const read = await session.read({ paths: ["a.txt", "i.png"] }, null, { hostReads: ["image"] });
  assert.match(read.text, /i\.png: see below/);
  const [, image] = read.files;
  assert.equal(image.hostReads, "image");
  assert.equal(image.absolutePath, join(realpathSync(root), "i.png"));
});

test("settings have defaults and are checked one by one", () => {
  const settings = defaultSettings();
  assert.equal(settings.scheme, "hex2");
  for (const [name, value] of Object.entries(settings))
    assert.equal(checkSetting(name, value) ?? undefined, undefined, name);
  assert.match(checkSetting("scheme", "crc"), /unknown scheme/);
  assert.match(checkSetting("root", "/"), /not a setting/);
  assert.match(checkSetting("colour", 1), /unknown option/);
});

test("a read of changes shows changes since the file was shown, unless the context is new", async () => {
  const root = workdir({ "a.txt": "one\ntwo\nthree\n" });
  const session = new Session({ root });
  const changes = () => session.read({ path: "a.txt", changes: true });
  const since = ({ files: [file] }) => file.sinceShown;
  assert.equal(since(await session.read({ path: "a.txt" })), undefined);
  assert.equal(since(await session.read({ path: "a.txt" })), "unchanged");
  writeFileSync(join(root, "a.txt"), "one\nTWO\nthree\n");
  const outcome = await changes();
  assert.equal(since(outcome), "changed");
  assert.equal(
    outcome.text,
    "a.txt (3 lines, +1 -1 since shown)\n1:60|one\n-... 1 gone\n+2:60|TWO\n3:f8|three",
  );
  assert.equal((await changes()).text, "a.txt (3 lines, unchanged since shown)");
  session.newContext();
  assert.equal(since(await changes()), "unknown");
});

test("the error for an option of a wrong type names it and has a code", async () => {
  const session = new Session({ root: workdir({ "a.txt": "a\n" }) });
  for (const [call, name] of [
    [() => session.judge("ls", { cwd: 5 }), "options.cwd"],
    [() => session.answer("ls", { typedInto: true }), "options.typedInto"],
    [() => session.read({ path: "a.txt" }, 5), "signal"],
    [() => session.read({ path: "a.txt" }, null, { hostReads: "image" }), "options.hostReads"],
    [() => session.read({ path: "a.txt", limit: Number.NaN }), "limit"],
    [() => session.read({ path: "a.txt", limit: 10n }), "limit"],
    [() => session.grep({ pattern: "a" }, null, 5), "onProgress"],
    [() => session.undo(null, { receipt: 5 }), "options.receipt"],
    [() => session.recover(null, { sweep: "yes" }), "options.sweep"],
    [() => judgeCommand("ls", { root: "/w", cwd: 5 }), "place.cwd"],
    [() => judgeCommand("ls", { root: "/w", env: { A: 5 } }), "place.env.A"],
    [
      () => judgeCommand("ls", { root: "/w", settings: { extraReaders: "x" } }),
      "place.settings.extraReaders",
    ],
    [() => checkSetting("maxLines", 10n), "request"],
  ]) {
    const fits = ({ code, message }) =>
      code === "ERR_INVALID_ARG_TYPE" && message.startsWith(`\`${name}\` must`);
    await assert.rejects(async () => call(), fits, name);
  }
  assert.equal(judgeCommand("ls", { root: "/w", cwd: null, env: null, settings: null }).kind, "allow");
});

test("unusual numbers are accepted or refused as documented", async () => {
  const root = workdir({ "a.txt": "1\n2\n3\n" });
  const rows = async (request, options) => {
    const { text } = await new Session({ root, ...options }).read({ path: "a.txt", ...request });
    return text.split("\n").filter((line) => /^\d+:/.test(line)).length;
  };
  assert.equal(await rows({}, { maxLines: "1" }), 1);
  assert.equal(await rows({ offset: 0 }), 3);
  assert.equal(await rows({ limit: -1 }), 3);
  assert.equal(await rows({ limit: -2 }), 0);
  assert.throws(() => new Session({ root, maxLines: 0 }), { code: "bad_option" });
});

test("no answer repeats a request of megabytes", async () => {
  const session = new Session({ root: workdir({ "a.txt": "a\n" }) });
  const long = (character) => character.repeat(1e6);
  for (const call of [
    () => session.grep({ pattern: long("(") }),
    () => session.grep({ pattern: `${long("a")}(` }),
    () => session.grep({ pattern: long("q"), literal: true }),
    () => session.grep({ pattern: long("\n") }),
    () => session.grep({ pattern: "a", glob: long("{") }),
    () => session.grep({ pattern: "a", type: long("t") }),
    () => session.grep({ pattern: "a", path: long("x") }),
    () => session.read({ path: long("x") }),
    () => session.read({ paths: [long("x"), `https://${long("x")}`] }),
    () => session.read({ path: "a.txt", search: long("y") }),
    () => session.read({ path: "a.txt", search: long("("), regex: true }),
    () => session.read({ [long("x")]: 1 }),
    () => session.apply({ patch: [{ op: "set_line", path: long("x"), anchor: "1:aa", text: "x" }] }),
    () => session.apply({ patch: [{ op: "set_line", path: "a.txt", anchor: long("x"), text: "x" }] }),
    () => session.apply({ patch: [{ op: long("x"), path: "a.txt", anchor: "1:aa", text: "x" }] }),
    () => session.apply({ patch: [{ op: "replace", path: "a.txt", old_text: long("x"), new_text: "" }] }),
    () =>
      session.apply({
        patch: [{ op: "set_line", path: "a.txt", anchor: "1:aa", text: "x", [long("x")]: 1 }],
      }),
    () => session.apply(long("x")),
    () => session.undo(null, { receipt: long("x") }),
    () => session.answer(`cat ${long("x")}`),
    () => new Session({ root: "/", [long("x")]: 1 }),
    () => new Session({ root: long("x") }),
    () => new Session({ root: "/", scheme: long("x") }),
    () => new Session({ root: "/", relocation: long("x") }),
    () => new Session({ root: "/", guard: long("x") }),
    () => checkSetting(long("x"), 1),
  ]) {
    const said = await (async () => call())().catch((error) => ({ text: error.message }));
    const text = said?.text ?? JSON.stringify(said) ?? "";
    assert.ok(text.length < 20_000, `${call}: ${text.length} characters: ${text.slice(0, 200)}`);
  }
});

test("a session keeps all its files in journalDir, and with undo: false no old content", async () => {
  const [root, journalDir, own] = [
    workdir({ "a.txt": "old secret\n" }),
    workdir({}),
    process.env.XDG_STATE_HOME,
  ];
  const before = existsSync(own) ? readdirSync(own, { recursive: true }) : [];
  const edit = (text) => ({
    patch: [{ op: "replace", path: "a.txt", old_text: text, new_text: `${text}!` }],
  });
  const kept = () =>
    readdirSync(journalDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name)).includes("old secret"));
  const plain = await new Session({ root, journalDir: join(journalDir, "j"), undo: false }).apply(
    edit("old"),
  );
  assert.deepEqual([plain.kind, plain.receipt, kept()], ["applied", undefined, false]);
  const session = new Session({ root, journalDir: join(journalDir, "j") });
  const done = await session.apply(edit("secret"));
  assert.equal(done.kind, "applied", done.text);
  assert.ok((await session.undo()).kind === "undone");
  assert.deepEqual(existsSync(own) ? readdirSync(own, { recursive: true }) : [], before);
  assert.throws(() => new Session({ root, undo: "no" }), { code: "bad_option" });
});
