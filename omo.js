// The engine of oh-my-opencode: `replace`, `append` and `prepend` by `LINE#ID` references.
// Every rule lives in Rust (src/compat/omo); this file checks types and makes errors.

import { native } from "./native.js";

/** Lines are not what they were when they were read. */
export class HashlineMismatchError extends Error {
  constructor(message, mismatches, remaps) {
    super(message);
    this.name = "HashlineMismatchError";
    this.mismatches = mismatches;
    this.remaps = remaps;
  }
}

export function computeLineHash(lineNumber, line) {
  if (!Number.isInteger(lineNumber) || lineNumber < 1 || lineNumber > 0xffffffff) {
    throw new TypeError(`lineNumber must be a whole number from 1 to 4294967295, got ${show(lineNumber)}`);
  }
  return native.omoLineHash(lineNumber, text(line, "line"));
}

export function formatHashLines(content) {
  return native.omoFormatLines(text(content, "content"));
}

export function toHashlineContent(content) {
  return native.omoToContent(text(content, "content"));
}

export function normalizeLineRef(ref) {
  return native.omoNormalizeRef(text(ref, "ref"));
}

export function parseLineRef(ref) {
  const [line, hash] = settle(native.omoParseRef(text(ref, "ref")));
  return { line, hash };
}

export function validateLineRefs(lines, refs) {
  settle(parsed(() => native.omoValidateRefs(json(lines, "lines"), json(refs, "refs"))));
}

export function normalizeHashlineEdits(edits) {
  const plain = settle(parsed(() => native.omoNormalizeEdits(json(edits, "edits"))));
  return plain.map(([op, pos, end, lines]) => {
    if (op === "replace") return end === null ? { op, pos, lines } : { op, pos, lines, end };
    return pos === null ? { op, lines } : { op, lines, pos };
  });
}

export function applyHashlineEdits(content, edits) {
  text(content, "content");
  const applied = settle(parsed(() => native.omoApply(content, json(edits, "edits"))));
  return { content: applied[0], noopEdits: applied[1], deduplicatedEdits: applied[2] };
}

export function canonicalizeFileText(content) {
  const [canonical, hadBom, isCrlf] = native.omoCanonicalize(text(content, "content"));
  return { content: canonical, hadBom, lineEnding: isCrlf ? "\r\n" : "\n" };
}

export function restoreFileText(content, envelope) {
  if (typeof envelope !== "object" || envelope === null) {
    throw new TypeError(`envelope must be an object from canonicalizeFileText, got ${show(envelope)}`);
  }
  const { hadBom, lineEnding } = envelope;
  if (lineEnding !== "\n" && lineEnding !== "\r\n") {
    throw new TypeError(`envelope.lineEnding must be "\\n" or "\\r\\n", got ${show(lineEnding)}`);
  }
  return native.omoRestore(text(content, "content"), Boolean(hadBom), lineEnding === "\r\n");
}

/** The value of an outcome; a refusal is thrown. */
function settle([value, refusal]) {
  if (!refusal) return value;
  const [code, message, stale] = refusal;
  if (stale.length === 0) throw Object.assign(new Error(message), { code });
  const mismatches = stale.map(([line, expected]) => ({ line, expected }));
  const remaps = new Map(
    stale.map(([line, expected, actual]) => [`${line}#${expected}`, `${line}#${actual}`]),
  );
  throw Object.assign(new HashlineMismatchError(message, mismatches, remaps), { code });
}

/** Calls into Rust with JSON; JSON of the wrong shape is the caller's TypeError. */
function parsed(call) {
  try {
    return call();
  } catch (error) {
    if (error?.code === "malformed") throw new TypeError(error.message);
    throw error;
  }
}

function text(value, name) {
  if (typeof value !== "string") throw new TypeError(`${name} must be a string, got ${show(value)}`);
  return value;
}

function json(value, name) {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be an array, got ${show(value)}`);
  return JSON.stringify(value);
}

function show(value) {
  if (value === null) return "null";
  return typeof value === "number" ? String(value) : typeof value;
}
