// Draws a shell command that the guard answered: below the command, the lines in the colours of `read`.

import type { Rows } from "./component.ts";
import { resultOf } from "./host.ts";
import { block, line } from "./line.ts";
import { fold, listing } from "./listing.ts";

/** How many lines are shown before the rest is folded away: as many as pi shows of a command's output. */
const MAX_LINES = 5;

/** Marks a result whose content is our answer in place of a command's output. */
export const SERVED = { served: true } as const;

/** The rows of a shell: this file draws our answers, the host draws all other output. */
export function servedRows(own: Partial<Rows> | undefined): Partial<Rows> | undefined {
  const renderResult = own?.renderResult;
  if (renderResult === undefined) return own;
  return {
    ...own,
    renderResult(given, options, theme, last) {
      const result = resultOf(given, options, theme, last);
      if (result.details.served !== true) return renderResult(given, options, theme, last);
      // After the lines comes the reason, for the model.
      const [lines = "", why = ""] = result.text.split(/\n\n(?=\[[^\n]*\]$)/);
      return block(result.theme, result.expanded ? "wrap" : "cut", () => {
        const rows = listing(lines);
        const blank = line("dim", "");
        return [blank, ...(result.expanded ? rows : fold(rows, MAX_LINES)), blank, line("muted", why)];
      });
    },
  };
}
