// Where do edits land? Two benchmarks of faults, through the public API.
//
//   node benches/faults/main.mjs [--trials N] [--seed S] [--tasks N] [--quick] [--write]
//   node benches/faults/main.mjs --history REPO.git [--trials N] [--seed S] [--dump FILE]
//
// The first changes files between read and edit, or makes anchors slightly wrong; the second spoils patches
// as models do. `--history` replays a git repository instead (history.mjs). `--quick` runs only the default
// settings, as `npm test` does. `--write` saves the figures that the documents quote. The exit code is 1 if
// a promise is broken.

import { parseArgs } from "node:util";
import { isMain } from "../../scripts/run.mjs";
import { record } from "../shared/figures.mjs";
import { spring, TRAPS } from "./adversarial.mjs";
import { anchorsOf, Bench } from "./bench.mjs";
import { corpus } from "./corpus.mjs";
import { replayHistory } from "./history.mjs";
import { attempt } from "./model.mjs";
import { Random } from "./random.mjs";
import { runSlip, SLIPS } from "./slips.mjs";
import { FAULTS } from "./spoil.mjs";
import { runStale } from "./stale.mjs";
import { percent, table } from "./table.mjs";
import { makeTasks } from "./tasks.mjs";
import { worstTable } from "./worst.mjs";

const SCHEMES = ["hex2", "base26", "context", "omp", "cid", "fnv1a", "compact"];
const RELOCATIONS = ["auto", "nearby", "verified", "off"];
// With these settings no edit may land wrongly. With `nearby` one may, because it trusts a tag alone.
const PROVEN = RELOCATIONS.filter((relocation) => relocation !== "nearby");
const VERDICTS = ["right", "refused", "missed", "wrong"];

// Limits for the default settings: shares of edits, a ratio, and milliseconds.
const PROMISES = { wrong: 0.0015, findable: 0.9, retry: 0.95, ratio: 10, slowest: 100 };

export async function main(options = {}) {
  const {
    trials = 20000,
    seed = 1,
    tasks = 6,
    quick = false,
    print = console.log,
    keep = () => {},
  } = options;
  const bench = new Bench();
  const broken = [];
  const promise = (holds, text) => {
    if (!holds) broken.push(text);
  };
  try {
    const texts = corpus();
    const stale = await staleTable(bench, texts, { trials, seed, quick, print });
    // In a short run a single trial can exceed the limit, so allow three more than expected.
    const slack = trials < 20000 ? 3 / trials : 0;
    promise(stale.wrong <= PROMISES.wrong + slack, `silently wrong is ${percent(stale.wrong)}`);
    promise(stale.findable >= PROMISES.findable, `findable single lines: ${percent(stale.findable)}`);
    promise(
      stale.wrong * PROMISES.ratio <= stale.withoutMemory,
      `without memory only ${percent(stale.withoutMemory)} are wrong`,
    );
    await slipTable(bench, texts, { trials: Math.ceil(trials / 10), seed, quick, print });
    const traps = await trapTable(bench, { quick, print });
    promise(traps.wrong === 0, `traps: ${traps.wrong} silently wrong`);
    if (!quick) {
      const { slowest } = await worstTable(bench, { seed, print });
      promise(slowest <= PROMISES.slowest, `the worst file of 50,000 lines takes ${slowest.toFixed(0)} ms`);
    }
    const model = await modelTable(bench, { tasks, seed, print });
    promise(model.corrupted === 0, `spoiled patches: ${model.corrupted} corrupted`);
    promise(model.solved >= PROMISES.retry, `spoiled patches solved: ${percent(model.solved)}`);
    keep({
      values: {
        trials: stale.trials.toLocaleString("en"),
        wrong: percent(stale.wrong),
        "wrong-without-memory": percent(stale.withoutMemory),
        traps: TRAPS.length,
        "traps-wrong": traps.wrong,
        spoiled: model.tried.toLocaleString("en"),
        solved: percent(model.solved),
        corrupted: model.corrupted,
      },
      tables: { stale: stale.table },
    });
  } finally {
    bench.remove();
  }
  for (const text of broken) print(`BROKEN PROMISE: ${text}`);
  return broken;
}

async function staleTable(bench, texts, { trials, seed, quick, print }) {
  const run = async (count, settings) =>
    summary(await runStale(bench, texts, new Random(seed), count, settings));
  const rows = [];
  const usual = await run(trials, {});
  const withoutMemory = await run(trials, { memory: false });
  rows.push(
    ["hex2", "auto (default)", "yes", ...usual.cells],
    ["hex2", "auto", "no", ...withoutMemory.cells],
  );
  if (!quick) {
    const fewer = Math.ceil(trials / 10);
    for (const scheme of SCHEMES) {
      for (const relocation of RELOCATIONS) {
        if (scheme !== "hex2" || relocation !== "auto") {
          rows.push([scheme, relocation, "yes", ...(await run(fewer, { scheme, relocation })).cells]);
        }
      }
      if (scheme !== "hex2") {
        rows.push([scheme, "auto", "no", ...(await run(fewer, { scheme, memory: false })).cells]);
      }
    }
  }
  const head = ["scheme", "relocation", "memory", "trials", "applied rightly", "rightly refused"];
  head.push("refused though findable", "silently wrong", "findable lines applied");
  print(`\nEdits of a file that has changed since it was read (seed ${seed})\n`);
  print(table(head, rows));
  print("\nThe default by kind of edit and distance from a change\n");
  print(
    table(
      ["edit", "trials", "applied rightly", "rightly refused", "refused though findable", "silently wrong"],
      usual.kinds,
    ),
  );
  return { ...usual, trials, withoutMemory: withoutMemory.wrong, table: { head, rows: rows.slice(0, 2) } };
}

function summary({ counts }) {
  const total = { right: 0, refused: 0, missed: 0, wrong: 0 };
  const lines = { right: 0, missed: 0 };
  const kinds = [];
  for (const [name, row] of [...counts].sort()) {
    const sum = VERDICTS.reduce((sum, verdict) => sum + row[verdict], 0);
    kinds.push([name, sum, ...VERDICTS.map((verdict) => percent(row[verdict] / sum))]);
    for (const verdict of VERDICTS) total[verdict] += row[verdict];
    if (name.startsWith("line")) {
      lines.right += row.right;
      lines.missed += row.missed;
    }
  }
  const sum = VERDICTS.reduce((sum, verdict) => sum + total[verdict], 0);
  const findable = lines.right / (lines.right + lines.missed);
  return {
    wrong: total.wrong / sum,
    findable,
    kinds,
    cells: [sum, ...VERDICTS.map((verdict) => percent(total[verdict] / sum)), percent(findable)],
  };
}

async function slipTable(bench, texts, { trials, seed, quick, print }) {
  const rows = [];
  for (const scheme of quick ? ["hex2"] : ["hex2", "base26", "context"]) {
    for (const name of Object.keys(SLIPS)) {
      const random = new Random(seed);
      const counts = { right: 0, refused: 0, wrong: 0 };
      for (let done = 0; done < trials; done++)
        counts[await runSlip(bench, texts, random.fork(), name, { scheme })]++;
      rows.push([
        scheme,
        name,
        trials,
        ...["right", "refused", "wrong"].map((key) => percent(counts[key] / trials)),
      ]);
    }
  }
  print("\nAnchors that slipped, in a file that has not changed\n");
  print(table(["scheme", "slip", "trials", "landed where it was meant", "refused", "silently wrong"], rows));
}

async function trapTable(bench, { quick, print }) {
  const rows = [];
  let wrong = 0;
  for (const scheme of quick ? ["hex2"] : SCHEMES) {
    for (const relocation of quick ? ["auto"] : PROVEN) {
      const counts = { right: 0, refused: 0, missed: 0, wrong: 0 };
      for (const trap of TRAPS) {
        const verdict = await spring(bench, trap, { scheme, relocation }, anchorsOf);
        counts[verdict]++;
        if (verdict === "wrong") print(`trap ${scheme} ${relocation}: ${trap.name}: silently wrong`);
      }
      wrong += counts.wrong;
      rows.push([scheme, relocation, TRAPS.length, ...VERDICTS.map((verdict) => counts[verdict])]);
    }
  }
  print("\nHand-made traps\n");
  print(
    table(
      [
        "scheme",
        "relocation",
        "traps",
        "applied rightly",
        "rightly refused",
        "refused though findable",
        "silently wrong",
      ],
      rows,
    ),
  );
  return { wrong };
}

async function modelTable(bench, { tasks: count, seed, print }) {
  const tasks = makeTasks(new Random(seed), count);
  const rows = [];
  const total = { tried: 0, solved: 0, corrupted: 0 };
  const outcomes = ["at once", "after one retry", "refused", "corrupted"];
  for (const fault of Object.keys(FAULTS)) {
    const random = new Random(seed);
    const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));
    for (const task of tasks) {
      const outcome = await attempt(bench, task, fault, random.fork());
      if (outcome !== undefined) counts[outcome]++;
    }
    const sum = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
    total.tried += sum;
    total.solved += counts["at once"] + counts["after one retry"];
    total.corrupted += counts.corrupted;
    rows.push([fault, sum, ...outcomes.map((outcome) => counts[outcome])]);
  }
  print(`\n${tasks.length} edit tasks in 8 languages, spoiled as models spoil them\n`);
  print(
    table(["fault", "patches", "solved at once", "solved after one retry", "refused", "corrupted"], rows),
  );
  print(`\nSolved within one retry: ${percent(total.solved / total.tried)}`);
  return { tried: total.tried, solved: total.solved / total.tried, corrupted: total.corrupted };
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      trials: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
      tasks: { type: "string", default: "6" },
      quick: { type: "boolean", default: false },
      history: { type: "string" },
      dump: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const numbers = { trials: Number(values.trials), seed: Number(values.seed), tasks: Number(values.tasks) };
  if (values.history !== undefined) {
    const bench = new Bench();
    try {
      await replayHistory(bench, values.history, { ...numbers, dump: values.dump });
    } finally {
      bench.remove();
    }
  } else {
    const command = `npm run bench:faults${values.quick ? " -- --quick" : ""}`;
    const keep = values.write ? (figures) => record("faults", { command, ...figures }) : undefined;
    const broken = await main({ ...numbers, quick: values.quick, keep });
    process.exitCode = broken.length > 0 ? 1 : 0;
  }
}
