// Draws the diff of an applied patch: numbers and marks in a margin, lines around a change in the colours of their
// language, and in a changed line the words that changed.

import { changedWords } from "./changed-words.ts";
import { highlight } from "./highlight.ts";
import { type Color, type Line, line, type Span } from "./line.ts";
import { widest } from "./listing.ts";

/** Matches a line of a diff: mark, number, tag, text. A deleted line has no tag. */
const CHANGE = /^([ +-])(\d+)(?:[:#][0-9A-Za-z]+|[a-z]{2})?\|(.*)$/su;
const GAP_ROW = /^[ +-]?\.\.\./u;
const SIZES_HEADING = /^(.*): \+(\d+) -(\d+)$/su;
/** Matches headings such as `path: created, 3 lines`. */
const FATE_HEADING = /^(.+?)(: (?:created|deleted|moved|unchanged)\b.*)$/su;

const MOVED_HEADING = /^.+ moved to .+$/su;

interface Change {
  mark: string;
  number: string;
  content: string;
}

/** The rows of a diff. `titled` leaves out the heading of the only file, which the title names. */
export function diffLines(lines: string[], titled: boolean): Line[] {
  const changes = lines.map(changeOf);
  const width = widest(changes.map((change) => change?.number));
  const colours = contextColours(lines, changes);
  const words = changedWordSpans(changes);
  return lines.flatMap((one, at) => {
    const change = changes[at];
    if (change) return [renderChange(change, width, words[at] ?? colours[at])];
    // A gap above the first change of a file is not shown.
    if (GAP_ROW.test(one)) return one === "..." && !changes[at - 1] ? [] : [line("dim", one)];
    if (titled && SIZES_HEADING.test(one)) return [];
    const isHeading = SIZES_HEADING.test(one) || FATE_HEADING.test(one) || MOVED_HEADING.test(one);
    return isHeading && at > 0 ? [line("dim", ""), headingLine(one)] : [headingLine(one)];
  });
}

/** The numbers of added and removed lines, as `+3 -5`. */
export function sizes(added: number | string, removed: number | string): Span[] {
  return [
    { text: ` +${added}`, color: "toolDiffAdded" },
    { text: ` -${removed}`, color: "toolDiffRemoved" },
  ];
}

function headingLine(text: string): Line {
  const [, path, added, removed] = SIZES_HEADING.exec(text) ?? [];
  if (path === undefined || added === undefined || removed === undefined) return line("accent", text);
  return { spans: [{ text: path, color: "accent" }, ...sizes(added, removed)] };
}

function changeOf(text: string): Change | undefined {
  const [, mark, number, content] = CHANGE.exec(text) ?? [];
  if (mark === undefined || number === undefined || content === undefined) return undefined;
  return { mark, number, content };
}

function renderChange({ mark, number, content }: Change, width: number, spans: Span[] | undefined): Line {
  const gutter = `${mark}${number.padStart(width)} `;
  const color = colorOf(mark);
  return { spans: [{ text: gutter, color }, ...(spans ?? [{ text: content, color }])], hang: gutter.length };
}

function colorOf(mark: string): Color {
  if (mark === "+") return "toolDiffAdded";
  return mark === "-" ? "toolDiffRemoved" : "toolDiffContext";
}

/** The spans of the lines that did not change, in the colours of their language. */
function contextColours(lines: string[], changes: (Change | undefined)[]): (Span[] | undefined)[] {
  const colours: (Span[] | undefined)[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (changes[end]?.mark === " ") end++;
    const run = changes.slice(at, end).map((change) => change?.content ?? "");
    const spans = highlight(path, run);
    for (const [place] of run.entries()) colours[at + place] = spans?.[place];
    const next = lines[end];
    if (next !== undefined && !changes[end])
      path = (SIZES_HEADING.exec(next) ?? FATE_HEADING.exec(next))?.[1] ?? path;
    at = end + 1;
  }
  return colours;
}

/**
 * The spans of changed lines. Where as many lines were added as removed, each new line is compared with the
 * old one in its place.
 */
function changedWordSpans(changes: (Change | undefined)[]): (Span[] | undefined)[] {
  const spans: (Span[] | undefined)[] = [];
  for (let at = 0; at < changes.length; ) {
    let added = at;
    while (changes[added]?.mark === "-") added++;
    let end = added;
    while (changes[end]?.mark === "+") end++;
    if (added > at && end - added === added - at) {
      for (let old = at; old < added; old++) {
        const now = old + (added - at);
        const parts = changedWords(changes[old]?.content ?? "", changes[now]?.content ?? "");
        const paint = (color: Color) => (part: { text: string; changed: boolean }) =>
          part.changed ? { text: part.text, color, inverse: true } : { text: part.text, color };
        spans[old] = parts?.old.map(paint("toolDiffRemoved"));
        spans[now] = parts?.new.map(paint("toolDiffAdded"));
      }
    }
    at = Math.max(end, at + 1);
  }
  return spans;
}
