// Keeps one core session for each session of the host.
//
// omp runs sub-agents in the same process, and each must know only what was shown to itself; so they share nothing
// here, and no module variable holds state. What a session was shown (its memory) is kept below the agent's directory,
// under the session's id, and outlives the process: a resumed session still knows it, and a fork begins with what its
// origin knew.

import { cp, open, readdir, rm, stat, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RedoOutcome, Session, UndoOptions, UndoOutcome } from "../index.js";
import { changesSinceShown, notAdoptedNote } from "./after-apply.ts";
import type { Core } from "./core.ts";
import { FileQueue } from "./file-queue.ts";
import { type Context, type Host, hasScreen, maxResultBytes } from "./host.ts";
import { coreOptions, type LoadedSettings, loadSettings } from "./settings.ts";
import { messageOf } from "./values.ts";

/** The memory of a session is removed after this many days without use. */
const MAX_UNUSED_DAYS = 30;

/** The file whose modification time tells when a memory was last used. */
const MEMORY_LOG = join("seen", "log");

type UndoneOutcome = Extract<UndoOutcome, { kind: "undone" }>;

/** A patch that was undone: its files, and whether it belonged to the agent's last turn. */
interface UndonePatch {
  files: string[];
  ofTurn: boolean;
}

/** A host's session, its settings, and the core session that works for it. */
export class HostSession {
  readonly session: Session;
  readonly loaded: LoadedSettings;
  /** Resolves to the report of the recovery; to undefined if there was nothing to recover. */
  readonly recovered: Promise<string | undefined>;
  #notices: string[] = [];
  /** The receipts of the patches of the agent's last turn, in order. */
  #turn: string[] = [];
  /** For each undo command, the patches that it undid; a redo needs them. */
  #undone: UndonePatch[][] = [];
  /** Files that others changed after the model had the report of a patch. */
  readonly #formatted = new Set<string>();
  readonly #cwd: string;
  readonly #queue: FileQueue;
  /** Settles when the change that was begun last has ended. */
  #lastChange: Promise<unknown> = Promise.resolve();
  /** The files of calls that scripts made: these calls appear in no message. */
  readonly filesOfScripts: { read: string[]; changed: string[] }[] = [];

  constructor(session: Session, loaded: LoadedSettings, cwd: string, queue: FileQueue) {
    this.session = session;
    this.loaded = loaded;
    this.#cwd = cwd;
    this.#queue = queue;
    this.recovered = recover(session);
    void this.recovered.then((text) => text && this.note(text));
  }

  /** Takes over the state of `before`, the same session with other settings. */
  takeOver(before: HostSession): void {
    this.#notices = before.#notices;
    this.#turn = before.#turn;
    this.#undone = before.#undone;
    this.filesOfScripts.push(...before.filesOfScripts);
  }

  /** The receipts of the patches of the agent's last turn, newest first. */
  get turnReceipts(): string[] {
    return this.#turn.toReversed();
  }

  /** Begins a turn of the agent: earlier patches no longer belong to its last turn. */
  beginTurn(): void {
    this.#turn = [];
    for (const patch of this.#undone.flat()) patch.ofTurn = false;
  }

  /**
   * Runs `change` on some files, named as in a call, when the change before it has ended and no other tool of the host
   * is writing them.
   */
  change<T>(files: string[], change: () => Promise<T>): Promise<T> {
    const paths = files.map((name) => resolve(this.#cwd, name));
    const changed = this.#lastChange.then(() => this.#queue.change(paths, change));
    this.#lastChange = changed.catch(() => {});
    return changed;
  }

  /** Adds to a patch what others have changed in its files since, unless there is a newer patch. */
  async adopt(receipt: string): Promise<void> {
    try {
      const isLast = () => this.#turn.at(-1) === receipt;
      const paths = await this.change([], async () => (isLast() ? this.session.adopt(receipt) : []));
      for (const path of paths) this.#formatted.add(path);
    } catch (error) {
      this.note(notAdoptedNote(error));
    }
  }

  /** Records that this turn applied a patch. */
  recordPatch(receipt: string | undefined): void {
    if (receipt === undefined) return;
    this.#turn.push(receipt);
    this.#undone = [];
  }

  /** Undoes the last patch, or the patch with the given receipt. */
  async undo(options: UndoOptions & { receipt: string | undefined }): Promise<UndoOutcome> {
    const { receipt } = options;
    const review = await this.session.review(null, receipt === undefined ? {} : { receipt });
    const files = review.kind === "reviewed" ? review.files : [];
    return this.change(files, () => this.session.undo(null, options));
  }

  /** Records which patches a command undid, the newest first. */
  recordUndone(patches: UndoneOutcome[]): void {
    if (patches.length === 0) return;
    const isOfTurn = ({ receipt }: UndoneOutcome) => this.#turn.includes(receipt);
    this.#undone.push(
      patches.map((patch) => ({ files: patch.files.map(({ path }) => path), ofTurn: isOfTurn(patch) })),
    );
    this.#turn = this.#turn.filter((known) => !patches.some(({ receipt }) => receipt === known));
  }

  /** How many patches the last undo command undid. */
  get redoCount(): number {
    return this.#undone.at(-1)?.length ?? 1;
  }

  /** Redoes the patch that was undone last; it then has a new receipt. */
  async redo(): Promise<RedoOutcome> {
    const last = this.#undone.at(-1);
    const outcome = await this.change(last?.at(-1)?.files ?? [], () => this.session.redo());
    if (outcome.kind === "redone") {
      if (last?.pop()?.ofTurn) this.#turn.push(outcome.receipt);
      if (last?.length === 0) this.#undone.pop();
    }
    return outcome;
  }

  /** Adds a note to the next answer that the model gets. */
  note(text: string): void {
    this.#notices.push(text);
  }

  /** `text`, followed by what others changed and by the notes that were added since the last answer. */
  async withNotes(text: string): Promise<string> {
    const formatted = [...this.#formatted];
    this.#formatted.clear();
    const fresh = formatted.length === 0 ? undefined : await changesSinceShown(this.session, formatted);
    const parts = [text, fresh ?? "", ...this.#notices.splice(0).map((notice) => `note: ${notice}`)];
    return parts.filter((part) => part !== "").join("\n\n");
  }
}

/**
 * Completes or rolls back patches that a crash interrupted. A failure is reported and stops nothing. Lost temporary
 * files are not searched for, because that takes long in a large workspace.
 */
async function recover(session: Session): Promise<string | undefined> {
  try {
    const { kind, text } = await session.recover(undefined, { sweep: false });
    return kind === "recovered" ? `after an interrupted patch: ${text}` : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export class HostSessions {
  readonly #host: Host;
  readonly #core: Core;
  readonly #agentDirectory: string;
  readonly #open = new Map<string, HostSession>();
  readonly #queue: FileQueue;
  #latest: Session | undefined;
  /** Whether the session that was used last has a person at a screen. */
  hasScreen = false;

  constructor(host: Host, core: Core, agentDirectory: string) {
    this.#host = host;
    this.#core = core;
    this.#agentDirectory = agentDirectory;
    this.#queue = new FileQueue(host);
  }

  /** The core session that was used last. pi has only one at a time, and prepares arguments without a context. */
  get latest(): Session {
    this.#latest ??= new this.#core.Session({ root: process.cwd() });
    return this.#latest;
  }

  /** The words that a command completes: receipts of kept patches, the newest first, and names of settings. */
  async completions(): Promise<{ receipts: string[]; keys: string[] }> {
    const patches = await this.latest.history();
    const [open] = this.#open.values();
    return {
      receipts: patches.map(({ receipt }) => receipt),
      keys: Object.keys(open?.loaded.settings ?? {}),
    };
  }

  /** Waits until interrupted patches are recovered, then returns the session of a call. */
  async ready(context: Context): Promise<HostSession> {
    const hostSession = this.of(context);
    await hostSession.recovered;
    return hostSession;
  }

  /** The session that a call belongs to; it is opened when it is first needed. */
  of(context: Context): HostSession {
    this.hasScreen = hasScreen(context);
    // Directories that the person added in omp belong to the workspace, too.
    const added = context.sessionManager.getHeader?.()?.additionalDirectories ?? [];
    const key = JSON.stringify([context.sessionManager.getSessionId(), context.cwd, added]);
    const known = this.#open.get(key);
    if (known) {
      this.#latest = known.session;
      return known;
    }
    const loaded = loadSettings(this.#core, this.#agentDirectory, context);
    const maxPrintedBytes = maxResultBytes(this.#host);
    const session = new this.#core.Session({
      root: context.cwd,
      ...(maxPrintedBytes === undefined ? {} : { maxPrintedBytes }),
      stateDir: this.#memoryOf(context.sessionManager.getSessionId()),
      ...coreOptions(loaded.settings),
      roots: [...loaded.settings.roots, ...added],
    });
    const hostSession = new HostSession(session, loaded, context.cwd, this.#queue);
    this.#open.set(key, hostSession);
    this.#latest = session;
    return hostSession;
  }

  /** Copies the memory of `origin`, a session's file or id, into the session that was forked from it. */
  async inherit(context: Context, origin: string | undefined): Promise<void> {
    const own = this.memoryOf(context);
    await this.#flush();
    // Mark the memory as used, so that `tidy` does not remove it.
    const now = new Date();
    await utimes(join(own, MEMORY_LOG), now, now).catch(() => {});
    const id = origin && (/[\\/]/.test(origin) ? await sessionIdOf(origin) : origin);
    if (!id || (await exists(own))) return;
    const source = this.#memoryOf(id);
    if (await exists(source)) await cp(source, own, { recursive: true });
  }

  /** Opens every session anew, because the settings have changed; returns the session of `context`. */
  reopen(context: Context): HostSession {
    const before = this.of(context);
    this.#open.clear();
    const now = this.of(context);
    now.takeOver(before);
    return now;
  }

  /** The directory that keeps what a session was shown. */
  memoryOf(context: Context): string {
    return this.#memoryOf(context.sessionManager.getSessionId());
  }

  /** Ends a session, and removes its memory if the host does not keep the session. */
  async end(context: Context, reason: string | undefined): Promise<void> {
    await this.#flush();
    this.#open.clear();
    // After a reload the session continues, and a fork still has to copy its memory.
    if (reason !== "reload" && reason !== "fork" && context.sessionManager.getSessionFile() === undefined) {
      await rm(this.#memoryOf(context.sessionManager.getSessionId()), { recursive: true, force: true });
    }
  }

  /** Removes memories that have not been used for a long time. */
  async tidy(): Promise<void> {
    const oldest = Date.now() - MAX_UNUSED_DAYS * 86_400_000;
    const home = join(this.#agentDirectory, "hashline", "memory");
    for (const name of await readdir(home).catch(() => [])) {
      const path = join(home, name);
      const seen = await stat(join(path, MEMORY_LOG)).catch(() => stat(path).catch(() => undefined));
      if (seen && seen.mtimeMs < oldest) await rm(path, { recursive: true, force: true });
    }
  }

  /**
   * Saves at once what was shown, which sessions save only some time after an answer. Call it before a memory is
   * copied or removed.
   */
  async #flush(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ session }) => session.flush()));
  }

  #memoryOf(id: string): string {
    // The host chooses the id; nothing in it may lead out of the directory.
    const name = id.replaceAll(/[^\w.-]/g, "_").replace(/^\.*$/, "_");
    return join(this.#agentDirectory, "hashline", "memory", name);
  }
}

/** Reads the id of a session from the header of the session's file. */
async function sessionIdOf(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return undefined;
  try {
    for await (const line of handle.readLines()) {
      // omp puts a line with the title before the header.
      const entry: { type?: unknown; id?: unknown } = JSON.parse(line);
      if (entry.type === "session") return typeof entry.id === "string" ? entry.id : undefined;
    }
    return undefined;
  } catch {
    // The host reports a damaged session file; nothing is inherited from it.
    return undefined;
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
