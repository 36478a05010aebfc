// Syntax colours: from the host's own highlighter if it offers one, as omp does, else from a simple one of ours.
//
// The output of a host's highlighter becomes spans, so that its lines are cut and wrapped like all others. It is
// ignored if its text differs from the lines that the highlighter was given.

import { lex } from "./lexer.ts";
import type { Span } from "./line.ts";
import { printable } from "./text.ts";

/** The highlighter that a host offers. */
export interface Highlighter {
  highlightCode(code: string, language?: string): readonly string[];
  getLanguageFromPath(path: string): string | undefined;
}

let highlighter: Highlighter | undefined;

/** Uses the host's highlighter, or ours if the host offers none. */
export function useHighlighter(offered: unknown): void {
  const { highlightCode, getLanguageFromPath } = (offered ?? {}) as Partial<Highlighter>;
  const isHighlighter = typeof highlightCode === "function" && typeof getLanguageFromPath === "function";
  highlighter = isHighlighter ? { highlightCode, getLanguageFromPath } : undefined;
}

/** The spans of lines that follow each other in a file; nothing if its language is not known. */
export function highlight(path: string | undefined, lines: readonly string[]): Span[][] | undefined {
  if (path === undefined || lines.length === 0) return undefined;
  const plain = lines.map(printable);
  if (highlighter === undefined) return lex(path, plain);
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

/** Splits a text at its colour escapes into spans that carry them. */
function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  const style: Style = { attributes: new Set() };
  let end = 0;
  for (const { 0: found, 1: codes = "", index } of text.matchAll(/\x1b\[([\d;]*)m/g)) {
    addSpan(spans, text.slice(end, index), style);
    applyCodes(style, codes.split(";").map(Number));
    end = index + found.length;
  }
  addSpan(spans, text.slice(end), style);
  return spans;
}

function addSpan(spans: Span[], text: string, { color, attributes }: Style): void {
  if (text === "") return;
  const codes = [...attributes, ...(color === undefined ? [] : [color])];
  const sgr = codes.length === 0 ? {} : { sgr: `\x1b[${codes.join(";")}m` };
  spans.push({ text, color: "toolOutput", ...sgr });
}

function applyCodes(style: Style, codes: number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const length = code === 38 ? (codes[at + 1] === 5 ? 3 : 5) : 1;
    if (code === 0) {
      delete style.color;
      style.attributes.clear();
    } else if (code === 39) delete style.color;
    else if (code === 38 || (code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      style.color = codes.slice(at, at + length).join(";");
    } else if (code >= 1 && code <= 4) style.attributes.add(code);
    else if (code === 22) for (const one of [1, 2]) style.attributes.delete(one);
    else if (code === 23 || code === 24) style.attributes.delete(code - 20);
    at += length - 1;
  }
}
