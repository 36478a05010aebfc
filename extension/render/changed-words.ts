// Finds what changed inside a line: which words of the old line are gone, and which words of the new line were added.

/** A part of a line. */
export interface Part {
  text: string;
  /** Whether the other line lacks this part. */
  changed: boolean;
}

/** Lines with more words than this are compared only at their ends. */
const MAX_WORDS = 200;

/** The parts of an old and a new line; nothing if they have too little in common for a comparison to help. */
export function changedWords(before: string, after: string): { old: Part[]; new: Part[] } | undefined {
  const [old, now] = [words(before), words(after)];
  const same = (a: number, b: number) => old[a] === now[b];
  let head = 0;
  while (head < old.length && head < now.length && same(head, head)) head++;
  let tail = 0;
  const room = Math.min(old.length, now.length) - head;
  while (tail < room && same(old.length - 1 - tail, now.length - 1 - tail)) tail++;
  const middles = [old, now].map((line) => line.slice(head, line.length - tail)) as [string[], string[]];
  const kept = commonWords(...middles);
  const common = [
    ...old.slice(0, head),
    ...kept.map(([at]) => middles[0][at]),
    ...old.slice(old.length - tail),
  ];
  const length = (line: (string | undefined)[]) => line.join("").replaceAll(/\s/g, "").length;
  if (length(common) * 3 < Math.max(length(old), length(now))) return undefined;
  const parts = (line: string[], side: 0 | 1): Part[] => {
    const known = new Set(kept.map((pair) => head + pair[side]));
    return joinParts(
      line.map((text, at) => ({
        text,
        changed: at >= head && at < line.length - tail && !known.has(at),
      })),
    );
  };
  return { old: parts(old, 0), new: parts(now, 1) };
}

function words(line: string): string[] {
  return line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** The longest sequence of words that both lines have in the same order, as pairs of indexes. */
function commonWords(old: string[], now: string[]): [number, number][] {
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) return [];
  const most = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  const at = (a: number, b: number) => most[a]?.[b] ?? 0;
  for (let a = old.length - 1; a >= 0; a--) {
    for (let b = now.length - 1; b >= 0; b--) {
      const row = most[a];
      if (row) row[b] = old[a] === now[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const kept: [number, number][] = [];
  for (let a = 0, b = 0; a < old.length && b < now.length; ) {
    if (old[a] === now[b]) kept.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return kept;
}

/**
 * Joins neighbouring parts that are both changed or both unchanged. White space at the start of a line is
 * never marked.
 */
function joinParts(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const { text, changed } of parts) {
    const last = out.at(-1);
    const marked = changed && !(last === undefined && text.trim() === "");
    if (last?.changed === marked) last.text += text;
    else out.push({ text, changed: marked });
  }
  return out;
}
