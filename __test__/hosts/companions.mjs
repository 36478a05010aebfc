// Other authors' extensions, as published, for tests of a host that loads them together with ours.

import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cached, npmInstall } from "../../scripts/lab/cache.mjs";

/** The packages by their short names, pinned. */
const PACKAGES = {
  permissions: ["@gotgenes/pi-permission-system", "20.7.3"],
  prettier: ["prettier", "3.10.1"],
  lens: ["pi-lens", "3.8.73"],
};

/** The directory of a package, fetched from npm the first time. */
export async function companion(name) {
  const [of, version] = PACKAGES[name];
  const home = await cached(`${of.replaceAll(/[@/]/g, "-")}-${version}`, (directory) =>
    npmInstall(directory, [`${of}@${version}`], ["--legacy-peer-deps"]),
  );
  return join(home, "node_modules", of);
}

/** Writes one of pi's example extensions, changed by `change`, into `directory`; returns its path. */
export async function example(host, name, directory, change = (text) => text) {
  const home = host.command.at(-1).replace(/\/dist\/.*$/, "");
  const text = await readFile(join(home, "examples", "extensions", name), "utf8");
  return writeTo(join(directory, name), change(text));
}

/** Writes a file, such as an extension, and returns its path. */
export async function writeTo(path, text) {
  if (!existsSync(dirname(path))) await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
