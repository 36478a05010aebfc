// Draws a call of `apply_hash` while its arguments stream in: one row for each operation.
//
// Rows are only added, up to a limit, so that the screen does not jump; once there is a result, the result draws the
// title. This file does not know what operations mean: it shows their fields, under any name that the core accepts.

import { type Fields, fields, isObject, list, string } from "../values.ts";
import type { Component } from "./component.ts";
import { callOf, count } from "./host.ts";
import { block, type Line, type Span } from "./line.ts";
import { aside } from "./listing.ts";

/** The most operations that are shown, and the most files that are named. */
const MAX_OPERATIONS = 6;
const MAX_FILES = 3;

export function renderCall(given: unknown, a: unknown, b: unknown): Component {
  const { args, theme, done } = callOf(given, a, b);
  return block(theme, "cut", () => {
    if (done) return [];
    const ops = operations(args);
    const shown = ops.slice(-MAX_OPERATIONS);
    // Show the last operations only; the title says how many there are.
    const number = ops.length > 0 ? [aside(` (${count(ops.length, "operation")})`)] : [];
    const title = { spans: [...titleOf(pathsOf(args)), ...number] };
    return [title, ...shown.map((op, at) => row(op, shown[at - 1]))];
  });
}

function operations(args: Fields): Fields[] {
  const given =
    args.patch ?? args.edits ?? args.operations ?? args.ops ?? (args.op === undefined ? [] : args);
  return list(parsePatch(given)).map((one) => flatten(fields(one), args));
}

/** Parses a patch that a model sends as text; until the text is complete there is nothing to show. */
function parsePatch(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return operations(fields(JSON.parse(`{"patch":${value}}`)));
  } catch {
    return [];
  }
}

/**
 * Brings an operation into its plain form if its fields lie under its name, as in `{"set_line": {...}}`, or
 * if its path is given once for the whole call.
 */
function flatten(op: Fields, call: Fields): Fields {
  const nested = op.op === undefined ? Object.entries(op).find(([, value]) => isObject(value)) : undefined;
  const own = nested === undefined ? op : { ...op, op: nested[0], ...fields(nested[1]) };
  return pathOf(own) === undefined ? { ...own, path: call.path } : own;
}

/** The files that a call names. */
export function pathsOf(args: Fields): string[] {
  const paths = operations(args).flatMap((op) => [pathOf(op), string(op.to_path)]);
  return [...new Set(paths)].filter((path) => path !== undefined);
}

/** The title of a row: the tool, and some of the files. */
export function titleOf(paths: string[]): Span[] {
  const spans: Span[] = [{ text: "apply_hash", color: "toolTitle", bold: true }];
  paths.slice(0, MAX_FILES).forEach((path, at) => {
    spans.push({ text: at === 0 ? " " : ", ", color: "muted" }, { text: path, color: "accent" });
  });
  if (paths.length > MAX_FILES) spans.push(aside(` and ${paths.length - MAX_FILES} more`));
  return spans;
}

function row(op: Fields, before: Fields | undefined): Line {
  const path = pathOf(op);
  const where = [
    before !== undefined && path === pathOf(before) ? undefined : path,
    string(op.anchor) ?? string(op.pos) ?? range(op),
    destination(op),
  ].filter((word) => word !== undefined);
  const spans: Span[] = [{ text: `  ${string(op.op) ?? "..."}`, color: "toolOutput" }];
  if (where.length > 0) spans.push({ text: ` ${where.join(" ")}`, color: "dim" });
  const text = op.text ?? op.new_text ?? op.content ?? op.lines;
  if (typeof text === "string") spans.push(...preview(text));
  else if (Array.isArray(text)) spans.push(...preview(`${text.join("\n")}\n`));
  return { spans };
}

function destination(op: Fields): string | undefined {
  const places = [op.to ?? op.to_path, op.to_anchor].map(string).filter((place) => place !== undefined);
  return places.length > 0 ? `to ${places.join(" ")}` : undefined;
}

function range(op: Fields): string | undefined {
  const [start, end] = [string(op.start_anchor) ?? string(op.start), string(op.end_anchor) ?? string(op.end)];
  if (start === undefined) return end;
  return end === undefined ? start : `${start} to ${end}`;
}

function preview(text: string): Span[] {
  const [first = "", ...rest] = text.replace(/\n$/u, "").split("\n");
  if (first.trim() === "" && rest.length === 0) return [aside(text === "" ? "  (empty)" : "  (blank line)")];
  const spans: Span[] = [{ text: `  ${first.trim()}`, color: "toolDiffAdded" }];
  if (rest.length > 0) spans.push(aside(` (+${count(rest.length, "line")})`));
  return spans;
}

function pathOf(op: Fields): string | undefined {
  return string(op.path) ?? string(op.from);
}
