// Compiled, never run: the types say what the README says.

import {
  formatRange,
  type ParsedAnchor,
  parseAnchor,
  rollingHash,
  type Scheme,
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

export { fits, hint, run, shown, tags, version };
