// The coding agents that the extension runs in, installed on demand, pinned, each with its own runtime.
//
// `host(name)` answers how to start one and where it keeps its settings. Nothing here knows the
// extension; `__test__/hosts/` drives the hosts.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { cached, npmIn, npmInstall } from "./cache.mjs";
import { isMain, must, script } from "./run.mjs";
import { bun, node } from "./tools.mjs";

const VERSIONS = { pi: "1.5.0", pi073: "0.73.1", omp: "18.2.3" };

/** The hosts by the short names that the tests and the demo use. */
export const HOSTS = Object.keys(VERSIONS);

/** What installing the hosts fetches, unless it is in the cache, with what each takes on disk. */
export function downloads() {
  const megabytes = { pi: 32, pi073: 174, omp: 608 };
  return HOSTS.map((name) => ({
    name: `${name} ${VERSIONS[name]}`,
    entry: entryOf(name),
    megabytes: megabytes[name],
  }));
}

/** The directory of the cache that a host is kept in. */
function entryOf(name) {
  return `${name === "omp" ? "omp" : "pi"}-${VERSIONS[name]}`;
}

/** How to start a host: the command, the arguments that keep it offline, and where its settings are. */
export async function host(name) {
  switch (name) {
    case "pi": {
      const home = await cached(entryOf(name), fillPi);
      const cli = "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js";
      return pi(name, [await node(24), join(home, cli)]);
    }
    case "pi073": {
      const home = await cached(entryOf(name), fillPi073);
      return pi(name, [
        process.execPath,
        join(home, "node_modules/@mariozechner/pi-coding-agent/dist/cli.js"),
      ]);
    }
    case "omp": {
      const home = await cached(entryOf(name), fillOmp);
      return {
        name,
        version: VERSIONS.omp,
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
    default:
      throw new Error(`no host is called \`${name}\`: there are ${HOSTS.join(", ")}`);
  }
}

function pi(name, command) {
  return {
    name,
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
 * The program of pi 1.5 is one bundle. Its package is unpacked, not installed, because a registry
 * mirror may lack packages that it names and the bundle does not load.
 */
async function fillPi(directory) {
  await npmInstall(directory, ["jiti@2.7.0", "quickjs-wasi@3.6.2", "@silvia-odwyer/photon-node@0.3.4"]);
  const wanted = `@earendil-works/pi-coding-agent@${VERSIONS.pi}`;
  const printed = await npmIn(directory, ["pack", "--loglevel=error", wanted]);
  const [tarball] = /\S+\.tgz/.exec(printed);
  const place = join(directory, "node_modules", "@earendil-works", "pi-coding-agent");
  await mkdir(place, { recursive: true });
  await must("tar", ["xzf", tarball, "-C", place, "--strip-components=1"], { cwd: directory });
  await rm(join(directory, tarball));
}

function fillPi073(directory) {
  return npmInstall(directory, [`@mariozechner/pi-coding-agent@${VERSIONS.pi073}`], ["--omit=optional"]);
}

function fillOmp(directory) {
  const platform = `${process.platform}-${process.arch}`;
  const packages = ["@oh-my-pi/pi-coding-agent", `@oh-my-pi/pi-natives-${platform}`];
  // Optional parts are browsers and other platforms' binaries, hundreds of megabytes.
  return npmInstall(
    directory,
    packages.map((name) => `${name}@${VERSIONS.omp}`),
    ["--omit=optional"],
  );
}

if (isMain(import.meta.url)) {
  await script(async () => {
    for (const name of process.argv.length > 2 ? process.argv.slice(2) : HOSTS) {
      const { version, command } = await host(name);
      process.stdout.write(`${name} ${version}: ${command.join(" ")}\n`);
    }
  });
}
