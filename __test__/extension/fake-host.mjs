// A host that does what pi and omp do with an extension, but has no model: it stores what the extension registers, and
// sends it events and calls. The tests in the real hosts are in __test__/hosts.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import "../own-state.mjs";

/**
 * The extension that this Node can run: the published bundle if Node cannot read TypeScript, otherwise the sources.
 * bundle.test.mjs checks that the two agree.
 */
const { default: defaultExtension } = await import(
  Number(process.versions.node.split(".")[0]) < 22 ? "../../extension/bundle.js" : "../../extension/index.ts"
);

/** Starts the extension in a fresh workspace with `files`, and removes all of it after the test. */
export async function startHost(
  t,
  {
    kind = "pi",
    files = {},
    settings,
    active,
    id = "s1",
    file,
    trusted = true,
    hasUI = true,
    branch = [],
    chosen = false,
    known,
    extension = defaultExtension,
  } = {},
) {
  const home = await mkdtemp(join(tmpdir(), "hashline-host-"));
  // Sessions may still be saving what they showed, so retry.
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const [cwd, agent] = [join(home, "work"), join(home, "agent")];
  for (const directory of [cwd, agent]) await mkdir(directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), text);
  }
  if (settings !== undefined) {
    const text = typeof settings === "string" ? settings : JSON.stringify(settings);
    await writeFile(join(agent, "hashline.json"), text);
  }
  const host = new FakeHost(kind, cwd, agent, { id, file, trusted, hasUI, known });
  host.branch = branch;
  host.active = active ?? ["read", "bash", "edit", "write"];
  process.env.PI_CODING_AGENT_DIR = agent;
  await extension(host.api);
  // A host offers the tools that an extension registers, unless the user chose the tools by name.
  if (!chosen && !known)
    host.active.push(...[...host.tools.keys()].filter((name) => !host.active.includes(name)));
  host.started = true;
  await host.emit("session_start", { reason: "startup" });
  return host;
}

class FakeHost {
  tools = new Map();
  handlers = new Map();
  commands = new Map();
  /** Tools of other extensions that the host uses instead of ours, by name. */
  others = new Map();
  notices = [];
  statuses = {};
  messages = [];
  branch = [];
  updates = [];
  /** The dialogs that were shown, and the person's answers to them, in order. */
  mode = "rpc";
  asked = [];
  answers = [];
  #calls = 0;

  constructor(kind, cwd, agent, { id, file, trusted, hasUI, known }) {
    Object.assign(this, { kind, cwd, agent, id, file, trusted, hasUI });
    // If the user chose the tools by name, the host ignores all other tools that are registered.
    const knows = (name) => known === undefined || known.includes(name);
    this.api = {
      on: (event, handler) => this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler]),
      registerTool: (tool) => {
        this.tools.set(tool.name, tool);
        // A name that is new while the host runs is offered at once.
        if (this.started && knows(tool.name) && !this.active.includes(tool.name)) this.active.push(tool.name);
      },
      registerCommand: (name, command) => this.commands.set(name, command),
      getActiveTools: () => [...this.active],
      getAllTools: () =>
        [...this.tools.values()]
          .filter(({ name }) => knows(name))
          .map((tool) => this.others.get(tool.name) ?? tool),
      setActiveTools: (names) => {
        this.active = names.filter(knows);
      },
      sendMessage: (message) => this.messages.push(message),
      ...(kind === "omp" ? { zod: {}, logger: {} } : {}),
    };
  }

  get context() {
    return {
      cwd: this.cwd,
      hasUI: this.hasUI,
      mode: this.mode,
      ui: {
        select: async (title, options) => {
          this.asked.push({ title, options });
          return this.answers.shift();
        },
        notify: (text, kind) => this.notices.push({ text, kind }),
        setStatus: (key, text) => {
          this.statuses[key] = text;
        },
      },
      sessionManager: {
        getSessionId: () => this.id,
        getSessionFile: () => this.file,
        getHeader: () => this.header ?? null,
        getBranch: (leaf) => this.branches?.[leaf] ?? this.branch,
      },
      ...(this.trusted === null ? {} : { isProjectTrusted: () => this.trusted }),
      ...(this.native ? { invokeTool: this.native } : {}),
    };
  }

  /** Sends an event to the handlers; returns the last answer that a handler gave. */
  async emit(name, event = {}) {
    let answer;
    for (const handler of this.handlers.get(name) ?? []) {
      answer = (await handler(event, this.context)) ?? answer;
    }
    return answer;
  }

  /** Makes a call of the model: prepares it if the host is pi, asks the handlers, executes it, hands on the result. */
  async call(toolName, input, { signal, parentToolCallId } = {}) {
    const toolCallId = `call-${++this.#calls}`;
    const tool = this.tools.get(toolName);
    const given = this.kind === "pi" && tool?.prepareArguments ? tool.prepareArguments(input) : input;
    // In pi a handler changes the arguments in place; in omp it returns other arguments.
    const judged = tool ? given : { ...given };
    const script = parentToolCallId === undefined ? {} : { parentToolCallId };
    const answer = await this.emit("tool_call", { toolName, toolCallId, input: judged ?? {}, ...script });
    if (answer?.block) return { text: answer.reason, blocked: true, isError: true };
    const params = this.kind === "omp" ? (answer?.input ?? given) : judged;
    const result = tool
      ? await tool.execute(toolCallId, params, signal, (partial) => this.updates.push(partial), this.context)
      : { content: [{ type: "text", text: "ran" }] };
    const event = { toolName, toolCallId, input, isError: false, ...result };
    const final = { ...event, ran: params, ...(await this.emit("tool_result", event)) };
    await this.emit("tool_execution_end", { toolName, toolCallId, result: final });
    return { ...final, text: final.content.map((part) => part.text ?? "").join("\n") };
  }

  /** Streams in the arguments of the next call, in pieces of seven characters. */
  async stream(name, raw, extra = {}) {
    const call = { type: "toolCall", id: `call-${this.#calls + 1}`, name, ...extra };
    const message = { role: "assistant", content: [call] };
    await this.emit("message_update", {
      message,
      assistantMessageEvent: { type: "toolcall_start", contentIndex: 0 },
    });
    for (const delta of raw.match(/.{1,7}/gs)) {
      const assistantMessageEvent = { type: "toolcall_delta", contentIndex: 0, delta };
      await this.emit("message_update", { message, assistantMessageEvent });
    }
  }

  /** Types a command; returns the last notice that it shows. */
  async type(name, args) {
    const before = this.notices.length;
    await this.commands.get(name).handler(args, this.context);
    return this.notices.slice(before).at(-1);
  }
}
