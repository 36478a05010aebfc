// Compiled, never run: the types say what the README says.

import {
  applyHashlineEdits,
  canonicalizeFileText,
  HashlineMismatchError,
  normalizeHashlineEdits,
  parseLineRef,
  restoreFileText,
  validateLineRefs,
} from "pi-hash/omo";

const edits = normalizeHashlineEdits([{ op: "replace", pos: "1#ZP", lines: null }]);
const { content, noopEdits } = applyHashlineEdits("a", edits);
const line: number = parseLineRef("1#ZP").line;
const envelope = canonicalizeFileText(content);
const text: string = restoreFileText(envelope.content, envelope);

function fresh(error: unknown): string | undefined {
  return error instanceof HashlineMismatchError ? error.remaps.get("1#ZP") : undefined;
}

// Arguments may be frozen, and optional fields may be `undefined`.
const frozen = ["a"] as const;
validateLineRefs(frozen, ["1#RW"] as const);
applyHashlineEdits("a", [{ op: "append", pos: undefined, lines: frozen }] as const);
applyHashlineEdits("a", [{ op: "replace", pos: "1#RW", end: undefined, lines: null }]);

// @ts-expect-error a replacement needs an anchor
applyHashlineEdits("a", [{ op: "replace", lines: [] }]);

export { fresh, line, noopEdits, text };
