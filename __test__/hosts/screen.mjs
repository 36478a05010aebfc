// A host in a terminal of its own, run by tmux: a test types, waits, and reads the screen as text.

import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** After how many milliseconds a host counts as hung: far more than any run needs. */
const TIMEOUT = 600_000;

/** Whether this machine has tmux. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/**
 * Opens a terminal of `columns` by `rows` and starts the workbench's host in it, with a first prompt.
 * If it has enough rows, it shows a whole conversation at once.
 */
export async function openScreen(bench, { columns, rows = 150, args = ["--no-session"], prompt = "go" }) {
  const screen = new Screen(join(bench.place, `tmux-${columns}`));
  const { program, args: all, env } = bench.invocation([...args, prompt]);
  const settings = { ...env, TERM: "xterm-256color", COLORTERM: "truecolor" };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await screen.tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    "-c",
    bench.work,
    "env",
    "-i",
    ...assignments,
    program,
    ...all,
  ); // prettier-ignore
  return screen;
}

class Screen {
  #socket;

  constructor(socket) {
    this.#socket = socket;
  }

  /** Runs a command in this screen's own tmux server, so that no other session is touched. */
  async tmux(...args) {
    // The test may itself run inside tmux; keep ours separate from it.
    const { TMUX: _, ...env } = process.env;
    const { stdout } = await run("tmux", ["-u", "-S", this.#socket, ...args], { env, maxBuffer: 1 << 26 });
    return stdout;
  }

  /** The screen as text, without the blanks behind its lines; `-J` joins lines that the terminal broke. */
  async text(...options) {
    const printed = await this.tmux("capture-pane", "-p", ...options);
    return printed.replace(/[ \t]+$/gm, "").trimEnd();
  }

  /** The screen with its colours as escape codes, each line as wide as it is painted. */
  async painted() {
    return (await this.tmux("capture-pane", "-p", "-e", "-N")).replace(/\n$/, "");
  }

  type(text) {
    return this.tmux("send-keys", "-l", text);
  }

  press(...keys) {
    return this.tmux("send-keys", ...keys);
  }

  /** Waits until the screen shows `pattern` and, with `atRest`, no longer changes; returns its text. */
  async shows(pattern, { atRest = true } = {}) {
    let before;
    const fits = (text) => {
      const rests = text === before || !atRest;
      before = text;
      return rests && pattern.test(text);
    };
    const text = await this.settles(fits);
    if (!pattern.test(text)) throw new Error(`the screen does not show ${pattern}:\n${text}`);
    return text;
  }

  /** The screen once it `fits`, or as it is after the timeout: a host may draw it in any number of steps. */
  async settles(fits) {
    const deadline = Date.now() + TIMEOUT;
    for (;;) {
      const text = await this.text();
      if (fits(text) || Date.now() > deadline) return text;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async close() {
    await this.tmux("kill-server").catch(() => {});
  }
}
