// Calls whose arguments broke off half-way.
//
// When a model's answer ends too early, some hosts complete the JSON as best they can and carry the
// call out: a patch with its last operations missing, or a text cut in the middle of a line. Nothing
// of such a call may reach the disk, so we listen to the arguments as they stream in.

/** A piece of a message, as it arrives. */
export interface MessageUpdateEvent {
  message: unknown;
  assistantMessageEvent?: { type: string; contentIndex?: number; delta?: unknown };
}

export const CUT_OFF =
  "the arguments broke off before their end, so nothing was done\nhint: send the call again, in several smaller ones if it is long";

export class StreamedCalls {
  readonly #name: string;
  readonly #arguments = new Map<string, string>();

  /** Listens to calls of the tool `name`. */
  constructor(name: string) {
    this.#name = name;
  }

  hear({ message, assistantMessageEvent: piece }: MessageUpdateEvent): void {
    if (piece?.type !== "toolcall_delta" || typeof piece.delta !== "string") return;
    const call = callAt(message, piece.contentIndex);
    if (call?.name !== this.#name) return;
    this.#arguments.set(call.id, (this.#arguments.get(call.id) ?? "") + piece.delta);
  }

  /** Whether the arguments of a call broke off. Asked once, because they are forgotten then. */
  brokeOff(id: string): boolean {
    const text = this.#arguments.get(id);
    this.#arguments.delete(id);
    return text !== undefined && isOpen(text);
  }

  /** Forgets calls that were never carried out. */
  clear(): void {
    this.#arguments.clear();
  }
}

function callAt(message: unknown, index: number | undefined): { id: string; name: string } | undefined {
  if (typeof message !== "object" || message === null || index === undefined) return undefined;
  const content: unknown = "content" in message ? message.content : undefined;
  const call: unknown = Array.isArray(content) ? content[index] : undefined;
  if (typeof call !== "object" || call === null || !("id" in call) || !("name" in call)) return undefined;
  return typeof call.id === "string" && typeof call.name === "string"
    ? { id: call.id, name: call.name }
    : undefined;
}

/**
 * Whether JSON ends inside a string, an object or a list. Whether it is otherwise right is not
 * asked: hosts mend much, such as newlines in strings, and rightly so.
 */
export function isOpen(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[{]|[\]}]/gs)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (!/^"(?:[^"\\]|\\.)*"$/s.test(token)) return true;
  }
  return depth > 0;
}
