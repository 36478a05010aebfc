// ripgrep 15 as an npm package in the tool cache, or the one that RG names.

import { install } from "../../scripts/lab/tools.mjs";

/** The package that holds the binary of ripgrep 15.0.0. */
const RIPGREP = "1.18.0";

/** The path of ripgrep. */
export async function ripgrep() {
  if (process.env.RG) return process.env.RG;
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  return install(name, RIPGREP, process.platform === "win32" ? "bin/rg.exe" : "bin/rg");
}
