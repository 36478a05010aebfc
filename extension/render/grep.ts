// Draws the tool `grep`: what was searched for and found, and the first hits.

import { type Fields, integer, list, string, strings } from "../values.ts";
import type { Component, Rows } from "./component.ts";
import { frame } from "./frame.ts";
import { callOf, count, type Result, resultOf } from "./host.ts";
import { block, type Line, line, type Span } from "./line.ts";
import { aside, fold, listing, notes } from "./listing.ts";
import { drawPlain } from "./plain.ts";

/** How many rows of hits are shown before the rest is folded away. */
const MAX_HITS = 5;

export const grepRows: Rows = {
  renderCall(given, a, b) {
    const { args, theme, done } = callOf(given, a, b);
    return block(theme, "cut", () => (done ? [] : [{ spans: callSpans(args) }]));
  },
  renderResult(given, options, theme, last) {
    const result = resultOf(given, options, theme, last);
    switch (result.details.kind) {
      case "progress":
        return block(result.theme, "cut", () => [progress(result.details)]);
      case "grep":
        return drawFound(result);
      case "refused":
        return drawPlain({ ...result, failed: true }, { spans: callSpans(result.args) });
      default:
        return drawPlain(result, { spans: callSpans(result.args) });
    }
  },
};

function callSpans(args: Fields): Span[] {
  const spans: Span[] = [{ text: "grep", color: "toolTitle", bold: true }];
  const pattern = string(args.pattern);
  if (pattern !== undefined) spans.push(aside(" "), { text: pattern, color: "accent" });
  // A call in its one shape names its first path twice, and the workspace as `.`.
  const places = [...new Set(strings(args.path, args.paths))];
  if (places.join() !== "." && places.length > 0) spans.push(aside(` in ${places.join(", ")}`));
  const kinds = strings(args.glob, args.type);
  if (kinds.length > 0) spans.push(aside(` (${kinds.join(", ")})`));
  return spans;
}

function progress(details: Fields): Line {
  const [searched = 0, matches = 0] = [details.searched, details.matches].map(integer);
  return line("muted", `searching: ${count(matches, "match", "matches")}, ${count(searched, "file")} so far`);
}

function drawFound({ text, notices, details, args, theme, expanded }: Result): Component {
  return frame(theme, expanded ? "wrap" : "cut", "dim", () => {
    const matches = integer(details.matches) ?? 0;
    const hits = listing(text);
    const shown = expanded ? hits : fold(hits, MAX_HITS);
    // Without a match the text only repeats what the first row says.
    return {
      title: summary(details, args),
      lines: [...(matches > 0 ? shown : []), ...notes([...list(details.warnings), ...notices])],
    };
  });
}

/** The title of a result: what was searched for, and what was found. */
function summary(details: Fields, args: Fields): Line {
  const [matches = 0, files = 0, searched = 0] = ["matches", "files", "searched"].map((name) =>
    integer(details[name]),
  );
  // If the host does not pass the call's arguments on, take the pattern from the details.
  const asked = string(args.pattern) === undefined ? { ...args, pattern: details.pattern } : args;
  const spans: Span[] = [...callSpans(asked), aside(": ")];
  const cut = details.truncated === true ? ", not all shown" : "";
  spans.push(
    aside(
      matches === 0
        ? `no match in ${count(searched, "file")}`
        : `${count(matches, "match", "matches")} in ${count(files, "file")} (${searched} searched${cut})`,
    ),
  );
  return { spans };
}
