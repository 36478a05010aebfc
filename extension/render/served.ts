// How a shell command looks that was answered: the lines in the colours of `read`, below the command.

import type { Rows } from "./component.ts";
import { resultOf } from "./host.ts";
import { block, line } from "./line.ts";
import { folded, listing } from "./listing.ts";

/** How many lines are shown before the rest is folded away: as many as pi shows of a command's output. */
const SHOWN = 5;

/** Marks the details of a result that is an answer in place of a command's output. */
export const SERVED = { served: true } as const;

/** A shell's rows: answers of ours are drawn here, whatever else it prints by the host. */
export function servedRows(own: Partial<Rows> | undefined): Partial<Rows> | undefined {
  const renderResult = own?.renderResult;
  if (renderResult === undefined) return own;
  return {
    ...own,
    renderResult(given, options, theme, last) {
      const result = resultOf(given, options, theme, last);
      if (result.details.served !== true) return renderResult(given, options, theme, last);
      // Behind the lines stands why, for the model.
      const [lines = "", why = ""] = result.text.split(/\n\n(?=\[[^\n]*\]$)/);
      return block(result.theme, result.expanded ? "wrap" : "cut", () => {
        const rows = listing(lines);
        const blank = line("dim", "");
        return [blank, ...(result.expanded ? rows : folded(rows, SHOWN)), blank, line("muted", why)];
      });
    },
  };
}
