/** What an edit does. */
export type HashlineOp = "replace" | "append" | "prepend";

/** Puts `lines` in the place of line `pos`, or of lines `pos` to `end`. `[]` or `null` deletes. */
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

/** Text as it may be given; `null` is no line. */
export type NewLines = string | readonly string[] | null;

/** An edit as a model sends it. `null` as `lines` deletes. */
export interface RawHashlineEdit {
  op?: HashlineOp | undefined;
  pos?: string | null | undefined;
  end?: string | null | undefined;
  lines?: NewLines | undefined;
}

/** A reference taken apart. */
export interface LineRef {
  line: number;
  hash: string;
}

/** A reference whose tag is not that of its line. */
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

/** Lines are not what they were when they were read. */
export declare class HashlineMismatchError extends Error {
  constructor(message: string, mismatches: readonly HashMismatch[], remaps: ReadonlyMap<string, string>);
  readonly code: "stale_anchor";
  /** The stale references, in the order they were met. */
  readonly mismatches: HashMismatch[];
  /** From each stale reference to the one that is right now. */
  readonly remaps: ReadonlyMap<string, string>;
}

/** The text after the edits. */
export interface HashlineApplyReport {
  content: string;
  /** How many edits changed nothing. */
  noopEdits: number;
  /** How many edits were dropped because they repeat another. */
  deduplicatedEdits: number;
}

/** A file's text with newlines only, and what it takes to write it back. */
export interface FileTextEnvelope {
  content: string;
  hadBom: boolean;
  lineEnding: "\n" | "\r\n";
}

/** The tag of a line: two letters. */
export declare function computeLineHash(lineNumber: number, line: string): string;

/** Every line as `LINE#ID|text`; a final newline starts one more line. */
export declare function formatHashLines(content: string): string;

/** Every line as `LINE#ID|text`; a final newline stays one. */
export declare function toHashlineContent(content: string): string;

/** The reference inside of what a model wrote: `>>> 5 # ZP|x` is `5#ZP`. */
export declare function normalizeLineRef(ref: string): string;

/** Takes a reference apart, or throws and says what is wrong with it. */
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

/** Takes off the byte order mark and makes every line ending a newline. */
export declare function canonicalizeFileText(content: string): FileTextEnvelope;

/** Gives text the byte order mark and the line ending that a file had. */
export declare function restoreFileText(
  content: string,
  envelope: Pick<FileTextEnvelope, "hadBom" | "lineEnding">,
): string;
