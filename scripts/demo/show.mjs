// Two ways to show the story: as text, with the calls and their answers, and in pi's own screen.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { FILES, PROMPT, story } from "./story.mjs";

/** Milliseconds between the pieces of the model's text in pi's screen. */
const PACE = 25;

/** A workbench with pi, the extension and the sample project. */
export async function stage() {
  const bench = await workbench("pi", { settings: { theme: "dark" } });
  await bench.reset(FILES);
  // Without these, pi would fetch fd and ripgrep, or warn that it may not; the story does not use them.
  const bin = join(bench.agentDir, "bin");
  await mkdir(bin);
  for (const name of ["fd", "rg"]) await writeFile(join(bin, name), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return bench;
}

/** Plays the story in pi's own screen, until the person leaves pi. */
export async function showInPi(bench) {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new Error("--tui needs a terminal to show pi's screen in");
  bench.model.play(story(bench.work, { pace: PACE, closing: ", ctrl+o shows every line, ctrl+d leaves" }));
  const { program, args, env } = bench.invocation(["--no-session", PROMPT]);
  const { TERM, COLORTERM } = process.env;
  const child = spawn(program, args, {
    cwd: bench.work,
    env: { ...env, TERM, ...(COLORTERM && { COLORTERM }) },
    stdio: "inherit",
  });
  await once(child, "close");
}

/** Prints the story: each call of the model, and its answer. */
export async function print(bench) {
  let number = 0;
  const rpc = await bench.rpc();
  rpc.on((event) => {
    switch (event.type) {
      case "message_end":
        if (event.message.role !== "assistant") break;
        for (const { text } of event.message.content) if (text) say(`\n${bold(`${++number}. ${text}`)}`);
        break;
      case "tool_execution_start":
        say(`\n  ${event.toolName} ${JSON.stringify(event.args)}\n`);
        break;
      case "tool_execution_end":
        say(indented(event.result.content.map(({ text }) => text).join("")));
    }
  });
  say(`\n${bold(`> ${PROMPT}`)}`);
  const { script } = await rpc.prompt(story(bench.work), { message: PROMPT });
  script.assertPlayed();
  say(`\n${bold("> /hashline undo")}\n`);
  say(indented(await rpc.command("/hashline undo")));
  say(`\nsrc/cart.js is now:\n\n${indented(await bench.text("src/cart.js"))}`);
  await rpc.close();
}

const bold = (text) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);
const say = (text) => process.stdout.write(`${text}\n`);
const indented = (text) => text.replace(/^(?=.)/gm, "    ");
