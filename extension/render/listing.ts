// Tagged lines as a person wants to see them: the anchor dim, the text plain.
//
// The text is what the model gets; which lines it has, and which tags, was decided before it came here.

import { type Line, line, type Span } from "./line.ts";

/** How many rows a result has before the rest is folded away. */
export const FOLDED = 20;

/** Every line of a text, anchors set apart. */
export function listing(text: string): Line[] {
  const lines = text.split("\n");
  const wide = widest(lines.map((one) => TAGGED.exec(one)?.[1]));
  return lines.map((one, at) => {
    const [, number, tag, content] = TAGGED.exec(one) ?? [];
    if (number !== undefined && tag !== undefined && content !== undefined)
      return tagged(`${number.padStart(wide)}${tag}`, content);
    if ((at === 0 || lines[at - 1] === "") && HEADING.test(one)) return heading(one);
    if (one.startsWith("error: ")) return line("error", one);
    return line(ASIDE.test(one) ? "muted" : "toolOutput", one);
  });
}

/** How long the longest of some numbers is. */
export function widest(numbers: (string | undefined)[]): number {
  return numbers.reduce((most, number) => Math.max(most, number?.length ?? 0), 0);
}

/** The first of some lines, and a row that says how many more there are. */
export function folded(lines: Line[], most: number, what = "line"): Line[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), more(lines.length - most, what)];
}

/** The row in place of the rows that are folded away. */
export function more(number: number, what: string): Line {
  return line("muted", `... ${number} more ${what}${number === 1 ? "" : "s"} (ctrl+o to expand)`);
}

/** Lines of what is not to be overlooked. */
export function notes(texts: readonly unknown[]): Line[] {
  return texts.map((text) => line("warning", String(text)));
}

/** `path (what is shown of it)`, as a report heads the lines of a file. */
export function heading(text: string): Line {
  const [, path = text, rest = ""] = HEADING.exec(text) ?? [];
  return { spans: [{ text: path, color: "accent" }, aside(rest)] };
}

/** Words beside the matter. */
export function aside(text: string): Span {
  return { text, color: "muted" };
}

const TAGGED = /^(\d+)([:#][0-9A-Za-z]+\|)(.*)$/su;
const HEADING = /^(\S.*)( \([^()]*(?:`.*`[^()]*)?\))$/u;
const ASIDE = /^(?:\.\.\.|\[.*\])$/u;

function tagged(anchor: string, content: string): Line {
  return {
    spans: [
      { text: anchor, color: "dim" },
      { text: content, color: "toolOutput" },
    ],
    hang: anchor.length,
  };
}
