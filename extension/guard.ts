// The guard on shell commands: which tool calls run one, and what the model gets instead.
//
// The core judges; here its verdict becomes the host's answer. The lines that a blocked command was
// after are read at once and put into the reason, so the model loses no turn.

import { homedir, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Judgement, ReadRequest } from "../index.js";
import { commandsOfCode, quoted } from "./eval.ts";
import type { Content, Context, ToolCallEvent } from "./host.ts";
import { isUrl } from "./host-reader.ts";
import type { HostSession } from "./host-sessions.ts";

const SHELLS = new Set(["bash", "sh", "zsh", "dash", "ksh", "fish"]);

/** The shell commands that a tool call amounts to. */
export function commandsOf({ toolName, input }: ToolCallEvent): { command: string; cwd?: string }[] {
  const text = (name: string) => (typeof input[name] === "string" ? input[name] : undefined);
  const cwd = text("cwd");
  const at = (command: string | undefined) =>
    command === undefined ? [] : [cwd === undefined ? { command } : { command, cwd }];
  switch (toolName) {
    case "bash":
    case "powershell":
      return at(text("command"));
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

export class Guard {
  /** What is to be said about commands that run all the same, by call. */
  readonly #nudges = new Map<string, string>();
  /** The shells that omp's hub runs, by name. */
  readonly #shells = new Set<string>();

  /** Why a call is blocked; nothing if it may run. */
  async block(event: ToolCallEvent, hostSession: HostSession, context: Context): Promise<string | undefined> {
    for (const { command, cwd } of [...commandsOf(event), ...this.#typed(event)]) {
      const where = cwd === undefined ? {} : { cwd: directory(cwd, context.cwd) };
      const verdict = hostSession.session.judge(command, where);
      if (verdict.kind === "allow") continue;
      if (verdict.mode === "nudge") {
        this.#nudges.set(event.toolCallId, verdict.reason ?? "");
        continue;
      }
      return explained(verdict, hostSession, context.signal);
    }
    return undefined;
  }

  /** omp: what is typed into a shell that was started beside the conversation. */
  #typed({ toolName, input }: ToolCallEvent): { command: string; cwd?: string }[] {
    const { op, name, application, text } = input;
    if (toolName !== "hub" || typeof name !== "string") return [];
    if (op === "start" && typeof application === "string" && SHELLS.has(basename(application))) {
      this.#shells.add(name);
    }
    return op === "send" && typeof text === "string" && this.#shells.has(name) ? [{ command: text }] : [];
  }

  /** The result of a call that was only nudged, with the note. */
  nudged(id: string, content: Content[]): Content[] | undefined {
    const reason = this.#nudges.get(id);
    this.#nudges.delete(id);
    return reason === undefined ? undefined : [...content, { type: "text", text: `note: ${reason}` }];
  }
}

/** Where a command runs, by the word of the call. */
function directory(cwd: string, base: string): string {
  // An address of the host names no file of the workspace.
  if (isUrl(cwd)) return tmpdir();
  const plain = cwd.startsWith("@") ? cwd.slice(1) : cwd;
  return plain === "~" || plain.startsWith("~/") ? join(homedir(), plain.slice(1)) : resolve(base, plain);
}

/** The reason, and the tagged lines that the command was after. */
async function explained(
  { reason, serve }: Extract<Judgement, { kind: "block" }>,
  hostSession: HostSession,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (!serve) return reason;
  const { session } = hostSession;
  try {
    switch (serve.tool) {
      case "read": {
        const { text, files } = await session.read(serve.request as ReadRequest, signal);
        return files.some(({ ok }) => ok) ? served(reason, text) : reason;
      }
      case "grep": {
        const { pattern = "", ...request } = serve.request;
        const { text, kind } = await session.grep(
          { ...request, paths: request.paths.map(String), pattern },
          signal,
        );
        return kind === "grep" ? served(reason, text) : reason;
      }
    }
  } catch {
    // The command is blocked whether or not its lines could be had.
    return reason;
  }
}

const served = (reason: string, text: string) => `${reason}\n\nThis time it was done for you:\n\n${text}`;
