// npm run bench:agents: fifteen agents in one tree, each in a process of its own, with tasks on the same files.
//
//   npm run bench:agents -- [--arms ours,pi] [--agents N] [--tasks N] [--write]
//
// Every line has one owner. An agent reads the files once, and then changes its own lines and adds lines below
// them; meanwhile the others do the same, so that what it has read is soon out of date. In the end every line must
// be as its owner wants it, and no other line may have changed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { isMain, script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { record } from "../shared/figures.mjs";
import { spliced } from "../tokens/dialects.mjs";
import { arms } from "./arms.mjs";
import { linesOf } from "./text.mjs";

const FILES = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
/** How often a refused edit is tried again, after a new read. */
const RETRIES = 8;
const MAX_TURNS = 400;

const owned = (agent, task) => `item ${task} of agent ${agent} waits`;
const done = (agent, task) => `item ${task} of agent ${agent} is done`;
const added = (agent, task) => `note ${task} of agent ${agent}`;
const fileOf = (agent, task) => FILES[(agent + task) % FILES.length];
/** Every third task adds a line, so that the lines of the others move. */
const adds = (task) => task % 3 === 0;

/** The files before and after, with the tasks of all agents mixed. */
export function tree(agents, tasks) {
  const before = Object.fromEntries(FILES.map((name) => [name, []]));
  const after = Object.fromEntries(FILES.map((name) => [name, []]));
  for (let task = 0; task < tasks; task++) {
    for (let agent = 0; agent < agents; agent++) {
      const name = fileOf(agent, task);
      before[name].push(owned(agent, task), `rest ${task} ${agent}`);
      const made = adds(task) ? [owned(agent, task), added(agent, task)] : [done(agent, task)];
      after[name].push(...made, `rest ${task} ${agent}`);
    }
  }
  const texts = (files) =>
    Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, `${lines.join("\n")}\n`]));
  return { before: texts(before), after: texts(after) };
}

/** Counts the faults in the resulting files: missing edits (`lost`), and stray, missing or repeated lines (`wrong`). */
export function faults({ before, after }, found) {
  let [lost, wrong] = [0, 0];
  for (const [name, text] of Object.entries(after)) {
    const [old, wanted, lines] = [before[name], text, found[name] ?? ""].map(linesOf);
    const fresh = wanted.filter((line) => !old.includes(line));
    lost += fresh.filter((line) => !lines.includes(line)).length;
    const stray = lines.filter((line) => !wanted.includes(line) && !old.includes(line)).length;
    const gone = wanted.filter((line) => old.includes(line) && !lines.includes(line)).length;
    const twice = lines.length - new Set(lines).size;
    const inOrder = lost > 0 || stray + gone + twice > 0 || lines.join("\n") === wanted.join("\n");
    wrong += stray + gone + twice + (inOrder ? 0 : 1);
  }
  return { lost, wrong };
}

/** One agent: a generator that yields calls and receives their answers. */
class Agent {
  counts = { calls: 0, refused: 0, edits: 0, unfinished: 0 };
  #files = new Map();
  #dialect;
  #place;
  #number;
  #knowsOwnEdits;

  constructor({ Dialect, name }, place, number) {
    [this.#place, this.#number] = [place, number];
    for (const path of FILES) this.#files.set(path, []);
    this.#dialect = new Dialect(this.#files);
    // Arms that use line numbers or one tag for the whole file cannot see the others' edits, so they read
    // before each edit.
    this.#knowsOwnEdits = name.startsWith("ours");
  }

  *work(tasks) {
    for (const path of FILES) yield* this.#read(path);
    for (let task = 0; task < tasks; task++) yield* this.#task(task);
  }

  *#task(task) {
    const path = fileOf(this.#number, task);
    const own = owned(this.#number, task);
    const made = adds(task) ? added(this.#number, task) : done(this.#number, task);
    if (!this.#knowsOwnEdits) yield* this.#read(path);
    for (let tries = 0; tries <= RETRIES; tries++) {
      const at = this.#files.get(path).indexOf(own) + 1;
      const place = adds(task) ? { first: at + 1, last: at } : { first: at, last: at };
      const edits = [{ path, ...place, lines: [made] }];
      if (at > 0 && edits.every((edit) => this.#dialect.canWrite(edit))) {
        const answer = yield* this.#ask(this.#dialect.edit(edits));
        if (this.#onDisk(path).includes(made)) {
          this.counts.edits++;
          this.#files.set(
            path,
            spliced(this.#files.get(path), edits, (edit) => edit.lines),
          );
          // The line numbers in the answer include what the other agents changed.
          this.#dialect.learnEdit(edits, this.#knowsOwnEdits ? "" : answer);
          return;
        }
        this.counts.refused++;
      }
      yield* this.#read(path);
    }
    this.counts.unfinished++;
  }

  /** Reads the file, again and again until it does not change during the read. */
  *#read(path) {
    for (;;) {
      const before = this.#onDisk(path);
      this.#files.set(path, before);
      const answer = yield* this.#ask(this.#dialect.read(path));
      if (this.#onDisk(path).join("\n") !== before.join("\n")) continue;
      this.#dialect.learnRead(path, answer);
      return;
    }
  }

  *#ask(call) {
    this.counts.calls++;
    return yield call;
  }

  #onDisk(path) {
    return linesOf(readFileSync(join(this.#place, path), "utf8"));
  }
}

/** Plays all agents of one arm at the same time. */
export async function crowd(arm, agents, tasks) {
  const bench = await workbench(arm.host, { extensions: arm.extensions });
  try {
    const wanted = tree(agents, tasks);
    await bench.reset(wanted.before);
    const all = Array.from({ length: agents }, (_, number) => new Agent(arm, bench.work, number));
    const others = all.map((agent, number) => {
      const talk = agent.work(tasks);
      const turn = (seen) => {
        const { value, done: isOver } = talk.next(seen.last);
        return isOver ? { text: "done" } : { calls: [value] };
      };
      return { when: new RegExp(`\\bagent number ${number}\\b`), turns: Array(MAX_TURNS).fill(turn) };
    });
    const hosts = await Promise.all(all.map(() => bench.rpc()));
    const script = bench.model.play([], others);
    const start = performance.now();
    await Promise.all(hosts.map((rpc, number) => rpc.ask(`agent number ${number}`)));
    const seconds = (performance.now() - start) / 1000;
    await Promise.all(hosts.map((rpc) => rpc.close()));
    if (script.failures.length > 0) throw script.failures[0];
    const sum = (field) => all.reduce((count, agent) => count + agent.counts[field], 0);
    return {
      name: arm.name,
      ...faults(wanted, await bench.files()),
      ...Object.fromEntries(["edits", "calls", "refused", "unfinished"].map((field) => [field, sum(field)])),
      rate: sum("edits") / seconds,
    };
  } finally {
    await bench.close();
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      arms: { type: "string", default: "ours,pi's edit,omp's edit" },
      agents: { type: "string", default: "15" },
      tasks: { type: "string", default: "9" },
      write: { type: "boolean", default: false },
    },
  });
  const isChosen = ({ name, missing }) =>
    !missing && values.arms.split(",").some((part) => name.includes(part));
  const results = [];
  for (const arm of arms().filter(isChosen))
    results.push(await crowd(arm, Number(values.agents), Number(values.tasks)));
  const head = [
    `${values.agents} agents`,
    ...["edits", "lost", "wrong lines", "not finished", "refused", "calls", "edits a second"],
  ];
  const rows = results.map(({ name, edits, lost, wrong, unfinished, refused, calls, rate }) => [
    name,
    ...[edits, lost, wrong, unfinished, refused, calls],
    rate.toFixed(1),
  ]);
  process.stdout.write(`${table(head, rows)}\n`);
  if (values.write) record("agents", { command: "npm run bench:agents", tables: { all: { head, rows } } });
  const bad = results.filter(
    ({ name, lost, wrong, unfinished }) => name.startsWith("ours") && lost + wrong + unfinished > 0,
  );
  if (bad.length > 0)
    throw new Error(`ours loses edits or changes other lines in ${bad.map(({ name }) => name).join(", ")}`);
}

if (isMain(import.meta.url)) await script(main);
