// Lays out lines of coloured text in a given width.
//
// A line is made of spans. It is cut with `…` where there must be few rows, and wrapped where all of it must be seen.
// Every row that this file returns is printable, no wider than asked, and closes its colours.

import { type Component, drawnOnce, type Theme } from "./component.ts";
import { printable } from "./text.ts";
import { clusters, clusterWidth, textWidth } from "./width.ts";

/** Colours that the themes of all hosts have. */
export type Color =
  | "accent"
  | "dim"
  | "error"
  | "muted"
  | "success"
  | "syntaxComment"
  | "syntaxFunction"
  | "syntaxKeyword"
  | "syntaxNumber"
  | "syntaxString"
  | "toolDiffAdded"
  | "toolDiffContext"
  | "toolDiffRemoved"
  | "toolOutput"
  | "toolTitle"
  | "warning";

/** Text in one style. */
export interface Span {
  text: string;
  color: Color;
  bold?: boolean;
  /** Whether the colours of text and background are swapped. */
  inverse?: boolean;
  /** A highlighter's escape sequence, used instead of the colour. */
  sgr?: string;
}

/** One line before it is laid out. */
export interface Line {
  spans: Span[];
  /** How far the rows after the first are indented when it is wrapped. */
  hang?: number;
  /** What becomes of this line if it is too long; without it, its block decides. */
  overflow?: Overflow;
}

/** Whether a line that is too long is cut or wrapped. */
export type Overflow = "cut" | "wrap";

/** A line of one style. */
export function line(color: Color, text: string): Line {
  return { spans: [{ text, color }] };
}

/** A component that shows lines. The lines are made when first needed, and laid out once for each width. */
export function block(theme: Theme, overflow: Overflow, build: () => Line[]): Component {
  let lines: Line[] | undefined;
  return drawnOnce((width) => {
    lines ??= build();
    return lines.flatMap((one) => layOut(one, width, one.overflow ?? overflow, theme));
  });
}

/** The rows that one line takes at a width. */
export function layOut(line: Line, width: number, overflow: Overflow, theme: Theme): string[] {
  const spans = line.spans.map((span) => ({ ...span, text: printable(visiblePart(span.text, overflow)) }));
  if (spans.reduce((sum, span) => sum + textWidth(span.text), 0) <= width) return [paint(spans, theme)];
  if (!(width >= 1)) return [""];
  const rows = overflow === "cut" ? [cut(spans, width)] : wrap(spans, width, line.hang ?? 0);
  return rows.map((row) => paint(row, theme));
}

/**
 * The part of a text that can become visible. While a call streams in, a line that will be cut may hold a
 * whole file.
 */
function visiblePart(text: string, overflow: Overflow): string {
  return overflow === "cut" && text.length > MAX_CUT_LENGTH ? `${text.slice(0, MAX_CUT_LENGTH)}…` : text;
}

const MAX_CUT_LENGTH = 4096;

function cut(spans: Span[], width: number): Span[] {
  const row: Span[] = [];
  let room = width - 1;
  for (const span of spans) {
    let text = "";
    for (const cluster of clusters(span.text)) {
      room -= clusterWidth(cluster);
      if (room < 0) return [...row, { ...span, text: `${text}…` }];
      text += cluster;
    }
    row.push({ ...span, text });
  }
  return row;
}

function wrap(spans: Span[], width: number, hang: number): Span[][] {
  // On a narrow screen an indentation would leave no room for the text.
  const indent = hang * 2 <= width ? hang : 0;
  const pieces = spans.flatMap((span) =>
    clusters(span.text).map((text) => piece(text, span, width - indent)),
  );
  const rows: Span[][] = [];
  for (let from = 0; from < pieces.length; ) {
    const start = rows.length === 0 ? 0 : indent;
    const to = rowEnd(pieces, from, width - start);
    const margin: Span[] = start > 0 ? [{ text: " ".repeat(start), color: "dim" }] : [];
    rows.push([...margin, ...joinPieces(pieces.slice(from, to))]);
    from = to;
  }
  return rows;
}

/** A cluster with its style and width. A cluster that is wider than a row is replaced by `…`. */
interface Piece {
  text: string;
  span: Span;
  width: number;
}

function piece(text: string, span: Span, room: number): Piece {
  const width = clusterWidth(text);
  return width > room ? { text: "…", span, width: 1 } : { text, span, width };
}

/** The end of the row that starts at `from`: after a space in its second half, if there is one. */
function rowEnd(pieces: Piece[], from: number, room: number): number {
  let end = from;
  for (let left = room; end < pieces.length; end++) {
    left -= pieces[end]?.width ?? 0;
    if (left < 0) break;
  }
  if (end === pieces.length) return end;
  for (let at = end; at > from + (end - from) / 2; at--) {
    if (pieces[at - 1]?.text === " ") return at;
  }
  return end;
}

function joinPieces(pieces: Piece[]): Span[] {
  const row: Span[] = [];
  let last: Span | undefined;
  for (const { text, span } of pieces) {
    const end = row.at(-1);
    if (end !== undefined && span === last) end.text += text;
    else row.push({ ...span, text });
    last = span;
  }
  return row;
}

function paint(spans: Span[], theme: Theme): string {
  return spans.map((span) => (span.text === "" ? "" : styled(span, theme))).join("");
}

/** Ends the styles that a highlighter may have begun, and keeps the background. */
const RESET = "\x1b[39;22;23;24m";

function styled({ text, color, bold, inverse, sgr }: Span, theme: Theme): string {
  const marked = inverse === true ? theme.inverse(text) : text;
  if (sgr !== undefined) return `${sgr}${marked}${RESET}`;
  return theme.fg(color, bold === true ? theme.bold(marked) : marked);
}
