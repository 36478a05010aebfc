// Compiled, never run: the types say what the README says.

import {
  formatRange,
  type ParsedAnchor,
  type PatchOperation,
  parseAnchor,
  rollingHash,
  type Scheme,
  type Session,
  tagLine,
  tagLines,
  verify,
  version,
} from "pi-hash";

const scheme: Scheme = "base26";
const tag: string = tagLine("let a = 1;", scheme, 3);
const tags: string[] = tagLines("a\nb\n");
const fits: boolean = verify(1, "let a = 1;", tag);
const anchor: ParsedAnchor = parseAnchor("5:ab|x");
const hint: string | undefined = anchor.hint;
const run: string = rollingHash(["a"] as const);
const shown: string = formatRange("a", 1, 1, { before: undefined, scheme });

// @ts-expect-error there is no such scheme
tagLine("x", "md5");

const operations: PatchOperation[] = [
  { op: "set_line", path: "a", anchor: "1:ab", text: "x", exact: true },
  { op: "delete", path: "a", anchor: "1:ab" },
  { op: "delete", path: "a", start_anchor: "1:ab", end_anchor: "2:cd" },
  { op: "insert_after", path: "a", anchor: "end", text: "x" },
  { op: "move_file", from: "a", to: "b" },
];

declare const session: Session;
session.read({ path: "a" });
session.read({ paths: ["a", { path: "b", limit: 1 }], limit: 3 });
// @ts-expect-error something must be read
session.read({});
// @ts-expect-error a limit is a limit of something
session.read({ limit: 3 });

// @ts-expect-error a range has two ends
const half: PatchOperation = { op: "replace_range", path: "a", start_anchor: "1:ab", text: "x" };

export { fits, half, hint, operations, run, shown, tags, version };

/** Answers a blocked command by the request in the verdict. */
export function served(session: Session, command: string) {
  const verdict = session.judge(command);
  if (verdict.kind !== "block" || verdict.serve === undefined) return undefined;
  const { serve } = verdict;
  switch (serve.tool) {
    case "read":
      return session.read(serve.request);
    case "grep":
      return session.grep(serve.request);
    case "several":
      return session.answer(command);
  }
}
