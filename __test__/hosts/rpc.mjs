// Speaks to a running host: one JSON object per line, commands in, responses and events out.

import { outcome } from "./bench.mjs";

/** Connects to a host that was started in RPC mode. */
export async function connect(child, model, timeout) {
  const connection = new Connection(child, model, timeout);
  await connection.state();
  return connection;
}

class Connection {
  #child;
  #model;
  #timeout;
  #waiting = new Set();
  #listeners = [];
  #serial = 0;
  #stderr = "";
  /** All events and responses of the host, in order. */
  events = [];

  constructor(child, model, timeout) {
    this.#child = child;
    this.#model = model;
    this.#timeout = timeout;
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (data) => {
      // Split at "\n" alone: other line separators may stand inside a JSON string.
      const lines = (rest + data).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("{")) this.#take(JSON.parse(line));
    });
    child.stderr.setEncoding("utf8").on("data", (data) => {
      this.#stderr += data;
    });
    this.ended = new Promise((resolve) => child.once("close", resolve));
    this.ended.then((code) => {
      for (const { reject } of this.#waiting)
        reject(new Error(`the host ended with code ${code}: ${this.#stderr}`));
    });
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The notices that the extension has shown to the person, by `ui.notify`. */
  get notices() {
    return this.events.filter(({ method }) => method === "notify").map(({ message }) => message);
  }

  /** The extension's last note in the footer. */
  get status() {
    return this.events.filter(({ method }) => method === "setStatus").at(-1)?.statusText;
  }

  /** Sends a command and returns the data of its response. */
  async send(command) {
    const id = `rpc-${++this.#serial}`;
    const response = this.wait(
      (event) => event.type === "response" && event.id === id,
      `${command.type} response`,
    );
    this.#child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    const { success, error, data } = await response;
    if (!success) throw new Error(`the host refused ${command.type}: ${error}`);
    return data ?? {};
  }

  state() {
    return this.send({ type: "get_state" });
  }

  /** Has the model play a script on one prompt, and returns the outcome. */
  async prompt(turns, { others, message = "go" } = {}) {
    const script = this.#model.play(turns, others);
    const from = this.events.length;
    await this.ask(message);
    return outcome(this.events.slice(from), script);
  }

  /** Sends a prompt and waits until the agent has answered it, by the script that the model plays. */
  async ask(message) {
    const ended = this.wait(({ type }) => type === "agent_end", "end of the run");
    await this.send({ type: "prompt", message });
    await ended;
    await this.idle();
  }

  /** Starts a script without waiting for its end. */
  async begin(turns, message = "go") {
    const script = this.#model.play(turns);
    await this.send({ type: "prompt", message });
    return script;
  }

  /** Runs a command of the extension and returns the notice that it shows. */
  async command(message) {
    const told = this.wait(({ method }) => method === "notify", `answer to ${message}`);
    await this.send({ type: "prompt", message });
    return (await told).message;
  }

  /** Waits for a notice that matches `pattern`; one that was shown before counts, too. */
  async told(pattern) {
    const fits = ({ method, message }) => method === "notify" && pattern.test(message);
    const { message } = this.events.find(fits) ?? (await this.wait(fits, `notice like ${pattern}`));
    return message;
  }

  /** Waits until the host neither runs nor compacts: events may come shortly before that. */
  async idle() {
    for (;;) {
      const { isStreaming, isCompacting } = await this.state();
      if (!isStreaming && !isCompacting) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Calls `listener` for every event from now on. */
  on(listener) {
    this.#listeners.push(listener);
  }

  /** Waits for the next event that fits; `what` names it in the error. */
  wait(fits, what) {
    const awaited = new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.reject(new Error(`no ${what}: ${this.#stderr}`)), this.#timeout);
      const settle = (done) => (value) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        done(value);
      };
      const waiter = { fits, resolve: settle(resolve), reject: settle(reject) };
      this.#waiting.add(waiter);
    });
    // The caller may fail before it awaits this promise.
    awaited.catch(() => {});
    return awaited;
  }

  /** Ends the host as a client does, by closing its input. */
  async close() {
    this.#child.stdin.end();
    const watchdog = setTimeout(() => this.#child.kill("SIGKILL"), this.#timeout);
    await this.ended;
    clearTimeout(watchdog);
  }

  #take(event) {
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
    for (const waiter of [...this.#waiting]) if (waiter.fits(event)) waiter.resolve(event);
  }
}
