// Draws tagged lines for people: the anchor dim, the text in the colours of its language.
//
// The text is the one that the model gets; the core has decided which lines and tags it has.

import { highlight } from "./highlight.ts";
import { type Color, type Line, line, type Span } from "./line.ts";

/** How many rows of a result are shown before the rest is folded away. */
export const MAX_ROWS = 20;

/** A line of a file: its mark, if it has one, its number, its tag, and its text. */
interface TaggedRow {
  mark: string;
  number: string;
  tag: string;
  content: string;
}

/** Whether a line of a file is marked with `>`. */
type IsPointed = (path: string | undefined, number: number) => boolean;

/** The lines of a text; anchors have a colour of their own. */
export function listing(text: string, isPointed?: IsPointed): Line[] {
  const lines = text.split("\n");
  const pointing = isPointed !== undefined;
  const rows = lines.map(taggedRow);
  const width = widest(rows.map((row) => row && `${row.mark || (pointing ? POINTER : "")}${row.number}`));
  const colours = languageColours(lines, rows);
  let path: string | undefined;
  return lines.map((one, at) => {
    const row = rows[at];
    if (row) return renderRow(row, width, isPointed?.(path, Number(row.number)) === true, colours[at]);
    if (isHeading(lines, at)) {
      path = HEADING.exec(one)?.[1];
      return heading(one);
    }
    if (one.startsWith("error: ")) return line("error", one);
    if (DELETED_ROW.test(one)) return line("toolDiffRemoved", one);
    return line(ASIDE.test(one) ? "muted" : "toolOutput", one);
  });
}

/** The length of the longest of some numbers. */
export function widest(numbers: (string | undefined)[]): number {
  return numbers.reduce((most, number) => Math.max(most, number?.length ?? 0), 0);
}

/** The first of some lines, and a row that says how many more there are. */
export function fold(lines: Line[], most: number, what = "line"): Line[] {
  // Do not fold a single line away: the row that says so would take its place.
  if (lines.length <= most + 1) return lines;
  return [...lines.slice(0, most), moreRow(lines.length - most, what)];
}

/** The row in place of the rows that are folded away. */
export function moreRow(number: number, what: string): Line {
  return line("muted", `... ${number} more ${what}${number === 1 ? "" : "s"} (ctrl+o to expand)`);
}

/** Lines of notes that must not be overlooked. */
export function notes(texts: readonly unknown[]): Line[] {
  return texts.map((text) => ({ ...line("warning", String(text)), overflow: "wrap" }));
}

/** The heading of a file's lines in a report: `path (which lines are shown)`. */
export function heading(text: string): Line {
  const [, path = text, rest = ""] = HEADING.exec(text) ?? [];
  return { spans: [{ text: path, color: "accent" }, aside(rest)] };
}

/** A muted remark after the main text. */
export function aside(text: string): Span {
  return { text, color: "muted" };
}

const TAGGED = /^(\+?)(\d+)((?:[:#][0-9A-Za-z]+|[a-z]{2})\|)(.*)$/su;
const HEADING = /^(\S.*)( \([^()]*(?:`.*`[^()]*)?\))$/u;
const ASIDE = /^(?:\.\.\.|\[.*\])$/u;
/** Marks the lines that a refusal is about. */
const POINTER = ">";
/** The row of a report that counts deleted lines. */
const DELETED_ROW = /^-\.\.\. \d+ gone$/u;

function taggedRow(text: string): TaggedRow | undefined {
  const [, mark, number, tag, content] = TAGGED.exec(text) ?? [];
  if (mark === undefined || number === undefined || tag === undefined || content === undefined)
    return undefined;
  return { mark, number, tag, content };
}

function isHeading(lines: string[], at: number): boolean {
  return (at === 0 || lines[at - 1] === "") && HEADING.test(lines[at] ?? "");
}

/** The spans of every row whose file is of a known language; consecutive rows are highlighted as one text. */
function languageColours(lines: string[], rows: (TaggedRow | undefined)[]): (Span[] | undefined)[] {
  const colours: (Span[] | undefined)[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (rows[end]) end++;
    const run = rows.slice(at, end).map((row) => row?.content ?? "");
    const spans = highlight(path, run);
    for (const [place] of run.entries()) colours[at + place] = spans?.[place];
    if (end < lines.length && isHeading(lines, end)) path = HEADING.exec(lines[end] ?? "")?.[1];
    at = end + 1;
  }
  return colours;
}

function renderRow(row: TaggedRow, width: number, pointed: boolean, spans: Span[] | undefined): Line {
  const { mark, number, tag, content } = row;
  const color: Color = pointed ? "warning" : mark !== "" ? "toolDiffAdded" : "dim";
  const plain: Span = { text: content, color: color === "dim" ? "toolOutput" : color };
  const anchor = `${pointed ? POINTER : mark}${number}`.padStart(width) + tag;
  return {
    spans: [{ text: anchor, color }, ...(pointed ? [plain] : (spans ?? [plain]))],
    hang: anchor.length,
  };
}
