// The guard on shell commands: which tool calls run one, and what the model gets instead.
//
// The core judges a command and, where it can, answers it with the lines that the command asked for; this file passes
// the answer to the host. An answered read is no failure: the shell runs the command as a comment, which does nothing,
// and the lines become the result.

import { commandsOfCode, shellQuoted } from "./eval.ts";
import { type Content, type Context, type ToolCallAnswer, type ToolCallEvent, withText } from "./host.ts";
import type { HostSession } from "./host-sessions.ts";
import { APPLY } from "./tools/apply.ts";

/** A shell command, the directory it runs in, and the program it is typed into, if any. */
interface ShellCall {
  command: string;
  cwd?: string;
  typedInto?: string;
  shell?: "bash" | "powershell";
}

/** The shell commands that a tool call runs. */
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
    // omp: code for omp's own interpreters, judged as if a shell had started an interpreter.
    case "eval":
      return commandsOfCode(text("code") ?? "", text("language") === "js" ? "js" : "py").flatMap(at);
    // omp: starts a background process.
    case "hub": {
      const args = Array.isArray(input.args) ? input.args.map(String) : [];
      const application = text("application");
      return input.op === "start" && application ? at([application, ...args].map(shellQuoted).join(" ")) : [];
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
  /** The lines that answer a command in place of its output, by the id of the call. */
  readonly #answers = new Map<string, string>();
  /** The notes for commands that run anyway, by the id of the call. */
  readonly #nudges = new Map<string, string>();
  /** The programs that omp runs in the background, by their names. */
  readonly #programs = new Map<string, string>();

  /**
   * What becomes of a call; undefined if it may run unchanged. A command is allowed if the agent is offered no tool
   * of ours for it.
   */
  async answer(
    event: ToolCallEvent,
    { session }: HostSession,
    context: Context,
    { offers, host }: { offers: (tool: string) => boolean; host: "pi" | "omp" },
  ): Promise<ToolCallAnswer | undefined> {
    for (const { command, ...where } of [...commandsOf(event), ...this.#typedCommands(event)]) {
      const answer = await session.answer(command, where, context.signal);
      if (answer.kind !== "allow" && !offers(answer.access === "read" ? "read" : APPLY)) continue;
      switch (answer.kind) {
        case "allow":
          break;
        case "nudge":
          this.#nudges.set(event.toolCallId, answer.text);
          break;
        case "block":
          if (!answer.served || answer.access !== "read" || !isMadeByModel(event)) {
            return { block: true, reason: answer.text };
          }
          this.#answers.set(event.toolCallId, answer.text);
          if (host === "omp") return { input: { command: asComment(command) } };
          event.input.command = asComment(command);
          return undefined;
      }
    }
    return undefined;
  }

  /** The result of a call whose command was answered; undefined for other calls. */
  takeAnswer(id: string): Content[] | undefined {
    const text = this.#answers.get(id);
    this.#answers.delete(id);
    return text === undefined ? undefined : [{ type: "text", text }];
  }

  /** omp: the text that a call types into a background program. */
  #typedCommands(event: ToolCallEvent): ShellCall[] {
    const started = startedService(event);
    if (started) this.#programs.set(started.name, started.program);
    const input = serviceInput(event);
    const typedInto = input && this.#programs.get(input.name);
    return input && typedInto ? [{ command: input.text, typedInto }] : [];
  }

  /** The result of a call with the guard's note; undefined if there is no note for the call. */
  withNote(id: string, content: Content[]): Content[] | undefined {
    const reason = this.#nudges.get(id);
    this.#nudges.delete(id);
    return reason === undefined ? undefined : withText(content, `note: ${reason}`);
  }
}

/** The command as comment lines of the shell, which omp shows in place of the command. */
function asComment(command: string): string {
  return command.replaceAll(/^/gm, "# ");
}

/**
 * Whether the model itself, not a script, made this call of a shell. A script must not get tagged lines in place of
 * output.
 */
function isMadeByModel({ toolName, parentToolCallId }: ToolCallEvent): boolean {
  return isShell(toolName) && parentToolCallId === undefined;
}

/** The background program that a call of omp starts: by `hub`, from omp 18.3 on by `bash`. */
function startedService({ toolName, input }: ToolCallEvent): { name: string; program: string } | undefined {
  const { name, op, application, command } = input;
  if (typeof name !== "string") return undefined;
  if (toolName === "hub" && op === "start" && typeof application === "string") {
    return { name, program: application };
  }
  const [program] = toolName === "bash" && typeof command === "string" ? command.trim().split(/\s+/) : [];
  return program ? { name, program } : undefined;
}

/** The text that a call of omp types into a background program: by `hub`, from 18.3 on by writing to its address. */
function serviceInput({ toolName, input }: ToolCallEvent): { name: string; text: string } | undefined {
  const { name, op, text, path, content } = input;
  if (toolName === "hub" && op === "send" && typeof name === "string" && typeof text === "string") {
    return { name, text };
  }
  const [, service] =
    (toolName === "write" && typeof path === "string" && /^proc:\/\/([^/]+)\/?$/.exec(path)) || [];
  return service && typeof content === "string" ? { name: service, text: content } : undefined;
}
