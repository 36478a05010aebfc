// How a result of `apply_hash` looks: a coloured diff with line numbers, or why nothing was written.
//
// The rows are the diff in the details; the model's own report is shorter. What was followed, repaired or
// doubtful, and the reasons of a refusal, stay in sight when the rest is folded away.

import { renderCall } from "./apply-call.ts";
import type { Component, Rows } from "./component.ts";
import { type Fields, fields, integer, list, type Result, resultOf, string } from "./host.ts";
import { block, type Color, type Line, line, type Span } from "./line.ts";
import { FOLDED, folded, listing, more, notes, widest } from "./listing.ts";
import { plain } from "./plain.ts";

/** The most notes, and the most reasons of a refusal, that are shown before the rest is folded away. */
const NOTES = 10;
const REASONS = 5;

export const applyRows: Rows = {
  renderCall,
  renderResult(given, options, theme, last) {
    const result = resultOf(given, options, theme, last);
    switch (result.details.kind) {
      case "applied":
        return applied(result);
      case "refused":
        return refused(result);
      default:
        return plain(result);
    }
  },
};

function applied({ text, notices, details, theme, expanded }: Result): Component {
  return block(theme, expanded ? "wrap" : "cut", () => {
    const [first = "", ...rest] = text.split("\n");
    const shown = string(details.diff)?.split("\n") ?? rest.filter((one) => !NOTE.test(one));
    const diff = diffLines(shown);
    const extra = notes([...rest.filter((one) => NOTE.test(one)), ...notices]);
    const head = headline(first, details);
    if (expanded) return [head, ...diff, ...extra];
    return [head, ...folded(diff, FOLDED), ...folded(extra, NOTES, "note")];
  });
}

/** Lines of a report about a relocation, a repair or a doubt. */
const NOTE = /^(?:\d+[:#]\S+ moved to line \d+ of |Repaired patch\[\d+\] |Warning: )/u;

/** A line of a diff: mark, number, tag, text. A lost line has no tag any more. */
const CHANGE = /^([ +-])(\d+)(?:[:#][0-9A-Za-z]+)?\|(.*)$/su;
const GAP = /^[ +-]?\.\.\./u;
const SIZES = /^(.*): \+(\d+) -(\d+)$/su;

function headline(text: string, details: Fields): Line {
  const files = list(details.files).map(fields);
  const sum = (name: string) => files.reduce((total, file) => total + (integer(file[name]) ?? 0), 0);
  const spans: Span[] = [{ text, color: "success", bold: true }];
  return { spans: files.length > 1 ? [...spans, ...sizes(sum("added"), sum("removed"))] : spans };
}

function sizes(added: number | string, removed: number | string): Span[] {
  return [
    { text: ` +${added}`, color: "toolDiffAdded" },
    { text: ` -${removed}`, color: "toolDiffRemoved" },
  ];
}

function diffLines(lines: string[]): Line[] {
  const wide = widest(lines.map((one) => CHANGE.exec(one)?.[2]));
  return lines.map((one) => {
    const [, mark, number, content] = CHANGE.exec(one) ?? [];
    if (mark !== undefined && number !== undefined && content !== undefined) {
      const gutter = `${mark}${number.padStart(wide)} `;
      return {
        spans: [
          { text: gutter, color: colorOf(mark) },
          { text: content, color: colorOf(mark) },
        ],
        hang: gutter.length,
      };
    }
    if (GAP.test(one)) return line("dim", one);
    const [, path, added, removed] = SIZES.exec(one) ?? [];
    if (path === undefined || added === undefined || removed === undefined) return line("accent", one);
    return { spans: [{ text: path, color: "accent" }, ...sizes(added, removed)] };
  });
}

function colorOf(mark: string): Color {
  if (mark === "+") return "toolDiffAdded";
  return mark === "-" ? "toolDiffRemoved" : "toolDiffContext";
}

function refused({ text, notices, theme, expanded }: Result): Component {
  return block(theme, expanded ? "wrap" : "cut", () => {
    const [first = "", ...rest] = text.split("\n");
    const head: Line = { spans: [{ text: first, color: "error", bold: true }] };
    const end = rest.indexOf("");
    const reasons = (end === -1 ? rest : rest.slice(0, end)).map((one) => line("error", one));
    const recovery = end === -1 ? [] : listing(rest.slice(end).join("\n"));
    if (expanded) return [head, ...reasons, ...recovery, ...notes(notices)];
    const shown = reasons.slice(0, REASONS);
    const hidden = reasons.length - shown.length + recovery.length;
    return [head, ...shown, ...(hidden > 0 ? [more(hidden, "line")] : []), ...notes(notices)];
  });
}
