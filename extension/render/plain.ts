// A result of which only the text is known: an exception, a blocked call, the answer of a host's own tool.

import type { Component } from "./component.ts";
import type { Result } from "./host.ts";
import { block, line } from "./line.ts";
import { FOLDED, folded, notes } from "./listing.ts";

/** Shows the text of a result as it is. */
export function plain({ text, notices, theme, expanded, failed }: Result): Component {
  return block(theme, expanded ? "wrap" : "cut", () => {
    const color = failed ? "error" : "toolOutput";
    const lines = text === "" ? [] : text.split("\n").map((one) => line(color, one));
    return [...(expanded ? lines : folded(lines, FOLDED)), ...notes(notices)];
  });
}
