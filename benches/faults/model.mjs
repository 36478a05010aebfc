// Simulates a model that sends a spoiled patch, reads the report, and tries once more.
//
// For its second try it knows only what it wanted, what the first read showed, and the text of the report.

import { anchorsOf, joined } from "./bench.mjs";
import { FAULTS, operation, textOf } from "./spoil.mjs";
import { carryOut } from "./tasks.mjs";

// Returns `at once`, `after one retry`, `refused` or `corrupted`; undefined if the fault does not fit the task.
export async function attempt(bench, task, fault, random, trace = []) {
  bench.write(joined(task.before), "file");
  // Models get the short report.
  const session = bench.session({ report: "short" });
  const anchors = anchorsOf((await session.read({ path: "file" })).text);
  const spoiled = FAULTS[fault](task, anchors, random);
  if (spoiled === undefined) return undefined;
  const disturb = spoiled.disturb ?? ((lines) => lines);
  const before = disturb(task.before);
  const shift = before.length - task.before.length;
  const intent = { ...task.intent, first: task.intent.first + shift, last: task.intent.last + shift };
  const wanted = joined(carryOut(before, intent));
  bench.write(joined(before), "file");

  const first = await session.apply(spoiled.request);
  trace.push(spoiled.request, first.text);
  if (first.kind === "applied" && bench.text("file") === wanted) return "at once";
  const again = first.kind === "refused" ? afterRefusal(task, first.text) : afterChange(task, first.text);
  if (again === undefined) return first.kind === "refused" ? "refused" : "corrupted";
  const second = await session.apply({ patch: again });
  trace.push(again, second.text);
  if (second.kind === "refused") return first.kind === "refused" ? "refused" : "corrupted";
  return bench.text("file") === wanted ? "after one retry" : "corrupted";
}

// The tagged lines of a report: number, anchor and text; a line known only from a `tags:` list has no text.
function shownLines(report) {
  const found = [];
  for (const line of report.split("\n")) {
    const parts = /^([ +]?)(\d+)[:#][0-9A-Za-z]+\|(.*)$/.exec(line);
    if (parts) {
      const anchor = line.slice(parts[1].length, line.indexOf("|"));
      found.push({ isNew: parts[1] === "+", number: Number(parts[2]), anchor, text: parts[3] });
    }
    for (const anchor of /^tags: (.*)$/.exec(line)?.[1].split(" ") ?? []) {
      found.push({ isNew: true, number: Number.parseInt(anchor, 10), anchor });
    }
  }
  return found;
}

// The same edit again, by the anchors that the refusal shows for these lines.
function afterRefusal({ before, intent }, report) {
  const lines = shownLines(report);
  const anchors = new Map();
  for (const at of new Set([intent.first, intent.last])) {
    const same = lines.filter((line) => line.text === before[at]);
    const distinct = new Map(same.map((line) => [line.anchor, line]));
    // The nearest line with the wanted text; if there are several, one whose neighbours match too.
    const candidates = [...distinct.values()].filter((line) => fits(line, at, before, lines));
    if (candidates.length !== 1) return undefined;
    anchors.set(at + 1, candidates[0].anchor);
  }
  return [operation(intent, anchors)];
}

function fits(line, at, before, lines) {
  const by = new Map(lines.map(({ number, text }) => [number, text]));
  return [-1, 1].every((step) => {
    const text = by.get(line.number + step);
    return text === undefined || text === before[at + step];
  });
}

// Replaces the new lines that the report shows with the lines that the model wanted.
function afterChange({ intent }, report) {
  const fresh = shownLines(report).filter((line) => line.isNew);
  if (fresh.length === 0) return undefined;
  const text = textOf(intent.lines);
  const [first, last] = [fresh[0].anchor, fresh.at(-1).anchor];
  if (first === last) return [{ op: "set_line", path: "file", anchor: first, text, exact: true }];
  return [{ op: "replace_range", path: "file", start_anchor: first, end_anchor: last, text, exact: true }];
}
