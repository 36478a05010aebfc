// A registry of our own on loopback, with the packages as they will be published.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll } from "../../scripts/pack.mjs";
import { must, npm } from "../../scripts/run.mjs";
import { install } from "../../scripts/tools.mjs";

const VERDACCIO = "6.10.4";

/** Packs this machine's packages and serves them; `close` ends the registry. */
export async function openRegistry() {
  const tarballs = await packAll({ own: true });
  const place = await mkdtemp(join(tmpdir(), "hashline-registry-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(place, "config.yaml");
  // No other registry is asked: what is not published here does not exist.
  await writeFile(
    config,
    `storage: ${join(place, "storage")}
max_body_size: 100mb
packages:
  "**":
    access: $all
    publish: $all
log: { type: stdout, format: json, level: error }
`,
  );
  const program = await install("verdaccio", VERDACCIO, "bin/verdaccio");
  const child = spawn(process.execPath, [program, "--config", config, "--listen", `127.0.0.1:${port}`], {
    stdio: "ignore",
  });
  await answers(url);
  // npm wants a token even where the registry does not.
  const userconfig = join(place, "npmrc");
  await writeFile(userconfig, `registry=${url}\n//127.0.0.1:${port}/:_authToken=none\n`);
  for (const tarball of tarballs) {
    await must(npm, ["publish", tarball, "--userconfig", userconfig, "--registry", url], { quiet: true });
  }
  return {
    url,
    userconfig,
    async close() {
      child.kill();
      await once(child, "close");
      await rm(place, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

async function answers(url) {
  for (let tries = 0; tries < 240; tries++) {
    const response = await fetch(`${url}-/ping`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("the registry does not answer");
}
