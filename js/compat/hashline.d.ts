/**
 * The drop-in replacement for oh-my-pi's hashline module.
 *
 * It has the exports, results and messages of the TypeScript original of February 2026, in the same
 * order; the engine is Rust. Lone surrogates in a text come back unchanged.
 */

/** A line number and the hash the line is expected to have. */
export interface LineRef {
  line: number;
  hash: string;
}

/** A line whose hash is not the one expected. */
export interface HashMismatch {
  line: number;
  /** The hash as the caller typed it. */
  expected: string;
  /** The hash the line has. */
  actual: string;
}

/** Replaces one line; `""` deletes it. */
export interface SetLineEdit {
  set_line: { anchor: string; new_text: string };
}

/** Replaces the lines from one anchor to the other, or one line; `""` or no `new_text` deletes them. */
export interface ReplaceLinesEdit {
  replace_lines: {
    start_anchor: string;
    end_anchor?: string | null | undefined;
    new_text?: string | null | undefined;
  };
}

/** Inserts lines after one. Some models call `text` `content`. */
export interface InsertAfterEdit {
  insert_after: {
    anchor: string;
    text?: string | null | undefined;
    content?: string | null | undefined;
  };
}

/** A replacement of text, which `applyHashlineEdits` refuses: it has no anchor. */
export interface ReplaceEdit {
  replace: { old_text: string; new_text: string; all?: boolean | undefined };
}

export type HashlineEdit = SetLineEdit | ReplaceLinesEdit | InsertAfterEdit | ReplaceEdit;

/** An edit whose new text equals the old one. */
export interface NoopEdit {
  /** The edit's index in the list without duplicates. */
  editIndex: number;
  /** `LINE:HASH` of its first line. */
  loc: string;
  /** The current lines. */
  currentContent: string;
}

export interface HashlineResult {
  content: string;
  /** The smallest line number that an edit changed, in the numbering of the old text. */
  firstChangedLine: number | undefined;
  /** Absent if there are none. */
  warnings?: string[];
  /** Absent if there are none; in the order the edits were tried, bottom-up. */
  noopEdits?: NoopEdit[];
}

export interface HashlineStreamOptions {
  /** The number of the first line; 1 unless given. */
  startLine?: number | undefined;
  /** The maximum number of lines in a chunk; 200 unless given. */
  maxChunkLines?: number | undefined;
  /** The maximum number of UTF-8 bytes in a chunk, unless one line has more; 65,536 unless given. */
  maxChunkBytes?: number | undefined;
}

/** The part of a web `ReadableStream` that we use. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    releaseLock(): void;
  };
}

/** The hash of a line: white space removed, xxHash32, two digits. The number does not matter. */
export function computeLineHash(lineNumber: number, line: string): string;

/** Every line as `LINE:HASH|content`, the first numbered `startLine`. */
export function formatHashLines(content: string, startLine?: number): string;

/** Lists UTF-8 that arrives in pieces, in chunks of whole lines. */
export function streamHashLinesFromUtf8(
  source: ByteStream | AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options?: HashlineStreamOptions,
): AsyncGenerator<string, void, undefined>;

/** Lists lines that arrive one by one, in chunks of whole lines. */
export function streamHashLinesFromLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options?: HashlineStreamOptions,
): AsyncGenerator<string, void, undefined>;

/**
 * Reads a reference such as `5:ab`, `>>> 5:ab|text` or `5:ab  text`.
 *
 * @throws {Error} if `ref` is not a reference, or its line number is zero
 */
export function parseLineRef(ref: string): LineRef;

/**
 * Checks that a line exists and has the hash expected.
 *
 * @throws {Error} if there is no such line
 * @throws {HashlineMismatchError} if the line has another hash
 */
export function validateLineRef(ref: LineRef, fileLines: readonly string[]): void;

/**
 * Applies all edits, or none. All anchors name lines of `content` before the edits.
 *
 * @throws {HashlineMismatchError} if lines have changed and cannot be found again
 * @throws {Error} if a reference cannot be read, or names no line
 * @throws {TypeError} if an edit is malformed
 */
export function applyHashlineEdits(content: string, edits: readonly HashlineEdit[]): HashlineResult;

/** References are stale. The message shows the current lines. */
export class HashlineMismatchError extends Error {
  readonly mismatches: HashMismatch[];
  readonly fileLines: string[];
  /** Stale reference to fresh one, in the order of `mismatches`. */
  readonly remaps: ReadonlyMap<string, string>;
  constructor(mismatches: readonly HashMismatch[], fileLines: readonly string[]);
  static formatMessage(mismatches: readonly HashMismatch[], fileLines: readonly string[]): string;
}
