// npm run bench:fixtures -- DIR: plays fixtures such as oh-my-pi's public ones: tasks that repair one fault each.
//
//   npm run bench:fixtures -- DIR [--arms ours,pi] [--limit N]
//
// DIR has, at any depth, a directory for each task, with `input` and `expected` in it, which have the same files.
// Nothing is fetched. A scripted model asks for exactly the difference between the two.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { isMain, script } from "../../scripts/run.mjs";
import { table } from "../faults/table.mjs";
import { arms } from "./arms.mjs";
import { onStage } from "./play.mjs";
import { perfectTable } from "./tables.mjs";
import { linesOf } from "./text.mjs";

/** The tasks in a directory: one situation for each file that differs. */
export function tasksIn(directory) {
  if (existsSync(join(directory, "input")) && existsSync(join(directory, "expected"))) {
    return filesIn(join(directory, "input")).flatMap((name) => {
      const before = readFileSync(join(directory, "input", name), "utf8");
      const target = join(directory, "expected", name);
      const want = existsSync(target) ? readFileSync(target, "utf8") : before;
      if (want === before) return [];
      const steps = [{ edits: difference(linesOf(before), linesOf(want)) }];
      return [
        { key: `${basename(directory)}/${name}`, group: "core", path: basename(name), before, want, steps },
      ];
    });
  }
  const inner = readdirSync(directory).map((name) => join(directory, name));
  return inner.filter((path) => statSync(path).isDirectory()).flatMap(tasksIn);
}

function filesIn(directory) {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(directory, name)).isFile())
    .sort();
}

/** The edits that turn the lines `old` into `wanted`; a longest common subsequence stays. */
export function difference(old, wanted) {
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(wanted.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = wanted.length - 1; j >= 0; j--) {
      common[i][j] =
        old[i] === wanted[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const edits = [];
  for (let i = 0, j = 0; i < old.length || j < wanted.length; ) {
    if (i < old.length && j < wanted.length && old[i] === wanted[j]) {
      [i, j] = [i + 1, j + 1];
      continue;
    }
    const [from, at] = [i, j];
    while (i < old.length || j < wanted.length) {
      if (i < old.length && j < wanted.length && old[i] === wanted[j]) break;
      if (j >= wanted.length || (i < old.length && common[i + 1][j] >= common[i][j + 1])) i++;
      else j++;
    }
    edits.push({ first: from + 1, last: i, lines: wanted.slice(at, j) });
  }
  return edits;
}

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      arms: { type: "string", default: "ours in pi,pi's edit,omp's edit" },
      limit: { type: "string", default: "1000" },
    },
    allowPositionals: true,
  });
  const [directory] = positionals;
  if (!directory || !existsSync(directory)) throw new Error("name the directory of the fixtures");
  const tasks = tasksIn(directory).slice(0, Number(values.limit));
  if (tasks.length === 0)
    throw new Error(`${directory} has no task: no directory in it has input and expected`);
  const isChosen = ({ name, missing }) =>
    !missing && values.arms.split(",").some((part) => name.includes(part));
  const played = [];
  for (const arm of arms().filter(isChosen)) {
    const perfect = [];
    await onStage(arm, async (play) => {
      for (const situation of tasks) perfect.push({ situation, ...(await play(situation)) });
    });
    played.push({ name: arm.name, perfect });
  }
  const { head, rows } = perfectTable(played);
  process.stdout.write(`${tasks.length} files\n${table(head, rows)}\n`);
}

if (isMain(import.meta.url)) await script(main);
