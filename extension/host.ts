// What we use of the hosts' extension API, and how pi and oh-my-pi (omp) differ.
//
// No host package is imported, not even for its types, because its name differs from host to host. These are the parts
// that pi 0.73, pi 1.5 and omp 18 have in common; members that only some hosts have are optional.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { FileOperations } from "./compaction.ts";
import type { Rows } from "./render/component.ts";
import type { MessageUpdateEvent } from "./truncated-calls.ts";
import { fields } from "./values.ts";

/** One part of a tool's result. */
export type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** The result of a tool. */
export interface ToolResult {
  content: Content[];
  details?: unknown;
  isError?: boolean;
  /** pi 1.5: what a codemode script gets in place of the text, from a tool with an `outputSchema`. */
  structuredContent?: Record<string, unknown>;
}

/** Receives the progress of a running tool. */
export type OnUpdate = (partial: ToolResult) => void;

/** The session that a call belongs to. omp's object has getters that must not be enumerated. */
export interface Context {
  cwd: string;
  hasUI: boolean;
  mode?: string;
  ui: {
    /** Resolves to the option that the person chose; undefined if they left the dialog. */
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

/** A tool with the fields of all hosts; each host ignores the fields that it does not know. */
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
  /** pi: the tool's line in the system prompt's list of tools, and the rules below that list. */
  promptSnippet?: string;
  promptGuidelines?: string[];
  /** pi: may change the arguments before pi validates them. */
  prepareArguments?(args: unknown): unknown;
  executionMode?: "sequential" | "parallel";
  /** pi 1.5: the schema of `structuredContent`. */
  outputSchema?: object;
  /** pi 1.5: asks providers that support it to sample only arguments that fit the schema. */
  constrainedSampling?: { type: "json_schema"; strict: "prefer" };
  /** Hints on what the tool may do, as in MCP. */
  annotations?: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  /** omp: the lines that it shows when it asks the person to approve a call. */
  formatApprovalDetails?(args: unknown): string[];
  /** omp: whether the tool is offered at once, not only when the model searches for it. */
  loadMode?: "essential";
  approval?: "read" | "write";
  concurrency?: "shared" | "exclusive";
  /** omp: whether arguments that do not fit the schema are passed to `execute` instead of refused. */
  lenientArgValidation?: boolean;
}

export interface ToolCallEvent {
  toolName: string;
  toolCallId: string;
  input: Record<string, unknown>;
  /** pi 1.5: the id of the script's call, if a script makes this call. */
  parentToolCallId?: string;
}

/** What a handler does to a call: blocks it, or, in omp, gives it other arguments; in pi it changes them in place. */
export type ToolCallAnswer = { block: true; reason: string } | { input: Record<string, unknown> };

export interface ToolResultEvent extends ToolCallEvent {
  content: Content[];
  details?: unknown;
  isError: boolean;
}

export interface SessionEvent {
  reason?: string;
  previousSessionFile?: string | undefined;
  /** For a fork or a branch: the entry where it leaves the conversation; at position `at` it keeps that entry. */
  entryId?: string;
  position?: "before" | "at";
  /** For a move in the conversation's tree: the last entries of the branch that it left and of its new branch. */
  oldLeafId?: string | null;
  newLeafId?: string | null;
}

/** pi: the messages and files that a summary is made from. */
export interface CompactEvent {
  preparation: { fileOps: FileOperations; messagesToSummarize: unknown[]; turnPrefixMessages?: unknown[] };
}

/** The event before each run of the agent, with the system prompt: a string in pi, a list in omp. */
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
  /** pi 1.5: the resolver returns the rows of a tool; `next` returns the rows that the host would use. */
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

/** omp: the settings in its files, the user's and the project's. */
interface OmpSettings {
  getGlobalSettings?(): Record<string, unknown>;
  getProjectSettings?(): Record<string, unknown>;
}

/** Whether a person at a screen can be asked. A client that only speaks the RPC protocol is never asked. */
export function hasScreen({ hasUI, mode }: Context): boolean {
  return hasUI && (mode === undefined ? process.stdout.isTTY === true : mode === "tui");
}

/** The option that a person at a screen picks; `DISMISSED` if they leave the dialog, undefined without a screen. */
export async function choose(
  context: Context,
  title: string,
  options: string[],
): Promise<string | undefined> {
  if (!hasScreen(context) || context.ui.select === undefined) return undefined;
  return (await context.ui.select(title, options)) ?? DISMISSED;
}

/** Stands for a dialog that the person left without choosing. */
const DISMISSED = "(left)";

/** Whether the extension runs in pi or in omp. */
export function nameOf(host: Host): "pi" | "omp" {
  return "zod" in host && "logger" in host ? "omp" : "pi";
}

/** The directory that holds the user's settings for this host. */
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
  // Leave a twentieth for the notes that follow a result.
  return Math.floor(threshold * 1024 * 0.95);
}

/** omp's default threshold, in kilobytes. */
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

/** A result of plain text. pi 0.73 ignores `isError`; see `failed` in index.ts. */
export function textResult(
  text: string,
  details: { failed?: boolean; [field: string]: unknown } = {},
): ToolResult {
  return { content: [{ type: "text", text }], details, ...(details.failed ? { isError: true } : {}) };
}

/** The content of a result, followed by more text. */
export function withText(content: Content[], more: string): Content[] {
  const last = content.at(-1);
  if (last?.type !== "text") return [...content, { type: "text", text: more }];
  return [...content.slice(0, -1), { type: "text", text: `${last.text}\n\n${more}` }];
}

/** Shows a message to the person at the machine, if there is one. */
export function notify(context: Context, text: string, kind: "info" | "warning" | "error"): void {
  if (context.hasUI) context.ui.notify(text, kind);
}

/** Shows warnings to the person at the machine; the work goes on. */
export function warn(context: Context, warnings: string[]): void {
  for (const warning of warnings) notify(context, `hashline: ${warning}`, "warning");
}

/** Sets the note in the host's footer, or removes it. */
export function setFooter(context: Context, text: string | undefined): void {
  if (context.hasUI) context.ui.setStatus("hashline", text);
}
