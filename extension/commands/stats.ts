// `/hashline stats`: counts what the tools did, in this session and in all sessions.

import type { Context } from "../host.ts";
import type { CommandResult, Parts } from "./index.ts";

export async function stats({ sessions }: Parts, args: string[], context: Context): Promise<CommandResult> {
  const { session } = await sessions.ready(context);
  const { text, ...numbers } = await session.stats();
  return { text: args.includes("--json") ? JSON.stringify(numbers) : text, kind: "info" };
}
