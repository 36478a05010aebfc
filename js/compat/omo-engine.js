// The engine of oh-my-opencode: `replace`, `append` and `prepend` by `LINE#ID` references.
// Every rule lives in Rust (crates/compat/src/omo); this file checks types and creates errors.

import { array, each, jsonSafe, object, text, unfit } from "../arguments.js";
import { openNative } from "../loader.js";

const native = openNative();

/** The letters of a tag. */
export const HASHLINE_ALPHABET = "ZPMQVRWSNKTXJBYH";

/** The separator between the number of a line and its tag. */
export const HASHLINE_REF_SEPARATOR = "#";

/** The separator between a reference and the text of its line. */
export const HASHLINE_CONTENT_SEPARATOR = "|";

/** Lines have changed since they were read. */
export class HashlineMismatchError extends Error {
  /**
   * @param {string} message
   * @param {import("./omo.js").HashMismatch[]} mismatches
   * @param {ReadonlyMap<string, string>} remaps
   * @param {readonly string[]} fileLines
   */
  constructor(message, mismatches, remaps, fileLines = []) {
    super(message);
    this.name = "HashlineMismatchError";
    this.code = "stale_anchor";
    this.mismatches = mismatches;
    this.remaps = remaps;
    this.fileLines = fileLines;
  }
}

/** @type {typeof import("./omo.js").computeLineHash} */
export function computeLineHash(lineNumber, line) {
  if (!Number.isInteger(lineNumber) || lineNumber < 1 || lineNumber > 0xffffffff) {
    throw unfit(lineNumber, "lineNumber", "a whole number from 1 to 4294967295");
  }
  return native.omoLineHash(lineNumber, text(line, "line"));
}

/** @type {typeof import("./omo.js").formatHashLines} */
export function formatHashLines(content) {
  return native.omoFormatLines(text(content, "content"));
}

/** @type {typeof import("./omo.js").toHashlineContent} */
export function toHashlineContent(content) {
  return native.omoToContent(text(content, "content"));
}

/** @type {typeof import("./omo.js").normalizeLineRef} */
export function normalizeLineRef(ref) {
  return native.omoNormalizeRef(text(ref, "ref"));
}

/** @type {typeof import("./omo.js").parseLineRef} */
export function parseLineRef(ref) {
  const [line, hash] = unwrap(native.omoParseRef(text(ref, "ref")));
  return { line, hash };
}

/** @type {typeof import("./omo.js").validateLineRefs} */
export function validateLineRefs(lines, refs) {
  unwrap(
    callWithJson(() => native.omoValidateRefs(texts(lines, "lines"), texts(refs, "refs"))),
    () => [...lines],
  );
}

/** @type {typeof import("./omo.js").normalizeHashlineEdits} */
export function normalizeHashlineEdits(edits) {
  const plain = unwrap(callWithJson(() => native.omoNormalizeEdits(json(edits))));
  return plain.map(([op, pos, end, lines]) => {
    if (op === "replace") return end === null ? { op, pos, lines } : { op, pos, lines, end };
    return pos === null ? { op, lines } : { op, lines, pos };
  });
}

/** @type {typeof import("./omo.js").applyHashlineEdits} */
export function applyHashlineEdits(content, edits) {
  text(content, "content");
  const applied = unwrap(
    callWithJson(() => native.omoApply(content, json(edits))),
    () => content.split("\n"),
  );
  return { content: applied[0], noopEdits: applied[1], deduplicatedEdits: applied[2] };
}

/** @type {typeof import("./omo.js").applyHashlineEditsWithReport} */
export const applyHashlineEditsWithReport = applyHashlineEdits;

/** @type {typeof import("./omo.js").applyHashlineEditsToText} */
export function applyHashlineEditsToText(content, edits) {
  return applyHashlineEdits(content, edits).content;
}

/** @type {typeof import("./omo.js").canonicalizeFileText} */
export function canonicalizeFileText(content) {
  const [canonical, hadBom, isCrlf] = native.omoCanonicalize(text(content, "content"));
  return { content: canonical, hadBom, lineEnding: isCrlf ? "\r\n" : "\n" };
}

/** @type {typeof import("./omo.js").restoreFileText} */
export function restoreFileText(content, envelope) {
  const { hadBom, lineEnding } = object(envelope, "envelope");
  if (lineEnding !== "\n" && lineEnding !== "\r\n") {
    throw unfit(lineEnding, "envelope.lineEnding", '"\\n" or "\\r\\n"');
  }
  return native.omoRestore(text(content, "content"), Boolean(hadBom), lineEnding === "\r\n");
}

/**
 * Returns the value of an outcome, or throws its refusal with the lines of the file.
 *
 * @type {<T>(outcome: import("../native.js").OmoOutcome<T>, fileLines?: () => string[]) => T}
 */
function unwrap([value, refusal], fileLines = () => []) {
  if (!refusal) return value;
  const [code, message, stale] = refusal;
  if (stale.length === 0) throw Object.assign(new Error(message), { code });
  const mismatches = stale.map(([line, expected]) => ({ line, expected }));
  const remaps = new Map(
    stale.map(([line, expected, actual]) => [`${line}#${expected}`, `${line}#${actual}`]),
  );
  throw new HashlineMismatchError(message, mismatches, remaps, fileLines());
}

/**
 * Calls Rust with JSON. If the JSON has the wrong shape, throws a TypeError for the caller.
 *
 * @type {<T>(call: () => T) => T}
 */
function callWithJson(call) {
  try {
    return call();
  } catch (thrown) {
    // Not `instanceof`: a host may run this module in a realm of its own.
    const { code, message } = Object(thrown);
    if (code === "malformed") throw new TypeError(message);
    throw thrown;
  }
}

/**
 * Edits as JSON.
 *
 * @type {(edits: readonly unknown[]) => string}
 */
function json(edits) {
  return JSON.stringify(each(array(edits, "edits"), editFields));
}

/**
 * Lines or references as JSON.
 *
 * @type {(list: readonly unknown[], name: string) => string}
 */
function texts(list, name) {
  return JSON.stringify(each(array(list, name), jsonSafe));
}

/**
 * The fields of an edit, each read once, even if it is a getter or inherited.
 *
 * @type {(edit: unknown) => unknown}
 */
function editFields(edit) {
  if (typeof edit !== "object" || edit === null) return null;
  const { op, pos, end, lines } = /** @type {Record<string, unknown>} */ (edit);
  return {
    // An operation that is not a string is sent as a list with its printed form, which messages print unchanged.
    op: op === undefined || typeof op === "string" ? op : [String(op)],
    pos: jsonSafe(pos),
    end: jsonSafe(end),
    lines: Array.isArray(lines) ? each(lines, jsonSafe) : jsonSafe(lines),
  };
}
