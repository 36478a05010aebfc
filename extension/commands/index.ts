// The command `/hashline`: undo, redo, history, diff, stats, config, status, doctor. Each returns a text.

import type { Core } from "../core.ts";
import { type Context, type Host, notify, type Tool } from "../host.ts";
import type { HostSessions } from "../host-sessions.ts";
import { messageOf } from "../values.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { diff, history } from "./history.ts";
import { stats } from "./stats.ts";
import { status } from "./status.ts";
import { redo, undo } from "./undo.ts";

/** What all commands can use. */
export interface Parts {
  host: Host;
  core: Core;
  /** The agent's directory, which holds the user's settings. */
  directory: string;
  sessions: HostSessions;
  tools: Tool[];
}

/** What a command shows to the person, and whether it succeeded. */
export interface CommandResult {
  text: string;
  kind: "info" | "warning" | "error";
}

type Subcommand = (parts: Parts, args: string[], context: Context) => Promise<CommandResult>;

const SUBCOMMANDS: Record<string, { run: Subcommand; about: string }> = {
  undo: {
    run: undo,
    about: "undo the last patch; `undo turn`: what is left of the last turn; `undo RECEIPT`: one patch",
  },
  redo: { run: redo, about: "redo what was undone last" },
  history: { run: history, about: "the patches that can be undone" },
  diff: {
    run: diff,
    about: "what changed since before the last patch; `diff RECEIPT`: since before that one",
  },
  stats: { run: stats, about: "what was done, in numbers, in this session and in all" },
  config: { run: config, about: "the settings; `config KEY VALUE` sets one" },
  status: { run: status, about: "what is on" },
  doctor: { run: doctor, about: "look for what could be wrong" },
  help: { run: async () => ({ text: usage(), kind: "info" }), about: "this list" },
};

export function registerCommands(parts: Parts): void {
  const names = Object.keys(SUBCOMMANDS);
  parts.host.registerCommand("hashline", {
    description: `pi-hash: ${names.join(", ")}`,
    // A complete word gets no suggestions: Enter would accept one, and only a second Enter would send the
    // command.
    async getArgumentCompletions(prefix) {
      const offered = await completions(parts, names);
      return offered
        .filter((name) => name.startsWith(prefix) && !offered.includes(prefix))
        .map((name) => ({ value: name, label: name }));
    },
    async handler(args, context) {
      const [name = "help", ...rest] = args.split(/\s+/).filter(Boolean);
      const { text, kind } = await run(parts, name, rest, context);
      notify(context, text, kind);
    },
  });
}

/** What may follow `/hashline`: a command, and after it a receipt or a setting. */
async function completions({ sessions }: Parts, names: string[]): Promise<string[]> {
  const { receipts, keys } = await sessions.completions();
  const following = {
    undo: ["turn", "--others", ...receipts],
    diff: receipts,
    stats: ["--json"],
    config: keys,
  };
  return [
    ...names,
    ...Object.entries(following).flatMap(([name, words]) => words.map((word) => `${name} ${word}`)),
  ];
}

async function run(parts: Parts, name: string, args: string[], context: Context): Promise<CommandResult> {
  const command = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!command) return { text: `there is no \`/hashline ${name}\`; there are:\n${usage()}`, kind: "error" };
  try {
    return await command.run(parts, args, context);
  } catch (error) {
    return { text: messageOf(error), kind: "error" };
  }
}

function usage(): string {
  return Object.entries(SUBCOMMANDS)
    .map(([key, { about }]) => `  /hashline ${key.padEnd(7)} ${about}`)
    .join("\n");
}
