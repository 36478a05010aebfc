// The difference of two texts, as `diff -u` prints it.

/** Lines that are shown before and after a change. */
const CONTEXT = 3;

/** More changed lines than this are shown as one block, without a search for lines in common. */
const MAX_CHANGES = 2000;

/**
 * The unified diff of two texts with LF endings; empty if they are equal.
 *
 * @type {(path: string, before: string, after: string, to?: string) => string}
 */
export function unifiedDiff(path, before, after, to = path) {
  const [old, now] = [lines(before), lines(after)];
  const hunks = intoHunks(changes(old, now));
  if (hunks.length === 0) return "";
  const shown = hunks.flatMap((hunk) => print(hunk, old, now));
  return [`--- a/${path}`, `+++ b/${to}`, ...shown].join("\n");
}

/**
 * The lines of a text. A last line without a newline is marked as `diff` marks it.
 *
 * @type {(text: string) => string[]}
 */
function lines(text) {
  if (text === "") return [];
  const list = text.split("\n");
  const last = list.pop();
  if (last !== "") list.push(`${last}\n\\ No newline at end of file`);
  return list;
}

/** @typedef {{ from: number; gone: number; to: number; added: number }} Change */

/**
 * Where the lists differ, in order.
 *
 * @type {(old: string[], now: string[]) => Change[]}
 */
function changes(old, now) {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const maxTail = Math.min(old.length, now.length) - head;
  while (tail < maxTail && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const gone = old.length - head - tail;
  const added = now.length - head - tail;
  if (gone === 0 && added === 0) return [];
  if (gone + added > MAX_CHANGES) return [{ from: head, gone, to: head, added }];
  return searchChanges(old.slice(head, head + gone), now.slice(head, head + added), head);
}

/**
 * The changes between two lists, found by their longest common subsequence; `offset` is added to each position.
 *
 * @type {(old: string[], now: string[], offset: number) => Change[]}
 */
function searchChanges(old, now, offset) {
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = now.length - 1; to >= 0; to -= 1) {
      const same = common[(at + 1) * width + to + 1] + 1;
      const skipped = Math.max(common[(at + 1) * width + to], common[at * width + to + 1]);
      common[at * width + to] = old[at] === now[to] ? same : skipped;
    }
  }
  /** @type {Change[]} */
  const found = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < now.length) {
    if (at < old.length && to < now.length && old[at] === now[to]) {
      at += 1;
      to += 1;
      continue;
    }
    const change = { from: offset + at, gone: 0, to: offset + to, added: 0 };
    while (at < old.length || to < now.length) {
      if (at < old.length && to < now.length && old[at] === now[to]) break;
      const isGone =
        to === now.length ||
        (at < old.length && common[(at + 1) * width + to] >= common[at * width + to + 1]);
      if (isGone) at += 1;
      else to += 1;
    }
    change.gone = offset + at - change.from;
    change.added = offset + to - change.to;
    found.push(change);
  }
  return found;
}

/**
 * Groups changes whose contexts touch into one hunk.
 *
 * @type {(list: Change[]) => Change[][]}
 */
function intoHunks(list) {
  /** @type {Change[][]} */
  const hunks = [];
  for (const change of list) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.from - (last.from + last.gone) <= 2 * CONTEXT) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

/** @type {(hunk: Change[], old: string[], now: string[]) => string[]} */
function print(hunk, old, now) {
  const [first, last] = [hunk[0], hunk[hunk.length - 1]];
  const start = Math.max(0, first.from - CONTEXT);
  const end = Math.min(old.length, last.from + last.gone + CONTEXT);
  const newStart = first.to - (first.from - start);
  const newEnd = last.to + last.added + (end - last.from - last.gone);
  const rows = [`@@ -${range(start, end)} +${range(newStart, newEnd)} @@`];
  let at = start;
  for (const { from, gone, to, added } of hunk) {
    rows.push(...old.slice(at, from).map((line) => ` ${line}`));
    rows.push(...old.slice(from, from + gone).map((line) => `-${line}`));
    rows.push(...now.slice(to, to + added).map((line) => `+${line}`));
    at = from + gone;
  }
  return [...rows, ...old.slice(at, end).map((line) => ` ${line}`)];
}

/** @type {(start: number, end: number) => string} */
function range(start, end) {
  const count = end - start;
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}
