// Starts a registry on loopback, verdaccio, and publishes the packages to it by `npm publish`.
//
// It does not forward to another registry, so it has only the packages that were published here.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { thisMachine, VERSION } from "../../js/loader.js";
import { cached, npmInstall } from "../../scripts/lab/cache.mjs";
import { isBuilt, platformOf, TARGETS } from "../../scripts/lab/platforms/targets.mjs";
import { node } from "../../scripts/lab/tools.mjs";
import { packAll, packStandIns } from "../../scripts/pack.mjs";
import { publishOnce } from "../../scripts/release/release.mjs";
import { must } from "../../scripts/run.mjs";

const VERDACCIO = "6.10.4";
/** verdaccio depends on this package by a tag, which mirrors of npm often lack. */
const OVERRIDES = { "node-fetch": "2.7.0" };
const TIMEOUT = 600_000;

/** A registry without any package: its address, the settings that npm needs for it, and `close`, which ends it. */
export async function emptyRegistry() {
  const place = await mkdtemp(join(tmpdir(), "hashline-registry-"));
  const registry = await start(place);
  const settings = join(place, "npmrc");
  // npm needs a token to publish; this registry accepts any.
  await writeFile(settings, `//${new URL(registry.url).host}/:_authToken=anyone\n`);
  const flags = ["--registry", registry.url, "--userconfig", settings, "--cache", join(place, "cache")];
  return { ...registry, settings: flags };
}

/**
 * Packs the packages and publishes them, the main package last, as a release does. `publish` publishes another
 * tarball, `close` ends the registry.
 */
export async function openRegistry() {
  const tarballs = await packAllPlatforms();
  const registry = await emptyRegistry();
  try {
    const publish = (tarball) => publishOnce(tarball, [], registry.settings);
    for (const tarball of tarballs) await publish(tarball);
    return { ...registry, publish, tarballs, version: VERSION };
  } catch (error) {
    await registry.close();
    throw error;
  }
}

/**
 * Copies the packages into the directory `place` with another version. It must be as long as the old one, because the
 * binary contains it, too.
 */
export async function asVersion(tarballs, version, place) {
  const made = [];
  for (const tarball of tarballs) {
    const directory = await mkdtemp(join(place, "version-"));
    await must("tar", ["xzf", tarball, "-C", directory], { quiet: true });
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((entry) => /\.(?:js|json|node)$/.test(entry.name))) {
      const path = join(entry.parentPath, entry.name);
      // Latin-1 keeps every byte of a binary.
      const text = await readFile(path, "latin1");
      const isBinary = entry.name.endsWith(".node");
      const [from, to] = [VERSION, version].map((one) => (isBinary ? one : `"${one}"`));
      await writeFile(path, text.replaceAll(from, to), "latin1");
    }
    const path = join(place, basename(tarball).replace(VERSION, version));
    await must("tar", ["czf", path, "-C", directory, "package"], { quiet: true });
    made.push(path);
  }
  return made;
}

/** Packs the packages with the binaries in npm/, if `npm run build:all` has made them, or with this machine's own. */
async function packAllPlatforms() {
  const own = TARGETS.find(({ platform }) => platform === platformOf(thisMachine()));
  const ours = await packAll({ own: !isBuilt(own) });
  return [...(await packStandIns()), ...ours];
}

async function start(place) {
  const home = await cached(`verdaccio-${VERDACCIO}`, async (directory) => {
    await writeFile(join(directory, "package.json"), JSON.stringify({ private: true, overrides: OVERRIDES }));
    await npmInstall(directory, [`verdaccio@${VERDACCIO}`]);
  });
  const verdaccio = join(home, "node_modules", "verdaccio", "bin", "verdaccio");
  const config = join(place, "config.yaml");
  await writeFile(config, configOf(place));
  const url = `http://127.0.0.1:${await freePort()}/`;
  const log = createWriteStream(join(place, "log.txt"));
  // verdaccio needs a newer Node than our package.
  const args = [verdaccio, "--config", config, "--listen", url];
  const child = spawn(await node(24), args, { cwd: place, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const ended = once(child, "close");
  const close = async () => {
    child.kill();
    await ended;
    await rm(place, { recursive: true, maxRetries: 10, force: true });
  };
  const until = Date.now() + TIMEOUT;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      const said = readFileSync(join(place, "log.txt"), "utf8");
      await close();
      throw new Error(`verdaccio did not start\n${said}`);
    }
    await sleep(100);
  }
  return { url, close };
}

/** Anyone may publish, nothing is fetched from elsewhere. The limit is high because quick builds are large. */
const configOf = (place) => `storage: ${JSON.stringify(join(place, "storage"))}
packages:
  "**":
    access: $all
    publish: $all
max_body_size: 500mb
web:
  enable: false
log: { type: stdout, format: pretty, level: warn }
`;

async function answers(url) {
  try {
    return (await fetch(`${url}-/ping`)).ok;
  } catch {
    return false;
  }
}

/** A port on which no program listens at the moment. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
