// A model may send the text that one of our interfaces printed back, as the new text of an edit through any other.
// The edit then writes the file's own text without our tags, or it is refused, or the report warns.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Session } from "../index.js";
import { createHashlineEditTool, formatHashLines } from "../js/compat/omo.js";
import { cannotStart as skip, startEngine } from "./engine.mjs";

const PROGRAM = join(dirname(dirname(fileURLToPath(import.meta.url))), "js", "program.js");
const LINES = [
  "function bye(name) {",
  "  const text = greet(name);",
  "  if (!name) {",
  "    throw new Error(text);",
  "  }",
  "",
  "  return text;",
  "}",
  "",
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price;",
  "  }",
  "  return sum;",
  "}",
];
const SEED = 20261118;
const ROUNDS = 60;

const base = realpathSync(mkdtempSync(join(tmpdir(), "hashline-round-trip-")));
after(() => rmSync(base, { recursive: true, maxRetries: 10, force: true }));

let state = SEED;
const random = (below) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * below);
};

class Workspace {
  constructor(scheme = "hex2") {
    this.root = mkdtempSync(join(base, "w-"));
    this.file = join(this.root, "a.js");
    this.write(LINES);
    const stateDir = join(this.root, ".state");
    this.session = new Session({ root: this.root, scheme, durability: "fast", stateDir });
    this.tool = createHashlineEditTool({ root: this.root, durability: "fast", stateDir });
  }
  write(lines) {
    writeFileSync(this.file, `${lines.join("\n")}\n`);
  }
  lines() {
    return readFileSync(this.file, "utf8").replace(/\n$/, "").split("\n");
  }
  async shown() {
    const { text } = await this.session.read({ paths: ["a.js"] });
    return [...text.matchAll(/^(\d+[:#]\w+)\|/gm)].map(([, anchor]) => anchor);
  }
  program(args, input = "") {
    const env = { ...process.env, XDG_STATE_HOME: `${this.root}-state` };
    return startEngine([PROGRAM, ...args], { cwd: this.root, env, input, encoding: "utf8" });
  }
  async close() {
    await this.session.flush();
    rmSync(this.root, { recursive: true, maxRetries: 10 });
  }
}

/** Functions that return the text that an interface prints. Each leaves the file with the content `LINES`. */
const PRINTERS = {
  read: async ({ session }) => (await session.read({ paths: ["a.js"] })).text,
  search: async ({ session }) => (await session.read({ paths: ["a.js"], search: "sum" })).text,
  grep: async ({ session }) => (await session.grep({ pattern: "sum|text", contextAfter: 1 })).text,
  report: async (workspace) => {
    const { session } = workspace;
    const was = LINES.with(1, "  const text = name;");
    workspace.write(was);
    const anchors = await workspace.shown();
    const text = LINES.slice(1, 4).join("\n");
    const patch = [
      { op: "replace_range", path: "a.js", start_anchor: anchors[1], end_anchor: anchors[3], text },
    ];
    return (await session.apply({ patch })).text;
  },
  recovery: async (workspace) => {
    workspace.write(LINES.with(3, "    return;"));
    const anchors = await workspace.shown();
    workspace.write(LINES);
    const patch = [{ op: "set_line", path: "a.js", anchor: anchors[3], text: "x" }];
    const answer = await workspace.session.apply({ patch });
    assert.equal(answer.kind, "refused");
    return answer.text;
  },
  served: async ({ session }) => {
    const answers = [];
    for (const command of ["cat a.js", "sed -n '2,5p' a.js", "grep -n sum a.js", "head -3 a.js"])
      answers.push((await session.answer(command)).text ?? "");
    return answers.join("\n");
  },
  "program read": async (workspace) => workspace.program(["read", "a.js"]).stdout,
  "program mismatch": async (workspace) => {
    const patch = JSON.stringify([{ op: "set_line", path: "a.js", anchor: "4:00", text: "x" }]);
    const { status, stderr } = workspace.program(["apply"], patch);
    assert.equal(status, 1, stderr);
    return stderr;
  },
  "omo format": async () => formatHashLines(LINES.join("\n")),
  "omo mismatch": async ({ tool }) => {
    const edits = [{ op: "replace", pos: "4#ZZ", lines: ["x"] }];
    const answer = await tool.execute({ filePath: "a.js", edits });
    assert.equal(answer.kind, "refused");
    return answer.text;
  },
  "omo diff": async (workspace) => {
    workspace.write(LINES.with(3, "    return;"));
    const { text } = await workspace.tool.session.read({ paths: ["a.js"] });
    const [, pos] = /^(4#\w+)\|/m.exec(text);
    return (
      await workspace.tool.execute({ filePath: "a.js", edits: [{ op: "replace", pos, lines: [LINES[3]] }] })
    ).text;
  },
  hook: async (workspace) => {
    const event = { session_id: "s", cwd: workspace.root, hook_event_name: "PreToolUse", tool_name: "Bash" };
    const input = JSON.stringify({ ...event, tool_input: { command: "cat a.js" } });
    const { stdout } = workspace.program(["hook", "claude"], input);
    return stdout ? JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason : "";
  },
};

/** The printed rows that show a line of the file, each with the line's index; rows of a diff have no numbers. */
function rowsOf(text) {
  const rows = [];
  for (const row of text.split("\n")) {
    const [, number, content] = /(?:^|\D)(\d+)[:#]\w+\|(.*)$/.exec(row) ?? [];
    if (number && LINES[number - 1] === content) rows.push({ row, at: number - 1 });
    const at = /^[+ ]/.test(row) ? LINES.indexOf(row.slice(1)) : -1;
    if (!number && at >= 0 && row.trim() !== "" && LINES.indexOf(row) < 0) rows.push({ row, at });
  }
  return rows;
}

/**
 * The operations that send printed rows back: each sends the rows of lines `first` to `last`; `expected` returns the
 * right lines of the file afterwards.
 */
const BACK = {
  set_line: ({ rows, first, anchors }) => ({
    op: { op: "set_line", anchor: anchors[first], text: rows.join("\n") },
    expected: (lines, meant) => lines.toSpliced(first, 1, ...meant),
  }),
  replace_range: ({ rows, first, last, anchors }) => ({
    op: {
      op: "replace_range",
      start_anchor: anchors[first],
      end_anchor: anchors[last],
      text: rows.join("\n"),
    },
    expected: (lines, meant) => lines.toSpliced(first, last - first + 1, ...meant),
  }),
  insert: ({ rows, anchors }) => ({
    op: { op: "insert_after", anchor: anchors[8], text: rows.join("\n") },
    expected: (lines, meant) => lines.toSpliced(9, 0, ...meant),
  }),
  replace: ({ rows, first, last }) => ({
    op: { op: "replace", old_text: LINES.slice(first, last + 1).join("\n"), new_text: rows.join("\n") },
    expected: (lines, meant) => lines.toSpliced(first, last - first + 1, ...meant),
  }),
  old_text: ({ rows, first, last }) => ({
    op: { op: "replace", old_text: rows.join("\n"), new_text: "NEW" },
    expected: (lines) => lines.toSpliced(first, last - first + 1, "NEW"),
  }),
  anchor: ({ rows, first, last }) => ({
    op: { op: "replace_range", start_anchor: rows[0], end_anchor: rows.at(-1), text: "NEW" },
    expected: (lines) => lines.toSpliced(first, last - first + 1, "NEW"),
  }),
};

/** The interfaces that accept patches: each returns the answer, and whether it warned or refused (`careful`). */
const THROUGH = {
  session: async ({ session }, op) => {
    const answer = await session.apply({ patch: [{ ...op, path: "a.js" }] });
    return { text: answer.text, careful: answer.kind === "refused" || answer.warnings.length > 0 };
  },
  program: async (workspace, op) => {
    const input = JSON.stringify([{ ...op, path: "a.js" }]);
    const { status, stdout, stderr } = workspace.program(["apply"], input);
    return { text: stdout + stderr, careful: status !== 0 || /^Warning: /m.test(stdout) };
  },
  omo: async ({ tool }, op) => {
    const lines = op.text?.split("\n");
    const pos = op.anchor ?? op.start_anchor;
    if (!lines || !pos) return undefined;
    const end = op.end_anchor && { end: op.end_anchor };
    const edits = [{ op: op.op === "insert_after" ? "append" : "replace", pos, ...end, lines }];
    const answer = await tool.execute({ filePath: "a.js", edits });
    return { text: answer.text, careful: answer.kind === "refused" || /^warning: /m.test(answer.text) };
  },
};

for (const [printed, print] of Object.entries(PRINTERS)) {
  const program = /program|hook/.test(printed);
  test(`rows of ${printed} that are sent back land as the file's text`, {
    skip: program && skip,
  }, async () => {
    const printer = new Workspace();
    const all = rowsOf(await print(printer));
    await printer.close();
    if (printed !== "hook") assert.ok(all.length > 0, "it prints rows");
    if (all.length === 0) return;
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = random(all.length);
      let to = from;
      while (to - from < random(4) && all[to + 1]?.at === all[to].at + 1) to += 1;
      const rows = all.slice(from, to + 1).map(({ row }) => row);
      const [first, last] = [all[from].at, all[to].at];
      const ways = Object.keys(BACK);
      // The program starts a process for each call, so it is used less often.
      const through = round % 12 === 0 && !skip ? "program" : round % 3 === 0 ? "omo" : "session";
      const workspace = new Workspace();
      const anchors = through === "omo" ? omoAnchors() : await workspace.shown();
      if (through === "program") workspace.program(["read", "a.js"]);
      const { op, expected } = BACK[ways[random(ways.length)]]({ rows, first, last, anchors });
      const answer = await THROUGH[through](workspace, op);
      if (answer) {
        const right = expected(LINES, LINES.slice(first, last + 1));
        const now = workspace.lines();
        assert.ok(
          answer.careful || now.join("\n") === right.join("\n"),
          `${printed} through ${through}: ${JSON.stringify(op)}\nwrote ${JSON.stringify(now.filter((line) => !LINES.includes(line)))}\n${answer.text}`,
        );
      }
      await workspace.close();
    }
  });
}

function omoAnchors() {
  return formatHashLines(LINES.join("\n"))
    .split("\n")
    .map((row) => row.split("|", 1)[0]);
}

test("a printed heading is accepted as a path", async () => {
  const workspace = new Workspace();
  const { text } = await workspace.session.read({ paths: ["a.js"] });
  const [heading] = text.split("\n");
  const [anchor] = await workspace.shown();
  const named = [heading, "a.js:1-3"];
  for (const [at, path] of named.entries()) {
    workspace.write(LINES);
    const patch = [{ op: "set_line", path, anchor, text: `function hi${at}(name) {` }];
    const answer = await workspace.session.apply({ patch });
    assert.equal(answer.kind, "applied", answer.text);
    assert.equal(workspace.lines()[0], `function hi${at}(name) {`);
    workspace.write(LINES);
    await workspace.shown();
  }
  await workspace.close();
});
