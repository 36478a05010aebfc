// The guard on shell commands: which tool calls run one, and what the model gets instead.
//
// The core answers a command, with the lines that it was after where it can; here its answer becomes
// the host's. A read that was answered is no failure: the shell gets the command as a comment, which does nothing,
// and the lines are its result.

import { commandsOfCode, quoted } from "./eval.ts";
import { appended, type Content, type Context, type ToolCallAnswer, type ToolCallEvent } from "./host.ts";
import type { HostSession } from "./host-sessions.ts";
import { APPLY } from "./tools/apply.ts";

/** A shell command, the directory it runs in, and the program it is typed into, if any. */
interface ShellCall {
  command: string;
  cwd?: string;
  typedInto?: string;
  shell?: "bash" | "powershell";
}

/** The shell commands that a tool call amounts to. */
export function commandsOf({ toolName, input }: ToolCallEvent): ShellCall[] {
  const text = (name: string) => (typeof input[name] === "string" ? input[name] : undefined);
  const cwd = text("cwd");
  const at = (command: string | undefined) =>
    command === undefined ? [] : [cwd === undefined ? { command } : { command, cwd }];
  switch (toolName) {
    case "bash":
      return at(text("command"));
    case "powershell":
      return at(text("command")).map((call) => ({ ...call, shell: "powershell" }));
    // omp: code in its own interpreter, judged as if a shell had started one.
    case "eval":
      return commandsOfCode(text("code") ?? "", text("language") === "js" ? "js" : "py").flatMap(at);
    // omp: a process that is started beside the conversation.
    case "hub": {
      const args = Array.isArray(input.args) ? input.args.map(String) : [];
      const application = text("application");
      return input.op === "start" && application ? at([application, ...args].map(quoted).join(" ")) : [];
    }
    default:
      return [];
  }
}

/** Whether a tool of the host is a shell. */
export function isShell(tool: string): boolean {
  return tool === "bash" || tool === "powershell";
}

export class Guard {
  /** The lines of commands that were answered, by call. */
  readonly #served = new Map<string, string>();
  /** The notes for commands that run anyway, by call. */
  readonly #nudges = new Map<string, string>();
  /** The programs that omp runs beside the conversation, by the names they were given. */
  readonly #programs = new Map<string, string>();

  /**
   * What to do with a call; nothing if it may run. A command is allowed if the agent is offered no tool of
   * ours for it.
   */
  async answer(
    event: ToolCallEvent,
    { session }: HostSession,
    context: Context,
    { offers, host }: { offers: (tool: string) => boolean; host: "pi" | "omp" },
  ): Promise<ToolCallAnswer | undefined> {
    for (const { command, ...where } of [...commandsOf(event), ...this.#typed(event)]) {
      const answer = await session.answer(command, where, context.signal);
      if (answer.kind !== "allow" && !offers(answer.access === "read" ? "read" : APPLY)) continue;
      switch (answer.kind) {
        case "allow":
          break;
        case "nudge":
          this.#nudges.set(event.toolCallId, answer.text);
          break;
        case "block":
          if (!answer.served || answer.access !== "read" || !isAlone(event)) {
            return { block: true, reason: answer.text };
          }
          this.#served.set(event.toolCallId, answer.text);
          if (host === "omp") return { input: { command: commented(command) } };
          event.input.command = commented(command);
          return undefined;
      }
    }
    return undefined;
  }

  /** The result of a call whose command was answered. */
  served(id: string): Content[] | undefined {
    const text = this.#served.get(id);
    this.#served.delete(id);
    return text === undefined ? undefined : [{ type: "text", text }];
  }

  /** omp: what is typed into a program that was started beside the conversation. */
  #typed(event: ToolCallEvent): ShellCall[] {
    const started = startedService(event);
    if (started) this.#programs.set(started.name, started.program);
    const input = serviceInput(event);
    const typedInto = input && this.#programs.get(input.name);
    return input && typedInto ? [{ command: input.text, typedInto }] : [];
  }

  /** The result of a call that was only nudged, with the note. */
  nudged(id: string, content: Content[]): Content[] | undefined {
    const reason = this.#nudges.get(id);
    this.#nudges.delete(id);
    return reason === undefined ? undefined : appended(content, `note: ${reason}`);
  }
}

/** The command as comment lines of the shell; omp shows them in place of the command. */
function commented(command: string): string {
  return command.replaceAll(/^/gm, "# ");
}

/**
 * Whether the model itself made this call in the shell. What a script receives must not be replaced by tagged
 * lines.
 */
function isAlone({ toolName, parentToolCallId }: ToolCallEvent): boolean {
  return isShell(toolName) && parentToolCallId === undefined;
}

/** The program that a call of omp starts beside the conversation: by `hub`, from 18.3 on by `bash`. */
function startedService({ toolName, input }: ToolCallEvent): { name: string; program: string } | undefined {
  const { name, op, application, command } = input;
  if (typeof name !== "string") return undefined;
  if (toolName === "hub" && op === "start" && typeof application === "string") {
    return { name, program: application };
  }
  const [program] = toolName === "bash" && typeof command === "string" ? command.trim().split(/\s+/) : [];
  return program ? { name, program } : undefined;
}

/** What a call of omp types into such a program: by `hub`, from 18.3 on by writing to its address. */
function serviceInput({ toolName, input }: ToolCallEvent): { name: string; text: string } | undefined {
  const { name, op, text, path, content } = input;
  if (toolName === "hub" && op === "send" && typeof name === "string" && typeof text === "string") {
    return { name, text };
  }
  const [, service] =
    (toolName === "write" && typeof path === "string" && /^proc:\/\/([^/]+)\/?$/.exec(path)) || [];
  return service && typeof content === "string" ? { name: service, text: content } : undefined;
}
