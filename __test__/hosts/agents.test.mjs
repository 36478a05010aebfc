// Real Codex with our hook and real opencode with our plugin. They need no account: their only model is scripted.
//
// The tests do not fetch these programs, because each takes 400 MB: `npm run agents` does.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { agent } from "../../scripts/lab/agents.mjs";
import { root } from "../../scripts/run.mjs";
import { call, startModel } from "./model.mjs";

const TIMEOUT = 300_000;

/** Makes a workspace below a home of its own, with `hashline` on the path. */
function makeWorkspace() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hashline-agent-")));
  const work = join(home, "project");
  mkdirSync(join(work, ".git"), { recursive: true, mode: 0o700 });
  writeFileSync(join(work, "a.txt"), "one\ntwo\n");
  mkdirSync(join(home, "bin"));
  const program = join(home, "bin", "hashline");
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, "js/program.js")}' "$@"\n`);
  chmodSync(program, 0o755);
  // A login shell resets the path.
  writeFileSync(join(home, ".bash_profile"), `PATH='${join(home, "bin")}':$PATH\n`);
  return {
    home,
    work,
    env: { HOME: home, LANG: "C.UTF-8", PATH: `${join(home, "bin")}:${process.env.PATH}` },
  };
}

/** Runs a program until it ends; returns its exit code and what it printed. */
async function run(program, args, { work, env }) {
  const child = spawn(program, args, { cwd: work, env, stdio: ["ignore", "pipe", "pipe"], timeout: TIMEOUT });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more) => (text += more));
  const [code] = await once(child, "close");
  return { code, text };
}

/** A test with a temporary workspace, which is skipped if the agent's program has not been fetched. */
function testInAgent(name, title, play) {
  const program = agent(name);
  const skip = !program && `${name} is not fetched: npm run agents`;
  test(title, { skip }, async () => {
    const where = makeWorkspace();
    try {
      await play(program, where);
    } finally {
      rmSync(where.home, { recursive: true, maxRetries: 10, force: true });
    }
  });
}

/** Starts a model with OpenAI's responses API. It runs `commands`; each is a function of the output before it. */
async function startResponses(commands) {
  const outputs = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    if (!request.url.endsWith("/responses")) return response.end('{"object": "list", "data": []}');
    const last = JSON.parse(body).input.findLast(({ type }) => type === "function_call_output");
    if (last) outputs.push(last.output);
    const command = commands[outputs.length]?.(outputs.at(-1));
    const content = [{ type: "output_text", text: "done" }];
    const item = command
      ? {
          type: "function_call",
          name: "exec_command",
          call_id: `c${outputs.length}`,
          arguments: JSON.stringify({ cmd: command }),
        }
      : { type: "message", role: "assistant", id: "m", content };
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    for (const event of [
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r", usage } },
    ])
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, outputs, close };
}

testInAgent(
  "codex",
  "Codex runs the hook that setup writes, and the hook knows which lines it showed",
  async (codex, where) => {
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** End Patch";
    const model = await startResponses([
      () => "cat a.txt",
      (shown) => {
        const [anchor] = /2:[0-9a-f]+(?=\|two)/.exec(shown);
        const edit = { set_line: { anchor, new_text: "TWO" } };
        return `hashline apply << 'EOF'\n${JSON.stringify({ path: "a.txt", edits: [edit] })}\nEOF`;
      },
      () => `apply_patch << 'EOF'\n${patch}\nEOF`,
    ]);
    try {
      mkdirSync(join(where.home, ".codex"));
      writeFileSync(
        join(where.home, ".codex/config.toml"),
        `model = "scripted"\nmodel_provider = "ours"\n[model_providers.ours]\nname = "ours"\nbase_url = "${model.url}"\nwire_api = "responses"\n`,
      );
      const { code, text } = await run("hashline", ["setup", "codex"], where);
      assert.equal(code, 0, text);
      const free = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"];
      const played = await run(codex, ["exec", "--trust", "--skip-git-repo-check", ...free, "go"], where);
      const [shown, applied, patched] = model.outputs;
      assert.match(shown ?? played.text, /1:60\|one\n2:f4\|two\n\n\[answered by hashline read/);
      assert.match(applied, /Applied 1 operation/);
      assert.doesNotMatch(applied, /was not shown/);
      assert.match(patched, /apply_patch is not used here[\s\S]*hashline apply << 'EOF'\n\*\*\* Begin Patch/);
      assert.equal(readFileSync(join(where.work, "a.txt"), "utf8"), "one\nTWO\n");
    } finally {
      model.close();
    }
  },
);

testInAgent("opencode", "opencode reads and edits with our plugin", async (opencode, where) => {
  const model = await startModel();
  try {
    const script = model.play([
      call("read", { filePath: "a.txt" }),
      ({ last }) => {
        const [pos] = /2#\w+(?=\|two)/.exec(last);
        return call("edit", { filePath: "a.txt", edits: [{ op: "replace", pos, lines: ["TWO"] }] });
      },
    ]);
    const own = join(where.work, ".opencode");
    mkdirSync(join(own, "plugins"), { recursive: true });
    cpSync(join(root, "plugins/opencode/hashline.js"), join(own, "plugins/hashline.js"));
    // opencode itself installs what is named here, from npm.
    writeFileSync(join(own, "package.json"), JSON.stringify({ dependencies: { "pi-hash": `file:${root}` } }));
    const options = { baseURL: model.url, apiKey: "none" };
    const models = { scripted: { tool_call: true, limit: { context: 100_000, output: 4000 } } };
    const provider = { ours: { npm: "@ai-sdk/openai-compatible", options, models } };
    const usual = { autoupdate: false, share: "disabled", permission: "allow" };
    writeFileSync(
      join(where.work, "opencode.json"),
      JSON.stringify({ ...usual, model: "ours/scripted", small_model: "ours/scripted", provider }),
    );
    const env = { ...where.env, OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
    const { text } = await run(opencode, ["run", "go"], { ...where, env });
    script.assertPlayed();
    const [read, edit] = script.seen.at(-1).results;
    assert.match(read?.text ?? text, /^1#\w+\|one\n2#\w+\|two$/m);
    assert.match(edit.text, /^Updated a\.txt/);
    assert.equal(readFileSync(join(where.work, "a.txt"), "utf8"), "one\nTWO\n");
  } finally {
    await model.close();
  }
});
