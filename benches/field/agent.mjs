// Plays one situation with a real model in a real host; the edits are requested in words.

import { readFileSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { startRelay } from "./endpoint.mjs";
import { verdict, wasShown } from "./judge.mjs";
import { requests } from "./requests.mjs";

/**
 * Plays a situation with the model behind an endpoint.
 *
 * @param {object} arm its host and extensions; `tools` limits the host's own tools
 * @param {object} situation
 * @param {{ url: string, model: string, key?: string, timeout: number, steps: number, patience: number }} endpoint
 */
export async function ask(arm, situation, endpoint) {
  const { path = "file.txt", before, steps, want } = situation;
  const behind = steps.filter(({ now }) => now !== undefined).map(({ now }) => now);
  const bench = await workbench(arm.host, { extensions: arm.extensions });
  let untouched = before;
  const onTurn = (_, request) => {
    // The file changes once the model has seen it.
    const hasRead = request.messages.some(({ role }) => role === "tool");
    if (!hasRead || behind.length === 0) return;
    for (const now of behind.splice(0)) {
      writeFileSync(join(bench.work, path), now);
      untouched = now;
    }
  };
  const relay = await startRelay(endpoint, { steps: endpoint.steps, onTurn });
  try {
    await pointTo(bench, relay.url);
    await bench.reset({ [path]: before });
    const rpc = await bench.rpc(["--no-session", ...(arm.args ?? [])]);
    const over = new Promise((resolve) => setTimeout(resolve, endpoint.patience, "time").unref());
    let reason = "done";
    for (const message of requests(situation)) {
      reason = (await Promise.race([rpc.ask(message), over])) === "time" ? "time limit" : "done";
      if (reason !== "done") break;
    }
    const results = rpc.events.filter(({ type }) => type === "tool_execution_end");
    const answers = results.map(({ result }) =>
      (result?.content ?? []).map(({ text }) => text ?? "").join(""),
    );
    const end = readFileSync(join(bench.work, path), "utf8");
    const came = verdict({ want, untouched, end, said: answers.join("\n") });
    const refused = results.filter(({ isError }) => isError).length;
    return {
      verdict: came,
      strict: came === "pass" && wasShown({ before, untouched, end, answers }),
      ended: relay.log.limit ? "step limit" : reason,
      refused,
      recovered: refused > 0 && came === "pass",
      calls: relay.log.turns,
      tokens: relay.log.usage,
      putOff: relay.log.putOff,
      transcript: relay.log.exchanges,
      end,
    };
  } finally {
    await bench.close();
    await relay.close();
  }
}

/** Changes the host's settings so that its model is at `url`. */
async function pointTo(bench, url) {
  const file = join(bench.agentDir, bench.host.files.models);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replaceAll(bench.model.url, url));
}
