// Other authors' extensions together with ours in real hosts: gates that check calls, questions, summaries and queues.

import assert from "node:assert/strict";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { PACKAGE, workbench } from "./bench.mjs";
import { companion, example, writeTo } from "./companions.mjs";
import { anchor, call } from "./model.mjs";
import { failed, succeeded } from "./scenarios/words.mjs";
import { hasTmux, openScreen } from "./screen.mjs";

const FILES = { ".env": "KEY=1\n", "a.txt": "one\ntwo\n" };

/** Calls that would change or show `.env`, in the spellings of many tools. */
const PROTECTED = [
  call("apply_hash", { patch: [{ op: "delete_file", path: ".env" }] }),
  call("apply_hash", { path: ".env", edits: [{ oldText: "KEY=1", newText: "KEY=2" }] }),
  call("apply_hash", {
    patch: JSON.stringify([{ op: "add_file", path: "./.env", content: "", overwrite: true }]),
  }),
  call("apply_hash", { file_path: ".env", old_string: "KEY=1", new_string: "KEY=2" }),
  call("apply_hash", { patch: "*** Begin Patch\n*** Delete File: .env\n*** End Patch" }),
  call("apply_hash", { patch: [{ op: "delete_file", path: "link.txt" }] }),
  call("apply_hash", { patch: [{ op: "move_file", from: ".env", to: "b.txt" }] }),
];

const ALLOWED = call("apply_hash", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] });

/** A gate that looks at `input.path` and nothing else. */
const GATE = `export default function (pi) {
  pi.on("tool_call", (event) => {
    if (event.toolName !== "apply_hash" && event.toolName !== "read") return undefined;
    if (event.input.path.includes(".env")) return { block: true, reason: "protected: " + event.input.path };
  });
}
`;

/** The gate that docs/other-extensions.md shows. */
async function documented() {
  const page = await readFile(join(PACKAGE, "docs", "other-extensions.md"), "utf8");
  return /```js\n(.*?)```/s.exec(page)[1];
}

/** Plays the calls in a host that loads these extensions after ours: all calls but the last are blocked. */
async function play(hostName, extensionsOf, { settings = {}, calls = PROTECTED, reason = /protect/i } = {}) {
  const bench = await workbench(hostName, { settings });
  try {
    await bench.reset(FILES);
    await symlink(".env", join(bench.work, "link.txt"));
    bench.extensions = [PACKAGE, ...(await extensionsOf(bench))];
    const { results, stderr } = await bench.print([...calls, ALLOWED]);
    assert.equal(results.length, calls.length + 1, stderr);
    for (const result of results.slice(0, -1)) failed(result, reason);
    succeeded(results.at(-1), /^Applied 1 operation/m);
    assert.deepEqual(await bench.files(), { ".env": "KEY=1\n", "a.txt": "one\n2\n" });
    return results;
  } finally {
    await bench.close();
  }
}

describe("gates of others", () => {
  for (const host of ["pi", "pi073", "omp"]) {
    it(`${host}: a gate that looks only at input.path stops every spelling`, async () => {
      const calls = [...PROTECTED, call("read", { paths: [".env:1-1", "a.txt"] })];
      await play(host, async (bench) => [await writeTo(join(bench.place, "gate.mjs"), GATE)], {
        calls,
      });
    });
  }

  for (const host of ["pi", "omp"]) {
    it(`${host}: so does the gate in docs/other-extensions.md, word for word`, async () => {
      await play(host, async (bench) => [await writeTo(join(bench.place, "gate.mjs"), await documented())]);
    });
  }

  it("pi: so does its own example protected-paths.ts, once it knows the name of our tool", async () => {
    await play("pi", async (bench) => [
      await example(bench.host, "protected-paths.ts", bench.place, (text) =>
        text.replace('event.toolName !== "edit"', 'event.toolName !== "apply_hash"'),
      ),
    ]);
  });

  it("pi: so does @gotgenes/pi-permission-system, even if the protected file is not the first", async () => {
    const rules = { "*": "allow", path: { "*": "allow", "*.env": "deny" } };
    const second = [
      { op: "replace", path: "a.txt", old_text: "one", new_text: "1" },
      { op: "delete_file", path: ".env" },
    ];
    const calls = [
      ...PROTECTED,
      call("apply_hash", { patch: second }),
      call("read", { paths: ["a.txt", ".env"] }),
    ];
    const config = "extensions/pi-permission-system/config.json";
    await play(
      "pi",
      async (bench) => {
        await writeTo(join(bench.agentDir, config), JSON.stringify({ permission: rules }));
        return [await companion("permissions")];
      },
      { calls, reason: /\.env|denied|permission/i },
    );
  });
});

describe("a call that waits for consent", { skip: !hasTmux && "tmux is not there" }, () => {
  /** A host's screen while it asks; the person agrees after `meanwhile`. */
  async function asking(hostName, { settings, prepare, patterns, agree, meanwhile, ends }) {
    const bench = await workbench(hostName, { settings });
    let screen;
    try {
      await bench.reset({ "a.txt": "one\ntwo\nthree\n" });
      await prepare?.(bench);
      const turns = [
        call("read", { path: "a.txt" }),
        (seen) =>
          call("apply_hash", {
            patch: [{ op: "set_line", path: "a.txt", anchor: anchor(seen.last, "two"), text: "2" }],
          }),
      ];
      bench.model.play(turns);
      screen = await openScreen(bench, { columns: 100, rows: 60 });
      for (const pattern of patterns) await screen.shows(pattern);
      assert.equal(await bench.text("a.txt"), "one\ntwo\nthree\n");
      await meanwhile?.(bench);
      for (const key of agree) await screen.press(key);
      await screen.shows(ends);
      return await bench.text("a.txt");
    } finally {
      await screen?.close();
      await bench.close();
    }
  }

  const omp = {
    settings: { tools: { approvalMode: "always-ask" } },
    // The row in its frame, and the question below it.
    patterns: [/apply_hash a\.txt \+1 -1.*│ -2 two.*│ \+2 2.*Allow tool: apply_hash.*-2 two.*\+2 2/s],
    agree: ["Enter"],
  };

  it("omp: the row and the question show the diff, and a patch that the person approves is applied", async () => {
    assert.equal(await asking("omp", { ...omp, ends: /done/ }), "one\n2\nthree\n");
  });

  const meanwhile = (bench) => bench.write({ "a.txt": "one\nTWO!\nthree\n" });

  it("omp: a patch that became stale while the person thought is refused", async () => {
    const text = await asking("omp", { ...omp, meanwhile, ends: /rejected: nothing written/ });
    assert.equal(text, "one\nTWO!\nthree\n");
  });

  const pi = {
    async prepare(bench) {
      const rules = { "*": "allow", apply_hash: "ask" };
      const config = "extensions/pi-permission-system/config.json";
      await writeTo(join(bench.agentDir, config), JSON.stringify({ permission: rules }));
      bench.extensions = [PACKAGE, await companion("permissions")];
    },
    patterns: [/apply_hash a\.txt \+1 -1.*-2 two.*Permission Required.*-2 two\n\+2 2/s],
    agree: ["Enter"],
  };

  it("pi: the row and pi-permission-system's question show the diff", async () => {
    assert.equal(await asking("pi", { ...pi, ends: /done/ }), "one\n2\nthree\n");
  });

  it("pi: a patch that became stale while the person thought is refused", async () => {
    const text = await asking("pi", { ...pi, meanwhile, ends: /rejected: nothing written/ });
    assert.equal(text, "one\nTWO!\nthree\n");
  });
});

/** Enough text that a compaction finds something to leave out. */
const FILLER = Array.from({ length: 2000 }, (_, i) => `line ${i} of the filler\n`).join("");

describe("the files in a summary", () => {
  for (const host of ["pi", "pi073"]) {
    it(`${host}: it lists the files that our calls read and changed, also after a resume`, async () => {
      const bench = await workbench(host);
      try {
        await bench.reset({ "a.txt": FILLER, "b.txt": FILLER, "c.txt": "one\ntwo\n", "d.txt": "gone\n" });
        let rpc = await bench.rpc(["--session-dir", bench.sessions]);
        await rpc.prompt([
          call("read", { paths: ["a.txt", "b.txt"] }),
          call("read", { path: "c.txt:1-2" }),
          call("apply_hash", { path: "c.txt", edits: [{ oldText: "two", newText: "2" }] }),
          call("apply_hash", { patch: [{ op: "move_file", from: "d.txt", to: "e.txt" }] }),
        ]);
        await rpc.prompt([call("read", { path: "a.txt" }), call("read", { path: "b.txt" })]);
        const { sessionFile } = await rpc.state();
        await rpc.close();
        rpc = await bench.rpc(bench.resume(sessionFile));
        await rpc.send({ type: "compact" });
        await rpc.idle();
        await rpc.close();
        const session = await readFile(sessionFile, "utf8");
        const entry = session
          .split("\n")
          .filter(Boolean)
          .map((row) => JSON.parse(row));
        const { summary } = entry.find(({ type }) => type === "compaction");
        assert.match(summary, /<modified-files>\nc\.txt\nd\.txt\ne\.txt\n<\/modified-files>/);
        assert.match(summary, /<read-files>\na\.txt\nb\.txt\n<\/read-files>/);
      } finally {
        await bench.close();
      }
    });
  }
});

describe("the files in omp's summary", () => {
  it("omp: the model that writes it is given the files that our calls read and changed", async () => {
    const bench = await workbench("omp", { settings: { compaction: { methodOrder: ["soft"] } } });
    try {
      await bench.reset({ "a.txt": FILLER, "b.txt": FILLER, "c.txt": "one\ntwo\n", "d.txt": "gone\n" });
      const rpc = await bench.rpc(["--session-dir", bench.sessions]);
      await rpc.prompt([
        call("read", { paths: ["a.txt", "b.txt"] }),
        call("apply_hash", { path: "c.txt", edits: [{ oldText: "two", newText: "2" }] }),
        call("apply_hash", { patch: [{ op: "move_file", from: "d.txt", to: "e.txt" }] }),
      ]);
      const { script } = await rpc.prompt([call("read", { path: "a.txt" }), call("read", { path: "b.txt" })]);
      await rpc.send({ type: "compact" });
      await rpc.idle();
      await rpc.close();
      const asked = script.asides.map(({ request }) => JSON.stringify(request.messages)).join("\n");
      assert.match(asked, /<modified-files>\\nc\.txt\\nd\.txt\\ne\.txt\\n<\/modified-files>/);
      assert.match(asked, /<read-files>\\na\.txt\\nb\.txt\\n<\/read-files>/);
    } finally {
      await bench.close();
    }
  });
});

/** An extension that waits between reading and writing `a.txt`, in the host's queue for files. */
const SLOW_WRITER = `import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
export default async function (pi) {
  const { withFileMutationQueue } = await import("@mariozechner/pi-coding-agent");
  let written;
  pi.on("tool_call", ({ toolName }, { cwd }) => {
    const path = join(cwd, "a.txt");
    if (toolName === "write" || toolName === "apply_hash") written = withFileMutationQueue(path, async () => {
      const before = await readFile(path, "utf8");
      await setTimeout(500);
      await writeFile(path, before + "theirs\\n");
    });
  });
  pi.on("tool_result", () => written);
}
`;

/** An extension that calls pi's own `write` while `afterApply` is at work. */
const WRITER = `import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
export default async function (pi) {
  const { createWriteTool } = await import("@mariozechner/pi-coding-agent");
  let written;
  pi.on("tool_call", ({ toolName }, { cwd }) => {
    if (toolName !== "apply_hash") return;
    written = (async () => {
      while (!existsSync(join(cwd, "began"))) await setTimeout(5);
      await createWriteTool(cwd).execute("own", { path: "a.txt", content: "theirs\\n" }, undefined, undefined, { cwd });
    })();
  });
  pi.on("tool_result", () => written);
}
`;

/** A formatter that waits between reading and writing its file. */
const SLOW_FORMATTER = `const { readFileSync, writeFileSync } = require("node:fs");
const [file] = process.argv.slice(1);
const text = readFileSync(file, "utf8");
writeFileSync("began", "");
setTimeout(() => writeFileSync(file, text.toUpperCase()), 500);`;

describe("a file that another tool is writing", () => {
  for (const host of ["pi", "pi073"]) {
    /** The text of `a.txt` after a call in a host that also loads `extension` and offers its own `write`. */
    async function after(made, extension, hashline = {}) {
      const bench = await workbench(host, { hashline: { hide: [], ...hashline } });
      try {
        await bench.reset({ "a.txt": "one\ntwo\n" });
        bench.extensions = [PACKAGE, await writeTo(join(bench.place, "other.ts"), extension)];
        const { results, stderr } = await bench.print([made]);
        assert.equal(results[0]?.isError, false, results[0]?.text ?? stderr);
        return await bench.text("a.txt");
      } finally {
        await bench.close();
      }
    }
    const ours = call("apply_hash", { path: "a.txt", edits: [{ oldText: "two", newText: "ours" }] });

    it(`${host}: our patch waits for it`, async () => {
      assert.equal(await after(ours, SLOW_WRITER), "one\nours\ntheirs\n");
    });

    it(`${host}: so does the host's own write, which is in the same queue`, async () => {
      const write = call("write", { path: "a.txt", content: "written\n" });
      assert.equal(await after(write, SLOW_WRITER), "written\n");
    });

    it(`${host}: the host's own write waits for our patch, and for the formatter after it`, async () => {
      const hashline = { afterApply: [process.execPath, "-e", SLOW_FORMATTER, "{files}"] };
      assert.equal(await after(ours, WRITER, hashline), "theirs\n");
    });
  }
});
