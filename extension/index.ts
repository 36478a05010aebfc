// pi-hash in pi and oh-my-pi: registers the tools, forwards to the core, renders.
//
// Read from here: what each event of the host leads to. Rules about anchors, files and shell
// commands are the core's; nothing of them is decided here.

import type { JsonSchema } from "../index.js";
import { adoptChanges } from "./after-apply.ts";
import { registerCommands } from "./commands/index.ts";
import { addFiles, fileLists, filesOf } from "./compaction.ts";
import { type Core, loadCore } from "./core.ts";
import { askForFiles, entriesFrom, leftEntries } from "./files-follow.ts";
import { Guard, isShell } from "./guard.ts";
import {
  agentDirectory,
  appended,
  type Context,
  footnote,
  type Host,
  hasScreen,
  nameOf,
  type Tool,
  tell,
  warn,
} from "./host.ts";
import { HostSessions } from "./host-sessions.ts";
import { inOneShape, type ToolName } from "./one-shape.ts";
import { joinPermissionSystem } from "./permission-system.ts";
import { isPlanning, PLANNING } from "./plan-mode.ts";
import { Previews } from "./previews.ts";
import { inScheme } from "./prompts.ts";
import { useHighlighter } from "./render/highlight.ts";
import { SERVED, servedRows } from "./render/served.ts";
import { guardNote, userSettings } from "./settings.ts";
import { registerLate, toolConflicts } from "./tool-conflicts.ts";
import { APPLY, applyTool, receiptOf } from "./tools/apply.ts";
import { grepTool } from "./tools/grep.ts";
import { readTool } from "./tools/read.ts";
import { constrained } from "./tools/shared.ts";
import { StreamedCalls, TRUNCATED_CALL } from "./truncated-calls.ts";
import { fields } from "./values.ts";
import { hiddenReason, Visibility } from "./visibility.ts";

export default async function hashline(host: Host): Promise<void> {
  const core = await loadCore();
  if (core instanceof Error) withoutCore(host, core);
  else withCore(host, core);
}

/** What the handlers of the host's events work with. */
interface Running {
  host: Host;
  sessions: HostSessions;
  visibility: Visibility;
  guard: Guard;
  previews: Previews;
  streamed: StreamedCalls;
  tools: Tool[];
  /** Tools that are registered when the session starts. */
  late: Tool[];
  rules: string;
}

function withCore(host: Host, core: Core): void {
  const directory = agentDirectory(host);
  const sessions = new HostSessions(host, core, directory);
  const previews = new Previews();
  useHighlighter(host.pi);

  // Tools are described before there is a project, so by the user's settings.
  const settings = userSettings(core, directory);
  const { prompts, said } = inScheme(core, settings.scheme);
  const tools = [
    readTool(prompts, said(core.readSchema()), sessions),
    grepTool(prompts, said(core.grepSchema()), sessions),
    applyTool(prompts, said(core.applySchema()), sessions, previews),
  ].map((tool) => (settings.constrainedSampling ? constrained(tool) : tool));
  // pi refuses to start if two extensions register one name while they load, and many register `read` or
  // `grep`. Once the session has started pi no longer checks, and the first to register a name keeps it.
  const late = nameOf(host) === "pi" ? tools.filter(({ name }) => name !== APPLY) : [];
  for (const tool of tools) if (!late.includes(tool)) host.registerTool(tool);
  host.registerToolRenderer?.((tool, next) => (isShell(tool) ? servedRows(next()) : next()));
  registerCommands({ host, core, directory, sessions, tools });

  const running: Running = {
    host,
    sessions,
    visibility: new Visibility(host),
    guard: new Guard(),
    previews,
    streamed: new StreamedCalls(APPLY, { inOrder: nameOf(host) === "pi" }),
    tools,
    late,
    rules: prompts.rules,
  };
  onSessions(running);
  onSummaries(running);
  onTurns(running);
  onCalls(running);
  onResults(running);
}

/** A session starts, ends, or continues from another of its entries. */
function onSessions(running: Running): void {
  const { host, sessions } = running;
  host.on("session_start", async (event, context) => {
    await start(
      running,
      context,
      (event.reason === "fork" && event.previousSessionFile) || originOf(host, context),
    );
  });
  host.on("session_switch", (event, context) =>
    start(running, context, event.reason === "fork" ? event.previousSessionFile : undefined),
  );
  host.on("session_branch", (event, context) => start(running, context, event.previousSessionFile));
  host.on("session_shutdown", ({ reason }, context) => sessions.end(context, reason));
  host.on("session_tree", async ({ oldLeafId = null, newLeafId = null }, context) => {
    const hostSession = sessions.of(context);
    hostSession.session.newContext();
    const asked = askForFiles(hostSession, leftEntries(context, oldLeafId, newLeafId), context);
    // omp's rewind stays on the screen until this returns, above every question.
    if (nameOf(host) === "pi") await asked;
    else void asked.catch(() => {});
  });
  for (const event of ["session_before_fork", "session_before_branch"] as const) {
    host.on(event, async ({ entryId, position }, context) => {
      const [first, ...behind] = entryId === undefined ? [] : entriesFrom(context, entryId);
      const left = position === "at" || first === undefined ? behind : [first, ...behind];
      await askForFiles(sessions.of(context), left, context);
    });
  }
}

async function start(running: Running, context: Context, origin: string | undefined): Promise<void> {
  const { host, sessions, visibility, previews, tools, late } = running;
  await registerLate(host, late.splice(0));
  joinPermissionSystem(host, (input) => described(input, previews));
  await sessions.inherit(context, origin);
  const { session, loaded, recovered } = sessions.of(context);
  session.newContext();
  const notice = await visibility.settle(loaded.settings.hide, context);
  warn(context, notice === undefined ? loaded.warnings : [...loaded.warnings, notice]);
  footnote(context, guardNote(loaded.settings));
  warn(context, toolConflicts(host, tools));
  // Neither is awaited: the session starts at once, and the tools wait for what they need. If the session
  // is over before they end, their errors do not matter.
  void recovered.then((text) => text && warn(context, [text])).catch(() => {});
  void sessions.tidy().catch(() => {});
}

/** The session that this one was forked from, as its header says. */
function originOf(host: Host, context: Context): string | undefined {
  const parent = context.sessionManager.getHeader?.()?.parentSession;
  // In omp the header of a sub-agent names a file, and a fork an id. A sub-agent does not inherit what
  // another agent was shown.
  return nameOf(host) === "omp" && parent && /[\\/]/.test(parent) ? undefined : parent;
}

/** The conversation is summarised. */
function onSummaries({ host, sessions }: Running): void {
  // pi hands its own list to the summary after this. omp does not compact in the background while an
  // extension listens to this event; it has another event for adding lines to the summary.
  if (nameOf(host) === "pi") {
    host.on("session_before_compact", ({ preparation }, context) => {
      const { fileOps, messagesToSummarize, turnPrefixMessages = [] } = preparation;
      const hostSession = sessions.of(context);
      const messages = [...messagesToSummarize, ...turnPrefixMessages];
      addFiles(fileOps, messages, hostSession.unsaid, hostSession.session);
    });
  } else {
    host.on("session.compacting", ({ messages }, context) => {
      const hostSession = sessions.of(context);
      const lists = fileLists(messages, hostSession.unsaid, hostSession.session);
      return lists.length === 0 ? undefined : { context: lists };
    });
  }
  // After a compaction the model may no longer see what was shown before.
  host.on("session_compact", (_event, context) => sessions.of(context).session.newContext());
}

/** The agent is about to run. */
function onTurns({ host, sessions, visibility, streamed, rules }: Running): void {
  host.on("before_agent_start", async (event, context) => {
    streamed.clear();
    sessions.of(context).beginTurn();
    await visibility.settle(sessions.of(context).loaded.settings.hide, context);
    // pi takes the rules from the tool's definition; for omp they are added here.
    if (!Array.isArray(event.systemPrompt) || !visibility.offers(APPLY)) return undefined;
    return { systemPrompt: [...event.systemPrompt, rules] };
  });
}

/** The model makes a call. */
function onCalls({ host, sessions, visibility, guard, previews, streamed, tools }: Running): void {
  host.on("message_update", (event) => streamed.hear(event));

  host.on("tool_call", async (event, context) => {
    if (streamed.isTruncated(event.toolCallId)) return { block: true, reason: TRUNCATED_CALL };
    if (event.toolName === APPLY && isPlanning(context)) return { block: true, reason: PLANNING };
    const hostSession = sessions.of(context);
    const offers = (tool: string) => visibility.offers(tool);
    const hide = offers(APPLY) ? hostSession.loaded.settings.hide : [];
    const hidden = hiddenReason(event, hide);
    if (hidden !== undefined) return { block: true, reason: hidden };
    const tool = nameOf(host) === "omp" && tools.find(({ name }) => name === event.toolName);
    // omp does not call `prepareArguments`, so bring the call into its one shape here, for handlers of other
    // extensions that run after ours.
    if (tool && toolConflicts(host, [tool]).length === 0) {
      const { name, parameters } = tool;
      // Other handlers see the event; omp carries out the answer.
      const given = event.input;
      event.input = inOneShape(hostSession.session, name as ToolName, given, parameters as JsonSchema);
      if (name === APPLY && hasScreen(context)) previews.look(hostSession.session, given, event.input);
      await previews.settled(event.input);
      // omp draws a read with a `path` as one of that file alone, without its lines.
      const several = name === "read" && Array.isArray(event.input.paths) && event.input.paths.length > 1;
      return { input: several ? given : event.input };
    }
    if (event.toolName === APPLY) await previews.settled(event.input);
    return guard.answer(event, hostSession, context, { offers, host: nameOf(host) });
  });
}

/** A call has its result. */
function onResults({ host, sessions, guard }: Running): void {
  host.on("tool_result", async (event, context) => {
    // Calls made by scripts appear in no message.
    if (event.parentToolCallId !== undefined) {
      sessions.of(context).unsaid.push(filesOf(event.toolName, event.details));
    }
    const lines = guard.served(event.toolCallId);
    const details = fields(event.details);
    if (lines !== undefined) return { content: lines, isError: false, details: { ...details, ...SERVED } };
    const { session } = sessions.of(context);
    const receipt = receiptOf(event.toolName, details);
    // Other extensions may have formatted the files by now.
    const fresh = receipt === undefined ? undefined : await adoptChanges(session, receipt);
    const content =
      fresh === undefined ? guard.nudged(event.toolCallId, event.content) : appended(event.content, fresh);
    // pi 0.73 ignores `isError` in a tool's answer, but respects it here.
    const failed = !event.isError && details.failed === true;
    if (!content && !failed) return undefined;
    return { ...(content && { content }), ...(failed && { isError: true }) };
  });

  // The handlers of all extensions have seen the result by now.
  host.on("tool_execution_end", async ({ toolName, result }, context) => {
    const receipt = receiptOf(toolName, fields(result).details);
    if (receipt !== undefined) await sessions.of(context).adopt(receipt);
  });
}

/** A call as a permission system asks about it: its files, and what would change in them. */
function described(input: Record<string, unknown>, previews: Previews): string | undefined {
  const { paths } = input;
  if (!Array.isArray(paths) || paths.length === 0) return undefined;
  return [`on ${paths.join(", ")}`, ...previews.lines(input)].join("\n");
}

/** Without a binary for this machine, leaves the host its own tools and tells the person why. */
function withoutCore(host: Host, error: Error): void {
  const again = nameOf(host) === "omp" ? "omp install pi-hash" : "pi install npm:pi-hash";
  const reason = `${error.message}\nin this host: \`${again}\``;
  host.on("session_start", (_event, context) => {
    // Without a screen there is only the error stream, which no machine reads.
    if (context.hasUI) tell(context, reason, "error");
    else process.stderr.write(`${reason}\n`);
  });
  host.registerCommand("hashline", {
    description: "pi-hash is not running: says why",
    handler: async (_args, context) => tell(context, reason, "error"),
  });
}
