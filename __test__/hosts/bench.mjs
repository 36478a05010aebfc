// A workbench: one host in a temporary HOME and project, with a scripted model as its only model.
//
// `print` runs the host once, headless; `rpc` keeps it running and speaks to it (see rpc.mjs). The
// environment is built from nothing but PATH, so no setting of the person at the machine leaks in.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeBundle } from "../../scripts/bundle.mjs";
import { host as findHost } from "../../scripts/lab/hosts.mjs";
import { startModel } from "./model.mjs";
import { connect } from "./rpc.mjs";

/** The package under test: its manifest names the extension. */
export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

const MODEL = "scripted/scripted";
/** After how many milliseconds a host counts as hung: far more than any run needs. */
const TIMEOUT = 600_000;

/**
 * Makes a workbench. `extensions` are loaded with `-e`, `hashline` becomes the extension's settings
 * file, `settings` the host's own; `compat` tells the host what the model's server supports.
 */
export async function workbench(hostName, { extensions = [PACKAGE], hashline, settings = {}, compat } = {}) {
  const host = await findHost(hostName);
  // Bundle the present sources, so that the host tests them.
  await writeBundle();
  // Use the real path, as hosts pass it to their tools: /tmp may be a link.
  const place = await realpath(await mkdtemp(join(tmpdir(), `hashline-${hostName}-`)));
  const model = await startModel();
  const bench = new Workbench(host, place, model, extensions);
  // Make it private, whatever the umask: no journals are kept in a home that others may write to.
  await mkdir(bench.work, { recursive: true, mode: 0o700 });
  await bench.configure({ settings, hashline, compat });
  return bench;
}

class Workbench {
  constructor(host, place, model, extensions) {
    this.host = host;
    this.model = model;
    this.place = place;
    this.home = join(place, "home");
    // It lies below HOME, so that hosts show it as `~/project` on every machine.
    this.work = join(this.home, "project");
    this.sessions = join(place, "sessions");
    this.agentDir = join(this.home, host.agentDir);
    this.extensions = extensions;
    /** The hosts that are running. A test that fails leaves one behind; `close` ends it. */
    this.running = new Set();
  }

  async configure({ settings = {}, hashline, compat }) {
    await mkdir(this.agentDir, { recursive: true });
    const save = (name, value) => writeFile(join(this.agentDir, name), JSON.stringify(value, null, 2));
    await save(this.host.files.models, models(this.model.url, compat));
    await save(this.host.files.settings, { ...this.host.settings, ...settings });
    if (hashline) await save("hashline.json", hashline);
  }

  /** Empties the project, then writes these files: text, or bytes. */
  async reset(files = {}) {
    for (const name of await readdir(this.work))
      await rm(join(this.work, name), { recursive: true, maxRetries: 10 });
    await this.write(files);
  }

  async write(files) {
    const entries = Object.entries(files).map(([name, content]) => [join(this.work, name), content]);
    for (const directory of new Set(entries.map(([path]) => dirname(path)))) {
      await mkdir(directory, { recursive: true });
    }
    await Promise.all(entries.map(([path, content]) => writeFile(path, content)));
  }

  text(name) {
    return readFile(join(this.work, name), "utf8");
  }

  /** Every file of the project with its text, sorted by name. */
  async files() {
    const entries = await readdir(this.work, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(this.work.length + 1));
    return Object.fromEntries(
      await Promise.all(names.sort().map(async (name) => [name, await this.text(name)])),
    );
  }

  /** How to start the host: the program, its arguments and its environment. */
  invocation(args) {
    const [program, ...first] = this.host.command;
    const extensions = this.extensions.flatMap((path) => ["-e", path]);
    const env = {
      PATH: process.env.PATH,
      HOME: this.home,
      LANG: "C.UTF-8",
      TERM: "dumb",
      // pi 0.73 installs packages globally; have it use the temporary HOME for them, too.
      npm_config_prefix: join(this.home, "npm"),
      ...this.host.env,
    };
    return { program, args: [...first, ...this.host.args, "--model", MODEL, ...extensions, ...args], env };
  }

  spawn(args, stdio) {
    const { program, args: all, env } = this.invocation(args);
    const child = spawn(program, all, { cwd: this.work, env, stdio });
    this.running.add(child);
    child.once("close", () => this.running.delete(child));
    return child;
  }

  /** Runs the host once on a script, headless, and returns the outcome. */
  async print(turns, { args = ["--no-session"], others, prompt = "go" } = {}) {
    const script = this.model.play(turns, others);
    const child = this.spawn(["--mode", "json", "-p", ...args, prompt], ["ignore", "pipe", "pipe"]);
    const { code, stdout, stderr } = await finish(child);
    const events = stdout
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    return { code, stderr, ...outcome(events, script) };
  }

  /** Starts the host in RPC mode. */
  rpc(args = ["--no-session"]) {
    return connect(this.spawn(["--mode", "rpc", ...args], ["pipe", "pipe", "pipe"]), this.model, TIMEOUT);
  }

  /** The arguments that open a stored session, which each host spells in its own way. */
  resume(file) {
    return ["--session-dir", this.sessions, this.host.family === "omp" ? "--resume" : "--session", file];
  }

  async close() {
    for (const child of this.running) {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    await this.model.close();
    await rm(this.place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The outcome of a script: the tools that the model was offered and the results of its calls, in order. */
export function outcome(events, script) {
  const ended = events.filter(({ type }) => type === "tool_execution_end");
  const order = ({ toolCallId }) => Number(/call_(\d+)/.exec(toolCallId)?.[1]);
  const results = ended
    .sort((a, b) => order(a) - order(b))
    .map(({ toolName, isError, result }) => ({
      name: toolName,
      isError: isError === true,
      text: (result.content ?? []).map((part) => part.text ?? "").join(""),
      content: result.content,
      details: result.details,
    }));
  const [first] = script.seen;
  return { events, script, results, tools: first?.tools ?? [], system: first?.system ?? "" };
}

/** Waits for a program to end and returns all that it printed; one that hangs is killed. */
export async function finish(child) {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (data) => {
    stdout += data;
  });
  child.stderr?.setEncoding("utf8").on("data", (data) => {
    stderr += data;
  });
  const watchdog = setTimeout(() => child.kill("SIGKILL"), TIMEOUT);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  clearTimeout(watchdog);
  return { code, stdout, stderr };
}

function models(baseUrl, compat) {
  const model = {
    id: "scripted",
    name: "Scripted",
    reasoning: false,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 4096,
    ...(compat && { compat }),
  };
  return { providers: { scripted: { baseUrl, apiKey: "none", api: "openai-completions", models: [model] } } };
}
