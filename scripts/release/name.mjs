// The name of the package: package.json defines it, everything else repeats it.
//
// A publisher who finds the name taken changes `"name"` in package.json and runs `npm run rename`.
// `__test__/name.test.mjs` fails on every mention that was left behind.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root, script } from "../run.mjs";

/** The name of the package. The program, the crate and the settings file are `hashline` whatever it is. */
export const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
if (name.startsWith("@"))
  throw new Error(`the name \`${name}\` has a scope; \`@name/\` is that of the platform packages`);

/** The package of a platform's binary. They have a scope, so that nobody else can take the name of one. */
export const platformPackage = (platform) => `@${name}/${platform}`;

/** The address of a repository of package.json, as people open it. */
export const homeOf = (repository) => repository.replace(/^git\+/, "").replace(/\.git$/, "");

/** Names that were in use before: a mention of one of them is a mistake. */
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
 * Matches a package name, alone, as the scope `@name/platform`, or before `/entry` or `@version`. With `-edit` behind it, it
 * is somebody else's package, which the benchmarks compare ours with.
 */
export const mention = (wanted) => new RegExp(`(?<![\\w-])${wanted}(?!\\w|-edit\\b)`, "g");

if (isMain(import.meta.url)) {
  await script(() => {
    // This file must keep the former names.
    for (const path of textFiles().filter((path) => path !== "scripts/release/name.mjs")) {
      const before = readFileSync(join(root, path), "utf8");
      const after = FORMER.reduce((text, former) => text.replaceAll(mention(former), name), before);
      if (after !== before) writeFileSync(join(root, path), after);
    }
  });
}
