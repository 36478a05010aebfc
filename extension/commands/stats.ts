// `/hashline stats`: what the tools did in this session and in all.

import type { Context } from "../host.ts";
import type { Parts, Said } from "./index.ts";

export async function stats({ sessions }: Parts, args: string[], context: Context): Promise<Said> {
  const { session } = await sessions.ready(context);
  const { text, ...numbers } = await session.stats();
  return { text: args.includes("--json") ? JSON.stringify(numbers) : text, kind: "info" };
}
