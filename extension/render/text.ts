// Makes any text safe to print: no text of a file may control the terminal.
//
// Tabs become spaces up to the next stop; control characters and invisible marks that turn the direction of writing are
// shown as escapes. `width.ts` measures the result.

import { clusters, clusterWidth } from "./width.ts";

/** Columns from one tab stop to the next, counted from the start of the text. */
const TAB = 4;

/** One line of text, without control sequences for the terminal. */
export function printable(text: string): string {
  if (!UNSAFE.test(text)) return text;
  const visible = text.replace(/\p{Cs}/gu, "\ufffd").replace(ESCAPED, escaped);
  return visible.includes("\t") ? expandTabs(visible) : visible;
}

/** Control characters, line separators, marks of direction, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const ESCAPED = /[^\P{Cc}\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (char === "\n") return "\\n";
  if (char === "\r") return "\\r";
  if (char === "\0") return "\\0";
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function expandTabs(text: string): string {
  let out = "";
  let column = 0;
  for (const cluster of clusters(text)) {
    const width = cluster === "\t" ? TAB - (column % TAB) : clusterWidth(cluster);
    out += cluster === "\t" ? " ".repeat(width) : cluster;
    column += width;
  }
  return out;
}
