// The coding agents that the extension runs in, installed on demand, pinned, each with its own runtime.
//
// `host(name)` returns how to start one and where it keeps its settings. This module knows nothing of the
// extension; `__test__/hosts/` drives the hosts.

import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMain, must, script } from "../run.mjs";
import { cached, npmIn, npmInstall } from "./cache.mjs";
import { bun, bunDownload, node, nodeDownload } from "./tools.mjs";

const VERSIONS = { pi: "1.5.2", pi073: "0.73.1", omp: "18.3.4", omp182: "18.2.3" };

/** The hosts by the short names that the tests and the demo use. */
export const HOSTS = Object.keys(VERSIONS);

/** The program of which a host is a version: `pi` or `omp`. */
const familyOf = (name) => (name.startsWith("omp") ? "omp" : "pi");

/** The download for a host, with its size on disk. */
export function hostDownload(name) {
  const megabytes = { pi: 32, pi073: 174, omp: 613, omp182: 608 };
  return { name: `${name} ${VERSIONS[name]}`, entry: entryOf(name), megabytes: megabytes[name] };
}

/** Whether this Node can run pi 1.5. If not, we download Node 24. */
export function runsPi([major, minor] = process.versions.node.split(".").map(Number)) {
  return major > 22 || (major === 22 && minor >= 19);
}

/** The downloads for `npm test`, or with `all` for `npm run test:all`, in a Node of the major version `own`. */
export function downloads({ all }, own = Number(process.versions.node.split(".")[0])) {
  // A second Node is needed: for pi 1.5 if this one is too old, otherwise to test the bundle in Node 20.
  if (!all) return [nodeDownload(own < 22 ? 24 : 20), hostDownload("pi")];
  const others = [20, 22, 24].filter((major) => major !== own);
  return [bunDownload(), ...others.map(nodeDownload), ...HOSTS.map(hostDownload)];
}

/** The directory of a host in the cache. */
function entryOf(name) {
  return `${familyOf(name)}-${VERSIONS[name]}`;
}

/** How to start a host: the command, the arguments that keep it offline, and where its settings are. */
export async function host(name) {
  switch (name) {
    case "pi": {
      const home = await cached(entryOf(name), fillPi);
      const cli = "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js";
      return pi(name, [runsPi() ? process.execPath : await node(24), join(home, cli)]);
    }
    case "pi073": {
      const home = await cached(entryOf(name), fillPi073);
      return pi(name, [
        process.execPath,
        join(home, "node_modules/@mariozechner/pi-coding-agent/dist/cli.js"),
      ]);
    }
    case "omp":
      return omp(name, await cached(entryOf(name), fillOmp));
    case "omp182":
      return omp(name, await cached(entryOf(name), fillOmp182));
    default:
      throw new Error(`no host is called \`${name}\`: there are ${HOSTS.join(", ")}`);
  }
}

async function omp(name, home) {
  return {
    name,
    family: familyOf(name),
    version: VERSIONS[name],
    command: [await bun(), join(home, "node_modules/@oh-my-pi/pi-coding-agent/dist/cli.js")],
    args: ["--no-title", "--no-lsp"],
    env: {},
    agentDir: ".omp/agent",
    // JSON is valid YAML.
    files: { models: "models.yml", settings: "config.yml" },
    // A quiet start: no set-up wizard, no splash, no question to the registry.
    settings: { setupVersion: 999, startup: { quiet: true, checkUpdate: false } },
  };
}

function pi(name, command) {
  return {
    name,
    family: familyOf(name),
    version: VERSIONS[name],
    command,
    args: ["--offline"],
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    agentDir: ".pi/agent",
    files: { models: "models.json", settings: "settings.json" },
    settings: { quietStartup: true },
  };
}

/**
 * The program of pi 1.5 is one bundle. Its package is unpacked, not installed, because a registry mirror
 * may lack some of its dependencies, which the bundle does not load.
 */
async function fillPi(directory) {
  await npmInstall(directory, ["jiti@2.7.0", "quickjs-wasi@3.6.2", "@silvia-odwyer/photon-node@0.3.4"]);
  await unpack(directory, "@earendil-works/pi-coding-agent", VERSIONS.pi);
}

/** Puts a package into `node_modules` without its dependencies, in place of another version of it. */
async function unpack(directory, name, version) {
  const printed = await npmIn(directory, ["pack", "--loglevel=error", `${name}@${version}`]);
  const [tarball] = /\S+\.tgz/.exec(printed);
  const place = join(directory, "node_modules", name);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await must("tar", ["xzf", tarball, "-C", place, "--strip-components=1"], { cwd: directory });
  await rm(join(directory, tarball));
}

function fillPi073(directory) {
  return npmInstall(directory, [`@mariozechner/pi-coding-agent@${VERSIONS.pi073}`], ["--omit=optional"]);
}

const OMP = "@oh-my-pi/pi-coding-agent";
const OMP_NATIVES = "@oh-my-pi/pi-natives";
const ompBinary = `${OMP_NATIVES}-${process.platform}-${process.arch}`;

function fillOmp182(directory) {
  // Optional parts are browsers and other platforms' binaries, hundreds of megabytes.
  const packages = [OMP, ompBinary].map((name) => `${name}@${VERSIONS.omp182}`);
  return npmInstall(directory, packages, ["--omit=optional"]);
}

/** The newest of omp's native parts that a registry mirror has, and the newest JavaScript around them. */
const NATIVES = { javascript: "18.2.10", binary: "18.2.11" };

/**
 * Functions that only the native parts of 18.3 export. No test calls them, but omp does not start without
 * them.
 */
const MISSING_NATIVES = [
  "appleFmAvailability",
  "appleFmCancel",
  "appleFmGenerate",
  "ShellFsFileType",
  "ShellFsMissing",
  "ShellFsOp",
  "ShellFsResolve",
  "TextPredictor",
];

/**
 * The program of omp 18.3.4 is one bundle, and registry mirrors may lack some of its dependencies: it runs
 * with those of 18.2.3 and the newest native parts that they have, with stubs for the missing functions.
 */
async function fillOmp(directory) {
  await npmInstall(directory, [`${OMP}@${VERSIONS.omp182}`], ["--omit=optional"]);
  await unpack(directory, OMP, VERSIONS.omp);
  await unpack(directory, OMP_NATIVES, NATIVES.javascript);
  await unpack(directory, ompBinary, NATIVES.binary);
  const natives = join(directory, "node_modules", OMP_NATIVES);
  // The JavaScript refuses a binary of another version.
  const manifest = JSON.parse(await readFile(join(natives, "package.json"), "utf8"));
  await writeFile(
    join(natives, "package.json"),
    JSON.stringify({ ...manifest, version: NATIVES.binary }, null, 2),
  );
  const stubs = MISSING_NATIVES.map(
    (name) => `export const ${name} = () => { throw new Error("${name} is not in this build"); };\n`,
  );
  await appendFile(join(natives, "native", "index.js"), stubs.join(""));
}

if (isMain(import.meta.url)) {
  await script(async () => {
    for (const name of process.argv.length > 2 ? process.argv.slice(2) : HOSTS) {
      const { version, command } = await host(name);
      process.stdout.write(`${name} ${version}: ${command.join(" ")}\n`);
    }
  });
}
