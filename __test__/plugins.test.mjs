// The plugins for other agents have the documented shape, and give the same instructions as the program.

import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { root } from "../scripts/run.mjs";
import "./own-state.mjs";

const text = (path) => readFileSync(join(root, path), "utf8");
const json = (path) => JSON.parse(text(path));

test("the plugin for Claude Code has the documented shape", () => {
  const { name, version } = json("plugins/claude/.claude-plugin/plugin.json");
  assert.match(name, /^[a-z-]+$/);
  assert.equal(version, json("package.json").version);
  const [plugin] = json(".claude-plugin/marketplace.json").plugins;
  assert.deepEqual([plugin.name, plugin.source], [name, "./plugins/claude"]);
});

test("the hooks of the plugin for Claude Code are those that setup writes", () => {
  const settings = json("plugins/claude/hooks/hooks.json").hooks;
  const source = text("crates/wire/src/claude.rs");
  for (const [event, entries] of Object.entries(settings)) {
    for (const { matcher, hooks } of entries) {
      assert.deepEqual(hooks, [{ type: "command", command: "hashline hook claude" }]);
      assert.ok(source.includes(matcher ? `("${event}", Some("${matcher}"))` : `("${event}", None)`), event);
    }
  }
  assert.deepEqual(Object.keys(settings), ["PreToolUse", "PostToolUse", "SessionStart"]);
});

test("the skill of the plugin is short, and has the text that setup writes: npm run build:docs", () => {
  const skill = text("plugins/claude/skills/hashline/SKILL.md");
  assert.match(skill, /^---\nname: hashline\ndescription: \S.*\n---\n/);
  assert.ok(skill.split("\n").length <= 60);
  assert.ok(skill.endsWith(text("crates/cli/src/instructions.md")));
});

test("the plugin for opencode reads and edits, in a stand-in for opencode", async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "opencode-")));
  try {
    const modules = join(place, "node_modules");
    mkdirSync(join(modules, "@opencode-ai/plugin"), { recursive: true });
    symlinkSync(root, join(modules, "pi-hash"));
    // A stand-in for opencode's helper: it returns the tool that it gets, and its schema accepts any chain of calls.
    writeFileSync(
      join(modules, "@opencode-ai/plugin/package.json"),
      '{"type": "module", "main": "index.js"}',
    );
    writeFileSync(
      join(modules, "@opencode-ai/plugin/index.js"),
      "const any = new Proxy(() => any, { get: () => any, apply: () => any });\n" +
        "export const tool = Object.assign((given) => given, { schema: any });\n",
    );
    writeFileSync(join(place, "hashline.mjs"), text("plugins/opencode/hashline.js"));
    writeFileSync(join(place, "a.txt"), "one\ntwo\n");
    const { Hashline } = await import(pathToFileURL(join(place, "hashline.mjs")));
    const { tool } = await Hashline({ directory: place });
    const { signal: abort } = new AbortController();
    const shown = await tool.read.execute({ filePath: "a.txt" }, { abort });
    const [, pos] = /^(2#\w+)\|two$/m.exec(shown);
    const call = { filePath: "a.txt", edits: [{ op: "replace", pos, lines: ["TWO"] }] };
    assert.match(await tool.edit.execute(call, { abort }), /^Updated a\.txt/);
    assert.equal(readFileSync(join(place, "a.txt"), "utf8"), "one\nTWO\n");
    assert.match(await tool.edit.execute(call, { abort }), /has changed since last read/);
  } finally {
    rmSync(place, { recursive: true, maxRetries: 10, force: true });
  }
});
