// Other extensions that register tools with our names. The host decides whose tool it uses; we can only
// report it.

import type { Host, Tool } from "./host.ts";

/** A sentence about each of our tools that another extension replaced. */
export function toolConflicts(host: Host, tools: Tool[]): string[] {
  const all = host.getAllTools();
  return tools.flatMap(({ name, description }) => {
    const found = all.find((tool) => tool.name === name);
    if (!found || found.description === description) return [];
    const source = found.sourceInfo?.path ?? found.sourceInfo?.source ?? "another extension";
    return [`\`${name}\` comes from ${source}, which took the place of ours: remove one of the two`];
  });
}

/** Registers the tools whose names no other extension uses, and offers them to the agent. */
export async function registerLate(host: Host, tools: Tool[]): Promise<void> {
  if (tools.length === 0) return;
  const taken = ({ name }: Tool) => {
    const found = host.getAllTools().find((tool) => tool.name === name);
    return found?.sourceInfo !== undefined && found.sourceInfo.source !== "builtin";
  };
  const ours = tools.filter((tool) => !taken(tool));
  for (const tool of ours) host.registerTool(tool);
  // If the host already had a tool of that name and did not offer it, registering ours does not offer it either.
  const known = new Set(host.getAllTools().map(({ name }) => name));
  const active = host.getActiveTools();
  const missing = ours.map(({ name }) => name).filter((name) => known.has(name) && !active.includes(name));
  if (missing.length > 0) await host.setActiveTools([...active, ...missing]);
}
