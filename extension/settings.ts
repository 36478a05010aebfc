// Loads the settings: `hashline.json` in the agent's directory and, if the project is trusted, in its `.pi` or `.omp`.
// A project's settings override the user's unless they are laxer (`project-settings.ts`). Values that do not fit are
// ignored with a warning.
//
// The core checks its settings and knows their defaults; this file does so only for the settings of the extension
// itself.

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DefaultSettings, SessionOptions } from "../index.js";
import type { Core } from "./core.ts";
import { tighten } from "./project-settings.ts";
import { isObject, messageOf } from "./values.ts";

export interface Settings extends DefaultSettings {
  /** Tools of the host that are hidden. */
  hide: string[];
  /** pi 1.5: whether providers that support it are asked to let the model write only calls that fit the schemas. */
  constrainedSampling: boolean;
  /** A command that is run after each patch; `{files}` stands for the patch's files. */
  afterApply: string[] | false;
  /** Whether the person is asked, when the conversation goes back, if the files shall go back with it. */
  filesFollow: boolean;
}

/** The extension's own defaults. Reports to the model are short, because people see the diffs. */
const EXTENSION_DEFAULTS: Pick<
  Settings,
  "report" | "hide" | "constrainedSampling" | "afterApply" | "filesFollow"
> = {
  report: "short",
  constrainedSampling: false,
  afterApply: false,
  filesFollow: true,
  hide: ["edit", "write", "ast_edit", "apply_patch"],
};

export interface LoadedSettings {
  settings: Settings;
  /** The file that each setting comes from; a setting that is missing here has its default. */
  origins: Partial<Record<string, string>>;
  /** The settings files that were looked for, in order, and whether each was found. */
  files: { path: string; found: boolean }[];
  /** Why some settings or files were not used. */
  warnings: string[];
}

const NAME = "hashline.json";

/** The size of the largest settings file that is read, in bytes. */
const MAX_BYTES = 1 << 20;

/** The file that `/hashline config` writes. */
export const userFile = (agentDirectory: string): string => join(agentDirectory, NAME);

/** A directory that an agent works in, and whether the settings in it count. */
export interface Project {
  cwd: string;
  isProjectTrusted?(): boolean;
}

/** The settings of the user, whatever the project. */
export function userSettings(core: Core, agentDirectory: string): Settings {
  const untrusted = { cwd: process.cwd(), isProjectTrusted: () => false };
  return loadSettings(core, agentDirectory, untrusted).settings;
}

export function loadSettings(core: Core, agentDirectory: string, context: Project): LoadedSettings {
  // A host without trusted projects runs a project's own extensions unasked anyway, so its settings count, too.
  const trusted = context.isProjectTrusted?.() ?? true;
  const project = [".pi", ".omp"].map((directory) => join(context.cwd, directory, NAME));
  const loaded: LoadedSettings = {
    settings: { ...core.defaultSettings(), ...EXTENSION_DEFAULTS },
    origins: {},
    files: [],
    warnings: [],
  };
  for (const path of [userFile(agentDirectory), ...(trusted ? project : [])]) {
    try {
      const text = textOf(path);
      loaded.files.push({ path, found: text !== undefined });
      if (text !== undefined) addSettings(core, path, text, loaded);
    } catch (error) {
      loaded.warnings.push(messageOf(error));
    }
  }
  return loaded;
}

/** How the guard treats a command that bypasses the tools. */
export function guardMode({ guard }: Settings): "block" | "nudge" | "off" {
  if (guard === true) return "block";
  if (guard === false) return "off";
  return typeof guard === "object" ? (guard.mode ?? "block") : guard;
}

/** What the footer says about a guard that lets commands pass. */
export function guardNote(settings: Settings): string | undefined {
  const mode = guardMode(settings);
  return mode === "block" ? undefined : `hashline guard: ${mode}`;
}

/** The settings that are options of a core session. */
export function coreOptions(settings: Settings): Omit<SessionOptions, "root"> {
  const {
    hide: _hide,
    constrainedSampling: _sampling,
    afterApply: _after,
    filesFollow: _follow,
    ...options
  } = settings;
  return options;
}

/** Why `value` cannot be the setting `key`; nothing if it can. */
export function settingProblem(core: Core, key: string, value: unknown): string | undefined {
  switch (key) {
    case "hide": {
      const fits = Array.isArray(value) && value.every((name) => typeof name === "string");
      return fits ? undefined : "`hide` must be a list of names of tools";
    }
    case "afterApply": {
      const fits =
        Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
      return fits || value === false
        ? undefined
        : '`afterApply` must be false, or a list of a program and its arguments, as ["prettier", "--write", "{files}"]';
    }
    case "constrainedSampling":
    case "filesFollow":
      return typeof value === "boolean" ? undefined : `\`${key}\` must be true or false`;
    default:
      return core.checkSetting(key, value) ?? undefined;
  }
}

/** The values to choose from, if a setting has only a few; otherwise none. */
export function valuesOf(key: string): unknown[] {
  const text = readFileSync(new URL("./settings.schema.json", import.meta.url), "utf8");
  const schema: Schema | undefined = JSON.parse(text).properties[key];
  const choices = ({ type, enum: values }: Schema): unknown[] =>
    values ?? (type === "boolean" ? [true, false] : []);
  return schema === undefined ? [] : [schema, ...(schema.anyOf ?? [])].flatMap(choices);
}

interface Schema {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
}

/** Writes one setting into the user's file and keeps the others. */
export async function writeSetting(path: string, key: string, value: unknown): Promise<void> {
  const fields = parse(path, textOf(path) ?? "{}");
  await mkdir(dirname(path), { recursive: true });
  // Write to the file that a link leads to: many people keep their settings elsewhere.
  const file = await realpath(path).catch(() => path);
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify({ ...fields, [key]: value }, null, 2)}\n`);
  await rename(temporary, file);
}

function addSettings(core: Core, path: string, text: string, loaded: LoadedSettings): void {
  const isUserFile = loaded.files.length === 1;
  for (const [key, value] of Object.entries(parse(path, text))) {
    if (key === "$schema") continue;
    const reason = settingProblem(core, key, value);
    const checked = reason ? { reason } : isUserFile ? { value } : tighten(key, value, loaded.settings);
    if ("value" in checked) {
      Object.assign(loaded.settings, { [key]: checked.value });
      loaded.origins[key] = path;
    } else loaded.warnings.push(`${path}: ${printable(checked.reason)}`);
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${messageOf(error)}`);
  }
  if (!isObject(value)) {
    throw new Error(`${path} must hold one object, as in {"guard": "nudge"}`);
  }
  return { ...value };
}

/** The text of a file; undefined if there is no such file. */
function textOf(path: string): string | undefined {
  try {
    checkFile(path, statSync(path));
    // The file may have become a FIFO since; without O_NONBLOCK, opening a FIFO waits for a writer.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      checkFile(path, fstatSync(file));
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code))) {
      return undefined;
    }
    throw new Error(`cannot read ${path}: ${messageOf(error)}`);
  }
}

function checkFile(path: string, stat: { isFile(): boolean; size: number }): void {
  if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
  if (stat.size > MAX_BYTES) throw new Error(`${path} is larger than 1 MB`);
}

/** The text with control characters and line breaks escaped. */
const printable = (text: string) =>
  text.replaceAll(/\p{C}/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
