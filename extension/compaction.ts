// Adds the files of our calls to a host's summary: which were read, and which were changed.
//
// pi lists only the files of its own tools. Ours come from the results in the messages that are summarised, so that a
// resumed session or another branch lists its own files; and from calls of scripts, which are in no message.

import type { Session } from "../index.js";
import { fields, list, strings } from "./values.ts";

/** The names of files that pi collects while it makes a summary. */
export interface FileOperations {
  read: Set<string>;
  written: Set<string>;
  edited: Set<string>;
}

interface Files {
  read: string[];
  changed: string[];
}

/** The files that a result of one of our tools names. */
export function filesOf(tool: string, details: unknown): Files {
  const files = list(fields(details).files).map(fields);
  if (tool === "read") {
    return { read: files.filter(({ ok }) => ok === true).flatMap(({ path }) => strings(path)), changed: [] };
  }
  if (tool !== "apply_hash" || fields(details).kind !== "applied") return { read: [], changed: [] };
  const changed = files.filter(({ kind }) => kind !== "unchanged");
  return { read: [], changed: changed.flatMap(({ path, to }) => strings(path, to)) };
}

/** The names of the files in the results of some messages, without line ranges. */
function filesIn(messages: readonly unknown[], filesOfScripts: readonly Files[], session: Session): Files {
  const results = messages.map(fields).filter(({ role }) => role === "toolResult");
  const all = [
    ...results.map(({ toolName, details }) => filesOf(String(toolName), details)),
    ...filesOfScripts,
  ];
  const plain = (names: string[]) => [...new Set(names.map((name) => plainName(name, session)))];
  return {
    read: plain(all.flatMap(({ read }) => read)),
    changed: plain(all.flatMap(({ changed }) => changed)),
  };
}

/** Adds the files of our calls to pi's, and removes line ranges from pi's names: `a.ts:10-20` names no file. */
export function addFiles(
  operations: FileOperations,
  messages: readonly unknown[],
  filesOfScripts: readonly Files[],
  session: Session,
): void {
  const { read, changed } = filesIn(messages, filesOfScripts, session);
  const named = [...operations.read].map((name) => plainName(name, session));
  operations.read.clear();
  for (const name of [...named, ...read]) operations.read.add(name);
  for (const name of changed) operations.edited.add(name);
}

/** The files in the results of some messages, as lines for omp's summary. */
export function fileLists(
  messages: readonly unknown[],
  filesOfScripts: readonly Files[],
  session: Session,
): string[] {
  const { read, changed } = filesIn(messages, filesOfScripts, session);
  const block = (tag: string, names: string[]) =>
    names.length === 0 ? [] : [`<${tag}>\n${names.sort().join("\n")}\n</${tag}>`];
  const only = read.filter((name) => !changed.includes(name));
  return [...block("read-files", only), ...block("modified-files", changed)];
}

function plainName(name: string, session: Session): string {
  const call = session.prepare("read", { path: name });
  return call.kind === "prepared" ? (call.paths[0] ?? name) : name;
}
