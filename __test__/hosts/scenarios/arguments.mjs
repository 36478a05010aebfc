// Arguments as models really write them: broken, of a wrong type, or in another system's spelling.

import assert from "node:assert/strict";
import { anchor, call } from "../model.mjs";
import { failed, read, succeeded } from "./words.mjs";

const LIST = "alpha one\nbeta two\ngamma three\n";

/** A claim about arguments that make no sense: the result says what is wrong, and nothing is written. */
const refused = (what, tool, args, ...why) => refusedReply(what, call(tool, args), ...why);

const refusedReply = (what, reply, ...why) => ({
  claim: `${what} is answered clearly, and nothing is written`,
  files: { "list.txt": LIST },
  turns: () => [reply],
  async check({ results: [result] }, bench) {
    failed(result, ...why);
    assert.deepEqual(await bench.files(), { "list.txt": LIST });
  },
});

/** A claim about arguments in another spelling: they set the line `beta two`. */
const understood = (what, args) => ({
  claim: `${what} is understood`,
  files: { "list.txt": LIST },
  turns: () => [read("list.txt"), (seen) => call("apply_hash", args(anchor(seen.last, "beta two")))],
  async check({ results }, bench) {
    succeeded(results[1], /^Applied 1 operation/m);
    assert.equal(await bench.text("list.txt"), LIST.replace("beta two", "BETA"));
  },
});

const PAGES = 'a line of a long text, with "quotes" and a \\ in it\n'.repeat(500);

export const spelling = [
  {
    claim: "a long call is carried out whole",
    files: {},
    turns: () => [call("apply_hash", { patch: [{ op: "add_file", path: "pages.txt", content: PAGES }] })],
    async check({ results: [result] }, bench) {
      succeeded(result, /^Applied 1 operation/m);
      assert.equal(await bench.text("pages.txt"), PAGES);
    },
  },
  refused(
    "broken JSON",
    "apply_hash",
    '{"patch": [{"op": "delete_file", "path": "list.txt"',
    /JSON|broke off/,
  ),
  refused("no JSON at all", "apply_hash", "delete list.txt, please", /patch|JSON/),
  refusedReply(
    "a call that the token limit cut off",
    { ...call("apply_hash", '{"patch": [{"op": "delete_file", "path": "list.txt"'), cut: true },
    /limit|truncated|broke off|cut off/,
  ),
  refused("no argument at all", "apply_hash", {}, /patch/),
  refused("a patch that is a number", "apply_hash", { patch: 7 }, /patch/),
  refused(
    "an anchor that is a number",
    "apply_hash",
    {
      patch: [{ op: "set_line", path: "list.txt", anchor: 2, text: "x" }],
    },
    /a line number without its tag/,
  ),
  refused(
    "an operation that does not exist",
    "apply_hash",
    { patch: [{ op: "smash", path: "list.txt" }] },
    /smash/,
  ),
  refused("a read of nothing", "read", {}, /path/),
  refused("a pattern that cannot be compiled", "grep", { pattern: "(" }, /pattern|regex/i),
  understood("`edits` with old and new text", () => ({
    edits: [{ op: "replace", path: "list.txt", old_text: "beta two", new_text: "BETA" }],
  })),
  understood("a patch written as a JSON string", (at) => ({
    patch: JSON.stringify([{ op: "set_line", path: "list.txt", anchor: at, text: "BETA" }]),
  })),
  understood("a single operation instead of a list", (at) => ({
    patch: { op: "set_line", path: "list.txt", anchor: at, text: "BETA" },
  })),
  understood("oh-my-pi's nested spelling", (at) => ({
    path: "list.txt",
    edits: [{ set_line: { anchor: at, new_text: "BETA" } }],
  })),
  understood("an anchor followed by the line's text, and a path with @", (at) => ({
    patch: [{ op: "set_line", path: "@list.txt", anchor: `${at}|beta two`, text: "BETA" }],
  })),
];
