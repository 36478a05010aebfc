// pi-hash in pi and oh-my-pi: registers the tools, forwards to the core, renders.
//
// Start reading here: each `on...` function handles some events of the host. The rules about anchors, files and shell
// commands are in the core.

import type { JsonSchema } from "../index.js";
import { adoptChanges } from "./after-apply.ts";
import { registerCommands } from "./commands/index.ts";
import { addFiles, fileLists, filesOf } from "./compaction.ts";
import { type Core, loadCore } from "./core.ts";
import { abandonedEntries, askForFiles, entriesFrom } from "./files-follow.ts";
import { Guard, isShell } from "./guard.ts";
import {
  agentDirectory,
  type Context,
  type Host,
  hasScreen,
  nameOf,
  notify,
  setFooter,
  type Tool,
  warn,
  withText,
} from "./host.ts";
import { HostSessions } from "./host-sessions.ts";
import { inOneShape, type ToolName } from "./one-shape.ts";
import { joinPermissionSystem } from "./permission-system.ts";
import { isPlanning, PLAN_MODE_REFUSAL } from "./plan-mode.ts";
import { Previews } from "./previews.ts";
import { inScheme } from "./prompts.ts";
import { useHighlighter } from "./render/highlight.ts";
import { SERVED, servedRows } from "./render/served.ts";
import { guardNote, userSettings } from "./settings.ts";
import { registerLate, toolConflicts } from "./tool-conflicts.ts";
import { APPLY, applyTool, receiptOf } from "./tools/apply.ts";
import { grepTool } from "./tools/grep.ts";
import { readTool } from "./tools/read.ts";
import { withConstrainedSampling } from "./tools/shared.ts";
import { StreamedCalls, TRUNCATED_CALL } from "./truncated-calls.ts";
import { fields } from "./values.ts";
import { hiddenReason, Visibility } from "./visibility.ts";

export default async function hashline(host: Host): Promise<void> {
  const core = await loadCore();
  if (core instanceof Error) explainMissingCore(host, core);
  else registerAll(host, core);
}

/** What the handlers of the host's events share. */
interface Extension {
  host: Host;
  sessions: HostSessions;
  visibility: Visibility;
  guard: Guard;
  previews: Previews;
  streamed: StreamedCalls;
  tools: Tool[];
  /** Tools that are registered only when the session starts. */
  lateTools: Tool[];
  rules: string;
}

function registerAll(host: Host, core: Core): void {
  const directory = agentDirectory(host);
  const sessions = new HostSessions(host, core, directory);
  const previews = new Previews();
  useHighlighter(host.pi);

  // Tools are described before the project is known, so only the user's settings apply.
  const settings = userSettings(core, directory);
  const { prompts, adaptSchema } = inScheme(core, settings.scheme);
  const tools = [
    readTool(prompts, adaptSchema(core.readSchema()), sessions),
    grepTool(prompts, adaptSchema(core.grepSchema()), sessions),
    applyTool(prompts, adaptSchema(core.applySchema()), sessions, previews),
  ].map((tool) => (settings.constrainedSampling ? withConstrainedSampling(tool) : tool));
  // pi refuses to start if two extensions register one name while they load, and many register `read` or
  // `grep`. Once the session has started pi no longer checks, and the first to register a name keeps it.
  const lateTools = nameOf(host) === "pi" ? tools.filter(({ name }) => name !== APPLY) : [];
  for (const tool of tools) if (!lateTools.includes(tool)) host.registerTool(tool);
  host.registerToolRenderer?.((tool, next) => (isShell(tool) ? servedRows(next()) : next()));
  registerCommands({ host, core, directory, sessions, tools });

  const extension: Extension = {
    host,
    sessions,
    visibility: new Visibility(host),
    guard: new Guard(),
    previews,
    streamed: new StreamedCalls(APPLY, { inOrder: nameOf(host) === "pi" }),
    tools,
    lateTools,
    rules: prompts.rules,
  };
  onSessions(extension);
  onSummaries(extension);
  onTurns(extension);
  onCalls(extension);
  onResults(extension);
}

/** Handles the start and the end of a session, and its moves to other entries of the conversation. */
function onSessions(extension: Extension): void {
  const { host, sessions } = extension;
  host.on("session_start", async (event, context) => {
    await start(
      extension,
      context,
      (event.reason === "fork" && event.previousSessionFile) || originOf(host, context),
    );
  });
  host.on("session_switch", (event, context) =>
    start(extension, context, event.reason === "fork" ? event.previousSessionFile : undefined),
  );
  host.on("session_branch", (event, context) => start(extension, context, event.previousSessionFile));
  host.on("session_shutdown", ({ reason }, context) => sessions.end(context, reason));
  host.on("session_tree", async ({ oldLeafId = null, newLeafId = null }, context) => {
    const hostSession = sessions.of(context);
    hostSession.session.newContext();
    const asked = askForFiles(hostSession, abandonedEntries(context, oldLeafId, newLeafId), context);
    // omp's rewind dialog covers the question until this handler returns, so do not wait for the answer there.
    if (nameOf(host) === "pi") await asked;
    else void asked.catch(() => {});
  });
  for (const event of ["session_before_fork", "session_before_branch"] as const) {
    host.on(event, async ({ entryId, position }, context) => {
      const [first, ...later] = entryId === undefined ? [] : entriesFrom(context, entryId);
      const left = position === "at" || first === undefined ? later : [first, ...later];
      await askForFiles(sessions.of(context), left, context);
    });
  }
}

async function start(extension: Extension, context: Context, origin: string | undefined): Promise<void> {
  const { host, sessions, visibility, previews, tools, lateTools } = extension;
  await registerLate(host, lateTools.splice(0));
  joinPermissionSystem(host, (input) => describeCall(input, previews));
  await sessions.inherit(context, origin);
  const { session, loaded, recovered } = sessions.of(context);
  session.newContext();
  const notice = await visibility.update(loaded.settings.hide, context);
  warn(context, notice === undefined ? loaded.warnings : [...loaded.warnings, notice]);
  setFooter(context, guardNote(loaded.settings));
  warn(context, toolConflicts(host, tools));
  // Do not await these two: the session starts at once, and each tool waits for the recovery. If the session ends
  // before they do, their errors do not matter.
  void recovered.then((text) => text && warn(context, [text])).catch(() => {});
  void sessions.tidy().catch(() => {});
}

/** The file or the id of the session that this one was forked from, by its header. */
function originOf(host: Host, context: Context): string | undefined {
  const parent = context.sessionManager.getHeader?.()?.parentSession;
  // In omp the header of a sub-agent names a file, the header of a fork an id. A sub-agent does not inherit what
  // another agent was shown.
  return nameOf(host) === "omp" && parent && /[\\/]/.test(parent) ? undefined : parent;
}

/** Adds the files of our calls to the host's summaries of the conversation. */
function onSummaries({ host, sessions }: Extension): void {
  // pi puts its own lists, to which we add here, into the summary. omp does not compact in the background if an
  // extension listens to pi's event, so use its other event, which adds lines to the summary.
  if (nameOf(host) === "pi") {
    host.on("session_before_compact", ({ preparation }, context) => {
      const { fileOps, messagesToSummarize, turnPrefixMessages = [] } = preparation;
      const hostSession = sessions.of(context);
      const messages = [...messagesToSummarize, ...turnPrefixMessages];
      addFiles(fileOps, messages, hostSession.filesOfScripts, hostSession.session);
    });
  } else {
    host.on("session.compacting", ({ messages }, context) => {
      const hostSession = sessions.of(context);
      const lists = fileLists(messages, hostSession.filesOfScripts, hostSession.session);
      return lists.length === 0 ? undefined : { context: lists };
    });
  }
  // After a compaction the model may no longer see what was shown before.
  host.on("session_compact", (_event, context) => sessions.of(context).session.newContext());
}

/** Before each run of the agent: sets its tools and, in omp, adds our rules to its system prompt. */
function onTurns({ host, sessions, visibility, streamed, rules }: Extension): void {
  host.on("before_agent_start", async (event, context) => {
    streamed.clear();
    sessions.of(context).beginTurn();
    await visibility.update(sessions.of(context).loaded.settings.hide, context);
    // pi takes the rules from the tool's definition; for omp they are added here.
    if (!Array.isArray(event.systemPrompt) || !visibility.offers(APPLY)) return undefined;
    return { systemPrompt: [...event.systemPrompt, rules] };
  });
}

/** Checks each call of the model before the host carries it out. */
function onCalls({ host, sessions, visibility, guard, previews, streamed, tools }: Extension): void {
  host.on("message_update", (event) => streamed.record(event));

  host.on("tool_call", async (event, context) => {
    if (streamed.isTruncated(event.toolCallId)) return { block: true, reason: TRUNCATED_CALL };
    if (event.toolName === APPLY && isPlanning(context)) return { block: true, reason: PLAN_MODE_REFUSAL };
    const hostSession = sessions.of(context);
    const offers = (tool: string) => visibility.offers(tool);
    const hide = offers(APPLY) ? hostSession.loaded.settings.hide : [];
    const hidden = hiddenReason(event, hide);
    if (hidden !== undefined) return { block: true, reason: hidden };
    const tool = nameOf(host) === "omp" && tools.find(({ name }) => name === event.toolName);
    // omp does not call `prepareArguments`, so bring the call into its one shape here: handlers of other
    // extensions, which run after ours, need it.
    if (tool && toolConflicts(host, [tool]).length === 0) {
      const { name, parameters } = tool;
      // Other handlers see `event.input`; omp carries out the `input` that we return.
      const given = event.input;
      event.input = inOneShape(hostSession.session, name as ToolName, given, parameters as JsonSchema);
      if (name === APPLY && hasScreen(context)) previews.start(hostSession.session, given, event.input);
      await previews.ready(event.input);
      // If a read has a `path`, omp draws that file alone, without lines.
      const several = name === "read" && Array.isArray(event.input.paths) && event.input.paths.length > 1;
      return { input: several ? given : event.input };
    }
    if (event.toolName === APPLY) await previews.ready(event.input);
    return guard.answer(event, hostSession, context, { offers, host: nameOf(host) });
  });
}

/** Changes results: lines for an answered command, changes by other extensions, notes of the guard. */
function onResults({ host, sessions, guard }: Extension): void {
  host.on("tool_result", async (event, context) => {
    // Calls made by scripts appear in no message, so note their files for summaries.
    if (event.parentToolCallId !== undefined) {
      sessions.of(context).filesOfScripts.push(filesOf(event.toolName, event.details));
    }
    const lines = guard.takeAnswer(event.toolCallId);
    const details = fields(event.details);
    if (lines !== undefined) return { content: lines, isError: false, details: { ...details, ...SERVED } };
    const { session } = sessions.of(context);
    const receipt = receiptOf(event.toolName, details);
    // Other extensions may have formatted the files by now.
    const fresh = receipt === undefined ? undefined : await adoptChanges(session, receipt);
    const content =
      fresh === undefined ? guard.withNote(event.toolCallId, event.content) : withText(event.content, fresh);
    // pi 0.73 ignores `isError` in a tool's answer, but respects it here.
    const failed = !event.isError && details.failed === true;
    if (!content && !failed) return undefined;
    return { ...(content && { content }), ...(failed && { isError: true }) };
  });

  // By now the handlers of all extensions have run; those after ours may have changed the files, too.
  host.on("tool_execution_end", async ({ toolName, result }, context) => {
    const receipt = receiptOf(toolName, fields(result).details);
    if (receipt !== undefined) await sessions.of(context).adopt(receipt);
  });
}

/** Describes a call for a permission system's question: its files, and what would change in them. */
function describeCall(input: Record<string, unknown>, previews: Previews): string | undefined {
  const { paths } = input;
  if (!Array.isArray(paths) || paths.length === 0) return undefined;
  return [`on ${paths.join(", ")}`, ...previews.lines(input)].join("\n");
}

/** Without a binary for this machine, leaves the host its own tools and tells the person why. */
function explainMissingCore(host: Host, error: Error): void {
  const reinstallCommand = nameOf(host) === "omp" ? "omp install pi-hash" : "pi install npm:pi-hash";
  const reason = `${error.message}\nin this host: \`${reinstallCommand}\``;
  host.on("session_start", (_event, context) => {
    // Without a screen, write to the error stream, which no program parses.
    if (context.hasUI) notify(context, reason, "error");
    else process.stderr.write(`${reason}\n`);
  });
  host.registerCommand("hashline", {
    description: "pi-hash is not running: says why",
    handler: async (_args, context) => notify(context, reason, "error"),
  });
}
