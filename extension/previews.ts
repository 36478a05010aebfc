// What patches would do that wait for a person's consent: their diffs, for the row and for the question.

import type { PreviewOutcome, Session } from "../index.js";

/** How many previews are kept. A call that waits for consent is always among the newest. */
const KEPT = 20;
/** The most rows of a diff that a question shows. */
const ROWS = 40;

export class Previews {
  /** Previews by the arguments of the call, both as the model wrote them and as we pass them on. */
  readonly #known = new Map<string, { pending: Promise<void>; outcome?: PreviewOutcome }>();

  /** Starts the preview of a call. */
  look(session: Session, given: unknown, shape: Record<string, unknown>): void {
    const { patch } = shape;
    if (!Array.isArray(patch) || patch.length === 0) return;
    const entry: { pending: Promise<void>; outcome?: PreviewOutcome } = { pending: Promise.resolve() };
    entry.pending = session.preview({ patch } as Parameters<Session["preview"]>[0]).then(
      (outcome) => {
        entry.outcome = outcome;
      },
      // The call itself will report why no preview could be made.
      () => {},
    );
    for (const key of [keyOf(given), keyOf(shape)]) {
      this.#known.delete(key);
      this.#known.set(key, entry);
    }
    for (const key of [...this.#known.keys()].slice(0, -2 * KEPT)) this.#known.delete(key);
  }

  /** Waits until the preview of a call is there, if one was begun. */
  async settled(args: unknown): Promise<void> {
    await this.#known.get(keyOf(args))?.pending;
  }

  /** The preview of a call, if it is ready. */
  of(args: unknown): PreviewOutcome | undefined {
    return this.#known.get(keyOf(args))?.outcome;
  }

  /** The same as the lines of a question. */
  lines(args: unknown): string[] {
    const outcome = this.of(args);
    if (outcome === undefined) return [];
    const text = outcome.kind === "preview" ? outcome.diff : outcome.text;
    // A person asks for line numbers, not for anchors.
    const rows = text.split("\n").map((row) => row.replace(/^([ +-]?\d+)(?:[:#]\w+|[a-z]{2})?\|/, "$1 "));
    if (rows.length <= ROWS + 1) return rows;
    return [...rows.slice(0, ROWS), `... ${rows.length - ROWS} more lines`];
  }
}

/** Arguments as a key. Hosts add fields of their own while a call streams in, and omp a word about the intent. */
function keyOf(args: unknown): string {
  return JSON.stringify(args, (key, value) => (key === "i" || key.startsWith("_") ? undefined : value)) ?? "";
}
