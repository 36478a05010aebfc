// Finds ripgrep: the program that `RG` names, or version 15 from npm in the tool cache.

import { install } from "../../scripts/lab/tools.mjs";

/** The version of the npm package that holds ripgrep 15.0.0. */
const RIPGREP = "1.18.0";

/** The path of ripgrep. */
export async function ripgrep() {
  if (process.env.RG) return process.env.RG;
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  return install(name, RIPGREP, process.platform === "win32" ? "bin/rg.exe" : "bin/rg");
}
