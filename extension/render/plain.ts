// A result with nothing but its text: an exception, a blocked call, the answer of a host's own tool.

import type { Component } from "./component.ts";
import type { Result } from "./host.ts";
import { block, type Line, line } from "./line.ts";
import { FOLDED, folded, notes } from "./listing.ts";

/** Shows the text of a result unchanged, under the title of its call. */
export function plain(result: Result, title: Line): Component {
  return block(result.theme, result.expanded ? "wrap" : "cut", () => [title, ...plainLines(result)]);
}

/** The lines of such a text. Why something failed is wrapped, never cut. */
export function plainLines({ text, notices, expanded, failed }: Result): Line[] {
  const one = (said: string): Line =>
    failed ? { ...line("error", said), overflow: "wrap" } : line("toolOutput", said);
  const lines = text === "" ? [] : text.split("\n").map(one);
  return [...(expanded ? lines : folded(lines, FOLDED)), ...notes(notices)];
}
