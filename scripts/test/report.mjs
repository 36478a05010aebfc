// One line for each part of a run, with a sign of life while it runs; everything else goes to a log file.

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { showOn } from "../run.mjs";

/** Seconds between two signs of life if the output is not a terminal. */
const SIGN_OF_LIFE = 15;

/** How wide the names of parts are. */
const WIDTH = 24;

/** A report on the terminal, and all that programs print in `log`. */
export class Report {
  #log;
  #terminal;
  #part;

  constructor(log, terminal = process.stdout) {
    mkdirSync(dirname(log), { recursive: true });
    this.#log = openSync(log, "w");
    this.#terminal = terminal;
    const lines = { out: "", err: "" };
    const take = (stream) => (text) => {
      this.#part?.watch?.(text);
      const all = (lines[stream] + text).split("\n");
      lines[stream] = all.pop();
      // A line may be overwritten on the terminal; only its last state is logged.
      for (const line of all) this.#note(line.slice(line.lastIndexOf("\r") + 1));
    };
    showOn({
      step: (text) => {
        this.#note(`\n== ${text}`);
        if (this.#part) this.#part.status = text;
      },
      out: take("out"),
      err: take("err"),
    });
  }

  /** Prints, on the terminal and into the log. */
  print(text) {
    this.#terminal.write(text);
    writeSync(this.#log, text);
  }

  /**
   * Runs a part and prints one line about it: what `work` answers with, and the time it took. While it runs, `watch`
   * is given what programs print, and answers with how far it is, if that says so.
   */
  async part(name, work, watch) {
    const began = Date.now();
    const seconds = () => Math.round((Date.now() - began) / 1000);
    const part = { status: "" };
    part.watch = (text) => {
      part.status = watch?.(text) ?? part.status;
    };
    this.#part = part;
    let said = 0;
    const timer = setInterval(() => {
      const line = `${name.padEnd(WIDTH)} ${part.status === "" ? "" : `${part.status}, `}${seconds()} s`;
      const { isTTY, columns = 80 } = this.#terminal;
      if (isTTY) this.#terminal.write(`\r\x1b[K${line.slice(0, columns - 1)}`);
      else if (seconds() >= said + SIGN_OF_LIFE) {
        said = seconds();
        this.#terminal.write(`  ${line}\n`);
      }
    }, 500);
    let end = "failed";
    try {
      end = (await work()) ?? "done";
    } finally {
      clearInterval(timer);
      this.#part = undefined;
      if (this.#terminal.isTTY) this.#terminal.write("\r\x1b[K");
      this.print(`${name.padEnd(WIDTH)} ${end}, ${seconds()} s\n`);
    }
  }

  close() {
    closeSync(this.#log);
  }

  #note(line) {
    writeSync(this.#log, `${line}\n`);
  }
}
