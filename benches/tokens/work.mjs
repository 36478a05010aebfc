// One run of a system through all tasks: plays the model in the real host, and counts tokens.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { workbench } from "../../__test__/hosts/bench.mjs";
import { perFile, spliced } from "./dialects.mjs";
import { sample, TASKS } from "./tasks.mjs";

/** No run needs more turns than this. */
const MAX_TURNS = 500;

/** How many lines on each side of an edit the model reads when it has to read again. */
const AROUND = 10;

/** Plays every task in one conversation; returns the cost of each, and the fixed cost of the system. */
export async function play({ host, extensions, dialect }) {
  const bench = await workbench(host, { extensions });
  try {
    const names = TASKS.flatMap(({ files }, task) =>
      Array.from({ length: files }, (_, file) => nameOf(task, file)),
    );
    await bench.reset(Object.fromEntries(names.map((name) => [name, textOf(sample())])));
    const rows = [];
    const steps = conversation(bench.work, dialect, rows);
    const turn = (seen) => {
      const { value, done } = steps.next(seen.last);
      return done ? { text: "done" } : { calls: [value] };
    };
    const { script, stderr } = await bench.print(Array(MAX_TURNS).fill(turn));
    if (script.failures.length > 0) throw script.failures[0];
    assert.equal(rows.length, TASKS.length, `the host ended before the tasks did: ${stderr}`);
    const [{ request, system }] = script.seen;
    return { rows, fixed: fixedCost(request, system, dialect.tools) };
  } finally {
    await bench.close();
  }
}

const nameOf = (task, file) => `src/task${task}-${file}.js`;
const textOf = (lines) => lines.map((line) => `${line}\n`).join("");

/** Yields all calls of all tasks; each `yield` evaluates to the answer. */
function* conversation(root, dialect, rows) {
  for (const [at, { name, files, followUps = false, run }] of TASKS.entries()) {
    const work = new Work(root, dialect, at, files);
    try {
      yield* run(work);
      work.check();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    rows.push({ name, followUps, ...work.counts });
  }
}

/** The tokens of the definitions of the file tools and of the lines about them in the system prompt. */
function fixedCost({ tools }, system, names) {
  const cost = (some) => {
    const definitions = tools
      .map((tool) => tool.function)
      .filter(({ name }) => some.includes(name))
      .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }));
    const lines = system.split("\n").filter((line) => speaksOf(line, some));
    return countTokens([...definitions, ...lines].join("\n"));
  };
  return { all: cost(names), withoutGrep: cost(names.filter((name) => name !== "grep")) };
}

/** Whether a line of the system prompt lists one of the tools, or is a rule about one or its answers. */
function speaksOf(line, names) {
  if (!line.startsWith("- ")) return false;
  const listed = /^- (\w+): /.exec(line)?.[1];
  if (listed !== undefined && listed !== "REJECTED") return names.includes(listed);
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(line)) || /\banchors?\b|REJECTED/.test(line);
}

/** What a task works with: each generator method yields calls and receives their answers. */
class Work {
  /** The tokens of calls and answers, the number of edits, and of the extra reads they needed. */
  counts = { calls: 0, answers: 0, edits: 0, reads: 0 };
  #root;
  #dialect;
  #names;
  /** The files as the model believes them to be. */
  #files = new Map();
  /** Lines that were added without the model's knowledge. */
  #unknown = 0;

  constructor(root, Dialect, task, files) {
    this.#root = root;
    this.#names = Array.from({ length: files }, (_, file) => nameOf(task, file));
    for (const name of this.#names) this.#files.set(name, sample());
    this.#dialect = new Dialect(this.#files);
  }

  /** The edit that replaces one line, given by its current number. */
  line(file, number, text) {
    return { file, first: number, last: number, lines: [text] };
  }

  *read(file, window) {
    const path = this.#names[file];
    this.#files.set(path, this.#linesOnDisk(path));
    this.#dialect.learnRead(path, yield* this.#ask(this.#dialect.read(path, window)));
  }

  /** Makes edits; reads first if the system cannot express an edit without that. */
  *edit(wanted, { refused = false } = {}) {
    const edits = wanted.map(({ file, ...edit }) => ({ path: this.#names[file], file, ...edit }));
    for (const edit of edits) {
      if (this.#dialect.canWrite(edit)) continue;
      this.counts.reads++;
      const offset = Math.max(edit.first - AROUND, 1);
      yield* this.read(edit.file, { offset, limit: edit.last - offset + 1 + AROUND });
    }
    this.counts.edits++;
    for (const group of this.#dialect.calls(edits)) {
      const answer = yield* this.#ask(this.#dialect.edit(group));
      if (refused) {
        this.#dialect.learnRefusal(group, answer);
        for (const { path } of group) this.#files.set(path, this.#linesOnDisk(path));
        continue;
      }
      for (const [path, own] of perFile(group)) {
        const lines = this.#files.get(path);
        this.#files.set(
          path,
          spliced(lines, own, (edit) => edit.lines),
        );
      }
      this.#dialect.learnEdit(group, answer);
    }
  }

  *create(path, lines) {
    this.#names.push(path);
    this.#files.set(path, lines);
    this.counts.edits++;
    yield* this.#ask(this.#dialect.create(path, textOf(lines)));
  }

  /** Runs steps whose tokens are not counted. */
  *unpaid(steps) {
    const before = { ...this.counts };
    yield* steps;
    this.counts = before;
  }

  /** Adds lines to a file without the model's knowledge. */
  insertBehind(file, line, lines) {
    const path = this.#names[file];
    this.#write(path, this.#linesOnDisk(path).toSpliced(line, 0, ...lines));
    this.#unknown += lines.length;
  }

  /** Changes a line without the model's knowledge. */
  rewriteBehind(file, line, text) {
    const path = this.#names[file];
    this.#write(path, this.#linesOnDisk(path).with(line - 1, text));
  }

  /** Throws unless every edit landed where it should; otherwise the figures would mean nothing. */
  check() {
    for (const path of this.#names) {
      const [lines, disk] = [this.#files.get(path), this.#linesOnDisk(path)];
      if (this.#unknown === 0) assert.deepEqual(disk, lines, path);
      else assert.deepEqual(disk.filter((line) => lines.includes(line)).sort(), [...lines].sort());
    }
  }

  *#ask(call) {
    this.counts.calls += countTokens(JSON.stringify(call.arguments));
    const answer = yield call;
    this.counts.answers += countTokens(answer);
    return answer;
  }

  #linesOnDisk(path) {
    return readFileSync(join(this.#root, path), "utf8").replace(/\n$/, "").split("\n");
  }

  #write(path, lines) {
    writeFileSync(join(this.#root, path), textOf(lines));
  }
}
