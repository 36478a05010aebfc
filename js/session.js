// The class Session: wraps the native one with signals, an order of writers, and a limit on searches.

import { callable, flag, json, object, optional, text, texts, unfit } from "./arguments.js";
import { openNative } from "./loader.js";

const native = openNative();

// Shown lines are saved a moment after the answer, so a process that ends must save them at once.
process.on("exit", () => native.flushAll());

/** Limits the searches of all sessions: each holds one of the four threads that Node's file system needs, too. */
const searchGate = gate(2);
/** Limits the searches that shell commands ask for. */
const answerGate = gate(1);

export class Session {
  #native;
  /** Settles when every call that writes is done; it never rejects. */
  #written = Promise.resolve();

  /** @param {import("../index.js").SessionOptions} options */
  constructor(options) {
    this.#native = new native.Session(json(options, "bad_option"));
  }

  /** @type {import("../index.js").Session["read"]} */
  read(request, signal, options) {
    const asked = json(request);
    const { hostReads } = optional(object, options, "options") ?? {};
    optional(texts, hostReads, "options.hostReads");
    return abortable(signal, (token) => this.#native.read(asked, token, hostReads));
  }

  /** @type {import("../index.js").Session["newContext"]} */
  newContext() {
    this.#native.newContext();
  }

  /** @type {import("../index.js").Session["flush"]} */
  flush() {
    return this.#native.flush();
  }

  /** @type {import("../index.js").Session["grep"]} */
  grep(request, signal, onProgress) {
    const asked = json(request);
    optional(callable, onProgress, "onProgress");
    return abortable(signal, (token, isWanted) =>
      // Skips the search if the caller's signal fired while it waited in the queue.
      searchGate(async () => isWanted() && this.#native.grep(asked, token, onProgress ?? undefined)),
    );
  }

  /** @type {import("../index.js").Session["prepare"]} */
  prepare(tool, request) {
    return JSON.parse(this.#native.prepare(text(tool, "tool"), json(request)));
  }

  /** @type {import("../index.js").Session["apply"]} */
  apply(request, signal) {
    const asked = json(request);
    return this.#write(signal, (token) => this.#native.apply(asked, token));
  }

  /** @type {import("../index.js").Session["preview"]} */
  preview(request, signal) {
    const asked = json(request);
    return this.#write(signal, (token) => this.#native.preview(asked, token));
  }

  /** @type {import("../index.js").Session["undo"]} */
  undo(signal, options) {
    const { receipt, others } = optional(object, options, "options") ?? {};
    optional(text, receipt, "options.receipt");
    return this.#write(signal, (token) => this.#native.undo(token, receipt, others));
  }

  /** @type {import("../index.js").Session["review"]} */
  review(signal, options) {
    const { receipt } = optional(object, options, "options") ?? {};
    optional(text, receipt, "options.receipt");
    return this.#write(signal, (token) => this.#native.review(token, receipt));
  }

  /** @type {import("../index.js").Session["adopt"]} */
  adopt(receipt, signal) {
    const name = text(receipt, "receipt");
    return this.#write(signal, (token) => this.#native.adopt(name, token));
  }

  /** @type {import("../index.js").Session["redo"]} */
  redo(signal) {
    return this.#write(signal, (token) => this.#native.redo(token));
  }

  /** @type {import("../index.js").Session["history"]} */
  history(signal) {
    return this.#write(signal, (token) => this.#native.history(token));
  }

  /** @type {import("../index.js").Session["stats"]} */
  stats() {
    return this.#native.stats();
  }

  /** @type {import("../index.js").Session["recover"]} */
  recover(signal, options) {
    const { sweep, setAside } = optional(object, options, "options") ?? {};
    optional(flag, sweep, "options.sweep");
    optional(flag, setAside, "options.setAside");
    return this.#write(signal, (token) => this.#native.recover(token, sweep, setAside));
  }

  /** @type {import("../index.js").Session["answer"]} */
  answer(command, options, signal) {
    const { cwd, typedInto, shell } = optional(object, options, "options") ?? {};
    const asked = text(command, "command");
    optional(text, cwd, "options.cwd");
    optional(text, typedInto, "options.typedInto");
    optional(text, shell, "options.shell");
    return cancellable(signal, (token) =>
      answerGate(() => this.#native.answer(asked, cwd, typedInto, shell, token)),
    );
  }

  /** @type {import("../index.js").Session["judge"]} */
  judge(command, options) {
    const { cwd, shell } = optional(object, options, "options") ?? {};
    optional(text, cwd, "options.cwd");
    optional(text, shell, "options.shell");
    return this.#native.judge(text(command, "command"), cwd, shell);
  }

  /**
   * Starts a call when the writing calls before it are done, so that patches land in the order of the calls.
   *
   * @template T
   * @param {AbortSignal | null | undefined} signal
   * @param {(token: Token) => Promise<T>} start
   */
  #write(signal, start) {
    return cancellable(signal, (token) => {
      const done = this.#written.then(() => start(token));
      this.#written = done.then(nothing, nothing);
      return done;
    });
  }
}

/** @typedef {import("./native.js").CancelToken | undefined} Token */

/**
 * Starts a call without effects. A signal rejects its promise at once, whether or not the call has begun.
 *
 * @template T
 * @param {AbortSignal | null | undefined} signal
 * @param {(token: Token, isWanted: () => boolean) => Promise<T | false>} start
 * @returns {Promise<T>}
 */
function abortable(signal, start) {
  if (!hasSignal(signal)) return /** @type {Promise<T>} */ (start(undefined, () => true));
  if (signal.aborted) return Promise.reject(aborted(signal));
  const token = native.cancelToken();
  return new Promise((resolve, reject) => {
    const stop = listen(signal, () => {
      native.requestCancel(token);
      settle(reject, aborted(signal));
    });
    /** @type {<V>(how: (value: V) => void, value: V) => void} */
    const settle = (how, value) => {
      stop();
      how(value);
    };
    start(token, () => !signal.aborted).then(
      (outcome) => settle(resolve, /** @type {T} */ (outcome)),
      (error) => settle(reject, error),
    );
  });
}

/**
 * Starts a call that a signal only asks to end early: its result still says what is on the disk.
 *
 * @template T
 * @param {AbortSignal | null | undefined} signal
 * @param {(token: Token) => Promise<T>} start
 * @returns {Promise<T>}
 */
function cancellable(signal, start) {
  if (!hasSignal(signal)) return start(undefined);
  const token = native.cancelToken();
  if (signal.aborted) native.requestCancel(token);
  const stop = listen(signal, () => native.requestCancel(token));
  return start(token)
    .catch((error) => {
      throw error?.code === "ABORT_ERR" ? aborted(signal, error.message) : error;
    })
    .finally(stop);
}

/**
 * The calls that each signal ends. One listener serves all of them: a host may use one signal for many calls, and
 * engines warn about many listeners.
 *
 * @type {WeakMap<AbortSignal, { calls: Set<() => void>, fire: () => void }>}
 */
const listening = new WeakMap();

/**
 * Calls `onAbort` when the signal fires. The function that this returns stops that.
 *
 * @param {AbortSignal} signal
 * @param {() => void} onAbort
 */
function listen(signal, onAbort) {
  let entry = listening.get(signal);
  if (!entry) {
    /** @type {Set<() => void>} */
    const calls = new Set();
    entry = { calls, fire: () => [...calls].forEach((call) => void call()) };
    listening.set(signal, entry);
    signal.addEventListener("abort", entry.fire);
  }
  const { calls, fire } = entry;
  calls.add(onAbort);
  return () => {
    if (!calls.delete(onAbort) || calls.size > 0) return;
    listening.delete(signal);
    try {
      signal.removeEventListener("abort", fire);
    } catch {
      // The caller gets the outcome even if the signal cannot remove its listener.
    }
  };
}

/**
 * The error with which Node's own functions reject after an abort.
 *
 * @param {AbortSignal} signal
 * @param {string} [message]
 */
function aborted(signal, message = "the operation was aborted") {
  const error = Object.assign(new Error(message), { name: "AbortError", code: "ABORT_ERR" });
  try {
    error.cause = signal.reason;
  } catch (thrown) {
    error.cause = thrown;
  }
  return error;
}

/**
 * Whether there is a signal; throws for anything else in its place.
 *
 * @type {(signal: AbortSignal | null | undefined) => signal is AbortSignal}
 */
function hasSignal(signal) {
  if (signal === undefined || signal === null) return false;
  if (typeof signal !== "object" || typeof signal.addEventListener !== "function")
    throw unfit(signal, "signal", "an AbortSignal");
  return true;
}

/** Lets `width` calls run at a time; the others wait. @param {number} width */
function gate(width) {
  let running = 0;
  /** @type {(() => void)[]} */
  const queue = [];
  return /** @type {<T>(run: () => Promise<T>) => Promise<T>} */ (
    async (run) => {
      if (running >= width) await new Promise((resolve) => queue.push(() => resolve(undefined)));
      else running++;
      try {
        return await run();
      } finally {
        const next = queue.shift();
        if (next) next();
        else running--;
      }
    }
  );
}

function nothing() {}
