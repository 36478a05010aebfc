// Turns what a host passes to a renderer into plain values.
//
// pi and omp pass the arguments in different orders, and the arguments of a tool stream in: any part of them may be
// missing or of another type. This file checks all of it as `unknown`, so that the renderers need no checks.

import { type Fields, fields, list } from "../values.ts";
import type { Box, Theme } from "./component.ts";
import { textWidth } from "./width.ts";

/** What the renderer of a call needs to know. */
export interface Call {
  args: Fields;
  theme: Theme;
  /** Whether there is a result. */
  done: boolean;
}

/** What the renderer of a result needs to know. */
export interface Result {
  /** The text that the model gets, without the notices. */
  text: string;
  /** Notes that the model gets after the text, such as that an interrupted patch was rolled back. */
  notices: string[];
  details: Fields;
  /** The arguments of the call, as far as the host passes them on. */
  args: Fields;
  theme: Theme;
  expanded: boolean;
  /** Whether the tool is still running. */
  partial: boolean;
  failed: boolean;
}

/** Reads the arguments of `renderCall`, as either host passes them. */
export function callOf(args: unknown, a: unknown, b: unknown): Call {
  const state = isTheme(a) ? fields(b) : fields(a);
  return { args: toolArguments(args), theme: themeOf(a, b), done: state.isPartial === false };
}

const INTERRUPTED = "note: after an interrupted patch: ";

/** Reads the arguments of `renderResult`, as either host passes them. */
export function resultOf(value: unknown, options: unknown, theme: unknown, last: unknown): Result {
  const result = fields(value);
  const details = fields(result.details);
  const state = fields(options);
  const context = isContext(last) ? last : undefined;
  const [text = "", ...notices] = textOf(result.content).split(/\n\n(?=note: )/u);
  return {
    text,
    // The person was notified of an interrupted patch when the session started.
    notices: notices
      .filter((notice) => !notice.startsWith(INTERRUPTED))
      .flatMap((notice) => notice.split("\n")),
    details,
    args: toolArguments(context === undefined ? last : context.args),
    theme: themeOf(theme, options, last),
    expanded: state.expanded === true,
    partial: state.isPartial === true,
    failed: [result.isError, context?.isError, details.failed].includes(true),
  };
}

/** A number with its noun: `1 file`, `2 files`. */
export function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

/** The arguments of a call. If they do not fit the tool's schema, they are in the field `given`. */
function toolArguments(args: unknown): Fields {
  const outer = fields(args);
  return "given" in outer ? fields(outer.given) : outer;
}

function isContext(value: unknown): value is Fields {
  const given = fields(value);
  return typeof given.invalidate === "function" || "toolCallId" in given;
}

function isTheme(
  value: unknown,
): value is Pick<Theme, "fg" | "bold"> & Partial<Theme> & { boxRound?: unknown } {
  return typeof (value as Partial<Theme> | null | undefined)?.fg === "function";
}

/** The first theme among the values. A colour that it lacks leaves the text uncoloured. */
function themeOf(...values: unknown[]): Theme {
  const theme = values.find(isTheme);
  if (theme === undefined) return { fg: (_, text) => text, bold: (text) => text, inverse: (text) => text };
  const safely = (paint: () => string, text: string): string => {
    try {
      return paint();
    } catch {
      return text;
    }
  };
  return {
    fg: (color, text) => safely(() => theme.fg(color, text), text),
    bold: (text) => safely(() => theme.bold(text), text),
    inverse: (text) => safely(() => theme.inverse?.(text) ?? `\x1b[7m${text}\x1b[27m`, text),
    ...boxOf(theme.boxRound),
  };
}

/** The characters of omp's frames, if the theme has all of them. */
function boxOf(value: unknown): { box?: Box } {
  const names = ["topLeft", "topRight", "bottomLeft", "bottomRight", "horizontal", "vertical"] as const;
  const given = fields(value);
  if (!names.every((name) => typeof given[name] === "string" && textWidth(given[name]) === 1)) return {};
  return { box: Object.fromEntries(names.map((name) => [name, given[name]])) as unknown as Box };
}

function textOf(content: unknown): string {
  return list(content)
    .map((item) => (typeof item === "string" ? item : fields(item).text))
    .filter((text) => typeof text === "string")
    .join("\n");
}
