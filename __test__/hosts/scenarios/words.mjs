// Functions that make scenarios short: replies of the model, and assertions about results.

import assert from "node:assert/strict";
import { anchor, call } from "../model.mjs";

/** Tools that must be offered, and the host's tools that must be hidden. */
export const OURS = ["apply_hash", "bash", "grep", "read"];
export const GONE = ["edit", "write", "ast_edit", "apply_patch"];

/** The versions of omp, for claims about what pi does not have. */
export const OMP = ["omp", "omp182"];

/** A reply that reads one file or several. */
export const read = (...paths) => call("read", paths.length === 1 ? { path: paths[0] } : { paths });

/** A reply that runs a shell command. */
export const bash = (command) => call("bash", { command });

/** A reply that asks for a patch. */
export const apply = (...patch) => call("apply_hash", { patch });

/** The operation that sets the line that reads `content` in `shown` to `text`. */
export const setLine = (path, shown, content, text) => ({
  op: "set_line",
  path,
  anchor: anchor(shown, content),
  text,
});

/** The text of the newest result of a tool. */
export const resultOf = (seen, name) => seen.results.findLast((result) => result.name === name).text;

/** Asserts that a result is a success, and that its text matches the patterns. */
export function succeeded(result, ...patterns) {
  assert.equal(result.isError, false, result.text);
  fits(result, patterns);
}

export function failed(result, ...patterns) {
  assert.equal(result.isError, true, result.text);
  fits(result, patterns);
}

function fits({ text }, patterns) {
  for (const pattern of patterns) assert.match(text, pattern);
}

/** Returns a function that `count` callers wait for until all of them have called it. */
export function meeting(count) {
  let arrived = 0;
  let open;
  const opened = new Promise((resolve) => {
    open = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived === count) open();
    return opened;
  };
}
