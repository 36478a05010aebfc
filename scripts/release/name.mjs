// The name of the package: package.json defines it, everything else repeats it.
//
// A publisher who finds the name taken changes `"name"` in package.json and runs `npm run rename`.
// `__test__/name.test.mjs` fails on every mention that was left behind.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root, script } from "../run.mjs";

/** The name of the package. The program, the crate and the settings file are always called `hashline`. */
export const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
if (name.startsWith("@"))
  throw new Error(`the name \`${name}\` has a scope; \`@name/\` is that of the platform packages`);

/** The name of a platform's package. All have our scope, so that nobody else can take one of the names. */
export const platformPackage = (platform) => `@${name}/${platform}`;

/** The address of a repository for people, made from the one in package.json. */
export const homeOf = (repository) => repository.replace(/^git\+/, "").replace(/\.git$/, "");

/** Former names of the package; a mention of one is a mistake. */
export const FORMER = ["pi-hash", "pi-hashline"].filter((former) => former !== name);

const GENERATED = new Set([".git", "node_modules", "target", "dist", ".cache"]);
const TEXT = /\.(?:js|mjs|ts|rs|md|json|toml|yml|yaml|svg|txt|rb)$|^(?:LICENSE|run)$/;

/** The text files of the repository, as paths from its root. */
export function textFiles(directory = "") {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (GENERATED.has(entry.name)) return [];
    if (entry.isDirectory()) return textFiles(path);
    return entry.isFile() && TEXT.test(entry.name) ? [path] : [];
  });
}

/**
 * Matches a package name: alone, as the scope in `@name/platform`, or before `/entry` or `@version`; but not before
 * `-edit`, which makes it the name of another package, with which the benchmarks compare ours.
 */
export const mention = (wanted) => new RegExp(`(?<![\\w-])${wanted}(?!\\w|-edit\\b)`, "g");

if (isMain(import.meta.url)) {
  await script(() => {
    // This file is the only one that must name the former names.
    for (const path of textFiles().filter((path) => path !== "scripts/release/name.mjs")) {
      const before = readFileSync(join(root, path), "utf8");
      const after = FORMER.reduce((text, former) => text.replaceAll(mention(former), name), before);
      if (after !== before) writeFileSync(join(root, path), after);
    }
  });
}
