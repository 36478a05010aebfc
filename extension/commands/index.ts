// The command `/hashline`: status, undo, redo, history, config, doctor. Each answers with a text.

import type { Core } from "../core.ts";
import { type Context, type Host, type Tool, tell } from "../host.ts";
import type { HostSessions } from "../host-sessions.ts";
import { config } from "./config.ts";
import { doctor } from "./doctor.ts";
import { status } from "./status.ts";
import { history, redo, undo } from "./undo.ts";

/** What the commands work with. */
export interface Parts {
  host: Host;
  core: Core;
  /** The directory of the agent. */
  directory: string;
  sessions: HostSessions;
  tools: Tool[];
}

/** What a command has to say, and how it went. */
export interface Said {
  text: string;
  kind: "info" | "warning" | "error";
}

type Subcommand = (parts: Parts, args: string[], context: Context) => Promise<Said>;

const SUBCOMMANDS: Record<string, { run: Subcommand; about: string }> = {
  status: { run: status, about: "what is on" },
  undo: {
    run: undo,
    about: "take the last patch back; `undo turn` all of the last turn, `undo RECEIPT` one",
  },
  redo: { run: redo, about: "make the patch again that was taken back last" },
  history: { run: history, about: "list the patches that can be taken back" },
  config: { run: config, about: "show the settings; `config KEY VALUE` sets one" },
  doctor: { run: doctor, about: "look for what could be wrong" },
};

export function registerCommands(parts: Parts): void {
  const names = Object.keys(SUBCOMMANDS);
  const completions = names.flatMap((name) => (name === "undo" ? ["undo", "undo turn"] : [name]));
  parts.host.registerCommand("hashline", {
    description: `pi-hash: ${names.join(", ")}`,
    // Behind a word that is complete nothing is offered: Enter would take the offer, and a second one send it.
    getArgumentCompletions: (prefix) =>
      completions
        .filter((name) => name.startsWith(prefix) && !completions.includes(prefix))
        .map((name) => ({ value: name, label: name })),
    async handler(args, context) {
      const [name = "status", ...rest] = args.split(/\s+/).filter(Boolean);
      const { text, kind } = await run(parts, name, rest, context);
      tell(context, text, kind);
    },
  });
}

async function run(parts: Parts, name: string, args: string[], context: Context): Promise<Said> {
  const command = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (!command) return { text: usage(name), kind: "error" };
  try {
    return await command.run(parts, args, context);
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), kind: "error" };
  }
}

function usage(name: string): string {
  const rows = Object.entries(SUBCOMMANDS).map(([key, { about }]) => `  /hashline ${key.padEnd(7)} ${about}`);
  return [`there is no \`/hashline ${name}\`; there are:`, ...rows].join("\n");
}
