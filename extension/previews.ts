// Previews of patches that wait for a person's consent: the diffs that the row and the question show.

import type { PreviewOutcome, Session } from "../index.js";

/** The most previews that are kept. A call that waits for consent is always among the newest. */
const MAX_PREVIEWS = 20;
/** The most rows of a diff that a question shows. */
const MAX_ROWS = 40;

export class Previews {
  /** Previews by the arguments of the call, both as the model wrote them and as we pass them on. */
  readonly #known = new Map<string, { pending: Promise<void>; outcome?: PreviewOutcome }>();

  /** Starts the preview of a call. */
  start(session: Session, given: unknown, shape: Record<string, unknown>): void {
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
    for (const key of [...this.#known.keys()].slice(0, -2 * MAX_PREVIEWS)) this.#known.delete(key);
  }

  /** Waits until the preview of a call is ready, if one was started. */
  async ready(args: unknown): Promise<void> {
    await this.#known.get(keyOf(args))?.pending;
  }

  /** The preview of a call, if it is ready. */
  of(args: unknown): PreviewOutcome | undefined {
    return this.#known.get(keyOf(args))?.outcome;
  }

  /** The preview of a call, as lines for a question; none if it is not ready. */
  lines(args: unknown): string[] {
    const outcome = this.of(args);
    if (outcome === undefined) return [];
    const text = outcome.kind === "preview" ? outcome.diff : outcome.text;
    // People need line numbers, not anchors.
    const rows = text.split("\n").map((row) => row.replace(/^([ +-]?\d+)(?:[:#]\w+|[a-z]{2})?\|/, "$1 "));
    if (rows.length <= MAX_ROWS + 1) return rows;
    return [...rows.slice(0, MAX_ROWS), `... ${rows.length - MAX_ROWS} more lines`];
  }
}

/** Arguments as a key, without fields that hosts add: `_...` while a call streams in, and omp's intent, `i`. */
function keyOf(args: unknown): string {
  return JSON.stringify(args, (key, value) => (key === "i" || key.startsWith("_") ? undefined : value)) ?? "";
}
