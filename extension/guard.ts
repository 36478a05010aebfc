// The guard on shell commands: which tool calls run one, and what the model gets instead.
//
// The core judges; here its verdict becomes the host's answer. The lines that a blocked command was
// after are read at once and put into the reason, so the model loses no turn.

import { resolve } from "node:path";
import type { Judgement, ReadRequest } from "../index.js";
import type { Content, Context, ToolCallEvent } from "./host.ts";
import type { Workspace } from "./workspaces.ts";

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
      return evaluated(text("code") ?? "", text("language") === "js").flatMap(at);
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

/** The commands that do what code in omp's interpreters would do. */
function evaluated(code: string, javascript: boolean): string[] {
  const shell = [...code.matchAll(/^\s*!(.+)$/gm)].map(([, command = ""]) => command);
  // The host's own helper for writing files stands in no library that the core knows.
  const helper = /(?<![\w.])(?:write|append)\s*\((?!\s*f?["'`][a-z]+:\/\/)/g;
  return [
    `${javascript ? "node -e" : "python3 -c"} ${quoted(code)}`,
    ...(code.search(helper) < 0 ? [] : [`node -e ${quoted(code.replace(helper, "fs.writeFileSync("))}`]),
    ...(javascript ? [] : shell),
  ];
}

export class Guard {
  /** What is to be said about commands that run all the same, by call. */
  readonly #nudges = new Map<string, string>();

  /** Why a call is blocked; nothing if it may run. */
  async block(event: ToolCallEvent, workspace: Workspace, context: Context): Promise<string | undefined> {
    for (const { command, cwd } of commandsOf(event)) {
      const where = cwd === undefined ? {} : { cwd: resolve(context.cwd, cwd) };
      const verdict = workspace.session.judge(command, where);
      if (verdict.kind === "allow") continue;
      if (verdict.mode === "nudge") {
        this.#nudges.set(event.toolCallId, verdict.reason ?? "");
        continue;
      }
      return explained(verdict, workspace, context.signal);
    }
    return undefined;
  }

  /** The result of a call that was only nudged, with the note. */
  nudged(id: string, content: Content[]): Content[] | undefined {
    const reason = this.#nudges.get(id);
    this.#nudges.delete(id);
    return reason === undefined ? undefined : [...content, { type: "text", text: `note: ${reason}` }];
  }
}

/** The reason, and the tagged lines that the command was after. */
async function explained(
  { reason = "", serve }: Judgement,
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (!serve) return reason;
  const { session } = workspace;
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

/** A word that the shell takes as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
