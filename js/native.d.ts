// What the addon exports, for the modules in this directory. Users import `pi-hash` and its other
// entries; index.d.ts documents those.

import type * as Main from "../index.js";
import type { HashlineResult, HashMismatch, NoopEdit } from "./compat/hashline.js";

/** Functions that index.js exports unchanged, or after a check of the arguments. */
type Shared = Omit<
  typeof Main,
  "Session" | "checkSetting" | "readSchema" | "applySchema" | "grepSchema" | "defaultSettings"
>;

export interface Native extends Shared {
  Session: new (options: string) => NativeSession;
  cancelToken(): CancelToken;
  requestCancel(token: CancelToken): void;
  flushAll(): void;
  checkSetting(name: string, value: string): string | null;

  /** The vector instructions in use: `avx2`, `neon` or `portable`. */
  cpuPath(): string;
  setCpuPath(name: string): void;
  setLongestString(characters: number): void;
  setExternalFrom(bytes: number): void;
  runProgram(start: string[], args: string[]): number;

  readSchemaJson(): string;
  applySchemaJson(): string;
  grepSchemaJson(): string;
  defaultSettingsJson(): string;

  /** The low byte of the line's hash. */
  lineHash(line: string): number;

  ompFormat(content: string, startLine: number, isWide: IsWide): string;
  ompFormatPieces(length: number, pieces: string[], startLine: number, isWide: IsWide): string;
  ompParse(text: string): OmpParsed;
  ompValidate(
    line: number,
    hash: string,
    text: string | undefined,
    lineCount: number,
  ): OmpRefusal | null | undefined;
  ompShownLines(stale: number[], lineCount: number): number[];
  ompReport(
    lines: number[],
    expected: string[],
    shown: number[],
    texts: string[],
  ): { message: string /** Stale and fresh references alternate. */; remaps: string[] };
  ompApply(content: string, edits: string, inPieces: boolean, isWide: IsWide): OmpApplied;
  ompByteLister(...limits: StreamLimits): ByteLister;
  ompPushBytes(lister: ByteLister, bytes: Uint8Array): string[];
  ompFinishBytes(lister: ByteLister): string[];
  ompLineLister(...limits: StreamLimits): LineLister;
  ompPushLine(lister: LineLister, line: string): string[];
  ompPushLines(
    lister: LineLister,
    joined: string,
    count: number,
  ): [lines: number, bytes: number, ...chunks: string[]] | null;
  ompRoom(lister: LineLister): [lines: number, bytes: number];
  ompFinishLines(lister: LineLister): string[];

  omoLineHash(lineNumber: number, line: string): string;
  omoFormatLines(content: string): string;
  omoToContent(content: string): string;
  omoNormalizeRef(ref: string): string;
  omoParseRef(ref: string): OmoOutcome<[line: number, tag: string]>;
  omoValidateRefs(lines: string, refs: string): OmoOutcome<boolean>;
  omoNormalizeEdits(edits: string): OmoOutcome<OmoEdit[]>;
  omoApply(content: string, edits: string): OmoOutcome<[content: string, noops: number, repeated: number]>;
  omoCanonicalize(content: string): [content: string, hadBom: boolean, isCrlf: boolean];
  omoRestore(content: string, hadBom: boolean, isCrlf: boolean): string;
}

/** A request to end calls early. */
export interface CancelToken {
  readonly kind: unique symbol;
}

type Token = CancelToken | undefined;

/** The native class that `js/session.js` wraps as `Session`: requests are JSON. */
export interface NativeSession {
  read(request: string, token: Token, hostReads?: string[]): Promise<Main.ReadOutcome>;
  newContext(): void;
  flush(): Promise<void>;
  grep(
    request: string,
    token: Token,
    onProgress?: (progress: Main.GrepProgress) => void,
  ): Promise<Main.GrepOutcome>;
  prepare(tool: string, request: string): string;
  apply(request: string, token: Token): Promise<Main.ApplyOutcome>;
  preview(request: string, token: Token): Promise<Main.PreviewOutcome>;
  undo(token: Token, receipt?: string, others?: boolean): Promise<Main.UndoOutcome>;
  review(token: Token, receipt?: string): Promise<Main.ReviewOutcome>;
  adopt(receipt: string, token: Token): Promise<string[]>;
  redo(token: Token): Promise<Main.RedoOutcome>;
  stats(): Promise<Main.StatsOutcome>;
  history(token: Token): Promise<Main.PastPatch[]>;
  recover(token: Token, sweep?: boolean, setAside?: boolean): Promise<Main.RecoverOutcome>;
  answer(
    command: string,
    cwd?: string,
    typedInto?: string,
    shell?: Main.ShellKind,
    token?: Token,
  ): Promise<Main.ShellAnswer>;
  judge(command: string, cwd?: string, shell?: Main.ShellKind): Main.Judgement;
}

/** Whether a text has characters beyond U+00FF, if known; a wrong `false` would lose them. */
export type IsWide = boolean | undefined;

/** The number of the first line, and the maximum lines and bytes of a chunk. */
export type StreamLimits = [startLine: number, maxChunkLines: number, maxChunkBytes: number];

interface ByteLister {
  readonly kind: unique symbol;
}

interface LineLister {
  readonly kind: unique symbol;
}

/** A refusal by the engine: `HashlineMismatchError` comes with the mismatches, every other with a message. */
export type OmpRefusal =
  | { name: "HashlineMismatchError"; message?: undefined; mismatches: HashMismatch[] }
  | { name: "Error" | "TypeError"; message: string; mismatches?: undefined };

type OmpParsed =
  | { line: number; hash: string; refusal?: undefined }
  | { line?: undefined; hash?: undefined; refusal: OmpRefusal };

/** An item is left out if there is none. */
type OmpApplied = [
  refusal: OmpRefusal | undefined,
  content: string | undefined,
  firstChangedLine: HashlineResult["firstChangedLine"],
  warnings: string[] | undefined,
  noopEdits: NoopEdit[] | undefined,
];

/** A value, or the refusal. */
export type OmoOutcome<T> =
  | [value: T, refusal: null | undefined]
  | [value: null | undefined, refusal: OmoRefusal];

type OmoRefusal = [code: string, message: string, stale: [line: number, expected: string, actual: string][]];

type OmoEdit =
  | [op: "replace", pos: string, end: string | null, lines: string | string[]]
  | [op: "append" | "prepend", pos: string | null, end: null, lines: string | string[]];
