// pi's queue for files: whoever writes a file waits for the tool that is writing it, be that pi's own `write`, a tool
// of another extension or ours.
//
// pi exports the queue from its package. Where there is none, as in omp, nobody waits.

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
    // Each file once and in one order: otherwise calls could wait for themselves or for each other.
    const inOrder = [...new Set(targets)].sort();
    return inOrder.reduceRight((then, file) => () => queue(file, then), change)();
  }
}

/**
 * The queue that pi's own tools use. A pi that compiles its extensions gives them its exports by the name of the
 * package; one that leaves our bundle to Node.js does not, but there its entry is beside the program that runs.
 */
async function queueOfPi(): Promise<Queue | undefined> {
  for (const place of ["@mariozechner/pi-coding-agent", await besideProgram()]) {
    try {
      const exported: { withFileMutationQueue?: Queue } = await import(place);
      if (exported.withFileMutationQueue) return exported.withFileMutationQueue;
    } catch {
      // It is not there.
    }
  }
  return undefined;
}

/** The entry of pi's package, if the program that runs is pi's own. */
async function besideProgram(): Promise<string> {
  const program = await realpath(process.argv[1] ?? "").catch(() => "");
  const isPi = /[\\/]pi-coding-agent[\\/]dist[\\/](?:bundle[\\/])?[\w-]+\.js$/.test(program);
  return isPi ? pathToFileURL(join(program, "..", "index.js")).href : "";
}
