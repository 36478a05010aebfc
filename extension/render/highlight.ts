// Syntax colours, by the host's own highlighter where it hands it out, as omp does, else by a simple one of ours.
//
// What a host's highlighter answers is read into spans, so that lines are cut and wrapped as others are, and is
// dropped where it says anything else than the lines it was given.

import { lexed } from "./lexer.ts";
import type { Span } from "./line.ts";
import { printable } from "./text.ts";

/** What the hosts offer. */
export interface Highlighter {
  highlightCode(code: string, language?: string): readonly string[];
  getLanguageFromPath(path: string): string | undefined;
}

let highlighter: Highlighter | undefined;

/** Uses the host's highlighter, or ours if the host offers none. */
export function useHighlighter(offered: unknown): void {
  const { highlightCode, getLanguageFromPath } = (offered ?? {}) as Partial<Highlighter>;
  const isOne = typeof highlightCode === "function" && typeof getLanguageFromPath === "function";
  highlighter = isOne ? { highlightCode, getLanguageFromPath } : undefined;
}

/** The spans of lines that follow each other in a file; nothing if its language is not known. */
export function highlighted(path: string | undefined, lines: readonly string[]): Span[][] | undefined {
  if (path === undefined || lines.length === 0) return undefined;
  const plain = lines.map(printable);
  if (highlighter === undefined) return lexed(path, plain);
  try {
    const language = highlighter.getLanguageFromPath(path);
    if (language === undefined) return undefined;
    const painted = highlighter.highlightCode(plain.join("\n"), language);
    if (painted.length !== plain.length) return undefined;
    const spans = painted.map(spansOf);
    const same = spans.every((line, at) => line.map(({ text }) => text).join("") === plain[at]);
    return same ? spans : undefined;
  } catch {
    // If highlighting fails, show the text without colours.
    return undefined;
  }
}

/** The attributes that a highlighter may set: a colour, or bold, dim, italic, underlined. */
interface Style {
  color?: string;
  attributes: Set<number>;
}

/** A text with escapes as spans that carry them. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const style: Style = { attributes: new Set() };
  let end = 0;
  for (const { 0: found, 1: codes = "", index } of text.matchAll(/\x1b\[([\d;]*)m/g)) {
    add(spans, text.slice(end, index), style);
    set(style, codes.split(";").map(Number));
    end = index + found.length;
  }
  add(spans, text.slice(end), style);
  return spans;
}

function add(spans: Span[], text: string, { color, attributes }: Style): void {
  if (text === "") return;
  const codes = [...attributes, ...(color === undefined ? [] : [color])];
  const sgr = codes.length === 0 ? {} : { sgr: `\x1b[${codes.join(";")}m` };
  spans.push({ text, color: "toolOutput", ...sgr });
}

function set(style: Style, codes: number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const taken = code === 38 ? (codes[at + 1] === 5 ? 3 : 5) : 1;
    if (code === 0) {
      delete style.color;
      style.attributes.clear();
    } else if (code === 39) delete style.color;
    else if (code === 38 || (code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      style.color = codes.slice(at, at + taken).join(";");
    } else if (code >= 1 && code <= 4) style.attributes.add(code);
    else if (code === 22) for (const one of [1, 2]) style.attributes.delete(one);
    else if (code === 23 || code === 24) style.attributes.delete(code - 20);
    at += taken - 1;
  }
}
