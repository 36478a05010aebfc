// Compiled, never run: the types say what the README says.

import {
  applyHashlineEdits,
  computeLineHash,
  formatHashLines,
  HashlineMismatchError,
  parseLineRef,
  streamHashLinesFromLines,
  validateLineRef,
} from "pi-hash/hashline";

const frozen = ["a", "b"] as const;
const anchor = `1:${computeLineHash(1, "a")}`;
validateLineRef(parseLineRef(anchor), frozen);

const { content, firstChangedLine, warnings } = applyHashlineEdits(formatHashLines("a"), [
  { set_line: { anchor, new_text: "x" } },
  { replace_lines: { start_anchor: anchor, end_anchor: undefined, new_text: null } },
  { insert_after: { anchor, text: "y" } },
] as const);
const line: number | undefined = firstChangedLine;
const text: string = content;
const error = new HashlineMismatchError([{ line: 1, expected: "00", actual: "56" }] as const, frozen);
const fresh: string | undefined = error.remaps.get("1:00");
const chunks: AsyncGenerator<string> = streamHashLinesFromLines(frozen, { startLine: undefined });

// @ts-expect-error a line needs a new text
applyHashlineEdits("a", [{ set_line: { anchor } }]);

export { chunks, fresh, line, text, warnings };
