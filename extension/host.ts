// What we use of the hosts' extension API, and how pi and oh-my-pi (omp) differ.
//
// No host package is imported for it, not even for types: its name differs from host to host. These are
// the parts that pi 0.73, pi 1.5 and omp 18 have in common; what only some have is optional.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { FileOperations } from "./compaction.ts";
import type { Rows } from "./render/component.ts";
import type { MessageUpdateEvent } from "./truncated-calls.ts";
import { fields } from "./values.ts";

/** A piece of what a tool answers. */
export type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** What a tool answers. */
export interface ToolResult {
  content: Content[];
  details?: unknown;
  isError?: boolean;
  /** pi 1.5: what a codemode script gets in place of the text, from a tool with an `outputSchema`. */
  structuredContent?: Record<string, unknown>;
}

/** Receives the progress of a running tool. */
export type OnUpdate = (partial: ToolResult) => void;

/** The session that a call belongs to. In omp it has getters that must not be enumerated. */
export interface Context {
  cwd: string;
  hasUI: boolean;
  mode?: string;
  ui: {
    /** The option that the person chose; none if the dialog was left. */
    select?(title: string, options: string[]): Promise<string | undefined>;
    notify(text: string, kind?: "info" | "warning" | "error"): void;
    setStatus(key: string, text: string | undefined): void;
  };
  sessionManager: {
    getSessionId(): string;
    getSessionFile(): string | undefined;
    getHeader?(): { parentSession?: string; additionalDirectories?: string[] } | null;
    getBranch?(leaf?: string): { type: string; id?: string; mode?: unknown }[];
  };
  signal?: AbortSignal | undefined;
  isProjectTrusted?(): boolean;
  /** omp: runs the built-in tool that ours replaced. */
  invokeTool?(params: object, options?: { signal?: AbortSignal }): Promise<ToolResult>;
}

/** A tool, with what each host wants to know of it; a host ignores what it does not know. */
export interface Tool extends Rows {
  name: string;
  label: string;
  description: string;
  parameters: object;
  execute(
    id: string,
    params: unknown,
    signal: AbortSignal | undefined,
    onUpdate: OnUpdate | undefined,
    context: Context,
  ): Promise<ToolResult>;
  /** pi: the line in the system prompt's list of tools, and the rules below it. */
  promptSnippet?: string;
  promptGuidelines?: string[];
  /** pi: sees the arguments before they are validated. */
  prepareArguments?(args: unknown): unknown;
  executionMode?: "sequential" | "parallel";
  /** pi 1.5: the shape of `structuredContent`. */
  outputSchema?: object;
  /** pi 1.5: asks a provider that can to sample only arguments that fit the schema. */
  constrainedSampling?: { type: "json_schema"; strict: "prefer" };
  /** What the tool may do, with the meaning of MCP's hints. */
  annotations?: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  /** omp: what it shows of a call when it asks whether it may be made. */
  formatApprovalDetails?(args: unknown): string[];
  /** omp: offered at once, and not only when the model searches for it. */
  loadMode?: "essential";
  approval?: "read" | "write";
  concurrency?: "shared" | "exclusive";
  /** omp: hands arguments that do not fit to `execute` instead of refusing them. */
  lenientArgValidation?: boolean;
}

export interface ToolCallEvent {
  toolName: string;
  toolCallId: string;
  input: Record<string, unknown>;
  /** pi 1.5: the call of a script that makes this one. */
  parentToolCallId?: string;
}

/** What becomes of a call: it is not made, or in omp made with other arguments; in pi these are changed in place. */
export type ToolCallAnswer = { block: true; reason: string } | { input: Record<string, unknown> };

export interface ToolResultEvent extends ToolCallEvent {
  content: Content[];
  details?: unknown;
  isError: boolean;
}

export interface SessionEvent {
  reason?: string;
  previousSessionFile?: string | undefined;
  /** For a fork or a branch: the entry that it begins at or after. */
  entryId?: string;
  position?: "before" | "at";
  /** For a move in the tree: the entries where the conversation was and where it continues. */
  oldLeafId?: string | null;
  newLeafId?: string | null;
}

/** pi: the messages and files that a summary is made from. */
export interface CompactEvent {
  preparation: { fileOps: FileOperations; messagesToSummarize: unknown[]; turnPrefixMessages?: unknown[] };
}

/** The event before each run of the agent, with the system prompt: one text in pi, a list in omp. */
export interface AgentStartEvent {
  systemPrompt: string | string[];
}

export interface Command {
  description: string;
  getArgumentCompletions?(prefix: string): Promise<{ value: string; label: string }[]>;
  handler(args: string, context: Context): Promise<void>;
}

type Handler<Event, Answer = void> = (
  event: Event,
  context: Context,
) => Promise<Answer | undefined> | Answer | undefined;

export interface Host {
  on(event: "session_start" | "session_switch" | "session_branch", handler: Handler<SessionEvent>): void;
  on(event: "session_before_fork" | "session_before_branch", handler: Handler<SessionEvent>): void;
  on(event: "session_shutdown" | "session_compact" | "session_tree", handler: Handler<SessionEvent>): void;
  on(event: "session_before_compact", handler: Handler<CompactEvent>): void;
  /** omp: the handler may add lines to a summary. */
  on(event: "session.compacting", handler: Handler<{ messages: unknown[] }, { context: string[] }>): void;
  on(event: "before_agent_start", handler: Handler<AgentStartEvent, { systemPrompt: string[] }>): void;
  on(event: "message_update", handler: Handler<MessageUpdateEvent>): void;
  on(event: "tool_call", handler: Handler<ToolCallEvent, ToolCallAnswer>): void;
  on(event: "tool_result", handler: Handler<ToolResultEvent, Partial<ToolResult>>): void;
  on(event: "tool_execution_end", handler: Handler<{ toolName: string; result: unknown }>): void;
  registerTool(tool: Tool): void;
  registerCommand(name: string, command: Command): void;
  /** pi 1.5: chooses how a tool is drawn; `next` answers how it would be otherwise. */
  registerToolRenderer?(
    resolver: (tool: string, next: () => Partial<Rows> | undefined) => Partial<Rows> | undefined,
  ): void;
  getActiveTools(): string[];
  getAllTools(): { name: string; description?: string; sourceInfo?: { path?: string; source?: string } }[];
  setActiveTools(names: string[]): void | Promise<void>;
  sendMessage(
    message: { customType: string; content: string; display: boolean },
    options?: { deliverAs?: "nextTurn" },
  ): void;
  /** The channel for events between extensions. */
  events?: { on(channel: string, listener: () => void): unknown };
  /** omp: the host's own exports. */
  pi?: { getAgentDir?(): string; VERSION?: string; settings?: OmpSettings };
}

/** omp: its settings as its files have them, the user's and the project's. */
interface OmpSettings {
  getGlobalSettings?(): Record<string, unknown>;
  getProjectSettings?(): Record<string, unknown>;
}

/** Whether a person at a screen can be asked. A client that only speaks the RPC protocol is never asked. */
export function hasScreen({ hasUI, mode }: Context): boolean {
  return hasUI && (mode === undefined ? process.stdout.isTTY === true : mode === "tui");
}

/** The option that a person at a screen picks; nothing if there is no screen, or the dialog was left. */
export async function chosen(
  context: Context,
  title: string,
  options: string[],
): Promise<string | undefined> {
  if (!hasScreen(context) || context.ui.select === undefined) return undefined;
  return (await context.ui.select(title, options)) ?? LEFT;
}

/** Stands for a dialog that the person left without choosing. */
const LEFT = "(left)";

/** Which of the two we run in. */
export function nameOf(host: Host): "pi" | "omp" {
  return "zod" in host && "logger" in host ? "omp" : "pi";
}

/** The directory with the user's settings of this host. */
export function agentDirectory(host: Host): string {
  const given = host.pi?.getAgentDir?.() ?? process.env.PI_CODING_AGENT_DIR;
  if (!given) return join(homedir(), nameOf(host) === "omp" ? ".omp" : ".pi", "agent");
  return given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : resolve(given);
}

/**
 * The largest result, in bytes, that the host passes on whole. omp moves a larger one into a file and shows
 * the model its beginning and end; lines in between would count as shown though they were not. pi has no such
 * limit.
 */
export function maxResultBytes(host: Host): number | undefined {
  if (nameOf(host) !== "omp") return undefined;
  const threshold = ompThreshold(host.pi?.settings) ?? OMP_THRESHOLD;
  // A twentieth is left for the notes that follow a result.
  return Math.floor(threshold * 1024 * 0.95);
}

/** What omp's threshold is unless the user changed it, in kilobytes. */
const OMP_THRESHOLD = 50;

function ompThreshold(settings: OmpSettings | undefined): number | undefined {
  try {
    for (const layer of [settings?.getProjectSettings?.(), settings?.getGlobalSettings?.()]) {
      const kilobytes = fields(layer?.tools).artifactSpillThreshold;
      if (typeof kilobytes === "number" && kilobytes > 0) return kilobytes;
    }
  } catch {
    // A program that embeds omp need not have loaded its settings; the default holds then.
  }
  return undefined;
}

/** An answer in plain text. 0.73 ignores `isError`; see `failed` in index.ts. */
export function answer(
  text: string,
  details: { failed?: boolean; [field: string]: unknown } = {},
): ToolResult {
  return { content: [{ type: "text", text }], details, ...(details.failed ? { isError: true } : {}) };
}

/** The content of a result, with more text behind it. */
export function appended(content: Content[], more: string): Content[] {
  const last = content.at(-1);
  if (last?.type !== "text") return [...content, { type: "text", text: more }];
  return [...content.slice(0, -1), { type: "text", text: `${last.text}\n\n${more}` }];
}

/** Shows a message to the person at the machine, if there is one. */
export function tell(context: Context, text: string, kind: "info" | "warning" | "error"): void {
  if (context.hasUI) context.ui.notify(text, kind);
}

/** Tells the person at the machine what went wrong without stopping the work. */
export function warn(context: Context, warnings: string[]): void {
  for (const warning of warnings) tell(context, `hashline: ${warning}`, "warning");
}

/** Sets the note in the host's footer, or removes it. */
export function footnote(context: Context, text: string | undefined): void {
  if (context.hasUI) context.ui.setStatus("hashline", text);
}
