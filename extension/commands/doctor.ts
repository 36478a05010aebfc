// `/hashline doctor`: checks everything that could be wrong.

import { access, constants, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { type Context, nameOf } from "../host.ts";
import { guardMode } from "../settings.ts";
import { toolConflicts } from "../tool-conflicts.ts";
import type { CommandResult, Parts } from "./index.ts";

interface Finding {
  good: boolean;
  text: string;
}

export async function doctor(parts: Parts, _args: string[], context: Context): Promise<CommandResult> {
  const findings = [
    ...checkBinary(parts),
    ...checkSettings(parts, context),
    ...checkTools(parts, context),
    ...(await checkMemory(parts, context)),
    ...(await checkLeftovers(parts, context)),
  ];
  const rows = findings.map(({ good, text }) => `${good ? "✓" : "✗"} ${text}`);
  const bad = findings.filter(({ good }) => !good).length;
  const summary = bad === 0 ? "all is well" : `${bad} of ${findings.length} need a look`;
  return { text: [...rows, summary].join("\n"), kind: bad === 0 ? "info" : "warning" };
}

function checkBinary({ host, core }: Parts): Finding[] {
  const runtime = process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.versions.node}`;
  return [
    // The loader refuses a binary of another version, so this one fits.
    { good: true, text: `binary ${core.version()} for ${process.platform}-${process.arch}` },
    {
      good: true,
      text: `host ${nameOf(host)}${host.pi?.VERSION ? ` ${host.pi.VERSION}` : ""} on ${runtime}`,
    },
  ];
}

function checkSettings({ sessions }: Parts, context: Context): Finding[] {
  const { loaded } = sessions.of(context);
  const read = loaded.files.filter(({ found }) => found).map(({ path }) => path);
  const mode = guardMode(loaded.settings);
  return [
    ...loaded.warnings.map((text) => ({ good: false, text })),
    { good: true, text: read.length > 0 ? `settings from ${read.join(", ")}` : "settings: the defaults" },
    {
      good: mode === "block",
      text: mode === "block" ? "guard: block" : `guard: ${mode}, so shell commands can bypass the tools`,
    },
  ];
}

function checkTools({ host, tools, sessions }: Parts, context: Context): Finding[] {
  const active = host.getActiveTools();
  const { hide } = sessions.of(context).loaded.settings;
  const reappeared = hide.filter((name) => active.includes(name));
  return [
    ...toolConflicts(host, tools).map((text) => ({ good: false, text })),
    ...tools.map(({ name }) =>
      active.includes(name)
        ? { good: true, text: `${name} is offered to the agent` }
        : { good: false, text: `${name} is not offered to the agent` },
    ),
    reappeared.length === 0
      ? { good: true, text: `hidden: ${hide.join(", ") || "nothing"}` }
      : { good: false, text: `${reappeared.join(", ")} came back; calls are blocked` },
  ];
}

async function checkMemory({ sessions }: Parts, context: Context): Promise<Finding[]> {
  const path = sessions.memoryOf(context);
  try {
    await mkdir(dirname(path), { recursive: true });
    await access(dirname(path), constants.W_OK);
    return [{ good: true, text: `memory in ${path}` }];
  } catch {
    return [{ good: false, text: `memory cannot be kept: ${dirname(path)} cannot be written to` }];
  }
}

async function checkLeftovers({ sessions }: Parts, context: Context): Promise<Finding[]> {
  const { session } = sessions.of(context);
  const { kind, text, leftAlone, unreadable } = await session.recover();
  const good = kind === "clean" || (leftAlone.length === 0 && unreadable.length === 0);
  return [{ good, text: kind === "clean" ? "no interrupted patch" : text }];
}
