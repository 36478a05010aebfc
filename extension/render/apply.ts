// Draws a result of `apply_hash`: a title that says what happened to each file, and the diff; or why nothing was
// written, and the lines as they are now.
//
// The diff comes from the result's details, because the model's report is shorter. Moved lines, repairs, doubts and the
// reasons of a refusal stay visible when the rest is folded away.

import type { PreviewOutcome } from "../../index.js";
import { type Fields, fields, integer, list, string } from "../values.ts";
import { pathsOf, renderCall, titleOf } from "./apply-call.ts";
import type { Component, Rows, Theme } from "./component.ts";
import { diffLines, sizes } from "./diff.ts";
import { frame } from "./frame.ts";
import { callOf, count, type Result, resultOf } from "./host.ts";
import { type Line, line, type Span } from "./line.ts";
import { aside, fold, listing, MAX_ROWS, moreRow, notes } from "./listing.ts";
import { plainLines } from "./plain.ts";

/** How many notes, reasons of a refusal and present lines are shown before the rest is folded away. */
const MAX_NOTES = 10;
const MAX_REASONS = 5;
const MAX_ACTUAL = 8;

/** Finds the preview of a call, if it is ready. */
export type PreviewOf = (args: unknown) => PreviewOutcome | undefined;

export const applyRowsWith = (previewOf: PreviewOf): Rows => ({
  renderCall: (given, a, b) => {
    const { args, theme, done } = callOf(given, a, b);
    let drawn: { preview: PreviewOutcome | undefined; rows: Component } | undefined;
    const rows = () => {
      const preview = done ? undefined : (previewOf(given) ?? previewOf(args));
      if (drawn === undefined || drawn.preview !== preview) {
        drawn = { preview, rows: preview ? drawPreview(preview, theme) : renderCall(given, a, b) };
      }
      return drawn.rows;
    };
    // The preview arrives after this row is drawn, while the person is being asked.
    return { render: (width) => rows().render(width), invalidate: () => drawn?.rows.invalidate() };
  },
  renderResult(given, options, theme, last) {
    const result = resultOf(given, options, theme, last);
    switch (result.details.kind) {
      case "applied":
        return drawApplied(result);
      case "refused":
        return drawRefused(result);
      default:
        return frame(result.theme, "cut", result.failed ? "error" : "dim", () => ({
          title: { spans: titleOf(pathsOf(result.args)) },
          lines: plainLines(result),
        }));
    }
  },
});

export const applyRows = applyRowsWith(() => undefined);

/** Draws the preview of a call that waits for a person's consent. */
function drawPreview(preview: PreviewOutcome, theme: Theme): Component {
  return frame(theme, "cut", "dim", () => {
    if (preview.kind === "refused") {
      const title = [...titleOf([]), { text: " would be refused", color: "error" } as const];
      return {
        title: { spans: title },
        lines: fold(
          preview.text.split("\n").map((one) => line("error", one)),
          MAX_NOTES,
        ),
      };
    }
    const files = preview.files.map(fields);
    const title = { spans: [...titleOf(namesOf(files)), ...sizesOf(files)] };
    return { title, lines: fold(diffLines(preview.diff.split("\n"), files.length === 1), MAX_ROWS) };
  });
}

function drawApplied({ text, notices, details, theme, expanded }: Result): Component {
  return frame(theme, expanded ? "wrap" : "cut", "dim", () => {
    const [first = "", ...rest] = text.split("\n");
    const files = list(details.files).map(fields);
    const shown = string(details.diff)?.split("\n") ?? rest.filter((one) => !NOTE.test(one));
    // A patch that changed nothing says why.
    const [, unchanged] = /: (no change, .*)$/su.exec(first) ?? [];
    const { first: fates, rest: diff } =
      unchanged === undefined ? diffOf(shown, files) : { first: [], rest: [line("muted", unchanged)] };
    const extra = notes([...rest.filter((one) => NOTE.test(one)), ...notices]);
    const title = { spans: [...titleOf(namesOf(files)), ...sizesOf(files)] };
    if (expanded) return { title, lines: [...fates, ...diff, ...extra] };
    return { title, lines: [...fates, ...fold(diff, MAX_ROWS), ...fold(extra, MAX_NOTES, "note")] };
  });
}

/**
 * The diffs of files. Deletions, moves and overwrites, which a diff does not show, come first and are never
 * folded away.
 */
function diffOf(shown: string[], files: Fields[]): { first: Line[]; rest: Line[] } {
  if (files.length === 1) return { first: [], rest: diffLines(shown, true) };
  const fates = files.flatMap(({ path, to, kind, removed }) => {
    if (kind === "deleted") return [`${path}: deleted`];
    if (kind === "moved") return [`${path} moved to ${to}`];
    return kind === "created" && integer(removed) ? [`${path}: overwritten, -${removed}`] : [];
  });
  const gone = files.filter(({ kind }) => kind === "deleted").map(({ path }) => `${path}: deleted`);
  const rest = diffLines(
    shown.filter((one) => !gone.includes(one)),
    false,
  );
  const first = fates.map((one) => line("toolDiffRemoved", one));
  return { first: first.length > 0 && rest.length > 0 ? [...first, line("dim", "")] : first, rest };
}

/** Matches the lines of a report about a relocation, a repair or a doubt. */
const NOTE = /^(?:\d+[:#]?\S+ moved to line \d+ of |Repaired patch\[\d+\] |Warning: )/u;

/** The files of a patch, each by the name that it has now. */
function namesOf(files: Fields[]): string[] {
  return files.map(({ path, to }) => string(to) ?? string(path)).filter((path) => path !== undefined);
}

/** How many lines were added and removed, and for a single file whether it was created, deleted or moved. */
function sizesOf(files: Fields[]): Span[] {
  const sum = (name: string) => files.reduce((total, file) => total + (integer(file[name]) ?? 0), 0);
  const [only] = files.length === 1 ? files : [];
  const fate = string(only?.kind);
  const fateSpans = fate === undefined || fate === "changed" ? [] : [aside(` ${fate}`)];
  if (files.length === 0 || fate === "unchanged") return fateSpans;
  return [...fateSpans, ...sizes(sum("added"), sum("removed"))];
}

function drawRefused({ text, notices, details, args, theme, expanded }: Result): Component {
  return frame(theme, "wrap", "error", () => {
    const [first = "", ...rest] = text.split("\n");
    const failed = /\((\d+) of \d+ operations/u.exec(first)?.[1];
    const why = failed === undefined ? "" : `, ${count(Number(failed), "operation")} failed`;
    const rejected: Span = { text: ` rejected: nothing written${why}`, color: "error" };
    const title: Line = { spans: [...titleOf(pathsOf(args)), rejected] };
    const end = rest.indexOf("");
    const refusals = list(details.refusals).map(fields);
    // A report names a stale anchor above the present lines; here it is listed with the other reasons.
    const listed = end === -1 ? rest : rest.slice(0, end);
    const mismatched = firstMismatch(refusals);
    const stale = refusals
      .filter((one) => one !== mismatched)
      .map(({ op, text }) => `patch[${op}]: ${text}`)
      .filter((one) => / is stale: /u.test(one) && !listed.includes(one));
    const operationOf = (one: string) => Number(/^patch\[(\d+)\]/u.exec(one)?.[1] ?? -1);
    const reasons = [...listed, ...stale]
      .sort((one, other) => operationOf(one) - operationOf(other))
      .map((one) => line("error", one));
    const actual =
      end === -1
        ? []
        : listing(
            rest
              .slice(end + 1)
              .filter(isForPeople)
              .join("\n"),
            (path, number) => refusals.some((refusal) => refusal.path === path && refusal.line === number),
          );
    if (mismatched !== undefined) reasons.unshift(line("error", mismatchSentence(mismatched, rest)));
    if (expanded) return { title, lines: [...reasons, ...actual, ...notes(notices)] };
    const capped = (lines: Line[], most: number) => (lines.length <= most + 1 ? lines : lines.slice(0, most));
    const shown = [...capped(reasons, MAX_REASONS), ...capped(actual, MAX_ACTUAL).map(asCutRow)];
    const hidden = reasons.length + actual.length - shown.length;
    return { title, lines: [...shown, ...(hidden > 0 ? [moreRow(hidden, "line")] : []), ...notes(notices)] };
  });
}

/** Whether a line of a refusal adds something to the sentence that is drawn above it. */
function isForPeople(row: string): boolean {
  return !/^(?:Hash mismatch at \S+\.|Actual state:)$/.test(row);
}

/** The first refusal of an anchor whose line has changed. */
function firstMismatch(refusals: Fields[]): Fields | undefined {
  return refusals.find(({ anchor, line }) => string(anchor) !== undefined && integer(line) !== undefined);
}

/** Says which line an operation expected, and its present text, if the report shows it. */
function mismatchSentence({ anchor, line: number, path }: Fields, shown: string[]): string {
  const start = shown.findIndex((one) => one.startsWith(`${path} (`));
  const row = shown.slice(start + 1).find((one) => new RegExp(`^${number}\\D`).test(one));
  const now = row === undefined ? "is another" : `now reads: ${row.slice(row.indexOf("|") + 1).trim()}`;
  return `${anchor} of ${path} was wanted, and line ${number} ${now}`;
}

/** Has a line of a file cut when it is too long; reasons are wrapped. */
function asCutRow(row: Line): Line {
  return { ...row, overflow: "cut" };
}
