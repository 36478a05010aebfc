// pi's queue for each file: a tool that wants to write a file waits for the tool that is writing it, whether that is
// pi's own `write`, a tool of another extension or ours.
//
// pi exports the queue from its package. omp has no such queue, so there nobody waits.

import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Host, nameOf } from "./host.ts";

type Queue = <T>(file: string, change: () => Promise<T>) => Promise<T>;

export class FileQueue {
  readonly #host: Host;
  #queue: Promise<Queue | undefined> | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Makes a change to some files, given by their absolute paths, when no other tool is writing them. */
  async change<T>(files: string[], change: () => Promise<T>): Promise<T> {
    this.#queue ??= nameOf(this.#host) === "pi" ? queueOfPi() : Promise.resolve(undefined);
    const queue = await this.#queue;
    if (queue === undefined) return change();
    const targets = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
    // Queue once for each file, in sorted order: otherwise calls could wait for themselves or for each other.
    const inOrder = [...new Set(targets)].sort();
    return inOrder.reduceRight((then, file) => () => queue(file, then), change)();
  }
}

/**
 * The queue that pi's own tools use. A pi that compiles extensions lets them import its package by name. One that has
 * Node.js load our bundle does not; there, the package's entry lies beside the running program.
 */
async function queueOfPi(): Promise<Queue | undefined> {
  for (const specifier of ["@mariozechner/pi-coding-agent", await entryBesideProgram()]) {
    try {
      const exported: { withFileMutationQueue?: Queue } = await import(specifier);
      if (exported.withFileMutationQueue) return exported.withFileMutationQueue;
    } catch {
      // This one cannot be imported; try the next.
    }
  }
  return undefined;
}

/** The URL of the entry of pi's package; empty if the running program is not pi. */
async function entryBesideProgram(): Promise<string> {
  const program = await realpath(process.argv[1] ?? "").catch(() => "");
  const isPi = /[\\/]pi-coding-agent[\\/]dist[\\/](?:bundle[\\/])?[\w-]+\.js$/.test(program);
  return isPi ? pathToFileURL(join(program, "..", "index.js")).href : "";
}
