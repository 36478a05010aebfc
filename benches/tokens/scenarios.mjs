// npm run bench:scenarios: how many tokens (o200k) the scenarios of the host tests cost.
//
//   npm run bench:scenarios                     with the package
//   npm run bench:scenarios -- --before DIR     beside a built checkout of another commit
//   npm run bench:scenarios -- --host omp       in another host
//
// A scripted model plays every scenario that has one prompt. The table counts its calls, the answers, and
// all that the requests send, as a bill without a cache would. A scenario that one of the two builds cannot
// play counts for neither.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { PACKAGE, workbench } from "../../__test__/hosts/bench.mjs";
import { spelling } from "../../__test__/hosts/scenarios/arguments.mjs";
import { editing } from "../../__test__/hosts/scenarios/editing.mjs";
import { guarding } from "../../__test__/hosts/scenarios/guarding.mjs";
import { reading } from "../../__test__/hosts/scenarios/reading.mjs";
import { script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";

const TOPICS = { editing, reading, guarding, spelling };

const tokens = (value) => countTokens(typeof value === "string" ? value : JSON.stringify(value));

await script(async () => {
  const { values } = parseArgs({
    options: {
      before: { type: "string" },
      host: { type: "string", default: "pi" },
    },
  });
  const systems = { now: PACKAGE, ...(values.before && { before: resolve(values.before) }) };
  const played = {};
  for (const [name, extension] of Object.entries(systems)) played[name] = await play(values.host, extension);
  process.stdout.write(`${tableOf(played)}\n`);
});

/** The cost of every scenario with one extension, by the scenario's claim. */
async function play(host, extension) {
  const bench = await workbench(host, { extensions: [extension] });
  const costs = new Map();
  try {
    const rpc = await bench.rpc(["--session-dir", bench.sessions]);
    for (const row of Object.values(TOPICS).flat()) {
      if (row.hosts !== undefined && !row.hosts.includes(host)) continue;
      await rpc.send({ type: "new_session" });
      await bench.reset(row.files);
      const { script: told } = await rpc.prompt(row.turns(bench));
      const left = told.turns.length + told.failures.length;
      if (left === 0) costs.set(row.claim, costOf(told));
    }
    await rpc.close();
  } finally {
    await bench.close();
  }
  return costs;
}

/** The tokens of a conversation's calls, of its answers, and of all that its requests sent. */
function costOf({ seen }) {
  const last = seen.at(-1);
  const made = last.request.messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return {
    calls: sum(made, (call) => tokens(call.function.arguments)),
    answers: sum(last.results, ({ text }) => tokens(text)),
    sent: sum(seen, ({ request }) => tokens(request.tools) + tokens(request.messages)),
  };
}

function sum(list, of) {
  return list.reduce((all, one) => all + of(one), 0);
}

function tableOf({ now, before }) {
  const rows = Object.entries(TOPICS).map(([topic, all]) => [topic, all.map(({ claim }) => claim)]);
  rows.push(["all of them", rows.flatMap(([, claims]) => claims)]);
  return table(
    ["scenarios: calls / answers / all that is sent", "how many", ...(before ? ["before"] : []), "now"],
    rows.map(([topic, claims]) => {
      const both = claims.filter((claim) => now.has(claim) && (before === undefined || before.has(claim)));
      const cell = (costs) =>
        ["calls", "answers", "sent"]
          .map((field) => sum(both, (claim) => costs.get(claim)[field]))
          .join(" / ");
      return [topic, both.length, ...(before ? [cell(before)] : []), cell(now)];
    }),
  );
}
