// A registry of our own on loopback, with the packages as they will be published.
//
// It answers the two questions that an installer asks: what versions a package has, and for a tarball.
// What was not packed here does not exist in it.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { npmIn } from "../../scripts/cache.mjs";
import { DIST, packAll } from "../../scripts/pack.mjs";
import { TARGETS } from "../../scripts/platforms/targets.mjs";
import { must, root } from "../../scripts/run.mjs";

/** Packs this machine's packages and serves them; `close` ends the registry. */
export async function openRegistry() {
  const packages = new Map();
  const tarballs = new Map();
  for (const path of [...(await packAll({ own: true })), ...(await packOthers())]) {
    const manifest = JSON.parse(await must("tar", ["xzOf", path, "package/package.json"], { quiet: true }));
    const bytes = readFileSync(path);
    packages.set(manifest.name, { manifest, bytes, file: basename(path) });
    tarballs.set(basename(path), bytes);
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, url());
    const tarball = tarballs.get(basename(pathname));
    const found = packages.get(decodeURIComponent(pathname.slice(1)));
    if (tarball) response.end(tarball);
    else if (found)
      response.setHeader("content-type", "application/json").end(JSON.stringify(packument(found, url())));
    else response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  });
  const url = () => `http://127.0.0.1:${server.address().port}/`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: url(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The packages of other platforms, without their binaries: yarn looks at all of them before it chooses. */
async function packOthers() {
  // Not among those that are published.
  const place = join(DIST, "without-binaries");
  await mkdir(place);
  const paths = [];
  for (const { platform } of TARGETS.filter(({ platform }) => !existsSync(join(DIST, platform)))) {
    const flags = ["--silent", "--ignore-scripts", "--pack-destination", place];
    const printed = await npmIn(join(root, "npm", platform), ["pack", ...flags]);
    paths.push(join(place, /\S+\.tgz/.exec(printed)[0]));
  }
  return paths;
}

/** What a registry says about a package with one version. */
function packument({ manifest, bytes, file }, url) {
  const digest = (algorithm, encoding) => createHash(algorithm).update(bytes).digest(encoding);
  const dist = {
    tarball: `${url}-/${file}`,
    shasum: digest("sha1", "hex"),
    integrity: `sha512-${digest("sha512", "base64")}`,
  };
  return {
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
    // Installers that wait for a version to be some days old see an old one.
    time: { [manifest.version]: "2026-01-01T00:00:00.000Z" },
  };
}
