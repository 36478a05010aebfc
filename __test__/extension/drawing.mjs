// Helpers for the tests of rows: hosts to draw in, rows as plain text, and random texts.

import stringWidth from "string-width";

/** A theme that sets colours and bold text by escape sequences, and ends them as the hosts do. */
export const ansi = {
  fg: (color, text) => `\x1b[38;5;${COLORS.indexOf(color)}m${text}\x1b[39m`,
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
};

/** Colours that all hosts have; for any other colour, a host's `fg` throws. */
export const COLORS = [
  "accent",
  "dim",
  "error",
  "muted",
  "success",
  "syntaxComment",
  "syntaxFunction",
  "syntaxKeyword",
  "syntaxNumber",
  "syntaxString",
  "toolDiffAdded",
  "toolDiffContext",
  "toolDiffRemoved",
  "toolOutput",
  "toolTitle",
  "warning",
];

/** A theme that writes the names of colours, for assertions: `<error>text</>`. */
export const named = {
  fg: (color, text) => {
    if (!COLORS.includes(color)) throw new Error(`Unknown theme color: ${color}`);
    return `<${color}>${text}</>`;
  },
  bold: (text) => `*${text}*`,
};

/** A theme without colours. */
export const bare = { fg: (_, text) => text, bold: (text) => text, inverse: (text) => text };

/** How each host calls the renderers. */
export const hosts = {
  pi: {
    call: (rows, args, { done = false, theme = bare } = {}) =>
      rows.renderCall(args, theme, { args, toolCallId: "1", invalidate() {}, isPartial: !done, state: {} }),
    result: (
      rows,
      { content, details, isError },
      { args, expanded = false, isPartial = false, theme = bare },
    ) =>
      rows.renderResult({ content, details }, { expanded, isPartial }, theme, {
        args,
        toolCallId: "1",
        invalidate() {},
        isError: isError === true,
        isPartial,
      }),
  },
  omp: {
    call: (rows, args, { done = false, theme = bare } = {}) =>
      rows.renderCall(args, { expanded: false, isPartial: !done, spinnerFrame: 0 }, theme),
    result: (rows, result, { args, expanded = false, isPartial = false, theme = bare }) =>
      rows.renderResult(result, { expanded, isPartial, spinnerFrame: 0 }, theme, args),
  },
};

/** An outcome of the core, in the form that the tools return to a host. */
export function toolResult({ text, ...details }) {
  return { content: [{ type: "text", text }], details, isError: details.kind === "refused" };
}

/** The largest width that any known function counts for a line without its colours. */
export function columns(line) {
  const text = line.replace(SGR, "");
  const counts = [stringWidth(text)];
  if (globalThis.Bun !== undefined) counts.push(Bun.stringWidth(text, { ambiguousIsNarrow: true }));
  return Math.max(...counts);
}

/** The first character of a line that is not printable, apart from the colours of `ansi`. */
export function unprintable(line) {
  return line.replace(SGR, "").match(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u)?.[0];
}

/** Whether a line ends every colour that it begins. */
export function closesColours(line) {
  const codes = (line.match(SGR) ?? []).map((code) => code.slice(2, -1));
  const opened = (start, end) =>
    codes.filter((code) => code.startsWith(start)).length - codes.filter((code) => code === end).length;
  return opened("38;5;", "39") === 0 && opened("1", "22") === 0;
}

const SGR = /\x1b\[[\d;]*m/g;

/** A generator of random numbers below a bound; the same seed gives the same numbers. */
export function randomNumbers(seed) {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * bound);
  };
}

/**
 * A random text of letters, wide and joined characters, marks, tabs, escapes and other characters that are
 * hard to draw.
 */
export function hardText(roll, length) {
  let text = "";
  for (let at = 0; at < length; at++) text += PIECES[roll(PIECES.length)];
  return text;
}

const PIECES = [
  ..."abc xyz 0123456789 {}();|:",
  "const total = items.reduce((sum, item) => sum + item.price, 0);",
  "\t",
  "\t\t",
  "\x1b[31m",
  "\x1b]8;;http://x\x07",
  "\x1b_G\x1b\\",
  "\0",
  "\r",
  "\x7f",
  "\x9b31m",
  "価格",
  "한글",
  "가",
  "ﾊﾞ",
  "ガ",
  "é",
  "e\u0301",
  "\u0301",
  "😀",
  "👍🏽",
  "👨‍👩‍👧‍👦",
  "🏳️‍🌈",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "🇩🇪",
  "🇦",
  "1️⃣",
  "❤️",
  "❤",
  "©️",
  "\ufe0f",
  "\u20e3",
  "\u200d",
  "\u200b",
  "\u202e",
  "\u2028",
  "\ufeff",
  "\ud83d",
  "\ude00",
  "กำ",
  "क्षि",
  "မြန်မာ",
  "…",
  "─",
  "\u{1f1ff}",
  "\u{20000}",
  "\u{10ffff}",
];
