// `/hashline config`: shows the settings in force and where they come from; with a key and a value
// it writes the user's file.

import { type Context, chosen, footnote } from "../host.ts";
import { guardNote, settingProblem, userFile, valuesOf, writeSetting } from "../settings.ts";
import type { Parts, Said } from "./index.ts";

export async function config(parts: Parts, args: string[], context: Context): Promise<Said> {
  const [key, ...words] = args;
  if (key === undefined) return (await picked(parts, context)) ?? shown(parts, context);
  if (words.length === 0) {
    return { text: "a value is missing, as in /hashline config guard nudge", kind: "error" };
  }
  return set(parts, key, parsed(words.join(" ")), context);
}

/** Lets a person at a screen pick a setting and its value; nothing if there is no screen. */
async function picked(parts: Parts, context: Context): Promise<Said | undefined> {
  const { settings, origins } = parts.sessions.of(context).loaded;
  const rows = Object.entries(settings).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}${origins[key] ? "" : " (default)"}`,
  );
  const row = await chosen(context, "Settings", rows);
  if (row === undefined) return undefined;
  const key = Object.keys(settings)[rows.indexOf(row)];
  if (key === undefined) return { text: "nothing was changed", kind: "info" };
  const values = valuesOf(key);
  if (values.length === 0) return { text: `/hashline config ${key} VALUE sets it; ${row}`, kind: "info" };
  const written = values.map((one) => JSON.stringify(one));
  const at = written.indexOf((await chosen(context, row, written)) ?? "");
  return at === -1 ? { text: "nothing was changed", kind: "info" } : set(parts, key, values[at], context);
}

function shown({ sessions }: Parts, context: Context): Said {
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

async function set(parts: Parts, key: string, value: unknown, context: Context): Promise<Said> {
  const { core, directory, sessions } = parts;
  const reason = settingProblem(core, key, value);
  if (reason !== undefined) return { text: reason, kind: "error" };
  const file = userFile(directory);
  await writeSetting(file, key, value);
  // Tools are described once, when the host starts, and those that were taken away do not come back.
  if (["scheme", "hide", "constrainedSampling"].includes(key)) {
    return { text: `${key} is ${JSON.stringify(value)} in ${file}, from the next session on`, kind: "info" };
  }
  const { settings } = sessions.reopen(context).loaded;
  footnote(context, guardNote(settings));
  const inForce = JSON.stringify(settings[key as keyof typeof settings]) === JSON.stringify(value);
  const outcome = inForce ? "in force now" : "but the project's own settings say otherwise";
  return {
    text: `${key} is ${JSON.stringify(value)} in ${file}, ${outcome}`,
    kind: inForce ? "info" : "warning",
  };
}

/**
 * The value that a JSON text holds; a text that is not JSON is taken as a string, so `nudge` needs no quotes.
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
