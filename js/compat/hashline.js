// The drop-in replacement for oh-my-pi's hashline module. The engine is Rust (`crates/compat/src/omp`);
// this file adds the exceptions, the generators, and the checks of arguments.

import { array, number, object, text, unfit } from "../arguments.js";
import { openNative } from "../loader.js";
import { tag } from "./line-hash.js";

const native = openNative();

const MAX_BATCH = 1024;

/** Texts longer than this are listed in pieces, each on whichever processor is free. */
const MAX_WHOLE = 1 << 20;
const PIECE_LENGTH = 1 << 19;

/**
 * Whether JavaScript joins the new text from pieces. JavaScriptCore joins without copying; V8 is faster when
 * it receives the whole text from Rust.
 */
const JOINS_PIECES = process.versions.bun !== undefined;

/** A character that Latin-1 does not have. */
const WIDE = /[\u0100-\uffff]/;
/** Testing a shorter text takes longer than it saves. */
const MIN_TESTED = 1 << 15;

/**
 * Whether `content` has characters beyond Latin-1, if finding out takes no time. V8 knows that most texts have
 * none, and then does not search them; JavaScriptCore would examine every character.
 *
 * @type {(content: string) => import("../native.js").IsWide}
 */
function isWide(content) {
  return JOINS_PIECES || content.length < MIN_TESTED ? undefined : WIDE.test(content);
}

/** @type {typeof import("./hashline.js").computeLineHash} */
export function computeLineHash(_lineNumber, line) {
  return tag(line);
}

/** @type {typeof import("./hashline.js").formatHashLines} */
export function formatHashLines(content, startLine = 1) {
  text(content, "content");
  number(startLine, "startLine");
  if (content.length > MAX_WHOLE && countsUpFrom(startLine, content.length))
    return formatInPieces(content, startLine);
  return native.ompFormat(content, startLine, isWide(content));
}

/**
 * Whether `first` and the `count` numbers after it are whole, and distinct as JavaScript numbers.
 *
 * @type {(first: number, count: number) => boolean}
 */
function countsUpFrom(first, count) {
  return Number.isInteger(first) && first >= 0 && first + count <= Number.MAX_SAFE_INTEGER;
}

/**
 * Lists a long text without ever copying all of it at once.
 *
 * @type {(content: string, startLine: number) => string}
 */
function formatInPieces(content, startLine) {
  const pieces = [];
  for (let start = 0; start <= content.length; ) {
    const newline = content.indexOf("\n", start + PIECE_LENGTH);
    const end = newline === -1 ? content.length : newline;
    pieces.push(content.slice(start, end));
    start = end + 1;
  }
  return native.ompFormatPieces(content.length, pieces, startLine, isWide(content));
}

/** @type {typeof import("./hashline.js").parseLineRef} */
export function parseLineRef(ref) {
  const { line, hash, refusal } = native.ompParse(text(ref, "ref"));
  if (refusal) throw exception(refusal);
  return { line, hash };
}

export class HashlineMismatchError extends Error {
  /**
   * @param {readonly import("./hashline.js").HashMismatch[]} mismatches
   * @param {readonly string[]} fileLines
   */
  constructor(mismatches, fileLines) {
    const { message, remaps } = report(mismatches, fileLines);
    super(message);
    this.name = "HashlineMismatchError";
    this.mismatches = mismatches;
    this.fileLines = fileLines;
    this.remaps = new Map();
    for (let i = 0; i < remaps.length; i += 2) this.remaps.set(remaps[i], remaps[i + 1]);
  }

  /**
   * @param {readonly import("./hashline.js").HashMismatch[]} mismatches
   * @param {readonly string[]} fileLines
   */
  static formatMessage(mismatches, fileLines) {
    return report(mismatches, fileLines).message;
  }
}

/** @type {typeof import("./hashline.js").validateLineRef} */
export function validateLineRef(ref, fileLines) {
  const { line, hash } = object(ref, "ref");
  array(fileLines, "fileLines");
  const found = fileLines[number(line, "ref.line") - 1];
  const refusal = native.ompValidate(
    line,
    text(hash, "ref.hash"),
    typeof found === "string" ? found : undefined,
    fileLines.length,
  );
  if (refusal) throw exception(refusal, () => fileLines);
}

/** @type {typeof import("./hashline.js").applyHashlineEdits} */
export function applyHashlineEdits(content, edits) {
  text(content, "content");
  array(edits, "edits");
  if (edits.length === 0) return { content, firstChangedLine: undefined };
  let packed = "";
  for (let at = 0; at < edits.length; at++) packed += pack(edits[at]);
  const applied = native.ompApply(content, packed, JOINS_PIECES, isWide(content));
  // Destructure by index: a pattern such as `[a, b]` would run the slower iterator.
  const { 0: refusal, 1: changed, 2: firstChangedLine, 3: warnings, 4: noopEdits } = applied;
  if (refusal) throw exception(refusal, () => content.split("\n"));
  const after = JOINS_PIECES ? joinPieces(content, changed) : (changed ?? content);
  /** @type {import("./hashline.js").HashlineResult} */
  const result = { content: after, firstChangedLine };
  if (warnings) result.warnings = warnings;
  if (noopEdits) result.noopEdits = noopEdits;
  return result;
}

/**
 * Joins the pieces that the engine lists: `START,END;` is a range of `old`, `LENGTH:TEXT` is new text.
 *
 * @type {(old: string, pieces: string | undefined) => string}
 */
function joinPieces(old, pieces) {
  if (pieces === undefined) return old;
  let text = "";
  let start = 0;
  let number = 0;
  for (let at = 0; at < pieces.length; at++) {
    const unit = pieces.charCodeAt(at);
    switch (unit) {
      case 0x2c /* , */:
        start = number;
        number = 0;
        break;
      case 0x3b /* ; */:
        text += old.slice(start, number);
        number = 0;
        break;
      case 0x3a /* : */:
        text += pieces.slice(at + 1, at + 1 + number);
        at += number;
        number = 0;
        break;
      default:
        number = number * 10 + unit - 0x30;
    }
  }
  return text;
}

// Without `yield*`: an array's iterator has no `throw`, so `yield*` would replace an error that the reader
// throws into the stream by another one.

/** @type {typeof import("./hashline.js").streamHashLinesFromUtf8} */
export async function* streamHashLinesFromUtf8(source, options = {}) {
  const lister = native.ompByteLister(...limits(options));
  const pieces = isReadableStream(source) ? read(source) : iterable(source, "source");
  for await (const piece of pieces) {
    if (piece === undefined) continue;
    for (const chunk of native.ompPushBytes(lister, bytes(piece))) yield chunk;
  }
  for (const chunk of native.ompFinishBytes(lister)) yield chunk;
}

/** @type {typeof import("./hashline.js").streamHashLinesFromLines} */
export async function* streamHashLinesFromLines(lines, options = {}) {
  const batch = new LineBatch(options);
  iterable(lines, "lines");
  // On a plain iterable, `for await` would wait for a microtask at each line.
  if (isAsync(lines)) {
    for await (const line of lines) {
      if (batch.add(text(line, "line"))) for (const chunk of batch.send()) yield chunk;
    }
  } else {
    for (const line of lines) {
      if (batch.add(text(line, "line"))) for (const chunk of batch.send()) yield chunk;
    }
  }
  for (const chunk of batch.finish()) yield chunk;
}

/**
 * Lines collected for the engine. One call for each line would cost more than listing it, so lines wait until
 * they might fill a chunk, which delays no chunk.
 */
class LineBatch {
  #lister;
  /** @type {string[]} */
  #waiting = [];
  #lines;
  #bytes;

  /** @param {import("./hashline.js").HashlineStreamOptions} options */
  constructor(options) {
    this.#lister = native.ompLineLister(...limits(options));
    [this.#lines, this.#bytes] = native.ompRoom(this.#lister);
  }

  /**
   * Takes a line and returns whether it is time to call `send`.
   *
   * @param {string} line
   */
  add(line) {
    this.#waiting.push(line);
    this.#lines -= 1;
    // A UTF-16 unit takes at most three bytes of UTF-8; number, hash and newline at most 32.
    this.#bytes -= 3 * line.length + 32;
    return this.#lines <= 0 || this.#bytes <= 0 || this.#waiting.length >= MAX_BATCH;
  }

  /** Sends the collected lines and returns the chunks that are full. */
  send() {
    const waiting = this.#waiting;
    this.#waiting = [];
    const joined = joinedLines(waiting);
    const sent = joined === undefined ? null : native.ompPushLines(this.#lister, joined, waiting.length);
    if (sent === null) {
      // A line contains newlines, or the lines together are too long for a string.
      const full = waiting.flatMap((line) => native.ompPushLine(this.#lister, line));
      [this.#lines, this.#bytes] = native.ompRoom(this.#lister);
      return full;
    }
    // Destructure by index: a pattern such as `[a, b]` would run the slower iterator.
    const { 0: lines, 1: bytes } = sent;
    this.#lines = lines;
    this.#bytes = bytes;
    return /** @type {string[]} */ (sent.slice(2));
  }

  /** Returns the remaining chunks. */
  finish() {
    const full = this.#waiting.length === 0 ? [] : this.send();
    return [...full, ...native.ompFinishLines(this.#lister)];
  }
}

/**
 * The lines joined by newlines; `undefined` if no string can hold them all.
 *
 * @type {(lines: readonly string[]) => string | undefined}
 */
function joinedLines(lines) {
  try {
    return lines.join("\n");
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a web stream. If the caller stops early, the stream is unlocked, not cancelled.
 *
 * @param {import("./hashline.js").ByteStream} stream
 */
async function* read(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value) yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** @type {(value: unknown) => value is import("./hashline.js").ByteStream} */
function isReadableStream(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    "getReader" in value &&
    typeof value.getReader === "function"
  );
}

/** @type {(options: import("./hashline.js").HashlineStreamOptions) => import("../native.js").StreamLimits} */
function limits(options) {
  const { startLine, maxChunkLines, maxChunkBytes } = object(options, "options");
  return [
    number(startLine ?? 1, "options.startLine"),
    number(maxChunkLines ?? 200, "options.maxChunkLines"),
    number(maxChunkBytes ?? 65_536, "options.maxChunkBytes"),
  ];
}

/**
 * The exception for a refusal by the engine.
 *
 * @type {(refusal: import("../native.js").OmpRefusal, fileLines?: () => readonly string[]) => Error}
 */
function exception({ name, message, mismatches }, fileLines = () => []) {
  if (name === "HashlineMismatchError") return new HashlineMismatchError(mismatches, fileLines());
  return name === "TypeError" ? new TypeError(message) : new Error(message);
}

/** @type {(mismatches: readonly import("./hashline.js").HashMismatch[], fileLines: readonly string[]) => { message: string, remaps: string[] }} */
function report(mismatches, fileLines) {
  array(mismatches, "mismatches");
  array(fileLines, "fileLines");
  const count = fileLines.length;
  const lines = [];
  const expected = [];
  for (const [at, mismatch] of mismatches.entries()) {
    const { line, expected: hash } = object(mismatch, `mismatches[${at}]`);
    if (!Number.isInteger(line) || line < 1 || line > count)
      throw unfit(line, `mismatches[${at}].line`, `the number of a line, from 1 to ${count}`);
    lines.push(line);
    expected.push(text(hash, `mismatches[${at}].expected`));
  }
  const shown = native.ompShownLines(lines, count);
  return native.ompReport(
    lines,
    expected,
    shown,
    shown.map((line) => text(fileLines[line - 1], `fileLines[${line - 1}]`)),
  );
}

/**
 * The parts of an edit that the engine needs: the first operation it names, and that operation's fields. Each
 * property is read once, even if it is a getter or inherited, and no other is read.
 * `crates/compat/src/omp/packed.rs` says how they are packed.
 *
 * @type {(edit: unknown) => string}
 */
function pack(edit) {
  if (typeof edit !== "object" || edit === null) return "-";
  if ("set_line" in edit) {
    const { anchor, new_text } = fields(edit.set_line);
    return `s${field(anchor)}${field(new_text)}`;
  }
  if ("replace_lines" in edit) {
    const { start_anchor, end_anchor, new_text } = fields(edit.replace_lines);
    return `r${field(start_anchor)}${field(end_anchor)}${field(new_text)}`;
  }
  if ("replace" in edit) return "x";
  if ("insert_after" in edit) {
    const { anchor, text, content } = fields(edit.insert_after);
    return `i${field(anchor)}${field(text)}${field(content)}`;
  }
  return "-";
}

/**
 * Packs a string with its length, any other value as its type and whether it is falsy.
 *
 * @type {(value: unknown) => string}
 */
function field(value) {
  switch (typeof value) {
    case "string":
      return `${value.length}:${value}`;
    case "undefined":
      return "~";
    case "boolean":
      return value ? "t" : "f";
    case "number":
    case "bigint":
      return value ? "n" : "z";
    default:
      if (value === null) return "~";
      return Array.isArray(value) ? "a" : "o";
  }
}

/**
 * The fields of an operation; no fields if it is not an object.
 *
 * @type {(operation: unknown) => Readonly<Record<string, unknown>>}
 */
function fields(operation) {
  return Object(operation);
}

/** @type {(value: unknown) => Uint8Array} */
function bytes(value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw unfit(value, "chunk", "a Uint8Array");
}

/** @type {<T>(value: T, name: string) => T} */
function iterable(value, name) {
  const { [Symbol.asyncIterator]: waits, [Symbol.iterator]: iterates } = Object(value);
  if (typeof (waits ?? iterates) !== "function") throw unfit(value, name, "iterable");
  return value;
}

/** @type {(lines: Iterable<string> | AsyncIterable<string>) => lines is AsyncIterable<string>} */
function isAsync(lines) {
  return typeof Object(lines)[Symbol.asyncIterator] === "function";
}
