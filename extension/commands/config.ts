// `/hashline config`: shows the settings in force and where they come from, or writes a setting into the user's file.

import { type Context, choose, setFooter } from "../host.ts";
import { guardNote, settingProblem, userFile, valuesOf, writeSetting } from "../settings.ts";
import type { CommandResult, Parts } from "./index.ts";

export async function config(parts: Parts, args: string[], context: Context): Promise<CommandResult> {
  const [key, ...words] = args;
  if (key === undefined) return (await pickSetting(parts, context)) ?? listSettings(parts, context);
  if (words.length === 0) {
    return { text: "a value is missing, as in /hashline config guard nudge", kind: "error" };
  }
  return setValue(parts, key, parseValue(words.join(" ")), context);
}

/** Lets a person at a screen pick a setting and its value; undefined if there is no screen. */
async function pickSetting(parts: Parts, context: Context): Promise<CommandResult | undefined> {
  const { settings, origins } = parts.sessions.of(context).loaded;
  const rows = Object.entries(settings).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}${origins[key] ? "" : " (default)"}`,
  );
  const row = await choose(context, "Settings", rows);
  if (row === undefined) return undefined;
  const key = Object.keys(settings)[rows.indexOf(row)];
  if (key === undefined) return { text: "nothing was changed", kind: "info" };
  const values = valuesOf(key);
  if (values.length === 0) return { text: `/hashline config ${key} VALUE sets it; ${row}`, kind: "info" };
  const written = values.map((one) => JSON.stringify(one));
  const at = written.indexOf((await choose(context, row, written)) ?? "");
  return at === -1
    ? { text: "nothing was changed", kind: "info" }
    : setValue(parts, key, values[at], context);
}

function listSettings({ sessions }: Parts, context: Context): CommandResult {
  const { settings, origins, files, warnings } = sessions.of(context).loaded;
  const rows = [
    ...Object.entries(settings).map(
      ([key, value]) => `"${key}": ${JSON.stringify(value)} (${origins[key] ?? "default"})`,
    ),
    ...files.map(({ path, found }) => `${found ? "read" : "not there"}: ${path}`),
    ...warnings,
  ];
  return { text: rows.join("\n"), kind: warnings.length > 0 ? "warning" : "info" };
}

async function setValue(parts: Parts, key: string, value: unknown, context: Context): Promise<CommandResult> {
  const { core, directory, sessions } = parts;
  const reason = settingProblem(core, key, value);
  if (reason !== undefined) return { text: reason, kind: "error" };
  const file = userFile(directory);
  await writeSetting(file, key, value);
  // The host gets the tools' descriptions only when it starts, and tools that were hidden do not come back.
  if (["scheme", "hide", "constrainedSampling"].includes(key)) {
    return { text: `${key} is ${JSON.stringify(value)} in ${file}, from the next session on`, kind: "info" };
  }
  const { settings } = sessions.reopen(context).loaded;
  setFooter(context, guardNote(settings));
  const inForce = JSON.stringify(settings[key as keyof typeof settings]) === JSON.stringify(value);
  const outcome = inForce ? "in force now" : "but the project's own settings say otherwise";
  return {
    text: `${key} is ${JSON.stringify(value)} in ${file}, ${outcome}`,
    kind: inForce ? "info" : "warning",
  };
}

/** The value of a JSON text; other text is itself the value, so that `nudge` needs no quotes. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
