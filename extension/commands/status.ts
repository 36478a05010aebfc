// `/hashline status`: shows in a few lines which tools and settings are in force.

import { type Context, nameOf } from "../host.ts";
import { guardMode } from "../settings.ts";
import type { CommandResult, Parts } from "./index.ts";

export async function status(parts: Parts, _args: string[], context: Context): Promise<CommandResult> {
  const { host, core, sessions, tools } = parts;
  const { loaded } = await sessions.ready(context);
  const active = host.getActiveTools();
  const offered = tools.filter(({ name }) => active.includes(name)).map(({ name }) => name);
  const { scheme, relocation, durability } = loaded.settings;
  const rows = [
    `pi-hash ${core.version()} in ${nameOf(host)}`,
    `tools: ${offered.join(", ") || "none"}; guard: ${guardMode(loaded.settings)}`,
    `scheme: ${scheme}; relocation: ${relocation}; durability: ${durability}`,
    `workspace: ${context.cwd}`,
    `memory: ${sessions.memoryOf(context)}`,
  ];
  return { text: rows.join("\n"), kind: "info" };
}
