// Prints one line for each part of a test run, with its progress; all other output goes to a log file.

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { showOn } from "../run.mjs";

/** Seconds between two lines of progress if the output is not a terminal. */
const PROGRESS_INTERVAL = 15;

/** How wide the names of parts are. */
const WIDTH = 24;

/** Reports on the terminal, and writes all that programs print to the file `log`. */
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
      // Programs overwrite a line on the terminal with `\r`; only the last text is logged.
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

  /** Prints a text on the terminal and into the log. */
  print(text) {
    this.#terminal.write(text);
    writeSync(this.#log, text);
  }

  /**
   * Runs a part and prints one line about it: the result of `work`, and the time it took. Meanwhile, `watch` gets the
   * output of programs, and returns the progress if the output tells it.
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
      else if (seconds() >= said + PROGRESS_INTERVAL) {
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
