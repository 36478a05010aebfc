// Draws the tool `read`: which lines of which files were read, and, when expanded, the lines.

import { type Fields, fields, integer, list, string } from "../values.ts";
import type { Component, Rows } from "./component.ts";
import { callOf, type Result, resultOf } from "./host.ts";
import { block, type Line, line, type Span } from "./line.ts";
import { aside, fold, heading, listing, notes } from "./listing.ts";
import { drawPlain } from "./plain.ts";

/** The most files that a row names, and the most rows of files. */
const MAX_NAMED = 3;
const MAX_FILE_ROWS = 5;

export const readRows: Rows = {
  renderCall(given, a, b) {
    const { args, theme, done } = callOf(given, a, b);
    return block(theme, "cut", () => (done ? [] : [{ spans: callSpans(args) }]));
  },
  renderResult(given, options, theme, last) {
    const result = resultOf(given, options, theme, last);
    if (result.partial && result.text === "") return block(result.theme, "cut", () => []);
    switch (result.details.kind) {
      case "read":
        return result.expanded ? drawExpanded(result) : drawSummary(result);
      case "refused":
        return drawPlain({ ...result, failed: true }, { spans: callSpans(result.args) });
      default:
        return drawPlain(result, { spans: callSpans(result.args) });
    }
  },
};

function callSpans(args: Fields): Span[] {
  const wanted = [...list(args.path), ...list(args.paths)].map((one) => requested(one, args));
  const names = [...new Set(wanted)].filter((name) => name !== undefined);
  const spans: Span[] = [...TITLE];
  names.slice(0, MAX_NAMED).forEach((name, at) => {
    spans.push({ text: at === 0 ? " " : ", ", color: "muted" }, { text: name, color: "accent" });
  });
  if (names.length > MAX_NAMED) spans.push(aside(` and ${names.length - MAX_NAMED} more`));
  const search = string(args.search);
  if (search !== undefined) spans.push(aside(` for ${search}`));
  return spans;
}

/** A path with the requested lines. */
function requested(one: unknown, all: Fields): string | undefined {
  const own = fields(one);
  const path = string(one) ?? string(own.path);
  if (path === undefined) return undefined;
  const offset = integer(own.offset) ?? integer(all.offset);
  const limit = integer(own.limit) ?? integer(all.limit);
  if (offset === undefined && limit === undefined) return path;
  const from = offset ?? 1;
  if (limit === undefined || from < 1) return `${path}:${from}`;
  return `${path}:${from}-${from + limit - 1}`;
}

function drawSummary({ text, notices, details, args, theme }: Result): Component {
  return block(theme, "cut", () => {
    const files = list(details.files).map(fields);
    const heads = headings(files, text.split("\n"));
    const rows = files.map((file, at) => fileLine(file, heads[at]));
    const shown = rows.length > MAX_FILE_ROWS + 1 ? fold(rows, MAX_FILE_ROWS, "file") : rows;
    return [...withTitle(args, files, shown), ...notes([...list(details.warnings), ...notices])];
  });
}

/** The heading of each file in the text, which shows whether it is a directory, an empty file or a search. */
function headings(files: Fields[], lines: string[]): (string | undefined)[] {
  let next = 0;
  return files.map(({ path }) => {
    const at = lines.findIndex((one, at) => at >= next && one.startsWith(`${path} (`) && one.endsWith(")"));
    if (at === -1) return undefined;
    next = at + 1;
    return lines[at];
  });
}

/** The title and the rows of files; the row of a single file is part of the title. */
function withTitle(args: Fields, files: Fields[], rows: Line[]): Line[] {
  const [only, ...others] = rows;
  if (only === undefined || others.length > 0 || files[0]?.ok !== true)
    return [{ spans: callSpans(args) }, ...rows];
  return [{ spans: [...TITLE, aside(" "), ...only.spans] }];
}

const TITLE: Span[] = [{ text: "read", color: "toolTitle", bold: true }];

function fileLine(file: Fields, headingText: string | undefined): Line {
  const path = string(file.path) ?? "";
  if (file.ok !== true) {
    const why = string(file.error) ?? `cannot show ${path}`;
    return { ...line("error", `error: ${why}`), overflow: "wrap" };
  }
  const [from = 0, to = 0, total = 0] = [file.from, file.to, file.total].map(integer);
  // An image, or another file that the host shows by itself, has no lines.
  if (headingText === undefined && total === 0) return line("accent", path);
  return heading(headingText ?? `${path} (lines ${from}-${to} of ${total})`);
}

function drawExpanded(result: Result): Component {
  return block(result.theme, "wrap", () => [
    ...titledListing(result),
    ...notes([...list(result.details.warnings), ...result.notices]),
  ]);
}

/** The lines under their headings; a single file's heading is the title. */
function titledListing({ text, details, args }: Result): Line[] {
  const files = list(details.files).map(fields);
  const lines = listing(text);
  const [first, ...rest] = lines;
  if (first === undefined || files.length !== 1 || files[0]?.ok !== true) {
    return [{ spans: callSpans(args) }, ...lines];
  }
  const title = { spans: [...TITLE, aside(" "), ...first.spans] };
  return rest.length === 0 ? [title] : [title, line("dim", ""), ...rest];
}
