// A temporary folder for the files of the trials, and sessions that read and edit them.

import { accessSync, constants, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../index.js";

/** A directory in memory if the system has one, because the trials write thousands of edits. */
function scratch() {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

export class Bench {
  #root = mkdtempSync(join(scratch(), "hashline-faults-"));
  /** The modification time of the next change, in seconds: about a day ago, and later than the last one. */
  #time = Math.floor(Date.now() / 1000) - 86_400;

  get root() {
    return this.#root;
  }

  session(settings = {}) {
    // The benchmark checks only where edits land, so it skips the syncs, which would take most of its time.
    return new Session({ root: this.#root, durability: "fast", ...settings });
  }

  write(text, name = "file.txt") {
    const path = join(this.#root, name);
    writeFileSync(path, text);
    // Backdate the change, because a session waits before it trusts a file that has just been changed.
    const time = this.#time++;
    utimesSync(path, time, time);
  }

  text(name = "file.txt") {
    return readFileSync(join(this.#root, name), "utf8");
  }

  remove() {
    rmSync(this.#root, { recursive: true, maxRetries: 10, force: true });
  }
}

// The anchors in a read's text, by line number.
export function anchorsOf(text) {
  const anchors = new Map();
  for (const line of text.split("\n")) {
    const found = /^[ +]?(\d+)[:#]([0-9A-Za-z]+)\|/.exec(line);
    if (found)
      anchors.set(
        Number(found[1]),
        line.slice(line[0] === " " || line[0] === "+" ? 1 : 0, found[0].length - 1),
      );
  }
  return anchors;
}

/** The text of a file with these lines. */
export function joined(lines) {
  return lines.map((line) => `${line}\n`).join("");
}
