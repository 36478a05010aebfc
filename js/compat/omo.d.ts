import type { Session, SessionOptions } from "../../index.js";

/** What an edit does. */
export type HashlineOp = "replace" | "append" | "prepend";

/** Replaces line `pos`, or lines `pos` to `end`, by `lines`. `[]` or `null` deletes them. */
export interface ReplaceEdit<Lines = string | string[]> {
  op: "replace";
  pos: string;
  end?: string | undefined;
  lines: Lines;
}

/** Inserts `lines` after line `pos`, or at the end of the file. */
export interface AppendEdit<Lines = string | string[]> {
  op: "append";
  pos?: string | undefined;
  lines: Lines;
}

/** Inserts `lines` before line `pos`, or at the start of the file. */
export interface PrependEdit<Lines = string | string[]> {
  op: "prepend";
  pos?: string | undefined;
  lines: Lines;
}

export type HashlineEdit<Lines = string | string[]> =
  | ReplaceEdit<Lines>
  | AppendEdit<Lines>
  | PrependEdit<Lines>;

/** New text: a string, a list of lines, or `null` for no lines. */
export type NewLines = string | readonly string[] | null;

/** An edit as a model sends it. `null` as `lines` deletes. */
export interface RawHashlineEdit {
  op?: HashlineOp | undefined;
  pos?: string | null | undefined;
  end?: string | null | undefined;
  lines?: NewLines | undefined;
}

/** The parts of a reference. */
export interface LineRef {
  line: number;
  hash: string;
}

/** A reference whose tag differs from its line's tag. */
export interface HashMismatch {
  line: number;
  expected: string;
}

/** The `code` of an error that says why edits were refused. */
export type HashlineRefusalCode =
  | "bad_anchor"
  | "out_of_bounds"
  | "stale_anchor"
  | "inverted_range"
  | "overlap"
  | "empty_insertion"
  | "anchor_gone"
  | "missing_anchor"
  | "unknown_op"
  | "missing_lines";

/** Lines have changed since they were read. */
export declare class HashlineMismatchError extends Error {
  constructor(
    message: string,
    mismatches: readonly HashMismatch[],
    remaps: ReadonlyMap<string, string>,
    fileLines?: readonly string[],
  );
  readonly code: "stale_anchor";
  /** The stale references, in the order they were found. */
  readonly mismatches: HashMismatch[];
  /** From each stale reference to the line's current reference. */
  readonly remaps: ReadonlyMap<string, string>;
  /** The current lines of the file. */
  readonly fileLines: readonly string[];
}

/** The text after the edits. */
export interface HashlineApplyReport {
  content: string;
  /** How many edits changed nothing. */
  noopEdits: number;
  /** How many edits were dropped because they repeat another. */
  deduplicatedEdits: number;
}

/** A file's text with LF endings only, and the facts needed to write it back. */
export interface FileTextEnvelope {
  content: string;
  hadBom: boolean;
  lineEnding: "\n" | "\r\n";
}

/** The tag of a line: two letters. */
export declare function computeLineHash(lineNumber: number, line: string): string;

/** Every line as `LINE#ID|text`; a final newline starts one more line. */
export declare function formatHashLines(content: string): string;

/** Every line as `LINE#ID|text`; a final newline stays a newline and starts no line. */
export declare function toHashlineContent(content: string): string;

/** The reference inside a model's text: `>>> 5 # ZP|x` becomes `5#ZP`. */
export declare function normalizeLineRef(ref: string): string;

/** Splits a reference into its parts, or throws and says what is wrong with it. */
export declare function parseLineRef(ref: string): LineRef;

/** Throws unless every reference names a line by its tag. */
export declare function validateLineRefs(lines: readonly string[], refs: readonly string[]): void;

/** Checks the edits of a tool call and gives each the anchors it needs, or throws. */
export declare function normalizeHashlineEdits(edits: readonly RawHashlineEdit[]): HashlineEdit[];

/** Applies all edits, or throws and changes nothing. All references are to `content` as given. */
export declare function applyHashlineEdits(
  content: string,
  edits: readonly HashlineEdit<NewLines>[],
): HashlineApplyReport;

/** `applyHashlineEdits` under another name, for callers of the original. */
export declare const applyHashlineEditsWithReport: typeof applyHashlineEdits;

/** Like `applyHashlineEdits`, but returns only the text. */
export declare function applyHashlineEditsToText(
  content: string,
  edits: readonly HashlineEdit<NewLines>[],
): string;

/** Removes the byte order mark and turns every line ending into a newline. */
export declare function canonicalizeFileText(content: string): FileTextEnvelope;

/** Gives text the byte order mark and the line ending that a file had. */
export declare function restoreFileText(
  content: string,
  envelope: Pick<FileTextEnvelope, "hadBom" | "lineEnding">,
): string;

/** The letters of a tag. */
export declare const HASHLINE_ALPHABET: "ZPMQVRWSNKTXJBYH";

/** The separator between the number of a line and its tag. */
export declare const HASHLINE_REF_SEPARATOR: "#";

/** The separator between a reference and the text of its line. */
export declare const HASHLINE_CONTENT_SEPARATOR: "|";

/** How large the chunks of a stream may be, and where its lines start. */
export interface HashlineChunkOptions {
  /** The number of the first line; 1 by default. */
  startLine?: number | undefined;
  /** The maximum number of lines in a chunk; 200 by default. */
  maxChunkLines?: number | undefined;
  /** The maximum number of bytes in a chunk, unless one line is longer; 64 KB by default. */
  maxChunkBytes?: number | undefined;
}

/** Formats text that comes in pieces. */
export interface HashlineChunkFormatter {
  /** Takes a piece of text and returns the chunks that are full. */
  push(text: string): string[];
  /** Returns the remaining chunks. */
  finish(): string[];
}

/** A formatter of `LINE#ID|text` for text that comes in pieces. */
export declare function createHashlineChunkFormatter(options?: HashlineChunkOptions): HashlineChunkFormatter;

/** Formats lines as chunks of `LINE#ID|text`. */
export declare function streamHashLinesFromLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options?: HashlineChunkOptions,
): AsyncGenerator<string>;

/** Formats UTF-8 text as chunks of `LINE#ID|text`. */
export declare function streamHashLinesFromUtf8(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: HashlineChunkOptions,
): AsyncGenerator<string>;

/** The name of the tool, unless another is given. */
export declare const HASHLINE_EDIT_TOOL_NAME: "hashline_edit";

/** The description of the tool for the model, unless another is given. */
export declare const HASHLINE_EDIT_DESCRIPTION: string;

/** How the tool is set up: the options of its session, its name and its description. */
export interface HashlineEditToolOptions extends Omit<SessionOptions, "scheme"> {
  name?: string;
  description?: string;
}

/** The arguments of a call. */
export interface HashlineEditCall {
  filePath: string;
  edits?: readonly RawHashlineEdit[];
  /** Removes the file instead of editing it. */
  delete?: boolean;
  /** The new path of the file, after the edits. */
  rename?: string;
}

/** The edits were applied. */
export interface HashlineEditApplied {
  kind: "applied";
  /** The file, under its new name if it was moved. */
  path: string;
  /** What changed, as `diff -u` prints it; empty if nothing did. */
  diff: string;
  /** Exactly what the model gets. */
  text: string;
}

/** Nothing was written. */
export interface HashlineEditRefused {
  kind: "refused";
  path: string;
  /** Exactly what the model gets: for stale references the current lines, marked `>>>`. */
  text: string;
}

/** A tool that a host can register. */
export interface HashlineEditTool {
  name: string;
  description: string;
  /** The JSON Schema of the arguments. */
  parameters: Record<string, unknown>;
  /** The session that does the work; what it shows counts as seen. */
  session: Session;
  /** Applies the edits of a call, all or none. Throws only if a file operation fails. */
  execute(
    call: HashlineEditCall,
    signal?: AbortSignal | null,
  ): Promise<HashlineEditApplied | HashlineEditRefused>;
}

/** oh-my-opencode's edit tool over a session with the scheme `cid`. */
export declare function createHashlineEditTool(options: HashlineEditToolOptions): HashlineEditTool;
