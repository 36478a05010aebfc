// Draws a result that has only text: an exception, a blocked call, the result of a host's own tool.

import type { Component } from "./component.ts";
import type { Result } from "./host.ts";
import { block, type Line, line } from "./line.ts";
import { fold, MAX_ROWS, notes } from "./listing.ts";

/** Shows the text of a result unchanged, under the title of its call. */
export function drawPlain(result: Result, title: Line): Component {
  return block(result.theme, result.expanded ? "wrap" : "cut", () => [title, ...plainLines(result)]);
}

/** The lines of a result's text. The reason of a failure is wrapped, never cut. */
export function plainLines({ text, notices, expanded, failed }: Result): Line[] {
  const one = (row: string): Line =>
    failed ? { ...line("error", row), overflow: "wrap" } : line("toolOutput", row);
  const lines = text === "" ? [] : text.split("\n").map(one);
  return [...(expanded ? lines : fold(lines, MAX_ROWS)), ...notes(notices)];
}
