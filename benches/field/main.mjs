// npm run bench:field: plays the field's 34 situations, with a scripted model, in every editor that can run here.
//
//   npm run bench:field                                   all arms
//   npm run bench:field -- --arms ours,pi --only crlf      some of them, by parts of their names
//   npm run bench:field -- --pro DIR                       with pi-hashline-edit-pro from a checkout
//   npm run bench:field -- --write                         saves the tables for docs/field.md
//
// Two scripted models play, which copy what they were shown: a perfect copier, and a sloppy one that makes one mistake
// in each run (`--seed N` chooses the mistakes). `--show` prints the transcripts of all our runs that do not pass. The
// exit code is 1 if our editor misses a goal.

import { parseArgs } from "node:util";
import { script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { record } from "../shared/figures.mjs";
import { arms } from "./arms.mjs";
import { onStage } from "./play.mjs";
import { SITUATIONS, TASKS } from "./situations.mjs";
import { mixture } from "./sloppy.mjs";
import { missedGoals, ourFigures, perfectTable, situationTable, sloppyTable } from "./tables.mjs";

await script(async () => {
  const { values } = parseArgs({
    options: {
      arms: { type: "string" },
      only: { type: "string" },
      pro: { type: "string" },
      seed: { type: "string", default: "1" },
      runs: { type: "string", default: "400" },
      show: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const isChosen = (names, name) => !names || names.split(",").some((part) => name.includes(part));
  const all = arms(values.pro).filter(({ name }) => isChosen(values.arms, name));
  for (const { name, missing } of all) if (missing) process.stdout.write(`${name}: skipped, ${missing}\n`);
  const situations = SITUATIONS.filter(({ key }) => isChosen(values.only, key));
  const slips = values.only ? [] : mixture(Number(values.seed), Number(values.runs), TASKS);
  const played = [];
  for (const arm of all.filter(({ missing }) => !missing)) {
    played.push(
      await onStage(arm, async (play) => {
        const perfect = [];
        for (const situation of situations) perfect.push({ situation, ...(await play(situation)) });
        const sloppy = [];
        for (const { task, fault, spoil } of slips) {
          const run = await play(task, spoil());
          if (run.spoiled) sloppy.push({ situation: task, fault, ...run });
        }
        process.stdout.write(`${arm.name}: ${perfect.length} situations, ${sloppy.length} sloppy runs\n`);
        return { name: arm.name, perfect, sloppy };
      }),
    );
  }
  const tables = {
    perfect: perfectTable(played),
    situations: situationTable(played),
    ...(slips.length > 0 && { sloppy: sloppyTable(played) }),
  };
  for (const { head, rows } of Object.values(tables)) process.stdout.write(`\n${table(head, rows)}\n`);
  if (values.show) show(played);
  if (values.write) {
    const command = `npm run bench:field -- --seed ${values.seed} --runs ${values.runs}`;
    record("field", {
      command,
      values: { seed: values.seed, runs: slips.length, ...ourFigures(played) },
      tables,
    });
  }
  const missed = played.flatMap(missedGoals);
  for (const miss of missed) process.stdout.write(`MISSED: ${miss}\n`);
  process.exitCode = missed.length > 0 ? 1 : 0;
});

/** Prints every run of our editor that did not pass. */
function show(played) {
  for (const { name, perfect, sloppy } of played.filter((arm) => arm.name.startsWith("ours"))) {
    for (const { situation, fault = "perfect", verdict, strict, transcript, end } of [
      ...perfect,
      ...sloppy,
    ]) {
      if (verdict === "pass" && (strict || fault !== "perfect")) continue;
      process.stdout.write(`\n=== ${name}, ${situation.key}, ${fault}: ${verdict}\n`);
      for (const { call, answer } of transcript) {
        process.stdout.write(`> ${call.name} ${JSON.stringify(call.arguments)}\n${answer}\n`);
      }
      process.stdout.write(`= ${JSON.stringify(end)}\nwanted ${JSON.stringify(situation.want)}\n`);
    }
  }
}
