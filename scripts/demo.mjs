// npm run demo: what the extension does, in the real pi, in one minute and without an API key.
//
// Only the model is played: by scripts/demo/story.mjs, on loopback. With `--tui` the story runs in
// pi's own screen; otherwise it is printed, with what the model gets to see.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { workbench } from "../__test__/hosts/bench.mjs";
import { buildAddon, installPackages } from "./build.mjs";
import { FILES, PROMPT, story } from "./demo/story.mjs";
import { script, step } from "./run.mjs";

/** Milliseconds between the pieces of what the model says in pi's screen. */
const PACE = 25;

const bold = (text) => (process.stdout.isTTY ? `\x1b[1m${text}\x1b[0m` : text);
const say = (text) => process.stdout.write(`${text}\n`);
const indented = (text) => text.replace(/^(?=.)/gm, "    ");

/** The story in pi's own screen, until the person leaves it. */
async function showInPi(bench) {
  bench.model.play(story(bench.work, { pace: PACE }));
  const { program, args, env } = bench.invocation(["--no-session", PROMPT]);
  const { TERM, COLORTERM } = process.env;
  const child = spawn(program, args, {
    cwd: bench.work,
    env: { ...env, TERM, ...(COLORTERM && { COLORTERM }) },
    stdio: "inherit",
  });
  await once(child, "close");
}

/** The story as text: each call that the model makes and the answer it gets. */
async function print(bench) {
  const rpc = await bench.rpc();
  const asides = [];
  let number = 0;
  rpc.on((event) => {
    if (event.type === "message_end" && event.message.role === "assistant") {
      for (const text of asides.splice(0)) say(`\n  (meanwhile, ${text})`);
      for (const part of event.message.content)
        if (part.type === "text") say(`\n${bold(`${++number}. ${part.text}`)}`);
    }
    if (event.type === "tool_execution_start") say(`\n  ${event.toolName} ${JSON.stringify(event.args)}\n`);
    if (event.type === "tool_execution_end")
      say(indented(event.result.content.map(({ text }) => text).join("")));
  });
  say(`\n${bold(`> ${PROMPT}`)}`);
  const { script } = await rpc.prompt(story(bench.work, { meanwhile: (text) => asides.push(text) }), {
    message: PROMPT,
  });
  script.assertPlayed();
  say(`\n${bold("> /hashline undo")}\n`);
  say(indented(await rpc.command("/hashline undo")));
  say(`\nsrc/cart.js is now:\n\n${indented(await bench.text("src/cart.js"))}`);
  await rpc.close();
}

await script(async () => {
  await installPackages();
  await buildAddon();
  const bench = await workbench("pi");
  try {
    await bench.reset(FILES);
    step(`pi ${bench.host.version} with the extension, and a model that is played by a script`);
    await (process.argv.includes("--tui") ? showInPi : print)(bench);
  } finally {
    await bench.close();
  }
});
