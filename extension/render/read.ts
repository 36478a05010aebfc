// How the tool `read` looks: which files and lines, and on request the lines.

import type { Component, Rows } from "./component.ts";
import { callOf, type Fields, fields, integer, list, type Result, resultOf, string } from "./host.ts";
import { block, type Line, line, type Span } from "./line.ts";
import { aside, folded, heading, listing, notes } from "./listing.ts";
import { plain } from "./plain.ts";

/** The most files named in a row, and the most rows of files. */
const NAMED = 3;
const LISTED = 5;

export const readRows: Rows = {
  renderCall(given, a, b) {
    const { args, theme } = callOf(given, a, b);
    return block(theme, "cut", () => [callLine(args)]);
  },
  renderResult(given, options, theme, last) {
    const result = resultOf(given, options, theme, last);
    if (result.partial && result.text === "") return block(result.theme, "cut", () => []);
    switch (result.details.kind) {
      case "read":
        return result.expanded ? whole(result) : summary(result);
      case "refused":
        return plain({ ...result, failed: true });
      default:
        return plain(result);
    }
  },
};

function callLine(args: Fields): Line {
  const wanted = [...list(args.path), ...list(args.paths)].map((one) => wish(one, args));
  const names = wanted.filter((name) => name !== undefined);
  const spans: Span[] = [{ text: "read", color: "toolTitle", bold: true }];
  names.slice(0, NAMED).forEach((name, at) => {
    spans.push({ text: at === 0 ? " " : ", ", color: "muted" }, { text: name, color: "accent" });
  });
  if (names.length > NAMED) spans.push(aside(` and ${names.length - NAMED} more`));
  const search = string(args.search);
  if (search !== undefined) spans.push(aside(` for ${search}`));
  return { spans };
}

/** A path with the lines that are asked for. */
function wish(one: unknown, all: Fields): string | undefined {
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

function summary({ text, notices, details, args, theme }: Result): Component {
  return block(theme, "cut", () => {
    const files = list(details.files).map(fields);
    const heads = headings(files, text.split("\n"));
    // The row of the call, just above, names a single file already.
    const known = files.length === 1 && args.paths === undefined ? string(args.path) : undefined;
    const rows = files.map((file, at) => fileLine(file, heads[at], known));
    const shown = rows.length > LISTED + 1 ? folded(rows, LISTED, "file") : rows;
    return [...shown, ...notes([...list(details.warnings), ...notices])];
  });
}

/** The text's heading of each file, which knows directories, empty files and searches apart. */
function headings(files: Fields[], lines: string[]): (string | undefined)[] {
  let next = 0;
  return files.map(({ path }) => {
    const at = lines.findIndex((one, at) => at >= next && one.startsWith(`${path} (`) && one.endsWith(")"));
    if (at === -1) return undefined;
    next = at + 1;
    return lines[at];
  });
}

function fileLine(file: Fields, said: string | undefined, known: string | undefined): Line {
  const path = string(file.path) ?? "";
  if (file.ok !== true) return line("error", `error: ${string(file.error) ?? `cannot show ${path}`}`);
  const [from = 0, to = 0, total = 0] = [file.from, file.to, file.total].map(integer);
  // An image, or what else a host shows by itself, has no lines.
  if (said === undefined && total === 0) return line("accent", path);
  const head = said ?? `${path} (lines ${from}-${to} of ${total})`;
  return known === path ? line("muted", head.slice(path.length + 2, -1)) : heading(head);
}

function whole(result: Result): Component {
  return block(result.theme, "wrap", () => [
    ...listing(result.text),
    ...notes([...list(result.details.warnings), ...result.notices]),
  ]);
}
