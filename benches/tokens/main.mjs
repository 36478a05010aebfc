// npm run bench:tokens: how many tokens (o200k) the same work costs with our tools and with others.
//
//   npm run bench:tokens                    every system that is installed
//   npm run bench:tokens -- "pi's edit"     some of them, by name
//   npm run bench:tokens -- --write         saves the figures for the documents
//
// Each system runs in its real host with a scripted model that makes the calls and reads the answers.
// hashline-edit is not on the registry: HASHLINE_EDIT names the folder of a checkout.

import { parseArgs } from "node:util";
import { PACKAGE } from "../../__test__/hosts/bench.mjs";
import { script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { record } from "../shared/figures.mjs";
import { HashlineEdit, Omp, Ours, Pi } from "./dialects.mjs";
import { schemes } from "./schemes.mjs";
import { play } from "./work.mjs";

const peer = process.env.HASHLINE_EDIT;
const SYSTEMS = {
  "pi-hash": { host: "pi", extensions: [PACKAGE], dialect: Ours },
  "pi-hash in omp": { host: "omp", extensions: [PACKAGE], dialect: Ours },
  "pi's edit": { host: "pi", extensions: [], dialect: Pi },
  "omp's edit": { host: "omp", extensions: [], dialect: Omp },
  ...(peer && { "hashline-edit": { host: "pi", extensions: [peer], dialect: HashlineEdit } }),
};

/** The most tokens that an answer may cost, by the name of its task. */
const GOALS = {
  "one line": 40,
  "60 lines for 60": 80,
  "60 lines to 1": 60,
  "ten lines in one call": 150,
  "the line has changed: refusal": 110,
};
/** The most tokens that the definitions of the tools and the rules about them may cost. */
const FIXED_GOALS = { "pi-hash": { withoutGrep: 700, all: 877 }, "pi-hash in omp": { all: 1025 } };

await script(async () => {
  const { values, positionals } = parseArgs({
    options: { write: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const chosen = positionals.length > 0 ? positionals : Object.keys(SYSTEMS);
  const played = [];
  for (const name of chosen) played.push({ name, ...(await play(SYSTEMS[name])) });
  const all = { ...tables(played), schemes: await schemes() };
  for (const { head, rows } of Object.values(all)) process.stdout.write(`${table(head, rows)}\n\n`);
  if (values.write)
    record("tokens", { command: "npm run bench:tokens", values: prices(played), tables: all });
  const missed = played.filter(({ name }) => FIXED_GOALS[name]).flatMap(missedGoals);
  for (const miss of missed) process.stdout.write(`MISSED: ${miss}\n`);
  process.exitCode = missed.length > 0 ? 1 : 0;
});

function tables(played) {
  const names = played.map(({ name }) => name);
  const inAll = ({ calls, answers, reads, edits }) => `${calls + answers}, ${reads} of ${edits}`;
  const row = (name, cell) => [
    name,
    ...played.map(({ rows }) => cell(rows.find((own) => own.name === name))),
  ];
  const tasks = played[0].rows;
  const plain = tasks
    .filter(({ followUps }) => !followUps)
    .map(({ name }) => row(name, ({ calls, answers }) => `${calls} / ${answers}`));
  const follow = tasks.filter(({ followUps }) => followUps).map(({ name }) => row(name, inAll));
  follow.push([
    "all of them",
    ...played.map(({ rows }) => inAll(sumOf(rows.filter((own) => own.followUps)))),
  ]);
  const fixed = [
    ["file tools and rules, without grep", ...played.map(({ fixed }) => fixed.withoutGrep)],
    ["the same with grep", ...played.map(({ fixed }) => (fixed.all === fixed.withoutGrep ? "-" : fixed.all))],
  ];
  return {
    calls: { head: ["call / answer", ...names], rows: plain },
    follow: { head: ["follow-up edits: tokens in all, edits that needed a read", ...names], rows: follow },
    fixed: { head: ["fixed cost", ...names], rows: fixed },
  };
}

/** What the tools and rules of each system cost, including grep if the system has it. */
function prices(played) {
  return Object.fromEntries(
    played.map(({ name, fixed }) => [name.replaceAll(/\W+/g, "-"), fixed.all.toLocaleString("en")]),
  );
}

function sumOf(rows) {
  const sum = (field) => rows.reduce((all, row) => all + row[field], 0);
  return { calls: sum("calls"), answers: sum("answers"), reads: sum("reads"), edits: sum("edits") };
}

function missedGoals({ name, rows, fixed }) {
  const answers = Object.entries(GOALS).map(([name, most]) => {
    const { answers } = rows.find((row) => row.name === name);
    return [`the answer to "${name}"`, answers, most];
  });
  const costs = Object.entries(FIXED_GOALS[name]).map(([part, most]) => [
    `the fixed cost of ${name} (${part})`,
    fixed[part],
    most,
  ]);
  return [...answers, ...costs]
    .filter(([, cost, most]) => cost > most)
    .map(([what, cost, most]) => `${what} is ${cost} tokens, more than ${most}`);
}
