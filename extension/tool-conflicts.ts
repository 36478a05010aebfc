// Other extensions that register tools with our names. The host decides which one wins; we can only
// say what that means.

import type { Host, Tool } from "./host.ts";

/** Our tools that another extension took the place of, each with a sentence about it. */
export function toolConflicts(host: Host, tools: Tool[]): string[] {
  const all = host.getAllTools();
  return tools.flatMap(({ name, description }) => {
    const found = all.find((tool) => tool.name === name);
    if (!found || found.description === description) return [];
    const source = found.sourceInfo?.path ?? found.sourceInfo?.source ?? "another extension";
    return [`\`${name}\` comes from ${source}, which took the place of ours: remove one of the two`];
  });
}
