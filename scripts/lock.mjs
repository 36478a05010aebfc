// npm run lock: makes package-lock.json anew, whole for every platform.
//
// `npm ci` insists on an entry for every optional package, also for those of other platforms. npm
// leaves out the ones that the registry it asks does not have, as mirrors often do not; they are
// added here by name and version. Their checksum is not known then, only that of this platform's.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, must, npm, root, script, step } from "./run.mjs";

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = {
  arm64: "arm64",
  arm: "arm",
  x64: "x64",
  ia32: "ia32",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  loong64: "loong64",
};

/** `os`, `cpu` and `libc` of a platform package, by its name: `…-linux-arm64-musl`. */
export function platformOf(name) {
  if (name.endsWith("-wasm32-wasi")) return { cpu: ["wasm32"] };
  const [, os, cpu, abi] = new RegExp(`-(${SYSTEMS.join("|")})-([a-z0-9]+)(?:-([a-z]+))?$`).exec(name) ?? [];
  if (!os || !(cpu in PROCESSORS)) throw new Error(`cannot tell the platform of \`${name}\` by its name`);
  const libc = os !== "linux" ? undefined : abi === "musl" ? "musl" : "glibc";
  return { os: [os], cpu: [PROCESSORS[cpu]], ...(libc && { libc: [libc] }) };
}

/** The lock file with an entry for every optional package that it mentions. */
export function completed(lock) {
  const packages = { ...lock.packages };
  for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      packages[`node_modules/${name}`] ??= {
        version,
        ...(dev && { dev }),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  const sorted = Object.keys(packages).sort((a, b) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted.map((path) => [path, packages[path]])) };
}

if (isMain(import.meta.url)) {
  await script(async () => {
    step("package-lock.json");
    await must(npm, ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"]);
    const path = join(root, "package-lock.json");
    const lock = completed(JSON.parse(readFileSync(path, "utf8")));
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  });
}
