// Calls whose arguments were truncated.
//
// When a model's answer ends too early, some hosts complete the JSON as best they can and carry the
// call out: a patch with its last operations missing, or a text cut in the middle of a line. Nothing
// of such a call may reach the disk, so we listen to the arguments as they stream in.

import { type Fields, fields, list } from "./values.ts";

/** The host's event for each piece of a message that streams in. */
export interface MessageUpdateEvent {
  message: unknown;
  assistantMessageEvent?: { type: string; contentIndex?: number; delta?: unknown };
}

export const TRUNCATED_CALL =
  "the arguments broke off before their end, so nothing was done\nhint: send the call again, in several smaller ones if it is long";

export class StreamedCalls {
  readonly #name: string;
  readonly #inOrder: boolean;
  /** Each call's object in its message, and the text of its arguments. In omp, some providers keep that text there. */
  readonly #calls = new Map<string, { call: Fields; text: string }>();

  /**
   * Records calls of the tool `name`. `inOrder` says whether the host delivers all pieces before the call; omp does
   * not wait for them, so there only text in the message itself can be trusted.
   */
  constructor(name: string, { inOrder }: { inOrder: boolean }) {
    this.#name = name;
    this.#inOrder = inOrder;
  }

  record({ message, assistantMessageEvent: piece }: MessageUpdateEvent): void {
    const call = fields(list(fields(message).content)[piece?.contentIndex ?? -1]);
    const { id, name } = call;
    if (name !== this.#name || typeof id !== "string") return;
    // Some servers give the same id to the first call of every answer.
    if (piece?.type === "toolcall_start") this.#calls.delete(id);
    if (piece?.type !== "toolcall_delta" || typeof piece.delta !== "string") return;
    const before = this.#calls.get(id)?.text ?? "";
    this.#calls.set(id, { call, text: before + piece.delta });
  }

  /** Whether the arguments of a call broke off. Ask only once: the call is forgotten afterwards. */
  isTruncated(id: string): boolean {
    const recorded = this.#calls.get(id);
    this.#calls.delete(id);
    if (!recorded) return false;
    const { call, text } = recorded;
    const json = typeof call.partialArgs === "string" ? call.partialArgs : this.#inOrder ? text : "";
    return endsInsideValue(json);
  }

  /** Forgets calls that were never carried out. */
  clear(): void {
    this.#calls.clear();
  }
}

/**
 * Whether JSON ends inside a string, an object or a list. Other errors in the JSON do not matter here: hosts
 * repair many of them, such as newlines in strings.
 */
export function endsInsideValue(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[{]|[\]}]/gs)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (!/^"(?:[^"\\]|\\.)*"$/s.test(token)) return true;
  }
  return depth > 0;
}
